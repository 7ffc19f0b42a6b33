//! What can be typed: clap types only, no I/O.

mod connection;
mod help;
mod name;
mod values;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueHint};
use jiff::Timestamp;

use crate::api::IntOrString;
use crate::drive::Canary;
use crate::snapshot::ServerVersion;
use crate::upstream::labels::Selector;

pub use connection::{ConnectionFlags, Secret};
pub use help::{command, parse};
pub use name::{DaemonSetName, is_node_kind};
pub use values::{ColorChoice, DiffRange, DoneWhen, DryRun, OutputFormat, PauseAfter, Role};

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "kubectl-daemonset",
    bin_name = "kubectl daemonset",
    about = "Say what the DaemonSet controller will do next, and why",
    after_help = EXAMPLES,
    disable_version_flag = true,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Where the state comes from.
    #[command(flatten)]
    pub source: SourceFlags,
    /// Which DaemonSets are meant.
    #[command(flatten)]
    pub scope: ScopeFlags,
    /// How results are printed.
    #[command(flatten)]
    pub output: OutputFlags,
    /// How the cluster is reached.
    #[command(flatten)]
    pub connection: ConnectionFlags,
}

const EXAMPLES: &str = "\
Examples:
  # Show all DaemonSets of the cluster, one line each
  kubectl daemonset plan -A

  # Show what the controller will do next for one of them
  kubectl daemonset plan node-agent -n monitoring

  # Show why it does not run on a node
  kubectl daemonset why node-agent node-0007 -n monitoring

  # Follow a rollout until it is done
  kubectl daemonset status node-agent -n monitoring

  # Replace the outdated pods of an OnDelete set, one after the other
  kubectl daemonset sync node-agent -n monitoring

  # Ask about a dump of somebody else's cluster
  kubectl daemonset plan --snapshot dump.yaml";

/// The verbs.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what the controller will do next
    #[command(long_about = PLAN_ABOUT, after_help = PLAN_EXAMPLES)]
    Plan(PlanArgs),
    /// Show which node has which pod, and what becomes of it
    #[command(long_about = NODES_ABOUT, after_help = NODES_EXAMPLES)]
    Nodes(NodesArgs),
    /// Explain why nodes run the DaemonSet or do not
    #[command(long_about = WHY_ABOUT, after_help = WHY_EXAMPLES)]
    Why(WhyArgs),
    /// Follow rollouts until they are done, and say why they are not
    #[command(long_about = STATUS_ABOUT, after_help = STATUS_EXAMPLES)]
    Status(StatusArgs),
    /// Bring DaemonSets into sync: what the controller leaves to you, or does not do
    #[command(long_about = SYNC_ABOUT, after_help = SYNC_EXAMPLES)]
    Sync(SyncArgs),
    /// Show the revisions, which pods have each, and what changed
    #[command(long_about = HISTORY_ABOUT, after_help = HISTORY_EXAMPLES)]
    History(HistoryArgs),
    /// Replace all pods by new ones of the same template
    #[command(long_about = RESTART_ABOUT, after_help = RESTART_EXAMPLES)]
    Restart(RestartArgs),
    /// Go back to the template of an earlier revision
    #[command(long_about = UNDO_ABOUT, after_help = UNDO_EXAMPLES)]
    Undo(UndoArgs),
    /// Hold a rollout; pods are still created and cleaned up
    #[command(long_about = PAUSE_ABOUT, after_help = PAUSE_EXAMPLES)]
    Pause(PauseArgs),
    /// Let a paused rollout go on
    #[command(long_about = RESUME_ABOUT, after_help = RESUME_EXAMPLES)]
    Resume(ResumeArgs),
    /// Write a file of what a plan sees, which every command reads with --snapshot
    #[command(long_about = SNAPSHOT_ABOUT, after_help = SNAPSHOT_EXAMPLES)]
    Snapshot(SnapshotArgs),
    /// Print the roles that looking and driving take
    #[command(long_about = RIGHTS_ABOUT, after_help = RIGHTS_EXAMPLES)]
    Rights(RightsArgs),
    /// Complete names and flags: in kubectl, or by a script for a shell
    #[command(long_about = COMPLETION_ABOUT, after_help = COMPLETION_EXAMPLES)]
    Completion(CompletionArgs),
    /// Print the versions of this tool and of the server
    #[command(long_about = VERSION_ABOUT, after_help = VERSION_EXAMPLES)]
    Version(VersionArgs),
}

