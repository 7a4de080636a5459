//! Messages that other crates have as data, as people read them. `www/words/messages-es.json` has the Spanish sentence of
//! each variant.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use shingle_domain::Language;
use shingle_domain::message::{Catalog, ToMessage};
#[cfg(debug_assertions)]
use shingle_widget::words::pseudo;

use crate::packed_words;

/// The sentences of a language.
pub fn catalog(language: Language) -> &'static Catalog {
    static ENGLISH: Catalog = Catalog::ENGLISH;
    static SPANISH: OnceLock<Catalog> = OnceLock::new();
    match language {
        Language::English => &ENGLISH,
        // A malformed file fails the tests; here it can only leave messages in English.
        Language::Spanish => SPANISH.get_or_init(|| {
            let read: BTreeMap<String, String> = packed_words::read(packed_words::MESSAGES).into_iter().collect();
            #[cfg(debug_assertions)]
            let read = match pseudo::replaces_spanish() {
                // Of the Spanish, because only the variants themselves have the English.
                true => read.into_iter().map(|(name, said)| (name, pseudo::accented(&said))).collect(),
                false => read,
            };
            Catalog::new(read)
        }),
    }
}

/// A message in a language.
pub fn say(language: Language, message: &dyn ToMessage) -> String {
    message.to_message().said(catalog(language))
}
