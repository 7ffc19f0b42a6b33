//! TLS and proxies.

use std::io::{BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair, date_time_ymd};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};
use snapbox::file;

use super::server::{self, Cluster, Server};
use super::{config, no_fault, same, session, stuck};
use crate::cli::process::{run_in, temporary};

trials![
    the_server_is_checked,
    client_certificates_are_presented,
    a_plugin_may_give_a_client_certificate,
    proxies_are_used_where_they_are_wanted,
];

/// An authority for certificates.
struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
}

/// A certificate with its key, in PEM.
struct Leaf {
    certificate: String,
    key: String,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).expect("names");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Self { pem, issuer: Issuer::new(params, key) }
    }

    fn sign(&self, name: &str, last_year: i32) -> Leaf {
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

/// Starts a server with this certificate; with `clients` it wants certificates of that authority.
fn serve(leaf: &Leaf, clients: Option<&Authority>) -> Server {
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
    Server::start_wrapped(Cluster::read("stuck-rollout"), Box::new(no_fault), Box::new(wrap))
}

fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}

/// Returns a kubeconfig for a server with TLS, whose cluster holds these fields too.
fn secure(server: &Server, cluster: Value, user: Value) -> Value {
    let mut config = config(&format!("https://127.0.0.1:{}", server.port), "monitoring", user);
    for (key, value) in cluster.as_object().expect("fields") {
        config["clusters"][0]["cluster"][key] = value.clone();
    }
    config
}

fn plan(config: &Value, flags: &str, port: u16) -> String {
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

/// A proxy that leads every connection to one port of this machine.
struct Proxy {
    port: u16,
    used: Arc<AtomicUsize>,
}

impl Proxy {
    fn start(target: u16, greet: fn(&mut TcpStream)) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let used = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&used);
        thread::spawn(move || {
            for mut client in listener.incoming().flatten() {
                counter.fetch_add(1, Ordering::Relaxed);
                thread::spawn(move || {
                    greet(&mut client);
                    join(client, TcpStream::connect(("127.0.0.1", target)).expect("the target listens"));
                });
            }
        });
        Self { port, used }
    }
}

/// Copies both ways until both ends are done.
fn join(client: TcpStream, server: TcpStream) {
    let copy = |mut from: TcpStream, mut to: TcpStream| {
        thread::spawn(move || {
            // Either end may go away at any time.
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(std::net::Shutdown::Write);
        })
    };
    let (from, to) = (client.try_clone().expect("a stream"), server.try_clone().expect("a stream"));
    copy(from, to);
    copy(server, client);
}

/// Answers CONNECT; wants the user `jane` with the password `p@ss`.
fn http(client: &mut TcpStream) {
    let mut reader = BufReader::with_capacity(1, client.try_clone().expect("a stream"));
    let asked = server::read(&mut reader).expect("a request").expect("a request");
    let is_known = asked.header("proxy-authorization") == ["Basic amFuZTpwQHNz"];
    let answer = if is_known { "HTTP/1.1 200 OK\r\n\r\n" } else { "HTTP/1.1 407 Who are you?\r\n\r\n" };
    client.write_all(answer.as_bytes()).expect("a client that waits");
}

/// Answers a client of SOCKS 5 that needs no password.
fn socks(client: &mut TcpStream) {
    let mut greeting = [0; 2];
    client.read_exact(&mut greeting).expect("a greeting");
    let mut methods = vec![0; usize::from(greeting[1])];
    client.read_exact(&mut methods).expect("methods");
    client.write_all(&[5, 0]).expect("a client that waits");
    let mut request = [0; 5];
    client.read_exact(&mut request).expect("a request");
    let rest = match request[3] {
        1 => 3 + 2,
        3 => usize::from(request[4]) + 2,
        _ => 15 + 2,
    };
    client.read_exact(&mut vec![0; rest]).expect("an address");
    client.write_all(&[5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).expect("a client that waits");
}

fn proxies_are_used_where_they_are_wanted() {
    let authority = Authority::new();
    let server = serve(&authority.sign("api.example.com", 2100), None);
    let (http, socks) = (Proxy::start(server.port, http), Proxy::start(server.port, socks));
    let check = json!({ "certificate-authority-data": base64(&authority.pem) });
    let mut config = secure(&server, check, json!({}));
    config["clusters"][0]["cluster"]["server"] = "https://api.example.com:6443".into();
    let http_url = format!("http://jane:p%40ss@127.0.0.1:{}", http.port);
    let socks_url = format!("socks5://127.0.0.1:{}", socks.port);
    let run = |config: &Value, variables: &[(&str, &str)]| {
        let path = temporary(&config.to_string());
        run_in(&format!("plan -o name -v 9 --request-timeout 20s --kubeconfig {path}"), variables)
    };
    let uses = || (http.used.load(Ordering::Relaxed) > 0, socks.used.load(Ordering::Relaxed) > 0);
    let plans = "daemonset.apps/node-agent\n";

    let ended = run(&config, &[("HTTPS_PROXY", &http_url)]);
    assert_eq!((ended.stdout.as_str(), uses()), (plans, (true, false)), "{}", ended.stderr);
    assert!(!ended.stderr.contains("p%40ss"), "{}", ended.stderr);
    let ended = run(&config, &[("HTTPS_PROXY", &socks_url)]);
    assert_eq!((ended.stdout.as_str(), uses()), (plans, (true, true)), "{}", ended.stderr);

    let used = http.used.load(Ordering::Relaxed);
    let exempt = run(&config, &[("HTTPS_PROXY", &http_url), ("NO_PROXY", "example.com")]);
    assert_eq!((exempt.code, http.used.load(Ordering::Relaxed)), (1, used), "{}", exempt.stderr);
    config["clusters"][0]["cluster"]["proxy-url"] = http_url.as_str().into();
    let ended = run(&config, &[("NO_PROXY", "example.com")]);
    assert_eq!(ended.stdout, plans, "{}", ended.stderr);
    assert!(http.used.load(Ordering::Relaxed) > used);
    config["clusters"][0]["cluster"]["proxy-url"] = http_url.replace("p%40ss", "wr0ng").into();
    same(plan(&config, "", server.port), file!["../expected/live/proxy-refuses.txt"]);
}
