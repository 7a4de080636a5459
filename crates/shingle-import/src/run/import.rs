//! A whole import: layers, rows, join, index.

use std::io;
use std::path::{Path, PathBuf};

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::{OutlineKind, Source};
use shingle_domain::message::Message;
use shingle_property::external_sort::{Sorted, Sorter};
use shingle_property::{IndexBuilder, PropertyIndex, Reference};

use crate::error::ImportError;
use crate::format::columns::as_fixed_text;
use crate::format::file_note::FileNote;
use crate::format::open::open_rows;
use crate::format::server_answer::{DownloadedFile, parts_told};
use crate::format::source::{DeclaredCrs, Row, RowSource, Shape, Step};
use crate::geo::crs_problem::CrsNote;
use crate::geo::file_projection::{SAMPLE_SHAPES, check_most, projection_of_file};
use crate::join::layers::Layers;
use crate::join::mailing::NormalizedCache;
use crate::join::meeting::{Meeting, MeetingBuilder};
use crate::join::parcel_groups::{self, Joined, ParcelGroup, shared_told};
use crate::join::surveyed::{OutlinesToMeasure, RoofFigures, SurveyedRoofs};
use crate::mapping::roles::{FileRole, roles};
use crate::mapping::table::TableMapping;
use crate::note::{Note, said_once};
use crate::row::imported::ImportedRow;
use crate::row::misread::ShownColumns;
use crate::row::nearby::ZipsOfStreets;
use crate::row::reader::{RowReader, ZipPass};
use crate::row::stats::ImportStats;
use crate::run::checkpoint::{Checkpoint, ImportWorkdir};
use crate::run::coverage::Coverage;
use crate::run::fingerprint::Fingerprint;
use crate::run::import_problem::ImportProblem;
use crate::run::job::{ImportJob, Progress};
use crate::run::own_rows::{OwnRows, SampledRows};
use crate::run::rejects::Rejects;
use crate::run::report::ImportReport;
use crate::run::sink::{IndexSink, RowSink};
use shingle_projection::Projection;

/// Bytes of rows kept in memory: the roll of a small town needs no disk.
const SORT_BUDGET: usize = 64 << 20;
/// Rows between two reports of progress.
const PROGRESS_STEP: u64 = 512;
/// Imports the files. The new version of the data set replaces the old one in one step; on any error the index stays as
/// it was.
pub fn run(job: ImportJob<'_>, progress: &mut dyn Progress) -> Result<ImportReport, ImportError> {
    import(job, progress, false)
}

/// As [`run`](run()), also where the data set loses more than a fifth of its places.
pub fn run_allowing_shrink(job: ImportJob<'_>, progress: &mut dyn Progress) -> Result<ImportReport, ImportError> {
    import(job, progress, true)
}

fn import(job: ImportJob<'_>, progress: &mut dyn Progress, may_shrink: bool) -> Result<ImportReport, ImportError> {
    let (mut import, _) = Import::open(&job, progress)?;
    std::fs::create_dir_all(&job.into).map_err(ImportError::write(&job.into))?;
    let workdir = ImportWorkdir::open(&job.into, job.mapping.dataset())?;
    // Before a row is read.
    let fingerprint = Fingerprint::of(&job)?;
    import.state = workdir.resume(|| fingerprint.take())?;
    match import.run(&workdir, &fingerprint, progress, may_shrink) {
        Ok(report) => {
            workdir.clear()?;
            Ok(report)
        }
        // The files themselves are at fault: resuming would fail in the same way.
        Err(e @ (ImportError::Input { .. } | ImportError::Stopped)) => {
            workdir.clear()?;
            Err(e)
        }
        Err(e) => Err(e),
    }
}

pub(crate) struct Import<'a> {
    job: &'a ImportJob<'a>,
    pub(crate) files: Vec<(PathBuf, FileRole)>,
    rows: &'a TableMapping,
    outlines: Option<&'a TableMapping>,
    layers: Layers,
    roofs: Option<RoofFigures>,
    pub(crate) state: Checkpoint,
}

