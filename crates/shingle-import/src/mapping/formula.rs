//! How a mapping computes one value from the cells of a row.
//!
//! # Decision
//!
//! Mappings compute with a fixed set of steps, without code: they are reviewed and shared, so they must not run
//! anything. Turned down: an embedded script language.

use std::borrow::Cow;

use regex::Regex;
use serde::{Deserialize, Serialize};
use shingle_domain::messages;

use crate::format::cell;
use crate::mapping::case::{Case, title_case};
use crate::mapping::codes::{Code, Codes};

/// A mapping's value, ready to be read from rows. See [`mapping`](crate::mapping::file) for how it is written.
#[derive(Debug, Clone)]
pub(crate) struct Formula {
    pub origin: Origin,
    /// `None` for a bare column: most are.
    pub steps: Option<Box<Steps>>,
}

#[derive(Debug, Clone)]
pub(crate) enum Origin {
    /// A cell, by its place in the mapping's list of columns.
    Cell(usize),
    Constant(String),
    /// Those that are not blank, with the separator between them.
    Joined(Vec<Formula>, String),
    FirstOf(Vec<Formula>),
    Sum(Vec<Formula>),
    Difference(Box<Formula>, Box<Formula>),
    Product(Vec<Formula>),
}

/// What is done to a value, in this order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Steps {
    /// Texts that mean "nothing" here.
    pub blank: Vec<String>,
    pub pattern: Option<Regex>,
    pub split: Option<Split>,
    pub strip_prefix: Vec<String>,
    pub strip_suffix: Vec<String>,
    pub case: Option<Case>,
    /// Numbers are written `1.234,50`.
    pub decimal_comma: bool,
    pub codes: Codes,
    pub times: Option<f64>,
    pub plus: Option<f64>,
    pub prefix: String,
    pub suffix: String,
    /// In place of a blank.
    pub otherwise: Option<String>,
    pub formats: Vec<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Split {
    pub at: Vec<String>,
    /// The first is 1, the last is -1.
    pub take: i32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'r> {
    /// Not blank.
    Text(Cow<'r, str>),
    Number(f64),
    /// What the code table made of it.
    Coded(&'r Code),
}

messages! {
    /// What is wrong with a cell that is not blank and gives no fact.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Unread {
        /// Not in the code table, which has no `otherwise`.
        #[serde(rename = "not in the codes")]
        UnknownCode => "not in the codes",
        #[serde(rename = "not readable")]
        NotReadable => "not readable",
        #[serde(rename = "out of range")]
        OutOfRange => "out of range",
    }
}

/// The cells of a row, and the texts that mean "nothing" in the whole table.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'r> {
    pub cells: &'r [String],
    pub blank: &'r [String],
}

impl<'r> Cells<'r> {
    /// Empty where the table has nothing.
    pub fn get(self, at: usize) -> &'r str {
        let cell = self.cells.get(at).map_or("", String::as_str);
        if is_one_of(self.blank, cell) { "" } else { cell }
    }
}

fn is_one_of(list: &[String], text: &str) -> bool {
    list.iter().any(|b| b.eq_ignore_ascii_case(text))
}

impl Formula {
    /// `Ok(None)` when there is nothing.
    pub fn value<'r>(&'r self, cells: Cells<'r>) -> Result<Option<Value<'r>>, Unread> {
        let value = self.origin.value(cells)?;
        let Some(steps) = &self.steps else { return Ok(value) };
        let value = match value {
            Some(value) => steps.apply(value)?,
            None => None,
        };
        Ok(value.or_else(|| steps.otherwise.as_deref().map(|o| Value::Text(Cow::Borrowed(o)))))
    }

    /// As a text; blank when there is no value.
    pub fn text<'r>(&'r self, cells: Cells<'r>) -> Cow<'r, str> {
        self.value(cells).ok().flatten().map(Value::into_text).unwrap_or_default()
    }

    /// For a message: the value, else the cells that gave none.
    pub fn shown(&self, cells: Cells<'_>) -> String {
        let text = self.text(cells);
        if text.is_empty() { self.origin.shown(cells) } else { text.into_owned() }
    }

    /// For a message: the cells alone.
    pub fn shown_cells(&self, cells: Cells<'_>) -> String {
        self.origin.shown(cells)
    }

