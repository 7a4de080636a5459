//! Formulas as a mapping file writes them, and how they are checked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use shingle_domain::Zip;

use crate::error::TYPED;
use crate::geo::crs::CrsName;
use crate::mapping::case::Case;
use crate::mapping::codes::{Code, Codes};
use crate::mapping::file_patterns::FilePatterns;
use crate::mapping::formula::{Formula, Origin, Split, Steps};
use crate::mapping::mapping_problem::MappingProblem;
use crate::mapping::unit::Unit;

/// A column's name, or a table of keys.
#[derive(Debug, Clone)]
pub(crate) struct RawFormula(pub Box<FormulaKeys>);

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormulaKeys {
    column: Option<String>,
    columns: Option<Vec<RawFormula>>,
    separator: Option<String>,
    first_of: Option<Vec<RawFormula>>,
    sum: Option<Vec<RawFormula>>,
    difference: Option<[RawFormula; 2]>,
    product: Option<Vec<RawFormula>>,
    constant: Option<String>,
    #[serde(default)]
    blank: Vec<String>,
    pattern: Option<String>,
    split: Option<OneOrMore>,
    take: Option<i32>,
    strip_prefix: Option<OneOrMore>,
    strip_suffix: Option<OneOrMore>,
    case: Option<Case>,
    decimal: Option<Decimal>,
    #[serde(default)]
    codes: BTreeMap<String, Code>,
    codes_from: Option<CodesFrom>,
    #[serde(default)]
    patterns: Vec<(String, Code)>,
    pub otherwise: Option<Code>,
    unit: Option<Unit>,
    times: Option<f64>,
    plus: Option<f64>,
    prefix: Option<String>,
    suffix: Option<String>,
    #[serde(default)]
    formats: Vec<String>,
    // For `[address] zip` alone.
    pub nearby: Option<String>,
    pub mailing_line: Option<String>,
    #[serde(default)]
    pub among: Vec<Zip>,
    pub areas: Option<FilePatterns>,
    pub own: Option<RawFormula>,
    pub crs: Option<CrsName>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl OneOrMore {
    fn all(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::More(texts) => texts,
        }
    }
}

/// A CSV file beside the mapping: its first two columns, or those named.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum CodesFrom {
    File(String),
    Columns(CodeFile),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeFile {
    file: String,
    key: Option<String>,
    value: Option<String>,
}

/// What precedes the decimals of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
enum Decimal {
    #[serde(rename = ".")]
    Point,
    #[serde(rename = ",")]
    Comma,
}

/// What all formulas of a mapping share while it is compiled.
pub(crate) struct Compiler {
    /// Every column the mapping speaks of, each once.
    pub columns: Vec<String>,
    /// Of the mapping file: code files are named from there.
    /// Where its other files are; `None`: it may name none.
    pub folder: Option<PathBuf>,
    /// The code files' texts.
    pub read: Vec<String>,
}

/// How deep formulas may be nested.
const MAX_DEPTH: u32 = 8;

impl Compiler {
    pub fn column(&mut self, name: &str) -> usize {
        self.columns.iter().position(|c| c == name).unwrap_or_else(|| {
            self.columns.push(name.to_owned());
            self.columns.len() - 1
        })
    }

    pub fn formula(&mut self, written: RawFormula) -> Result<Formula, MappingProblem> {
        self.nested(written, 0)
    }

    pub fn optional(&mut self, written: Option<RawFormula>, name: &str) -> Result<Option<Formula>, MappingProblem> {
        written.map(|w| self.formula(w).map_err(|problem| problem.at(name))).transpose()
    }

    fn nested(&mut self, RawFormula(keys): RawFormula, depth: u32) -> Result<Formula, MappingProblem> {
        if depth > MAX_DEPTH {
            return Err(MappingProblem::TooDeep);
        }
        let of_zips = keys.nearby.is_some() || keys.mailing_line.is_some() || !keys.among.is_empty();
        if of_zips || keys.areas.is_some() || keys.own.is_some() || keys.crs.is_some() {
            return Err(MappingProblem::KeysOfZip);
        }
        let mut keys = *keys;
        if keys.separator.is_some() && keys.columns.is_none() {
            return Err(MappingProblem::Separator);
        }
        // What means "nothing" in a whole means it in its parts: the next of `first_of` is then asked.
        let lists = [&mut keys.columns, &mut keys.first_of, &mut keys.sum, &mut keys.product];
        let parts = lists.into_iter().flatten().flatten().chain(keys.difference.iter_mut().flatten());
        parts.for_each(|part| part.0.blank.extend_from_slice(&keys.blank));
        let origin = self.origin(&mut keys, depth)?;
        let steps = self.steps(keys)?;
        Ok(Formula { origin, steps })
    }

