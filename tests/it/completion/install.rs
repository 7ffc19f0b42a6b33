//! `completion --install` and `--uninstall`: what is written where, and what is never touched.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use snapbox::file;

use super::same;
use super::terminal::Terminal;
use crate::cli::process::{command, run_in, temporary, transcript};

trials![
    the_completer_comes_and_goes,
    a_file_of_somebody_else_stays,
    it_goes_beside_the_plugin_or_to_a_folder_of_ones_own,
    it_asks_before_it_writes,
    what_is_installed_completes,
];

const NAME: &str = "kubectl_complete-daemonset";

/// Folders of a person, some of them on PATH.
struct Home {
    folder: PathBuf,
    path: String,
}

impl Home {
    /// Makes these folders and puts them on PATH.
    fn new(folders: &[&str]) -> Self {
        let folder = PathBuf::from(temporary("")).with_extension("home");
        for name in folders {
            fs::create_dir_all(folder.join(name)).expect("a folder");
        }
        let path: Vec<String> = folders.iter().map(|name| folder.join(name).display().to_string()).collect();
        Self { folder, path: path.join(":") }
    }

    fn file(&self, folder: &str) -> PathBuf {
        self.folder.join(folder).join(NAME)
    }

    /// Puts the plugin into a folder, as krew does.
    fn with_plugin(self, folder: &str) -> Self {
        let plugin = self.folder.join(folder).join("kubectl-daemonset");
        symlink(env!("CARGO_BIN_EXE_kubectl-daemonset"), plugin).expect("a link");
        self
    }

    /// Returns a transcript of runs, in which the folder is called HOME.
    fn session(&self, lines: &[&str]) -> String {
        let variables = [("HOME", self.folder.to_str().expect("text")), ("PATH", &self.path)];
        let runs = lines.iter().map(|line| transcript(line, &run_in(line, &variables)));
        runs.collect::<String>().replace(variables[0].1, "HOME")
    }
}

fn the_completer_comes_and_goes() {
    let home = Home::new(&["bin"]).with_plugin("bin");
    let mut text = home.session(&["completion --install --dry-run"]);
    assert!(!home.file("bin").exists());
    text += &home.session(&["completion --install --yes", "completion --install --yes"]);
    let written = fs::read_to_string(home.file("bin")).expect("it is written");
    assert_eq!(written, crate::support::read(&format!("../completions/{NAME}")));
    assert_eq!(home.file("bin").metadata().expect("it is there").permissions().mode() & 0o777, 0o755);

    // One of an older version is replaced.
    fs::write(home.file("bin"), format!("{written}# more\n")).expect("it is writable");
    text += &home.session(&["completion --install --yes"]);
    assert_eq!(fs::read_to_string(home.file("bin")).expect("it is there"), written);

    text += &home.session(&["completion --uninstall --dry-run"]);
    assert!(home.file("bin").exists());
    text += &home.session(&["completion --uninstall --yes"]);
    assert!(!home.file("bin").exists());
    text += &home.session(&["completion --uninstall --yes"]);
    same(text, file!["../expected/completion/install.txt"]);
}

fn a_file_of_somebody_else_stays() {
    let home = Home::new(&["first", "bin", "linked"]).with_plugin("bin");
    fs::write(home.file("first"), "#!/bin/sh\necho mine\n").expect("a file");
    symlink("/nonexistent", home.file("linked")).expect("a link");
    let lines = [
        "completion --install --yes".to_owned(),
        format!("completion --install --yes --dir {}", home.folder.join("bin").display()),
        format!("completion --install --yes --dir {}", home.folder.join("linked").display()),
        "completion --uninstall --yes".to_owned(),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    same(home.session(&lines), file!["../expected/completion/install-foreign.txt"]);
    assert_eq!(fs::read_to_string(home.file("first")).expect("it is there"), "#!/bin/sh\necho mine\n");
    assert!(!home.file("bin").exists());
    assert!(home.file("linked").is_symlink());
}

fn it_goes_beside_the_plugin_or_to_a_folder_of_ones_own() {
    let beside = Home::new(&["first", "bin"]).with_plugin("bin");
    let own = Home::new(&["first"]);
    let nowhere = Home::new(&[]);
    let mut text = beside.session(&["completion --install --yes"]) + &own.session(&["completion --install --yes"]);
    assert!(beside.file("bin").exists() && !beside.file("first").exists());
    assert!(own.file("first").exists());
    text += &nowhere.session(&["completion --install --yes"]);
    let dir = own.folder.join("aside");
    fs::create_dir(&dir).expect("a folder");
    text += &own.session(&[&format!("completion --install --yes --dir {}", dir.display())]);
    same(text, file!["../expected/completion/install-where.txt"]);
}

fn it_asks_before_it_writes() {
    let home = Home::new(&["bin"]).with_plugin("bin");
    same(home.session(&["completion --install"]), file!["../expected/completion/install-refused.txt"]);
    for (answer, is_written) in [("n\r", false), ("y\r", true)] {
        let mut command = command("completion --install");
        command.env("PATH", &home.path).env("HOME", &home.folder);
        let mut terminal = Terminal::start(command);
        terminal.await_screen("question", |screen| screen.contains("Go on? [y/N]"));
        assert!(!home.file("bin").exists());
        terminal.send(answer);
        terminal.await_end();
        assert_eq!(home.file("bin").exists(), is_written);
    }
}

fn what_is_installed_completes() {
    let home = Home::new(&["bin"]).with_plugin("bin");
    home.session(&["completion --install --yes"]);
    let output = Command::new(home.file("bin"))
        .args(["plan", "--snapshot", "clusters/stuck-rollout.yaml", "n"])
        .env("PATH", &home.path)
        .current_dir(crate::support::test_path(""))
        .output()
        .expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "node-agent\t2/10 updated, blocked\n:36\n");

    // The binary serves under that name too.
    let link = home.folder.join(NAME);
    symlink(env!("CARGO_BIN_EXE_kubectl-daemonset"), &link).expect("a link");
    let output = Command::new(Path::new(&link)).args(["pl"]).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "plan\tShow what the controller will do next\n:36\n");
}