    /// Whether only `otherwise` gave a value its meaning.
    pub fn is_otherwise(&self, value: &Value<'_>) -> bool {
        matches!((value, &self.steps), (Value::Coded(code), Some(steps)) if steps.codes.is_otherwise(code))
    }

    pub fn formats(&self) -> &[String] {
        self.steps.as_ref().map_or(&[], |s| &s.formats)
    }

    /// Lets codes add to what a field understands on its own.
    pub fn add_codes_to(&mut self, understood: fn(&str) -> bool) {
        if let Some(steps) = &mut self.steps {
            steps.codes.add_to(understood);
        }
    }

    /// Every code that may come out of it.
    pub fn codes(&self) -> impl Iterator<Item = &Code> {
        self.steps.iter().flat_map(|s| s.codes.all())
    }

    pub fn constant(&self) -> Option<&str> {
        match &self.origin {
            Origin::Constant(text) => Some(text),
            _ => None,
        }
    }
}

impl Formula {
    /// Every column it reads, by its place in the mapping's list.
    pub fn columns(&self) -> Vec<usize> {
        match &self.origin {
            Origin::Cell(at) => vec![*at],
            Origin::Constant(_) => Vec::new(),
            Origin::FirstOf(all) | Origin::Joined(all, _) | Origin::Sum(all) | Origin::Product(all) => {
                all.iter().flat_map(Self::columns).collect()
            }
            Origin::Difference(from, less) => [from.columns(), less.columns()].concat(),
        }
    }
}

impl Origin {
    fn shown(&self, cells: Cells<'_>) -> String {
        let from: Vec<&Formula> = match self {
            Self::Cell(at) => return cells.get(*at).to_owned(),
            Self::Constant(text) => return text.clone(),
            Self::FirstOf(all) | Self::Joined(all, _) | Self::Sum(all) | Self::Product(all) => all.iter().collect(),
            Self::Difference(from, less) => vec![from.as_ref(), less.as_ref()],
        };
        let shown = from.into_iter().map(|f| f.shown(cells)).filter(|s| !s.is_empty());
        shown.collect::<Vec<_>>().join(" ")
    }

    fn value<'r>(&'r self, cells: Cells<'r>) -> Result<Option<Value<'r>>, Unread> {
        let text = |t: &'r str| (!t.is_empty()).then_some(Value::Text(Cow::Borrowed(t)));
        Ok(match self {
            Self::Cell(at) => text(cells.get(*at)),
            Self::Constant(constant) => text(constant),
            Self::FirstOf(all) => {
                // One that cannot be read is skipped, and reported if none can.
                let mut problem = None;
                for formula in all {
                    match formula.value(cells) {
                        Ok(None) => {}
                        Ok(found) => return Ok(found),
                        Err(e) => problem = Some(e),
                    }
                }
                return problem.map_or(Ok(None), Err);
            }
            Self::Joined(all, separator) => {
                let mut joined = String::new();
                for formula in all {
                    let part = formula.value(cells)?.map(Value::into_text).unwrap_or_default();
                    if !joined.is_empty() && !part.is_empty() {
                        joined.push_str(separator);
                    }
                    joined.push_str(&part);
                }
                (!joined.is_empty()).then_some(Value::Text(Cow::Owned(joined)))
            }
            Self::Sum(all) => {
                let mut sum = None;
                for formula in all {
                    if let Some(n) = formula.number(cells)? {
                        sum = Some(sum.unwrap_or(0.0) + n);
                    }
                }
                sum.map(Value::Number)
            }
            Self::Difference(from, less) => {
                let less = less.number(cells)?;
                from.number(cells)?.map(|n| Value::Number(n - less.unwrap_or(0.0)))
            }
            Self::Product(all) => {
                let mut product = 1.0;
                for formula in all {
                    match formula.number(cells)? {
                        None => return Ok(None),
                        Some(n) => product *= n,
                    }
                }
                Some(Value::Number(product))
            }
        })
    }
}

impl Formula {
    fn number(&self, cells: Cells<'_>) -> Result<Option<f64>, Unread> {
        self.value(cells)?.map(|v| v.number()).transpose()
    }
}

