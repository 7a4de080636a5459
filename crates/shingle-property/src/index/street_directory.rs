//! The streets of all small files of a state, in memory: which files have a street of a name, and which names a town has.
//! So a look-up by name reads only the files that have it, and a small file stores no lists of its streets.
//!
//! A street takes some 20 bytes in each file that has it, a name some 60 more.
//!
//! # Decision
//!
//! Files of at most 2 MB have no indices of streets and house numbers. Where homes of one town are split at random over 150
//! files, each has nearly as many streets as homes, and the indices took as much room as the homes. Turned down: keeping
//! them, at 1.8 times the bytes of one file; one file for several data sets, since each is replaced and undone alone.

use std::sync::Arc;

use foldhash::HashMap;

use super::shard::Area;

#[derive(Default)]
pub(super) struct StreetDirectory {
    numbers: HashMap<Arc<str>, u32>,
    names: Vec<Arc<str>>,
    /// By name, then file.
    spans: Vec<NameSpan>,
    /// ZIP and town.
    towns: Vec<(Box<str>, Box<str>)>,
    /// Town and name, by town.
    names_of_towns: Vec<(u32, u32)>,
}

/// Streets of a file between which all of one name are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct NameSpan {
    name: u32,
    file: u32,
    first: u32,
    last: u32,
}

/// Takes the streets of the files, one file after the other, each in its order.
#[derive(Default)]
pub(super) struct StreetLister {
    found: StreetDirectory,
    numbers_of_towns: HashMap<(Box<str>, Box<str>), u32>,
}

impl StreetLister {
    pub fn street(&mut self, file: usize, id: i64, name: &str, zip: &str, city: &str) {
        let found = &mut self.found;
        let number = match found.numbers.get(name) {
            Some(number) => *number,
            None => {
                let (number, name) = (found.names.len() as u32, Arc::<str>::from(name));
                found.names.push(name.clone());
                found.numbers.insert(name, number);
                number
            }
        };
        found.spans.push(NameSpan { name: number, file: file as u32, first: id as u32, last: id as u32 });
        let town: (Box<str>, Box<str>) = (zip.into(), city.into());
        let towns = &mut found.towns;
        let of_town = *self.numbers_of_towns.entry(town).or_insert_with_key(|town| {
            towns.push(town.clone());
            towns.len() as u32 - 1
        });
        found.names_of_towns.push((of_town, number));
    }

    pub fn listed(self) -> StreetDirectory {
        let mut found = self.found;
        found.spans.sort_unstable();
        // Streets of a name stand between the first and the last of them.
        found.spans.dedup_by(|next, kept| {
            let is_same = (next.name, next.file) == (kept.name, kept.file);
            if is_same {
                kept.last = next.last;
            }
            is_same
        });
        found.spans.shrink_to_fit();
        found.names_of_towns.sort_unstable();
        found.names_of_towns.dedup();
        found.names_of_towns.shrink_to_fit();
        found
    }
}

impl StreetDirectory {
    /// The files that have streets of a name, each with the span of streets in which they are.
    pub fn spans_of(&self, name: &str) -> impl Iterator<Item = (usize, (i64, i64))> {
        let number = self.numbers.get(name).copied();
        let first = number.map_or(0, |number| self.spans.partition_point(|span| span.name < number));
        let here = self.spans[first..].iter().take_while(move |span| Some(span.name) == number);
        here.map(|span| (span.file as usize, (i64::from(span.first), i64::from(span.last))))
    }

    /// The names of the streets of an area; one may come twice.
    pub fn each_name(&self, area: Area<'_>, mut each: impl FnMut(&str)) {
        for (town, (zip, city)) in (0..).zip(&self.towns) {
            if area.has(zip, city) {
                let first = self.names_of_towns.partition_point(|(of, _)| *of < town);
                let here = self.names_of_towns[first..].iter().take_while(|(of, _)| *of == town);
                here.for_each(|(_, name)| each(&self.names[*name as usize]));
            }
        }
    }

    /// Whether some street is in a town for which this holds, given its ZIP and its name.
    pub fn has_town(&self, is_it: impl Fn(&str, &str) -> bool) -> bool {
        self.towns.iter().any(|(zip, city)| is_it(zip, city))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_street_is_found_by_its_name_and_its_town(
            files in proptest::collection::vec(
                proptest::collection::vec(("[A-C]{1,2}", prop::sample::select(vec!["", "04103", "04104"]), "[XY]"), 0..20),
                0..6,
            ),
        ) {
            let mut lister = StreetLister::default();
            for (file, streets) in files.iter().enumerate() {
                for (id, (name, zip, city)) in (1..).zip(streets) {
                    lister.street(file, id, name, zip, city);
                }
            }
            let directory = lister.listed();
            let all = || files.iter().flatten();
            for (name, ..) in all() {
                let spans: Vec<_> = directory.spans_of(name).collect();
                for (file, streets) in files.iter().enumerate() {
                    let mut ids = (1..).zip(streets).filter(|(_, street)| street.0 == *name).map(|(id, _)| id);
                    let wanted = ids.next().map(|first| (file, (first, ids.last().unwrap_or(first))));
                    prop_assert_eq!(spans.iter().find(|(of, _)| *of == file).copied(), wanted);
                }
            }
            prop_assert_eq!(directory.spans_of("Q").count(), 0);
            let areas = [Area::Zip("04103"), Area::City("X"), Area::CityWithoutZip("Y"), Area::Zip("04999")];
            for area in areas {
                let mut names = BTreeSet::new();
                directory.each_name(area, |name| _ = names.insert(name.to_owned()));
                let wanted = all().filter(|(_, zip, city)| area.has(zip, city)).map(|(name, ..)| name.clone());
                prop_assert_eq!(names, wanted.collect::<BTreeSet<_>>());
            }
            let is_there = |zip: &str, city: &str| all().any(|street| (street.1, street.2.as_str()) == (zip, city));
            for (zip, city) in [("04103", "X"), ("04104", "Y"), ("", "X"), ("04103", "Z")] {
                prop_assert_eq!(directory.has_town(|of, town| (of, town) == (zip, city)), is_there(zip, city));
            }
        }
    }
}
