//! Batches against a writer that fails on request.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use serde_json::Value;

use super::{CreatedPod, Report, Source, Target, WriteError, WriteErrorKind, Writer, apply};
use crate::api::DaemonSet;
use crate::builders::daemon_set;
use crate::drive::{Batch, Deletion, Key, Written};
use crate::plan::{Creation, Reason};

/// Notes the calls, and fails those for these nodes or pods.
#[derive(Default)]
struct Fake {
    failures: BTreeMap<&'static str, (WriteErrorKind, Option<Duration>)>,
    calls: RefCell<Vec<String>>,
}

impl Fake {
    fn failing(failures: impl IntoIterator<Item = (&'static str, WriteErrorKind)>) -> Self {
        let failures = failures.into_iter().map(|(what, kind)| (what, (kind, None))).collect();
        Self { failures, ..Self::default() }
    }

    fn answer(&self, what: &str) -> Result<(), WriteError> {
        let Some((kind, retry_after)) = self.failures.get(what) else { return Ok(()) };
        Err(WriteError {
            kind: *kind,
            reason: String::new(),
            message: format!("{what} fails"),
            retry_after: *retry_after,
        })
    }
}

impl Writer for Fake {
    async fn create_pod(&self, pod: &Value) -> Result<CreatedPod, WriteError> {
        let pin = "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0/values/0";
        let node = pod.pointer(pin).and_then(Value::as_str).expect("a pod is pinned");
        self.calls.borrow_mut().push(format!("+{node}"));
        self.answer(node)?;
        Ok(CreatedPod { name: format!("agent-{node}"), uid: format!("uid-{node}") })
    }

    async fn delete_pod(&self, target: &Target<'_>) -> Result<(), WriteError> {
        let Target { namespace, name, uid, resource_version } = target;
        self.calls.borrow_mut().push(format!("-{namespace}/{name} {uid} {resource_version}"));
        self.answer(name)
    }

    async fn evict_pod(&self, target: &Target<'_>) -> Result<(), WriteError> {
        let Target { namespace, name, uid, resource_version } = target;
        self.calls.borrow_mut().push(format!("evict {namespace}/{name} {uid} {resource_version}"));
        self.answer(name)
    }
}

/// Awaits what never waits.
fn at_once<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a fake never waits"),
    }
}

/// Returns what a batch came to, and what was told.
fn run(fake: &Fake, create: &[&str], delete: &[&str]) -> (Written, Vec<String>) {
    let set: DaemonSet = daemon_set("agent").decode();
    let create = create.iter().map(|node| Creation { node: (*node).to_owned(), reason: Reason::NodeHasNoDaemonPod });
    let delete = delete.iter().map(|pod| Deletion {
        pod: (*pod).to_owned(),
        uid: format!("uid-{pod}"),
        node: "n".to_owned(),
        reason: Reason::OldPodAvailable,
    });
    let batch = Batch { create: create.collect(), delete: delete.collect() };
    let resource_versions = BTreeMap::from([("uid-p", "7".to_owned())]);
    let source = Source { daemon_set: &set, hash: "new", resource_versions: &resource_versions, evicts: false };
    let mut told = Vec::new();
    let written = at_once(apply(fake, source, &batch, |report| told.push(words(report))));
    (written, told)
}

fn words(report: &Report<'_>) -> String {
    match report {
        Report::Created(creation, pod) => format!("created {} on {}", pod.name, creation.node),
        Report::Deleted(deletion) => format!("deleted {}", deletion.pod),
        Report::Gone(deletion) => format!("gone {}", deletion.pod),
        Report::Changed(deletion) => format!("changed {}", deletion.pod),
        Report::Held(deletion, error) => format!("held {}: {}", deletion.pod, error.message),
        Report::NotCreated(creation, error) => format!("not created on {}: {}", creation.node, error.message),
        Report::NotDeleted(deletion, error) => format!("not deleted {}: {}", deletion.pod, error.message),
    }
}

