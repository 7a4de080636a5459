//! The reasons for every number of the record, so that it can be checked by hand.

use shingle_domain::area::{Figure, Scope};
use shingle_domain::details::Reason;
use shingle_domain::utility::{Electricity, FossilFuel};

use super::calculation::{Calculation, FossilCalculation, RATE, range_factors, rounded};
use super::coefficients::ELECTRICITY;
use super::fuel::FuelBasis;
use super::home::{BuildingAge, SizeBasis};
use super::model::{Term, TermPart};
use super::text;

const ELECTRICITY_USE: &str = "electricity.annualConsumption";
const FUEL_USE: &str = "fossilFuel.annualConsumption";

/// The parts of a consumption are addends of its natural logarithm: e to their sum is the year's use.
/// Other parts are the figures themselves.
pub(crate) fn reasons(
    calculation: &Calculation<'_>,
    electricity: &Electricity,
    fossil_fuel: Option<&FossilFuel>,
) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = calculation.terms.iter().map(|t| addend(ELECTRICITY_USE, calculation, *t)).collect();
    reasons.push(figure(
        "electricity.monthlyAverageUtilityRate",
        "price",
        electricity.monthly_average_utility_rate,
        calculation.price,
        "USD per kWh",
    ));
    let peak = calculation.months[calculation.peak];
    for (part, kwh) in [("base", peak.base), ("cooling", peak.cooling), ("heating", peak.heating)] {
        let because = format!("{} kWh of {}'s use", text::thousands(kwh), electricity.peak_month.name);
        reasons.push(Reason {
            field: "electricity.peakMonth",
            part,
            points: rounded(kwh, 100.0),
            weight: None,
            because,
        });
    }
    if let (Some(grid), Some(emissions)) = (calculation.grid, &electricity.emissions) {
        let field = "electricity.emissions";
        reasons.push(figure(field, "grid", emissions.monthly_average_emission_rate, grid, "lb CO2e per kWh generated"));
        if let Some(loss) = calculation.loss {
            let delivered = rounded(emissions.monthly_average_emission_rate / (1.0 - loss.value), RATE);
            let what = "share lost on the way to the meter, not counted above; per kWh delivered it would be";
            let mut reason = figure(field, "loss", loss.value, loss, what);
            reason.because = format!("{} {delivered} lb CO2e", reason.because);
            reasons.push(reason);
        }
    }
    reasons.push(range(calculation));
    reasons.push(fuel_choice(calculation));
    if let Some(fossil) = &calculation.fossil {
        fuel(calculation, fossil, fossil_fuel, &mut reasons);
    }
    reasons
}

/// No bills of known homes are at hand, so nobody can say how many the range holds.
fn range(calculation: &Calculation<'_>) -> Reason {
    let (low, high) = range_factors(&ELECTRICITY, &calculation.home);
    let because = format!(
        "times {low:.2} to {high:.2}: 1.28 standard errors of the survey's 5,682 homes{}; judged by them, not tested on bills",
        if calculation.home.size.sigma() > 0.0 { ", and those of a size that is assumed" } else { "" }
    );
    Reason { field: "range.electricity", part: "width", points: rounded(high, RATE), weight: None, because }
}

fn fuel_choice(calculation: &Calculation<'_>) -> Reason {
    let points = match calculation.choice.basis {
        FuelBasis::Recorded => 1.0,
        FuelBasis::State(share) | FuelBasis::Habits { share, .. } => rounded(share, RATE),
        FuelBasis::Unknown => 0.0,
    };
    Reason {
        field: "fossilFuel.type",
        part: "probability",
        points,
        weight: None,
        because: text::heating(&calculation.choice),
    }
}

