//! Preview: what a run would do first, for those who only want to know.

use crate::plan::{Outcome, When};

use super::batch::{self, Batch};
use super::rollout::{Progress, Step};
use super::{Read, Settings, Wait, WaveName};

/// What comes first, if nobody else acts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// What the controller should do, or the next batch of an OnDelete rollout.
    pub batch: Batch,
    /// The wave of that batch.
    pub wave: Option<WaveName>,
    /// What the rollout waits for instead.
    pub wait: Option<Wait>,
}

/// Returns what comes first, if nobody else acts.
pub fn preview(settings: &Settings, read: Read<'_>) -> Preview {
    let plan = read.plan;
    if plan.revision.is_none() || plan.outcome != Outcome::Reconciled {
        return Preview::default();
    }
    let due = batch::due(plan);
    if !due.is_empty() || plan.rollout.when != When::OnDelete {
        return Preview { batch: due, ..Preview::default() };
    }
    match Progress::default().step(settings, read) {
        Step::Batch(batch, wave) => Preview { batch, wave: Some(wave), wait: None },
        Step::Wait(wait) => Preview { wait: Some(wait), ..Preview::default() },
        Step::Stop(_) | Step::Through => Preview::default(),
    }
}
