//! `shingle import FILE… --map MAP.toml`

use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use shingle_property::import::{self, ImportJob, ImportReport, Mapping, Progress};

use super::place::{Flags, Place};
use super::{Everywhere, Problem, Report};

#[derive(Debug, Args)]
pub struct Import {
    /// County tables and outlines: CSV, GeoJSON or shapefile, told apart by content
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the columns mean
    #[arg(long, value_name = "MAP.toml")]
    map: PathBuf,
    /// Folder of the property index [default: in the data folder]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    dataset: String,
    into: PathBuf,
    rows_read: u64,
    imported: u64,
    rejected: u64,
    duplicates: u64,
    rejects_file: Option<PathBuf>,
    reasons: Vec<Count>,
    places: u64,
    conflicts: u64,
    coverage: Vec<Count>,
    notes: Vec<String>,
    resumed_from: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Count {
    what: String,
    rows: u64,
}

impl Import {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = Place::of(everywhere, Flags::default())?;
        let into = self.into.unwrap_or_else(|| place.settings.property());
        let text = std::fs::read_to_string(&self.map).map_err(|e| {
            Problem::new(format!("The mapping cannot be read: {e}"))
                .at(self.map.display())
                .mend("Ready mappings lie in assets/maps; copy the nearest one and adapt it.")
        })?;
        let mapping = Mapping::from_toml(&text, &self.map.display().to_string())?;
        let job = ImportJob { files: self.files, mapping: &mapping, into: into.clone() };
        let done = if report.is_watched() {
            let mut bar = Bar::new();
            let done = import::run(job, &mut bar);
            bar.0.finish_and_clear();
            done?
        } else {
            import::run(job, &mut ())?
        };
        report.done(&Summary::new(done, into), words)
    }
}

/// Rows read, how fast, and how long it will take.
struct Bar(ProgressBar);

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::no_length();
        bar.set_style(style("{spinner} {human_pos} rows  {per_sec}"));
        Self(bar)
    }
}

impl Progress for Bar {
    fn total(&mut self, rows: Option<u64>) {
        if let Some(rows) = rows {
            self.0.set_length(rows);
            self.0.set_style(style("{bar:30} {human_pos} of {human_len} rows  {per_sec}  {eta} left"));
        }
    }

    fn advance(&mut self, rows: u64) {
        self.0.inc(rows);
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

impl Summary {
    fn new(done: ImportReport, into: PathBuf) -> Self {
        let counts = |list: Vec<(String, u64)>| list.into_iter().map(|(what, rows)| Count { what, rows }).collect();
        let unread = done
            .unread
            .iter()
            .map(|u| format!("{}: {} ({} cells, such as {:?})", u.field, u.problem, u.cells, u.example));
        Self {
            notes: done.notes.iter().cloned().chain(unread).collect(),
            dataset: done.dataset,
            into,
            rows_read: done.rows_read,
            imported: done.imported,
            rejected: done.rejected,
            duplicates: done.duplicates,
            rejects_file: done.rejects_file,
            reasons: counts(done.reasons),
            places: done.places,
            conflicts: done.conflicts,
            coverage: counts(done.coverage),
            resumed_from: done.resumed_from,
        }
    }
}

fn words(done: &Summary) -> String {
    let mut lines = vec![format!("{}: {} places from {} rows", done.dataset, done.places, done.rows_read)];
    if let Some(rows) = done.resumed_from {
        lines.push(format!("resumed after {rows} rows of an interrupted import"));
    }
    lines.push(format!("imported {}, rejected {}, duplicates {}", done.imported, done.rejected, done.duplicates));
    lines.extend(done.reasons.iter().map(|count| format!("  {:>9}  {}", count.rows, count.what)));
    if let Some(file) = &done.rejects_file {
        lines.push(format!("rejected rows, with reasons: {}", file.display()));
    }
    if done.conflicts > 0 {
        lines.push(format!("{} facts differ between rows of one address; the first was kept", done.conflicts));
    }
    let share = |rows: u64| rows as f64 * 100.0 / (done.imported.max(1)) as f64;
    let known = |c: &Count| format!("  {:>6.1} %  {}", share(c.rows), c.what);
    if !done.coverage.is_empty() {
        lines.push("known of the imported rows:".into());
        lines.extend(done.coverage.iter().map(known));
    }
    lines.extend(done.notes.iter().map(|note| format!("note: {note}")));
    lines.push(format!("index: {}", done.into.display()));
    lines.join("\n")
}
