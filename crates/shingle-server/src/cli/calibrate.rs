//! `shingle calibrate …`
//!
//! Tables are CSV with a head line; columns may stand in any order, others are passed over. Outcomes have `score`
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

use super::place::{Flags, Place};
use super::report::table;
use super::{Everywhere, Problem, Report};
use crate::calibration;

#[derive(Debug, Subcommand)]
pub enum Calibrate {
    /// Fit scores to what became of your leads: a table with the columns score, value, outcome
    Fit {
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        /// Only this score, such as elevateScore [default: every score in the table]
        #[arg(long, value_name = "NAME", value_parser = score)]
        score: Option<Score>,
    },
    /// Show what is fitted, and how good it is
    Show,
    /// Forget it: the scores are as stated again
    Reset,
    /// Compare groups of a table with the columns group, score and perhaps selected; nothing is kept
    Monitor {
        #[arg(value_name = "FILE.csv")]
        file: PathBuf,
        /// Take scores from N up as selected, where the table does not say
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
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = Place::of(everywhere, Flags::default())?;
        let data = &place.settings.data;
        match self {
            Self::Fit { file, score } => {
                let outcomes = outcomes(open(&file)?).map_err(|p| p.at(file.display()))?;
                let fitted = fit(&outcomes, score, &place)?;
                let calibration = calibration::open(data)?.unwrap_or_default().with(fitted.maps);
                let kept_in = calibration::save(data, &calibration)?;
                let shown = Shown { kept_in: Some(kept_in), left_out: fitted.left_out, ..Shown::of(&calibration) };
                report.done(&shown, words)
            }
            Self::Show => {
                let calibration = calibration::open(data)?;
                let kept_in = calibration.is_some().then(|| calibration::file(data));
                let shown = calibration.as_ref().map(Shown::of).unwrap_or_default();
                report.done(&Shown { kept_in, ..shown }, words)
            }
            Self::Reset => {
                let there_was_one = calibration::reset(data)?;
                report.done(&Gone { reset: there_was_one }, |gone| {
                    let said = if gone.reset { "Forgotten." } else { "There was no calibration." };
                    format!("{said} The scores are as stated. A running server reads this at its next start.")
                })
            }
            Self::Monitor { file, at } => {
                let rows = monitored(open(&file)?, at).map_err(|p| p.at(file.display()))?;
                let groups: Vec<Compared> = monitor(&rows).into_iter().map(Compared::of).collect();
                report.done(&groups, |groups| compared(groups))
            }
        }
    }
}

struct Fitted {
    maps: Vec<CalibrationMap>,
    left_out: Vec<String>,
}

