//! Writes: pods are made and deleted, a set is touched. Nothing is sent twice; who calls reads again and decides.

use std::time::Duration;

use http::Method;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::POKE_ANNOTATION;
use crate::apply::{CreatedPod, Target, WriteError, WriteErrorKind, Writer};
use crate::drive::edit::PatchType;

use super::Cluster;
use super::escape;
use super::failure::{Failure, Refusal};
use super::session::{Answer, Call};

/// How writes are made.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Name under which the server records who owns which field.
    pub field_manager: String,
    /// The server only says what it would do.
    pub is_dry_run: bool,
}

/// Writes to one cluster.
pub struct Writes<'a> {
    /// The cluster.
    pub cluster: &'a Cluster,
    /// How.
    pub options: WriteOptions,
}

/// A right to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteRight {
    /// Empty for the core group.
    pub group: &'static str,
    /// The plural, with a slash and the subresource if one is meant.
    pub resource: &'static str,
    /// Such as `delete`.
    pub verb: &'static str,
}

/// All rights that writing can need: the first is all that an OnDelete rollout needs while the controller does its part.
pub const WRITE_RIGHTS: [WriteRight; 3] = [
    WriteRight { group: "", resource: "pods", verb: "delete" },
    WriteRight { group: "", resource: "pods", verb: "create" },
    WriteRight { group: "apps", resource: "daemonsets", verb: "patch" },
];

/// The right to evict pods, which `--evict` needs.
pub const EVICT: WriteRight = WriteRight { group: "", resource: "pods/eviction", verb: "create" };

/// What a review of rights found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reviewed {
    /// Those that are missing; none if all are there.
    Missing(Vec<WriteRight>),
    /// The review itself was refused, in these words.
    Refused(String),
}

impl Writer for Writes<'_> {
    async fn create_pod(&self, pod: &Value) -> Result<CreatedPod, WriteError> {
        let namespace = pod["metadata"]["namespace"].as_str().unwrap_or_default();
        let path = format!("/api/v1/namespaces/{namespace}/pods?{}", self.query());
        let answer = self.send(Method::POST, path, JSON, pod).await?;
        let made: PodOut = serde_json::from_slice(&answer.body).map_err(|_| unreadable())?;
        Ok(CreatedPod { name: made.metadata.name, uid: made.metadata.uid })
    }

    async fn delete_pod(&self, target: &Target<'_>) -> Result<(), WriteError> {
        let path = format!("/api/v1/namespaces/{}/pods/{}", target.namespace, target.name);
        let options = self.delete_options(target);
        self.send(Method::DELETE, path, JSON, &options).await.map(drop)
    }

    async fn evict_pod(&self, target: &Target<'_>) -> Result<(), WriteError> {
        let path = format!("/api/v1/namespaces/{}/pods/{}/eviction?{}", target.namespace, target.name, self.query());
        let eviction = json!({
            "apiVersion": "policy/v1",
            "kind": "Eviction",
            "metadata": { "namespace": target.namespace, "name": target.name },
            "deleteOptions": self.delete_options(target),
        });
        let sent = self.send_once(Method::POST, path, JSON, &eviction).await;
        sent.map(drop).map_err(|(failure, retry_after)| not_evicted(failure, retry_after))
    }
}

const JSON: &str = "application/json";

impl Writes<'_> {
    /// Makes the controller look at a set, which changes nothing else: an annotation is set to the time.
    pub async fn nudge(&self, namespace: &str, name: &str, now: Timestamp) -> Result<(), WriteError> {
        let patch = json!({ "metadata": { "annotations": { POKE_ANNOTATION: now.as_second().to_string() } } });
        self.patch_daemon_set(namespace, name, &patch, PatchType::Merge).await.map(drop)
    }

    /// Patches a set; returns it as it is then.
    pub async fn patch_daemon_set(
        &self,
        namespace: &str,
        name: &str,
        patch: &Value,
        type_: PatchType,
    ) -> Result<Value, WriteError> {
        let path = format!("/apis/apps/v1/namespaces/{namespace}/daemonsets/{name}?{}", self.query());
        let content_type = match type_ {
            PatchType::Merge => "application/merge-patch+json",
            PatchType::Strategic => "application/strategic-merge-patch+json",
        };
        let answer = self.send(Method::PATCH, path, content_type, patch).await?;
        serde_json::from_slice(&answer.body).map_err(|_| unreadable())
    }

    /// Asks which of these rights are missing in a namespace.
    pub async fn review(&self, namespace: &str, rights: &[WriteRight]) -> Result<Reviewed, WriteError> {
        let mut missing = Vec::new();
        for right in rights {
            let (resource, subresource) = right.resource.split_once('/').unwrap_or((right.resource, ""));
            let attributes = json!({
                "namespace": namespace, "verb": right.verb, "group": right.group,
                "resource": resource, "subresource": subresource,
            });
            let review = json!({
                "apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
                "spec": { "resourceAttributes": attributes },
            });
            let path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews".to_owned();
            let answer = match self.send(Method::POST, path, JSON, &review).await {
                Ok(answer) => answer,
                Err(error) if error.kind == WriteErrorKind::Unknown => return Err(error),
                Err(error) => return Ok(Reviewed::Refused(error.message)),
            };
            let review: Review = serde_json::from_slice(&answer.body).map_err(|_| unreadable())?;
            if !review.status.allowed {
                missing.push(*right);
            }
        }
        Ok(Reviewed::Missing(missing))
    }

    fn delete_options(&self, target: &Target<'_>) -> Value {
        let mut options =
            json!({ "apiVersion": "v1", "kind": "DeleteOptions", "preconditions": { "uid": target.uid } });
        if !target.resource_version.is_empty() {
            options["preconditions"]["resourceVersion"] = target.resource_version.into();
        }
        if self.options.is_dry_run {
            options["dryRun"] = json!(["All"]);
        }
        options
    }

    fn query(&self) -> String {
        let dry_run = if self.options.is_dry_run { "&dryRun=All" } else { "" };
        format!("fieldManager={}{dry_run}", percent_encoded(&self.options.field_manager))
    }

    async fn send(
        &self,
        method: Method,
        path: String,
        type_: &'static str,
        body: &Value,
    ) -> Result<Answer, WriteError> {
        let is_create = method == Method::POST;
        let sent = self.send_once(method, path, type_, body).await;
        sent.map_err(|(failure, retry_after)| write_error(failure, retry_after, is_create))
    }

    async fn send_once(
        &self,
        method: Method,
        path: String,
        type_: &'static str,
        body: &Value,
    ) -> Result<Answer, (Failure, Option<Duration>)> {
        let call = Call { method, path, body: Some((type_, body.to_string().into_bytes())), accept: None };
        self.cluster.session.send_once(&call).await
    }
}

