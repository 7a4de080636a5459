//! Roofs that laser points show, measured before the rows are read and handed to the rows whose outlines they are.
//!
//! # Decision
//!
//! Roofs are measured inside of the outlines that the import has, in a pass of its own, and kept packed: about 300 bytes
//! each. Turned down: measuring when a home is looked up, for which a server would have to keep the points.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shingle_domain::evidence::{Point, Position, RoofPlane, Source};
use shingle_domain::message::Message;
use shingle_measure::{
    Ended, Facet, FileFacts, FileReport, MeasureError, Measured, OnEarth, Outline, Outlines, StatedCrs, Unmeasured,
    measure_each, nothing_read, point_files,
};
use shingle_property::geometry::LocalPlane;

use crate::error::ImportError;
use crate::join::layer_note::{LayerNote, LayerProblem, RoofDoubt, WhyUnmeasured};
use crate::join::meeting::rings;
use crate::mapping::layers::PointLayer;
use crate::note::Note;
use crate::row::imported::{ImportedRow, SurveyedRoof};

/// The outlines of an import, for the points.
#[derive(Default)]
pub(crate) struct OutlinesToMeasure {
    outlines: Vec<Outline>,
    rows: Vec<OutlineRow>,
}

#[derive(Debug, Clone, Copy)]
struct OutlineRow {
    file: u16,
    row: u64,
    origin: Position,
}

/// What became of them.
pub(crate) struct SurveyedRoofs {
    /// By file and row.
    roofs: HashMap<(u16, u64), Vec<u8>>,
    source: Source,
    pub figures: RoofFigures,
}

/// How many roofs laser points measured, and why they did not measure the others.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RoofFigures {
    pub roofs: u64,
    pub outlines: u64,
    /// Of the outlines without a measured roof.
    pub reasons: Vec<(Message, u64)>,
    /// The points could not be used.
    pub failed: Option<Message>,
}

impl OutlinesToMeasure {
    pub fn note(&mut self, row: &ImportedRow) {
        let Some(origin) = row.origin.filter(|_| !row.plan.is_empty()) else { return };
        let parts = row.plan.iter().map(|part| rings(std::slice::from_ref(part), origin)).collect();
        self.outlines.push(Outline { id: String::new(), parts });
        self.rows.push(OutlineRow { file: row.file, row: row.row, origin });
    }

