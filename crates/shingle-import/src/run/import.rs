//! County tables and outlines into an index: files of any common format, and a mapping that says which
//! column is what. Bad rows go to a side file with the reason; a bad file ends the import and leaves the
//! index as it was.

use std::fs::File;
use std::path::{Path, PathBuf};

use shingle_domain::evidence::{OutlineKind, Source};

use shingle_property::{IndexBuilder, PropertyError};

use crate::format::shapefile::sibling;
use crate::format::source::{self, Declared, Row, RowSource, Shape, Step, input};
use crate::geo::projection::{self, Projection};
use crate::join::layers::Surroundings;
use crate::join::mailing::Properties;
use crate::join::parcel_groups;
use crate::join::row_sorter::{SortedRow, Spool};
use crate::mapping::file::Mapping;
use crate::mapping::layers::{self, Draws, Role};
use crate::row::nearby::ZipsOfStreets;
use crate::row::reader::{Reading, UnreadCells, ZipPass};
use crate::run::checkpoint::{Checkpoint, Workshop};
use crate::run::coverage::Coverage;
use crate::run::rejects::Rejects;
use crate::run::sink::{Keeping, Outcome};

/// Files of one data set, all read with one mapping.
#[derive(Debug)]
pub struct ImportJob<'a> {
    pub files: Vec<PathBuf>,
    pub mapping: &'a Mapping,
    /// The property index to import into.
    pub into: PathBuf,
}

/// Told how far the reading is.
pub trait Progress {
    /// Rows of all files together, where every file says how many it has.
    fn total(&mut self, rows: Option<u64>);
    fn advance(&mut self, rows: u64);
}

/// For whoever does not watch.
impl Progress for () {
    fn total(&mut self, _: Option<u64>) {}
    fn advance(&mut self, _: u64) {}
}

/// What an import did. `rows_read` = `imported` + `rejected` + `duplicates` + `skipped`.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportReport {
    pub dataset: String,
    pub rows_read: u64,
    pub imported: u64,
    pub rejected: u64,
    /// Rows that say the same again.
    pub duplicates: u64,
    /// Rows that the mapping's `[rows]` leaves out.
    pub skipped: u64,
    /// CSV with file, row (the first after the header is 1), reason and address; `None` when no row was
    /// rejected.
    pub rejects_file: Option<PathBuf>,
    /// The reasons, most frequent first.
    pub reasons: Vec<(String, u64)>,
    pub places: u64,
    /// Facts on which rows of one address differ; the first row's stays.
    pub conflicts: u64,
    /// Imported rows that have an outline, a point, and each mapped field.
    pub coverage: Vec<(String, u64)>,
    /// Of the imported rows, those of the layer of outlines, which have no fields.
    pub outline_rows: u64,
    /// Cells that are not blank and gave no fact.
    pub unread: Vec<UnreadCells>,
    /// What the operator should know: an assumed projection, a column that no feature has.
    pub notes: Vec<String>,
    /// Rows that an interrupted import of the same files had already read.
    pub resumed_from: Option<u64>,
}

const NO_KIND: &str = "the mapping needs `[geometry] outline_kind`: \"eave\" when lines follow the roof's edge as seen from \
                       the air, \"wall\" when they follow the walls";

/// Rows between two words to the progress bar.
const STEP: u64 = 512;
/// Shapes after which a file whose coordinates are mostly elsewhere is given up.
pub(crate) const SAMPLE: u64 = 1_000;

/// Reads the files, and makes what they say the data set's index in one switch. On any error the index is
/// as it was before.
pub fn run(job: ImportJob<'_>, progress: &mut dyn Progress) -> Result<ImportReport, PropertyError> {
    let (mut import, _) = Import::open(&job, progress)?;
    std::fs::create_dir_all(&job.into).map_err(PropertyError::write(&job.into))?;
    let workshop = Workshop::open(&job.into, job.mapping.dataset())?;
    import.state = workshop.resume(&fingerprint(&job)?)?;
    match import.run(&workshop, progress) {
        Ok(report) => {
            workshop.clear()?;
            Ok(report)
        }
        // The files themselves are at fault: going on from here would end here again.
        Err(e @ PropertyError::Input { .. }) => {
            workshop.clear()?;
            Err(e)
        }
        Err(e) => Err(e),
    }
}

/// Files that are read with one mapping.
#[derive(Clone)]
pub(crate) struct Part<'a> {
    mapping: &'a Mapping,
    columns: Vec<String>,
}

