//! The files of an import, opened by what is in them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use crate::error::ImportError;
use crate::format::charset::Charset;
use crate::format::dialect::Dialect;
use crate::format::source::RowSource;
use crate::format::{geojson, geoparquet, osm, shapefile, table};

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
            Ok(Box::new(shapefile::Shapefile::open(path, wanted, dialect.encoding)?))
        }
        [b'P', b'A', b'R', b'1', ..] => Ok(Box::new(geoparquet::GeoParquet::open(path, file, wanted)?)),
        _ if dialect.encoding.is_some_and(Charset::is_utf_16) => {
            Ok(Box::new(table::TextTable::open(path, file, &head, wanted, dialect)?))
        }
        _ if let Some(name) = unmarked_utf_16(&head) => Err(ImportError::input(
            path,
            format!("this is UTF-16 without the mark that says so; write `encoding = \"{name}\"` in `[table]`"),
        )),
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
        _ if first == Some(b'{') && is_topology(path, &head) => Err(ImportError::input(path, TOPOJSON)),
        _ if matches!(first, Some(b'{' | b'[')) => Ok(Box::new(geojson::Features::open(path, file, wanted)?)),
        _ if let Some(advice) = foreign_xml(&head) => Err(ImportError::input(path, advice)),
        _ if is_osm(&head) => Ok(Box::new(osm::OsmXml::open(path, file, wanted))),
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

const TOPOJSON: &str = "this is TopoJSON; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.topojson";

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
fn foreign(head: &[u8]) -> Option<&'static str> {
    let starts: [(&[u8], &str); 8] = [
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "this is an old Excel workbook (.xls); open it and save its sheet as CSV",
        ),
        (b"PK\x03\x04", "this is a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV"),
        (b"\x1f\x8b", "this is compressed with gzip; unpack it first: gunzip FILE"),
        (b"\x28\xb5\x2f\xfd", "this is compressed with zstd; unpack it first: unzstd FILE"),
        (b"BZh", "this is compressed with bzip2; unpack it first: bunzip2 FILE"),
        (b"%PDF", "this is a PDF; a table or outlines are needed"),
        (
            b"SQLite format 3\0",
            "this is a GeoPackage or another SQLite file; convert the layer: ogr2ogr -f GeoJSONSeq \
                                out.geojsonl in.gpkg LAYER",
        ),
        (b"fgb\x03", "this is FlatGeobuf; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.fgb"),
    ];
    // OpenStreetMap's binary form: the length of a block's head, then its name.
    let is_pbf = head.get(6..15) == Some(b"OSMHeader");
    let pbf = "this is OpenStreetMap's binary form; convert it: osmium cat in.osm.pbf -o out.osm";
    let found = starts.iter().find(|(start, _)| head.starts_with(start)).map(|(_, advice)| *advice);
    found.or(is_pbf.then_some(pbf))
}

/// XML that holds no rows, or rows in a form that is not read.
fn foreign_xml(head: &[u8]) -> Option<String> {
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
        "kml" => "this is KML; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.kml".to_owned(),
        "gpx" => "this is GPX, the track of a device; addresses or outlines are needed".to_owned(),
        name if name.contains("exception") || name.contains("error") => {
            let text = start.split(['<', '>']).map(str::trim).rfind(|text| text.contains(' ') && !text.contains('='));
            let message: String = crate::format::cell::tidy(text.unwrap_or("no reason given")).chars().take(200).collect();
            format!(
                "this is the error answer of a server (`{message}`) and holds no rows. Look at the address it came from, and \
                 download it again"
            )
        }
        name if name.contains("featurecollection") || start.contains("opengis.net/gml") => {
            "this is GML; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.gml; or ask the server for outputFormat=application/json"
                .to_owned()
        }
        "workbook" | "spreadsheet" => "this is a spreadsheet in XML; open it and save its sheet as CSV".to_owned(),
        _ => "this is XML of a form that is not read; ask for CSV, GeoJSON or a shapefile".to_owned(),
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
