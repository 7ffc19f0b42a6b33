# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_kubectl_daemonset_global_optspecs
    string join \n snapshot= now= server-version= n/namespace= A/all-namespaces o/output= no-headers color= kubeconfig= context= cluster= user= s/server= token= username= password= as= as-group= as-uid= as-user-extra= certificate-authority= client-certificate= client-key= insecure-skip-tls-verify= tls-server-name= request-timeout= disable-compression= chunk-size= v/v= cache-dir= match-server-version= log-flush-frequency= profile= profile-output= warnings-as-errors= vmodule= kuberc= h/help
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

complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "plan" -d 'Show what the controller will do next'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "nodes" -d 'Show which node has which pod, and what becomes of it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "why" -d 'Explain why nodes run the DaemonSet or do not'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "status" -d 'Follow rollouts until they are done, and say why they are not'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "sync" -d 'Bring DaemonSets into sync: what the controller leaves to you, or does not do'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "history" -d 'Show the revisions, which pods have each, and what changed'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "restart" -d 'Replace all pods by new ones of the same template'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "undo" -d 'Go back to the template of an earlier revision'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "pause" -d 'Hold a rollout; pods are still created and cleaned up'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "resume" -d 'Let a paused rollout go on'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "snapshot" -d 'Write a file of what a plan sees, which every command reads with --snapshot'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "completion" -d 'Print a shell completion script'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "version" -d 'Print the versions of this tool and of the server'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s l -l selector -d 'Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l exit-code -d 'Exit with 10 if work is pending, 11 if it is blocked, 1 if unknown'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s w -l watch -d 'Show the plan again whenever it changes, until Ctrl-C'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand plan" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l group-by -d 'Count nodes by the value of this node label' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l problems -d 'Show only nodes whose pod is missing, duplicate, misplaced, stray or not available'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s w -l watch -d 'Show the nodes again whenever something changes, until Ctrl-C'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand nodes" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand why" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s l -l selector -d 'Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s w -l watch -d 'Follow until the end; a snapshot is always looked at once' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l done-when -d 'What counts as done' -r -f -a "available\t'Every wanted node has an available pod of the current revision, and nothing else is left'
updated\t'Every wanted node has a pod of the current revision, available or not, and no old pod is left'
placed\t'Every wanted node has a pod, of whatever revision, and nothing is to be made or deleted'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l stall-after -d 'How long a rollout may fail before it is given up' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l timeout -d 'How long all of it may take (default no limit)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand status" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s l -l selector -d 'Select DaemonSets by their labels; only with --dry-run' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l dry-run -d 'Only show the next batch: judged here (client, needs only reads), or by the server without persisting it' -r -f -a "none\t'Write'
client\t'Judge here, with reads only'
server\t'Let the server judge, which persists nothing'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l max-unavailable -d 'OnDelete: nodes that may be unavailable, as a number or a percentage of those that want a pod (default 1)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l controller-wait -d 'How long the controller has to do its part before it is nudged, and again before it is done in its place' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l pod-timeout -d 'How long a new pod may take to become available' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l stall-after -d 'How long a DaemonSet may be unable to go on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l timeout -d 'How long all of it may take (default no limit)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l field-manager -d 'Name under which the server records the writes' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s y -l yes -d 'Do not ask'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l once -d 'Do the next batch only, and exit with 10 if work is left'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand sync" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l revision -d 'Show the template of this revision' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l diff -d 'Show what differs between two revisions, or between one and the current' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand history" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l dry-run -d 'Only show what it means: judged here (client), or by the server without persisting it' -r -f -a "none\t'Write'
client\t'Judge here, with reads only'
server\t'Let the server judge, which persists nothing'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l field-manager -d 'Name under which the server records the change' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -s y -l yes -d 'Do not ask'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l force -d 'Go on although somebody else manages the DaemonSet, or the controller will remove pods for it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand restart" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l to-revision -d 'Number of the revision to go back to; 0 is the one before' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l dry-run -d 'Only show what it means: judged here (client), or by the server without persisting it' -r -f -a "none\t'Write'
client\t'Judge here, with reads only'
server\t'Let the server judge, which persists nothing'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l field-manager -d 'Name under which the server records the change' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -s y -l yes -d 'Do not ask'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l force -d 'Go on although somebody else manages the DaemonSet, or the controller will remove pods for it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand undo" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l dry-run -d 'Only show what it means: judged here (client), or by the server without persisting it' -r -f -a "none\t'Write'
client\t'Judge here, with reads only'
server\t'Let the server judge, which persists nothing'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l field-manager -d 'Name under which the server records the change' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -s y -l yes -d 'Do not ask'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l force -d 'Go on although somebody else manages the DaemonSet, or the controller will remove pods for it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand pause" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l dry-run -d 'Only show what it means: judged here (client), or by the server without persisting it' -r -f -a "none\t'Write'
client\t'Judge here, with reads only'
server\t'Let the server judge, which persists nothing'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l field-manager -d 'Name under which the server records the change' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -s y -l yes -d 'Do not ask'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l force -d 'Go on although somebody else manages the DaemonSet, or the controller will remove pods for it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand resume" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l full -d 'Keep everything as it is: values, arguments and annotations'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand snapshot" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand completion" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l client -d 'Print only the version of this tool' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l snapshot -d 'Read this file or folder, or - for stdin, and contact no cluster' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l now -d 'Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l server-version -d 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s n -l namespace -d 'Look only in this namespace (default the context\'s)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s o -l output -d 'Format' -r -f -a "table\t'Columns for people'
wide\t'More columns'
name\t'Names only'
json\t'Everything, as JSON'
yaml\t'Everything, as YAML'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l color -d 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto' -r -f -a "auto\t'On a terminal only'
always\t'Always'
never\t'Never'"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l kubeconfig -d 'Kubeconfig file to use instead of those that KUBECONFIG names' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l token -d 'Bearer token for the API server' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l username -d 'User name for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l password -d 'Password for basic authentication' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l as -d 'User to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l as-group -d 'Group to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l as-user-extra -d 'Extra field to impersonate; may be repeated' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l certificate-authority -d 'File with the certificates of the authority that the server is checked by' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l client-certificate -d 'File with the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l client-key -d 'File with the key of the client certificate' -r -F
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l insecure-skip-tls-verify -d 'Do not check the server\'s certificate, which makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l tls-server-name -d 'Name to expect in the server\'s certificate (default its host)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l request-timeout -d 'Longest time for one request, such as 5s or 2m; 0 is none (default 0)' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l disable-compression -d 'Do not ask for compressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l chunk-size -d 'Objects to ask for in one page of a list; 0 is all' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s v -l v -d 'Show requests from level 6 on, and their headers, without secrets, from level 7 on' -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l cache-dir -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l match-server-version -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l log-flush-frequency -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l profile -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l profile-output -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l warnings-as-errors -r -f -a "true\t''
false\t''"
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l vmodule -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l kuberc -r
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s A -l all-namespaces -d 'Look in all namespaces'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -l no-headers -d 'Leave out the column titles'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand version" -s h -l help -d 'Print help (see more with \'--help\')'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "plan" -d 'Show what the controller will do next'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "nodes" -d 'Show which node has which pod, and what becomes of it'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "why" -d 'Explain why nodes run the DaemonSet or do not'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "status" -d 'Follow rollouts until they are done, and say why they are not'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "sync" -d 'Bring DaemonSets into sync: what the controller leaves to you, or does not do'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "history" -d 'Show the revisions, which pods have each, and what changed'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "restart" -d 'Replace all pods by new ones of the same template'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "undo" -d 'Go back to the template of an earlier revision'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "pause" -d 'Hold a rollout; pods are still created and cleaned up'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "resume" -d 'Let a paused rollout go on'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "snapshot" -d 'Write a file of what a plan sees, which every command reads with --snapshot'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "completion" -d 'Print a shell completion script'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "version" -d 'Print the versions of this tool and of the server'
complete -c kubectl-daemonset -n "__fish_kubectl_daemonset_using_subcommand help; and not __fish_seen_subcommand_from plan nodes why status sync history restart undo pause resume snapshot completion version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
