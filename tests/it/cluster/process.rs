//! A real cluster as a child process, built from `tests/upstream` with Go; see `tests/upstream/cluster/main.go`.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::go::{ChildGuard, program};
use crate::support::test_path;

const WITHOUT: &str = "everything on a real cluster (Go was not found)";

/// How long a condition may take to become true, on a machine that has other things to do as well.
const PATIENCE: Duration = Duration::from_secs(180);

/// What a cluster is like at first.
pub struct Options {
    /// Nodes, named `node-0001` and so on.
    pub nodes: u32,
    /// Seconds that a kubelet may be silent; upstream's default is 50, and 5 is how often upstream looks.
    pub node_monitor_grace_period_seconds: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { nodes: 3, node_monitor_grace_period_seconds: 50 }
    }
}

/// A cluster that is ready. It ends when dropped, or with this process.
pub struct Cluster {
    /// The folder of the cluster; it is gone after the cluster.
    pub dir: PathBuf,
    /// Host and port of the API server.
    pub address: String,
    pipes: Mutex<Option<Pipes>>,
    child: Mutex<ChildGuard>,
}

/// Commands go in, answers come out.
struct Pipes {
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

/// The cluster for tests that disturb nobody: each uses a namespace of its own and leaves the nodes alone.
static SHARED: OnceLock<Option<Cluster>> = OnceLock::new();

/// The cluster for tests that bring nodes of their own. It has no others.
static SHARED_WITHOUT_NODES: OnceLock<Option<Cluster>> = OnceLock::new();

/// Ends the clusters that the tests shared: what is static is not dropped.
pub fn end_shared() {
    for cluster in [&SHARED, &SHARED_WITHOUT_NODES] {
        if let Some(Some(cluster)) = cluster.get() {
            cluster.end();
        }
    }
}

impl Cluster {
    /// Returns the cluster that is started with the first call; `None`, with a note, where there is no Go.
    pub fn shared() -> Option<&'static Self> {
        SHARED.get_or_init(|| Self::start(&Options::default())).as_ref()
    }