impl<'a> Part<'a> {
    fn of(mapping: &'a Mapping) -> Self {
        Self { mapping, columns: mapping.columns() }
    }

    fn kind(&self) -> Option<OutlineKind> {
        self.mapping.geometry.as_ref()?.outline_kind
    }

    /// Whether what is drawn is the ground, which is known from the surroundings by now.
    fn draws_parcels(&self) -> bool {
        self.mapping.geometry.as_ref().is_some_and(|g| g.draws == Draws::Parcels)
    }
}

pub(crate) struct Import<'a> {
    job: &'a ImportJob<'a>,
    pub(crate) files: Vec<(PathBuf, Role)>,
    rows: Part<'a>,
    outlines: Option<Part<'a>>,
    around: Surroundings,
    pub(crate) state: Checkpoint,
}

impl<'a> Import<'a> {
    /// Opens every file before any row is read: a wrong name in the last one is told at once. Also gives the headings
    /// of the tables.
    pub(crate) fn open(
        job: &'a ImportJob<'a>,
        progress: &mut dyn Progress,
    ) -> Result<(Self, Vec<String>), PropertyError> {
        if job.files.is_empty() || job.files.len() > usize::from(u16::MAX) {
            return Err(input(&job.into, "there is no file to import"));
        }
        let files = layers::roles(&job.files, job.mapping, &job.into)?;
        let rows = Part::of(job.mapping);
        let outlines = job.mapping.layers.outlines.as_ref().map(|l| Part::of(&l.mapping));
        let (mut total, mut headings) = (Some(0), Vec::new());
        for (path, role) in &files {
            let part = match role {
                Role::Rows => &rows,
                Role::Outlines => outlines.as_ref().unwrap_or(&rows),
                // Opened soon enough: they are read before the rows.
                Role::Parcels | Role::ZipAreas => continue,
            };
            let file = source::open_as(path, &part.columns, &part.mapping.dialect)?;
            total = total.zip(file.rows()).map(|(a, b)| a + b);
            headings.extend_from_slice(if *role == Role::Rows { file.header() } else { &[] });
        }
        progress.total(total);
        let around = Surroundings::default();
        Ok((Self { job, files, rows, outlines, around, state: Checkpoint::default() }, headings))
    }

    fn run(mut self, workshop: &Workshop, progress: &mut dyn Progress) -> Result<ImportReport, PropertyError> {
        let resumed_from = Some(self.state.rows_read).filter(|n| *n > 0);
        let rejects = Rejects::open(&workshop.side_file(), self.state.side_file)?;
        let spool = Spool::new(workshop.folder(), self.state.runs.clone());
        let coverage = Coverage::new(self.job.mapping);
        let mut keeping = Keeping { spool, rejects, workshop, coverage, properties: Properties::default() };
        let notes = self.read(&mut keeping, progress)?;
        self.index(keeping, resumed_from, notes)
    }

    /// Gives what was noted of the surroundings.
    pub(crate) fn read(
        &mut self,
        into: &mut dyn Outcome,
        progress: &mut dyn Progress,
    ) -> Result<Vec<String>, PropertyError> {
        progress.advance(self.state.rows_read);
        let mut notes = Vec::new();
        self.around = Surroundings::read(&self.files, self.job.mapping, &mut notes)?;
        let zips = self.zips()?;
        for file in self.state.file..self.files.len() as u16 {
            if matches!(self.files[usize::from(file)].1, Role::Rows | Role::Outlines) {
                self.read_file(file, &zips, into, progress)?;
            }
            self.state.file = file + 1;
            self.state.file_rows = 0;
        }
        Ok(notes)
    }

