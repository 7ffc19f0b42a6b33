//! `--snapshot`: every layout that people have dumps in, and every way in which one can be wrong.

use std::fs;
use std::path::{Path, PathBuf};

use kubectl_daemonset::api::{DaemonSet, Node, Pod};
use kubectl_daemonset::snapshot::{ServerVersion, Snapshot};
use kubectl_daemonset::source::{SnapshotOptions, load};
use serde_json::{Value, json};
use tempfile::TempDir;

trials![
    all_dumps_of_clusters_are_read,
    json_and_yaml_give_the_same_snapshot,
    key_order_does_not_matter,
    typed_lists_give_their_items_a_kind,
    lists_in_lists_are_read,
    streams_of_documents_are_read,
    standard_input_is_read,
    utf16_and_byte_order_marks_are_read,
    cluster_info_dump_is_read,
    must_gather_is_read_and_what_is_there_twice_is_taken_once,
    folders_pass_over_what_is_not_kubernetes,
    links_do_not_lead_in_circles,
    other_kinds_are_passed_over,
    events_of_both_groups_are_taken_once,
    objects_without_namespace_are_in_default,
    the_clock_is_the_given_the_recorded_or_the_newest_time,
    the_server_version_is_the_given_or_the_recorded_one,
    old_versions_are_warned_about_once,
    a_set_without_a_uid_is_a_manifest,
    wrong_objects_are_errors,
    wrong_files_are_errors,
    two_objects_of_one_name_are_an_error,
    a_yaml_error_is_counted_from_the_start_of_the_file,
    a_cut_off_json_file_is_an_error_wherever_it_ends,
    a_cut_off_yaml_list_is_an_error_wherever_it_ends,
    damaged_files_never_panic,
    deep_nesting_is_an_error,
];

/// A folder of files, and what loading from it gives.
struct Dump {
    folder: TempDir,
    warnings: Vec<String>,
}

impl Dump {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a temp folder"), warnings: Vec::new() }
    }

    fn file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("a file");
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn load(&mut self, options: SnapshotOptions) -> Result<Snapshot, String> {
        let warnings = &mut self.warnings;
        let loaded = load(&options, &mut &b""[..], &mut |warning| warnings.push(warning));
        loaded.map_err(|error| format!("{error:#}").replace(&format!("{}/", self.folder.path().display()), ""))
    }

    fn read(&mut self, names: &[&str]) -> Result<Snapshot, String> {
        let paths = names.iter().map(|name| self.path(name)).collect();
        self.load(SnapshotOptions { paths, ..SnapshotOptions::default() })
    }
}

/// Reads one file of this content.
fn read(name: &str, content: impl AsRef<[u8]>) -> Result<Snapshot, String> {
    Dump::new().file(name, content).read(&[name])
}

fn node(name: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": format!("uid-{name}"), "resourceVersion": "7", "creationTimestamp": "2026-11-29T14:00:00Z"},
        "status": {"nodeInfo": {"kubeletVersion": "v1.37.1"}},
    })
}

fn pod(name: &str, node: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "ops",
            "uid": format!("uid-{name}"),
            "resourceVersion": "8",
            "labels": {"app": "agent"},
            "creationTimestamp": "2026-11-29T14:10:00Z",
        },
        "spec": {"nodeName": node, "containers": [{"name": "agent", "image": "agent:1"}]},
        "status": {"phase": "Running"},
    })
}

fn daemon_set() -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "ops", "uid": "uid-agent", "generation": 1},
        "spec": {"selector": {"matchLabels": {"app": "agent"}}, "template": {"metadata": {"labels": {"app": "agent"}}}},
    })
}

fn revision() -> Value {
    json!({
        "apiVersion": "apps/v1",
        "data": {"spec": {"template": {"x": [1]}}},
        "kind": "ControllerRevision",
        "metadata": {"name": "agent-1", "namespace": "ops"},
        "revision": 1,
    })
}

fn event(api_version: &str) -> Value {
    json!({
        "apiVersion": api_version,
        "kind": "Event",
        "metadata": {"name": "agent.1", "namespace": "ops", "uid": "uid-event"},
        "reason": "FailedCreate",
    })
}

