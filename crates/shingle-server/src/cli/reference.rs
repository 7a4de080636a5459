//! `shingle reference list|show|load|reset`: what is published of states and ZIPs, and newer versions of it.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;
use shingle_domain::area::Table;
use shingle_domain::{State, Timestamp, Zip};
use shingle_property::reference::{self, Excerpt, TableInfo, Wanted};

use super::place::{Flags, Place};
use super::report::table;
use super::{Everywhere, Problem, Report};

#[derive(Debug, Subcommand)]
pub enum Reference {
    /// List the tables with their source, year and age
    List,
    /// Show a table, or its rows for a ZIP or state
    Show(Show),
    /// Read a newer version of a table from a file and use it from now on
    Load(Load),
    /// Go back to the table of this program
    Reset(Reset),
}

#[derive(Debug, Args)]
pub struct Show {
    /// As `reference list` has it: energy-prices
    #[arg(value_parser = named)]
    name: Table,
    /// Rows that hold for a ZIP: 04995
    #[arg(long, value_parser = zip, conflicts_with = "state")]
    zip: Option<Zip>,
    /// Rows that hold for a state: ME
    #[arg(long, value_parser = state)]
    state: Option<State>,
}

#[derive(Debug, Args)]
pub struct Load {
    /// As `reference list` has it: energy-prices
    #[arg(value_parser = named)]
    name: Table,
    /// CSV of the same form; take `reference show NAME` as a pattern
    file: PathBuf,
    /// Also when it is of an older year than the table in use
    #[arg(long)]
    older: bool,
}

#[derive(Debug, Args)]
pub struct Reset {
    /// As `reference list` has it: energy-prices
    #[arg(value_parser = named)]
    name: Table,
}

fn named(text: &str) -> Result<Table, String> {
    let names = || Table::ALL.map(Table::as_str).join(", ");
    Table::parse(text).ok_or_else(|| format!("the tables are {}", names()))
}

fn zip(text: &str) -> Result<Zip, String> {
    Zip::parse(text).ok_or_else(|| "a ZIP has five digits".to_owned())
}

fn state(text: &str) -> Result<State, String> {
    State::parse(text).ok_or_else(|| "a state has two letters".to_owned())
}

/// One table, as it is listed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed {
    name: &'static str,
    source: String,
    year: u16,
    /// The source gave no year.
    year_inferred: bool,
    refreshed: String,
    /// When newer numbers are due.
    renew: String,
    due: bool,
    rows: usize,
    /// Numbers that stand in for ones nobody publishes.
    placeholders: usize,
    /// The operator's file; null for the program's own table.
    file: Option<PathBuf>,
    problem: Option<String>,
    notes: Vec<String>,
}

impl Listed {
    fn new(info: TableInfo, now: Timestamp) -> Self {
        let due = info.is_due(now);
        let about = info.about;
        Self {
            name: info.table.as_str(),
            source: about.source,
            year: about.year,
            year_inferred: about.year_inferred,
            refreshed: about.refreshed.to_string(),
            renew: about.renew.to_string(),
            due,
            rows: info.rows,
            placeholders: info.placeholders,
            file: info.file,
            problem: info.problem,
            notes: about.notes,
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    #[serde(flatten)]
    about: Listed,
    columns: Vec<String>,
    cells: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Taken {
    #[serde(flatten)]
    now: Listed,
    before: u16,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Given {
    name: &'static str,
    /// Whether there was a table of the operator's.
    removed: bool,
}

impl Reference {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = Place::of(everywhere, Flags::default())?;
        let folder = place.settings.reference();
        let now = place.clock.now();
        match self {
            Self::List => {
                let tables = place.reference()?.tables();
                let list: Vec<Listed> = tables.into_iter().map(|info| Listed::new(info, now)).collect();
                report.done(&list, |list| words(list))
            }
            Self::Show(show) => show.run(&place, now, report),
            Self::Load(load) => {
                let loaded = reference::load(&folder, load.name, &load.file, load.older)?;
                let before = loaded.before.about.year;
                let taken = Taken { now: Listed::new(loaded.table, now), before };
                report.done(&taken, |t| {
                    let Listed { name, rows, year, refreshed, .. } = &t.now;
                    format!(
                        "{name}: {rows} rows of {year}, refreshed {refreshed}, in the place of {before}.\n\
                         A server that runs uses them from its next start."
                    )
                })
            }
            Self::Reset(reset) => {
                let removed = reference::reset(&folder, reset.name)?;
                report.done(&Given { name: reset.name.as_str(), removed }, |given| {
                    let what =
                        if removed { "the table of this program again" } else { "was the program's own already" };
                    format!("{}: {what}", given.name)
                })
            }
        }
    }
}

impl Show {
    fn run(self, place: &Place, now: Timestamp, report: Report) -> Result<(), Problem> {
        let reference = place.reference()?;
        let wanted = self.zip.map(Wanted::Zip).or(self.state.map(Wanted::State));
        let text = reference.text(self.name)?;
        if let (None, false) = (&wanted, report.is_json()) {
            // As it is written: a pattern for the next one.
            return report.line(&text);
        }
        let Excerpt { columns, rows } = reference.excerpt(self.name, wanted)?;
        if rows.is_empty() && wanted.is_some() {
            return Err(Problem::new("The table has no row for that place")
                .at(self.name.as_str())
                .mend("`shingle lookup` shows what is used instead: a place close by, or the state's figure."));
        }
        let about = Listed::new(reference.info(self.name), now);
        report.done(&Shown { about, columns, cells: rows }, |shown| {
            let about = &shown.about;
            let mut text = format!("{}, {}: {}\n", about.name, about.year, about.source);
            for row in &shown.cells {
                for (column, cell) in shown.columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
                    text.push_str(&format!("  {column:<24} {cell}\n"));
                }
                text.push('\n');
            }
            if shown.cells.iter().flatten().any(|cell| cell.ends_with('*')) {
                text.push_str("* stands in for a number that nobody publishes:\n");
                about.notes.iter().filter(|n| n.contains('*')).for_each(|n| text.push_str(&format!("  {n}\n")));
            }
            text.trim_end().to_owned()
        })
    }
}

fn words(list: &[Listed]) -> String {
    let row = |t: &Listed| {
        let year = format!("{}{}", t.year, if t.year_inferred { "?" } else { "" });
        let renew = format!("{}{}", t.renew, if t.due { " due" } else { "" });
        let from = t.file.as_ref().map_or_else(|| "built in".to_owned(), |f| f.display().to_string());
        [t.name.into(), year, t.refreshed.clone(), renew, t.rows.to_string(), t.placeholders.to_string(), from]
    };
    let rows: Vec<[String; 7]> = list.iter().map(row).collect();
    let mut text = table(["TABLE", "YEAR", "REFRESHED", "RENEW", "ROWS", "STAND-INS", "FROM"], &rows);
    for listed in list {
        text.push_str(&format!("\n\n{}\n  {}", listed.name, listed.source));
        for note in &listed.notes {
            text.push_str(&format!("\n  {note}"));
        }
        if let Some(problem) = &listed.problem {
            text.push_str(&format!("\n  NOT USED: {problem}"));
        }
    }
    text
}
