//! `restart`, `undo`, `pause` and `resume`: one patch each, after showing what it means.

use std::process::ExitCode;

use serde_json::Value;

use crate::api::DaemonSet;
use crate::apply::{WriteError, WriteErrorKind};
use crate::args::DaemonSetName;
use crate::args::{Cli, DryRun, OutputFormat, PauseArgs, RestartArgs, ResumeArgs, UndoArgs, WriteFlags};
use crate::drive::Ending;
use crate::drive::edit::{self, Edit, NoEdit, PatchType};
use crate::drive::owner::{Owner, owner};
use crate::error::{ServerError, UserError};
use crate::plan::Plan;
use crate::render;
use crate::source::live::{Cluster, WRITE_RIGHTS, WriteOptions, Writes, rules};
use crate::view::effect;
use crate::view::history::previous;
use crate::view::sync::DryRunMode;

use super::select;
use super::session::{self, Io, Source};
use super::sync::report::Reporter;

pub(super) fn restart(cli: &Cli, args: &RestartArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let change = Change::read(cli, &args.name, &args.write, io)?;
    let edit = edit::restart(&change.daemon_set, change.source.snapshot.now);
    change.carry_out(edit, |_, after| Ok(effect::of_template(after)), io)
}

pub(super) fn undo(cli: &Cli, args: &UndoArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let change = Change::read(cli, &args.name, &args.write, io)?;
    let revision = previous(&change.source.snapshot, &change.plan, args.to_revision).map_err(UserError::new)?;
    let current = change.plan.revision.as_ref().map(|revision| revision.name.as_str());
    let edit = edit::undo(&change.daemon_set, revision, current);
    change.carry_out(edit, |_, after| Ok(effect::of_template(after)), io)
}

pub(super) fn pause(cli: &Cli, args: &PauseArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let change = Change::read(cli, &args.name, &args.write, io)?;
    let edit = edit::pause(&change.daemon_set);
    let effect = |before: &Plan, after: &Plan| {
        let pruned = effect::pruned(before, after);
        if pruned.is_empty() || args.write.force {
            return Ok(effect::of_pause(before, after));
        }
        let error = format!(
            "without surge the controller keeps only the oldest pod of each node, so pausing would remove {}",
            pruned.join(", ")
        );
        Err(UserError::refused(error).hint("--force pauses all the same"))
    };
    change.carry_out(edit, effect, io)
}

pub(super) fn resume(cli: &Cli, args: &ResumeArgs, io: &mut Io) -> anyhow::Result<ExitCode> {
    let change = Change::read(cli, &args.name, &args.write, io)?;
    let edit = edit::resume(&change.daemon_set);
    change.carry_out(edit, |_, after| Ok(effect::of_resume(after)), io)
}

/// How often a change is sent at most.
const MAX_TRIES: u32 = 5;

/// A set that is to be changed, as read.
struct Change<'a> {
    cli: &'a Cli,
    flags: &'a WriteFlags,
    cluster: Cluster,
    source: Source,
    daemon_set: DaemonSet,
    plan: Plan,
}

impl<'a> Change<'a> {
    fn read(cli: &'a Cli, name: &DaemonSetName, flags: &'a WriteFlags, io: &mut Io) -> anyhow::Result<Self> {
        if !cli.source.snapshot.is_empty() {
            return Err(UserError::usage("a snapshot cannot be changed: leave out --snapshot").into());
        }
        let cluster = session::connect(cli, std::slice::from_ref(name))?;
        let live = cluster.block_on(cluster.read())?;
        session::warn_about(&live, io)?;
        let source = Source::of_live(live);
        let daemon_set = select::by_name(&source.snapshot, name, source.scope())?.clone();
        let plan = session::plan_of(&source.snapshot, &daemon_set)?;
        Ok(Self { cli, flags, cluster, source, daemon_set, plan })
    }

