//! Which files to read: a path as it was typed becomes a file, or the files of a folder.
//!
//! `kubectl cluster-info dump` writes `nodes.json` and `NAMESPACE/pods.json` beside `NAMESPACE/POD/logs.txt`; must-gather
//! writes `cluster-scoped-resources/core/nodes/NAME.yaml` and `namespaces/NAMESPACE/core/pods.yaml` beside much else. No
//! layout is relied on: in a folder, what ends in `.json`, `.yaml` or `.yml` is read, wherever it is.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::place::quoted;

/// Endings of the files that are read in a folder.
const ENDINGS: [&str; 3] = ["json", "yaml", "yml"];

/// What a path stands for.
pub(super) enum Input {
    /// `-`.
    Stdin,
    /// A file, or a pipe with a name.
    File(File),
    /// The files below a folder that may hold objects, in a fixed order.
    Folder(Vec<PathBuf>),
}

/// Opens what a path stands for.
pub(super) fn open(path: &Path) -> anyhow::Result<Input> {
    if path.as_os_str() == "-" {
        return Ok(Input::Stdin);
    }
    let file = open_file(path)?;
    let is_folder = file.metadata().with_context(|| format!("open {}", quoted(path)))?.is_dir();
    if !is_folder {
        return Ok(Input::File(file));
    }
    let mut files = Vec::new();
    walk(path, &mut files)?;
    Ok(Input::Folder(files))
}

/// Opens a file; the error names it as it was typed.
pub(super) fn open_file(path: &Path) -> anyhow::Result<File> {
    File::open(path).map_err(plain).with_context(|| format!("open {}", quoted(path)))
}

/// Collects the files below a folder, sorted by name; a folder's own files and its folders are in one order.
///
/// What is hidden is passed over, and so are links to folders: they may lead in a circle.
fn walk(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let mut entries = entries.map_err(plain).with_context(|| format!("list {}", quoted(folder)))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let file_type = entry.file_type().map_err(plain).with_context(|| format!("open {}", quoted(&path)))?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        if file_type.is_dir() {
            walk(&path, files)?;
        } else if has_known_ending(&path) && (file_type.is_file() || is_link_to_file(&path, file_type)) {
            files.push(path);
        }
    }
    Ok(())
}

fn has_known_ending(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// A link that leads nowhere counts as one to a file, so that opening it says so.
fn is_link_to_file(path: &Path, file_type: fs::FileType) -> bool {
    file_type.is_symlink() && fs::metadata(path).map_or(true, |target| target.is_file())
}

/// Takes the ` (os error 2)` off an error of the system.
pub(super) fn plain(error: io::Error) -> anyhow::Error {
    let text = error.to_string();
    match text.split_once(" (os error ") {
        Some((plain, _)) => anyhow::Error::msg(plain.to_owned()),
        None => error.into(),
    }
}
