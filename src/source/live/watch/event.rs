//! One line of a watch.

use http::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::store::Delta;
use crate::source::live::failure::Refusal;

/// What a line tells.
#[derive(Debug)]
pub(super) struct WatchEvent<T> {
    /// From here the watch can be taken up again; `None` if the server does not say.
    pub(super) resource_version: Option<String>,
    /// What happened; `None` for a bookmark.
    pub(super) delta: Option<Delta<T>>,
}

/// A line that does not tell what happened.
#[derive(Debug)]
pub(super) enum NoEvent {
    /// The server says why the watch ends.
    Refused(Refusal),
    /// It cannot be read.
    Broken(serde_json::Error),
}

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    type_: String,
    object: ObjectHead,
}

#[derive(Deserialize)]
struct ObjectHead {
    metadata: Option<MetaHead>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MetaHead {
    resource_version: Option<String>,
}

#[derive(Deserialize)]
struct Whole<T> {
    object: T,
}

impl<T: DeserializeOwned> WatchEvent<T> {
    /// Reads a line.
    ///
    /// Upstream: apimachinery pkg/watch `EventType` (1.37). Types that are not known there are passed over.
    pub(super) fn read(line: &[u8]) -> Result<Self, NoEvent> {
        let head: Head = serde_json::from_slice(line).map_err(NoEvent::Broken)?;
        let resource_version = head.object.metadata.and_then(|metadata| metadata.resource_version);
        let object = || serde_json::from_slice::<Whole<T>>(line).map(|whole| whole.object).map_err(NoEvent::Broken);
        let delta = match head.type_.as_str() {
            "ADDED" | "MODIFIED" => Some(Delta::Put(object()?)),
            "DELETED" => Some(Delta::Delete(object()?)),
            "ERROR" => return Err(refused(line)),
            _ => None,
        };
        Ok(Self { resource_version: resource_version.filter(|version| !version.is_empty()), delta })
    }
}

fn refused(line: &[u8]) -> NoEvent {
    let status = match serde_json::from_slice::<Whole<Value>>(line) {
        Ok(whole) => whole.object,
        Err(error) => return NoEvent::Broken(error),
    };
    let code = status["code"].as_u64().and_then(|code| u16::try_from(code).ok());
    let code = code.and_then(|code| StatusCode::from_u16(code).ok()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    NoEvent::Refused(Refusal::new(code, status.to_string().as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{Delta, NoEvent, WatchEvent};
    use crate::api::Node;

    fn read(line: &str) -> Result<WatchEvent<Node>, NoEvent> {
        WatchEvent::read(line.as_bytes())
    }

    #[test]
    fn lines_tell_what_happened_and_from_where_to_go_on() {
        let event = read(r#"{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"7"}}}"#);
        let event = event.expect("an event");
        assert_eq!(event.resource_version.as_deref(), Some("7"));
        assert!(matches!(event.delta, Some(Delta::Put(node)) if node.name() == "a"));
        let event = read(r#"{"object":{"metadata":{"name":"a","resourceVersion":"8"}},"type":"DELETED"}"#);
        assert!(matches!(event.expect("an event").delta, Some(Delta::Delete(node)) if node.name() == "a"));
        let event = read(r#"{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"9"}}}"#).expect("a bookmark");
        assert!(event.delta.is_none());
        assert_eq!(event.resource_version.as_deref(), Some("9"));
    }

    #[test]
    fn errors_are_told_as_the_server_words_them() {
        let gone = r#"{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}"#;
        assert!(
            matches!(read(gone), Err(NoEvent::Refused(refusal)) if refusal.is_expired() && refusal.message == "too old")
        );
        let odd = r#"{"type":"ERROR","object":{}}"#;
        assert!(matches!(read(odd), Err(NoEvent::Refused(refusal)) if refusal.code == 500));
        for broken in ["", "{", r#"{"type":"ADDED","object":{"metadata":{"name":7}}}"#, r#"{"type":"ADDED"}"#] {
            assert!(matches!(read(broken), Err(NoEvent::Broken(_))), "{broken}");
        }
    }
}
