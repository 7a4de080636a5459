//! The towns of an index, with a rough map of them: it shows what is imported. It costs a pass over the house
//! numbers and the map cells of a state, so it is done once for each version of the index.
//!
//! # Decision
//!
//! The map of towns comes from the index: homes of up to 60 streets give a town's position, map cells show where
//! people live. Turned down: town outlines, which no source provides; tiles of a third party.

use std::collections::{BTreeMap, HashMap};

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::{Point, Position};
use shingle_domain::{Address, State};

use super::map_cell::MapSpot;
use super::reader::Reader;
use super::summary::{Imported, IndexStatus, Town, TownsOfState};
use crate::error::PropertyError;
use crate::geometry::LocalPlane;

/// Towns whose homes are looked at, the largest: the others are counted only.
const MAX_MAPPED: usize = 300;
/// Streets of a town from which one home is looked at.
const MAX_SAMPLES: usize = 60;
/// Homes of a town that are named, for somebody who wants to try one.
const MAX_EXAMPLES: usize = 5;
/// The longer side of the map, in patches.
const PATCHES: f64 = 90.0;
/// The shorter side, as a share of the longer one at least.
const SHORTER: f64 = 0.6;
/// The part of the homes on either side that the map leaves out: some are placed where they are not.
const ODD_ONES: f64 = 0.005;

#[derive(Default)]
struct Found {
    name: Option<String>,
    homes: u64,
    sources: Vec<String>,
    samples: Vec<Position>,
    examples: Vec<Address>,
}

/// What is imported, by data set.
pub(crate) fn imported(status: IndexStatus, readers: &[Reader]) -> Vec<Imported> {
    let mut found: BTreeMap<String, Imported> = BTreeMap::new();
    for dataset in status.datasets {
        let one = Imported {
            name: dataset.name.clone(),
            sources: Vec::new(),
            states: dataset.states.iter().filter_map(|state| State::parse(&state.state)).collect(),
            homes: dataset.places(),
            at: None,
        };
        found.insert(dataset.name, one);
    }
    for reader in readers {
        // The folder of a version is in the one of its data set.
        let name = reader.shard.path.ancestors().nth(2).and_then(|folder| folder.file_name()?.to_str());
        let Some(one) = name.and_then(|name| found.get_mut(name)) else { continue };
        for source in reader.shard.sources() {
            if !one.sources.contains(source) {
                one.sources.push(source.clone());
            }
        }
        one.at = std::fs::metadata(&reader.shard.path).and_then(|file| file.modified()).ok().max(one.at);
    }
    found.into_values().collect()
}

