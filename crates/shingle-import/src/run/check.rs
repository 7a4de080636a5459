//! What an import would do, without writing anything: how many rows have each field, what cannot be read, where the rows
//! lie, and what in the mapping may be wrong. Names of people and their addresses are left out.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use shingle_domain::Address;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Position;
use shingle_domain::message::Message;
use shingle_property::Reference;
use shingle_property::geometry::kilometres;

use crate::error::ImportError;
use crate::join::parcel_groups::{self, SharedId, door_of, shared_told};
use crate::mapping::field::Field;
use crate::mapping::roles::FileRole;
use crate::note::{Note, said_once};
use crate::row::doubtful::{AsWritten, DoubtCounts};
use crate::row::finding::Finding;
use crate::row::imported::ImportedRow;
use crate::row::row_problem::RowProblem;
use crate::row::stats::{FieldCells, UnreadCells};
use crate::row::values::{FieldValues, Words};
use crate::run::check_report::{CheckReport, CheckedField, Extent, NEAR_ZIP_KM};
use crate::run::checkpoint::Checkpoint;
use crate::run::import::Import;
use crate::run::import_problem::ImportProblem;
use crate::run::job::{ImportJob, Progress};
use crate::run::own_rows::TrialRows;
use crate::run::plausible::{self, ValueRange};
use crate::run::sink::RowSink;
use crate::run::suggestion;

/// Reads every row as [`run`](crate::run()) would, and writes nothing.
pub fn check(job: &ImportJob<'_>, progress: &mut dyn Progress) -> Result<CheckReport, ImportError> {
    let (mut import, headings) = Import::open(job, progress)?;
    let outline_files = import.files.iter().map(|f| f.1 == FileRole::Outlines).collect();
    let names = import.files.iter().filter(|f| f.1 == FileRole::Outlines).map(|f| name_of(&f.0)).collect();
    let mut checking = CheckSink { outline_files, outline_names: names, ..CheckSink::default() };
    import.state.stats.values = Some(FieldValues::default());
    let notes = import.read(&mut checking, progress)?;
    let mut state = import.state;
    state.notes.extend(notes);
    let without_address = checking.without_address();
    if without_address > 0 {
        state.rejected += without_address;
        state.reasons.add(RowProblem::NoAddressOnParcel.into(), without_address);
    }
    let values = state.stats.values.take().unwrap_or_default();
    let fields = job.mapping.table.facts.iter().map(|fact| {
        let own = state.stats.unread.iter().filter(|u| u.field == fact.field.name());
        let mut problems: Vec<UnreadCells> = own.cloned().collect();
        problems.cold_sort_by_key(|problem| Reverse(problem.cells));
        let range = values.of(fact.field).and_then(|values| ValueRange::of(fact.field, values));
        let words = values.words_of(fact.field).map(Words::all).unwrap_or_default();
        CheckedField { range, words, ..checking.field(fact.field, state.stats.of(fact.field), problems) }
    });
    let facts = &job.mapping.table.facts;
    let mut findings = state.stats.told();
    findings.extend(facts.iter().filter_map(|fact| plausible::doubt(fact.field, values.of(fact.field)?)));
    findings.extend(facts.iter().filter_map(|fact| plausible::swallowed(fact.field, values.words_of(fact.field)?)));
    findings.extend(values.nothing().map(plausible::nothing));
    findings.extend(checking.shared_ids());
    let merged = checking.merged_example.clone();
    findings.extend(merged.map(|example| Finding::MergedRows { rows: checking.merged, example }));
    let mut report = CheckReport {
        dataset: job.mapping.dataset().to_owned(),
        rows_read: state.rows_read,
        usable: checking.kept - without_address,
        rejected: state.rejected,
        duplicates: checking.duplicates,
        skipped: state.skipped,
        addressed: checking.addressed,
        records: checking.records + checking.refused,
        outline_rows: checking.outline_rows,
        reasons: state.reasons.list(),
        fields: fields.collect(),
        extent: checking.extent,
        doubtful: Vec::new(),
        notes: Vec::new(),
        findings,
        suggestions: Vec::new(),
        own_rows: None,
    };
    let trial = tempfile::tempdir().map_err(|_| ()).and_then(|folder| {
        let asked = checking.trial.ask(folder.path(), &job.mapping.table.source);
        asked.map_err(|_| ())
    });
    match trial {
        Ok(rows) => {
            report.findings.extend(rows.told());
            report.own_rows = Some(rows);
        }
        Err(()) => state.notes.push(Note::of_all(ImportProblem::NotTried)),
    }
    report.notes = said_once(state.notes);
    report.doubtful = checking.doubts.into_list();
    report.suggestions = suggestion::of(&report, &job.mapping.table, &headings);
    Ok(report)
}

/// The first row of an address: its parcel and its figures.
type AddressedRow = (u64, u64);

