//! What is completed for users with more and less rights, on a real cluster and through kubectl.

use crate::cluster::eventually;
use crate::cluster::live::team;
use crate::cluster::process::Cluster;

trials![everybody_gets_the_names_that_rights_allow];

/// Expects a completion, also where a busy machine needs a second try.
fn expect(cluster: &Cluster, user: &str, line: &str, expected: &str) {
    let mut last = String::new();
    let is_so = eventually(|| {
        let ended = cluster.kubectl_as(user, &format!("daemonset __complete {line}"));
        assert_eq!((ended.stderr.as_str(), ended.code), ("", 0), "{line} as {user}");
        last = ended.stdout;
        last == expected
    });
    assert!(is_so, "{line} as {user} gave\n{last}");
}

fn everybody_gets_the_names_that_rights_allow() {
    let Some(cluster) = team() else { return };
    let sets = "broken\t3/3 updated, 3 unavailable\n:36\n";
    let nodes: String = (1..=3).map(|number| format!("node-000{number}\tits pod: ImagePullBackOff\n")).collect();
    for user in ["reader", "namespaced"] {
        expect(cluster, user, "plan -n team b", sets);
        // Who may not see nodes gets those that have a pod.
        expect(cluster, user, "why -n team broken n", &format!("{nodes}:36\n"));
        expect(cluster, user, "undo -n team broken --to-revision=", "1\tagent:1-bad\n:36\n");
    }
    expect(
        cluster,
        "reader",
        "nodes broken --group-by topology.kubernetes.io/z",
        "topology.kubernetes.io/zone\tzone-a, zone-b, zone-c\n:36\n",
    );
    for user in ["namespaced", "nobody"] {
        expect(cluster, user, "nodes broken --group-by topology.kubernetes.io/z", ":36\n");
        expect(cluster, user, "plan -n t", ":36\n");
    }
    for line in ["plan -n team b", "why -n team broken n"] {
        expect(cluster, "nobody", line, ":36\n");
    }
}
