//! The sentences of the portal. The code has them in English; `www/words/portal-es.json` has the Spanish of each.

use std::collections::HashMap;
use std::sync::OnceLock;

use shingle_widget::words::{Language, fill};

/// One of our sentences in a language. What has no translation stays as it is.
pub fn translated(language: Language, english: &str) -> &str {
    match language {
        Language::English => english,
        Language::Spanish => spanish().get(english).copied().unwrap_or(english),
    }
}

/// A sentence with something to fill in: `{name}`.
pub fn phrase(language: Language, english: &str, with: &[(&str, &str)]) -> String {
    fill(translated(language, english), with)
}

fn spanish() -> &'static HashMap<&'static str, &'static str> {
    static READ: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    // A malformed file fails the tests; here it can only leave sentences in English.
    READ.get_or_init(|| serde_json::from_str(include_str!("../../../www/words/portal-es.json")).unwrap_or_default())
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
                text.split('{').skip(1).map(|rest| rest.split_once('}').unwrap().0.to_owned()).collect();
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
}
