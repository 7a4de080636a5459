//! The words of `www/words/README.md` are the ones that people read, and no others.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod all_messages;

use serde_json::Value;

use all_messages::all_messages;

/// What no sentence has: lowercase, whole words; a final `*` stands for any ending.
const NEVER: &[&str] = &[
    "stand",
    "stands",
    "is told",
    "are told",
    "takes",
    "empty:",
    "of yours",
    "whoever",
    "telephone*",
    "mail",
    "mails",
    "mailed",
    "e-mail*",
    "somebody",
    "anybody",
    "everybody",
    "colleague*",
    "operator*",
    "photograph*",
    "is none",
    "lookup*",
    "not said",
];

/// Phrases in which such a word is right.
const RIGHT: &[(&str, &str)] = &[
    ("mail server", "the program's own name in its trade"),
    ("/portal/operator", "a path"),
    ("invite --operator", "an option of the command line"),
    ("or `$operator_id`", "a name in a file"),
    ("telephone-", "part of a name"),
];

/// Every text a person may read in English, with where it is.
fn sentences() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let portal: serde_json::Map<String, Value> =
        serde_json::from_str(include_str!("../../../www/words/portal-es.json")).unwrap();
    all.extend(portal.into_iter().map(|(english, _)| ("portal".to_owned(), english)));
    for (name, file) in [
        ("en.json", include_str!("../../../www/words/en.json")),
        ("page/en.json", include_str!("../../../www/words/page/en.json")),
    ] {
        texts(name, &serde_json::from_str(file).unwrap(), &mut all);
    }
    all.extend(all_messages().into_iter().map(|(key, english)| (key.to_owned(), english.to_owned())));
    // `name: "English", "Spanish";`
    let notices = include_str!("../../shingle-notice/src/words.rs").split("words! {").nth(1).unwrap();
    let notices = notices.split("#[cfg(test)]").next().unwrap();
    all.extend(notices.split(';').filter_map(|entry| {
        let (name, texts) = entry.split_once(':')?;
        let english = texts.split('"').nth(1)?;
        Some((format!("notice {}", name.trim()), english.to_owned()))
    }));
    all
}

fn texts(at: &str, value: &Value, into: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => into.push((at.to_owned(), text.clone())),
        Value::Array(all) => all.iter().for_each(|value| texts(at, value, into)),
        Value::Object(all) => all.iter().for_each(|(name, value)| texts(&format!("{at} {name}"), value, into)),
        _ => {}
    }
}

/// The word of `NEVER` that a sentence has.
fn banned(sentence: &str) -> Option<&'static str> {
    let mut text = sentence.to_lowercase();
    for (right, _) in RIGHT {
        text = text.replace(right, "");
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '@' | '`' | '/');
    NEVER.iter().copied().find(|word| {
        let (word, any_ending) = word.strip_suffix('*').map_or((*word, false), |word| (word, true));
        text.match_indices(word).any(|(at, _)| {
            let ends = text[at + word.len()..].trim_start_matches(['.', '/']);
            let is_start = !text[..at].ends_with(is_part);
            // A period ends the sentence; within a name it goes on.
            let next = ends.chars().next();
            let is_end = next.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '-' | '_' | '@' | '`'));
            is_start && (any_ending || is_end)
        })
    })
}

#[test]
fn no_sentence_has_a_word_that_we_do_not_use() {
    let all = sentences();
    assert!(all.len() > 3_000, "only {} sentences were found", all.len());
    let found: Vec<_> =
        all.iter().filter_map(|(at, text)| Some(format!("{at}: “{}” in {text:?}", banned(text)?))).collect();
    assert!(found.is_empty(), "{} sentences:\n{}", found.len(), found.join("\n"));
}

#[test]
fn a_word_is_found_as_a_word() {
    for (sentence, word) in [
        ("Whoever calls", Some("whoever")),
        ("A mail about it", Some("mail")),
        ("Send it by mail.", Some("mail")),
        ("Telephones", Some("telephone*")),
        ("Empty: never.", Some("empty:")),
        ("The mail server said no", None),
        ("Email it", None),
        ("smtp.mail.example", None),
        ("standing seam", None),
        ("A standard", None),
        ("It is empty", None),
    ] {
        assert_eq!(banned(sentence), word, "{sentence}");
    }
}
