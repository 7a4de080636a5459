//! Which column is what: every pair of a meaning and a column has a score, and the best pair is taken first.

use shingle_domain::cold_sort::ColdSort as _;
use std::collections::HashMap;

use crate::draft::headings::{ADDRESS, FACTS, Meaning, NOT_THE_HOME, PARCEL, SUPPORTING};
use crate::draft::pattern::{Pattern, pattern};
use crate::draft::profile::{Content, Profile};
use crate::draft::sample::Sample;

/// Of a score, the heading's part; the cells have the rest.
const HEADING_PART: f64 = 0.7;
/// What each later heading of a meaning is worth less.
const LATER_HEADING: f64 = 0.12;
/// What a heading is worth less for each word that was taken off it.
const BARED_HEADING: f64 = 0.03;
/// Cells that fit less are of something else, whatever the heading.
const LEAST_FIT: f64 = 0.5;
const LEAST_CELLS: usize = 20;
/// Below it a column is marked as doubtful.
const SURE: f64 = 0.8;

pub(super) struct Roles<'a> {
    pub profiles: Vec<Profile<'a>>,
    /// By the meaning's key: the column and the score.
    chosen: HashMap<&'static str, (usize, f64)>,
    /// By the meaning's key: every column that it might be, the best first.
    possible: HashMap<&'static str, Vec<usize>>,
}

/// A column with its part in the mapping.
#[derive(Clone, Copy)]
pub(super) struct Chosen<'r, 'a> {
    pub profile: &'r Profile<'a>,
    pub is_doubtful: bool,
    /// What it would be without this column.
    pub second: Option<&'r Profile<'a>>,
}

impl Chosen<'_, '_> {
    pub fn name(&self) -> &str {
        &self.profile.column.name
    }
}

impl<'a> Roles<'a> {
    pub fn of(sample: &'a Sample) -> Self {
        let profiles: Vec<Profile<'a>> = sample.columns.iter().map(Profile::of).collect();
        let owners = pattern(NOT_THE_HOME);
        let mut pairs = Vec::new();
        let all = ADDRESS.iter().map(|m| (m, true)).chain([(&PARCEL, false)]);
        for (meaning, of_home) in all.chain(FACTS.iter().chain(&SUPPORTING).map(|m| (m, false))) {
            let headings: Vec<Option<Pattern>> = meaning.headings.iter().map(|h| pattern(h)).collect();
            for (at, profile) in profiles.iter().enumerate() {
                let is_owners = owners.as_ref().is_some_and(|o| o.is_match(&profile.heading));
                if of_home && is_owners {
                    continue;
                }
                if let Some(score) = score(meaning, &headings, profile) {
                    pairs.push((score, meaning.key, at));
                }
            }
        }
        pairs.cold_sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
        let mut it = Self { profiles, chosen: HashMap::new(), possible: HashMap::new() };
        for (score, key, at) in pairs {
            it.possible.entry(key).or_default().push(at);
            it.choose(key, at, score);
        }
        it.find_by_cells();
        it.find_directions();
        it.settle_repeated();
        it.settle_the_street();
        it
    }

    fn choose(&mut self, key: &'static str, at: usize, score: f64) {
        if !self.chosen.contains_key(key) && self.chosen.values().all(|c| c.0 != at) {
            self.chosen.insert(key, (at, score));
        }
    }

    /// Lines and parcels that no heading tells.
    fn find_by_cells(&mut self) {
        let owners = pattern(NOT_THE_HOME);
        let free = |it: &Self, at: usize| {
            it.chosen.values().all(|c| c.0 != at)
                && !owners.as_ref().is_some_and(|o| o.is_match(&it.profiles[at].heading))
        };
        if !self.has_address() {
            let fit = |it: &Self, at: &usize| it.profiles[*at].fits(Content::Line) * it.profiles[*at].share;
            let best = (0..self.profiles.len()).filter(|at| free(self, *at));
            let best = best.max_by(|a, b| fit(self, a).total_cmp(&fit(self, b)));
            if let Some(at) = best.filter(|at| fit(self, at) > LEAST_FIT) {
                self.choose("line", at, 0.0);
            }
        }
        for (key, content) in [("zip", Content::Zip), ("city", Content::Town)] {
            // A few rows are too few to recognize a column by its cells alone.
            let fits = |p: &Profile<'_>| p.filled.len() >= LEAST_CELLS && p.share > 0.5 && p.fits(content) > 0.9;
            if !self.has(key)
                && let Some(at) = (0..self.profiles.len()).find(|at| free(self, *at) && fits(&self.profiles[*at]))
            {
                self.choose(key, at, 0.0);
            }
        }
        if !self.has("parcel")
            && let Some(at) = (0..self.profiles.len()).find(|at| free(self, *at) && is_parcel_like(&self.profiles[*at]))
        {
            self.choose("parcel", at, 0.0);
        }
    }

