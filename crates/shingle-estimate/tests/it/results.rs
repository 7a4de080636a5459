use shingle_domain::evidence::{Assessor, Evidence, MatchLevel};
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::money::Usd;
use shingle_domain::public::MeasureMethod;
use shingle_domain::roof::{Complexity, RoofMaterial};
use shingle_domain::settings::OwnPrices;
use shingle_estimate::roof::{PriceTerms, estimate_summary, measure, roof_estimate, roof_found, shown_estimate};

use crate::fixture::{building, design_outline, evidence, fact, house, outline, prices, rectangle};

fn design() -> Evidence {
    evidence(vec![building(design_outline(), "house")], Assessor::default())
}

#[test]
fn the_record_of_the_designs_example() {
    let record = roof_estimate(Some(&design()), None, None, None, &prices());
    assert_eq!(record.roof_area, Some(2_480.0));
    assert_eq!(record.squares_with_pitch, Some(24.8));
    assert_eq!(record.average_roof_pitch, Some(26.57));
    assert_eq!(record.roof_complexity_level, Some(Complexity::Average));
    assert_eq!(record.roof_material, Some(RoofMaterial::AsphaltShingle));
    assert_eq!(record.installed_price, Some(Usd::from_dollars(650)));
    assert_eq!(record.roof_cost_estimate, Some(Usd::from_dollars(16_120)));
    assert_eq!(record.structure_present_confidence_score, Some(100));
}

#[test]
fn the_records_sum_can_be_done_again() {
    let price = Usd::from_cents(61_337);
    let record = roof_estimate(Some(&house(vec![rectangle(47.3, 29.1)])), None, None, Some(price), &prices());
    // 1376.43 * 1.118034 = 1538.9; 15.39 squares at 613.37 are 9439.7643.
    assert_eq!(record.squares_with_pitch, Some(15.39));
    assert_eq!(record.installed_price, Some(price));
    assert_eq!(record.roof_cost_estimate, Some(Usd::from_cents(943_976)));
}

#[test]
fn the_price_in_the_record_is_the_one_in_the_sum_whatever_the_material() {
    let asked = |material, price: Option<i64>| {
        let record = roof_estimate(Some(&design()), None, Some(material), price.map(Usd::from_dollars), &prices());
        assert_eq!(record.roof_material, Some(material));
        (record.installed_price, record.roof_cost_estimate)
    };
    let used = |price: i64| (Some(Usd::from_dollars(price)), Some(Usd::from_cents(price * 2_480)));
    assert_eq!(asked(RoofMaterial::Slate, None), used(2_200));
    assert_eq!(asked(RoofMaterial::Metal, Some(700)), used(700));
    assert_eq!(asked(RoofMaterial::AsphaltShingle, Some(700)), used(700));
    assert_eq!(asked(RoofMaterial::Other, None), used(800));
}

#[test]
fn other_materials_of_a_widget_keep_their_ratio_to_the_operators_asphalt() {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: Some(Usd::from_dollars(700)), own: OwnPrices::default() };
    // 700/650 of 1,300 is 1,400; of 2,200 is 2,369.23, in whole dollars.
    assert_eq!(terms.price(RoofMaterial::Metal), Usd::from_dollars(1_400));
    assert_eq!(terms.price(RoofMaterial::Slate), Usd::from_dollars(2_369));
    assert_eq!(terms.price(RoofMaterial::AsphaltShingle), Usd::from_dollars(700));
    let listed =
        PriceTerms { table: &table, asphalt_override: Some(Usd::from_dollars(650)), own: OwnPrices::default() };
    assert_eq!(listed.price(RoofMaterial::Other), Usd::from_dollars(800));
}

#[test]
fn the_sheet_of_the_designs_example() {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own: OwnPrices::default() };
    let sheet = estimate_summary(&design(), BuildingSet::FIRST, &terms).expect("measurable");
    assert_eq!(sheet.street, "14 Alder Court");
    assert_eq!((sheet.roof_area, sheet.pitch_tenths), (2_480, 266));
    assert_eq!(sheet.rise_halves, 12);
    assert_eq!((sheet.facets, sheet.complexity), (Some(6), Some(Complexity::Average)));
    let offered: Vec<RoofMaterial> = sheet.prices.iter().map(|p| p.material).collect();
    assert_eq!(offered, [RoofMaterial::AsphaltShingle, RoofMaterial::Metal, RoofMaterial::Tile, RoofMaterial::Slate]);
    let asphalt = &sheet.prices[0];
    assert_eq!(asphalt.cost, Usd::from_dollars(16_120));
    assert_eq!((asphalt.low, asphalt.high), (Usd::from_dollars(14_500), Usd::from_dollars(17_700)));

    let kept = shown_estimate(&sheet, 100);
    assert_eq!((kept.roof_area, kept.squares, kept.average_roof_pitch), (2_480.0, 24.8, 26.6));
    assert_eq!(kept.prices, sheet.prices);
}

#[test]
fn the_sum_on_screen_can_be_done_again() {
    let table = prices();
    let terms =
        PriceTerms { table: &table, asphalt_override: Some(Usd::from_cents(61_337)), own: OwnPrices::default() };
    for width in [31.0, 38.7, 44.4, 47.3, 55.55] {
        let sheet =
            estimate_summary(&house(vec![rectangle(width, 29.1)]), BuildingSet::FIRST, &terms).expect("measurable");
        for price in &sheet.prices {
            let exact = i64::from(sheet.roof_area) * price.price_per_square.cents();
            assert_eq!(price.cost.cents(), (exact + 50) / 100, "{width}: {price:?}");
        }
    }
}

