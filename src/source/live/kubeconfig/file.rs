//! One kubeconfig file: what it says, with its paths made absolute.
//!
//! Upstream: client-go tools/clientcmd `LoadFromFile` and `ResolveLocalPaths` (1.37). As there, of several documents the
//! first counts, and of a key that is there twice the last.

use std::collections::BTreeSet;
use std::io::{self, Read as _};
use std::path::{self, Path};

use anyhow::{Context as _, anyhow};
use encoding_rs_io::DecodeReaderBytes;
use kube::config::Kubeconfig;
use serde_json::Value;
use serde_saphyr::Options;

/// Reads a file; `None` if there is none.
///
/// # Errors
///
/// It cannot be read, or is no kubeconfig. What it says is not repeated, because that may be secret.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<Kubeconfig>> {
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        bytes => bytes.with_context(|| format!("read kubeconfig {path:?}"))?,
    };
    let config = parse(&bytes).and_then(|config| check_names(&config).map(|()| config));
    let mut config = config.map_err(|cause| anyhow!("read kubeconfig {path:?}: {cause}"))?;
    // An empty current-context is none, so that the next file can set it.
    config.current_context = config.current_context.filter(|name| !name.is_empty());
    if let Some(folder) = path.parent() {
        make_absolute(&mut config, folder);
    }
    Ok(Some(config))
}

/// Errors: the cause, in words.
fn parse(bytes: &[u8]) -> Result<Kubeconfig, String> {
    let mut text = String::new();
    // Some shells write UTF-16.
    DecodeReaderBytes::new(bytes).read_to_string(&mut text).map_err(|error| error.to_string())?;
    let documents = serde_saphyr::from_multiple_with_options::<Value>(&text, yaml_options());
    let documents = documents.map_err(|error| yaml_error(&error))?;
    let Some(mut document) = documents.into_iter().next().filter(|document| !document.is_null()) else {
        return Ok(Kubeconfig::default());
    };
    match document["kind"].as_str() {
        None | Some("" | "Config") => {}
        Some(kind) => return Err(format!("its kind is {kind:?}, not \"Config\"")),
    }
    // The cluster of a context may be left out, though the type wants it.
    for context in document["contexts"].as_array_mut().into_iter().flatten() {
        if let Some(context) = context["context"].as_object_mut() {
            context.entry("cluster").or_insert_with(|| "".into());
        }
    }
    serde_path_to_error::deserialize(document)
        .map_err(|error| format!("{}: {}", error.path(), without_values(&error.inner().to_string())))
}

fn yaml_options() -> Options {
    serde_saphyr::options! {
        duplicate_keys: serde_saphyr::DuplicateKeyPolicy::LastWins,
        with_snippet: false,
        emit_comments: false,
    }
}

fn yaml_error(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    let text = without_values(text.split(" at line ").next().unwrap_or_default());
    match error.location() {
        Some(location) => format!("line {}, column {}: {text}", location.line(), location.column()),
        None => text.to_owned(),
    }
}

/// Cuts off the text of an error where it may repeat what the file says, such as a token.
pub(super) fn without_values(text: &str) -> &str {
    let text = text.lines().next().unwrap_or_default();
    text.split(['"', '`', '\'']).next().unwrap_or_default().trim_end_matches([' ', ':'])
}

/// Errors: two entries of a list have the same name.
fn check_names(config: &Kubeconfig) -> Result<(), String> {
    check_unique("cluster", config.clusters.iter().map(|named| named.name.as_str()))?;
    check_unique("user", config.auth_infos.iter().map(|named| named.name.as_str()))?;
    check_unique("context", config.contexts.iter().map(|named| named.name.as_str()))
}

fn check_unique<'a>(kind: &str, mut names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut seen = BTreeSet::new();
    match names.find(|name| !seen.insert(*name)) {
        Some(name) => Err(format!("{kind} {name:?} is there twice")),
        None => Ok(()),
    }
}

/// Makes paths absolute that are relative to the folder of the file.
fn make_absolute(config: &mut Kubeconfig, folder: &Path) {
    for cluster in config.clusters.iter_mut().filter_map(|named| named.cluster.as_mut()) {
        resolve(&mut cluster.certificate_authority, folder);
    }
    for user in config.auth_infos.iter_mut().filter_map(|named| named.auth_info.as_mut()) {
        resolve(&mut user.client_certificate, folder);
        resolve(&mut user.client_key, folder);
        resolve(&mut user.token_file, folder);
        // What has no separator is looked for on PATH.
        if let Some(plugin) = user.exec.as_mut()
            && plugin.command.as_ref().is_some_and(|command| command.contains(path::MAIN_SEPARATOR))
        {
            resolve(&mut plugin.command, folder);
        }
    }
}

fn resolve(path: &mut Option<String>, folder: &Path) {
    let relative = path.as_deref().filter(|path| !path.is_empty() && Path::new(path).is_relative());
    let absolute = relative.and_then(|path| Some(path::absolute(folder.join(path)).ok()?.to_str()?.to_owned()));
    if absolute.is_some() {
        *path = absolute;
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, without_values};

    fn error(text: &str) -> String {
        parse(text.as_bytes()).expect_err(text)
    }

    #[test]
    fn errors_do_not_repeat_what_a_file_says() {
        let text = "line 3 column 9: invalid type: string \"s3cret\", expected a map\n 3 | token: s3cret";
        assert_eq!(without_values(text), "line 3 column 9: invalid type: string");
        let number = "users: [{ name: me, user: { token: 7357 } }]";
        assert_eq!(error(number), "users[0].user.token: invalid type: integer");
        assert!(!error("users: [{ name: me, user: { token: \"s3cret }").contains("s3cret"));
        assert_eq!(error("a: [b\n c: }"), "line 2, column 3: illegal placement of");
    }

    #[test]
    fn what_is_no_kubeconfig_is_refused() {
        assert_eq!(error("kind: Pod"), "its kind is \"Pod\", not \"Config\"");
        assert_eq!(error("contexts: 7"), "contexts: invalid type: integer");
        for nothing in ["", "# nothing\n", "null", "{}"] {
            assert!(parse(nothing.as_bytes()).expect(nothing).clusters.is_empty());
        }
    }

    #[test]
    fn the_last_of_equal_keys_and_the_first_document_count() {
        let text = "current-context: a\ncurrent-context: b\n---\ncurrent-context: c\n";
        assert_eq!(parse(text.as_bytes()).expect("a kubeconfig").current_context.as_deref(), Some("b"));
        let utf16: Vec<u8> = "\u{feff}current-context: a".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(parse(&utf16).expect("a kubeconfig").current_context.as_deref(), Some("a"));
    }
}
