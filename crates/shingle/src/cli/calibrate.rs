//! `shingle calibrate …`
//!
//! Tables are CSV with a header line. Columns may be in any order; other columns are ignored. Outcomes have `score`
//! (`payScore`, `elevateScore`, `savvyShopperScore` …), `value` (the level before any calibration: what the record
//! said, or, once calibrated, the "stated as" of `include=reasons`) and `outcome` (1 or 0, true or false, yes or no, won
//! or lost). The monitor reads `group`, `score` and, where known, `selected` (as `outcome`).

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use shingle_estimate::calibration::{
    Calibration, CalibrationError, CalibrationMap, FOUR_FIFTHS, GroupReport, MonitoredLead, Score, ScoreOutcome,
    monitor,
};

use super::args::GlobalArgs;
use super::output::Output;
use super::output::table;
use shingle_app::calibration_file;
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Calibrate {
    /// Fit scores to the outcomes of your leads: a table with the columns score, value, outcome
    Fit {
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        /// Only this score, such as elevateScore [default: every score in the table]
        #[arg(long, value_name = "NAME", value_parser = score)]
        score: Option<Score>,
    },
    /// Show the calibration, and how good it is
    Show,
    /// Delete the calibration: the scores are as stated again
    Reset,
    /// Compare groups of a table with the columns group, score and, optionally, selected; nothing is stored
    Monitor {
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        /// Count scores of N or more as selected, where the table does not say
        #[arg(long, value_name = "N")]
        at: Option<f64>,
    },
}

fn score(name: &str) -> Result<Score, String> {
    Score::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Score::ALL.iter().map(|s| s.as_str()).collect();
        format!("one of {}", names.join(", "))
    })
}

impl Calibrate {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let data = &context.settings.data;
        match self {
            Self::Fit { file, score } => {
                let outcomes = outcomes(open_table(&file)?).map_err(|p| p.at(file.display()))?;
                let fitted = fit(&outcomes, score, &context)?;
                let calibration = calibration_file::open(data)?.unwrap_or_default().with(fitted.maps);
                let kept_in = calibration_file::save(data, &calibration)?;
                let view = CalibrationView {
                    kept_in: Some(kept_in),
                    left_out: fitted.left_out,
                    ..CalibrationView::of(&calibration)
                };
                output.print(&view, to_text)
            }
            Self::Show => {
                let calibration = calibration_file::open(data)?;
                let kept_in = calibration.is_some().then(|| calibration_file::file(data));
                let view = calibration.as_ref().map(CalibrationView::of).unwrap_or_default();
                output.print(&CalibrationView { kept_in, ..view }, to_text)
            }
            Self::Reset => {
                let there_was_one = calibration_file::reset(data)?;
                output.print(&ResetResult { reset: there_was_one }, |result| {
                    let what = if result.reset { "Deleted." } else { "There was no calibration." };
                    format!("{what} The scores are as stated. A running server applies this at its next start.")
                })
            }
            Self::Monitor { file, at } => {
                let rows = monitored(open_table(&file)?, at).map_err(|p| p.at(file.display()))?;
                let groups: Vec<GroupView> = monitor(&rows).into_iter().map(GroupView::of).collect();
                output.print(&groups, |groups| groups_text(groups))
            }
        }
    }
}

struct FitResult {
    maps: Vec<CalibrationMap>,
    left_out: Vec<String>,
}

