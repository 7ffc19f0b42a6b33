//! What the flags of `sync` mean, and which sets they fit.

use crate::api::IntOrString;
use crate::args::{self, SyncArgs};
use crate::drive::{self, Cut, PauseAfter, Read, Settings};
use crate::error::UserError;
use crate::view::suggest::closest;

/// Errors: flags that do nothing without others.
pub fn check_flags(args: &SyncArgs) -> anyhow::Result<()> {
    let rollout = &args.rollout;
    let is_cut = rollout.by.is_some() || rollout.canary.is_some();
    if rollout.soak.is_some() && !is_cut {
        let error = UserError::usage("there is nothing that --soak could follow");
        return Err(error.hint("cut the rollout up with --canary or --by").into());
    }
    match rollout.pause_after {
        Some(args::PauseAfter::Canary) if rollout.canary.is_none() => {
            let error = UserError::usage("--pause-after canary needs a canary");
            Err(error.hint("say with --canary how many nodes it is, or which").into())
        }
        Some(args::PauseAfter::Group) if !is_cut => {
            let error = UserError::usage("--pause-after group needs groups");
            Err(error.hint("say with --by which label of the nodes makes them").into())
        }
        _ => Ok(()),
    }
}

/// Says what does not fit the nodes of a set.
///
/// Errors: flags for OnDelete were given for a set that has limits of its own; labels that no node has.
pub fn check_set(args: &SyncArgs, read: Read<'_>) -> anyhow::Result<Vec<String>> {
    let name = &read.plan.daemon_set.name;
    if let Some(flag) = only_for_on_delete(args).filter(|_| read.plan.update_strategy.type_ == "RollingUpdate") {
        let error =
            format!("daemonset.apps/{name} is a RollingUpdate set, whose limits are its own: {flag} is for OnDelete");
        return Err(UserError::usage(error)
            .hint("leave the flag out, or change spec.updateStrategy.rollingUpdate")
            .into());
    }
    let cut = cut(args);
    drive::check(&cut, read.plan, read.nodes).map_err(|error| {
        let hint = match close_label(&cut, read) {
            Some(label) => format!("did you mean {label}?"),
            None => format!("`kubectl daemonset nodes {name} --group-by LABEL` counts nodes by a label"),
        };
        UserError::new(error).hint(hint).into()
    })
}

/// Returns the label that was probably meant by the one of `--by`.
fn close_label<'a>(cut: &Cut, read: Read<'a>) -> Option<&'a str> {
    let labels = read.nodes.iter().flat_map(|node| node.labels().keys());
    closest(cut.by.as_deref()?, labels.map(String::as_str))
}

/// Returns the first flag that only means something for an OnDelete set.
fn only_for_on_delete(args: &SyncArgs) -> Option<&'static str> {
    let rollout = &args.rollout;
    let flags = [
        ("--max-unavailable", args.max_unavailable.is_some()),
        ("--by", rollout.by.is_some()),
        ("--canary", rollout.canary.is_some()),
        ("--gate", rollout.gate.is_some()),
        ("--skip-unready", rollout.skip_unready),
        ("--evict", rollout.evict),
    ];
    flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
}

/// Returns what the flags say.
pub fn settings(args: &SyncArgs) -> Settings {
    let rollout = &args.rollout;
    Settings {
        max_unavailable: args.max_unavailable.clone().unwrap_or(IntOrString::Int(1)),
        controller_wait: args.controller_wait,
        pod_timeout: args.pod_timeout,
        stall_after: args.stall_after,
        timeout: args.timeout,
        once: args.once,
        cut: cut(args),
        is_per_group: rollout.per_group,
        soak: rollout.soak.unwrap_or_default(),
        pause_after: rollout.pause_after.map(|what| match what {
            args::PauseAfter::Canary => PauseAfter::Canary,
            args::PauseAfter::Group => PauseAfter::Group,
        }),
        goes_on: rollout.goes_on,
        has_gate: rollout.gate.is_some(),
        evicts: rollout.evict,
    }
}

fn cut(args: &SyncArgs) -> Cut {
    let rollout = &args.rollout;
    Cut {
        by: rollout.by.clone(),
        order: rollout.order.clone(),
        canary: rollout.canary.clone(),
        skip_unready: rollout.skip_unready,
    }
}