/// One map for every score with enough outcomes; `only` must have enough.
fn fit(outcomes: &[ScoreOutcome], only: Option<Score>, place: &Place) -> Result<Fitted, Problem> {
    let now = place.clock.now();
    let mut fitted = Fitted { maps: Vec::new(), left_out: Vec::new() };
    for score in Score::ALL {
        let wanted = only.map_or_else(|| outcomes.iter().any(|o| o.score == score), |only| only == score);
        if !wanted {
            continue;
        }
        match CalibrationMap::fit(score, outcomes, now) {
            Ok(map) => fitted.maps.push(map),
            Err(few @ (CalibrationError::TooFewRows { .. } | CalibrationError::OneSided { .. })) if only.is_none() => {
                fitted.left_out.push(few.to_string());
            }
            Err(other) => return Err(Problem::new(other)),
        }
    }
    if fitted.maps.is_empty() {
        let why = if fitted.left_out.is_empty() { "the table is empty".into() } else { fitted.left_out.join("; ") };
        return Err(Problem::new(format!("Nothing can be fitted: {why}"))
            .mend("Collect more outcomes first: a map from few would be chance."));
    }
    Ok(fitted)
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    version: u32,
    kept_in: Option<PathBuf>,
    maps: Vec<ShownMap>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownMap {
    #[serde(flatten)]
    map: CalibrationMap,
    /// The level given for each stated one.
    levels: BTreeMap<u8, u8>,
}

impl Shown {
    fn of(calibration: &Calibration) -> Self {
        let levels = |map: &CalibrationMap| map.score.scale().map(|stated| (stated, map.level(stated))).collect();
        Self {
            version: calibration.version(),
            maps: calibration.maps().iter().map(|m| ShownMap { levels: levels(m), map: m.clone() }).collect(),
            ..Self::default()
        }
    }
}

fn words(shown: &Shown) -> String {
    if shown.maps.is_empty() {
        return "No calibration: every buyer score is an uncalibrated stated prior.".into();
    }
    let rows: Vec<_> = shown
        .maps
        .iter()
        .map(|ShownMap { map, levels }| {
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
    let mut lines = vec![format!("Calibration, version {}", shown.version), table(head, &rows)];
    for ShownMap { map, .. } in &shown.maps {
        if map.brier_held_out >= map.brier_of_the_overall_rate {
            lines.push(format!(
                "note: on outcomes it had not seen, {} told no more than the overall rate",
                map.score.as_str()
            ));
        }
    }
    lines.extend(shown.left_out.iter().map(|why| format!("left out: {why}")));
    if let Some(file) = &shown.kept_in {
        lines.push(format!("kept in {}; a running server reads it at its next start", file.display()));
    }
    lines.push("It speaks of your past leads only. Not for eligibility, pricing of credit or prescreening.".into());
    lines.join("\n")
}

#[derive(Debug, Serialize)]
struct Gone {
    reset: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Compared {
    group: String,
    rows: usize,
    mean_score: f64,
    selected: Option<f64>,
    adverse_impact_ratio: Option<f64>,
    below_four_fifths: Option<bool>,
}

impl Compared {
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

fn compared(groups: &[Compared]) -> String {
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
        text.push_str("\nA column `selected`, or --at N, gives the adverse-impact ratio too.");
    }
    text + "\nNothing of this table was kept."
}

fn open(file: &Path) -> Result<File, Problem> {
    File::open(file).map_err(|e| Problem::new(format!("The table cannot be read: {e}")).at(file.display()))
}

fn outcomes(from: impl Read) -> Result<Vec<ScoreOutcome>, Problem> {
    let mut rows = Vec::new();
    let mut table = Table::new(from, ["score", "value", "outcome"], None)?;
    while let Some(row) = table.next()? {
        let [name, value, outcome] = &row.cells;
        let score = Score::parse(name).ok_or_else(|| row.fault(&format!("{name:?} is no score")))?;
        let value = number(value).ok_or_else(|| row.fault(&format!("{value:?} is no number")))?;
        let success = yes(outcome).ok_or_else(|| row.fault(&format!("{outcome:?} is neither 1 nor 0")))?;
        rows.push(ScoreOutcome { score, value, success });
    }
    Ok(rows)
}

fn monitored(from: impl Read, at: Option<f64>) -> Result<Vec<MonitoredLead>, Problem> {
    let mut rows = Vec::new();
    let mut table = Table::new(from, ["group", "score"], Some("selected"))?;
    while let Some(row) = table.next()? {
        let [group, score] = &row.cells;
        let score = number(score).ok_or_else(|| row.fault(&format!("{score:?} is no number")))?;
        let selected = match row.optional.as_deref() {
            None | Some("") => at.map(|at| score >= at),
            Some(said) => Some(yes(said).ok_or_else(|| row.fault(&format!("{said:?} is neither 1 nor 0")))?),
        };
        rows.push(MonitoredLead { group: group.clone(), score, selected });
    }
    Ok(rows)
}

fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|n| n.is_finite())
}

fn yes(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "y" | "won" => Some(true),
        "0" | "false" | "no" | "n" | "lost" => Some(false),
        _ => None,
    }
}

/// Rows of the columns asked for, wherever they stand.
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
    fn new(from: R, names: [&str; N], optional: Option<&str>) -> Result<Self, Problem> {
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(from);
        let head = reader.headers().map_err(unreadable)?.clone();
        let find =
            |name: &str| head.iter().position(|h| h.trim_start_matches('\u{feff}').trim().eq_ignore_ascii_case(name));
        let mut columns = [0; N];
        for (at, name) in columns.iter_mut().zip(names) {
            *at = find(name).ok_or_else(|| {
                Problem::new(format!("The table has no column {name:?}"))
                    .mend(format!("Its first line must name the columns: {}", names.join(",")))
            })?;
        }
        let optional = optional.and_then(find);
        Ok(Self { records: reader.into_records(), columns, optional })
    }

    fn next(&mut self) -> Result<Option<Row<N>>, Problem> {
        let Some(record) = self.records.next() else { return Ok(None) };
        let record = record.map_err(unreadable)?;
        let cell = |at: usize| record.get(at).unwrap_or_default().to_owned();
        Ok(Some(Row {
            cells: self.columns.map(cell),
            optional: self.optional.map(cell),
            line: record.position().map_or(0, csv::Position::line),
        }))
    }
}

impl<const N: usize> Row<N> {
    fn fault(&self, what: &str) -> Problem {
        Problem::new(format!("Line {}: {what}", self.line))
    }
}

fn unreadable(error: csv::Error) -> Problem {
    Problem::new(format!("The table cannot be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_read_by_the_names_of_their_columns() {
        let text = "\u{feff}Lead,Outcome,Score,VALUE\n1,won,elevateScore,7\n2, 0 ,payScore,3.5\n";
        let read = outcomes(text.as_bytes()).unwrap();
        let expected = [
            ScoreOutcome { score: Score::Elevate, value: 7.0, success: true },
            ScoreOutcome { score: Score::Pay, value: 3.5, success: false },
        ];
        assert_eq!(read, expected);
    }

    #[test]
    fn a_cell_that_means_nothing_is_named_by_its_line() {
        for (text, said) in [
            ("score,value\n", "no column \"outcome\""),
            ("score,value,outcome\npayScore,3,1\nkarma,3,1\n", "Line 3: \"karma\" is no score"),
            ("score,value,outcome\npayScore,inf,1\n", "Line 2: \"inf\" is no number"),
            ("score,value,outcome\npayScore,3,maybe\n", "Line 2: \"maybe\" is neither 1 nor 0"),
            ("score,value,outcome\npayScore,3\n", "line: 2"),
        ] {
            let problem = outcomes(text.as_bytes()).unwrap_err().to_string();
            assert!(problem.contains(said), "{problem}");
        }
    }

    #[test]
    fn who_was_selected_is_read_or_taken_from_the_score() {
        let text = "group,score,selected\nnorth,8,1\nsouth,8,\nsouth,3,\n";
        let selected = |at| -> Vec<Option<bool>> {
            monitored(text.as_bytes(), at).unwrap().into_iter().map(|row| row.selected).collect()
        };
        assert_eq!(selected(None), [Some(true), None, None]);
        assert_eq!(selected(Some(5.0)), [Some(true), Some(true), Some(false)]);
    }
}
