//! The way to a cluster, compared with that of the real kubectl: the same server reached as the same user, or an error that
//! says at least as much. Who asked is what the server says when it forbids.

mod clusters;
mod files;
mod plugins;
mod pod;
mod requests;
mod users;

use std::env;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::process::{Cluster, Ended};

trials![the_namespace_is_that_of_the_context];

/// Returns the trials of all parts.
pub fn all_trials() -> Vec<libtest_mimic::Trial> {
    let parts =
        [clusters::trials(), files::trials(), plugins::trials(), pod::trials(), requests::trials(), users::trials()];
    parts.into_iter().flatten().chain(trials()).collect()
}

/// One kubeconfig, and how it is used. In its texts `$WORDS` are replaced, see [`Place`].
#[derive(Clone, Copy)]
struct Case {
    what: &'static str,
    cluster: &'static str,
    user: &'static str,
    context: &'static str,
    current: &'static str,
    /// The whole file, instead of one with the parts above.
    text: Option<&'static str>,
    /// The variable KUBECONFIG, instead of the path of the file.
    variable: &'static str,
    flags: &'static str,
    expected: Expected,
}

#[derive(Clone, Copy)]
enum Expected {
    /// Both ask the server as this user, and print the same answer.
    As(&'static str),
    /// Both fail, and both say all of these words.
    Fail(&'static [&'static str]),
    /// kubectl says the first and we say the second, which is more, or safer.
    Better(&'static str, &'static str),
}

use Expected::{As, Better, Fail};

/// A kubeconfig that works.
const GOOD: Case = Case {
    what: "",
    cluster: "{ server: $SERVER, certificate-authority: $PKI/ca.crt }",
    user: "{ token: $NOBODY }",
    context: "{ cluster: c, user: u }",
    current: "x",
    text: None,
    variable: "$DIR/config",
    flags: "",
    expected: As("nobody"),
};

const fn cluster(what: &'static str, cluster: &'static str, expected: Expected) -> Case {
    Case { what, cluster, expected, ..GOOD }
}

const fn user(what: &'static str, user: &'static str, expected: Expected) -> Case {
    Case { what, user, expected, ..GOOD }
}

const fn flags(what: &'static str, flags: &'static str, expected: Expected) -> Case {
    Case { what, flags, expected, ..GOOD }
}

const fn file(what: &'static str, text: &'static str, expected: Expected) -> Case {
    Case { what, text: Some(text), expected, ..GOOD }
}

const fn variable(what: &'static str, variable: &'static str, expected: Expected) -> Case {
    Case { what, variable, expected, ..GOOD }
}

impl Case {
    const fn with(self, flags: &'static str) -> Self {
        Self { flags, ..self }
    }

    fn text(&self) -> String {
        self.text.map_or_else(
            || {
                let Self { cluster, user, context, current, .. } = self;
                format!(
                    "apiVersion: v1\nkind: Config\ncurrent-context: {current}\n\
                     contexts: [{{ name: x, context: {context} }}]\n\
                     clusters: [{{ name: c, cluster: {cluster} }}]\n\
                     users: [{{ name: u, user: {user} }}]\n"
                )
            },
            str::to_owned,
        )
    }
}

/// What the words of a case stand for, and a folder for its files.
struct Place {
    folder: PathBuf,
    words: Vec<(&'static str, String)>,
}

impl Place {
    fn new(cluster: &Cluster) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let folder = cluster.dir.join(format!("access-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&folder).expect("a folder");
        let pki = cluster.dir.join("pki");
        let tokens = fs::read_to_string(pki.join("tokens.csv")).expect("the tokens");
        let token = |user: &str| {
            let is_it = |line: &&str| line.split(',').nth(1) == Some(user);
            tokens.lines().find(is_it).and_then(|line| line.split(',').next()).expect("a token").to_owned()
        };
        let port = cluster.address.rsplit(':').next().expect("a port").to_owned();
        let path = |path: &Path| path.to_str().expect("a path that is text").to_owned();
        let words = vec![
            ("$SERVER", format!("https://{}", cluster.address)),
            ("$HOST", cluster.address.clone()),
            ("$PORT", port),
            ("$SILENT", silent_port().to_string()),
            ("$PKI", path(&pki)),
            ("$DIR", path(&folder)),
            ("$ADMIN", token("admin")),
            ("$NOBODY", token("nobody")),
            ("$NAMESPACED", token("namespaced")),
        ];
        Self { folder, words }
    }

    fn fill(&self, text: &str) -> String {
        self.words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), self.fill(text)).expect("a file");
    }
}

