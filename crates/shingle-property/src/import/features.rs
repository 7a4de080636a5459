//! GeoJSON of any size: one collection, or one feature a line. Features are cut out of the stream by their
//! brackets and parsed one by one, so that a bad one costs one row.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::cell;
use super::source::{Declared, Row, RowSource, Shape, Step, input};
use crate::PropertyError;

/// No building needs more; what is larger is not a feature but a file without structure.
const LONGEST_VALUE: usize = 64 * 1024 * 1024;

pub(super) struct Features {
    path: PathBuf,
    reader: BufReader<File>,
    wanted: Vec<String>,
    seen: Vec<bool>,
    declared: Declared,
    inside: Inside,
    value: Vec<u8>,
    read: u64,
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
struct Feature {
    #[serde(rename = "type")]
    kind: String,
    geometry: Option<Geometry>,
    #[serde(default)]
    properties: Option<serde_json::Map<String, Value>>,
}

type Ring = Vec<Vec<f64>>;

#[derive(Deserialize)]
#[serde(tag = "type")]
enum Geometry {
    Point {
        coordinates: Vec<f64>,
    },
    Polygon {
        coordinates: Vec<Ring>,
    },
    MultiPolygon {
        coordinates: Vec<Vec<Ring>>,
    },
    #[serde(other)]
    Other,
}

impl Features {
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Self {
        let mut it = Self {
            path: path.to_owned(),
            reader: BufReader::with_capacity(256 * 1024, file),
            wanted: wanted.to_vec(),
            seen: vec![false; wanted.len()],
            declared: Declared::Degrees,
            inside: Inside::File,
            value: Vec::new(),
            read: 0,
            ahead: None,
        };
        it.ahead = Some(it.cut());
        it
    }

    fn peek(&mut self) -> Result<Option<u8>, PropertyError> {
        loop {
            let buffer = self.reader.fill_buf().map_err(PropertyError::read(&self.path))?;
            let Some(&b) = buffer.first() else { return Ok(None) };
            // White space, the byte order mark, and the record separator of GeoJSON sequences.
            if b.is_ascii_whitespace() || matches!(b, 0xEF | 0xBB | 0xBF | 0x1E) {
                self.reader.consume(1);
            } else {
                return Ok(Some(b));
            }
        }
    }

    fn expect(&mut self) -> Result<u8, PropertyError> {
        match self.peek()? {
            Some(b) => Ok(b),
            None => Err(input(&self.path, format!("truncated: the file ends after feature {}", self.read))),
        }
    }