/// One map for every score with enough outcomes; `only` must have enough.
fn fit(outcomes: &[ScoreOutcome], only: Option<Score>, context: &Installation) -> Result<FitResult, OperatorError> {
    let now = context.clock.now();
    let mut fitted = FitResult { maps: Vec::new(), left_out: Vec::new() };
    for score in Score::ALL {
        let included = only.map_or_else(|| outcomes.iter().any(|o| o.score == score), |only| only == score);
        if !included {
            continue;
        }
        match CalibrationMap::fit(score, outcomes, now) {
            Ok(map) => fitted.maps.push(map),
            Err(error @ (CalibrationError::TooFewRows { .. } | CalibrationError::OneSided { .. }))
                if only.is_none() =>
            {
                fitted.left_out.push(error.to_string());
            }
            Err(other) => return Err(OperatorError::new(other)),
        }
    }
    if fitted.maps.is_empty() {
        let why = if fitted.left_out.is_empty() { "the table is empty".into() } else { fitted.left_out.join("; ") };
        return Err(OperatorError::new(format!("Nothing can be fitted: {why}"))
            .fix("Collect more outcomes first: a fit to so few would be chance."));
    }
    Ok(fitted)
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct CalibrationView {
    version: u32,
    kept_in: Option<PathBuf>,
    maps: Vec<MapView>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MapView {
    #[serde(flatten)]
    map: CalibrationMap,
    /// The level given for each stated one.
    levels: BTreeMap<u8, u8>,
}

impl CalibrationView {
    fn of(calibration: &Calibration) -> Self {
        let levels = |map: &CalibrationMap| map.score.scale().map(|stated| (stated, map.level(stated))).collect();
        Self {
            version: calibration.version(),
            maps: calibration.maps().iter().map(|m| MapView { levels: levels(m), map: m.clone() }).collect(),
            ..Self::default()
        }
    }
}

fn to_text(view: &CalibrationView) -> String {
    if view.maps.is_empty() {
        return "There is no calibration: every buyer score is an uncalibrated stated prior.".into();
    }
    let rows: Vec<_> = view
        .maps
        .iter()
        .map(|MapView { map, levels }| {
            [
                map.score.as_str().to_owned(),
                map.fitted.clone(),
                map.rows.to_string(),
                map.successes.to_string(),
                format!("{:.3}", map.auc),
                format!("{:.4}", map.brier_of_the_overall_rate),
                format!("{:.4}", map.brier_after),
                format!("{:.4}", map.brier_held_out),
                levels.iter().map(|(from, to)| format!("{from}>{to}")).collect::<Vec<_>>().join(" "),
            ]
        })
        .collect();
    let head = ["SCORE", "FITTED", "ROWS", "SALES", "AUC", "BRIER RATE", "FITTED", "HELD OUT", "STATED>GIVEN"];
    let mut lines = vec![format!("Calibration, version {}", view.version), table(head, &rows)];
    for MapView { map, .. } in &view.maps {
        if map.brier_held_out >= map.brier_of_the_overall_rate {
            lines.push(format!(
                "note: on outcomes outside the fit, {} predicted no better than the overall rate",
                map.score.as_str()
            ));
        }
    }
    lines.extend(view.left_out.iter().map(|why| format!("left out: {why}")));
    if let Some(file) = &view.kept_in {
        lines.push(format!("stored in {}; a running server reads it at its next start", file.display()));
    }
    lines.push("It describes only your past leads. Not for eligibility, pricing of credit or prescreening.".into());
    lines.join("\n")
}

#[derive(Debug, Serialize)]
struct ResetResult {
    reset: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupView {
    group: String,
    rows: usize,
    mean_score: f64,
    selected: Option<f64>,
    adverse_impact_ratio: Option<f64>,
    below_four_fifths: Option<bool>,
}

impl GroupView {
    fn of(group: GroupReport) -> Self {
        Self {
            group: group.name,
            rows: group.rows,
            mean_score: group.mean_score,
            selected: group.selected,
            adverse_impact_ratio: group.adverse_impact_ratio,
            below_four_fifths: group.adverse_impact_ratio.map(|r| r < FOUR_FIFTHS),
        }
    }
}

fn groups_text(groups: &[GroupView]) -> String {
    if groups.is_empty() {
        return "The table has no rows.".into();
    }
    let shown = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |s| format!("{s:.3}"));
    let rows: Vec<_> = groups
        .iter()
        .map(|g| {
            [
                g.group.clone(),
                g.rows.to_string(),
                format!("{:.2}", g.mean_score),
                shown(g.selected),
                shown(g.adverse_impact_ratio),
                if g.below_four_fifths == Some(true) { "below 4/5".to_owned() } else { String::new() },
            ]
        })
        .collect();
    let mut text = table(["GROUP", "ROWS", "MEAN SCORE", "SELECTED", "IMPACT RATIO", ""], &rows);
    if groups.iter().all(|g| g.selected.is_none()) {
        text.push_str("\nA column `selected`, or --at N, adds the adverse-impact ratio.");
    }
    text + "\nNothing of this table was stored."
}

fn open_table(file: &Path) -> Result<File, OperatorError> {
    File::open(file).map_err(|e| OperatorError::new(format!("The table cannot be read: {e}")).at(file.display()))
}

fn outcomes(from: impl Read) -> Result<Vec<ScoreOutcome>, OperatorError> {
    let mut rows = Vec::new();
    let mut table = Table::new(from, ["score", "value", "outcome"], None)?;
    while let Some(row) = table.next()? {
        let [name, value, outcome] = &row.cells;
        let score = Score::parse(name).ok_or_else(|| row.error(&format!("{name:?} is not a score")))?;
        let value = parse_number(value).ok_or_else(|| row.error(&format!("{value:?} is not a number")))?;
        let success = parse_bool(outcome).ok_or_else(|| row.error(&format!("{outcome:?} is neither 1 nor 0")))?;
        rows.push(ScoreOutcome { score, value, success });
    }
    Ok(rows)
}

fn monitored(from: impl Read, at: Option<f64>) -> Result<Vec<MonitoredLead>, OperatorError> {
    let mut rows = Vec::new();
    let mut table = Table::new(from, ["group", "score"], Some("selected"))?;
    while let Some(row) = table.next()? {
        let [group, score] = &row.cells;
        let score = parse_number(score).ok_or_else(|| row.error(&format!("{score:?} is not a number")))?;
        let selected = match row.optional.as_deref() {
            None | Some("") => at.map(|at| score >= at),
            Some(text) => Some(parse_bool(text).ok_or_else(|| row.error(&format!("{text:?} is neither 1 nor 0")))?),
        };
        rows.push(MonitoredLead { group: group.clone(), score, selected });
    }
    Ok(rows)
}

fn parse_number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|n| n.is_finite())
}

