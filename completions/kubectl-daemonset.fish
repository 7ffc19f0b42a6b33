# fish completion for kubectl-daemonset. Once:
#   kubectl-daemonset completion fish > ~/.config/fish/completions/kubectl-daemonset.fish
complete --keep-order --exclusive --command kubectl-daemonset --arguments "(KUBECTL_DAEMONSET_COMPLETE=fish kubectl-daemonset -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
