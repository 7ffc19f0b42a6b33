//! Guard: whether the cluster is still what the plan was made from.

use std::collections::BTreeSet;

use crate::plan::{Plan, PodRevision, UpdateStrategy};

use super::batch::{Batch, due};

/// What the user was shown.
#[derive(Debug)]
pub struct Shown {
    uid: String,
    generation: i64,
    strategy: UpdateStrategy,
    /// Name of the current revision, as soon as it is known.
    revision: Option<String>,
    /// Nodes for which a pod was to be made, or that had one that was to go.
    nodes: BTreeSet<String>,
    /// Uids of pods that were to go.
    pods: BTreeSet<String>,
}

impl Shown {
    /// Remembers a plan that was shown.
    pub fn new(plan: &Plan) -> Self {
        let due = due(plan);
        let old_pods: Vec<_> = plan.pods().filter(|pod| pod.revision == PodRevision::Old || pod.deleting).collect();
        let deletions = due.delete.iter().map(|deletion| (&deletion.uid, &deletion.node));
        let creations = due.create.iter().map(|creation| creation.node.clone());
        let nodes = deletions.clone().map(|(_, node)| node.clone());
        let nodes = nodes.chain(old_pods.iter().filter_map(|pod| pod.node.clone()));
        let pods = deletions.map(|(uid, _)| uid.clone()).chain(old_pods.iter().map(|pod| pod.uid.clone()));
        Self {
            uid: plan.daemon_set.uid.clone(),
            generation: plan.daemon_set.generation,
            strategy: plan.update_strategy.clone(),
            revision: plan.revision.as_ref().map(|revision| revision.name.clone()),
            nodes: nodes.chain(creations).collect(),
            pods: pods.collect(),
        }
    }

    /// Says what changed under the plan, if it may not be carried out any longer.
    pub fn refuse(&mut self, plan: &Plan) -> Option<String> {
        let set = &plan.daemon_set;
        if set.uid != self.uid {
            return Some("the DaemonSet was deleted and made anew since the plan was shown".to_owned());
        }
        if self.strategy.type_ != plan.update_strategy.type_ {
            let (from, to) = (&self.strategy.type_, &plan.update_strategy.type_);
            return Some(format!("the update strategy was changed from {from} to {to} since the plan was shown"));
        }
        if set.generation != self.generation {
            let (from, to) = (self.generation, set.generation);
            return Some(format!("the spec was changed since the plan was shown (generation {from}, now {to})"));
        }
        let revision = plan.revision.as_ref().map(|revision| revision.name.clone());
        if self.revision.is_some() && revision.is_some() && self.revision != revision {
            let [from, to] = [&self.revision, &revision].map(|name| name.as_deref().unwrap_or_default());
            return Some(format!("the current revision changed from {from} to {to} since the plan was shown"));
        }
        if plan.paused {
            return Some("the rollout is paused; resume it first".to_owned());
        }
        self.revision = self.revision.take().or(revision);
        None
    }

    /// Names the writes of a first batch that were not shown, if there are any: those for pods and nodes that had no part in
    /// the plan. A plan that only shrank, or went on with the same rollout, is carried out.
    pub fn refuse_writes(&self, batch: &Batch) -> Option<String> {
        let creations = batch.create.iter().filter(|creation| !self.nodes.contains(&creation.node));
        let creations = creations.map(|creation| format!("a pod on node {} is to be made", creation.node));
        let deletions = batch.delete.iter().filter(|deletion| !self.pods.contains(&deletion.uid));
        let deletions = deletions.map(|deletion| format!("pod {} is to be deleted", deletion.pod));
        let moved: Vec<String> = creations.chain(deletions).collect();
        let what = moved.join(", ");
        (!moved.is_empty()).then(|| format!("what is due changed since the plan was shown: {what}"))
    }
}
