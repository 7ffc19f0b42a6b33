//! Waves: the parts of an OnDelete rollout that go one after the other: a canary, groups of nodes by a label, and the rest.
//!
//! Nothing is stored: how far a wave is, is read from its pods, so that any run can take over from any other.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;

use crate::api::{Labels, Node};
use crate::plan::{NodePlan, Plan, PodPlan, PodRevision};
use crate::upstream::labels::Selector;

use super::batch::{Outdated, outdated_on};
use super::gate::{arrived, is_new};

/// How the nodes are cut into waves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// The node label by whose value nodes form groups.
    pub by: Option<String>,
    /// Values of it, in the order in which their groups go; the others follow by name.
    pub order: Vec<String>,
    /// What goes before all groups.
    pub canary: Option<Canary>,
    /// Nodes that are not ready or cordoned go after all others.
    pub skip_unready: bool,
}

/// Which nodes are the canary.
#[derive(Clone, Debug, PartialEq)]
pub enum Canary {
    /// So many nodes, whichever. It is done when as many have an available pod of the current revision.
    Nodes(usize),
    /// The nodes with these labels.
    Selector(Selector),
}

/// What a wave is. The order is that in which waves go, as far as their names tell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WaveName {
    /// The canary.
    Canary,
    /// Nodes with this value of this label.
    Group {
        /// Key of the label.
        label: String,
        /// Its value.
        value: String,
    },
    /// Nodes without this label.
    Unlabeled {
        /// Key of the label.
        label: String,
    },
    /// All nodes of no other wave, where they are not cut into groups.
    Rest,
    /// Nodes that are not ready, or cordoned.
    Unready,
}

impl WaveName {
    /// Returns the value of the label, or a word for what has none; `None` where the nodes are not cut up.
    pub fn group(&self) -> Option<&str> {
        match self {
            Self::Canary => Some("canary"),
            Self::Group { value, .. } => Some(value),
            Self::Unlabeled { .. } => Some("unlabeled"),
            Self::Rest => None,
            Self::Unready => Some("unready"),
        }
    }
}

impl fmt::Display for WaveName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Canary => f.write_str("canary"),
            // `zone-a` says already what it is.
            Self::Group { label, value } if value.starts_with(short(label)) => f.write_str(value),
            Self::Group { label, value } => write!(f, "{} {value}", short(label)),
            Self::Unlabeled { label } => write!(f, "nodes without {}", short(label)),
            Self::Rest => f.write_str("the rest"),
            Self::Unready => f.write_str("nodes not ready or cordoned"),
        }
    }
}

/// Returns a label key without its domain: `zone` of `topology.kubernetes.io/zone`.
fn short(label: &str) -> &str {
    label.rsplit_once('/').map_or(label, |(_, name)| name)
}

/// Nodes that go together.
#[derive(Clone, Debug)]
pub struct Wave<'a> {
    /// What it is.
    pub name: WaveName,
    /// Its nodes that want a pod or have one, by name; of a canary of so many nodes all candidates, the first ones first.
    pub nodes: Vec<&'a NodePlan>,
    /// How many of them are enough.
    enough: Option<usize>,
}

/// Cuts the nodes of a plan into waves, in the order in which they go; none is empty. `nodes` tells their labels.
pub fn waves<'a>(cut: &Cut, plan: &'a Plan, nodes: &[Node]) -> Vec<Wave<'a>> {
    let reads_labels = cut.by.is_some() || matches!(cut.canary, Some(Canary::Selector(_)));
    let labels: BTreeMap<&str, &Labels> =
        if reads_labels { nodes.iter().map(|node| (node.name(), node.labels())).collect() } else { BTreeMap::new() };
    let mut waves = BTreeMap::<(usize, WaveName), Vec<&NodePlan>>::new();
    for node in plan.nodes.iter().filter(|node| node.should_run || node.pods.iter().any(PodPlan::is_live)) {
        let name = name_for(cut, node, labels.get(node.name.as_str()).copied());
        waves.entry((rank(cut, &name), name)).or_default().push(node);
    }
    let waves = waves.into_iter().map(|((_, name), nodes)| Wave { name, nodes, enough: None });
    let waves: Vec<Wave<'_>> = waves.collect();
    match cut.canary {
        Some(Canary::Nodes(count)) => canary(&waves, count).into_iter().chain(waves).collect(),
        _ => waves,
    }
}

fn name_for(cut: &Cut, node: &NodePlan, labels: Option<&Labels>) -> WaveName {
    let value_of = |label: &String| labels.and_then(|labels| labels.get(label));
    match (&cut.canary, &cut.by) {
        _ if cut.skip_unready && !is_fit(node) => WaveName::Unready,
        (Some(Canary::Selector(selector)), _) if labels.is_some_and(|labels| selector.matches(labels)) => {
            WaveName::Canary
        }
        (_, Some(label)) => match value_of(label) {
            Some(value) => WaveName::Group { label: label.clone(), value: value.clone() },
            None => WaveName::Unlabeled { label: label.clone() },
        },
        (_, None) => WaveName::Rest,
    }
}