    /// Measures all of them in the points of all files.
    pub fn measure(
        self,
        files: &[PathBuf],
        layer: &PointLayer,
        stops: &dyn Fn() -> bool,
        notes: &mut Vec<Note>,
    ) -> Result<SurveyedRoofs, ImportError> {
        let Self { outlines, rows } = self;
        let first = files.first().map_or(Path::new("."), PathBuf::as_path);
        let files = &point_files(files).map_err(|e| refused(first, &e, layer))?;
        let stated = layer.crs.as_ref().map(|crs| StatedCrs::named(&crs.0)).transpose();
        let stated = stated.map_err(|e| refused(first, &e, layer))?;
        let mut roofs = HashMap::new();
        // Files in two coordinate systems may both cover an outline: its last result counts.
        let mut reasons: Vec<Option<Unmeasured>> = vec![None; rows.len()];
        let mut alerts = Counted::default();
        let mut is_stopped = false;
        let outlines = Outlines::in_degrees(outlines);
        let reports = measure_each(files, &outlines, stated.as_ref(), &mut |index, result, on_earth| {
            let row = rows[index];
            if let Ok(measured) = &result {
                measured.alerts.iter().for_each(|alert| alerts.count(alert.code(), RoofDoubt::of(*alert)));
            }
            match packed(row, result, on_earth) {
                Ok(roof) => {
                    roofs.insert((row.file, row.row), roof);
                    reasons[index] = None;
                }
                Err(why) => reasons[index] = Some(why),
            }
            is_stopped = stops();
            if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if is_stopped {
            return Err(ImportError::Stopped);
        }
        let reports = reports.map_err(|e| refused(first, &e, layer))?;
        if let Some((path, e)) = nothing_read(&reports) {
            return Err(refused(path, e, layer));
        }
        notes.extend(reports.iter().filter_map(note_of));
        let bytes: usize = roofs.values().map(Vec::len).sum();
        notes.push(Note::of_all(LayerNote::Measured {
            roofs: roofs.len() as u64,
            outlines: rows.len() as u64,
            files: reports.iter().filter(|report| report.result.is_ok()).count(),
            megabytes: format!("{:.1}", bytes as f64 / 1e6),
        }));
        let mut counted = Counted::default();
        reasons.iter().flatten().for_each(|why| counted.count(why.code(), WhyUnmeasured::of(*why)));
        let figures = RoofFigures {
            roofs: roofs.len() as u64,
            outlines: rows.len() as u64,
            reasons: counted.0.values().map(|(count, said)| (said.clone(), *count)).collect(),
            failed: None,
        };
        notes.extend(counted.notes(|outlines, why| LayerNote::NotMeasured { outlines, why }));
        notes.extend(alerts.notes(|roofs, why| LayerNote::MeasuredBut { roofs, why }));
        let mut source = layer.source.clone();
        source.as_of = source.as_of.or_else(|| day_of_flight(&reports)).or_else(|| layer.otherwise.clone());
        Ok(SurveyedRoofs { roofs, source, figures })
    }
}

impl SurveyedRoofs {
    /// Hands a row the roof that was measured in its outline.
    pub fn complete(&self, row: &mut ImportedRow) {
        if row.plan.is_empty() {
            return;
        }
        let packed = self.roofs.get(&(row.file, row.row));
        row.roof = packed.and_then(|bytes| postcard::from_bytes::<PackedRoof>(bytes).ok()).map(PackedRoof::roof);
    }

    pub fn source(&self) -> &Source {
        &self.source
    }
}

/// What is said of many roofs.
#[derive(Default)]
struct Counted(BTreeMap<&'static str, (u64, Message)>);

impl Counted {
    fn count(&mut self, code: &'static str, said: impl Into<Message>) {
        self.0.entry(code).or_insert_with(|| (0, said.into())).0 += 1;
    }

    fn notes(self, note: impl Fn(u64, Message) -> LayerNote) -> impl Iterator<Item = Note> {
        self.0.into_values().map(move |(count, said)| Note::of_all(note(count, said)))
    }
}

fn refused(path: &Path, error: &MeasureError, layer: &PointLayer) -> ImportError {
    if layer.may_fail {
        return ImportError::input(path, error.to_string());
    }
    let problem = match error {
        MeasureError::Unplaced(_) => LayerProblem::PointsUnplaced,
        other => LayerProblem::Points { why: other.to_string() },
    };
    ImportError::input(path, problem)
}

fn note_of(report: &FileReport) -> Option<Note> {
    let said = match &report.result {
        Err(e) => LayerNote::PointsLeftOut { why: e.to_string() },
        Ok(FileFacts { ended: Ended::Early { points, why }, .. }) => {
            LayerNote::PointsInPart { points: *points, why: why.to_string() }
        }
        Ok(_) => return None,
    };
    Some(Note::of(report.path.file_name().unwrap_or_default().to_string_lossy(), said))
}

/// The last one: a roof may have changed until then.
fn day_of_flight(reports: &[FileReport]) -> Option<String> {
    let days = reports.iter().filter_map(|report| report.result.as_ref().ok()?.measured);
    let last = days.map(|(_, last)| last).max()?;
    let day = jiff::civil::date(1970, 1, 1).checked_add(jiff::Span::new().try_days(last).ok()?).ok()?;
    Some(day.to_string())
}

/// In centimeters, as the index has it.
#[derive(Serialize, Deserialize)]
struct PackedRoof {
    planes: Vec<PackedPlane>,
    points_per_sqm: f32,
}

#[derive(Serialize, Deserialize)]
struct PackedPlane {
    /// The border, then the holes.
    rings: Vec<Vec<(i32, i32)>>,
    pitch_degrees: f32,
    azimuth_degrees: f32,
    /// Meters of the first corner.
    height: f32,
}

fn packed(
    row: OutlineRow,
    result: Result<Measured, Unmeasured>,
    on_earth: Option<OnEarth>,
) -> Result<Vec<u8>, Unmeasured> {
    let measured = result?;
    // Points that do not say where they are were refused before.
    let on_earth = on_earth.ok_or(Unmeasured::BadOutline)?;
    let place = RoofPlace { plane: LocalPlane::at(row.origin), on_earth };
    let planes = measured.facets.iter().flat_map(|facet| place.planes(facet)).collect();
    let roof = PackedRoof { planes, points_per_sqm: measured.density as f32 };
    postcard::to_stdvec(&roof).map_err(|_| Unmeasured::BadOutline)
}

/// From the plane in which a roof was measured to that of its outline.
struct RoofPlace {
    plane: LocalPlane,
    on_earth: OnEarth,
}

impl RoofPlace {
    fn meters(&self, x: f64, y: f64) -> Point {
        let (longitude, latitude) = self.on_earth.degrees(x, y);
        self.plane.metres(Position { longitude, latitude })
    }

    /// One for each piece of the facet.
    fn planes(&self, facet: &Facet) -> Vec<PackedPlane> {
        let centimeters = |p: Point| ((p.x * 100.0).round() as i32, (p.y * 100.0).round() as i32);
        let ring = |ring: &[(f64, f64)]| ring.iter().map(|(x, y)| centimeters(self.meters(*x, *y))).collect();
        let (sin, cos) = facet.azimuth_degrees.to_radians().sin_cos();
        // The grid of a survey is turned against north.
        let (from, to) = (self.meters(0.0, 0.0), self.meters(sin, cos));
        let azimuth = (to.x - from.x).atan2(to.y - from.y).to_degrees().rem_euclid(360.0);
        let is_level = facet.pitch_degrees < 0.05;
        let plane = |rings: Vec<Vec<(f64, f64)>>| PackedPlane {
            rings: rings.iter().map(|r| ring(r)).collect(),
            pitch_degrees: facet.pitch_degrees as f32,
            azimuth_degrees: if is_level { 0.0 } else { azimuth as f32 },
            height: rings.first().and_then(|r| r.first()).map_or(0.0, |(x, y)| facet.z(*x, *y) as f32),
        };
        facet.pieces().into_iter().map(plane).collect()
    }
}

impl PackedRoof {
    fn roof(self) -> SurveyedRoof {
        let point = |(x, y): &(i32, i32)| Point { x: f64::from(*x) / 100.0, y: f64::from(*y) / 100.0 };
        let ring = |ring: &Vec<(i32, i32)>| ring.iter().map(point).collect();
        let plane = |plane: PackedPlane| RoofPlane {
            ring: plane.rings.first().map(ring).unwrap_or_default(),
            holes: plane.rings.iter().skip(1).map(ring).collect(),
            pitch_degrees: f64::from(plane.pitch_degrees),
            azimuth_degrees: f64::from(plane.azimuth_degrees),
            height: Some(plane.height),
        };
        let planes = self.planes.into_iter().map(plane).collect();
        SurveyedRoof { planes, points_per_sqm: self.points_per_sqm }
    }
}
