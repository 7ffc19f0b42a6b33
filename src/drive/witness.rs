//! Witness: whether somebody else writes what the controller would.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Plan, PodPlan, StatusNumbers};

use super::Written;
use super::batch::{Key, due};

/// What was seen at the last read, and what we wrote ourselves.
#[derive(Debug, Default)]
pub struct Witness {
    before: Option<Seen>,
    created: BTreeSet<String>,
    deleted: BTreeSet<String>,
}

/// What a read showed.
#[derive(Debug)]
struct Seen {
    /// Uids of the set's pods, and whether each terminates.
    pods: BTreeMap<String, bool>,
    /// Uids of pods whose deletion was due.
    doomed: BTreeSet<String>,
    reported: StatusNumbers,
    observed_generation: i64,
    revision: Option<String>,
}

impl Seen {
    fn new(plan: &Plan) -> Self {
        Self {
            pods: plan.pods().map(|pod| (pod.uid.clone(), pod.deleting)).collect(),
            doomed: due(plan).delete.into_iter().map(|deletion| deletion.uid).collect(),
            reported: plan.reported,
            observed_generation: plan.daemon_set.observed_generation,
            revision: plan.revision.as_ref().map(|revision| revision.name.clone()),
        }
    }
}

impl Witness {
    /// Returns whether somebody else has written since the last read: made a pod, deleted one whose deletion was due, or
    /// reported a status.
    pub fn sees_others(&mut self, plan: &Plan) -> bool {
        let now = Seen::new(plan);
        let sees_others = self.before.as_ref().is_some_and(|before| {
            let is_new = |uid: &&String| !before.pods.contains_key(*uid) && !self.created.contains(*uid);
            let goes_or_is_gone = |uid: &&String| now.pods.get(*uid).copied().unwrap_or(true);
            let is_foreign = |uid: &&String| !self.deleted.contains(*uid);
            let was_alive = |uid: &&String| before.pods.get(*uid) == Some(&false);
            before.reported != now.reported
                || before.observed_generation != now.observed_generation
                || before.revision != now.revision
                || now.pods.keys().any(|uid| is_new(&uid))
                || before.doomed.iter().filter(was_alive).filter(is_foreign).any(|uid| goes_or_is_gone(&uid))
        });
        self.before = Some(now);
        sees_others
    }

    /// Finds out which of our writes were carried out, and which pods they made.
    pub fn find_out(&self, plan: &Plan, unknown: BTreeSet<Key>) -> Written {
        let before = self.before.as_ref();
        let is_new = |pod: &&PodPlan| {
            before.is_some_and(|before| !before.pods.contains_key(&pod.uid)) && !self.created.contains(&pod.uid)
        };
        let mut written = Written::default();
        for key in unknown {
            let is_made = match &key {
                Key::Delete(uid) => !plan.pods().any(|pod| pod.uid == *uid && !pod.deleting),
                Key::Create(node) => {
                    let made = plan.pods().find(|pod| pod.node.as_ref() == Some(node) && is_new(pod));
                    written.created.extend(made.map(|pod| pod.uid.clone()));
                    made.is_some()
                }
            };
            if is_made {
                written.made.insert(key);
            }
        }
        written
    }

    /// Takes note of our own writes.
    pub fn wrote(&mut self, written: &Written) {
        self.created.extend(written.created.iter().cloned());
        self.deleted.extend(written.made.iter().filter_map(|key| match key {
            Key::Delete(uid) => Some(uid.clone()),
            Key::Create(_) => None,
        }));
    }
}
