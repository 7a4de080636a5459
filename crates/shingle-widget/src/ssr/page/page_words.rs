//! What only pages say.

use std::sync::LazyLock;

use serde::Deserialize;

use shingle_domain::Language;

use crate::words::in_language;

/// What only a page says, and the runtime never.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageWords {
    /// What a widget says whose owner wrote no text of their own.
    pub button_text: String,
    pub first_page_title: String,
    pub description: String,
    pub picture: String,
    pub failed: String,
    pub go_on: String,
    pub again: String,
    pub home: String,
    pub address_empty: String,
    pub address_unfit: String,
    pub many_go: String,
    pub many_nothing: [String; 2],
    pub answers_go: String,
    pub old_form: [String; 2],
    pub foreign_form: [String; 2],
    pub too_many: [String; 2],
    pub broken: [String; 2],
    pub over: [String; 2],
    pub privacy_title: [String; 2],
    pub privacy_who: [String; 1],
    pub privacy_entered: [String; 3],
    pub privacy_proof: [String; 3],
    pub privacy_gets: [String; 6],
    pub privacy_device: [String; 3],
    pub privacy_kept: [String; 4],
    pub privacy_rights: [String; 3],
}

impl PageWords {
    pub fn of(language: Language) -> &'static Self {
        static TABLES: LazyLock<[PageWords; 2]> = LazyLock::new(|| {
            let files = [
                include_str!("../../../../../www/words/page/en.json"),
                include_str!("../../../../../www/words/page/es.json"),
            ];
            Language::ALL.map(|language| serde_json::from_str(&in_language(language, files)).unwrap_or_default())
        });
        &TABLES[language as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_english_texts_of_ours_are_the_records_defaults() {
        let ours = PageWords::of(Language::English);
        assert_eq!(ours.button_text, shingle_domain::widget::DEFAULT_BUTTON_TEXT);
        assert_eq!(ours.first_page_title, shingle_domain::widget::DEFAULT_FIRST_PAGE_TITLE);
    }

    #[test]
    fn both_tables_are_whole_and_fill_the_same_gaps() {
        let gaps = |text: &str| {
            let mut gaps: Vec<String> = text.split('{').skip(1).map(|t| t.split('}').next().unwrap().into()).collect();
            gaps.sort();
            gaps
        };
        let tables = Language::ALL.map(|l| {
            let text = match l {
                Language::English => include_str!("../../../../../www/words/page/en.json"),
                Language::Spanish => include_str!("../../../../../www/words/page/es.json"),
            };
            serde_json::from_str::<PageWords>(text).unwrap();
            serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).unwrap()
        });
        for (name, english) in &tables[0] {
            assert_eq!(gaps(&english.to_string()), gaps(&tables[1][name].to_string()), "{name}");
        }
    }
}