const PLAN_ABOUT: &str = "\
Show what the DaemonSet controller will do next.

For one DaemonSet: a verdict with its numbers, who holds the rollout budget, what the next sync creates and deletes, what \
follows, and the cheapest safe way out. Without NAME: all DaemonSets, one line each.

With --exit-code the exit code is 10 if work is pending or under way, 11 if it is blocked or a node is left without an \
available pod, 1 if it cannot be judged, else 0. Of several DaemonSets the gravest counts: 1, then 11, then 10.

With --watch the cluster is watched. A terminal shows the newest plan in place; everywhere else, and in all formats but \
table and wide, each plan that differs in more than its times is printed after the one before it.";

const PLAN_EXAMPLES: &str = "\
Examples:
  # Show all DaemonSets of the context's namespace, one line each
  kubectl daemonset plan

  # Show the next step of one of them
  kubectl daemonset plan node-agent -n monitoring

  # Show all DaemonSets of a dump
  kubectl daemonset plan --snapshot dump.yaml

  # Read what kubectl prints
  kubectl get nodes,ds,pods,controllerrevisions -A -o json | kubectl daemonset plan --snapshot -

  # Watch a rollout until Ctrl-C
  kubectl daemonset plan node-agent -w

  # Exit with 11 if something is blocked
  kubectl daemonset plan -A --exit-code";

const NODES_ABOUT: &str = "\
Show one row per node, also of those without a pod: whether it wants one, the pod, its revision, its state and since when, \
and what happens to it next. A node with several pods has one row for each. Pods whose node does not exist are shown too.";

const NODES_EXAMPLES: &str = "\
Examples:
  # Show all nodes
  kubectl daemonset nodes node-agent

  # Show only nodes whose pod is missing, duplicate, misplaced, stray or not available
  kubectl daemonset nodes node-agent --problems

  # Watch the nodes with problems until Ctrl-C
  kubectl daemonset nodes node-agent --problems -w

  # Count nodes by zone
  kubectl daemonset nodes node-agent --group-by topology.kubernetes.io/zone";

const WHY_ABOUT: &str = "\
Explain why nodes run the DaemonSet or do not: each check in the controller's order with the field that decided, then the \
pods of the node and what happens to each.

Without NODE, nodes with the same reason are shown as one group, the largest group first.";

const WHY_EXAMPLES: &str = "\
Examples:
  # Explain all nodes, grouped by reason
  kubectl daemonset why node-agent

  # Explain two nodes in full
  kubectl daemonset why node-agent node-0003 node-0007";

const STATUS_ABOUT: &str = "\
Follow rollouts until they are done (exit code 0), fail for --stall-after (11), or take longer than --timeout (12); of OnDelete \
sets, too. With --watch=false say once how they stand: 0 done, 10 under way or waiting, 11 failing.

Done is judged by the pods and nodes themselves rather than by the counters of the status: by default when every wanted node \
has an available pod of the current revision and nothing else is left.";

const STATUS_EXAMPLES: &str = "\
Examples:
  # Follow a rollout in a pipeline
  kubectl daemonset status node-agent --timeout 30m

  # Tell how far each zone is
  kubectl daemonset status node-agent --group-by topology.kubernetes.io/zone

  # Say once how all rollouts of the cluster stand
  kubectl daemonset status -A --watch=false";

const SYNC_ABOUT: &str = "\
Bring DaemonSets into sync, and stay until they are: batch after batch, each of which must be available before the next one \
begins. Pods are created and deleted; nothing else is changed, but for an annotation that makes the controller look.

Of an OnDelete set, outdated pods are deleted within --max-unavailable; those that are not available go first, and no more \
than that many go in one batch. What is the controller's to do, as the steps of a rolling update are, is left to it for \
--controller-wait; then the controller is nudged, and only if it has still not begun after the same time again is it done in \
its place.

