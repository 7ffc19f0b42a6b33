//! The roles that `rights` prints: on the real cluster each is enough for what it is for, and no verb of them can go.

use serde_json::{Value, json};

use super::daemon_set;
use super::process::{Cluster, Ended, Options, eventually};
use super::scene::{Scene, assert_code};
use crate::live::watching::Watching;

trials![
    the_viewing_role_is_what_looking_takes,
    a_role_in_a_namespace_gets_as_far_as_it_can_without_nodes,
    the_driving_role_is_what_writing_takes,
    the_roles_of_kubernetes_hold_all_but_nodes,
];

/// Group, resource and verb.
type Right = (String, String, String);

/// Somebody with nothing but the rules that they are given: a service account, known by its token.
struct Account<'a> {
    cluster: &'a Cluster,
    namespace: &'a str,
    name: String,
    token: String,
}

impl<'a> Account<'a> {
    fn new(cluster: &'a Cluster, namespace: &'a str, name: &str) -> Self {
        cluster.kubectl(&format!("-n {namespace} create serviceaccount {name}"));
        let token = cluster.kubectl(&format!("-n {namespace} create token {name} --duration=2h"));
        Self { cluster, namespace, name: name.to_owned(), token: token.trim().to_owned() }
    }

    /// Binds a role: `clusterrole` everywhere, `role` in the namespace.
    fn bind(&self, kind: &str, role: &str) {
        let Self { cluster, namespace, name, .. } = self;
        let account = format!("--{kind}={role} --serviceaccount={namespace}:{name}");
        cluster.kubectl(&format!("-n {namespace} create {kind}binding {namespace}-{name}-{role} {account}"));
    }

    /// Gives rights everywhere by a role of their own.
    fn grant<'r>(&self, rights: impl Iterator<Item = &'r Right>) {
        let rule =
            |(group, resource, verb): &Right| json!({ "apiGroups": [group], "resources": [resource], "verbs": [verb] });
        let role = format!("{}-{}", self.namespace, self.name);
        self.cluster.apply(&json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
            "metadata": { "name": role }, "rules": rights.map(rule).collect::<Vec<_>>(),
        }));
        self.bind("clusterrole", &role);
    }

    /// Waits until the server knows of a right, and with it of all that were given at the same time.
    fn await_right(&self, (group, resource, verb): &Right) {
        let resource = format!("{resource}.{group}");
        let resource = resource.trim_end_matches('.');
        let line = format!("auth can-i {verb} {resource} -n {} --token {}", self.namespace, self.token);
        assert!(
            eventually(|| self.cluster.kubectl_as("admin", &line).success),
            "{} may not {verb} {resource}",
            self.name
        );
    }

    /// Returns the command line for a verb of ours in the namespace, as this account.
    fn line(&self, line: &str) -> String {
        format!("daemonset -n {} {line} --token {}", self.namespace, self.token)
    }

    fn run(&self, line: &str) -> Ended {
        self.cluster.kubectl_as("admin", &self.line(line))
    }

    /// Fails unless a command line ends as for the administrator, byte by byte on both streams.
    fn assert_same_as_admin(&self, line: &str) {
        self.assert_same(line, |ended| [ended.stdout.clone(), ended.stderr.clone(), ended.code.to_string()]);
    }

    /// Fails unless, within a moment that changes no age, parts of what is left behind are those of the administrator.
    fn assert_same<T: PartialEq>(&self, line: &str, parts: impl Fn(&Ended) -> T) {
        let mut last = String::new();
        let is_same = eventually(|| {
            let admin = self.cluster.kubectl_as("admin", &format!("daemonset -n {} {line}", self.namespace));
            let ours = self.run(line);
            last = format!("{admin:#?}\n{ours:#?}");
            parts(&admin) == parts(&ours)
        });
        assert!(is_same, "{line} of the administrator and of {}: {last}", self.name);
    }
}

/// Has the administrator create what our command prints, as people are told to.
fn apply_printed(cluster: &Cluster, words: &str) {
    let line = format!("kubectl daemonset rights {words} | kubectl apply -f -");
    let ended = Ended::from(cluster.equipped("admin", "sh").args(["-c", &line]).output().expect("sh starts"));
    assert!(ended.success, "{line}: {}", ended.stderr);
}

/// Returns the rights that a role holds which our command prints.
fn printed(cluster: &Cluster, role: &str) -> Vec<Right> {
    let manifest = cluster.kubectl(&format!("daemonset rights {role} -o json"));
    held_by(&serde_json::from_str(&manifest).expect("JSON"))
}

