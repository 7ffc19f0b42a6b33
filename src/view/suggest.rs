//! Finds what was probably meant by a mistyped name.

/// Returns the candidate closest to what was typed, if one is close enough; of equally close ones the first.
///
/// Upper and lower case do not matter. Close means few typing errors for the length, or the typed text being part of the
/// candidate.
pub fn closest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let allowed = 1 + typed.chars().count() / 4;
    let scored = candidates.into_iter().filter_map(|candidate| {
        let lower = candidate.to_lowercase();
        let distance = strsim::damerau_levenshtein(&typed, &lower);
        if distance <= allowed {
            return Some((0, distance, candidate));
        }
        let is_part = typed.chars().count() >= 3 && lower.contains(&typed);
        is_part.then_some((1, distance, candidate))
    });
    scored.min_by_key(|(kind, distance, _)| (*kind, *distance)).map(|(_, _, candidate)| candidate)
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
            ("prometheus", None),
            ("x", None),
        ] {
            assert_eq!(closest(typed, names), wanted, "{typed}");
        }
    }

    #[test]
    fn nothing_is_close_to_nothing() {
        assert_eq!(closest("agent", []), None);
    }
}
