//! The view of `history`: the revisions of a set, which pods have each, and what changed from one to the next.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::api::ControllerRevision;
use crate::plan::{Plan, RevisionSummary};
use crate::snapshot::Snapshot;
use crate::upstream::revisions::stored_template;

use super::changes::{Change, changes};
use super::head::Head;

/// Annotation in which people write why they changed something.
const CHANGE_CAUSE: &str = "kubernetes.io/change-cause";

/// The revisions of a set, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryReport<'a> {
    /// Of kind `HistoryReport`.
    #[serde(flatten)]
    pub head: Head<'a>,
    /// Oldest first.
    pub items: Vec<RevisionItem<'a>>,
    /// Pods of which the revision is gone, sorted by node.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without_revision: Vec<PodOfNoRevision<'a>>,
}

/// A revision, as printed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RevisionItem<'a> {
    /// Its number; the highest is not always the current one.
    pub revision: i64,
    /// Name of the ControllerRevision.
    pub name: &'a str,
    /// Value of the hash label that its pods carry.
    pub hash: &'a str,
    /// New pods are made from it.
    pub current: bool,
    /// The controller's next sync deletes it.
    pub deleted_next: bool,
    /// Pods that have it now.
    pub pods: usize,
    /// Nodes that have a pod of it now, sorted.
    pub nodes: Vec<&'a str>,
    /// Images of its containers.
    pub images: Vec<String>,
    /// Fields that differ from the revision before, images first.
    pub changes: Vec<String>,
    /// Why it was made, as somebody noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change_cause: Option<&'a str>,
    /// When it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<Timestamp>,
}

/// A pod of which the revision is gone.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PodOfNoRevision<'a> {
    /// Its name.
    pub pod: &'a str,
    /// Its node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<&'a str>,
    /// Its hash label; empty if it has none.
    pub hash: &'a str,
}

impl<'a> HistoryReport<'a> {
    /// Describes all revisions of a planned set.
    pub fn new(snapshot: &'a Snapshot, plan: &'a Plan) -> Self {
        let objects = objects(snapshot, plan);
        let doomed: BTreeSet<&str> = plan.history.delete.iter().map(String::as_str).collect();
        let mut before: Option<Value> = None;
        let mut items = Vec::new();
        for summary in &plan.history.revisions {
            let object = objects.get(summary.name.as_str()).copied();
            let template = object.and_then(stored_template);
            let changes = before.as_ref().zip(template.as_ref()).map(|(from, to)| changes(from, to));
            items.push(RevisionItem {
                deleted_next: doomed.contains(summary.name.as_str()),
                images: template.as_ref().map(images).unwrap_or_default(),
                changes: changes.unwrap_or_default().iter().map(Change::text).collect(),
                change_cause: object.and_then(change_cause),
                ..item(plan, summary)
            });
            before = template.or(before);
        }
        let known: BTreeSet<&str> = items.iter().map(|item| item.hash).collect();
        let gone = plan.pods().filter(|pod| !known.contains(pod.details.hash.as_str()));
        let gone =
            gone.map(|pod| PodOfNoRevision { pod: &pod.pod, node: pod.node.as_deref(), hash: &pod.details.hash });
        let mut without_revision: Vec<_> = gone.collect();
        without_revision.sort_by_key(|pod| (pod.node, pod.pod));
        Self { head: Head::new("HistoryReport", plan), items, without_revision }
    }
}

/// Returns the ControllerRevisions of the set's namespace by name.
fn objects<'a>(snapshot: &'a Snapshot, plan: &Plan) -> BTreeMap<&'a str, &'a ControllerRevision> {
    let all = snapshot.controller_revisions_in(&plan.daemon_set.namespace);
    all.iter().map(|revision| (revision.name(), revision)).collect()
}

fn item<'a>(plan: &'a Plan, summary: &'a RevisionSummary) -> RevisionItem<'a> {
    let pods: Vec<_> = plan.pods().filter(|pod| pod.details.hash == summary.hash).collect();
    let nodes: BTreeSet<&str> = pods.iter().filter_map(|pod| pod.node.as_deref()).collect();
    RevisionItem {
        revision: summary.number,
        name: &summary.name,
        hash: &summary.hash,
        current: summary.is_current,
        deleted_next: false,
        pods: pods.len(),
        nodes: nodes.into_iter().collect(),
        images: Vec::new(),
        changes: Vec::new(),
        change_cause: None,
        created: summary.created,
    }
}

