//! Streets with their houses, in the order of the index: how a house is sorted, and how streets are read back.

use super::home::Home;
use crate::error::PropertyError;
use crate::external_sort::{Sorted, Sorter};

/// A house of a street: its first number, its key as a file's order has it, how far its last number is above the first, and
/// its home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct House {
    pub low: u32,
    pub key: u64,
    pub above: u32,
    pub home: Home,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Street {
    pub text: String,
    pub houses: Vec<House>,
}

/// Bytes of a key behind the street's text: an end that sorts before any letter, the number and the place's key.
const AFTER_TEXT: usize = 1 + 4 + 8;

/// What a house is sorted by behind its street's text.
pub(super) fn after_text(low: u32, key: u64) -> [u8; AFTER_TEXT] {
    let mut rest = [0; AFTER_TEXT];
    rest[1..5].copy_from_slice(&low.to_be_bytes());
    rest[5..].copy_from_slice(&key.to_be_bytes());
    rest
}

/// Number and key of what is sorted so.
pub(super) fn house_of_key(key: &[u8]) -> (u32, u64) {
    let rest = key.get(key.len().saturating_sub(AFTER_TEXT) + 1..).unwrap_or_default();
    let low = rest.first_chunk().map_or(0, |low| u32::from_be_bytes(*low));
    (low, rest.last_chunk().map_or(0, |key| u64::from_be_bytes(*key)))
}

/// Takes a house. Streets are told apart by their text.
pub(super) fn push_house(sorter: &mut Sorter, text: &str, house: House) -> Result<(), PropertyError> {
    let House { low, key, above, home } = house;
    let mut value = [0; 8];
    value[..4].copy_from_slice(&above.to_le_bytes());
    value[4..].copy_from_slice(&home.0.to_le_bytes());
    sorter.push(&[text.as_bytes(), &after_text(low, key)], &value).map(drop)
}

/// Every street once, in the order of the texts, with its houses in the order of the table.
pub(super) struct SortedStreets {
    houses: Sorted,
    next: Option<(String, House)>,
}

impl SortedStreets {
    pub(super) fn new(houses: Sorted) -> Result<Self, PropertyError> {
        let mut streets = Self { houses, next: None };
        streets.next = streets.house(None)?;
        Ok(streets)
    }

    /// The next house, with the text of its street unless that is the `known` one's.
    fn house(&mut self, known: Option<&str>) -> Result<Option<(String, House)>, PropertyError> {
        let Some((key, value)) = self.houses.next()? else { return Ok(None) };
        let text = &key[..key.len().saturating_sub(AFTER_TEXT)];
        let (low, of_place) = house_of_key(key);
        let above = value.first_chunk().map_or(0, |above| u32::from_le_bytes(*above));
        let home = Home(value.last_chunk().map_or(0, |home| u32::from_le_bytes(*home)));
        let text = match known {
            Some(known) if known.as_bytes() == text => String::new(),
            _ => String::from_utf8_lossy(text).into_owned(),
        };
        Ok(Some((text, House { low, key: of_place, above, home })))
    }

    fn street(&mut self) -> Result<Option<Street>, PropertyError> {
        let Some((text, first)) = self.next.take() else { return Ok(None) };
        let mut houses = vec![first];
        while let Some((other, house)) = self.house(Some(&text))? {
            if !other.is_empty() {
                self.next = Some((other, house));
                break;
            }
            houses.push(house);
        }
        // Rows of one place have one house.
        houses.dedup_by_key(|house| (house.low, house.key));
        Ok(Some(Street { text, houses }))
    }
}

impl Iterator for SortedStreets {
    type Item = Result<Street, PropertyError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.street().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::sort_key::ordered;

    #[test]
    fn streets_come_once_with_their_houses_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let house = |low, key: i64| House { low, key: ordered(key), above: low % 3, home: Home(low * 7) };
        // With everything in memory, and with a run for each house.
        for budget in [1 << 20, 1] {
            let mut sorter = Sorter::new(folder.path(), "houses", budget);
            for (text, low, key) in [
                ("MEOAK\0B", 300, 1),
                ("MEOAK\0", 2, -5),
                ("MEOAK\0B", 4, 7),
                ("MEOAK\0B", 4, -7),
                ("MEOAK\0BA", 1, 1),
                ("MEOAK\0B", 4, 7),
            ] {
                push_house(&mut sorter, text, house(low, key)).unwrap();
            }
            let streets: Vec<Street> =
                SortedStreets::new(sorter.sorted().unwrap()).unwrap().collect::<Result<_, _>>().unwrap();
            let street = |text: &str, houses: &[House]| Street { text: text.to_owned(), houses: houses.to_vec() };
            assert_eq!(
                streets,
                [
                    street("MEOAK\0", &[house(2, -5)]),
                    street("MEOAK\0B", &[house(4, -7), house(4, 7), house(300, 1)]),
                    street("MEOAK\0BA", &[house(1, 1)]),
                ]
            );
        }
    }
}
