//! Sources: whatever can fill a [`crate::snapshot::Snapshot`]. The only part of the crate that reads files or talks to a
//! cluster.

pub mod live;
pub mod redact;
mod snapshot;

pub use snapshot::{SnapshotOptions, load, parse_now};

use crate::snapshot::ServerVersion;

/// Oldest server whose rules are the ones that the reconciler follows.
const OLDEST_EXACT_VERSION: ServerVersion = ServerVersion { major: 1, minor: 31 };

/// Returns what is said of a server whose rules differ from those that the reconciler follows.
pub fn warning_about_version(version: Option<ServerVersion>) -> Option<String> {
    let version = version.filter(|version| *version < OLDEST_EXACT_VERSION)?;
    Some(format!("server version {version}: some rules differ from those of {OLDEST_EXACT_VERSION} and later"))
}
