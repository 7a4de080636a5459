//! Whatever comes out of a county's file, the sums neither panic nor contradict themselves.

use proptest::prelude::*;
use shingle_domain::evidence::{
    Assessor, Building, Evidence, Garage, MatchLevel, Outline, OutlineKind, Point, Polygon, PropertyClass, RoofPlane,
    RoofType,
};
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::money::Usd;
use shingle_domain::roof::{DrawingBasis, RoofMaterial};
use shingle_domain::settings::OwnPrices;
use shingle_estimate::roof::{
    HomeRoof, PriceTerms, RoofRange, drawing, estimate_summary, home_roof, measure, measure_chosen, no_price, range,
    roof_estimate, roof_found, shown_estimate,
};

use crate::fixture::{building, evidence, fact, house, outline, polygon, prices, rectangle};

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -60.0..60.0_f64,
        2 => (-8_i32..8).prop_map(|n| f64::from(n) * 5.0),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e12, 0.0, 1e-300]),
    ]
}

fn points() -> impl Strategy<Value = Vec<Point>> {
    prop::collection::vec((number(), number()).prop_map(|(x, y)| Point { x, y }), 0..14)
}

/// Right-angled rings, often crossing themselves, often with walls of no length.
fn stairs() -> impl Strategy<Value = Vec<Point>> {
    prop::collection::vec(-12_i32..12, 2..9).prop_map(|steps| {
        let mut ring = Vec::new();
        let (mut x, mut y) = (0.0, 0.0);
        for (i, step) in steps.iter().enumerate() {
            if i % 2 == 0 {
                x += f64::from(*step)
            } else {
                y += f64::from(*step)
            }
            ring.push(Point { x, y });
        }
        ring.push(Point { x: 0.0, y });
        ring.push(Point { x: 0.0, y: 0.0 });
        ring
    })
}

fn polygons() -> impl Strategy<Value = Polygon> {
    let ring = prop_oneof![points(), stairs()];
    let holes = prop::collection::vec(prop_oneof![points(), stairs()], 0..3);
    (ring, holes).prop_map(|(exterior, holes)| Polygon { exterior, holes })
}

fn outlines() -> impl Strategy<Value = Outline> {
    let plane =
        (prop_oneof![points(), stairs()], number(), number()).prop_map(|(ring, pitch_degrees, azimuth_degrees)| {
            RoofPlane { ring, holes: vec![], height: None, pitch_degrees, azimuth_degrees }
        });
    (
        prop::sample::select(vec![OutlineKind::Eave, OutlineKind::Wall]),
        prop::collection::vec(polygons(), 0..3),
        prop_oneof![3 => Just(vec![]), 1 => prop::collection::vec(plane, 0..6)],
        any::<bool>(),
    )
        .prop_map(|(kind, parts, planes, spans_parcels)| Outline {
            kind,
            parts,
            planes,
            survey: None,
            spans_parcels,
        })
}

fn amount() -> impl Strategy<Value = f64> {
    prop_oneof![number(), 0.0..20_000.0_f64]
}

fn assessors() -> impl Strategy<Value = Assessor> {
    use RoofType::{Flat, Gable, Gambrel, Hip, Mansard, Shed};
    let classes = vec![PropertyClass::SingleFamily, PropertyClass::Condominium, PropertyClass::VacantLand];
    (
        (prop::option::of(amount()), prop::option::of(amount()), prop::option::of(amount())),
        prop::option::of((any::<bool>(), prop::option::of(amount()), prop::option::of(number()))),
        prop::option::of(prop::sample::select(vec![Flat, Shed, Gable, Hip, Gambrel, Mansard])),
        prop::option::of(prop::sample::select(classes)),
        (prop::option::of(any::<u16>()), prop::option::of(any::<u16>()), prop::option::of(".{0,12}")),
    )
        .prop_map(|((living, storeys, floor), garage, roof, class, (year, units, text))| Assessor {
            living_area_sqft: living.and_then(fact),
            storeys: storeys.and_then(fact),
            ground_floor_sqft: floor.and_then(fact),
            garage: garage.and_then(|(attached, area_sqft, cars)| fact(Garage { attached, area_sqft, cars })),
            roof_type: roof.and_then(fact),
            property_class: class.and_then(fact),
            year_built: year.and_then(fact),
            units: units.and_then(fact),
            style: text.clone().and_then(fact),
            roof_material: text.and_then(fact),
            ..Assessor::default()
        })
}

