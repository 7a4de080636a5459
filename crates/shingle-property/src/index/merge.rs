//! Makes one record of what several sources say of one place.
//!
//! **The rule.** Of a field that several sources know, the newest source is believed; a field that only one knows
//! is taken from it. Every fact keeps the source that said it. How new a source is says its `as_of`: a year, a
//! month or a date; a bare year or month counts as its first day, because a roll "of 2024" is drawn up as of
//! January 2024. An unreadable or missing `as_of` is older than any date, and invented data is older than all
//! that is recorded. What a data set of the whole country says counts as older than all that a local one says: the
//! county that draws and taxes a house knows it better than a collection that is published later. Of equally old sources the data set imported later is believed, and within one data set the
//! row that was read first.
//!
//! **Facts that hang together** come from one source when the sources contradict each other: both owners, the
//! mailing address and whether it is this house, date and price of the sale. Else the former owner's spouse
//! would own the house with the new owner.
//!
//! **What was not believed** is kept in [`Place::conflicts`] with its source, once per value, when it differs:
//! texts in more than case, spacing and punctuation, measures by more than half a per cent, all else at all.
//! Owners' names get there like any other value, so conflicts may be shown only where the record itself may.
//!
//! **Parcels** of one data set with one address do not melt into each other: owner, year and areas are one parcel's, by
//! [`PlaceMerger::choose_parcel`], and the numbers of the others are kept as conflicts. Of several rows of one parcel the
//! one sold last is believed, in whatever order they come. A row without a parcel number is of the parcel that it does not
//! contradict in what stays ([`is_another`]); where it contradicts all of them it is one more.
//!
//! **Buildings** are not mixed: two surveys of one house differ by decimetres and would be two houses. The newest
//! source that has any gives them all; rows of one data set that are equally new add up, each shape once, and those that
//! share a whole side are one house ([`super::attached`]).
//! Permits are united. The address is shown as the newest source with a ZIP writes it.
//!
//! **What is one place?** Rows with the same address key ([`super::one_place`] says which other rows are found).
//!
//! # Decisions
//!
//! - Among several sources the newest wins, field by field, by the mapping's `as_of`; a source without a date is the
//!   oldest. A national data set comes after every local one, whatever their dates: its manifest entry says that it
//!   is one. Turned down: dating it back, which would lie wherever dates are shown; a mark on every fact. Losing values stay as conflicts. Owner, mailing address and sale come from one source each, and so do
//!   outlines: two drawings of one house must not become two houses. Turned down: the order of data set names, which
//!   means nothing.
//! - Parcels of one data set at one address are not merged. One is the answer (a building before land, then the
//!   latest sale); the others' values are kept as conflicts. Rows without a parcel number are told apart by owner,
//!   year and area. Turned down: merging field by field, which combined one parcel's owner with another's year.

use std::collections::HashSet;

use jiff::civil::Date;
use shingle_domain::Usd;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::{Assessor, Building, Conflict, Fact, Permit, Place, Position, Source};

use super::attached::join_attached;
use super::building_plan::{move_by, sort_by_size};
use super::comparable::Comparable;
use super::record::shape;
use crate::geometry::offset;

/// No more parcels without a number are told apart at one address.
const MAX_UNNUMBERED: usize = 64;

/// No more conflicts are kept of one place: a thousand rows that share an address are a placeholder.
const MAX_CONFLICTS: usize = 48;

/// What a data set covers; the larger is believed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    National,
    Local,
}

/// How new a source is; larger is newer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Age {
    recorded: bool,
    reach: Reach,
    as_of: Option<Date>,
}

impl Age {
    fn of(source: &Source, reach: Reach) -> Self {
        Self { recorded: !source.invented, reach, as_of: source.as_of.as_deref().and_then(date) }
    }
}

/// `2024`, `2024-06`, `2024-06-30`, and what follows a `T`.
fn date(text: &str) -> Option<Date> {
    let mut parts = text.trim().split('T').next()?.split('-');
    let year = parts.next().filter(|y| y.len() == 4)?.parse().ok()?;
    let mut part = || parts.next().map_or(Some(1), |p| p.parse().ok());
    let (month, day) = (part()?, part()?);
    if parts.next().is_some() { None } else { Date::new(year, month, day).ok() }
}

