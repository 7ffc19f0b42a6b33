//! Apply: carries out one batch. Creations go first, in slow-start batches; then all deletions are attempted, whatever became
//! of the creations; all errors are gathered.
//!
//! Mirrors `syncNodes` of `pkg/controller/daemon/daemon_controller.go`. What follows from the results is decided elsewhere.

mod pod;
mod slow_start;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use serde_json::Value;

use crate::api::DaemonSet;
use crate::drive::{Batch, Deletion, Key, Written};
use crate::plan::Creation;

pub use pod::pod_for_node;

/// Calls that are under way at the same time.
const MAX_CALLS: usize = 16;

/// Writes pods.
pub trait Writer {
    /// Makes a pod.
    fn create_pod(&self, pod: &Value) -> impl Future<Output = Result<CreatedPod, WriteError>>;

    /// Deletes a pod, unless it changed.
    fn delete_pod(&self, target: &Target<'_>) -> impl Future<Output = Result<(), WriteError>>;

    /// Asks for the eviction of a pod, unless it changed.
    fn evict_pod(&self, target: &Target<'_>) -> impl Future<Output = Result<(), WriteError>>;
}

/// A pod that the server made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedPod {
    /// The name that the server chose.
    pub name: String,
    /// Its uid.
    pub uid: String,
}

/// A pod to delete, as it was when that was decided.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Its namespace.
    pub namespace: &'a str,
    /// Its name.
    pub name: &'a str,
    /// A precondition.
    pub uid: &'a str,
    /// A precondition; empty if it is not known.
    pub resource_version: &'a str,
}

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// What that means for the write.
    pub kind: WriteErrorKind,
    /// The server's reason, such as `Forbidden`; empty without an answer.
    pub reason: String,
    /// The server's words.
    pub message: String,
    /// What the server asks to wait.
    pub retry_after: Option<Duration>,
}

/// What a failed call means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteErrorKind {
    /// The object is not there.
    NotFound,
    /// The object is no longer the one that was read.
    Conflict,
    /// Trying again does not help.
    Refused,
    /// The server did not do it, but might later.
    Temporary,
    /// A disruption budget does not allow it now.
    Disruption,
    /// The disruption budgets of the pod never allow it.
    NeverAllowed,
    /// There was no whole answer: it may have been done.
    Unknown,
}

