//! krew itself installs the archive of this build, kubectl runs it against a real cluster, and krew removes it.

use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::thread;

use super::{Release, release, stdout, temporary, text};
use crate::cluster::Cluster;
use crate::go::program;
use crate::support::test_path;

trials![
    krew_has_nothing_against_the_manifests,
    krew_installs_from_a_manifest_and_an_archive_and_removes,
    krew_installs_from_an_index_and_removes,
];

const WITHOUT: &str = "installing with krew (Go was not found)";

/// Returns the folder of krew's programs; `None`, with a note, where there is no Go.
fn programs() -> Option<&'static Path> {
    static BUILT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let build = |path: &Path| {
        let mut command = Command::new(test_path("upstream/build-krew.sh"));
        command.arg(path);
        command
    };
    BUILT.get_or_init(|| program("krew", build, WITHOUT)).as_deref()
}

/// krew with a home of its own.
struct Krew {
    root: PathBuf,
    cluster: &'static Cluster,
    release: &'static Release,
}

impl Krew {
    /// Returns one that has nothing installed; `None`, with a note, where something for it is missing.
    fn new(name: &str) -> Option<Self> {
        let (release, cluster) = (release()?, Cluster::shared()?);
        programs()?;
        Some(Self { root: temporary(name), cluster, release })
    }

    /// Returns a program for which kubectl is an administrator of the cluster, and has only the plugins of this krew.
    fn equipped(&self, program: impl AsRef<Path>) -> Command {
        let mut command = self.cluster.equipped("admin", program.as_ref());
        let rest = env::var_os("PATH").unwrap_or_default();
        let rest = env::split_paths(&rest).filter(|folder| !folder.join("kubectl-daemonset").exists());
        let folders = [self.root.join("bin"), self.cluster.dir.join("bin")].into_iter().chain(rest);
        command.env("PATH", env::join_paths(folders).expect("no folder has a colon in its name"));
        // Nobody is asked whether there is a newer krew, and git has no settings of the user's.
        command.env("KREW_ROOT", &self.root).env("KREW_NO_UPGRADE_CHECK", "1").env("HOME", &self.root);
        command
    }

    /// Runs krew with a line of words; it must succeed. Returns its stderr, where it talks.
    fn run(&self, line: &str) -> String {
        let path = programs().expect("it is built").join("krew");
        let Output { status, stderr, .. } = self.equipped(path).args(line.split(' ')).output().expect("krew starts");
        assert!(status.success(), "krew {line}: {}", text(&stderr));
        text(&stderr)
    }

    fn kubectl(&self, line: &str) -> Output {
        let mut command = self.equipped(self.cluster.dir.join("bin/kubectl"));
        command.args(line.split(' ')).current_dir(test_path("")).output().expect("kubectl starts")
    }

    /// Fails unless kubectl finds the plugin, which works.
    fn assert_installed(&self) {
        let shown = self.kubectl("plugin list");
        assert!(
            text(&shown.stdout).contains(&format!("{}/kubectl-daemonset", self.root.join("bin").display())),
            "{shown:?}"
        );
        let version = self.kubectl("daemonset version");
        let expected = concat!("Client Version: v", env!("CARGO_PKG_VERSION"), "\nServer Version: v1.37.2\n");
        assert_eq!((text(&version.stdout).as_str(), text(&version.stderr).as_str()), (expected, ""));
        let plan = self.kubectl("daemonset plan --snapshot clusters/stuck-rollout.yaml -o name");
        assert_eq!(text(&plan.stdout), "daemonset.apps/node-agent\n", "{}", text(&plan.stderr));
        self.assert_completed();
        let store = self.root.join(concat!("store/daemonset/v", env!("CARGO_PKG_VERSION")));
        assert!(store.join("LICENSE").is_file() && store.join("man/kubectl-daemonset.1").is_file());
    }

