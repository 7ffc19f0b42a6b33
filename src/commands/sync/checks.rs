//! What a run of `sync` makes sure of before it writes: rights, the gate, and that no disruption budget stands in the way for
//! ever.

use crate::api::Pod;
use crate::drive::{self, Batch, Check, Deletion, Ending, Stop, Wait};
use crate::error::UserError;
use crate::plan::Plan;
use crate::source::live::{Reviewed, WriteRight, rules};

use super::course::Course;
use super::gate;
use super::report::Reporter;
use super::run::{Decided, Run, out_of_time};

impl Run<'_> {
    /// Makes sure, before the first write that needs them, that the first so many rights are there. That others are missing,
    /// which are needed if the controller does not do its part, is told.
    pub(super) async fn review(
        &self,
        plan: &Plan,
        num_needed: usize,
        course: &mut Course<'_>,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<()> {
        if course.num_reviewed >= num_needed {
            return Ok(());
        }
        let namespace = &plan.daemon_set.namespace;
        let missing = match self.writes.review(namespace, &self.rights).await {
            Ok(Reviewed::Missing(missing)) => missing,
            Ok(Reviewed::Refused(why)) => return course.not_reviewed(&why, reporter),
            Err(error) => return course.not_reviewed(&error.message, reporter),
        };
        let is_needed = |right: &WriteRight| self.rights[..num_needed].contains(right);
        let words: Vec<String> = missing.iter().map(|right| format!("{} {}", right.verb, right.resource)).collect();
        let words = words.join(", ");
        if missing.iter().any(is_needed) {
            let error = format!("you may not {words} in namespace {namespace:?}, which sync needs");
            return Err(UserError::new(error).hint(rules(&missing, namespace)).into());
        }
        if !missing.is_empty() {
            reporter.warning(&format!(
                "you may not {words} in namespace {namespace:?}: if the controller does not act, sync cannot do it either"
            ))?;
        }
        course.num_reviewed = num_needed;
        Ok(())
    }

    /// Asks the gate; returns how the run ends if it does not open.
    pub(super) async fn ask(
        &self,
        plan: &Plan,
        check: &Check,
        course: &mut Course<'_>,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<Option<Stop>> {
        let Some(command) = self.gate else { return Ok(None) };
        reporter.waiting(plan, &Wait::Gate)?;
        let Some(answer) = course.in_time(gate::ask(command, plan, check)).await else {
            return Ok(Some(out_of_time(None)));
        };
        let answer = answer?;
        if answer.is_well {
            course.drive.let_pass();
            reporter.passed(plan, check)?;
            return Ok(None);
        }
        reporter.gate_output(&answer.output)?;
        let why = format!("the gate did not open (--gate, {})", answer.ending);
        Ok(Some(Stop { ending: Ending::Blocked, why }))
    }

    /// Says why a pod of a batch will never be evicted, if so.
    pub(super) async fn never_evicted(
        &self,
        decided: Decided<'_>,
        batch: &Batch,
        reporter: &mut Reporter<'_, '_>,
    ) -> anyhow::Result<Option<String>> {
        if !self.evicts {
            return Ok(None);
        }
        // The server decides about each eviction; here it is only told earlier what it would refuse for ever.
        let budgets = match self.cluster.disruption_budgets(decided.daemon_set.namespace()).await {
            Ok(budgets) => budgets,
            Err(note) => {
                reporter.not_seen(&note)?;
                return Ok(None);
            }
        };
        let pods = decided.snapshot.pods_in(decided.daemon_set.namespace()).iter();
        let is_meant = |pod: &&Pod| {
            let uid = pod.metadata.uid.as_deref();
            batch.delete.iter().any(|deletion| Some(deletion.uid.as_str()) == uid)
        };
        Ok(drive::never_allowed(&budgets, pods.filter(is_meant)))
    }
}

/// Returns whether the first of the rights is all that a batch needs. Only pods that a rollout replaces are evicted.
pub fn is_one_right_enough(batch: &Batch, evicts: bool) -> bool {
    batch.create.is_empty() && (!evicts || batch.delete.iter().all(Deletion::is_replacement))
}
