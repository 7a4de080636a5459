//! The titles of a file, in order, a number of them to a row of a table: each as what it does not share with the one before
//! it, and how many streets have it. Streets are numbered in the order of their titles, so that says which they are.

use super::packed::{Malformed, RowId, put_bytes, put_number, seal, unseal};

/// Titles of a row.
pub(super) const OF_A_ROW: usize = 128;

/// A title, and the first of the streets that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListedTitle {
    pub text: Box<str>,
    pub first: i64,
}

/// The titles of a row, and the street behind those of the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TitleRow {
    pub titles: Vec<ListedTitle>,
    pub end: i64,
}

/// Takes titles in order.
pub(super) fn pack(row: &TitleRow, id: i64) -> Vec<u8> {
    let TitleRow { titles, end } = row;
    let mut list = Vec::new();
    put_number(titles.first().map_or(*end, |title| title.first).unsigned_abs(), &mut list);
    let mut before: &[u8] = &[];
    for (at, title) in titles.iter().enumerate() {
        let text = title.text.as_bytes();
        let shared = before.iter().zip(text).take_while(|(a, b)| a == b).count();
        put_number(shared as u64, &mut list);
        put_bytes(&text[shared..], &mut list);
        let next = titles.get(at + 1).map_or(*end, |next| next.first);
        put_number((next - title.first).unsigned_abs(), &mut list);
        before = text;
    }
    seal(list, RowId(id))
}

pub(super) fn unpack(sealed: &[u8], id: i64) -> Result<TitleRow, Malformed> {
    let mut list = unseal(sealed, RowId(id))?;
    let mut end: i64 = list.count()?;
    let (mut text, mut titles) = (Vec::new(), Vec::with_capacity(OF_A_ROW));
    while !list.is_empty() {
        let shared: usize = list.count()?;
        if shared > text.len() {
            return Err(Malformed);
        }
        text.truncate(shared);
        text.extend_from_slice(list.bytes()?);
        let title = std::str::from_utf8(&text).map_err(|_| Malformed)?;
        titles.push(ListedTitle { text: title.into(), first: end });
        end = list.count().ok().and_then(|streets| end.checked_add(streets)).ok_or(Malformed)?;
    }
    Ok(TitleRow { titles, end })
}

/// A town as streets name it, with one of its ZIPs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TownName {
    pub city: Box<str>,
    pub zip: Box<str>,
}

/// The only row of the towns.
pub(super) const TOWNS: i64 = 0;

pub(super) fn pack_towns<'t>(towns: impl IntoIterator<Item = &'t TownName>) -> Vec<u8> {
    let mut list = Vec::new();
    for TownName { city, zip } in towns {
        put_bytes(city.as_bytes(), &mut list);
        put_bytes(zip.as_bytes(), &mut list);
    }
    seal(list, RowId(TOWNS))
}

pub(super) fn unpack_towns(sealed: &[u8]) -> Result<Vec<TownName>, Malformed> {
    let mut list = unseal(sealed, RowId(TOWNS))?;
    let mut towns = Vec::new();
    while !list.is_empty() {
        let mut text = || Ok::<_, Malformed>(std::str::from_utf8(list.bytes()?).map_err(|_| Malformed)?.into());
        towns.push(TownName { city: text()?, zip: text()? });
    }
    Ok(towns)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn titles_and_towns_come_back(
            texts in proptest::collection::btree_map("[A-C\u{e9}]{0,4}", 1..9_i64, 0..40), first in 1..1_000_000_i64, id: i64,
        ) {
            let texts: BTreeMap<String, i64> = texts;
            let mut end = first;
            let mut titles = Vec::new();
            for (text, streets) in &texts {
                titles.push(ListedTitle { text: text.as_str().into(), first: end });
                end += streets;
            }
            let row = TitleRow { titles, end };
            prop_assert_eq!(unpack(&pack(&row, id), id), Ok(row.clone()));
            prop_assert!(unpack(&pack(&row, id), id ^ 1).is_err());
            let towns: Vec<_> = row.titles.into_iter().map(|t| TownName { zip: t.first.to_string().into(), city: t.text }).collect();
            prop_assert_eq!(unpack_towns(&pack_towns(&towns)), Ok(towns));
        }

        #[test]
        fn any_bytes_are_a_row_or_refused(bytes: Vec<u8>) {
            let _ = unpack(&seal(bytes.clone(), RowId(1)), 1);
            let _ = unpack_towns(&seal(bytes, RowId(TOWNS)));
        }
    }
}
