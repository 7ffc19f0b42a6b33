//! What must not come out: secrets in what is shown, requests to others than the server, files.

use std::fs;

use serde_json::{Value, json};

use super::credentials::as_user;
use super::server::Reply;
use super::tls::stuck_with_tls;
use super::{config, kubeconfig, no_fault, stuck};
use crate::cli::process::{command, run_in, temporary};

trials![secrets_are_shown_at_no_level, redirects_are_not_followed, nothing_is_left_on_disk];

/// A secret, and how it looks in basic authentication of `jane`.
const SECRETS: [&str; 2] = ["s3cret", "amFuZTpzM2NyZXQ="];

fn secrets_are_shown_at_no_level() {
    let credential = json!({
        "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "status": { "token": "s3cret" },
    });
    let plugin = json!({
        "apiVersion": "client.authentication.k8s.io/v1", "command": "/bin/sh", "args": ["-c", "echo \"$CREDENTIAL\""],
        "env": [{ "name": "CREDENTIAL", "value": credential.to_string() }], "interactiveMode": "Never",
    });
    let file = temporary("s3cret");
    let refusal = || Reply::status(401, "Unauthorized", "Unauthorized").with("Set-Cookie", "session=s3cret");
    let (willing, refusing) = (stuck_with_tls(no_fault), stuck_with_tls(move |_, _| Some(refusal())));
    for server in [&willing, &refusing] {
        let of_user = |user: Value| as_user(server, user);
        let address = format!("https://jane:s3cret@127.0.0.1:{}", server.port);
        for flags in [
            of_user(json!({ "token": "s3cret" })),
            of_user(json!({ "tokenFile": file })),
            of_user(json!({ "username": "jane", "password": "s3cret" })),
            of_user(json!({ "exec": plugin })),
            of_user(json!({})) + " --token s3cret",
            of_user(json!({})) + " --username jane --password s3cret",
            of_user(json!({})) + " --insecure-skip-tls-verify --server " + &address,
        ] {
            for level in [0, 6, 8, 10] {
                let run = run_in(&format!("plan -v {level} {flags}"), &[]);
                let shown = run.stdout + &run.stderr;
                assert!(!SECRETS.iter().any(|secret| shown.contains(secret)), "{flags} at {level}: {shown}");
            }
        }
    }
    let is_sent = |header: &str| willing.asked().iter().any(|asked| asked.header("authorization") == [header]);
    assert!(is_sent("Bearer s3cret") && is_sent("Basic amFuZTpzM2NyZXQ="), "the secrets were used");
}

fn redirects_are_not_followed() {
    let elsewhere = stuck(no_fault);
    let address = elsewhere.url();
    let server = stuck(move |_, _| Some(Reply::status(307, "", "").with("Location", &address)));
    let run = run_in(&format!("plan --kubeconfig {}", kubeconfig(&server)), &[]);
    assert_eq!((run.code, elsewhere.paths()), (1, Vec::new()), "{}", run.stderr);
}

fn nothing_is_left_on_disk() {
    let server = stuck(no_fault);
    let config = temporary(&config(&server.url(), "monitoring", json!({ "token": "t0ken" })).to_string());
    let folder = tempfile::tempdir().expect("a folder");
    let lines = "plan, plan -A, nodes node-agent, why node-agent, status --watch=false, history node-agent, snapshot, \
                 sync node-agent --dry-run, pause node-agent --dry-run, rights, version";
    for line in lines.split(", ") {
        let mut command = command(&format!("{line} -v 9 --kubeconfig {config}"));
        for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "KUBECACHEDIR"] {
            command.env(variable, folder.path());
        }
        let output = command.current_dir(folder.path()).output().expect("the binary starts");
        let has_failed = matches!(output.status.code(), None | Some(1 | 2));
        assert!(!has_failed, "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let left: Vec<_> = fs::read_dir(folder.path()).expect("the folder is there").flatten().collect();
        assert!(left.is_empty(), "{line} left {left:?}");
    }
}
