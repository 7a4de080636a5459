//! CSV and its relatives: delimiter and encoding as found, or as the mapping states them.
//!
//! # Decision
//!
//! A table whose last line is shorter than its heading and has no line end is truncated, and ends the import. Turned
//! down: counting one bad row; part of a town would have replaced the whole.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use shingle_domain::message::Message;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::charset::{Charset, RecodingReader};
use crate::format::columns::{distinct, locate, repeated};
use crate::format::dialect::{Dialect, Quote};
use crate::format::file_note::FileNote;
use crate::format::file_problem::FileProblem;
use crate::format::lines::{next_line, stated_delimiter};
use crate::format::open_quote::swallowed_lines;
use crate::format::quote_style::{QuoteStyle, WithoutBlanks};
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};
use crate::format::unread_row::UnreadRow;

/// A longer record has a quote that is not closed.
const MAX_RECORD_BYTES: u64 = 8 * 1024 * 1024;

/// Bytes read at a time.
const BLOCK: usize = 64 * 1024;

/// Added after the last byte of the file. If it ends up inside a quoted field, the file was cut off there.
const END: &[u8] = b"\n\x1aend of file\x1a\n";
const LINES_OF_END: usize = 2;

pub(crate) struct TextTable {
    path: PathBuf,
    reader: csv::Reader<LimitedReader>,
    /// The last row, whose memory is used again.
    record: Option<csv::ByteRecord>,
    at: Vec<usize>,
    header: Vec<String>,
    budget: Rc<Cell<u64>>,
    last_byte: Rc<Cell<u8>>,
    row: u64,
    /// Lines before the heading.
    skipped: u32,
    line: Option<u64>,
    delimiter: u8,
    /// `None`: nothing is quoted.
    quote: Option<u8>,
    /// What was read last, as it is in the file.
    window: Rc<RefCell<Window>>,
    swallowed: Swallowed,
    notes: Vec<FileNote>,
    /// The last row has too few fields.
    was_short: bool,
}

impl TextTable {
    pub fn open(
        path: &Path,
        file: File,
        head: &[u8],
        wanted: &[String],
        dialect: &Dialect,
    ) -> Result<Self, ImportError> {
        let charset = dialect.encoding.filter(|e| !e.is_utf_8()).or(match head {
            [0xFF, 0xFE, ..] => Some(Charset::Known(encoding_rs::UTF_16LE)),
            [0xFE, 0xFF, ..] => Some(Charset::Known(encoding_rs::UTF_16BE)),
            _ => None,
        });
        let (inner, head): (Box<dyn Read>, _) = match charset {
            Some(charset) => {
                let head = charset.decode(head);
                // The reader leaves the mark out.
                let head = head.strip_prefix('\u{feff}').unwrap_or(&head).as_bytes().to_vec();
                (Box::new(RecodingReader::new(file, charset)), head)
            }
            None => (Box::new(file), head.to_vec()),
        };
        let mut inner = BufReader::with_capacity(BLOCK, inner);
        let before = BeforeHeading::pass(path, &mut inner, &head, dialect.skip_lines)?;
        let head = head.get(before.bytes..).unwrap_or_default();
        let delimiter = dialect.delimiter.or(before.delimiter).unwrap_or_else(|| delimiter(head));
        let budget = Rc::new(Cell::new(MAX_RECORD_BYTES));
        let last_byte = Rc::new(Cell::new(b'\n'));
        let mut builder = csv::ReaderBuilder::new();
        builder.delimiter(delimiter).flexible(true).buffer_capacity(BLOCK);
        let quote = match dialect.quote {
            Quote::Double => Some(b'"'),
            Quote::Other(quote) => Some(quote),
            Quote::None => None,
        };
        let style = quote.map(|stated| QuoteStyle::of(head, delimiter, stated));
        let quote = style.map(|style| style.mark);
        builder.quote(quote.unwrap_or(b'"')).quoting(quote.is_some());
        if let Some(style) = style.filter(|style| style.is_spaced) {
            let inner_without = WithoutBlanks::new(inner, delimiter, style.mark);
            inner = BufReader::with_capacity(BLOCK, Box::new(inner_without));
        }
        let window = Rc::new(RefCell::new(Window::default()));
        builder.has_headers(dialect.header.is_none());
        let mut reader = builder.from_reader(LimitedReader {
            inner,
            left: Rc::clone(&budget),
            last_byte: Rc::clone(&last_byte),
            window: Rc::clone(&window),
            end: END,
        });
        let header = match &dialect.header {
            Some(header) => header.clone(),
            None => {
                let header = reader.byte_headers().map_err(|e| unreadable(path, 0, &e))?;
                header.iter().map(|h| cell::tidy(&cell::as_meant(&cell::decode(h)))).collect()
            }
        };
        let header = distinct(header);
        let at = locate(path, wanted, &header)?;
        let notes = repeated(&at, &header);
        Ok(Self {
            path: path.to_owned(),
            reader,
            record: None,
            at,
            header,
            budget,
            last_byte,
            row: 0,
            skipped: before.lines,
            line: None,
            was_short: false,
            delimiter,
            quote,
            window,
            swallowed: Swallowed::default(),
            notes,
        })
    }
}

