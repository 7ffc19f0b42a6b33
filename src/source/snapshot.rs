//! `--snapshot`: dumps of a cluster, in the layouts that people have them in, become one [`Snapshot`].
//!
//! Input: files, folders and standard input that hold JSON or YAML, as `kubectl get`, `kubectl cluster-info dump`,
//! `oc adm must-gather` and this tool write them. Output: a whole `Snapshot`, sorted, or one error that says where the
//! dump is wrong; nothing is half-read. Data flows through the submodules in this order:
//!
//! `files` (which files) → `documents` (one stream into documents) → `decode` (one document into objects, item by item)
//! → `objects` (kept, if of a kind that decides) → here, where duplicates go and the clock is set.
//!
//! Memory holds one item beside the slim objects, so it grows with what a plan needs and not with the file.

mod decode;
mod documents;
mod files;
mod kinds;
mod objects;
mod place;
mod syntax;

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use jiff::Timestamp;

use crate::snapshot::{ServerVersion, Snapshot};

use files::Input;
use objects::Objects;
use place::Places;

/// Said of a file that was given by name.
const NO_OBJECT: &str = "it holds no Kubernetes object: give what kubectl get prints with -o json or -o yaml";

/// What to read, and what to believe instead of what it says.
#[derive(Clone, Debug, Default)]
pub struct SnapshotOptions {
    /// Files and folders, read in this order; `-` is standard input.
    pub paths: Vec<PathBuf>,
    /// The clock; by default the recorded one, or else the newest timestamp in the objects.
    pub now: Option<Timestamp>,
    /// Version of the server that the objects came from; by default the recorded one.
    pub server_version: Option<ServerVersion>,
}

/// Reads everything into one snapshot, sorted.
///
/// Warnings, without a prefix, go to `warn`: each kind of warning at most once.
///
/// # Errors
///
/// When a path cannot be read or a file given by name holds no Kubernetes object; when a document is cut off, has broken
/// syntax, or has a wrong type in a field that is read; when two different objects have one name; when nothing tells the
/// time. The text names file, document, object and field.
pub fn load(options: &SnapshotOptions, stdin: &mut dyn Read, warn: &mut dyn FnMut(String)) -> anyhow::Result<Snapshot> {
    let mut places = Places::default();
    let mut objects = Objects::default();
    for path in &options.paths {
        read_path(path, stdin, &mut places, &mut objects)?;
    }
    if let Some(passed_over) = objects.other_version.take() {
        warn(format!("passed over {passed_over}: only apps/v1 is read"));
    }
    if objects.len() == 0 && objects.info.is_none() {
        bail!(nothing_to_read(&objects, &places));
    }
    if let Some(set) = objects.without_uid() {
        warn(format!("{set} has no uid, as in a manifest: no pod counts as its own"));
    }
    let info = objects.info.take().unwrap_or_default();
    let server_version = options.server_version.or(info.server_version);
    if let Some(warning) = super::warning_about_version(server_version) {
        warn(warning);
    }
    let mut snapshot = objects.into_snapshot(&places)?;
    snapshot.server_version = server_version;
    snapshot.now = match options.now.or(info.now) {
        Some(now) => now,
        None => newest_timestamp(&snapshot)
            .ok_or_else(|| anyhow!("no object holds a timestamp: say with --now what time it was"))?,
    };
    Ok(snapshot)
}

/// Says what was there in place of what a plan is made from.
fn nothing_to_read(objects: &Objects, places: &Places) -> String {
    let file = places.last();
    if let Some(refusal) = &objects.refusal {
        return format!("read {file}: it is an error of the API server: {refusal}");
    }
    let kinds: Vec<_> = objects.other_kinds.iter().map(String::as_str).collect();
    let but = match kinds.as_slice() {
        [] => String::new(),
        ["Config"] => ", but is a kubeconfig: give it to --kubeconfig".to_owned(),
        kinds => format!(", but {}", kinds.join(", ")),
    };
    format!("read {file}: it holds no node, daemon set, pod, controller revision or event{but}")
}

/// Reads the value of `--now`.
///
/// # Errors
///
/// When the text is no RFC 3339 time.
pub fn parse_now(text: &str) -> anyhow::Result<Timestamp> {
    match text.trim().parse() {
        Ok(now) => Ok(now),
        Err(_) => bail!("\"{text}\" is no RFC 3339 time such as 2026-11-29T14:43:52Z"),
    }
}

fn read_path(path: &Path, stdin: &mut dyn Read, places: &mut Places, objects: &mut Objects) -> anyhow::Result<()> {
    match files::open(path)? {
        Input::Stdin => syntax::read_file(stdin, places.add("standard input".to_owned()), places, objects)?,
        Input::File(file) => syntax::read_file(file, places.add(place::quoted(path)), places, objects)?,
        Input::Folder(files) => return read_folder(path, &files, places, objects),
    }
    .then_some(())
    .ok_or_else(|| anyhow!("read {}: {NO_OBJECT}", places.last()))
}

fn read_folder(folder: &Path, files: &[PathBuf], places: &mut Places, objects: &mut Objects) -> anyhow::Result<()> {
    let before = objects.len();
    for path in files {
        let file = files::open_file(path)?;
        syntax::read_file(file, places.add(place::quoted(path)), places, objects)?;
    }
    if objects.len() == before {
        bail!(
            "read {}: none of its {} .json, .yaml and .yml files holds a node, daemon set, pod, controller revision or event",
            place::quoted(folder),
            files.len()
        );
    }
    Ok(())
}

/// Returns the newest timestamp in the objects, deletions aside, since those lie ahead.
fn newest_timestamp(snapshot: &Snapshot) -> Option<Timestamp> {
    let nodes = snapshot.nodes.iter().map(|node| node.newest_timestamp);
    let daemon_sets = snapshot.daemon_sets.iter().map(|daemon_set| daemon_set.newest_timestamp);
    let pods = snapshot.pods.iter().map(|pod| pod.newest_timestamp);
    let revisions = snapshot.controller_revisions.iter().map(|revision| revision.newest_timestamp);
    let events = snapshot.events.iter().map(|event| event.last_seen);
    nodes.chain(daemon_sets).chain(pods).chain(revisions).chain(events).flatten().max()
}

#[cfg(test)]
mod tests {
    use super::parse_now;

    #[test]
    fn now_is_an_rfc_3339_time() {
        for (text, expected) in [
            ("2026-11-29T14:43:52Z", "2026-11-29T14:43:52Z"),
            ("2026-11-29T15:43:52.5+01:00\n", "2026-11-29T14:43:52.5Z"),
        ] {
            assert_eq!(parse_now(text).expect("a time").to_string(), expected);
        }
    }

    #[test]
    fn what_is_no_time_is_said_to_be_none() {
        for text in ["", "yesterday", "2026-11-29", "2026-11-29T14:43:52", "12h"] {
            let error = parse_now(text).expect_err(text).to_string();
            assert_eq!(error, format!("\"{text}\" is no RFC 3339 time such as 2026-11-29T14:43:52Z"));
        }
    }
}
