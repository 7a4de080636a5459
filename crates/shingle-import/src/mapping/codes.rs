//! What a source's codes mean: tables in the mapping, tables in a file, and patterns.

use std::collections::BTreeMap;
use std::path::Path;

use regex::Regex;
use serde::Deserialize;
use shingle_domain::message::{Message, ToMessage};

use crate::format::cell;
use crate::mapping::mapping_problem::MappingProblem;

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(crate) enum Code {
    Flag(bool),
    Number(f64),
    Word(String),
}

impl Code {
    pub fn shown(&self) -> String {
        match self {
            Self::Flag(b) => b.to_string(),
            Self::Number(n) => n.to_string(),
            Self::Word(w) => w.clone(),
        }
    }
}

/// A table, then patterns, then what the field understands on its own, then what everything else means.
#[derive(Debug, Clone, Default)]
pub(crate) struct Codes {
    table: BTreeMap<String, Code>,
    patterns: Vec<(Regex, Code)>,
    understood: Option<fn(&str) -> bool>,
    otherwise: Option<Code>,
}

impl Codes {
    pub fn new(patterns: Vec<(Regex, Code)>, otherwise: Option<Code>) -> Self {
        Self { patterns, otherwise, ..Self::default() }
    }

    pub fn insert(&mut self, key: &str, code: Code) {
        self.table.insert(plain(key), code);
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty() && self.patterns.is_empty()
    }

    /// Codes add to what a field understands: such texts stay as they are, and `otherwise` is for the others.
    pub fn add_to(&mut self, understood: fn(&str) -> bool) {
        self.understood = Some(understood);
    }

    pub fn of(&self, cell: &str) -> Option<&Code> {
        let stated = || self.patterns.iter().find(|(p, _)| p.is_match(cell)).map(|(_, code)| code);
        let named = if self.table.is_empty() { None } else { self.table.get(&plain(cell)) };
        named.or_else(stated).or_else(|| self.otherwise.as_ref().filter(|_| !self.understood.is_some_and(|u| u(cell))))
    }

    /// Whether a code of [`of`](Self::of) is the one for what no table and no pattern names.
    pub fn is_otherwise(&self, code: &Code) -> bool {
        self.otherwise.as_ref().is_some_and(|otherwise| std::ptr::eq(otherwise, code))
    }

    pub fn all(&self) -> impl Iterator<Item = &Code> {
        self.table.values().chain(self.patterns.iter().map(|(_, c)| c)).chain(&self.otherwise)
    }

    /// Adds the rows of a CSV file: the named columns, or else its first two.
    pub fn read(&mut self, path: &Path, key: Option<&str>, value: Option<&str>) -> Result<String, MappingProblem> {
        let failed = |why: Message| MappingProblem::CodeFile { path: path.to_owned(), why };
        let bytes = std::fs::read(path).map_err(|e| failed(e.to_message()))?;
        let text = cell::decode(&bytes);
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let header: Vec<String> =
            reader.headers().map_err(|e| failed(Message::Text(e.to_string())))?.iter().map(cell::tidy).collect();
        let at = |name: Option<&str>, otherwise: usize| match name {
            None => Ok(otherwise),
            Some(name) => header.iter().position(|h| h.eq_ignore_ascii_case(name)).ok_or_else(|| {
                let (name, header) = (name.to_owned(), header.clone());
                failed(MappingProblem::NoCodeColumn { name, header }.into())
            }),
        };
        let (key, value) = (at(key, 0)?, at(value, 1)?);
        for record in reader.records() {
            let record = record.map_err(|e| failed(Message::Text(e.to_string())))?;
            let cell = |i: usize| record.get(i).map(cell::tidy).filter(|c| !c.is_empty());
            if let (Some(key), Some(value)) = (cell(key), cell(value)) {
                self.table.entry(plain(&key)).or_insert(written(value));
            }
        }
        if self.table.is_empty() {
            return Err(failed(MappingProblem::NoCodes.into()));
        }
        Ok(text.to_owned())
    }
}

/// A value of a code file as a mapping would write it.
fn written(word: String) -> Code {
    match word.as_str() {
        "true" => Code::Flag(true),
        "false" => Code::Flag(false),
        number => match number.parse() {
            // `0101` is a code's name, not a hundred and one.
            Ok(n) if f64::is_finite(n) && n.to_string() == number => Code::Number(n),
            _ => Code::Word(word),
        },
    }
}

/// Small letters; `0101`, `101.0` and `101` are one code.
fn plain(key: &str) -> String {
    let whole = key.split_once('.').filter(|(_, zeros)| zeros.bytes().all(|b| b == b'0')).map_or(key, |(n, _)| n);
    if whole.is_empty() || !whole.bytes().all(|b| b.is_ascii_digit()) {
        return key.to_lowercase();
    }
    let short = whole.trim_start_matches('0');
    if short.is_empty() { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_however_a_spreadsheet_wrote_its_number() {
        let mut codes = Codes::default();
        codes.insert("0101", Code::Word("house".to_owned()));
        codes.insert("R-2", Code::Word("flat".to_owned()));
        for cell in ["101", "0101", "101.0", "101.00"] {
            assert_eq!(codes.of(cell), Some(&Code::Word("house".to_owned())), "{cell}");
        }
        assert_eq!(codes.of("r-2"), Some(&Code::Word("flat".to_owned())));
        for cell in ["1010", "101.5", "R2", ""] {
            assert_eq!(codes.of(cell), None, "{cell}");
        }
    }
}
