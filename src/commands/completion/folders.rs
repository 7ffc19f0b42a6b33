//! Folders of PATH: where kubectl looks, what is there, and where something can be put.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::UserError;

/// Name of the plugin's file.
const PLUGIN: &str = if cfg!(windows) { "kubectl-daemonset.exe" } else { "kubectl-daemonset" };

/// Returns the folders of PATH, each once; kubectl passes over those that are relative.
pub(super) fn of_path() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for folder in env::split_paths(&env::var_os("PATH").unwrap_or_default()) {
        if folder.is_absolute() && !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    folders
}

/// Returns whether kubectl finds the plugin in one of these folders.
pub(super) fn have_plugin(folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| folder.join(PLUGIN).is_file())
}

/// Chooses a folder that can be written to: the one of the plugin, or one of the person, or any.
///
/// # Errors
///
/// There is none.
pub(super) fn choose(folders: &[PathBuf]) -> Result<&Path, UserError> {
    let home = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE")).filter(|home| !home.is_empty());
    let is_own = |folder: &&&PathBuf| home.as_ref().is_some_and(|home| folder.starts_with(home));
    let writable: Vec<&PathBuf> = folders.iter().filter(|folder| is_writable(folder)).collect();
    let of_plugin = writable.iter().find(|folder| folder.join(PLUGIN).is_file());
    let chosen = of_plugin.or_else(|| writable.iter().find(is_own)).or(writable.first());
    chosen.map(|folder| folder.as_path()).ok_or_else(|| {
        let error = UserError::new("no folder of PATH can be written to");
        let error = error.hint("make one of your own, such as ~/.local/bin, and add it to PATH");
        error.hint("or choose one with --dir, as somebody who may write there")
    })
}

#[cfg(unix)]
fn is_writable(folder: &Path) -> bool {
    use rustix::fs::{Access, access};
    folder.is_dir() && access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Says less than the truth: only an attempt would tell.
#[cfg(not(unix))]
fn is_writable(folder: &Path) -> bool {
    folder.metadata().is_ok_and(|metadata| metadata.is_dir() && !metadata.permissions().readonly())
}

/// Makes a path absolute, which need not exist.
pub(super) fn absolute(path: &Path) -> io::Result<PathBuf> {
    std::path::absolute(path)
}
