//! What differs between two pod templates, field by field.

use serde::Serialize;
use serde_json::Value;

/// The longest value that is shown. Units: characters.
const MAX_VALUE: usize = 40;

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Where: items of lists by their name, where they have one.
    pub path: String,
    /// What it was; absent if it is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What it is; absent if it went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

impl Change {
    /// Words the change: `containers[agent].image: agent:1 → agent:2`.
    pub fn text(&self) -> String {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => format!("{}: {from} → {to}", self.path),
            (None, Some(to)) => format!("{} added: {to}", self.path),
            (Some(from), None) => format!("{} removed: {from}", self.path),
            (None, None) => self.path.clone(),
        }
    }
}

/// Returns the fields in which two templates differ, images first, the others in the order of their paths.
pub fn changes(from: &Value, to: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    compare("", Some(from), Some(to), &mut changes);
    changes.sort_by_key(|change| !change.path.ends_with(".image"));
    changes
}

fn compare(path: &str, from: Option<&Value>, to: Option<&Value>, changes: &mut Vec<Change>) {
    match (from, to) {
        (Some(from), Some(to)) if from == to => {}
        (Some(Value::Object(from)), Some(Value::Object(to))) => {
            let new = to.keys().filter(|key| !from.contains_key(*key));
            for key in from.keys().chain(new) {
                compare(&joined(path, key), from.get(key), to.get(key), changes);
            }
        }
        (Some(Value::Array(from)), Some(Value::Array(to))) if are_named(from) && are_named(to) => {
            let names = from.iter().filter_map(name);
            let new = to.iter().filter_map(name).filter(|name| find(from, name).is_none());
            for item in names.chain(new) {
                compare(&format!("{path}[{item}]"), find(from, item), find(to, item), changes);
            }
        }
        _ => changes.push(Change { path: path.to_owned(), from: from.map(short), to: to.map(short) }),
    }
}

/// Joins the parts of a path; that it is in the spec goes without saying.
fn joined(path: &str, key: &str) -> String {
    match path {
        "" if key == "spec" => String::new(),
        "" => key.to_owned(),
        _ => format!("{path}.{key}"),
    }
}

fn name(item: &Value) -> Option<&str> {
    item["name"].as_str()
}

fn are_named(items: &[Value]) -> bool {
    items.iter().all(|item| name(item).is_some())
}

fn find<'a>(items: &'a [Value], wanted: &str) -> Option<&'a Value> {
    items.iter().find(|item| name(item) == Some(wanted))
}

fn short(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if text.chars().count() <= MAX_VALUE {
        return text;
    }
    text.chars().take(MAX_VALUE - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Change, changes};

    fn texts(from: &Value, to: &Value) -> Vec<String> {
        changes(from, to).iter().map(Change::text).collect()
    }

    #[test]
    fn items_with_names_are_compared_by_name() {
        let from = json!({ "spec": { "containers": [
            { "name": "a", "image": "a:1", "env": [{ "name": "X", "value": "1" }] }, { "name": "b", "image": "b:1" },
        ] } });
        let to = json!({ "spec": { "containers": [
            { "name": "b", "image": "b:1" }, { "name": "a", "image": "a:2", "env": [{ "name": "X", "value": "2" }] },
        ] } });
        assert_eq!(
            texts(&from, &to),
            ["containers[a].image: a:1 → a:2", "containers[a].env[X].value: 1 → 2"],
            "the order of named items does not count, and images come first"
        );
    }

    #[test]
    fn what_came_and_what_went_is_said() {
        let from = json!({ "metadata": { "annotations": { "old": "x" } }, "spec": { "hostNetwork": true } });
        let to = json!({ "metadata": { "annotations": {} }, "spec": { "dnsPolicy": "Default", "hostNetwork": true } });
        assert_eq!(texts(&from, &to), ["metadata.annotations.old removed: x", "dnsPolicy added: Default"]);
        assert_eq!(texts(&to, &to), [""; 0]);
        let long = json!({ "spec": { "command": ["x".repeat(100)] } });
        assert_eq!(texts(&json!({ "spec": {} }), &long), [format!("command added: [\"{}…", "x".repeat(37))]);
    }
}