fn list(items: &[Value]) -> Value {
    json!({"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items})
}

fn cluster() -> Value {
    list(&[node("a"), node("b"), daemon_set(), revision(), pod("p-a", "a"), pod("p-b", "b"), event("v1")])
}

fn yaml(value: &Value) -> String {
    serde_saphyr::to_string(value).expect("yaml")
}

/// The snapshot that `cluster` stands for.
fn expected() -> Snapshot {
    let pods = [pod("p-a", "a"), pod("p-b", "b")].map(decoded::<Pod>).to_vec();
    Snapshot {
        now: "2026-11-29T14:10:00Z".parse().expect("a time"),
        nodes: [node("a"), node("b")].map(decoded::<Node>).to_vec(),
        daemon_sets: vec![decoded::<DaemonSet>(daemon_set())],
        controller_revisions: vec![decoded(revision())],
        events: vec![decoded(event("v1"))],
        pods,
        ..Snapshot::default()
    }
}

fn decoded<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).expect("a valid object")
}

fn assert_same(actual: &Snapshot, expected: &Snapshot) {
    assert_eq!(format!("{actual:#?}"), format!("{expected:#?}"));
}

fn assert_is_cluster(read: Result<Snapshot, String>) {
    assert_same(&read.expect("a snapshot"), &expected());
}

fn assert_error<T>(read: Result<T, String>, expected: &str) {
    assert_eq!(read.err().as_deref(), Some(expected));
}

fn all_dumps_of_clusters_are_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut counts = Vec::new();
    for folder in ["clusters", "cases"] {
        for entry in fs::read_dir(root.join(folder)).expect("a folder").flatten() {
            let path = entry.path();
            let now = fs::read_to_string(path.with_extension("now"));
            let Some(now) = now.ok().filter(|_| path.extension().is_some_and(|e| e == "json" || e == "yaml")) else {
                continue;
            };
            let now = Some(kubectl_daemonset::source::parse_now(&now).expect("a time"));
            let options = SnapshotOptions { paths: vec![path.clone()], now, server_version: None };
            let snapshot = load(&options, &mut &b""[..], &mut |warning| panic!("{warning}")).expect("a snapshot");
            assert_eq!(Some(snapshot.now), now);
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            counts.push((name, snapshot.nodes.len(), snapshot.daemon_sets.len(), snapshot.pods.len()));
        }
    }
    counts.sort();
    assert_eq!(counts.len(), 18);
    assert_eq!(counts[0], ("C01".to_owned(), 8, 1, 8));
    assert_eq!(counts[16], ("stuck-rollout".to_owned(), 12, 1, 11));
}

fn json_and_yaml_give_the_same_snapshot() {
    assert_is_cluster(read("dump.json", cluster().to_string()));
    assert_is_cluster(read("dump.json", format!("{:#}", cluster())));
    assert_is_cluster(read("dump.yaml", yaml(&cluster())));
    // The content decides, not the name.
    assert_is_cluster(read("dump", yaml(&cluster())));
    assert_is_cluster(read("dump.yaml", cluster().to_string()));
}

fn key_order_does_not_matter() {
    // serde_json sorts keys; here they stand in reverse, and then with the kind of the list after its items.
    fn reversed(value: &Value) -> String {
        match value {
            Value::Object(fields) => {
                let fields = fields.iter().rev().map(|(key, value)| format!("\"{key}\": {}", reversed(value)));
                format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
            }
            Value::Array(items) => format!("[{}]", items.iter().map(reversed).collect::<Vec<_>>().join(", ")),
            other => other.to_string(),
        }
    }
    assert_is_cluster(read("dump.json", reversed(&cluster())));
    assert_is_cluster(read("dump.yaml", format!("---\n{}", reversed(&cluster()))));
}

