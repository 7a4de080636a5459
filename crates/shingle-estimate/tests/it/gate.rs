//! Is it a home's roof? What is priced from afar, and what somebody measures on site.

use shingle_domain::evidence::{Assessor, Evidence, Garage, MatchLevel, PropertyClass, RoofType};
use shingle_domain::home_roof::{AssumedPitch, BuildingSet, NoPrice, OtherPitch, PitchReason};
use shingle_domain::roof::DrawingBasis;
use shingle_domain::settings::OwnPrices;
use shingle_estimate::roof::{
    HomeRoof, PriceTerms, chosen_drawing, estimate_summary, home_roof, measure, measure_chosen, no_price, roof_estimate,
};

use crate::fixture::{
    building, design_outline, evidence, fact, house, in_state, outline, prices, rectangle, with_roof,
};

fn set(text: &str) -> BuildingSet {
    text.parse().expect("a list of buildings")
}

fn gate(evidence: &Evidence) -> Option<NoPrice> {
    no_price(evidence, BuildingSet::FIRST)
}

fn of_class(class: PropertyClass) -> Assessor {
    Assessor { property_class: fact(class), ..Assessor::default() }
}

fn with_records(width: f64, depth: f64, assessor: Assessor) -> Evidence {
    evidence(vec![building(outline(vec![rectangle(width, depth)]), "house")], assessor)
}

#[test]
fn a_shed_is_nobodys_roof_and_400_square_feet_may_be() {
    let shed = evidence(vec![building(outline(vec![rectangle(14.0, 11.0)]), "")], Assessor::default());
    assert_eq!(gate(&shed), Some(NoPrice::Small { label: "Main building".into(), ground: 154 }));
    let named = evidence(vec![building(outline(vec![rectangle(30.0, 30.0)]), "detached_garage")], Assessor::default());
    assert_eq!(gate(&named), Some(NoPrice::Outbuilding { label: "Detached garage".into(), ground: 900 }));
    assert!(
        matches!(home_roof("k", &named), HomeRoof::OnSite(NoPrice::Outbuilding { .. }, Some(found)) if found.buildings.len() == 1)
    );
    assert_eq!(gate(&house(vec![rectangle(20.0, 19.9)])), Some(NoPrice::Small { label: "House".into(), ground: 398 }));
    assert_eq!(gate(&house(vec![rectangle(20.0, 20.1)])), None);
    // What the API says about it is another question.
    assert_eq!(roof_estimate(Some(&shed), None, None, None, &prices()).roof_area, Some(172.0));
}

#[test]
fn what_is_only_residential_beside_a_house_is_its_garage_and_alone_its_house() {
    let residential = |width: f64, depth: f64| building(outline(vec![rectangle(width, depth)]), "Residential");
    let lot = evidence(
        vec![residential(20.0, 15.0), residential(30.0, 40.0), building(outline(vec![rectangle(50.0, 40.0)]), "House")],
        Assessor::default(),
    );
    let HomeRoof::Priced(found) = home_roof("k", &lot) else { panic!("a house stands there") };
    let labels: Vec<&str> = found.buildings.iter().map(|b| b.label.as_str()).collect();
    assert_eq!(labels, ["House", "Building 2", "Building 3"]);
    let outbuilding = |label: &str, ground| Some(NoPrice::Outbuilding { label: label.to_owned(), ground });
    assert_eq!(found.buildings[0].no_price, None);
    assert_eq!(found.buildings[1].no_price, outbuilding("Building 2", 1_200));
    assert_eq!(found.buildings[2].no_price, outbuilding("Building 3", 300));
    // Alone, or larger than what is called a house, it is one.
    let alone = evidence(vec![residential(50.0, 40.0)], Assessor::default());
    assert_eq!(gate(&alone), None);
    let shed = evidence(vec![residential(15.0, 20.0)], Assessor::default());
    assert_eq!(gate(&shed), Some(NoPrice::Small { label: "Main building".into(), ground: 300 }));
    let hut = evidence(
        vec![building(outline(vec![rectangle(15.0, 20.0)]), "House"), residential(50.0, 40.0)],
        Assessor::default(),
    );
    assert_eq!(gate(&hut), None);
}

