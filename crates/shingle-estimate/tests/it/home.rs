//! A home with everything on record, and its area.

use proptest::prelude::*;
use shingle_domain::area::{
    Area, Climate, Division, EnergyPrices, Figure, FuelShares, Grid, Heating, HeatingHabit, HomeKind, HousingStats,
    Scope, SolarResource, Table, Vintage,
};
use shingle_domain::evidence::{
    Assessor, Conflict, Evidence, Garage, Grade, HeatFuel, MatchLevel, Permit, PermitKind, Position, PropertyClass,
    RoofType, Survey,
};
use shingle_domain::{Timestamp, Usd};

use super::fixture::{FOOT, building, design_outline, evidence, fact, outline, rectangle};

/// 2026-11-21.
pub fn now() -> Timestamp {
    Timestamp::parse_iso("2026-11-21T12:00:00Z").expect("a moment")
}

pub fn figure(value: f64, table: Table) -> Option<Figure> {
    Some(Figure { value, scope: Scope::Zip, table, placeholder: false })
}

/// Every figure of an area; no `..` here, so that a new field must be looked at.
pub fn area() -> Area {
    let shares = FuelShares { gas: 0.5, oil: 0.1, propane: 0.1, electric: 0.2, other: 0.1 };
    Area {
        division: Some(Division::SouthAtlantic),
        prices: EnergyPrices {
            electricity_per_kwh: figure(0.16, Table::EnergyPrices),
            us_electricity_per_kwh: figure(0.18, Table::EnergyPrices),
            gas_per_therm: figure(1.5, Table::EnergyPrices),
            propane_per_gallon: figure(3.0, Table::EnergyPrices),
            oil_per_gallon: figure(4.0, Table::EnergyPrices),
        },
        climate: Some(Climate {
            heating: [300.0; 12],
            cooling: [100.0; 12],
            heating_year: 3_600.0,
            cooling_year: 1_200.0,
            placeholder: false,
        }),
        gas_months: Some([1.0 / 12.0; 12]),
        electricity_level: figure(1.0, Table::ElectricityLevels),
        heating: Heating {
            state: Some(shares),
            habits: vec![HeatingHabit { home: HomeKind::Detached, vintage: Vintage::From2000, shares, asked: 90 }],
        },
        grid: Grid {
            co2e_lb_per_mwh: figure(600.0, Table::GridEmissions),
            us_co2e_lb_per_mwh: figure(775.0, Table::GridEmissions),
            loss: figure(0.05, Table::GridEmissions),
        },
        sun: SolarResource {
            kwh_per_kw_year: figure(1_500.0, Table::SolarYield),
            adoption_percentile: figure(0.6, Table::StateSolar),
            incentive: figure(0.25, Table::SolarIncentives),
        },
        homes: HousingStats {
            county: Some("Chesapeake".into()),
            owner_occupied: figure(0.7, Table::ZipAreas),
            single_family: figure(0.8, Table::ZipAreas),
            median_value: figure(300_000.0, Table::ZipAreas),
        },
    }
}

/// Every field of an assessor's record.
pub fn assessor() -> Assessor {
    Assessor {
        primary_owner: fact("PLACEHOLDER ALEX".into()),
        secondary_owner: fact("PLACEHOLDER SAM".into()),
        mailing_address: fact("14 ALDER CT, CHESAPEAKE VA 23320".into()),
        mailed_here: fact(true),
        residential_exemption: fact(true),
        year_built: fact(1996),
        storeys: fact(2.0),
        living_area_sqft: fact(2_000.0),
        building_area_sqft: fact(2_600.0),
        ground_floor_sqft: fact(1_000.0),
        garage: fact(Garage { attached: true, area_sqft: Some(400.0), cars: Some(2.0) }),
        roof_type: fact(RoofType::Gable),
        roof_material: fact("Asphalt Shingle".into()),
        style: fact("Colonial".into()),
        wall_type: fact("Brick Veneer".into()),
        grade: fact(Grade::AboveAverage),
        units: fact(1),
        property_class: fact(PropertyClass::SingleFamily),
        property_type: fact("Single Family".into()),
        zoning: fact("R-12".into()),
        county: fact("Chesapeake".into()),
        subdivision: fact("Alder Woods".into()),
        school_district: fact("Chesapeake".into()),
        heat_fuel: fact(HeatFuel::Gas),
        sale_date: fact("2011-11-21".into()),
        sale_price: fact(Usd::from_dollars(240_000)),
        assessed_value: fact(Usd::from_dollars(300_000)),
        building_value: fact(Usd::from_dollars(220_000)),
        tax_delinquent: fact(false),
    }
}

/// A 30 x 50 ft house, matched exactly, everything on record, no permits.
pub fn home() -> Evidence {
    let mut found = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], assessor());
    found.area = area();
    found
}