impl<'a> Import<'a> {
    /// Opens every file before any row is read, so that a wrong name is reported at once. Also gives the headers of the
    /// tables.
    pub(crate) fn open(
        job: &'a ImportJob<'a>,
        progress: &mut dyn Progress,
    ) -> Result<(Self, Vec<String>), ImportError> {
        if job.files.is_empty() || job.files.len() > usize::from(u16::MAX) {
            return Err(ImportError::input(&job.into, ImportProblem::NoFile));
        }
        let files = roles(&job.files, job.mapping, &job.into)?;
        let rows = &job.mapping.table;
        let outlines = job.mapping.layers.outlines.as_ref().map(|l| &*l.mapping);
        let (mut total, mut headings) = (Some(0), Vec::new());
        for (path, role) in &files {
            let table = match role {
                FileRole::Rows => rows,
                FileRole::Outlines => outlines.unwrap_or(rows),
                // They are read before the rows, so their errors come early anyway.
                FileRole::Parcels | FileRole::ZipAreas | FileRole::Points => continue,
            };
            let file = open_rows(path, &table.columns, &table.dialect)?;
            total = total.zip(file.rows()).map(|(a, b)| a + b);
            headings.extend_from_slice(if *role == FileRole::Rows { file.header() } else { &[] });
        }
        progress.total(total);
        let layers = Layers::default();
        Ok((Self { job, files, rows, outlines, layers, roofs: None, state: Checkpoint::default() }, headings))
    }

    fn run(
        mut self,
        workdir: &ImportWorkdir,
        fingerprint: &Fingerprint<'_>,
        progress: &mut dyn Progress,
        may_shrink: bool,
    ) -> Result<ImportReport, ImportError> {
        let resumed_from = Some(self.state.rows_read).filter(|n| *n > 0);
        let rejects = Rejects::open(&workdir.side_file(), self.state.side_file)?;
        let sorter = Sorter::new(workdir.folder(), "rows", SORT_BUDGET).resumed(self.state.runs.clone());
        let properties = NormalizedCache::default();
        let mut sink = IndexSink { sorter, rejects, workdir, fingerprint, properties, sampled: SampledRows::default() };
        let notes = self.read(&mut sink, progress)?;
        let mut builder = IndexBuilder::create(&self.job.into, self.job.mapping.dataset())?;
        if !may_shrink {
            builder.refuse_shrinking();
        }
        if self.job.mapping.national {
            builder.covers_the_country();
        }
        if progress.stops() {
            return Err(ImportError::Stopped);
        }
        self.index(sink, builder, resumed_from, notes)
    }

    /// Gives the notes about the layers.
    pub(crate) fn read(
        &mut self,
        into: &mut dyn RowSink,
        progress: &mut dyn Progress,
    ) -> Result<Vec<Note>, ImportError> {
        progress.advance(self.state.rows_read);
        let mut notes = Vec::new();
        self.layers = Layers::read(&self.files, self.job.mapping, &mut notes)?;
        let zips = self.zips()?;
        if let Some(meeting) = self.meeting(&zips)? {
            notes.push(Note::of_all(meeting.memory()));
            self.layers.meet(meeting);
        }
        match self.roofs(&zips, &|| progress.stops(), &mut notes) {
            Ok(None) => {}
            Ok(Some(roofs)) => {
                self.roofs = Some(roofs.figures.clone());
                self.layers.measure(roofs);
            }
            Err(ImportError::Input { detail, .. }) if self.may_do_without_points() => {
                self.roofs = Some(RoofFigures { failed: Some(detail), ..RoofFigures::default() });
            }
            Err(e) => return Err(e),
        }
        for file in self.state.file..self.files.len() as u16 {
            if matches!(self.files[usize::from(file)].1, FileRole::Rows | FileRole::Outlines) {
                self.read_file(file, &zips, into, progress)?;
            }
            self.state.file = file + 1;
            self.state.file_rows = 0;
        }
        let mut roles: Vec<&String> = self.state.downloads.iter().map(|(role, _)| role).collect();
        roles.cold_sort();
        roles.dedup();
        for role in roles {
            let files = self.state.downloads.iter().filter(|(of, _)| of == role).map(|(_, file)| file.clone());
            notes.extend(parts_told(&files.collect::<Vec<_>>()).map(Note::of_all));
        }
        Ok(notes)
    }