fn typed_lists_give_their_items_a_kind() {
    let untyped = |mut object: Value| {
        let fields = object.as_object_mut().expect("an object");
        fields.remove("kind");
        fields.remove("apiVersion");
        object
    };
    let typed = |api_version: &str, kind: &str, items: &[Value], kind_first: bool| {
        let items = Value::from(items.iter().cloned().map(untyped).collect::<Vec<_>>());
        let (kind, items) =
            (format!("\"kind\": \"{kind}\", \"apiVersion\": \"{api_version}\""), format!("\"items\": {items}"));
        if kind_first { format!("{{{kind}, {items}}}") } else { format!("{{{items}, {kind}}}") }
    };
    for kind_first in [true, false] {
        let documents = [
            typed("v1", "NodeList", &[node("a"), node("b")], kind_first),
            typed("apps/v1", "DaemonSetList", &[daemon_set()], kind_first),
            typed("apps/v1", "ControllerRevisionList", &[revision()], kind_first),
            typed("v1", "PodList", &[pod("p-a", "a"), pod("p-b", "b")], kind_first),
            typed("v1", "EventList", &[event("v1")], kind_first),
            typed("v1", "SecretList", &[json!({"metadata": {"name": "s"}, "data": {}})], kind_first),
            "{\"kind\": \"ConfigMapList\", \"apiVersion\": \"v1\", \"items\": null}".to_owned(),
        ];
        // The items have no kind of their own, so `raw` of the DaemonSet differs.
        let mut expected = expected();
        expected.daemon_sets[0].raw = untyped(daemon_set());
        assert_same(&read("dump.json", documents.join("\n")).expect("a snapshot"), &expected);
    }
}

fn lists_in_lists_are_read() {
    let inner = list(&[pod("p-a", "a"), pod("p-b", "b"), event("v1")]);
    let outer = list(&[list(&[node("a"), node("b")]), daemon_set(), revision(), inner]);
    assert_is_cluster(read("dump.json", outer.to_string()));
    assert_is_cluster(read("dump.yaml", yaml(&outer)));
}

fn streams_of_documents_are_read() {
    let objects = [node("b"), node("a"), daemon_set(), revision(), pod("p-b", "b"), pod("p-a", "a"), event("v1")];
    let yamls = objects.iter().map(yaml).collect::<Vec<_>>();
    let jsons = objects.iter().map(Value::to_string).collect::<Vec<_>>();
    assert_is_cluster(read("dump.yaml", yamls.join("---\n")));
    assert_is_cluster(read(
        "dump.yaml",
        format!("# a dump\n%YAML 1.2\n---\n{}...\n", yamls.join("... # end\n--- # next\n\n---\n")),
    ));
    assert_is_cluster(read("dump.json", jsons.join("\n")));
    assert_is_cluster(read("dump.json", jsons.concat()));
    assert_is_cluster(read("dump", jsons.join("\n---\n")));
    assert_is_cluster(read("dump", format!("{}\n---\n{}", yamls[..4].join("---\n"), jsons[4..].join("\n"))));
}

fn standard_input_is_read() {
    let mut warn = |warning| panic!("{warning}");
    let options = SnapshotOptions { paths: vec!["-".into()], ..SnapshotOptions::default() };
    let text = yaml(&cluster());
    assert_same(&load(&options, &mut text.as_bytes(), &mut warn).expect("a snapshot"), &expected());
    let error = load(&options, &mut &b""[..], &mut warn).expect_err("nothing to read");
    assert_eq!(format!("{error:#}"), "read standard input: it is empty");
}

fn utf16_and_byte_order_marks_are_read() {
    let text = cluster().to_string();
    let utf16 = |units: &str| format!("\u{feff}{units}").encode_utf16().collect::<Vec<_>>();
    let little: Vec<u8> = utf16(&text).iter().flat_map(|unit| unit.to_le_bytes()).collect();
    let big: Vec<u8> = utf16(&yaml(&cluster())).iter().flat_map(|unit| unit.to_be_bytes()).collect();
    assert_is_cluster(read("dump.json", little));
    assert_is_cluster(read("dump.yaml", big));
    assert_is_cluster(read("dump.json", format!("\u{feff}{text}")));
    assert_is_cluster(read("dump.yaml", format!("\u{feff}{}", yaml(&cluster()))));
}

