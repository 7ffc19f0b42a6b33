//! Real shells on a terminal: what is there after the tab key was pressed, through kubectl and without it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

use super::terminal::Terminal;
use crate::cli::process::temporary;
use crate::cluster::process::Cluster;
use crate::cluster::scene::Scene;
use crate::left_out;
use crate::support::test_path;

trials![
    bash_completes_through_kubectl,
    zsh_completes_through_kubectl,
    fish_completes_through_kubectl,
    bash_completes_the_binary,
    zsh_completes_the_binary,
    fish_completes_the_binary,
];

const BASH_COMPLETION: &str = "/usr/share/bash-completion/bash_completion";
const PROMPT: &str = "ready> ";
/// How often a line is tried.
const TRIES: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

use Shell::{Bash, Fish, Zsh};

impl Shell {
    fn name(self) -> &'static str {
        match self {
            Bash => "bash",
            Zsh => "zsh",
            Fish => "fish",
        }
    }

    /// Returns what a person has in the file with which the shell starts.
    fn start_file(self) -> String {
        match self {
            Bash => format!(
                "source {BASH_COMPLETION}\nsource <(kubectl completion bash)\nsource <(kubectl daemonset completion bash)\n\
                 bind 'set show-all-if-ambiguous on'\nbind 'set completion-query-items 0'\nbind 'set page-completions off'\n\
                 bind 'set bell-style none'\nPS1='{PROMPT}'\n"
            ),
            Zsh => format!(
                "autoload -Uz compinit\ncompinit -u -D\nsource <(kubectl completion zsh)\n\
                 source <(kubectl daemonset completion zsh)\nLISTMAX=1000\nunsetopt beep menu_complete\nPROMPT='{PROMPT}'\n"
            ),
            Fish => format!(
                "set -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nkubectl completion fish | source\n\
                 kubectl daemonset completion fish | source\nfunction fish_prompt\n  echo -n '{PROMPT}'\nend\n"
            ),
        }
    }

    /// Returns the shell as somebody has it whose home is this folder.
    fn command(self, command: &mut Command, home: &str) {
        command.env("HOME", home).env("INPUTRC", "/dev/null").env_remove("COLUMNS").env_remove("LINES");
        command.env("LANG", "C.UTF-8").env("LC_ALL", "C.UTF-8").current_dir(test_path(""));
        match self {
            Bash => command.args(["--noprofile", "--rcfile", &format!("{home}/.bashrc"), "-i"]),
            Zsh => command.env("ZDOTDIR", home).args(["-d", "-i"]),
            Fish => command.env("XDG_CONFIG_HOME", format!("{home}/.config")).env("XDG_DATA_HOME", home).arg("-i"),
        };
    }

    fn start_path(self) -> &'static str {
        match self {
            Bash => ".bashrc",
            Zsh => ".zshrc",
            Fish => ".config/fish/config.fish",
        }
    }

    /// Returns whether the shell is there; if not, that is noted. Continuous integration leaves nothing out.
    fn is_there(self) -> bool {
        let is_there = Command::new(self.name()).arg("--version").output().is_ok_and(|output| output.status.success())
            && (self != Bash || fs::exists(BASH_COMPLETION).is_ok_and(|exists| exists));
        if !is_there {
            assert!(std::env::var_os("CI").is_none(), "{self:?} was not found, and CI leaves nothing out");
            left_out("completion in a shell (bash with bash-completion, zsh and fish have to be installed)");
        }
        is_there
    }
}

/// A shell in which kubectl completes, and our plugin with it.
struct Session {
    terminal: Terminal,
}

