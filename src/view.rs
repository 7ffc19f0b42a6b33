//! Views: what a command shows of a Plan, as pure functions.
//!
//! Input is the Snapshot and its Plans, output are structs that are printed as JSON or laid out by `render`.

pub mod changes;
pub mod counts;
pub mod effect;
pub mod exit_code;
pub mod head;
pub mod history;
pub mod next;
pub mod nodes;
pub mod plan;
pub mod plans;
pub mod status;
pub mod suggest;
pub mod sync;
pub mod verdict;
mod waves;
pub mod why;
pub mod words;