/// Merges what is said of one place. Of equally new sources the one added first is believed.
pub(crate) struct PlaceMerger {
    place: Place,
    /// Of the place's sources.
    ages: Vec<Age>,
    shapes: HashSet<Vec<u8>>,
    rows_of_one_set: bool,
    /// What rows of one data set say of other parcels with this address.
    others: Vec<OtherParcel>,
    /// Whether the row being added is of a later sale than those before it.
    is_later: bool,
}

/// A parcel that shares the address of another.
struct OtherParcel {
    parcel: Option<String>,
    assessor: Assessor,
    conflicts: Vec<Conflict>,
}

impl PlaceMerger {
    /// For the rows of one data set, in the order they were read.
    pub(crate) fn rows(first: Place) -> Self {
        let shapes = first.buildings.iter().filter_map(|b| shape(b).ok()).collect();
        Self { shapes, rows_of_one_set: true, ..Self::sets(first, Reach::Local) }
    }

    /// For the records of several data sets, the one imported last first.
    fn sets(first: Place, reach: Reach) -> Self {
        let ages = first.sources.iter().map(|s| Age::of(s, reach)).collect();
        let (shapes, others) = (HashSet::new(), Vec::new());
        Self { place: first, ages, shapes, rows_of_one_set: false, others, is_later: false }
    }

    /// Adds a row of the same data set.
    pub(crate) fn add(&mut self, other: Place) {
        self.add_of(other, Reach::Local);
    }

    fn add_of(&mut self, mut other: Place, reach: Reach) {
        let one_source = without_surveys(&other).eq(without_surveys(&self.place));
        // A flight says nothing about how new a roll is.
        let theirs = without_surveys(&other).map(|source| Age::of(source, reach)).max();
        let before = self.newest_record();
        let numbers = self.renumber(&other.sources, reach);
        let other_is_newer = theirs > before;
        let knows_zip = |p: &Place| p.address.zip.is_known();
        let better = (knows_zip(&other), other_is_newer) > (knows_zip(&self.place), false);
        self.buildings(std::mem::take(&mut other.buildings), other.origin, &numbers);
        if better {
            self.place.address = other.address;
        }
        if self.rows_of_one_set && !self.is_of_this_parcel(other.parcel.as_ref(), &other.assessor, one_source) {
            self.permits(other.permits, &numbers);
            return self.other_parcel(other.parcel, other.assessor, &numbers);
        }
        self.parcel(other.parcel, &numbers, other_is_newer);
        self.place.unit = self.place.unit.take().or(other.unit);
        for conflict in other.conflicts {
            let source = number(&numbers, conflict.source);
            keep(&mut self.place.conflicts, Conflict { source, ..conflict });
        }
        self.permits(other.permits, &numbers);
        let mut assessor = std::mem::take(&mut self.place.assessor);
        self.assessor(&mut assessor, other.assessor, &numbers);
        self.place.assessor = assessor;
    }

    fn is_of_this_parcel(&self, parcel: Option<&String>, assessor: &Assessor, one_source: bool) -> bool {
        match (&self.place.parcel, parcel) {
            (Some(mine), Some(theirs)) => mine.is_same(theirs),
            (None, Some(theirs)) if self.numbered(theirs).is_some() => false,
            // Two sources may describe one parcel in two ways.
            _ => !one_source || !is_another(&self.place.assessor, assessor),
        }
    }

    fn numbered(&self, parcel: &String) -> Option<usize> {
        self.others.iter().position(|other| other.parcel.as_ref().is_some_and(|known| known.is_same(parcel)))
    }

    /// Adds what a row says of another parcel with this address to that parcel.
    fn other_parcel(&mut self, parcel: Option<String>, assessor: Assessor, numbers: &[u8]) {
        let known = match &parcel {
            Some(parcel) => self.numbered(parcel),
            None => self.others.iter().position(|other| !is_another(&other.assessor, &assessor)),
        };
        let at = known.unwrap_or_else(|| {
            // As many rows with one address are a placeholder: only a better one takes a place then.
            let last = self.others.len().saturating_sub(1);
            let is_full = parcel.is_none() && self.others.len() >= MAX_UNNUMBERED;
            if is_full && precedence(&assessor) <= precedence(&self.others[last].assessor) {
                return self.others.len();
            }
            if is_full {
                self.others.pop();
            }
            self.others.push(OtherParcel { parcel, assessor: Assessor::default(), conflicts: Vec::new() });
            self.others.len() - 1
        });
        if at == self.others.len() {
            return;
        }
        let mut into = std::mem::take(&mut self.others[at].assessor);
        std::mem::swap(&mut self.place.conflicts, &mut self.others[at].conflicts);
        self.assessor(&mut into, assessor, numbers);
        std::mem::swap(&mut self.place.conflicts, &mut self.others[at].conflicts);
        self.others[at].assessor = into;
    }