#[derive(Default)]
struct CheckSink {
    /// Which files are a layer of outlines: their rows have neither address nor record.
    outline_files: Vec<bool>,
    outline_names: HashSet<String>,
    /// Other rows read, duplicates included, and rows that could not be.
    records: u64,
    refused: u64,
    /// Rows of that layer, each once.
    outline_rows: u64,
    /// Each once.
    kept: u64,
    addressed: u64,
    duplicates: u64,
    seen: HashSet<u64>,
    /// Groups that have an address, and rows without one in each group.
    addressed_groups: HashSet<u64>,
    unaddressed: HashMap<u64, u64>,
    extent: Option<Extent>,
    doubts: DoubtCounts,
    /// The first address of each parcel, and more of those that have more.
    trial: TrialRows,
    /// By address and unit.
    first_rows: HashMap<u64, AddressedRow>,
    merged: u64,
    merged_example: Option<String>,
    doors: HashMap<u64, u64>,
    ids: HashMap<u64, (String, SharedId)>,
}

impl CheckSink {
    fn field(&self, field: Field, cells: FieldCells, problems: Vec<UnreadCells>) -> CheckedField {
        let blank = self.records.saturating_sub(cells.known + cells.unread);
        let FieldCells { known, unread } = cells;
        CheckedField { field: field.name().to_owned(), known, blank, unread, range: None, words: Vec::new(), problems }
    }

    /// Rows without an address on parcels where no row has one.
    fn without_address(&self) -> u64 {
        self.unaddressed.iter().filter(|(group, _)| !self.addressed_groups.contains(group)).map(|(_, n)| n).sum()
    }

    /// Ids that many addresses share.
    fn shared_ids(&self) -> Option<Finding> {
        let shared = self.ids.values().filter(|(_, shared)| shared.is_shared());
        let mut ids: Vec<&str> = shared.map(|(id, _)| id.as_str()).collect();
        ids.cold_sort();
        Some(shared_told(ids.len(), ids.first()?))
    }

    fn count_position(&mut self, row: &ImportedRow, at: Position) {
        let extent = self.extent.get_or_insert(Extent {
            outlines: 0,
            points: 0,
            west: at.longitude,
            south: at.latitude,
            east: at.longitude,
            north: at.latitude,
            compared: 0,
            near_their_zip: 0,
        });
        *(if row.plan.is_empty() { &mut extent.points } else { &mut extent.outlines }) += 1;
        extent.west = extent.west.min(at.longitude);
        extent.east = extent.east.max(at.longitude);
        extent.south = extent.south.min(at.latitude);
        extent.north = extent.north.max(at.latitude);
        let centre = row.address.as_ref().and_then(|a| Reference::built_in().zip_centre(&a.zip));
        if let Some(centre) = centre {
            extent.compared += 1;
            extent.near_their_zip += u64::from(kilometres(centre, at) <= NEAR_ZIP_KM);
        }
    }
}

impl RowSink for CheckSink {
    fn accept(&mut self, row: &mut ImportedRow, written: &dyn Fn() -> AsWritten) -> Result<bool, ImportError> {
        let is_outline = self.outline_files.get(usize::from(row.file)).is_some_and(|o| *o);
        self.records += u64::from(!is_outline);
        if !self.seen.insert(short(parcel_groups::identity(row))) {
            self.duplicates += 1;
            return Ok(false);
        }
        self.kept += 1;
        self.outline_rows += u64::from(is_outline);
        let group = short(blake3::hash(row.group.as_bytes()));
        if let Some(address) = &row.address {
            self.addressed += 1;
            self.doubts.look(address, row.unit.as_deref(), &written());
            self.addressed_groups.insert(group);
            self.trial.look(row);
            if let Some(example) = merges_with_another(&mut self.first_rows, row, address) {
                self.merged += 1;
                self.merged_example.get_or_insert(example);
            }
            if let Some(id) = &row.parcel {
                let door = door_of(address);
                let first = *self.doors.entry(group).or_insert(door);
                if first != door {
                    let (_, shared) = self.ids.entry(group).or_insert_with(|| (id.clone(), SharedId::of(first)));
                    shared.look(row);
                }
            }
        } else {
            *self.unaddressed.entry(group).or_default() += 1;
        }
        if let Some(at) = row.origin {
            self.count_position(row, at);
        }
        Ok(false)
    }

    fn reject(&mut self, file: &str, _: (u64, Option<u64>), _: &Message, _: &str) -> Result<(), ImportError> {
        self.refused += u64::from(!self.outline_names.contains(file));
        Ok(())
    }

    fn checkpoint(&mut self, _: &mut Checkpoint) -> Result<(), ImportError> {
        Ok(())
    }
}

/// The address of a row that an earlier row of another parcel has too, with other figures.
fn merges_with_another(first: &mut HashMap<u64, AddressedRow>, row: &ImportedRow, address: &Address) -> Option<String> {
    let parcel = row.parcel.as_deref()?;
    let unit = row.unit.as_deref().unwrap_or_default();
    let line = format!("{}, {}", address.street_line(), address.city_line());
    let key = short(blake3::hash(format!("{} {unit}", line.to_uppercase()).as_bytes()));
    let own = (
        short(blake3::hash(parcel.as_bytes())),
        short(blake3::hash(&postcard::to_stdvec(&row.assessor).unwrap_or_default())),
    );
    let (other_parcel, other_figures) = *first.entry(key).or_insert(own);
    let shown = if unit.is_empty() { line } else { format!("{line}, {unit}") };
    (other_parcel != own.0 && other_figures != own.1).then_some(shown)
}

/// As rows are refused under it.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn short(hash: blake3::Hash) -> u64 {
    let bytes = hash.as_bytes();
    u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
}
