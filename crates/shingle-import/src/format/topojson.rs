//! TopoJSON: borders that neighbours share are written once, as arcs, and polygons name them.
//!
//! The file is walked twice: once for the arcs, which are kept (16 bytes a point), once for the geometries,
//! which come one by one. So memory follows the points of the arcs and not the size of the file.

use std::collections::VecDeque;
use std::fs::File;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::format::cell;
use crate::format::geojson::{Properties, fill, named_crs, without_place};
use crate::format::geojson_geometry::{XY, flat};
use crate::format::json::Cutter;
use crate::format::source::{Declared, Row, RowSource, Shape, Step, input};
use shingle_property::PropertyError;

/// A ring may name any arc any number of times: this ends what a hostile file could make of that.
const MOST_POINTS: usize = 1_000_000;
/// Nested collections deeper than any writer makes them.
const DEEPEST: usize = 16;

pub(crate) struct Topology {
    cutter: Cutter,
    wanted: Vec<String>,
    seen: Vec<bool>,
    arcs: Arcs,
    declared: Declared,
    inside: Inside,
    /// Features of the geometry cut last.
    queue: VecDeque<(Vec<String>, Drawn)>,
}

/// A shape, and whether a hole of it lies outside.
type Drawn = Result<(Shape, bool), String>;

#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Objects,
    /// In the list of a collection.
    Geometries,
    /// Behind the list, still in its object.
    Rest,
    End,
}

/// Points of all arcs, one after the other, as the file has them.
#[derive(Default)]
struct Arcs {
    points: Vec<(f64, f64)>,
    /// Where each arc ends.
    ends: Vec<usize>,
    /// With a transform, points are steps from the one before.
    transform: Option<Transform>,
}

#[derive(Clone, Copy, Deserialize)]
struct Transform {
    scale: [f64; 2],
    translate: [f64; 2],
}

#[derive(Deserialize)]
struct Geometry<'a> {
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(borrow)]
    arcs: Option<&'a RawValue>,
    #[serde(borrow)]
    coordinates: Option<&'a RawValue>,
    #[serde(borrow)]
    geometries: Option<Vec<Geometry<'a>>>,
    properties: Option<Properties>,
    id: Option<Value>,
}

/// Whether a file that begins with a brace is a topology.
pub(crate) fn is_topology(path: &Path, head: &[u8]) -> bool {
    let at = |word: &[u8]| head.windows(word.len()).position(|w| w == word);
    match (at(b"\"Topology\""), at(b"\"Feature")) {
        (Some(topology), Some(feature)) => topology < feature,
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => path.extension().is_some_and(|e| e.eq_ignore_ascii_case("topojson")),
    }
}

impl Topology {
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Result<Self, PropertyError> {
        let mut declared = Declared::Degrees;
        let arcs = Arcs::read(Cutter::new(path, file, "arc"), &mut declared)?;
        let file = File::open(path).map_err(PropertyError::read(path))?;
        let mut cutter = Cutter::new(path, file, "geometry");
        enter(&mut cutter)?;
        // The first pass has found the objects.
        while cutter.key()?.is_some_and(|key| key != "objects") {
            cutter.pass()?;
        }
        enter(&mut cutter)?;
        Ok(Self {
            cutter,
            wanted: wanted.to_vec(),
            seen: vec![false; wanted.len()],
            arcs,
            declared,
            inside: Inside::Objects,
            queue: VecDeque::new(),
        })
    }

    /// The next geometry's bytes into the cutter's value; `false` at the end.
    fn cut(&mut self) -> Result<bool, PropertyError> {
        loop {
            match self.inside {
                Inside::End => return Ok(false),
                Inside::Objects => {
                    if self.cutter.key()?.is_none() {
                        self.inside = Inside::End;
                    } else if self.cutter.expect()? != b'{' {
                        self.cutter.pass()?;
                    } else if self.object()? {
                        return Ok(true);
                    }
                }
                Inside::Geometries => {
                    if self.cutter.element()? {
                        return Ok(true);
                    }
                    self.inside = Inside::Rest;
                }
                Inside::Rest => {
                    while self.cutter.key()?.is_some() {
                        self.cutter.pass()?;
                    }
                    self.inside = Inside::Objects;
                }
            }
        }
    }

