//! What a roofer orders.

use shingle_domain::evidence::{Assessor, Evidence, RoofPlane};
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::materials::{Item, Need};
use shingle_domain::roof::{OuterEdges, RoofDrawing, RoofMaterial};
use shingle_domain::settings::OwnPrices;
use shingle_estimate::roof::{
    HomeRoof, PriceTerms, chosen_drawing, estimate_summary, home_roof, materials, shown_estimate,
};

use crate::fixture::{building, design_outline, evidence, house, outline, prices, rectangle};

fn drawn(home: &Evidence, chosen: &str) -> RoofDrawing {
    let HomeRoof::Priced(found) = home_roof("k", home) else { panic!("a home") };
    chosen_drawing(&found, chosen.parse().expect("a set")).expect("a drawing")
}

fn order(home: &Evidence, material: RoofMaterial) -> Vec<Need> {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own: OwnPrices::default() };
    let sheet = estimate_summary(home, BuildingSet::FIRST, &terms).expect("a home");
    materials(&shown_estimate(&sheet, 100), material, &drawn(home, "0"))
}

/// 50 by 30 ft, the ridge along it.
fn gable(rise: f64) -> Evidence {
    let mut whole = outline(vec![rectangle(50.0, 30.0)]);
    for (half, azimuth_degrees) in [(0.0, 180.0), (15.0, 0.0)] {
        let mut ring = rectangle(50.0, 15.0).exterior;
        for point in &mut ring {
            point.y += half * 0.3048;
        }
        let pitch_degrees = (rise / 12.0_f64).atan().to_degrees();
        whole.planes.push(RoofPlane { ring, holes: vec![], height: None, pitch_degrees, azimuth_degrees });
    }
    evidence(vec![building(whole, "house")], Assessor::default())
}

#[test]
fn the_order_for_the_designs_example() {
    let home = evidence(vec![building(design_outline(), "house")], Assessor::default());
    let (eaves, rakes) = (219, 0);
    assert_eq!(drawn(&home, "0").outer, Some(OuterEdges { eaves, rakes }));
    let need = |count, item| Need { item, count };
    let expected = [
        need(85, Item::Shingles { area: 2_480, waste_percent: 13 }),
        need(3, Item::Starter { eaves, rakes }),
        need(7, Item::RidgeCap { ridges_and_hips: 156 }),
        need(23, Item::DripEdge { eaves, rakes }),
        need(2, Item::ValleyMetal { valleys: 17 }),
        need(7, Item::IceShield { area: 1_365 }),
        need(2, Item::Underlayment { area: 1_115 }),
        need(2, Item::Nails { area_with_waste: 2_803 }),
    ];
    assert_eq!(order(&home, RoofMaterial::AsphaltShingle), expected);
    let metal = order(&home, RoofMaterial::Metal);
    let panels = Item::Covering { material: RoofMaterial::Metal, area: 2_480, waste_percent: 13 };
    assert_eq!(metal[0], need(2_803, panels));
    assert!(!metal.iter().any(|need| matches!(need.item, Item::Nails { .. } | Item::RidgeCap { .. })));
}

#[test]
fn rakes_are_measured_along_the_slope() {
    // Two eaves of 50 ft; four rakes of 15 ft in plan: x 1.4142 at 12/12.
    assert_eq!(drawn(&gable(12.0), "0").outer, Some(OuterEdges { eaves: 100, rakes: 85 }));
    assert_eq!(drawn(&gable(4.0), "0").outer, Some(OuterEdges { eaves: 100, rakes: 63 }));
}

#[test]
fn a_flat_roof_takes_a_membrane_and_no_shingles() {
    let items: Vec<Item> = order(&gable(0.2), RoofMaterial::AsphaltShingle).into_iter().map(|need| need.item).collect();
    assert_eq!(items, [Item::Membrane { area: 1_500 }, Item::DripEdge { eaves: 160, rakes: 0 }]);
}

#[test]
fn nothing_is_ordered_for_a_roof_that_nobody_measured() {
    assert_eq!(order(&house(vec![rectangle(50.0, 30.0)]), RoofMaterial::AsphaltShingle), []);
}
