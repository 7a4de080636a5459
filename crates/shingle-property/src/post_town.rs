//! The town that mail for a ZIP is addressed to. Read at its first use: only imports of tables without towns need it.
//!
//! # Decision
//!
//! A row without a town gets the post town of its ZIP, because nobody can find a home without one; the report counts
//! such rows. Turned down: the town of other points of the same street, which two towns may share.

use std::collections::HashMap;
use std::sync::LazyLock;

use shingle_domain::Zip;

use crate::packed_table::packed_table;

static TABLE: LazyLock<String> = LazyLock::new(|| shingle_packed::unpacked_text(packed_table!("post-towns")));

/// In the order of the ZIPs.
static TOWNS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
    rows.filter_map(|line| line.split_once(',')).collect()
});

/// Their names as they are compared: the spelling of the table, and the ZIPs in all states.
static NAMES: LazyLock<HashMap<String, (&str, Vec<&str>)>> = LazyLock::new(|| {
    let mut names: HashMap<String, (&str, Vec<&str>)> = HashMap::new();
    for (zip, town) in TOWNS.iter() {
        let named = names.entry(town.to_uppercase()).or_default();
        named.0 = town;
        named.1.push(zip);
    }
    names
});

/// A town of this name somewhere, in the spelling of the table. `None` for other names.
pub fn town_named(name: &str) -> Option<&'static str> {
    NAMES.get(&name.to_uppercase()).map(|(town, _)| *town)
}

/// The ZIPs whose mail is addressed to a town of this name, in all states; none of a name that the table does not have.
pub fn zips_of_town(name: &str) -> &'static [&'static str] {
    NAMES.get(&name.to_uppercase()).map_or(&[], |(_, zips)| zips)
}

pub fn post_town(zip: &Zip) -> Option<&'static str> {
    let at = TOWNS.binary_search_by_key(&zip.as_str(), |(zip, _)| zip).ok()?;
    TOWNS.get(at).map(|(_, town)| *town)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_zip_has_its_town_and_stands_once() {
        assert!(TOWNS.windows(2).all(|pair| pair[0].0 < pair[1].0), "rising");
        assert!(TOWNS.len() > 41_000 && TOWNS.iter().all(|(zip, town)| zip.len() == 5 && !town.trim().is_empty()));
        let town = |zip: &str| post_town(&Zip::parse(zip).unwrap());
        assert_eq!(
            (town("80302"), town("03244"), town("02138")),
            (Some("Boulder"), Some("Hillsborough"), Some("Cambridge"))
        );
        let named = |name| town_named(name);
        assert_eq!(
            (named("BOULDER"), named("new york"), named("ANN SAMPLE")),
            (Some("Boulder"), Some("New York"), None)
        );
        assert!(zips_of_town("richmond").contains(&"23220") && zips_of_town("Nowhere At All").is_empty());
        assert_eq!((town("00000"), town("09001"), town("99999")), (None, None, None));
    }
}