impl Session {
    fn start(shell: Shell, cluster: &Cluster) -> Self {
        let home = PathBuf::from(temporary("")).with_extension("home");
        let start_file = home.join(shell.start_path());
        fs::create_dir_all(start_file.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(start_file, shell.start_file()).expect("a file");
        // Beside the plugin would be for all tests.
        fs::copy(test_path("../completions/kubectl_complete-daemonset"), home.join("kubectl_complete-daemonset"))
            .expect("a file");
        let mut command = cluster.equipped("admin", shell.name());
        let path = command.get_envs().find(|(name, _)| *name == "PATH").and_then(|(_, value)| value).expect("a PATH");
        let path = format!("{}:{}", home.display(), path.to_str().expect("text"));
        command.env("PATH", path);
        shell.command(&mut command, home.to_str().expect("text"));
        let terminal = Terminal::start(command);
        terminal.await_screen("prompt", |screen| screen.trim_end().ends_with(PROMPT.trim_end()));
        Self { terminal }
    }

    /// Types a line, presses tab, and waits until something is seen; then the line is thrown away. On a busy machine there may
    /// be nothing to complete in time: then it is tried again.
    fn tab(&self, typed: &str, what: &str, is_seen: impl Fn(&str) -> bool) {
        for _ in 0..TRIES {
            self.terminal.send(typed);
            // What is typed while the shell completes would be taken for a part of it.
            self.terminal.await_screen("echo", |screen| screen.contains(typed.trim_end()));
            self.terminal.send("\t");
            let is_there = self.terminal.shows_soon(&is_seen);
            let screen = self.terminal.screen();
            self.clear();
            if is_there {
                return;
            }
            eprintln!("no {what} yet in\n{screen}");
        }
        panic!("{typed:?} does not become {what:?}");
    }

    /// Expects the line to become another one; a blank at its end cannot be seen.
    fn completes(&self, typed: &str, becomes: &str) {
        let line = format!("{PROMPT}{}", becomes.trim_end());
        self.tab(typed, becomes, |screen| screen.lines().any(|seen| seen == line));
    }

    /// Expects a list in which these stand, in this order.
    fn lists(&self, typed: &str, items: &[&str]) {
        self.tab(typed, &items.join(", "), |screen| {
            let after = screen.split_once(typed.trim_end()).map_or(screen, |(_, after)| after);
            let places: Option<Vec<usize>> = items.iter().map(|item| after.find(item)).collect();
            places.is_some_and(|places| places.is_sorted())
        });
    }

    /// Throws the line away and clears the screen.
    fn clear(&self) {
        let is_prompt = |screen: &str| screen.trim_end().ends_with(PROMPT.trim_end());
        // A shell that is still at the completion does not hear it.
        let is_thrown_away = (0..TRIES).any(|_| {
            self.terminal.send("\u{3}");
            self.terminal.shows_soon(is_prompt)
        });
        assert!(is_thrown_away, "no new prompt in\n{}", self.terminal.screen());
        self.terminal.send("clear\r");
        self.terminal.await_screen("empty screen", |screen| screen.trim() == PROMPT.trim());
    }
}

const DUMP: &str = "--snapshot clusters/surge-and-ondelete.yaml";

/// The sets that all shells complete: a rollout that is stuck on a node, and a set that no node wants.
fn scene() -> Option<&'static Scene<'static>> {
    static SCENE: OnceLock<Option<Scene<'static>>> = OnceLock::new();
    let make = || {
        let scene = Scene::new(Cluster::shared_without_nodes()?, "tabs", 3);
        scene.bring_up(&scene.daemon_set("RollingUpdate"));
        scene.change_image("agent:2-bad");
        let mut idle = scene.daemon_set("RollingUpdate");
        idle["metadata"]["name"] = "idle".into();
        idle["spec"]["template"]["spec"]["nodeSelector"]["pool"] = "none".into();
        scene.cluster.apply(&idle);
        scene.cluster.await_output(
            "-n tabs get pods -o jsonpath={.items[*].status.containerStatuses[*].state.waiting.reason}",
            "ImagePullBackOff",
        );
        scene.cluster.await_output("-n tabs get ds -o jsonpath={.items[*].status.observedGeneration}", "2 1");
        Some(scene)
    };
    SCENE.get_or_init(make).as_ref()
}

fn completes_through_kubectl(shell: Shell) {
    if !shell.is_there() {
        return;
    }
    let Some(scene) = scene() else { return };
    let session = Session::start(shell, scene.cluster);
    session.completes("kubectl daemonset pl", "kubectl daemonset plan ");
    session.lists("kubectl daemonset p", &["plan", "Show what the controller will do next", "pause", "Hold a rollout"]);
    session.completes("kubectl daemonset plan -n tab", "kubectl daemonset plan -n tabs ");
    session.lists(
        "kubectl daemonset plan -n tabs ",
        &["agent", "1/3 updated, 1 unavailable", "idle", "no node wants a pod"],
    );
    session.completes("kubectl daemonset plan -n tabs ds/i", "kubectl daemonset plan -n tabs ds/idle ");
    let problem = scene.kubectl("get pods -o jsonpath={.items[?(@.status.phase==\"Pending\")].spec.nodeName}");
    let why = "kubectl daemonset why -n tabs agent tabs-00";
    for other in scene.nodes.iter().filter(|node| **node != problem) {
        match shell {
            // Nodes with one description share a line, wherever zsh likes to put it.
            Zsh => session.lists(why, &[other]),
            Bash | Fish => session.lists(why, &[problem.as_str(), "its pod: ImagePullBackOff", other]),
        }
    }
    session.lists(why, &[problem.as_str(), "its pod: ImagePullBackOff"]);
    session.completes("kubectl daemonset nodes agent --group-by po", "kubectl daemonset nodes agent --group-by pool");
    session.lists("kubectl daemonset history agent -n tabs --revision ", &["2", "agent:2-bad", "1", "agent:1"]);
    session.completes("kubectl daemonset nodes agent --context adm", "kubectl daemonset nodes agent --context admin ");
    session
        .completes("kubectl daemonset restart agent --dry-run=s", "kubectl daemonset restart agent --dry-run=server ");
    session.lists("kubectl daemonset plan -o ", &["table", "Columns for people", "json", "Everything, as JSON"]);

    session.completes(
        "kubectl daemonset plan --snapshot clusters/surge-and-ondelete.y",
        &format!("kubectl daemonset plan {DUMP} "),
    );
    let plan = format!("kubectl daemonset plan {DUMP}");
    session.lists(
        &format!("{plan} "),
        &["cni", "3/11 updated, waits for deletions", "node-agent", "2/10 updated, blocked"],
    );
    session.completes(&format!("{plan} -l app=c"), &format!("{plan} -l app=cni "));
    session.completes(&format!("{plan} -l ap"), &format!("{plan} -l app="));
}

fn completes_the_binary(shell: Shell) {
    if !shell.is_there() {
        return;
    }
    let Some(cluster) = Cluster::shared_without_nodes() else { return };
    let session = Session::start(shell, cluster);
    session.completes("kubectl-daemonset pl", "kubectl-daemonset plan ");
    let plan = format!("kubectl-daemonset plan {DUMP}");
    session.completes(&format!("{plan} node-"), &format!("{plan} node-agent "));
    session.completes(&format!("{plan} ds/l"), &format!("{plan} ds/log-agent "));
    session.completes(&format!("{plan} -l app=c"), &format!("{plan} -l app=cni"));
    session.completes("kubectl-daemonset restart x --dry-run=s", "kubectl-daemonset restart x --dry-run=server");
    session.completes("kubectl-daemonset plan --snapshot clusters/surge-and-ondelete.y", &plan);
    if shell != Bash {
        session.lists(
            &format!("{plan} "),
            &["cni", "3/11 updated, waits for deletions", "node-agent", "2/10 updated, blocked"],
        );
    }
}

fn bash_completes_through_kubectl() {
    completes_through_kubectl(Bash);
}

fn zsh_completes_through_kubectl() {
    completes_through_kubectl(Zsh);
}

fn fish_completes_through_kubectl() {
    completes_through_kubectl(Fish);
}

fn bash_completes_the_binary() {
    completes_the_binary(Bash);
}

fn zsh_completes_the_binary() {
    completes_the_binary(Zsh);
}

fn fish_completes_the_binary() {
    completes_the_binary(Fish);
}
