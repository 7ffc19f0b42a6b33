//! Programs of `tests/upstream`, built with Go, as child processes.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use crate::left_out;
use crate::support::test_path;

/// Ends its process when dropped.
pub struct ChildGuard(pub Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a program, built by a command that is given its path and run in `tests/upstream`.
///
/// Where there is no Go it is `None`, with a note of what is left out. Continuous integration leaves nothing out.
pub fn program(name: &str, build: impl FnOnce(&Path) -> Command, without: &'static str) -> Option<PathBuf> {
    if !Command::new("go").arg("version").output().is_ok_and(|output| output.status.success()) {
        assert!(env::var_os("CI").is_none(), "Go was not found, and CI leaves nothing out");
        left_out(without);
        return None;
    }
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let status = build(&path).current_dir(test_path("upstream")).status().expect("the build starts");
    assert!(status.success(), "{name} does not build");
    Some(path)
}
