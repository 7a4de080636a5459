//! How a reference table is written: `# key: value` lines about it, a line of column names, then rows.

use std::cell::Cell as Counter;
use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::ops::RangeInclusive;

use csv::{ReaderBuilder, StringRecord, Trim};
use jiff::civil::Date;
use shingle_domain::State;
use shingle_domain::area::{Division, Figure, Scope, Table};

/// What a table says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The primary publisher and its publication.
    pub source: String,
    /// The youngest year its numbers speak of.
    pub year: u16,
    /// The source gave no year; it was inferred from its numbers.
    pub year_inferred: bool,
    /// When the numbers were last taken from the source.
    pub refreshed: Date,
    /// When the publisher has, or is expected to have, newer ones.
    pub renew: Date,
    /// Method, gaps and how to redo it.
    pub notes: Vec<String>,
}

/// A table that was read and found whole.
pub(super) struct Sheet<T> {
    pub about: About,
    pub rows: usize,
    /// Numbers marked as standing in for ones that nobody publishes.
    pub placeholders: usize,
    pub content: T,
}

/// Why a table cannot be used, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub line: Option<u64>,
    pub column: Option<String>,
    pub detail: String,
}

impl Fault {
    pub fn whole(detail: impl Into<String>) -> Self {
        Self { line: None, column: None, detail: detail.into() }
    }
}

/// What the rows of a table mean.
pub(super) trait Content: Sized + Send + Sync + 'static {
    const TABLE: Table;
    const COLUMNS: &'static [&'static str];
    /// Columns that a file may leave out.
    const OPTIONAL: &'static [&'static str] = &[];
    /// The text of this program's table, packed.
    const SHIPPED: &'static [u8];

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault>;

    /// The table of this program, read at its first use.
    fn shipped() -> &'static Sheet<Self>;
}

/// Reads a whole table, or says what is wrong with it.
pub(super) fn read<T: Content>(mut source: impl BufRead) -> Result<Sheet<T>, Fault> {
    let head = head(&mut source)?;
    let about = about(&head, T::TABLE)?;
    let mut rows = Rows::open::<T>(&head, source)?;
    let content = T::read(&mut rows)?;
    Ok(Sheet { about, rows: rows.seen, placeholders: rows.placeholders.get(), content })
}

/// The lines about a table, and the one with its column names.
fn head(source: &mut impl BufRead) -> Result<String, Fault> {
    let mut head = String::new();
    loop {
        let begin = head.len();
        let read = source.read_line(&mut head).map_err(|_| Fault::whole("this cannot be read as text"))?;
        if begin == 0 && head.starts_with('\u{feff}') {
            head.remove(0);
        }
        let line = &head[begin..];
        if read == 0 || !(line.starts_with('#') || line.trim().is_empty()) {
            return Ok(head);
        }
    }
}

fn about(text: &str, table: Table) -> Result<About, Fault> {
    let (mut source, mut year, mut refreshed, mut renew, mut named) = (None, None, None, None, false);
    let mut notes = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(line) = line.strip_prefix('#') else { break };
        let Some((key, value)) = line.split_once(':') else { continue };
        let (key, value) = (key.trim(), value.trim());
        let fault = |detail: String| Fault { line: Some(number), column: None, detail };
        let date = || value.parse::<Date>().map_err(|_| fault(format!("`{key}` must be a date like 2026-11-21")));
        match key {
            "table" if value == table.as_str() => named = true,
            "table" => return Err(fault(format!("this is the table `{value}`, not `{}`", table.as_str()))),
            "source" if !value.is_empty() => source = Some(value.to_owned()),
            "year" => {
                let (digits, inferred) =
                    value.strip_suffix("inferred").map_or((value, false), |rest| (rest.trim_end(), true));
                let known = digits.parse().ok().filter(|y| (1990..=2100).contains(y));
                let known = known.ok_or_else(|| fault("`year` must be a year from 1990 to 2100".into()))?;
                year = Some((known, inferred));
            }
            "refreshed" => refreshed = Some(date()?),
            "renew" => renew = Some(date()?),
            "note" => notes.push(value.to_owned()),
            _ => {}
        }
    }
    let missing = |key: &str| Fault::whole(format!("there is no line `# {key}: …` before the column names"));
    if !named {
        return Err(missing("table"));
    }
    let (year, year_inferred) = year.ok_or_else(|| missing("year"))?;
    let refreshed = refreshed.ok_or_else(|| missing("refreshed"))?;
    // Most publishers come out with a new edition once a year.
    let renew = renew.unwrap_or_else(|| refreshed.saturating_add(jiff::Span::new().years(1)));
    Ok(About { source: source.ok_or_else(|| missing("source"))?, year, year_inferred, refreshed, renew, notes })
}

