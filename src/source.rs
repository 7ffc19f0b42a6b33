//! Sources: whatever can fill a [`crate::snapshot::Snapshot`]. The only part of the crate that reads files.

mod snapshot;

pub use snapshot::{SnapshotOptions, load, parse_now};
