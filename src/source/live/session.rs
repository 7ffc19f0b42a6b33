//! Session: sends requests as the user of the kubeconfig, whose credentials it renews when they expire or are refused.

mod stream;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, SET_COOKIE, USER_AGENT};
use http::response::Parts;
use http::{Method, Request, Response, StatusCode, Uri};
use http_body_util::BodyExt as _;
use hyper::body::Bytes;
use kube::client::Body;
use tower::ServiceExt as _;

use crate::error::UserError;

use super::access::Access;
use super::connect::{AnswerBody, Http, http};
use super::credentials::{Credentials, impersonation};
use super::failure::{Failure, Refusal, last_cause};

/// How often a read is tried.
const MAX_TRIES: u32 = 5;
/// The first pause between two tries; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// The longest pause that a server may ask for.
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Where lines about requests go.
pub type Log = fn(&str);

/// A way to talk to one cluster as one user.
pub(super) struct Session {
    pub(super) access: Access,
    log: Log,
    headers: HeaderMap,
    state: Mutex<State>,
}

struct State {
    http: Http,
    credentials: Credentials,
    /// Grows with each renewal.
    generation: u64,
    /// The credentials have been on a request. What a plugin has just given is used once even if it has expired.
    is_used: bool,
}

/// A request, without what is sent with every one.
pub(super) struct Call {
    pub(super) method: Method,
    /// With a query, if need be.
    pub(super) path: String,
    /// Type and bytes of the body; `None` for none.
    pub(super) body: Option<(&'static str, Vec<u8>)>,
    /// Form of the answer; JSON of whole objects by default.
    pub(super) accept: Option<&'static str>,
}

impl Call {
    pub(super) fn get(path: &str) -> Self {
        Self { method: Method::GET, path: path.to_owned(), body: None, accept: None }
    }
}

/// A whole answer.
pub(super) struct Answer {
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Session {
    /// Gets credentials; contacts no cluster yet.
    pub(super) fn new(access: Access, log: Log) -> anyhow::Result<Self> {
        let mut headers = impersonation(&access.user)?;
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        headers.insert(USER_AGENT, HeaderValue::from_static(concat!("kubectl-daemonset/", env!("CARGO_PKG_VERSION"))));
        let credentials = Credentials::obtain(&access)?;
        let http = http(&access, &credentials)?;
        let state = Mutex::new(State { http, credentials, generation: 0, is_used: false });
        Ok(Self { access, log, headers, state })
    }

    /// Reads a path of the server; tries again what may succeed a little later.
    pub(super) async fn get(&self, path: &str) -> Result<Answer, Failure> {
        self.read(&Call::get(path)).await
    }

    /// Reads a path of the server as [`Self::get`] does, in another form.
    pub(super) async fn get_as(&self, accept: &'static str, path: &str) -> Result<Answer, Failure> {
        self.read(&Call { accept: Some(accept), ..Call::get(path) }).await
    }

    async fn read(&self, call: &Call) -> Result<Answer, Failure> {
        let mut pause = FIRST_PAUSE;
        for _ in 1..MAX_TRIES {
            let (failure, wanted) = match self.send_once(call).await {
                Err((failure, wanted)) if is_temporary(&failure) => (failure, wanted),
                result => return result.map_err(|(failure, _)| failure),
            };
            let wait = wanted.unwrap_or(pause);
            if wait > MAX_PAUSE {
                return Err(failure);
            }
            if self.access.verbosity >= 6 || wait > Duration::from_secs(1) {
                (self.log)(&format!("Waiting {wait:?} before the next try: {}", words(&failure)));
            }
            tokio::time::sleep(wait).await;
            pause *= 2;
        }
        self.send_once(call).await.map_err(|(failure, _)| failure)
    }

    /// Sends a request once; a failure comes with the pause that the server asks for.
    pub(super) async fn send_once(&self, call: &Call) -> Result<Answer, (Failure, Option<Duration>)> {
        self.send_within(self.access.timeout, call).await
    }

    /// Sends a request once, as [`Self::send_once`] does, with a timeout of its own.
    pub(super) async fn send_within(
        &self,
        timeout: Option<Duration>,
        call: &Call,
    ) -> Result<Answer, (Failure, Option<Duration>)> {
        let sent = self.sent(call);
        let Some(timeout) = timeout else { return sent.await };
        tokio::time::timeout(timeout, sent).await.unwrap_or_else(|_| Err((self.timed_out(timeout), None)))
    }

    async fn sent(&self, call: &Call) -> Result<Answer, (Failure, Option<Duration>)> {
        let (parts, body) = self.begun(call).await?.into_parts();
        let body = self.whole(body).await?;
        if parts.status.is_success() {
            return Ok(Answer { headers: parts.headers, body });
        }
        Err(refused(&parts, &body))
    }

    /// Returns an answer whose body is still to come.
    async fn begun(&self, call: &Call) -> Result<Response<AnswerBody>, (Failure, Option<Duration>)> {
        let uri = self.uri(&call.path).map_err(|error| (Failure::Lost(error.into()), None))?;
        self.send(call, &uri).await.map_err(|failure| (failure, None))
    }

    async fn whole(&self, body: AnswerBody) -> Result<Bytes, (Failure, Option<Duration>)> {
        let body = body.collect().await;
        body.map(|body| body.to_bytes()).map_err(|error| (Failure::of_transport(&*error, &self.access), None))
    }

    /// Sends a request, once more with new credentials if the old ones are refused: then nothing was done.
    async fn send(&self, call: &Call, uri: &Uri) -> Result<Response<AnswerBody>, Failure> {
        let (http, credentials, generation) = self.current().map_err(Failure::Lost)?;
        let response = self.send_as(call, uri, http, &credentials).await?;
        if response.status() != StatusCode::UNAUTHORIZED || !credentials.is_renewable {
            return Ok(response);
        }
        let (http, credentials, _) = self.renewed(generation).map_err(Failure::Lost)?;
        self.send_as(call, uri, http, &credentials).await
    }

    async fn send_as(
        &self,
        call: &Call,
        uri: &Uri,
        http: Http,
        credentials: &Credentials,
    ) -> Result<Response<AnswerBody>, Failure> {
        let mut request = Request::new(Body::empty());
        *request.method_mut() = call.method.clone();
        *request.uri_mut() = uri.clone();
        *request.headers_mut() = self.headers.clone();
        if let Some(accept) = call.accept {
            request.headers_mut().insert(ACCEPT, HeaderValue::from_static(accept));
        }
        if let Some((type_, bytes)) = &call.body {
            request.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(type_));
            *request.body_mut() = bytes.clone().into();
        }
        credentials.put_on(request.headers_mut());
        let started = Instant::now();
        if self.access.verbosity >= 7 {
            self.log_headers("Request", request.headers());
        }
        let response = http.oneshot(request).await;
        if self.access.verbosity >= 6 {
            let result = match &response {
                Ok(response) => response.status().to_string(),
                Err(error) => last_cause(&**error),
            };
            (self.log)(&format!("{} {uri} {result} in {} milliseconds", call.method, started.elapsed().as_millis()));
        }
        let response = response.map_err(|error| Failure::of_transport(&*error, &self.access))?;
        if self.access.verbosity >= 8 {
            self.log_headers("Response", response.headers());
        }
        Ok(response)
    }