#[test]
fn no_job_of_a_widget_costs_less_than_its_minimum() {
    let table = prices();
    let shown = |minimum: Option<i64>| {
        let own = OwnPrices { minimum: minimum.map(Usd::from_dollars), ..OwnPrices::default() };
        let terms = PriceTerms { table: &table, asphalt_override: None, own };
        let sheet = estimate_summary(&design(), BuildingSet::FIRST, &terms).expect("measurable");
        let [asphalt, metal] = [&sheet.prices[0], &sheet.prices[1]];
        [asphalt, metal].map(|price| [price.cost, price.low, price.high].map(|sum| sum.cents() / 100))
    };
    let [asphalt, metal] = shown(None);
    assert_eq!(asphalt, [16_120, 14_500, 17_700]);
    // Below the range, within it, above it.
    assert_eq!(shown(Some(10_000)), [asphalt, metal]);
    assert_eq!(shown(Some(15_000)), [[16_120, 15_000, 17_700], metal]);
    assert_eq!(shown(Some(17_000)), [[17_000, 17_000, 17_700], metal]);
    assert_eq!(shown(Some(20_000)), [[20_000, 20_000, 20_000], metal]);
}

#[test]
fn the_range_widens_with_doubt() {
    let table = prices();
    let terms = PriceTerms { table: &table, asphalt_override: None, own: OwnPrices::default() };
    let range = |evidence: &Evidence| {
        let sheet = estimate_summary(evidence, BuildingSet::FIRST, &terms).expect("measurable");
        let price = &sheet.prices[0];
        let share = |end: Usd| ((end.dollars() / price.cost.dollars() - 1.0) * 100.0).round();
        (share(price.low), share(price.high))
    };
    // Surveyed: 10 % each way, more when flagged.
    assert_eq!(range(&design()), (-10.0, 10.0));
    let mut flagged = design();
    flagged.place.buildings[0].outline.spans_parcels = true;
    assert_eq!(range(&flagged), (-20.0, 30.0));
    // A mapped outline: the pitch is assumed. 77.5 x 40 ft at 6/12 is 34.7 squares, 22,555 USD.
    assert_eq!(range(&house(vec![rectangle(77.5, 40.0)])), (-20.0, 35.0), "the size alone may be a third larger");
    // From records with a measured garage the size is uncertain by 12.1 % besides; from living area alone by 35.4 %.
    let garage = fact(shingle_domain::evidence::Garage { attached: true, area_sqft: Some(500.0), cars: None });
    let known = Assessor { living_area_sqft: fact(1_800.0), storeys: fact(1.0), garage, ..Assessor::default() };
    assert_eq!(range(&evidence(vec![], known)), (-25.0, 39.0));
    let alone = Assessor { living_area_sqft: fact(2_000.0), ..Assessor::default() };
    assert_eq!(range(&evidence(vec![], alone)), (-50.0, 57.0));
}

#[test]
fn the_roof_step_names_every_building() {
    let buildings = vec![
        building(design_outline(), "House"),
        building(outline(vec![rectangle(24.0, 24.0)]), "garage"),
        building(outline(vec![rectangle(12.0, 9.0)]), "garage"),
        building(outline(vec![rectangle(9.0, 9.0)]), "yes"),
    ];
    let found = roof_found("key-1", &evidence(buildings, Assessor::default())).expect("a roof");
    assert_eq!((found.key.as_str(), found.street.as_str()), ("key-1", "14 Alder Court"));
    assert_eq!(found.city, "Chesapeake, VA 23320");
    let labels: Vec<&str> = found.buildings.iter().map(|b| b.label.as_str()).collect();
    assert_eq!(labels, ["House", "Building 2", "Garage", "Garage 2"]);
    let house = &found.buildings[0];
    assert_eq!((house.area, house.longest_sides, house.shape.as_str()), (2_480, Some([560, 534]), "Hip, L-shaped"));
    assert!(found.buildings.iter().all(|b| b.drawing.is_some()));
    assert_eq!((found.provenance.method, found.provenance.year.as_deref()), (MeasureMethod::Survey, Some("2021")));
    assert_eq!((found.provenance.source.as_str(), found.provenance.invented), ("Harrow County", false));
    assert_eq!(found.confidence, 100);
}

#[test]
fn the_roof_step_and_the_measure_agree_building_by_building() {
    let buildings = vec![
        building(outline(vec![rectangle(24.0, 24.0)]), "garage"),
        building(outline(vec![rectangle(50.0, 30.0)]), "house"),
        building(outline(vec![]), "house"),
        building(outline(vec![rectangle(70.0, 30.0)]), "house"),
    ];
    let evidence = evidence(buildings, Assessor::default());
    let found = roof_found("k", &evidence).expect("a roof");
    assert_eq!(found.buildings.len(), 3);
    for (index, choice) in found.buildings.iter().enumerate() {
        assert_eq!(Some(choice.area), measure(&evidence, Some(index)).map(|m| m.area_sqft));
    }
}

#[test]
fn records_alone_give_a_size_without_a_drawing() {
    let mut records = evidence(vec![], Assessor { living_area_sqft: fact(2_000.0), ..Assessor::default() });
    records.place.sources[0].invented = true;
    records.matched.level = MatchLevel::SimilarName;
    let found = roof_found("k", &records).expect("a roof");
    assert_eq!(found.buildings.len(), 1);
    assert_eq!((found.buildings[0].area, &found.buildings[0].drawing), (2_290, &None));
    assert_eq!(found.provenance.method, MeasureMethod::Records);
    assert!(found.provenance.invented);
    assert_eq!(found.confidence, 50);
}
