//! The view of `plan NAME`: what is said about one set, in order and in words, before it is laid out.
//!
//! Every list is cut so that it reads at 5,000 nodes; `-o json` has all of it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::api::IntOrString;
use crate::plan::{
    Action, BudgetHolder, Choice, Creation, NodePlan, NodeVerdict, Plan, PodPlan, PodReason, Reason, Resource,
    UpdateStrategy, Verdict, When,
};

use super::counts::{old_pods, waiting_old_pods};
use super::next::any_of;
use super::nodes::failed_checks;
use super::verdict;
use super::words::{counted, names};

/// Nodes in trouble that are printed before the list is cut.
const TROUBLES_SHOWN: usize = 20;
/// Lines that are printed for different reasons before they are summed up.
const REASONS_SHOWN: usize = 8;

/// What is said about one set.
#[derive(Debug, PartialEq)]
pub struct PlanView<'a> {
    /// Name, strategy and revision: parts of the first line.
    pub header: Vec<String>,
    /// The verdict in words.
    pub verdict: String,
    /// What the source lacks, in words.
    pub missing: Vec<&'static str>,
    /// How the budget stands, where the verdict does not say it.
    pub budget: Option<String>,
    /// Who counts against the budget.
    pub holders: Troubles<'a>,
    /// Who else has no available pod.
    pub others: Troubles<'a>,
    /// Titles, each with its lines.
    pub sections: Vec<Section>,
}

/// Nodes in trouble, the first ones of them.
#[derive(Debug, Default, PartialEq)]
pub struct Troubles<'a> {
    /// Sorted by node.
    pub shown: Vec<Trouble<'a>>,
    /// How many more there are.
    pub more: usize,
}

/// A node in trouble.
#[derive(Debug, PartialEq)]
pub struct Trouble<'a> {
    /// Name of the node.
    pub node: &'a str,
    /// The pod to blame.
    pub pod: Option<&'a PodPlan>,
    /// Why it counts.
    pub why: &'static str,
    /// How the node is, if it is not ready; with the time since when.
    pub node_trouble: Option<(String, Option<Timestamp>)>,
}

/// Lines under one title.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// The title.
    pub title: &'static str,
    /// What is said.
    pub lines: Vec<String>,
}

impl<'a> PlanView<'a> {
    /// Words one plan.
    pub fn new(plan: &'a Plan) -> Self {
        let sections = [
            ("Next sync", next_sync(plan)),
            (if plan.rollout.when == When::OnDelete { "For you" } else { "Then" }, then(plan)),
            ("Kept", kept(plan)),
            ("Stray", stray(plan)),
        ];
        let sections = sections.into_iter().map(|(title, lines)| Section { title, lines });
        let troubled = TroubledNodes::new(plan);
        Self {
            header: header(plan),
            verdict: verdict::sentence(plan),
            missing: verdict::missing(plan),
            budget: budget(plan),
            holders: troubled.holders(),
            others: troubled.others(),
            sections: sections.filter(|section| !section.lines.is_empty()).collect(),
        }
    }
}

fn header(plan: &Plan) -> Vec<String> {
    let set = &plan.daemon_set;
    let revision = plan.revision.as_ref().map(|revision| format!("revision {} ({})", revision.number, revision.hash));
    let mut header = vec![format!("daemonset.apps/{}", set.name), format!("namespace {}", set.namespace)];
    header.push(strategy(&plan.update_strategy));
    header.push(revision.unwrap_or_else(|| "revision <unknown>".to_owned()));
    if plan.paused {
        header.push("paused".to_owned());
    }
    header
}

fn strategy(strategy: &UpdateStrategy) -> String {
    let surges = strategy.resolved_max_surge.is_some_and(|surge| surge > 0);
    let (name, written, resolved) = if surges {
        ("maxSurge", &strategy.max_surge, strategy.resolved_max_surge)
    } else {
        ("maxUnavailable", &strategy.max_unavailable, strategy.resolved_max_unavailable)
    };
    match (written, resolved) {
        _ if strategy.type_ == "OnDelete" => strategy.type_.clone(),
        (Some(IntOrString::String(percent)), Some(nodes)) => {
            format!(
                "{}, {name} {percent} ({})",
                strategy.type_,
                counted(usize::try_from(nodes).unwrap_or_default(), "node")
            )
        }
        (_, Some(nodes)) => format!("{}, {name} {nodes}", strategy.type_),
        (Some(IntOrString::String(text)), None) => format!("{}, {name} {text}", strategy.type_),
        _ => strategy.type_.clone(),
    }
}

