//! The kind, size and age of the home: as recorded, or assumed and marked so.

use shingle_domain::Evidence;
use shingle_domain::area::{HeatingHabit, HomeKind, Vintage};
use shingle_domain::evidence::{Assessor, Fact, PropertyClass};
use shingle_domain::time::Timestamp;

use crate::apartments::is_of_apartments;
use crate::no_home::is_no_home;
use crate::roof;

/// The survey's range; sizes outside are counted as its ends.
const SQFT: core::ops::RangeInclusive<f64> = 300.0..=8_000.0;

/// Plausible recorded sizes, square feet; anything else is an error in the record.
const RECORDED_SQFT: core::ops::RangeInclusive<f64> = 100.0..=100_000.0;

/// Of unknown use and with a larger floor it is more likely a store or a warehouse than one home.
const MAX_UNCLASSED_SQFT: f64 = 12_000.0;

/// A building of unknown use with a larger ground plan is not a home.
const MAX_HOME_PLAN_SQFT: f64 = 8_000.0;

/// One household's home, as the models see it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Home {
    pub kind: HomeKind,
    /// Whether the record says what kind of property it is.
    pub kind_recorded: bool,
    pub size: Size,
    pub era: BuildingAge,
}

impl Home {
    /// Square feet, within the survey's range.
    pub fn sqft(&self) -> f64 {
        self.size.sqft.clamp(*SQFT.start(), *SQFT.end())
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    /// Square feet, before the survey's range is applied.
    pub sqft: f64,
    pub basis: SizeBasis,
    /// Households that share the recorded area.
    pub shared_by: u16,
}

impl Size {
    /// One standard error of ln size.
    pub fn sigma(&self) -> f64 {
        match self.basis {
            SizeBasis::Living | SizeBasis::Building => 0.0,
            SizeBasis::Outline { storeys_recorded: true } => 0.15,
            SizeBasis::Outline { storeys_recorded: false } => 0.3,
            SizeBasis::Usual => 0.5,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SizeBasis {
    Living,
    Building,
    /// Ground plan times storeys.
    Outline {
        storeys_recorded: bool,
    },
    /// Nobody says: the usual size of such a home.
    Usual,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BuildingAge {
    Known(Vintage),
    /// Unknown: shares of the ages, adding up to 1.
    Pooled([(Vintage, f64); 4]),
}

/// Why a matched property has no household.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotAHome {
    Vacant,
    Commercial,
    NotResidential,
    /// Neither class nor size nor age nor outline.
    NothingKnown,
    /// Of unknown use, and too large for a home.
    TooLarge,
}

const VINTAGES: [Vintage; 4] =
    [Vintage::Before1950, Vintage::From1950To1979, Vintage::From1980To1999, Vintage::From2000];

pub(crate) fn home(evidence: &Evidence, now: Timestamp) -> Result<Home, NotAHome> {
    let assessor = &evidence.place.assessor;
    let (kind, kind_recorded) = kind(evidence)?;
    let size = size(evidence, kind, kind_recorded)?;
    Ok(Home { kind, kind_recorded, size, era: era(assessor, kind, &evidence.area.heating.habits, now) })
}

fn kind(evidence: &Evidence) -> Result<(HomeKind, bool), NotAHome> {
    let assessor = &evidence.place.assessor;
    let units = units(assessor);
    let lived_in = recorded(&assessor.living_area_sqft).is_some();
    let by_units = |fallback| match units {
        Some(1) => one_home(assessor),
        Some(2..=4) => HomeKind::TwoToFourUnits,
        Some(_) => HomeKind::FiveOrMoreUnits,
        None => fallback,
    };
    let of_class = |class| match class {
        PropertyClass::SingleFamily => Ok(one_home(assessor)),
        PropertyClass::TwoToFourUnits => Ok(HomeKind::TwoToFourUnits),
        // A condominium's record counts its own one unit, not the building's.
        PropertyClass::Condominium if is_attached(assessor) => Ok(HomeKind::Attached),
        PropertyClass::Condominium if matches!(units, Some(2..=4)) => Ok(HomeKind::TwoToFourUnits),
        PropertyClass::Condominium => Ok(HomeKind::FiveOrMoreUnits),
        PropertyClass::Apartments if matches!(units, Some(2..=4)) => Ok(HomeKind::TwoToFourUnits),
        PropertyClass::Apartments => Ok(HomeKind::FiveOrMoreUnits),
        PropertyClass::MobileHome => Ok(HomeKind::Mobile),
        PropertyClass::MixedResidential => Ok(by_units(HomeKind::TwoToFourUnits)),
        PropertyClass::VacantLand => Err(NotAHome::Vacant),
        PropertyClass::Commercial => Err(NotAHome::Commercial),
        PropertyClass::Other if is_no_home(evidence) => Err(NotAHome::NotResidential),
        PropertyClass::Other if lived_in => Ok(by_units(one_home(assessor))),
        PropertyClass::Other => Err(NotAHome::NotResidential),
    };
    if let Some(class) = &assessor.property_class {
        return of_class(class.value).map(|kind| (kind, class.value != PropertyClass::Other));
    }
    if is_no_home(evidence) {
        return Err(NotAHome::NotResidential);
    }
    let something = lived_in
        || units.is_some()
        || year(assessor).is_some()
        || recorded(&assessor.building_area_sqft).is_some()
        || recorded(&assessor.ground_floor_sqft).is_some()
        || assessor.heat_fuel.is_some()
        || roof::home_plan(evidence).is_some();
    if !something {
        return Err(NotAHome::NothingKnown);
    }
    if is_of_apartments(evidence) {
        return Ok((HomeKind::FiveOrMoreUnits, true));
    }
    let fallback = if evidence.place.unit.is_some() { HomeKind::FiveOrMoreUnits } else { one_home(assessor) };
    Ok((by_units(fallback), units.is_some()))
}

fn one_home(assessor: &Assessor) -> HomeKind {
    if is_attached(assessor) { HomeKind::Attached } else { HomeKind::Detached }
}

/// A row house, a town house or half of a pair, in the words of assessors.
fn is_attached(assessor: &Assessor) -> bool {
    const WORDS: [&str; 12] = [
        "row",
        "rowhouse",
        "rowhome",
        "townhouse",
        "townhome",
        "town",
        "attached",
        "semi",
        "semidetached",
        "twin",
        "duplex",
        "attchd",
    ];
    [&assessor.style, &assessor.property_type]
        .into_iter()
        .flatten()
        .any(|fact| fact.value.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word)))
}

fn units(assessor: &Assessor) -> Option<u16> {
    assessor.units.as_ref().map(|u| u.value).filter(|u| (1..=2_000).contains(u))
}

fn recorded(fact: &Option<Fact<f64>>) -> Option<f64> {
    fact.as_ref().map(|f| f.value).filter(|sqft| RECORDED_SQFT.contains(sqft))
}

/// The home's own area. In a house of several homes the record is of the house, so that the area is shared,
/// unless the record is of one unit.
fn size(evidence: &Evidence, kind: HomeKind, kind_recorded: bool) -> Result<Size, NotAHome> {
    let assessor = &evidence.place.assessor;
    let class = assessor.property_class.as_ref().map(|c| c.value);
    let own_record = evidence.place.unit.is_some() || class == Some(PropertyClass::Condominium);
    let households = match (kind, own_record) {
        (HomeKind::TwoToFourUnits, false) => Some(units(assessor).filter(|u| *u >= 2).unwrap_or(2)),
        (HomeKind::FiveOrMoreUnits, false) => units(assessor).filter(|u| *u >= 2),
        _ => Some(1),
    };
    let usual = Size { sqft: usual_sqft(kind), basis: SizeBasis::Usual, shared_by: 1 };
    let Some(households) = households else { return Ok(usual) };
    // Large houses of many homes are past what one home can be: their limit grows with the homes.
    let within = |fact: &Option<Fact<f64>>| {
        let sqft = fact.as_ref()?.value / f64::from(households);
        RECORDED_SQFT.contains(&sqft).then_some(sqft)
    };
    let sized = |sqft, basis| Size { sqft, basis, shared_by: households };
    if let Some(sqft) = within(&assessor.living_area_sqft) {
        let is_classed = class.is_some_and(|class| class != PropertyClass::Other);
        if !is_classed && sqft > MAX_UNCLASSED_SQFT {
            return Err(NotAHome::TooLarge);
        }
        return Ok(sized(sqft, SizeBasis::Living));
    }
    // The floor of a shop is not that of the flat above it.
    if class != Some(PropertyClass::MixedResidential)
        && let Some(sqft) = within(&assessor.building_area_sqft)
    {
        return Ok(sized(sqft, SizeBasis::Building));
    }
    let whole_house = !own_record && !matches!(kind, HomeKind::FiveOrMoreUnits | HomeKind::Attached);
    match roof::home_plan(evidence) {
        Some(plan) if !kind_recorded && plan.plan_sqft > MAX_HOME_PLAN_SQFT => Err(NotAHome::TooLarge),
        Some(plan) if whole_house && class != Some(PropertyClass::MixedResidential) && plan.own_parcel => {
            let sqft = plan.floor_sqft / f64::from(households);
            let basis = SizeBasis::Outline { storeys_recorded: plan.storeys_recorded };
            Ok(if RECORDED_SQFT.contains(&sqft) { sized(sqft, basis) } else { usual })
        }
        _ => Ok(usual),
    }
}

/// Rounded: homes of the 2015 survey have 2,012 sq ft on average, detached ones more, flats far less. A home
/// half or twice as large would use 19 % less or 24 % more electricity.
fn usual_sqft(kind: HomeKind) -> f64 {
    match kind {
        HomeKind::Detached => 2_000.0,
        HomeKind::Attached => 1_600.0,
        HomeKind::TwoToFourUnits => 1_100.0,
        HomeKind::FiveOrMoreUnits => 850.0,
        HomeKind::Mobile => 1_100.0,
    }
}

fn year(assessor: &Assessor) -> Option<u16> {
    assessor.year_built.as_ref().map(|y| y.value).filter(|y| *y >= 1600)
}

/// An unknown age is that of the survey's homes of the kind in the division, or of all ages alike where the
/// survey says nothing.
fn era(assessor: &Assessor, kind: HomeKind, habits: &[HeatingHabit], now: Timestamp) -> BuildingAge {
    if let Some(year) = year(assessor).filter(|y| i32::from(*y) <= i32::from(now.date().year()) + 2) {
        return BuildingAge::Known(Vintage::of_year(year));
    }
    let asked = VINTAGES.map(|era| {
        habits.iter().filter(|h| h.home == kind && h.vintage == era).map(|h| u64::from(h.asked)).sum::<u64>() as f64
    });
    let all: f64 = asked.iter().sum();
    const MIN_ASKED: f64 = 20.0;
    let share = |asked: f64| if all < MIN_ASKED { 0.25 } else { asked / all };
    let [a, b, c, d] = asked.map(share);
    BuildingAge::Pooled([(VINTAGES[0], a), (VINTAGES[1], b), (VINTAGES[2], c), (VINTAGES[3], d)])
}
