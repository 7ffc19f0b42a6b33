
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'kubectl-daemonset' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'kubectl-daemonset'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'kubectl-daemonset' {
            [CompletionResult]::new('--snapshot', '--snapshot', [CompletionResultType]::ParameterName, 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column titles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('plan', 'plan', [CompletionResultType]::ParameterValue, 'Show what the controller will do next')
            [CompletionResult]::new('nodes', 'nodes', [CompletionResultType]::ParameterValue, 'Show which node has which pod, and what becomes of it')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Explain why nodes run the DaemonSet or do not')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a shell completion script')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the version')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-daemonset;plan' {
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas')
            [CompletionResult]::new('--snapshot', '--snapshot', [CompletionResultType]::ParameterName, 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto')
            [CompletionResult]::new('--exit-code', '--exit-code', [CompletionResultType]::ParameterName, 'Exit with 10 if work is pending, 11 if it is blocked, 1 if unknown')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column titles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-daemonset;nodes' {
            [CompletionResult]::new('--group-by', '--group-by', [CompletionResultType]::ParameterName, 'Count nodes by the value of this node label')
            [CompletionResult]::new('--snapshot', '--snapshot', [CompletionResultType]::ParameterName, 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto')
            [CompletionResult]::new('--problems', '--problems', [CompletionResultType]::ParameterName, 'Show only nodes whose pod is missing, duplicate, misplaced, stray or not available')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column titles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-daemonset;why' {
            [CompletionResult]::new('--snapshot', '--snapshot', [CompletionResultType]::ParameterName, 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column titles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-daemonset;completion' {
            [CompletionResult]::new('--snapshot', '--snapshot', [CompletionResultType]::ParameterName, 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column titles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-daemonset;version' {
            [CompletionResult]::new('--snapshot', '--snapshot', [CompletionResultType]::ParameterName, 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated')
            [CompletionResult]::new('--now', '--now', [CompletionResultType]::ParameterName, 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)')
            [CompletionResult]::new('--server-version', '--server-version', [CompletionResultType]::ParameterName, 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Look only in this namespace (default all namespaces of the snapshot)')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Output format')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look in all namespaces, whatever --namespace says')
            [CompletionResult]::new('--no-headers', '--no-headers', [CompletionResultType]::ParameterName, 'Leave out the column titles')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help (see more with ''--help'')')
            break
        }
        'kubectl-daemonset;help' {
            [CompletionResult]::new('plan', 'plan', [CompletionResultType]::ParameterValue, 'Show what the controller will do next')
            [CompletionResult]::new('nodes', 'nodes', [CompletionResultType]::ParameterValue, 'Show which node has which pod, and what becomes of it')
            [CompletionResult]::new('why', 'why', [CompletionResultType]::ParameterValue, 'Explain why nodes run the DaemonSet or do not')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a shell completion script')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the version')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-daemonset;help;plan' {
            break
        }
        'kubectl-daemonset;help;nodes' {
            break
        }
        'kubectl-daemonset;help;why' {
            break
        }
        'kubectl-daemonset;help;completion' {
            break
        }
        'kubectl-daemonset;help;version' {
            break
        }
        'kubectl-daemonset;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
