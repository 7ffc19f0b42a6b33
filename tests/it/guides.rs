//! The texts for people are kept true: the files, tests and variables that they name are there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::test_path;

trials![files_are_there, tests_and_variables_are_there];

/// How the names of our files begin.
const ROOTS: [&str; 4] = ["src/", "tests/", "completions/", ".ci/"];

fn root() -> PathBuf {
    test_path("..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == '`').map(|word| word.trim_matches([',', ';', '.', ':', '(', ')']))
}

fn files_are_there() {
    for name in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        let text = read(name);
        for path in words(&text).filter(|word| ROOTS.iter().any(|root| word.starts_with(root))) {
            assert!(root().join(path).exists(), "{name} names {path}");
        }
    }
}

fn tests_and_variables_are_there() {
    let text = read("CONTRIBUTING.md");
    let all: Vec<String> =
        sources(&root().join("tests/it")).iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    let is_there = |word: &str| all.iter().any(|source| source.contains(&format!("\"{word}\"")));
    let (filters, others): (Vec<_>, Vec<_>) = words(&text).partition(|word| word.starts_with("it::"));
    let variables: Vec<_> = others.iter().filter_map(|word| word.split_once('=')).map(|(name, _)| name).collect();
    assert!(filters.len() > 5 && variables.len() > 4, "{filters:?} {variables:?}");
    for variable in variables.into_iter().filter(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_')) {
        assert!(is_there(variable), "CONTRIBUTING names the variable {variable}");
    }
    for filter in filters {
        assert!(selects(filter), "CONTRIBUTING names the tests {filter}");
    }
}

/// Returns whether a filter is the path of a module, or the path and how a test of it begins.
fn selects(filter: &str) -> bool {
    let file = |path: &str| root().join("tests").join(format!("{}.rs", path.replace("::", "/")));
    let (module, test) = filter.rsplit_once("::").unwrap_or((filter, ""));
    file(filter).exists() || fs::read_to_string(file(module)).is_ok_and(|text| text.contains(&format!("\nfn {test}")))
}

/// Returns all Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    files.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}