/// Of everything that can be filled, something: what a dump of the evidence can ever show.
pub fn filled() -> Evidence {
    let mut found = home();
    found.asked_unit = Some("3".into());
    let place = &mut found.place;
    place.unit = Some("2".into());
    place.parcel = Some("0123".into());
    place.origin = Some(Position { longitude: -76.2, latitude: 36.7 });
    place.buildings.push(building(design_outline(), "house"));
    place.buildings[0].outline.parts[0].holes.push(super::fixture::ring(&[(10.0, 10.0), (10.0, 12.0), (12.0, 12.0)]));
    for building in &mut place.buildings {
        building.outline.survey = Some(Survey { source: 0, points_per_sqm: 8.0 });
        building.outline.planes.iter_mut().for_each(|plane| plane.height = Some(5.0));
    }
    place.permits.push(permit(PermitKind::Roof, "2019-05-01", Some("Roofers")));
    place.conflicts.push(Conflict { field: "year_built".into(), value: "1950".into(), source: 0 });
    place.sources[0].licence = Some("PDDL".into());
    found
}

pub fn permit(kind: PermitKind, issued: &str, contractor: Option<&str>) -> Permit {
    Permit { kind, issued: issued.into(), contractor: contractor.map(str::to_owned), source: 0 }
}

/// Any home, sensible or not, in any area, known or not.
pub fn any_home() -> impl Strategy<Value = Evidence> {
    let levels = prop::sample::select(vec![
        MatchLevel::Exact,
        MatchLevel::WithoutUnit,
        MatchLevel::NumberRange,
        MatchLevel::SimilarName,
        MatchLevel::Interpolated,
    ]);
    let classes = prop::option::of(prop::sample::select(vec![
        PropertyClass::SingleFamily,
        PropertyClass::TwoToFourUnits,
        PropertyClass::Condominium,
        PropertyClass::Apartments,
        PropertyClass::MobileHome,
        PropertyClass::MixedResidential,
        PropertyClass::VacantLand,
        PropertyClass::Commercial,
        PropertyClass::Other,
    ]));
    let number = || prop_oneof![Just(0.0), Just(-1.0), Just(f64::NAN), Just(f64::INFINITY), 0.0..5e6, 0.0..2.0];
    let money = || prop::option::of(prop_oneof![Just(-5_i64), Just(0), Just(1), 100..5_000_000_i64]);
    let people = (
        prop::option::of(prop::bool::ANY),
        prop::option::of(prop::bool::ANY),
        prop::option::of(prop::sample::select(vec!["ELM ROBIN", "OAK LLC", "THE ASH FAMILY TRUST", "UNKNOWN", ""])),
    );
    let dates = || prop::option::of(prop_oneof![Just("0000-01-01".to_owned()), "(19|20)[0-9]{2}-(0[1-9]|1[0-2])-15"]);
    let years = prop::option::of(prop_oneof![Just(0_u16), 1_500..2_100_u16]);
    let permits = prop::collection::vec((0..6_usize, dates(), prop::option::of("[AB]")), 0..4);
    let figures = prop::collection::vec(prop::option::of(number()), 12);
    let sizes = (prop::option::of(number()), 1.0..300.0_f64, prop::bool::ANY);
    ((levels, classes, people, years), (dates(), money(), money()), permits, figures, sizes).prop_map(
        |((level, class, (exempt, mailed, owner), built), (sold, price, value), permits, figures, sizes)| {
            let (living, side, with_outline) = sizes;
            let some = |v: Option<i64>| v.and_then(|v| fact(Usd::from_dollars(v)));
            let assessor = Assessor {
                residential_exemption: exempt.and_then(fact),
                mailed_here: mailed.and_then(fact),
                primary_owner: owner.and_then(|o| fact(o.to_owned())),
                property_class: class.and_then(fact),
                year_built: built.and_then(fact),
                sale_date: sold.and_then(fact),
                sale_price: some(price),
                assessed_value: some(value),
                living_area_sqft: living.and_then(fact),
                ..Assessor::default()
            };
            let outlines = if with_outline {
                vec![building(outline(vec![rectangle(side / FOOT, 30.0)]), "house")]
            } else {
                Vec::new()
            };
            let mut found = evidence(outlines, assessor);
            found.matched.level = level;
            const KINDS: [PermitKind; 6] = [
                PermitKind::Roof,
                PermitKind::Solar,
                PermitKind::HeatPump,
                PermitKind::VehicleCharger,
                PermitKind::Kitchen,
                PermitKind::Other,
            ];
            found.place.permits = permits
                .iter()
                .map(|(kind, date, firm)| permit(KINDS[*kind], date.as_deref().unwrap_or(""), firm.as_deref()))
                .collect();
            let of = |i: usize, table| figures[i].and_then(|value| figure(value, table));
            found.area.prices.electricity_per_kwh = of(0, Table::EnergyPrices);
            found.area.prices.us_electricity_per_kwh = of(1, Table::EnergyPrices);
            found.area.grid.co2e_lb_per_mwh = of(2, Table::GridEmissions);
            found.area.grid.us_co2e_lb_per_mwh = of(3, Table::GridEmissions);
            found.area.sun.kwh_per_kw_year = of(4, Table::SolarYield);
            found.area.sun.adoption_percentile = of(5, Table::StateSolar);
            found.area.sun.incentive = of(6, Table::SolarIncentives);
            found.area.homes.owner_occupied = of(7, Table::ZipAreas);
            found.area.homes.single_family = of(8, Table::ZipAreas);
            found.area.homes.median_value = of(9, Table::ZipAreas);
            found
        },
    )
}