impl RowSource for TextTable {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        row.shape = Shape::None;
        row.was_guessed = false;
        let (mut record, start) = loop {
            self.budget.set(MAX_RECORD_BYTES);
            self.row += 1;
            let start = self.reader.position().byte();
            self.window.borrow_mut().forget_before(start);
            let mut record = self.record.take().unwrap_or_default();
            if !self.reader.read_byte_record(&mut record).map_err(|e| unreadable(&self.path, self.row, &e))? {
                return Ok(Step::End);
            }
            // Spreadsheets write such rows behind a table whose cells had a format.
            let is_blank = record.len() > 1 && record.as_slice().iter().all(u8::is_ascii_whitespace);
            if !is_blank {
                break (record, start);
            }
            self.record = Some(record);
        };
        let end = END.trim_ascii();
        if let Some(last) = record.iter().next_back().map(<[u8]>::trim_ascii_end).filter(|l| l.ends_with(end)) {
            let row = self.row;
            if record.len() == 1 && last == end {
                let has_line_end = matches!(self.last_byte.get(), b'\n' | b'\r');
                if self.was_short && !has_line_end {
                    let problem = FileProblem::EndsWithinRow { row: row - 1 };
                    return Err(ImportError::input(&self.path, problem));
                }
                return Ok(Step::End);
            }
            let lines = self.window.borrow().from(start).iter().filter(|b| **b == b'\n').count();
            let problem = match lines.saturating_sub(LINES_OF_END) {
                0 | 1 => FileProblem::EndsWithinQuotes { row },
                lines => FileProblem::OpenQuote { row, lines },
            };
            return Err(ImportError::input(&self.path, problem));
        }
        let blank_lines = self.window.borrow().line_ends_at(start);
        self.line = record.position().map(|at| at.line() + blank_lines + u64::from(self.skipped));
        row.cells.resize(self.at.len(), String::new());
        let is_plain = cell::is_plain(record.as_slice());
        match csv::StringRecord::from_byte_record(record) {
            Ok(text) => {
                for (cell, &at) in row.cells.iter_mut().zip(&self.at) {
                    let text = text.get(at).unwrap_or_default();
                    let text = &*cell::as_meant(text);
                    if is_plain && !cell::has_outer_space(text.as_bytes()) {
                        cell.clear();
                        cell.push_str(text);
                    } else {
                        cell::tidy_into(text, cell);
                    }
                }
                record = text.into_byte_record();
            }
            Err(e) => {
                record = e.into_byte_record();
                for (cell, &at) in row.cells.iter_mut().zip(&self.at) {
                    let bytes = record.get(at).unwrap_or_default();
                    row.was_guessed |= std::str::from_utf8(bytes).is_err();
                    cell::tidy_into(&cell::as_meant(&cell::decode(bytes)), cell);
                }
            }
        }
        let len = record.len();
        let surplus =
            len > self.header.len() && record.iter().skip(self.header.len()).any(|f| !f.trim_ascii().is_empty());
        let has_lines = !is_plain && record.as_slice().iter().any(|b| matches!(b, b'\n' | b'\r'));
        self.record = Some(record);
        if has_lines && self.swallows(start, len) {
            return Ok(Step::Bad(UnreadRow::OpenQuote));
        }
        // A last line with one field may be a remark: `964 rows`.
        self.was_short = (2..self.header.len()).contains(&len);
        if len < self.header.len() || surplus {
            return Ok(Step::Bad(UnreadRow::Fields { len, wanted: self.header.len() }));
        }
        Ok(Step::Row)
    }

    fn line(&self) -> Option<u64> {
        self.line
    }

    fn declared(&self) -> DeclaredCrs {
        DeclaredCrs::Table
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn header(&self) -> &[String] {
        &self.header
    }

    fn told(&self) -> Vec<FileNote> {
        let Swallowed { rows, lines, row, line } = self.swallowed;
        let swallowed = (rows > 0).then_some(FileNote::OpenQuotes { rows, lines, row, line });
        self.notes.iter().cloned().chain(swallowed).collect()
    }
}

impl TextTable {
    /// Whether the record that was read last holds other rows in a cell. They are counted.
    fn swallows(&mut self, start: u64, fields: usize) -> bool {
        let Some(quote) = self.quote else { return false };
        let window = self.window.borrow();
        let raw = window.between(start, self.reader.position().byte()).trim_ascii();
        let Some(lines) = swallowed_lines(raw, self.delimiter, quote, self.header.len(), fields) else { return false };
        if self.swallowed.rows == 0 {
            (self.swallowed.row, self.swallowed.line) = (self.row, self.line.unwrap_or_default());
        }
        self.swallowed.rows += 1;
        self.swallowed.lines += lines;
        true
    }
}

/// Rows that hold others, and where the first is.
#[derive(Debug, Clone, Copy, Default)]
struct Swallowed {
    rows: u64,
    lines: u64,
    row: u64,
    line: u64,
}

/// What stands in front of the headings: lines that a mapping passes over, and `sep=;`, which Excel writes and believes.
struct BeforeHeading {
    bytes: usize,
    lines: u32,
    delimiter: Option<u8>,
}

