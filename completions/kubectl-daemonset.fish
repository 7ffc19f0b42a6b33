# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_kubectl_daemonset_global_optspecs
    string join \n snapshot= now= server-version= n/namespace= A/all-namespaces o/output= no-headers color= h/help
end

function __fish_kubectl_daemonset_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_kubectl_daemonset_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_kubectl_daemonset_using_subcommand
    set -l cmd (__fish_kubectl_daemonset_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l now -d 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s n -l namespace -d 'Look only in this namespace (default all namespaces of the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s o -l output -d 'Output format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s A -l all-namespaces -d 'Look in all namespaces, whatever --namespace says'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "plan" -d 'Show what the controller will do next'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "nodes" -d 'Show which node has which pod, and what becomes of it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "why" -d 'Explain why nodes run the DaemonSet or do not'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "completion" -d 'Print a shell completion script'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "version" -d 'Print the version'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s l -l selector -d 'Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l now -d 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s n -l namespace -d 'Look only in this namespace (default all namespaces of the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s o -l output -d 'Output format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l exit-code -d 'Exit with 10 if work is pending, 11 if it is blocked, 1 if unknown'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s A -l all-namespaces -d 'Look in all namespaces, whatever --namespace says'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l group-by -d 'Count nodes by the value of this node label' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l now -d 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s n -l namespace -d 'Look only in this namespace (default all namespaces of the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s o -l output -d 'Output format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l problems -d 'Show only nodes whose pod is missing, duplicate, misplaced, stray or not available'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s A -l all-namespaces -d 'Look in all namespaces, whatever --namespace says'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l now -d 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s n -l namespace -d 'Look only in this namespace (default all namespaces of the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s o -l output -d 'Output format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s A -l all-namespaces -d 'Look in all namespaces, whatever --namespace says'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l now -d 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s n -l namespace -d 'Look only in this namespace (default all namespaces of the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s o -l output -d 'Output format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s A -l all-namespaces -d 'Look in all namespaces, whatever --namespace says'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l now -d 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s n -l namespace -d 'Look only in this namespace (default all namespaces of the snapshot)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s o -l output -d 'Output format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s A -l all-namespaces -d 'Look in all namespaces, whatever --namespace says'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why completion version help" -f -a "plan" -d 'Show what the controller will do next'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why completion version help" -f -a "nodes" -d 'Show which node has which pod, and what becomes of it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why completion version help" -f -a "why" -d 'Explain why nodes run the DaemonSet or do not'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why completion version help" -f -a "completion" -d 'Print a shell completion script'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why completion version help" -f -a "version" -d 'Print the version'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why completion version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
