
use builtin;
use str;

set edit:completion:arg-completer[kubectl-daemonset] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'kubectl-daemonset'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'kubectl-daemonset'= {
            cand --snapshot 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated'
            cand --now 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)'
            cand --server-version 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)'
            cand -n 'Look only in this namespace (default all namespaces of the snapshot)'
            cand --namespace 'Look only in this namespace (default all namespaces of the snapshot)'
            cand -o 'Output format'
            cand --output 'Output format'
            cand --color 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto'
            cand -A 'Look in all namespaces, whatever --namespace says'
            cand --all-namespaces 'Look in all namespaces, whatever --namespace says'
            cand --no-headers 'Leave out the column titles'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
            cand plan 'Show what the controller will do next'
            cand nodes 'Show which node has which pod, and what becomes of it'
            cand why 'Explain why nodes run the DaemonSet or do not'
            cand completion 'Print a shell completion script'
            cand version 'Print the version'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'kubectl-daemonset;plan'= {
            cand -l 'Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas'
            cand --selector 'Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas'
            cand --snapshot 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated'
            cand --now 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)'
            cand --server-version 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)'
            cand -n 'Look only in this namespace (default all namespaces of the snapshot)'
            cand --namespace 'Look only in this namespace (default all namespaces of the snapshot)'
            cand -o 'Output format'
            cand --output 'Output format'
            cand --color 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto'
            cand --exit-code 'Exit with 10 if work is pending, 11 if it is blocked, 1 if unknown'
            cand -A 'Look in all namespaces, whatever --namespace says'
            cand --all-namespaces 'Look in all namespaces, whatever --namespace says'
            cand --no-headers 'Leave out the column titles'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'kubectl-daemonset;nodes'= {
            cand --group-by 'Count nodes by the value of this node label'
            cand --snapshot 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated'
            cand --now 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)'
            cand --server-version 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)'
            cand -n 'Look only in this namespace (default all namespaces of the snapshot)'
            cand --namespace 'Look only in this namespace (default all namespaces of the snapshot)'
            cand -o 'Output format'
            cand --output 'Output format'
            cand --color 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto'
            cand --problems 'Show only nodes whose pod is missing, duplicate, misplaced, stray or not available'
            cand -A 'Look in all namespaces, whatever --namespace says'
            cand --all-namespaces 'Look in all namespaces, whatever --namespace says'
            cand --no-headers 'Leave out the column titles'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'kubectl-daemonset;why'= {
            cand --snapshot 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated'
            cand --now 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)'
            cand --server-version 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)'
            cand -n 'Look only in this namespace (default all namespaces of the snapshot)'
            cand --namespace 'Look only in this namespace (default all namespaces of the snapshot)'
            cand -o 'Output format'
            cand --output 'Output format'
            cand --color 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto'
            cand -A 'Look in all namespaces, whatever --namespace says'
            cand --all-namespaces 'Look in all namespaces, whatever --namespace says'
            cand --no-headers 'Leave out the column titles'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'kubectl-daemonset;completion'= {
            cand --snapshot 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated'
            cand --now 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)'
            cand --server-version 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)'
            cand -n 'Look only in this namespace (default all namespaces of the snapshot)'
            cand --namespace 'Look only in this namespace (default all namespaces of the snapshot)'
            cand -o 'Output format'
            cand --output 'Output format'
            cand --color 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto'
            cand -A 'Look in all namespaces, whatever --namespace says'
            cand --all-namespaces 'Look in all namespaces, whatever --namespace says'
            cand --no-headers 'Leave out the column titles'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'kubectl-daemonset;version'= {
            cand --snapshot 'Read this file or folder, or - for stdin, and contact no cluster; may be repeated'
            cand --now 'Set the clock, such as 2026-11-29T14:43:52Z (default the newest time in the snapshot)'
            cand --server-version 'Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)'
            cand -n 'Look only in this namespace (default all namespaces of the snapshot)'
            cand --namespace 'Look only in this namespace (default all namespaces of the snapshot)'
            cand -o 'Output format'
            cand --output 'Output format'
            cand --color 'When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto'
            cand -A 'Look in all namespaces, whatever --namespace says'
            cand --all-namespaces 'Look in all namespaces, whatever --namespace says'
            cand --no-headers 'Leave out the column titles'
            cand -h 'Print help (see more with ''--help'')'
            cand --help 'Print help (see more with ''--help'')'
        }
        &'kubectl-daemonset;help'= {
            cand plan 'Show what the controller will do next'
            cand nodes 'Show which node has which pod, and what becomes of it'
            cand why 'Explain why nodes run the DaemonSet or do not'
            cand completion 'Print a shell completion script'
            cand version 'Print the version'
            cand help 'Print this message or the help of the given subcommand(s)'
        }
        &'kubectl-daemonset;help;plan'= {
        }
        &'kubectl-daemonset;help;nodes'= {
        }
        &'kubectl-daemonset;help;why'= {
        }
        &'kubectl-daemonset;help;completion'= {
        }
        &'kubectl-daemonset;help;version'= {
        }
        &'kubectl-daemonset;help;help'= {
        }
    ]
    $completions[$command]
}
