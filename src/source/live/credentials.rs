//! Credentials: who asks, from wherever the kubeconfig says, and until when that holds.

use std::time::Duration;

use anyhow::{Context as _, anyhow};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use http::HeaderValue;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName};
use jiff::Timestamp;
use kube::config::{AuthInfo, AuthProviderConfig};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use secrecy::ExposeSecret;

use crate::error::UserError;

use super::access::{Access, data_or_file};
use super::escape;
use super::exec;

/// How long what a token file holds is believed; Kubernetes rotates the file of a pod.
const TOKEN_FILE_LIFETIME: Duration = Duration::from_secs(60);

/// What is sent to prove who asks.
#[derive(Clone, Default)]
pub(super) struct Credentials {
    authorization: Option<HeaderValue>,
    /// Client certificate and key, in PEM.
    pub(super) identity: Option<(Vec<u8>, Vec<u8>)>,
    expires: Option<Timestamp>,
    /// Others can be had where these came from.
    pub(super) is_renewable: bool,
}

impl Credentials {
    /// Reads files and runs the credential plugin, if there is one.
    pub(super) fn obtain(access: &Access) -> anyhow::Result<Self> {
        let user = &access.user;
        let mut credentials = Self { identity: identity(user)?, ..Self::default() };
        if let Some(token) = token(user)? {
            credentials.authorization = Some(bearer(&token)?);
            credentials.is_renewable = token_file(user).is_some();
            credentials.expires =
                Timestamp::now().checked_add(TOKEN_FILE_LIFETIME).ok().filter(|_| credentials.is_renewable);
        } else if let Some(name) = user.username.as_deref().filter(|name| !name.is_empty()) {
            let password = user.password.as_ref().map(|password| password.expose_secret()).unwrap_or_default();
            let pair = BASE64.encode(format!("{name}:{password}"));
            credentials.authorization = Some(sensitive(&format!("Basic {pair}"))?);
        } else if let Some(plugin) = user.exec.as_ref().filter(|_| credentials.identity.is_none()) {
            credentials.take(exec::run(plugin, &access.cluster, access.quiet_until)?)?;
        } else if let Some(provider) = &user.auth_provider {
            credentials.authorization = Some(bearer(provider_token(provider)?)?);
        }
        Ok(credentials)
    }

    fn take(&mut self, status: exec::ExecStatus) -> anyhow::Result<()> {
        if let Some(token) = status.token.filter(|token| !token.is_empty()) {
            self.authorization = Some(bearer(&token)?);
        }
        if let (Some(certificate), Some(key)) = (status.client_certificate_data, status.client_key_data) {
            let identity = in_pem((certificate.into_bytes(), key.into_bytes())).context("getting credentials: exec")?;
            self.identity = Some(identity);
        }
        self.expires = status.expiration_timestamp;
        self.is_renewable = true;
        Ok(())
    }

    /// Returns whether they no longer hold.
    pub(super) fn is_expired(&self) -> bool {
        self.expires.is_some_and(|expires| expires <= Timestamp::now())
    }

    /// Puts them on a request.
    pub(super) fn put_on(&self, headers: &mut HeaderMap) {
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
    }
}

/// Returns the bearer token: that of the file, as long as it can be read, comes before the other.
fn token(user: &AuthInfo) -> anyhow::Result<Option<String>> {
    let token = user.token.as_ref().map(|token| token.expose_secret()).filter(|token| !token.is_empty());
    let from_file = token_file(user).map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| format!("read token file {path:?}"))?;
        match text.trim() {
            "" => Err(anyhow!("read token file {path:?}: it is empty")),
            token => Ok(token.to_owned()),
        }
    });
    match (from_file, token) {
        (Some(Ok(from_file)), _) => Ok(Some(from_file)),
        (_, Some(token)) => Ok(Some(token.to_owned())),
        (from_file, None) => from_file.transpose(),
    }
}

fn token_file(user: &AuthInfo) -> Option<&str> {
    user.token_file.as_deref().filter(|path| !path.is_empty())
}

fn bearer(token: &str) -> anyhow::Result<HeaderValue> {
    sensitive(&format!("Bearer {token}"))
}

fn sensitive(text: &str) -> anyhow::Result<HeaderValue> {
    let mut value = HeaderValue::from_str(text).map_err(|_| anyhow!("the token or password holds a line break"))?;
    value.set_sensitive(true);
    Ok(value)
}

fn identity(user: &AuthInfo) -> anyhow::Result<Option<(Vec<u8>, Vec<u8>)>> {
    let path = user.client_certificate.as_deref();
    let certificate = data_or_file(user.client_certificate_data.as_deref(), path, "client certificate")?;
    let key_data = user.client_key_data.as_ref().map(|data| data.expose_secret());
    let key = data_or_file(key_data, user.client_key.as_deref(), "client key")?;
    certificate.zip(key).map(in_pem).transpose()
}

/// Errors: the certificate or the key is not in PEM.
fn in_pem((certificate, key): (Vec<u8>, Vec<u8>)) -> anyhow::Result<(Vec<u8>, Vec<u8>)> {
    CertificateDer::from_pem_slice(&certificate)
        .map_err(|_| anyhow!("read client certificate: it holds no certificate in PEM"))?;
    PrivateKeyDer::from_pem_slice(&key).map_err(|_| anyhow!("read client key: it holds no private key in PEM"))?;
    Ok((certificate, key))
}

/// Returns the token that `kubectl` got of an OIDC provider; renewing it is left to a plugin.
fn provider_token(provider: &AuthProviderConfig) -> Result<&str, UserError> {
    let token = provider.config.get("id-token").filter(|token| provider.name == "oidc" && !token.is_empty());
    token.map(String::as_str).ok_or_else(|| {
        UserError::new(format!("auth-provider {:?} of the kubeconfig is not supported", provider.name))
            .hint("credential plugins (exec) are, and --token")
    })
}

/// Returns the headers that say who is impersonated.
pub(super) fn impersonation(user: &AuthInfo) -> anyhow::Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    let mut add = |name: &str, value: &str| -> anyhow::Result<()> {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| anyhow!("{name:?} is no header"))?;
        headers.append(name, HeaderValue::from_str(value).map_err(|_| anyhow!("{value:?} fits in no header"))?);
        Ok(())
    };
    for name in user.impersonate.iter().filter(|name| !name.is_empty()) {
        add("impersonate-user", name)?;
    }
    for uid in user.impersonate_uid.iter().filter(|uid| !uid.is_empty()) {
        add("impersonate-uid", uid)?;
    }
    for group in user.impersonate_groups.iter().flatten() {
        add("impersonate-group", group)?;
    }
    for (key, values) in user.impersonate_user_extra.iter().flatten() {
        for value in values {
            add(&format!("impersonate-extra-{}", escaped(key)), value)?;
        }
    }
    Ok(headers)
}

/// Escapes what a header name cannot hold, as client-go does.
fn escaped(key: &str) -> String {
    escape::escaped(key, b"!#$&'*+-.^_`|~")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn keys_of_extra_fields_fit_in_a_header_name() {
        assert_eq!(escaped("example.org/scopes"), "example.org%2Fscopes");
        assert_eq!(escaped("a%b ä"), "a%25b%20%C3%A4");
    }
}
