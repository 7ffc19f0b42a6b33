//! In a pod: the service account, in a mount namespace where its folder is where Kubernetes puts it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{Cluster, Ended, Place};
use crate::left_out;

trials![a_pod_asks_as_its_service_account];

const FOLDER: &str = "/var/run/secrets/kubernetes.io/serviceaccount";

fn a_pod_asks_as_its_service_account() {
    let Some(cluster) = Cluster::shared() else { return };
    cluster.kubectl("create namespace pod");
    cluster.kubectl("-n pod create serviceaccount agent");
    let place = Place::new(cluster);
    fs::copy(cluster.dir.join("pki/ca.crt"), place.folder.join("ca.crt")).expect("the authority");
    place.write("token", &cluster.kubectl("-n pod create token agent"));
    place.write("namespace", "pod\n");
    if !in_pod(cluster, &place, Path::new("true"), "").success {
        return left_out("the service account of a pod: unshare cannot make a mount namespace here");
    }
    let (kubectl, ours) = (cluster.dir.join("bin/kubectl"), Path::new(env!("CARGO_BIN_EXE_kubectl-daemonset")));
    for (flags, user, namespace) in [
        ("", "system:serviceaccount:pod:agent", "pod"),
        ("-n secret", "system:serviceaccount:pod:agent", "secret"),
        ("--token $NOBODY", "nobody", "pod"),
        // The namespace stays, the token is for the server of the pod alone.
        ("-s $SERVER --certificate-authority $PKI/ca.crt --token $NOBODY", "nobody", "pod"),
    ] {
        let flags = place.fill(flags);
        let kubectl = in_pod(cluster, &place, &kubectl, &format!("get daemonsets {flags}"));
        let ours = in_pod(cluster, &place, ours, &format!("plan {flags}"));
        assert_eq!(ours.stderr.lines().next(), Some(kubectl.stderr.trim_end()), "{flags}");
        let expected = format!(
            "User {user:?} cannot list resource \"daemonsets\" in API group \"apps\" in the namespace {namespace:?}"
        );
        assert!(ours.stderr.contains(&expected), "{flags}: {}", ours.stderr);
    }
    // kubectl asks for a name here.
    let flags = place.fill("plan -s $SERVER --certificate-authority $PKI/ca.crt");
    let ours = in_pod(cluster, &place, ours, &flags);
    assert!(ours.stderr.contains("User \"system:anonymous\" cannot list"), "{}", ours.stderr);
}

fn in_pod(cluster: &Cluster, place: &Place, program: &Path, line: &str) -> Ended {
    let script = format!(
        "mount -t tmpfs none /run && mkdir -p {FOLDER} && cp {0}/* {FOLDER} && exec \"$@\"",
        place.folder.display()
    );
    let (host, port) = cluster.address.rsplit_once(':').expect("an address with a port");
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", &script, "sh"])
        .arg(program)
        .args(line.split_whitespace())
        .env_remove("KUBECONFIG")
        .env("KUBECACHEDIR", cluster.dir.join("cache"))
        .env("HOME", "/nonexistent")
        .env("KUBERNETES_SERVICE_HOST", host)
        .env("KUBERNETES_SERVICE_PORT", port)
        .stdin(Stdio::null())
        .output();
    output.map_or_else(
        |error| Ended { stdout: String::new(), stderr: error.to_string(), success: false, code: -1 },
        Ended::from,
    )
}