    /// Enters an object: `true` when it is one geometry, now in the value, `false` when it opened a list.
    fn object(&mut self) -> Result<bool, PropertyError> {
        self.cutter.skip();
        let mut whole = vec![b'{'];
        while let Some(key) = self.cutter.key()? {
            if key == "geometries" && self.cutter.expect()? == b'[' {
                self.cutter.skip();
                self.inside = Inside::Geometries;
                return Ok(false);
            }
            self.cutter.pass()?;
            if whole.len() > 1 {
                whole.push(b',');
            }
            whole.extend(serde_json::to_vec(&key).unwrap_or_default());
            whole.push(b':');
            whole.extend(&self.cutter.value);
        }
        whole.push(b'}');
        self.cutter.value = whole;
        Ok(true)
    }

    fn parse(&mut self) -> Result<(), String> {
        if self.cutter.is_overlong {
            return Err("a geometry of more than 64 MB is none".to_owned());
        }
        let text = cell::decode(&self.cutter.value).into_owned();
        let geometry: Geometry<'_> =
            serde_json::from_str(&text).map_err(|e| format!("not a TopoJSON geometry: {}", without_place(&e)))?;
        self.features(&geometry, 0)
    }

    /// A collection with properties is one feature of several polygons; one without is a folder.
    fn features(&mut self, geometry: &Geometry<'_>, depth: usize) -> Result<(), String> {
        if depth > DEEPEST {
            return Err("collections are nested too deep".to_owned());
        }
        if geometry.properties.is_none()
            && geometry.id.is_none()
            && let Some(parts) = &geometry.geometries
        {
            return parts.iter().try_for_each(|part| self.features(part, depth + 1));
        }
        let mut row = Row { cells: vec![String::new(); self.wanted.len()], ..Row::default() };
        fill(&mut row, &self.wanted, &mut self.seen, geometry.properties.as_ref(), geometry.id.as_ref());
        let shape = self.arcs.shape(geometry);
        self.queue.push_back((row.cells, shape));
        Ok(())
    }
}

fn enter(cutter: &mut Cutter) -> Result<(), PropertyError> {
    if cutter.expect()? != b'{' {
        return Err(cutter.not_json());
    }
    cutter.skip();
    Ok(())
}

impl Arcs {
    fn read(mut cutter: Cutter, declared: &mut Declared) -> Result<Self, PropertyError> {
        let mut arcs = Self::default();
        let (mut has_arcs, mut has_objects) = (false, false);
        let broken = |cutter: &Cutter, detail: String| Err(input(cutter.path(), detail));
        enter(&mut cutter)?;
        while let Some(key) = cutter.key()? {
            match key.as_str() {
                "arcs" if cutter.expect()? == b'[' => {
                    has_arcs = true;
                    cutter.skip();
                    while cutter.element()? {
                        let arc: Vec<XY> = match serde_json::from_slice(&cutter.value) {
                            Ok(arc) if !cutter.is_overlong => arc,
                            _ => return broken(&cutter, format!("arc {} is no list of positions", cutter.read)),
                        };
                        arcs.points.extend(arc.into_iter().map(|XY(x, y)| (x, y)));
                        arcs.ends.push(arcs.points.len());
                        cutter.read += 1;
                    }
                }
                "transform" => {
                    cutter.pass()?;
                    match serde_json::from_slice(&cutter.value) {
                        Ok(transform) => arcs.transform = transform,
                        Err(e) => {
                            return broken(&cutter, format!("the transform cannot be read: {}", without_place(&e)));
                        }
                    }
                }
                "objects" if cutter.expect()? == b'{' => {
                    has_objects = true;
                    // Read past by its parts: of a large file this is the larger half.
                    cutter.pass()?;
                }
                _ => {
                    cutter.pass()?;
                    if key == "crs"
                        && let Some(named) = named_crs(&cutter.value)
                    {
                        *declared = named;
                    }
                }
            }
        }
        if !has_arcs || !has_objects {
            let lacks = if has_objects { "arcs" } else { "objects" };
            return broken(&cutter, format!("a TopoJSON file without `{lacks}`"));
        }
        arcs.points.shrink_to_fit();
        Ok(arcs)
    }

