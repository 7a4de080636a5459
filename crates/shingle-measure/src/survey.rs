//! Many roofs from many files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::batch::{Batch, Enough, MOST_OUTLINES};
use crate::crs::{FileCrs, Projection};
use crate::error::MeasureError;
use crate::las::Ended;
use crate::outline::{Outline, Outlines};
use crate::place::{Placed, Way};
use crate::roof::{Measured, Unmeasured, measure};
use crate::seek::outlines_of;
use crate::tiles::{FileFacts, FileReport, Tile, all_bounds, groups};

/// More points a square meter than this do not measure better.
const ENOUGH: Enough = Enough { dense: 40.0, most: 60_000.0 };

#[derive(Debug)]
pub struct Roof {
    pub id: String,
    pub result: Result<Measured, Unmeasured>,
    /// Where no outline was given: the one that was traced from the points.
    pub traced: Option<Traced>,
}

/// An outline traced from the points. It does not repeat its first corner.
#[derive(Debug, Clone, PartialEq)]
pub struct Traced {
    /// In the coordinates of the file.
    pub ring: Vec<(f64, f64)>,
    /// Longitude and latitude, where the file says where it is.
    pub degrees: Option<Vec<(f64, f64)>>,
}

#[derive(Debug)]
pub struct Report {
    /// In the order of the outlines; traced roofs from north to south.
    pub roofs: Vec<Roof>,
    pub files: Vec<FileReport>,
}

/// What was read of each file.
type Facts = BTreeMap<PathBuf, Result<FileFacts, MeasureError>>;

/// Measures every outline from the points of all files. A file that cannot be read is reported and left out.
pub fn measure_files(paths: &[PathBuf], outlines: &Outlines) -> Result<Report, MeasureError> {
    let mut facts = Facts::new();
    let tiles = open_all(paths, &mut facts);
    let mut results: Vec<Result<Measured, Unmeasured>> = Vec::new();
    results.resize_with(outlines.outlines.len(), || Err(Unmeasured::NoPoints));
    let mut first_error = None;
    let mut is_any_read = false;
    for (crs, group) in groups(tiles) {
        let name = group.first().map(|t| t.path.display().to_string()).unwrap_or_default();
        let way = Way::choose(outlines, &crs, all_bounds(&group), &name);
        let measured = way.and_then(|way| {
            let group = Group { tiles: &group, crs: &crs, projection: crs.projection()?, way };
            group.measure(&outlines.outlines, &mut results, &mut facts);
            Ok(())
        });
        match measured {
            Ok(()) => is_any_read = true,
            Err(e) => {
                // Files that cannot be brought together with the outlines are left out as those that cannot be read.
                for tile in &group {
                    facts.insert(tile.path.clone(), Err(MeasureError::Crs(e.to_string())));
                }
                first_error.get_or_insert(e);
            }
        }
    }
    if let Some(e) = first_error
        && !is_any_read
    {
        return Err(e);
    }
    check_units(results.iter().filter_map(|r| r.as_ref().ok()))?;
    let named = outlines.outlines.iter().zip(results);
    let roofs = named.map(|(o, result)| Roof { id: o.id.clone(), result, traced: None }).collect();
    Ok(Report { roofs, files: reports(facts) })
}

/// Finds the roofs in the points, traces their outlines, and measures them.
pub fn measure_found(paths: &[PathBuf]) -> Result<Report, MeasureError> {
    let mut facts = Facts::new();
    let tiles = open_all(paths, &mut facts);
    let mut found: Vec<(Measured, Traced)> = Vec::new();
    for (crs, group) in groups(tiles) {
        let projection = crs.projection()?;
        let outlines: Vec<Outline> = outlines_of(&group, &crs, &projection)
            .into_iter()
            .map(|ring| Outline { id: String::new(), parts: vec![vec![ring]] })
            .collect();
        let mut results: Vec<Result<Measured, Unmeasured>> = Vec::new();
        results.resize_with(outlines.len(), || Err(Unmeasured::NoPoints));
        let group = Group { tiles: &group, crs: &crs, projection, way: Way::Same { factor: 1.0 } };
        group.measure(&outlines, &mut results, &mut facts);
        for (outline, result) in outlines.into_iter().zip(results) {
            // Nobody asked for it by name, and what is not made of planes is no roof.
            let (Ok(measured), Some(ring)) = (result, outline.parts.into_iter().flatten().next()) else { continue };
            let degrees = ring.iter().map(|(x, y)| group.projection.degrees(*x, *y)).collect();
            found.push((measured, Traced { ring, degrees }));
        }
    }
    check_units(found.iter().map(|(measured, _)| measured))?;
    let roof = |(number, (measured, traced)): (usize, (Measured, Traced))| Roof {
        id: number.to_string(),
        result: Ok(measured),
        traced: Some(traced),
    };
    Ok(Report { roofs: (1..).zip(found).map(roof).collect(), files: reports(facts) })
}