pub(crate) fn towns_of(readers: &[Reader]) -> Result<TownsOfState, PropertyError> {
    let mut found: BTreeMap<String, Found> = BTreeMap::new();
    for reader in readers {
        for (city, homes) in reader.shard.homes_by_city()? {
            let town = found.entry(city).or_default();
            town.homes = town.homes.max(homes);
        }
    }
    let mut found: Vec<(String, Found)> = found.into_iter().filter(|(city, _)| !city.is_empty()).collect();
    found.cold_sort_by(|(one, a), (other, b)| b.homes.cmp(&a.homes).then(one.cmp(other)));
    for reader in readers {
        let mut streets: HashMap<String, Vec<i64>> = HashMap::new();
        reader.shard.each_street(|id, _, _, city| match streets.get_mut(city) {
            Some(of_town) => of_town.push(id),
            None => _ = streets.insert(city.to_owned(), vec![id]),
        })?;
        for (city, town) in found.iter_mut().take(MAX_MAPPED) {
            look_at(reader, streets.get(city).map_or(&[][..], Vec::as_slice), town)?;
        }
    }
    let mut towns: Vec<Town> = found
        .iter()
        .map(|(city, town)| Town {
            name: town.name.clone().unwrap_or_else(|| city.clone()),
            homes: town.homes,
            sources: town.sources.clone(),
            patches: Vec::new(),
            examples: town.examples.clone(),
        })
        .collect();
    let samples: Vec<(usize, Position)> =
        found.iter().enumerate().flat_map(|(n, (_, town))| town.samples.iter().map(move |at| (n, *at))).collect();
    let Some(grid) = Grid::around(&samples) else { return Ok(TownsOfState { towns, columns: 0, rows: 0 }) };
    let mut filled = vec![false; usize::from(grid.columns) * usize::from(grid.rows)];
    for reader in readers {
        reader.shard.each_cell(|cell| {
            let at = MapSpot { cell, steps: [128, 128] }.position();
            if let Some((row, column)) = grid.patch(at) {
                filled[row * usize::from(grid.columns) + column] = true;
            }
        })?;
    }
    let sampled: Vec<(usize, f64, f64)> = samples
        .iter()
        .map(|(town, at)| {
            let (x, y) = grid.place(*at);
            (*town, x, y)
        })
        .collect();
    for row in 0..grid.rows {
        let mut run: Option<(usize, u16, u16)> = None;
        for column in 0..=grid.columns {
            let is_filled =
                column < grid.columns && filled[usize::from(row) * usize::from(grid.columns) + usize::from(column)];
            let town = is_filled.then(|| nearest(&sampled, f64::from(column) + 0.5, f64::from(row) + 0.5)).flatten();
            match (&mut run, town) {
                (Some((of, _, length)), Some(town)) if *of == town => *length += 1,
                (_, town) => {
                    if let Some((of, first, length)) = run.take() {
                        towns[of].patches.push((row, first, length));
                    }
                    run = town.map(|town| (town, column, 1));
                }
            }
        }
    }
    Ok(TownsOfState { towns, columns: grid.columns, rows: grid.rows })
}

/// One home of some of its streets, from the first to the last of them.
fn look_at(reader: &Reader, streets: &[i64], town: &mut Found) -> Result<(), PropertyError> {
    let every = streets.len().div_ceil(MAX_SAMPLES).max(1);
    for street in streets.iter().step_by(every) {
        let Some(house) = reader.shard.first_houses(*street, 1)?.first().copied() else { continue };
        let place = reader.shard.place_of(house.home)?;
        town.samples.extend(place.origin);
        for source in &place.sources {
            if !town.sources.iter().any(|known| known == source.shown()) {
                town.sources.push(source.shown().to_owned());
            }
        }
        if town.examples.len() < MAX_EXAMPLES && place.unit.is_none() && !place.buildings.is_empty() {
            town.examples.push(place.address.clone());
        }
        town.name.get_or_insert(place.address.city);
    }
    Ok(())
}

fn nearest(sampled: &[(usize, f64, f64)], x: f64, y: f64) -> Option<usize> {
    let away = |(_, at, to): &(usize, f64, f64)| (at - x) * (at - x) + (to - y) * (to - y);
    sampled.iter().min_by(|one, other| away(one).total_cmp(&away(other))).map(|(town, ..)| *town)
}

/// The map: patches as high as they are wide on the ground.
struct Grid {
    west: f64,
    north: f64,
    /// Degrees of a patch.
    width: f64,
    height: f64,
    columns: u16,
    rows: u16,
}

