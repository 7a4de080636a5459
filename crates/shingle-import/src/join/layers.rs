//! The layers around the rows, parcels, ZIP areas and measured roofs: read first and kept in memory while the rows are read.
//!
//! A parcel of twelve corners takes about 150 bytes (2,000 take 0.3 MB). The notes of every import state how much its
//! layers took.

use std::path::{Path, PathBuf};

use shingle_domain::Zip;
use shingle_domain::evidence::{Point, Polygon, Position, Source};
use shingle_domain::message::Message;

use shingle_domain::geometry::{edges, signed_area};
use shingle_property::geometry::LocalPlane;

use crate::error::ImportError;
use crate::format::dialect::Dialect;
use crate::format::open::open_rows;
use crate::format::server_answer::{DownloadedFile, parts_told};
use crate::format::source::{Row, Shape, Step};
use crate::geo::areas::{Areas, AreasBuilder};
use crate::geo::crs::CrsName;
use crate::geo::file_projection::{SAMPLE_SHAPES, check_most, projection_of_file, rings_to_degrees};
use crate::geo::misplaced::Misplaced;
use crate::geo::parcels::{Parcel, Parcels, ParcelsBuilder};
use crate::geo::state_boxes::may_lie_in;
use crate::join::layer_note::{LayerNote, LayerProblem};
use crate::join::meeting::Meeting;
use crate::join::surveyed::SurveyedRoofs;
use crate::mapping::file::Mapping;
use crate::mapping::formula::Cells;
use crate::mapping::roles::FileRole;
use crate::mapping::table::Draws;
use crate::mapping::zip::ZipFrom;
use crate::note::Note;
use crate::row::imported::{ImportedRow, group};
use crate::row::nearby::ZipsOfStreets;
use crate::row::parcel_id::NoId;
use crate::row::reader::RowReader;
use crate::row::reason::Reasons;
use crate::row::row_problem::RowProblem;
use crate::row::situs::{self, UNKNOWN_ZIP};
use crate::row::stats::{ImportStats, JoinStats};

/// An outline with a larger share outside its parcel reaches over the border. A smaller share is the usual difference
/// between an aerial photograph and a survey: one meter on a house of ten.
const MAX_SHARE_OUTSIDE: f64 = 0.10;
/// If so many rows have a parcel id and none is in the layer, the two files do not belong together.
const MIN_UNKNOWN_IDS: u64 = 20;

#[derive(Default)]
pub(crate) struct Layers {
    parcels: Option<Parcels>,
    zips: Option<ZipAreas>,
    /// For rows in no ZIP area.
    otherwise: Option<Zip>,
    meeting: Option<Meeting>,
    roofs: Option<SurveyedRoofs>,
}

struct ZipAreas {
    areas: Areas,
    zips: Vec<Zip>,
}

impl Layers {
    pub fn read(files: &[(PathBuf, FileRole)], mapping: &Mapping, notes: &mut Vec<Note>) -> Result<Self, ImportError> {
        let mut it = Self::default();
        it.read_parcels(files, mapping, notes)?;
        it.read_zips(files, mapping, notes)?;
        Ok(it)
    }

    fn read_parcels(
        &mut self,
        files: &[(PathBuf, FileRole)],
        mapping: &Mapping,
        notes: &mut Vec<Note>,
    ) -> Result<(), ImportError> {
        let mut builder = ParcelsBuilder::default();
        let mut downloads = Vec::new();
        let drawn = mapping.table.geometry.as_ref().filter(|g| g.draws == Draws::Parcels);
        let none = ZipsOfStreets::default();
        if let Some(layer) = &mapping.layers.parcels {
            let blank = &mapping.table.blank;
            for (path, _) in files.iter().filter(|f| f.1 == FileRole::Parcels) {
                read_polygons(path, &layer.columns, layer.crs.as_ref(), notes, &mut downloads, |row, rings| {
                    match &*layer.id.text(Cells { cells: &row.cells, blank }) {
                        "" => Err(RowProblem::NoParcelId.into()),
                        id => match NoId::of(id) {
                            Some(why) => Err(why.reason(id).into()),
                            None => Ok(builder.push(id, rings)?),
                        },
                    }
                })?;
            }
        } else if let Some(geometry) = drawn {
            let columns = &mapping.table.columns;
            let reading = RowReader::new(&mapping.table, &none);
            for (path, _) in files.iter().filter(|f| f.1 == FileRole::Rows) {
                read_polygons(path, columns, geometry.crs.as_ref(), notes, &mut downloads, |row, rings| {
                    Ok(builder.push(&reading.parcel(row)?, rings)?)
                })?;
            }
        } else {
            return Ok(());
        }
        // Where the rows draw the parcels they are read once more, and told then.
        notes.extend(parts_told(&downloads).filter(|_| drawn.is_none()).map(Note::of_all));
        let parcels = builder.finish();
        let (ids, polygons) = parcels.count();
        let megabytes = parcels.bytes() as f64 / 1e6;
        notes.push(Note::of_all(LayerNote::Parcels { ids, polygons, megabytes: format!("{megabytes:.1}") }));
        self.parcels = Some(parcels);
        Ok(())
    }