/// The rows of a table, one at a time.
pub(super) struct Rows<'t> {
    reader: csv::Reader<Box<dyn Read + 't>>,
    columns: StringRecord,
    record: StringRecord,
    seen: usize,
    placeholders: Counter<usize>,
}

impl<'t> Rows<'t> {
    fn open<T: Content>(head: &'t str, rows: impl Read + 't) -> Result<Self, Fault> {
        let whole: Box<dyn Read + 't> = Box::new(head.as_bytes().chain(rows));
        let mut reader = ReaderBuilder::new().trim(Trim::All).comment(Some(b'#')).from_reader(whole);
        let columns = reader.headers().map_err(|e| broken(&e))?.clone();
        // The reader counts from before the lines about the table.
        let line = (1..).zip(head.lines()).find(|(_, l)| !l.starts_with('#') && !l.trim().is_empty()).map(|(n, _)| n);
        let known = |name: &str| T::COLUMNS.contains(&name) || T::OPTIONAL.contains(&name);
        for (at, name) in columns.iter().enumerate() {
            let fault = |detail: String| Fault { line, column: Some(name.to_owned()), detail };
            if !known(name) {
                let all = [T::COLUMNS, T::OPTIONAL].concat().join(", ");
                return Err(fault(format!("this table has no such column; it has {all}")));
            }
            if columns.iter().take(at).any(|earlier| earlier == name) {
                return Err(fault("the column appears twice".into()));
            }
        }
        for name in T::COLUMNS {
            if !columns.iter().any(|c| c == *name) {
                return Err(Fault { line, column: Some((*name).to_owned()), detail: "the column is missing".into() });
            }
        }
        Ok(Self { reader, columns, record: StringRecord::new(), seen: 0, placeholders: Counter::new(0) })
    }

    pub fn next(&mut self) -> Result<Option<Row<'_>>, Fault> {
        if !self.reader.read_record(&mut self.record).map_err(|e| broken(&e))? {
            return Ok(None);
        }
        self.seen += 1;
        Ok(Some(Row { columns: &self.columns, record: &self.record, placeholders: &self.placeholders }))
    }
}

fn broken(error: &csv::Error) -> Fault {
    let line = error.position().map(csv::Position::line);
    let detail = match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("there are {len} cells where the column names are {expected_len}")
        }
        _ => "this cannot be read as a table".to_owned(),
    };
    Fault { line, column: None, detail }
}

#[derive(Clone, Copy)]
pub(super) struct Row<'r> {
    columns: &'r StringRecord,
    record: &'r StringRecord,
    placeholders: &'r Counter<usize>,
}

/// A number of a table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cell {
    pub value: f64,
    pub placeholder: bool,
}

impl Cell {
    pub fn figure(self, scope: Scope, table: Table) -> Figure {
        Figure { value: self.value, scope, table, placeholder: self.placeholder }
    }

    pub fn times(self, factor: f64) -> Self {
        Self { value: self.value * factor, ..self }
    }
}

impl<'r> Row<'r> {
    pub fn line(self) -> Option<u64> {
        self.record.position().map(csv::Position::line)
    }

    pub fn fault(self, column: &str, detail: impl Into<String>) -> Fault {
        Fault { line: self.line(), column: Some(column.to_owned()), detail: detail.into() }
    }

