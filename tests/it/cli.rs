//! The binary as people use it: whole output, both streams and the exit code of every command line.
//!
//! A transcript looks as on a terminal; lines of stderr begin with `! `, and an exit code other than 0 is printed.

mod clusters;
pub mod process;
mod scale;

use snapbox::{assert_data_eq, data::Data, file};

use process::{run, session};

trials![
    usage_errors,
    names_and_namespaces,
    selectors,
    formats,
    exit_codes,
    help,
    short_help_fits_a_screen,
    nodes_by_group_and_by_problem,
    why_of_nodes,
    history_of_revisions,
    status_once,
    rollouts_by_group,
    reading_stdin,
    missing_kinds,
    color_is_on_whole_lines_and_only_where_wanted,
    roles_hold_what_is_used,
];

/// Returns the trials of all parts.
pub fn all_trials() -> Vec<libtest_mimic::Trial> {
    [trials(), clusters::trials(), process::trials(), scale::trials()].into_iter().flatten().collect()
}

/// Flags of a dump with three sets.
pub const SURGE: &str = "--snapshot clusters/surge-and-ondelete.yaml --now 2026-11-29T14:44:08Z";
/// Flags of a dump with one set, whose rollout is stuck.
pub const STUCK: &str = "--snapshot clusters/stuck-rollout.yaml --now 2026-11-29T14:43:52Z";

/// Returns the flags of a worked case.
fn case(name: &str) -> String {
    let now = crate::support::read(&format!("cases/{name}.now"));
    format!("--snapshot cases/{name}.json --now {}", now.trim())
}

/// Compares a transcript with a file, byte by byte.
fn same(transcript: String, expected: Data) {
    assert_data_eq!(Data::text(transcript).raw(), expected.raw());
}

fn usage_errors() {
    let lines = [
        "",
        "pln",
        "plan",
        "plan --exitcode",
        "plan deploy/x",
        "plan ds/",
        "plan -o jsn",
        "plan --color sometimes",
        "plan --now yesterday",
        "plan --server-version new",
        "plan x -l a=b",
        "plan -l a==",
        "plan -l 'a in'",
        "plan -l 'a,,b'",
        "nodes",
        "nodes x y",
        "nodes x --problems --group-by zone",
        "nodes x -w --snapshot clusters/stuck-rollout.yaml",
        "why",
        "why x pod/y",
        "sync x",
        "completion tcsh",
        "version",
        "version --client=perhaps",
        "version --now 2026-11-29T14:43:52Z",
    ];
    same(session(&lines), file!["expected/usage-errors.txt"]);
}

fn names_and_namespaces() {
    let lines = [
        format!("plan node-agnet {SURGE}"),
        format!("plan agnet {SURGE}"),
        format!("plan NODE-AGENT {SURGE}"),
        format!("plan prometheus {SURGE}"),
        format!("plan log-agent -n monitoring {SURGE}"),
        format!("plan log-agnt -n monitoring {SURGE}"),
        format!("plan -n monitorin {SURGE}"),
        format!("plan -n default {SURGE}"),
        format!("plan -n monitoring {SURGE}"),
        format!("-n monitoring plan -A {SURGE}"),
        format!("plan -n monitoring -o name {SURGE}"),
        format!("plan ds/cni daemonset/log-agent daemonsets.apps/cni -o name {SURGE}"),
        format!("why node-agent node-00003 {SURGE}"),
        format!("why node-agent node/node-0003 web-1 {SURGE}"),
        format!("nodes nod-agent {SURGE}"),
    ];
    let twice = process::temporary(&crate::support::read("cases/C08.json").replace("\"ops\"", "\"qa\""));
    let both = format!("{} --snapshot {twice}", case("C08"));
    let in_two = [
        format!("plan agent {both}"),
        format!("plan agent -n qa -o name {both}"),
        format!("plan agent agent-b agnt -n qa {both}"),
        format!("plan {both}"),
    ];
    let transcript = session(&lines) + &session(&in_two).replace(&twice, "C08-in-qa.json");
    same(transcript, file!["expected/names.txt"]);
}

fn selectors() {
    let lines = [
        format!("plan -l app=cni -o name {SURGE}"),
        format!("plan -l 'app notin (cni)' -o name {SURGE}"),
        format!("plan -l app,app!=log-agent -o name {SURGE}"),
        format!("plan --selector '!app' {SURGE}"),
        format!("plan -l app=cni -n logging {SURGE}"),
        format!("plan -l app=nothing -o json {SURGE}"),
    ];
    same(session(&lines), file!["expected/selectors.txt"]);
}

