//! Why a request has no answer that can be used, in kubectl's words.

use std::error::Error;
use std::io;

use http::StatusCode;
use serde::Deserialize;

use crate::error::{ServerError, UserError};

use super::access::Access;

/// Why a request failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server refused.
    Refused(Refusal),
    /// There was no whole answer, though there might be one the next time.
    Cut(UserError),
    /// There is no answer to be had.
    Lost(anyhow::Error),
}

/// An answer that says no.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    pub(super) code: u16,
    pub(super) reason: String,
    pub(super) message: String,
    /// Why, in detail: the reason of each cause and its words.
    pub(super) causes: Vec<(String, String)>,
    /// The API said it, not something between it and us.
    is_status: bool,
    /// What servers written in Go say to those who forget TLS.
    wants_tls: bool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct StatusIn {
    kind: String,
    message: Option<String>,
    reason: Option<String>,
    details: Option<DetailsIn>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct DetailsIn {
    causes: Option<Vec<CauseIn>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct CauseIn {
    reason: Option<String>,
    message: Option<String>,
}

impl Refusal {
    /// Reads the answer; what is not a Status of the API is told by its code.
    pub(super) fn new(code: StatusCode, body: &[u8]) -> Self {
        let status: StatusIn = serde_json::from_slice(body).unwrap_or_default();
        let is_status = status.kind == "Status";
        let words = code.canonical_reason().unwrap_or("no known status");
        let causes = status.details.and_then(|details| details.causes).unwrap_or_default().into_iter();
        let message = status.message.filter(|message| is_status && !message.is_empty());
        Self {
            code: code.as_u16(),
            reason: status.reason.filter(|reason| !reason.is_empty()).unwrap_or_else(|| reason_of(code).to_owned()),
            message: message.unwrap_or_else(|| format!("the server answered {} {words}", code.as_u16())),
            causes: causes.map(|cause| (cause.reason.unwrap_or_default(), cause.message.unwrap_or_default())).collect(),
            is_status,
            wants_tls: String::from_utf8_lossy(body).contains("HTTP request to an HTTPS server"),
        }
    }

    pub(super) fn has_cause(&self, reason: &str) -> bool {
        self.causes.iter().any(|(other, _)| other == reason)
    }

    pub(super) fn is_forbidden(&self) -> bool {
        self.code == 403
    }

    pub(super) fn is_expired(&self) -> bool {
        self.code == 410
    }

    /// Returns whether the same request may succeed a little later.
    pub(super) fn is_temporary(&self) -> bool {
        matches!(self.code, 429 | 500 | 502 | 503 | 504)
    }

    /// Words the refusal of a request, given in words, for a person.
    pub(super) fn into_error(self, what: &str, access: &Access) -> anyhow::Error {
        if self.code == 401 {
            let hint = match &access.user_name {
                _ if access.server.scheme_str() == Some("http") => {
                    "credentials are not sent to an address of http://".to_owned()
                }
                Some(user) => format!("the credentials of user {user:?} of the kubeconfig may have expired"),
                None => "no user of a kubeconfig is used; give credentials, for example with --token".to_owned(),
            };
            return UserError::new("You must be logged in to the server (Unauthorized)").hint(hint).into();
        }
        if self.is_status || self.code == 403 {
            return ServerError::new(self.reason, self.message).into();
        }
        let hint = match self.wants_tls {
            true => "the server speaks TLS: write https:// in its address".to_owned(),
            false => is_it_an_api_server(access),
        };
        UserError::new(format!("{what}: {}", self.message)).hint(hint).into()
    }
}

/// Returns the hint for answers that no API server gives.
pub(super) fn is_it_an_api_server(access: &Access) -> String {
    format!("is {} the address of a Kubernetes API server?", access.server)
}

/// Returns the reason that the API gives with a code.
fn reason_of(code: StatusCode) -> &'static str {
    match code.as_u16() {
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        410 => "Expired",
        429 => "TooManyRequests",
        503 => "ServiceUnavailable",
        504 => "Timeout",
        500.. => "InternalError",
        _ => "BadRequest",
    }
}

impl Failure {
    /// Words the failure of a request, given in words, for a person.
    pub(super) fn into_error(self, what: &str, access: &Access) -> anyhow::Error {
        match self {
            Self::Refused(refusal) => refusal.into_error(what, access),
            Self::Cut(error) => anyhow::Error::from(error).context(what.to_owned()),
            Self::Lost(error) => error,
        }
    }

    /// Judges why a request was not answered.
    pub(super) fn of_transport(error: &(dyn Error + 'static), access: &Access) -> Self {
        let host = access.host();
        // With a proxy nothing else is dialed.
        let (kind, dialed) = access.proxy_host().map_or(("server", host.clone()), |proxy| ("proxy", proxy));
        if chain(error).any(|cause| is_io(cause, io::ErrorKind::ConnectionRefused)) {
            let text =
                format!("The connection to the {kind} {dialed} was refused - did you specify the right host or port?");
            return Self::Lost(UserError::new(text).into());
        }
        let through = access.proxy_host().map_or_else(String::new, |proxy| format!(" through the proxy {proxy}"));
        let unable = format!("Unable to connect to the server{through}");
        let cause = last_cause(error);
        if let Some((text, hint)) = known_cause(&cause, error, &dialed) {
            let error = UserError::new(format!("{unable}: {text}"));
            return Self::Lost(error.hints(hint.map(str::to_owned)).into());
        }
        let legacy = chain(error).find_map(|cause| cause.downcast_ref::<hyper_util::client::legacy::Error>());
        let is_connect = legacy.is_some_and(hyper_util::client::legacy::Error::is_connect);
        if is_connect {
            Self::Lost(UserError::new(format!("{unable}: {cause}")).into())
        } else {
            Self::Cut(UserError::new(format!("the connection to the server {host} was cut: {cause}")))
        }
    }
}

/// Returns the text and the hint for causes that people meet. `dialed` is a host with its port.
fn known_cause(cause: &str, error: &(dyn Error + 'static), dialed: &str) -> Option<(String, Option<&'static str>)> {
    const CHECK: &str = "the certificate of the server is checked by certificate-authority of the kubeconfig, or \
         --certificate-authority";
    let certificate = |text: &str| Some((format!("x509: {text}"), Some(CHECK)));
    if chain(error).any(|cause| cause.to_string().starts_with("dns error")) {
        let name = dialed.rsplit_once(':').map_or(dialed, |(name, _)| name);
        return Some((format!("lookup {name}: no such host"), None));
    }
    if chain(error).any(|cause| is_io(cause, io::ErrorKind::TimedOut)) {
        return Some((format!("dial {dialed}: i/o timeout"), None));
    }
    if cause.contains("InvalidContentType") {
        let hint = "is the address http:// instead of https://?";
        return Some(("the server does not speak TLS".to_owned(), Some(hint)));
    }
    let (_, problem) = cause.split_once("invalid peer certificate: ")?;
    match problem {
        _ if problem.starts_with("UnknownIssuer") || problem.starts_with("BadSignature") => {
            certificate("certificate signed by unknown authority")
        }
        _ if problem.contains("CaUsedAsEndEntity") => {
            let hint = "give the server a certificate that its authority has signed, or use --insecure-skip-tls-verify";
            Some(("x509: the server shows the certificate of an authority as its own".to_owned(), Some(hint)))
        }
        _ if problem.contains("expired") || problem.starts_with("Expired") => {
            Some(("x509: certificate has expired or is not yet valid".to_owned(), None))
        }
        _ if problem.contains("not valid for name") || problem.starts_with("NotValidForName") => {
            let hint = "with --tls-server-name the certificate may be for another name than the address";
            Some((format!("x509: {}", wrong_name(problem)), Some(hint)))
        }
        _ => certificate(problem),
    }
}

/// Words `… for name "a"; certificate is only valid for DnsName("b") or DnsName("c")` as Go does.
fn wrong_name(problem: &str) -> String {
    let wanted = problem.split('"').nth(1).unwrap_or("this name");
    match problem.split_once("is only valid for ") {
        Some((_, names)) => {
            let names = names.replace(['"', '(', ')'], "").replace("DnsName", "").replace("IpAddress", "");
            format!("certificate is valid for {names}, not {wanted}")
        }
        None => format!("certificate is not valid for {wanted}"),
    }
}

/// Returns an error and all behind it; what an `io::Error` wraps is shown too.
fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'e (dyn Error + 'static)| {
        let error: &'e (dyn Error + 'static) = *error;
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|wrapped| wrapped as &(dyn Error + 'static)).or_else(|| error.source())
    })
}

fn is_io(error: &(dyn Error + 'static), kind: io::ErrorKind) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == kind)
}

/// Returns the text of the innermost cause, on one line.
pub(super) fn last_cause(error: &(dyn Error + 'static)) -> String {
    chain(error).last().map(ToString::to_string).unwrap_or_default().replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::wrong_name;

    #[test]
    fn names_of_a_certificate_are_told() {
        for (problem, expected) in [
            (
                "certificate not valid for name \"a\"; certificate is only valid for DnsName(\"b\") or IpAddress(\"::1\")",
                "certificate is valid for b or ::1, not a",
            ),
            (
                "certificate not valid for name \"a\"; certificate is not valid for any names",
                "certificate is not valid for a",
            ),
        ] {
            assert_eq!(wrong_name(problem), expected);
        }
    }
}