/// What became of a write, told as soon as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report<'a> {
    /// A pod was made.
    Created(&'a Creation, CreatedPod),
    /// A pod was deleted.
    Deleted(&'a Deletion),
    /// A pod to be deleted was gone already.
    Gone(&'a Deletion),
    /// A pod to be deleted has changed, so that it is looked at again.
    Changed(&'a Deletion),
    /// A disruption budget does not let a pod go now.
    Held(&'a Deletion, WriteError),
    /// A pod could not be made.
    NotCreated(&'a Creation, WriteError),
    /// A pod could not be deleted.
    NotDeleted(&'a Deletion, WriteError),
}

/// What a batch is made from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The set as read.
    pub daemon_set: &'a DaemonSet,
    /// The hash label of the current revision.
    pub hash: &'a str,
    /// Resource versions of the set's pods, by uid.
    pub resource_versions: &'a BTreeMap<&'a str, String>,
    /// Pods that a rollout replaces are evicted rather than deleted.
    pub evicts: bool,
}

/// Carries out a batch.
///
/// Upstream: pkg/controller/daemon `syncNodes` (1.37).
pub async fn apply(
    writer: &impl Writer,
    source: Source<'_>,
    batch: &Batch,
    mut tell: impl FnMut(&Report<'_>),
) -> Written {
    let mut results = Results::default();
    for creations in slow_start::batches(&batch.create) {
        let calls = creations.iter().map(|creation| create(writer, source, creation));
        let reports: Vec<_> = stream::iter(calls).buffered(MAX_CALLS).collect().await;
        let any_failed = reports.iter().any(|report| matches!(report, Report::NotCreated(..)));
        reports.into_iter().for_each(|report| results.add(report, &mut tell));
        if any_failed {
            break;
        }
    }
    let calls = batch.delete.iter().map(|deletion| delete(writer, source, deletion));
    let mut reports = stream::iter(calls).buffered(MAX_CALLS);
    while let Some(report) = reports.next().await {
        results.add(report, &mut tell);
    }
    results.written()
}

async fn create<'a>(writer: &impl Writer, source: Source<'_>, creation: &'a Creation) -> Report<'a> {
    let pod = pod_for_node(source.daemon_set, source.hash, &creation.node);
    match writer.create_pod(&pod).await {
        Ok(pod) => Report::Created(creation, pod),
        Err(error) => Report::NotCreated(creation, error),
    }
}

async fn delete<'a>(writer: &impl Writer, source: Source<'_>, deletion: &'a Deletion) -> Report<'a> {
    let target = Target {
        namespace: source.daemon_set.namespace(),
        name: &deletion.pod,
        uid: &deletion.uid,
        resource_version: source.resource_versions.get(deletion.uid.as_str()).map_or("", String::as_str),
    };
    let result = match source.evicts && deletion.is_replacement() {
        true => writer.evict_pod(&target).await,
        false => writer.delete_pod(&target).await,
    };
    match result {
        Ok(()) => Report::Deleted(deletion),
        Err(error) if error.kind == WriteErrorKind::NotFound => Report::Gone(deletion),
        Err(error) if error.kind == WriteErrorKind::Conflict => Report::Changed(deletion),
        Err(error) if error.kind == WriteErrorKind::Disruption => Report::Held(deletion, error),
        Err(error) => Report::NotDeleted(deletion, error),
    }
}

/// Results so far.
#[derive(Default)]
struct Results {
    written: Written,
    /// A pod to be deleted was no longer what had been read.
    any_overtaken: bool,
    refusals: BTreeSet<String>,
    held: BTreeSet<String>,
}

impl Results {
    fn add(&mut self, report: Report<'_>, tell: &mut impl FnMut(&Report<'_>)) {
        tell(&report);
        match report {
            Report::Created(creation, pod) => {
                self.written.made.insert(Key::create(creation));
                self.written.created.insert(pod.uid);
            }
            Report::Deleted(deletion) => {
                self.written.made.insert(Key::delete(deletion));
            }
            // Not ours, if it was done at all: the next read tells.
            Report::Gone(_) | Report::Changed(_) => self.any_overtaken = true,
            Report::Held(_, error) => {
                self.written.retry_after = self.written.retry_after.max(error.retry_after);
                self.held.insert(error.message);
            }
            Report::NotCreated(creation, error) => self.fail(Key::create(creation), error),
            Report::NotDeleted(deletion, error) => self.fail(Key::delete(deletion), error),
        }
    }

    fn fail(&mut self, key: Key, error: WriteError) {
        self.written.any_failed = true;
        self.written.retry_after = self.written.retry_after.max(error.retry_after);
        match error.kind {
            WriteErrorKind::Unknown => {
                self.written.unknown.insert(key);
            }
            WriteErrorKind::Refused | WriteErrorKind::NotFound => {
                self.refusals.insert(error.message);
            }
            WriteErrorKind::NeverAllowed => self.written.never_allowed = Some(error.message),
            WriteErrorKind::Temporary | WriteErrorKind::Conflict | WriteErrorKind::Disruption => {}
        }
    }

    fn written(mut self) -> Written {
        // A batch that came too late with everything has not got on either.
        self.written.any_failed |= self.any_overtaken && self.written.made.is_empty();
        self.written.refusal = joined(self.refusals);
        self.written.held = joined(self.held);
        self.written
    }
}

fn joined(texts: BTreeSet<String>) -> Option<String> {
    (!texts.is_empty()).then(|| texts.into_iter().collect::<Vec<_>>().join("; "))
}
