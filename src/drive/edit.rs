//! Edit: changes to a set that are written as one patch: restart, undo, pause, resume.
//!
//! Each comes with the set as it will be, so that its plan tells what the change means.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::api::{ControllerRevision, DaemonSet, PAUSED_ANNOTATION, TEMPLATE_GENERATION_ANNOTATION};
use crate::upstream::pods::template_generation;
use crate::upstream::revisions::stored_template;

/// Annotation of a template that is set to restart its pods.
///
/// Upstream: kubectl pkg/polymorphichelpers `defaultObjectRestarter` (1.37).
const RESTARTED_AT: &str = "kubectl.kubernetes.io/restartedAt";

/// A change to a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Edit {
    /// What was done, in kubectl's word: `restarted`.
    pub done: &'static str,
    /// The patch; holds the resourceVersion of the set that was read.
    pub patch: Value,
    /// How the patch is to be understood.
    pub type_: PatchType,
    /// The set as it will be, once the controller has looked at it.
    pub after: DaemonSet,
}

/// How a patch is to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchType {
    /// RFC 7386.
    Merge,
    /// With Kubernetes' directives, such as `$patch: replace`.
    Strategic,
}

/// Why nothing is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoEdit {
    /// It is so already.
    AlreadySo(String),
    /// It would not be what was meant.
    Refused(String),
}

/// Replaces all pods, by an annotation of the template.
///
/// Upstream: kubectl pkg/polymorphichelpers `defaultObjectRestarter` (1.37).
pub fn restart(daemon_set: &DaemonSet, now: Timestamp) -> Result<Edit, NoEdit> {
    let patch = json!({ "spec": { "template": { "metadata": { "annotations": { RESTARTED_AT: now.to_string() } } } } });
    let mut template = daemon_set.raw.pointer("/spec/template").cloned().unwrap_or_default();
    template["metadata"]["annotations"][RESTARTED_AT] = now.to_string().into();
    let after = with_template(daemon_set, template)?;
    Ok(edit(daemon_set, "restarted", patch, PatchType::Strategic, after))
}

/// Goes back to the template of a revision.
///
/// Upstream: kubectl pkg/polymorphichelpers `DaemonSetRollbacker` (1.37).
pub fn undo(daemon_set: &DaemonSet, revision: &ControllerRevision, current: Option<&str>) -> Result<Edit, NoEdit> {
    if current == Some(revision.name()) {
        let why = format!("current template already matches revision {}", revision.revision);
        return Err(NoEdit::AlreadySo(why));
    }
    let Some(template) = stored_template(revision) else {
        return Err(NoEdit::Refused(format!("revision {} stores no template", revision.revision)));
    };
    let after = with_template(daemon_set, template)?;
    Ok(edit(daemon_set, "rolled back", revision.data.clone(), PatchType::Strategic, after))
}

/// Holds the rollout of a RollingUpdate set: the strategy becomes OnDelete, and an annotation keeps the former one.
pub fn pause(daemon_set: &DaemonSet) -> Result<Edit, NoEdit> {
    let strategy = daemon_set.raw.pointer("/spec/updateStrategy").unwrap_or(&Value::Null);
    if daemon_set.is_paused() {
        return Err(NoEdit::AlreadySo("it is paused already".to_owned()));
    }
    if daemon_set.paused_strategy().is_some() {
        return Err(NoEdit::Refused(left_differently(daemon_set)));
    }
    match daemon_set.spec.update_strategy.type_.as_str() {
        "RollingUpdate" => {}
        "OnDelete" => {
            let why =
                "its strategy is OnDelete: nothing is replaced until somebody deletes it, so there is nothing to pause";
            return Err(NoEdit::AlreadySo(why.to_owned()));
        }
        other => return Err(NoEdit::Refused(format!("its strategy is {other:?}, which rolls nothing out"))),
    }
    let patch = json!({
        "metadata": { "annotations": { PAUSED_ANNOTATION: strategy.to_string() } },
        "spec": { "updateStrategy": { "type": "OnDelete" } },
    });
    let mut raw = daemon_set.raw.clone();
    raw["metadata"]["annotations"][PAUSED_ANNOTATION] = strategy.to_string().into();
    raw["spec"]["updateStrategy"]["type"] = "OnDelete".into();
    Ok(edit(daemon_set, "paused", patch, PatchType::Merge, decoded(raw)?))
}