/// Returns the place of a wave before its name decides.
fn rank(cut: &Cut, name: &WaveName) -> usize {
    let listed = cut.order.len();
    match name {
        WaveName::Canary => 0,
        WaveName::Group { value, .. } => 1 + cut.order.iter().position(|other| other == value).unwrap_or(listed),
        WaveName::Unlabeled { .. } | WaveName::Rest | WaveName::Unready => listed + 2,
    }
}

/// Returns the canary of so many nodes: those of the first waves are the first candidates.
fn canary<'a>(waves: &[Wave<'a>], count: usize) -> Option<Wave<'a>> {
    let candidates = waves.iter().filter(|wave| wave.name != WaveName::Unready).flat_map(|wave| &wave.nodes);
    let nodes: Vec<&NodePlan> = candidates.copied().filter(|node| node.should_run).collect();
    let enough = Some(count.min(nodes.len()));
    (!nodes.is_empty()).then_some(Wave { name: WaveName::Canary, nodes, enough })
}

/// Returns whether a node is ready, and not cordoned.
fn is_fit(node: &NodePlan) -> bool {
    node.condition.ready == "True" && !node.condition.is_unschedulable
}

impl Wave<'_> {
    /// Returns its old pods, in the order in which they go; of a canary of so many nodes only as many as it still lacks,
    /// the ones that are the best test first: a new pod that fails where the old one ran is itself to blame.
    pub fn outdated(&self) -> Vec<Outdated> {
        let mut outdated = outdated_on(self.nodes.iter().copied());
        if let Some(enough) = self.enough {
            let begun = self.nodes.iter().filter(|node| node.pods.iter().filter(|pod| pod.is_live()).all(is_new));
            let places: BTreeMap<&str, (usize, bool)> =
                self.nodes.iter().enumerate().map(|(i, node)| (node.name.as_str(), (i, is_fit(node)))).collect();
            outdated.sort_by_key(|outdated| {
                let (place, is_fit) = places.get(outdated.deletion.node.as_str()).copied().unwrap_or_default();
                (!is_fit, !outdated.is_available, place)
            });
            outdated.truncate(enough.saturating_sub(begun.count()));
        }
        outdated
    }

    /// Returns how many nodes have to have a new pod, and how many have one that is available.
    pub fn count(&self) -> (usize, usize) {
        let wanted = || self.nodes.iter().filter(|node| node.should_run);
        let arrived = wanted().filter(|node| arrived(node).is_some()).count();
        let enough = self.enough.unwrap_or_else(|| wanted().count());
        (enough, arrived.min(enough))
    }

    /// Returns, once the wave is done, when the last of the pods that made it so became Ready. It is done when every wanted
    /// node has an available pod of the current revision and no old one is left; a canary of so many nodes when as many
    /// have one.
    pub fn done_since(&self) -> Option<Timestamp> {
        let (enough, arrived_on) = self.count();
        let is_old = |pod: &PodPlan| pod.is_live() && pod.revision == PodRevision::Old;
        let any_old = || self.nodes.iter().any(|node| node.pods.iter().any(is_old));
        if arrived_on < enough || self.enough.is_none() && any_old() {
            return None;
        }
        let mut times: Vec<Timestamp> =
            self.nodes.iter().filter_map(|node| arrived(node)?.details.ready_since).collect();
        times.sort_unstable();
        if let Some(enough) = self.enough {
            times.truncate(enough);
        }
        Some(times.last().copied().unwrap_or(Timestamp::MIN))
    }

    /// Returns the wanted nodes without an available pod of the current revision.
    pub fn lacking(&self) -> Vec<String> {
        let lacking = self.nodes.iter().filter(|node| node.should_run && arrived(node).is_none());
        lacking.map(|node| node.name.clone()).collect()
    }

    /// Returns a new pod of it that fails for good.
    pub fn failing(&self) -> Option<&PodPlan> {
        self.nodes.iter().flat_map(|node| &node.pods).find(|pod| is_new(pod) && pod.details.is_held_up)
    }
}

/// Says what does not fit the nodes: labels that none of those concerned has, and values that are not there.
///
/// Errors: the label of the groups, or the canary, is found nowhere.
pub fn check(cut: &Cut, plan: &Plan, nodes: &[Node]) -> Result<Vec<String>, String> {
    let waves = waves(cut, plan, nodes);
    let name = &plan.daemon_set.name;
    let is_concerned = |node: &&Node| plan.node(node.name()).is_some_and(|node| node.should_run);
    let concerned = || nodes.iter().filter(is_concerned).map(Node::labels);
    if let Some(label) = &cut.by
        && concerned().next().is_some()
        && !concerned().any(|labels| labels.contains_key(label))
    {
        return Err(format!("no node that daemonset.apps/{name} wants has the label {label:?} (--by)"));
    }
    if let Some(Canary::Selector(selector)) = &cut.canary
        && concerned().next().is_some()
        && !concerned().any(|labels| selector.matches(labels))
    {
        return Err(format!("no node that daemonset.apps/{name} wants has the labels of --canary"));
    }
    let groups: Vec<&str> = waves.iter().filter_map(|wave| wave.name.group()).collect();
    let absent = cut.order.iter().filter(|value| !groups.contains(&value.as_str()));
    Ok(absent.map(|value| format!("no node of daemonset.apps/{name} is in group {value:?} (--order)")).collect())
}
