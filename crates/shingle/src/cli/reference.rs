//! `shingle reference list|show|load|reset`: published figures of states and ZIPs, and newer versions of them.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;
use shingle_domain::area::Table;
use shingle_domain::{State, Timestamp, Zip};
use shingle_property::reference::{self, Excerpt, TableInfo, Wanted};

use super::args::GlobalArgs;
use super::output::Output;
use super::output::table;
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Reference {
    /// List the tables with their source, year and age
    List,
    /// Show a table, or its rows for a ZIP or state
    Show(Show),
    /// Load a newer version of a table from a file
    Load(Load),
    /// Use the built-in table again
    Reset(Reset),
}

#[derive(Debug, Args)]
pub struct Show {
    /// A name from `reference list`, such as energy-prices
    #[arg(value_parser = table_name)]
    name: Table,
    /// Only rows for this ZIP, such as 04995
    #[arg(long, value_parser = zip, conflicts_with = "state")]
    zip: Option<Zip>,
    /// Only rows for this state, such as ME
    #[arg(long, value_parser = state)]
    state: Option<State>,
}

#[derive(Debug, Args)]
pub struct Load {
    /// A name from `reference list`, such as energy-prices
    #[arg(value_parser = table_name)]
    name: Table,
    /// CSV in the format of `reference show NAME`
    file: PathBuf,
    /// Load it even if its year is older than that of the table in use
    #[arg(long)]
    older: bool,
}

#[derive(Debug, Args)]
pub struct Reset {
    /// A name from `reference list`, such as energy-prices
    #[arg(value_parser = table_name)]
    name: Table,
}

fn table_name(text: &str) -> Result<Table, String> {
    let names = || Table::ALL.map(Table::as_str).join(", ");
    Table::parse(text).ok_or_else(|| format!("the tables are {}", names()))
}

fn zip(text: &str) -> Result<Zip, String> {
    Zip::parse(text).ok_or_else(|| "a ZIP has five digits".to_owned())
}

fn state(text: &str) -> Result<State, String> {
    State::parse(text).ok_or_else(|| "a state has two letters".to_owned())
}

/// A table as `reference list` shows it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TableView {
    name: &'static str,
    source: String,
    year: u16,
    /// The source states no year.
    year_inferred: bool,
    refreshed: String,
    /// When newer figures are due.
    renew: String,
    due: bool,
    rows: usize,
    /// Figures that stand in for ones that nobody publishes.
    placeholders: usize,
    /// The operator's file; null for the built-in table.
    file: Option<PathBuf>,
    problem: Option<String>,
    notes: Vec<String>,
}

impl TableView {
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
struct ExcerptView {
    #[serde(flatten)]
    about: TableView,
    columns: Vec<String>,
    cells: Vec<Vec<String>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct LoadResult {
    #[serde(flatten)]
    now: TableView,
    before: u16,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResetResult {
    name: &'static str,
    /// Whether the operator had loaded a table.
    removed: bool,
}

impl Reference {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        let folder = context.settings.reference();
        let now = context.clock.now();
        match self {
            Self::List => {
                let tables = context.reference()?.tables();
                let list: Vec<TableView> = tables.into_iter().map(|info| TableView::new(info, now)).collect();
                output.print(&list, |list| list_text(list))
            }
            Self::Show(show) => show.run(&context, now, output),
            Self::Load(load) => {
                let loaded = reference::load(&folder, load.name, &load.file, load.older)?;
                let before = loaded.before.about.year;
                let result = LoadResult { now: TableView::new(loaded.table, now), before };
                output.print(&result, |t| {
                    let TableView { name, rows, year, refreshed, .. } = &t.now;
                    format!(
                        "{name}: {rows} rows of {year}, refreshed {refreshed}, replace those of {before}.\n\
                         A running server uses them after its next start."
                    )
                })
            }
            Self::Reset(reset) => {
                let removed = reference::reset(&folder, reset.name)?;
                output.print(&ResetResult { name: reset.name.as_str(), removed }, |result| {
                    let what = if removed {
                        "the built-in table is used again"
                    } else {
                        "the built-in table was in use already"
                    };
                    format!("{}: {what}", result.name)
                })
            }
        }
    }
}

impl Show {
    fn run(self, context: &Installation, now: Timestamp, output: Output) -> Result<(), OperatorError> {
        let reference = context.reference()?;
        let filter = self.zip.map(Wanted::Zip).or(self.state.map(Wanted::State));
        let text = reference.text(self.name)?;
        if let (None, false) = (&filter, output.is_json()) {
            // As the file is written, so that it can be edited and loaded.
            return output.print_text(&text);
        }
        let Excerpt { columns, rows } = reference.excerpt(self.name, filter)?;
        if rows.is_empty() && filter.is_some() {
            return Err(OperatorError::new("The table has no row for that ZIP or state")
                .at(self.name.as_str())
                .fix("`shingle lookup` shows what is used instead: the figure of a nearby ZIP, or of the state."));
        }
        let about = TableView::new(reference.info(self.name), now);
        output.print(&ExcerptView { about, columns, cells: rows }, |shown| {
            let about = &shown.about;
            let mut text = format!("{}, {}: {}\n", about.name, about.year, about.source);
            for row in &shown.cells {
                for (column, cell) in shown.columns.iter().zip(row).filter(|(_, cell)| !cell.is_empty()) {
                    text.push_str(&format!("  {column:<24} {cell}\n"));
                }
                text.push('\n');
            }
            if shown.cells.iter().flatten().any(|cell| cell.ends_with('*')) {
                text.push_str("* replaces a figure that nobody publishes:\n");
                about.notes.iter().filter(|n| n.contains('*')).for_each(|n| text.push_str(&format!("  {n}\n")));
            }
            text.trim_end().to_owned()
        })
    }
}

fn list_text(list: &[TableView]) -> String {
    let row = |t: &TableView| {
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
