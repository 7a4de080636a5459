//! The contract's requests with invalid fields, and their exact messages.

use serde_json::Value;

use super::{FieldItem, Fields, WebhookDraft, WidgetDraft, WidgetPatch};
use crate::lookup::{LookupQuery, Product};

/// The cases that `tests/it` replays over the wire.
const CASES: &str = include_str!("../../../../tests/it/contract-cases.jsonl");

pub(super) fn item(value: &Value) -> FieldItem<'static> {
    match value {
        Value::Null => FieldItem::Null,
        Value::Bool(value) => FieldItem::Boolean(*value),
        Value::Number(number) => FieldItem::Number(number.as_f64().unwrap()),
        Value::String(text) => FieldItem::Text(text.clone().into()),
        Value::Array(list) => FieldItem::List(list.iter().map(item).collect()),
        Value::Object(members) => FieldItem::Object(members.iter().map(|(name, v)| (name.clone(), item(v))).collect()),
    }
}

#[test]
fn every_contract_case_gets_its_exact_messages() {
    let mut replayed = 0;
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let pairs = |name: &str| -> Vec<(String, String)> {
            let list = case[name].as_array().cloned().unwrap_or_default();
            list.iter().map(|p| (p[0].as_str().unwrap().to_owned(), p[1].as_str().unwrap().to_owned())).collect()
        };
        let path = case["path"].as_str().unwrap().trim_start_matches("/api/v1/");
        let form = Fields::from_pairs(pairs("form"));
        let broken = match (case["method"].as_str().unwrap(), path) {
            ("POST", "webhooks") => {
                let mut fields = Fields::default();
                for (name, value) in case["json"].as_object().unwrap() {
                    fields.push_item(name.clone(), item(value));
                }
                WebhookDraft::parse(&fields, |text| text.starts_with("https://").then(|| text.to_owned())).map(drop)
            }
            ("POST", "roof-estimate-widget") => WidgetDraft::parse(&form, false).map(drop),
            ("PUT", path) if path.starts_with("roof-estimate-widget/") => WidgetPatch::parse(&form).map(drop),
            ("GET", path) => {
                LookupQuery::parse(Product::parse(path).unwrap(), &Fields::from_pairs(pairs("query"))).map(drop)
            }
            (method, path) => panic!("{method} {path} is not covered"),
        }
        .unwrap_err()
        .messages();
        let expected: Vec<String> = serde_json::from_value(case["message"].clone()).unwrap();
        assert_eq!(broken, expected, "{}", case["name"]);
        replayed += 1;
    }
    assert!(replayed > 490, "only {replayed} requests were replayed");
}
