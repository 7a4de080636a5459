//! The ZIP of a property whose table only has its owner's.

use std::collections::HashMap;

use shingle_domain::Zip;

use crate::row::situs::split_line;

/// For every street the house numbers whose ZIP is known.
#[derive(Debug, Default)]
pub(crate) struct ZipsOfStreets {
    streets: HashMap<String, HashMap<(u32, Zip), u32>>,
}

impl ZipsOfStreets {
    pub fn note(&mut self, number: &str, street: &str, zip: Zip) {
        if let Some((low, _)) = range(number) {
            *self.streets.entry(street.to_uppercase()).or_default().entry((low, zip)).or_default() += 1;
        }
    }

    /// The ZIP of the nearest known number in the street; of equally near ones the one seen most often.
    pub fn of(&self, number: &str, street: &str) -> Option<Zip> {
        let known = self.streets.get(&street.to_uppercase())?;
        let here = range(number).map_or(0, |r| r.0);
        let nearest = known.iter().min_by_key(|((n, zip), count)| (n.abs_diff(here), u32::MAX - **count, *zip))?;
        Some(nearest.0.1)
    }
}

/// Whether a mailing line is the property itself: the number within its range, and the same street as far
/// as its first word (`4 CANAL PARK`, `4 Canal Pk`).
pub(crate) fn is_same_door(number: &str, street: &str, mailing: &str) -> bool {
    let (mail_number, mail_street) = split_line(mailing);
    let (Some((low, high)), Some((mail, _))) = (range(number), range(&mail_number)) else { return false };
    let first = |s: &str| s.split_whitespace().next().map(str::to_uppercase);
    (low..=high).contains(&mail) && first(street).is_some() && first(street) == first(&mail_street)
}

/// `12-14`: 12 to 14. `19-17` is written backwards, `1304-18` leaves out the digits that repeat.
fn range(number: &str) -> Option<(u32, u32)> {
    let mut numbers = number.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).map(str::parse::<u32>);
    let low = numbers.next()?.ok()?;
    let high = match numbers.next() {
        Some(Ok(high)) if number.contains('-') => high,
        _ => low,
    };
    if high < low && high < 100 && low > 100 {
        let whole = low / 100 * 100 + high;
        return Some((low, whole.max(low)));
    }
    Some((low.min(high), low.max(high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_door_lends_its_zip() {
        let (a, b) = (Zip::parse("43091").unwrap(), Zip::parse("43092").unwrap());
        let mut zips = ZipsOfStreets::default();
        zips.note("10", "Elm St", a);
        zips.note("90-92", "ELM ST", b);
        assert_eq!(zips.of("30", "Elm St"), Some(a));
        assert_eq!(zips.of("70", "elm st"), Some(b));
        assert_eq!(zips.of("70", "Oak St"), None);
    }

    #[test]
    fn a_mailing_line_is_the_property_when_its_number_lies_in_the_range() {
        assert!(is_same_door("4-6", "Canal Pk", "6 CANAL PARK"));
        assert!(is_same_door("1304-18", "Birch St", "1310 BIRCH ST"));
        assert!(!is_same_door("4-6", "Canal Pk", "8 CANAL PARK"));
        assert!(!is_same_door("4", "Canal Pk", "4 ELM ST"));
        assert!(!is_same_door("4", "Canal Pk", "PO BOX 4"));
    }
}