/// Returns the rights that a role holds.
fn held_by(role: &Value) -> Vec<Right> {
    let words = |list: &Value| -> Vec<String> { serde_json::from_value(list.clone()).unwrap_or_default() };
    let mut rights = Vec::new();
    for rule in role["rules"].as_array().into_iter().flatten() {
        for group in words(&rule["apiGroups"]) {
            for resource in words(&rule["resources"]) {
                let verbs = words(&rule["verbs"]).into_iter();
                rights.extend(verbs.map(|verb| (group.clone(), resource.clone(), verb)));
            }
        }
    }
    rights
}

/// Returns what stderr says that cannot be done, in the words of the server.
fn refusals(stderr: &str) -> Vec<&str> {
    let cannot = stderr.lines().filter_map(|line| Some(&line[line.find("cannot ")?..]));
    cannot
        .map(|words| {
            words.split_once(" in the namespace").or(words.split_once(" at the")).map_or(words, |(words, _)| words)
        })
        .collect()
}

/// All that only reads.
const LOOKS: [&str; 18] = [
    "plan",
    "plan -A -o name",
    "plan agent",
    "plan broken -o json",
    "nodes broken --problems",
    "nodes agent --group-by topology.kubernetes.io/zone",
    "why broken",
    "why agent node-0002",
    "status --watch=false",
    "status agent",
    "history agent",
    "history agent --diff 1..2",
    "snapshot",
    "snapshot agent --full",
    "sync --dry-run",
    "restart agent --dry-run",
    "pause agent --dry-run",
    "version",
];

/// Makes a namespace with a set that has been rolled out twice, `agent`, and one whose image cannot be pulled, `broken`.
fn furnish(cluster: &Cluster, namespace: &str) {
    cluster.kubectl(&format!("create namespace {namespace}"));
    cluster.apply(&daemon_set(namespace, "broken", "agent:1-bad"));
    for image in ["agent:1", "agent:2"] {
        cluster.apply(&daemon_set(namespace, "agent", image));
        cluster.kubectl(&format!("-n {namespace} rollout status ds/agent --timeout=3m"));
    }
    let reasons = "{.items[*].status.containerStatuses[0].state.waiting.reason}";
    let all = ["ImagePullBackOff"; 3].join(" ");
    cluster.await_output(&format!("-n {namespace} get pods -l app=broken -o jsonpath={reasons}"), &all);
}

fn the_viewing_role_is_what_looking_takes() {
    let Some(cluster) = Cluster::shared() else { return };
    furnish(cluster, "looking");
    apply_printed(cluster, "view");
    let rights = printed(cluster, "view");
    let viewer = Account::new(cluster, "looking", "viewer");
    viewer.bind("clusterrole", "kubectl-daemonset-view");
    viewer.await_right(&rights[0]);
    LOOKS.iter().for_each(|line| viewer.assert_same_as_admin(line));
    let refused = viewer.run("restart agent --yes");
    assert_code(&refused, 1);
    assert_eq!(refusals(&refused.stderr), ["cannot patch resource \"daemonsets\" in API group \"apps\""]);
    let rule = "hint: a Role in namespace \"looking\" with this rule, bound to you, would allow it: \
                {apiGroups: [\"apps\"], resources: [\"daemonsets\"], verbs: [\"patch\"]}\n";
    assert!(refused.stderr.ends_with(rule), "{}", refused.stderr);

    let watching = Watching::start(&mut cluster.kubectl_command("admin", &viewer.line("plan agent -o json -w")));
    watching.next();
    cluster.apply(&daemon_set("looking", "agent", "agent:3"));
    watching.next_that(|plans| plans["items"][0]["revision"]["number"] == 3);
    assert_eq!(watching.interrupt().1, "", "nothing is missing");

    rights.iter().enumerate().for_each(|(i, lacking)| a_right_that_lacks_is_told(cluster, &rights, i, lacking));
}

/// Fails unless somebody who lacks only this right is told of it, and of nothing else.
fn a_right_that_lacks_is_told(cluster: &Cluster, rights: &[Right], i: usize, lacking: &Right) {
    let account = Account::new(cluster, "looking", &format!("lacks-{i}"));
    let others: Vec<_> = rights.iter().filter(|right| *right != lacking).collect();
    account.grant(others.iter().copied());
    account.await_right(others[0]);
    let (group, resource, verb) = lacking;
    let stderr = if verb == "watch" {
        let watching = Watching::start(&mut cluster.kubectl_command("admin", &account.line("plan -w")));
        watching.await_stderr(|stderr| stderr.contains("seconds instead\nhint: "));
        watching.interrupt().1
    } else {
        account.run("plan").stderr
    };
    let rule = format!("{{apiGroups: [{group:?}], resources: [{resource:?}], verbs: [{verb:?}]}}");
    assert_eq!(refusals(&stderr), [format!("cannot {verb} resource {resource:?} in API group {group:?}")], "{stderr}");
    assert!(stderr.contains(&rule), "no {rule} in {stderr}");
}

