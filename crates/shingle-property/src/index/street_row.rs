//! A street of a file, and the keys of its homes.

use shingle_address::{KeyHash, Normalized};

use super::packed::RowId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StreetRow {
    pub id: i64,
    pub predir: String,
    pub name: String,
    pub suffix: String,
    pub postdir: String,
    pub zip: String,
    pub city: String,
    /// The named place in the town, where addresses say it.
    pub place: String,
}

impl StreetRow {
    /// The sum that tells a row that is not as it was written.
    pub fn sum(&self) -> i32 {
        let Self { id, predir, name, suffix, postdir, zip, city, place } = self;
        RowId(*id).sum_of([predir, name, suffix, postdir, zip, city, place].map(String::as_str))
    }

    /// The key hash of one of its plain houses.
    pub fn key_of_plain(&self, number: u32) -> u64 {
        let Self { predir, name, suffix, postdir, zip, city, place, .. } = self;
        StreetKey::of(predir, name, suffix, postdir, zip, city, place).of_plain(number)
    }
}

/// What the keys of a street's homes have in common.
pub(super) struct StreetKey {
    street: Normalized,
    area: String,
}

impl StreetKey {
    pub fn of(predir: &str, name: &str, suffix: &str, postdir: &str, zip: &str, city: &str, place: &str) -> Self {
        let street = Normalized {
            predir: predir.to_owned(),
            name: name.to_owned(),
            suffix: suffix.to_owned(),
            postdir: postdir.to_owned(),
            place: place.to_owned(),
            ..Normalized::default()
        };
        Self { street, area: if zip.is_empty() { city } else { zip }.to_owned() }
    }

    /// The key hash of a house without units, whose number is digits only.
    pub fn of_plain(&mut self, number: u32) -> u64 {
        self.street.number = number.to_string();
        KeyHash::of(&self.street.key_in(&self.area)).hash
    }
}
