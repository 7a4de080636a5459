//! The first rows of a file, by column.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use shingle_domain::message::{Message, ToMessage};

use crate::draft::draft_problem::DraftProblem;
use crate::draft::preamble::preamble;
use crate::error::ImportError;
use crate::format::charset::Charset;
use crate::format::dialect::{Dialect, Quote};
use crate::format::file_problem::FileProblem;
use crate::format::open::{open_rows, unmarked_utf_16};
use crate::format::source::{DeclaredCrs, Row, Shape, Step};
use crate::format::unread_row::UnreadRow;

/// Rows that a draft looks at: enough to see rare values, and soon read.
const SAMPLE_ROWS: usize = 20_000;
/// Rows in which the names of columns are looked for where a format has no heading.
const HEADING_ROWS: usize = 2_000;

pub(crate) struct Sample {
    pub path: PathBuf,
    pub columns: Vec<SampledColumn>,
    pub rows: usize,
    /// Shapes in the coordinates of the file, one for each row that has one.
    pub shapes: Vec<Shape>,
    pub declared: DeclaredCrs,
    /// Lines before the headings.
    pub skip_lines: u32,
    /// What a mapping has to say of the text: `quote`, `encoding`.
    pub stated: Vec<(&'static str, &'static str)>,
}

pub(crate) struct SampledColumn {
    pub name: String,
    /// One cell for each row, blank ones too.
    pub cells: Vec<String>,
}

impl Sample {
    pub fn read(path: &Path) -> Result<Self, ImportError> {
        let found = dialect(path)?;
        let quoted = match Self::read_as(path, &found) {
            Ok((sample, 0)) => return Ok(sample),
            Err(e) if !is_of_open_quote(&e) => return Err(e),
            quoted => quoted.map(|(sample, _)| sample),
        };
        // Marks that swallow rows may be part of the text.
        let unquoted = Dialect { quote: Quote::None, ..found };
        match Self::read_as(path, &unquoted) {
            Ok((other, _)) if quoted.as_ref().map_or(0, |quoted| quoted.rows) < other.rows => Ok(other),
            _ => quoted,
        }
    }

    /// With the rows that hold others, for a quotation mark that does not close.
    fn read_as(path: &Path, dialect: &Dialect) -> Result<(Self, u64), ImportError> {
        let dialect = dialect.clone();
        let names = headings(path, &dialect)?;
        let mut source = open_rows(path, &names, &dialect)?;
        let mut columns: Vec<SampledColumn> =
            names.into_iter().map(|name| SampledColumn { name, cells: Vec::new() }).collect();
        let (mut rows, mut shapes, mut row, mut fault) = (0, Vec::new(), Row::default(), None);
        let mut swallowed = 0;
        while rows < SAMPLE_ROWS {
            let step = match source.next_row(&mut row) {
                // A mark that never closes.
                Err(e) if rows > 0 && is_of_open_quote(&e) => {
                    swallowed += 1;
                    break;
                }
                step => step?,
            };
            match step {
                Step::End => break,
                Step::Bad(reason) => {
                    swallowed += u64::from(reason == UnreadRow::OpenQuote);
                    fault = fault.or(Some(reason));
                }
                Step::Row => {
                    for (column, cell) in columns.iter_mut().zip(&row.cells) {
                        column.cells.push(cell.clone());
                    }
                    if row.shape != Shape::None {
                        shapes.push(std::mem::take(&mut row.shape));
                    }
                    rows += 1;
                }
            }
        }
        if rows == 0 {
            let reason = fault.map_or_else(|| DraftProblem::NoRows.into(), Message::from);
            return Err(ImportError::input(path, DraftProblem::NothingReadable { reason }));
        }
        let declared = source.declared();
        let skip_lines = dialect.skip_lines;
        let quote = (dialect.quote == Quote::None).then_some(("quote", ""));
        let encoding = dialect.encoding.and_then(Charset::utf_16_name).map(|name| ("encoding", name));
        let stated = quote.into_iter().chain(encoding).collect();
        Ok((Self { path: path.to_owned(), columns, rows, shapes, declared, skip_lines, stated }, swallowed))
    }

    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn has_outlines(&self) -> bool {
        self.shapes.iter().any(|s| matches!(s, Shape::Rings(_)))
    }

    /// Whether both files could be parts of one: cut by district, say.
    pub fn continues(&self, other: &Self) -> bool {
        let names = |s: &Self| s.columns.iter().map(|c| c.name.to_lowercase()).collect::<Vec<_>>();
        self.has_outlines() == other.has_outlines() && names(self) == names(other)
    }
}

/// A mark that never closes, which takes the rest of the file into a cell.
fn is_of_open_quote(error: &ImportError) -> bool {
    let ImportError::Input { detail, .. } = error else { return false };
    let detail = detail.value("why").unwrap_or(detail);
    let open = [FileProblem::OpenQuote { row: 0, lines: 0 }, FileProblem::RecordWithoutEnd];
    detail.key().is_some() && open.iter().any(|problem| problem.to_message().key() == detail.key())
}

/// The names of the columns of all files, each once.
pub fn columns_of(files: &[PathBuf]) -> Result<Vec<String>, ImportError> {
    let mut all: Vec<String> = Vec::new();
    for file in files {
        for name in headings(file, &dialect(file)?)? {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    Ok(all)
}

/// Bytes in which the headings are looked for.
const HEAD_BYTES: u64 = 64 * 1024;

/// The form of a table as it is found out.
fn dialect(path: &Path) -> Result<Dialect, ImportError> {
    let mut head = Vec::new();
    let file = File::open(path).map_err(ImportError::read(path))?;
    file.take(HEAD_BYTES).read_to_end(&mut head).map_err(ImportError::read(path))?;
    let encoding = match head[..] {
        [0xFF, 0xFE, ..] => Some(encoding_rs::UTF_16LE),
        [0xFE, 0xFF, ..] => Some(encoding_rs::UTF_16BE),
        _ => None,
    };
    let unmarked = unmarked_utf_16(&head).and_then(Charset::named);
    let text = match encoding.map(Charset::Known).or(unmarked) {
        Some(charset) => charset.decode(&head).into_owned().into_bytes(),
        None => head,
    };
    Ok(Dialect { skip_lines: preamble(&text), encoding: unmarked, ..Dialect::default() })
}

/// Each name once; what has no name cannot be asked for.
fn headings(path: &Path, dialect: &Dialect) -> Result<Vec<String>, ImportError> {
    let mut source = open_rows(path, &[], dialect)?;
    if source.header().is_empty() {
        let mut row = Row::default();
        for _ in 0..HEADING_ROWS {
            if matches!(source.next_row(&mut row)?, Step::End) {
                break;
            }
        }
    }
    let mut names: Vec<String> = Vec::new();
    for name in source.header() {
        let is_shape = matches!(&*name.to_lowercase(), "" | "geometry" | "geom" | "bbox");
        if !is_shape && !names.iter().any(|n| n.eq_ignore_ascii_case(name)) {
            names.push(name.clone());
        }
    }
    let numbers = names.iter().filter(|n| n.parse::<f64>().is_ok()).count();
    if numbers > 0 && numbers * 3 >= names.len() {
        return Err(ImportError::input(path, DraftProblem::NoHeadings));
    }
    Ok(names)
}