    fn carry_out(
        &self,
        edit: Result<Edit, NoEdit>,
        effect: impl FnOnce(&Plan, &Plan) -> Result<Vec<String>, UserError>,
        io: &mut Io,
    ) -> anyhow::Result<ExitCode> {
        let name = self.daemon_set.name();
        let edit = match edit {
            Ok(edit) => edit,
            Err(NoEdit::AlreadySo(why)) => {
                writeln!(io.err, "daemonset.apps/{name} unchanged: {why}")?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(NoEdit::Refused(why)) => return Err(UserError::refused(format!("daemonset.apps/{name}: {why}")).into()),
        };
        let mode = match self.flags.dry_run {
            DryRun::None => None,
            DryRun::Client => Some(DryRunMode::Client),
            DryRun::Server => Some(DryRunMode::Server),
        };
        let effect = effect(&self.plan, &session::plan_of(&self.source.snapshot, &edit.after)?)?;
        let mut reporter = Reporter::new(self.cli, io, mode);
        reporter.place(&self.cluster.place())?;
        reporter.headline(&self.plan, false)?;
        reporter.sentences(&effect)?;
        if let Some(Owner { who, undoes }) = owner(&self.daemon_set) {
            let warning = format!("daemonset.apps/{name} is managed by {who}, which {undoes}");
            if mode.is_none() && !self.flags.force {
                return Err(UserError::refused(warning).hint("change it there, or go on with --force").into());
            }
            reporter.warning(&warning)?;
        }
        if mode.is_none() && !self.flags.yes && !reporter.confirm(&[&self.plan])? {
            return Ok(ExitCode::from(Ending::Refused.exit_code()));
        }
        let object = match mode {
            Some(DryRunMode::Client) => edit.after.raw.clone(),
            _ => self.patch(&edit)?,
        };
        let suffix = mode.map_or_else(String::new, |mode| format!(" {}", mode.words()));
        match self.cli.output.output {
            OutputFormat::Json => render::print_json(io.out, &object)?,
            OutputFormat::Yaml => render::print_yaml(io.out, &object)?,
            OutputFormat::Name => writeln!(io.out, "daemonset.apps/{name}")?,
            OutputFormat::Table | OutputFormat::Wide => {
                writeln!(io.out, "daemonset.apps/{name} {}{suffix}", edit.done)?
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Sends the change, again if only the status of the set has changed since it was read: in a rollout it always does.
    ///
    /// Errors: more than that has changed; or the server says no.
    fn patch(&self, edit: &Edit) -> anyhow::Result<Value> {
        let mut patch = edit.patch.clone();
        for _ in 0..MAX_TRIES {
            match self.send(&patch, edit.type_) {
                Err(error) if error.kind == WriteErrorKind::Conflict => {}
                result => return result.map_err(|error| self.failed(error)),
            }
            let Some(version) = self.newest_version()? else { break };
            patch["metadata"]["resourceVersion"] = version.into();
        }
        let name = self.daemon_set.name();
        let error = format!("daemonset.apps/{name} has changed since it was read, so nothing was written");
        Err(UserError::refused(error).hint("run the same command again to see what it means now").into())
    }

    fn send(&self, patch: &Value, type_: PatchType) -> Result<Value, WriteError> {
        let options = WriteOptions {
            field_manager: self.flags.field_manager.clone(),
            is_dry_run: self.flags.dry_run == DryRun::Server,
        };
        let writes = Writes { cluster: &self.cluster, options };
        let (namespace, name) = (self.daemon_set.namespace(), self.daemon_set.name());
        self.cluster.block_on(writes.patch_daemon_set(namespace, name, patch, type_))
    }

    /// Returns the version of the set as it is now, unless more than its status has changed.
    fn newest_version(&self) -> anyhow::Result<Option<String>> {
        let sets = self.cluster.block_on(self.cluster.read_daemon_sets())?;
        let same = sets.into_iter().find(|set| self.daemon_set.is_same_but_for_status(set));
        Ok(same.and_then(|set| set.metadata.resource_version))
    }

    fn failed(&self, error: WriteError) -> anyhow::Error {
        if error.kind == WriteErrorKind::Unknown {
            return UserError::new(format!("patch daemonset.apps/{}: {}", self.daemon_set.name(), error.message))
                .into();
        }
        // What an admission plugin forbids no role allows.
        let may_not = error.message.contains("cannot patch resource");
        let hint = may_not.then(|| right_to_patch(self.daemon_set.namespace()));
        ServerError::new(error.reason, error.message).hints(hint).into()
    }
}

/// Words the role that would allow it.
fn right_to_patch(namespace: &str) -> String {
    let rights: Vec<_> = WRITE_RIGHTS.into_iter().filter(|right| right.verb == "patch").collect();
    rules(&rights, namespace)
}
