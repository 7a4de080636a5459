//! The files of an import, opened by what is in them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use shingle_domain::message::ToMessage;

use crate::error::ImportError;
use crate::format::charset::Charset;
use crate::format::dialect::Dialect;
use crate::format::file_problem::FileProblem;
use crate::format::source::RowSource;
use crate::format::{cell, geojson, geoparquet, osm, shapefile, table};

/// Bytes that are looked at to find out the format.
const SNIFFED_BYTES: u64 = 64 * 1024;

pub(crate) fn open_rows(path: &Path, wanted: &[String], dialect: &Dialect) -> Result<Box<dyn RowSource>, ImportError> {
    let mut file = File::open(path).map_err(ImportError::read(path))?;
    let length = file.metadata().map_err(ImportError::read(path))?.len();
    let mut head = Vec::new();
    file.by_ref().take(SNIFFED_BYTES).read_to_end(&mut head).map_err(ImportError::read(path))?;
    file.seek(SeekFrom::Start(0)).map_err(ImportError::read(path))?;
    let first = head.iter().copied().find(|b| !b.is_ascii_whitespace() && !matches!(b, 0xEF | 0xBB | 0xBF | 0x1E));
    match head[..] {
        [] => Err(ImportError::input(path, FileProblem::Empty)),
        [0x00, 0x00, 0x27, 0x0a, ..] => {
            let is_index = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shx"));
            if is_index {
                return Err(ImportError::input(path, FileProblem::ShapeIndex));
            }
            Ok(Box::new(shapefile::Shapefile::open(path, wanted, dialect.encoding)?))
        }
        [b'P', b'A', b'R', b'1', ..] => Ok(Box::new(geoparquet::GeoParquet::open(path, file, wanted)?)),
        _ if dialect.encoding.is_some_and(Charset::is_utf_16) => {
            Ok(Box::new(table::TextTable::open(path, file, &head, wanted, dialect)?))
        }
        _ if let Some(name) = unmarked_utf_16(&head) => {
            Err(ImportError::input(path, FileProblem::UnmarkedUtf16 { name }))
        }
        _ if let Some(advice) = foreign(&head) => Err(ImportError::input(path, advice)),
        _ if shapefile::is_dbf(&head, length) => {
            let outlines = shapefile::sibling(path, "shp");
            match outlines {
                Some(shp) => Ok(Box::new(shapefile::Shapefile::open(&shp, wanted, dialect.encoding)?)),
                None => Ok(Box::new(shapefile::DbfTable::open(path, wanted, dialect.encoding)?)),
            }
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            Ok(Box::new(table::TextTable::open(path, file, &head, wanted, dialect)?))
        }
        _ if first == Some(b'{') && is_topology(path, &head) => Err(ImportError::input(path, FileProblem::TopoJson)),
        _ if matches!(first, Some(b'{' | b'[')) => Ok(Box::new(geojson::Features::open(path, file, wanted)?)),
        _ if let Some(advice) = foreign_xml(&head) => Err(ImportError::input(path, advice)),
        _ if is_osm(&head) => Ok(Box::new(osm::OsmXml::open(path, file, wanted))),
        _ if is_web_page(&head) => Err(ImportError::input(path, FileProblem::WebPage)),
        _ if first.is_none() => Err(ImportError::input(path, FileProblem::Empty)),
        _ if looks_binary(&head) => Err(ImportError::input(path, FileProblem::Binary)),
        _ => Ok(Box::new(table::TextTable::open(path, file, &head, wanted, dialect)?)),
    }
}

/// Whether a file holds laser points: LAS, LAZ or COPC.
pub(crate) fn is_of_points(path: &Path) -> bool {
    let mut head = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == *LASER_POINTS
}

const LASER_POINTS: &[u8; 4] = b"LASF";

/// Whether a file that begins with a brace is TopoJSON.
fn is_topology(path: &Path, head: &[u8]) -> bool {
    let at = |word: &[u8]| head.windows(word.len()).position(|w| w == word);
    match (at(b"\"Topology\""), at(b"\"Feature")) {
        (Some(topology), Some(feature)) => topology < feature,
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => path.extension().is_some_and(|e| e.eq_ignore_ascii_case("topojson")),
    }
}

