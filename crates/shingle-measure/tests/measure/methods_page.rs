//! The tables of the manual's page about measuring are those of this test run. `SHINGLE_WRITE_METHODS=1` writes them.

use std::collections::BTreeMap;
use std::path::Path;

use shingle_measure::Measured;

use crate::support::made::{KINDS, Truth};

/// What was wrong, kind by kind: percent of the area, degrees of the pitch, facets.
#[derive(Debug, Default)]
pub struct Kinds(BTreeMap<&'static str, Vec<(f64, f64, usize)>>);

impl Kinds {
    pub fn add(&mut self, kind: &'static str, truth: &Truth, measured: &Measured) {
        let area = (measured.area / truth.area - 1.0).abs() * 100.0;
        let pitch = (measured.pitch_degrees - truth.pitch).abs();
        self.0.entry(kind).or_default().push((area, pitch, measured.facets.len().abs_diff(truth.facets)));
    }

    pub fn append(&mut self, other: &mut Self) {
        for (kind, mut errors) in std::mem::take(&mut other.0) {
            self.0.entry(kind).or_default().append(&mut errors);
        }
    }

    fn table(&self) -> String {
        let mut table = String::from(
            "| roof | roofs flown | area: half within | all within | pitch: half within | facets right |\n|---|---|---|---|---|---|\n",
        );
        for (kind, said) in KINDS.into_iter().zip(SAID) {
            let errors = &self.0[kind];
            let sorted = |of: fn(&(f64, f64, usize)) -> f64| {
                let mut values: Vec<f64> = errors.iter().map(of).collect();
                values.sort_by(f64::total_cmp);
                values
            };
            let (areas, pitches) = (sorted(|e| e.0), sorted(|e| e.1));
            let right = errors.iter().filter(|e| e.2 == 0).count();
            table += &format!(
                "| {said} | {} | {} % | {} % | {}° | {right} of {} |\n",
                errors.len(),
                up(areas[areas.len() / 2]),
                up(areas[areas.len() - 1]),
                up(pitches[pitches.len() / 2]),
                errors.len()
            );
        }
        table
    }
}

/// In the order of [`KINDS`], for people.
const SAID: [&str; KINDS.len()] = [
    "flat",
    "shed",
    "gable",
    "hip",
    "L-shaped gable",
    "T-shaped gable",
    "cross gable",
    "mansard",
    "gambrel",
    "gable with dormers",
    "L-shaped hip",
    "two heights",
];

/// Rounded up, so that "within" holds.
fn up(value: f64) -> String {
    format!("{:.1}", (value * 10.0).ceil() / 10.0)
}

/// # Panics
///
/// When the page has other figures.
pub fn check_page(density: u32, kinds: &Kinds) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/manual/src/methods.md");
    let page = std::fs::read_to_string(&file).unwrap();
    let begin = format!("### {density} points on a square meter\n\n");
    let (before, rest) = page.split_once(&begin).unwrap();
    let (written, after) = rest.split_once("\n\n").unwrap();
    let table = kinds.table();
    if std::env::var_os("SHINGLE_WRITE_METHODS").is_some() {
        std::fs::write(&file, [before, &begin, &table, "\n", after].concat()).unwrap();
        return;
    }
    let written = [written, "\n"].concat();
    assert_eq!(written, table, "{} is not what was measured; SHINGLE_WRITE_METHODS=1 writes it", file.display());
}
