//! The Spanish words of the portal, compressed by the build: as text they are a hundredth of the program.

use std::collections::HashMap;

use shingle_packed::unpacked_text;

pub static MESSAGES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/messages-es.br"));
pub static SENTENCES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/portal-es.br"));

/// A malformed file fails the tests; here it can only leave words in English.
pub fn read(packed: &[u8]) -> HashMap<String, String> {
    serde_json::from_str(&unpacked_text(packed)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_files() {
        let words = |text: &str| serde_json::from_str::<HashMap<String, String>>(text).unwrap();
        let messages = words(include_str!("../../../www/words/messages-es.json"));
        let sentences = words(include_str!("../../../www/words/portal-es.json"));
        assert_eq!(read(MESSAGES), messages);
        assert_eq!(read(SENTENCES), sentences);
    }
}
