//! CSV and its relatives: delimiter and encoding as found, or as the mapping states them.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use encoding_rs::{CoderResult, Decoder, Encoding};

use crate::error::ImportError;
use crate::format::cell;
use crate::format::columns::locate;
use crate::format::dialect::{Dialect, Quote};
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};

/// A longer record has a quote that is not closed.
const MAX_RECORD_BYTES: u64 = 8 * 1024 * 1024;

/// Bytes read at a time.
const BLOCK: usize = 64 * 1024;

/// Added after the last byte of the file. If it ends up inside a quoted field, the file was cut off there.
const END: &[u8] = b"\n\x1aend of file\x1a\n";

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
        let encoding = dialect.encoding.filter(|e| *e != encoding_rs::UTF_8).or(match head {
            [0xFF, 0xFE, ..] => Some(encoding_rs::UTF_16LE),
            [0xFE, 0xFF, ..] => Some(encoding_rs::UTF_16BE),
            _ => None,
        });
        let (inner, head): (Box<dyn Read>, _) = match encoding {
            Some(encoding) => {
                (Box::new(Utf16Reader::new(file, encoding)), encoding.decode(head).0.into_owned().into_bytes())
            }
            None => (Box::new(file), head.to_vec()),
        };
        let mut inner = BufReader::with_capacity(BLOCK, inner);
        let mut head = &head[..];
        for line in 0..dialect.skip_lines {
            let mut skipped = Vec::new();
            let mut limited = inner.by_ref().take(MAX_RECORD_BYTES);
            let n = limited.read_until(b'\n', &mut skipped).map_err(ImportError::read(path))?;
            if n == 0 {
                return Err(ImportError::input(
                    path,
                    format!("the file ends after {line} lines; `skip_lines` passes over them all"),
                ));
            }
            head = head.get(n..).unwrap_or_default();
        }
        let budget = Rc::new(Cell::new(MAX_RECORD_BYTES));
        let last_byte = Rc::new(Cell::new(b'\n'));
        let mut builder = csv::ReaderBuilder::new();
        builder.delimiter(dialect.delimiter.unwrap_or_else(|| delimiter(head))).flexible(true).buffer_capacity(BLOCK);
        match dialect.quote {
            Quote::Double => {}
            Quote::Other(quote) => {
                builder.quote(quote);
            }
            Quote::None => {
                builder.quoting(false);
            }
        }
        builder.has_headers(dialect.header.is_none());
        let mut reader = builder.from_reader(LimitedReader {
            inner,
            left: Rc::clone(&budget),
            last_byte: Rc::clone(&last_byte),
            end: END,
        });
        let header = match &dialect.header {
            Some(header) => header.clone(),
            None => {
                let header = reader.byte_headers().map_err(|e| unreadable(path, 0, &e))?;
                // The csv crate removes a UTF-8 byte order mark itself.
                header.iter().map(|h| cell::tidy(&cell::decode(h))).collect()
            }
        };
        let at = locate(path, wanted, &header)?;
        Ok(Self {
            path: path.to_owned(),
            reader,
            record: None,
            at,
            header,
            budget,
            last_byte,
            row: 0,
            skipped: dialect.skip_lines,
            line: None,
            was_short: false,
        })
    }
}

impl RowSource for TextTable {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        row.shape = Shape::None;
        row.was_guessed = false;
        self.budget.set(MAX_RECORD_BYTES);
        self.row += 1;
        let mut record = self.record.take().unwrap_or_default();
        if !self.reader.read_byte_record(&mut record).map_err(|e| unreadable(&self.path, self.row, &e))? {
            return Ok(Step::End);
        }
        let end = END.trim_ascii();
        if let Some(last) = record.iter().next_back().map(<[u8]>::trim_ascii_end).filter(|l| l.ends_with(end)) {
            let row = self.row;
            if record.len() == 1 && last == end {
                let has_line_end = matches!(self.last_byte.get(), b'\n' | b'\r');
                if self.was_short && !has_line_end {
                    let detail = format!("truncated: the file ends within row {row}. Copy it again", row = row - 1);
                    return Err(ImportError::input(&self.path, detail));
                }
                return Ok(Step::End);
            }
            return Err(ImportError::input(
                &self.path,
                format!("truncated: the file ends inside a quoted field of row {row}. Copy it again"),
            ));
        }
        self.line = record.position().map(|at| at.line() + u64::from(self.skipped));
        row.cells.resize(self.at.len(), String::new());
        let is_plain = cell::is_plain(record.as_slice());
        match csv::StringRecord::from_byte_record(record) {
            Ok(text) => {
                for (cell, &at) in row.cells.iter_mut().zip(&self.at) {
                    let text = text.get(at).unwrap_or_default();
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
                    cell::tidy_into(&cell::decode(bytes), cell);
                }
            }
        }
        let len = record.len();
        let surplus =
            len > self.header.len() && record.iter().skip(self.header.len()).any(|f| !f.trim_ascii().is_empty());
        self.record = Some(record);
        // A last line with one field may be a remark: `964 rows`.
        self.was_short = (2..self.header.len()).contains(&len);
        if len < self.header.len() || surplus {
            return Ok(Step::Bad(format!("{len} fields where the header has {wanted}", wanted = self.header.len())));
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
}

fn unreadable(path: &Path, row: u64, e: &csv::Error) -> ImportError {
    ImportError::input(path, format!("row {row}: {e}"))
}

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
    [b'|', b'\t', b';', b','].into_iter().max_by_key(|c| score(*c)).unwrap_or(b',')
}

/// Stops reading when one record is too long.
struct LimitedReader {
    inner: BufReader<Box<dyn Read>>,
    left: Rc<Cell<u64>>,
    last_byte: Rc<Cell<u8>>,
    /// Still to be given after the last byte of the file.
    end: &'static [u8],
}

impl Read for LimitedReader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(into)?;
        if n == 0 {
            return self.end.read(into);
        }
        self.last_byte.set(into[n - 1]);
        let left = self.left.get().checked_sub(n as u64).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidData, "the record has no end; is a quotation mark left open?")
        })?;
        self.left.set(left);
        Ok(n)
    }
}

/// UTF-16 as UTF-8, a block at a time.
struct Utf16Reader {
    inner: File,
    decoder: Decoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    sent: usize,
    done: bool,
}

impl Utf16Reader {
    fn new(inner: File, encoding: &'static Encoding) -> Self {
        let decoder = encoding.new_decoder_with_bom_removal();
        Self { inner, decoder, raw: vec![0; 16 * 1024], text: Vec::new(), sent: 0, done: false }
    }
}

impl Read for Utf16Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.sent == self.text.len() && !self.done {
            let n = self.inner.read(&mut self.raw)?;
            self.done = n == 0;
            self.text.resize(self.decoder.max_utf8_buffer_length(n).unwrap_or(3 * n + 16), 0);
            let (result, _, written, _) = self.decoder.decode_to_utf8(&self.raw[..n], &mut self.text, self.done);
            debug_assert!(matches!(result, CoderResult::InputEmpty));
            self.text.truncate(written);
            self.sent = 0;
        }
        let n = into.len().min(self.text.len() - self.sent);
        into[..n].copy_from_slice(&self.text[self.sent..self.sent + n]);
        self.sent += n;
        Ok(n)
    }
}
