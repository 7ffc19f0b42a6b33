//! Label selectors, completed piece by piece: keys first, then values, and the same again behind a comma.

use std::collections::BTreeMap;

use crate::view::words::{counted, cut};

use super::values::Value;

/// Values shown of a key.
const VALUES_SHOWN: usize = 3;

/// The values of each label, with how many DaemonSets have them.
pub(super) type LabelValues = BTreeMap<String, BTreeMap<String, usize>>;

/// Suggests what can stand in place of a selector that is begun.
///
/// A key with one value comes with it. So does a key with a dash: some shells cannot go on behind its `=`.
pub(super) fn suggest(labels: &LabelValues, current: &str) -> Vec<Value> {
    if current.contains(['(', ' ']) {
        return Vec::new();
    }
    let (before, term) = current.split_at(current.rfind(',').map_or(0, |comma| comma + 1));
    if let Some(equals) = term.find('=') {
        let operator_end = equals + term[equals..].chars().take_while(|c| *c == '=').count();
        let key = term[..equals].trim_end_matches('!');
        let values = labels.get(key).into_iter().flatten();
        let begun = format!("{before}{}", &term[..operator_end]);
        return values.map(|(value, count)| pair(&begun, value, *count)).collect();
    }
    if term.starts_with('!') {
        return labels.iter().map(|(key, values)| Value::new(format!("{before}!{key}"), some_of(values))).collect();
    }
    let is_named =
        |key: &str| before.split(',').any(|term| term.split(['=', '!']).find(|word| !word.is_empty()) == Some(key));
    labels.iter().filter(|(key, _)| !is_named(key)).flat_map(|(key, values)| of_key(before, key, values)).collect()
}

fn of_key(before: &str, key: &str, values: &BTreeMap<String, usize>) -> Vec<Value> {
    let begun = format!("{before}{key}=");
    if values.len() > 1 && !key.contains('-') {
        return vec![Value::new(begun, some_of(values))];
    }
    values.iter().map(|(value, count)| pair(&begun, value, *count)).collect()
}

fn pair(begun: &str, value: &str, count: usize) -> Value {
    Value::new(format!("{begun}{value}"), counted(count, "DaemonSet"))
}

fn some_of(values: &BTreeMap<String, usize>) -> String {
    let values: Vec<&String> = values.keys().filter(|value| !value.is_empty()).collect();
    cut(&values, VALUES_SHOWN)
}

#[cfg(test)]
mod tests {
    use super::{LabelValues, suggest};

    fn texts(current: &str) -> Vec<String> {
        let labels = [
            ("app", &[("agent", 1), ("cni", 2)][..]),
            ("k8s-app", &[("dns", 1), ("proxy", 1)]),
            ("tier", &[("node", 3)]),
        ];
        let values =
            |values: &[(&str, usize)]| values.iter().map(|(value, count)| ((*value).to_owned(), *count)).collect();
        let labels: LabelValues = labels.iter().map(|(key, all)| ((*key).to_owned(), values(all))).collect();
        suggest(&labels, current)
            .into_iter()
            .map(|value| format!("{} # {}", value.text, value.help.unwrap_or_default()))
            .collect()
    }

    #[test]
    fn keys_come_before_their_values_unless_there_is_one_or_a_dash() {
        let expected = [
            "app= # agent, cni",
            "k8s-app=dns # 1 DaemonSet",
            "k8s-app=proxy # 1 DaemonSet",
            "tier=node # 3 DaemonSets",
        ];
        assert_eq!(texts(""), expected);
        assert_eq!(texts("!")[..1], ["!app # agent, cni"]);
    }

    #[test]
    fn values_come_behind_every_operator() {
        for begun in ["app=", "app==", "app!=", "tier,app="] {
            let expected = [format!("{begun}agent # 1 DaemonSet"), format!("{begun}cni # 2 DaemonSets")];
            assert_eq!(texts(begun), expected, "{begun}");
        }
        assert!(texts("none=").is_empty());
    }

    #[test]
    fn behind_a_comma_other_keys_are_offered() {
        assert_eq!(texts("k8s-app=dns,app!=cni,"), ["k8s-app=dns,app!=cni,tier=node # 3 DaemonSets"]);
        assert_eq!(texts("!app,k8s-app,"), ["!app,k8s-app,tier=node # 3 DaemonSets"]);
        assert!(texts("app in (a,").is_empty());
    }
}