With --by an OnDelete set is rolled out zone by zone, or by any other label of nodes: a group is done, and has soaked, before \
the next one begins. Where a rollout stands is read from the cluster, so the same command goes on wherever it is run.

The command of --gate is given the nodes with a new pod, one a line, and the variables DAEMONSET_NAMESPACE, DAEMONSET_NAME, \
DAEMONSET_REVISION, DAEMONSET_GROUP (of the next batch), DAEMONSET_NODES (with a new pod) and DAEMONSET_NEXT_NODES.

It asks before it writes. Exit code 11 means that it cannot go on, 13 that it refused, 14 that calls failed.";

const SYNC_EXAMPLES: &str = "\
Examples:
  # Show the next batch of all DaemonSets of the namespace
  kubectl daemonset sync --dry-run

  # Replace the outdated pods of an OnDelete set, a tenth of the nodes at a time
  kubectl daemonset sync node-agent --max-unavailable 10%

  # Zone by zone, after a canary of 2 nodes; each soaks for 10 minutes
  kubectl daemonset sync node-agent --by topology.kubernetes.io/zone --canary 2 --soak 10m

  # End after the canary, to look at it; the second command goes on
  kubectl daemonset sync node-agent --canary 2 --pause-after canary
  kubectl daemonset sync node-agent --canary 2 --pause-after canary --continue

  # Let a script say before each batch whether all is well
  kubectl daemonset sync node-agent --gate './no-alerts.sh'

  # Let the server check the next batch: rights, quota, admission
  kubectl daemonset sync node-agent --dry-run=server

  # In a pipeline: do not ask, and give up after half an hour
  kubectl daemonset sync node-agent --yes --timeout 30m";

const HISTORY_ABOUT: &str = "\
Show the revisions, oldest first: how many pods have each now, on which nodes, its images, and what changed against the one \
before. New pods are made from the current one, which is not always the one with the highest number.

With --revision or --diff the templates are shown as they are stored, with fields that this tool does not know.";

const HISTORY_EXAMPLES: &str = "\
Examples:
  # Show all revisions
  kubectl daemonset history node-agent

  # Show the template of one of them
  kubectl daemonset history node-agent --revision 2

  # Show what changed from one to another
  kubectl daemonset history node-agent --diff 1..3

  # Show what changed from one to the current
  kubectl daemonset history node-agent --diff 1";

const RESTART_ABOUT: &str = "\
Replace all pods by new ones of the same template, as kubectl rollout restart does: an annotation of the template is set to \
the time, and the update strategy does the rest.

It first shows how many pods are replaced, in how many batches, and which nodes do not get theirs back.";

const RESTART_EXAMPLES: &str = "\
Examples:
  # Show what a restart would mean
  kubectl daemonset restart node-agent --dry-run

  # Restart without being asked
  kubectl daemonset restart node-agent --yes";

const UNDO_ABOUT: &str = "\
Go back to the template of an earlier revision, as kubectl rollout undo does: the template is replaced by the stored one, with \
fields that this tool does not know.

It first shows how many pods are replaced, in how many batches, which pods have that revision already and stay, and which nodes \
do not get theirs back.";

const UNDO_EXAMPLES: &str = "\
Examples:
  # Go back to the revision before
  kubectl daemonset undo node-agent

  # Go back to a certain one
  kubectl daemonset undo node-agent --to-revision 3";

const PAUSE_ABOUT: &str = "\
Hold the rollout of a RollingUpdate DaemonSet: its strategy becomes OnDelete, and an annotation keeps the former one for resume. \
Pods that are outdated stay. Pods are still created on nodes without one, cleaned up, and follow changes of nodes.

With surge, the switch makes the controller keep only the oldest pod of each node, also where the newer one is the better one. \
If any pod would go for that, it refuses (exit code 13) unless --force is given.";

const PAUSE_EXAMPLES: &str = "\
Examples:
  # Hold a rollout that goes wrong
  kubectl daemonset pause node-agent --yes

  # See that it is held
  kubectl daemonset plan node-agent";

const RESUME_ABOUT: &str = "\
Let a paused rollout go on: the strategy becomes what it was before. It first shows what goes on first. A strategy that is not as \
pause left it is not touched (exit code 13).";