    /// A direction that is left out makes another street of a street: whatever column holds them is one, whatever it is called.
    fn find_directions(&mut self) {
        if !self.has("street") {
            return;
        }
        let owners = pattern(NOT_THE_HOME);
        for at in 0..self.profiles.len() {
            let profile = &self.profiles[at];
            let is_free = self.chosen.values().all(|c| c.0 != at)
                && !owners.as_ref().is_some_and(|o| o.is_match(&profile.heading));
            if is_free && !profile.filled.is_empty() && profile.fits(Content::Direction) > 0.95 {
                let behind = ["suf", "post", "after", "end"].iter().any(|word| profile.heading.contains(word));
                self.choose(if behind { "street_post_direction" } else { "street_pre_direction" }, at, 0.0);
            }
        }
    }

    /// Of several columns with one heading the home's town, state and ZIP are those that differ least from row to row, else
    /// those nearest to its street: owners live anywhere.
    fn settle_repeated(&mut self) {
        let street = ["street", "number", "line"].iter().find_map(|key| self.chosen.get(key)).map_or(0, |c| c.0);
        let chosen = ["city", "state", "zip"].map(|key| (key, self.chosen.get(key).copied()));
        let alike = |of: usize| -> Vec<usize> {
            (0..self.profiles.len()).filter(|at| self.profiles[*at].heading == self.profiles[of].heading).collect()
        };
        let columns: Vec<(&'static str, f64, Vec<usize>)> =
            chosen.into_iter().filter_map(|(key, chosen)| Some((key, chosen?.1, alike(chosen?.0)))).collect();
        // The owner's three stand together, and so do the home's.
        let order = |nth: &usize| {
            let theirs = || columns.iter().filter_map(|(_, _, alike)| alike.get(*nth).or(alike.first()));
            let same = |at: &usize| self.profiles[*at].most_frequent().map_or(0.0, |(_, share)| share);
            let sameness: f64 = theirs().map(same).sum();
            let distance: usize = theirs().map(|at| at.abs_diff(street)).sum();
            ((sameness * 20.0).round() as i64, std::cmp::Reverse(distance))
        };
        let most = columns.iter().map(|(_, _, alike)| alike.len()).max().unwrap_or_default();
        let Some(nth) = (0..most).max_by_key(order).filter(|_| most > 1) else { return };
        for (key, score, alike) in columns {
            if let Some(at) = alike.get(nth).or(alike.first()) {
                self.chosen.insert(key, (*at, score));
            }
        }
    }

    /// Whether most lines end in the town or the ZIP of their row, which have columns of their own.
    fn line_repeats_the_place(&self) -> bool {
        let cells = |key: &str| self.get(key).map(|c| &c.profile.column.cells);
        let (Some(lines), Some(towns), Some(zips)) = (cells("line"), cells("city"), cells("zip")) else { return false };
        let ends = |(at, line): (usize, &String)| {
            let line = line.to_uppercase();
            let has = |cell: &str| !cell.is_empty() && line.ends_with(&cell.to_uppercase());
            let zip = zips[at].get(..5).unwrap_or_default();
            // ZIP+4 too.
            let last = line.rsplit(' ').next().unwrap_or_default();
            has(&towns[at]) || has(&zips[at]) || (!zip.is_empty() && last.starts_with(zip))
        };
        let filled = lines.iter().filter(|line| !line.is_empty()).count();
        lines.iter().enumerate().filter(|row| ends(*row)).count() * 2 > filled
    }

    /// Either a line, or a number and a street: what reads more rows.
    fn settle_the_street(&mut self) {
        let share = |key: &str| self.get(key).map_or(0.0, |c| c.profile.share);
        let parts = share("number").min(share("street"));
        let line = self.get("line").map_or(0.0, |c| c.profile.fits(Content::Line) * c.profile.share);
        let is_best_in_parts = line + 0.02 < parts || (line < parts + 0.02 && self.line_repeats_the_place());
        if line > 0.0 && is_best_in_parts {
            self.chosen.remove("line");
        } else if line > 0.0 {
            self.chosen.remove("number");
            self.chosen.remove("street");
        } else {
            self.chosen.remove("line");
        }
    }

    pub fn has(&self, key: &str) -> bool {
        self.chosen.contains_key(key)
    }

    pub fn get(&self, key: &str) -> Option<Chosen<'_, 'a>> {
        let &(at, score) = self.chosen.get(key)?;
        let others = self.possible.get(key).into_iter().flatten().filter(|other| **other != at);
        let second = others.map(|other| &self.profiles[*other]).find(|p| p.share > 0.0);
        let is_full = self.profiles[at].share >= least_filled(key);
        Some(Chosen { profile: &self.profiles[at], is_doubtful: score < SURE || !is_full, second })
    }

    /// Columns without a part.
    pub fn free(&self) -> impl Iterator<Item = &Profile<'a>> {
        let is_free = |at: usize| self.chosen.values().all(|chosen| chosen.0 != at);
        self.profiles.iter().enumerate().filter(move |(at, _)| is_free(*at)).map(|(_, profile)| profile)
    }

