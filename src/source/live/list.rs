//! Lists, page by page; what a page holds is decoded as soon as it is there.

use anyhow::anyhow;
use kube::api::ListParams;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::{ServerError, UserError};

use super::clock::Clock;
use super::failure::{Failure, is_it_an_api_server};
use super::rights::{self, LIST, Readable, Right};
use super::session::Session;

/// How often a list is begun anew because the server no longer knew where it was.
const MAX_RESTARTS: u32 = 3;

/// A whole list.
#[derive(Debug)]
pub(super) struct List<T> {
    pub(super) items: Vec<T>,
    /// Of its first page: changes are watched from here.
    pub(super) resource_version: String,
    /// The server's clock when the last page was sent.
    pub(super) clock: Option<Clock>,
}

/// A list that failed, or that the user may not see.
#[derive(Debug)]
pub(super) enum NoList {
    /// The words of the server, and the rule that would allow it.
    Forbidden { message: String, hint: String },
    /// Any other reason.
    Failed(anyhow::Error),
}

impl NoList {
    /// Makes an error of it.
    pub(super) fn into_error(self) -> anyhow::Error {
        match self {
            Self::Forbidden { message, hint } => {
                let all = rights::may_be_granted(&message).then(|| rights::ALL.to_owned());
                ServerError::new("Forbidden", message).hints([hint]).hints(all).into()
            }
            Self::Failed(error) => error,
        }
    }
}

#[derive(Deserialize)]
struct Page<T> {
    #[serde(default)]
    metadata: PageMeta,
    #[serde(default = "none")]
    items: Option<Vec<T>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PageMeta {
    #[serde(rename = "continue")]
    token: Option<String>,
    #[serde(rename = "resourceVersion")]
    resource_version: Option<String>,
}

fn none<T>() -> Option<T> {
    None
}

/// Lists objects of a kind, decoded as `T`, in a namespace or in all of them; `fields` is a field selector.
pub(super) async fn list<K, T>(
    session: &Session,
    namespace: Option<&str>,
    fields: Option<&str>,
) -> Result<List<T>, NoList>
where
    K: Readable,
    T: DeserializeOwned,
{
    let path = K::url_path(&(), namespace);
    let right = Right::of::<K>(LIST, namespace);
    for _ in 0..MAX_RESTARTS {
        match pages(session, &path, fields, &right).await {
            Err(Failure::Refused(refusal)) if refusal.is_expired() => {}
            Err(failure) => return Err(no_list(failure, &right, session)),
            Ok(list) => return Ok(list),
        }
    }
    Err(NoList::Failed(anyhow!("{}: the server forgot the list before its end, {MAX_RESTARTS} times", right.words())))
}

async fn pages<T: DeserializeOwned>(
    session: &Session,
    path: &str,
    fields: Option<&str>,
    right: &Right<'_>,
) -> Result<List<T>, Failure> {
    let mut list = List { items: Vec::new(), resource_version: String::new(), clock: None };
    let mut params = ListParams { field_selector: fields.map(str::to_owned), ..ListParams::default() };
    params.limit = Some(session.access.chunk_size).filter(|size| *size > 0);
    loop {
        let request = kube::core::Request::new(path).list(&params);
        let request = request.map_err(|error| Failure::Lost(anyhow!("{}: {error}", right.words())))?;
        let answer = session.get(&request.uri().to_string()).await?;
        list.clock = list.clock.max(Clock::read(&answer.headers));
        let page: Page<T> = decode(&answer.body, right, session).map_err(Failure::Lost)?;
        if params.continue_token.is_none() {
            list.resource_version = page.metadata.resource_version.unwrap_or_default();
        }
        list.items.extend(page.items.unwrap_or_default());
        match page.metadata.token.filter(|token| !token.is_empty()) {
            Some(token) => params.continue_token = Some(token),
            None => return Ok(list),
        }
    }
}

/// Decodes an answer; if that fails, it does so again to find out where.
pub(super) fn decode<T: DeserializeOwned>(body: &[u8], right: &Right<'_>, session: &Session) -> anyhow::Result<T> {
    serde_json::from_slice(body).map_err(|untracked| {
        if !untracked.is_data() {
            let error = UserError::new(format!("{}: the answer is not JSON", right.words()));
            return error.hint(is_it_an_api_server(&session.access)).into();
        }
        let mut deserializer = serde_json::Deserializer::from_slice(body);
        let tracked = serde_path_to_error::deserialize::<_, T>(&mut deserializer).err();
        let path = tracked.map(|error| error.path().to_string()).unwrap_or_default();
        let cause = untracked.to_string();
        let cause = cause.rsplit_once(" at line ").map_or(cause.as_str(), |(cause, _)| cause);
        anyhow!("{}: decode {path}: {cause}", right.words())
    })
}

fn no_list(failure: Failure, right: &Right<'_>, session: &Session) -> NoList {
    match failure {
        Failure::Refused(refusal) if refusal.is_forbidden() => {
            let hint = right.hint(&refusal.message);
            NoList::Forbidden { message: refusal.message, hint }
        }
        failure => NoList::Failed(failure.into_error(&right.words(), &session.access)),
    }
}
