//! Rows of a file as a mapping reads them, for somebody who corrects the mapping.

use std::path::{Path, PathBuf};

use serde::Serialize;
use shingle_domain::message::Message;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::open::open_rows;
use crate::format::source::{Row, Step};
use crate::geo::file_projection::projection_of_file;
use crate::mapping::file::Mapping;
use crate::mapping::formula::Cells;
use crate::mapping::roles::{FileRole, roles};
use crate::mapping::table::TableMapping;
use crate::row::imported::ImportedRow;
use crate::row::nearby::ZipsOfStreets;
use crate::row::reader::RowReader;
use crate::row::stats::ImportStats;
use shingle_projection::Projection;

/// Rows that are looked through for some that are refused.
const MAX_LOOKED_AT: u64 = 20_000;
const MAX_CELL: usize = 60;

/// Which rows are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewRows {
    /// Rows before them.
    pub skip: u64,
    pub most: usize,
    /// Only those that would be refused, or that hold something that is not understood.
    pub only_problems: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// What the other columns of the rows are called: a field each. Fields of persons are left out.
    pub fields: Vec<&'static str>,
    pub rows: Vec<PreviewRow>,
    pub taken: u64,
    pub refused: u64,
}

/// One row; what it does not have is empty.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewRow {
    /// The first row of the file is 1.
    pub number: u64,
    pub parcel: String,
    pub street: String,
    pub unit: String,
    pub town: String,
    pub longitude: String,
    pub latitude: String,
    pub facts: Vec<PreviewCell>,
    /// Why the row would be refused.
    pub refused: Option<Message>,
    /// It has a parcel and no address: it is taken with another row of its parcel, or not at all.
    pub is_without_address: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewCell {
    pub text: String,
    /// Something is there that gives no fact.
    pub is_unread: bool,
}

/// Reads some rows of the first table among the files, and writes nothing.
pub fn preview(files: &[PathBuf], mapping: &Mapping, wanted: PreviewRows) -> Result<Preview, ImportError> {
    let files = roles(files, mapping, Path::new("."))?;
    let table = &mapping.table;
    let facts: Vec<_> = table.facts.iter().filter(|fact| !fact.field.is_personal()).collect();
    let fields = facts.iter().map(|fact| fact.field.name()).collect();
    let mut found = Preview { fields, rows: Vec::new(), taken: 0, refused: 0 };
    let Some((path, _)) = files.iter().find(|(_, role)| *role == FileRole::Rows) else { return Ok(found) };
    let mut source = open_rows(path, &table.columns, &table.dialect)?;
    let projection = match &table.geometry {
        Some(geometry) => {
            let named = geometry.crs.as_ref();
            let projection = projection_of_file(named, source.declared(), path, &mut Vec::new());
            Some(projection.map_err(|problem| ImportError::input(path, problem))?)
        }
        None => None,
    };
    let zips = ZipsOfStreets::default();
    let (reading, mut stats, mut row) = (RowReader::new(table, &zips), ImportStats::default(), Row::default());
    for number in 1..=wanted.skip + MAX_LOOKED_AT {
        if found.rows.len() >= wanted.most {
            break;
        }
        let step = source.next_row(&mut row)?;
        let seen = match step {
            Step::End => break,
            _ if number <= wanted.skip => continue,
            Step::Bad(reason) => PreviewRow { refused: Some(reason.into()), ..PreviewRow::default() },
            Step::Row if !reading.takes(&row) => continue,
            Step::Row => read(&reading, table, &mut row, projection.as_ref(), &mut stats),
        };
        let has_problem =
            seen.refused.is_some() || seen.is_without_address || seen.facts.iter().any(|cell| cell.is_unread);
        if wanted.only_problems && !has_problem {
            continue;
        }
        *(if seen.refused.is_some() { &mut found.refused } else { &mut found.taken }) += 1;
        found.rows.push(PreviewRow { number, ..seen });
    }
    Ok(found)
}

fn read(
    reading: &RowReader<'_>,
    table: &TableMapping,
    row: &mut Row,
    projection: Option<&Projection>,
    stats: &mut ImportStats,
) -> PreviewRow {
    let raw = |row: &Row| {
        let cells = Cells { cells: &row.cells, blank: &table.blank };
        let shown = table.facts.iter().filter(|fact| !fact.field.is_personal());
        shown.map(|fact| short(&fact.from.shown(cells))).collect::<Vec<_>>()
    };
    let texts = raw(row);
    match reading.read(0, 1, row, projection, stats) {
        Err(refused) => {
            PreviewRow { street: short(&refused.raw), refused: Some(refused.reason), ..PreviewRow::default() }
        }
        Ok(read) => taken(&read, table, texts),
    }
}

fn taken(read: &ImportedRow, table: &TableMapping, texts: Vec<String>) -> PreviewRow {
    let shown = table.facts.iter().filter(|fact| !fact.field.is_personal());
    let facts = shown.zip(texts).map(|(fact, text)| {
        let is_unread = !text.is_empty() && !fact.field.is_known(&read.assessor);
        PreviewCell { text, is_unread }
    });
    let degrees = |of: Option<f64>| of.map(|value| format!("{value:.4}")).unwrap_or_default();
    let address = read.address.as_ref();
    PreviewRow {
        number: 0,
        parcel: read.parcel.as_deref().map(short).unwrap_or_default(),
        street: address.map(|a| short(&a.street_line())).unwrap_or_default(),
        unit: read.unit.as_deref().map(short).unwrap_or_default(),
        town: address.map(|a| short(&a.city_line())).unwrap_or_default(),
        longitude: degrees(read.origin.map(|at| at.longitude)),
        latitude: degrees(read.origin.map(|at| at.latitude)),
        facts: facts.collect(),
        refused: None,
        is_without_address: address.is_none(),
    }
}

/// One line of a cell that may hold anything.
fn short(text: &str) -> String {
    cell::tidy(text).chars().take(MAX_CELL).collect()
}