const RESUME_EXAMPLES: &str = "\
Examples:
  # Go on
  kubectl daemonset resume node-agent";

const SNAPSHOT_ABOUT: &str = "\
Write what a plan sees: DaemonSets, their nodes, pods, revisions and events, with the clock and the version of the server. \
--snapshot of every command reads it and gives the same answers.

Values of environment variables, arguments, commands and template annotations are replaced, equal ones by the same word, \
and annotations that do not decide are left out, unless --full is given. Names, labels and images stay.

The format is YAML, or with -o json JSON.";

const SNAPSHOT_EXAMPLES: &str = "\
Examples:
  # Write down the DaemonSets of a namespace
  kubectl daemonset snapshot -n monitoring > dump.yaml

  # Write down those of all namespaces, compressed
  kubectl daemonset snapshot -A -o json | gzip > dump.json.gz";

const RIGHTS_ABOUT: &str = "\
Print the roles that the commands take, for kubectl apply: view for those that only read, drive for those that write, too. Each \
holds exactly the verbs that are used. Without ROLE: view and drive. No cluster is contacted.

With -n the role is a Role in that namespace. No Role can hold nodes, and without nodes placement cannot be judged: nodes is the \
ClusterRole to be bound beside it.

The format is YAML, or with -o json JSON.";

const RIGHTS_EXAMPLES: &str = "\
Examples:
  # Let the group sre drive the DaemonSets of all namespaces
  kubectl daemonset rights drive | kubectl apply -f -
  kubectl create clusterrolebinding sre-drives --clusterrole=kubectl-daemonset-drive --group=sre

  # Let jane drive those of one namespace, with rights of that namespace and of nodes only
  kubectl daemonset rights drive -n logging | kubectl apply -f -
  kubectl create rolebinding jane-drives -n logging --role=kubectl-daemonset-drive --user=jane
  kubectl daemonset rights nodes | kubectl apply -f -
  kubectl create clusterrolebinding jane-lists-nodes --clusterrole=kubectl-daemonset-nodes --user=jane";

const COMPLETION_ABOUT: &str = "\
Complete verbs, flags, and names as the cluster or a dump has them.

kubectl completes 'kubectl daemonset' if it finds the program kubectl_complete-daemonset on PATH: --install puts it there, \
after showing what it does, and --uninstall takes it away again. kubectl's own completion has to be loaded in the shell.

With SHELL the script is printed that completes the binary by its own name, kubectl-daemonset; its first lines say where it goes.";

const COMPLETION_EXAMPLES: &str = "\
Examples:
  # Complete 'kubectl daemonset' in every shell in which kubectl completes
  kubectl daemonset completion --install

  # Show what that would do
  kubectl daemonset completion --install --dry-run

  # Complete kubectl-daemonset in this bash
  source <(kubectl daemonset completion bash)";

const VERSION_ABOUT: &str = "\
Print the versions of this tool and of the server, which is asked once and for at most 5 seconds, unless --request-timeout says \
otherwise. If it cannot be asked, the first is printed all the same, and the exit code is 1.

With --snapshot the version of the server is the one that the snapshot records, if it does.";

const VERSION_EXAMPLES: &str = "\
Examples:
  # Print both versions
  kubectl daemonset version

  # Print the version of this tool, and contact no server
  kubectl daemonset version --client

  # Print all that the server tells of its version
  kubectl daemonset version -o json";

/// Arguments of `plan`.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// DaemonSets to show: x, ds/x or daemonset/x (default all)
    #[arg(value_name = "NAME")]
    pub names: Vec<DaemonSetName>,
    /// Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas
    #[arg(short = 'l', long, value_name = "SELECTOR", conflicts_with = "names")]
    pub selector: Option<Selector>,
    /// Exit with 10 if work is pending, 11 if it is blocked, 1 if unknown
    #[arg(long)]
    pub exit_code: bool,
    /// Show the plan again whenever it changes, until Ctrl-C
    #[arg(short, long, conflicts_with = "exit_code")]
    pub watch: bool,
}

