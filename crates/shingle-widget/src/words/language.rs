//! The languages of the flow, read from their files. For the server and for tests; a browser gets a list.
//!
//! # Decisions
//!
//! - Our own texts follow the page's language in the launcher and first title too; a contractor's text stays until
//!   they provide the other language (`texts` of the settings). A text is ours if it equals our English one, no matter
//!   who typed it. Turned down: a flag beside each text, which the contract's record has no place for.
//! - The language is the page's until a visitor switches at the foot of a step. The state stays, views are rebuilt,
//!   and consent is asked again, because it was given in other words. Turned down: going through the draft, which
//!   ends with the lead and does not know what the page prefilled.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde_json::Value;
use shingle_domain::Language;

use super::table::{WORD_COUNT, Words};

/// The sentences of the flow in a language.
pub fn flow_words(language: Language) -> Words {
    static READ: [OnceLock<Words>; 2] = [const { OnceLock::new() }; 2];
    // A malformed file fails the tests; here it can only give empty sentences.
    *READ[language as usize].get_or_init(|| Words::of(list(language)).unwrap_or(Words { list: &[""; WORD_COUNT] }))
}

fn file(language: Language) -> Cow<'static, str> {
    let files = [include_str!("../../../../www/words/en.json"), include_str!("../../../../www/words/es.json")];
    in_language(language, files)
}

/// A file of words, given in each language.
pub(crate) fn in_language(language: Language, files: [&'static str; 2]) -> Cow<'static, str> {
    #[cfg(debug_assertions)]
    if language == Language::Spanish && super::pseudo::replaces_spanish() {
        return super::pseudo::file(files[0]);
    }
    files[language as usize].into()
}

fn list(language: Language) -> Vec<&'static str> {
    let read: Value = serde_json::from_str(&file(language)).unwrap_or_default();
    let mut list = Vec::with_capacity(WORD_COUNT);
    for value in read.as_object().into_iter().flat_map(|entries| entries.values()) {
        flatten(value, &mut list);
    }
    list
}

fn flatten(value: &Value, into: &mut Vec<&'static str>) {
    match value {
        Value::String(text) => into.push(text.clone().leak()),
        Value::Array(group) => group.iter().for_each(|value| flatten(value, into)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{KEYS, w};
    use super::*;

    /// Every key of a file, with its sentences.
    fn entries(language: Language) -> Vec<(String, Vec<String>)> {
        let read: Value = serde_json::from_str(&file(language)).unwrap();
        let texts = |value: &Value| match value {
            Value::String(text) => vec![text.clone()],
            group => group.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect(),
        };
        read.as_object().unwrap().iter().map(|(key, value)| (key.clone(), texts(value))).collect()
    }

    /// The `{name}`s in a sentence, sorted.
    fn placeholders(text: &str) -> Vec<&str> {
        let mut names: Vec<_> = text.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn every_file_has_the_sentences_of_the_table_in_its_order() {
        let table: Vec<_> = KEYS.iter().map(|(name, many)| (name.to_lowercase(), *many)).collect();
        for language in Language::ALL {
            let file: Vec<_> = entries(language).into_iter().map(|(key, texts)| (key, texts.len())).collect();
            assert_eq!(file, table, "{language:?}");
            assert!(Words::of(list(language)).is_some(), "{language:?}");
        }
    }

    #[test]
    fn a_sentence_has_the_same_placeholders_in_every_language() {
        let english = entries(Language::English);
        for language in Language::ALL {
            for ((key, ours), (_, theirs)) in english.iter().zip(entries(language)) {
                for (ours, theirs) in ours.iter().zip(&theirs) {
                    assert_eq!(placeholders(ours), placeholders(theirs), "{language:?} {key}: {theirs}");
                    assert!(!theirs.trim().is_empty() && theirs.trim() == theirs, "{language:?} {key}: \"{theirs}\"");
                }
            }
        }
    }

    #[test]
    fn no_sentence_promises_what_an_operator_may_not_do() {
        let english = [" free", "we also email", "working day", "!", "oops", "please"];
        let spanish = ["gratis", "gratuit", "enviamos una copia", "día hábil", "!", "¡", "por favor", "ups"];
        for (language, banned) in [(Language::English, &english[..]), (Language::Spanish, &spanish[..])] {
            for (key, texts) in entries(language) {
                for word in banned {
                    assert!(!texts.concat().to_lowercase().contains(word), "{language:?} {key}: {word}");
                }
            }
        }
    }

    #[test]
    fn a_list_of_another_length_is_refused() {
        let mut list = list(Language::English);
        assert_eq!(Words::of(list.clone()).unwrap().text(w::BACK), "Back");
        list.pop();
        assert!(Words::of(list.clone()).is_none());
        list.extend(["one", "two"]);
        assert!(Words::of(list).is_none());
    }

    #[test]
    fn every_file_says_which_language_it_is() {
        for language in Language::ALL {
            assert_eq!(&flow_words(language)[w::LANG], language.tag());
        }
    }
}
