//! TLS.

use std::net::TcpStream;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use snapbox::file;

use super::server::{self, Asked, Cluster, Fault, Reply, Server};
use super::{config, no_fault, same, session, stuck};
use crate::cli::process::{run_in, temporary};

trials![
    the_server_is_checked,
    client_certificates_are_presented,
    credentials_are_not_sent_in_the_clear,
    a_plugin_may_give_a_client_certificate,
];

/// An authority for certificates.
pub struct Authority {
    pub pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate with its key, in PEM.
pub struct Leaf {
    certificate: String,
    key: String,
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    pub fn sign(&self, name: &str, last_year: i32) -> Leaf {
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("names");
        params.not_after = date_time_ymd(last_year, 1, 1);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate").pem();
        Leaf { certificate, key: key.serialize_pem() }
    }

    fn roots(&self) -> RootCertStore {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(self.pem.as_bytes()).expect("a certificate")).expect("a root");
        roots
    }
}

/// Starts a server with TLS, of an authority that nobody knows, and one set, whose rollout is stuck.
pub fn stuck_with_tls(fault: impl Fn(&Asked, usize) -> Option<Reply> + Send + Sync + 'static) -> Server {
    serve_with(&Authority::new().sign("127.0.0.1", 2100), None, Box::new(fault))
}

/// Starts a server with this certificate; with `clients` it wants certificates of that authority.
pub fn serve(leaf: &Leaf, clients: Option<&Authority>) -> Server {
    serve_with(leaf, clients, Box::new(no_fault))
}

fn serve_with(leaf: &Leaf, clients: Option<&Authority>, fault: Box<Fault>) -> Server {
    let builder = ServerConfig::builder();
    let builder = match clients {
        None => builder.with_no_client_auth(),
        Some(authority) => builder.with_client_cert_verifier(
            WebPkiClientVerifier::builder(Arc::new(authority.roots())).build().expect("a verifier"),
        ),
    };
    let certificate = CertificateDer::from_pem_slice(leaf.certificate.as_bytes()).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(leaf.key.as_bytes()).expect("a key");
    let tls = Arc::new(builder.with_single_cert(vec![certificate], key).expect("a certificate with its key"));
    let wrap = move |stream: TcpStream| -> Box<dyn server::Stream> {
        let connection = ServerConnection::new(Arc::clone(&tls)).expect("a connection");
        Box::new(StreamOwned::new(connection, stream))
    };
    Server::start_wrapped(Cluster::read("stuck-rollout"), fault, Box::new(wrap))
}

pub fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}

/// Returns a kubeconfig for a server with TLS, whose cluster holds these fields too.
pub fn secure(server: &Server, cluster: Value, user: Value) -> Value {
    let mut config = config(&format!("https://127.0.0.1:{}", server.port), "monitoring", user);
    for (key, value) in cluster.as_object().expect("fields") {
        config["clusters"][0]["cluster"][key] = value.clone();
    }
    config
}

pub fn plan(config: &Value, flags: &str, port: u16) -> String {
    let path = temporary(&config.to_string());
    let line = format!("plan -o name {flags} --kubeconfig {path}");
    session(&[&line], &[], &[(&path, "CONFIG"), (&port.to_string(), "PORT")])
}

fn the_server_is_checked() {
    let (authority, other) = (Authority::new(), Authority::new());
    let server = serve(&authority.sign("127.0.0.1", 2100), None);
    let port = server.port;
    let check = |authority: &Authority| json!({ "certificate-authority-data": base64(&authority.pem) });
    let mut text = plan(&secure(&server, check(&authority), json!({})), "", port);
    text += &plan(&secure(&server, check(&other), json!({})), "", port);
    text += &plan(&secure(&server, check(&other), json!({})), "--insecure-skip-tls-verify", port);
    let file = temporary(&authority.pem);
    let flag = format!("--certificate-authority {file}");
    text += &plan(&secure(&server, check(&other), json!({})), &flag, port).replace(&file, "CA");
    text += &plan(&secure(&server, json!({ "certificate-authority-data": "eA==" }), json!({})), "", port);

    let named = serve(&authority.sign("api.example.com", 2100), None);
    text += &plan(&secure(&named, check(&authority), json!({})), "", named.port);
    text += &plan(&secure(&named, check(&authority), json!({})), "--tls-server-name api.example.com", named.port);
    let expired = serve(&authority.sign("127.0.0.1", 2001), None);
    text += &plan(&secure(&expired, check(&authority), json!({})), "", expired.port);
    let plain = stuck(no_fault);
    text += &plan(&secure(&plain, check(&authority), json!({})), "", plain.port);
    same(text, file!["../expected/live/tls.txt"]);
}

fn client_certificates_are_presented() {
    let authority = Authority::new();
    let server = serve(&authority.sign("127.0.0.1", 2100), Some(&authority));
    let client = authority.sign("jane", 2100);
    let check = json!({ "certificate-authority-data": base64(&authority.pem) });
    let user = json!({
        "client-certificate-data": base64(&client.certificate), "client-key-data": base64(&client.key),
    });
    let (certificate, key) = (temporary(&client.certificate), temporary(&client.key));
    let flags = format!("--client-certificate {certificate} --client-key {key}");
    let mut text = plan(&secure(&server, check.clone(), user), "", server.port);
    text += &plan(&secure(&server, check.clone(), json!({})), &flags, server.port)
        .replace(&certificate, "CERTIFICATE")
        .replace(&key, "KEY");
    same(text, file!["../expected/live/client-certificates.txt"]);
    let none = plan(&secure(&server, check, json!({})), "", server.port);
    assert!(none.contains("[exit code 1]"), "{none}");
}

fn credentials_are_not_sent_in_the_clear() {
    let failing =
        json!({ "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/false", "interactiveMode": "Never" });
    for user in
        [json!({ "token": "t0ken" }), json!({ "username": "jane", "password": "x" }), json!({ "exec": failing })]
    {
        let server = stuck(no_fault);
        let path = temporary(&config(&server.url(), "monitoring", user).to_string());
        let ended = run_in(&format!("plan -o name --kubeconfig {path}"), &[]);
        assert_eq!((ended.code, ended.stderr.as_str()), (0, ""));
        assert!(server.asked().iter().all(|asked| asked.header("authorization").is_empty()));
    }
}

fn a_plugin_may_give_a_client_certificate() {
    let authority = Authority::new();
    let server = serve(&authority.sign("127.0.0.1", 2100), Some(&authority));
    let client = authority.sign("jane", 2100);
    let credential = json!({
        "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
        "status": { "clientCertificateData": client.certificate, "clientKeyData": client.key },
    });
    let file = temporary(&credential.to_string());
    let user = json!({ "exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/cat", "args": [file], "interactiveMode": "Never",
    } });
    let check = json!({ "certificate-authority-data": base64(&authority.pem) });
    let text = plan(&secure(&server, check, user), "", server.port);
    assert!(text.ends_with("daemonset.apps/node-agent\n\n"), "{text}");
}
