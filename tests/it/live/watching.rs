//! A command that watches, as a child process: what it prints is read while it runs.

use std::io::{BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;

use crate::cluster::eventually;
use crate::go::ChildGuard;

/// How long something may take, on a machine that has other things to do as well.
const PATIENCE: Duration = Duration::from_secs(120);

/// A command that runs until it is told to stop.
pub struct Watching {
    child: ChildGuard,
    documents: Receiver<Value>,
    stdout: Arc<Mutex<String>>,
    stderr: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
}

impl Watching {
    /// Starts a command.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        let (stdout, stderr) = (Arc::default(), Arc::default());
        let (sender, documents) = channel();
        let out = Recorded { from: child.stdout.take().expect("stdout is piped"), text: Arc::clone(&stdout) };
        let out = thread::spawn(move || {
            let mut out = BufReader::new(out);
            for document in serde_json::Deserializer::from_reader(&mut out).into_iter::<Value>() {
                let Ok(document) = document else { break };
                let _ = sender.send(document);
            }
            // What is no JSON is only recorded.
            drop(std::io::copy(&mut out, &mut std::io::sink()));
        });
        let mut err = Recorded { from: child.stderr.take().expect("stderr is piped"), text: Arc::clone(&stderr) };
        let err = thread::spawn(move || drop(std::io::copy(&mut err, &mut std::io::sink())));
        Self { child: ChildGuard(child), documents, stdout, stderr, readers: vec![out, err] }
    }

    /// Waits for the next JSON document.
    pub fn next(&self) -> Value {
        match self.documents.recv_timeout(PATIENCE) {
            Ok(document) => document,
            Err(error) => panic!("no further document ({error}); stderr: {}", self.stderr()),
        }
    }

    /// Waits for the first document that is like that.
    pub fn next_that(&self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let document = self.next();
            if is_it(&document) {
                return document;
            }
        }
    }

    /// Returns a document that has come but was not yet taken.
    pub fn waiting(&self) -> Option<Value> {
        self.documents.try_recv().ok()
    }

    /// Waits until stdout is like that.
    pub fn await_stdout(&self, is_it: impl Fn(&str) -> bool) {
        assert!(eventually(|| is_it(&self.stdout())), "stdout: {}\nstderr: {}", self.stdout(), self.stderr());
    }

    /// Waits until stderr is like that.
    pub fn await_stderr(&self, is_it: impl Fn(&str) -> bool) {
        assert!(eventually(|| is_it(&self.stderr())), "stderr: {}", self.stderr());
    }

    /// Returns what has been printed so far.
    pub fn stdout(&self) -> String {
        self.stdout.lock().expect("no reader panics").clone()
    }

    /// Returns what has been told so far.
    pub fn stderr(&self) -> String {
        self.stderr.lock().expect("no reader panics").clone()
    }

    /// Does as Ctrl-C; returns stdout, stderr and the exit code.
    pub fn interrupt(self) -> (String, String, Option<i32>) {
        self.signal("INT")
    }

    /// Sends a signal; returns stdout, stderr and the exit code.
    pub fn signal(self, name: &str) -> (String, String, Option<i32>) {
        signal(&self.child.0, name);
        self.end()
    }

    /// Types Ctrl-C on the terminal that stdin leads to; returns stdout, stderr and the exit code.
    pub fn type_interrupt(mut self) -> (String, String, Option<i32>) {
        let stdin = self.child.0.stdin.as_mut().expect("stdin is piped");
        stdin.write_all(b"\x03").and_then(|()| stdin.flush()).expect("the terminal reads");
        self.end()
    }

    /// Waits for the end.
    fn end(mut self) -> (String, String, Option<i32>) {
        let mut code = None;
        let has_ended = eventually(|| {
            code = self.child.0.try_wait().expect("it is our child");
            code.is_some()
        });
        assert!(has_ended, "the command does not end; stderr: {}", self.stderr());
        self.readers.drain(..).for_each(|reader| reader.join().expect("no reader panics"));
        (self.stdout(), self.stderr(), code.and_then(|status| status.code()))
    }
}

/// Sends a signal to a process that we started.
pub fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status();
    assert!(status.expect("kill is there").success(), "the process has ended before");
}

/// Reads, and remembers what was read.
struct Recorded<R> {
    from: R,
    text: Arc<Mutex<String>>,
}

impl<R: Read> Read for Recorded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.from.read(buffer)?;
        self.text.lock().expect("no reader panics").push_str(&String::from_utf8_lossy(&buffer[..count]));
        Ok(count)
    }
}
