//! The files of an import, opened by what is in them and read row by row.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::format::dialect::Dialect;
use crate::format::{geojson, shapefile, table, topojson};
use shingle_property::PropertyError;

/// One row of a file: the wanted cells in the order they were asked for, and what is drawn.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub cells: Vec<String>,
    pub shape: Shape,
    /// A hole lies outside its polygon: it was read as a part.
    pub has_stray_hole: bool,
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
    Bad(String),
    End,
}

/// How a file says what its coordinates are.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Declared {
    Wkt(String),
    Name(String),
    /// Longitude and latitude by the format's own rule.
    Degrees,
    /// A shapefile without `.prj` whose box could be degrees.
    PerhapsDegrees,
    /// No shapes; points in columns are degrees.
    Table,
    Nothing,
}

pub(crate) trait RowSource {
    /// Reads the next row over the last one. An error is the end of the file's use.
    fn next_row(&mut self, row: &mut Row) -> Result<Step, PropertyError>;
    fn declared(&self) -> Declared;
    /// Rows in the file, where it says so.
    fn rows(&self) -> Option<u64>;
    /// The columns' names, where a file has a heading.
    fn header(&self) -> &[String] {
        &[]
    }
    /// Wanted columns that no row so far had: for formats without a header.
    fn unseen(&self) -> Vec<String> {
        Vec::new()
    }
}

pub(crate) fn input(path: &Path, detail: impl Into<String>) -> PropertyError {
    PropertyError::Input { path: path.to_owned(), detail: detail.into() }
}

/// Bytes looked at to tell what a file is.
const SNIFFED: u64 = 64 * 1024;

pub(crate) fn open_as(path: &Path, wanted: &[String], dialect: &Dialect) -> Result<Box<dyn RowSource>, PropertyError> {
    let mut file = File::open(path).map_err(PropertyError::read(path))?;
    let length = file.metadata().map_err(PropertyError::read(path))?.len();
    let mut head = Vec::new();
    file.by_ref().take(SNIFFED).read_to_end(&mut head).map_err(PropertyError::read(path))?;
    file.seek(SeekFrom::Start(0)).map_err(PropertyError::read(path))?;
    let first = head.iter().copied().find(|b| !b.is_ascii_whitespace() && !matches!(b, 0xEF | 0xBB | 0xBF | 0x1E));
    match head[..] {
        [] => Err(input(path, "the file is empty")),
        [0x00, 0x00, 0x27, 0x0a, ..] => {
            let is_index = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shx"));
            if is_index {
                return Err(input(path, "this is the index of a shapefile; name the .shp beside it"));
            }
            Ok(Box::new(shapefile::Shapefile::open(path, wanted)?))
        }
        [b'P', b'K', 0x03, 0x04, ..] => {
            Err(input(path, "this is a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV"))
        }
        [0x1f, 0x8b, ..] => Err(input(path, "this is compressed with gzip; unpack it first")),
        [b'%', b'P', b'D', b'F', ..] => Err(input(path, "this is a PDF; a table or outlines are needed")),
        _ if shapefile::is_dbf(&head, length) => {
            let outlines = shapefile::sibling(path, "shp");
            match outlines {
                Some(shp) => Ok(Box::new(shapefile::Shapefile::open(&shp, wanted)?)),
                None => Ok(Box::new(shapefile::Attributes::open(path, wanted)?)),
            }
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Ok(Box::new(table::Table::open(path, file, &head, wanted, dialect)?)),
        _ if first == Some(b'{') && topojson::is_topology(path, &head) => {
            Ok(Box::new(topojson::Topology::open(path, file, wanted)?))
        }
        _ if matches!(first, Some(b'{' | b'[')) => Ok(Box::new(geojson::Features::open(path, file, wanted))),
        _ if is_web_page(&head) => {
            Err(input(path, "this is a web page; was an error page saved in place of the file? Download it again"))
        }
        _ if first.is_none() => Err(input(path, "the file is empty")),
        _ if looks_binary(&head) => {
            Err(input(path, "not a shapefile, GeoJSON or CSV: it holds bytes that no table has"))
        }
        _ => Ok(Box::new(table::Table::open(path, file, &head, wanted, dialect)?)),
    }
}

fn is_web_page(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag.as_bytes())))
}

/// A few stray control bytes are dirt in a table; many are another kind of file.
fn looks_binary(head: &[u8]) -> bool {
    let odd = |b: &&u8| b.is_ascii_control() && !b.is_ascii_whitespace();
    head.iter().filter(odd).count() * 50 > head.len()
}

/// A heading as an error may show it: of a broken file it can be anything, and long.
fn shown(heading: &str) -> String {
    crate::format::cell::tidy(heading).chars().take(40).collect()
}

/// Where each wanted column stands in a header: by its name, else by its name in another case. The error
/// names every column that is missing, the nearest name for each, and what is there.
pub(crate) fn locate(path: &Path, wanted: &[String], header: &[String]) -> Result<Vec<usize>, PropertyError> {
    let (mut at, mut missing) = (Vec::with_capacity(wanted.len()), Vec::new());
    for name in wanted {
        let exact = header.iter().position(|h| h == name);
        let found = exact.or_else(|| header.iter().position(|h| h.eq_ignore_ascii_case(name)));
        match found {
            Some(found) => at.push(found),
            None => missing.push(name),
        }
    }
    if missing.is_empty() {
        return Ok(at);
    }
    let like = |a: &str, b: &str| strsim::jaro_winkler(&a.to_lowercase(), &b.to_lowercase());
    let told = missing.iter().take(MOST_MISSING).map(|name| {
        let near = header.iter().max_by(|a, b| like(a, name).total_cmp(&like(b, name)));
        let hint = near.map(|n| format!("; is `{}` meant?", shown(n))).unwrap_or_default();
        format!("no column `{name}`{hint}")
    });
    let told: Vec<String> = told.collect();
    let more = missing.len().saturating_sub(MOST_MISSING);
    let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
    let wrong = if missing.len() == wanted.len() && wanted.len() > 2 {
        " None of the mapping's columns is there: is it the mapping for another file?"
    } else {
        ""
    };
    let there: Vec<String> = header.iter().take(80).map(|h| shown(h)).collect();
    Err(input(path, format!("{}{more}{wrong} The file has: {}", told.join(" "), there.join(", "))))
}

/// Missing columns that an error names.
const MOST_MISSING: usize = 8;
