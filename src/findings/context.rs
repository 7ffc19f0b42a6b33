//! What all kinds of findings look things up in: the plan, the objects behind it, and events by object.

use std::cell::OnceCell;
use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};

use crate::api::{DaemonSet, Event, Node, Pod, Taint, Toleration};
use crate::findings::text;
use crate::plan::{Finding, FindingCode, NodePlan, NodeVerdict, Plan, PodPlan, PodRevision, Severity, When};
use crate::snapshot::Snapshot;
use crate::upstream::duration::human_duration;
use crate::upstream::taints;

/// The inputs of every finding, with look-ups that are built when first asked for.
pub struct Context<'a> {
    /// The state that the plan was made from.
    pub snapshot: &'a Snapshot,
    /// The set.
    pub daemon_set: &'a DaemonSet,
    /// What one sync would do.
    pub plan: &'a Plan,
    /// The tolerations that the set's pods get.
    pub tolerations: Vec<Toleration>,
    is_stalled: OnceCell<bool>,
    events: OnceCell<HashMap<&'a str, Vec<&'a Event>>>,
}

impl<'a> Context<'a> {
    /// Prepares the look-ups.
    pub fn new(snapshot: &'a Snapshot, daemon_set: &'a DaemonSet, plan: &'a Plan) -> Self {
        let tolerations = taints::daemon_pod_tolerations(&daemon_set.spec.template.spec);
        Self { snapshot, daemon_set, plan, tolerations, is_stalled: OnceCell::new(), events: OnceCell::new() }
    }

    /// Returns the arguments that name the set in a kubectl command: `daemonset/agent -n ops`.
    pub fn object(&self) -> String {
        format!("daemonset/{}{}", self.daemon_set.name(), self.in_namespace())
    }

    /// Returns the flag that names the namespace, with a space in front; empty if the set has none.
    pub fn in_namespace(&self) -> String {
        match self.daemon_set.namespace() {
            "" => String::new(),
            namespace => format!(" -n {namespace}"),
        }
    }

    /// Returns a kubectl command that patches the set with this JSON.
    pub fn patch(&self, patch: &serde_json::Value) -> String {
        let (name, namespace) = (self.daemon_set.name(), self.in_namespace());
        match patch {
            serde_json::Value::Array(_) => {
                format!("`kubectl patch daemonset {name}{namespace} --type=json -p '{patch}'`")
            }
            _ => format!("`kubectl patch daemonset {name}{namespace} -p '{patch}'`"),
        }
    }

    /// Returns how long ago this was, as kubectl prints ages.
    pub fn age(&self, since: Timestamp) -> String {
        human_duration(self.elapsed(since))
    }

    /// Returns ` for 6d`, or nothing if the time is not known.
    pub fn for_age(&self, since: Option<Timestamp>) -> String {
        since.map(|since| format!(" for {}", self.age(since))).unwrap_or_default()
    }

    /// Returns how long ago this was.
    pub fn elapsed(&self, since: Timestamp) -> SignedDuration {
        self.snapshot.now.duration_since(since)
    }