fn a_role_in_a_namespace_gets_as_far_as_it_can_without_nodes() {
    let Some(cluster) = Cluster::shared() else { return };
    furnish(cluster, "one-team");
    apply_printed(cluster, "drive -n one-team");
    let member = Account::new(cluster, "one-team", "member");
    member.bind("role", "kubectl-daemonset-drive");
    member.await_right(&printed(cluster, "drive -n one-team")[0]);

    // Revisions need no nodes.
    member.assert_same("history agent", |ended| ended.stdout.clone());
    let history = member.run("history agent");
    assert_eq!(refusals(&history.stderr), ["cannot list resource \"nodes\" in API group \"\""]);
    assert!(history.stderr.contains("hint: a ClusterRole with this rule"), "{}", history.stderr);
    assert_code(&member.run("plan agent --exit-code"), 1);
    let status = member.run("status agent");
    assert_code(&status, 1);
    let unknown = "daemonset.apps/agent: Unknown: no nodes are known, so it cannot be judged which nodes want a pod";
    assert!(status.stdout.starts_with(unknown), "{}", status.stdout);
    let nodes = member.run("nodes broken").stdout;
    assert_eq!(nodes.matches("   <unknown>   ").count(), 3, "{nodes}");
    assert_eq!(nodes.matches(" ImagePullBackOff ").count(), 3, "{nodes}");
    assert!(!member.run("snapshot").stdout.contains("kind: Node\n"));
    for (line, told) in [("restart", "restarted"), ("pause", "paused"), ("resume", "resumed"), ("undo", "rolled back")]
    {
        let ended = member.run(&format!("{line} agent --yes"));
        assert_code(&ended, 0);
        assert_eq!(ended.stdout, format!("daemonset.apps/agent {told}\n"));
    }
    let refused = member.run("sync agent --yes");
    assert_code(&refused, 1);
    assert!(refused.stderr.contains("the nodes are not known, so nothing may be written"), "{}", refused.stderr);
    let elsewhere = member.run("plan -A");
    assert_code(&elsewhere, 1);

    apply_printed(cluster, "nodes");
    member.bind("clusterrole", "kubectl-daemonset-nodes");
    member.await_right(&printed(cluster, "nodes")[0]);
    cluster.kubectl("-n one-team rollout status ds/agent --timeout=3m");
    LOOKS.iter().filter(|line| !line.contains("-A")).for_each(|line| member.assert_same_as_admin(line));
    assert_code(&member.run("sync agent --yes"), 0);
}

const MANAGER: &str = "kube-controller-manager";

fn the_driving_role_is_what_writing_takes() {
    let Some(cluster) = Cluster::start(&Options { nodes: 0, ..Options::default() }) else { return };
    let (by_hand, rolling) = (Scene::new(&cluster, "by-hand", 2), Scene::new(&cluster, "rolling", 3));
    by_hand.outdated_by("agent:2");
    rolling.bring_up(&rolling.daemon_set("RollingUpdate"));
    apply_printed(&cluster, "drive");
    let rights = printed(&cluster, "drive");
    let [driver, roller] = [&by_hand, &rolling].map(|scene| Account::new(&cluster, scene.name, "driver"));
    for account in [&driver, &roller] {
        account.bind("clusterrole", "kubectl-daemonset-drive");
        account.await_right(&rights[0]);
    }
    let done = |account: &Account<'_>, line: &str| {
        let ended = account.run(line);
        assert_code(&ended, 0);
        assert!(!["cannot", "may not", "Warning"].iter().any(|word| ended.stderr.contains(word)), "{}", ended.stderr);
        ended.stdout
    };

    done(&driver, "sync agent --dry-run=server");
    done(&driver, "sync agent --yes");
    assert_eq!(by_hand.images(), by_hand.all_have("agent:2"));
    by_hand.set_image("agent:3");
    done(&driver, "sync agent --yes --evict");
    assert_eq!(by_hand.images(), by_hand.all_have("agent:3"));
    no_right_of_evictions_can_be_missing(&by_hand, &rights);
    for line in ["restart agent", "pause agent", "resume agent", "undo agent"] {
        done(&roller, &format!("{line} --dry-run=server"));
        done(&roller, &format!("{line} --yes"));
        done(&roller, "status agent --done-when placed --timeout 3m");
    }
    rolling.set_image("agent:2-slow");
    let is_new = |images: &Vec<String>| images.iter().any(|image| image == "agent:2-slow");
    assert!(eventually(|| rolling.images().values().any(is_new)), "the rollout does not begin");
    cluster.command(&json!({ "do": "start", "part": MANAGER, "without": ["daemonset-controller"] }));
    let stdout = done(&roller, "sync agent --yes --controller-wait 1s");
    assert!(stdout.contains(" created on ") && stdout.contains(" deleted from "), "{stdout}");
    assert_eq!(rolling.images(), rolling.all_have("agent:2-slow"));

    no_write_can_be_missing(&rolling, &rights);
    done(&roller, "sync agent --yes --controller-wait 1s");
    assert_eq!(rolling.images(), rolling.all_have("agent:2-slow"));
}

