//! Why a pod finds no place: the numbers of its node, and the scheduler's words.

use crate::api::{Node, Pod, controller_of};
use crate::findings::room::{self, Shortage, amount_text};
use crate::findings::text;

/// Why it gets none, as far as the numbers and the scheduler tell.
#[derive(Default)]
pub struct Trouble {
    /// Of what too little is left.
    pub shortages: Vec<Shortage>,
    /// Host ports that are taken, with the pod that has each.
    pub ports: Vec<String>,
    reasons: Vec<String>,
    /// No node at all matches the pod's own node selector.
    pub is_selector_added: bool,
    /// Only the set's own old pod has the host ports: that is told for the set as a whole.
    pub is_in_its_own_way: bool,
    is_worked_out: bool,
    /// What preemption could do, where room is lacking.
    pub preemption: Option<Preemption>,
}

/// What preemption could do for a pod.
pub enum Preemption {
    /// The node is too small for it.
    Hopeless,
    /// No pod there has a lower priority.
    NothingLower {
        /// The pod's own.
        priority: i32,
    },
    /// Those of lower priority would make room.
    Enough {
        /// The pod's own.
        priority: i32,
        /// How many pods have a lower one.
        lower: usize,
    },
    /// Even without those of lower priority it would not fit.
    NotEnough {
        /// The pod's own.
        priority: i32,
        /// How many pods have a lower one.
        lower: usize,
    },
}

/// Tells why a pod finds no place on its node; `others` are the pods there, where the numbers are to be looked at.
pub fn trouble(node: &Node, pod: &Pod, others: Option<&Vec<&Pod>>) -> Trouble {
    let message = pod.condition("PodScheduled").map(|condition| condition.message.as_str()).unwrap_or_default();
    let mut trouble =
        Trouble { reasons: reasons(message), is_selector_added: is_selector_added(message), ..Trouble::default() };
    if let Some(others) = others {
        trouble.is_worked_out = true;
        trouble.shortages = room::shortages(node, pod, others);
        let conflicts = room::port_conflicts(pod, others);
        let owner = controller_of(&pod.metadata);
        trouble.is_in_its_own_way = !conflicts.is_empty()
            && trouble.shortages.is_empty()
            && conflicts.iter().all(|(_, other)| owner.is_some() && controller_of(&other.metadata) == owner);
        let conflicts = conflicts.into_iter();
        trouble.ports = conflicts
            .map(|(port, pod)| {
                let owner = controller_of(&pod.metadata);
                let owner = owner.map(|owner| format!(" of {} {}", owner.kind, owner.name)).unwrap_or_default();
                format!("{port} is taken by {}/{}{owner}", pod.namespace(), pod.name())
            })
            .collect();
        trouble.preemption = (!trouble.shortages.is_empty()).then(|| preemption(node, pod, others));
    }
    trouble
}

/// Returns what the scheduler says of the one node that counts: its reasons without those of all other nodes.
fn reasons(message: &str) -> Vec<String> {
    let Some((_, rest)) = message.split_once("nodes are available: ") else { return Vec::new() };
    let rest = rest.split(". ").next().unwrap_or_default().trim_end_matches('.');
    let without_count = |reason: &str| {
        let reason = reason.trim();
        reason
            .split_once(' ')
            .filter(|(count, _)| count.parse::<u32>().is_ok())
            .map_or(reason, |(_, words)| words)
            .to_owned()
    };
    rest.split(", ").map(without_count).filter(|reason| !is_about_other_nodes(reason)).collect()
}

/// Returns whether the words are those for a node that the pod is not pinned to, in the scheduler's wordings so far.
fn is_about_other_nodes(reason: &str) -> bool {
    const WORDS: [&str; 5] = [
        "match Pod's node affinity",
        "match node affinity",
        "match node selector",
        "plugin(s) [NodeAffinity]",
        "prefilter",
    ];
    WORDS.iter().any(|words| reason.contains(words))
}

/// Returns whether the scheduler refuses every node for its labels, also the one that the pod is pinned to.
fn is_selector_added(message: &str) -> bool {
    let Some((available, rest)) = message.split_once(" nodes are available: ") else { return false };
    let total = available.trim_start_matches("0/");
    rest.split(['.', ',']).any(|reason| {
        is_about_other_nodes(reason) && reason.trim().split_once(' ').is_some_and(|(count, _)| count == total)
    })
}

