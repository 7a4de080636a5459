//! What lies around the rows: parcels and ZIP areas, read first and kept in memory while the rows are read.
//!
//! Memory: about 150 bytes for a parcel of twelve corners by count of what is held (2,000 take 0.3 MB); the notes
//! of every import say how much its own took.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shingle_domain::Zip;
use shingle_domain::evidence::{Point, Polygon, Position};

use crate::format::dialect::Dialect;
use crate::format::source::{self, Row, Shape, Step, input};
use crate::geo::areas::{Areas, AreasBuilder};
use crate::geo::parcels::{Parcel, Parcels, ParcelsBuilder};
use crate::geo::projection::{Misplaced, Projection, check_most};
use crate::geo::state_boxes::may_lie_in;
use crate::mapping::file::{CrsName, Mapping, ZipFrom};
use crate::mapping::formula::Cells;
use crate::mapping::layers::{Draws, Role};
use crate::row::nearby::ZipsOfStreets;
use crate::row::reader::{Gathered, Reading, Tally, group};
use crate::row::situs::{self, UNKNOWN_ZIP};
use crate::run::import::{SAMPLE, kind_of};
use shingle_property::PropertyError;
use shingle_property::geometry::{LocalPlane, signed_area};

/// An outline with a larger share outside its parcel reaches over the border. Less is the usual disagreement
/// between an aerial photograph and a survey: a metre on a house of ten.
const MOST_OUTSIDE: f64 = 0.10;
/// Rows with parcel ids of which none is in the layer: the two files do not belong together.
const STRANGERS: u64 = 20;

#[derive(Default)]
pub(crate) struct Surroundings {
    parcels: Option<Parcels>,
    zips: Option<ZipAreas>,
    /// For rows in no ZIP area.
    otherwise: Option<Zip>,
}

struct ZipAreas {
    areas: Areas,
    zips: Vec<Zip>,
}

/// How rows and layers met.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Met {
    /// Rows with a parcel id, and how many of the ids are in the layer.
    pub ids: u64,
    pub known: u64,
    pub stranger: Option<String>,
    /// Rows that took their parcel from their place, their place from their parcel, their ZIP from its area.
    pub by_place: u64,
    pub placed: u64,
    pub zips: u64,
    pub spanning: u64,
}

impl Surroundings {
    pub fn read(files: &[(PathBuf, Role)], mapping: &Mapping, notes: &mut Vec<String>) -> Result<Self, PropertyError> {
        let mut it = Self::default();
        it.read_parcels(files, mapping, notes)?;
        it.read_zips(files, mapping, notes)?;
        Ok(it)
    }

    fn read_parcels(
        &mut self,
        files: &[(PathBuf, Role)],
        mapping: &Mapping,
        notes: &mut Vec<String>,
    ) -> Result<(), PropertyError> {
        let mut builder = ParcelsBuilder::default();
        let drawn = mapping.geometry.as_ref().filter(|g| g.draws == Draws::Parcels);
        let none = ZipsOfStreets::default();
        if let Some(layer) = &mapping.layers.parcels {
            let blank = &mapping.blank;
            for (path, _) in files.iter().filter(|f| f.1 == Role::Parcels) {
                read_polygons(path, &layer.columns, layer.crs.as_ref(), notes, |row, rings| {
                    match &*layer.id.text(Cells { cells: &row.cells, blank }) {
                        "" => Err("no parcel id".to_owned()),
                        id => builder.push(id, rings),
                    }
                })?;
            }
        } else if let Some(geometry) = drawn {
            let columns = mapping.columns();
            let reading = Reading::new(mapping, &none);
            for (path, _) in files.iter().filter(|f| f.1 == Role::Rows) {
                read_polygons(path, &columns, geometry.crs.as_ref(), notes, |row, rings| match reading.parcel(row) {
                    None => Err("no parcel id".to_owned()),
                    Some(id) => builder.push(&id, rings),
                })?;
            }
        } else {
            return Ok(());
        }
        let parcels = builder.finish();
        let (ids, polygons) = parcels.count();
        let megabytes = parcels.bytes() as f64 / 1e6;
        notes.push(format!("parcels: {ids} ids on {polygons} polygons, {megabytes:.1} MB in memory"));
        self.parcels = Some(parcels);
        Ok(())
    }