    /// Of several parcels one is the answer: one with a building before bare land, then the one sold last, then the one
    /// read first. The others are kept as conflicts: by their number, or by what they are where they have none.
    fn choose_parcel(&mut self) {
        let mut others = std::mem::take(&mut self.others);
        for other in &mut others {
            if precedence(&other.assessor) > precedence(&self.place.assessor) {
                std::mem::swap(&mut self.place.parcel, &mut other.parcel);
                std::mem::swap(&mut self.place.assessor, &mut other.assessor);
                std::mem::swap(&mut self.place.conflicts, &mut other.conflicts);
            }
        }
        let believed = std::mem::take(&mut self.place.assessor);
        for OtherParcel { parcel, assessor, .. } in others {
            match parcel {
                Some(value) => {
                    keep(&mut self.place.conflicts, Conflict { field: "parcel".to_owned(), value, source: 0 });
                }
                None => {
                    self.tell("primary_owner", &believed.primary_owner, assessor.primary_owner);
                    self.tell("year_built", &believed.year_built, assessor.year_built);
                    self.tell("living_area_sqft", &believed.living_area_sqft, assessor.living_area_sqft);
                }
            }
        }
        self.place.assessor = believed;
    }

    /// What another parcel is, beside what is known of the one that is the answer.
    fn tell<T: Comparable>(&mut self, field: &str, believed: &Option<Fact<T>>, other: Option<Fact<T>>) {
        if believed.is_some() {
            self.keep_conflict(field, believed, other);
        }
    }

    /// The place, its buildings largest first and its permits newest first.
    pub(crate) fn finish(mut self) -> Place {
        self.choose_parcel();
        let several_units = self.place.assessor.units.as_ref().is_some_and(|units| units.value > 1);
        if self.rows_of_one_set && !several_units {
            join_attached(&mut self.place.buildings);
        }
        sort_by_size(&mut self.place.buildings);
        // Its other buildings stand on the same lot, and need not say so again.
        self.place.buildings.iter_mut().skip(1).for_each(|building| building.lot.clear());
        self.place.permits.cold_sort_by(|a, b| b.issued.cmp(&a.issued));
        self.place
    }

    /// Of the sources that are no surveys, each by the reach of its data set.
    fn newest_record(&self) -> Option<Age> {
        let place = &self.place;
        (0..).zip(&self.ages).filter(|(at, _)| !is_survey(place, *at)).map(|(_, age)| *age).max()
    }

    fn age(&self, source: u8) -> Option<Age> {
        self.ages.get(usize::from(source)).copied()
    }

    /// Lists the sources of another record too, and says where each of them stands.
    fn renumber(&mut self, from: &[Source], reach: Reach) -> Vec<u8> {
        let mut numbers = Vec::with_capacity(from.len());
        for source in from {
            let at = self.place.sources.iter().position(|s| s == source).unwrap_or_else(|| {
                // A place with 256 sources: facts beyond them name the last.
                if self.place.sources.len() <= usize::from(u8::MAX) {
                    self.place.sources.push(source.clone());
                    self.ages.push(Age::of(source, reach));
                }
                self.place.sources.len() - 1
            });
            numbers.push(u8::try_from(at).unwrap_or(u8::MAX));
        }
        numbers
    }