/// Judges what the scheduler could gain by preempting the pods of lower priority.
fn preemption(node: &Node, pod: &Pod, others: &[&Pod]) -> Preemption {
    let priority = pod.spec.priority;
    let higher: Vec<_> = others.iter().copied().filter(|other| other.spec.priority >= priority).collect();
    let lower = others.len() - higher.len();
    match () {
        () if room::shortages(node, pod, &[]).iter().any(Shortage::is_hopeless) => Preemption::Hopeless,
        () if lower == 0 => Preemption::NothingLower { priority },
        () if room::shortages(node, pod, &higher).is_empty() => Preemption::Enough { priority, lower },
        () => Preemption::NotEnough { priority, lower },
    }
}

impl Preemption {
    /// Returns it as a sentence.
    pub fn text(&self) -> String {
        match *self {
            Self::Hopeless => "The node is too small even if it were empty.".to_owned(),
            Self::NothingLower { priority } => {
                format!("No pod there has a lower priority than its {priority}, so preemption does not help.")
            }
            Self::Enough { priority, lower } => format!(
                "Without the {} there of lower priority than its {priority} it would fit, so the scheduler should preempt.",
                text::count(lower, "pod")
            ),
            Self::NotEnough { priority, lower } => format!(
                "Even without the {} there of lower priority than its {priority} it would not fit.",
                text::count(lower, "pod")
            ),
        }
    }
}

impl Trouble {
    /// Returns what pods with the same cause have in common: the resources, by the numbers or else by the scheduler's words.
    pub fn cause(&self) -> String {
        let mut resources: Vec<_> = self.shortages.iter().map(|shortage| shortage.resource.as_str()).collect();
        if !self.is_worked_out || self.fits_by_now() {
            resources = self.reasons.iter().filter_map(|reason| lacking(reason)).collect();
            resources.sort_unstable();
        }
        let has_no_port =
            || !self.is_worked_out && self.reasons.iter().any(|reason| reason.contains("have free ports"));
        match () {
            () if self.is_selector_added => "selector".to_owned(),
            () if !resources.is_empty() => format!("resources {}", resources.join(" ")),
            () if !self.ports.is_empty() || has_no_port() => "ports".to_owned(),
            () => format!("words {}", self.reasons.join(", ")),
        }
    }

    /// Returns what keeps a pod out, with numbers.
    pub fn text(&self) -> String {
        let ports = self.ports.iter().map(|port| format!("host port {port}"));
        let mut parts: Vec<_> = self.shortages.iter().map(shortage_text).chain(ports).collect();
        if parts.is_empty() {
            parts.push(match self.reasons.as_slice() {
                [] => "the scheduler gives no reason".to_owned(),
                reasons if self.fits_by_now() => {
                    format!("the scheduler said: {}; by the pods known here it would fit by now", reasons.join(", "))
                }
                reasons => format!("the scheduler says: {}", reasons.join(", ")),
            });
        }
        parts.join("; ")
    }

    /// Returns whether the scheduler spoke of room, and there is enough by now.
    pub fn fits_by_now(&self) -> bool {
        let is_about_room = |reason: &String| lacking(reason).is_some();
        self.is_worked_out
            && self.shortages.is_empty()
            && self.ports.is_empty()
            && self.reasons.iter().any(is_about_room)
    }
}

/// Returns the resource that the scheduler's reason finds too little of.
fn lacking(reason: &str) -> Option<&str> {
    if reason.contains("Too many pods") { Some("pods") } else { reason.strip_prefix("Insufficient ") }
}

fn shortage_text(shortage: &Shortage) -> String {
    let Shortage { resource, requested, free, allocatable } = shortage;
    if resource == "pods" {
        return format!("the node has {} pods, of {allocatable} that it may have", allocatable.minus(*free));
    }
    format!(
        "needs {}, free {} of {} (short by {})",
        amount_text(*requested, resource),
        amount_text(*free, resource),
        amount_text(*allocatable, resource),
        amount_text(shortage.short_by(), resource),
    )
}
