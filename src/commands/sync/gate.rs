//! The gate: a command of the user's that says whether all is well.

use std::process::Stdio;

use anyhow::Context as _;
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::drive::Check;
use crate::plan::Plan;

/// How many bytes of the names of nodes a variable holds at most: systems refuse longer ones. Stdin has them all.
const MAX_VARIABLE: usize = 100_000;

/// What a gate said.
pub struct Answer {
    pub is_well: bool,
    /// How it ended: `exit status: 3`.
    pub ending: String,
    /// What it printed on stdout, then what on stderr.
    pub output: String,
}

/// Runs a command in the shell. Dropped before its end, it is ended with all that it has started.
///
/// Errors: the shell cannot be started.
pub async fn ask(command: &str, plan: &Plan, check: &Check) -> anyhow::Result<Answer> {
    let what = || format!("run {command:?} (--gate)");
    let mut child = shell(command, plan, check).spawn().with_context(what)?;
    let family = Family(child.id());
    let stdin = child.stdin.take();
    let names: String = check.updated.iter().map(|node| format!("{node}\n")).collect();
    let tell = async {
        if let Some(mut stdin) = stdin {
            // A command that does not read them is fine.
            let _ = stdin.write_all(names.as_bytes()).await;
        }
    };
    let ((), output) = tokio::join!(tell, child.wait_with_output());
    family.forget();
    let output = output.with_context(what)?;
    let text = [output.stdout, output.stderr].concat();
    Ok(Answer {
        is_well: output.status.success(),
        ending: output.status.to_string(),
        output: String::from_utf8_lossy(&text).into_owned(),
    })
}

fn shell(command: &str, plan: &Plan, check: &Check) -> Command {
    let (program, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    let set = &plan.daemon_set;
    let revision = plan.revision.as_ref().map_or("", |revision| revision.hash.as_str());
    shell
        .args([flag, command])
        .env("DAEMONSET_NAMESPACE", &set.namespace)
        .env("DAEMONSET_NAME", &set.name)
        .env("DAEMONSET_REVISION", revision)
        .env("DAEMONSET_GROUP", check.wave.group().unwrap_or_default())
        .env("DAEMONSET_NODES", joined(&check.updated))
        .env("DAEMONSET_NEXT_NODES", joined(&check.next))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    #[cfg(unix)]
    shell.process_group(0);
    shell
}

/// A process with all that it has started, by its id. They are ended when this is dropped.
struct Family(Option<u32>);

impl Family {
    /// Leaves them alone.
    fn forget(mut self) {
        self.0 = None;
    }
}

impl Drop for Family {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            let leader = self.0.and_then(|id| Pid::from_raw(id.try_into().ok()?));
            // Who has ended already needs no signal.
            let _ = leader.map(|leader| kill_process_group(leader, Signal::TERM));
        }
    }
}

/// Joins names by blanks, as many as a variable holds.
fn joined(names: &[String]) -> String {
    let mut text = String::new();
    for name in names {
        if text.len() + name.len() >= MAX_VARIABLE {
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(name);
    }
    text
}
