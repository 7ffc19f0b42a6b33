//! Proxies: which one is used for a server.
//!
//! Upstream: golang.org/x/net/http/httpproxy `Config.ProxyFunc` (0.40), which kubectl uses through net/http. The
//! `proxy-url` of a cluster comes before the environment and knows no exceptions.

use std::net::IpAddr;

use http::Uri;

use crate::error::UserError;

/// What the environment says about proxies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ProxyVariables {
    pub(super) http: Option<String>,
    pub(super) https: Option<String>,
    pub(super) exceptions: String,
}

impl ProxyVariables {
    /// Reads the variables; the upper-case name comes first.
    pub(super) fn read(environment: super::kubeconfig::Environment<'_>) -> Self {
        let read = |name: &str| {
            let names = [name.to_owned(), name.to_ascii_lowercase()];
            let values = names.iter().filter_map(|name| environment(name)?.into_string().ok());
            values.into_iter().find(|value| !value.is_empty())
        };
        Self { http: read("HTTP_PROXY"), https: read("HTTPS_PROXY"), exceptions: read("NO_PROXY").unwrap_or_default() }
    }

    /// Returns the proxy for a server, if one is to be used.
    ///
    /// Errors: the address of the proxy is none.
    pub(super) fn proxy_for(&self, server: &Uri) -> Result<Option<Uri>, UserError> {
        let is_https = server.scheme_str() == Some("https");
        let Some(proxy) = (if is_https { &self.https } else { &self.http }) else { return Ok(None) };
        let host = server.host().unwrap_or_default().trim_matches(['[', ']']);
        let port = server.port_u16().unwrap_or(if is_https { 443 } else { 80 });
        if is_exempt(host, port, &self.exceptions) { Ok(None) } else { parse(proxy).map(Some) }
    }
}

/// Reads the address of a proxy; without a scheme it is one of HTTP.
pub(super) fn parse(text: &str) -> Result<Uri, UserError> {
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let uri = with_scheme.parse::<Uri>().ok().filter(|uri| uri.host().is_some_and(|host| !host.is_empty()));
    // The address may hold a password, so it is not repeated.
    let uri = uri.ok_or_else(|| UserError::new("the address of the proxy is not a URL"))?;
    match uri.scheme_str() {
        Some("http" | "https" | "socks5" | "socks5h") => Ok(uri),
        scheme => Err(UserError::new(format!(
            "proxies of scheme {:?} are not known: write http, https or socks5",
            scheme.unwrap_or_default()
        ))),
    }
}

/// Returns whether a host is reached without a proxy: this machine always, else what the exceptions name.
fn is_exempt(host: &str, port: u16, exceptions: &str) -> bool {
    let host = host.trim().to_ascii_lowercase();
    let ip = host.parse::<IpAddr>().ok();
    if host == "localhost" || ip.is_some_and(|ip| ip.is_loopback()) {
        return true;
    }
    exceptions.split(',').any(|entry| matches(entry.trim().to_ascii_lowercase().as_str(), &host, ip, port))
}

/// Returns whether one exception, in lower case, names a host.
fn matches(entry: &str, host: &str, ip: Option<IpAddr>, port: u16) -> bool {
    if entry.is_empty() {
        return false;
    }
    if entry == "*" {
        return true;
    }
    if let Some((network, bits)) = network(entry) {
        return ip.is_some_and(|ip| is_in_network(ip, network, bits));
    }
    let (name, only_port) = split_port(entry);
    if only_port.is_some_and(|only| only.parse() != Ok(port)) {
        return false;
    }
    if let Ok(only_ip) = name.parse::<IpAddr>() {
        return ip == Some(only_ip);
    }
    match name.strip_prefix("*.").or_else(|| name.strip_prefix('.')) {
        Some(domain) => host.strip_suffix(domain).is_some_and(|start| start.ends_with('.')),
        None => !name.is_empty() && (host == name || host.strip_suffix(name).is_some_and(|start| start.ends_with('.'))),
    }
}

/// Splits off a port; brackets around an IPv6 address are taken away.
fn split_port(entry: &str) -> (&str, Option<&str>) {
    if let Some((name, rest)) = entry.strip_prefix('[').and_then(|entry| entry.split_once(']')) {
        return (name, rest.strip_prefix(':').filter(|port| !port.is_empty()));
    }
    match entry.rsplit_once(':') {
        Some((name, port)) if !name.contains(':') => (name, Some(port).filter(|port| !port.is_empty())),
        _ => (entry, None),
    }
}