/// Says how the budget stands, where somebody counts or old pods wait, and the verdict does not say it.
fn budget(plan: &Plan) -> Option<String> {
    let budget = &plan.rollout.budget;
    let has_old_pods = !old_pods(plan).is_empty();
    if !has_budget(plan) || plan.verdict == Verdict::Blocked || budget.used == 0 && !has_old_pods {
        return None;
    }
    let when = if has_old_pods { "" } else { "; it matters once a rollout starts" };
    let name = verdict::budget_name(plan);
    Some(format!("Budget: {name} {}, {} in use, {} free{when}", budget.max, budget.used, budget.free))
}

fn has_budget(plan: &Plan) -> bool {
    !matches!(plan.rollout.when, When::OnDelete | When::Never) && !plan.missing.contains(&Resource::Nodes)
}

/// Finds the nodes to blame.
struct TroubledNodes<'a> {
    plan: &'a Plan,
    creates: BTreeSet<&'a str>,
}

impl<'a> TroubledNodes<'a> {
    fn new(plan: &'a Plan) -> Self {
        Self { plan, creates: plan.manage.create.iter().map(|creation| creation.node.as_str()).collect() }
    }

    /// Returns who counts against the budget, without nodes whose only trouble is that they get their pod just now.
    fn holders(&self) -> Troubles<'a> {
        if !has_budget(self.plan) {
            return Troubles::default();
        }
        let used_by = self.plan.rollout.budget.used_by.iter();
        let holders = used_by.filter(|holder| holder.pod.is_some() || !self.creates.contains(holder.node.as_str()));
        cut(holders.map(|holder| self.holder(holder)).collect())
    }

    fn holder(&self, holder: &'a BudgetHolder) -> Trouble<'a> {
        let node = node(self.plan, &holder.node);
        let pods = node.map_or(&self.plan.stray_pods[..], |node| &node.pods[..]);
        let pod = holder.pod.as_ref().and_then(|name| pods.iter().find(|pod| pod.pod == *name));
        let node_trouble = match node {
            None => Some(("node does not exist".to_owned(), None)),
            Some(node) => node_trouble(node),
        };
        Trouble { node: &holder.node, pod, why: holder.reason.message(), node_trouble }
    }

    /// Returns the wanted nodes that have pods, none of them available, and do not count against the budget.
    fn others(&self) -> Troubles<'a> {
        let holders: BTreeSet<&str> = match has_budget(self.plan) {
            true => self.plan.rollout.budget.used_by.iter().map(|holder| holder.node.as_str()).collect(),
            false => BTreeSet::new(),
        };
        let is_other = |node: &&NodePlan| {
            node.should_run
                && !node.pods.is_empty()
                && !node.pods.iter().any(|pod| pod.available)
                && !holders.contains(node.name.as_str())
        };
        let trouble = |node: &'a NodePlan| Trouble {
            node: &node.name,
            pod: node.pods.first(),
            why: node.reason.message(),
            node_trouble: node_trouble(node),
        };
        cut(self.plan.nodes.iter().filter(is_other).map(trouble).collect())
    }
}

fn node_trouble(node: &NodePlan) -> Option<(String, Option<Timestamp>)> {
    let condition = &node.condition;
    let is_ready = matches!(condition.ready.as_ref(), "True" | "");
    (!is_ready).then(|| (format!("node Ready={}", condition.ready), condition.since))
}

fn cut(mut troubles: Vec<Trouble>) -> Troubles {
    let shown = if troubles.len() <= TROUBLES_SHOWN + 1 { troubles.len() } else { TROUBLES_SHOWN };
    let more = troubles.len() - shown;
    troubles.truncate(shown);
    Troubles { shown: troubles, more }
}

