//! Connections: TCP or a proxy, TLS, HTTP/1.1 and decompression.

use std::time::Duration;

use anyhow::anyhow;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::header::PROXY_AUTHORIZATION;
use http::{HeaderValue, Request, Response, Uri};
use hyper::body::Incoming;
use hyper_timeout::TimeoutConnector;
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connection, HttpConnector};
use hyper_util::rt::TokioExecutor;
use kube::client::{Body, ConfigExt};
use kube::config::Config;
use tower::util::BoxCloneSyncService;
use tower::{BoxError, Service, ServiceExt};
use tower_http::decompression::{Decompression, DecompressionBody};

use super::access::Access;
use super::credentials::Credentials;
use super::failure::last_cause;
use super::forward::forward;

/// As in client-go.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a connection is silent before it is asked whether it is still there. As in Go, about.
const KEEPALIVE: Duration = Duration::from_secs(15);

/// Body of an answer.
pub(super) type AnswerBody = DecompressionBody<Incoming>;

/// Sends requests that are complete, address included.
pub(super) type Http = BoxCloneSyncService<Request<Body>, Response<AnswerBody>, BoxError>;

/// Prepares connections; none is opened yet.
pub(super) fn http(access: &Access, credentials: &Credentials) -> anyhow::Result<Http> {
    let mut tls = access.tls()?;
    if let Some((certificate, key)) = &credentials.identity {
        tls.auth_info.client_certificate_data = Some(BASE64.encode(certificate));
        tls.auth_info.client_key_data = Some(BASE64.encode(key).into());
    }
    let is_compressed = !access.cluster.disable_compression.unwrap_or_default();
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    // A watch may be silent for long: only so is it noticed that the other side has gone.
    tcp.set_keepalive(Some(KEEPALIVE));
    tcp.set_keepalive_interval(Some(KEEPALIVE));
    let Some(proxy) = &access.proxy else { return finish(&tls, tcp, is_compressed) };
    match proxy.scheme_str() {
        Some("socks5" | "socks5h") => {
            let socks = SocksV5::new(proxy.clone(), tcp);
            match user_info(proxy) {
                Some((name, password)) => finish(&tls, socks.with_auth(name, password), is_compressed),
                None => finish(&tls, socks, is_compressed),
            }
        }
        Some("https") => {
            let to_proxy = Config::new(proxy.clone()).rustls_https_connector_with_connector(tcp).map_err(tls_error)?;
            through(access, proxy, &tls, to_proxy, is_compressed)
        }
        _ => through(access, proxy, &tls, tcp, is_compressed),
    }
}

/// Goes through a proxy of HTTP: in a tunnel if the server speaks TLS.
fn through<C>(access: &Access, proxy: &Uri, tls: &Config, to_proxy: C, is_compressed: bool) -> anyhow::Result<Http>
where
    C: Service<Uri, Future: Send + 'static> + Clone + Send + Sync + 'static,
    C::Response: Connection + hyper::rt::Read + hyper::rt::Write + Send + Unpin + 'static,
    C::Error: Into<BoxError>,
{
    let authorization = proxy_authorization(proxy)?;
    if access.server.scheme_str() == Some("https") {
        let tunnel = Tunnel::new(proxy.clone(), to_proxy);
        return match authorization {
            Some(authorization) => finish(tls, tunnel.with_auth(authorization), is_compressed),
            None => finish(tls, tunnel, is_compressed),
        };
    }
    let http = finish(tls, forward(proxy.clone(), to_proxy), is_compressed)?;
    Ok(match authorization {
        None => http,
        Some(authorization) => BoxCloneSyncService::new(http.map_request(move |mut request: Request<Body>| {
            request.headers_mut().insert(PROXY_AUTHORIZATION, authorization.clone());
            request
        })),
    })
}

fn proxy_authorization(proxy: &Uri) -> anyhow::Result<Option<HeaderValue>> {
    let Some((name, password)) = user_info(proxy) else { return Ok(None) };
    let mut value = HeaderValue::from_str(&format!("Basic {}", BASE64.encode(format!("{name}:{password}"))))?;
    value.set_sensitive(true);
    Ok(Some(value))
}

/// Returns name and password in the address of a proxy.
fn user_info(proxy: &Uri) -> Option<(String, String)> {
    let (user_info, _) = proxy.authority()?.as_str().rsplit_once('@')?;
    let (name, password) = user_info.split_once(':').unwrap_or((user_info, ""));
    Some((unescaped(name), unescaped(password)))
}

/// Undoes `%40`.
fn unescaped(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = code.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => (bytes.push(byte), rest = &after[2..]),
            None => (bytes.push(*first), rest = after),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn finish<C>(tls: &Config, connector: C, is_compressed: bool) -> anyhow::Result<Http>
where
    C: Service<Uri> + Clone + Send + Sync + 'static,
    C::Response: Connection + hyper::rt::Read + hyper::rt::Write + Send + Unpin + 'static,
    C::Future: Send + 'static,
    C::Error: std::error::Error + Send + Sync + 'static,
{
    let mut connector = TimeoutConnector::new(tls.rustls_https_connector_with_connector(connector).map_err(tls_error)?);
    connector.set_connect_timeout(Some(CONNECT_TIMEOUT));
    let client = Client::builder(TokioExecutor::new()).build::<_, Body>(connector);
    let client = Decompression::new(client).gzip(is_compressed);
    Ok(BoxCloneSyncService::new(client.map_err(BoxError::from)))
}

fn tls_error(error: kube::Error) -> anyhow::Error {
    match last_cause(&error) {
        cause if cause.contains("KeyMismatch") => anyhow!("the client key does not belong to the client certificate"),
        cause => anyhow!("prepare TLS: {cause}"),
    }
}

#[cfg(test)]
mod tests {
    use http::Uri;

    use super::user_info;

    #[test]
    fn name_and_password_of_a_proxy_may_be_escaped() {
        let pair = |name: &str, password: &str| Some((name.to_owned(), password.to_owned()));
        assert_eq!(user_info(&Uri::from_static("http://me:p%40ss%3a@proxy:1")), pair("me", "p@ss:"));
        assert_eq!(user_info(&Uri::from_static("socks5://me@proxy:1")), pair("me", ""));
        assert_eq!(user_info(&Uri::from_static("http://proxy:1")), None);
    }
}