fn cluster_info_dump_is_read() {
    let typed = |kind: &str, items: &[Value]| json!({"apiVersion": "v1", "kind": kind, "items": items}).to_string();
    let nodes = typed("NodeList", &[node("a"), node("b")]);
    let pods = typed("PodList", &[pod("p-a", "a"), pod("p-b", "b")]);
    let daemon_sets = json!({"apiVersion": "apps/v1", "kind": "DaemonSetList", "items": [daemon_set()]}).to_string();
    let mut expected = expected();
    expected.controller_revisions.clear();
    let mut dump = Dump::new()
        .file("nodes.json", &nodes)
        .file("ops/daemonsets.json", &daemon_sets)
        .file("ops/events.json", typed("EventList", &[event("v1")]))
        .file("ops/pods.json", &pods)
        .file("ops/services.json", typed("ServiceList", &[]))
        .file("ops/p-a/logs.txt", "==== START logs for container agent of pod ops/p-a ====\n{\"kind\":\n");
    assert_same(&dump.read(&[""]).expect("a snapshot"), &expected);

    // Without a folder, kubectl prints all that one after the other, with the logs in between.
    expected.events.clear();
    let logs = "==== START logs for container agent of pod ops/p-a ====\n---\n{\nno newline ==== END logs for container agent of pod ops/p-a ====\n";
    let printed = [nodes, logs.to_owned(), daemon_sets, pods, logs.to_owned(), logs.to_owned()].join("\n");
    assert_same(&read("dump.txt", &printed).expect("a snapshot"), &expected);
    let end = printed.rfind("==== END").expect("an end");
    assert_error(
        read("dump.txt", &printed[..end]),
        "read \"dump.txt\", document 4: it is cut off in the logs of a container",
    );
}

fn must_gather_is_read_and_what_is_there_twice_is_taken_once() {
    let typed = |kind: &str, items: &[Value]| yaml(&json!({"apiVersion": "v1", "kind": kind, "items": items}));
    let root = "must-gather.local.1/quay-io-must-gather-sha256-2";
    let mut newer_clock = pod("p-a", "a");
    newer_clock["metadata"]["managedFields"] = json!([]);
    let mut dump = Dump::new()
        .file(&format!("{root}/version"), "openshift/must-gather\n4.21\n")
        .file(&format!("{root}/event-filter.html"), "<html>")
        .file(&format!("{root}/cluster-scoped-resources/core/nodes/a.yaml"), format!("---\n{}", yaml(&node("a"))))
        .file(&format!("{root}/cluster-scoped-resources/core/nodes/b.yaml"), format!("---\n{}", yaml(&node("b"))))
        .file(&format!("{root}/namespaces/ops/apps/daemonsets.yaml"), typed("DaemonSetList", &[daemon_set()]))
        .file(&format!("{root}/namespaces/ops/apps/controllerrevisions.yaml"), typed("List", &[revision()]))
        .file(&format!("{root}/namespaces/ops/core/events.yaml"), typed("EventList", &[event("v1")]))
        .file(&format!("{root}/namespaces/ops/core/pods.yaml"), typed("PodList", &[pod("p-a", "a"), pod("p-b", "b")]))
        .file(&format!("{root}/namespaces/ops/pods/p-a/p-a.yaml"), format!("---\n{}", yaml(&newer_clock)))
        .file(&format!("{root}/namespaces/ops/pods/p-a/agent/agent/logs/current.log"), "{");
    assert_is_cluster(dump.read(&["must-gather.local.1"]));
}

fn folders_pass_over_what_is_not_kubernetes() {
    let mut dump = Dump::new()
        .file("a/cluster.YML", yaml(&cluster()))
        .file("a/.git/broken.yaml", "{")
        .file("a/.hidden.json", "{")
        .file("a/notes.md", "{")
        .file("a/values.yaml", "items:\n- 1\n- a: b\nimage:\n  tag: 1\n")
        .file("a/Chart.yaml", "apiVersion: v1\nname: agent\nversion: 1.0.0\n")
        .file("a/kubeconfig.yaml", "apiVersion: v1\nkind: Config\nclusters: []\n")
        .file("a/alarms.json", "[{\"kind\": \"Node\"}, 1]")
        .file("a/scalar.yaml", "just words\n")
        .file("a/blank.yaml", "# nothing\n---\n\n")
        .file("b/values.yaml", "a: 1\n");
    assert_is_cluster(dump.read(&["a"]));
    assert_error(
        dump.read(&["b"]),
        "read \"b\": none of its 1 .json, .yaml and .yml files holds a node, daemon set, pod, controller revision or event",
    );
    assert_error(
        dump.file("a/z.yaml", "a: [1\n").read(&["a"]),
        "read \"a/z.yaml\", document 1: line 1, column 4: unclosed bracket '[': is it cut off?",
    );
}

