//! `shingle import FILE… --map MAP.toml`; with `--check` it only reports what an import would do.

use std::fmt;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use clap::{Args, Command, ValueEnum};
use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};
use serde::Serialize;
use shingle_domain::aerial::PhotoDate;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_import::{self as import, CheckReport, ImportError, ImportJob, ImportReport, Mapping, Progress};
use shingle_property::PropertyIndex;

use super::args::GlobalArgs;
use super::output::Output;
use super::output::table;
use super::photo_report::PhotoReport;
use shingle_app::aerial::{self, PhotoFiles};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;

/// Characters of what people read below a photograph.
const MAX_CREDIT: usize = 80;

#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct Import {
    /// County tables, outlines, parcels, ZIP areas: CSV, dBASE, GeoJSON, Esri JSON, shapefile, GeoParquet or
    /// OpenStreetMap XML, recognized by content; and laser points that show the roofs: LAS, LAZ, COPC
    /// or EPT, also folders of tiles. Or else photos from the air: GeoTIFF
    #[arg(required_unless_present_any = ["guide", "help"], value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Mapping: what the columns mean. A file, or the name of one that comes with the program (see --guide)
    #[arg(long, value_name = "MAP.toml")]
    map: Option<PathBuf>,
    /// Name of the data set, in place of the mapping's: one mapping serves many counties
    #[arg(long, value_name = "NAME")]
    dataset: Option<String>,
    /// Of photos: when they were taken, as far as known (2023, 2023-07 or 2023-07-14); a date in the names of the
    /// files (…_20230714.tif) needs no saying
    #[arg(long, value_name = "DATE")]
    taken: Option<String>,
    /// Of photos: whose they are and under which terms; people read it ("USDA, public domain")
    #[arg(long, value_name = "TEXT")]
    credit: Option<String>,
    /// Of photos: the coordinate system of files that name none (EPSG:26916)
    #[arg(long, value_name = "SYSTEM")]
    crs: Option<String>,
    /// Show this help; with `mapping` the manual of mappings
    #[arg(short, long, value_name = "TOPIC", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "--help alone, or with a topic")]
    help: Option<Option<HelpTopic>>,
    /// What to download for a state (VA, say), from where, how large it is, which license binds, and the command
    #[arg(long, value_name = "STATE", conflicts_with = "files")]
    guide: Option<String>,
    /// Look at the files and print a mapping for them: what is doubtful in it is marked, and it shows the first rows as
    /// it reads them. Nothing is written: shingle import --draft FILE… > town.toml
    #[arg(long, conflicts_with_all = ["map", "check", "guide"])]
    draft: bool,
    /// Folder of the property index [default: in the data folder]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Read everything, write nothing, and report the values of each field
    #[arg(long)]
    check: bool,
    /// With --check: the share of 200 of its own rows that must be found as people write them, in percent; 0 never refuses
    #[arg(long, value_name = "PERCENT", default_value_t = import::LEAST_FOUND_PERCENT)]
    least_found: f64,
    /// Import even if the data set loses more than a fifth of its places
    #[arg(long)]
    allow_shrink: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum HelpTopic {
    /// How to write a mapping
    Mapping,
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
    own_rows: Option<import::OwnRows>,
    /// Imported rows of outline layers, which have no fields.
    outline_rows: u64,
    notes: Vec<String>,
    resumed_from: Option<u64>,
}

#[derive(Debug, Serialize)]
struct Guide {
    text: String,
}

#[derive(Debug, Serialize)]
struct Count {
    what: String,
    rows: u64,
}

