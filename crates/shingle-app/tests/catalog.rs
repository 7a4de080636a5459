//! `www/words/messages-es.json` has a sentence for each message that other crates have as data, and no other.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use shingle_domain::{Language, Rule};
use shingle_portal::say;

/// Each key and its English.
fn messages() -> Vec<(&'static str, &'static str)> {
    let crates = [
        shingle_domain::MESSAGES,
        shingle_store::MESSAGES,
        shingle_deliver::MESSAGES,
        shingle_sitecheck::MESSAGES,
        shingle_property::MESSAGES,
        shingle_import::MESSAGES,
        shingle_estimate::calibration::MESSAGES,
        shingle_tls::MESSAGES,
        shingle_app::MESSAGES,
    ];
    crates.concat().concat()
}

/// The names between braces, sorted.
fn values(sentence: &str) -> Vec<&str> {
    let mut names: Vec<_> = sentence.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect();
    names.sort_unstable();
    names
}

#[test]
fn every_message_has_its_sentence_with_the_same_values_in_every_language() {
    let spanish: BTreeMap<String, String> =
        serde_json::from_str(include_str!("../../../www/words/messages-es.json")).unwrap();
    let english: BTreeMap<_, _> = messages().into_iter().collect();
    assert_eq!(english.len(), messages().len(), "two messages have one key");
    let missing: Vec<_> = english.keys().filter(|key| !spanish.contains_key(**key)).collect();
    assert!(missing.is_empty(), "without Spanish: {missing:?}");
    let idle: Vec<_> = spanish.keys().filter(|key| !english.contains_key(key.as_str())).collect();
    assert!(idle.is_empty(), "said by nobody: {idle:?}");
    for (key, english) in english {
        assert_eq!(values(english), values(&spanish[key]), "{key}");
        assert!(!spanish[key].trim().is_empty(), "{key}");
    }
}

#[test]
fn a_message_is_said_in_the_language_of_its_reader() {
    let rule = Rule::Max { max: 7 };
    assert_eq!(say(Language::English, &rule), "must not be greater than 7");
    assert_eq!(say(Language::Spanish, &rule), "no puede ser mayor que 7");
}
