//! Which language a visitor reads, and what only pages say in it.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::words::Language;

impl Language {
    /// The best of an `Accept-Language` header. English when it names none of ours.
    pub fn accepted(header: &str) -> Self {
        let mut best: Option<(f32, Self)> = None;
        for part in header.split(',') {
            let (code, weight) = part.split_once(';').unwrap_or((part, "q=1"));
            let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(1.0);
            let language = if code.trim() == "*" { Some(Self::English) } else { Self::parse(code) };
            // Of equals the first named.
            if let Some(language) = language.filter(|_| weight > best.map_or(0.0, |(most, _)| most)) {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language).unwrap_or(Self::English)
    }

    /// What only a page says, and the runtime never.
    pub fn page_words(self) -> &'static PageWords {
        static TABLES: LazyLock<[PageWords; 2]> = LazyLock::new(|| {
            let read = |table| serde_json::from_str(table).unwrap_or_default();
            [
                read(include_str!("../../../../../www/words/page/en.json")),
                read(include_str!("../../../../../www/words/page/es.json")),
            ]
        });
        &TABLES[self as usize]
    }
}

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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_a_visitor_likes_best_is_taken() {
        for (header, language) in [
            ("", Language::English),
            ("de-DE,de;q=0.9", Language::English),
            ("es-MX,es;q=0.9,en;q=0.8", Language::Spanish),
            ("en-US,en;q=0.9,es;q=0.8", Language::English),
            ("fr, es;q=0.5, en;q=0.3", Language::Spanish),
            ("en;q=0.2, ES_us;q=0.7", Language::Spanish),
            ("es;q=0", Language::English),
            ("*, es;q=0.5", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
        assert_eq!(Language::parse("es-419"), Some(Language::Spanish));
        assert_eq!(Language::parse("est"), None);
    }

    #[test]
    fn the_english_texts_of_ours_are_the_records_defaults() {
        let ours = Language::English.page_words();
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