    fn buildings(&mut self, others: Vec<Building>, origin: Option<Position>, numbers: &[u8]) {
        let mine = self.place.buildings.iter().map(|b| self.age(b.source)).max();
        let theirs = others.iter().map(|b| self.age(number(numbers, b.source))).max();
        let Some(theirs) = theirs else {
            self.place.origin = self.place.origin.or(origin);
            return;
        };
        if mine.is_none_or(|mine| theirs > mine) {
            self.place.buildings.clear();
            self.shapes.clear();
            self.place.origin = origin;
        } else if mine > Some(theirs) || !self.rows_of_one_set {
            return;
        }
        let shift = match (self.place.origin, origin) {
            (Some(from), Some(to)) => offset(from, to),
            _ => (0.0, 0.0),
        };
        for mut building in others {
            building.source = number(numbers, building.source);
            if let Some(survey) = &mut building.outline.survey {
                survey.source = number(numbers, survey.source);
            }
            move_by(&mut building, shift);
            if !self.rows_of_one_set || shape(&building).is_ok_and(|s| self.shapes.insert(s)) {
                self.place.buildings.push(building);
            }
        }
    }

    fn parcel(&mut self, other: Option<String>, numbers: &[u8], other_is_newer: bool) {
        let Some(theirs) = other else { return };
        let source = numbers.first().copied().unwrap_or_default();
        match &mut self.place.parcel {
            None => self.place.parcel = Some(theirs),
            Some(mine) if mine.is_same(&theirs) => {}
            Some(mine) => {
                let (value, source) =
                    if other_is_newer { (std::mem::replace(mine, theirs), 0) } else { (theirs, source) };
                keep(&mut self.place.conflicts, Conflict { field: "parcel".to_owned(), value, source });
            }
        }
    }

    fn permits(&mut self, other: Vec<Permit>, numbers: &[u8]) {
        for permit in other {
            let permit = Permit { source: number(numbers, permit.source), ..permit };
            let known = self.place.permits.iter_mut().find(|p| {
                let contractors = p.contractor.as_ref().zip(permit.contractor.as_ref());
                p.kind == permit.kind && p.issued == permit.issued && contractors.is_none_or(|(a, b)| a.is_same(b))
            });
            match known {
                Some(known) if known.contractor.is_none() => *known = permit,
                Some(_) => {}
                None => self.place.permits.push(permit),
            }
        }
    }

    fn assessor(&mut self, into: &mut Assessor, mut from: Assessor, numbers: &[u8]) {
        let sales = into.sale_date.as_ref().zip(from.sale_date.as_ref());
        self.is_later = self.rows_of_one_set && sales.is_some_and(|(mine, theirs)| theirs.value > mine.value);
        macro_rules! each {
            ($do:ident: $($field:ident),+ $(,)?) => { $($do!($field);)+ };
        }
        macro_rules! renumbered {
            ($field:ident) => {
                if let Some(fact) = &mut from.$field {
                    fact.source = number(numbers, fact.source);
                }
            };
        }
        macro_rules! alone {
            ($field:ident) => {
                self.fact(stringify!($field), &mut into.$field, from.$field.take())
            };
        }
        macro_rules! together {
            ($a:ident, $b:ident) => {
                if contradicts(&into.$a, &from.$a) || contradicts(&into.$b, &from.$b) {
                    let newest = |a: Option<u8>, b: Option<u8>| a.into_iter().chain(b).map(|s| self.age(s)).max();
                    let of = |r: &Assessor| newest(r.$a.as_ref().map(|f| f.source), r.$b.as_ref().map(|f| f.source));
                    if (of(&from), self.is_later) > (of(into), false) {
                        std::mem::swap(&mut into.$a, &mut from.$a);
                        std::mem::swap(&mut into.$b, &mut from.$b);
                    }
                    self.keep_conflict(stringify!($a), &into.$a, from.$a.take());
                    self.keep_conflict(stringify!($b), &into.$b, from.$b.take());
                } else {
                    alone!($a);
                    alone!($b);
                }
            };
        }
        // Naming every field makes a new one a compile error here.
        macro_rules! all {
            (pairs: $(($a:ident, $b:ident)),+; single: $($field:ident),+ $(,)?) => {
                let Assessor { $($a: _, $b: _,)+ $($field: _),+ } = &from;
                each!(renumbered: $($a, $b,)+ $($field),+);
                $(together!($a, $b);)+
                each!(alone: $($field),+);
            };
        }
        all!(
            pairs: (primary_owner, secondary_owner), (mailing_address, mailed_here), (sale_date, sale_price);
            single: residential_exemption, year_built, storeys, living_area_sqft, building_area_sqft,
            ground_floor_sqft, garage, roof_type, roof_material, style, wall_type, grade, units, property_class,
            property_type, zoning, county, subdivision, school_district, heat_fuel, assessed_value, building_value,
            tax_delinquent,
        );
    }

