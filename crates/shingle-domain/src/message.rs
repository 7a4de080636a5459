//! Messages as data: an enum of what can be said, each with its values, instead of a finished sentence. `Display` gives the
//! English, which programs read; a [`Catalog`] gives people their language. A [`Message`] is any of these variants as data that
//! can be stored, so that it is said later in the language of its reader.
//!
//! ```
//! use shingle_domain::message::{Catalog, ToMessage};
//!
//! shingle_domain::messages! {
//!     #[derive(Debug, Clone, PartialEq, Eq)]
//!     pub enum DoorProblem {
//!         Closed => "the door is closed",
//!         Locked { keys: usize } => "the door has {keys} locks",
//!     }
//! }
//!
//! let problem = DoorProblem::Locked { keys: 2 };
//! assert_eq!(problem.to_string(), "the door has 2 locks");
//! let spanish = Catalog::new([("DoorProblem.Locked", "la puerta tiene {keys} cerraduras")]);
//! assert_eq!(problem.to_message().said(&spanish), "la puerta tiene 2 cerraduras");
//! ```
//!
//! # Decision
//!
//! A message is a variant with its values. Its English is part of the variant's declaration; any other language is one
//! file with a sentence for each variant. Turned down: finished English sentences that are later recognized by patterns, which no
//! compiler checks; a `match` per language, which makes a language a change in every crate.

use core::fmt;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Something that can be said in every language.
pub trait ToMessage {
    fn to_message(&self) -> Message;
}

/// What is said, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Message {
    /// The same in every language: a name, a number, what another server says.
    Text(String),
    /// With commas between.
    List(Vec<Self>),
    Sentence {
        /// The name of its variant: `Rule.NotEmpty`.
        key: Cow<'static, str>,
        /// What is said where a language has no sentence for the key.
        english: Cow<'static, str>,
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        values: BTreeMap<Cow<'static, str>, Self>,
    },
}

impl Message {
    pub fn new<const N: usize>(key: &'static str, english: &'static str, values: [(&'static str, Self); N]) -> Self {
        let values = values.into_iter().map(|(name, value)| (name.into(), value)).collect();
        Self::Sentence { key: key.into(), english: english.into(), values }
    }

    /// The name of its variant; `None` for texts and lists.
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Sentence { key, .. } => Some(key),
            _ => None,
        }
    }

    /// What is filled in under this name.
    pub fn value(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Sentence { values, .. } => values.get(name),
            _ => None,
        }
    }

    /// Changes every text that is the same in every language.
    pub fn map_texts(self, change: &dyn Fn(String) -> String) -> Self {
        match self {
            Self::Text(text) => Self::Text(change(text)),
            Self::List(list) => Self::List(list.into_iter().map(|one| one.map_texts(change)).collect()),
            Self::Sentence { key, english, values } => {
                let values = values.into_iter().map(|(name, value)| (name, value.map_texts(change))).collect();
                Self::Sentence { key, english, values }
            }
        }
    }

    /// In the language of the catalog; in English what it has no sentence for.
    pub fn said(&self, catalog: &Catalog) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::List(list) => list.iter().map(|one| one.said(catalog)).collect::<Vec<_>>().join(", "),
            Self::Sentence { key, english, values } => {
                let sentence = catalog.sentences.get(&**key).map_or(&**english, String::as_str);
                filled(sentence, values, catalog)
            }
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said(&Catalog::ENGLISH))
    }
}

fn filled(sentence: &str, values: &BTreeMap<Cow<'static, str>, Message>, catalog: &Catalog) -> String {
    let (mut filled, mut rest) = (String::with_capacity(sentence.len()), sentence);
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        filled.push_str(before);
        let found = from.find('}').and_then(|end| {
            let name = &from[1..end];
            let said = |name: &str| Some(values.get(name)?.said(catalog));
            if let Some((name, forms)) = name.split_once('|') {
                let (one, many) = forms.split_once('|')?;
                let form = if said(name)? == "1" { one } else { many };
                return Some((end, form.to_owned()));
            }
            let value = said(name);
            let capital = || Some(capitalized(&values.get(name.strip_prefix('^')?)?.said(catalog)));
            Some((end, value.or_else(capital)?))
        });
        // A brace that names no value is part of the sentence.
        let len = match found {
            Some((end, value)) => {
                filled.push_str(&value);
                end + 1
            }
            None => {
                filled.push('{');
                1
            }
        };
        rest = &from[len..];
    }
    filled + rest
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The sentences of one language, by the names of their variants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalog {
    sentences: BTreeMap<String, String>,
}

impl Catalog {
    /// Empty, because each variant carries its English.
    pub const ENGLISH: Self = Self { sentences: BTreeMap::new() };

    pub fn new<K: Into<String>, S: Into<String>>(sentences: impl IntoIterator<Item = (K, S)>) -> Self {
        let own = |(key, sentence): (K, S)| (key.into(), sentence.into());
        Self { sentences: sentences.into_iter().map(own).collect() }
    }
}