    fn read_zips(
        &mut self,
        files: &[(PathBuf, Role)],
        mapping: &Mapping,
        notes: &mut Vec<String>,
    ) -> Result<(), PropertyError> {
        let Some(ZipFrom::Areas(layer)) = &mapping.address.zip else { return Ok(()) };
        let mut builder = AreasBuilder::default();
        let mut zips = Vec::new();
        for (path, _) in files.iter().filter(|f| f.1 == Role::ZipAreas) {
            read_polygons(path, &layer.columns, layer.crs.as_ref(), notes, |row, rings| {
                let text = layer.zip.text(Cells { cells: &row.cells, blank: &mapping.blank });
                let zip = situs::zip(&text).ok_or_else(|| format!("`{text}` is not a ZIP"))?;
                if builder.push(rings)? as usize == zips.len() {
                    zips.push(zip);
                }
                Ok(())
            })?;
        }
        let areas = builder.finish();
        notes.push(format!("ZIP areas: {} polygons, {:.1} MB in memory", areas.len(), areas.bytes() as f64 / 1e6));
        self.zips = Some(ZipAreas { areas, zips });
        self.otherwise = layer.otherwise;
        Ok(())
    }

    /// Gives a row what its surroundings know of it: parcel, place, ZIP. The reason why it cannot be used, else.
    pub fn settle(&self, row: &mut Gathered, tally: &mut Tally) -> Result<(), String> {
        if let Some(parcels) = &self.parcels {
            self.ground(parcels, row, tally);
        }
        if row.address.is_none() && row.parcel.is_none() {
            let lost = self.parcels.is_some() && row.origin.is_some();
            let reason = if lost {
                "no address, and its middle is on no parcel"
            } else {
                "no address, and no parcel to find one by"
            };
            return Err(reason.to_owned());
        }
        let Some(address) = &mut row.address else { return Ok(()) };
        if let Some(at) = row.origin
            && !may_lie_in(address.state, at.longitude, at.latitude)
        {
            tally.misplaced += 1;
            return Err(Misplaced::OtherState.reason().to_owned());
        }
        if let Some(layer) = &self.zips
            && address.zip.as_str() == UNKNOWN_ZIP
        {
            let found = row.origin.and_then(|at| layer.areas.at(at)).and_then(|n| layer.zips.get(n as usize));
            tally.layers.zips += u64::from(found.is_some());
            if let Some(zip) = found.copied().or(self.otherwise) {
                address.zip = zip;
            }
            if row.group.starts_with('a') {
                row.group = group(None, row.address.as_ref());
            }
        }
        Ok(())
    }

    fn ground(&self, parcels: &Parcels, row: &mut Gathered, tally: &mut Tally) {
        let met = &mut tally.layers;
        let by_id = row.parcel.as_deref().and_then(|id| parcels.of_id(id));
        if let Some(id) = &row.parcel {
            met.ids += 1;
            met.known += u64::from(by_id.is_some());
            if by_id.is_none() && met.stranger.is_none() {
                met.stranger = Some(id.chars().take(40).collect());
            }
        }
        let middle = || Some(middle(&row.plan, row.origin?));
        let by_place = || -> Option<Parcel> { parcels.at(middle()?) };
        let Some(parcel) = by_id.or_else(by_place) else { return };
        met.by_place += u64::from(by_id.is_none());
        row.group = format!("p{}", parcels.name(parcel));
        if row.parcel.is_none() {
            row.parcel = Some(parcels.name(parcel).to_owned());
        }
        match row.origin {
            None => {
                row.origin = parcels.inside(parcel);
                met.placed += 1;
                // Its place can now be as wrong as a shape's.
                tally.shapes += 1;
            }
            Some(origin) if !row.plan.is_empty() => {
                row.spans_parcels = parcels.share(parcel, &row.plan, origin) < 1.0 - MOST_OUTSIDE;
                met.spanning += u64::from(row.spans_parcels);
            }
            Some(_) => {}
        }
    }

    /// After a file of rows: ids that are all unknown to the layer are a mapping that does not fit.
    pub fn check_join(&self, path: &Path, met: &Met) -> Result<(), PropertyError> {
        let Some(parcels) = &self.parcels else { return Ok(()) };
        if met.known > 0 || met.ids < STRANGERS {
            return Ok(());
        }
        let ours = met.stranger.as_deref().unwrap_or_default();
        let theirs = parcels.example().unwrap_or_default();
        Err(input(
            path,
            format!(
                "none of {} parcel ids is in the parcel layer: here one is `{ours}`, there `{theirs}`. Name the \
                 columns that hold the same ids, or compute one from the other. Nothing was imported",
                met.ids
            ),
        ))
    }