    pub fn has_address(&self) -> bool {
        self.has("line") || (self.has("number") && self.has("street"))
    }

    /// The column of that name is the parcel's id, because its values are those of another file.
    pub fn set_parcel(&mut self, name: &str) {
        if let Some(at) = self.profiles.iter().position(|p| p.column.name == name) {
            self.chosen.insert("parcel", (at, 1.0));
        }
    }
}

/// The share of rows that have it in a whole table: with less of it the column is a wrong one, or a part of the rows needs
/// another.
fn least_filled(key: &str) -> f64 {
    match key {
        "line" | "number" | "street" | "city" | "state" | "zip" | "parcel" | "longitude" | "latitude"
        | "primary_owner" | "property_class" | "assessed_value" => 0.9,
        // Land has none.
        "year_built" | "living_area_sqft" | "storeys" => 0.5,
        // Most have none.
        "unit"
        | "secondary_owner"
        | "number_suffix"
        | "street_pre_modifier"
        | "street_pre_direction"
        | "street_pre_type"
        | "street_post_direction"
        | "street_post_modifier"
        | "tax_delinquent" => 0.0,
        _ => 0.3,
    }
}

/// `None` where the heading or the cells say that it is something else.
fn score(meaning: &Meaning, headings: &[Option<Pattern>], profile: &Profile<'_>) -> Option<f64> {
    let at = |called: &str| headings.iter().position(|h| h.as_ref().is_some_and(|h| h.is_match(called)));
    let loss =
        |(bared, called): (i32, &str)| Some(LATER_HEADING * at(called)? as f64 + BARED_HEADING * f64::from(bared));
    let heading = 1.0 - (0..).zip(profile.called()).filter_map(loss).min_by(f64::total_cmp)?;
    // `STREET_SUFFIX` is the kind of street, of numbers only if its cells are not kinds of street.
    if meaning.key == "number_suffix" && profile.fits(Content::StreetType) > LEAST_FIT {
        return None;
    }
    let fit = profile.fits(meaning.content);
    (fit >= LEAST_FIT).then_some(HEADING_PART * heading + (1.0 - HEADING_PART) * fit * profile.share.max(0.3))
}

/// Nearly always there, of one form, with digits, without spaces, and neither a counter nor a word of few.
fn is_parcel_like(profile: &Profile<'_>) -> bool {
    let is_id = |c: &str| c.len() >= 7 && !c.contains(' ') && c.bytes().filter(u8::is_ascii_digit).count() >= 5;
    profile.share > 0.8
        && profile.part(is_id) > 0.9
        && profile.part(|c| c.contains('.') && c.parse::<f64>().is_ok()) < 0.1
        && profile.distinct * 5 > profile.filled.len()
        && profile.distinct < profile.filled.len()
        && profile.dates().1 < 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_of_a_heading_is_one() {
        let all = ADDRESS.iter().chain(&FACTS).chain(&SUPPORTING).chain([&PARCEL]);
        for text in all.flat_map(|m| m.headings).chain([&NOT_THE_HOME]) {
            assert!(pattern(text).is_some(), "{text}");
        }
    }
}