impl Grid {
    fn around(samples: &[(usize, Position)]) -> Option<Self> {
        let bounds = |of: fn(&Position) -> f64| {
            let mut all: Vec<f64> = samples.iter().map(|(_, at)| of(at)).filter(|at| at.is_finite()).collect();
            all.cold_sort_by(f64::total_cmp);
            let odd = (all.len() as f64 * ODD_ONES) as usize;
            Some((*all.get(odd)?, *all.get(all.len().checked_sub(odd + 1)?)?))
        };
        let ((west, east), (south, north)) = (bounds(|at| at.longitude)?, bounds(|at| at.latitude)?);
        // How much shorter a degree is to the east than to the north.
        let middle = Position { longitude: (west + east) / 2.0, latitude: (south + north) / 2.0 };
        let corner = LocalPlane::at(middle).position(Point { x: 1_000.0, y: 1_000.0 });
        let shrink = (corner.latitude - middle.latitude) / (corner.longitude - middle.longitude);
        let shrink = if shrink.is_finite() { shrink.clamp(0.1, 1.0) } else { 1.0 };
        let (across, down) = (((east - west) * shrink).max(1e-4), (north - south).max(1e-4));
        let longer = across.max(down);
        // A town along one road is no strip.
        let (across, down) = (across.max(longer * SHORTER), down.max(longer * SHORTER));
        let patch = longer / (PATCHES - 4.0);
        // Two patches of room on each side.
        let count = |length: f64| ((length / patch).ceil() as u16).saturating_add(4);
        let (width, height) = (patch / shrink, patch);
        Some(Self {
            west: middle.longitude - across / shrink / 2.0 - 2.0 * width,
            north: middle.latitude + down / 2.0 + 2.0 * height,
            width,
            height,
            columns: count(across),
            rows: count(down),
        })
    }

    /// In patches from the north-western corner.
    fn place(&self, at: Position) -> (f64, f64) {
        ((at.longitude - self.west) / self.width, (self.north - at.latitude) / self.height)
    }

    /// Row and column.
    fn patch(&self, at: Position) -> Option<(usize, usize)> {
        let (x, y) = self.place(at);
        let is_inside = x >= 0.0 && y >= 0.0 && x < f64::from(self.columns) && y < f64::from(self.rows);
        is_inside.then_some((y as usize, x as usize))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::PropertyIndex;
    use crate::reference::Reference;

    #[test]
    fn homes_along_a_road_are_in_the_middle_of_a_map() {
        let road: Vec<_> =
            (0..40).map(|n| (0, Position { longitude: -70.25, latitude: 43.6 + f64::from(n) * 0.001 })).collect();
        let grid = Grid::around(&road).unwrap();
        assert!(f64::from(grid.columns) >= f64::from(grid.rows) * 0.6, "{} of {}", grid.columns, grid.rows);
        for (_, at) in &road[2..38] {
            let (row, column) = grid.patch(*at).unwrap();
            assert!(
                column.abs_diff(usize::from(grid.columns) / 2) <= 1 && row < usize::from(grid.rows),
                "{row} {column}"
            );
        }
    }

    #[test]
    fn the_sample_town_is_one_town_with_all_its_homes_on_the_map() {
        let folder = tempfile::tempdir().unwrap();
        crate::sample_town::build(folder.path()).unwrap();
        let index = PropertyIndex::open(folder.path(), Reference::built_in()).unwrap();
        let imported = index.imported().unwrap();
        assert_eq!(imported.len(), 1);
        assert!(imported[0].at.is_some() && imported[0].sources.iter().all(|source| source.invented));
        let state = imported[0].states[0];
        let found = index.towns(state).unwrap();
        assert_eq!(found.towns.iter().map(|town| town.homes).sum::<u64>(), imported[0].homes);
        assert_eq!(found.towns[0].name, "Harrow Falls");
        assert!(
            (20..=94).contains(&found.columns) && (20..=94).contains(&found.rows),
            "{}x{}",
            found.columns,
            found.rows
        );
        let drawn: u32 = found.towns[0].patches.iter().map(|(_, _, length)| u32::from(*length)).sum();
        assert!(drawn > 50, "{drawn} patches");
        for (row, first, length) in &found.towns[0].patches {
            assert!(*row < found.rows && first + length <= found.columns);
        }
        assert!(Arc::ptr_eq(&found, &index.towns(state).unwrap()), "found once");
        assert_eq!(*index.towns(State::parse("TX").unwrap()).unwrap(), TownsOfState::default());
    }
}
