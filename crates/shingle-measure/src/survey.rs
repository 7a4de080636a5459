//! Many roofs from many files.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

use crate::batch::{Batch, Enough, MOST_OUTLINES};
use crate::crs::{FileCrs, Projection, StatedCrs};
use crate::error::MeasureError;
use crate::las::Ended;
use crate::on_earth::OnEarth;
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
    let mut results = nothing(outlines.outlines.len());
    let files = measure_each(paths, outlines, None, &mut |index, result, _| {
        results[index] = result;
        ControlFlow::Continue(())
    })?;
    let named = outlines.outlines.iter().zip(results);
    let roofs = named.map(|(o, result)| Roof { id: o.id.clone(), result, traced: None }).collect();
    Ok(Report { roofs, files })
}

fn nothing(outlines: usize) -> Vec<Result<Measured, Unmeasured>> {
    let mut results = Vec::new();
    results.resize_with(outlines, || Err(Unmeasured::NoPoints));
    results
}

/// What is done with each roof: the number of its outline, what was measured, and where on the Earth its meters are. Of
/// one outline the last counts. The whole may be ended.
pub type TakeRoof<'a> = dyn FnMut(usize, Result<Measured, Unmeasured>, Option<OnEarth>) -> ControlFlow<()> + 'a;

/// As [`measure_files`], in memory that does not grow with what is measured: every outline is handed to `take`, at least
/// once. `stated` stands in place of what the files say of their coordinates.
pub fn measure_each(
    paths: &[PathBuf],
    outlines: &Outlines,
    stated: Option<&StatedCrs>,
    take: &mut TakeRoof<'_>,
) -> Result<Vec<FileReport>, MeasureError> {
    let mut facts = Facts::new();
    let tiles = open_all(paths, stated, &mut facts);
    let mut taken = Taken::new(outlines.outlines.len(), take);
    let mut first_error = None;
    let mut is_any_read = false;
    for (crs, group) in groups(tiles) {
        let name = group.first().map(|t| t.path.display().to_string()).unwrap_or_default();
        let way = Way::choose(outlines, &crs, all_bounds(&group), &name);
        let measured = way.and_then(|way| {
            let projection = crs.projection()?;
            if all_bounds(&group).is_some_and(|bounds| way.is_swapped(&outlines.outlines, &projection, bounds)) {
                return Err(MeasureError::Swapped(name));
            }
            let group = Group { tiles: &group, crs: &crs, projection, way };
            group.measure(&outlines.outlines, &mut taken, &mut facts);
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
        if taken.is_over {
            break;
        }
    }
    if let Some(e) = first_error
        && !is_any_read
    {
        return Err(e);
    }
    taken.rest();
    taken.units.check()?;
    Ok(reports(facts))
}

/// What was handed on.
struct Taken<'t, 'f> {
    /// Of each outline, what it has so far; `None` where nothing was said of it.
    best: Vec<Option<Best>>,
    units: Units,
    take: &'t mut TakeRoof<'f>,
    is_over: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Best {
    NoPoints,
    /// Points that say why count more than none.
    Unmeasured,
    /// Points a square meter.
    Measured(f64),
}

impl<'t, 'f> Taken<'t, 'f> {
    fn new(outlines: usize, take: &'t mut TakeRoof<'f>) -> Self {
        Self { best: vec![None; outlines], units: Units::default(), take, is_over: false }
    }

    /// Takes the place of what came from fewer points.
    fn offer(&mut self, index: usize, result: Result<Measured, Unmeasured>, on_earth: Option<OnEarth>) {
        let offered = match &result {
            Ok(measured) => Best::Measured(measured.density),
            Err(Unmeasured::NoPoints) => Best::NoPoints,
            Err(_) => Best::Unmeasured,
        };
        let is_better = self.best[index].is_none_or(|best| offered > best);
        if !is_better || self.is_over {
            return;
        }
        self.best[index] = Some(offered);
        if let Ok(measured) = &result {
            self.units.note(measured);
        }
        self.is_over = (self.take)(index, result, on_earth).is_break();
    }

    /// Outlines that no group of files came to.
    fn rest(&mut self) {
        for index in 0..self.best.len() {
            if self.best[index].is_none() {
                self.offer(index, Err(Unmeasured::NoPoints), None);
            }
        }
    }
}

/// Finds the roofs in the points, traces their outlines, and measures them.
pub fn measure_found(paths: &[PathBuf]) -> Result<Report, MeasureError> {
    let mut facts = Facts::new();
    let tiles = open_all(paths, None, &mut facts);
    let mut units = Units::default();
    let mut found: Vec<(Measured, Traced)> = Vec::new();
    for (crs, group) in groups(tiles) {
        let projection = crs.projection()?;
        let outlines: Vec<Outline> = outlines_of(&group, &crs, &projection)
            .into_iter()
            .map(|ring| Outline { id: String::new(), parts: vec![vec![ring]] })
            .collect();
        let mut results = nothing(outlines.len());
        let group = Group { tiles: &group, crs: &crs, projection, way: Way::Same { factor: 1.0 } };
        let mut take = |index: usize, result, _| {
            results[index] = result;
            ControlFlow::Continue(())
        };
        group.measure(&outlines, &mut Taken::new(outlines.len(), &mut take), &mut facts);
        for (outline, result) in outlines.into_iter().zip(results) {
            // Nobody asked for it by name, and what is not made of planes is no roof.
            let (Ok(measured), Some(ring)) = (result, outline.parts.into_iter().flatten().next()) else { continue };
            units.note(&measured);
            let degrees = ring.iter().map(|(x, y)| group.projection.degrees(*x, *y)).collect();
            found.push((measured, Traced { ring, degrees }));
        }
    }
    units.check()?;
    let roof = |(number, (measured, traced)): (usize, (Measured, Traced))| Roof {
        id: number.to_string(),
        result: Ok(measured),
        traced: Some(traced),
    };
    Ok(Report { roofs: (1..).zip(found).map(roof).collect(), files: reports(facts) })
}

fn open_all(paths: &[PathBuf], stated: Option<&StatedCrs>, facts: &mut Facts) -> Vec<Tile> {
    let mut tiles = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths.iter().filter(|path| seen.insert(*path)) {
        match Tile::open(path, stated) {
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

/// What a batch of outlines learned of a file, beside what earlier ones did.
fn note(facts: &mut Facts, tile: &Tile, read: Result<FileFacts, MeasureError>) {
    match (facts.get_mut(&tile.path), read) {
        (Some(Ok(known)), Ok(read)) => known.add(read),
        // What was read once was good.
        (Some(Ok(known)), Err(_)) if known.points > 0 => {}
        (_, read) => drop(facts.insert(tile.path.clone(), read)),
    }
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
    fn measure(&self, outlines: &[Outline], taken: &mut Taken<'_, '_>, facts: &mut Facts) {
        let mut waiting = Vec::new();
        for (index, outline) in outlines.iter().enumerate() {
            match Placed::new(outline, &self.way, &self.projection) {
                Some(placed) if placed.shape.is_too_large() => {
                    taken.offer(index, Err(Unmeasured::TooLarge), None);
                }
                Some(placed) => waiting.push((index, placed)),
                None => taken.offer(index, Err(Unmeasured::BadOutline), None),
            }
        }
        // Neighbors together, so that a batch needs few files. The order is turned round: batches are taken from the end.
        let width = 500.0 / self.crs.meters();
        let square = |placed: &Placed| ((placed.min[0] / width).floor(), (placed.min[1] / width).floor());
        waiting.sort_by(|(i, a), (j, b)| {
            let (a, b) = (square(a), square(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(j.cmp(i))
        });
        while !waiting.is_empty() && !taken.is_over {
            let batch = waiting.split_off(waiting.len().saturating_sub(MOST_OUTLINES));
            let mut batch = Batch::new(batch, self.crs, ENOUGH);
            for tile in self.tiles {
                if batch.may_need(tile) {
                    let result = batch.read(tile, &mut waiting);
                    note(facts, tile, result);
                }
            }
            for (index, placed, points) in batch.filled() {
                if taken.is_over {
                    break;
                }
                let result = measure(&placed.shape, points);
                taken.offer(index, result, placed.on_earth);
            }
        }
    }
}

/// Houses are a few stories high. Where all of them are towers with roofs as steep as walls, one unit is wrong.
#[derive(Default)]
struct Units {
    heights: Vec<f32>,
    pitches: Vec<f32>,
}

impl Units {
    #[allow(clippy::cast_possible_truncation, reason = "the middle of many is compared with a round number")]
    fn note(&mut self, measured: &Measured) {
        self.heights.extend(measured.height.map(|height| height as f32));
        self.pitches.push(measured.pitch_degrees as f32);
    }

    fn check(mut self) -> Result<(), MeasureError> {
        if self.heights.len() < 3 {
            return Ok(());
        }
        self.heights.sort_unstable_by(f32::total_cmp);
        self.pitches.sort_unstable_by(f32::total_cmp);
        let height = f64::from(self.heights[self.heights.len() / 2]);
        let pitch = f64::from(self.pitches[self.pitches.len() / 2]);
        if height > 12.0 && pitch > 48.0 {
            return Err(MeasureError::Units { height, pitch });
        }
        Ok(())
    }
}
