//! Columns of codes: only the county's own list says what each means, so they are asked about and never guessed.

use crate::draft::headings::FACTS;
use crate::draft::pattern::pattern;
use crate::draft::profile::Profile;
use crate::draft::roles::Roles;
use crate::draft::use_codes;
use crate::draft::writing::{MARK, Toml, clean, patterns_of, quoted};

/// Fields whose words are ours, and these words.
const FIELDS: [(&str, &str); 4] = [
    (
        "property_class",
        "singleFamily, twoToFourUnits, condominium, apartments, mobileHome, mixedResidential, vacantLand, commercial, other",
    ),
    ("roof_type", "flat, shed, gable, hip, gambrel, mansard"),
    ("heat_fuel", "gas, oil, propane, electric, other"),
    ("grade", "belowAverage, average, aboveAverage"),
];

/// Of cells that words are looked for in: where fewer have one, they are codes.
const LEAST_WORDED: f64 = 0.3;
/// Longer cells are words.
const MAX_CODE: usize = 8;
/// Different codes of a list, and those that a line names.
const MAX_CODES: usize = 150;
const NAMED: usize = 12;

/// The field's column, if it holds codes.
pub(super) struct Coded<'r, 'a> {
    key: &'static str,
    means: &'static str,
    profile: &'r Profile<'a>,
}

impl<'r, 'a> Coded<'r, 'a> {
    pub fn all(roles: &'r Roles<'a>) -> Vec<Self> {
        let coded = FIELDS.into_iter().filter_map(|(key, means)| {
            let profile = match roles.get(key) {
                Some(chosen) => Some(chosen.profile).filter(|p| has_codes(key, p))?,
                None => free_column(roles, key)?,
            };
            Some(Self { key, means, profile })
        });
        coded.collect()
    }

    pub fn key(&self) -> &'static str {
        self.key
    }

    /// A line to uncomment once its codes are filled in.
    pub fn write(&self, toml: &mut Toml) {
        let codes = self.profile.by_frequency();
        let named: Vec<String> =
            codes.iter().take(NAMED).map(|(code, _)| format!("{} = \"…\"", quoted(&clean(code)))).collect();
        let more = codes.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let otherwise = if self.key == "property_class" { ", otherwise = \"other\"" } else { "" };
        toml.comment(&format!(
            "{} = {{ column = {}, codes = {{ {} }}{otherwise} }}  {MARK} the county's list says what its codes{more} mean; \
             write for each one of: {}",
            self.key,
            quoted(&self.profile.column.name),
            named.join(", "),
            self.means,
        ));
    }
}

fn has_codes(key: &str, profile: &Profile<'_>) -> bool {
    let words: Vec<_> = patterns_of(key).iter().filter_map(|text| pattern(&format!("(?i){text}"))).collect();
    let is_short = profile.part(|c| c.len() <= MAX_CODE) > 0.9;
    is_short
        && (2..=MAX_CODES).contains(&profile.distinct)
        && profile.part(|c| words.iter().any(|word| word.is_match(c))) < LEAST_WORDED
}

/// A column without a part that has the field's heading.
fn free_column<'r, 'a>(roles: &'r Roles<'a>, key: &str) -> Option<&'r Profile<'a>> {
    let own = FACTS.iter().find(|meaning| meaning.key == key)?.headings.iter().copied();
    let of_use = (key == "property_class").then_some(use_codes::HEADING);
    let headings: Vec<_> = own.chain(of_use).filter_map(pattern).collect();
    let fits = |p: &&Profile<'_>| {
        p.share >= 0.3 && p.called().any(|called| headings.iter().any(|h| h.is_match(called))) && has_codes(key, p)
    };
    roles.free().find(fits)
}
