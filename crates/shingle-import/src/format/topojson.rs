//! TopoJSON: borders that neighbors share are written once, as arcs, and polygons name them.
//!
//! The file is read twice: first the arcs, which stay in memory (16 bytes per point), then the geometries one by one.
//! So memory grows with the points of the arcs, not with the size of the file.

use std::collections::VecDeque;
use std::fs::File;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::geojson_geometry::{XY, flat};
use crate::format::json::JsonScanner;
use crate::format::properties::{Properties, WantedProperties, named_crs, without_place};
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};

/// A ring may name an arc many times: this limits what a hostile file can ask for.
const MAX_POINTS: usize = 1_000_000;
/// No writer nests collections deeper than this.
const MAX_DEPTH: usize = 16;

pub(crate) struct Topology {
    scanner: JsonScanner,
    wanted: WantedProperties,
    arcs: Arcs,
    declared: DeclaredCrs,
    state: ScanState,
    /// Features of the geometry that was read last.
    queue: VecDeque<(Vec<String>, Drawn)>,
}

/// A shape, and whether a hole of it lies outside.
type Drawn = Result<(Shape, bool), String>;

#[derive(Clone, Copy, PartialEq)]
enum ScanState {
    Objects,
    /// In the list of a collection.
    Geometries,
    /// After the list, still in its object.
    Rest,
    End,
}

/// Points of all arcs, one after the other, as the file has them.
#[derive(Default)]
struct Arcs {
    points: Vec<(f64, f64)>,
    /// Where each arc ends.
    ends: Vec<usize>,
    /// With a transform, each point is an offset from the point before it.
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
    pub fn open(path: &Path, file: File, wanted: &[String]) -> Result<Self, ImportError> {
        let mut declared = DeclaredCrs::Degrees;
        let arcs = Arcs::read(JsonScanner::new(path, file, "arc"), &mut declared)?;
        let file = File::open(path).map_err(ImportError::read(path))?;
        let mut scanner = JsonScanner::new(path, file, "geometry");
        enter(&mut scanner)?;
        // The first pass has found the objects.
        while scanner.key()?.is_some_and(|key| key != "objects") {
            scanner.pass()?;
        }
        enter(&mut scanner)?;
        Ok(Self {
            scanner,
            wanted: WantedProperties::new(wanted),
            arcs,
            declared,
            state: ScanState::Objects,
            queue: VecDeque::new(),
        })
    }

    /// The next geometry's bytes into the scanner's value; `false` at the end.
    fn cut(&mut self) -> Result<bool, ImportError> {
        loop {
            match self.state {
                ScanState::End => return Ok(false),
                ScanState::Objects => {
                    if self.scanner.key()?.is_none() {
                        self.state = ScanState::End;
                    } else if self.scanner.expect()? != b'{' {
                        self.scanner.pass()?;
                    } else if self.object()? {
                        return Ok(true);
                    }
                }
                ScanState::Geometries => {
                    if self.scanner.element()? {
                        return Ok(true);
                    }
                    self.state = ScanState::Rest;
                }
                ScanState::Rest => {
                    while self.scanner.key()?.is_some() {
                        self.scanner.pass()?;
                    }
                    self.state = ScanState::Objects;
                }
            }
        }
    }

    /// Enters an object: `true` when it is one geometry, now in the value, `false` when it opened a list.
    fn object(&mut self) -> Result<bool, ImportError> {
        self.scanner.skip();
        let mut whole = vec![b'{'];
        while let Some(key) = self.scanner.key()? {
            if key == "geometries" && self.scanner.expect()? == b'[' {
                self.scanner.skip();
                self.state = ScanState::Geometries;
                return Ok(false);
            }
            self.scanner.pass()?;
            if whole.len() > 1 {
                whole.push(b',');
            }
            whole.extend(serde_json::to_vec(&key).unwrap_or_default());
            whole.push(b':');
            whole.extend(&self.scanner.value);
        }
        whole.push(b'}');
        self.scanner.value = whole;
        Ok(true)
    }

    fn parse(&mut self) -> Result<(), String> {
        if self.scanner.is_overlong {
            return Err("a geometry of more than 64 MB is too large".to_owned());
        }
        let text = cell::decode(&self.scanner.value).into_owned();
        let geometry: Geometry<'_> = serde_json::from_str(&text)
            .map_err(|e| format!("not a TopoJSON geometry: {why}", why = without_place(&e)))?;
        self.features(&geometry, 0)
    }

