use serde_json::{Value, json};

use super::*;

fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn selector(selector: Value) -> Result<Selector, String> {
    let selector: LabelSelector = serde_json::from_value(selector).expect("a label selector");
    Selector::from_label_selector(Some(&selector))
}

fn requirement(operator: Operator, values: &[&str]) -> Result<Requirement, String> {
    let values: Vec<_> = values.iter().map(|value| (*value).to_owned()).collect();
    Requirement::new("n", operator, &values)
}

#[test]
fn an_absent_selector_matches_nothing_and_an_empty_one_everything() {
    assert_eq!(Selector::from_label_selector(None), Ok(Selector::Nothing));
    for labels in [labels(&[]), labels(&[("n", "1")])] {
        assert!(!Selector::Nothing.matches(&labels));
        assert!(selector(json!({})).is_ok_and(|selector| selector.matches(&labels)));
    }
}

#[test]
fn every_part_of_a_selector_must_match() {
    let selector = selector(json!({
        "matchLabels": { "app": "agent", "tier": "node" },
        "matchExpressions": [{ "key": "track", "operator": "NotIn", "values": ["canary"] }],
    }));
    let matches = |pairs: &[(&str, &str)]| selector.as_ref().is_ok_and(|selector| selector.matches(&labels(pairs)));
    assert!(matches(&[("app", "agent"), ("tier", "node")]));
    assert!(matches(&[("app", "agent"), ("tier", "node"), ("track", "stable"), ("x", "y")]));
    assert!(!matches(&[("app", "agent"), ("tier", "node"), ("track", "canary")]));
    assert!(!matches(&[("app", "agent")]));
    assert!(!matches(&[("app", "web"), ("tier", "node")]));
}

#[test]
fn selectors_that_upstream_refuses_do_not_parse() {
    let expression = |key: &str, operator: &str, values: &[&str]| {
        selector(json!({ "matchExpressions": [{ "key": key, "operator": operator, "values": values }] }))
    };
    for (key, operator, values, error) in [
        ("app", "in", vec!["a"], "\"in\" is not a valid label selector operator"),
        ("app", "", vec![], "\"\" is not a valid label selector operator"),
        ("app", "Gt", vec!["1"], "\"Gt\" is not a valid label selector operator"),
        ("app", "Lt", vec!["1"], "\"Lt\" is not a valid label selector operator"),
        ("app", "In", vec![], "key \"app\": In and NotIn need a value"),
        ("app", "NotIn", vec![], "key \"app\": In and NotIn need a value"),
        ("app", "Exists", vec!["a"], "key \"app\": Exists and DoesNotExist take no values"),
        ("app", "DoesNotExist", vec!["a"], "key \"app\": Exists and DoesNotExist take no values"),
        ("a/b/c", "Exists", vec![], "key \"a/b/c\" is not a valid label key"),
        ("app", "In", vec!["a", "b c"], "key \"app\": \"b c\" is not a valid label value"),
    ] {
        assert_eq!(expression(key, operator, &values), Err(error.to_owned()));
    }
    for (operator, values) in
        [("In", vec!["a", ""]), ("NotIn", vec!["a"]), ("Exists", vec![]), ("DoesNotExist", vec![])]
    {
        assert!(expression("app", operator, &values).is_ok(), "{operator} {values:?}");
    }
    assert_eq!(
        selector(json!({ "matchLabels": { "app": "-" } })),
        Err("key \"app\": \"-\" is not a valid label value".into())
    );
    assert_eq!(selector(json!({ "matchLabels": { "": "a" } })), Err("key \"\" is not a valid label key".into()));
}

#[test]
fn a_selector_is_empty_only_if_it_is_there() {
    let empty = |selector: Value| {
        let selector: Option<LabelSelector> = serde_json::from_value(selector).expect("a label selector");
        is_empty(selector.as_ref())
    };
    assert!(!empty(Value::Null));
    for nothing in [json!({}), json!({ "matchLabels": {} }), json!({ "matchLabels": {}, "matchExpressions": [] })] {
        assert!(empty(nothing));
    }
    assert!(!empty(json!({ "matchLabels": { "a": "b" } })));
    assert!(!empty(json!({ "matchLabels": {}, "matchExpressions": [{ "key": "a", "operator": "Exists" }] })));
}

