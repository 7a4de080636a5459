//! A language that nobody speaks, for tests: the English with an accent on each letter, and a third longer. What a page says
//! without an accent has no translation, and what leaves the screen has no room for one.
//!
//! # Decision
//!
//! Only debug builds have it: `shingle serve --pseudo` puts it in the place of Spanish, so the browser's tests need no
//! further build of the server, and a release has neither the flag nor a line of this. Turned down: a feature of cargo,
//! which would build half of the workspace once more for one test; a variant of `Language`, which every `match` would
//! have to name.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

static SPEAKS: AtomicBool = AtomicBool::new(false);

/// Before the first word is said.
pub fn replace_spanish() {
    SPEAKS.store(true, Ordering::Relaxed);
}

pub fn replaces_spanish() -> bool {
    SPEAKS.load(Ordering::Relaxed)
}

/// Each sentence of a file of words.
pub(crate) fn file(english: &str) -> Cow<'static, str> {
    let mut read: Value = serde_json::from_str(english).unwrap_or_default();
    for (key, value) in read.as_object_mut().into_iter().flatten() {
        if key == "lang" {
            // What the page says of itself stays: the browser is told Spanish.
            *value = "es".into();
        } else {
            accent(value);
        }
    }
    read.to_string().into()
}

fn accent(value: &mut Value) {
    match value {
        Value::String(text) => *text = accented(text),
        Value::Array(group) => group.iter_mut().for_each(accent),
        _ => {}
    }
}

const PLAIN: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTED: &str = "áƀçđéƒğĥíĵķľḿñóṕʠřšţúṽŵẋýžÁɃÇĐÉƑĞĤÍĴĶĽḾÑÓṔɊŘŠŢÚṼŴẊÝŽ";

/// Every third letter is doubled, so that words stay words. `{names}` stay as they are.
pub fn accented(text: &str) -> String {
    let (mut out, mut letters, mut is_name) = (String::with_capacity(text.len() * 3), 0_usize, false);
    for c in text.chars() {
        is_name = c == '{' || (is_name && c != '}');
        let letter = PLAIN.find(c).filter(|_| !is_name).and_then(|at| ACCENTED.chars().nth(at));
        out.push(letter.unwrap_or(c));
        if let Some(letter) = letter {
            letters += 1;
            if letters.is_multiple_of(3) {
                out.extend(letter.to_lowercase());
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_a_third_longer_and_keeps_its_names() {
        assert_eq!(accented("Call {phone} now."), "Çáľľľ {phone} ñóóŵ.");
        let sentence = "Type your address, see the roof from above.";
        let longer = accented(sentence).chars().count() as f64 / sentence.chars().count() as f64;
        assert!((1.2..1.4).contains(&longer), "{longer}");
        assert!(accented(PLAIN).chars().all(|c| !c.is_ascii()));
    }

    #[test]
    fn a_file_keeps_its_order_and_says_that_it_is_spanish() {
        let made = file(r#"{"lang": "en", "z": "Back", "a": ["Close", "{n} of"]}"#);
        assert_eq!(made, r#"{"lang":"es","z":"Ƀáççķ","a":["Çľóóšé","{n} óƒ"]}"#);
    }
}
