//! Owner: who else writes a set, as its metadata tells, and would undo what is written to it.

use crate::api::{DaemonSet, Labels};

/// Somebody who would undo a change of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owner {
    /// Who it is: `Helm release node-agent`.
    pub who: String,
    /// When the change is undone, in a sentence without its subject.
    pub undoes: &'static str,
}

/// Keys of labels and annotations by which tools mark what is theirs, with who they are and when they undo changes.
const MARKS: [(&str, &str, &str); 7] = [
    ("meta.helm.sh/release-name", "Helm release", "may undo it with the next upgrade"),
    ("kustomize.toolkit.fluxcd.io/name", "Flux Kustomization", "undoes it at its next reconciliation"),
    ("helm.toolkit.fluxcd.io/name", "Flux HelmRelease", "undoes it at its next reconciliation"),
    (
        "argocd.argoproj.io/tracking-id",
        "Argo CD application",
        "shows it as out of sync, and with self-heal undoes it at once",
    ),
    (
        "argocd.argoproj.io/instance",
        "Argo CD application",
        "shows it as out of sync, and with self-heal undoes it at once",
    ),
    ("components.gke.io/component-name", "GKE component", "undoes it with the next update of the add-on"),
    ("kubernetes.azure.com/managedby", "add-on of", "undoes it with the next update of the add-on"),
];

/// The key, and the value of it, by which add-on managers mark what they keep as it is.
const ADD_ON: (&str, &str) = ("addonmanager.kubernetes.io/mode", "Reconcile");

/// Returns who would undo changes of a set; `None` if nobody is known.
pub fn owner(daemon_set: &DaemonSet) -> Option<Owner> {
    let metadata = &daemon_set.metadata;
    if let Some(owner) = metadata.owner_references.iter().flatten().next() {
        let who = format!("{} {}", owner.kind, owner.name);
        return Some(Owner { who, undoes: "undoes it as soon as its operator looks" });
    }
    let none = Labels::new();
    let all = [metadata.annotations.as_ref(), metadata.labels.as_ref()].map(|labels| labels.unwrap_or(&none));
    let marked = MARKS.iter().find_map(|(key, who, undoes)| {
        let value = all.iter().find_map(|labels| labels.get(*key))?;
        // A tracking id goes on with what the application holds.
        let name = value.split(':').next().unwrap_or(value);
        Some(Owner { who: format!("{who} {name}"), undoes })
    });
    marked.or_else(|| {
        let is_add_on = all.iter().any(|labels| labels.get(ADD_ON.0).is_some_and(|mode| mode == ADD_ON.1));
        is_add_on.then(|| Owner { who: "the cluster's add-on manager".to_owned(), undoes: "undoes it within a minute" })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::owner;
    use crate::builders::{Object, daemon_set};

    fn who(set: Object) -> Option<String> {
        owner(&set.decode()).map(|owner| format!("{} {}", owner.who, owner.undoes))
    }

    #[test]
    fn those_who_undo_changes_are_known_by_their_marks() {
        assert_eq!(who(daemon_set("agent")), None);
        let operator = daemon_set("agent").owned_by("Installation", "default", "u1");
        assert_eq!(who(operator).as_deref(), Some("Installation default undoes it as soon as its operator looks"));
        let helm = daemon_set("agent").set("/metadata/annotations", json!({ "meta.helm.sh/release-name": "logs" }));
        assert_eq!(who(helm).as_deref(), Some("Helm release logs may undo it with the next upgrade"));
        let tracking = json!({ "argocd.argoproj.io/tracking-id": "logs:apps/DaemonSet:ops/agent" });
        let argo = daemon_set("agent").set("/metadata/annotations", tracking);
        assert!(who(argo).is_some_and(|who| who.starts_with("Argo CD application logs shows it")));
        let mode = |mode: &str| {
            daemon_set("agent").set("/metadata/labels", json!({ "addonmanager.kubernetes.io/mode": mode }))
        };
        assert!(who(mode("Reconcile")).is_some());
        assert_eq!(who(mode("EnsureExists")), None);
    }
}
