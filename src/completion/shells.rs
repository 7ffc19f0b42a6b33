//! Shells that complete the binary itself: their scripts, how they ask, and what they want printed.
//!
//! For bash the script is ours, because it has to put words together again that bash takes apart, and asks as kubectl does. The
//! others are those of `clap_complete`, which set a variable and give the words behind `--`.

use std::ffi::{OsStr, OsString};

use clap_complete::Shell;
use clap_complete::env::Shells;

use super::suggest::Found;

const BINARY: &str = "kubectl-daemonset";
const BASH: &str = include_str!("../../completions/kubectl-daemonset.bash");
/// Variable that names the shell.
const SHELL_VARIABLE: &str = "KUBECTL_DAEMONSET_COMPLETE";

/// Returns the script with which a shell completes the binary, with where it goes at its top.
pub fn script(shell: Shell) -> String {
    if shell == Shell::Bash {
        return BASH.to_owned();
    }
    let shells = Shells::builtins();
    let mut script = Vec::new();
    if let Some(completer) = shells.completer(&shell.to_string()) {
        // What is written to memory is written.
        let _ = completer.write_registration(SHELL_VARIABLE, BINARY, BINARY, BINARY, &mut script);
    }
    let script = String::from_utf8_lossy(&script).trim().to_owned();
    let (first, rest) = match script.split_once('\n') {
        // zsh looks at the first line.
        Some((first, rest)) if first.starts_with("#compdef") => (format!("{first}\n"), rest),
        _ => (String::new(), script.as_str()),
    };
    format!("{first}{}{rest}\n", place(shell))
}

/// Says where a script goes.
fn place(shell: Shell) -> &'static str {
    match shell {
        Shell::Zsh => {
            "# zsh completion for kubectl-daemonset. In ~/.zshrc, behind compinit:\n\
             #   source <(kubectl-daemonset completion zsh)\n"
        }
        Shell::Fish => {
            "# fish completion for kubectl-daemonset. Once:\n\
             #   kubectl-daemonset completion fish > ~/.config/fish/completions/kubectl-daemonset.fish\n"
        }
        Shell::PowerShell => {
            "# PowerShell completion for kubectl-daemonset. In the file that $PROFILE names:\n\
             #   kubectl-daemonset completion powershell | Out-String | Invoke-Expression\n"
        }
        Shell::Elvish => {
            "# elvish completion for kubectl-daemonset. In ~/.config/elvish/rc.elv:\n\
             #   eval (kubectl-daemonset completion elvish | slurp)\n"
        }
        _ => "",
    }
}

/// Returns the shell that asks and the words behind the name of the program, up to the cursor.
pub(super) fn asking(
    mut arguments: impl Iterator<Item = OsString>,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Option<(Shell, Vec<OsString>)> {
    let shell: Shell = environment(SHELL_VARIABLE)?.to_str()?.parse().ok()?;
    // The first word is what the person calls the program.
    arguments.next().filter(|first| first == OsStr::new("--"))?;
    let mut words: Vec<OsString> = arguments.skip(1).collect();
    let index = environment("_CLAP_COMPLETE_INDEX").and_then(|index| index.to_str()?.parse::<usize>().ok());
    if let Some(index) = index {
        // Some shells leave out a word that is empty.
        words.resize(index, OsString::new());
    }
    Some((shell, words))
}

/// Returns what the script of a shell wants printed.
pub(super) fn format(shell: Shell, found: &Found) -> String {
    let lines = found.values.iter().map(|(value, help)| match shell {
        Shell::Zsh if help.is_empty() => in_zsh(value),
        Shell::Zsh => format!("{}:{}", in_zsh(value), help.replace('\\', "\\\\")),
        Shell::Fish | Shell::PowerShell if !help.is_empty() => format!("{value}\t{help}"),
        _ => value.clone(),
    });
    lines.map(|line| line + "\n").collect()
}

fn in_zsh(value: &str) -> String {
    value.replace('\\', "\\\\").replace(':', "\\:")
}