/// Lets a paused rollout go on, with the strategy that it had.
pub fn resume(daemon_set: &DaemonSet) -> Result<Edit, NoEdit> {
    let Some(former) = daemon_set.paused_strategy() else {
        let type_ = &daemon_set.spec.update_strategy.type_;
        return Err(if type_ == "OnDelete" {
            NoEdit::Refused("it was not paused by this tool: OnDelete is its own strategy".to_owned())
        } else {
            NoEdit::AlreadySo("it is not paused".to_owned())
        });
    };
    let now = daemon_set.raw.pointer("/spec/updateStrategy").unwrap_or(&Value::Null);
    if !daemon_set.is_paused() || !is_kept(&former["rollingUpdate"], &now["rollingUpdate"]) {
        return Err(NoEdit::Refused(left_differently(daemon_set)));
    }
    let patch = json!({
        "metadata": { "annotations": { PAUSED_ANNOTATION: null } },
        "spec": { "updateStrategy": former },
    });
    let mut raw = daemon_set.raw.clone();
    if let Some(annotations) = raw["metadata"]["annotations"].as_object_mut() {
        annotations.remove(PAUSED_ANNOTATION);
    }
    raw["spec"]["updateStrategy"] = former;
    Ok(edit(daemon_set, "resumed", patch, PatchType::Merge, decoded(raw)?))
}

/// Returns whether every value of the former parameters is there or went missing; none is another one.
fn is_kept(former: &Value, now: &Value) -> bool {
    let fields = now.as_object().into_iter().flatten();
    fields.into_iter().all(|(name, value)| value.is_null() || former.get(name) == Some(value))
}

fn left_differently(daemon_set: &DaemonSet) -> String {
    let now = daemon_set.raw.pointer("/spec/updateStrategy").unwrap_or(&Value::Null);
    let former = daemon_set.metadata.annotations.as_ref().and_then(|all| all.get(PAUSED_ANNOTATION));
    format!(
        "its strategy is not as pause left it: now {now}, and the annotation {PAUSED_ANNOTATION} keeps {}; make the strategy \
         what it should be and remove the annotation",
        former.map(String::as_str).unwrap_or_default()
    )
}

fn edit(daemon_set: &DaemonSet, done: &'static str, mut patch: Value, type_: PatchType, after: DaemonSet) -> Edit {
    // What changed since the read must not be written over.
    patch["metadata"]["resourceVersion"] = daemon_set.metadata.resource_version.clone().into();
    Edit { done, patch, type_, after }
}

/// Returns the set with another template, whose generation the API server counts.
fn with_template(daemon_set: &DaemonSet, template: Value) -> Result<DaemonSet, NoEdit> {
    let mut raw = daemon_set.raw.clone();
    raw["spec"]["template"] = template;
    if let Some(generation) = template_generation(daemon_set) {
        raw["metadata"]["annotations"][TEMPLATE_GENERATION_ANNOTATION] = (generation + 1).to_string().into();
    }
    decoded(raw)
}