fn formats() {
    let lines = [
        format!("plan --no-headers {SURGE}"),
        format!("plan -o wide {SURGE}"),
        format!("plan -o name {SURGE}"),
        format!("plan node-agent -o json {STUCK}"),
        format!("plan node-agent -o yaml {STUCK}"),
        format!("nodes node-agent --no-headers {STUCK}"),
        format!("nodes node-agent -o wide {STUCK}"),
        format!("nodes node-agent -o name {STUCK}"),
        format!("nodes node-agent -o json {STUCK}"),
        format!("nodes node-agent -o yaml --problems {STUCK}"),
        format!("nodes node-agent --group-by pool -o json {STUCK}"),
        format!("why node-agent -o wide {STUCK}"),
        format!("why node-agent -o name {STUCK}"),
        format!("why node-agent -o json {STUCK}"),
        format!("why node-agent node-0003 -o yaml {STUCK}"),
        "version --client".to_owned(),
        "version --client -o name".to_owned(),
        format!("version {STUCK}"),
        format!("version --server-version 1.36 {STUCK}"),
    ];
    same(session(&lines), file!["expected/formats.txt"]);
}

fn exit_codes() {
    let lines = [
        format!("plan --exit-code -o name {}", case("C03")),
        format!("plan --exit-code -o name {}", case("C04")),
        format!("plan --exit-code -o name {}", case("C01")),
        format!("plan --exit-code -o name {}", case("C07")),
        format!("plan --exit-code -o name {}", case("C12")),
        format!("plan --exit-code -o name {SURGE}"),
        format!("plan --exit-code -o name -n logging {SURGE}"),
        format!("plan --exit-code -n default {SURGE}"),
        format!("plan -o name {SURGE}"),
    ];
    same(session(&lines), file!["expected/exit-codes.txt"]);
}

fn help() {
    let lines = [
        "-h",
        "--help",
        "plan -h",
        "plan --help",
        "nodes -h",
        "nodes --help",
        "why --help",
        "status --help",
        "sync -h",
        "sync --help",
        "history --help",
        "restart --help",
        "undo --help",
        "pause --help",
        "resume --help",
        "rights --help",
        "snapshot --help",
        "completion --help",
        "version -h",
        "version --help",
    ];
    same(session(&lines), file!["expected/help.txt"]);
}

fn short_help_fits_a_screen() {
    let verbs: Vec<_> =
        kubectl_daemonset::args::command().get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    assert!(verbs.len() > 10, "{verbs:?}");
    for verb in verbs {
        let [short, long] = ["-h", "--help"].map(|flag| run(&format!("{verb} {flag}")).stdout);
        let num_lines = short.lines().count();
        assert!(num_lines <= 40, "{verb} -h has {num_lines} lines");
        assert!(short.lines().all(|line| line.len() <= 100), "{verb} -h has longer lines than 100 columns");
        assert!(long.lines().count() > num_lines, "{verb} --help tells no more than {verb} -h");
        // The first screen leaves the connection out, and says where it is.
        assert!(!short.contains("--kubeconfig") && short.contains("(see more with '--help')"), "{short}");
        assert!(long.contains("--kubeconfig"), "{long}");
    }
}

fn nodes_by_group_and_by_problem() {
    let lines = [
        format!("nodes agent --group-by topology.kubernetes.io/zone {}", case("C10")),
        format!("nodes agent --group-by topology.kubernetes.io/zone -o name {}", case("C10")),
        format!("nodes node-agent --group-by zone {SURGE}"),
        format!("nodes agent --group-by eks.amazonaws.com/compute-type --no-headers {}", case("C06")),
        format!("nodes agent --group-by pool -o yaml {}", case("C09")),
        format!("nodes agent --problems {}", case("C08")),
        format!("nodes agent --problems {}", case("C09")),
        format!("nodes agent --problems {}", case("C11")),
        format!("nodes agent --problems {}", case("C04")),
        format!("nodes agent --problems -o name {}", case("C04")),
        format!("nodes cni --problems {SURGE}"),
        format!("nodes cni --problems -o json {SURGE}"),
    ];
    same(session(&lines), file!["expected/nodes.txt"]);
}

fn why_of_nodes() {
    let lines = [
        format!("why agent n02 n04 n06 n09 n10 n12 {}", case("C04")),
        format!("why agent n1 n3 {}", case("C07")),
        format!("why agent n1 {}", case("C02")),
        format!("why agent gone-1 gone-2 {}", case("C09")),
        format!("why agent {}", case("C09")),
        format!("why agent n4 {}", case("C11")),
        format!("why agent {}", case("C06-b")),
    ];
    same(session(&lines), file!["expected/why.txt"]);
}