/// Reads `10.0.0.0/8`.
fn network(entry: &str) -> Option<(IpAddr, u32)> {
    let (address, bits) = entry.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let bits: u32 = bits.parse().ok()?;
    (bits <= if address.is_ipv4() { 32 } else { 128 }).then_some((address, bits))
}

fn is_in_network(ip: IpAddr, network: IpAddr, bits: u32) -> bool {
    match (ip.to_canonical(), network) {
        (IpAddr::V4(ip), IpAddr::V4(network)) => {
            let mask = u32::MAX.checked_shl(32 - bits).unwrap_or_default();
            u32::from(ip) & mask == u32::from(network) & mask
        }
        (IpAddr::V6(ip), IpAddr::V6(network)) => {
            let mask = u128::MAX.checked_shl(128 - bits).unwrap_or_default();
            u128::from(ip) & mask == u128::from(network) & mask
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use http::Uri;

    use super::{ProxyVariables, is_exempt, parse};

    #[test]
    fn exceptions_are_read_by_the_rules_of_go() {
        for (exceptions, host, port, expected) in [
            ("", "api.example.com", 443, false),
            ("", "localhost", 443, true),
            ("", "127.0.0.1", 6443, true),
            ("", "127.8.8.8", 6443, true),
            ("", "::1", 6443, true),
            ("*", "api.example.com", 443, true),
            ("example.com", "api.example.com", 443, true),
            ("example.com", "example.com", 443, true),
            ("example.com", "notexample.com", 443, false),
            (".example.com", "api.example.com", 443, true),
            (".example.com", "example.com", 443, false),
            ("*.example.com", "api.example.com", 443, true),
            ("*.example.com", "example.com", 443, false),
            ("EXAMPLE.com", "api.Example.COM", 443, true),
            ("example.com:443", "api.example.com", 443, true),
            ("example.com:6443", "api.example.com", 443, false),
            (",, ,example.com", "example.com", 443, true),
            ("other.org, example.com", "example.com", 443, true),
            ("10.0.0.1", "10.0.0.1", 6443, true),
            ("10.0.0.1:6443", "10.0.0.1", 6443, true),
            ("10.0.0.1:443", "10.0.0.1", 6443, false),
            ("10.0.0.0/8", "10.20.30.40", 6443, true),
            ("10.0.0.0/8", "11.20.30.40", 6443, false),
            ("0.0.0.0/0", "11.20.30.40", 6443, true),
            ("10.0.0.0/8", "ten.example.com", 6443, false),
            ("fd00::/8", "fd00::1", 6443, true),
            ("[fd00::1]:6443", "fd00::1", 6443, true),
            ("fd00::1", "fd00::1", 6443, true),
            ("fd00::1", "fd00::2", 6443, false),
            ("10.0.0", "10.0.0.1", 6443, false),
        ] {
            assert_eq!(is_exempt(host, port, exceptions), expected, "{exceptions:?} and {host}:{port}");
        }
    }

    #[test]
    fn the_scheme_of_the_server_chooses_the_variable() {
        let variables = ProxyVariables {
            http: Some("proxy:1".to_owned()),
            https: Some("socks5://proxy:2".to_owned()),
            exceptions: String::new(),
        };
        let proxy = |server: &'static str| variables.proxy_for(&Uri::from_static(server)).expect("a proxy");
        assert_eq!(proxy("https://api:6443"), Some(Uri::from_static("socks5://proxy:2")));
        assert_eq!(proxy("http://api"), Some(Uri::from_static("http://proxy:1")));
        assert_eq!(proxy("http://localhost:8080"), None);
        assert_eq!(ProxyVariables::default().proxy_for(&Uri::from_static("https://api")).expect("no proxy"), None);
    }

    #[test]
    fn upper_case_names_come_first() {
        let environment = |name: &str| match name {
            "HTTPS_PROXY" => Some("upper:1".into()),
            "https_proxy" => Some("lower:1".into()),
            "no_proxy" => Some("example.com".into()),
            _ => None,
        };
        let variables = ProxyVariables::read(&environment);
        assert_eq!(variables.https.as_deref(), Some("upper:1"));
        assert_eq!(variables.exceptions, "example.com");
    }

    #[test]
    fn what_is_no_proxy_is_refused_without_its_password() {
        for text in ["ftp://user:secret@proxy", "http://", "http://user:secret@:80:80"] {
            let error = parse(text).expect_err(text).to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }
}