    /// A collection with properties is one feature with several polygons. Without properties it only groups features.
    fn features(&mut self, geometry: &Geometry<'_>, depth: usize) -> Result<(), String> {
        if depth > MAX_DEPTH {
            return Err("collections are nested too deep".to_owned());
        }
        if geometry.properties.is_none()
            && geometry.id.is_none()
            && let Some(parts) = &geometry.geometries
        {
            return parts.iter().try_for_each(|part| self.features(part, depth + 1));
        }
        let mut row = Row::default();
        self.wanted.clear(&mut row);
        self.wanted.fill(&mut row, geometry.properties.as_ref(), geometry.id.as_ref());
        let shape = self.arcs.shape(geometry);
        self.queue.push_back((row.cells, shape));
        Ok(())
    }
}

fn enter(scanner: &mut JsonScanner) -> Result<(), ImportError> {
    if scanner.expect()? != b'{' {
        return Err(scanner.not_json());
    }
    scanner.skip();
    Ok(())
}

impl Arcs {
    fn read(mut scanner: JsonScanner, declared: &mut DeclaredCrs) -> Result<Self, ImportError> {
        let mut arcs = Self::default();
        let (mut has_arcs, mut has_objects) = (false, false);
        let broken = |scanner: &JsonScanner, detail: String| Err(ImportError::input(scanner.path(), detail));
        enter(&mut scanner)?;
        while let Some(key) = scanner.key()? {
            match key.as_str() {
                "arcs" if scanner.expect()? == b'[' => {
                    has_arcs = true;
                    scanner.skip();
                    while scanner.element()? {
                        let arc: Vec<XY> = match serde_json::from_slice(&scanner.value) {
                            Ok(arc) if !scanner.is_overlong => arc,
                            _ => {
                                return broken(
                                    &scanner,
                                    format!("arc {arc} is not a list of positions", arc = scanner.read),
                                );
                            }
                        };
                        arcs.points.extend(arc.into_iter().map(|XY(x, y)| (x, y)));
                        arcs.ends.push(arcs.points.len());
                        scanner.read += 1;
                    }
                }
                "transform" => {
                    scanner.pass()?;
                    match serde_json::from_slice(&scanner.value) {
                        Ok(transform) => arcs.transform = transform,
                        Err(e) => {
                            return broken(
                                &scanner,
                                format!("the transform cannot be read: {why}", why = without_place(&e)),
                            );
                        }
                    }
                }
                "objects" if scanner.expect()? == b'{' => {
                    has_objects = true;
                    // Not kept: in a large file this is the larger half.
                    scanner.pass()?;
                }
                _ => {
                    scanner.pass()?;
                    if key == "crs"
                        && let Some(named) = named_crs(&scanner.value)
                    {
                        *declared = named;
                    }
                }
            }
        }
        if !has_arcs || !has_objects {
            let lacks = if has_objects { "arcs" } else { "objects" };
            return broken(&scanner, format!("a TopoJSON file without `{lacks}`"));
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
            Some(other) => return Err(format!("a {kind} is neither an outline nor a point", kind = cell::tidy(other))),
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
            Some("GeometryCollection") if depth <= MAX_DEPTH => {
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
            let end = *self.ends.get(index).ok_or_else(|| {
                format!("it names arc {number}; the file has {arcs}, counted from 0", arcs = self.ends.len())
            })?;
            let start = index.checked_sub(1).and_then(|i| self.ends.get(i)).copied().unwrap_or(0);
            *points += end - start;
            if *points > MAX_POINTS {
                return Err(format!("more than {MAX_POINTS} points"));
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
    serde_json::from_str(text).map_err(|e| format!("its {what} cannot be read: {why}", why = without_place(&e)))
}

impl RowSource for Topology {
    fn next_row(&mut self, row: &mut Row) -> Result<Step, ImportError> {
        self.wanted.clear(row);
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
            self.scanner.read += 1;
            if let Err(reason) = self.parse() {
                self.queue.clear();
                return Ok(Step::Bad(reason));
            }
        }
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
