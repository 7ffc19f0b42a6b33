//! A small API server: serves the objects of a dump by page, and does on request what a real one will not.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// What was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub query: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Asked {
    /// Returns the values of a header.
    pub fn header(&self, name: &str) -> Vec<&str> {
        self.headers.iter().filter(|(key, _)| key == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Returns a parameter of the query, as it was sent.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .find(|(key, _)| *key == name)
            .map(|(_, value)| value)
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub struct Reply {
    pub code: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    /// The connection ends in the middle of the body.
    pub is_cut: bool,
    /// The answer never comes.
    pub is_silent: bool,
}

impl Reply {
    pub fn json(body: &Value) -> Self {
        Self { code: 200, headers: Vec::new(), body: body.to_string(), is_cut: false, is_silent: false }
    }

    /// A Status of the API.
    pub fn status(code: u16, reason: &str, message: &str) -> Self {
        let body = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
            "message": message, "reason": reason, "code": code,
        });
        Self { code, ..Self::json(&body) }
    }

    pub fn with(mut self, header: &'static str, value: &str) -> Self {
        self.headers.push((header, value.to_owned()));
        self
    }

    pub fn cut(self) -> Self {
        Self { is_cut: true, ..self }
    }

    pub fn silent() -> Self {
        Self { is_silent: true, ..Self::json(&Value::Null) }
    }
}

/// The state that a server serves.
pub struct Cluster {
    pub objects: Vec<Value>,
    pub now: String,
    pub version: &'static str,
}

impl Cluster {
    /// Reads a dump below `tests/clusters`.
    pub fn read(name: &str) -> Self {
        let now = crate::support::read(&format!("clusters/{name}.now")).trim().to_owned();
        Self { objects: objects(name), now, version: "v1.37.2" }
    }

    /// Moves everything into the namespace `monitoring`.
    pub fn in_one_namespace(mut self) -> Self {
        let mut text = Value::from(self.objects).to_string();
        for namespace in ["logging", "kube-system"] {
            text = text.replace(&format!("\"namespace\":\"{namespace}\""), "\"namespace\":\"monitoring\"");
        }
        self.objects = serde_json::from_str(&text).expect("JSON");
        self
    }

    pub fn answer(&self, asked: &Asked) -> Reply {
        if asked.path == "/version" {
            return Reply::json(&json!({ "major": "1", "minor": "37", "gitVersion": self.version }));
        }
        let parts: Vec<_> = asked.path.trim_start_matches('/').split('/').collect();
        match parts[..] {
            ["api", "v1", "namespaces", namespace, plural] => self.list(asked, "v1", plural, Some(namespace)),
            ["api", "v1", plural] => self.list(asked, "v1", plural, None),
            ["apis", "apps", "v1", "namespaces", namespace, plural] => {
                self.list(asked, "apps/v1", plural, Some(namespace))
            }
            ["apis", "apps", "v1", plural] => self.list(asked, "apps/v1", plural, None),
            _ => Reply::status(404, "NotFound", "the server could not find the requested resource"),
        }
    }

    fn list(&self, asked: &Asked, version: &str, plural: &str, namespace: Option<&str>) -> Reply {
        let node = asked.parameter("fieldSelector").and_then(|selector| selector.strip_prefix("spec.nodeName%3D"));
        let is_meant = |object: &&Value| {
            let kind = object["kind"].as_str().unwrap_or_default();
            object["apiVersion"] == version
                && format!("{}s", kind.to_ascii_lowercase()) == plural
                && namespace.is_none_or(|namespace| object["metadata"]["namespace"] == namespace)
                && node.is_none_or(|node| object["spec"]["nodeName"] == node)
        };
        let all: Vec<_> = self.objects.iter().filter(is_meant).collect();
        let start: usize = asked.parameter("continue").map_or(0, |token| token.parse().expect("a token of ours"));
        let limit: usize = asked.parameter("limit").map_or(usize::MAX, |limit| limit.parse().expect("a number"));
        let end = start.saturating_add(limit).min(all.len());
        let token = if end < all.len() { end.to_string() } else { String::new() };
        let items: Vec<Value> = all[start..end].iter().map(|object| untyped(object)).collect();
        let kind = all.first().and_then(|object| object["kind"].as_str()).unwrap_or_default();
        Reply::json(&json!({
            "apiVersion": version, "kind": format!("{kind}List"),
            "metadata": { "resourceVersion": "1", "continue": token }, "items": items,
        }))
    }
}