    fn read_file(
        &mut self,
        number: u16,
        zips: &ZipsOfStreets,
        into: &mut dyn RowSink,
        progress: &mut dyn Progress,
    ) -> Result<(), ImportError> {
        let path = &self.job.files[usize::from(number)];
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let table = self.table(number);
        let role = self.files[usize::from(number)].1.name().to_owned();
        let mut file = open_rows(path, &table.columns, &table.dialect)?;
        let projection = self.projection(path, table, file.as_ref())?;
        let reading = RowReader::new(table, zips);
        let shown_columns = ShownColumns::of(table);
        let mut row = Row::default();
        let done = self.state.file_rows;
        let (mut at, mut reported) = (0, 0);
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
            self.state.stats.misread.look(&row, &shown_columns);
            if table.draws_parcels() {
                row.shape = Shape::None;
            }
            let refused = match step {
                Step::Bad(reason) => Some((reason.into(), reading.raw(&row))),
                _ if !reading.takes(&row) => {
                    self.state.skipped += 1;
                    continue;
                }
                // A row is a kilobyte: it is lent from here on, not moved.
                _ => match reading.read(number, at, &mut row, projection.as_ref(), &mut self.state.stats) {
                    Err(refused) => Some((refused.reason, refused.raw)),
                    Ok(mut row_read) => match self.layers.complete(&mut row_read, &mut self.state.stats) {
                        Err(reason) => Some((reason, reading.raw(&row))),
                        Ok(()) if !row_read.plan.is_empty() && table.outline_kind().is_none() => {
                            return Err(ImportError::input(path, ImportProblem::NoKind));
                        }
                        Ok(()) => {
                            if into.accept(&mut row_read, &|| reading.as_written(&row))? {
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
                into.reject(&name, (at, file.line()), &reason, &raw)?;
                self.count(reason);
            }
            if self.state.stats.shapes == SAMPLE_SHAPES {
                self.check_places(path)?;
            }
            if at % PROGRESS_STEP == 0 {
                progress.advance(at - done.max(reported));
                reported = at;
                if progress.stops() {
                    return Err(ImportError::Stopped);
                }
            }
        }
        progress.advance(at.saturating_sub(done.max(reported)));
        self.check_places(path)?;
        self.layers.check_join(path, &self.state.stats.joins)?;
        // Counted per file: the next may have another projection.
        self.state.stats.shapes = 0;
        self.state.stats.misplaced = 0;
        self.state.downloads.push((role, DownloadedFile::new(name.clone(), at, file.paging())));
        let unseen = if at > 0 { file.unseen() } else { Vec::new() };
        let unseen = unseen.into_iter().map(|c| match as_fixed_text(&c) {
            None => FileNote::NoRowHas { c },
            Some(advice) => FileNote::NoRowHasFixedText { c, advice },
        });
        let told = file.told().into_iter().chain(unseen);
        self.state.notes.extend(told.map(|told| Note::of(&name, told)));
        Ok(())
    }

    /// How the rows of a file are read.
    fn table(&self, file: u16) -> &'a TableMapping {
        match (self.files[usize::from(file)].1, self.outlines) {
            (FileRole::Outlines, Some(outlines)) => outlines,
            _ => self.rows,
        }
    }

    fn count(&mut self, reason: Message) {
        self.state.rejected += 1;
        self.state.reasons.count(reason);
    }

    /// A few rows outside the country are bad data; most rows outside mean a wrong projection.
    fn check_places(&self, path: &Path) -> Result<(), ImportError> {
        let t = &self.state.stats;
        check_most(path, (t.misplaced, t.shapes), |reason| self.state.reasons.rows(&reason))
    }

    fn projection(
        &mut self,
        path: &Path,
        table: &TableMapping,
        file: &dyn RowSource,
    ) -> Result<Option<Projection>, ImportError> {
        let Some(geometry) = &table.geometry else {
            if file.declared() != DeclaredCrs::Table {
                self.state.notes.push(Note::of(path.display().to_string(), CrsNote::NotDrawn));
            }
            return Ok(None);
        };
        let projection = projection_of_file(geometry.crs.as_ref(), file.declared(), path, &mut self.state.notes);
        projection.map(Some).map_err(|problem| ImportError::input(path, problem))
    }

    /// The extra pass for tables without the property's ZIP.
    fn zips(&self) -> Result<ZipsOfStreets, ImportError> {
        let none = ZipsOfStreets::default();
        let mut zips = ZipsOfStreets::default();
        let Some(pass) = ZipPass::new(self.rows, &none) else { return Ok(zips) };
        let mut row = Row::default();
        for (path, _) in self.files.iter().filter(|f| f.1 == FileRole::Rows) {
            let mut file = open_rows(path, &self.rows.columns, &self.rows.dialect)?;
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

    /// The extra pass for files with outlines and no parcels: which address points lie in which outline.
    fn meeting(&self, zips: &ZipsOfStreets) -> Result<Option<Meeting>, ImportError> {
        let tables = std::iter::once(self.rows).chain(self.outlines);
        let by_parcel = self.job.mapping.layers.parcels.is_some() || tables.clone().any(|t| t.place.parcel.is_some());
        if by_parcel || tables.clone().all(|t| t.outline_kind().is_none()) {
            return Ok(None);
        }
        let mut builder = MeetingBuilder::default();
        self.each_drawn(zips, &mut |row| builder.note(row))?;
        Ok(Some(builder.finish()))
    }

    fn may_do_without_points(&self) -> bool {
        self.job.mapping.layers.points.as_ref().is_some_and(|layer| layer.may_fail)
    }

    /// The extra pass for laser points: the roofs that they show inside of the outlines.
    fn roofs(
        &self,
        zips: &ZipsOfStreets,
        stops: &dyn Fn() -> bool,
        notes: &mut Vec<Note>,
    ) -> Result<Option<SurveyedRoofs>, ImportError> {
        let points: Vec<PathBuf> =
            self.files.iter().filter(|f| f.1 == FileRole::Points).map(|(path, _)| path.clone()).collect();
        let Some(layer) = self.job.mapping.layers.points.as_ref().filter(|_| !points.is_empty()) else {
            return Ok(None);
        };
        let mut outlines = OutlinesToMeasure::default();
        self.each_drawn(zips, &mut |row| outlines.note(row))?;
        outlines.measure(&points, layer, stops, notes).map(Some)
    }

    /// Every row that is drawn, before the layers completed it.
    fn each_drawn(&self, zips: &ZipsOfStreets, take: &mut dyn FnMut(&ImportedRow)) -> Result<(), ImportError> {
        let (mut row, mut uncounted) = (Row::default(), ImportStats::default());
        for (number, (path, _)) in
            (0..).zip(&self.files).filter(|(_, f)| matches!(f.1, FileRole::Rows | FileRole::Outlines))
        {
            let table = self.table(number);
            let Some(geometry) = &table.geometry else { continue };
            let mut file = open_rows(path, &table.columns, &table.dialect)?;
            let projection = projection_of_file(geometry.crs.as_ref(), file.declared(), path, &mut Vec::new());
            let projection = projection.map_err(|problem| ImportError::input(path, problem))?;
            let reading = RowReader::new(table, zips);
            for at in 1.. {
                let step = file.next_row(&mut row)?;
                if table.draws_parcels() {
                    row.shape = Shape::None;
                }
                match step {
                    Step::End => break,
                    Step::Row if reading.takes(&row) => {
                        if let Ok(read) = reading.read(number, at, &mut row, Some(&projection), &mut uncounted) {
                            take(&read);
                        }
                    }
                    Step::Row | Step::Bad(_) => {}
                }
            }
        }
        Ok(())
    }

    fn index(
        mut self,
        IndexSink { sorter, mut rejects, mut properties, sampled, workdir, .. }: IndexSink<'_>,
        mut builder: IndexBuilder,
        resumed_from: Option<u64>,
        mut notes: Vec<Note>,
    ) -> Result<ImportReport, ImportError> {
        let mapping = self.job.mapping;
        let mut coverage = Coverage::new(&mapping.table);
        // Every row with an outline was checked for it when it was read.
        let tables: Vec<(OutlineKind, &Source)> = (0..self.files.len() as u16)
            .map(|f| self.table(f))
            .map(|table| (table.outline_kind().unwrap_or(OutlineKind::Wall), &table.source))
            .collect();
        let first = &self.job.files[0];
        let mut rows = GroupedRows::new(sorter.sorted()?, workdir.folder())?;
        let (mut imported, mut duplicates, mut outline_rows) = (0, 0, 0);
        let mut shared_ids = (0, None);
        while let Some(first) = rows.take()? {
            let mut place = |joined: Joined| -> Result<(), ImportError> {
                let (row, counts) = match joined {
                    Joined::Row(row) => (row, 1),
                    Joined::Copy(row) => (row, 0),
                    Joined::Refused(row, reason) => {
                        let file = &self.job.files[usize::from(row.file)];
                        let name = file.file_name().unwrap_or_default().to_string_lossy();
                        let raw = row.parcel.map(|p| format!("parcel {p}")).unwrap_or_default();
                        let reason = Message::from(reason);
                        rejects.push(&name, (row.row, None), &reason, &raw)?;
                        self.count(reason);
                        return Ok(());
                    }
                };
                if counts > 0 {
                    coverage.count(&row);
                    outline_rows += u64::from(self.files[usize::from(row.file)].1 == FileRole::Outlines);
                }
                let (kind, source) = tables[usize::from(row.file)];
                if let Some(place) = parcel_groups::into_place(row, kind, source, self.layers.survey(), &mut properties)
                {
                    builder.push(place)?;
                    imported += counts;
                }
                Ok(())
            };
            let Some(second) = rows.take_of(&first.group)? else {
                place(parcel_groups::alone(first))?;
                continue;
            };
            let mut group = ParcelGroup::default();
            let id = first.group.clone();
            group.push(first, &mut place)?;
            group.push(second, &mut place)?;
            while let Some(row) = rows.take_of(&id)? {
                group.push(row, &mut place)?;
            }
            if let Some(id) = group.shared_id() {
                shared_ids.0 += 1;
                shared_ids.1.get_or_insert_with(|| id.to_owned());
            }
            duplicates += group.finish(&mut place)?;
        }
        notes.append(&mut self.state.notes);
        notes.extend(self.layers.notes(&self.state.stats).into_iter().map(Note::of_all));
        let reasons = self.state.reasons.list();
        if imported == 0 {
            let read = self.state.rows_read;
            let problem = match reasons.into_iter().next() {
                None => ImportProblem::NothingImported { read },
                Some((reason, n)) => ImportProblem::NothingImportedBecause { read, n, reason },
            };
            return Err(ImportError::input(first, problem));
        }
        let mut findings = self.state.stats.told();
        findings.extend(shared_ids.1.map(|first| shared_told(shared_ids.0, &first)));
        let summary = builder.finish()?;
        // It is live by now: what cannot be asked changes nothing.
        let index = PropertyIndex::open(&self.job.into, Reference::built_in());
        let own_rows = index.and_then(|index| sampled.ask(&index)).ok();
        findings.extend(own_rows.as_ref().and_then(OwnRows::told));
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
            version: summary.version,
            places: summary.places,
            conflicts: summary.conflicts,
            coverage: coverage.into_list(),
            outline_rows,
            points_with_outline: self.state.stats.joins.in_outline + self.state.stats.joins.near_outline,
            own_rows,
            roofs: self.roofs,
            findings,
            unread: self.state.stats.unread,
            notes: said_once(notes),
            resumed_from,
        })
    }
}

/// The sorted rows, one group after the other.
struct GroupedRows<'a> {
    sorted: Sorted,
    folder: &'a Path,
    next: Option<ImportedRow>,
}

impl<'a> GroupedRows<'a> {
    fn new(sorted: Sorted, folder: &'a Path) -> Result<Self, ImportError> {
        let mut rows = Self { sorted, folder, next: None };
        rows.take()?;
        Ok(rows)
    }

    fn take(&mut self) -> Result<Option<ImportedRow>, ImportError> {
        let next = match self.sorted.next()? {
            Some((_, row)) => {
                let damaged = |e| ImportError::read(self.folder)(io::Error::other(e));
                Some(postcard::from_bytes(row).map_err(damaged)?)
            }
            None => None,
        };
        Ok(std::mem::replace(&mut self.next, next))
    }

    /// The next row, if it is of this group.
    fn take_of(&mut self, group: &str) -> Result<Option<ImportedRow>, ImportError> {
        if self.next.as_ref().is_some_and(|next| next.group == group) { self.take() } else { Ok(None) }
    }
}