#[cfg(unix)]
fn links_do_not_lead_in_circles() {
    let mut dump = Dump::new().file("a/cluster.yaml", yaml(&cluster()));
    std::os::unix::fs::symlink(dump.path("a"), dump.path("a/again")).expect("a link");
    std::os::unix::fs::symlink(dump.path("a/cluster.yaml"), dump.path("a/link.yaml")).expect("a link");
    assert_is_cluster(dump.read(&["a"]));
    std::os::unix::fs::symlink("nowhere", dump.path("a/to-nowhere.yaml")).expect("a link");
    assert_error(dump.read(&["a"]), "open \"a/to-nowhere.yaml\": No such file or directory");
}

#[cfg(not(unix))]
fn links_do_not_lead_in_circles() {}

fn other_kinds_are_passed_over() {
    let mut others = cluster();
    let items = others["items"].as_array_mut().expect("items");
    items.insert(0, json!({"apiVersion": "v1", "kind": "Secret", "metadata": 5, "data": {"a": "b"}}));
    items.push(json!({"apiVersion": "metrics.k8s.io/v1beta1", "kind": "Node", "metadata": {"name": "a"}}));
    items.push(json!({"apiVersion": "example.com/v1", "kind": "AllowList", "spec": {}}));
    items.push(json!({"apiVersion": "example.com/v1", "kind": "Shelf", "items": [{"a": 1}]}));
    items.push(json!(7));
    assert_is_cluster(read("dump.json", others.to_string()));
    assert_is_cluster(read("dump.yaml", yaml(&others)));
}

fn events_of_both_groups_are_taken_once() {
    let both = list(&[node("a"), event("events.k8s.io/v1"), event("v1")]);
    assert_eq!(read("dump.json", both.to_string()).expect("a snapshot").events, [decoded(event("v1"))]);
}

fn objects_without_namespace_are_in_default() {
    let mut manifest = daemon_set();
    manifest["metadata"] = json!({"name": "agent"});
    let snapshot = read("dump.json", list(&[node("a"), manifest.clone()]).to_string()).expect("a snapshot");
    assert_eq!(snapshot.daemon_sets[0].namespace(), "default");
    assert_eq!(snapshot.daemon_sets[0].raw, manifest);
}

fn the_clock_is_the_given_the_recorded_or_the_newest_time() {
    let info = json!({"apiVersion": "kubectl-daemonset/v1", "kind": "SnapshotInfo", "now": "2026-11-29T15:00:00Z"});
    let mut deleted = pod("p-c", "a");
    deleted["metadata"]["deletionTimestamp"] = json!("2027-01-01T00:00:00Z");
    let mut dump = Dump::new()
        .file("plain.json", list(&[node("a"), deleted]).to_string())
        .file("recorded.json", list(&[info.clone(), node("a")]).to_string())
        .file("alone.yaml", yaml(&info))
        .file("timeless.json", list(&[daemon_set()]).to_string())
        .file("other.yaml", yaml(&info).replace("15:00", "16:00"));
    let now = |read: Result<Snapshot, String>| read.map(|snapshot| snapshot.now.to_string());
    assert_eq!(now(dump.read(&["plain.json"])), Ok("2026-11-29T14:10:00Z".to_owned()));
    assert_eq!(now(dump.read(&["recorded.json", "alone.yaml"])), Ok("2026-11-29T15:00:00Z".to_owned()));
    assert_eq!(now(dump.read(&["timeless.json", "alone.yaml"])), Ok("2026-11-29T15:00:00Z".to_owned()));
    let given = kubectl_daemonset::source::parse_now("2026-11-29T13:00:00Z").ok();
    let paths = vec![dump.path("recorded.json")];
    let options = SnapshotOptions { paths, now: given, server_version: None };
    assert_eq!(now(dump.load(options)), Ok("2026-11-29T13:00:00Z".to_owned()));
    assert_error(dump.read(&["timeless.json"]), "no object holds a timestamp: say with --now what time it was");
    assert_error(
        dump.read(&["recorded.json", "other.yaml"]),
        "read \"other.yaml\", document 1, SnapshotInfo: another one says something else",
    );
}