/// Arguments of `nodes`.
#[derive(Debug, Args)]
pub struct NodesArgs {
    /// DaemonSet to show: x, ds/x or daemonset/x
    #[arg(value_name = "NAME")]
    pub name: DaemonSetName,
    /// Show only nodes whose pod is missing, duplicate, misplaced, stray or not available
    #[arg(long)]
    pub problems: bool,
    /// Count nodes by the value of this node label
    #[arg(long, value_name = "LABEL", conflicts_with = "problems")]
    pub group_by: Option<String>,
    /// Show the nodes again whenever something changes, until Ctrl-C
    #[arg(short, long)]
    pub watch: bool,
}

/// Arguments of `why`.
#[derive(Debug, Args)]
pub struct WhyArgs {
    /// DaemonSet to explain: x, ds/x or daemonset/x
    #[arg(value_name = "NAME")]
    pub name: DaemonSetName,
    /// Nodes to explain in full: x or node/x (default all, grouped by reason)
    #[arg(value_name = "NODE", value_parser = name::node_name)]
    pub nodes: Vec<String>,
}

/// Arguments of `status`.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// DaemonSets to follow: x, ds/x or daemonset/x (default all)
    #[arg(value_name = "NAME")]
    pub names: Vec<DaemonSetName>,
    /// Select DaemonSets by their labels: =, ==, !=, in, notin, KEY and !KEY, joined by commas
    #[arg(short = 'l', long, value_name = "SELECTOR", conflicts_with = "names")]
    pub selector: Option<Selector>,
    /// Follow until the end; a snapshot is always looked at once
    #[arg(short, long, value_name = "BOOL", default_value_t = true, action = clap::ArgAction::Set, default_missing_value = "true", num_args = 0..=1, require_equals = true)]
    pub watch: bool,
    /// Tell how far each group of nodes is: those with the same value of this node label
    #[arg(long, value_name = "LABEL", value_parser = values::label_key)]
    pub group_by: Option<String>,
    /// What counts as done
    #[arg(long, value_name = "RULE", value_enum, default_value_t)]
    pub done_when: DoneWhen,
    /// How long a rollout may fail before it is given up
    #[arg(long, value_name = "DURATION", value_parser = values::duration, default_value = "10m")]
    pub stall_after: Duration,
    /// How long all of it may take (default no limit)
    #[arg(long, value_name = "DURATION", value_parser = values::duration)]
    pub timeout: Option<Duration>,
}

/// Arguments of `sync`.
#[derive(Debug, Args)]
pub struct SyncArgs {
    /// DaemonSets to bring into sync: x, ds/x or daemonset/x (with --dry-run default all)
    #[arg(value_name = "NAME")]
    pub names: Vec<DaemonSetName>,
    /// Select DaemonSets by their labels; only with --dry-run
    #[arg(short = 'l', long, hide_short_help = true, value_name = "SELECTOR", conflicts_with = "names")]
    pub selector: Option<Selector>,
    /// How it is written.
    #[command(flatten)]
    pub write: WriteFlags,
    /// Do the next batch only, and exit with 10 if work is left
    #[arg(long)]
    pub once: bool,
    /// OnDelete: how many nodes may be unavailable (default 1)
    ///
    /// A number, or a percentage of the nodes that want a pod, rounded up.
    #[arg(long, value_name = "N|P%", value_parser = values::max_unavailable, help_heading = "Pace")]
    pub max_unavailable: Option<IntOrString>,
    /// How long the controller has to do its part before it is nudged, and again before it is done in its place
    #[arg(long, value_name = "DURATION", value_parser = values::duration, default_value = "10s", help_heading = "Pace")]
    pub controller_wait: Duration,
    /// How long a new pod may take to become available
    #[arg(long, value_name = "DURATION", value_parser = values::duration, default_value = "5m", help_heading = "Pace")]
    pub pod_timeout: Duration,
    /// How long a DaemonSet may be unable to go on
    #[arg(long, value_name = "DURATION", value_parser = values::duration, default_value = "10m", help_heading = "Pace")]
    pub stall_after: Duration,
    /// How long all of it may take (default no limit)
    #[arg(long, hide_short_help = true, value_name = "DURATION", value_parser = values::duration, help_heading = "Pace")]
    pub timeout: Option<Duration>,
    /// How the rollout of an OnDelete set is cut up and guarded.
    #[command(flatten)]
    pub rollout: RolloutFlags,
}

