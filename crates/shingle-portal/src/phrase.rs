//! The sentences of the portal. The code has them in English; `www/words/portal-es.json` has the Spanish of each. Where one
//! English word is two in Spanish, the code has two. `www/words/README.md` has the glossary.

use std::collections::HashMap;
use std::sync::OnceLock;

use shingle_domain::Language;
use shingle_widget::view::Text;
#[cfg(debug_assertions)]
use shingle_widget::words::pseudo;
use shingle_widget::words::{fill, flow_words};

/// One of our sentences in a language. What has no translation stays as it is.
pub fn translated(language: Language, english: &str) -> &str {
    match language {
        Language::English => english,
        Language::Spanish => spanish().get(english).map_or(english, String::as_str),
    }
}

/// A sentence with something to fill in: `{name}`.
pub fn phrase(language: Language, english: &str, with: &[(&str, &str)]) -> String {
    fill(translated(language, english), with)
}

/// With a capital, at the start of a line. Names of servers stay as they are.
pub fn capital(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let mut chars = text.chars();
    match chars.next() {
        Some(first) if !word.contains(['.', ':', '/', '@']) || word.ends_with(':') => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

/// A text that is ours or was made, as people read it.
pub(crate) fn read(text: &Text, language: Language) -> String {
    match text {
        Text::Fixed(ours) => translated(language, ours).to_owned(),
        Text::Made(made) => made.clone(),
        Text::Word(word) => flow_words(language).text(*word).to_owned(),
    }
}

fn spanish() -> &'static HashMap<String, String> {
    static READ: OnceLock<HashMap<String, String>> = OnceLock::new();
    // A malformed file fails the tests; here it can only leave sentences in English.
    READ.get_or_init(|| {
        let read: HashMap<String, String> = crate::packed_words::read(crate::packed_words::SENTENCES);
        #[cfg(debug_assertions)]
        let with_accents = |english: String| {
            let said = pseudo::accented(&english);
            (english, said)
        };
        #[cfg(debug_assertions)]
        let read = match pseudo::replaces_spanish() {
            true => read.into_keys().map(with_accents).collect(),
            false => read,
        };
        read
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_keeps_its_placeholders() {
        let read: HashMap<String, String> =
            serde_json::from_str(include_str!("../../../www/words/portal-es.json")).unwrap();
        let names = |text: &str| {
            let mut names: Vec<String> =
                text.split('{').skip(1).map(|rest| rest.split('}').next().unwrap().to_owned()).collect();
            names.sort_unstable();
            names
        };
        assert!(!read.is_empty());
        for (english, spanish) in &read {
            assert_eq!(names(english), names(spanish), "{english}");
            assert!(!spanish.trim().is_empty(), "{english}");
        }
        assert_eq!(spanish().len(), read.len());
        assert_eq!(phrase(Language::Spanish, "Not in the file: {a}", &[("a", "1")]), "Not in the file: 1");
        assert_eq!(translated(Language::Spanish, "Settings"), "Ajustes");
    }

    #[test]
    fn a_line_begins_with_a_capital_and_a_server_keeps_its_name() {
        assert_eq!(capital("there is no server named x.example"), "There is no server named x.example");
        assert_eq!(capital("x.example says no"), "x.example says no");
        assert_eq!((capital("émail"), capital("")), ("Émail".to_owned(), String::new()));
    }
}