fn decoded(raw: Value) -> Result<DaemonSet, NoEdit> {
    serde_json::from_value(raw).map_err(|error| NoEdit::Refused(format!("the changed set cannot be read: {error}")))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{NoEdit, PatchType, pause, restart, resume, undo};
    use crate::api::{ControllerRevision, DaemonSet};
    use crate::builders::{NOW, Object, current_revision, daemon_set, old_revision};

    const PAUSED: &str = "kubectl-daemonset/paused-strategy";

    fn set() -> Object {
        daemon_set("agent").set("/metadata/resourceVersion", "7")
    }

    fn refused<T: std::fmt::Debug>(result: Result<T, NoEdit>) -> String {
        match result {
            Err(NoEdit::Refused(why)) => why,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_restart_is_what_kubectl_writes() {
        let set = set().set("/metadata/annotations", json!({ "deprecated.daemonset.template.generation": "4" }));
        let edit = restart(&set.decode(), NOW.parse().expect("a time")).expect("a set can be restarted");
        assert_eq!(
            edit.patch,
            json!({ "metadata": { "resourceVersion": "7" }, "spec": { "template": { "metadata":
                { "annotations": { "kubectl.kubernetes.io/restartedAt": NOW } } } } })
        );
        assert_eq!(edit.type_, PatchType::Strategic);
        assert_eq!(edit.after.raw["metadata"]["annotations"]["deprecated.daemonset.template.generation"], "5");
    }

    #[test]
    fn an_undo_writes_the_stored_template_as_it_is() {
        let set = set();
        let stored = old_revision(&set, "old", 1).set("/data/spec/template/spec/fromTheFuture", json!({ "a": 1 }));
        let revision: ControllerRevision = stored.decode();
        let edit = undo(&set.clone().decode(), &revision, Some("agent-new")).expect("a revision to go back to");
        assert_eq!(edit.patch["spec"], revision.data["spec"]);
        assert_eq!(edit.patch["metadata"], json!({ "resourceVersion": "7" }));
        assert_eq!(edit.after.raw["spec"]["template"]["spec"]["fromTheFuture"], json!({ "a": 1 }));
        assert_eq!(edit.after.raw["spec"]["template"].get("$patch"), None);

        let current = current_revision(&set).decode();
        let same = undo(&set.decode(), &current, Some("agent-new"));
        assert_eq!(same, Err(NoEdit::AlreadySo("current template already matches revision 2".to_owned())));
    }

    #[test]
    fn a_pause_touches_the_type_alone_and_a_resume_brings_all_back() {
        let before: DaemonSet = set().decode();
        let paused = pause(&before).expect("a rolling update can be paused");
        assert_eq!(paused.patch["spec"], json!({ "updateStrategy": { "type": "OnDelete" } }));
        assert!(paused.after.is_paused());
        let rolling = &before.raw["spec"]["updateStrategy"]["rollingUpdate"];
        assert_eq!(&paused.after.raw["spec"]["updateStrategy"]["rollingUpdate"], rolling);

        assert_eq!(pause(&paused.after), Err(NoEdit::AlreadySo("it is paused already".to_owned())));

        let resumed = resume(&paused.after).expect("a paused set can be resumed");
        assert_eq!(resumed.after.raw["spec"], before.raw["spec"]);
        assert_eq!(resumed.patch["metadata"]["annotations"], json!({ PAUSED: null }));
        assert!(!resumed.after.is_paused());
    }

    #[test]
    fn what_went_missing_while_paused_is_brought_back() {
        let mut raw = pause(&set().decode()).expect("a rolling update can be paused").after.raw;
        raw["spec"]["updateStrategy"] = json!({ "type": "OnDelete" });
        let resumed = resume(&serde_json::from_value(raw).expect("a set")).expect("it went missing only");
        let strategy = &resumed.patch["spec"]["updateStrategy"];
        assert_eq!(
            *strategy,
            json!({ "type": "RollingUpdate", "rollingUpdate": { "maxUnavailable": 1, "maxSurge": 0 } })
        );
    }

    #[test]
    fn what_somebody_else_changed_is_left_alone() {
        let paused = pause(&set().decode()).expect("a rolling update can be paused").after.raw;
        let changed =
            |pointer: &str, value: Value| -> DaemonSet { Object(paused.clone()).set(pointer, value).decode() };
        let other = changed("/spec/updateStrategy/rollingUpdate/maxUnavailable", json!(3));
        let why = refused(resume(&other));
        assert!(
            why.contains("now {\"rollingUpdate\":{\"maxSurge\":0,\"maxUnavailable\":3},\"type\":\"OnDelete\"}"),
            "{why}"
        );
        assert!(
            why.contains("keeps {\"rollingUpdate\":{\"maxSurge\":0,\"maxUnavailable\":1},\"type\":\"RollingUpdate\"}"),
            "{why}"
        );

        let back = changed("/spec/updateStrategy/type", json!("RollingUpdate"));
        refused(resume(&back));
        refused(pause(&back));
    }

    #[test]
    fn a_set_that_was_on_delete_all_along_is_not_taken_for_paused() {
        let set: DaemonSet = set().on_delete().decode();
        assert!(matches!(pause(&set), Err(NoEdit::AlreadySo(why)) if why.contains("nothing to pause")));
        assert!(refused(resume(&set)).contains("not paused by this tool"));
        let rolling: DaemonSet = self::set().decode();
        assert_eq!(resume(&rolling), Err(NoEdit::AlreadySo("it is not paused".to_owned())));
    }
}
