//! The message about the figures.

use shingle_domain::area::{HomeKind, Vintage};
use shingle_domain::evidence::HeatFuel;
use shingle_domain::time::Timestamp;
use shingle_domain::utility::UtilityUnits;

use super::calculation::{Calculation, MissingInput, range_factors};
use super::coefficients::ELECTRICITY;
use super::fuel::{FossilFuelKind, FuelBasis, FuelChoice};
use super::home::{BuildingAge, Home, NotAHome, SizeBasis};
use super::months::{NAMES, window};

pub(crate) fn units(fossil: Option<FossilFuelKind>) -> UtilityUnits {
    let (consumption, utility_rate) = match fossil {
        None => ("kWh", "USD/kWh"),
        Some(FossilFuelKind::Gas) => {
            ("kWh (electricity), therms (natural gas)", "USD/kWh (electricity), USD/therm (natural gas)")
        }
        Some(FossilFuelKind::Propane) => {
            ("kWh (electricity), gallons (propane)", "USD/kWh (electricity), USD/gallon (propane)")
        }
        Some(FossilFuelKind::Oil) => {
            ("kWh (electricity), gallons (fuel oil)", "USD/kWh (electricity), USD/gallon (fuel oil)")
        }
    };
    UtilityUnits { consumption, cost: "USD", emissions: "lb CO2e", emission_rate: "lb CO2e/kWh", utility_rate }
}

pub(crate) fn missing_input(missing: MissingInput) -> &'static str {
    match missing {
        MissingInput::Match => "No place is known at this address, so nothing could be determined.",
        MissingInput::Home(NotAHome::Vacant) => {
            "The property is recorded as vacant land: there is no household to estimate a bill for."
        }
        MissingInput::Home(NotAHome::Commercial) => {
            "The property is recorded as commercial: the model knows households only, so nothing could be determined."
        }
        MissingInput::Home(NotAHome::NotResidential) => {
            "The property is not recorded as residential: the model knows households only, so nothing could be \
             determined."
        }
        MissingInput::Home(NotAHome::NothingKnown) => {
            "The address is known but nothing about a home there (no class, size, age or outline), so nothing could \
             be determined."
        }
        MissingInput::Home(NotAHome::TooLarge) => {
            "The building is too large for a home and nobody records what it is, so nothing could be determined."
        }
        MissingInput::Survey => "The model knows the fifty states and the District of Columbia only.",
        MissingInput::Climate => "No degree days are known for the state, so nothing could be determined.",
        MissingInput::Level => {
            "The state's published electricity use is not known, so the model cannot be brought to its level."
        }
        MissingInput::Price => "No price of electricity is known for the state, so no bill could be determined.",
    }
}

/// What the figures are, how reliable they are, and every assumption that replaces a missing record.
pub(crate) fn message(calculation: &Calculation<'_>, now: Timestamp) -> String {
    let months = window(now);
    let named = |(year, month): (i16, u8)| format!("{} {year}", NAMES[usize::from(month - 1)]);
    let (low, high) = range_factors(&ELECTRICITY, &calculation.home);
    let mut text = format!(
        "Expected for {} in {} over {} to {} in a year of usual weather at the latest prices on file: a model, not a \
         meter reading. By the spread of the survey's homes it may be {low:.2} to {high:.2} times this electricity; that \
         was not tested on bills.",
        home(&calculation.home),
        calculation.evidence.place.address.state,
        named(months[0]),
        named(months[11]),
    );
    text.push(' ');
    text.push_str(&heating(&calculation.choice));
    for note in notes(calculation) {
        text.push(' ');
        text.push_str(&note);
    }
    text
}

/// `a detached house of 1,900 sq ft built before 1950`
pub(crate) fn home(home: &Home) -> String {
    let about = if home.size.basis == SizeBasis::Usual || matches!(home.size.basis, SizeBasis::Outline { .. }) {
        "about "
    } else {
        ""
    };
    let age = match home.era {
        BuildingAge::Known(vintage) => format!(" built {}", vintage_words(vintage)),
        BuildingAge::Pooled(_) => String::new(),
    };
    format!("{} of {about}{} sq ft{age}", kind(home.kind), thousands(home.sqft()))
}

pub(crate) fn kind(kind: HomeKind) -> &'static str {
    match kind {
        HomeKind::Detached => "a detached house",
        HomeKind::Attached => "an attached house",
        HomeKind::TwoToFourUnits => "a home in a house of two to four",
        HomeKind::FiveOrMoreUnits => "a home in a building of five or more",
        HomeKind::Mobile => "a mobile home",
    }
}