fn parse_bool(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "y" | "won" => Some(true),
        "0" | "false" | "no" | "n" | "lost" => Some(false),
        _ => None,
    }
}

/// The rows of a table, with the requested columns in the requested order.
struct Table<R, const N: usize> {
    records: csv::StringRecordsIntoIter<R>,
    columns: [usize; N],
    optional: Option<usize>,
}

struct Row<const N: usize> {
    cells: [String; N],
    optional: Option<String>,
    line: u64,
}

impl<R: Read, const N: usize> Table<R, N> {
    fn new(from: R, names: [&str; N], optional: Option<&str>) -> Result<Self, OperatorError> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(from);
        let head = reader.headers().map_err(read_error)?.clone();
        let find =
            |name: &str| head.iter().position(|h| h.trim_start_matches('\u{feff}').trim().eq_ignore_ascii_case(name));
        let mut columns = [0; N];
        for (at, name) in columns.iter_mut().zip(names) {
            *at = find(name).ok_or_else(|| {
                OperatorError::new(format!("The table has no column {name:?}"))
                    .fix(format!("Its first line must name the columns: {}", names.join(",")))
            })?;
        }
        let optional = optional.and_then(find);
        Ok(Self { records: reader.into_records(), columns, optional })
    }

    fn next(&mut self) -> Result<Option<Row<N>>, OperatorError> {
        let Some(record) = self.records.next() else { return Ok(None) };
        let record = record.map_err(read_error)?;
        let cell = |at: usize| record.get(at).unwrap_or_default().to_owned();
        Ok(Some(Row {
            cells: self.columns.map(cell),
            optional: self.optional.map(cell),
            line: record.position().map_or(0, csv::Position::line),
        }))
    }
}

impl<const N: usize> Row<N> {
    fn error(&self, what: &str) -> OperatorError {
        OperatorError::new(format!("Line {}: {what}", self.line))
    }
}

fn read_error(error: csv::Error) -> OperatorError {
    OperatorError::new(format!("The table cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_by_column_name() {
        let text = "\u{feff}Lead,Outcome,Score,VALUE\n1,won,elevateScore,7\n2, 0 ,payScore,3.5\n";
        let read = outcomes(text.as_bytes()).unwrap();
        let expected = [
            ScoreOutcome { score: Score::Elevate, value: 7.0, success: true },
            ScoreOutcome { score: Score::Pay, value: 3.5, success: false },
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn an_invalid_cell_is_reported_with_its_line() {
        for (text, expected) in [
            ("score,value\n", "no column \"outcome\""),
            ("score,value,outcome\npayScore,3,1\nkarma,3,1\n", "Line 3: \"karma\" is not a score"),
            ("score,value,outcome\npayScore,inf,1\n", "Line 2: \"inf\" is not a number"),
            ("score,value,outcome\npayScore,3,maybe\n", "Line 2: \"maybe\" is neither 1 nor 0"),
            ("score,value,outcome\npayScore,3\n", "line: 2"),
        ] {
            let problem = outcomes(text.as_bytes()).unwrap_err().to_string();
            assert!(problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn selection_is_read_or_derived_from_the_score() {
        let text = "group,score,selected\nnorth,8,1\nsouth,8,\nsouth,3,\n";
        let selected = |at| -> Vec<Option<bool>> {
            monitored(text.as_bytes(), at).unwrap().into_iter().map(|row| row.selected).collect()
        };
        assert_eq!(selected(None), [Some(true), None, None]);
        assert_eq!(selected(Some(5.0)), [Some(true), Some(true), Some(false)]);
    }
}