fn open_all(paths: &[PathBuf], facts: &mut Facts) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths.iter().filter(|path| seen.insert(*path)) {
        match Tile::open(path) {
            Ok(tile) => {
                let read = FileFacts { points: 0, format: tile.format, ended: Ended::Whole, measured: None };
                facts.insert(path.clone(), Ok(read));
                tiles.push(tile);
            }
            Err(e) => {
                facts.insert(path.clone(), Err(e));
            }
        }
    }
    tiles
}

fn reports(facts: Facts) -> Vec<FileReport> {
    facts.into_iter().map(|(path, result)| FileReport { path, result }).collect()
}

/// Files of one coordinate system, and how outlines come to them.
struct Group<'a> {
    tiles: &'a [Tile],
    crs: &'a FileCrs,
    projection: Projection,
    way: Way,
}

impl Group<'_> {
    /// A result takes the place of one from fewer points.
    fn measure(&self, outlines: &[Outline], results: &mut [Result<Measured, Unmeasured>], facts: &mut Facts) {
        let mut waiting = Vec::new();
        for (index, outline) in outlines.iter().enumerate() {
            match Placed::new(outline, &self.way, &self.projection) {
                Some(placed) if placed.shape.is_too_large() => results[index] = Err(Unmeasured::TooLarge),
                Some(placed) => waiting.push((index, placed)),
                None => results[index] = Err(Unmeasured::BadOutline),
            }
        }
        // Neighbors together, so that a batch needs few files. The order is turned round: batches are taken from the end.
        let width = 500.0 / self.crs.meters();
        let square = |placed: &Placed| ((placed.min[0] / width).floor(), (placed.min[1] / width).floor());
        waiting.sort_by(|(i, a), (j, b)| {
            let (a, b) = (square(a), square(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(j.cmp(i))
        });
        while !waiting.is_empty() {
            let batch = waiting.split_off(waiting.len().saturating_sub(MOST_OUTLINES));
            let mut batch = Batch::new(batch, self.crs, ENOUGH);
            for tile in self.tiles {
                if batch.may_need(tile) {
                    let result = batch.read(tile, &mut waiting);
                    facts.insert(tile.path.clone(), result);
                }
            }
            for (index, placed, points) in batch.filled() {
                let result = measure(&placed.shape, points);
                let is_better = match (&results[index], &result) {
                    (Err(_), Ok(_)) => true,
                    // Points that say why count more than none.
                    (Err(old), Err(new)) => *old == Unmeasured::NoPoints || *new != Unmeasured::NoPoints,
                    (Ok(old), Ok(new)) => new.density > old.density,
                    (Ok(_), Err(_)) => false,
                };
                if is_better {
                    results[index] = result;
                }
            }
        }
    }
}

/// Houses are a few stories high. Where all of them are towers with roofs as steep as walls, one unit is wrong.
fn check_units<'a>(measured: impl Iterator<Item = &'a Measured>) -> Result<(), MeasureError> {
    let (mut heights, mut pitches) = (Vec::new(), Vec::new());
    for m in measured {
        heights.extend(m.height);
        pitches.push(m.pitch_degrees);
    }
    if heights.len() < 3 {
        return Ok(());
    }
    heights.sort_unstable_by(f64::total_cmp);
    pitches.sort_unstable_by(f64::total_cmp);
    let (height, pitch) = (heights[heights.len() / 2], pitches[pitches.len() / 2]);
    if height > 12.0 && pitch > 48.0 {
        return Err(MeasureError::Units { height, pitch });
    }
    Ok(())
}
