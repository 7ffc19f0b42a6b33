//! Credential plugins.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::{As, Better, Case, Cluster, Fail, Place, compare_at, user};

trials![plugins_are_run_as_by_kubectl];

fn plugins_are_run_as_by_kubectl() {
    let Some(cluster) = Cluster::shared() else { return };
    let place = Place::new(cluster);
    for (name, version, status) in CREDENTIALS {
        let version = format!("client.authentication.k8s.io/{version}");
        place.write(name, &format!(r#"{{"kind":"ExecCredential","apiVersion":"{version}","status":{status}}}"#));
    }
    // What the kubeconfig sets comes to what is there.
    place.write("login", "#!/bin/sh\ntest -n \"$FROM_OUTSIDE\" && cat $DIR/$CREDENTIALS\n");
    fs::set_permissions(place.folder.join("login"), fs::Permissions::from_mode(0o755)).expect("a script that runs");
    compare_at(cluster, &place, &CASES);
}

/// What plugins print: name of the file, version of the API, and status.
const CREDENTIALS: [(&str, &str, &str); 8] = [
    ("good", "v1", r#"{"token":"$NAMESPACED"}"#),
    ("beta", "v1beta1", r#"{"token":"$NAMESPACED"}"#),
    ("expired", "v1", r#"{"token":"$NAMESPACED","expirationTimestamp":"2020-01-01T00:00:00Z"}"#),
    ("wrong", "v1", r#"{"token":"wrong"}"#),
    ("no-status", "v1", "null"),
    ("no-token", "v1", r#"{"token":""}"#),
    ("half", "v1", r#"{"clientCertificateData":"x"}"#),
    ("bad-certificate", "v1", r#"{"clientCertificateData":"x","clientKeyData":"y"}"#),
];

/// Makes a user with a plugin of version v1 that is never interactive.
macro_rules! exec {
    ($fields:literal) => {
        concat!("{ exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, ", $fields, " } }")
    };
}

const CASES: [Case; 24] = [
    user("a token", exec!("command: /bin/cat, args: [$DIR/good]"), As("namespaced")),
    user("one that has expired is used", exec!("command: /bin/cat, args: [$DIR/expired]"), As("namespaced")),
    user(
        "a wrong token",
        exec!("command: /bin/cat, args: [$DIR/wrong]"),
        Fail(&["You must be logged in to the server"]),
    ),
    user(
        "a command beside the kubeconfig, and a variable",
        exec!("command: ./login, env: [{ name: CREDENTIALS, value: good }]"),
        As("namespaced"),
    ),
    user("a command on PATH", exec!("command: cat, args: [$DIR/good]"), As("namespaced")),
    user(
        "an older version has a default for interactiveMode",
        "{ exec: { apiVersion: client.authentication.k8s.io/v1beta1, command: cat, args: [$DIR/beta] } }",
        As("namespaced"),
    ),
    user(
        "no terminal is needed if it is not there",
        "{ exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable, command: cat, args: [$DIR/good] } }",
        As("namespaced"),
    ),
    user(
        "a terminal is needed",
        "{ exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always, command: cat, args: [$DIR/good] } }",
        Fail(&["getting credentials: exec plugin cannot support interactive mode: standard input is not a terminal"]),
    ),
    user(
        "no interactiveMode",
        "{ exec: { apiVersion: client.authentication.k8s.io/v1, command: cat, args: [$DIR/good] } }",
        Fail(&["interactiveMode must be ", "u"]),
    ),
    user(
        "an interactiveMode that is none",
        "{ exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Sometimes, command: cat } }",
        Fail(&["interactiveMode"]),
    ),
    user("no version", "{ exec: { interactiveMode: Never, command: cat } }", Fail(&["apiVersion must be ", "u"])),
    user(
        "a version of old",
        "{ exec: { apiVersion: client.authentication.k8s.io/v1alpha1, interactiveMode: Never, command: cat } }",
        Fail(&["exec plugin: invalid apiVersion \"client.authentication.k8s.io/v1alpha1\""]),
    ),
    user("no command", exec!("args: [x]"), Fail(&["command must be ", "u"])),
    user("a variable without a name", exec!("command: cat, env: [{ value: x }]"), Fail(&["env", "name"])),
    user(
        "no such command",
        exec!("command: no-such-login, installHint: brew install login"),
        Fail(&["getting credentials: exec: executable no-such-login not found", "brew install login"]),
    ),
    // kubectl keeps its hint to itself if the command has a path.
    user(
        "no such file",
        exec!("command: ./no-such-login, installHint: brew install login"),
        Better("$DIR/no-such-login: no such file", "executable $DIR/no-such-login not found\nhint: brew install login"),
    ),
    user(
        "one that fails",
        exec!("command: sh, args: ['-c', 'echo please log in >&2; exit 3']"),
        Fail(&["please log in\n", "getting credentials: exec: executable sh failed with exit code 3"]),
    ),
    user(
        "garbage",
        exec!("command: echo, args: [s3cret]"),
        Better("decoding stdout", "executable echo printed no ExecCredential"),
    ),
    user(
        "another version than asked for",
        exec!("command: cat, args: [$DIR/beta]"),
        Better(
            "plugin returned version client.authentication.k8s.io/v1beta1",
            "printed another apiVersion than client.authentication.k8s.io/v1",
        ),
    ),
    user("no status", exec!("command: cat, args: [$DIR/no-status]"), Fail(&["status"])),
    user("no token", exec!("command: cat, args: [$DIR/no-token]"), Fail(&["token"])),
    user("half a pair", exec!("command: cat, args: [$DIR/half]"), Fail(&["certificate or", "not both"])),
    user(
        "a bad certificate",
        exec!("command: cat, args: [$DIR/bad-certificate]"),
        Fail(&["getting credentials: ", "PEM"]),
    ),
    user(
        "a plugin and a provider",
        "{ auth-provider: { name: oidc }, exec: { apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: cat } }",
        Better(
            "authProvider cannot be provided in combination with an exec plugin for u",
            "user \"u\" of the kubeconfig: exec and auth-provider may not be given at once",
        ),
    ),
];
