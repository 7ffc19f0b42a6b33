//! Every call of a whole run fails once, in every way.
//!
//! The run has everything: an OnDelete rollout over two nodes whose controller sleeps, so that `sync` deletes, nudges, and
//! makes the new pods itself.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::{kubeconfig, on_delete, sync};
use crate::cli::process::command;
use crate::live::server::{Asked, Reply};
use crate::live::world::{Controller, Rules, Shared, World};

trials![every_call_may_fail, every_eviction_may_fail, every_call_may_be_the_last];

/// Set, it makes all calls fail in all ways; otherwise some reads fail in some.
const ALL: &str = "DAEMONSET_TEST_ALL_FAULTS";

/// How long a call may take to come, on a machine that has other things to do as well.
const PATIENCE: Duration = Duration::from_secs(60);

/// So many runs at a time: they mostly wait.
const NUM_THREADS: usize = 16;

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The server refuses with this code.
    Status(u16),
    /// It asks to come back after a second.
    Throttled,
    /// It never answers.
    Silent,
    /// The answer ends in its middle, and nothing was done.
    Cut,
    /// It does what is asked, but the answer ends in its middle, never comes, or says that something went wrong.
    DoneButCut,
    DoneButSilent,
    DoneButFailed,
}

const FAULTS: [Fault; 14] = [
    Fault::Status(403),
    Fault::Status(404),
    Fault::Status(409),
    Fault::Status(410),
    Fault::Status(422),
    Fault::Status(429),
    Fault::Throttled,
    Fault::Status(500),
    Fault::Status(503),
    Fault::Silent,
    Fault::Cut,
    Fault::DoneButCut,
    Fault::DoneButSilent,
    Fault::DoneButFailed,
];

/// A call: its method, the plural of what it is about, and how many like it came before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Call {
    method: String,
    plural: String,
    before: usize,
}

impl Call {
    fn is_read(&self) -> bool {
        self.method == "GET"
    }

    fn is(&self, asked: &Asked) -> bool {
        self.method == asked.method && self.plural == plural(asked)
    }
}

fn plural(asked: &Asked) -> String {
    let last = asked.path.rsplit('/').next().unwrap_or_default();
    let is_of_one = matches!(asked.method.as_str(), "DELETE" | "PATCH");
    let before_last = asked.path.rsplit('/').nth(1).unwrap_or_default();
    if is_of_one { before_last } else { last }.to_owned()
}

/// Returns all calls of a run without faults.
fn calls(flags: &str) -> Vec<Call> {
    let server = world().serve();
    assert_eq!(sync(&server, flags).code, 0);
    let mut counts = BTreeMap::<(String, String), usize>::new();
    let call = |asked: &Asked| {
        let key = (asked.method.clone(), plural(asked));
        let count = counts.entry(key).or_default();
        *count += 1;
        Call { method: asked.method.clone(), plural: plural(asked), before: *count - 1 }
    };
    server.asked().iter().map(call).collect()
}

const FLAGS: &str = "agent --yes --request-timeout 2s --pod-timeout 20s";
const EVICTING: &str = "agent --yes --request-timeout 2s --pod-timeout 20s --evict";

fn world() -> Shared {
    World::small(&on_delete(), &["a", "b"], Rules { controller: Controller::Sleeps, ..Rules::default() })
}

fn every_call_may_fail() {
    let wants_all = std::env::var_os(ALL).is_some();
    let is_chosen = |i: usize, call: &Call, fault: usize| {
        let is_write = matches!(call.method.as_str(), "DELETE" | "PATCH") || call.plural == "pods" && !call.is_read();
        wants_all || is_write || (i + fault).is_multiple_of(7)
    };
    all_may_fail(FLAGS, is_chosen);
}

fn every_eviction_may_fail() {
    all_may_fail(EVICTING, |_, call, _| matches!(call.plural.as_str(), "eviction" | "poddisruptionbudgets"));
}

/// Runs with each call that is chosen, by its place and that of the fault, failing in each way that fits it.
fn all_may_fail(flags: &str, is_chosen: impl Fn(usize, &Call, usize) -> bool) {
    let mut trials = Vec::new();
    for (i, call) in calls(flags).into_iter().enumerate() {
        let is_done_first =
            |fault: &Fault| matches!(fault, Fault::DoneButCut | Fault::DoneButSilent | Fault::DoneButFailed);
        let faults = FAULTS.into_iter().enumerate().filter(|(_, fault)| !call.is_read() || !is_done_first(fault));
        let chosen = faults.filter(|(number, _)| is_chosen(i, &call, *number)).map(|(_, fault)| (call.clone(), fault));
        trials.extend(chosen);
    }
    assert!(!trials.is_empty(), "no call is chosen");
    all_go_right(&trials, |(call, fault)| {
        run(flags, call, *fault).map_err(|wrong| format!("{fault:?} of {call:?}: {wrong}"))
    });
}

/// Runs trials side by side and fails if any went wrong.
fn all_go_right<T: Sync>(trials: &[T], run: impl Fn(&T) -> Result<(), String> + Sync) {
    let (next, wrongs) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..NUM_THREADS {
            scope.spawn(|| {
                while let Some(trial) = trials.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(wrong) = run(trial) {
                        wrongs.lock().expect("no thread panics").push(wrong);
                    }
                }
            });
        }
    });
    let wrongs = wrongs.into_inner().expect("no thread panics");
    assert!(wrongs.is_empty(), "{} of {} runs went wrong:\n{}", wrongs.len(), trials.len(), wrongs.join("\n"));
}

