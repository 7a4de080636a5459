//! An area beside a county's own file: what the county says is believed, field by field, and the area says the rest.

use shingle_domain::evidence::{Evidence, Fact};
use shingle_domain::lookup::AddressInput;
use shingle_import::{ImportJob, Mapping, run};
use shingle_property::{Lookup, PropertyIndex, Reference};
use shingle_testing::release::Home;

use crate::ground::Ground;

const DRAWN: &str = "12 Alder Court, Boulder, CO 80302";
const NOT_DRAWN: &str = "14 Alder Court, Boulder, CO 80302";
const OF_THE_AREA: &str = "16 Alder Court, Boulder, CO 80302";

/// The county knows two homes: one with its outline, twice as wide as the area has it, and one without.
fn import_county(ground: &Ground, as_of: &str) {
    let feature = |home: &Home, year: u16, is_drawn: bool| {
        let (x, y, half) = (home.longitude, home.latitude, home.half * 2.0);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0)];
        let ring: Vec<[f64; 2]> = corners.iter().map(|(a, b)| [x + a * half, y + b * half]).collect();
        let geometry = is_drawn.then(|| serde_json::json!({ "type": "Polygon", "coordinates": [ring] }));
        let about = serde_json::json!({
            "NO": home.number, "STREET": home.street, "YEAR": year, "SQFT": 1800, "OWNER": "ROE ADA",
        });
        serde_json::json!({ "type": "Feature", "properties": about, "geometry": geometry }).to_string()
    };
    let features = [feature(&ground.homes[1], 1950, true), feature(&ground.homes[2], 1960, false)];
    let file = ground.folder.path().join("county.geojsonl");
    std::fs::write(&file, features.join("\n")).unwrap();
    let mapping = format!(
        r#"
        dataset = "boulder-county"
        title = "County of Boulder"
        as_of = "{as_of}"
        [geometry]
        outline_kind = "eave"
        [address]
        number = "NO"
        street = "STREET"
        city = {{ constant = "Boulder" }}
        state = {{ constant = "CO" }}
        zip = {{ constant = "80302" }}
        [assessor]
        year_built = "YEAR"
        living_area_sqft = "SQFT"
        primary_owner = "OWNER"
        "#
    );
    let mapping = Mapping::from_toml(&mapping, "county.toml").unwrap();
    let into = ground.context.settings.property();
    let report = run(ImportJob { files: vec![file], mapping: &mapping, into }, &mut ()).unwrap();
    assert_eq!((report.imported, report.rejected), (2, 0), "{report:?}");
}

fn evidence(ground: &Ground, line: &str) -> Evidence {
    let index = PropertyIndex::open(&ground.context.settings.property(), Reference::built_in()).unwrap();
    match index.lookup(&AddressInput::Line(line.to_owned())).unwrap() {
        Lookup::Found { evidence, .. } => evidence,
        other => panic!("{line}: {other:?}"),
    }
}

fn source_of<T>(evidence: &Evidence, fact: &Option<Fact<T>>) -> Option<String> {
    fact.as_ref().map(|fact| evidence.place.sources[usize::from(fact.source)].name.clone())
}

#[test]
fn the_county_is_believed_where_both_know_whichever_is_newer_or_came_later() {
    for as_of in ["2019", "2027-01"] {
        for county_first in [true, false] {
            let ground = Ground::new();
            let area_alone = || ground.load(ground.planned("80302", 3.0).unwrap()).unwrap();
            if county_first {
                import_county(&ground, as_of);
                area_alone();
            } else {
                area_alone();
                import_county(&ground, as_of);
            }
            let both = evidence(&ground, DRAWN);
            let about = &both.place.assessor;
            for source in [
                source_of(&both, &about.year_built),
                source_of(&both, &about.living_area_sqft),
                source_of(&both, &about.primary_owner),
            ] {
                assert_eq!(source.as_deref(), Some("boulder-county"), "{as_of}, county first: {county_first}");
            }
            assert_eq!(about.year_built.as_ref().map(|fact| fact.value), Some(1950));
            let outline_of = |evidence: &Evidence| {
                let of = |number: u8| evidence.place.sources[usize::from(number)].name.clone();
                evidence.place.buildings.iter().map(|building| of(building.source)).collect::<Vec<_>>()
            };
            assert_eq!(outline_of(&both), ["boulder-county"], "{as_of}, county first: {county_first}");
            // Where only the area has an outline, it is the area's; the year is the county's all the same.
            let rest = evidence(&ground, NOT_DRAWN);
            assert_eq!(source_of(&rest, &rest.place.assessor.year_built).as_deref(), Some("boulder-county"));
            assert_eq!(outline_of(&rest), ["area-80302-outlines"]);
            assert_eq!(outline_of(&evidence(&ground, OF_THE_AREA)), ["area-80302-outlines"]);
            let wide = ground.roof(DRAWN).unwrap().1;
            let usual = ground.roof(OF_THE_AREA).unwrap().1;
            assert!(wide > 4.0 * usual, "{wide} beside {usual}");
            // Without the county the area answers alone.
            shingle_property::remove_dataset(&ground.context.settings.property(), "boulder-county").unwrap();
            assert_eq!(outline_of(&evidence(&ground, DRAWN)), ["area-80302-outlines"]);
        }
    }
}