fn history_of_revisions() {
    let stuck = |more: &str| format!("history node-agent {STUCK} {more}");
    let lines = [
        stuck(""),
        stuck("-o wide"),
        stuck("-o json"),
        stuck("-o name"),
        stuck("--revision 1"),
        stuck("--revision 3"),
        stuck("--diff 1..2"),
        stuck("--diff 1 -o yaml"),
        stuck("--diff 2"),
        stuck("--diff 2..3"),
        stuck("--diff x"),
        stuck("--diff 1 --revision 1"),
    ];
    same(session(&lines), file!["expected/history.txt"]);
}

/// What a rollout by groups would do, and flags that fit neither each other nor the set.
fn rollouts_by_group() {
    const ZONE: &str = "topology.kubernetes.io/zone";
    let sync = |flags: &str| format!("sync cni --dry-run {flags} {SURGE}");
    let lines = [
        sync(&format!("--by {ZONE} --order zone-c --max-unavailable 2 -o json")),
        sync(&format!("--by {ZONE} --canary 2 --soak 10m --pause-after canary --gate true")),
        sync(&format!("--by {ZONE} --canary 2 --soak 5s --pause-after canary")),
        sync(&format!("--by {ZONE} --canary 2 --soak 5s --pause-after canary --continue --evict")),
        sync("--canary kubernetes.io/hostname=node-0001 --skip-unready"),
        sync(&format!("--by {ZONE} --order zone-x")),
        sync("--by zone"),
        sync("--by rack"),
        sync("--canary disk=ssd"),
        sync("--canary 0"),
        sync("--soak 5m"),
        sync("--pause-after canary"),
        sync("--pause-after group"),
        sync("--continue"),
        sync("--order a"),
        sync("--per-group"),
        format!("sync node-agent --dry-run --evict {SURGE}"),
    ];
    same(session(&lines), file!["expected/groups.txt"]);
}

fn status_once() {
    let lines = [
        format!("status {STUCK}"),
        format!("status node-agent {STUCK} --done-when placed"),
        format!("status node-agent {STUCK} -o json"),
        format!("status cni {SURGE} --group-by topology.kubernetes.io/zone"),
        format!("status log-agent {SURGE} --group-by topology.kubernetes.io/zone -o json"),
        format!("status {SURGE}"),
        format!("status cni log-agent {SURGE} --done-when placed"),
        format!("status cni {SURGE} -o name"),
        format!("status nothing {SURGE}"),
        format!("status -n empty {SURGE}"),
        format!("status cni {SURGE} --done-when soon"),
        format!("status cni {SURGE} --watch=maybe"),
    ];
    same(session(&lines), file!["expected/status.txt"]);
}

fn reading_stdin() {
    let transcript =
        process::run_with_stdin("plan --snapshot - --now 2026-11-29T14:43:52Z", "clusters/stuck-rollout.yaml");
    same(transcript, file!["expected/stdin.txt"]);
}

fn missing_kinds() {
    let without = |kinds: &[&str]| {
        let mut list = crate::support::read_json("cases/C03.json");
        let items = list["items"].as_array_mut().expect("items");
        items.retain(|item| !kinds.contains(&item["kind"].as_str().expect("a kind")));
        process::temporary(&list.to_string())
    };
    let nodes = without(&["Node"]);
    let revisions = without(&["ControllerRevision"]);
    let session = |path: &str| {
        let flags = format!("--snapshot {path} --now 2026-11-05T10:00:00Z");
        let lines =
            ["plan", "plan agent", "plan agent --exit-code -o name", "nodes agent", "why agent", "status agent"];
        session(&lines.map(|line| format!("{line} {flags}"))).replace(path, "dump.json")
    };
    same(session(&nodes) + &session(&revisions), file!["expected/missing-kinds.txt"]);
}

fn color_is_on_whole_lines_and_only_where_wanted() {
    let line = format!("plan --color always {SURGE}");
    same(run(&line).stdout.replace('\u{1b}', "ESC"), file!["expected/color.txt"]);
    let plain = run(&format!("plan {SURGE}"));
    for (flags, variables) in [("--color never", &[("CLICOLOR_FORCE", "1")][..]), ("", &[("NO_COLOR", "1")])] {
        assert_eq!(process::run_in(&format!("plan {flags} {SURGE}"), variables).stdout, plain.stdout, "{flags}");
    }
    let forced = process::run_in(&format!("plan {SURGE}"), &[("CLICOLOR_FORCE", "1")]);
    assert_eq!(forced.stdout, run(&line).stdout);
}

fn roles_hold_what_is_used() {
    let lines = [
        "rights",
        "rights view",
        "rights drive -o yaml",
        "rights nodes -o json",
        "rights -o json",
        "rights -o name",
        "rights view -n team",
        "rights -n team -o name",
        "rights drive -n team -A -o name",
        "rights nodes -n team",
        "rights admin",
    ];
    same(session(&lines), file!["expected/rights.txt"]);
}