impl BeforeHeading {
    fn pass(path: &Path, inner: &mut impl BufRead, head: &[u8], skip_lines: u32) -> Result<Self, ImportError> {
        let mut it = Self { bytes: 0, lines: 0, delimiter: None };
        if head.starts_with(BYTE_ORDER_MARK) {
            it.take(path, inner, BYTE_ORDER_MARK.len())?;
        }
        if let Some((delimiter, bytes)) = stated_delimiter(head.get(it.bytes..).unwrap_or_default()) {
            it.take(path, inner, bytes)?;
            it.delimiter = Some(delimiter);
            it.lines = 1;
        }
        while it.lines < skip_lines {
            let bytes = next_line(inner, MAX_RECORD_BYTES).map_err(ImportError::read(path))?;
            if bytes == 0 {
                return Err(ImportError::input(path, FileProblem::SkipsAll { lines: it.lines }));
            }
            it.bytes += bytes;
            it.lines += 1;
        }
        Ok(it)
    }

    fn take(&mut self, path: &Path, inner: &mut impl BufRead, bytes: usize) -> Result<(), ImportError> {
        let mut passed = vec![0; bytes];
        inner.read_exact(&mut passed).map_err(ImportError::read(path))?;
        self.bytes += bytes;
        Ok(())
    }
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// The last bytes that a reader was given, and where in the file they begin.
#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    start: u64,
}

impl Window {
    fn forget_before(&mut self, at: u64) {
        let passed = usize::try_from(at.saturating_sub(self.start)).unwrap_or_default().min(self.bytes.len());
        // Not at every row: what stays is moved.
        if passed >= 4 * BLOCK {
            self.bytes.drain(..passed);
            self.start += passed as u64;
        }
    }

    fn from(&self, at: u64) -> &[u8] {
        let at = usize::try_from(at.saturating_sub(self.start)).unwrap_or(usize::MAX);
        self.bytes.get(at..).unwrap_or_default()
    }

    fn between(&self, from: u64, to: u64) -> &[u8] {
        let length = usize::try_from(to.saturating_sub(from)).unwrap_or(usize::MAX);
        let bytes = self.from(from);
        bytes.get(..length).unwrap_or(bytes)
    }

    /// The end of the line before a record, and blank lines between.
    fn line_ends_at(&self, at: u64) -> u64 {
        let ends = self.from(at).iter().take_while(|b| matches!(b, b'\n' | b'\r'));
        ends.filter(|b| **b == b'\n').count() as u64
    }
}

fn unreadable(path: &Path, row: u64, e: &csv::Error) -> ImportError {
    let why = match e.kind() {
        csv::ErrorKind::Io(e) if is_without_end(e) => FileProblem::RecordWithoutEnd.into(),
        _ => Message::Text(e.to_string()),
    };
    ImportError::input(path, FileProblem::BadRow { row, why })
}

/// What [`LimitedReader`] refuses.
fn is_without_end(e: &io::Error) -> bool {
    e.get_ref().is_some_and(|inner| inner.downcast_ref() == Some(&FileProblem::RecordWithoutEnd))
}

/// What parts the cells of a row, the usual last.
pub(crate) const DELIMITERS: [u8; 6] = [b'~', b'^', b'|', b'\t', b';', b','];

/// The candidate that splits the first lines into the same number of fields, at least two; else a comma.
fn delimiter(head: &[u8]) -> u8 {
    let score = |candidate: u8| {
        let mut reader =
            csv::ReaderBuilder::new().delimiter(candidate).has_headers(false).flexible(true).from_reader(head);
        let widths: Vec<usize> = reader.byte_records().take(20).map_while(Result::ok).map(|r| r.len()).collect();
        // The last record of a window may be cut in two.
        let whole = if widths.len() > 2 { &widths[..widths.len() - 1] } else { &widths[..] };
        let Some(&first) = whole.first() else { return (0, 0) };
        let agreeing = whole.iter().filter(|w| **w == first).count();
        if first < 2 { (0, 0) } else { (agreeing * 100 / whole.len(), first) }
    };
    // The last of equal candidates wins: the comma.
    DELIMITERS.into_iter().max_by_key(|c| score(*c)).unwrap_or(b',')
}

/// Stops reading when one record is too long.
struct LimitedReader {
    inner: BufReader<Box<dyn Read>>,
    left: Rc<Cell<u64>>,
    last_byte: Rc<Cell<u8>>,
    window: Rc<RefCell<Window>>,
    /// Still to be given after the last byte of the file.
    end: &'static [u8],
}

impl Read for LimitedReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        if n == 0 {
            let n = self.end.read(into)?;
            self.window.borrow_mut().bytes.extend_from_slice(&into[..n]);
            return Ok(n);
        }
        self.window.borrow_mut().bytes.extend_from_slice(&into[..n]);
        self.last_byte.set(into[n - 1]);
        let left = self
            .left
            .get()
            .checked_sub(n as u64)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, FileProblem::RecordWithoutEnd))?;
        self.left.set(left);
        Ok(n)
    }
}