/// Says what the next sync does.
fn next_sync(plan: &Plan) -> Vec<String> {
    let mut lines = history(plan);
    lines.extend(claim("adopts", &plan.claims.adopt, "matches the selector and has no owner"));
    lines.extend(claim("releases", &plan.claims.release, "no longer matches the selector"));
    if plan.missing.contains(&Resource::Nodes) {
        lines.push("cannot be judged without the nodes".to_owned());
        return lines;
    }
    lines.extend(creations(&plan.manage.create));
    lines.extend(deletions(plan, &plan.manage.delete));
    lines.extend(at_once(plan).map(str::to_owned));
    lines.extend(choices(&plan.manage.choose));
    if plan.rollout.when == When::Now {
        lines.extend(rollout(plan));
    }
    if lines.is_empty() {
        lines.push("creates 0, deletes 0".to_owned());
    }
    lines
}

/// Says that deletions for placement wait for nobody, where one might think they do.
fn at_once(plan: &Plan) -> Option<&'static str> {
    let is_misplaced = |pod: &&PodPlan| pod.reason == Some(PodReason::Decision(Reason::NodeShouldNotContinueRunning));
    let misplaced = plan.manage.delete.iter().filter(is_misplaced).count();
    match plan.rollout.when {
        When::OnDelete if misplaced > 0 => Some("they go at once: OnDelete does not hold back what placement deletes"),
        _ if i64::try_from(misplaced).is_ok_and(|misplaced| misplaced > plan.rollout.budget.max) => {
            Some("they go at once: no rollout budget holds back what placement deletes")
        }
        _ => None,
    }
}

fn history(plan: &Plan) -> Vec<String> {
    let history = &plan.history;
    let mut lines = Vec::new();
    if history.create {
        lines.push("makes a new revision: none matches the template".to_owned());
    }
    if let Some(renumber) = &history.renumber {
        lines.push(format!(
            "renumbers revision {} from {} to {}: it matches the template again",
            renumber.name, renumber.from, renumber.to
        ));
    }
    if !history.delete.is_empty() {
        lines.push(format!(
            "deletes {}: {}",
            counted(history.delete.len(), "old ControllerRevision"),
            names(&history.delete)
        ));
    }
    if !history.relabel.is_empty() {
        lines.push(format!("relabels {}: {}", counted(history.relabel.len(), "pod"), names(&history.relabel)));
    }
    lines
}

fn claim(verb: &str, pods: &[PodPlan], why: &str) -> Option<String> {
    let names: Vec<&str> = pods.iter().map(|pod| pod.pod.as_str()).collect();
    let line = || format!("{verb} {} ({}), which {why}", counted(pods.len(), "pod"), self::names(&names));
    (!pods.is_empty()).then(line)
}

/// Says where pods are created, one line for each reason.
fn creations(creations: &[Creation]) -> Vec<String> {
    let by_reason = grouped(creations.iter().map(|creation| (creation.reason.message(), creation.node.as_str())));
    let line = |(why, nodes): (String, Vec<String>)| {
        format!("creates {} on {}: {why}", counted(nodes.len(), "pod"), names(&nodes))
    };
    by_reason.into_iter().map(line).collect()
}

/// Says which pods are deleted, one line for each reason and deciding detail of the node.
fn deletions(plan: &Plan, pods: &[PodPlan]) -> Vec<String> {
    let mut by_reason = grouped(pods.iter().map(|pod| (why_deleted(plan, pod), pod_on_node(pod))));
    let others: Vec<String> =
        by_reason.drain(by_reason.len().min(REASONS_SHOWN)..).flat_map(|(_, pods)| pods).collect();
    let line = |(why, pods): (String, Vec<String>)| match &pods[..] {
        [pod] => format!("deletes {pod}: {why}"),
        pods => format!("deletes {} ({}): {why}", counted(pods.len(), "pod"), names(pods)),
    };
    let mut lines: Vec<String> = by_reason.into_iter().map(line).collect();
    if !others.is_empty() {
        lines.push(format!(
            "deletes {} more ({}), each for another reason",
            counted(others.len(), "pod"),
            names(&others)
        ));
    }
    lines
}

