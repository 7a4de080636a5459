//! Reads named values one by one and notes every rule they break.

use std::borrow::Cow;

use crate::error::Violations;
use crate::text::{is_clean, is_clean_block};

/// Characters a line of text may have at most.
pub const MAX_TEXT: usize = 500;
/// Characters a link may have at most.
pub const MAX_LINK: usize = 2_048;

/// The named values of a query, a form or a JSON object, as they came.
#[derive(Debug, Clone, Default)]
pub struct Fields<'a> {
    entries: Vec<(Cow<'a, str>, Option<Cow<'a, str>>)>,
}

/// What a request says under one name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given<'a> {
    Nothing,
    Text(&'a str),
    /// Sent more than once, or as something other than text.
    NotText,
}

impl<'a> Fields<'a> {
    pub fn from_pairs<N, V>(pairs: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: Into<Cow<'a, str>>,
        V: Into<Cow<'a, str>>,
    {
        Self { entries: pairs.into_iter().map(|(name, value)| (name.into(), Some(value.into()))).collect() }
    }

    pub fn push(&mut self, name: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) {
        self.entries.push((name.into(), Some(value.into())));
    }

    /// A value that is no text: a number, list or object of a JSON body. `null` counts as not sent.
    pub fn push_not_text(&mut self, name: impl Into<Cow<'a, str>>) {
        self.entries.push((name.into(), None));
    }

    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(n, _)| n == name)
    }

    pub(super) fn given(&self, name: &str) -> Given<'_> {
        let mut found = self.entries.iter().filter(|(n, _)| n == name);
        match (found.next(), found.next()) {
            (None, _) => Given::Nothing,
            (Some((_, Some(text))), None) => Given::Text(text),
            _ => Given::NotText,
        }
    }
}

/// Whether a request may leave a field out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    Optional,
}

pub(super) const UUID: &str = "must be a UUID";
pub(super) const COLOR: &str = "must be a hexadecimal color";
pub(super) const LINK: &str = "must be a URL address";
pub(super) const EMAIL: &str = "must be an email";
pub(super) const PHONE: &str = r"must match /^\(\d{3}\) \d{3}-\d{4}$/ regular expression";
pub(super) const PRICE: &str = "value must be a decimal greater than 0 with at most 2 decimal places";
const STRING: &str = "must be a string";
const NOT_EMPTY: &str = "should not be empty";
const BOOLEAN: &str = "must be a boolean value";
const CLEAN: &str = "must not contain control characters";

/// Reads fields in the order it is asked for them. A method answers `None` when the field is absent or wrong.
pub(super) struct Reader<'a> {
    fields: &'a Fields<'a>,
    pub(super) broken: Violations,
}

impl<'a> Reader<'a> {
    pub(super) fn new(fields: &'a Fields<'a>) -> Self {
        Self { fields, broken: Violations::default() }
    }

    pub(super) fn breaks(&mut self, name: &str, rule: &str) {
        self.broken.0.push(format!("{name} {rule}"));
    }