    /// Returns the cluster for tests that bring nodes of their own; `None`, with a note, where there is no Go. A node that
    /// falls silent there is not ready after 20 seconds.
    pub fn shared_without_nodes() -> Option<&'static Self> {
        let options = Options { nodes: 0, node_monitor_grace_period_seconds: 20 };
        SHARED_WITHOUT_NODES.get_or_init(|| Self::start(&options)).as_ref()
    }

    /// Starts a cluster for a test alone; `None`, with a note, where there is no Go.
    pub fn start(options: &Options) -> Option<Self> {
        static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let path = BUILT.get_or_init(|| program("cluster", build, WITHOUT)).clone()?;
        let name = format!("cluster-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let mut child = Command::new(path)
            .arg("serve")
            .arg("--dir")
            .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
            .args(["--nodes", &options.nodes.to_string()])
            .args(["--node-monitor-grace-period", &format!("{}s", options.node_monitor_grace_period_seconds)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the cluster starts");
        let stdin = child.stdin.take().expect("stdin is piped");
        let lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let child = ChildGuard(child);
        let mut pipes = Pipes { stdin, lines };
        let ready = pipes.answer();
        Some(Self {
            dir: PathBuf::from(text(&ready["dir"])),
            address: text(&ready["server"]).trim_start_matches("https://").to_owned(),
            pipes: Mutex::new(Some(pipes)),
            child: Mutex::new(child),
        })
    }

    /// Has the cluster obey a command, which must succeed; returns its answer.
    pub fn command(&self, command: &Value) -> Value {
        let mut pipes = self.pipes.lock().expect("a command failed before");
        let pipes = pipes.as_mut().expect("the cluster runs");
        writeln!(pipes.stdin, "{command}").expect("the cluster reads");
        let answer = pipes.answer();
        assert_eq!(answer.get("error"), None, "{command}");
        answer
    }

    /// Runs kubectl with a line of words as the administrator; it must succeed. Returns its stdout.
    pub fn kubectl(&self, line: &str) -> String {
        let ended = self.kubectl_as("admin", line);
        assert!(ended.success, "kubectl {line}: {}", ended.stderr);
        ended.stdout
    }

    /// Runs kubectl with a line of words as one of the users that have a kubeconfig. It finds our plugin.
    pub fn kubectl_as(&self, user: &str, line: &str) -> Ended {
        self.kubectl_command(user, line).output().expect("kubectl starts").into()
    }

    /// Starts kubectl with a line of words as one of the users, and does not wait for its end.
    pub fn spawn(&self, user: &str, line: &str) -> Child {
        self.kubectl_command(user, line).spawn().expect("kubectl starts")
    }

    /// Creates or changes an object.
    pub fn apply(&self, object: &Value) {
        let mut child =
            self.kubectl_command("admin", "apply -f -").stdin(Stdio::piped()).spawn().expect("kubectl starts");
        write!(child.stdin.take().expect("stdin is piped"), "{object}").expect("kubectl reads");
        let ended = Ended::from(child.wait_with_output().expect("kubectl ends"));
        assert!(ended.success, "kubectl apply of {object}: {}", ended.stderr);
    }

    /// Waits until kubectl prints, as the administrator, what is expected.
    pub fn await_output(&self, line: &str, expected: &str) {
        let mut last = String::new();
        let seen = eventually(|| {
            last = self.kubectl(line);
            last.trim() == expected
        });
        assert!(seen, "kubectl {line} printed last: {last}");
    }

    /// Ends the cluster and waits until all of it has ended.
    pub fn end(&self) {
        // The end of its stdin is what it ends at.
        let pipes = self.pipes.lock().map(|mut pipes| pipes.take());
        drop(pipes);
        if let Ok(mut child) = self.child.lock() {
            eventually(|| !matches!(child.0.try_wait(), Ok(None)));
        }
    }

    /// Kills the process that runs the cluster, as a crash would.
    pub fn kill(&self) {
        let mut child = self.child.lock().expect("nothing fails while it is locked");
        child.0.kill().expect("it runs");
        child.0.wait().expect("it ends");
    }

    /// Returns kubectl with a line of words as one of the users that have a kubeconfig. It finds our plugin.
    pub fn kubectl_command(&self, user: &str, line: &str) -> Command {
        let mut command = self.equipped(user, self.dir.join("bin/kubectl"));
        command.args(line.split_whitespace());
        command
    }

    /// Returns a program in whose environment kubectl is one of the users that have a kubeconfig.
    pub fn equipped(&self, user: &str, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env("KUBECONFIG", self.dir.join(format!("{user}.kubeconfig")))
            .env("KUBECACHEDIR", self.dir.join("cache"))
            .env("PATH", self.search_path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Returns a PATH that begins with the folders of kubectl and of our binary.
    fn search_path(&self) -> OsString {
        let ours = Path::new(env!("CARGO_BIN_EXE_kubectl-daemonset")).parent().expect("a file is in a folder");
        let rest = env::var_os("PATH").unwrap_or_default();
        let folders = [self.dir.join("bin"), ours.to_owned()].into_iter().chain(env::split_paths(&rest));
        env::join_paths(folders).expect("no folder has a colon in its name")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.end();
    }
}

impl Pipes {
    fn answer(&mut self) -> Value {
        let line = self.lines.next().expect("the cluster has ended").expect("the cluster prints text");
        serde_json::from_str(&line).expect("the cluster prints JSON lines")
    }
}

/// What a run of kubectl left behind.
#[derive(Debug)]
pub struct Ended {
    pub stdout: String,
    pub stderr: String,
    pub success: bool,
    /// The exit code; -1 if a signal ended it.
    pub code: i32,
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is text");
        Self {
            stdout: text(output.stdout),
            stderr: text(output.stderr),
            success: output.status.success(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

/// Waits until a condition is true; `false` if it does not become so in time.
pub fn eventually(mut condition: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        if Instant::now() > deadline {
            return false;
        }
        thread::sleep(Duration::from_millis(100));
    }
    true
}

fn text(value: &Value) -> &str {
    value.as_str().expect("the line that says ready is complete")
}

fn build(path: &Path) -> Command {
    let mut command = Command::new(test_path("upstream/build-cluster.sh"));
    command.arg(path);
    command
}