impl Import {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        match self.help {
            Some(Some(HelpTopic::Mapping)) => {
                let manual = Guide { text: import::MANUAL.to_owned() };
                return output.print(&manual, |manual| manual.text.clone());
            }
            Some(None) => {
                let mut command = Self::augment_args(Command::new("shingle import"));
                let text = command.render_long_help().to_string();
                return output.print(&Guide { text }, |help| help.text.clone());
            }
            None => {}
        }
        if let Some(state) = &self.guide {
            let text = import::guide(state).ok_or_else(|| OperatorError::new(format!("`{state}` is not a state")))?;
            return output.print(&Guide { text }, |guide| guide.text.clone());
        }
        if self.draft {
            let draft = import::draft(&self.files)?;
            return output.print(&draft, |draft| draft.mapping.trim_end().to_owned());
        }
        let context = global.installation(SettingFlags::default())?;
        if let Some(files) = photographs(&self.files) {
            return Self { files, ..self }.load_photographs(&context, output);
        }
        if self.files.iter().any(|file| starts_like_tiff(file)) {
            return Err(OperatorError::text("Some of these files are photos and some are not")
                .fix("Import the photos (GeoTIFF) with a command of their own."));
        }
        if [&self.taken, &self.credit, &self.crs].into_iter().any(Option::is_some) {
            return Err(OperatorError::text(
                "--taken, --credit and --crs are for photos (GeoTIFF), which these files are not",
            ));
        }
        if self.map.is_none() {
            return Err(OperatorError::text("A mapping is needed: it says what the columns mean")
                .fix("Name one with --map MAP.toml; propose one with `shingle import --draft FILE… > town.toml`."));
        }
        let into = self.into.unwrap_or_else(|| context.settings.property());
        let mapping = mapping(&self.map.unwrap_or_default())?;
        let mapping = match &self.dataset {
            Some(name) => mapping.for_dataset(name)?,
            None => mapping,
        };
        let job = ImportJob { files: self.files, mapping: &mapping, into: into.clone() };
        if self.check {
            return check(&job, self.least_found, output);
        }
        let run = if self.allow_shrink { import::run_allowing_shrink } else { import::run };
        let report = if output.shows_progress() {
            let mut bar = RowProgress::new();
            let result = run(job, &mut bar);
            bar.0.finish_and_clear();
            result?
        } else {
            run(job, &mut ())?
        };
        output.print(&Summary::new(report, into), summary_text)
    }
}

impl Import {
    /// Photographs from the air: looked at with `--check`, else copied into the data folder.
    fn load_photographs(self, context: &Installation, output: Output) -> Result<(), OperatorError> {
        if self.map.is_some() {
            return Err(OperatorError::text("Photos have no columns, so they need no mapping").fix("Leave out --map."));
        }
        let needed = |value: Option<String>, flag: &str, example: &str| {
            value.filter(|text| !text.trim().is_empty()).ok_or_else(|| {
                OperatorError::text(format!("Photos need {flag}: people read it below the picture"))
                    .fix(format!("Add {flag} {example}."))
            })
        };
        let named = dated_name(&self.files).map(|date| date.to_string());
        let taken = needed(self.taken.or(named), "--taken", "2023-07")?;
        let taken = taken.parse().map_err(|_| {
            OperatorError::text(format!("`{taken}` is not a date of a photo")).fix("Write 2023, 2023-07 or 2023-07-14.")
        })?;
        let credit = needed(self.credit, "--credit", "\"USDA, public domain\"")?;
        if credit.chars().count() > MAX_CREDIT || credit.chars().any(char::is_control) {
            return Err(OperatorError::text(format!("--credit must be one line of at most {MAX_CREDIT} characters")));
        }
        let stem = |file: &PathBuf| file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let name = self.dataset.or_else(|| self.files.first().and_then(stem)).unwrap_or_default();
        let of = PhotoFiles { files: self.files, name, taken, credit, system: self.crs };
        let property = self.into.unwrap_or_else(|| context.settings.property());
        let index = PropertyIndex::open(&property, context.reference()?)?;
        let folder = aerial::folder(&context.settings.data);
        let found = if self.check { aerial::examine(&of, &index)? } else { aerial::load(&folder, &of, &index)? };
        output.print(&PhotoReport::of(&of, &found, self.check), PhotoReport::text)
    }
}

/// The date in the names of all these files, as surveys write it: `m_3211605_ne_11_060_20200415.tif`.
fn dated_name(files: &[PathBuf]) -> Option<PhotoDate> {
    let mut dates = files.iter().map(|file| date_in(&file.file_stem()?.to_string_lossy()));
    let first = dates.next()??;
    dates.all(|date| date == Some(first)).then_some(first)
}