    /// Fails unless kubectl completes the plugin once the completer is there, and no longer after it has gone.
    fn assert_completed(&self) {
        let completed = || text(&self.kubectl("__complete daemonset pl").stdout);
        let is_completed = || completed().starts_with("plan\tShow what the controller will do next\n");
        assert!(!is_completed(), "krew itself installs no completer");
        assert!(self.kubectl("daemonset completion --install --yes").status.success());
        assert!(is_completed(), "{}", completed());
        assert!(self.kubectl("daemonset completion --uninstall --yes").status.success());
        assert!(!is_completed(), "{}", completed());
    }

    /// Removes the plugin; fails if anything of it is left.
    fn remove(&self) {
        self.run("uninstall daemonset");
        assert!(fs::symlink_metadata(self.root.join("bin/kubectl-daemonset")).is_err(), "the link is left");
        assert!(!self.root.join("store/daemonset").exists(), "files are left");
        let unknown = self.kubectl("daemonset version");
        assert!(
            !unknown.status.success() && text(&unknown.stderr).contains("unknown command \"daemonset\""),
            "{unknown:?}"
        );
    }

    /// Makes an index with these manifests, and adds it under the name `local`.
    fn add_index(&self, manifests: &[(&str, &str)]) {
        let folder = temporary(&format!("{}-index", self.root.file_name().unwrap_or_default().to_string_lossy()));
        fs::create_dir_all(folder.join("plugins")).expect("the target folder takes folders");
        fs::write(folder.join("plugins/.gitkeep"), "").expect("the folder takes files");
        for (name, manifest) in manifests {
            fs::write(folder.join("plugins").join(name), manifest).expect("the folder takes files");
        }
        for line in ["init --quiet", "add --all", "-c user.name=a -c user.email=a@b commit --quiet --message first"] {
            stdout(self.equipped("git").args(line.split(' ')).current_dir(&folder));
        }
        self.run(&format!("index add local file://{}", folder.display()));
    }
}

fn manifest_of(release: &Release) -> String {
    fs::read_to_string(release.folder.join("krew-manifest.yaml")).expect("the manifest is there")
}

fn krew_has_nothing_against_the_manifests() {
    let (Some(release), Some(programs)) = (release(), programs()) else { return };
    let folder = temporary("krew-manifests");
    fs::create_dir_all(&folder).expect("the target folder takes folders");
    for manifest in [release.folder.join("krew-manifest.yaml"), test_path("../krew-manifest.yaml")] {
        // The name of the plugin is taken from that of the file.
        let copy = folder.join("daemonset.yaml");
        fs::copy(&manifest, &copy).expect("the manifest is there");
        stdout(Command::new(programs.join("validate-krew-manifest")).arg("-skip-install").arg("-manifest").arg(copy));
    }
}

fn krew_installs_from_a_manifest_and_an_archive_and_removes() {
    let Some(krew) = Krew::new("krew-archive") else { return };
    // krew removes nothing before it has an index, be it an empty one.
    krew.add_index(&[]);
    let manifest = krew.release.folder.join("krew-manifest.yaml");
    let archive = krew.release.archive();
    let said = krew.run(&format!("install --manifest {} --archive {}", manifest.display(), archive.display()));
    assert!(said.contains("Installed plugin: daemonset"), "{said}");
    krew.assert_installed();
    krew.remove();
}

fn krew_installs_from_an_index_and_removes() {
    let Some(krew) = Krew::new("krew-index") else { return };
    let served = serve(fs::read(krew.release.archive()).expect("the archive is there"));
    let uri = krew.release.manifest["spec"]["platforms"][0]["uri"].as_str().expect("a platform has a URI");
    let manifest = manifest_of(krew.release).replace(uri, &format!("{served}/archive.tar.gz"));
    krew.add_index(&[("daemonset.yaml", &manifest)]);
    let said = krew.run("install local/daemonset");
    assert!(said.contains("Installed plugin: daemonset"), "{said}");
    krew.assert_installed();
    krew.remove();
}

/// Gives these bytes to everybody who asks, on loopback and for as long as the tests run; returns the address.
fn serve(bytes: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let head = BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            if head.count() > 0 {
                let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", bytes.len());
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&bytes));
            }
        }
    });
    address
}