fn keys(create: &[&str], delete: &[&str]) -> BTreeSet<Key> {
    let create = create.iter().map(|node| Key::Create((*node).to_owned()));
    create.chain(delete.iter().map(|pod| Key::Delete(format!("uid-{pod}")))).collect()
}

#[test]
fn creations_come_before_deletions_and_carry_their_preconditions() {
    let fake = Fake::default();
    let (written, told) = run(&fake, &["a", "b"], &["p", "q"]);
    assert_eq!(*fake.calls.borrow(), ["+a", "+b", "-ops/p uid-p 7", "-ops/q uid-q "]);
    assert_eq!(told, ["created agent-a on a", "created agent-b on b", "deleted p", "deleted q"]);
    let created = ["uid-a", "uid-b"].map(str::to_owned).into();
    assert_eq!(written, Written { made: keys(&["a", "b"], &["p", "q"]), created, ..Written::default() });
}

#[test]
fn creations_stop_after_the_group_with_the_first_failure_and_deletions_go_on() {
    let nodes = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let fake = Fake::failing([("b", WriteErrorKind::Temporary)]);
    let (written, told) = run(&fake, &nodes, &["p"]);
    assert_eq!(*fake.calls.borrow(), ["+a", "+b", "+c", "-ops/p uid-p 7"], "1, then 2, then no 4");
    assert_eq!(told, ["created agent-a on a", "not created on b: b fails", "created agent-c on c", "deleted p"]);
    assert_eq!((written.made, written.any_failed), (keys(&["a", "c"], &["p"]), true));
}

#[test]
fn deletions_are_all_attempted() {
    let fake = Fake::failing([("p", WriteErrorKind::Refused), ("q", WriteErrorKind::Unknown)]);
    let (written, told) = run(&fake, &[], &["p", "q", "r"]);
    assert_eq!(told, ["not deleted p: p fails", "not deleted q: q fails", "deleted r"]);
    let expected = Written {
        made: keys(&[], &["r"]),
        unknown: keys(&[], &["q"]),
        any_failed: true,
        refusal: Some("p fails".to_owned()),
        ..Written::default()
    };
    assert_eq!(written, expected);
}

#[test]
fn all_refusals_are_told_together_and_each_once() {
    let fake = Fake::failing([("p", WriteErrorKind::Refused), ("q", WriteErrorKind::Refused)]);
    assert_eq!(run(&fake, &[], &["p", "q", "p"]).0.refusal.as_deref(), Some("p fails; q fails"));
    let nowhere = Fake::failing([("a", WriteErrorKind::NotFound)]);
    assert_eq!(run(&nowhere, &["a"], &[]).0.refusal.as_deref(), Some("a fails"), "the namespace is gone");
}

#[test]
fn a_pod_that_is_gone_or_changed_is_no_failure_unless_nothing_else_was_made() {
    for (kind, word) in [(WriteErrorKind::NotFound, "gone p"), (WriteErrorKind::Conflict, "changed p")] {
        let fake = Fake::failing([("p", kind)]);
        let (written, told) = run(&fake, &[], &["p", "q"]);
        assert_eq!(told, [word, "deleted q"]);
        assert_eq!(written, Written { made: keys(&[], &["q"]), ..Written::default() });
        assert_eq!(run(&fake, &[], &["p"]).0, Written { any_failed: true, ..Written::default() });
    }
}

#[test]
fn the_longest_wait_that_the_server_asks_for_counts() {
    let mut fake = Fake::default();
    for (pod, seconds) in [("p", Some(3)), ("q", Some(30)), ("r", None)] {
        fake.failures.insert(pod, (WriteErrorKind::Temporary, seconds.map(Duration::from_secs)));
    }
    assert_eq!(run(&fake, &[], &["p", "q", "r"]).0.retry_after, Some(Duration::from_secs(30)));
}
