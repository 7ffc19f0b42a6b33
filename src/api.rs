//! The Kubernetes objects that decide, or that an explanation shows: slim on purpose.
//!
//! Node and Pod hold only the fields that are read somewhere; DaemonSet and ControllerRevision also keep the untouched JSON,
//! because revisions are compared on it and unknown fields must survive. Every type decodes from JSON and YAML alike, takes
//! `null` for "absent" as the API server does, and fails on a wrong type in a field that it keeps.

mod controller_revision;
mod daemon_set;
mod event;
mod meta;
mod node;
mod pod;
mod quantity;
mod resource;

pub use controller_revision::ControllerRevision;
pub use daemon_set::{
    DaemonSet, DaemonSetSpec, DaemonSetStatus, DaemonSetUpdateStrategy, PodTemplate, PodTemplateMeta, PodTemplateSpec,
    RollingUpdateDaemonSet,
};
pub use event::{Event, ObjectReference};
pub use meta::{Condition, controller_of};
pub use node::{Node, NodeSpec, NodeStatus};
pub use pod::{Container, ContainerState, ContainerStatus, Pod, PodSpec, PodStatus, Terminated, Waiting};
pub use quantity::{Quantity, ResourceList};

pub use k8s_openapi::api::core::v1::{NodeSelectorRequirement, NodeSelectorTerm, Taint, Toleration};
pub use k8s_openapi::api::policy::v1::PodDisruptionBudget;
pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::{
    LabelSelector, LabelSelectorRequirement, ObjectMeta, OwnerReference, Time,
};
pub use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

/// Labels of an object.
pub type Labels = std::collections::BTreeMap<String, String>;

/// Label of pods and ControllerRevisions that holds the hash of the revision.
///
/// Upstream: k8s.io/api/apps/v1 `ControllerRevisionHashLabelKey` (1.37).
pub const CONTROLLER_REVISION_HASH_LABEL: &str = "controller-revision-hash";

/// Label of pods that holds the template generation they were made from.
///
/// Upstream: k8s.io/api/extensions/v1beta1 `DaemonSetTemplateGenerationKey` (1.37).
pub const TEMPLATE_GENERATION_LABEL: &str = "pod-template-generation";

/// Annotation that keeps, as JSON, the update strategy of a DaemonSet whose rollout is paused.
pub const PAUSED_ANNOTATION: &str = "kubectl-daemonset/paused-strategy";

/// Annotation that is set to make the controller look at a DaemonSet; it means nothing else.
pub const POKE_ANNOTATION: &str = "kubectl-daemonset/poke";

/// Annotation of a DaemonSet that holds its template generation.
///
/// Upstream: k8s.io/api/apps/v1 `DeprecatedTemplateGeneration` (1.37).
pub const TEMPLATE_GENERATION_ANNOTATION: &str = "deprecated.daemonset.template.generation";