#[test]
fn a_barn_is_not_the_house_because_it_is_larger() {
    let lot = evidence(
        vec![
            building(outline(vec![rectangle(80.0, 50.0)]), "barn"),
            building(outline(vec![rectangle(60.0, 50.0)]), "yes"),
            building(outline(vec![rectangle(40.0, 30.0)]), "house"),
        ],
        Assessor::default(),
    );
    let HomeRoof::Priced(found) = home_roof("k", &lot) else { panic!("a house stands there") };
    let labels: Vec<&str> = found.buildings.iter().map(|b| b.label.as_str()).collect();
    assert_eq!(labels, ["House", "Building 2", "Barn"]);
    assert_eq!(found.buildings[2].no_price, Some(NoPrice::Outbuilding { label: "Barn".into(), ground: 4_000 }));
    assert_eq!(found.buildings[0].no_price, None);
}

#[test]
fn units_and_houses_of_five_homes_share_their_roof() {
    let condominium = with_records(90.0, 40.0, of_class(PropertyClass::Condominium));
    assert_eq!(gate(&condominium), Some(NoPrice::Unit { unit: None, homes: None }));
    let mut unit = with_records(90.0, 40.0, Assessor { units: fact(8), ..of_class(PropertyClass::TwoToFourUnits) });
    unit.place.unit = Some("3".into());
    assert_eq!(gate(&unit), Some(NoPrice::Unit { unit: Some("3".into()), homes: Some(8) }));
    assert_eq!(unit.street_line(), "14 Alder Court Unit 3");
    assert_eq!(unit.matched_line(), "14 Alder Court Unit 3, Chesapeake, VA 23320");
    for (recorded, said) in [
        ("Unit 40", "40"),
        ("APT 3B", "3B"),
        ("Apt. 3", "3"),
        ("# 7", "7"),
        ("#7", "7"),
        ("Suite 200", "200"),
        ("No. 5", "5"),
        ("FL 2", "FL 2"),
        ("Bldg 19", "Bldg 19"),
        ("Rear", "Rear"),
    ] {
        // The sentence says "Unit" itself.
        unit.place.unit = Some(recorded.into());
        assert_eq!(gate(&unit), Some(NoPrice::Unit { unit: Some(said.into()), homes: Some(8) }), "{recorded}");
    }
    unit.place.unit = None;
    assert_eq!(gate(&unit), Some(NoPrice::Apartments { homes: Some(8) }));
    let apartments = with_records(90.0, 40.0, of_class(PropertyClass::Apartments));
    assert_eq!(gate(&apartments), Some(NoPrice::Apartments { homes: None }));
    let four = Assessor { units: fact(4), ..of_class(PropertyClass::TwoToFourUnits) };
    assert_eq!(gate(&with_records(60.0, 40.0, four)), None);
    let named = evidence(vec![building(outline(vec![rectangle(90.0, 40.0)]), "apartments")], Assessor::default());
    assert_eq!(gate(&named), Some(NoPrice::Apartments { homes: None }));
}

#[test]
fn a_mobile_home_with_a_number_of_its_own_has_a_roof_of_its_own() {
    let by_record = of_class(PropertyClass::MobileHome);
    let lot = |buildings: Vec<(f64, f64, &str)>, assessor: &Assessor| {
        let outlines = buildings.iter().map(|(w, h, use_)| building(outline(vec![rectangle(*w, *h)]), use_)).collect();
        let mut lot = evidence(outlines, assessor.clone());
        lot.place.unit = Some("81".into());
        lot
    };
    for (buildings, assessor) in [
        (vec![(50.0, 20.0, "static_caravan")], &Assessor::default()),
        (vec![(50.0, 20.0, "Static Caravan")], &Assessor::default()),
        (vec![(56.0, 24.0, "mobile_home")], &Assessor::default()),
        (vec![(56.0, 24.0, "Mobile Home")], &Assessor::default()),
        (vec![(60.0, 28.0, "manufactured")], &Assessor::default()),
        (vec![(60.0, 28.0, "House Trailer")], &Assessor::default()),
        (vec![(60.0, 28.0, "yes")], &by_record),
        (vec![(60.0, 28.0, "residential")], &by_record),
        (vec![(60.0, 28.0, "static_caravan"), (10.0, 12.0, "shed")], &by_record),
        (vec![(60.0, 28.0, "static_caravan"), (20.0, 20.0, "carport")], &Assessor::default()),
    ] {
        assert_eq!(gate(&lot(buildings.clone(), assessor)), None, "{buildings:?}");
    }
    let unit = || Some(NoPrice::Unit { unit: Some("81".into()), homes: None });
    for (buildings, assessor) in [
        // The roofs of the park, its clubhouse, and homes that are none of these.
        (vec![(56.0, 24.0, "static_caravan"), (56.0, 24.0, "static_caravan")], &Assessor::default()),
        (vec![(90.0, 60.0, "yes")], &by_record),
        (vec![(56.0, 24.0, "house")], &Assessor::default()),
        (vec![(56.0, 24.0, "yes")], &of_class(PropertyClass::TwoToFourUnits)),
    ] {
        assert_eq!(gate(&lot(buildings.clone(), assessor)), unit(), "{buildings:?}");
    }
    // A number that is not on record.
    let mut asked = lot(vec![(50.0, 20.0, "static_caravan")], &by_record);
    asked.matched.level = MatchLevel::WithoutUnit;
    assert_eq!(gate(&asked), unit());
}

