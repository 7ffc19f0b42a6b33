# PowerShell completion for kubectl-daemonset. In the file that $PROFILE names:
#   kubectl-daemonset completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName kubectl-daemonset -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $prev = $env:KUBECTL_DAEMONSET_COMPLETE;
    $env:KUBECTL_DAEMONSET_COMPLETE = "powershell";

    $args = $commandAst.Extent.Text
    $args = $args.Substring(0, [math]::Min($cursorPosition, $args.Length));
    if ($wordToComplete -eq "") {
        $args += " ''";
    }

    $results = Invoke-Expression @"
& kubectl-daemonset -- $args
"@;
    if ($null -eq $prev) {
        Remove-Item Env:\KUBECTL_DAEMONSET_COMPLETE;
    } else {
        $env:KUBECTL_DAEMONSET_COMPLETE = $prev;
    }
    $results | ForEach-Object {
        $split = $_.Split("`t");
        $cmd = $split[0];

        if ($split.Length -eq 2) {
            $help = $split[1];
        }
        else {
            $help = $split[0];
        }

        [System.Management.Automation.CompletionResult]::new($cmd, $cmd, 'ParameterValue', $help)
    }
};
