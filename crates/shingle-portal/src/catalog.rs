//! Messages that other crates have as data, as people read them. `www/words/messages-es.json` has the Spanish sentence of
//! each variant.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use shingle_domain::Language;
use shingle_domain::message::{Catalog, Message, ToMessage};
#[cfg(debug_assertions)]
use shingle_widget::words::pseudo;

use crate::phrase::retold;

/// The sentences of a language.
pub fn catalog(language: Language) -> &'static Catalog {
    static ENGLISH: Catalog = Catalog::ENGLISH;
    static SPANISH: OnceLock<Catalog> = OnceLock::new();
    match language {
        Language::English => &ENGLISH,
        // A malformed file fails the tests; here it can only leave messages in English.
        Language::Spanish => SPANISH.get_or_init(|| {
            let mut read: BTreeMap<String, String> =
                serde_json::from_str(include_str!("../../../www/words/messages-es.json")).unwrap_or_default();
            #[cfg(debug_assertions)]
            if pseudo::replaces_spanish() {
                // Of the Spanish, because only the variants themselves have the English.
                read.values_mut().for_each(|sentence| *sentence = pseudo::accented(sentence));
            }
            Catalog::new(read)
        }),
    }
}

/// A message that was stored. Texts of other parts of Shingle in it are found by their patterns.
pub fn retell(language: Language, message: &Message) -> String {
    message.clone().map_texts(&|text| retold(language, &text)).said(catalog(language))
}

/// A message in a language.
pub fn say(language: Language, message: &dyn ToMessage) -> String {
    message.to_message().said(catalog(language))
}