    fn read_zips(
        &mut self,
        files: &[(PathBuf, FileRole)],
        mapping: &Mapping,
        notes: &mut Vec<Note>,
    ) -> Result<(), ImportError> {
        let Some(ZipFrom::Areas(layer)) = &mapping.table.address.zip else { return Ok(()) };
        let mut builder = AreasBuilder::default();
        let mut downloads = Vec::new();
        let mut zips = Vec::new();
        for (path, _) in files.iter().filter(|f| f.1 == FileRole::ZipAreas) {
            read_polygons(path, &layer.columns, layer.crs.as_ref(), notes, &mut downloads, |row, rings| {
                let text = layer.zip.text(Cells { cells: &row.cells, blank: &mapping.table.blank });
                let zip = situs::zip(&text).ok_or_else(|| RowProblem::NotAZip { text: text.to_string() })?;
                if builder.push(rings)? as usize == zips.len() {
                    zips.push(zip);
                }
                Ok(())
            })?;
        }
        notes.extend(parts_told(&downloads).map(Note::of_all));
        let areas = builder.finish();
        let megabytes = format!("{:.1}", areas.bytes() as f64 / 1e6);
        notes.push(Note::of_all(LayerNote::ZipAreas { polygons: areas.len(), megabytes }));
        self.zips = Some(ZipAreas { areas, zips });
        self.otherwise = layer.otherwise;
        Ok(())
    }

    pub fn meet(&mut self, meeting: Meeting) {
        self.meeting = Some(meeting);
    }

    pub fn measure(&mut self, roofs: SurveyedRoofs) {
        self.roofs = Some(roofs);
    }

    /// The source of the measured roofs.
    pub fn survey(&self) -> Option<&Source> {
        self.roofs.as_ref().map(SurveyedRoofs::source)
    }

    /// Fills in what the layers know of a row: parcel, position, ZIP. The error is the reason why the row cannot be used.
    pub fn complete(&self, row: &mut ImportedRow, stats: &mut ImportStats) -> Result<(), Message> {
        if let Some(roofs) = &self.roofs {
            roofs.complete(row);
        }
        if let Some(parcels) = &self.parcels {
            self.join_parcel(parcels, row, stats);
        }
        if let Some(meeting) = self.meeting.as_ref().filter(|_| row.parcel.is_none()) {
            meeting.join(row, &mut stats.joins)?;
        }
        if row.address.is_none() && row.parcel.is_none() && row.group.is_empty() {
            let lost = self.parcels.is_some() && row.origin.is_some();
            return Err(if lost { RowProblem::OnNoParcel } else { RowProblem::NoParcel }.into());
        }
        let Some(address) = &mut row.address else { return Ok(()) };
        if let Some(at) = row.origin
            && !may_lie_in(address.state, at.longitude, at.latitude)
        {
            stats.misplaced += 1;
            return Err(Misplaced::OtherState.into());
        }
        if let Some(layer) = &self.zips
            && address.zip.as_str() == UNKNOWN_ZIP
        {
            let found = row.origin.and_then(|at| layer.areas.at(at)).and_then(|n| layer.zips.get(n as usize));
            stats.joins.zips += u64::from(found.is_some());
            if let Some(zip) = found.copied().or(self.otherwise) {
                address.zip = zip;
            }
            if row.group.starts_with('a') {
                row.group = group(None, row.address.as_ref());
            }
        }
        Ok(())
    }

    fn join_parcel(&self, parcels: &Parcels, row: &mut ImportedRow, stats: &mut ImportStats) {
        let joins = &mut stats.joins;
        let by_id = row.parcel.as_deref().and_then(|id| parcels.of_id(id));
        if let Some(id) = &row.parcel {
            joins.ids += 1;
            joins.known += u64::from(by_id.is_some());
            if by_id.is_none() && joins.unknown_id.is_none() {
                joins.unknown_id = Some(id.chars().take(40).collect());
            }
        }
        let middle = || Some(middle(&row.plan, row.origin?));
        let by_place = || -> Option<Parcel> { parcels.at(middle()?) };
        let Some(parcel) = by_id.or_else(by_place) else { return };
        joins.by_place += u64::from(by_id.is_none());
        row.group = format!("p{}", parcels.name(parcel));
        if row.parcel.is_none() {
            row.parcel = Some(parcels.name(parcel).to_owned());
        }
        match row.origin {
            None => {
                row.origin = parcels.inside(parcel);
                joins.placed += 1;
                // Its position can now be as wrong as that of a shape.
                stats.shapes += 1;
            }
            Some(origin) if !row.plan.is_empty() => {
                row.spans_parcels = parcels.share(parcel, &row.plan, origin) < 1.0 - MAX_SHARE_OUTSIDE;
                joins.spanning += u64::from(row.spans_parcels);
                row.lot = parcels.border(parcel, origin);
            }
            Some(_) => {}
        }
    }