pub(crate) fn vintage_words(vintage: Vintage) -> &'static str {
    match vintage {
        Vintage::Before1950 => "before 1950",
        Vintage::From1950To1979 => "1950 to 1979",
        Vintage::From1980To1999 => "1980 to 1999",
        Vintage::From2000 => "2000 or later",
    }
}

fn fuel_name(fuel: HeatFuel) -> &'static str {
    match fuel {
        HeatFuel::Gas => "natural gas",
        HeatFuel::Oil => "fuel oil",
        HeatFuel::Propane => "propane",
        HeatFuel::Electric => "electricity",
        HeatFuel::Other => "something else",
    }
}

pub(crate) fn heating(choice: &FuelChoice) -> String {
    let fuel = fuel_name(choice.fuel);
    let percent = |share: f64| (share * 100.0).round();
    match (choice.basis, choice.fuel) {
        (FuelBasis::Recorded, HeatFuel::Other) => "The recorded heating fuel is not gas, oil, propane or \
            electricity (but wood, coal, sun or steam, say): what it uses is not counted."
            .to_owned(),
        (FuelBasis::Recorded, _) => format!("Heated with {fuel}, as recorded."),
        (FuelBasis::State(share), _) => format!(
            "Heating fuel not on record: {fuel} is taken as the likeliest ({} % of the state's homes).",
            percent(share)
        ),
        (FuelBasis::Habits { share, asked }, _) => format!(
            "Heating fuel not on record: {fuel} is taken as the likeliest ({} % of {asked} such homes asked in the \
             division).",
            percent(share)
        ),
        (FuelBasis::Unknown, _) => {
            "Neither the home's heating fuel nor its neighbours' is known: heat is not counted.".to_owned()
        }
    }
}

/// Each assumption in a sentence.
fn notes(calculation: &Calculation<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    if !calculation.evidence.matched.level.is_exact() {
        notes.push("The address was matched only approximately: the home described may be a neighbour's.".to_owned());
    }
    if !calculation.home.kind_recorded {
        notes.push("The kind of property is not on record and assumed.".to_owned());
    }
    notes.extend(size_note(&calculation.home).map(str::to_owned));
    if matches!(calculation.home.era, BuildingAge::Pooled(_)) {
        notes.push("The year it was built is not known: a mean of all ages is used.".to_owned());
    }
    let fossil = calculation.fossil.as_ref();
    if let Some(fossil) = fossil.filter(|f| f.price.is_none()) {
        notes.push(format!(
            "It would use about {} {} of {} a year, but no price is known, so the fuel's figures are left out.",
            thousands(fossil.annual),
            fossil.fuel.unit(),
            fossil.fuel.name()
        ));
    }
    if calculation.climate.placeholder {
        notes.push("The state's weather is borrowed from a neighbour or assumed.".to_owned());
    }
    let fuel_price = fossil.and_then(|f| Some((f.fuel.name(), f.price?)));
    let named = [
        Some(("price of electricity", calculation.price)),
        Some(("level of electricity use", calculation.level)),
        calculation.grid.map(|grid| ("emission rate", grid)),
    ];
    for (name, figure) in named.into_iter().flatten() {
        if figure.placeholder {
            notes.push(placeholder(&format!("The {name}")));
        }
    }
    if let Some((fuel, _)) = fuel_price.filter(|(_, price)| price.placeholder) {
        notes.push(placeholder(&format!("The price of {fuel}")));
    }
    notes
}

pub(crate) fn placeholder(what: &str) -> String {
    format!("{what} is a placeholder: none is published for this place.")
}

pub(crate) fn size_note(home: &Home) -> Option<&'static str> {
    match home.size.basis {
        SizeBasis::Living => None,
        SizeBasis::Building => Some("The living area is not on record: the building's area is used."),
        SizeBasis::Outline { storeys_recorded: true } => {
            Some("No area is on record: it is the building's outline times its storeys.")
        }
        SizeBasis::Outline { storeys_recorded: false } => Some(
            "No area is on record: it is the building's outline times 1.4 storeys, for theirs is not known either.",
        ),
        SizeBasis::Usual => Some("The size is not known: a usual one is assumed."),
    }
}

/// Whole, with separators.
pub(crate) fn thousands(value: f64) -> String {
    let digits = format!("{:.0}", value.max(0.0));
    let mut text = String::with_capacity(digits.len() + 4);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