fn the_server_version_is_the_given_or_the_recorded_one() {
    let info = |version: &str| {
        let now = "2026-11-29T15:00:00Z";
        json!({"apiVersion": "kubectl-daemonset/v1", "kind": "SnapshotInfo", "now": now, "serverVersion": version})
    };
    let mut dump = Dump::new()
        .file("new.json", info("v1.37.2").to_string())
        .file("old.json", info("1.30").to_string())
        .file("wrong.json", info("new").to_string());
    assert_eq!(dump.read(&["new.json"]).expect("a snapshot").server_version, ServerVersion::parse("1.37"));
    assert_eq!(dump.warnings, Vec::<String>::new());
    assert_eq!(dump.read(&["old.json"]).expect("a snapshot").server_version, ServerVersion::parse("1.30"));
    assert_eq!(dump.warnings, ["server version 1.30: some rules differ from those of 1.31 and later"]);
    let options =
        SnapshotOptions { paths: vec![dump.path("old.json")], now: None, server_version: ServerVersion::parse("1.36") };
    assert_eq!(dump.load(options).expect("a snapshot").server_version, ServerVersion::parse("1.36"));
    assert_eq!(dump.warnings.len(), 1);
    assert_error(
        dump.read(&["wrong.json"]),
        "read \"wrong.json\", document 1, SnapshotInfo: serverVersion: invalid value: string \"new\", expected a version such as 1.37",
    );
}

fn old_versions_are_warned_about_once() {
    let mut old = daemon_set();
    old["apiVersion"] = json!("extensions/v1beta1");
    let mut dump = Dump::new().file("dump.json", list(&[node("a"), old.clone(), old]).to_string());
    assert_eq!(dump.read(&["dump.json"]).expect("a snapshot").daemon_sets, []);
    assert_eq!(dump.warnings, ["passed over DaemonSet \"ops/agent\" of extensions/v1beta1: only apps/v1 is read"]);
    let mut others = daemon_set();
    others["apiVersion"] = json!("apps.kruise.io/v1alpha1");
    let mut dump = Dump::new().file("dump.json", list(&[node("a"), others]).to_string());
    assert_eq!(dump.read(&["dump.json"]).expect("a snapshot").daemon_sets, []);
    assert_eq!(dump.warnings, ["passed over DaemonSet \"ops/agent\" of apps.kruise.io/v1alpha1: only apps/v1 is read"]);
}

fn a_set_without_a_uid_is_a_manifest() {
    let mut manifest = daemon_set();
    manifest["metadata"] = json!({"name": "agent", "namespace": "ops"});
    let mut dump = Dump::new().file("dump.json", list(&[node("a"), manifest]).to_string());
    dump.read(&["dump.json"]).expect("a snapshot");
    assert_eq!(dump.warnings, ["DaemonSet \"ops/agent\" has no uid, as in a manifest: no pod counts as its own"]);
}

fn wrong_objects_are_errors() {
    let cases = [
        (
            "/metadata/labels",
            json!("x"),
            "Pod \"ops/p-b\" (item 2): metadata.labels: invalid type: string \"x\", expected a map",
        ),
        (
            "/spec/containers/0/image",
            json!(5),
            "Pod \"ops/p-b\" (item 2): spec.containers[0].image: invalid type: integer `5`, expected a string",
        ),
        ("/metadata", json!(null), "Pod (item 2): metadata.name: missing"),
        ("/metadata/name", json!(""), "Pod (item 2): metadata.name: missing"),
        (
            "/metadata/creationTimestamp",
            json!("yesterday"),
            "Pod \"ops/p-b\" (item 2): metadata.creationTimestamp: expected a time such as 2026-11-29T14:43:52Z",
        ),
        (
            "/spec/priority",
            json!("1"),
            "Pod \"ops/p-b\" (item 2): spec.priority: invalid type: string \"1\", expected a whole number",
        ),
        ("/status", json!([]), "Pod \"ops/p-b\" (item 2): status: invalid type: sequence, expected a map"),
    ];
    for (field, value, expected) in cases {
        let mut wrong = list(&[pod("p-a", "a"), pod("p-b", "b"), pod("p-c", "c")]);
        wrong["items"][1]["spec"]["priority"] = json!(0);
        *wrong["items"][1].pointer_mut(field).expect("a field") = value;
        for (name, text) in
            [("dump.json", wrong.to_string()), ("dump.yaml", format!("---\n---\na: 1\n---\n{}", yaml(&wrong)))]
        {
            let document = if name == "dump.json" { 1 } else { 2 };
            assert_error(read(name, text), &format!("read \"{name}\", document {document}, {expected}"));
        }
    }
    let mut daemon_set = daemon_set();
    daemon_set["spec"]["template"]["spec"] = json!({"tolerations": [{"key": 1}]});
    assert_error(
        read("ds.json", daemon_set.to_string()),
        "read \"ds.json\", document 1, DaemonSet \"ops/agent\": spec.template.spec.tolerations[0].key: invalid type: integer `1`, expected a string",
    );
    let mut kindless = node("b");
    kindless.as_object_mut().expect("an object").remove("kind");
    assert_error(
        read("dump.json", list(&[node("a"), kindless]).to_string()),
        "read \"dump.json\", document 1, object without a kind (item 2): kind: missing",
    );
}