    /// After a file of rows: if the layer knows none of the ids, the mapping is wrong.
    pub fn check_join(&self, path: &Path, joins: &JoinStats) -> Result<(), ImportError> {
        let Some(parcels) = &self.parcels else { return Ok(()) };
        if joins.known > 0 || joins.ids < MIN_UNKNOWN_IDS {
            return Ok(());
        }
        let ours = joins.unknown_id.as_deref().unwrap_or_default();
        let theirs = parcels.example().unwrap_or_default();
        let (ours, theirs) = (ours.to_owned(), theirs.to_owned());
        Err(ImportError::input(path, LayerProblem::UnknownIds { ids: joins.ids, ours, theirs }))
    }

    pub fn notes(&self, stats: &ImportStats) -> Vec<LayerNote> {
        let joins = &stats.joins;
        let mut notes = Vec::new();
        if self.parcels.is_some() {
            if joins.ids > 0 {
                let (known, ids) = (joins.known, joins.ids);
                notes.push(match joins.unknown_id.clone() {
                    Some(other) => LayerNote::SomeIdsKnown { known, ids, other },
                    None => LayerNote::IdsKnown { known, ids },
                });
            }
            let &JoinStats { placed, by_place, spanning, .. } = joins;
            notes.push(LayerNote::Placed { placed, by_place, spanning });
        }
        if let Some(meeting) = &self.meeting {
            notes.push(meeting.notes(joins));
        }
        if self.zips.is_some() {
            notes.push(LayerNote::Zips { rows: joins.zips });
        }
        if stats.towns_of_zips > 0 {
            notes.push(LayerNote::Towns { rows: stats.towns_of_zips });
        }
        if stats.repaired > 0 {
            notes.push(LayerNote::Repaired { outlines: stats.repaired });
        }
        if stats.stray_holes > 0 {
            notes.push(LayerNote::StrayHoles { n: stats.stray_holes });
        }
        notes
    }
}

/// The centroid of an outline, or the point itself.
fn middle(plan: &[Polygon], origin: Position) -> Position {
    let (mut x, mut y, mut total) = (0.0, 0.0, 0.0);
    for ring in plan.iter().flat_map(|p| std::iter::once(&p.exterior).chain(&p.holes)) {
        // Holes wind the other way, so their area is subtracted.
        total += signed_area(ring);
        for (a, b) in edges(ring) {
            let cross = a.x * b.y - b.x * a.y;
            x += (a.x + b.x) * cross / 6.0;
            y += (a.y + b.y) * cross / 6.0;
        }
    }
    if total <= 0.0 { origin } else { LocalPlane::at(origin).position(Point { x: x / total, y: y / total }) }
}

/// Reasons that a note lists.
const REASONS_TOLD: usize = 5;

/// Reads every polygon of a layer's file, in degrees. A note counts those that cannot be used. The file is refused when
/// none can be used, or most lie outside the country.
fn read_polygons(
    path: &Path,
    columns: &[String],
    crs: Option<&CrsName>,
    notes: &mut Vec<Note>,
    downloads: &mut Vec<DownloadedFile>,
    mut take: impl FnMut(&Row, &Vec<Vec<(f64, f64)>>) -> Result<(), Message>,
) -> Result<(), ImportError> {
    let mut file = open_rows(path, columns, &Dialect::default())?;
    let projection = projection_of_file(crs, file.declared(), path, notes);
    let projection = projection.map_err(|problem| ImportError::input(path, problem))?;
    let mut row = Row::default();
    let (mut read, mut shapes, mut misplaced, mut taken) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut reasons = Reasons::default();
    loop {
        let step = file.next_row(&mut row)?;
        if matches!(step, Step::End) {
            break;
        }
        read += 1;
        let used = match (step, std::mem::take(&mut row.shape)) {
            (Step::Bad(reason), _) => Err(reason.into()),
            (_, Shape::Rings(mut rings)) => {
                shapes += 1;
                match rings_to_degrees(&projection, &mut rings) {
                    Err(elsewhere) => {
                        misplaced += 1;
                        Err(elsewhere.into())
                    }
                    Ok(()) => take(&row, &rings),
                }
            }
            (_, Shape::Point(..)) => Err(RowProblem::PointNotPolygon.into()),
            (_, Shape::None) => Err(RowProblem::NothingDrawn.into()),
        };
        match used {
            Ok(()) => taken += 1,
            Err(reason) => reasons.count(reason),
        }
        if shapes == SAMPLE_SHAPES {
            check_most(path, (misplaced, shapes), |reason| reasons.rows(&reason))?;
        }
    }
    check_most(path, (misplaced, shapes), |reason| reasons.rows(&reason))?;
    downloads.push(DownloadedFile::new(
        path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        read,
        file.paging(),
    ));
    let unseen = if read > 0 { file.unseen() } else { Vec::new() };
    if taken == 0 {
        let lacks = unseen.into_iter().next().map(|c| LayerProblem::MissingColumn { c }.into());
        let why = lacks.or_else(|| reasons.counted(1)).unwrap_or_else(|| LayerProblem::Empty.into());
        return Err(ImportError::input(path, LayerProblem::NothingUsable { read, why }));
    }
    if let Some(list) = reasons.counted(REASONS_TOLD) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        notes.push(Note::of(name, LayerNote::LeftOut { left_out: read - taken, read, list }));
    }
    Ok(())
}