/// Formats that are not read, each with the way to one that is.
fn foreign(head: &[u8]) -> Option<FileProblem> {
    let starts: [(&[u8], FileProblem); 9] = [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", FileProblem::OldExcel),
        (b"PK\x03\x04", FileProblem::Zip),
        (b"\x1f\x8b", FileProblem::Gzip),
        (b"\x28\xb5\x2f\xfd", FileProblem::Zstd),
        (b"BZh", FileProblem::Bzip2),
        (b"%PDF", FileProblem::Pdf),
        (b"SQLite format 3\0", FileProblem::GeoPackage),
        (b"fgb\x03", FileProblem::FlatGeobuf),
        (LASER_POINTS, FileProblem::LaserPoints),
    ];
    // OpenStreetMap's binary form: the length of a block's head, then its name.
    let is_pbf = head.get(6..15) == Some(b"OSMHeader");
    let found = starts.into_iter().find(|(start, _)| head.starts_with(start)).map(|(_, problem)| problem);
    found.or(is_pbf.then_some(FileProblem::OsmBinary))
}

/// XML that holds no rows, or rows in a form that is not read.
fn foreign_xml(head: &[u8]) -> Option<FileProblem> {
    let start = String::from_utf8_lossy(head.get(..head.len().min(4_000)).unwrap_or_default());
    let start = start.trim_start_matches('\u{feff}').trim_start();
    if !start.starts_with('<') {
        return None;
    }
    // The first element, behind declarations, comments and instructions.
    let root = start.split('<').skip(1).find(|tag| !tag.starts_with(['?', '!']))?;
    let name = root.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next().unwrap_or_default();
    let name = name.rsplit(':').next().unwrap_or_default().to_ascii_lowercase();
    Some(match name.as_str() {
        "osm" | "html" | "svg" => return None,
        "kml" => FileProblem::Kml,
        "gpx" => FileProblem::Gpx,
        name if name.contains("exception") || name.contains("error") => {
            let text = start.split(['<', '>']).map(str::trim).rfind(|text| text.contains(' ') && !text.contains('='));
            let message = text.map(|text| cell::tidy(text).chars().take(200).collect::<String>().to_message());
            FileProblem::ServerError { message: message.unwrap_or_else(|| FileProblem::NoReasonGiven.into()) }
        }
        name if name.contains("featurecollection") || start.contains("opengis.net/gml") => FileProblem::Gml,
        "workbook" | "spreadsheet" => FileProblem::XmlSpreadsheet,
        _ => FileProblem::OtherXml,
    })
}

fn is_osm(head: &[u8]) -> bool {
    let start = head.get(..head.len().min(1_000)).unwrap_or_default();
    start.trim_ascii_start().starts_with(b"<") && start.windows(5).any(|w| w == b"<osm ")
}

fn is_web_page(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag.as_bytes())))
}

/// The name of the encoding in which every other byte of a text is zero, where there is no mark in front of it.
pub(crate) fn unmarked_utf_16(head: &[u8]) -> Option<&'static str> {
    let pairs = head.as_chunks::<2>().0;
    if pairs.len() < 16 || head.starts_with(&[0xFF, 0xFE]) || head.starts_with(&[0xFE, 0xFF]) {
        return None;
    }
    // Letters of English; a few others may be among them.
    let share = |is: fn(&[u8; 2]) -> bool| pairs.iter().filter(|pair| is(pair)).count() * 10 > pairs.len() * 9;
    if share(|[low, high]| *high == 0 && (low.is_ascii_graphic() || low.is_ascii_whitespace())) {
        Some("utf-16le")
    } else if share(|[high, low]| *high == 0 && (low.is_ascii_graphic() || low.is_ascii_whitespace())) {
        Some("utf-16be")
    } else {
        None
    }
}

/// A table may hold a few control bytes by mistake; many mean that it is another kind of file.
fn looks_binary(head: &[u8]) -> bool {
    let odd = |b: &&u8| b.is_ascii_control() && !b.is_ascii_whitespace();
    head.iter().filter(odd).count() * 50 > head.len()
}
