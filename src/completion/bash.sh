# bash completion for kubectl-daemonset. In ~/.bashrc:
#   source <(kubectl-daemonset completion bash)

_kubectl_daemonset() {
    local line=${COMP_LINE:0:COMP_POINT} piece blank last=-1 i
    local words=()
    # Bash takes words apart at = and :, which belong to them here.
    for ((i = 0; i < COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        blank=${line%%"$piece"*}
        line=${line#*"$piece"}
        if ((last < 0)) || [[ -n $blank ]]; then
            words[++last]=$piece
        else
            words[last]+=$piece
        fi
    done
    if [[ $line == [[:space:]]* ]]; then
        words[++last]=${line#"${line%%[![:space:]]*}"}
    else
        words[last]+=$line
    fi

    local cur=${words[last]} value directive=4
    [[ $cur == -*=* ]] && cur=${cur#*=}
    # What stands before the last of these characters is on the line already.
    local kept=${cur%"${cur##*[=:]}"}
    COMPREPLY=()
    while IFS= read -r value; do
        case $value in
        :*) directive=${value#:} ;;
        *)
            value=${value%%$'\t'*}
            [[ $value == "$cur"* ]] && COMPREPLY+=("${value#"$kept"}")
            ;;
        esac
    done < <(kubectl-daemonset __complete "${words[@]:1}" 2>/dev/null)

    if type -t compopt >/dev/null; then
        ((directive & 2)) && compopt -o nospace
        ((directive & 4)) || compopt -o default
        ((directive & 32)) && compopt -o nosort 2>/dev/null
    fi
    return 0
}

complete -F _kubectl_daemonset kubectl-daemonset