/// Returns the objects of a dump, which is read once.
fn objects(name: &str) -> Vec<Value> {
    static READ: Mutex<BTreeMap<String, Vec<Value>>> = Mutex::new(BTreeMap::new());
    let read = || {
        let text = crate::support::read(&format!("clusters/{name}.yaml"));
        let list: Value = serde_saphyr::from_str(&text).expect("a dump is YAML");
        list["items"].as_array().expect("a dump is a list").clone()
    };
    READ.lock().expect("dumps can be read").entry(name.to_owned()).or_insert_with(read).clone()
}

/// The items of a list carry no type of their own.
fn untyped(object: &Value) -> Value {
    let mut object = object.clone();
    let fields = object.as_object_mut().expect("an object");
    fields.remove("apiVersion");
    fields.remove("kind");
    object
}

/// Answers instead of the cluster; the number says how often the same path was asked before.
pub type Fault = dyn Fn(&Asked, usize) -> Option<Reply> + Send + Sync;

/// A running server, which lives as long as the test.
pub struct Server {
    pub port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

/// A connection, with or without TLS.
pub trait Stream: Read + Write + Send {}
impl<T: Read + Write + Send> Stream for T {}

/// Wraps a connection, for example in TLS.
pub type Wrap = dyn Fn(TcpStream) -> Box<dyn Stream> + Send + Sync;

impl Server {
    pub fn start(cluster: Cluster, fault: impl Fn(&Asked, usize) -> Option<Reply> + Send + Sync + 'static) -> Self {
        Self::start_wrapped(cluster, Box::new(fault), Box::new(|stream| Box::new(stream)))
    }

    pub fn start_wrapped(cluster: Cluster, fault: Box<Fault>, wrap: Box<Wrap>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::new((cluster, fault, wrap, Arc::clone(&asked)));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    let (cluster, fault, wrap, asked) = &*shared;
                    // A client that goes away is no concern of a server.
                    let _ = serve(cluster, fault, asked, wrap(stream));
                });
            }
        });
        Self { port, asked }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns what was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no server panics").clone()
    }

    /// Returns the paths that were asked so far, with their queries, sorted.
    pub fn paths(&self) -> Vec<String> {
        let path = |asked: &Asked| match asked.query.as_str() {
            "" => asked.path.clone(),
            query => format!("{}?{query}", asked.path),
        };
        let mut paths: Vec<_> = self.asked().iter().map(path).collect();
        paths.sort();
        paths
    }
}

fn serve(cluster: &Cluster, fault: &Fault, all: &Mutex<Vec<Asked>>, stream: Box<dyn Stream>) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let Some(asked) = read(&mut stream)? else { return Ok(()) };
    let before = {
        let mut all = all.lock().expect("no server panics");
        let before = all.iter().filter(|other| other.path == asked.path).count();
        all.push(asked.clone());
        before
    };
    let reply = fault(&asked, before).unwrap_or_else(|| cluster.answer(&asked));
    if reply.is_silent {
        thread::sleep(std::time::Duration::from_secs(60));
    }
    write(stream.get_mut(), &reply, &cluster.now)
}

pub fn read(stream: &mut impl BufRead) -> std::io::Result<Option<Asked>> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split(' ').map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut headers = Vec::new();
    loop {
        line.clear();
        stream.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length").and_then(|(_, value)| value.parse().ok());
    let mut body = vec![0; length.unwrap_or_default()];
    stream.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body).into_owned();
    Ok(Some(Asked { method, path: path.to_owned(), query: query.to_owned(), headers, body }))
}

fn write(stream: &mut dyn Stream, reply: &Reply, now: &str) -> std::io::Result<()> {
    let now: jiff::Timestamp = now.parse().expect("a time");
    let date = now.strftime("%a, %d %b %Y %H:%M:%S GMT");
    let mut head = format!(
        "HTTP/1.1 {} Some\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n",
        reply.code,
        reply.body.len()
    );
    if !reply.headers.iter().any(|(name, _)| *name == "Date") {
        head.push_str(&format!("Date: {date}\r\n"));
    }
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    let body = reply.body.as_bytes();
    stream.write_all(if reply.is_cut { &body[..body.len() / 2] } else { body })?;
    stream.flush()
}