    pub fn notes(&self, tally: &Tally) -> Vec<String> {
        let met = &tally.layers;
        let mut notes = Vec::new();
        if self.parcels.is_some() {
            if met.ids > 0 {
                let example = met.stranger.as_ref().map(|s| format!("; `{s}` is not")).unwrap_or_default();
                notes.push(format!("{} of {} rows' parcel ids are in the parcel layer{example}", met.known, met.ids));
            }
            notes.push(format!(
                "{} rows took their place from their parcel, {} their parcel from their place; {} outlines reach over \
                 their parcel's border",
                met.placed, met.by_place, met.spanning
            ));
        }
        if self.zips.is_some() {
            notes.push(format!("{} rows took their ZIP from its area", met.zips));
        }
        if tally.mended > 0 {
            notes.push(format!("{} outlines crossed themselves by a hair and were mended", tally.mended));
        }
        if tally.stray_holes > 0 {
            let n = tally.stray_holes;
            notes.push(format!(
                "{n} outlines have a hole that lies outside them; it was read as a part of the building"
            ));
        }
        notes
    }
}

/// The middle of gravity of a plan, or the point itself.
fn middle(plan: &[Polygon], origin: Position) -> Position {
    let (mut x, mut y, mut total) = (0.0, 0.0, 0.0);
    for ring in plan.iter().flat_map(|p| std::iter::once(&p.exterior).chain(&p.holes)) {
        // Holes wind the other way, and so take away.
        total += signed_area(ring);
        for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            let cross = a.x * b.y - b.x * a.y;
            x += (a.x + b.x) * cross / 6.0;
            y += (a.y + b.y) * cross / 6.0;
        }
    }
    if total <= 0.0 { origin } else { LocalPlane::at(origin).position(Point { x: x / total, y: y / total }) }
}

/// Every polygon of a layer's file, in degrees. What cannot be used is counted in a note; when nothing can,
/// or most lies elsewhere, the file is refused.
fn read_polygons(
    path: &Path,
    columns: &[String],
    crs: Option<&CrsName>,
    notes: &mut Vec<String>,
    mut take: impl FnMut(&Row, &Vec<Vec<(f64, f64)>>) -> Result<(), String>,
) -> Result<(), PropertyError> {
    let mut file = source::open_as(path, columns, &Dialect::default())?;
    let projection = Projection::of_file(crs, file.declared(), path, notes)?;
    let mut row = Row::default();
    let (mut read, mut shapes, mut misplaced, mut taken) = (0_u64, 0_u64, 0_u64, 0_u64);
    let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
    loop {
        let step = file.next_row(&mut row)?;
        if matches!(step, Step::End) {
            break;
        }
        read += 1;
        let used = match (step, std::mem::take(&mut row.shape)) {
            (Step::Bad(reason), _) => Err(reason),
            (_, Shape::Rings(mut rings)) => {
                shapes += 1;
                match projection.place(&mut rings) {
                    Err(elsewhere) => {
                        misplaced += 1;
                        Err(elsewhere.reason().to_owned())
                    }
                    Ok(()) => take(&row, &rings),
                }
            }
            (_, Shape::Point(..)) => Err("a point, not a polygon".to_owned()),
            (_, Shape::None) => Err("nothing is drawn".to_owned()),
        };
        match used {
            Ok(()) => taken += 1,
            Err(reason) => *reasons.entry(kind_of(&reason)).or_default() += 1,
        }
        if shapes == SAMPLE {
            check_most(path, (misplaced, shapes), |r| reasons.get(r).copied().unwrap_or_default())?;
        }
    }
    check_most(path, (misplaced, shapes), |r| reasons.get(r).copied().unwrap_or_default())?;
    let unseen = if read > 0 { file.unseen() } else { Vec::new() };
    let mut sorted: Vec<(&String, &u64)> = reasons.iter().collect();
    sorted.sort_by_key(|(_, n)| std::cmp::Reverse(**n));
    let list: Vec<String> = sorted.iter().take(5).map(|(reason, n)| format!("{n}: {reason}")).collect();
    if taken == 0 {
        let lacks = unseen.first().map(|c| format!("no feature has `{c}`"));
        let why = lacks.or_else(|| list.first().cloned()).unwrap_or_else(|| "it has none".to_owned());
        return Err(input(path, format!("no polygon of {read} could be used; {why}. Nothing was imported")));
    }
    if !list.is_empty() {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        notes.push(format!("{name}: {} of {read} polygons left out ({})", read - taken, list.join("; ")));
    }
    Ok(())
}
