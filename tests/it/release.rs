//! What the release script makes: archives, the manifest for krew, man pages. The binary in the archives is this build's.

mod krew;
#[path = "../../.ci/man.rs"]
#[allow(dead_code, reason = "it has a main of its own")]
mod man;
mod pages;
mod platforms;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use ring::digest::{SHA256, digest};
use serde_json::{Value, json};

use crate::left_out;
use crate::support::test_path;

trials![
    the_same_binary_gives_the_same_archive,
    an_archive_holds_what_belongs_to_it_and_nothing_of_this_machine,
    sums_of_the_manifest_are_those_of_the_archives,
    a_binary_that_is_too_large_is_refused,
    the_manifest_in_the_repository_is_what_the_script_writes,
];

/// Returns the trials of all parts.
pub fn all_trials() -> Vec<libtest_mimic::Trial> {
    // Two release builds take minutes each.
    let on_demand = libtest_mimic::Trial::test(concat!(module_path!(), "::two_builds_in_two_folders_are_one"), || {
        two_builds_in_two_folders_are_one();
        Ok(())
    });
    let parts = [trials(), krew::trials(), pages::trials(), platforms::trials()];
    parts.into_iter().flatten().chain([on_demand.with_ignored_flag(true)]).collect()
}

/// Debug builds are larger than what is released.
const ANY_SIZE: &str = "1000000000";

/// A release of this build, for this machine's platform.
struct Release {
    folder: PathBuf,
    manifest: Value,
}

impl Release {
    /// Returns the one archive.
    fn archive(&self) -> PathBuf {
        let uri = self.manifest["spec"]["platforms"][0]["uri"].as_str().expect("a platform has a URI");
        self.folder.join(uri.rsplit('/').next().expect("a URI has parts"))
    }
}

/// Returns the release that all tests share; `None`, with a note, where the script cannot run.
fn release() -> Option<&'static Release> {
    static RELEASE: OnceLock<Option<Release>> = OnceLock::new();
    let made = RELEASE.get_or_init(|| {
        can_run().then(|| {
            let folder = temporary("release");
            let output = packed(&folder, ANY_SIZE).output().expect("the script starts");
            assert!(output.status.success(), "{}", text(&output.stderr));
            let manifest = yaml(&fs::read_to_string(folder.join("krew-manifest.yaml")).expect("a manifest is written"));
            Release { folder, manifest }
        })
    });
    made.as_ref()
}

/// Returns whether this machine has the tools of the script. Continuous integration leaves nothing out.
fn can_run() -> bool {
    let can = ["bash --version", "tar --version", "gzip --version"].iter().all(|line| {
        let mut words = line.split(' ');
        let output = Command::new(words.next().expect("a program")).args(words).current_dir(test_path("..")).output();
        output.is_ok_and(|output| output.status.success())
    });
    if !can {
        assert!(env::var_os("CI").is_none(), "tools are missing, and CI leaves nothing out");
        left_out("archives of a release (bash, GNU tar or gzip is missing)");
    }
    can
}

/// Returns the script, told to pack this build.
fn packed(folder: &Path, max_bytes: &str) -> Command {
    static PAGES: OnceLock<PathBuf> = OnceLock::new();
    let pages = PAGES.get_or_init(|| {
        let folder = temporary("pages");
        man::write_pages(&folder).expect("the pages are written");
        folder
    });
    let mut command = Command::new(test_path("../.ci/release"));
    command.args(["--max-bytes", max_bytes, "--binary", env!("CARGO_BIN_EXE_kubectl-daemonset")]);
    command.arg("--out").arg(folder).arg("--man").arg(pages);
    // What is no clone has no commit, whose time it would be.
    if !is_clone() {
        command.env("SOURCE_DATE_EPOCH", "1700000000");
    }
    command
}

fn is_clone() -> bool {
    let mut git = Command::new("git");
    git.args(["log", "-1"]).current_dir(test_path("..")).output().is_ok_and(|output| output.status.success())
}