    fn origin(&mut self, keys: &mut FormulaKeys, depth: u32) -> Result<Origin, MappingProblem> {
        let mut all = |list: Vec<RawFormula>, name: &'static str| {
            if list.is_empty() {
                return Err(MappingProblem::EmptyList { name });
            }
            list.into_iter().map(|w| self.nested(w, depth + 1)).collect::<Result<Vec<_>, _>>()
        };
        let mut found: Vec<Origin> = Vec::new();
        if let Some(list) = keys.columns.take() {
            found.push(Origin::Joined(all(list, "columns")?, keys.separator.take().unwrap_or_else(|| " ".to_owned())));
        }
        if let Some(list) = keys.first_of.take() {
            found.push(Origin::FirstOf(all(list, "first_of")?));
        }
        if let Some(list) = keys.sum.take() {
            found.push(Origin::Sum(all(list, "sum")?));
        }
        if let Some(list) = keys.product.take() {
            found.push(Origin::Product(all(list, "product")?));
        }
        if let Some([from, less]) = keys.difference.take() {
            let both = (self.nested(from, depth + 1)?, self.nested(less, depth + 1)?);
            found.push(Origin::Difference(Box::new(both.0), Box::new(both.1)));
        }
        if let Some(name) = keys.column.take() {
            found.push(Origin::Cell(self.column(&name)));
        }
        found.extend(keys.constant.take().map(Origin::Constant));
        match (found.pop(), found.is_empty()) {
            (Some(origin), true) => Ok(origin),
            _ => Err(MappingProblem::OneOrigin),
        }
    }

    fn steps(&mut self, keys: FormulaKeys) -> Result<Option<Box<Steps>>, MappingProblem> {
        if keys.take.is_some() && keys.split.is_none() {
            return Err(MappingProblem::TakeWithoutSplit);
        }
        let patterns = keys.patterns.into_iter().map(|(p, code)| Ok((regex(&p)?, code)));
        let patterns = patterns.collect::<Result<Vec<_>, MappingProblem>>()?;
        let has_codes = !patterns.is_empty() || !keys.codes.is_empty() || keys.codes_from.is_some();
        // Without codes it replaces a blank.
        let (fallback, otherwise) = if has_codes { (keys.otherwise, None) } else { (None, keys.otherwise) };
        let mut codes = Codes::new(patterns, fallback);
        for (key, code) in keys.codes {
            codes.insert(&key, code);
        }
        if let Some(from) = keys.codes_from {
            let CodeFile { file, key, value } = match from {
                CodesFrom::File(file) => CodeFile { file, key: None, value: None },
                CodesFrom::Columns(file) => file,
            };
            let folder = self.folder.as_ref().ok_or(MappingProblem::NoOtherFile)?;
            self.read.push(codes.read(&folder.join(file), key.as_deref(), value.as_deref())?);
        }
        let all = |list: Option<OneOrMore>| list.map(OneOrMore::all).unwrap_or_default();
        let split = match keys.split.map(OneOrMore::all) {
            None => None,
            Some(at) if at.is_empty() || at.iter().any(String::is_empty) || keys.take == Some(0) => {
                return Err(MappingProblem::Split);
            }
            Some(at) => Some(Split { at, take: keys.take.unwrap_or(1).max(-1_000) }),
        };
        let times = match (keys.times, keys.unit.map(Unit::factor)) {
            (None, None | Some(1.0)) => None,
            (times, unit) => Some(times.unwrap_or(1.0) * unit.unwrap_or(1.0)),
        };
        if times.iter().chain(&keys.plus).any(|n| !n.is_finite()) {
            return Err(MappingProblem::NotNumbers);
        }
        let steps = Steps {
            blank: keys.blank,
            pattern: keys.pattern.as_deref().map(regex).transpose()?,
            split,
            strip_prefix: all(keys.strip_prefix),
            strip_suffix: all(keys.strip_suffix),
            case: keys.case,
            decimal_comma: keys.decimal == Some(Decimal::Comma),
            codes,
            times,
            plus: keys.plus,
            prefix: keys.prefix.unwrap_or_default(),
            suffix: keys.suffix.unwrap_or_default(),
            otherwise: otherwise.map(|o| o.shown()),
            formats: keys.formats,
        };
        Ok((!steps.is_idle()).then(|| Box::new(steps)))
    }
}

impl Steps {
    fn is_idle(&self) -> bool {
        self.blank.is_empty()
            && self.pattern.is_none()
            && self.split.is_none()
            && self.strip_prefix.is_empty()
            && self.strip_suffix.is_empty()
            && self.case.is_none()
            && !self.decimal_comma
            && self.codes.is_empty()
            && self.times.is_none()
            && self.plus.is_none()
            && self.prefix.is_empty()
            && self.suffix.is_empty()
            && self.otherwise.is_none()
            && self.formats.is_empty()
    }
}

/// Small and capital letters are the same; compiled patterns stay small.
fn regex(text: &str) -> Result<Regex, MappingProblem> {
    let built = RegexBuilder::new(text).case_insensitive(true).size_limit(1 << 20).build();
    built.map_err(|e| MappingProblem::Pattern { text: text.to_owned(), e: e.to_string() })
}

impl RawFormula {
    pub fn unit(&self) -> Option<Unit> {
        self.0.unit
    }

    pub fn otherwise(&self) -> Option<String> {
        self.0.otherwise.as_ref().map(Code::shown)
    }
}

impl<'de> Deserialize<'de> for RawFormula {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = RawFormula;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED_FORMULA)
            }
            fn visit_str<E: de::Error>(self, column: &str) -> Result<RawFormula, E> {
                Ok(RawFormula(Box::new(FormulaKeys { column: Some(column.to_owned()), ..FormulaKeys::default() })))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawFormula, A::Error> {
                FormulaKeys::deserialize(MapAccessDeserializer::new(map)).map(|keys| RawFormula(Box::new(keys)))
            }
        }
        from.deserialize_any(Words)
    }
}

/// What the parser is told that it is.
pub(crate) const EXPECTED_FORMULA: &str =
    "the name of a column, or a table with `column`, `columns`, `constant` or the like";

impl Compiler {
    pub fn new(origin: &Path) -> Self {
        let is_file = origin != Path::new(TYPED);
        let folder = is_file.then(|| origin.parent().map(Path::to_owned).unwrap_or_default());
        Self { columns: Vec::new(), folder, read: Vec::new() }
    }

    /// For formulas over another file than the rows'.
    pub fn beside(&self) -> Self {
        Self { columns: Vec::new(), folder: self.folder.clone(), read: Vec::new() }
    }
}
