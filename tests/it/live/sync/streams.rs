//! Who reads and who answers: terminals, and output that nobody reads.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Command, Stdio};

use snapbox::file;

use super::{kubeconfig, on_delete, same, written};
use crate::cli::process::command;
use crate::left_out;
use crate::live::world::{Rules, Shared, World};

trials![
    a_terminal_is_asked_first,
    where_the_cluster_lives_the_name_has_to_be_typed,
    a_question_that_nobody_sees_is_refused,
    output_that_nobody_reads_ends_the_run,
    an_interrupt_ends_the_run_with_what_is_left,
];

const NODES: [&str; 3] = ["a", "b", "c"];

/// Runs a shell command on a terminal on which this is typed as soon as something is asked; `None` if no terminal can be had.
fn on_terminal(shell: &str, typed: &str) -> Option<String> {
    let mut child = Command::new("script")
        .args(["-qec", &format!("stty rows 24 cols 200; {shell}"), "/dev/null"])
        .env_remove("COLUMNS")
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let (mut stdin, mut stdout) = (child.stdin.take()?, child.stdout.take()?);
    let (mut output, mut piece) = (Vec::new(), [0; 1000]);
    let mut is_asked = false;
    while let Ok(count @ 1..) = stdout.read(&mut piece) {
        output.extend_from_slice(&piece[..count]);
        if !is_asked && (output.ends_with(b"[y/N] ") || output.ends_with(b"type cni: ")) {
            is_asked = true;
            stdin.write_all(typed.as_bytes()).expect("script reads");
        }
    }
    let code = child.wait().expect("script ends").code().unwrap_or(-1);
    Some(format!("{}[exit code {code}]\n", String::from_utf8_lossy(&output).replace('\r', "")))
}

/// Returns what a run looks like on a terminal; a line that is written over is shown with `<` before what comes over it.
fn asked(world: &Shared, answer: &str, redirect: &str) -> Option<String> {
    let server = world.serve();
    let binary = env!("CARGO_BIN_EXE_kubectl-daemonset");
    let shell = format!("{binary} sync agent --kubeconfig {} {redirect}", kubeconfig(&server, "ops"));
    let text = on_terminal(&shell, answer)?.replace(&server.url(), "SERVER").replace("\u{1b}[2K", "<\n");
    Some(text + &written(world))
}

fn world(ready_after: u32) -> Shared {
    World::small(&on_delete(), &NODES[..2], Rules { ready_after, ..Rules::default() })
}

fn a_terminal_is_asked_first() {
    let mut text = String::new();
    for answer in ["n\n", "\n", "yes\n"] {
        let Some(session) = asked(&world(1), answer, "") else {
            return left_out("prompts of sync on a terminal: the command script of util-linux is not there");
        };
        text += &session;
    }
    same(text, file!["../../expected/live/sync/terminal.txt"]);
}

fn where_the_cluster_lives_the_name_has_to_be_typed() {
    let sync = |answer: &str| {
        let world = World::of_dump("surge-and-ondelete", Rules::default());
        let server = world.serve();
        let binary = env!("CARGO_BIN_EXE_kubectl-daemonset");
        let config = kubeconfig(&server, "kube-system");
        let text = on_terminal(&format!("{binary} sync cni --once --kubeconfig {config}"), answer)?;
        Some((text, written(&world)))
    };
    let Some((text, written)) = sync("y\n") else { return };
    assert!(text.contains("This is kube-system. To go on, type cni: "), "{text}");
    assert!(text.ends_with("Nothing was changed.\n[exit code 13]\n") && written == "\n", "{text}{written}");
    let (text, written) = sync("cni\n").expect("a terminal");
    assert!(text.ends_with("[exit code 10]\n") && written.contains("> delete cni-xggns\n"), "{text}{written}");
}

fn a_question_that_nobody_sees_is_refused() {
    let world = world(1);
    let Some(text) = asked(&world, "y\n", "2>/dev/null") else { return };
    assert!(text.contains("[exit code 13]"), "{text}");
}

fn output_that_nobody_reads_ends_the_run() {
    let world = World::small(&on_delete(), &NODES, Rules { budget: 2, ..Rules::default() });
    let server = world.serve();
    let line = format!("sync agent --yes --max-unavailable 2 --kubeconfig {}", kubeconfig(&server, "ops"));
    let mut child = command(&line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    let (_, end) = stderr.split_once("First batch").expect("the plan is shown");
    let text = format!("First batch{end}[exit code {}]\n{}", output.status.code().unwrap_or(-1), written(&world));
    same(text, file!["../../expected/live/sync/closed-pipe.txt"]);
}

fn an_interrupt_ends_the_run_with_what_is_left() {
    let world = World::small(&on_delete(), &NODES, Rules { ready_after: 1000, ..Rules::default() });
    let server = world.serve();
    let line = format!("sync agent --yes --kubeconfig {}", kubeconfig(&server, "ops"));
    let mut child = command(&line).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the binary starts");
    let mut stderr = BufReader::new(child.stderr.take().expect("stderr is piped")).lines().map_while(Result::ok);
    stderr.find(|line| line.contains("waiting for the new pod")).expect("it waits");
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(killed.success());
    let end: Vec<_> = stderr.collect();
    let why = "daemonset.apps/agent: interrupted; run the same command again to go on; left: 2 outdated pods, 1 node \
               without an available pod";
    assert_eq!((end, child.wait().expect("it ends").code()), (vec![why.to_owned()], Some(130)));
    assert_eq!(written(&world), "> delete agent-a\n\n");
}
