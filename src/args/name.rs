//! NAME and NODE arguments.

use std::str::FromStr;

/// Name of a DaemonSet, typed as `x`, `ds/x`, `daemonset/x`, `daemonsets/x` or with the group `.apps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DaemonSetName(pub String);

impl FromStr for DaemonSetName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('/') {
            None if text.is_empty() => Err("a name is needed".to_owned()),
            None => Ok(Self(text.to_owned())),
            Some((kind, _)) if !Self::is_kind(kind) => {
                Err(format!("{kind:?} is not a DaemonSet; write x, ds/x or daemonset/x"))
            }
            Some((_, name)) if name.is_empty() || name.contains('/') => {
                Err("there must be one name after the slash".to_owned())
            }
            Some((_, name)) => Ok(Self(name.to_owned())),
        }
    }
}

impl DaemonSetName {
    /// Returns whether this, before a slash, says that a DaemonSet is named.
    pub fn is_kind(kind: &str) -> bool {
        let kind = kind.to_ascii_lowercase();
        let word = kind.strip_suffix(".apps").unwrap_or(&kind);
        let word = word.strip_suffix(".v1").unwrap_or(word);
        matches!(word, "ds" | "daemonset" | "daemonsets")
    }
}

/// Returns whether this, before a slash, says that a node is named.
pub fn is_node_kind(kind: &str) -> bool {
    matches!(kind.to_ascii_lowercase().as_str(), "no" | "node" | "nodes")
}

/// Reads a NODE, typed as `x`, `no/x`, `node/x` or `nodes/x`.
pub(super) fn node_name(text: &str) -> Result<String, String> {
    let name = match text.split_once('/') {
        None => text,
        Some((kind, name)) if is_node_kind(kind) => name,
        Some((kind, _)) => return Err(format!("{kind:?} is not a node; write x or node/x")),
    };
    if name.is_empty() { Err("a name is needed".to_owned()) } else { Ok(name.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::{DaemonSetName, node_name};

    #[test]
    fn every_way_to_write_a_daemon_set_gives_its_name() {
        for text in ["x", "ds/x", "daemonset/x", "daemonsets/x", "daemonset.apps/x", "daemonsets.apps/x", "DaemonSet/x"]
        {
            assert_eq!(text.parse(), Ok(DaemonSetName("x".to_owned())), "{text}");
        }
    }

    #[test]
    fn other_kinds_and_empty_names_are_refused() {
        for text in ["deploy/x", "pod/x", "daemonset.extensions/x", "ds/", "ds/x/y", "", "/x"] {
            assert!(text.parse::<DaemonSetName>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_node_may_carry_its_kind() {
        for text in ["n1", "node/n1", "nodes/n1", "no/n1"] {
            assert_eq!(node_name(text), Ok("n1".to_owned()), "{text}");
        }
        assert!(node_name("pod/n1").is_err());
        assert!(node_name("node/").is_err());
    }
}
