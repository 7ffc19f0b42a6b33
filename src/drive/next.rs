//! Next: what a run may do next, what it may wait for, and how it may end.

use std::time::Duration;

use jiff::Timestamp;

use crate::plan::{codes, serialize_as_code};

use super::batch::Batch;
use super::waves::WaveName;

/// What to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// Write these, then read again.
    Write(Batch),
    /// Ask whether all is well; if so, read again, and go on with [`super::Drive::is_well`].
    Check(Check),
    /// Make the controller look at the set, then read again.
    Nudge,
    /// Read again a little later.
    Wait(Wait),
    /// End.
    Stop(Stop),
}

/// What the gate is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The wave to which the next batch belongs.
    pub wave: WaveName,
    /// Nodes with an available pod of the current revision, sorted.
    pub updated: Vec<String>,
    /// Nodes of the next batch.
    pub next: Vec<String>,
}

/// What is waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// The controller has so many writes to do, and has this long to begin.
    Controller {
        /// Writes that are due.
        due: usize,
        /// Until it is nudged, or until `sync` acts itself.
        remaining: Duration,
    },
    /// The controller has not yet looked at the newest spec.
    Observation {
        /// Until it is nudged, or until the run ends.
        remaining: Duration,
    },
    /// New pods on these nodes must become available.
    Pods(Vec<String>),
    /// Pods are on their way.
    Moving,
    /// Nothing moves by itself; the run ends after this long.
    Stalled(Duration),
    /// A pause after calls that failed.
    Pause(Duration),
    /// A wave has no old pod left, but these of its nodes have no available new one.
    Wave {
        /// Which.
        wave: WaveName,
        /// The nodes, sorted.
        nodes: Vec<String>,
    },
    /// A wave is done and is watched for a while.
    Soak {
        /// Which.
        wave: WaveName,
        /// Until then, by the server's clock.
        until: Timestamp,
        /// How long that is.
        remaining: Duration,
    },
    /// A disruption budget allows no eviction now, in the server's words.
    Disruption(String),
    /// The command of `--gate` runs.
    Gate,
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Decides the exit code.
    pub ending: Ending,
    /// Why, in a sentence without a full stop.
    pub why: String,
}

codes! {
    /// Kinds of ending, the one that counts most among several sets first.
    pub enum Ending {
        Interrupted => "Ctrl-C, or a signal that asks to end",
        Failed => "nothing could be done: it cannot be judged, or the first write was refused",
        Partial => "applied in part: calls failed",
        Refused => "the cluster is no longer what the plan was made from, or a guard said no",
        TimedOut => "out of time (--timeout)",
        Blocked => "work is left and cannot proceed: a pod of a batch fails, or nothing has moved for too long",
        Paused => "a canary or group is done, and the rollout pauses after it (--pause-after)",
        WorkLeft => "the next batch is done, as asked (--once), and work is left",
        Done => "nothing is left to do",
    }
}

serialize_as_code!(Ending);

impl Ending {
    /// Returns the exit code of the contract.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::WorkLeft | Self::Paused => 10,
            Self::Blocked => 11,
            Self::TimedOut => 12,
            Self::Refused => 13,
            Self::Partial => 14,
            Self::Interrupted => 130,
        }
    }
}