/// Flags for the rollout of an OnDelete set.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rollout of an OnDelete set")]
pub struct RolloutFlags {
    /// Roll out one group of nodes after the other, by this node label
    ///
    /// A group is the nodes with the same value. It is done, and has soaked, before the next one begins.
    #[arg(long, value_name = "LABEL", value_parser = values::label_key)]
    pub by: Option<String>,
    /// Groups that go first, in this order; the others follow by name (default all by name)
    #[arg(long, hide_short_help = true, value_name = "VALUE,…", value_delimiter = ',', requires = "by")]
    pub order: Vec<String>,
    /// Begin with so many nodes, or with those that have these labels
    #[arg(long, value_name = "N|SELECTOR", value_parser = values::canary)]
    pub canary: Option<Canary>,
    /// Watch the canary and each group so long after its last pod is Ready
    #[arg(long, value_name = "DURATION", value_parser = values::duration)]
    pub soak: Option<Duration>,
    /// End with 10 after the canary, or after the canary and each group; --continue goes on
    #[arg(long, hide_short_help = true, value_name = "WHAT", value_enum)]
    pub pause_after: Option<PauseAfter>,
    /// Do not pause for what is done already
    #[arg(long = "continue", hide_short_help = true, requires = "pause_after")]
    pub goes_on: bool,
    /// Run this before batches that follow updated pods; it has to succeed
    ///
    /// If it does not, the rollout ends with 11 and its output.
    #[arg(long, value_name = "COMMAND")]
    pub gate: Option<String>,
    /// Let --max-unavailable hold within each group, too
    #[arg(long, hide_short_help = true, requires = "by")]
    pub per_group: bool,
    /// Leave nodes that are not ready, or cordoned, for last
    #[arg(long, hide_short_help = true)]
    pub skip_unready: bool,
    /// Evict pods rather than delete them, so that PodDisruptionBudgets are heeded
    #[arg(long, hide_short_help = true)]
    pub evict: bool,
}

/// Arguments of `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    /// DaemonSet to show: x, ds/x or daemonset/x
    #[arg(value_name = "NAME")]
    pub name: DaemonSetName,
    /// Show the template of this revision
    #[arg(long, value_name = "N", conflicts_with = "diff")]
    pub revision: Option<i64>,
    /// Show what differs between two revisions, or between one and the current
    #[arg(long, value_name = "A..B|N")]
    pub diff: Option<DiffRange>,
}

/// Flags of commands that write.
#[derive(Debug, Args)]
pub struct WriteFlags {
    /// Only show what would be done next, judged here or by the server
    ///
    /// Here (client) it takes only reads; the server, which persists nothing, also judges rights, quotas and admission.
    #[arg(long, value_name = "WHERE", value_enum, default_value_t, default_missing_value = "client", num_args = 0..=1, require_equals = true)]
    pub dry_run: DryRun,
    /// Do not ask
    #[arg(short = 'y', long)]
    pub yes: bool,
    /// Go on although somebody else manages it, or pausing removes pods
    #[arg(long, hide_short_help = true)]
    pub force: bool,
    /// Name under which the server records what is written
    #[arg(long, value_name = "NAME", default_value = "kubectl-daemonset")]
    pub field_manager: String,
}

/// Arguments of `restart`.
#[derive(Debug, Args)]
pub struct RestartArgs {
    /// DaemonSet to restart: x, ds/x or daemonset/x
    #[arg(value_name = "NAME")]
    pub name: DaemonSetName,
    /// How it is written.
    #[command(flatten)]
    pub write: WriteFlags,
}

/// Arguments of `undo`.
#[derive(Debug, Args)]
pub struct UndoArgs {
    /// DaemonSet to roll back: x, ds/x or daemonset/x
    #[arg(value_name = "NAME")]
    pub name: DaemonSetName,
    /// Number of the revision to go back to; 0 is the one before
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    pub to_revision: i64,
    /// How it is written.
    #[command(flatten)]
    pub write: WriteFlags,
}

