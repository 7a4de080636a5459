//! The homes of a file by number, and the lists that name them.
//!
//! Homes are numbered in the order of their streets and house numbers, so a list of them that follows a street or a piece of
//! land says each in a byte or two, where its key hash takes eight.

use super::packed::{Malformed, RowId, put_number, put_signed, seal, unseal};

/// Homes of a block.
pub(super) const HOMES: usize = 8;

/// A home, by its number in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Home(pub u32);

impl Home {
    pub fn block(self) -> i64 {
        i64::from(self.0) / HOMES as i64
    }

    pub fn in_block(self) -> usize {
        self.0 as usize % HOMES
    }
}

/// Cells of the map in one row of their table, beside each other: a row of a single one is mostly overhead.
pub(super) const CELL_BITS: u32 = 2;

/// A house number of a street.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct House {
    pub low: u32,
    /// How far its last number is above the first.
    pub above: u32,
    pub home: Home,
    /// Whether its key follows from its street and its number: no unit, and a number of digits only.
    pub is_plain: bool,
}

/// The houses of a street in the order of their numbers, as the street keeps them.
pub(super) fn pack_houses(houses: &[House], street: i64) -> Vec<u8> {
    let mut list = Vec::with_capacity(houses.len() * 2 + 8);
    put_number(houses.len() as u64, &mut list);
    let (mut low, mut next) = (0, 0);
    for house in houses {
        let flags = u64::from(house.is_plain) | u64::from(house.above > 0) << 1 | u64::from(house.home.0 != next) << 2;
        // Most numbers are two, four or six above the one before: one byte.
        put_number(u64::from(house.low - low) << 3 | flags ^ 1, &mut list);
        if house.above > 0 {
            put_number(u64::from(house.above), &mut list);
        }
        if house.home.0 != next {
            put_signed(i64::from(house.home.0) - i64::from(next), &mut list);
        }
        (low, next) = (house.low, house.home.0.wrapping_add(1));
    }
    seal(list, RowId(street))
}

pub(super) fn unpack_houses(sealed: &[u8], street: i64) -> Result<Vec<House>, Malformed> {
    let mut list = unseal(sealed, RowId(street))?;
    let count: usize = list.count()?;
    let mut houses = Vec::with_capacity(count.min(list.0.len()));
    let (mut low, mut next) = (0_u32, 0_u32);
    for _ in 0..count {
        let first = list.number()?;
        let flags = first ^ 1;
        low = u32::try_from(first >> 3).ok().and_then(|more| low.checked_add(more)).ok_or(Malformed)?;
        let above = if flags & 2 > 0 { list.count()? } else { 0 };
        if flags & 4 > 0 {
            next = u32::try_from(i64::from(next).wrapping_add(list.signed()?)).map_err(|_| Malformed)?;
        }
        houses.push(House { low, above, home: Home(next), is_plain: flags & 1 > 0 });
        next = next.wrapping_add(1);
    }
    Ok(houses)
}

/// How many houses a street has.
pub(super) fn count_houses(sealed: &[u8], street: i64) -> Result<u64, Malformed> {
    unseal(sealed, RowId(street))?.number()
}

/// The streets that have a house of some number, in order; the row is named by the number and its first street.
pub(super) fn pack_numbered(houses: &[(i64, Home, bool)], row: RowId) -> Vec<u8> {
    let mut list = Vec::with_capacity(houses.len() * 4 + 4);
    let (mut street, mut before) = (0, 0);
    for (of, home, is_plain) in houses {
        put_number((of - street).unsigned_abs() << 1 | u64::from(!is_plain), &mut list);
        put_signed(i64::from(home.0) - before, &mut list);
        (street, before) = (*of, i64::from(home.0));
    }
    seal(list, row)
}

pub(super) fn unpack_numbered(sealed: &[u8], row: RowId) -> Result<Vec<(i64, Home, bool)>, Malformed> {
    let mut list = unseal(sealed, row)?;
    let mut houses = Vec::new();
    let (mut street, mut home) = (0_i64, 0_i64);
    while !list.is_empty() {
        let first = list.number()?;
        street = street.wrapping_add((first >> 1) as i64);
        home = home.wrapping_add(list.signed()?);
        houses.push((street, Home(u32::try_from(home).map_err(|_| Malformed)?), first & 1 == 0));
    }
    Ok(houses)
}

/// The homes of a row of map cells, each with its cell among them and its steps there.
pub(super) fn pack_cells(homes: &[(u8, [u8; 2], Home)], row: i64) -> Vec<u8> {
    let mut list = Vec::with_capacity(homes.len() * 4 + 4);
    let mut before = 0;
    for (cell, steps, home) in homes {
        list.extend_from_slice(steps);
        put_signed((i64::from(home.0) - before) << CELL_BITS | i64::from(*cell), &mut list);
        before = i64::from(home.0);
    }
    seal(list, RowId(row))
}

pub(super) fn unpack_cells(sealed: &[u8], row: i64) -> Result<Vec<(u8, [u8; 2], Home)>, Malformed> {
    let mut list = unseal(sealed, RowId(row))?;
    let mut homes = Vec::new();
    let mut home = 0_i64;
    while !list.is_empty() {
        let steps = [list.byte()?, list.byte()?];
        let next = list.signed()?;
        home = home.wrapping_add(next >> CELL_BITS);
        let cell = (next & ((1 << CELL_BITS) - 1)) as u8;
        homes.push((cell, steps, Home(u32::try_from(home).map_err(|_| Malformed)?)));
    }
    Ok(homes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn homes() -> impl Strategy<Value = Vec<(u32, u32, u32, bool)>> {
        let number = prop_oneof![0..9_u32, any::<u32>()];
        proptest::collection::vec((number.clone(), number.clone(), number, any::<bool>()), 0..40)
    }

    proptest! {
        #[test]
        fn lists_come_back_as_they_were(mut of in homes(), street in 0..1_000_000_i64) {
            of.sort_unstable();
            let house = |(low, above, home, is_plain): &(u32, u32, u32, bool)| {
                House { low: *low, above: *above, home: Home(*home), is_plain: *is_plain }
            };
            let houses: Vec<House> = of.iter().map(house).collect();
            let packed = pack_houses(&houses, street);
            prop_assert_eq!(count_houses(&packed, street), Ok(houses.len() as u64));
            prop_assert_eq!(unpack_houses(&packed, street), Ok(houses));
            let numbered: Vec<_> = of.iter().map(|(n, _, home, is)| (street + i64::from(*n), Home(*home), *is)).collect();
            prop_assert_eq!(unpack_numbered(&pack_numbered(&numbered, RowId(street)), RowId(street)), Ok(numbered));
            let cells: Vec<_> = of.iter().map(|(n, m, home, _)| ((*n % 4) as u8, [*n as u8, *m as u8], Home(*home))).collect();
            prop_assert_eq!(unpack_cells(&pack_cells(&cells, street), street), Ok(cells));
        }

        #[test]
        fn any_bytes_are_a_list_or_refused(bytes: Vec<u8>) {
            let sealed = seal(bytes, RowId(1));
            let _ = (unpack_houses(&sealed, 1), unpack_numbered(&sealed, RowId(1)), unpack_cells(&sealed, 1));
            let _ = count_houses(&sealed, 1);
        }
    }

    #[test]
    fn a_street_takes_a_byte_a_house() {
        let house = |n: u32| House { low: 100 + 2 * n, above: 0, home: Home(5_000 + n), is_plain: true };
        let houses: Vec<House> = (0..100).map(house).collect();
        assert!(pack_houses(&houses, 1).len() < 112);
    }
}