fn date_in(name: &str) -> Option<PhotoDate> {
    /// No public orthophoto is older.
    const FIRST: u16 = 1990;
    let runs = name.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == 8);
    let mut dates =
        runs.filter_map(|run| format!("{}-{}-{}", &run[..4], &run[4..6], &run[6..]).parse::<PhotoDate>().ok());
    dates.rfind(|date| (FIRST..2100).contains(&date.year()))
}

/// The photographs among these files and in these folders, if that is what all of them are.
fn photographs(files: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let mut found = Vec::new();
    for file in files {
        if file.is_dir() {
            let inside = std::fs::read_dir(file).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
            // Worlds, masks and overviews lie beside the pictures that they belong to.
            let mut pictures: Vec<_> = inside.filter(|path| has_ending(path, &["tif", "tiff"])).collect();
            pictures.cold_sort();
            found.extend(pictures);
        } else {
            found.push(file.clone());
        }
    }
    (!found.is_empty() && found.iter().all(|file| starts_like_tiff(file))).then_some(found)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|own| endings.iter().any(|ending| own.eq_ignore_ascii_case(ending)))
}

fn starts_like_tiff(file: &Path) -> bool {
    let mut start = [0; 4];
    let read = std::fs::File::open(file).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && matches!(&start, b"II*\0" | b"MM\0*" | b"II+\0" | b"MM\0+")
}

/// A file, or else a mapping that comes with the program.
fn mapping(map: &Path) -> Result<Mapping, OperatorError> {
    let ready = map.to_str().filter(|_| !map.exists()).and_then(Mapping::ready);
    ready.unwrap_or_else(|| Mapping::read(map)).map_err(|e| match e {
        ImportError::Read { source, .. } if source.kind() == ErrorKind::NotFound => {
            let ready = Mapping::ready_names().collect::<Vec<_>>().join(", ");
            let name = map.display();
            OperatorError::new(format!("There is no mapping `{name}`")).at(&name).fix(format!(
                "Check the path; propose one with `shingle import --draft FILE… > {name}`; or name one that comes with the \
                 program: {ready}."
            ))
        }
        ImportError::Read { source, .. } => {
            OperatorError::new(format!("The mapping cannot be read: {source}")).at(map.display())
        }
        other => other.into(),
    })
}

fn check(job: &ImportJob<'_>, least_found: f64, output: Output) -> Result<(), OperatorError> {
    let report = if output.shows_progress() {
        let mut bar = RowProgress::new();
        let result = import::check(job, &mut bar);
        bar.0.finish_and_clear();
        result?
    } else {
        import::check(job, &mut ())?
    };
    output.print(&report, check_text)?;
    if let Some(own) = report.own_rows.as_ref().filter(|own| report.would_import() && !own.is_enough(least_found)) {
        let (found, missed) = (percent(own.found, own.asked), own.missed.join("; "));
        let what = format!(
            "Only {found} of {} of its own rows are found as people write them. Not found: {missed}",
            own.asked
        );
        return Err(OperatorError::new(what).fix(
            "Look at how [address] reads these rows. If they are right as they are, check with a smaller --least-found, or with 0.",
        ));
    }
    if report.would_import() {
        return Ok(());
    }
    Err(OperatorError::new(format!("Nothing would be imported: none of {} rows can be used", report.rows_read))
        .fix("The reasons are listed above."))
}

/// A progress bar with the rows read, the speed and the time left.
struct RowProgress(ProgressBar);

impl RowProgress {
    fn new() -> Self {
        let bar = ProgressBar::no_length();
        bar.set_style(style("{spinner} {human_pos} rows  {speed}"));
        Self(bar)
    }
}

impl Progress for RowProgress {
    fn total(&mut self, rows: Option<u64>) {
        if let Some(rows) = rows {
            self.0.set_length(rows);
            self.0.set_style(style("{bar:30} {human_pos} of {human_len} rows  {speed}  {eta} left"));
        }
    }