impl Steps {
    fn apply<'r>(&'r self, value: Value<'r>) -> Result<Option<Value<'r>>, Unread> {
        let value = match value {
            Value::Text(text) => match self.wording(text) {
                None => return Ok(None),
                Some(text) => match self.codes.of(&text) {
                    Some(code) => Value::Coded(code),
                    None if self.decimal_comma => Value::Text(Cow::Owned(cell::with_decimal_point(&text))),
                    // The field decides whether a value without a code may stay.
                    None => Value::Text(text),
                },
            },
            Value::Number(n) if !self.codes.is_empty() => {
                self.codes.of(&shown(n)).map_or(Value::Number(n), Value::Coded)
            }
            other => other,
        };
        let value = match value {
            // Codes are in our units already.
            Value::Coded(_) => value,
            _ if self.times.is_none() && self.plus.is_none() => value,
            _ => Value::Number(value.number()? * self.times.unwrap_or(1.0) + self.plus.unwrap_or(0.0)),
        };
        if self.prefix.is_empty() && self.suffix.is_empty() {
            return Ok(Some(value));
        }
        Ok(Some(Value::Text(Cow::Owned(format!("{}{}{}", self.prefix, value.into_text(), self.suffix)))))
    }

    fn wording<'r>(&'r self, text: Cow<'r, str>) -> Option<Cow<'r, str>> {
        if is_one_of(&self.blank, &text) {
            return None;
        }
        let mut text = text;
        if let Some(pattern) = &self.pattern {
            let found = pattern.captures(&text)?;
            let kept = found.get(1).or(found.get(0))?.as_str().trim().to_owned();
            text = Cow::Owned(kept);
        }
        if let Some(split) = &self.split {
            text = Cow::Owned(split.piece(&text)?.to_owned());
        }
        for prefix in &self.strip_prefix {
            if let Some(rest) = text.get(..prefix.len()).filter(|h| h.eq_ignore_ascii_case(prefix)) {
                text = Cow::Owned(text[rest.len()..].trim_start().to_owned());
            }
        }
        for suffix in &self.strip_suffix {
            let cut = text.len().checked_sub(suffix.len());
            if let Some(cut) = cut.filter(|c| text.get(*c..).is_some_and(|t| t.eq_ignore_ascii_case(suffix))) {
                text = Cow::Owned(text[..cut].trim_end().to_owned());
            }
        }
        match self.case {
            None => {}
            Some(Case::Upper) => text = Cow::Owned(text.to_uppercase()),
            Some(Case::Lower) => text = Cow::Owned(text.to_lowercase()),
            Some(Case::Title) => text = Cow::Owned(title_case(&text.to_uppercase())),
        }
        // A step may again leave a text that means "nothing".
        (!text.is_empty() && !is_one_of(&self.blank, &text)).then_some(text)
    }
}

impl Split {
    /// Blank pieces do not count.
    fn piece<'t>(&self, text: &'t str) -> Option<&'t str> {
        let mut pieces = vec![text];
        for separator in &self.at {
            pieces = pieces.into_iter().flat_map(|p| p.split(separator.as_str())).collect();
        }
        let mut pieces = pieces.into_iter().map(str::trim).filter(|p| !p.is_empty());
        if self.take < 0 {
            return pieces.nth_back(usize::try_from(-self.take).ok()? - 1);
        }
        pieces.nth(usize::try_from(self.take).ok()?.checked_sub(1)?)
    }
}

impl Value<'_> {
    pub fn number(&self) -> Result<f64, Unread> {
        match self {
            Self::Number(n) => Ok(*n),
            Self::Text(text) => cell::number(text).ok_or(Unread::NotReadable),
            Self::Coded(Code::Number(n)) => Ok(*n),
            Self::Coded(Code::Word(word)) => cell::number(word).ok_or(Unread::NotReadable),
            Self::Coded(Code::Flag(_)) => Err(Unread::NotReadable),
        }
    }

    /// For showing and comparing.
    pub fn as_text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Number(n) => Cow::Owned(shown(*n)),
            Self::Coded(Code::Word(word)) => Cow::Borrowed(word),
            Self::Coded(code) => Cow::Owned(code.shown()),
        }
    }
}

impl<'r> Value<'r> {
    pub fn into_text(self) -> Cow<'r, str> {
        match self {
            Self::Text(text) => text,
            Self::Number(n) => Cow::Owned(shown(n)),
            Self::Coded(Code::Word(word)) => Cow::Borrowed(word),
            Self::Coded(code) => Cow::Owned(code.shown()),
        }
    }
}

/// Rounded, so that sums of decimals look right.
fn shown(n: f64) -> String {
    let rounded = (n * 1e6).round() / 1e6;
    rounded.to_string()
}
