//! What is sent where there is no TLS, so that it can be seen.

use super::{Case, Cluster, GOOD, Place, run_both};
use crate::live::server::{Asked, Reply};
use crate::live::stuck;

trials![impersonation_is_sent_as_by_kubectl, a_proxy_is_asked_as_by_kubectl];

fn impersonation_is_sent_as_by_kubectl() {
    let Some(cluster) = Cluster::shared() else { return };
    let place = Place::new(cluster);
    let as_joe =
        "{ token: t0ken, as: joe, as-uid: '1', as-groups: [first, second], as-user-extra: { a: [b], c/d: [e, f] } }";
    place.write("config", &Case { user: as_joe, ..GOOD }.text());
    for flags in [
        "",
        "--as jane",
        "--as jane --as-group a --as-group b --as-uid 7",
        "--as jane --as-user-extra example.org/scopes=x --as-user-extra a=1 --as-user-extra a=2",
    ] {
        let server = stuck(|_, _| Some(Reply::status(403, "Forbidden", "no")));
        run_both(cluster, &format!("-s {} {flags}", server.url()), &place.fill("$DIR/config"));
        // No credentials are sent by either.
        let [kubectl, ours] = two(&server.asked()).map(|asked| sent(asked, &["impersonate-", "authorization"]));
        assert!(kubectl.iter().any(|(name, _)| name == "impersonate-user"), "{kubectl:?}");
        assert!(kubectl.iter().all(|(name, _)| name != "authorization"), "{kubectl:?}");
        assert_eq!(ours, kubectl, "{flags}");
    }
}

fn a_proxy_is_asked_as_by_kubectl() {
    let Some(cluster) = Cluster::shared() else { return };
    let place = Place::new(cluster);
    for server in ["http://api.example.com:8080", "https://api.example.com"] {
        let proxy = stuck(|_, _| Some(Reply::status(403, "Forbidden", "no")));
        place.write("config", &Case { cluster: "{ server: $ADDRESS, proxy-url: $PROXY }", ..GOOD }.text());
        let config = std::fs::read_to_string(place.folder.join("config")).expect("a kubeconfig");
        let url = format!("http://jane:p%40ss@127.0.0.1:{}", proxy.port);
        place.write("config", &config.replace("$ADDRESS", server).replace("$PROXY", &url));
        run_both(cluster, "", &place.fill("$DIR/config"));
        let asked = proxy.asked();
        let [kubectl, ours] = two(&asked).map(|asked| {
            let target = asked.target.split('?').next().unwrap_or_default().to_owned();
            (target, sent(asked, &["host", "proxy-authorization"]))
        });
        assert_eq!(ours, kubectl);
    }
}

/// Returns the first request of kubectl, which comes first, and the first of ours.
fn two(asked: &[Asked]) -> [&Asked; 2] {
    let first = asked.first().expect("kubectl asks");
    let is_ours = |asked: &&Asked| asked.header("user-agent") != first.header("user-agent");
    [first, asked.iter().find(is_ours).expect("we ask")]
}

/// Returns the headers whose names begin with one of these, sorted.
fn sent(asked: &Asked, names: &[&str]) -> Vec<(String, String)> {
    let mut headers = asked.headers.clone();
    headers.retain(|(name, _)| names.iter().any(|start| name.starts_with(start)));
    headers.sort();
    headers
}