/// Words the role that gives these rights in a namespace.
pub fn rules(rights: &[WriteRight], namespace: &str) -> String {
    let rule = |right: &WriteRight| {
        format!("{{apiGroups: [{:?}], resources: [{:?}], verbs: [{:?}]}}", right.group, right.resource, right.verb)
    };
    let (what, rules) = (if rights.len() == 1 { "this rule" } else { "these rules" }, rights.iter().map(rule));
    let rules = rules.collect::<Vec<_>>().join(", ");
    format!("a Role in namespace {namespace:?} with {what}, bound to you, would allow it: {rules}")
}

#[derive(Deserialize)]
struct PodOut {
    metadata: PodMetaOut,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PodMetaOut {
    name: String,
    uid: String,
}

#[derive(Deserialize)]
struct Review {
    #[serde(default)]
    status: ReviewStatus,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ReviewStatus {
    allowed: bool,
}

fn unreadable() -> WriteError {
    let message = "the server's answer cannot be read".to_owned();
    WriteError { kind: WriteErrorKind::Unknown, reason: String::new(), message, retry_after: None }
}

fn write_error(failure: Failure, retry_after: Option<Duration>, is_create: bool) -> WriteError {
    let (kind, reason, message) = match failure {
        Failure::Refused(refusal) => (kind(&refusal, is_create), refusal.reason, refusal.message),
        Failure::Cut(error) => (WriteErrorKind::Unknown, String::new(), error.to_string()),
        Failure::Lost(error) => (WriteErrorKind::Unknown, String::new(), format!("{error:#}")),
    };
    WriteError { kind, reason, message, retry_after }
}

/// Judges why a pod was not evicted: a disruption budget may say no for now, or the server may say that it never will.
fn not_evicted(failure: Failure, retry_after: Option<Duration>) -> WriteError {
    let (kind, words) = match &failure {
        Failure::Refused(refusal) if refusal.code == 429 && refusal.has_cause("DisruptionBudget") => {
            (Some(WriteErrorKind::Disruption), refusal.causes.first().map(|(_, words)| words.clone()))
        }
        Failure::Refused(refusal)
            if refusal.code == 500 && refusal.message.contains("more than one PodDisruptionBudget") =>
        {
            (Some(WriteErrorKind::NeverAllowed), None)
        }
        _ => (None, None),
    };
    let error = write_error(failure, retry_after, false);
    let message = words.filter(|words| !words.is_empty()).unwrap_or(error.message);
    WriteError { kind: kind.unwrap_or(error.kind), message, ..error }
}

fn kind(refusal: &Refusal, is_create: bool) -> WriteErrorKind {
    match refusal.code {
        // A name that is taken already: the next try gets another one.
        409 if is_create => WriteErrorKind::Temporary,
        409 => WriteErrorKind::Conflict,
        404 => WriteErrorKind::NotFound,
        // Nothing of a write can expire for good.
        410 => WriteErrorKind::Temporary,
        // What fails in the middle may have been done all the same; 503 says that it was not begun.
        500..=502 | 504..=599 => WriteErrorKind::Unknown,
        _ if refusal.is_temporary() => WriteErrorKind::Temporary,
        _ => WriteErrorKind::Refused,
    }
}

/// Escapes what may not stand in a query.
fn percent_encoded(text: &str) -> String {
    escape::escaped(text, b"-._~")
}

#[cfg(test)]
mod tests {
    use super::percent_encoded;

    #[test]
    fn a_field_manager_may_hold_anything() {
        assert_eq!(percent_encoded("kubectl-daemonset"), "kubectl-daemonset");
        assert_eq!(percent_encoded("a b&c=ä"), "a%20b%26c%3D%C3%A4");
    }
}
