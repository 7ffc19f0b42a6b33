//! The script on a machine that can build some platforms and not others. Compilers are played: they write a few bytes.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use super::{can_run, sha256, stdout, temporary, text, yaml};
use crate::left_out;
use crate::support::test_path;

trials![
    platforms_that_cannot_be_built_are_said_and_left_out,
    an_archive_of_another_machine_is_listed_too,
    what_is_not_the_commit_is_told,
    wrong_usage_is_told,
];

/// Operating systems and architectures of a whole release, as krew names them.
pub const ALL: [(&str, &str); 6] = [
    ("linux", "amd64"),
    ("linux", "arm64"),
    ("darwin", "amd64"),
    ("darwin", "arm64"),
    ("windows", "amd64"),
    ("windows", "arm64"),
];

/// Knows the standard libraries of Linux and of Windows on amd64.
const RUSTC: &str = r#"#!/bin/sh
case "$*" in
*target-libdir*linux* | *target-libdir*x86_64-pc-windows*) echo / ;;
*target-libdir*) echo /nonexistent ;;
*sysroot*) echo /sysroot ;;
*) echo commit-hash: 1234 ;;
esac
"#;

/// Writes one man page, or a binary that says how it was built.
const CARGO: &str = r#"#!/bin/sh
case "$1" in
run) for folder; do :; done; mkdir -p "$folder"; echo page >"$folder/kubectl-daemonset.1" ;;
zigbuild)
  for target; do :; done
  mkdir -p "target/$target/release"
  echo "$* with $RUSTFLAGS" >"target/$target/release/kubectl-daemonset"
  cp "target/$target/release/kubectl-daemonset" "target/$target/release/kubectl-daemonset.exe" ;;
*) exit 1 ;;
esac
"#;

/// A clone with played compilers.
struct Clone(PathBuf);

impl Clone {
    /// Makes one; `None`, with a note, where the script cannot run.
    fn new(name: &str) -> Option<Self> {
        if !can_run() {
            return None;
        }
        if ["zip", "unzip"].iter().any(|program| Command::new(program).arg("-v").output().is_err()) {
            assert!(std::env::var_os("CI").is_none(), "zip or unzip was not found, and CI leaves nothing out");
            left_out("archives for Windows (zip or unzip was not found)");
            return None;
        }
        let folder = temporary(name);
        for part in ["clone/.ci", "clone/completions", "bin"] {
            fs::create_dir_all(folder.join(part)).expect("the target folder takes folders");
        }
        for file in [".ci/release", "Cargo.toml", "LICENSE", "README.md", "completions/kubectl-daemonset.bash"] {
            fs::copy(test_path("..").join(file), folder.join("clone").join(file)).expect("the file is there");
        }
        fs::write(folder.join("clone/.gitignore"), "/target\n").expect("the folder takes files");
        for (name, program) in [
            ("rustc", RUSTC),
            ("cargo", CARGO),
            ("cargo-zigbuild", "#!/bin/sh\n"),
            ("uname", "#!/bin/sh\necho Linux\n"),
        ] {
            let path = folder.join("bin").join(name);
            fs::write(&path, program).expect("the folder takes files");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
        }
        let clone = Self(folder);
        for line in ["init --quiet", "add --all", "-c user.name=a -c user.email=a@b commit --quiet --message first"] {
            stdout(clone.command("git").args(line.split(' ')));
        }
        Some(clone)
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").expect("a PATH");
        let date = "2026-11-29T12:00:00Z";
        command.current_dir(self.0.join("clone")).env_clear().env("HOME", "/nonexistent");
        command.env("PATH", format!("{}:{path}", self.0.join("bin").display()));
        command.env("GIT_COMMITTER_DATE", date).env("GIT_AUTHOR_DATE", date);
        command
    }

    fn release(&self) -> Command {
        let mut command = self.command(self.0.join("clone/.ci/release"));
        command.args(["--out", "target/out"]);
        command
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.join("clone").join(file)
    }

    /// Returns what the manifest of the clone lists, each with its archive and its sum.
    fn listed(&self) -> Vec<(String, PathBuf, Value)> {
        let manifest = yaml(&fs::read_to_string(self.path("krew-manifest.yaml")).expect("a manifest is written"));
        let platforms = manifest["spec"]["platforms"].as_array().expect("platforms").clone();
        let of = |platform: Value| {
            let labels = &platform["selector"]["matchLabels"];
            let uri = platform["uri"].as_str().expect("a URI");
            let archive = self.path("target/out").join(uri.rsplit('/').next().expect("a URI has parts"));
            (
                format!(
                    "{}/{}",
                    labels["os"].as_str().unwrap_or_default(),
                    labels["arch"].as_str().unwrap_or_default()
                ),
                archive,
                platform,
            )
        };
        platforms.into_iter().map(of).collect()
    }
}