fn wrong_files_are_errors() {
    let no_object = "it holds no Kubernetes object: give what kubectl get prints with -o json or -o yaml";
    let table = "it is a table for people: ask kubectl for -o yaml or -o json";
    let cases: [(&[u8], &str); 22] = [
        (b"", ": it is empty"),
        (b"\n\n", &format!(": {no_object}")),
        (b"a: 1\n", &format!(": {no_object}")),
        (b"[]", &format!(": {no_object}")),
        (b"hello\n", &format!(": {no_object}")),
        (b"NAME    STATUS   ROLES    AGE   VERSION\nnode-a  Ready    <none>   1d    v1.37.1\n", &format!(": {table}")),
        (b"NAMESPACE   NAME   DESIRED   UP-TO-DATE\nops         agent  3         3\n", &format!(": {table}")),
        (
            b"Name:               node-a\nRoles:              <none>\n",
            ": it is what kubectl describe prints: take kubectl get with -o yaml or -o json",
        ),
        (b"\x1f\x8b\x08\x00", ": it is packed with gzip: unpack it first"),
        (b"PK\x03\x04", ": it is packed with zip: unpack it first"),
        (b"{\0\"\0", ": it is UTF-16 without a byte order mark: save it as UTF-8"),
        (b"{\"kind\": x}", ", document 1: line 1, column 10: expected value"),
        (b"{\"kind\": \"A\"} x", ", document 2: line 1, column 15: expected value"),
        (
            b"Error from server (Forbidden): nodes is forbidden\n",
            ": it is an error message of kubectl: Error from server (Forbidden): nodes is forbidden",
        ),
        (
            br#"{"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "nodes is forbidden"}"#,
            ": it is an error of the API server: nodes is forbidden",
        ),
        (
            b"apiVersion: v1\nkind: Config\nclusters: []\n",
            ": it holds no node, daemon set, pod, controller revision or event, but is a kubeconfig: give it to --kubeconfig",
        ),
        (
            b"apiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\nkind: Secret\n",
            ": it holds no node, daemon set, pod, controller revision or event, but ConfigMap, Secret",
        ),
        (
            b"kind: DaemonSet\nmetadata:\n  name: {{ x }}\n  labels:\n    {{- y }}\n",
            ", document 1: line 3, column 10: expected string scalar: it is the template of a chart, not what a cluster holds",
        ),
        (b"a: 1\na: 2\nb: 1\n", ", document 1: line 2, column 1: duplicate mapping key: a"),
        (b"kind: Pod\nmetadata: {name: a}\n", ", document 1, Pod \"a\": apiVersion: missing"),
        (
            b"kind: DaemonSet\napiVersion: apps/v1\nmetadata: {name: a}\n",
            ", document 1, DaemonSet \"a\": spec: missing",
        ),
        (b"apiVersion: v1\n", ", document 1: apiVersion \"v1\" without a kind: it is cut off"),
    ];
    for (content, expected) in cases {
        assert_error(read("dump", content), &format!("read \"dump\"{expected}"));
    }
    assert_error(Dump::new().read(&["nosuchfile"]), "open \"nosuchfile\": No such file or directory");
}

