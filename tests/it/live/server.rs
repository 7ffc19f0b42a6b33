//! A small API server: serves the objects of a dump by page, and does on request what a real one will not.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

/// What was asked.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What stood between method and version, which for a proxy is more than the path.
    pub target: String,
    pub method: String,
    pub path: String,
    pub query: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Asked {
    /// Returns whether it is a watch of this plural.
    pub fn is_watch(&self, plural: &str) -> bool {
        self.parameter("watch") == Some("true") && self.path.ends_with(&format!("/{plural}"))
    }

    /// Returns whether it is a list of this plural.
    pub fn is_list(&self, plural: &str) -> bool {
        self.parameter("watch").is_none() && self.path.ends_with(&format!("/{plural}"))
    }

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
    /// The body is compressed.
    pub is_gzip: bool,
    /// What is sent bit by bit instead of the body.
    pub steps: Option<Vec<Step>>,
}

/// A step of an answer that is sent bit by bit.
#[derive(Clone, Debug)]
pub enum Step {
    /// Sends an event, in two chunks.
    Event(&'static str, Value),
    /// Sends a bookmark.
    Bookmark(&'static str),
    /// Sends the beginning of an event.
    Half,
    /// Waits until the test goes on.
    Wait(Gate),
    /// The connection is cut; without it the answer ends as it should.
    Cut,
    /// Nothing more is sent for as long as the client stays.
    Hold,
}

/// Something that a test opens when it is time to.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<(Mutex<bool>, Condvar)>);

impl Gate {
    pub fn open(&self) {
        *self.0.0.lock().expect("no test panics here") = true;
        self.0.1.notify_all();
    }

    fn wait(&self) {
        let is_open = self.0.0.lock().expect("no test panics here");
        drop(self.0.1.wait_while(is_open, |is_open| !*is_open).expect("no test panics here"));
    }
}

impl Reply {
    pub fn json(body: &Value) -> Self {
        Self {
            code: 200,
            headers: Vec::new(),
            body: body.to_string(),
            is_cut: false,
            is_silent: false,
            is_gzip: false,
            steps: None,
        }
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

    pub fn gzip(self) -> Self {
        Self { is_gzip: true, ..self.with("Content-Encoding", "gzip") }
    }

    /// An answer that is sent bit by bit.
    pub fn watch(steps: impl Into<Vec<Step>>) -> Self {
        Self { steps: Some(steps.into()), ..Self::json(&Value::Null) }
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

    /// Answers as a server that holds these objects; in its watches nothing happens.
    pub fn answer(&self, asked: &Asked) -> Reply {
        if asked.parameter("watch").is_some() {
            return Reply::watch([Step::Hold]);
        }
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
            ["apis", "policy", "v1", "namespaces", namespace, plural] => {
                self.list(asked, "policy/v1", plural, Some(namespace))
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
        let is_same = |other: &&Asked| other.path == asked.path && other.parameter("watch") == asked.parameter("watch");
        let before = all.iter().filter(is_same).count();
        all.push(asked.clone());
        before
    };
    let reply = fault(&asked, before).unwrap_or_else(|| cluster.answer(&asked));
    if reply.is_silent {
        thread::sleep(std::time::Duration::from_secs(60));
    }
    match &reply.steps {
        Some(steps) => write_steps(stream.get_mut(), steps, &cluster.now),
        None => write(stream.get_mut(), &reply, &cluster.now),
    }
}

pub fn read(stream: &mut impl BufRead) -> std::io::Result<Option<Asked>> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split(' ').map(str::to_owned);
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    // A proxy passes on the path, without the prefix that our tests give it.
    let path =
        target.strip_prefix("http://").and_then(|rest| rest.split_once("/prefix")).map_or(&*target, |(_, path)| path);
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let (path, query) = (path.to_owned(), query.to_owned());
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
    Ok(Some(Asked { target, method, path, query, headers, body }))
}

/// Words a time as HTTP does.
fn date(now: &str) -> String {
    let now: jiff::Timestamp = now.parse().expect("a time");
    now.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

fn write_steps(stream: &mut dyn Stream, steps: &[Step], now: &str) -> std::io::Result<()> {
    let date = date(now);
    write!(stream, "HTTP/1.1 200 OK\r\nDate: {date}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")?;
    stream.flush()?;
    for step in steps {
        match step {
            Step::Event(what, object) => {
                let line = json!({ "type": what, "object": object }).to_string() + "\n";
                let (first, second) = line.as_bytes().split_at(line.len() / 2);
                write_chunk(stream, first)?;
                write_chunk(stream, second)?;
            }
            Step::Bookmark(version) => {
                let object = json!({ "metadata": { "resourceVersion": version } });
                write_chunk(stream, (json!({ "type": "BOOKMARK", "object": object }).to_string() + "\n").as_bytes())?;
            }
            Step::Half => write_chunk(stream, br#"{"type":"DELETED","object":{"metadata":{"na"#)?,
            Step::Wait(gate) => gate.wait(),
            Step::Cut => return Ok(()),
            Step::Hold => drop(stream.read(&mut [0])),
        }
    }
    stream.write_all(b"0\r\n\r\n")?;
    stream.flush()
}

fn write_chunk(stream: &mut dyn Stream, bytes: &[u8]) -> std::io::Result<()> {
    write!(stream, "{:x}\r\n", bytes.len())?;
    stream.write_all(bytes)?;
    stream.write_all(b"\r\n")?;
    stream.flush()
}

fn write(stream: &mut dyn Stream, reply: &Reply, now: &str) -> std::io::Result<()> {
    let body = if reply.is_gzip { gzip(reply.body.as_bytes())? } else { reply.body.clone().into_bytes() };
    let date = date(now);
    let mut head = format!(
        "HTTP/1.1 {} Some\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n",
        reply.code,
        body.len()
    );
    if !reply.headers.iter().any(|(name, _)| *name == "Date") {
        head.push_str(&format!("Date: {date}\r\n"));
    }
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    stream.write_all(if reply.is_cut { &body[..body.len() / 2] } else { &body })?;
    stream.flush()
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