    /// Returns the node of this name in the plan.
    pub fn node_plan(&self, name: &str) -> Option<&'a NodePlan> {
        self.plan.node(name)
    }

    /// Returns the pod of this name in the set's namespace.
    pub fn pod(&self, name: &str) -> Option<&'a Pod> {
        let pods = self.snapshot.pods_in(self.daemon_set.namespace());
        pods.binary_search_by(|pod| pod.name().cmp(name)).ok().map(|i| &pods[i])
    }

    /// Returns the events about this object of the set's namespace, latest first.
    pub fn events<'s>(&'s self, kind: &'s str, name: &str) -> impl Iterator<Item = &'a Event> + 's {
        let events = self.events.get_or_init(|| {
            let mut index = HashMap::<&'a str, Vec<&'a Event>>::new();
            let namespace = self.daemon_set.namespace();
            for event in self.snapshot.events.iter().filter(|event| event.regarding.namespace == namespace) {
                index.entry(event.regarding.name.as_str()).or_default().push(event);
            }
            for events in index.values_mut() {
                events.sort_by(|a, b| (b.last_seen, &a.message).cmp(&(a.last_seen, &b.message)));
            }
            index
        });
        let events = events.get(name).map(Vec::as_slice).unwrap_or_default();
        events.iter().copied().filter(move |event| event.regarding.kind == kind)
    }

    /// Returns the taints of a node that keep new pods of the set away.
    pub fn untolerated_taints<'n>(&self, node: &'n Node) -> Vec<&'n Taint> {
        taints::untolerated_taints(&node.spec.taints, &self.tolerations)
    }

    /// Returns `revision 2`, or `the current revision` while its number is not known.
    pub fn revision(&self) -> String {
        match &self.plan.revision {
            Some(revision) => format!("revision {}", revision.number),
            None => "the current revision".to_owned(),
        }
    }

    /// Returns when the current revision was made.
    pub fn revision_created(&self) -> Option<Timestamp> {
        self.plan.history.revisions.iter().find(|revision| revision.is_current)?.created
    }

    /// Returns the nodes whose pod is available and of an old revision, with that pod: those that wait for the rollout.
    pub fn waiting(&self) -> impl Iterator<Item = (&'a NodePlan, &'a PodPlan)> {
        let nodes = self.plan.nodes.iter().filter(|node| {
            let has_old_pod = matches!(node.verdict, NodeVerdict::Outdated | NodeVerdict::Misscheduled);
            has_old_pod && node.should_continue_running && !self.holds_budget(&node.name)
        });
        nodes.filter_map(|node| node.pods.iter().find(|pod| is_old(pod) && pod.available).map(|pod| (node, pod)))
    }

    /// Returns whether available old pods wait and the rollout takes none of them, because its budget is used up.
    pub fn is_stalled(&self) -> bool {
        let rollout = &self.plan.rollout;
        *self.is_stalled.get_or_init(|| {
            matches!(rollout.when, When::Now | When::AfterManage)
                && rollout.error.is_none()
                && rollout.budget.free == 0
                && self.waiting().next().is_some()
        })
    }

    /// Returns whether this node counts against the rollout budget.
    pub fn holds_budget(&self, node: &str) -> bool {
        let used_by = &self.plan.rollout.budget.used_by;
        used_by.binary_search_by(|holder| holder.node.as_str().cmp(node)).is_ok()
    }

    /// Returns a sentence on what these nodes do to the rollout; `None` if they do not hold it up.
    pub fn budget_sentence(&self, nodes: &[&str]) -> Option<String> {
        let held = nodes.iter().filter(|node| self.holds_budget(node)).count();
        if held == 0 || !self.is_stalled() {
            return None;
        }
        let budget = &self.plan.rollout.budget;
        let used = usize::try_from(budget.used).unwrap_or_default();
        let waiting: Vec<_> = self.waiting().map(|(node, _)| node.name.as_str()).collect();
        let takes = text::pick(held, "It takes", "They take");
        if held < used {
            // Others hold the rest; who waits is told once, by the plan.
            let due = budget.used - budget.max + 1;
            return Some(format!(
                "{takes} {} of the {} places in use of a rollout budget of {} ({}): until {due} of them {} free, {} with an \
                 available old pod {}.",
                text::number(held),
                text::number(used),
                budget.max,
                self.budget_field(),
                if due == 1 { "is" } else { "are" },
                text::count(waiting.len(), "node"),
                text::pick(waiting.len(), "waits", "wait"),
            ));
        }
        Some(format!(
            "{takes} {} of a rollout budget of {} ({}), so {} with an available old pod {}: {}.",
            text::count(held, "place"),
            budget.max,
            self.budget_field(),
            text::count(waiting.len(), "node"),
            text::pick(waiting.len(), "waits", "wait"),
            text::list(&waiting),
        ))
    }

    /// Returns the field that sets the rollout budget, with its value as written: `maxUnavailable 10%`.
    pub fn budget_field(&self) -> String {
        let strategy = &self.plan.update_strategy;
        let with_surge = strategy.resolved_max_surge.is_some_and(|surge| surge > 0);
        let (field, written) =
            if with_surge { ("maxSurge", &strategy.max_surge) } else { ("maxUnavailable", &strategy.max_unavailable) };
        match written {
            Some(crate::api::IntOrString::Int(value)) => format!("{field} {value}"),
            Some(crate::api::IntOrString::String(value)) => format!("{field} {value}"),
            None => format!("{field} unset"),
        }
    }
}

/// Returns whether a pod is of an old revision and stays until somebody deletes it.
pub fn is_old(pod: &PodPlan) -> bool {
    pod.revision == PodRevision::Old && !pod.deleting
}

/// Returns whether the kubelet of a node no longer says that the node is ready.
pub fn is_down(node: &NodePlan) -> bool {
    matches!(&*node.condition.ready, "False" | "Unknown")
}

/// Builds a finding; the nodes are sorted and named once.
pub fn finding<T: AsRef<str>>(code: FindingCode, severity: Severity, message: String, nodes: &[T]) -> Finding {
    let mut nodes: Vec<_> = nodes.iter().map(|node| node.as_ref().to_owned()).collect();
    nodes.sort();
    nodes.dedup();
    Finding { code, severity, message, nodes, remedy: None }
}

/// Adds what to do.
pub fn with_remedy(finding: Finding, remedy: String) -> Finding {
    Finding { remedy: Some(remedy), ..finding }
}
