//! Homes near one that was not found.

use crate::error::PropertyError;
use crate::index::home::House;
use crate::index::matching::areas;
use crate::index::shard::{Area, Numbered, ShardReader};
use shingle_address::{Normalized, houses_of_block, number_span};

use super::query::{Query, StreetReading};
use super::search::{MAX_STREETS, Rank, Search};
use super::typo::{between, forgiven};

impl Search<'_> {
    /// The nearest numbers on the very street.
    pub fn own_street(&mut self, wanted: &Normalized) -> Result<(), PropertyError> {
        let Some((number, _)) = number_span(&wanted.number) else { return Ok(()) };
        for area in areas(wanted) {
            let streets = self.directory.readers.streets(self.only, &wanted.name, area)?;
            for of_file in streets.chunk_by(|(one, _), (other, _)| one == other) {
                for (at, street) in of_file.iter().take(MAX_STREETS) {
                    let same = (&street.predir, &street.suffix, &street.postdir)
                        == (&wanted.predir, &wanted.suffix, &wanted.postdir);
                    let reading = StreetReading::default();
                    self.count_rows(2);
                    for (low, house) in nearest(&self.shard(*at), street.id, number, wanted)? {
                        let off = low.abs_diff(number).max(1);
                        let rank = Rank { number_off: off, errors: usize::from(!same), reading: 0, low };
                        self.add(*at, &Query::default(), &reading, Numbered { street: street.id, house }, rank)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The very street and number in towns whose names are spelled almost alike: `Fenwcik`.
    pub fn town_misspelled(&mut self, wanted: &Normalized) -> Result<(), PropertyError> {
        let most = forgiven(wanted.city.chars().count());
        let Some((number, _)) = number_span(&wanted.number).filter(|_| most > 0) else { return Ok(()) };
        let reading = StreetReading::default();
        let rows = self.directory.readers.streets(self.only, &wanted.name, Area::Anywhere)?;
        self.count_rows(rows.len());
        for (at, street) in rows {
            let Some(errors) = between(&wanted.city, &street.city, most) else { continue };
            let same = |a: &str, b: &str| a.is_empty() || a == b;
            let fits = same(&wanted.predir, &street.predir)
                && same(&wanted.suffix, &street.suffix)
                && same(&wanted.postdir, &street.postdir);
            if !fits {
                continue;
            }
            for house in self.shard(at).houses_on(street.id, number, number)?.into_iter().take(self.limit) {
                let rank = Rank { number_off: 0, errors, reading: 0, low: number };
                self.add(at, &Query::default(), &reading, Numbered { street: street.id, house }, rank)?;
            }
        }
        Ok(())
    }
}

/// The houses next to a number. Of a block that has many (`75-01`, `75-21`), those next in the block.
fn nearest(
    shard: &ShardReader,
    street: i64,
    number: u32,
    wanted: &Normalized,
) -> Result<Vec<(u32, House)>, PropertyError> {
    let beside = || -> Result<Vec<(u32, House)>, PropertyError> {
        Ok(shard.nearest_houses(street, number)?.into_iter().map(|house| (house.low, house)).collect())
    };
    let Some((block, house, _)) = houses_of_block(&wanted.number).filter(|_| wanted.number.contains('-')) else {
        return beside();
    };
    let mut found = Vec::new();
    for there in shard.houses_on(street, block, block)? {
        let (address, unit) = shard.address(there.home)?;
        let other = Normalized::from_texts(&address, unit.as_deref()).number;
        if let Some((of, low, high)) = houses_of_block(&other).filter(|(of, ..)| *of == block) {
            let off = if house < low { low - house } else { house.saturating_sub(high) };
            found.push((of + off, there));
        }
    }
    found.sort_by_key(|(number, _)| *number);
    found.truncate(2);
    if found.is_empty() { beside() } else { Ok(found) }
}
