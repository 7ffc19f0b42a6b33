//! Proxies.

use std::io::{BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::{Value, json};
use snapbox::file;

use super::tls::{Authority, base64, plan, secure, serve};
use super::{config, no_fault, same, server, stuck};
use crate::cli::process::{run_in, temporary};

trials![proxies_are_used_where_they_are_wanted, a_proxy_gets_whole_requests_where_there_is_no_tls];

/// A proxy that leads every connection to one port of this machine.
pub struct Proxy {
    pub port: u16,
    /// How many connections there were.
    pub used: Arc<AtomicUsize>,
}

impl Proxy {
    pub fn start(target: u16, greet: fn(&mut TcpStream)) -> Self {
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
    let refused = plan(&config, "", server.port).replace(&http.port.to_string(), "PROXY");
    same(refused, file!["../expected/live/proxy-refuses.txt"]);
}

fn a_proxy_gets_whole_requests_where_there_is_no_tls() {
    // The server plays the proxy: what it is asked is what a proxy is asked.
    let proxy = stuck(no_fault);
    let path = temporary(&config("http://api.example.com:8080/prefix", "monitoring", json!({})).to_string());
    let variables = [("HTTP_PROXY", format!("http://jane:p%40ss@127.0.0.1:{}", proxy.port))];
    let variables = variables.each_ref().map(|(name, value)| (*name, value.as_str()));
    let ended = run_in(&format!("plan -o name -v 9 --request-timeout 20s --kubeconfig {path}"), &variables);
    assert_eq!(ended.stdout, "daemonset.apps/node-agent\n", "{}", ended.stderr);
    assert!(!ended.stderr.contains("amFuZTpwQHNz"), "{}", ended.stderr);
    let asked = proxy.asked();
    assert_eq!(asked.len(), 6);
    for asked in asked {
        assert!(asked.target.starts_with("http://api.example.com:8080/prefix/"), "{}", asked.target);
        assert_eq!(asked.header("host"), ["api.example.com:8080"]);
        assert_eq!(asked.header("proxy-authorization"), ["Basic amFuZTpwQHNz"]);
    }
    let tls = stuck(no_fault);
    let path = temporary(&config("https://api.example.com", "monitoring", json!({})).to_string());
    let url = format!("http://127.0.0.1:{}", tls.port);
    run_in(&format!("plan --request-timeout 20s --kubeconfig {path}"), &[("HTTPS_PROXY", &url)]);
    assert_eq!(tls.asked().first().map(|asked| asked.target.as_str()), Some("api.example.com:443"), "a tunnel for TLS");
}