/// After every call of a run it is killed, and the next run ends as if nothing had been.
fn every_call_may_be_the_last() {
    let calls: Vec<usize> = (0..calls(FLAGS).len()).collect();
    all_go_right(&calls, |number| {
        killed_after(*number).map_err(|wrong| format!("killed after call {number}: {wrong}"))
    });
}

/// Kills a run as soon as the server has done what so many calls later is asked, and before it says so; then runs again.
fn killed_after(number: usize) -> Result<(), String> {
    let world = world();
    let (sender, hit) = channel();
    let (count, sender) = (AtomicUsize::new(0), Mutex::new(sender));
    let server = world.serve_with(move |asked, world| {
        if count.fetch_add(1, Ordering::Relaxed) != number {
            return None;
        }
        world.answer(asked);
        let _ = sender.lock().expect("no thread panics").send(());
        Some(Reply::silent())
    });
    let line = format!("sync --controller-wait 100ms {FLAGS} --kubeconfig {}", kubeconfig(&server, "ops"));
    let quiet = || Stdio::null();
    let mut child = command(&line).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().expect("the binary starts");
    let is_hit = hit.recv_timeout(PATIENCE).is_ok();
    let _ = child.kill();
    child.wait().expect("it ends");
    if !is_hit {
        return Err("the call was not made".to_owned());
    }

    let ended = sync(&server, FLAGS);
    let world = world.lock();
    let num_pod_writes = world.writes.iter().filter(|line| !line.starts_with("patch")).count();
    let is_done = world.pods_of("agent") == ["a new ready", "b new ready"] && num_pod_writes == 4;
    if ended.code == 0 && is_done && world.wrongs.is_empty() {
        return Ok(());
    }
    Err(format!("exit code {}, {:?}, {:?}, {:?}", ended.code, world.pods_of("agent"), world.writes, world.wrongs))
}

/// Runs with one call that fails.
fn run(flags: &str, call: &Call, fault: Fault) -> Result<(), String> {
    let world = world();
    let (count, is_hit) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(false)));
    let (meant, hit) = (call.clone(), Arc::clone(&is_hit));
    let server = world.serve_with(move |asked, world| {
        if !meant.is(asked) || count.fetch_add(1, Ordering::Relaxed) != meant.before {
            return None;
        }
        hit.store(true, Ordering::Relaxed);
        Some(failing(asked, world, fault))
    });
    let ended = sync(&server, flags);
    let world = world.lock();
    let num_pod_writes = world.writes.iter().filter(|line| !line.starts_with("patch")).count();
    let told = |what: String| Err(format!("{what}\n{}\n{}", world.writes.join(", "), ended.stderr));
    if !is_hit.load(Ordering::Relaxed) {
        return told("the call was not made".to_owned());
    }
    if !world.wrongs.is_empty() {
        return told(format!("wrong: {:?}", world.wrongs));
    }
    let wanted = wanted_code(call, fault, num_pod_writes);
    if ended.code != wanted {
        return told(format!("exit code {} instead of {wanted}", ended.code));
    }
    let is_done = world.pods_of("agent") == ["a new ready", "b new ready"] && num_pod_writes == 4;
    if wanted == 0 && !is_done {
        return told(format!("the rollout is not done: {:?}", world.pods_of("agent")));
    }
    Ok(())
}

fn failing(asked: &Asked, world: &mut World, fault: Fault) -> Reply {
    let whole = || Reply::json(&json!({ "kind": "Whatever", "metadata": { "name": "cut" }, "items": [] }));
    match fault {
        Fault::Status(code) => refusal(code),
        Fault::Throttled => refusal(429).with("Retry-After", "1"),
        Fault::Silent => Reply::silent(),
        Fault::Cut => whole().cut(),
        Fault::DoneButCut => world.answer(asked).cut(),
        Fault::DoneButSilent => {
            world.answer(asked);
            Reply::silent()
        }
        Fault::DoneButFailed => {
            world.answer(asked);
            refusal(500)
        }
    }
}

fn refusal(code: u16) -> Reply {
    let (reason, message) = match code {
        403 => ("Forbidden", "it is forbidden: User \"jane\" cannot do this"),
        404 => ("NotFound", "it is not found"),
        409 => ("Conflict", "Operation cannot be fulfilled: the object has been modified"),
        410 => ("Expired", "The provided continue parameter is too old"),
        422 => ("Invalid", "it is invalid"),
        429 => ("TooManyRequests", "too many requests, please try again later"),
        503 => ("ServiceUnavailable", "the server is currently unable to handle the request"),
        _ => ("InternalError", "etcdserver: leader changed"),
    };
    Reply::status(code, reason, message)
}

/// Returns the exit code of the contract.
fn wanted_code(call: &Call, fault: Fault, num_pod_writes: usize) -> i32 {
    let ended = if num_pod_writes == 0 { 1 } else { 14 };
    match (call.method.as_str(), call.plural.as_str(), fault) {
        // The server decides about evictions anyhow.
        ("GET", "poddisruptionbudgets", _) | ("POST", "eviction", Fault::Status(404)) => 0,
        // The first read makes the plan, and what it lacks ends all; later ones are tried again.
        ("GET", "version", _) | ("GET", "events", Fault::Status(403)) => 0,
        ("GET", _, Fault::Status(403 | 404 | 409 | 422) | Fault::Silent) if call.before == 0 => 1,
        // What cannot be asked is tried all the same.
        ("POST", "selfsubjectaccessreviews", _) => 0,
        // A pod that is not found may be gone already, and the next read tells.
        ("DELETE", _, Fault::Status(404)) => 0,
        ("POST" | "DELETE" | "PATCH", _, Fault::Status(403 | 404 | 422)) => ended,
        _ => 0,
    }
}
