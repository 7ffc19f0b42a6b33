//! What several kinds of findings say of taints: which go by themselves, and how to tolerate the others.

use serde_json::{Value, json};

use crate::api::Taint;
use crate::findings::context::Context;
use crate::plan::NodePlan;
use crate::upstream::taints::taint_text;

/// Keys of the taints that say that a node is not up, and that go by themselves.
const NOT_UP: [&str; 6] = [
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/network-unavailable",
    "node.cloudprovider.kubernetes.io/uninitialized",
    "node.cluster.x-k8s.io/uninitialized",
    "karpenter.sh/unregistered",
];

/// Key of the taint of control-plane nodes, and what became of its older form.
pub const CONTROL_PLANE: &str = "node-role.kubernetes.io/control-plane";
/// What is to be said of it.
pub const RENAMED: &str = " (which since 1.24 stands in place of node-role.kubernetes.io/master)";

/// Returns whether a taint with this key goes when the node, or an agent on it, is up.
pub fn is_not_up(key: &str) -> bool {
    NOT_UP.contains(&key) || key.ends_with("/agent-not-ready") || key.starts_with("startup-taint.cluster-autoscaler")
}

/// Returns how to tolerate the taints of a node.
pub fn toleration_remedy(ctx: &Context<'_>, plan: &NodePlan) -> String {
    let Some(node) = ctx.snapshot.node(&plan.name) else { return String::new() };
    let taints = ctx.untolerated_taints(node);
    let (Some(first), has_list) = (taints.first(), !ctx.daemon_set.spec.template.spec.tolerations.is_empty()) else {
        return String::new();
    };
    let renamed = if first.key == CONTROL_PLANE { RENAMED } else { "" };
    let tolerations: Vec<_> = taints.iter().map(|taint| toleration(taint)).collect();
    let patch: Vec<_> = if has_list {
        tolerations
            .iter()
            .map(|value| json!({ "op": "add", "path": "/spec/template/spec/tolerations/-", "value": value }))
            .collect()
    } else {
        vec![json!({ "op": "add", "path": "/spec/template/spec/tolerations", "value": tolerations })]
    };
    let texts: Vec<_> = taints.iter().map(|taint| taint_text(taint)).collect();
    format!(
        "To run there, add a toleration for {}{renamed} to the template, which starts a rollout: {}.",
        texts.join(" and "),
        ctx.patch(&Value::Array(patch))
    )
}

fn toleration(taint: &Taint) -> Value {
    match taint.value.as_deref().filter(|value| !value.is_empty()) {
        Some(value) => json!({ "key": taint.key, "value": value, "effect": taint.effect }),
        None => json!({ "key": taint.key, "operator": "Exists", "effect": taint.effect }),
    }
}