    fn read_file(
        &mut self,
        number: u16,
        zips: &ZipsOfStreets,
        into: &mut dyn Outcome,
        progress: &mut dyn Progress,
    ) -> Result<(), PropertyError> {
        let path = &self.job.files[usize::from(number)];
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let part = self.part(number);
        let (mapping, kind, draws_parcels) = (part.mapping, part.kind(), part.draws_parcels());
        let mut file = source::open_as(path, &part.columns, &part.mapping.dialect)?;
        let projection = self.projection(path, mapping, file.as_ref())?;
        let reading = Reading::new(mapping, zips);
        let mut row = Row::default();
        let done = self.state.file_rows;
        let (mut at, mut told) = (0, 0);
        loop {
            let step = file.next_row(&mut row)?;
            if matches!(step, Step::End) {
                break;
            }
            at += 1;
            if at <= done {
                continue;
            }
            self.state.rows_read += 1;
            if draws_parcels {
                row.shape = Shape::None;
            }
            let refused = match step {
                Step::Bad(reason) => Some((reason, reading.raw(&row))),
                _ if !reading.takes(&row) => {
                    self.state.skipped += 1;
                    continue;
                }
                // A row is a kilobyte: it is lent from here on, not moved.
                _ => match reading.read(number, at, &mut row, projection.as_ref(), &mut self.state.tally) {
                    Err(refused) => Some((refused.reason, refused.raw)),
                    Ok(mut gathered) => match self.around.settle(&mut gathered, &mut self.state.tally) {
                        Err(reason) => Some((reason, reading.raw(&row))),
                        Ok(()) if !gathered.plan.is_empty() && kind.is_none() => return Err(input(path, NO_KIND)),
                        Ok(()) => {
                            if into.keep(&mut gathered)? {
                                self.state.file = number;
                                self.state.file_rows = at;
                                into.checkpoint(&mut self.state)?;
                            }
                            None
                        }
                    },
                },
            };
            if let Some((reason, raw)) = refused {
                self.count(&reason);
                into.refuse(&name, at, &reason, &raw)?;
            }
            if self.state.tally.shapes == SAMPLE {
                self.check_places(path)?;
            }
            if at % STEP == 0 {
                progress.advance(at - done.max(told));
                told = at;
            }
        }
        progress.advance(at.saturating_sub(done.max(told)));
        self.check_places(path)?;
        self.around.check_join(path, &self.state.tally.layers)?;
        // Of this file only: the next may lie in another projection.
        self.state.tally.shapes = 0;
        self.state.tally.misplaced = 0;
        let unseen = if at > 0 { file.unseen() } else { Vec::new() };
        self.state.notes.extend(unseen.into_iter().map(|c| format!("{name}: no row has `{c}`")));
        Ok(())
    }

