//! Finds what was probably meant by a mistyped name.

use std::cmp::Reverse;

/// Returns the candidate closest to what was typed, if one is close enough; of equally close ones the first.
///
/// Upper and lower case do not matter. Close means few typing errors for the length, or else that the typed text is a part
/// of the candidate, or else that it is close to what is between two dashes of it.
pub fn closest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let allowed = 1 + typed.chars().count() / 4;
    let is_long = typed.chars().count() >= 3;
    let scored = candidates.into_iter().filter_map(|candidate| {
        let lower = candidate.to_lowercase();
        let distance = strsim::damerau_levenshtein(&typed, &lower);
        let is_part_close = || lower.split('-').any(|part| strsim::damerau_levenshtein(&typed, part) <= allowed);
        let kind = match () {
            () if distance <= allowed => 0,
            () if is_long && lower.contains(&typed) => 1,
            () if is_long && is_part_close() => 2,
            () => return None,
        };
        Some(((kind, distance, Reverse(common_ends(&typed, &lower))), candidate))
    });
    scored.min_by_key(|(score, _)| *score).map(|(_, candidate)| candidate)
}

/// Returns how many characters two texts share at their beginning and at their end.
fn common_ends(a: &str, b: &str) -> usize {
    let same = |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(a, b)| a == b).count();
    same(&mut a.chars().zip(b.chars())) + same(&mut a.chars().rev().zip(b.chars().rev()))
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn typing_errors_and_parts_of_names_are_recognized() {
        let names = ["agent", "log-agent", "cni", "node-local-dns"];
        for (typed, wanted) in [
            ("agnet", Some("agent")),
            ("Agent", Some("agent")),
            ("cn", Some("cni")),
            ("local-dns", Some("node-local-dns")),
            ("logagent", Some("log-agent")),
            ("lcal", Some("node-local-dns")),
            ("prometheus", None),
            ("x", None),
        ] {
            assert_eq!(closest(typed, names), wanted, "{typed}");
        }
    }

    #[test]
    fn of_equally_close_names_the_one_that_begins_and_ends_alike_is_meant() {
        assert_eq!(closest("node-00003", ["node-0000", "node-0001", "node-0003"]), Some("node-0003"));
    }

    #[test]
    fn nothing_is_close_to_nothing() {
        assert_eq!(closest("agent", []), None);
    }
}
