# elvish completion for kubectl-daemonset. In ~/.config/elvish/rc.elv:
#   eval (kubectl-daemonset completion elvish | slurp)
set edit:completion:arg-completer[kubectl-daemonset] = { |@words|
    var index = (count $words)
    set index = (- $index 1)

    put (env _CLAP_IFS="\n" _CLAP_COMPLETE_INDEX=(to-string $index) KUBECTL_DAEMONSET_COMPLETE="elvish" kubectl-daemonset -- $@words) | to-lines
}
