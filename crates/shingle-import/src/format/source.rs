//! What every format gives: rows, one after the other.

use crate::error::ImportError;
use crate::format::file_note::FileNote;
use crate::format::server_answer::Paging;
use crate::format::unread_row::UnreadRow;

/// One row of a file: the wanted cells in the order they were asked for, and what is drawn.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub cells: Vec<String>,
    pub shape: Shape,
    /// A hole lies outside its polygon: it was read as a part.
    pub has_stray_hole: bool,
    /// A cell was no UTF-8: it was read as Windows-1252.
    pub was_guessed: bool,
}

/// In the coordinates of the file.
#[derive(Debug, Default, PartialEq)]
pub(crate) enum Shape {
    #[default]
    None,
    Point(f64, f64),
    /// Outer rings and holes alike, in any order.
    Rings(Vec<Vec<(f64, f64)>>),
}

pub(crate) enum Step {
    Row,
    /// A row that cannot be read, with the reason; the next one can.
    Bad(UnreadRow),
    End,
}

/// How a file says what its coordinates are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum DeclaredCrs {
    Wkt(String),
    Name(String),
    /// Longitude and latitude by the format's own rule.
    Degrees,
    /// A file that does not say it, and whose coordinates could be degrees.
    PerhapsDegrees,
    /// No shapes; points in columns are degrees.
    Table,
    Nothing,
}

pub(crate) trait RowSource {
    /// Reads the next row into `row`. After an error the file cannot be read further.
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError>;
    /// Where the last row begins in a file of lines, as an editor counts them.
    fn line(&self) -> Option<u64> {
        None
    }
    fn declared(&self) -> DeclaredCrs;
    /// The number of rows, where the file states it.
    fn rows(&self) -> Option<u64>;
    /// The names of the columns, where the file has a header; without one, if no column was asked for, those met so far.
    fn header(&self) -> &[String] {
        &[]
    }
    /// What the operator should know of the file, once it was read to the end.
    fn told(&self) -> Vec<FileNote> {
        Vec::new()
    }
    /// What a download says of the rows that it is a part of, once it was read to the end.
    fn paging(&self) -> Paging {
        Paging::default()
    }
    /// Wanted columns that no row had so far, for formats without a header.
    fn unseen(&self) -> Vec<String> {
        Vec::new()
    }
}