#[test]
fn operators_are_read_with_their_case() {
    use Operator::{DoesNotExist, Exists, Gt, In, Lt, NotIn};
    for (text, operator) in
        [("In", In), ("NotIn", NotIn), ("Exists", Exists), ("DoesNotExist", DoesNotExist), ("Gt", Gt), ("Lt", Lt)]
    {
        assert_eq!(Operator::parse(text), Some(operator));
        assert_eq!(Operator::parse(&text.to_lowercase()), None);
    }
}

#[test]
fn gt_and_lt_take_one_64_bit_integer_that_is_a_label_value() {
    for operator in [Operator::Gt, Operator::Lt] {
        for value in ["0", "007", "9223372036854775807"] {
            assert!(requirement(operator, &[value]).is_ok(), "{value}");
        }
        for value in ["-5", "+5"] {
            assert_eq!(
                requirement(operator, &[value]),
                Err(format!("key \"n\": {value:?} is not a valid label value"))
            );
        }
        for values in [vec![], vec!["1", "2"], vec![""], vec!["1.5"], vec!["9223372036854775808"], vec!["0x1"]] {
            assert_eq!(
                requirement(operator, &values),
                Err("key \"n\": Gt and Lt need one integer".into()),
                "{values:?}"
            );
        }
    }
}

#[test]
fn a_requirement_is_met_by_what_its_operator_says() {
    let met = |operator: Operator, values: &[&str], label: Option<&str>| {
        let labels = label.map_or_else(Labels::new, |label| labels(&[("n", label), ("m", "3")]));
        requirement(operator, values).expect("it parses").matches(&labels)
    };
    use Operator::{DoesNotExist, Exists, Gt, In, Lt, NotIn};
    for (operator, values, label, expected) in [
        (In, vec!["1", "2"], Some("2"), true),
        (In, vec!["1", "2"], Some("3"), false),
        (In, vec!["1", "2"], None, false),
        (In, vec![""], Some(""), true),
        (NotIn, vec!["1", "2"], Some("2"), false),
        (NotIn, vec!["1", "2"], Some("3"), true),
        (NotIn, vec!["1", "2"], None, true),
        (Exists, vec![], Some(""), true),
        (Exists, vec![], None, false),
        (DoesNotExist, vec![], Some(""), false),
        (DoesNotExist, vec![], None, true),
        (Gt, vec!["5"], Some("6"), true),
        (Gt, vec!["5"], Some("5"), false),
        (Gt, vec!["5"], Some("-6"), false),
        (Gt, vec!["5"], None, false),
        (Lt, vec!["5"], Some("4"), true),
        (Lt, vec!["5"], Some("5"), false),
        (Lt, vec!["5"], Some("-6"), true),
        (Lt, vec!["5"], Some("x"), false),
        (Lt, vec!["5"], None, false),
    ] {
        assert_eq!(met(operator, &values, label), expected, "{operator:?} {values:?} of {label:?}");
    }
}

#[test]
fn label_keys_have_a_name_and_maybe_a_domain() {
    let (name, long_name) = ("n".repeat(63), "n".repeat(64));
    let domain = ["d".repeat(63), "d".repeat(63), "d".repeat(63), "d".repeat(61)].join(".");
    let [longest, too_long] = [domain.clone(), format!("{domain}d")].map(|domain| format!("{domain}/n"));
    assert_eq!(domain.len(), 253);
    for key in ["n", "N.n_n-n", "0", &name, "example.com/n", "1.2/n", "a-b.c/n", &longest] {
        assert!(is_label_key(key), "{key}");
    }
    for key in [
        "",
        "-n",
        "n-",
        "n n",
        "ä",
        &long_name,
        "/n",
        "example.com/",
        "Example.com/n",
        "a_b/n",
        "-a/n",
        "a-/n",
        "a..b/n",
        ".a/n",
        "a/b/c",
        &too_long,
    ] {
        assert!(!is_label_key(key), "{key}");
    }
}

#[test]
fn label_values_are_short_and_begin_and_end_alphanumeric() {
    for value in ["", "a", "Z", "0", "a-b_c.d", &"v".repeat(63)] {
        assert!(is_label_value(value), "{value}");
    }
    for value in ["-", "a-", "_a", ".a", "a b", "a/b", "ü", &"v".repeat(64)] {
        assert!(!is_label_value(value), "{value}");
    }
}
