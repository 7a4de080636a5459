//! `shingle measure POINTS… [--outline FILE]`

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use shingle_measure::{
    Alert, Ended, FileReport, Outlines, Report, Roof, Traced, measure_files, measure_found, point_files,
};

use super::args::GlobalArgs;
use super::output::{Output, table};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Args)]
pub struct Measure {
    /// Laser points: LAS, LAZ or COPC files, or folders of them
    #[arg(required = true, value_name = "POINTS")]
    points: Vec<PathBuf>,
    /// The roofs to measure: polygons with an `id`, as GeoJSON. Without it roofs are found in the points and traced
    #[arg(long, value_name = "FILE")]
    outline: Option<PathBuf>,
}

impl Measure {
    pub fn run(self, _: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let outlines = self.outline.as_deref().map(outlines_in).transpose()?;
        let files = point_files(&self.points).map_err(OperatorError::text)?;
        let report = match &outlines {
            Some(outlines) => measure_files(&files, outlines),
            None => measure_found(&files),
        };
        let report = report.map_err(OperatorError::text)?;
        if let Some(error) = nothing_read(&report) {
            return Err(error);
        }
        warn(&report.files);
        output.print(&ReportView::of(&report), text_of)
    }
}

fn outlines_in(path: &Path) -> Result<Outlines, OperatorError> {
    let text = std::fs::read_to_string(path).map_err(|e| OperatorError::text(e).at(path.display()))?;
    Outlines::from_geojson(&text).map_err(|e| OperatorError::text(e).at(path.display()))
}

/// Files that could not be read, or not to their end, are named beside the result.
fn warn(files: &[FileReport]) {
    for file in files {
        let why = match &file.result {
            Err(e) => format!("left out: {e}"),
            Ok(facts) => match &facts.ended {
                Ended::Whole => continue,
                Ended::Early { points, why } => format!("only its first {points} points were read: {why}"),
            },
        };
        // If this fails, the result still says which roofs were not measured.
        let _ = writeln!(std::io::stderr().lock(), "warning: {}: {why}", file.path.display());
    }
}

fn nothing_read(report: &Report) -> Option<OperatorError> {
    let mut failed = report.files.iter().map(|file| file.result.as_ref().err().map(|e| (e, &file.path)));
    let first = failed.next()??;
    let all_failed = failed.all(|f| f.is_some());
    all_failed.then(|| OperatorError::text(first.0).at(first.1.display()))
}

#[derive(Serialize)]
struct ReportView {
    roofs: Vec<RoofView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RoofView {
    id: String,
    area_square_meters: Option<f64>,
    pitch_degrees: Option<f64>,
    facets: Vec<FacetView>,
    /// No outline was given: this one was traced from the points.
    traced: bool,
    /// The traced outline as a ring of longitude and latitude, where the points say where they are; else in their own
    /// coordinates.
    #[serde(skip_serializing_if = "Option::is_none")]
    outline: Option<Vec<[f64; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outline_in: Option<&'static str>,
    /// Why there are no figures, for people and for machines.
    reason: Option<String>,
    reason_code: Option<&'static str>,
    /// What to know about figures that are there.
    alerts: Vec<AlertView>,
}

#[derive(Serialize)]
struct AlertView {
    code: &'static str,
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FacetView {
    area_square_meters: f64,
    pitch_degrees: f64,
    azimuth_degrees: f64,
}

impl ReportView {
    fn of(report: &Report) -> Self {
        Self { roofs: report.roofs.iter().map(RoofView::of).collect() }
    }
}

impl RoofView {
    fn of(roof: &Roof) -> Self {
        let measured = roof.result.as_ref();
        let facets = measured.map(|m| m.facets.as_slice()).unwrap_or_default();
        Self {
            id: roof.id.clone(),
            area_square_meters: measured.ok().map(|m| rounded(m.area)),
            pitch_degrees: measured.ok().map(|m| rounded(m.pitch_degrees)),
            facets: facets
                .iter()
                .map(|f| FacetView {
                    area_square_meters: rounded(f.area),
                    pitch_degrees: rounded(f.pitch_degrees),
                    azimuth_degrees: rounded(f.azimuth_degrees),
                })
                .collect(),
            traced: roof.traced.is_some(),
            outline: roof.traced.as_ref().map(ring_of),
            outline_in: roof.traced.as_ref().map(|traced| match traced.degrees {
                Some(_) => "degrees",
                None => "points",
            }),
            reason: measured.err().map(ToString::to_string),
            reason_code: measured.err().map(|why| why.code()),
            alerts: measured.map(|m| m.alerts.as_slice()).unwrap_or_default().iter().map(AlertView::of).collect(),
        }
    }
}

impl AlertView {
    fn of(alert: &Alert) -> Self {
        Self { code: alert.code(), text: alert.to_string() }
    }
}

/// Closed, as GeoJSON has it.
fn ring_of(traced: &Traced) -> Vec<[f64; 2]> {
    let round = |v: f64, most: f64| (v * most).round() / most;
    let ring = match &traced.degrees {
        Some(degrees) => degrees.iter().map(|p| [round(p.0, 1e8), round(p.1, 1e8)]).collect::<Vec<_>>(),
        None => traced.ring.iter().map(|p| [rounded(p.0), rounded(p.1)]).collect(),
    };
    let first = ring.first().copied();
    ring.into_iter().chain(first).collect()
}

/// To a thousandth: more than any survey knows.
fn rounded(value: f64) -> f64 {
    (value * 1_000.0).round() / 1_000.0
}

fn note_of(roof: &RoofView) -> String {
    let alerts = roof.alerts.iter().map(|alert| alert.text.clone());
    roof.reason.iter().cloned().chain(alerts).collect::<Vec<_>>().join("; ")
}

fn text_of(view: &ReportView) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.1}"));
    let rows: Vec<[String; 5]> = view
        .roofs
        .iter()
        .map(|roof| {
            let facets = if roof.reason.is_some() { "-".to_owned() } else { roof.facets.len().to_string() };
            [roof.id.clone(), number(roof.area_square_meters), number(roof.pitch_degrees), facets, note_of(roof)]
        })
        .collect();
    table(["ROOF", "AREA M²", "PITCH °", "FACETS", "NOTE"], &rows)
}
