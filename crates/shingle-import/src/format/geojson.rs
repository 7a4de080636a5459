//! GeoJSON of any size: one collection, or one feature a line. A bad feature costs one row.

use std::fs::File;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::geojson_geometry::Geometry;
use crate::format::json::{JsonScanner, MAX_VALUE_BYTES};
use crate::format::properties::{Properties, WantedProperties, named_crs, without_place};
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};

pub(crate) struct Features {
    scanner: JsonScanner,
    wanted: WantedProperties,
    declared: DeclaredCrs,
    state: ScanState,
    /// The first feature, read ahead so that a `crs` before it is known at once.
    ahead: Option<Result<bool, ImportError>>,
}

#[derive(PartialEq)]
enum ScanState {
    /// Between top-level values.
    File,
    /// In the list of features, of a collection or bare.
    List { collection: bool },
}

#[derive(Deserialize)]
struct Feature<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(borrow)]
    geometry: Option<Geometry<'a>>,
    #[serde(default)]
    properties: Option<Properties>,
    id: Option<Value>,
}

impl Features {
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Self {
        let mut it = Self {
            scanner: JsonScanner::new(path, file, "feature"),
            wanted: WantedProperties::new(wanted),
            declared: DeclaredCrs::Degrees,
            state: ScanState::File,
            ahead: None,
        };
        it.ahead = Some(it.cut());
        it
    }

    /// The next feature's bytes into the scanner's value; `false` at the end of the file.
    fn cut(&mut self) -> Result<bool, ImportError> {
        loop {
            self.scanner.clear();
            match self.state {
                ScanState::List { collection } => {
                    if self.scanner.element()? {
                        return Ok(true);
                    }
                    self.state = ScanState::File;
                    if collection {
                        // What follows the list of features.
                        while self.scanner.key()?.is_some() {
                            self.scanner.pass()?;
                        }
                    }
                }
                ScanState::File => match self.scanner.peek()? {
                    None => return Ok(false),
                    Some(b'[') => {
                        self.scanner.skip();
                        self.state = ScanState::List { collection: false };
                    }
                    Some(b'{') => {
                        if self.object()? {
                            return Ok(true);
                        }
                    }
                    Some(b',') => self.scanner.skip(),
                    Some(_) => {
                        // A bad line between features is one bad row, not the end.
                        self.scanner.take_line()?;
                        return Ok(true);
                    }
                },
            }
        }
    }

    /// A top-level object: `true` when it is a value by itself, `false` when it opened a list of features.
    fn object(&mut self) -> Result<bool, ImportError> {
        let scanner = &mut self.scanner;
        scanner.skip();
        scanner.value.push(b'{');
        loop {
            match scanner.expect()? {
                b'}' => {
                    scanner.skip();
                    scanner.value.push(b'}');
                    return Ok(true);
                }
                b',' => {
                    scanner.skip();
                    scanner.value.push(b',');
                }
                b'"' => {
                    let start = scanner.value.len();
                    scanner.take_value()?;
                    let key = scanner.value.get(start..).unwrap_or_default().to_vec();
                    if scanner.expect()? != b':' {
                        return Err(scanner.not_json());
                    }
                    scanner.skip();
                    scanner.value.push(b':');
                    if key == b"\"features\"" && scanner.expect()? == b'[' {
                        scanner.skip();
                        self.state = ScanState::List { collection: true };
                        return Ok(false);
                    }
                    let start = scanner.value.len();
                    scanner.take_value()?;
                    if key == b"\"crs\""
                        && let Some(declared) = scanner.value.get(start..).and_then(named_crs)
                    {
                        self.declared = declared;
                    }
                }
                _ => return Err(scanner.not_json()),
            }
        }
    }

    fn parse(&mut self, row: &mut Row) -> Result<(), String> {
        if self.scanner.is_overlong {
            return Err(format!(
                "a feature of more than {megabytes} MB is too large",
                megabytes = MAX_VALUE_BYTES / 1_048_576
            ));
        }
        // Bytes that are no UTF-8 are Windows-1252, as in a table.
        let text = cell::decode(&self.scanner.value);
        let feature: Feature<'_> = serde_json::from_str(&text)
            .map_err(|e| format!("not a GeoJSON feature: {why}", why = without_place(&e)))?;
        if feature.kind != "Feature" {
            return Err(format!("a {kind}, not a feature", kind = cell::tidy(&feature.kind)));
        }
        self.wanted.fill(row, feature.properties.as_ref(), feature.id.as_ref());
        (row.shape, row.has_stray_hole) = feature.geometry.map_or(Ok((Shape::None, false)), |g| g.shape())?;
        Ok(())
    }
}

impl RowSource for Features {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        self.wanted.clear(row);
        row.shape = Shape::None;
        row.has_stray_hole = false;
        let more = match self.ahead.take() {
            Some(ahead) => ahead?,
            None => self.cut()?,
        };
        if !more {
            return Ok(Step::End);
        }
        self.scanner.read += 1;
        Ok(self.parse(row).map_or_else(Step::Bad, |()| Step::Row))
    }

    fn declared(&self) -> DeclaredCrs {
        self.declared.clone()
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn header(&self) -> &[String] {
        self.wanted.met()
    }

    fn unseen(&self) -> Vec<String> {
        self.wanted.unseen()
    }
}
