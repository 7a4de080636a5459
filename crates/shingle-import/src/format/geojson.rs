//! GeoJSON of any size: one collection, or one feature a line. A bad feature costs one row.

use std::fs::File;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::format::cell;
use crate::format::geojson_geometry::Geometry;
use crate::format::json::{Cutter, LONGEST_VALUE};
use crate::format::source::{Declared, Row, RowSource, Shape, Step};
use shingle_property::PropertyError;

pub(crate) struct Features {
    cutter: Cutter,
    wanted: Vec<String>,
    seen: Vec<bool>,
    declared: Declared,
    inside: Inside,
    /// The first feature, read ahead so that a `crs` before it is known at once.
    ahead: Option<Result<bool, PropertyError>>,
}

#[derive(PartialEq)]
enum Inside {
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

pub(crate) type Properties = serde_json::Map<String, Value>;

/// Fills the wanted cells, `id` from the feature's own id where it has no such property.
pub(crate) fn fill(
    row: &mut Row,
    wanted: &[String],
    seen: &mut [bool],
    properties: Option<&Properties>,
    id: Option<&Value>,
) {
    for ((cell, name), seen) in row.cells.iter_mut().zip(wanted).zip(seen) {
        let own = || id.filter(|_| name == "id");
        let value = properties.and_then(|p| p.get(name)).or_else(own);
        *seen |= value.is_some();
        match value {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => cell.push_str(&cell::tidy(text)),
            Some(other) => cell.push_str(&cell::tidy(&other.to_string())),
        }
    }
}

/// The name in the `crs` member of GeoJSON as it was before RFC 7946, which some writers still use.
pub(crate) fn named_crs(json: &[u8]) -> Option<Declared> {
    let crs: Value = serde_json::from_slice(json).ok()?;
    crs.pointer("/properties/name").and_then(Value::as_str).map(|name| Declared::Name(name.to_owned()))
}

impl Features {
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Self {
        let mut it = Self {
            cutter: Cutter::new(path, file, "feature"),
            wanted: wanted.to_vec(),
            seen: vec![false; wanted.len()],
            declared: Declared::Degrees,
            inside: Inside::File,
            ahead: None,
        };
        it.ahead = Some(it.cut());
        it
    }

    /// The next feature's bytes into the cutter's value; `false` at the end of the file.
    fn cut(&mut self) -> Result<bool, PropertyError> {
        loop {
            self.cutter.clear();
            match self.inside {
                Inside::List { collection } => {
                    if self.cutter.element()? {
                        return Ok(true);
                    }
                    self.inside = Inside::File;
                    if collection {
                        // What follows the list of features.
                        while self.cutter.key()?.is_some() {
                            self.cutter.pass()?;
                        }
                    }
                }
                Inside::File => match self.cutter.peek()? {
                    None => return Ok(false),
                    Some(b'[') => {
                        self.cutter.skip();
                        self.inside = Inside::List { collection: false };
                    }
                    Some(b'{') => {
                        if self.object()? {
                            return Ok(true);
                        }
                    }
                    Some(b',') => self.cutter.skip(),
                    Some(_) => {
                        // A line of dirt between features: one bad row, not the end.
                        self.cutter.take_line()?;
                        return Ok(true);
                    }
                },
            }
        }
    }

    /// A top-level object: `true` when it is a value by itself, `false` when it opened a list of features.
    fn object(&mut self) -> Result<bool, PropertyError> {
        let cutter = &mut self.cutter;
        cutter.skip();
        cutter.value.push(b'{');
        loop {
            match cutter.expect()? {
                b'}' => {
                    cutter.skip();
                    cutter.value.push(b'}');
                    return Ok(true);
                }
                b',' => {
                    cutter.skip();
                    cutter.value.push(b',');
                }
                b'"' => {
                    let start = cutter.value.len();
                    cutter.take_value()?;
                    let key = cutter.value.get(start..).unwrap_or_default().to_vec();
                    if cutter.expect()? != b':' {
                        return Err(cutter.not_json());
                    }
                    cutter.skip();
                    cutter.value.push(b':');
                    if key == b"\"features\"" && cutter.expect()? == b'[' {
                        cutter.skip();
                        self.inside = Inside::List { collection: true };
                        return Ok(false);
                    }
                    let start = cutter.value.len();
                    cutter.take_value()?;
                    if key == b"\"crs\""
                        && let Some(declared) = cutter.value.get(start..).and_then(named_crs)
                    {
                        self.declared = declared;
                    }
                }
                _ => return Err(cutter.not_json()),
            }
        }
    }

    fn parse(&mut self, row: &mut Row) -> Result<(), String> {
        if self.cutter.is_overlong {
            return Err(format!("a feature of more than {} MB is none", LONGEST_VALUE / 1_048_576));
        }
        // Bytes that are no UTF-8 are Windows-1252, as in a table.
        let text = cell::decode(&self.cutter.value);
        let feature: Feature<'_> =
            serde_json::from_str(&text).map_err(|e| format!("not a GeoJSON feature: {}", without_place(&e)))?;
        if feature.kind != "Feature" {
            return Err(format!("a {}, not a feature", cell::tidy(&feature.kind)));
        }
        fill(row, &self.wanted, &mut self.seen, feature.properties.as_ref(), feature.id.as_ref());
        (row.shape, row.has_stray_hole) = feature.geometry.map_or(Ok((Shape::None, false)), |g| g.shape())?;
        Ok(())
    }
}

/// The fault itself: line and column count within the feature, and would send the reader astray.
pub(crate) fn without_place(e: &serde_json::Error) -> String {
    let text = e.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

impl RowSource for Features {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, PropertyError> {
        row.cells.resize(self.wanted.len(), String::new());
        row.cells.iter_mut().for_each(String::clear);
        row.shape = Shape::None;
        row.has_stray_hole = false;
        let more = match self.ahead.take() {
            Some(ahead) => ahead?,
            None => self.cut()?,
        };
        if !more {
            return Ok(Step::End);
        }
        self.cutter.read += 1;
        Ok(self.parse(row).map_or_else(Step::Bad, |()| Step::Row))
    }

    fn declared(&self) -> Declared {
        self.declared.clone()
    }

    fn rows(&self) -> Option<u64> {
        None
    }

    fn unseen(&self) -> Vec<String> {
        self.wanted.iter().zip(&self.seen).filter(|(_, seen)| !**seen).map(|(name, _)| name.clone()).collect()
    }
}
