use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{Choice, Files, select};

fn variables(kubeconfig: &str) -> impl Fn(&str) -> Option<OsString> {
    move |name| match name {
        "KUBECONFIG" => Some(kubeconfig.into()),
        "HOME" => Some("/home/jane".into()),
        _ => None,
    }
}

fn paths(paths: &[&str]) -> Vec<PathBuf> {
    paths.iter().map(PathBuf::from).collect()
}

#[test]
fn the_flag_comes_before_the_variable_and_that_before_the_home_folder() {
    let flag = Some(Path::new("a"));
    assert_eq!(Files::choose(flag, &variables("b:c")), Files::Named("a".into()));
    assert_eq!(Files::choose(None, &variables("b:c")), Files::Listed(paths(&["b", "c"])));
    assert_eq!(Files::choose(Some(Path::new("")), &variables("b::b")), Files::Listed(paths(&["b"])));
    assert_eq!(
        Files::choose(None, &variables(":")),
        Files::Listed(Vec::new()),
        "as in kubectl, the home folder is out"
    );
    assert_eq!(Files::choose(None, &variables("")), Files::Default("/home/jane/.kube/config".into()));
}

/// Writes files of these texts and returns them as KUBECONFIG would list them, with one that is not there.
fn listed(folder: &TempDir, texts: &[&str]) -> Files {
    let mut paths = vec![folder.path().join("missing")];
    for (i, text) in texts.iter().enumerate() {
        let path = folder.path().join(format!("{i}.yaml"));
        fs::write(&path, text).expect("a file");
        paths.push(path);
    }
    Files::Listed(paths)
}

const FIRST: &str = "
current-context: ''
clusters: [{ name: one, cluster: { server: 'https://first' } }]
users: [{ name: jane, user: { tokenFile: token } }]
";
const SECOND: &str = "
current-context: dev
contexts: [{ name: dev, context: { cluster: one, user: jane, namespace: ops } }, { name: empty, context: { cluster: one, namespace: '' } }]
clusters: [{ name: one, cluster: { server: 'https://second', tls-server-name: x } }, { name: two, cluster: { server: 'https://two' } }]
";

#[test]
fn the_first_file_that_says_something_wins() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = listed(&folder, &[FIRST, SECOND]).read().expect("files that may be merged");
    let selected = select(&config, Choice::default()).expect("all parts");
    assert_eq!(selected.context.as_deref(), Some("dev"));
    assert_eq!(selected.cluster.server.as_deref(), Some("https://first"));
    assert_eq!(selected.cluster.tls_server_name, None, "entries are taken whole");
    assert_eq!(selected.namespace.as_deref(), Some("ops"));
    assert_eq!(selected.user.token_file.as_deref(), folder.path().join("token").to_str(), "relative to its file");
}

#[test]
fn flags_choose_other_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = listed(&folder, &[FIRST, SECOND]).read().expect("files that may be merged");
    let choice = Choice { context: Some("empty"), cluster: Some("two"), user: Some("jane") };
    let selected = select(&config, choice).expect("all parts");
    assert_eq!(selected.cluster.server.as_deref(), Some("https://two"));
    assert_eq!(selected.user_name.as_deref(), Some("jane"));
    assert_eq!(selected.namespace, None, "an empty namespace is none");
    for choice in [
        Choice { context: Some("prod"), ..Choice::default() },
        Choice { cluster: Some("prod"), ..Choice::default() },
        Choice { user: Some("prod"), ..Choice::default() },
    ] {
        assert!(select(&config, choice).is_err(), "{choice:?}");
    }
}

#[test]
fn files_that_are_not_there_are_none_unless_named() {
    let missing = || PathBuf::from("/nonexistent/config");
    assert!(Files::Default(missing()).read().expect("nothing").clusters.is_empty());
    assert!(Files::Listed(vec![missing()]).read().expect("nothing").clusters.is_empty());
    assert!(Files::Named(missing()).read().is_err());
}

#[test]
fn a_name_is_in_a_file_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let twice = "users: [{ name: me, user: { token: a } }, { name: me, user: { token: b } }]";
    let error = listed(&folder, &[twice]).read().expect_err("two users of one name").to_string();
    assert!(error.ends_with(": user \"me\" is there twice"), "{error}");
}

#[test]
fn what_is_in_the_way_of_a_file_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("a file");
    assert!(Files::Listed(vec![file.join("config")]).read().is_err(), "a file is no folder");
    assert!(Files::Listed(vec![folder.path().to_owned()]).read().is_err(), "a folder is no file");
}