    fn shape(&self, geometry: &Geometry<'_>) -> Result<(Shape, bool), String> {
        let mut polygons = Vec::new();
        let mut points = 0;
        match geometry.kind.as_deref() {
            None => return Ok((Shape::None, false)),
            Some("Point") => {
                let XY(x, y) = numbers(geometry.coordinates, "coordinates")?;
                let (x, y) = self.transform.map_or((x, y), |t| t.apply(x, y));
                return Ok((Shape::Point(x, y), false));
            }
            Some("Polygon" | "MultiPolygon" | "GeometryCollection") => {
                self.collect(geometry, &mut polygons, &mut points, 0)?;
            }
            Some(other) => return Err(format!("a {} is no outline and no point", cell::tidy(other))),
        }
        Ok(flat(polygons))
    }

    fn collect(
        &self,
        geometry: &Geometry<'_>,
        into: &mut Vec<Vec<Vec<(f64, f64)>>>,
        points: &mut usize,
        depth: usize,
    ) -> Result<(), String> {
        match geometry.kind.as_deref() {
            Some("Polygon") => into.push(self.polygon(&numbers::<Vec<Vec<i64>>>(geometry.arcs, "arcs")?, points)?),
            Some("MultiPolygon") => {
                for polygon in numbers::<Vec<Vec<Vec<i64>>>>(geometry.arcs, "arcs")? {
                    into.push(self.polygon(&polygon, points)?);
                }
            }
            Some("GeometryCollection") if depth <= DEEPEST => {
                for part in geometry.geometries.iter().flatten() {
                    self.collect(part, into, points, depth + 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn polygon(&self, rings: &[Vec<i64>], points: &mut usize) -> Result<Vec<Vec<(f64, f64)>>, String> {
        rings.iter().map(|ring| self.ring(ring, points)).collect()
    }

    fn ring(&self, arcs: &[i64], points: &mut usize) -> Result<Vec<(f64, f64)>, String> {
        let mut ring: Vec<(f64, f64)> = Vec::new();
        for &number in arcs {
            // -1 is arc 0 backwards.
            let index = usize::try_from(if number < 0 { !number } else { number }).unwrap_or(usize::MAX);
            let end = *self
                .ends
                .get(index)
                .ok_or_else(|| format!("it names arc {number}; the file has {}, counted from 0", self.ends.len()))?;
            let start = index.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0);
            *points += end - start;
            if *points > MOST_POINTS {
                return Err(format!("more than {MOST_POINTS} points"));
            }
            let from = ring.len();
            match self.transform {
                None => ring.extend(&self.points[start..end]),
                Some(t) => {
                    let mut at = (0.0, 0.0);
                    ring.extend(self.points[start..end].iter().map(|step| {
                        at = (at.0 + step.0, at.1 + step.1);
                        t.apply(at.0, at.1)
                    }));
                }
            }
            if number < 0 {
                ring[from..].reverse();
            }
            // Where two arcs meet, both have the point.
            if from > 0 && ring.get(from) == ring.get(from - 1) {
                ring.remove(from);
            }
        }
        Ok(ring)
    }
}

impl Transform {
    fn apply(self, x: f64, y: f64) -> (f64, f64) {
        (x * self.scale[0] + self.translate[0], y * self.scale[1] + self.translate[1])
    }
}

fn numbers<T: DeserializeOwned>(raw: Option<&RawValue>, what: &str) -> Result<T, String> {
    let text = raw.ok_or_else(|| format!("the geometry has no {what}"))?.get();
    serde_json::from_str(text).map_err(|e| format!("its {what} cannot be read: {}", without_place(&e)))
}

impl RowSource for Topology {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, PropertyError> {
        row.cells.resize(self.wanted.len(), String::new());
        row.cells.iter_mut().for_each(String::clear);
        row.shape = Shape::None;
        loop {
            if let Some((cells, shape)) = self.queue.pop_front() {
                row.cells = cells;
                return Ok(match shape {
                    Ok(drawn) => {
                        (row.shape, row.has_stray_hole) = drawn;
                        Step::Row
                    }
                    Err(reason) => Step::Bad(reason),
                });
            }
            if !self.cut()? {
                return Ok(Step::End);
            }
            self.cutter.read += 1;
            if let Err(reason) = self.parse() {
                self.queue.clear();
                return Ok(Step::Bad(reason));
            }
        }
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