    /// Appends one JSON value to `value`.
    fn take_value(&mut self) -> Result<(), PropertyError> {
        let first = self.expect()?;
        let (mut depth, mut in_text, mut escaped) = (0_u32, false, false);
        let is_scalar = !matches!(first, b'{' | b'[' | b'"');
        if matches!(first, b',' | b'}' | b']') {
            // The end of something that never began: no value, and nothing that reading on would get past.
            return Err(input(&self.path, format!("not JSON after feature {}", self.read)));
        }
        loop {
            let buffer = self.reader.fill_buf().map_err(PropertyError::read(&self.path))?;
            if buffer.is_empty() {
                if is_scalar {
                    return Ok(());
                }
                let detail = format!("truncated: the file ends within feature {}", self.read + 1);
                return Err(input(&self.path, detail));
            }
            let mut used = 0;
            let mut done = false;
            for &b in buffer {
                if is_scalar && (b.is_ascii_whitespace() || matches!(b, b',' | b'}' | b']')) {
                    done = true;
                    break;
                }
                used += 1;
                if in_text {
                    match b {
                        _ if escaped => escaped = false,
                        b'\\' => escaped = true,
                        b'"' => in_text = false,
                        _ => {}
                    }
                } else {
                    match b {
                        b'"' => in_text = true,
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                }
                if !is_scalar && depth == 0 && !in_text {
                    done = true;
                    break;
                }
            }
            self.value.extend_from_slice(&buffer[..used]);
            self.reader.consume(used);
            if done {
                return Ok(());
            }
            if self.value.len() > LONGEST_VALUE {
                return Err(input(&self.path, format!("feature {} has no end", self.read + 1)));
            }
        }
    }

    /// The next feature's bytes into `value`; `false` at the end of the file.
    fn cut(&mut self) -> Result<bool, PropertyError> {
        loop {
            self.value.clear();
            match self.inside {
                Inside::List { collection } => match self.expect()? {
                    b']' => {
                        self.reader.consume(1);
                        self.inside = Inside::File;
                        if collection {
                            self.finish_collection()?;
                        }
                    }
                    b',' => self.reader.consume(1),
                    _ => return self.take_value().map(|()| true),
                },
                Inside::File => match self.peek()? {
                    None => return Ok(false),
                    Some(b'[') => {
                        self.reader.consume(1);
                        self.inside = Inside::List { collection: false };
                    }
                    Some(b'{') => {
                        if self.object()? {
                            return Ok(true);
                        }
                    }
                    Some(b',') => self.reader.consume(1),
                    Some(_) => {
                        // A line of dirt between features: one bad row, not the end.
                        self.reader.read_until(b'\n', &mut self.value).map_err(PropertyError::read(&self.path))?;
                        return Ok(true);
                    }
                },
            }
        }
    }

    /// A top-level object: `true` when it is a value by itself, `false` when it opened a list of features.
    fn object(&mut self) -> Result<bool, PropertyError> {
        self.reader.consume(1);
        self.value.push(b'{');
        loop {
            match self.expect()? {
                b'}' => {
                    self.reader.consume(1);
                    self.value.push(b'}');
                    return Ok(true);
                }
                b',' => {
                    self.reader.consume(1);
                    self.value.push(b',');
                }
                b'"' => {
                    let start = self.value.len();
                    self.take_value()?;
                    let key = self.value[start..].to_vec();
                    if self.expect()? != b':' {
                        return Err(input(&self.path, format!("not JSON after feature {}", self.read)));
                    }
                    self.reader.consume(1);
                    self.value.push(b':');
                    if key == b"\"features\"" && self.expect()? == b'[' {
                        self.reader.consume(1);
                        self.inside = Inside::List { collection: true };
                        return Ok(false);
                    }
                    let start = self.value.len();
                    self.take_value()?;
                    if key == b"\"crs\"" {
                        self.declare(start);
                    }
                }
                _ => return Err(input(&self.path, format!("not JSON after feature {}", self.read))),
            }
        }
    }

    /// What follows the list of features in its collection.
    fn finish_collection(&mut self) -> Result<(), PropertyError> {
        loop {
            match self.expect()? {
                b'}' => {
                    self.reader.consume(1);
                    return Ok(());
                }
                b',' | b':' => self.reader.consume(1),
                _ => {
                    self.value.clear();
                    self.take_value()?;
                }
            }
        }
    }

    /// The `crs` member of GeoJSON as it was before RFC 7946, which some writers still use.
    fn declare(&mut self, start: usize) {
        let Ok(crs) = serde_json::from_slice::<Value>(&self.value[start..]) else { return };
        if let Some(name) = crs.pointer("/properties/name").and_then(Value::as_str) {
            self.declared = Declared::Name(name.to_owned());
        }
    }

    fn parse(&mut self, row: &mut Row) -> Result<(), String> {
        let feature: Feature =
            serde_json::from_slice(&self.value).map_err(|e| format!("not a GeoJSON feature: {e}"))?;
        if feature.kind != "Feature" {
            return Err(format!("a {}, not a feature", cell::tidy(&feature.kind)));
        }
        let properties = feature.properties.unwrap_or_default();
        for ((cell, name), seen) in row.cells.iter_mut().zip(&self.wanted).zip(&mut self.seen) {
            let value = properties.get(name);
            *seen |= value.is_some();
            match value {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) => cell.push_str(&cell::tidy(text)),
                Some(other) => cell.push_str(&cell::tidy(&other.to_string())),
            }
        }
        row.shape = match feature.geometry {
            None => Shape::None,
            Some(Geometry::Point { coordinates }) => match coordinates[..] {
                [x, y, ..] => Shape::Point(x, y),
                _ => return Err("a position needs two numbers".to_owned()),
            },
            Some(Geometry::Polygon { coordinates }) => Shape::Rings(rings(coordinates)?),
            Some(Geometry::MultiPolygon { coordinates }) => {
                Shape::Rings(rings(coordinates.into_iter().flatten().collect())?)
            }
            Some(Geometry::Other) => return Err("the geometry is no outline and no point".to_owned()),
        };
        Ok(())
    }
}

fn rings(rings: Vec<Ring>) -> Result<Vec<Vec<(f64, f64)>>, String> {
    let point = |p: Vec<f64>| match p[..] {
        [x, y, ..] => Ok((x, y)),
        _ => Err("a position needs two numbers".to_owned()),
    };
    rings.into_iter().map(|r| r.into_iter().map(point).collect()).collect()
}

impl RowSource for Features {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, PropertyError> {
        row.cells.resize(self.wanted.len(), String::new());
        row.cells.iter_mut().for_each(String::clear);
        row.shape = Shape::None;
        let more = match self.ahead.take() {
            Some(ahead) => ahead?,
            None => self.cut()?,
        };
        if !more {
            return Ok(Step::End);
        }
        self.read += 1;
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
