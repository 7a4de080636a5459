//! Whatever the records and tables say, a bill is sound or absent.

use proptest::prelude::*;
use shingle_domain::area::{Area, FuelShares, HeatingHabit, HomeKind, Vintage};
use shingle_domain::evidence::{Assessor, Evidence, HeatFuel, MatchLevel, PropertyClass};
use shingle_domain::utility::{Electricity, Interval, UtilityStatus};
use shingle_estimate::utility::utility_bill;

use crate::areas::{AZ, FL, MA, ME, OH, TX};
use crate::fixture::{building, evidence, fact, in_state, outline, rectangle};
use crate::utility::now;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        6 => 0.0..6_000.0_f64,
        2 => -100.0..100.0_f64,
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e12, 0.0, 1e-300]),
    ]
}

fn assessors() -> impl Strategy<Value = Assessor> {
    use PropertyClass::{
        Apartments, Commercial, Condominium, MixedResidential, MobileHome, Other, SingleFamily, TwoToFourUnits,
        VacantLand,
    };
    let classes = vec![
        Apartments,
        Commercial,
        Condominium,
        MixedResidential,
        MobileHome,
        Other,
        SingleFamily,
        TwoToFourUnits,
        VacantLand,
    ];
    let fuels = vec![HeatFuel::Gas, HeatFuel::Oil, HeatFuel::Propane, HeatFuel::Electric, HeatFuel::Other];
    let size = || prop::option::of(number());
    (
        (size(), size(), size()),
        prop::option::of(prop::sample::select(classes)),
        prop::option::of(prop::sample::select(fuels)),
        (prop::option::of(any::<u16>()), prop::option::of(0..60_u16), prop::option::of(".{0,12}")),
    )
        .prop_map(|((living, built, storeys), class, fuel, (year, units, text))| Assessor {
            living_area_sqft: living.and_then(fact),
            building_area_sqft: built.and_then(fact),
            storeys: storeys.and_then(fact),
            property_class: class.and_then(fact),
            heat_fuel: fuel.and_then(fact),
            year_built: year.and_then(fact),
            units: units.and_then(fact),
            style: text.and_then(fact),
            ..Assessor::default()
        })
}

fn shares() -> impl Strategy<Value = FuelShares> {
    (0.0..1.0_f64, 0.0..1.0_f64, number(), number(), 0.0..1.0_f64)
        .prop_map(|(gas, oil, propane, electric, other)| FuelShares { gas, oil, propane, electric, other })
}

/// A real state's figures, as a table with slips of the pen might have them.
fn areas() -> impl Strategy<Value = Area> {
    let habit = (shares(), 0..200_u32).prop_map(|(shares, asked)| HeatingHabit {
        home: HomeKind::Detached,
        vintage: Vintage::From1950To1979,
        shares,
        asked,
    });
    (
        prop::sample::select(vec![&AZ, &FL, &MA, &ME, &OH, &TX]),
        prop::option::of((0..8_usize, number())),
        prop::option::of(shares()),
        prop::collection::vec(habit, 0..4),
    )
        .prop_map(|(row, slip, state, habits)| {
            let mut area = row.area();
            area.heating.state = state;
            area.heating.habits = habits;
            let prices = &mut area.prices;
            let mut set = |which, value| match which {
                0 => prices.electricity_per_kwh.as_mut().expect("set").value = value,
                1 => prices.gas_per_therm.as_mut().expect("set").value = value,
                2 => prices.oil_per_gallon.as_mut().expect("set").value = value,
                3 => area.electricity_level.as_mut().expect("set").value = value,
                4 => area.climate.as_mut().expect("set").heating[3] = value,
                5 => area.climate.as_mut().expect("set").cooling_year = value,
                6 => area.gas_months.as_mut().expect("set")[1] = value,
                _ => area.grid.co2e_lb_per_mwh.as_mut().expect("set").value = value,
            };
            if let Some((which, value)) = slip {
                set(which, value);
            }
            area
        })
}

fn anything() -> impl Strategy<Value = Evidence> {
    let house = prop::option::of((1.0..300.0_f64, 1.0..300.0_f64));
    (assessors(), areas(), house, any::<bool>(), prop::option::of(".{0,4}")).prop_map(
        |(assessor, area, house, exact, unit)| {
            let buildings = house.map(|(w, d)| building(outline(vec![rectangle(w, d)]), ""));
            let mut evidence = in_state(evidence(buildings.into_iter().collect(), assessor), "OH", "43004");
            evidence.matched.level = if exact { MatchLevel::Exact } else { MatchLevel::SimilarName };
            evidence.area = area;
            evidence.place.unit = unit;
            evidence
        },
    )
}

fn numbers(e: &Electricity) -> Vec<f64> {
    let (q, c) = (e.quarter_average_consumption, e.quarter_average_cost);
    let mut all = vec![
        e.monthly_average_consumption,
        e.annual_consumption,
        e.monthly_average_utility_rate,
        e.peak_month.consumption,
        q.q1,
        q.q2,
        q.q3,
        q.q4,
    ];
    let costs = [e.monthly_average_cost, e.annual_cost, e.peak_month.cost, c.q1, c.q2, c.q3, c.q4];
    all.extend(costs.map(|c| c.dollars()));
    let air = e.emissions.as_ref();
    all.extend(air.iter().flat_map(|a| [a.annual_emissions, a.monthly_average_emissions, a.peak_month.emissions]));
    all
}

fn sound(values: impl IntoIterator<Item = f64>) -> bool {
    values.into_iter().all(|v| v.is_finite() && v >= 0.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_evidence_gives_a_sound_bill_or_none_and_the_same_one_twice(evidence in anything()) {
        let answer = utility_bill(Some(&evidence), now());
        prop_assert_eq!(&answer, &utility_bill(Some(&evidence), now()));
        prop_assert!(!answer.message.is_empty());
        let data = &answer.data;
        prop_assert_eq!(answer.status == UtilityStatus::Success, data.electricity.is_some());
        prop_assert_eq!(answer.range.is_some(), data.electricity.is_some());
        prop_assert!(data.electricity.is_some() || (data.fossil_fuel.is_none() && data.ratios.is_none()));
        let Some(e) = &data.electricity else { return Ok(()) };
        prop_assert!(sound(numbers(e)), "{e:?}");
        prop_assert!(e.annual_consumption > 0.0 && e.peak_month.consumption >= e.monthly_average_consumption - 0.01);
        prop_assert!(answer.months.len() == 12 && sound(answer.months.iter().map(|m| m.electricity)));
        prop_assert!(sound(answer.months.iter().filter_map(|m| m.fossil_fuel)));
        prop_assert!(answer.reasons.iter().all(|r| r.points.is_finite() && !r.because.is_empty()));
        if let Some(fuel) = &data.fossil_fuel {
            prop_assert!(fuel.annual_consumption > 0.0 && sound([fuel.annual_consumption, fuel.annual_cost.dollars()]));
            prop_assert!(data.ratios.and_then(|r| r.electric_to_fossil_ratio).is_some_and(|r| r.is_finite() && r >= 0.0));
        }
        let around = |span: Interval<f64>, middle: f64| span.low <= middle && middle <= span.high;
        let range = answer.range.expect("with a figure");
        prop_assert!(around(range.electricity.annual_consumption, e.annual_consumption));
        if let (Some(range), Some(fuel)) = (range.fossil_fuel, &data.fossil_fuel) {
            prop_assert!(around(range.annual_consumption, fuel.annual_consumption));
        }
    }
}
