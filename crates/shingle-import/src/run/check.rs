//! What an import would do, told before anything is written: how much of each field a table has, what cannot be
//! read, where the rows lie, and what in the mapping may be amiss. Names of people and where they live are left out.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use shingle_domain::evidence::Position;

use crate::join::parcel_groups;
use crate::mapping::field::Field;
use crate::mapping::layers::Role;
use crate::row::reader::{FieldCells, Gathered, UnreadCells};
use crate::run::checkpoint::Checkpoint;
use crate::run::import::{Import, ImportJob, Progress};
use crate::run::sink::Outcome;
use crate::run::suggestion;
use shingle_property::PropertyError;
use shingle_property::Reference;

/// `rows_read` = `usable` + `rejected` + `duplicates` + `skipped`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    pub dataset: String,
    pub rows_read: u64,
    /// Rows that an import would take.
    pub usable: u64,
    pub rejected: u64,
    pub duplicates: u64,
    pub skipped: u64,
    /// Rows whose address was read; the others are known by their parcel.
    pub addressed: u64,
    /// Rows that can have the fields: all that were read but for the layer of outlines, doubles among them.
    pub records: u64,
    /// Usable rows of that layer.
    pub outline_rows: u64,
    /// Why rows would be rejected, most frequent first.
    pub reasons: Vec<(String, u64)>,
    pub fields: Vec<CheckedField>,
    /// `None` when no row has a point or an outline.
    pub ground: Option<Ground>,
    pub notes: Vec<String>,
    /// What may be amiss in the mapping.
    pub suggestions: Vec<String>,
}

/// A field's cells over all records that have an address or a parcel.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckedField {
    pub field: String,
    pub known: u64,
    /// Nothing there, or a word or number that stands for nothing.
    pub blank: u64,
    /// Something there that gave no fact.
    pub unread: u64,
    /// The different complaints; examples are never of names or mailing addresses.
    pub problems: Vec<UnreadCells>,
}

/// Where the rows lie, in degrees (WGS 84).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ground {
    pub outlines: u64,
    pub points: u64,
    pub west: f64,
    pub south: f64,
    pub east: f64,
    pub north: f64,
    /// Rows whose ZIP has a published centre, and how many of them lie within [`NEAR_KM`] of it.
    pub compared: u64,
    pub near_their_zip: u64,
}

impl CheckReport {
    /// Whether an import would put anything into the index.
    pub fn would_import(&self) -> bool {
        self.usable > 0
    }
}

/// The largest ZIPs of the empty West reach farther; most homes do not.
pub const NEAR_KM: f64 = 40.0;

/// Reads every row as [`run`](crate::run()) would, and writes nothing.
pub fn check(job: &ImportJob<'_>, progress: &mut dyn Progress) -> Result<CheckReport, PropertyError> {
    let (mut import, headings) = Import::open(job, progress)?;
    let outline_files = import.files.iter().map(|f| f.1 == Role::Outlines).collect();
    let mut checking = Checking { outline_files, ..Checking::default() };
    let notes = import.read(&mut checking, progress)?;
    let mut state = import.state;
    state.notes.extend(notes);
    let homeless = checking.homeless();
    if homeless > 0 {
        state.rejected += homeless;
        state.reasons.insert("no address, and no addressed row on its parcel".to_owned(), homeless);
    }
    let mut reasons: Vec<(String, u64)> = state.reasons.into_iter().collect();
    reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let fields = job.mapping.facts.iter().map(|fact| {
        let problems = state.tally.unread.iter().filter(|u| u.field == fact.field.name()).cloned().collect();
        checking.field(fact.field, state.tally.of(fact.field), problems)
    });
    let mut report = CheckReport {
        dataset: job.mapping.dataset().to_owned(),
        rows_read: state.rows_read,
        usable: checking.kept - homeless,
        rejected: state.rejected,
        duplicates: checking.duplicates,
        skipped: state.skipped,
        addressed: checking.addressed,
        records: checking.records,
        outline_rows: checking.outline_rows,
        reasons,
        fields: fields.collect(),
        ground: checking.ground,
        notes: state.notes,
        suggestions: Vec::new(),
    };
    report.suggestions = suggestion::of(&report, job.mapping, &headings);
    Ok(report)
}