    fn part(&self, file: u16) -> Part<'a> {
        match (self.files[usize::from(file)].1, &self.outlines) {
            (Role::Outlines, Some(outlines)) => outlines.clone(),
            _ => self.rows.clone(),
        }
    }

    fn count(&mut self, reason: &str) {
        self.state.rejected += 1;
        *self.state.reasons.entry(kind_of(reason)).or_default() += 1;
    }

    /// Few rows outside the country are dirt; most of them are a wrong projection.
    fn check_places(&self, path: &Path) -> Result<(), PropertyError> {
        let t = &self.state.tally;
        let of = |reason: &str| self.state.reasons.get(reason).copied().unwrap_or_default();
        projection::check_most(path, (t.misplaced, t.shapes), of)
    }

    fn projection(
        &mut self,
        path: &Path,
        mapping: &Mapping,
        file: &dyn RowSource,
    ) -> Result<Option<Projection>, PropertyError> {
        let Some(geometry) = &mapping.geometry else {
            if file.declared() != Declared::Table {
                let note = "what is drawn was left out: the mapping has no `[geometry]`";
                self.state.notes.push(format!("{}: {note}", path.display()));
            }
            return Ok(None);
        };
        Projection::of_file(geometry.crs.as_ref(), file.declared(), path, &mut self.state.notes).map(Some)
    }

    /// The pass before the first, for tables without the property's ZIP.
    fn zips(&self) -> Result<ZipsOfStreets, PropertyError> {
        let none = ZipsOfStreets::default();
        let mut zips = ZipsOfStreets::default();
        let Some(pass) = ZipPass::new(self.job.mapping, &none) else { return Ok(zips) };
        let mut row = Row::default();
        for (path, _) in self.files.iter().filter(|f| f.1 == Role::Rows) {
            let mut file = source::open_as(path, &self.rows.columns, &self.rows.mapping.dialect)?;
            loop {
                match file.next_row(&mut row)? {
                    Step::End => break,
                    Step::Bad(_) => {}
                    Step::Row => pass.note(&row, &mut zips),
                }
            }
        }
        Ok(zips)
    }

    fn index(
        mut self,
        Keeping { spool, mut rejects, mut coverage, mut properties, .. }: Keeping<'_>,
        resumed_from: Option<u64>,
        mut notes: Vec<String>,
    ) -> Result<ImportReport, PropertyError> {
        let mapping = self.job.mapping;
        // Asked of every row with an outline when it was read.
        let parts: Vec<(OutlineKind, &Source)> = (0..self.files.len() as u16)
            .map(|f| self.part(f))
            .map(|part| (part.kind().unwrap_or(OutlineKind::Wall), &part.mapping.source))
            .collect();
        let first = &self.job.files[0];
        let mut sorted = spool.into_sorted()?;
        let mut builder = IndexBuilder::create(&self.job.into, mapping.dataset())?;
        let (mut imported, mut duplicates, mut outline_rows) = (0, 0, 0);
        let (mut row, mut next) = (SortedRow::default(), SortedRow::default());
        let mut more = sorted.read(&mut next)?;
        while more {
            std::mem::swap(&mut row, &mut next);
            more = sorted.read(&mut next)?;
            let is_alone = !more || next.group() != row.group();
            if let Some(place) = row.place().filter(|_| is_alone) {
                let file = usize::from(row.file());
                coverage.count(row.has());
                outline_rows += u64::from(self.files[file].1 == Role::Outlines);
                builder.push_encoded(place, parts[file].1)?;
                imported += 1;
                continue;
            }
            let mut group = vec![row.decode()?];
            while more && next.group() == row.group() {
                group.push(next.decode()?);
                more = sorted.read(&mut next)?;
            }
            let joined = parcel_groups::join(group);
            duplicates += joined.duplicates;
            for (row, reason) in joined.refused {
                let name = self.job.files[usize::from(row.file)].file_name().unwrap_or_default().to_string_lossy();
                let raw = row.parcel.map(|p| format!("parcel {p}")).unwrap_or_default();
                self.count(reason);
                rejects.push(&name, row.row, reason, &raw)?;
            }
            let copies = joined.copies.into_iter().map(|row| (row, 0));
            for (row, counts) in joined.rows.into_iter().map(|row| (row, 1)).chain(copies) {
                if counts > 0 {
                    coverage.count(coverage.of(&row));
                    outline_rows += u64::from(self.files[usize::from(row.file)].1 == Role::Outlines);
                }
                let (kind, source) = parts[usize::from(row.file)];
                if let Some(place) = parcel_groups::place(row, kind, source, &mut properties) {
                    builder.push(place)?;
                    imported += counts;
                }
            }
        }
        notes.append(&mut self.state.notes);
        notes.extend(self.around.notes(&self.state.tally));
        let mut reasons: Vec<(String, u64)> = std::mem::take(&mut self.state.reasons).into_iter().collect();
        reasons.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        if imported == 0 {
            let why =
                reasons.first().map_or("there is none".to_owned(), |(reason, n)| format!("{n} of them: {reason}"));
            let read = self.state.rows_read;
            return Err(input(first, format!("no row of {read} could be imported; {why}. The index is unchanged")));
        }
        let summary = builder.finish()?;
        let side_file = self.job.into.join(format!("{}-rejected.csv", mapping.dataset()));
        Ok(ImportReport {
            dataset: mapping.dataset().to_owned(),
            rows_read: self.state.rows_read,
            imported,
            rejected: self.state.rejected,
            duplicates,
            skipped: self.state.skipped,
            rejects_file: rejects.finish(self.state.rejected, &side_file)?,
            reasons,
            places: summary.places,
            conflicts: summary.conflicts,
            coverage: coverage.into_list(),
            outline_rows,
            unread: self.state.tally.unread,
            notes,
            resumed_from,
        })
    }
}

/// A reason without what is particular to one row, for counting.
pub(crate) fn kind_of(reason: &str) -> String {
    let mut out = String::new();
    for (i, part) in reason.split('`').enumerate() {
        out.push_str(if i % 2 == 1 { "…" } else { part });
    }
    let mut kind = String::with_capacity(out.len());
    for c in out.chars() {
        let number = c.is_ascii_digit() || (c == '.' && kind.ends_with('#'));
        if !number {
            kind.push(c);
        } else if !kind.ends_with('#') {
            kind.push('#');
        }
    }
    kind
}

/// Changes with any byte of the files or of the mapping.
pub(crate) fn fingerprint(job: &ImportJob<'_>) -> Result<String, PropertyError> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(job.mapping.digest.as_bytes());
    for path in &job.files {
        let beside = [sibling(path, "dbf"), sibling(path, "prj")];
        let is_shape = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("shp"));
        for path in std::iter::once(path).chain(beside.iter().flatten().filter(|_| is_shape)) {
            let file = File::open(path).map_err(PropertyError::read(path))?;
            hasher.update_reader(file).map_err(PropertyError::read(path))?;
            hasher.update(b"\0");
        }
    }
    Ok(hasher.finalize().to_hex().to_string())
}