fn two_objects_of_one_name_are_an_error() {
    let mut newer = pod("p-a", "a");
    newer["metadata"]["resourceVersion"] = json!("9");
    newer["status"]["phase"] = json!("Failed");
    let mut dump = Dump::new()
        .file("a.yaml", format!("---\n{}---\n{}", yaml(&node("a")), yaml(&list(&[pod("p-b", "b"), pod("p-a", "a")]))))
        .file("b.json", newer.to_string())
        .file("node.json", node("a").to_string().replace("uid-a", "uid-b"));
    let error = "read \"b.json\", document 1, Pod \"ops/p-a\": a different one is in \"a.yaml\", document 2, item 2";
    assert_error(dump.read(&["a.yaml", "b.json"]), error);
    let error = "read \"node.json\", document 1, Node \"a\": a different one is in \"a.yaml\", document 1";
    assert_error(dump.read(&["a.yaml", "node.json"]), error);
}

fn a_yaml_error_is_counted_from_the_start_of_the_file() {
    let text = format!("{}---\nkind: [\n---\n", yaml(&node("a")));
    let line = text.lines().count() - 1;
    let expected = "read \"dump.yaml\", document 2: line ";
    let error = read("dump.yaml", text).expect_err("a broken document");
    let rest = error.strip_prefix(expected).unwrap_or_else(|| panic!("{error}"));
    let found: usize = rest.split(',').next().and_then(|number| number.parse().ok()).expect("a line");
    assert!((line..=line + 1).contains(&found), "{error}");
}

fn a_cut_off_json_file_is_an_error_wherever_it_ends() {
    let text = format!("{:#}", list(&[node("a"), pod("p-a", "a"), revision()]));
    let mut errors = Vec::new();
    for end in 0..text.len() {
        let error = read("dump.json", &text[..end]).expect_err(&text[..end]);
        errors.push(error);
    }
    assert!(errors[1..].iter().all(|error| error.contains("it is cut off in line ")), "{errors:#?}");
    assert_eq!(
        errors.last().map(String::as_str),
        Some(
            "read \"dump.json\", document 1: it is cut off in line 68, after ControllerRevision \"ops/agent-1\" (item 3)"
        )
    );
}

fn a_cut_off_yaml_list_is_an_error_wherever_it_ends() {
    // As kubectl sorts it: the kind of a list follows its items.
    let items = yaml(&json!([node("a"), pod("p-a", "a"), revision()]));
    let text = format!("apiVersion: v1\nitems:\n{items}kind: List\nmetadata:\n  resourceVersion: \"\"\n");
    let whole = text.find("kind: List\n").expect("a kind") + "kind: List".len();
    for end in 0..text.len() {
        match read("dump.yaml", &text[..end]) {
            Ok(snapshot) => {
                assert!(end >= whole, "{}", &text[..end]);
                let revisions = snapshot.controller_revisions.len();
                assert_eq!([snapshot.nodes.len(), snapshot.pods.len(), revisions], [1, 1, 1]);
            }
            Err(error) => assert!(error.starts_with("read \"dump.yaml\""), "{error}"),
        }
    }
}

fn damaged_files_never_panic() {
    let texts = [yaml(&cluster()), cluster().to_string()];
    let mut seed: u64 = 42;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    let mut dump = Dump::new();
    for round in 0..1000 {
        let mut bytes = texts[round % 2].clone().into_bytes();
        for _ in 0..=random(4) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = u8::try_from(random(256)).expect("a byte"),
                1 => bytes[at] = b"{}[]:,-\n\"'&*!|>%@`#"[random(19)],
                2 => drop(bytes.drain(at..(at + random(40)).min(bytes.len() - 1).max(at))),
                _ => bytes.insert(at, b"\n -\"{:0"[random(7)]),
            }
        }
        dump = dump.file("dump", bytes);
        let _ = dump.read(&["dump"]);
    }
}

fn deep_nesting_is_an_error() {
    let json = format!("{{\"a\": {}", "[".repeat(100_000));
    assert_error(read("dump", json), "read \"dump\", document 1: line 1, column 133: recursion limit exceeded");
    let yaml = format!("a: {}", "[".repeat(100_000));
    let error = read("dump", yaml).expect_err("too deep");
    assert!(error.starts_with("read \"dump\", document 1: line 1, column "), "{error}");
}