fn fuel(
    calculation: &Calculation<'_>,
    fossil: &FossilCalculation,
    record: Option<&FossilFuel>,
    reasons: &mut Vec<Reason>,
) {
    reasons.extend(fossil.terms.iter().map(|t| addend(FUEL_USE, calculation, *t)));
    let (Some(price), Some(record)) = (fossil.price, record) else { return };
    let unit = fossil.fuel.unit();
    let per = format!("USD per {}", unit.trim_end_matches('s'));
    reasons.push(figure(
        "fossilFuel.monthlyAverageUtilityRate",
        "price",
        record.monthly_average_utility_rate,
        price,
        &per,
    ));
    let mut heat = |part, points, because| {
        reasons.push(Reason { field: "ratios.electricToFossilRatio", part, points, weight: None, because });
    };
    heat("electricity", 3_412.0, "Btu in a kWh".to_owned());
    heat("fossilFuel", fossil.fuel.btu(), format!("Btu in a unit of {}", fossil.fuel.name()));
    let co2 = rounded(record.annual_consumption * fossil.fuel.co2_lb(), 1.0);
    reasons.push(Reason {
        field: "fossilFuel",
        part: "combustion",
        points: co2,
        weight: None,
        because: format!(
            "lb CO2 a year from burning it, {} a unit; the emissions of the record are electricity's alone",
            fossil.fuel.co2_lb()
        ),
    });
}

fn addend(field: &'static str, calculation: &Calculation<'_>, term: Term) -> Reason {
    let home = &calculation.home;
    let (part, because) = match term.part {
        TermPart::Constant => ("constant", "the model's constant".to_owned()),
        TermPart::Size => ("size", size(calculation)),
        TermPart::Climate => {
            let (heating, cooling) = (calculation.climate.heating_year, calculation.climate.cooling_year);
            let because = format!(
                "{} heating and {} cooling degree days (65 F) in a usual year{}",
                text::thousands(heating),
                text::thousands(cooling),
                if calculation.climate.placeholder { ", borrowed or assumed" } else { "" }
            );
            ("climate", because)
        }
        TermPart::AllElectric => ("allElectric", "heated with electricity and nothing else".to_owned()),
        TermPart::Kind => {
            let assumed = if home.kind_recorded { "" } else { ", assumed" };
            ("kind", format!("{}{assumed}", text::kind(home.kind)))
        }
        TermPart::Vintage => ("vintage", vintage(&home.era)),
        TermPart::Division => ("division", format!("habits of the {} division", calculation.division.name())),
        TermPart::Smear => ("smear", "from the middle home to the mean of homes".to_owned()),
        TermPart::Level => {
            let because = format!(
                "times {} to meet the state's published use per customer ({}){}",
                rounded(calculation.level.value, RATE),
                calculation.level.table.as_str(),
                flagged(calculation.level)
            );
            ("level", because)
        }
    };
    Reason { field, part, points: rounded(term.points, RATE), weight: None, because }
}

fn size(calculation: &Calculation<'_>) -> String {
    let size = &calculation.home.size;
    let counted = text::thousands(calculation.home.sqft());
    let basis = match size.basis {
        SizeBasis::Living => "living area on record",
        SizeBasis::Building => "building area on record",
        SizeBasis::Outline { storeys_recorded: true } => "outline times recorded storeys",
        SizeBasis::Outline { storeys_recorded: false } => "outline times 1.4 storeys",
        SizeBasis::Usual => "a usual size, for none is known",
    };
    let shared = match size.shared_by {
        0 | 1 => String::new(),
        homes => format!(", shared by {homes} homes"),
    };
    let clipped = if calculation.home.sqft() == size.sqft {
        String::new()
    } else {
        format!("; {} is outside the survey's 300 to 8,000", text::thousands(size.sqft))
    };
    format!("{counted} sq ft: {basis}{shared}{clipped}")
}

fn vintage(era: &BuildingAge) -> String {
    match era {
        BuildingAge::Known(vintage) => format!("built {}", text::vintage_words(*vintage)),
        BuildingAge::Pooled(shares) => {
            let each: Vec<String> = shares
                .iter()
                .map(|(vintage, share)| format!("{} {:.0} %", text::vintage_words(*vintage), share * 100.0))
                .collect();
            format!("year not known, mean of: {}", each.join(", "))
        }
    }
}

fn figure(field: &'static str, part: &'static str, points: f64, figure: Figure, what: &str) -> Reason {
    let scope = match figure.scope {
        Scope::Zip => "ZIP",
        Scope::Nearby => "nearby",
        Scope::State => "state",
        Scope::Region => "region",
        Scope::Nation => "nation",
    };
    let because = format!("{what}, {scope} ({}){}", figure.table.as_str(), flagged(figure));
    Reason { field, part, points, weight: None, because }
}

fn flagged(figure: Figure) -> &'static str {
    if figure.placeholder { ", a placeholder: none is published" } else { "" }
}
