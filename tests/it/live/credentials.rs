//! Who asks: tokens, plugins, impersonation, and what is shown of them.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use snapbox::file;

use super::server::{Asked, Reply, Server};
use super::tls::stuck_with_tls as stuck;
use super::{config, no_fault, same, session};
use crate::cli::process::{run_in, run_with_stdin, temporary};
use crate::left_out;

trials![
    a_plugin_runs_once_for_all_requests,
    a_plugin_runs_again_when_its_token_is_refused,
    a_plugin_runs_again_when_its_token_expires,
    plugins_that_fail_are_told,
    an_interactive_plugin_has_the_terminal,
    no_plugin_runs_beside_a_snapshot,
    tokens_and_passwords_are_sent,
    a_token_file_is_read_again_when_it_is_refused,
    impersonation_is_sent,
    requests_are_shown_without_secrets,
];

/// A credential plugin that counts its runs and prints the token `t<run>`.
pub struct Plugin {
    folder: PathBuf,
}

impl Plugin {
    /// `more` are further fields of the status.
    pub fn new(more: &str) -> Self {
        let folder = PathBuf::from(temporary("")).with_extension("d");
        fs::create_dir_all(&folder).expect("a folder");
        let script = format!(
            "#!/bin/sh\necho run >> {0}/runs\nprintf '%s' \"$KUBERNETES_EXEC_INFO\" > {0}/info\n\
             n=$(/usr/bin/wc -l < {0}/runs)\n\
             printf '{{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{{\"token\":\"t%d\"{more}}}}}' \"$n\"\n",
            folder.display(),
        );
        let path = folder.join("login");
        fs::write(&path, script).expect("a script");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a script that runs");
        Self { folder }
    }

    pub fn user(&self) -> Value {
        json!({ "exec": {
            "apiVersion": "client.authentication.k8s.io/v1", "command": self.folder.join("login"),
            "interactiveMode": "IfAvailable", "provideClusterInfo": true,
        } })
    }

    pub fn runs(&self) -> usize {
        fs::read_to_string(self.folder.join("runs")).unwrap_or_default().lines().count()
    }
}

/// Returns the flag for a kubeconfig whose user is this one.
pub fn as_user(server: &Server, user: Value) -> String {
    let mut config = config(&https(server), "monitoring", user);
    config["clusters"][0]["cluster"]["insecure-skip-tls-verify"] = true.into();
    format!("--kubeconfig {}", temporary(&config.to_string()))
}

fn https(server: &Server) -> String {
    format!("https://127.0.0.1:{}", server.port)
}

/// Returns the distinct values of a header, in the order first seen.
fn sent(server: &Server, header: &str) -> Vec<String> {
    let mut values = Vec::new();
    for asked in server.asked() {
        for value in asked.header(header) {
            if !values.iter().any(|other| other == value) {
                values.push(value.to_owned());
            }
        }
    }
    values
}

fn only(token: &'static str) -> impl Fn(&Asked, usize) -> Option<Reply> {
    move |asked, _| {
        let is_good = asked.header("authorization") == [token];
        (!is_good).then(|| Reply::status(401, "Unauthorized", "Unauthorized"))
    }
}

fn assert_plans(flags: &str) {
    let run = run_in(&format!("plan -o name {flags}"), &[]);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str(), run.code), ("daemonset.apps/node-agent\n", "", 0), "{flags}");
}

fn a_plugin_runs_once_for_all_requests() {
    let (server, plugin) = (stuck(no_fault), Plugin::new(""));
    assert_plans(&as_user(&server, plugin.user()));
    assert_eq!(plugin.runs(), 1);
    assert_eq!(sent(&server, "authorization"), ["Bearer t1"]);
    let info: Value =
        serde_json::from_str(&fs::read_to_string(plugin.folder.join("info")).expect("info")).expect("JSON");
    let expected = json!({
        "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1",
        "spec": { "interactive": false, "cluster": { "server": https(&server), "insecure-skip-tls-verify": true } },
    });
    assert_eq!(info, expected);
}

fn a_plugin_runs_again_when_its_token_is_refused() {
    let (server, plugin) = (stuck(only("Bearer t2")), Plugin::new(""));
    assert_plans(&as_user(&server, plugin.user()));
    assert_eq!(plugin.runs(), 2);
    assert_eq!(sent(&server, "authorization"), ["Bearer t1", "Bearer t2"]);
}

fn a_plugin_runs_again_when_its_token_expires() {
    let plugin = Plugin::new(",\"expirationTimestamp\":\"2020-01-01T00:00:00Z\"");
    let server = stuck(no_fault);
    assert_plans(&as_user(&server, plugin.user()));
    // As in client-go, each of the 6 requests has a token of its own, and none is thrown away unused.
    assert_eq!(plugin.runs(), 6);
    assert_eq!(sent(&server, "authorization").len(), 6);
}

fn plugins_that_fail_are_told() {
    let server = stuck(|_, _| Some(Reply::status(401, "Unauthorized", "Unauthorized")));
    let shell = |script: &str| {
        json!({ "exec": {
        "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh", "args": ["-c", script],
        "interactiveMode": "Never",
    } })
    };
    let mut missing = shell("");
    missing["exec"]["command"] = "no-such-login".into();
    missing["exec"]["installHint"] = "Install it:\n  brew install login".into();
    let mut always = shell("");
    always["exec"]["interactiveMode"] = "Always".into();
    let mut old = shell("");
    old["exec"]["apiVersion"] = "client.authentication.k8s.io/v1alpha1".into();
    let users = [shell("echo 'please log in' >&2; exit 3"), shell("echo s3cret"), missing, always, old];
    let mut text = String::new();
    for user in users {
        let flags = as_user(&server, user);
        text += &session(&[&format!("plan {flags}")], &[("PATH", "/nonexistent")], &[(&flags, "--kubeconfig CONFIG")]);
    }
    let refused = as_user(&server, Plugin::new("").user());
    text += &session(&[&format!("plan {refused}")], &[], &[(&refused, "--kubeconfig CONFIG")]);
    same(text, file!["../expected/live/plugins.txt"]);
}