fn anything() -> impl Strategy<Value = Evidence> {
    let buildings = prop::collection::vec(
        (outlines(), prop::option::of(".{0,8}"), any::<u8>()).prop_map(|(outline, use_, source)| Building {
            outline,
            use_,
            lot: Vec::new(),
            source,
        }),
        0..4,
    );
    (buildings, assessors(), any::<bool>()).prop_map(|(buildings, assessor, exact)| {
        let mut evidence = evidence(buildings, assessor);
        evidence.matched.level = if exact { MatchLevel::Exact } else { MatchLevel::Interpolated };
        evidence
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_evidence_gives_the_same_sound_answers_twice(
        evidence in anything(),
        price in prop::option::of(1_i64..100_000_000_000),
        material in prop::sample::select(RoofMaterial::ALL.to_vec()),
    ) {
        let table = prices();
        let own = price.map(Usd::from_cents);
        let record = roof_estimate(Some(&evidence), None, Some(material), own, &table);
        let found = roof_found("k", &evidence);
        prop_assert_eq!(&record, &roof_estimate(Some(&evidence), None, Some(material), own, &table));
        prop_assert_eq!(&found, &roof_found("k", &evidence));
        prop_assert_eq!(record.roof_area.is_some(), found.is_some());
        if let Some(area) = record.roof_area {
            prop_assert!(area.is_finite() && area >= 1.0 && area.fract() == 0.0);
            prop_assert!(record.average_roof_pitch.is_some_and(|p| (0.0..=80.0).contains(&p)));
            prop_assert!(record.roof_cost_estimate.is_some_and(|c| c.cents() > 0));
        }
        for chosen in ["0", "0,1", "1,2", "0,1,2,3,4,5,6,7,8"] {
            let chosen: BuildingSet = chosen.parse().expect("a list of buildings");
            let sum: Option<u32> = chosen.indices().map(|n| measure(&evidence, Some(n)).map(|m| m.area_sqft)).sum();
            prop_assert_eq!(measure_chosen(&evidence, chosen).map(|m| m.area_sqft), sum);
        }
        match home_roof("k", &evidence) {
            HomeRoof::Priced(home) => {
                prop_assert_eq!(no_price(&evidence, BuildingSet::FIRST), None);
                prop_assert_eq!(found.as_ref().map(|f| f.buildings.len()), Some(home.buildings.len()));
                for drawing in home.buildings.iter().filter_map(|b| b.drawing.as_ref()) {
                    prop_assert!(drawing.basis != DrawingBasis::Modelled);
                }
            }
            HomeRoof::OnSite(reason, _) => prop_assert_eq!(no_price(&evidence, BuildingSet::FIRST), Some(reason)),
        }
        for (index, choice) in found.iter().flat_map(|f| &f.buildings).enumerate() {
            let terms = PriceTerms { table: &table, asphalt_override: own, own: OwnPrices::default() };
            let chosen = BuildingSet::only(index).expect("a building that can be chosen");
            let sheet = estimate_summary(&evidence, chosen, &terms);
            prop_assert_eq!(sheet.as_ref().err().cloned(), no_price(&evidence, chosen));
            if let Ok(sheet) = &sheet {
                prop_assert_eq!((sheet.roof_area, &sheet.areas), (choice.area, &vec![choice.area]));
            }
            if let Some(found) = measure(&evidence, Some(index)) {
                // Ends are rounded to feet and to hundreds of dollars, so the price is one of millions.
                let RoofRange { area, cost, parts, .. } = range(&found, material, Usd::from_dollars(1_000_000), &table);
                let middle = f64::from(found.area_sqft);
                let whole = parts.is_empty().then_some(middle * 10_000.0);
                let price = whole.unwrap_or_else(|| parts.iter().map(|part| part.cost.dollars()).sum());
                if !parts.is_empty() {
                    // Each square foot has one covering.
                    prop_assert_eq!(parts.iter().map(|part| part.roof_area).sum::<u32>(), found.area_sqft);
                }
                let foot = 1.0 / middle;
                prop_assert!(cost.low.dollars() / price <= f64::from(area.low) / middle + foot);
                prop_assert!(cost.high.dollars() / price >= f64::from(area.high) / middle - foot);
            }
            for line in sheet.iter().flat_map(|s| shown_estimate(s, 50).prices) {
                prop_assert!(line.low <= line.cost && line.cost <= line.high);
                if let (Some(price), RoofMaterial::AsphaltShingle) = (own, line.material) {
                    let record = roof_estimate(Some(&evidence), Some(index), None, Some(price), &table);
                    prop_assert_eq!(record.roof_cost_estimate, Some(line.cost), "look-up and widget agree");
                }
            }
            let Some(drawing) = &choice.drawing else { continue };
            prop_assert!(drawing.facets.is_empty() == (drawing.basis == DrawingBasis::Outline));
            if !drawing.facets.is_empty() {
                prop_assert_eq!(drawing.facets.iter().map(|f| f.area).sum::<u32>(), choice.area);
            }
            prop_assert!(drawing.width >= 0 && drawing.height >= 0 && drawing.dimensions.len() <= 4);
            for [x, y] in drawing.rings.iter().flatten().chain(drawing.facets.iter().flat_map(|f| &f.ring)) {
                prop_assert!((0..=drawing.width).contains(x) && (0..=drawing.height).contains(y));
            }
        }
    }

    #[test]
    fn a_steeper_roof_is_a_larger_one(width in 10.0..90.0_f64, depth in 10.0..90.0_f64, low in 0.0..70.0_f64, more in 0.5..10.0_f64) {
        let area = |pitch_degrees: f64| {
            let mut outline = outline(vec![rectangle(width, depth)]);
            let ring = outline.parts[0].exterior.clone();
            outline.planes = vec![RoofPlane { ring, holes: vec![], height: None, pitch_degrees, azimuth_degrees: 10.0 }];
            let found = measure(&evidence(vec![building(outline, "house")], Assessor::default()), None).expect("measurable");
            // What is conserved: seen from above, every roof of this house is the same.
            let plan = f64::from(found.area_sqft) * found.pitch_degrees.to_radians().cos();
            assert!((plan / (width * depth) - 1.0).abs() < 0.006 + 1.0 / (width * depth), "{plan}");
            found.area_sqft
        };
        prop_assert!(area(low) <= area(low + more));
    }

    #[test]
    fn a_dearer_roof_costs_more(cents in 1_i64..1_000_000, more in 1_i64..1_000_000) {
        let (table, house) = (prices(), house(vec![rectangle(50.0, 30.0)]));
        for material in RoofMaterial::ALL {
            let cost = |cents| roof_estimate(Some(&house), None, Some(material), Some(Usd::from_cents(cents)), &table).roof_cost_estimate;
            prop_assert!(cost(cents) <= cost(cents + more));
        }
        let line = |cents| estimate_summary(&house, BuildingSet::FIRST, &PriceTerms { table: &table, asphalt_override: Some(Usd::from_cents(cents)), own: OwnPrices::default() });
        let cost = |cents| line(cents).expect("a home's roof").prices[0].cost;
        prop_assert!(cost(cents) < cost(cents + 100 + more));
    }

    #[test]
    fn modelled_planes_cover_the_plan_exactly(
        (a, b) in (20.0..60.0_f64, 18.0..40.0_f64),
        (c, d) in (8.0..18.0_f64, 6.0..30.0_f64),
        hip in any::<bool>(),
    ) {
        // An L with any wing: facets in plan (area / factor) add up to the drawn outline.
        let l = polygon(&[(0.0, 0.0), (a, 0.0), (a, b + d), (a - c, b + d), (a - c, b), (0.0, b)]);
        let plan = a * b + c * d;
        let outline = outline(vec![l]);
        let roof = if hip { RoofType::Hip } else { RoofType::Gable };
        let drawn = drawing(&outline, 26.565_051_177, Some(roof), 10_000).expect("a drawing");
        prop_assert_eq!(drawn.facets.iter().map(|f| f.area).sum::<u32>(), 10_000);
        let twice: i64 = drawn.facets.iter().map(|f| twice_area(&f.ring)).sum();
        let square_feet = twice.abs() as f64 / 200.0;
        // The drawing counts in tenths of a foot: half of one each way along every wall.
        prop_assert!((square_feet - plan).abs() < 0.05 * 2.0 * (a + b + d), "{} for {}", square_feet, plan);
        prop_assert_eq!(drawing(&outline, 26.565_051_177, Some(roof), 10_000), Some(drawn));
    }
}

fn twice_area(ring: &[[i32; 2]]) -> i64 {
    let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
    pairs.map(|(a, b)| i64::from(a[0]) * i64::from(b[1]) - i64::from(b[0]) * i64::from(a[1])).sum::<i64>().abs()
}