    /// Empty when the cell is, or the column is not there.
    pub fn text(self, column: &str) -> &'r str {
        self.columns.iter().position(|c| c == column).and_then(|at| self.record.get(at)).unwrap_or_default()
    }

    pub fn optional(self, column: &str, range: RangeInclusive<f64>) -> Result<Option<Cell>, Fault> {
        let text = self.text(column);
        if text.is_empty() {
            return Ok(None);
        }
        let (digits, placeholder) = text.strip_suffix('*').map_or((text, false), |rest| (rest.trim_end(), true));
        let value = digits.parse::<f64>().ok().filter(|v| range.contains(v)).ok_or_else(|| {
            self.fault(column, format!("`{text}` is not a number from {} to {}", range.start(), range.end()))
        })?;
        self.placeholders.set(self.placeholders.get() + usize::from(placeholder));
        Ok(Some(Cell { value, placeholder }))
    }

    pub fn number(self, column: &str, range: RangeInclusive<f64>) -> Result<Cell, Fault> {
        self.optional(column, range)?.ok_or_else(|| self.fault(column, "a number is missing"))
    }

    /// A number in a column whose meaning has no room for a mark.
    pub fn plain(self, column: &str, range: RangeInclusive<f64>) -> Result<f64, Fault> {
        self.unmarked(column, self.number(column, range)?)
    }

    /// Nothing that stands in for a number goes in silently.
    pub fn unmarked(self, column: &str, cell: Cell) -> Result<f64, Fault> {
        if cell.placeholder {
            return Err(
                self.fault(column, "a placeholder cannot be told from a number in this column; leave the * out")
            );
        }
        Ok(cell.value)
    }

    pub fn twelve(self, prefix: &str, range: RangeInclusive<f64>) -> Result<[f64; 12], Fault> {
        let mut months = [0.0; 12];
        for (number, month) in (1..).zip(&mut months) {
            *month = self.plain(&format!("{prefix}_{number:02}"), range.clone())?;
        }
        Ok(months)
    }

    /// Any two letters: a territory and `US` too.
    pub fn state(self, column: &str) -> Result<State, Fault> {
        let text = self.text(column);
        State::parse(text).ok_or_else(|| self.fault(column, format!("`{text}` is not a two-letter abbreviation")))
    }

    /// Puts a value under its key, once.
    pub fn keep<K: Ord, V>(self, map: &mut BTreeMap<K, V>, column: &str, key: K, value: V) -> Result<(), Fault> {
        match map.insert(key, value) {
            None => Ok(()),
            Some(_) => Err(self.fault(column, format!("`{}` appears twice", self.text(column)))),
        }
    }
}

/// Refuses a table that lacks one of the fifty states or DC.
pub(super) fn complete<V>(map: &BTreeMap<State, V>) -> Result<(), Fault> {
    let all = Division::ALL.into_iter().flat_map(Division::states);
    match all.copied().find(|s| State::parse(s).is_none_or(|s| !map.contains_key(&s))) {
        None => Ok(()),
        Some(state) => Err(Fault::whole(format!("there is no row for {state}; all fifty states and DC are needed"))),
    }
}

/// Names the shipped text of a table, and reads it once.
macro_rules! shipped {
    ($content:ident, $file:literal) => {
        const SHIPPED: &'static [u8] = crate::packed_table::packed_table!($file);

        fn shipped() -> &'static Sheet<Self> {
            static SHEET: std::sync::LazyLock<Sheet<$content>> =
                std::sync::LazyLock::new(|| crate::reference::sheet::part_of_the_program($content::SHIPPED));
            &SHEET
        }
    };
}
pub(super) use shipped;

/// A shipped table is as much a part of the program as its code, and a test reads them all.
pub(super) fn part_of_the_program<T: Content>(packed: &[u8]) -> Sheet<T> {
    match read(shingle_packed::unpacking(packed)) {
        Ok(sheet) => sheet,
        Err(fault) => unreachable!("assets/reference/{}.csv: {fault:?}", T::TABLE.as_str()),
    }
}