    /// Returns what the next request is sent with; renews credentials that have expired.
    fn current(&self) -> anyhow::Result<(Http, Credentials, u64)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_used && state.credentials.is_expired() && state.credentials.is_renewable {
            state.renew(&self.access)?;
        }
        state.is_used = true;
        Ok((state.http.clone(), state.credentials.clone(), state.generation))
    }

    /// Returns credentials newer than those of this generation.
    fn renewed(&self, generation: u64) -> anyhow::Result<(Http, Credentials, u64)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.generation == generation {
            state.renew(&self.access)?;
        }
        Ok((state.http.clone(), state.credentials.clone(), state.generation))
    }

    fn uri(&self, path: &str) -> Result<Uri, UserError> {
        let server = &self.access.server;
        let base = server.path().trim_end_matches('/');
        // The list paths of kube look like `?&limit=500`.
        let path = format!("{base}{}", path.replace("?&", "?").trim_end_matches('?'));
        let mut parts = server.clone().into_parts();
        parts.path_and_query = path.parse().ok();
        Uri::from_parts(parts).map_err(|_| UserError::new(format!("{path:?} is no path of a URL")))
    }

    fn timed_out(&self, timeout: Duration) -> Failure {
        let host = self.access.host();
        let error = format!("the server {host} gave no whole answer within {timeout:?} (--request-timeout)");
        Failure::Lost(UserError::new(error).into())
    }

    fn log_headers(&self, kind: &str, headers: &HeaderMap) {
        (self.log)(&format!("{kind} Headers:"));
        for (name, value) in headers {
            let is_secret = name == AUTHORIZATION || name == SET_COOKIE || value.is_sensitive();
            let value = if is_secret { "<masked>".into() } else { String::from_utf8_lossy(value.as_bytes()) };
            (self.log)(&format!("    {name}: {value}"));
        }
    }
}

impl State {
    /// Gets new credentials; connections are made anew only if the client certificate is another one.
    fn renew(&mut self, access: &Access) -> anyhow::Result<()> {
        let credentials = Credentials::obtain(access)?;
        if credentials.identity != self.credentials.identity {
            self.http = http(access, &credentials)?;
        }
        self.credentials = credentials;
        self.generation += 1;
        Ok(())
    }
}

/// Returns the failure that an answer tells, and the pause that it asks for.
fn refused(parts: &Parts, body: &[u8]) -> (Failure, Option<Duration>) {
    let wanted = parts.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let wanted = wanted.filter(|seconds| *seconds > 0).map(Duration::from_secs);
    (Failure::Refused(Refusal::new(parts.status, body)), wanted)
}

fn is_temporary(failure: &Failure) -> bool {
    match failure {
        Failure::Refused(refusal) => refusal.is_temporary(),
        Failure::Cut(_) => true,
        Failure::Lost(_) => false,
    }
}

/// Returns the words of a failure, without a prefix.
pub(super) fn words(failure: &Failure) -> String {
    match failure {
        Failure::Refused(refusal) => refusal.message.clone(),
        Failure::Cut(error) => error.to_string(),
        Failure::Lost(error) => error.to_string(),
    }
}
