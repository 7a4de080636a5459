//! `shingle measure POINTS… [--outline FILE]`

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use shingle_measure::{
    Alert, Edge, Ended, FileReport, Outlines, Report, Roof, Traced, measure_files, measure_found, nothing_read,
    point_files,
};

use super::args::GlobalArgs;
use super::output::{Output, table};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Args)]
pub struct Measure {
    /// Laser points: LAS, LAZ or COPC files, folders of them, or EPT folders
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
        if let Some((path, error)) = nothing_read(&report.files) {
            return Err(OperatorError::text(error).at(path.display()));
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
    edges: Vec<EdgeView>,
    /// Meters of all edges of each kind.
    edge_meters: BTreeMap<&'static str, f64>,
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
    /// Warnings about the figures.
    alerts: Vec<AlertView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EdgeView {
    kind: &'static str,
    /// Along the roof.
    length_meters: f64,
    /// Places in the list of facets: one at the border of the roof, else two.
    facets: Vec<usize>,
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
        let edges = measured.map(|m| m.edges.as_slice()).unwrap_or_default();
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
            edges: edges.iter().map(EdgeView::of).collect(),
            edge_meters: edge_meters(edges),
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

impl EdgeView {
    fn of(edge: &Edge) -> Self {
        Self {
            kind: edge.kind.name(),
            length_meters: rounded(edge.length),
            facets: std::iter::once(edge.facets.0).chain(edge.facets.1).collect(),
        }
    }
}

/// Sums of what is exact; rounded once.
fn edge_meters(edges: &[Edge]) -> BTreeMap<&'static str, f64> {
    let mut meters: BTreeMap<&'static str, f64> = BTreeMap::new();
    for edge in edges {
        *meters.entry(edge.kind.name()).or_default() += edge.length;
    }
    for sum in meters.values_mut() {
        *sum = rounded(*sum);
    }
    meters
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

fn edges_of(roof: &RoofView) -> String {
    let sums: Vec<_> = roof.edge_meters.iter().map(|(kind, meters)| format!("{kind} {meters:.1}")).collect();
    if sums.is_empty() { "-".to_owned() } else { sums.join(", ") }
}

fn note_of(roof: &RoofView) -> String {
    let alerts = roof.alerts.iter().map(|alert| alert.text.clone());
    roof.reason.iter().cloned().chain(alerts).collect::<Vec<_>>().join("; ")
}

fn text_of(view: &ReportView) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.1}"));
    let rows: Vec<[String; 6]> = view
        .roofs
        .iter()
        .map(|roof| {
            let facets = if roof.reason.is_some() { "-".to_owned() } else { roof.facets.len().to_string() };
            let (area, pitch) = (number(roof.area_square_meters), number(roof.pitch_degrees));
            [roof.id.clone(), area, pitch, facets, edges_of(roof), note_of(roof)]
        })
        .collect();
    table(["ROOF", "AREA M²", "PITCH °", "FACETS", "EDGES M", "NOTE"], &rows)
}

#[cfg(test)]
mod tests {
    use shingle_measure::EdgeKind;

    use super::*;

    fn edge(kind: EdgeKind, length: f64, facets: (usize, Option<usize>)) -> Edge {
        Edge { kind, from: [0.0; 3], to: [length, 0.0, 0.0], length, facets }
    }

    #[test]
    fn edges_are_summed_by_kind_and_a_row_without_figures_says_why() {
        let measured = shingle_measure::Measured {
            area: 100.0,
            plan_area: 90.0,
            pitch_degrees: 25.842_06,
            facets: Vec::new(),
            edges: vec![
                edge(EdgeKind::Ridge, 9.0, (0, Some(1))),
                edge(EdgeKind::Eave, 9.000_4, (0, None)),
                edge(EdgeKind::Eave, 9.000_4, (1, None)),
            ],
            density: 8.0,
            support: 1.0,
            height: None,
            alerts: vec![Alert::GoesOn { square_meters: 30 }],
        };
        let roofs = vec![
            Roof { id: "a".to_owned(), result: Ok(measured), traced: None },
            Roof { id: "b".to_owned(), result: Err(shingle_measure::Unmeasured::NoRoof), traced: None },
        ];
        let view = ReportView::of(&Report { roofs, files: Vec::new() });
        let json = serde_json::to_value(&view).unwrap();
        let roof = &json["roofs"][0];
        assert_eq!(roof["edgeMeters"], serde_json::json!({"eave": 18.001, "ridge": 9.0}));
        assert_eq!(roof["edges"][0], serde_json::json!({"kind": "ridge", "lengthMeters": 9.0, "facets": [0, 1]}));
        assert_eq!((&roof["traced"], &roof["reason"]), (&serde_json::json!(false), &serde_json::Value::Null));
        assert_eq!(roof["alerts"][0]["code"], "goes on");
        assert_eq!(json["roofs"][1]["reasonCode"], "no roof");
        let text = text_of(&view);
        assert!(text.contains("eave 18.0, ridge 9.0") && text.contains("the building is newer or gone"), "{text}");
    }
}
