//! `shingle import FILE… --map MAP.toml`, and what it would do with `--check`.

use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use shingle_import::{self as import, CheckReport, ImportJob, ImportReport, Mapping, Progress};
use shingle_property::PropertyError;

use super::place::{Flags, Place};
use super::report::table;
use super::{Everywhere, Problem, Report};

#[derive(Debug, Args)]
pub struct Import {
    /// County tables, outlines, parcels, ZIP areas: CSV, GeoJSON, TopoJSON or shapefile, told apart by content
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the columns mean
    #[arg(long, value_name = "MAP.toml")]
    map: PathBuf,
    /// Folder of the property index [default: in the data folder]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Read everything, write nothing, and report what each field would have
    #[arg(long)]
    check: bool,
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
    skipped: u64,
    rejects_file: Option<PathBuf>,
    reasons: Vec<Count>,
    places: u64,
    conflicts: u64,
    coverage: Vec<Count>,
    /// Of the imported rows, those of a layer of outlines: they have no fields.
    outline_rows: u64,
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
        let mapping = Mapping::read(&self.map).map_err(|e| match e {
            PropertyError::Read { source, .. } => Problem::new(format!("The mapping cannot be read: {source}"))
                .at(self.map.display())
                .mend("Ready mappings lie in assets/maps; copy the nearest one and adapt it."),
            other => other.into(),
        })?;
        let job = ImportJob { files: self.files, mapping: &mapping, into: into.clone() };
        if self.check {
            return check(&job, report);
        }
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

fn check(job: &ImportJob<'_>, report: Report) -> Result<(), Problem> {
    let found = if report.is_watched() {
        let mut bar = Bar::new();
        let found = import::check(job, &mut bar);
        bar.0.finish_and_clear();
        found?
    } else {
        import::check(job, &mut ())?
    };
    report.done(&found, checked)?;
    if found.would_import() {
        return Ok(());
    }
    Err(Problem::new(format!("Nothing would be imported: none of {} rows can be used", found.rows_read))
        .mend("The reasons are listed above."))
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
            skipped: done.skipped,
            rejects_file: done.rejects_file,
            reasons: counts(done.reasons),
            places: done.places,
            conflicts: done.conflicts,
            coverage: counts(done.coverage),
            outline_rows: done.outline_rows,
            resumed_from: done.resumed_from,
        }
    }
}

fn words(done: &Summary) -> String {
    let mut lines = vec![format!("{}: {} places from {} rows", done.dataset, done.places, done.rows_read)];
    if let Some(rows) = done.resumed_from {
        lines.push(format!("resumed after {rows} rows of an interrupted import"));
    }
    lines.push(counts(
        ["imported", "rejected", "duplicates", "skipped"],
        [done.imported, done.rejected, done.duplicates, done.skipped],
    ));
    lines.extend(done.reasons.iter().map(|count| format!("  {:>9}  {}", count.rows, count.what)));
    if let Some(file) = &done.rejects_file {
        lines.push(format!("rejected rows, with reasons: {}", file.display()));
    }
    if done.conflicts > 0 {
        lines.push(format!("{} facts differ between rows of one address; the first was kept", done.conflicts));
    }
    let records = done.imported - done.outline_rows;
    let of = |what: &str| if matches!(what, "outline" | "point" | "parcel") { done.imported } else { records };
    let known = |c: &Count| format!("  {:>6.1} %  {}", c.rows as f64 * 100.0 / of(&c.what).max(1) as f64, c.what);
    if !done.coverage.is_empty() {
        lines.push("known of the imported rows:".into());
        lines.extend(done.coverage.iter().map(known));
    }
    lines.extend(done.notes.iter().map(|note| format!("note: {note}")));
    lines.push(format!("index: {}", done.into.display()));
    lines.join("\n")
}

fn counts(names: [&str; 4], numbers: [u64; 4]) -> String {
    let told = names.iter().zip(numbers).filter(|(name, n)| *n > 0 || **name != "skipped");
    told.map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

fn checked(found: &CheckReport) -> String {
    let mut lines = vec![format!("{}: {} rows read, nothing written", found.dataset, found.rows_read)];
    let numbers = [found.usable, found.rejected, found.duplicates, found.skipped];
    lines.push(counts(["usable", "rejected", "duplicates", "skipped"], numbers));
    lines.extend(found.reasons.iter().map(|(reason, n)| format!("  {n:>9}  {reason}")));
    if found.outline_rows > 0 {
        lines.push(format!("{} of them outlines, which take their address from their parcel", found.outline_rows));
    }
    let records = found.usable - found.outline_rows;
    lines.push(format!("address read: {} of the {records} usable records", percent(found.addressed, records)));
    if let Some(g) = &found.ground {
        lines.push(format!(
            "{} outlines and {} points, from {:.4}, {:.4} to {:.4}, {:.4} (latitude, longitude)",
            g.outlines, g.points, g.south, g.west, g.north, g.east
        ));
        if g.compared > 0 {
            let near = percent(g.near_their_zip, g.compared);
            lines.push(format!("{near} lie within {} km of the middle of their ZIP", import::NEAR_KM));
        }
    }
    if !found.fields.is_empty() {
        let row = |f: &import::CheckedField| {
            let told = f.problems.iter().take(3).map(|p| {
                let example = if p.example.is_empty() { String::new() } else { format!(" {:?}", p.example) };
                format!("{}{example} ({})", p.problem, p.cells)
            });
            let told = told.collect::<Vec<_>>().join("; ");
            let [known, blank, unread] = [f.known, f.blank, f.unread].map(|n| n.to_string());
            [f.field.clone(), known, percent(f.known, found.records), blank, unread, told]
        };
        let rows: Vec<[String; 6]> = found.fields.iter().map(row).collect();
        lines.push(String::new());
        lines.push(table(["field", "known", "share", "blank", "unread", "not understood"], &rows));
        lines.push(String::new());
    }
    lines.extend(found.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(found.suggestions.iter().map(|s| format!("look at: {s}")));
    lines.join("\n")
}