/// Fails unless somebody who may not make one of the writes is told so, before any is made. The controller is off.
fn no_write_can_be_missing(scene: &Scene<'_>, rights: &[Right]) {
    let looking = printed(scene.cluster, "view");
    assert_eq!(rights[..looking.len()], looking[..], "who drives may look");
    let evicting = EVICTIONS.map(owned);
    let is_write = |right: &&Right| !looking.contains(right) && !evicting.contains(right);
    let writes: Vec<&Right> = rights.iter().filter(is_write).collect();
    scene.kubectl(&format!("delete pod {} --wait", scene.pod_on(0)));
    for (i, lacking) in writes.iter().enumerate() {
        let account = Account::new(scene.cluster, scene.name, &format!("lacks-{i}"));
        account.grant(rights.iter().filter(|right| right != lacking));
        account.await_right(&rights[0]);
        let ended = account.run("sync agent --yes --controller-wait 1s");
        assert_code(&ended, 1);
        let (group, resource, verb) = lacking;
        let told = format!("you may not {verb} {resource} in namespace {:?}, which sync needs", scene.name);
        let rule = format!("{{apiGroups: [{group:?}], resources: [{resource:?}], verbs: [{verb:?}]}}");
        assert!(ended.stderr.contains(&told) && ended.stderr.contains(&rule), "{}", ended.stderr);
    }
    assert_eq!((writes.len(), scene.pods().len()), (3, 2), "nothing was written");
}

/// What `sync` needs only with `--evict`.
const EVICTIONS: [(&str, &str, &str); 2] =
    [("", "pods/eviction", "create"), ("policy", "poddisruptionbudgets", "list")];

/// Fails unless somebody who may not evict, or not see what stands in the way, is told so.
fn no_right_of_evictions_can_be_missing(scene: &Scene<'_>, rights: &[Right]) {
    scene.set_image("agent:4");
    // Where pods cannot be evicted none is; where only the budgets are not seen, the server still heeds them.
    for ((i, lacking), (code, image)) in EVICTIONS.map(owned).iter().enumerate().zip([(1, "agent:3"), (0, "agent:4")]) {
        let account = Account::new(scene.cluster, scene.name, &format!("evicts-not-{i}"));
        account.grant(rights.iter().filter(|right| *right != lacking));
        account.await_right(&rights[0]);
        let ended = account.run("sync agent --yes --evict");
        assert_code(&ended, code);
        let (group, resource, verb) = lacking;
        let told = format!("cannot {verb} resource {resource:?} in API group {group:?}");
        assert!(refusals(&ended.stderr).contains(&told.as_str()), "{}", ended.stderr);
        assert_eq!(scene.images(), scene.all_have(image));
    }
}

fn owned((group, resource, verb): (&str, &str, &str)) -> Right {
    (group.to_owned(), resource.to_owned(), verb.to_owned())
}

fn the_roles_of_kubernetes_hold_all_but_nodes() {
    let Some(cluster) = Cluster::shared() else { return };
    let held = |name: &str| {
        let role = cluster.kubectl(&format!("get clusterrole system:aggregate-to-{name} -o json"));
        held_by(&serde_json::from_str(&role).expect("JSON"))
    };
    let (view, edit) = (held("view"), held("edit"));
    let beyond = |role: &str, held: &[Right]| {
        let printed = printed(cluster, role).into_iter().filter(|right| !held.contains(right));
        printed.map(|(_, resource, verb)| format!("{verb} {resource}")).collect::<Vec<_>>()
    };
    assert_eq!(beyond("view", &view), ["list nodes", "watch nodes"]);
    assert_eq!(beyond("drive", &[view, edit].concat()), ["list nodes", "watch nodes"]);
}