/// Returns a port where connections are taken, and nothing is ever said.
fn silent_port() -> u16 {
    static SILENT: OnceLock<TcpListener> = OnceLock::new();
    let listener = SILENT.get_or_init(|| TcpListener::bind("127.0.0.1:0").expect("a port"));
    listener.local_addr().expect("an address").port()
}

/// Files that the cases name.
const FILES: [(&str, &str); 6] = [
    ("token", "$NAMESPACED\n"),
    ("empty", ""),
    ("garbage", "garbage"),
    ("only-user", "users: [{ name: u, user: { tokenFile: token } }]"),
    ("admin-as-joe", "users: [{ name: u, user: { token: $ADMIN, as: joe } }]"),
    ("other-context", "current-context: other\ncontexts: [{ name: other, context: { cluster: c, user: u } }]"),
];

/// Runs all cases of a table.
fn compare(cases: &[Case]) {
    let Some(cluster) = Cluster::shared() else { return };
    let place = Place::new(cluster);
    for (name, text) in FILES {
        place.write(name, text);
    }
    compare_at(cluster, &place, cases);
}

fn compare_at(cluster: &Cluster, place: &Place, cases: &[Case]) {
    let failed: Vec<_> = cases.iter().filter_map(|case| compare_one(cluster, place, case).err()).collect();
    assert!(failed.is_empty(), "{} of {} differ:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

fn compare_one(cluster: &Cluster, place: &Place, case: &Case) -> Result<(), String> {
    place.write("config", &case.text());
    let (variable, flags) = (place.fill(case.variable), place.fill(case.flags));
    let [kubectl, ours] = run_both(cluster, &flags, &variable);
    let is_right = !ours.success
        && match case.expected {
            As(user) => {
                let answer = ours.stderr.lines().next().unwrap_or_default();
                answer == kubectl.stderr.trim_end() && answer.contains(&format!("User {user:?} cannot "))
            }
            Fail(words) => {
                let says = |ended: &Ended, word: &str| ended.stderr.contains(&place.fill(word));
                !kubectl.success && words.iter().all(|word| says(&kubectl, word) && says(&ours, word))
            }
            Better(theirs, better) => {
                kubectl.stderr.contains(&place.fill(theirs)) && ours.stderr.contains(&place.fill(better))
            }
        };
    let told = || format!("{}\n  kubectl: {}\n  ours: {}", case.what, kubectl.stderr.trim(), ours.stderr.trim());
    is_right.then_some(()).ok_or_else(told)
}

/// Has kubectl and our program ask for the same list.
fn run_both(cluster: &Cluster, flags: &str, kubeconfig: &str) -> [Ended; 2] {
    let path = "/apis/apps/v1/namespaces/secret/daemonsets";
    let ours = Path::new(env!("CARGO_BIN_EXE_kubectl-daemonset"));
    [
        run(cluster, &cluster.dir.join("bin/kubectl"), &format!("get --raw {path} {flags}"), kubeconfig),
        run(cluster, ours, &format!("plan -n secret {flags}"), kubeconfig),
    ]
}

/// Runs a program with a line of words, this KUBECONFIG and little else.
fn run(cluster: &Cluster, program: &Path, line: &str, kubeconfig: &str) -> Ended {
    let output = Command::new(program)
        .args(line.split_whitespace())
        .env_clear()
        .env("KUBECONFIG", kubeconfig)
        .env("KUBECACHEDIR", cluster.dir.join("cache"))
        .env("HOME", cluster.dir.join("home"))
        .env("PATH", env::var_os("PATH").unwrap_or_default())
        .env("FROM_OUTSIDE", "yes")
        .stdin(Stdio::null())
        .output();
    output.expect("the program starts").into()
}

fn the_namespace_is_that_of_the_context() {
    let Some(cluster) = Cluster::shared() else { return };
    let place = Place::new(cluster);
    let in_context = Case { context: "{ cluster: c, user: u, namespace: elsewhere }", ..GOOD };
    for (case, flags, namespace) in [
        (in_context, "", "elsewhere"),
        (in_context, "-n here", "here"),
        (in_context, "--namespace=", "elsewhere"),
        (GOOD, "", "default"),
    ] {
        place.write("config", &case.text());
        let config = place.fill("$DIR/config");
        let kubectl = run(cluster, &cluster.dir.join("bin/kubectl"), &format!("get daemonsets {flags}"), &config);
        let ours = Path::new(env!("CARGO_BIN_EXE_kubectl-daemonset"));
        let ours = run(cluster, ours, &format!("plan {flags}"), &config);
        assert_eq!(ours.stderr.lines().next(), Some(kubectl.stderr.trim_end()), "{flags}");
        assert!(ours.stderr.contains(&format!("in the namespace {namespace:?}")), "{flags}: {}", ours.stderr);
    }
}
