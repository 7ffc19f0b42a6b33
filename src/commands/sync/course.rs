//! How far the run for one set is: what is known of it between two reads.

use std::rc::Rc;
use std::time::Instant;

use crate::drive::{Drive, Settings};
use crate::plan::Plan;

use super::report::Reporter;

/// How far the run for one set is.
pub struct Course<'a> {
    pub shown: &'a Plan,
    pub drive: Drive,
    until: Option<Instant>,
    /// The plan of the last read; `None` if it is not known, or the set is no longer the one that was shown.
    pub last: Option<Rc<Plan>>,
    /// A batch went out since the last read.
    pub is_last_written: bool,
    /// The first so many rights were reviewed, or cannot be.
    pub num_reviewed: usize,
}

impl<'a> Course<'a> {
    /// Begins a run; `started` is when all of them began.
    pub fn new(shown: &'a Plan, settings: &Settings, started: Instant) -> Self {
        Self {
            shown,
            drive: Drive::new(settings.clone(), shown),
            until: settings.timeout.map(|timeout| started + timeout),
            last: Some(Rc::new(shown.clone())),
            is_last_written: false,
            num_reviewed: 0,
        }
    }

    /// Returns whether the time that all may take is over.
    pub fn is_over(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Awaits something, but not longer than all may take; `None` if that was too long.
    pub async fn in_time<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let Some(until) = self.until else { return Some(future.await) };
        tokio::time::timeout_at(until.into(), future).await.ok()
    }

    /// Takes note of a read; `None` if the set is gone.
    pub fn note(&mut self, plan: Option<Rc<Plan>>) {
        self.last = plan.filter(|plan| plan.daemon_set.uid == self.shown.daemon_set.uid);
        self.is_last_written = false;
    }

    /// After a batch, without a read, it is not known what is left.
    pub fn forget(&mut self) {
        self.last = self.last.take().filter(|_| !self.is_last_written);
        self.is_last_written = false;
    }

    pub fn not_reviewed(&mut self, why: &str, reporter: &mut Reporter<'_, '_>) -> anyhow::Result<()> {
        self.num_reviewed = usize::MAX;
        reporter.warning(&format!("your rights were not checked: {why}"))
    }
}