fn platforms_that_cannot_be_built_are_said_and_left_out() {
    let Some(clone) = Clone::new("release-platforms") else { return };
    let version = concat!("v", env!("CARGO_PKG_VERSION"));
    let said = stdout(&mut clone.release());
    let expected = format!(
        "linux amd64: kubectl-daemonset_{version}_linux_amd64.tar.gz, the binary has N bytes\n\
         linux arm64: kubectl-daemonset_{version}_linux_arm64.tar.gz, the binary has N bytes\n\
         darwin amd64: not built here: its standard library is not there (rustup target add x86_64-apple-darwin)\n\
         darwin arm64: not built here: its standard library is not there (rustup target add aarch64-apple-darwin)\n\
         windows amd64: kubectl-daemonset_{version}_windows_amd64.zip, the binary has N bytes\n\
         windows arm64: not built here: its standard library is not there (rustup target add aarch64-pc-windows-gnullvm)\n"
    );
    let steady: String = said
        .lines()
        .map(|line| match line.split_once("has ") {
            Some((before, _)) => format!("{before}has N bytes\n"),
            None => format!("{line}\n"),
        })
        .collect();
    assert_eq!(steady, expected);
    let listed = clone.listed();
    let names: Vec<_> = listed.iter().map(|(name, ..)| name.as_str()).collect();
    assert_eq!(names, ["linux/amd64", "linux/arm64", "windows/amd64"]);
    for (name, archive, platform) in &listed {
        assert_eq!(platform["sha256"], sha256(archive), "{name}");
    }
    let (_, zip, windows) = &listed[2];
    assert_eq!(windows["bin"], "kubectl-daemonset.exe");
    let list = stdout(Command::new("unzip").args(["-Z1"]).arg(zip));
    assert_eq!(
        list,
        "LICENSE\nREADME.md\ncompletions/kubectl-daemonset.bash\nkubectl-daemonset.exe\nman/kubectl-daemonset.1\n"
    );
    // Nothing of the folder in which it was built is in a binary, and a second run gives the same.
    let flags = stdout(Command::new("unzip").args(["-p"]).arg(zip).arg("kubectl-daemonset.exe"));
    assert!(
        flags.contains(&format!("--remap-path-prefix={}=.", clone.path("").display()).replace("/=", "=")),
        "{flags}"
    );
    let sums: Vec<_> = listed.iter().map(|(_, archive, _)| sha256(archive)).collect();
    stdout(&mut clone.release());
    assert_eq!(sums, clone.listed().iter().map(|(_, archive, _)| sha256(archive)).collect::<Vec<_>>());
}

fn an_archive_of_another_machine_is_listed_too() {
    let Some(clone) = Clone::new("release-machines") else { return };
    fs::create_dir_all(clone.path("target/out")).expect("the folder takes folders");
    let name = concat!("target/out/kubectl-daemonset_v", env!("CARGO_PKG_VERSION"), "_darwin_arm64.tar.gz");
    fs::write(clone.path(name), "made on a Mac").expect("the folder takes files");
    stdout(&mut clone.release());
    let listed = clone.listed();
    let mac = listed.iter().find(|(name, ..)| name == "darwin/arm64").expect("it is listed");
    assert_eq!(mac.2["sha256"], sha256(&clone.path(name)));
    assert_eq!(listed.len(), 4);
}

fn what_is_not_the_commit_is_told() {
    let Some(clone) = Clone::new("release-changed") else { return };
    let output = clone.release().output().expect("the script starts");
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
    fs::write(clone.path("README.md"), "another\n").expect("the file is ours");
    let output = clone.release().output().expect("the script starts");
    assert_eq!(text(&output.stderr), "Warning: what is packed is not the commit: there are changes\n");
}

fn wrong_usage_is_told() {
    let Some(clone) = Clone::new("release-usage") else { return };
    for (arguments, expected) in [
        (&["--size", "3"][..], "error: unknown argument --size\n"),
        (&["--out"][..], "error: --out needs a value\n"),
        (&["--binary", "x"][..], "error: --binary needs --man\n"),
    ] {
        let output = clone.command(clone.path(".ci/release")).args(arguments).output().expect("the script starts");
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(1), expected));
    }
    assert!(!Path::new(&clone.path("target")).exists());
}
