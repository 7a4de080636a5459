//! Reads named values one by one and records every rule they break.

use std::borrow::Cow;

use crate::money::Usd;
use crate::text::{is_clean, is_clean_block};
use crate::violation::{Rule, Violations};

/// Characters of a line of text.
pub const MAX_TEXT: usize = 500;
/// Characters of a link.
pub const MAX_LINK: usize = 2_048;

/// The named values of a query, a form or a JSON object, as received.
#[derive(Debug, Clone, Default)]
pub struct Fields<'a> {
    entries: Vec<(Cow<'a, str>, FieldItem<'a>)>,
}

/// A value of a form or a JSON object.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldItem<'a> {
    Text(Cow<'a, str>),
    Number(f64),
    Boolean(bool),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
    Null,
}

impl FieldItem<'_> {
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// The value that a request has under one name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FieldValue<'a> {
    Nothing,
    Text(&'a str),
    Number(f64),
    Boolean(bool),
    List(&'a [FieldItem<'a>]),
    Object(&'a [(String, FieldItem<'a>)]),
    /// Sent more than once.
    Twice,
}

impl<'a> Fields<'a> {
    pub fn from_pairs<N, V>(pairs: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: Into<Cow<'a, str>>,
        V: Into<Cow<'a, str>>,
    {
        let text = |(name, value): (N, V)| (name.into(), FieldItem::Text(value.into()));
        Self { entries: pairs.into_iter().map(text).collect() }
    }

    pub fn push(&mut self, name: impl Into<Cow<'a, str>>, value: impl Into<Cow<'a, str>>) {
        self.push_item(name, FieldItem::Text(value.into()));
    }

    /// A member of a JSON body. `null` counts as not sent.
    pub fn push_item(&mut self, name: impl Into<Cow<'a, str>>, item: FieldItem<'a>) {
        if item != FieldItem::Null {
            self.entries.push((name.into(), item));
        }
    }

    /// Every name that was sent.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|(name, _)| &**name)
    }

    pub fn has(&self, name: &str) -> bool {
        self.entries.iter().any(|(n, _)| n == name)
    }

    /// A text that was sent once.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.value(name) {
            FieldValue::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn value(&self, name: &str) -> FieldValue<'_> {
        let mut found = self.entries.iter().filter(|(n, _)| n == name);
        match (found.next(), found.next()) {
            (None, _) => FieldValue::Nothing,
            (Some(_), Some(_)) => FieldValue::Twice,
            (Some((_, item)), None) => match item {
                FieldItem::Text(text) => FieldValue::Text(text),
                FieldItem::Number(number) => FieldValue::Number(*number),
                FieldItem::Boolean(value) => FieldValue::Boolean(*value),
                FieldItem::List(list) => FieldValue::List(list),
                FieldItem::Object(members) => FieldValue::Object(members),
                FieldItem::Null => FieldValue::Nothing,
            },
        }
    }
}

/// Whether a request may leave a field out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Required,
    Optional,
}

/// Reads fields in the order of the calls. A method returns `None` when the field is absent or invalid.
pub(super) struct FieldReader<'a> {
    fields: &'a Fields<'a>,
    pub(super) violations: Violations,
}

impl<'a> FieldReader<'a> {
    pub(super) fn new(fields: &'a Fields<'a>) -> Self {
        Self { fields, violations: Violations::default() }
    }

    pub(super) fn violate(&mut self, name: &str, rule: Rule) {
        self.violations.push(name, rule);
    }

