//! The files of an import, opened by what is in them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::ImportError;
use crate::format::dialect::Dialect;
use crate::format::source::RowSource;
use crate::format::{geojson, shapefile, table, topojson};

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
        [] => Err(ImportError::input(path, "the file is empty")),
        [0x00, 0x00, 0x27, 0x0a, ..] => {
            let is_index = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shx"));
            if is_index {
                return Err(ImportError::input(path, "this is the index of a shapefile; name the .shp beside it"));
            }
            Ok(Box::new(shapefile::Shapefile::open(path, wanted)?))
        }
        [b'P', b'K', 0x03, 0x04, ..] => {
            Err(ImportError::input(path, "this is a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV"))
        }
        [0x1f, 0x8b, ..] => Err(ImportError::input(path, "this is compressed with gzip; unpack it first")),
        [b'%', b'P', b'D', b'F', ..] => Err(ImportError::input(path, "this is a PDF; a table or outlines are needed")),
        _ if shapefile::is_dbf(&head, length) => {
            let outlines = shapefile::sibling(path, "shp");
            match outlines {
                Some(shp) => Ok(Box::new(shapefile::Shapefile::open(&shp, wanted)?)),
                None => Ok(Box::new(shapefile::DbfTable::open(path, wanted)?)),
            }
        }
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => {
            Ok(Box::new(table::TextTable::open(path, file, &head, wanted, dialect)?))
        }
        _ if first == Some(b'{') && topojson::is_topology(path, &head) => {
            Ok(Box::new(topojson::Topology::open(path, file, wanted)?))
        }
        _ if matches!(first, Some(b'{' | b'[')) => Ok(Box::new(geojson::Features::open(path, file, wanted))),
        _ if is_web_page(&head) => Err(ImportError::input(
            path,
            "this is a web page; was an error page saved in place of the file? Download it again",
        )),
        _ if first.is_none() => Err(ImportError::input(path, "the file is empty")),
        _ if looks_binary(&head) => {
            Err(ImportError::input(path, "not a shapefile, GeoJSON or CSV: it holds bytes that no table has"))
        }
        _ => Ok(Box::new(table::TextTable::open(path, file, &head, wanted, dialect)?)),
    }
}

fn is_web_page(head: &[u8]) -> bool {
    let start = head.trim_ascii_start();
    ["<!doctype html", "<html"]
        .iter()
        .any(|tag| start.get(..tag.len()).is_some_and(|s| s.eq_ignore_ascii_case(tag.as_bytes())))
}

/// A table may hold a few control bytes by mistake; many mean that it is another kind of file.
fn looks_binary(head: &[u8]) -> bool {
    let odd = |b: &&u8| b.is_ascii_control() && !b.is_ascii_whitespace();
    head.iter().filter(odd).count() * 50 > head.len()
}