#[test]
fn the_unit_that_was_asked_for_stays_in_the_address() {
    let mut asked = house(vec![rectangle(50.0, 30.0)]);
    asked.asked_unit = Some("3".into());
    asked.matched.level = MatchLevel::WithoutUnit;
    assert_eq!(asked.address_line(), "14 Alder Court Unit 3, Chesapeake, VA 23320");
    assert_eq!(asked.matched_line(), "14 Alder Court, Chesapeake, VA 23320", "nobody found the unit");
    assert_eq!(gate(&asked), Some(NoPrice::Unit { unit: Some("3".into()), homes: None }));
    // On record as one family's house: anyone who typed a unit lives in that house.
    asked.place.assessor = of_class(PropertyClass::SingleFamily);
    assert_eq!(gate(&asked), None);
    let HomeRoof::Priced(found) = home_roof("k", &asked) else { panic!("one family's house") };
    assert_eq!(found.street, "14 Alder Court Unit 3");
}

#[test]
fn what_is_no_home_by_the_records_is_not_priced() {
    for class in [PropertyClass::VacantLand, PropertyClass::Commercial, PropertyClass::MixedResidential] {
        assert_eq!(gate(&with_records(50.0, 30.0, of_class(class))), Some(NoPrice::NoHome { class }));
    }
    // A code that a mapping does not name says nothing.
    for class in [PropertyClass::Other, PropertyClass::MobileHome, PropertyClass::SingleFamily] {
        assert_eq!(gate(&with_records(50.0, 30.0, of_class(class))), None);
    }
    // Where no class is recorded, the words of the type say it.
    let of_type =
        |kind: &str| with_records(50.0, 30.0, Assessor { property_type: fact(kind.into()), ..Assessor::default() });
    for kind in ["RETAIL STORE", "Church", "IND-WAREHOUSE", "Public School", "GAS STATION", "EXEMPT - RELIGIOUS"] {
        assert_eq!(gate(&of_type(kind)), Some(NoPrice::NoHome { class: PropertyClass::Commercial }), "{kind}");
    }
    let mut church = of_type("CHURCH");
    church.place.assessor.property_class = fact(PropertyClass::Other);
    assert!(matches!(gate(&church), Some(NoPrice::NoHome { .. })), "a class that no mapping names says nothing");
    for kind in ["SINGLE FAMILY", "STORE WITH DWELLING", "Colonial", "COMMUNITY HOUSE"] {
        assert_eq!(gate(&of_type(kind)), None, "{kind}");
    }
    assert_eq!(gate(&evidence(vec![], Assessor::default())), Some(NoPrice::Unknown));
    assert_eq!(home_roof("k", &evidence(vec![], Assessor::default())), HomeRoof::OnSite(NoPrice::Unknown, None));
}

#[test]
fn an_outline_twice_or_half_of_what_the_records_say_is_not_priced() {
    let garage = fact(Garage { attached: true, area_sqft: Some(400.0), cars: None });
    let records = Assessor { living_area_sqft: fact(1_500.0), storeys: fact(1.0), garage, ..Assessor::default() };
    // 1,900 sq ft of floor are 2,142 under the eaves.
    for (depth, differ) in [(20.0, true), (22.0, false), (41.0, false), (85.0, false), (86.0, true)] {
        let found = gate(&with_records(50.0, depth, records.clone()));
        let wanted = differ.then_some(NoPrice::SizesDiffer { outline: (50.0 * depth) as u32, records: 2_142 });
        assert_eq!(found, wanted, "{depth}");
    }
    // From living area alone little is known, and little is contradicted.
    let alone = Assessor { living_area_sqft: fact(1_500.0), ..Assessor::default() };
    assert_eq!(gate(&with_records(50.0, 90.0, alone.clone())), None);
    assert!(matches!(gate(&with_records(60.0, 90.0, alone)), Some(NoPrice::SizesDiffer { .. })));
}