/// Returns the images of a template's containers, in their order.
pub fn images(template: &Value) -> Vec<String> {
    let containers = template.pointer("/spec/containers").and_then(Value::as_array);
    let images = containers.into_iter().flatten().filter_map(|container| container["image"].as_str());
    images.map(str::to_owned).collect()
}

fn change_cause(revision: &ControllerRevision) -> Option<&str> {
    revision.metadata.annotations.as_ref()?.get(CHANGE_CAUSE).map(String::as_str)
}

/// Returns the revision of this number; 0 is the newest that is not current.
///
/// Errors: there is none.
///
/// Upstream: kubectl pkg/polymorphichelpers `findHistory` (1.37), which takes the second newest, current or not.
pub fn previous<'a>(snapshot: &'a Snapshot, plan: &Plan, number: i64) -> Result<&'a ControllerRevision, String> {
    let mut revisions = plan.history.revisions.iter();
    let summary = if number == 0 {
        revisions.rfind(|summary| !summary.is_equal).ok_or("there is no revision to go back to")?
    } else {
        revisions.rfind(|summary| summary.number == number).ok_or_else(|| no_revision(plan, number))?
    };
    objects(snapshot, plan).get(summary.name.as_str()).copied().ok_or_else(|| no_revision(plan, number))
}

fn no_revision(plan: &Plan, number: i64) -> String {
    let numbers: Vec<String> = plan.history.revisions.iter().map(|summary| summary.number.to_string()).collect();
    format!("there is no revision {number}; there are {}", numbers.join(", "))
}

/// Returns the template that a revision of this number stores.
///
/// Errors: no revision has the number; or its data is none that a controller writes.
pub fn template_of(snapshot: &Snapshot, plan: &Plan, number: i64) -> Result<Value, String> {
    let summary = plan.history.revisions.iter().rfind(|summary| summary.number == number);
    let summary = summary.ok_or_else(|| no_revision(plan, number))?;
    let object = objects(snapshot, plan).get(summary.name.as_str()).copied();
    object.and_then(stored_template).ok_or_else(|| format!("revision {number} ({}) stores no template", summary.name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{HistoryReport, template_of};
    use crate::builders::{Object, current_revision, daemon_set, node, old_revision, plan, pod, snapshot};

    fn with_image(revision: Object, image: &str) -> Object {
        let labels = json!({ "app": "agent" });
        let containers = json!([{ "name": "agent", "image": image }]);
        revision
            .set("/data/spec/template/metadata/labels", labels)
            .set("/data/spec/template/spec/containers", containers)
    }

    #[test]
    fn each_revision_is_compared_with_the_one_before_and_has_its_pods() {
        let set = daemon_set("agent").set("/spec/revisionHistoryLimit", 0);
        let snapshot = snapshot([
            with_image(old_revision(&set, "older", 1), "agent:1"),
            with_image(old_revision(&set, "old", 2), "agent:1.5"),
            current_revision(&set)
                .set("/revision", 3)
                .set("/metadata/annotations", json!({ "kubernetes.io/change-cause": "CVE" })),
            node("n1"),
            node("n2"),
            node("n3"),
            pod("a").on("n1"),
            pod("b").old().on("n2"),
            pod("c").hash("gone").on("n3"),
            set,
        ]);
        let plan = plan(&snapshot);
        let report = HistoryReport::new(&snapshot, &plan);
        let rows: Vec<_> = report
            .items
            .iter()
            .map(|item| {
                (item.revision, item.hash, item.current, item.deleted_next, item.nodes.clone(), item.changes.join("; "))
            })
            .collect();
        assert_eq!(
            rows,
            [
                (1, "older", false, true, vec![], String::new()),
                (2, "old", false, false, vec!["n2"], "containers[agent].image: agent:1 → agent:1.5".to_owned()),
                (3, "new", true, false, vec!["n1"], "containers[agent].image: agent:1.5 → agent:2".to_owned()),
            ]
        );
        assert_eq!(report.items[2].change_cause, Some("CVE"));
        let gone: Vec<_> = report.without_revision.iter().map(|pod| (pod.pod, pod.node, pod.hash)).collect();
        assert_eq!(gone, [("c", Some("n3"), "gone")]);
        assert_eq!(
            template_of(&snapshot, &plan, 2).map(|template| template["spec"]["containers"][0]["image"].clone()),
            Ok(json!("agent:1.5"))
        );
        assert_eq!(template_of(&snapshot, &plan, 4), Err("there is no revision 4; there are 1, 2, 3".to_owned()));
    }
}
