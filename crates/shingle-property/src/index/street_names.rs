//! The normal form of an address, cached by street: a file has many houses per street, and parsing a street costs more
//! than everything else that is done with a row.

use foldhash::HashMap;
use shingle_domain::{Address, State};

use super::record::PlaceName;
use super::title::title_of;
use shingle_address::{KeyHash, Normalized, Street, number_span, plain_number};

/// Streets in the cache; a full cache is emptied. Files have few streets at a time, whatever their order.
const MAX_STREETS: usize = 16_384;

#[derive(Default)]
pub(super) struct StreetNames {
    /// Where each street is in `streets`, by its address as it is written.
    known: HashMap<Box<[u8]>, usize>,
    streets: Vec<NamedStreet>,
    /// The street of the current row, where it is not cached.
    other: NamedStreet,
    written: Vec<u8>,
    key: String,
}

/// A street, as its houses need it.
#[derive(Default)]
pub(super) struct NamedStreet {
    /// The key of an address without the number that it begins with; `None` where no street can be read.
    after_number: Option<String>,
    /// State and what tells streets apart, in the order of the index.
    pub text: String,
    /// Whether a number of digits only stays as it is.
    plain: bool,
}

/// What names a row.
pub(super) struct RowName<'a> {
    pub key: KeyHash,
    /// First and last house number.
    pub span: Option<(u32, u32)>,
    pub street: &'a NamedStreet,
}

impl StreetNames {
    /// `None` where no street can be read from the address.
    pub(super) fn of(&mut self, row: PlaceName<'_>) -> Option<RowName<'_>> {
        let Some(number) = plain_number(row.number).filter(|_| row.unit.is_none()) else {
            return self.afresh(row);
        };
        self.written.clear();
        for part in [row.street.as_bytes(), b"\0", row.city.as_bytes(), b"\0", row.zip.as_bytes(), row.state.as_bytes()]
        {
            self.written.extend_from_slice(part);
        }
        let at = match self.known.get(self.written.as_slice()) {
            Some(at) => *at,
            None => self.learn(row),
        };
        if !self.streets.get(at)?.plain {
            return self.afresh(row);
        }
        let street = self.streets.get(at)?;
        self.key.clear();
        self.key.push_str(row.number);
        self.key.push_str(street.after_number.as_deref()?);
        Some(RowName { key: KeyHash::of(&self.key), span: Some((number, number)), street })
    }

    /// Remembers the street of an address, as it was just written.
    fn learn(&mut self, row: PlaceName<'_>) -> usize {
        if self.streets.len() >= MAX_STREETS {
            self.known.clear();
            self.streets.clear();
        }
        let (number, named) = NamedStreet::of(&PlaceName { number: "1", ..row }.address(), None);
        let at = self.streets.len();
        self.streets.push(NamedStreet { plain: number == "1", ..named });
        self.known.insert(self.written.as_slice().into(), at);
        at
    }

    fn afresh(&mut self, row: PlaceName<'_>) -> Option<RowName<'_>> {
        let (number, named) = NamedStreet::of(&row.address(), row.unit);
        self.other = named;
        let key = KeyHash::of(&format!("{number}{}", self.other.after_number.as_deref()?));
        Some(RowName { key, span: number_span(&number), street: &self.other })
    }
}

impl NamedStreet {
    /// With the number in its normal form.
    fn of(address: &Address, unit: Option<&str>) -> (String, Self) {
        let n = Normalized::from_texts(address, unit);
        let number = n.number.clone();
        if n.name.is_empty() {
            return (number, Self::default());
        }
        let after_number = n.key().split_off(number.len());
        let text = street_text(n, address.state);
        (number, Self { after_number: Some(after_number), text, plain: false })
    }
}

/// Sorts by state, then by the text streets are searched by, then by what tells streets apart.
fn street_text(n: Normalized, state: State) -> String {
    let street = Street { predir: n.predir, name: n.name, suffix: n.suffix, postdir: n.postdir };
    let zip = n.zip.map(|z| z.to_string()).unwrap_or_default();
    let title = title_of(&street);
    let parts = [&title, &street.name, &street.suffix, &street.postdir, &street.predir, &zip, &n.city, &n.place];
    format!("{state}{}", parts.map(String::as_str).join("\0"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::index::tests::{place_in, with_unit};

    proptest! {
        #[test]
        fn a_street_remembered_gives_what_a_street_read_afresh_gives(
            number in "(0?[1-9][0-9]{0,9}|[0-9]{1,3}(-[0-9]{1,3}|[A-C]| 1/2)?|)",
            street in "(N |South )?(Main|5th|County Road 12|St Clair|Avenue|[a-z]{0,6})( St| Ave| Ct W|)( Apt 3| # 4|)",
            zip in "(00000|04103)",
            unit in proptest::option::of("(Apt )?[0-9A-C]{1,2}"),
        ) {
            let mut place = place_in(&number, &street, "St. Cloud", "MN", &zip);
            if let Some(unit) = unit {
                place = with_unit(place, &unit);
            }
            let n = Normalized::from_place(&place);
            let mut names = StreetNames::default();
            for _ in 0..2 {
                let found = names.of(PlaceName::of(&place));
                prop_assert_eq!(found.is_some(), !n.name.is_empty());
                if let Some(found) = found {
                    prop_assert_eq!(found.key, KeyHash::of(&n.key()));
                    prop_assert_eq!(found.span, number_span(&n.number));
                    prop_assert_eq!(&found.street.text, &street_text(n.clone(), place.address.state));
                }
            }
        }
    }

    #[test]
    fn streets_are_forgotten_before_they_fill_the_memory() {
        let mut names = StreetNames::default();
        for n in 0..MAX_STREETS + 10 {
            names.of(PlaceName::of(&place_in("1", &format!("Row{n} Street"), "Portland", "ME", "04103")));
        }
        assert_eq!((names.known.len(), names.streets.len()), (10, 10));
    }
}