    /// As it was sent, for rules of their own.
    pub(super) fn sent(&self, name: &str) -> FieldValue<'a> {
        self.fields.value(name)
    }

    /// A boolean of a JSON body: no text stands for it.
    pub(super) fn json_boolean(&mut self, name: &str) -> Option<bool> {
        match self.fields.value(name) {
            FieldValue::Nothing => None,
            FieldValue::Boolean(value) => Some(value),
            _ => {
                self.violate(name, Rule::Boolean);
                None
            }
        }
    }

    /// Any text except the empty one.
    pub(super) fn text(&mut self, name: &str, presence: Presence) -> Option<&'a str> {
        let text = self.non_empty(name, presence, None)?;
        self.line(name, text)
    }

    /// As [`Self::text`], with line breaks.
    pub(super) fn block(&mut self, name: &str, presence: Presence) -> Option<&'a str> {
        let text = self.non_empty(name, presence, None)?;
        self.lines(name, text, MAX_TEXT)
    }

    /// Any text, also the empty one; may be left out.
    pub(super) fn free_text(&mut self, name: &str) -> Option<&'a str> {
        self.free_text_of(name, MAX_TEXT)
    }

    /// As [`Self::free_text`], of at most `max` characters.
    pub(super) fn free_text_of(&mut self, name: &str, max: usize) -> Option<&'a str> {
        match self.fields.value(name) {
            FieldValue::Nothing => None,
            FieldValue::Text(text) => self.short_line(name, text, max),
            _ => {
                self.violate(name, Rule::Text);
                None
            }
        }
    }

    /// A text that `parse` accepts. A missing or empty text breaks `rule` too.
    pub(super) fn formatted<T>(
        &mut self,
        name: &str,
        presence: Presence,
        parse: fn(&str) -> Option<T>,
        rule: Rule,
    ) -> Option<T> {
        let text = self.non_empty(name, presence, Some(rule.clone()))?;
        self.parsed(name, parse, text, rule)
    }

    /// As [`Self::formatted`], but a missing or empty text does not break `rule`.
    pub(super) fn formatted_if_filled<T>(
        &mut self,
        name: &str,
        presence: Presence,
        parse: fn(&str) -> Option<T>,
        rule: Rule,
    ) -> Option<T> {
        let text = self.non_empty(name, presence, None)?;
        self.parsed(name, parse, text, rule)
    }

    /// A value that may be left out and otherwise has only this rule.
    pub(super) fn optional<T>(&mut self, name: &str, parse: fn(&str) -> Option<T>, rule: Rule) -> Option<T> {
        match self.fields.value(name) {
            FieldValue::Nothing => None,
            FieldValue::Text(text) => self.parsed(name, parse, text, rule),
            _ => {
                self.violate(name, rule);
                None
            }
        }
    }

    /// One of a list of words, which is the only rule: a missing word breaks it too.
    pub(super) fn word<T>(
        &mut self,
        name: &str,
        presence: Presence,
        parse: fn(&str) -> Option<T>,
        words: &[&'static str],
    ) -> Option<T> {
        let value = match self.fields.value(name) {
            FieldValue::Nothing if presence == Presence::Optional => return None,
            FieldValue::Text(text) => parse(text),
            _ => None,
        };
        if value.is_none() {
            self.violate(name, Rule::one_of(words));
        }
        value
    }

    /// How many entries a page has: 1 to `max`.
    pub(super) fn page_size(&mut self, name: &str, usual: u32, max: u32) -> u32 {
        let size = self.optional(name, |t| t.parse::<i64>().ok(), Rule::Integer);
        match size {
            Some(size) if size < 1 => self.violate(name, Rule::Min { min: 1 }),
            Some(size) if size > i64::from(max) => self.violate(name, Rule::Max { max: max.into() }),
            _ => {}
        }
        size.and_then(|size| u32::try_from(size).ok()).unwrap_or(usual)
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
        match self.fields.value(name) {
            FieldValue::Boolean(value) => Some(value),
            _ => self.optional(name, parse, Rule::Boolean),
        }
    }

    /// A price; a JSON body has it as a number.
    pub(super) fn price(&mut self, name: &str) -> Option<Usd> {
        match self.fields.value(name) {
            FieldValue::Number(number) => {
                let price = Usd::parse_price(&number.to_string());
                if price.is_none() {
                    self.violate(name, Rule::Price);
                }
                price
            }
            _ => self.optional(name, Usd::parse_price, Rule::Price),
        }
    }

    /// A text with line breaks and at most `max` characters.
    pub(super) fn lines(&mut self, name: &str, text: &'a str, max: usize) -> Option<&'a str> {
        let clean = is_clean_block(text);
        self.limited(name, text, clean, max)
    }

    fn line(&mut self, name: &str, text: &'a str) -> Option<&'a str> {
        self.short_line(name, text, MAX_TEXT)
    }

    /// A line of at most `max` characters.
    pub(super) fn short_line(&mut self, name: &str, text: &'a str, max: usize) -> Option<&'a str> {
        let clean = is_clean(text);
        self.limited(name, text, clean, max)
    }

    fn limited(&mut self, name: &str, text: &'a str, clean: bool, max: usize) -> Option<&'a str> {
        let long = is_longer(text, max);
        if !clean {
            self.violate(name, Rule::Clean);
        }
        if long {
            self.violate(name, Rule::MaxLength { max });
        }
        (clean && !long).then_some(text)
    }

    fn parsed<T>(&mut self, name: &str, parse: fn(&str) -> Option<T>, text: &str, rule: Rule) -> Option<T> {
        // No format is that long.
        let value = if is_longer(text, MAX_LINK) { None } else { parse(text) };
        if value.is_none() {
            self.violate(name, rule);
        }
        value
    }

    pub(super) fn non_empty(&mut self, name: &str, presence: Presence, format: Option<Rule>) -> Option<&'a str> {
        let (not_text, empty) = match self.fields.value(name) {
            FieldValue::Text("") => (false, true),
            FieldValue::Text(text) => return Some(text),
            FieldValue::Nothing if presence == Presence::Optional => return None,
            FieldValue::Nothing => (true, true),
            _ => (true, false),
        };
        if not_text {
            self.violate(name, Rule::Text);
        }
        if empty {
            self.violate(name, Rule::NotEmpty);
        }
        if let Some(format) = format {
            self.violate(name, format);
        }
        None
    }
}

pub(super) fn is_longer(text: &str, max: usize) -> bool {
    // A text has at least as many bytes as characters: for most texts the number of bytes is enough.
    text.len() > max && text.chars().count() > max
}