    /// One field: the newer fact stays, the other is kept as a conflict if it differs.
    fn fact<T: Comparable>(&mut self, field: &str, into: &mut Option<Fact<T>>, from: Option<Fact<T>>) {
        let Some(mut theirs) = from else { return };
        match into {
            None => *into = Some(theirs),
            Some(mine) => {
                if (self.age(theirs.source), self.is_later) > (self.age(mine.source), false) {
                    std::mem::swap(mine, &mut theirs);
                }
                self.keep_conflict(field, into, Some(theirs));
            }
        }
    }

    /// Keeps a fact that was not believed, unless it says the same.
    fn keep_conflict<T: Comparable>(&mut self, field: &str, believed: &Option<Fact<T>>, other: Option<Fact<T>>) {
        if let Some(believed) = believed {
            // What was a conflict before may be what is believed now.
            let value = believed.value.shown();
            self.place.conflicts.retain(|c| c.field != field || !T::is_same_shown(&c.value, &value));
        }
        if let Some(other) = other
            && !believed.as_ref().is_some_and(|b| b.value.is_same(&other.value))
        {
            let value = other.value.shown();
            keep(&mut self.place.conflicts, Conflict { field: field.to_owned(), value, source: other.source });
        }
    }
}

/// The same place of several data sets, the one imported last first.
pub(crate) fn across(places: impl IntoIterator<Item = (Place, Reach)>) -> Option<Place> {
    let mut places = places.into_iter();
    let (first, reach) = places.next()?;
    let Some((second, its_reach)) = places.next() else { return Some(first) };
    let mut joined = PlaceMerger::sets(first, reach);
    joined.add_of(second, its_reach);
    places.for_each(|(place, reach)| joined.add_of(place, reach));
    Some(joined.finish())
}

/// Whether two rows without parcel numbers are of two parcels: what was built there differs, or who owns it, unless a sale of
/// each says that one owner followed the other.
fn is_another(a: &Assessor, b: &Assessor) -> bool {
    let sold = a.sale_date.is_some() && b.sale_date.is_some();
    contradicts(&a.year_built, &b.year_built)
        || contradicts(&a.living_area_sqft, &b.living_area_sqft)
        || contradicts(&a.building_area_sqft, &b.building_area_sqft)
        || !sold && contradicts(&a.primary_owner, &b.primary_owner)
}

/// What decides between parcels with one address; larger is the answer.
fn precedence(assessor: &Assessor) -> (bool, Option<&str>) {
    let Assessor { year_built, living_area_sqft, building_area_sqft, storeys, building_value, .. } = assessor;
    let is_built = year_built.is_some()
        || living_area_sqft.is_some()
        || building_area_sqft.is_some()
        || storeys.is_some()
        || building_value.as_ref().is_some_and(|value| value.value > Usd::from_cents(0));
    (is_built, assessor.sale_date.as_ref().map(|date| date.value.as_str()))
}

/// The sources of a place but those that only measured its roof, which not every row of a data set has.
fn without_surveys(place: &Place) -> impl Iterator<Item = &Source> {
    (0..).zip(&place.sources).filter(|(at, _)| !is_survey(place, *at)).map(|(_, source)| source)
}

fn is_survey(place: &Place, source: usize) -> bool {
    let mut surveys = place.buildings.iter().filter_map(|building| building.outline.survey);
    surveys.any(|survey| usize::from(survey.source) == source)
}

fn number(numbers: &[u8], source: u8) -> u8 {
    numbers.get(usize::from(source)).copied().unwrap_or(source)
}

fn contradicts<T: Comparable>(a: &Option<Fact<T>>, b: &Option<Fact<T>>) -> bool {
    a.as_ref().zip(b.as_ref()).is_some_and(|(a, b)| !a.value.is_same(&b.value))
}

fn keep(conflicts: &mut Vec<Conflict>, new: Conflict) {
    let known = |c: &Conflict| c.field == new.field && c.value.is_same(&new.value);
    if conflicts.len() < MAX_CONFLICTS && !conflicts.iter().any(known) {
        conflicts.push(new);
    }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