/// Arguments of `pause`.
#[derive(Debug, Args)]
pub struct PauseArgs {
    /// DaemonSet to pause: x, ds/x or daemonset/x
    #[arg(value_name = "NAME")]
    pub name: DaemonSetName,
    /// How it is written.
    #[command(flatten)]
    pub write: WriteFlags,
}

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// DaemonSet to resume: x, ds/x or daemonset/x
    #[arg(value_name = "NAME")]
    pub name: DaemonSetName,
    /// How it is written.
    #[command(flatten)]
    pub write: WriteFlags,
}

/// Arguments of `snapshot`.
#[derive(Debug, Args)]
pub struct SnapshotArgs {
    /// DaemonSets to write down, with all that decides about them: x, ds/x or daemonset/x (default all)
    #[arg(value_name = "NAME")]
    pub names: Vec<DaemonSetName>,
    /// Keep everything as it is: values, arguments and annotations
    #[arg(long)]
    pub full: bool,
}

/// Arguments of `rights`.
#[derive(Debug, Args)]
pub struct RightsArgs {
    /// Role to print (default view and drive)
    #[arg(value_name = "ROLE", value_enum)]
    pub role: Option<Role>,
}

/// Arguments of `completion`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("change").args(["install", "uninstall"]))]
pub struct CompletionArgs {
    /// Shell to print the script for
    #[arg(value_name = "SHELL", required_unless_present = "change", conflicts_with = "change")]
    pub shell: Option<clap_complete::Shell>,
    /// Put kubectl_complete-daemonset on PATH, where kubectl finds it
    #[arg(long)]
    pub install: bool,
    /// Take kubectl_complete-daemonset away again
    #[arg(long)]
    pub uninstall: bool,
    /// Folder it is put in, or taken from (default the one of kubectl-daemonset, or another one of PATH)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "change")]
    pub dir: Option<PathBuf>,
    /// Only show what it does
    #[arg(long, requires = "change")]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short = 'y', long, requires = "change")]
    pub yes: bool,
}

/// Arguments of `version`.
#[derive(Debug, Args)]
pub struct VersionArgs {
    /// Print only the version of this tool
    #[arg(long, value_name = "BOOL", default_value_t = false, action = clap::ArgAction::Set, default_missing_value = "true", num_args = 0..=1, require_equals = true)]
    pub client: bool,
}

/// Flags that say where the state comes from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Source")]
pub struct SourceFlags {
    /// Read this file or folder, or - for stdin, and contact no cluster
    ///
    /// May be repeated: what all of them hold is read together.
    #[arg(long, global = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub snapshot: Vec<PathBuf>,
    /// Set the clock of a snapshot, such as 2026-11-29T14:43:52Z (default what it says, or its newest time)
    #[arg(long, global = true, hide_short_help = true, value_name = "TIME", value_parser = values::time)]
    pub now: Option<Timestamp>,
    /// Version of the server the snapshot came from, such as 1.37 (default what the snapshot says)
    #[arg(long, global = true, hide_short_help = true, value_name = "X.Y", value_parser = values::server_version)]
    pub server_version: Option<ServerVersion>,
}

/// Flags that say which DaemonSets are meant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Scope")]
pub struct ScopeFlags {
    /// Look only in this namespace (default the context's)
    ///
    /// Of a snapshot, all namespaces are the default.
    #[arg(short, long, global = true, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// Look in all namespaces
    ///
    /// This holds whatever --namespace says. With NAME it is for snapshots only.
    #[arg(short = 'A', long, global = true)]
    pub all_namespaces: bool,
}

impl ScopeFlags {
    /// Returns the one namespace that was asked for; `None` if that is none, or all.
    pub fn one_namespace(&self) -> Option<&str> {
        self.namespace.as_deref().filter(|namespace| !namespace.is_empty() && !self.all_namespaces)
    }
}

/// Flags that say how results are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputFlags {
    /// Format
    #[arg(short, long, global = true, value_name = "FORMAT", value_enum, default_value_t)]
    pub output: OutputFormat,
    /// Leave out the column titles
    #[arg(long, global = true, hide_short_help = true)]
    pub no_headers: bool,
    /// When to use color; NO_COLOR and CLICOLOR_FORCE hold under auto
    #[arg(long, global = true, hide_short_help = true, value_name = "WHEN", value_enum, default_value_t)]
    pub color: ColorChoice,
}
