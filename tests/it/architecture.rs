//! The rules of which folder may import which. If one fails, move the code rather than the rule.

use std::fs;
use std::path::{Path, PathBuf};

trials![pure_folders_import_only_what_they_may, pure_folders_have_no_clock_environment_or_output];

/// Folders and files of the pure core, with the modules of this crate that each may import.
const PURE: [(&str, &[&str]); 10] = [
    ("api", &["api"]),
    ("plan", &["api", "plan"]),
    ("snapshot", &["api", "plan"]),
    ("upstream", &["api", "upstream"]),
    ("reconcile", &["api", "plan", "snapshot", "upstream", "reconcile", "findings"]),
    ("findings", &["api", "plan", "snapshot", "upstream", "findings"]),
    ("source/redact", &["api"]),
    ("drive", &["api", "plan", "upstream", "drive"]),
    ("apply/pod", &["api", "upstream"]),
    ("view", &["api", "plan", "snapshot", "upstream", "drive", "view"]),
];

/// What a pure function does not use.
const IMPURE: [&str; 8] =
    ["std::env", "std::fs", "std::io", "std::process", "Timestamp::now", "println!", "async ", "kube::Client"];

fn pure_folders_import_only_what_they_may() {
    for (module, allowed) in PURE {
        for (file, text) in sources(module) {
            for import in text.match_indices("crate::").map(|(at, word)| module_after(&text[at + word.len()..])) {
                assert!(allowed.contains(&import), "{} imports crate::{import}", file.display());
            }
        }
    }
}

fn pure_folders_have_no_clock_environment_or_output() {
    for (module, _) in PURE {
        for (file, text) in sources(module) {
            for word in IMPURE {
                assert!(!text.contains(word), "{} uses {word}", file.display());
            }
        }
    }
}

fn module_after(path: &str) -> &str {
    let end = path.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(path.len());
    &path[..end]
}

/// Returns the source files of a module, its own and all below its folder, without tests: those may use the builders.
fn sources(module: &str) -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = vec![root.join(format!("{module}.rs"))];
    let mut folders = vec![root.join(module)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(|file| !file.with_extension("").iter().any(|part| part == "tests"));
    files.into_iter().filter_map(|file| Some((file.clone(), without_tests(&fs::read_to_string(&file).ok()?)))).collect()
}

/// Returns a source text up to the tests at its end.
fn without_tests(text: &str) -> String {
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned()
}