    fn advance(&mut self, rows: u64) {
        self.0.inc(rows);
    }
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    style.with_key("speed", |state: &ProgressState, to: &mut dyn fmt::Write| {
        // Nothing follows from a column that is not drawn.
        let _: fmt::Result = write!(to, "{}", rows_per_second(state.per_sec()));
    })
}

/// `597 rows/s`
fn rows_per_second(speed: f64) -> String {
    format!("{} rows/s", HumanCount(speed.round().max(0.0) as u64))
}

impl Summary {
    fn new(report: ImportReport, into: PathBuf) -> Self {
        let found = report.findings.iter().map(ToString::to_string);
        let unread = report
            .unread
            .iter()
            .map(|u| format!("{}: {} ({} cells, such as {:?})", u.field, u.problem, u.cells, u.example));
        Self {
            notes: report.notes.iter().map(ToString::to_string).chain(unread).chain(found).collect(),
            dataset: report.dataset,
            into,
            rows_read: report.rows_read,
            imported: report.imported,
            rejected: report.rejected,
            duplicates: report.duplicates,
            skipped: report.skipped,
            rejects_file: report.rejects_file,
            reasons: counted(report.reasons),
            places: report.places,
            conflicts: report.conflicts,
            coverage: counted(report.coverage),
            own_rows: report.own_rows,
            outline_rows: report.outline_rows,
            resumed_from: report.resumed_from,
        }
    }
}

fn counted(list: Vec<(impl ToString, u64)>) -> Vec<Count> {
    list.into_iter().map(|(what, rows)| Count { what: what.to_string(), rows }).collect()
}

fn summary_text(summary: &Summary) -> String {
    let mut lines = vec![format!("{}: {} places from {} rows", summary.dataset, summary.places, summary.rows_read)];
    if let Some(rows) = summary.resumed_from {
        lines.push(format!("resumed after {rows} rows of an interrupted import"));
    }
    lines.push(counts(
        ["imported", "rejected", "duplicates", "skipped"],
        [summary.imported, summary.rejected, summary.duplicates, summary.skipped],
    ));
    lines.extend(summary.reasons.iter().map(|count| format!("  {:>9}  {}", count.rows, count.what)));
    if let Some(file) = &summary.rejects_file {
        lines.push(format!("rejected rows, with reasons: {}", file.display()));
    }
    if summary.conflicts > 0 {
        lines.push(format!("{} facts differ between rows of one address; the first one is used", summary.conflicts));
    }
    lines.extend(summary.own_rows.as_ref().map(found_text));
    let records = summary.imported - summary.outline_rows;
    let of = |what: &str| if matches!(what, "outline" | "point" | "parcel") { summary.imported } else { records };
    let known = |c: &Count| format!("  {:>6.1} %  {}", c.rows as f64 * 100.0 / of(&c.what).max(1) as f64, c.what);
    if !summary.coverage.is_empty() {
        lines.push("fields of the imported rows:".into());
        lines.extend(summary.coverage.iter().map(known));
    }
    lines.extend(summary.notes.iter().map(|note| format!("note: {note}")));
    lines.push(format!("index: {}", summary.into.display()));
    lines.join("\n")
}

fn found_text(own: &import::OwnRows) -> String {
    format!("found as people write them: {} of {} of its own rows", percent(own.found, own.asked), own.asked)
}

fn counts(names: [&str; 4], numbers: [u64; 4]) -> String {
    let shown = names.iter().zip(numbers).filter(|(name, n)| *n > 0 || **name != "skipped");
    shown.map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", part as f64 * 100.0 / whole.max(1) as f64)
}

const HEADINGS: [&str; 8] =
    ["field", "known", "share", "blank", "unread", "values: least / middle / most", "unusual", "not understood"];