/// Puts values with the same key together, in the order in which the keys come first.
fn grouped<K: Into<String>, V: Into<String>>(pairs: impl Iterator<Item = (K, V)>) -> Vec<(String, Vec<String>)> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for (key, value) in pairs {
        let key = key.into();
        let place = *places.entry(key.clone()).or_insert_with(|| {
            groups.push((key, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push(value.into());
    }
    groups
}

fn why_deleted(plan: &Plan, pod: &PodPlan) -> String {
    use Reason::{FailedPod, NodeShouldNotContinueRunning, SucceededPod};
    let Some(PodReason::Decision(reason)) = &pod.reason else { return "it is not wanted".to_owned() };
    let node = pod.node.as_deref().and_then(|name| node(plan, name));
    let comes_back = node.is_some_and(|node| node.should_run);
    let and_then = if comes_back { "; its node gets a new one in a later sync" } else { "" };
    match (reason, node) {
        (NodeShouldNotContinueRunning, Some(node)) => {
            format!("{}: {}", reason.message(), failed_checks(node).join("; "))
        }
        (FailedPod | SucceededPod, _) => format!("{} ({}){and_then}", reason.message(), pod.details.state),
        _ => reason.message().to_owned(),
    }
}

fn node<'a>(plan: &'a Plan, name: &str) -> Option<&'a NodePlan> {
    plan.nodes.binary_search_by(|node| node.name.as_str().cmp(name)).ok().map(|i| &plan.nodes[i])
}

fn pod_on_node(pod: &PodPlan) -> String {
    match &pod.node {
        Some(node) => format!("{} on {node}", pod.pod),
        None => pod.pod.clone(),
    }
}

fn choices(choices: &[Choice]) -> Vec<String> {
    choices.iter().map(choice).collect()
}

fn choice(choice: &Choice) -> String {
    let candidates: Vec<String> = choice
        .from
        .iter()
        .map(|candidate| match &candidate.pod {
            Some(pod) => format!("{pod} on {}", candidate.node),
            None => candidate.node.clone(),
        })
        .collect();
    let reasons: BTreeSet<&str> = choice.from.iter().map(|candidate| candidate.reason.message()).collect();
    let why = reasons.into_iter().collect::<Vec<_>>().join("; or ");
    match choice.action {
        Action::Create => format!("creates a pod on {}, {}: {why}", any_of(choice, "node"), names(&candidates)),
        Action::Delete => format!("deletes {}, {}: {why}", any_of(choice, "pod"), names(&candidates)),
    }
}

/// Says what the rolling-update step does.
fn rollout(plan: &Plan) -> Vec<String> {
    let mut lines = creations(&plan.rollout.create);
    lines.extend(deletions(plan, &plan.rollout.delete));
    lines.extend(choices(&plan.rollout.choose));
    lines
}

/// Says what follows after the next sync.
fn then(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    match plan.rollout.when {
        When::AfterManage if !plan.rollout.is_empty() => {
            lines.push("once that has been seen, the rolling-update step, as things stand now:".to_owned());
            lines.extend(rollout(plan));
        }
        When::OnDelete => lines.extend(on_delete(plan)),
        When::Never => lines.push(format!(
            "no old pod is ever replaced: the strategy type {:?} is unknown",
            plan.update_strategy.type_
        )),
        When::Now | When::AfterManage => {}
    }
    if plan.rollout.when != When::OnDelete {
        lines.extend(waiting(plan));
    }
    lines.extend(would_not_come_back(plan));
    lines
}

/// Says which pods to delete under `OnDelete`: those that are not available first, since that costs nothing.
fn on_delete(plan: &Plan) -> Vec<String> {
    let doomed: BTreeSet<&str> = plan.manage.delete.iter().map(|pod| pod.pod.as_str()).collect();
    let old = old_pods(plan).into_iter().filter(|pod| !doomed.contains(pod.pod.as_str()));
    let (available, broken): (Vec<&PodPlan>, Vec<&PodPlan>) = old.partition(|pod| pod.available);
    let listed = |pods: &[&PodPlan]| names(&pods.iter().map(|pod| pod_on_node(pod)).collect::<Vec<_>>());
    let mut lines = Vec::new();
    if !broken.is_empty() {
        lines.push(format!("delete {}: not available, so replacing costs nothing", listed(&broken)));
    }
    if !available.is_empty() {
        let start = if broken.is_empty() { "delete" } else { "then, once its successor is available," };
        let are = if available.len() == 1 { "is" } else { "are" };
        lines.push(format!(
            "{start} {} that {are} outdated but available: {}",
            counted(available.len(), "pod"),
            listed(&available)
        ));
    }
    if !lines.is_empty() {
        lines.push(
            "OnDelete: the controller makes the new pod as soon as the old one is gone; no budget holds you".to_owned(),
        );
    }
    lines
}

/// Says which old pods the next steps leave.
fn waiting(plan: &Plan) -> Option<String> {
    let waiting: Vec<&str> = waiting_old_pods(plan).iter().filter_map(|pod| pod.node.as_deref()).collect();
    let wait = if waiting.len() == 1 { "waits" } else { "wait" };
    let line = || format!("{} {wait}: {}", counted(waiting.len(), "old pod"), names(&waiting));
    (!waiting.is_empty() && plan.rollout.when != When::Never).then(line)
}

/// Says which old pods get no successor when they go.
fn would_not_come_back(plan: &Plan) -> Vec<String> {
    let doomed: BTreeSet<&str> = plan.manage.delete.iter().map(|pod| pod.pod.as_str()).collect();
    let left = old_pods(plan).into_iter().filter(|pod| !doomed.contains(pod.pod.as_str()));
    let nodes = left.filter_map(|pod| node(plan, pod.node.as_deref()?)).filter(|node| !node.should_run);
    let line = |(why, nodes): (String, Vec<String>)| match &nodes[..] {
        [node] => format!("one old pod would not come back, on {node}: {why}"),
        nodes => format!("{} old pods would not come back, on {}: {why}", nodes.len(), names(nodes)),
    };
    by_failed_check(nodes).into_iter().map(line).collect()
}

/// Says which pods stay on nodes where none would be started, beside old ones, which the rollout takes sooner or later.
fn kept(plan: &Plan) -> Vec<String> {
    let old: BTreeSet<&str> = old_pods(plan).iter().map(|pod| pod.pod.as_str()).collect();
    let is_live = |pod: &PodPlan| !pod.deleting && !old.contains(pod.pod.as_str());
    let is_kept = |node: &&NodePlan| {
        node.verdict == NodeVerdict::Misscheduled && node.should_continue_running && node.pods.iter().any(is_live)
    };
    let line = |(why, nodes): (String, Vec<String>)| {
        let pods = if nodes.len() == 1 { "a pod stays on" } else { "pods stay on" };
        format!("{pods} {}, but would not come back if deleted: {why}", names(&nodes))
    };
    by_failed_check(plan.nodes.iter().filter(is_kept)).into_iter().map(line).collect()
}

/// Puts nodes together that fail the same checks; what goes beyond a few groups becomes one of them.
fn by_failed_check<'a>(nodes: impl Iterator<Item = &'a NodePlan>) -> Vec<(String, Vec<String>)> {
    let mut groups = grouped(nodes.map(|node| (failed_checks(node).join("; "), node.name.as_str())));
    let others: Vec<String> = groups.drain(groups.len().min(REASONS_SHOWN)..).flat_map(|(_, nodes)| nodes).collect();
    if !others.is_empty() {
        groups.push(("for other reasons each".to_owned(), others));
    }
    groups
}

/// Says what becomes of pods whose node does not exist, beside those that manage deletes.
fn stray(plan: &Plan) -> Vec<String> {
    if plan.missing.contains(&Resource::Nodes) {
        return Vec::new();
    }
    let doomed: BTreeSet<&str> = plan.manage.delete.iter().map(|pod| pod.pod.as_str()).collect();
    let left = plan.stray_pods.iter().filter(|pod| !doomed.contains(pod.pod.as_str()));
    let (bound, lost): (Vec<&PodPlan>, Vec<&PodPlan>) = left.partition(|pod| pod.node.is_some());
    let listed = |pods: &[&PodPlan]| names(&pods.iter().map(|pod| pod_on_node(pod)).collect::<Vec<_>>());
    let mut lines = Vec::new();
    if !bound.is_empty() {
        let its = if bound.len() == 1 { "its node does" } else { "their nodes do" };
        lines.push(format!("{}: {its} not exist; left to pod garbage collection", listed(&bound)));
    }
    if !lost.is_empty() {
        lines
            .push(format!("{}: bound to no node and pinned to none, so the controller does not see it", listed(&lost)));
    }
    lines
}