#[derive(Default)]
struct Checking {
    /// Which files are a layer of outlines: their rows have neither address nor record.
    outline_files: Vec<bool>,
    /// Other rows read, doubles among them.
    records: u64,
    /// Rows of that layer, each once.
    outline_rows: u64,
    /// Each once.
    kept: u64,
    addressed: u64,
    duplicates: u64,
    seen: HashSet<u64>,
    /// Groups that have an address, and rows without one in each group.
    homes: HashSet<u64>,
    nameless: HashMap<u64, u64>,
    ground: Option<Ground>,
}

impl Checking {
    fn field(&self, field: Field, cells: FieldCells, problems: Vec<UnreadCells>) -> CheckedField {
        let blank = self.records.saturating_sub(cells.known + cells.unread);
        CheckedField { field: field.name().to_owned(), known: cells.known, blank, unread: cells.unread, problems }
    }

    /// Rows without an address on parcels where no row has one.
    fn homeless(&self) -> u64 {
        self.nameless.iter().filter(|(group, _)| !self.homes.contains(group)).map(|(_, n)| n).sum()
    }

    fn place(&mut self, row: &Gathered, at: Position) {
        let ground = self.ground.get_or_insert(Ground {
            outlines: 0,
            points: 0,
            west: at.longitude,
            south: at.latitude,
            east: at.longitude,
            north: at.latitude,
            compared: 0,
            near_their_zip: 0,
        });
        *(if row.plan.is_empty() { &mut ground.points } else { &mut ground.outlines }) += 1;
        ground.west = ground.west.min(at.longitude);
        ground.east = ground.east.max(at.longitude);
        ground.south = ground.south.min(at.latitude);
        ground.north = ground.north.max(at.latitude);
        let centre = row.address.as_ref().and_then(|a| Reference::built_in().zip_centre(&a.zip));
        if let Some(centre) = centre {
            ground.compared += 1;
            ground.near_their_zip += u64::from(kilometres(centre, at) <= NEAR_KM);
        }
    }
}

impl Outcome for Checking {
    fn keep(&mut self, row: &mut Gathered) -> Result<bool, PropertyError> {
        let is_outline = self.outline_files.get(usize::from(row.file)).is_some_and(|o| *o);
        self.records += u64::from(!is_outline);
        if !self.seen.insert(short(parcel_groups::identity(row))) {
            self.duplicates += 1;
            return Ok(false);
        }
        self.kept += 1;
        self.outline_rows += u64::from(is_outline);
        let group = short(blake3::hash(row.group.as_bytes()));
        if row.address.is_some() {
            self.addressed += 1;
            self.homes.insert(group);
        } else {
            *self.nameless.entry(group).or_default() += 1;
        }
        if let Some(at) = row.origin {
            self.place(row, at);
        }
        Ok(false)
    }

    fn refuse(&mut self, _: &str, _: u64, _: &str, _: &str) -> Result<(), PropertyError> {
        Ok(())
    }

    fn checkpoint(&mut self, _: &mut Checkpoint) -> Result<(), PropertyError> {
        Ok(())
    }
}

fn short(hash: blake3::Hash) -> u64 {
    let bytes = hash.as_bytes();
    u64::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7]])
}

/// Good to a percent, within a county.
fn kilometres(a: Position, b: Position) -> f64 {
    const DEGREE_KM: f64 = 111.2;
    let east = (a.longitude - b.longitude) * a.latitude.to_radians().cos();
    east.hypot(a.latitude - b.latitude) * DEGREE_KM
}