/// Returns the path of a folder that is not there yet, in the target folder.
fn temporary(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // The one of an earlier run.
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn yaml(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the stdout of a program that must succeed.
fn stdout(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    assert!(status.success(), "{command:?}: {}", text(&stderr));
    text(&stdout)
}

fn sha256(path: &Path) -> String {
    let sum = digest(&SHA256, &fs::read(path).expect("the archive is there"));
    sum.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn the_same_binary_gives_the_same_archive() {
    let Some(release) = release() else { return };
    let folder = temporary("release-again");
    let plain = packed(&folder, ANY_SIZE);
    // Neither the place, nor the zone, nor the language, nor the mask of the user matters.
    let mut again = Command::new("bash");
    again.args(["-c", "umask 077; exec \"$@\"", "bash"]).arg(plain.get_program()).args(plain.get_args());
    stdout(again.current_dir("/").env("TZ", "Pacific/Chatham").env("LC_ALL", "C.UTF-8"));
    let archive = release.archive();
    let other = folder.join(archive.file_name().expect("an archive has a name"));
    assert_eq!(sha256(&archive), sha256(&other));
    let _ = fs::remove_dir_all(folder);
}

fn an_archive_holds_what_belongs_to_it_and_nothing_of_this_machine() {
    let Some(release) = release() else { return };
    let archive = release.archive();
    let list = stdout(Command::new("tar").args(["--utc", "--full-time", "--numeric-owner", "-tvzf"]).arg(&archive));
    let date = ["log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%d %H:%M:%S"];
    let commit = stdout(Command::new("git").args(date).env("TZ", "UTC").current_dir(test_path("..")));
    let owner_and_time = |line: &str| {
        let words: Vec<_> = line.split_whitespace().collect();
        (words[0].to_owned(), words[1].to_owned(), format!("{} {}", words[3], words[4]), words[5].to_owned())
    };
    let mut names = Vec::new();
    for (mode, owner, time, name) in list.lines().map(owner_and_time) {
        let expected = match name.as_str() {
            "kubectl-daemonset" => "-rwxr-xr-x",
            folder if folder.ends_with('/') => "drwxr-xr-x",
            script if script.starts_with("completions/kubectl_complete") => "-rwxr-xr-x",
            _ => "-rw-r--r--",
        };
        assert_eq!((mode.as_str(), owner.as_str(), time.as_str()), (expected, "0/0", commit.trim()), "{name}");
        names.push(name);
    }
    assert!(names.is_sorted(), "{names:?}");
    let mut expected: Vec<String> =
        ["LICENSE", "README.md", "completions/", "kubectl-daemonset", "man/"].map(str::to_owned).into();
    for script in fs::read_dir(test_path("../completions")).expect("there are scripts").flatten() {
        expected.push(format!("completions/{}", script.file_name().to_string_lossy()));
    }
    expected.extend(pages::names().iter().map(|name| format!("man/{name}")));
    expected.sort();
    assert_eq!(names, expected);
}

fn sums_of_the_manifest_are_those_of_the_archives() {
    let Some(release) = release() else { return };
    let platforms = release.manifest["spec"]["platforms"].as_array().expect("platforms");
    assert_eq!(platforms.len(), 1, "{platforms:?}");
    assert_eq!(platforms[0]["sha256"], sha256(&release.archive()));
}

fn a_binary_that_is_too_large_is_refused() {
    if !can_run() {
        return;
    }
    let folder = temporary("release-large");
    let output = packed(&folder, "1000").output().expect("the script starts");
    assert_eq!(output.status.code(), Some(1));
    let bytes = fs::metadata(env!("CARGO_BIN_EXE_kubectl-daemonset")).expect("the binary is there").len();
    let path = env!("CARGO_BIN_EXE_kubectl-daemonset");
    assert_eq!(text(&output.stderr), format!("error: {path} has {bytes} bytes, more than 1000\n"));
    assert_eq!(fs::read_dir(&folder).expect("the folder is made").count(), 0);
}

fn the_manifest_in_the_repository_is_what_the_script_writes() {
    let Some(release) = release() else { return };
    let mut committed = yaml(&fs::read_to_string(test_path("../krew-manifest.yaml")).expect("the manifest is there"));
    let mut written = release.manifest.clone();
    let [listed, own] = [&mut committed, &mut written].map(|manifest| manifest["spec"]["platforms"].take());
    assert_eq!(committed, written);
    assert_eq!(written["spec"]["version"], concat!("v", env!("CARGO_PKG_VERSION")));
    let listed = listed.as_array().expect("platforms");
    // In the order of the script, each once, and all of them alike.
    let places: Vec<_> = listed.iter().map(place).collect();
    assert!(!places.is_empty() && places.is_sorted_by(|a, b| a < b), "{places:?}");
    for (platform, place) in listed.iter().zip(places) {
        assert_eq!(*platform, platform_like(&own[0], platforms::ALL[place], &platform["sha256"]));
    }
}

/// Returns the place of a platform in the order of the script.
fn place(platform: &Value) -> usize {
    let labels = &platform["selector"]["matchLabels"];
    let is_it = |(os, arch): &(&str, &str)| labels["os"] == *os && labels["arch"] == *arch;
    platforms::ALL.iter().position(is_it).unwrap_or_else(|| panic!("unknown platform {labels}"))
}

/// Returns what the script writes for a platform and a sum, given what it writes for another.
fn platform_like(other: &Value, (os, arch): (&str, &str), sum: &Value) -> Value {
    let digits = sum.as_str().expect("a sum");
    assert!(digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()), "{digits}");
    let (suffix, binary) = match os {
        "windows" => ("zip", "kubectl-daemonset.exe"),
        _ => ("tar.gz", "kubectl-daemonset"),
    };
    let (folder, _) = other["uri"].as_str().and_then(|uri| uri.rsplit_once('/')).expect("a URI has parts");
    let uri = format!("{folder}/kubectl-daemonset_v{}_{os}_{arch}.{suffix}", env!("CARGO_PKG_VERSION"));
    json!({ "selector": { "matchLabels": { "os": os, "arch": arch } }, "uri": uri, "sha256": sum, "bin": binary })
}

fn two_builds_in_two_folders_are_one() {
    let sums = ["one", "another"].map(|name| {
        let folder = temporary(name);
        stdout(Command::new("git").args(["clone", "--quiet"]).arg(test_path("..")).arg(&folder));
        let mut script = Command::new(folder.join(".ci/release"));
        script.env_remove("CARGO_TARGET_DIR");
        stdout(script.arg("--out").arg(folder.join("out")));
        fs::read_to_string(folder.join("krew-manifest.yaml")).expect("a manifest is written")
    });
    assert_eq!(sums[0], sums[1]);
    assert!(sums[0].contains("arch: amd64"), "{}", sums[0]);
}