fn an_interactive_plugin_has_the_terminal() {
    for mode in ["IfAvailable", "Always"] {
        let server = stuck(only("Bearer typed"));
        let print = r#"echo "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"$token\"}}""#;
        let script = format!("printf 'Token: ' >&2; read -r token; echo \"$KUBERNETES_EXEC_INFO\" >&2; {print}");
        let flags = as_user(
            &server,
            json!({ "exec": {
            "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh", "args": ["-c", script],
            "interactiveMode": mode,
        } }),
        );
        let Some(seen) = typed("typed\n", &format!("plan -o name {flags}")) else {
            return left_out("plugins that ask a person: the command script of util-linux is not there");
        };
        assert!(seen.contains("Token: "), "{seen}");
        assert!(seen.contains("\"interactive\":true"), "{seen}");
        assert!(seen.ends_with("daemonset.apps/node-agent\n"), "{seen}");
    }
}

fn no_plugin_runs_beside_a_snapshot() {
    let (server, plugin) = (stuck(no_fault), Plugin::new(""));
    let flags = as_user(&server, plugin.user());
    let transcript = run_with_stdin(&format!("plan -o name --snapshot - {flags}"), "clusters/stuck-rollout.yaml");
    assert!(transcript.contains("\ndaemonset.apps/node-agent\n"), "{transcript}");
    assert_eq!((plugin.runs(), server.asked().len()), (0, 0));
}

/// Runs a command line on a terminal where this is typed; `None` if no terminal can be had.
fn typed(text: &str, line: &str) -> Option<String> {
    let mut child = Command::new("script")
        .args(["-qec", &format!("{} {line}", env!("CARGO_BIN_EXE_kubectl-daemonset")), "/dev/null"])
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(text.as_bytes()).expect("a terminal that reads");
    // The terminal stays until the program has ended.
    let output = child.wait_with_output().expect("it ends");
    Some(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}

fn tokens_and_passwords_are_sent() {
    let server = stuck(no_fault);
    assert_plans(&as_user(&server, json!({ "token": "t0ken" })));
    assert_plans(&as_user(&server, json!({ "username": "jane", "password": "pa:ss" })));
    assert_plans(&format!("{} --token other", as_user(&server, Plugin::new("").user())));
    assert_plans(&format!("{} --username=joe --password=x", as_user(&server, json!({ "token": "t0ken" }))));
    let expected = ["Bearer t0ken", "Basic amFuZTpwYTpzcw==", "Bearer other", "Basic am9lOng="];
    assert_eq!(sent(&server, "authorization"), expected);
    assert_eq!(sent(&server, "user-agent"), [concat!("kubectl-daemonset/", env!("CARGO_PKG_VERSION"))]);
}

fn a_token_file_is_read_again_when_it_is_refused() {
    let file = temporary("old\n");
    let path = file.clone();
    let server = stuck(move |asked, _| {
        // The token is rotated while the first request is under way.
        fs::write(&path, "new\n").expect("a file");
        only("Bearer new")(asked, 0)
    });
    assert_plans(&as_user(&server, json!({ "tokenFile": file })));
    assert_eq!(sent(&server, "authorization"), ["Bearer old", "Bearer new"]);
}

fn impersonation_is_sent() {
    let server = stuck(no_fault);
    let flags = "--as jane --as-group a --as-group=b --as-uid 7 --as-user-extra example.org/scopes=x";
    assert_plans(&format!("{} {flags}", as_user(&server, json!({ "token": "t" }))));
    for (header, expected) in [
        ("impersonate-user", &["jane"][..]),
        ("impersonate-group", &["a", "b"]),
        ("impersonate-uid", &["7"]),
        ("impersonate-extra-example.org%2fscopes", &["x"]),
    ] {
        assert_eq!(sent(&server, header), expected, "{header}");
    }
    let server = stuck(no_fault);
    assert_plans(&as_user(&server, json!({ "token": "t", "as": "joe", "as-groups": ["c"] })));
    assert_eq!(sent(&server, "impersonate-user"), ["joe"]);
    assert_eq!(sent(&server, "impersonate-group"), ["c"]);
}

fn requests_are_shown_without_secrets() {
    let server = stuck(no_fault);
    let flags = as_user(&server, json!({ "token": "s3cret" }));
    for (level, expected) in [("5", "levels-5"), ("6", "levels-6"), ("9", "levels-9")] {
        let run = run_in(&format!("plan -o name -v {level} {flags} --as jane"), &[]);
        assert!(!run.stderr.contains("s3cret"), "{}", run.stderr);
        let mut lines: Vec<_> = run.stderr.lines().map(|line| line.split(" in ").next().unwrap_or_default()).collect();
        lines.sort_unstable();
        lines.dedup();
        let text = lines.join("\n").replace(&format!("127.0.0.1:{}", server.port), "SERVER") + "\n";
        let path = crate::support::test_path(&format!("it/expected/live/{expected}.txt"));
        same(text, snapbox::data::Data::read_from(&path, None));
    }
}
