//! Harrow Falls, Maine: some 2,000 homes that do not exist, for the sandbox, the demo and the tests. The
//! same on every run. Every record says that it is invented.

mod corner;
mod grid;
mod home;
mod house_plan;
mod lot;
mod roof;
mod seeded_random;
#[cfg(test)]
mod tests;
mod words;

use std::path::Path;

use shingle_domain::Address;
use shingle_domain::evidence::{Place, Point};

use crate::geometry::LocalPlane;
use crate::index::manifest::Manifest;
use crate::{IndexBuilder, IndexSummary, PropertyError};
pub use grid::{CITY, ZIP};
pub use home::DATASET;

use grid::{BLOCK, COLUMNS, CORNER, FRONTAGE, LOTS_A_SIDE, address};
use lot::Lot;
use seeded_random::SeededRandom;
use words::{PEOPLE, STREETS, Words};

/// Raised with every change of what is generated, so that [`ensure`] builds the town again.
const REVISION: &str = "3";

/// The home of every demonstration: 14 Alder Court.
pub fn showpiece() -> Option<Address> {
    let (number, street) = home::SHOWPIECE;
    address(number.parse().ok()?, street)
}

/// Every home and every empty lot of the town, street by street.
pub fn places() -> impl Iterator<Item = Place> {
    let words = Words::read();
    let lots: Vec<Lot> = words.streets.iter().enumerate().flat_map(|(i, name)| street(i, name)).collect();
    lots.into_iter().chain(corner::lots()).flat_map(move |lot| home::places(&lot, &words))
}

/// Writes the town as the data set `sample-town` of the index at `root`.
pub fn build(root: &Path) -> Result<IndexSummary, PropertyError> {
    let mut builder = IndexBuilder::create(root, DATASET)?;
    for place in places() {
        builder.push(place)?;
    }
    let summary = builder.finish()?;
    let marker = root.join(MARKER);
    std::fs::write(&marker, revision()).map_err(PropertyError::write(&marker))?;
    Ok(summary)
}

/// Builds the town unless this very town is there already.
pub fn ensure(root: &Path) -> Result<(), PropertyError> {
    let marked = std::fs::read_to_string(root.join(MARKER)).is_ok_and(|r| r == revision());
    let there = || {
        let index = crate::PropertyIndex::open(root, crate::Reference::built_in())?;
        Ok::<_, PropertyError>(index.status().datasets.iter().any(|d| d.name == DATASET))
    };
    if marked && there().unwrap_or(false) {
        return Ok(());
    }
    // What is damaged cannot be added to. The folder holds nothing that is not made again here.
    if there().is_err() {
        remove_if_there(std::fs::remove_file(Manifest::path(root)), root)?;
        remove_if_there(std::fs::remove_dir_all(root.join(DATASET)), root)?;
    }
    build(root)?;
    Ok(())
}

fn remove_if_there(removed: std::io::Result<()>, root: &Path) -> Result<(), PropertyError> {
    match removed {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(PropertyError::write(root)(e)),
        _ => Ok(()),
    }
}

const MARKER: &str = "sample-town.revision";

fn revision() -> String {
    let mut hasher = blake3::Hasher::new();
    for part in [REVISION, STREETS, PEOPLE] {
        hasher.update(part.as_bytes());
    }
    hasher.update(&crate::index::manifest::FORMAT.to_le_bytes());
    hasher.finalize().to_hex().to_string()
}

fn street(index: usize, name: &str) -> Vec<Lot> {
    let mut random = SeededRandom::new("street", index as u64);
    let (column, row) = (index % COLUMNS, index / COLUMNS);
    let plane = LocalPlane::at(CORNER);
    let length = LOTS_A_SIDE as f64 * FRONTAGE;
    // A third of the streets are straight, the others bend one way or both.
    let bend = if random.chance(0.35) { 0.0 } else { random.between(-20.8, 20.8) };
    let waves = if random.chance(0.3) { 2.0 } else { 1.0 };
    let laid_out = 1885 + (row * 13) as u16 + random.below(14) as u16;
    let mut lots = Vec::with_capacity(2 * LOTS_A_SIDE);
    for lot in 0..2 * LOTS_A_SIDE {
        let (along, even) = ((lot / 2) as f64 + 0.5, lot % 2 == 1);
        let s = along * FRONTAGE;
        let phase = std::f64::consts::PI * waves * s / length;
        let turn = (bend * waves * std::f64::consts::PI / length * phase.cos()).atan();
        let side = if even { -1.0 } else { 1.0 };
        let setback = side * random.between(17.0, 21.0);
        let x = column as f64 * BLOCK.0 + s - setback * turn.sin();
        let y = row as f64 * BLOCK.1 + bend * phase.sin() + setback * turn.cos();
        let Some(address) = address(lot + 1, name) else { continue };
        lots.push(Lot {
            address,
            parcel: format!("{:03}-{:03}", index + 1, lot + 1),
            at: plane.position(Point { x, y }),
            turn,
            even,
            laid_out,
        });
    }
    lots
}