fn check_text(report: &CheckReport) -> String {
    let mut lines = vec![format!("{}: {} rows read, nothing written", report.dataset, report.rows_read)];
    let numbers = [report.usable, report.rejected, report.duplicates, report.skipped];
    lines.push(counts(["usable", "rejected", "duplicates", "skipped"], numbers));
    lines.extend(report.reasons.iter().map(|(reason, n)| format!("  {n:>9}  {reason}")));
    if report.outline_rows > 0 {
        lines.push(format!("{} of them outlines, which get their address from their parcel", report.outline_rows));
    }
    let records = report.records;
    lines.push(format!("address read: {} of {records} rows", percent(report.addressed, records)));
    lines.extend(report.own_rows.as_ref().map(found_text));
    lines.extend(report.doubtful.iter().map(|doubt| {
        let percent = percent(doubt.rows, records);
        format!("  {:>9}  {percent}  {}: {}", doubt.rows, doubt.what, doubt.examples.join(" | "))
    }));
    if let Some(g) = &report.extent {
        lines.push(format!(
            "{} outlines and {} points, from {:.4}, {:.4} to {:.4}, {:.4} (latitude, longitude)",
            g.outlines, g.points, g.south, g.west, g.north, g.east
        ));
        if g.compared > 0 {
            let near = percent(g.near_their_zip, g.compared);
            lines.push(format!("{near} are within {} km of the middle of their ZIP", import::NEAR_ZIP_KM));
        }
    }
    if !report.fields.is_empty() {
        let row = |f: &import::CheckedField| {
            let problems = f.problems.iter().take(3).map(|p| {
                let example = if p.example.is_empty() { String::new() } else { format!(" {:?}", p.example) };
                format!("{}{example} ({})", p.problem, p.cells)
            });
            let problems = problems.collect::<Vec<_>>().join("; ");
            let [known, blank, unread] = [f.known, f.blank, f.unread].map(|n| n.to_string());
            let (values, outside) = (f.shown_values(), f.range.map(|r| r.outside.to_string()).unwrap_or_default());
            [f.field.clone(), known, percent(f.known, report.records), blank, unread, values, outside, problems]
        };
        let rows: Vec<[String; 8]> = report.fields.iter().map(row).collect();
        lines.push(String::new());
        lines.push(table(HEADINGS, &rows));
        lines.push(String::new());
    }
    lines.extend(report.notes.iter().map(|note| format!("note: {note}")));
    lines.extend(report.findings.iter().map(|found| format!("note: {found}")));
    lines.extend(report.suggestions.iter().map(|s| format!("suggestion: {s}")));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speed_is_told_in_whole_rows() {
        for (speed, told) in [
            (596.6891, "597 rows/s"),
            (0.0, "0 rows/s"),
            (0.4, "0 rows/s"),
            (1_234_567.8, "1,234,568 rows/s"),
            (f64::NAN, "0 rows/s"),
            (f64::INFINITY, &*rows_per_second(f64::MAX)),
        ] {
            assert_eq!(rows_per_second(speed), told);
        }
    }

    #[test]
    fn a_check_refuses_below_the_usual_share_unless_told_otherwise() {
        let parsed = Import::augment_args(Command::new("import"))
            .try_get_matches_from(["import", "a.csv", "--map", "m", "--check"]);
        let least = parsed.unwrap().get_one::<f64>("least_found").copied();
        assert_eq!(least, Some(import::LEAST_FOUND_PERCENT));
    }

    #[test]
    fn a_date_is_read_from_names_as_surveys_write_them() {
        let of = |names: &[&str]| {
            let files: Vec<PathBuf> = names.iter().map(PathBuf::from).collect();
            dated_name(&files).map(|date| date.to_string())
        };
        assert_eq!(of(&["m_3211605_ne_11_060_20200415.tif"]).as_deref(), Some("2020-04-15"));
        assert_eq!(of(&["a_20200415.tif", "b_20200415.tif"]).as_deref(), Some("2020-04-15"));
        // The later one is that of the flight, the earlier one of a grid.
        assert_eq!(of(&["m_20101231_20200415.tif"]).as_deref(), Some("2020-04-15"));
        let without = [
            &["a_20200415.tif", "b_20190415.tif"][..],
            &["77055_627760.tif"],
            &["town_20201345.tif"],
            &["town_18800101.tif"],
            &[],
        ];
        for names in without {
            assert_eq!(of(names), None, "{names:?}");
        }
    }
}