/// Declares an enum of messages: each variant with its values, and its English sentence with a `{name}` for each value
/// that is said, or `{^name}` for one that begins with a capital there. What depends on a number has a form for one and a
/// form for all others: `{rows} {rows|row is|rows are} empty`.
#[macro_export]
macro_rules! messages {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident $({ $($(#[$field_meta:meta])* $field:ident: $type:ty),* $(,)? })? => $english:literal
            ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$variant_meta])* $variant $({ $($(#[$field_meta])* $field: $type),* })?),*
        }

        impl $name {
            /// The key of each sentence, and its English.
            pub const SENTENCES: &'static [(&'static str, &'static str)] =
                &[$((concat!(stringify!($name), ".", stringify!($variant)), $english)),*];
        }

        impl $crate::message::ToMessage for $name {
            fn to_message(&self) -> $crate::message::Message {
                match self {
                    $(Self::$variant $({ $($field),* })? => $crate::message::Message::new(
                        concat!(stringify!($name), ".", stringify!($variant)),
                        $english,
                        [$($((stringify!($field), $crate::message::ToMessage::to_message($field))),*)?],
                    ),)*
                }
            }
        }

        impl core::fmt::Display for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                $crate::message::ToMessage::to_message(self).fmt(f)
            }
        }

        impl core::error::Error for $name {}

        impl From<$name> for $crate::message::Message {
            fn from(one: $name) -> Self {
                $crate::message::ToMessage::to_message(&one)
            }
        }
    };
}

macro_rules! the_same_in_every_language {
    ($($type:ty),* $(,)?) => {$(
        impl ToMessage for $type {
            fn to_message(&self) -> Message {
                Message::Text(self.to_string())
            }
        }
    )*};
}
the_same_in_every_language!(&str, String, Cow<'_, str>, char, bool, u8, u16, u32, u64, usize, i32, i64, f64);

impl ToMessage for Message {
    fn to_message(&self) -> Message {
        self.clone()
    }
}

impl ToMessage for Path {
    fn to_message(&self) -> Message {
        Message::Text(self.display().to_string())
    }
}

impl ToMessage for PathBuf {
    fn to_message(&self) -> Message {
        self.as_path().to_message()
    }
}

/// As the system says it.
impl ToMessage for std::io::Error {
    fn to_message(&self) -> Message {
        Message::Text(self.to_string())
    }
}

/// Whole seconds.
impl ToMessage for Duration {
    fn to_message(&self) -> Message {
        Message::Text(self.as_secs().to_string())
    }
}

impl<T: ToMessage + ?Sized> ToMessage for Box<T> {
    fn to_message(&self) -> Message {
        (**self).to_message()
    }
}

impl<T: ToMessage> ToMessage for Vec<T> {
    fn to_message(&self) -> Message {
        Message::List(self.iter().map(ToMessage::to_message).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    messages! {
        #[derive(Debug, Clone, PartialEq, Eq)]
        enum Weather {
            Dry => "no rain",
            Wet { hours: u32, towns: Vec<&'static str> } => "{hours} {hours|hour|hours} of rain in {towns}",
            Because { why: Box<Weather>, pattern: &'static str } => "{why}, says {pattern} {2} {",
            Title { why: Box<Weather> } => "{^why}",
        }
    }

    #[test]
    fn values_are_put_in_once_and_other_braces_stay() {
        let wet = Weather::Wet { hours: 2, towns: vec!["Bath", "{hours}"] };
        assert_eq!(wet.to_string(), "2 hours of rain in Bath, {hours}");
        let because = Weather::Because { why: Box::new(wet), pattern: "{why}" };
        assert_eq!(because.to_string(), "2 hours of rain in Bath, {hours}, says {why} {2} {");
        let text = Weather::Because { why: Box::new(Weather::Dry), pattern: "{pattern|a|b} {x|y}" };
        assert_eq!(text.to_string(), "no rain, says {pattern|a|b} {x|y} {2} {");
    }

    #[test]
    fn a_catalog_says_values_in_its_language_too_and_english_where_it_has_no_sentence() {
        let spanish = Catalog::new([("Weather.Dry", "sin lluvia"), ("Weather.Because", "{pattern}: {why}")]);
        let because = Weather::Because { why: Box::new(Weather::Dry), pattern: "Ana" };
        assert_eq!(because.to_message().said(&spanish), "Ana: sin lluvia");
        assert_eq!(Weather::Title { why: Box::new(Weather::Dry) }.to_message().said(&spanish), "Sin lluvia");
        assert_eq!(
            Weather::Wet { hours: 1, towns: vec!["Bath"] }.to_message().said(&spanish),
            "1 hour of rain in Bath"
        );
        assert_eq!(Weather::SENTENCES[0], ("Weather.Dry", "no rain"));
    }

    #[test]
    fn a_stored_message_is_said_later_in_any_language() {
        let wet = Weather::Wet { hours: 2, towns: vec!["Bath", "Saco"] };
        let because = Weather::Because { why: Box::new(wet), pattern: "x" }.to_message();
        let stored = serde_json::to_string(&because).unwrap();
        let read: Message = serde_json::from_str(&stored).unwrap();
        assert_eq!(read, because);
        let spanish = Catalog::new([("Weather.Wet", "{hours} horas de lluvia en {towns}")]);
        assert_eq!(read.said(&spanish), "2 horas de lluvia en Bath, Saco, says x {2} {");
        let loud = because.map_texts(&|text| text.to_uppercase());
        assert_eq!(loud.to_string(), "2 hours of rain in BATH, SACO, says X {2} {");
        assert_eq!(
            serde_json::to_string(&Weather::Dry.to_message()).unwrap(),
            r#"{"key":"Weather.Dry","english":"no rain"}"#
        );
    }
}