    /// Any text but the empty one.
    pub(super) fn text(&mut self, name: &str, presence: Presence) -> Option<&'a str> {
        let text = self.filled(name, presence, None)?;
        self.line(name, text)
    }

    /// As [`Self::text`], with line breaks.
    pub(super) fn block(&mut self, name: &str, presence: Presence) -> Option<&'a str> {
        let text = self.filled(name, presence, None)?;
        self.lines(name, text, MAX_TEXT)
    }

    /// Any text, the empty one too; may be left out.
    pub(super) fn free_text(&mut self, name: &str) -> Option<&'a str> {
        match self.fields.given(name) {
            Given::Nothing => None,
            Given::Text(text) => self.line(name, text),
            Given::NotText => {
                self.breaks(name, STRING);
                None
            }
        }
    }

    /// A text that `parse` understands. When the text is missing or empty, that is said and `rule` with it.
    pub(super) fn formatted<T>(
        &mut self,
        name: &str,
        presence: Presence,
        parse: fn(&str) -> Option<T>,
        rule: &str,
    ) -> Option<T> {
        let text = self.filled(name, presence, Some(rule))?;
        self.understood(name, parse, text, rule)
    }

    /// As [`Self::formatted`], but `rule` only speaks when there is something to judge.
    pub(super) fn formatted_if_filled<T>(
        &mut self,
        name: &str,
        presence: Presence,
        parse: fn(&str) -> Option<T>,
        rule: &str,
    ) -> Option<T> {
        let text = self.filled(name, presence, None)?;
        self.understood(name, parse, text, rule)
    }

    /// A value that may be left out and otherwise has this one rule.
    pub(super) fn optional<T>(&mut self, name: &str, parse: fn(&str) -> Option<T>, rule: &str) -> Option<T> {
        match self.fields.given(name) {
            Given::Nothing => None,
            Given::Text(text) => self.understood(name, parse, text, rule),
            Given::NotText => {
                self.breaks(name, rule);
                None
            }
        }
    }

    /// One of a list of words, which is the only rule: a missing word is a wrong word.
    pub(super) fn word<T>(
        &mut self,
        name: &str,
        presence: Presence,
        parse: fn(&str) -> Option<T>,
        words: &[&str],
    ) -> Option<T> {
        let value = match self.fields.given(name) {
            Given::Nothing if presence == Presence::Optional => return None,
            Given::Text(text) => parse(text),
            _ => None,
        };
        if value.is_none() {
            self.breaks(name, &one_of(words));
        }
        value
    }

    pub(super) fn boolean(&mut self, name: &str) -> Option<bool> {
        fn parse(text: &str) -> Option<bool> {
            match text {
                "1" => Some(true),
                "0" => Some(false),
                _ if text.eq_ignore_ascii_case("true") => Some(true),
                _ if text.eq_ignore_ascii_case("false") => Some(false),
                _ => None,
            }
        }
        self.optional(name, parse, BOOLEAN)
    }

    /// Line breaks allowed; at most `most` characters.
    pub(super) fn lines(&mut self, name: &str, text: &'a str, most: usize) -> Option<&'a str> {
        let clean = is_clean_block(text);
        self.kept(name, text, clean, most)
    }

    fn line(&mut self, name: &str, text: &'a str) -> Option<&'a str> {
        let clean = is_clean(text);
        self.kept(name, text, clean, MAX_TEXT)
    }

    fn kept(&mut self, name: &str, text: &'a str, clean: bool, most: usize) -> Option<&'a str> {
        let long = is_longer(text, most);
        if !clean {
            self.breaks(name, CLEAN);
        }
        if long {
            self.breaks(name, &at_most(most));
        }
        (clean && !long).then_some(text)
    }

    fn understood<T>(&mut self, name: &str, parse: fn(&str) -> Option<T>, text: &str, rule: &str) -> Option<T> {
        if is_longer(text, MAX_LINK) {
            self.breaks(name, &at_most(MAX_LINK));
            return None;
        }
        let value = parse(text);
        if value.is_none() {
            self.breaks(name, rule);
        }
        value
    }

    fn filled(&mut self, name: &str, presence: Presence, format: Option<&str>) -> Option<&'a str> {
        let (not_text, empty) = match self.fields.given(name) {
            Given::Text("") => (false, true),
            Given::Text(text) => return Some(text),
            Given::NotText => (true, false),
            Given::Nothing if presence == Presence::Optional => return None,
            Given::Nothing => (true, true),
        };
        if not_text {
            self.breaks(name, STRING);
        }
        if empty {
            self.breaks(name, NOT_EMPTY);
        }
        if let Some(format) = format {
            self.breaks(name, format);
        }
        None
    }
}

pub(super) fn one_of(words: &[&str]) -> String {
    format!("must be one of the following values: {}", words.join(", "))
}

pub(super) fn at_most(most: usize) -> String {
    format!("must be shorter than or equal to {most} characters")
}

pub(super) fn is_longer(text: &str, most: usize) -> bool {
    // A text has at least as many bytes as characters: most texts are settled by their length alone.
    text.len() > most && text.chars().count() > most
}

impl Violations {
    /// The value, unless a rule was broken.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    pub(crate) fn one(message: String) -> Self {
        Self(vec![message])
    }
}