fn lot() -> Evidence {
    let mut garage = outline(vec![rectangle(24.0, 24.0)]);
    garage.parts[0].exterior.iter_mut().for_each(|p| p.x += 80.0 * 0.3048);
    evidence(
        vec![
            building(outline(vec![rectangle(60.0, 30.0)]), "house"),
            building(garage, "garage"),
            building(outline(vec![rectangle(12.0, 9.0)]), "shed"),
        ],
        Assessor::default(),
    )
}

#[test]
fn chosen_buildings_are_priced_together() {
    let (lot, table) = (lot(), prices());
    let terms = PriceTerms { table: &table, asphalt_override: None, own: OwnPrices::default() };
    let of = |chosen: &str| estimate_summary(&lot, set(chosen), &terms);
    let (house, both) = (of("0").expect("a home"), of("0,1").expect("a home with its garage"));
    assert_eq!(both.areas, [2_012, 644]);
    assert_eq!(both.roof_area, 2_656);
    assert!(both.prices[0].cost > house.prices[0].cost);
    assert_eq!(measure_chosen(&lot, set("0")), measure(&lot, Some(0)));
    assert_eq!(of("1"), Err(NoPrice::Outbuilding { label: "Garage".into(), ground: 576 }));
    assert_eq!(of("1,2"), Err(NoPrice::Outbuilding { label: "Garage".into(), ground: 576 }));
    assert_eq!(of("0,3"), Err(NoPrice::Unknown));
    assert_eq!(measure_chosen(&lot, set("3")), None);
}

#[test]
fn chosen_buildings_are_drawn_where_they_stand() {
    let lot = lot();
    let HomeRoof::Priced(found) = home_roof("k", &lot) else { panic!("a house stands there") };
    let drawing = chosen_drawing(&found, set("0,1")).expect("two outlines");
    assert_eq!((drawing.width, drawing.height, drawing.rings.len()), (1_040, 300, 2));
    // The garage's southern wall is on the house's line.
    let garage = &drawing.rings[1];
    let (low, high) = (garage.iter().map(|p| p[0]).min(), garage.iter().map(|p| p[0]).max());
    assert_eq!((low, high, garage.iter().map(|p| p[1]).max()), (Some(800), Some(1_040), Some(300)));
    assert_eq!(drawing.dimensions.len(), 4);
    assert_eq!(chosen_drawing(&found, set("0")).as_ref(), found.buildings[0].drawing.as_ref());
}

#[test]
fn nothing_is_drawn_or_counted_that_nobody_measured() {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own: OwnPrices::default() };
    for assessor in [Assessor::default(), with_roof(RoofType::Hip), with_roof(RoofType::Flat)] {
        let evidence = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], assessor);
        let HomeRoof::Priced(found) = home_roof("k", &evidence) else { panic!("a house stands there") };
        let drawing = found.buildings[0].drawing.as_ref().expect("an outline");
        assert_eq!((drawing.basis, drawing.facets.len(), drawing.lines.len()), (DrawingBasis::Outline, 0, 0));
        let sheet = estimate_summary(&evidence, BuildingSet::FIRST, &terms).expect("a home");
        assert_eq!((sheet.facets, sheet.complexity), (None, None));
        assert!(sheet.assumed_pitch.is_some());
    }
    let surveyed = evidence(vec![building(design_outline(), "house")], Assessor::default());
    let sheet = estimate_summary(&surveyed, BuildingSet::FIRST, &terms).expect("a home");
    assert_eq!((sheet.facets, sheet.assumed_pitch), (Some(6), None));
}

#[test]
fn an_assumed_pitch_says_why_and_what_others_would_make_of_it() {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own: OwnPrices::default() };
    let assumed = |evidence: &Evidence| {
        estimate_summary(evidence, BuildingSet::FIRST, &terms).expect("a home").assumed_pitch.expect("assumed")
    };
    // 2,218 sq ft: x 1.054 at 4/12, x 1.25 at 9/12.
    let found = assumed(&house(vec![rectangle(55.45, 40.0)]));
    let others = vec![OtherPitch { rise: 4, roof_area: 2_338 }, OtherPitch { rise: 9, roof_area: 2_772 }];
    assert_eq!(found, AssumedPitch { reason: PitchReason::Usual, others });
    let florida = assumed(&in_state(house(vec![rectangle(50.0, 40.0)]), "FL", "32801"));
    assert_eq!(florida.reason, PitchReason::LowRegion);
    let flat = evidence(vec![building(outline(vec![rectangle(50.0, 30.0)]), "house")], with_roof(RoofType::Flat));
    let reason = PitchReason::RoofType { roof_type: RoofType::Flat };
    assert_eq!(assumed(&flat), AssumedPitch { reason, others: vec![] });
}
