use std::fs;

use clap::Parser;
use secrecy::ExposeSecret as _;
use tempfile::TempDir;

use super::Access;
use crate::args::Cli;
use crate::error;

const CONFIG: &str = "
current-context: dev
contexts: [{ name: dev, context: { cluster: dev, user: me, namespace: ops } }]
clusters: [{ name: dev, cluster: { server: 'https://api.example.com:6443', tls-server-name: api, proxy-url: 'http://proxy:1', certificate-authority-data: eA== } }]
users: [{ name: me, user: { exec: { command: login, apiVersion: v1beta1 }, client-certificate-data: eA==, client-key-data: eQ==, as: jane } }]
";

fn config(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config");
    fs::write(&path, text).expect("a file");
    let flag = format!("--kubeconfig={}", path.display());
    (folder, flag)
}

/// Returns the access that these flags give with a kubeconfig, and these variables.
fn access_with(text: &str, flags: &[&str], variables: &[(&str, &str)]) -> anyhow::Result<Access> {
    let (_folder, kubeconfig) = config(text);
    let words = ["kubectl-daemonset", "plan", &kubeconfig].into_iter().chain(flags.iter().copied());
    let cli = Cli::try_parse_from(words).expect("good usage");
    let environment = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
    Access::new(&cli.connection, &environment)
}

fn access(flags: &[&str]) -> Access {
    access_with(CONFIG, flags, &[]).expect("access")
}

#[test]
fn a_kubeconfig_says_it_all() {
    let access = access(&[]);
    assert_eq!(access.server, "https://api.example.com:6443");
    assert_eq!(access.host(), "api.example.com:6443");
    assert_eq!(access.namespace, "ops");
    assert_eq!(access.cluster.tls_server_name.as_deref(), Some("api"));
    assert_eq!(access.proxy, "http://proxy:1".parse().ok());
    assert_eq!(access.user.impersonate.as_deref(), Some("jane"));
    assert_eq!((access.timeout, access.chunk_size), (None, 500));
}

#[test]
fn another_server_makes_the_server_name_void() {
    let access = access(&["--server", "https://other"]);
    assert_eq!(access.server, "https://other");
    assert_eq!(access.cluster.tls_server_name, None);
    assert!(access.cluster.certificate_authority_data.is_some());
}

#[test]
fn a_file_makes_data_void() {
    let access = access(&["--certificate-authority=ca", "--client-certificate=cert", "--client-key=key"]);
    assert_eq!(access.cluster.certificate_authority.as_deref(), Some("ca"));
    assert_eq!(access.cluster.certificate_authority_data, None);
    assert_eq!(access.user.client_certificate.as_deref(), Some("cert"));
    assert_eq!(access.user.client_certificate_data, None);
    assert_eq!(access.user.client_key.as_deref(), Some("key"));
    assert!(access.user.client_key_data.is_none());
}

#[test]
fn no_check_makes_the_authority_void() {
    let access = access(&["--insecure-skip-tls-verify"]);
    assert_eq!(access.cluster.insecure_skip_tls_verify, Some(true));
    assert_eq!(access.cluster.certificate_authority_data, None);
}

#[test]
fn a_token_makes_other_credentials_void() {
    let access = access(&["--token", "t"]);
    assert!(access.user.exec.is_none());
    assert_eq!(access.user.token.as_ref().map(|token| token.expose_secret()), Some("t"));
    assert!(access.user.client_certificate_data.is_some(), "a certificate goes together with a token");
}

#[test]
fn empty_flags_change_nothing() {
    let names = ["context", "cluster", "user", "server", "token", "username", "password", "as", "as-uid"];
    let more = ["tls-server-name", "certificate-authority", "client-certificate", "client-key"];
    let flags: Vec<_> = names.iter().chain(&more).map(|name| format!("--{name}=")).collect();
    let changed = access(&flags.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(format!("{changed:?}"), format!("{:?}", access(&[])));
}

#[test]
fn impersonation_of_flags_comes_before_that_of_the_kubeconfig() {
    let text = CONFIG.replace("as: jane", "as: jane, as-user-extra: { a: [0], b: [0] }").replace('0', "'0'");
    let access = access_with(&text, &["--as=joe", "--as-user-extra=a=1", "--as-user-extra=a=2"], &[]).expect("access");
    assert_eq!(access.user.impersonate.as_deref(), Some("joe"));
    let extra = access.user.impersonate_user_extra.expect("extra");
    assert_eq!((&extra["a"][..], &extra["b"][..]), (&["1".to_owned(), "2".to_owned()][..], &["0".to_owned()][..]));
}

#[test]
fn addresses_without_a_scheme_are_those_of_kubectl() {
    let server = |text: &str, flags: &[&str]| access_with(text, flags, &[]).expect("access").server.to_string();
    assert_eq!(server("{}", &["-s", "127.0.0.1:8080"]), "http://127.0.0.1:8080/");
    assert_eq!(server("{}", &["-s", "api:6443", "--certificate-authority=ca"]), "http://api:6443/");
    assert_eq!(server("{}", &["-s", "https://api:6443/prefix"]), "https://api:6443/prefix");
    assert!(access_with("{}", &["-s", "api:6443/prefix"], &[]).is_err());
}

#[test]
fn credentials_are_not_sent_in_the_clear() {
    let access = access(&["-s", "http://api", "--token=t"]);
    assert_eq!(access.user.impersonate.as_deref(), Some("jane"));
    assert!(access.user.token.is_none() && access.user.client_certificate_data.is_none());
}

#[test]
fn proxies_of_the_environment_know_exceptions() {
    let proxy = |no_proxy| {
        let variables = [("HTTPS_PROXY", "proxy:3128"), ("NO_PROXY", no_proxy)];
        access_with("{}", &["-s", "https://api.example.com"], &variables).expect("access").proxy
    };
    assert_eq!(proxy(""), "http://proxy:3128".parse().ok());
    assert_eq!(proxy("example.com"), None);
    let variables = [("NO_PROXY", "*")];
    assert!(access_with(CONFIG, &[], &variables).expect("access").proxy.is_some(), "proxy-url knows none");
}

#[test]
fn secrets_of_flags_are_not_in_debug_texts() {
    let cli = Cli::try_parse_from(["kubectl-daemonset", "plan", "--token=s3cret", "--password=s3cret"]).expect("usage");
    assert!(!format!("{cli:?}").contains("s3cret"));
}

#[test]
fn without_any_configuration_the_hint_is_a_snapshot() {
    let error = access_with("{}", &[], &[]).expect_err("no cluster");
    let text = error::text(&error);
    assert!(text.starts_with("error: Missing or incomplete configuration info"), "{text}");
    assert!(text.ends_with("hint: with --snapshot FILE a dump is read and no cluster is needed"), "{text}");
}

#[test]
fn a_password_in_the_address_of_the_server_is_not_kept() {
    assert_eq!(access(&["--server", "https://jane:s3cret@other:8443/api"]).server, "https://other:8443/api");
    for address in ["ftp://jane:s3cret@other", "jane:s3cret@other/path"] {
        let Err(error) = access_with(CONFIG, &["--server", address], &[]) else { panic!("{address} is no address") };
        assert!(!error::text(&error).contains("s3cret"), "{error:#}");
    }
}
