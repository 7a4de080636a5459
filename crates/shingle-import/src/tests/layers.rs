//! Parcels, outlines without addresses and ZIP areas: three files and one command.

use shingle_domain::evidence::Point;
use shingle_domain::geometry::ring_contains;

use super::files::*;
use crate::ImportReport;
use crate::error::ImportError;

/// Rows of a grid of lots, 1e-3 degrees wide and 8e-4 high, in Harrow (invented), Ohio.
const MAP: &str = r#"
dataset = "harrow"
licence = "CC0-1.0"
as_of = "2025"

[place]
parcel = "id"

[address]
line = "address"
unit = "unit"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = { areas = "zip*", column = "ZCTA5CE20" }

[assessor]
year_built = "year"

[layers.parcels]
files = "parcels*"
id = "ML"

[layers.outlines]
files = ["outlines*", "footprints*"]
outline_kind = "eave"
building_use = "type"
licence = "ODbL-1.0"
as_of = "2024"
"#;

const TABLE_OF_FOUR: &str = "id,address,unit,year\n1-1,12 Mill Lane,,1950\n1-2,14 Mill Lane,,1960\n\
    1-3,16 Mill Lane,A,1970\n1-3,16 Mill Lane,B,1970\n1-3,18 Mill Lane,,1970\n";

/// Three lots side by side, one whose outline is broken, and one without an outline. Each is ten steps of 1e-4 degrees
/// wide, and eight high.
fn parcels() -> String {
    let lot = |id: &str, x: f64| outline(x, 0.0, 10.0, 8.0).replace(r#""type":"House""#, &format!(r#""ML":"{id}""#));
    let broken = r#"{"type":"Feature","properties":{"ML":"1-4"},"geometry":{"type":"Polygon","coordinates":[["x"]]}}"#;
    let empty = r#"{"type":"Feature","properties":{"ML":"1-5"},"geometry":null}"#;
    let lots = [lot("1-1", 0.0), lot("1-2", 10.0), lot("1-3", 20.0), broken.to_owned(), empty.to_owned()];
    collection(&lots)
}

/// A rectangle by its lower left corner and its sides, in steps of the grid of the lots.
fn outline(x: f64, y: f64, w: f64, h: f64) -> String {
    let at = |x: f64, y: f64| format!("[{},{}]", -82.5 + x * 1e-4, 40.25 + y * 1e-4);
    format!(
        r#"{{"type":"Feature","properties":{{"type":"House"}},"geometry":{{"type":"Polygon","coordinates":[[{},{},{},{},{}]]}}}}"#,
        at(x, y),
        at(x + w, y),
        at(x + w, y + h),
        at(x, y + h),
        at(x, y)
    )
}

fn collection(features: &[String]) -> String {
    format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, features.join(","))
}

fn zips() -> String {
    let area = |zip: &str, west: f64, east: f64| {
        format!(
            r#"{{"type":"Feature","properties":{{"ZCTA5CE20":"{zip}"}},"geometry":{{"type":"Polygon","coordinates":[[[{west},40.2],[{east},40.2],[{east},40.3],[{west},40.3],[{west},40.2]]]}}}}"#
        )
    };
    collection(&[area("43091", -82.6, -82.499), area("43092", -82.499, -82.4)])
}

fn import(town: &Town, parcels: &str, table: &str, outlines: &[String]) -> Result<ImportReport, ImportError> {
    let files = [
        town.write("parcels.geojson", parcels),
        town.write("assessor.csv", table),
        town.write("outlines.geojson", collection(outlines)),
        town.write("zips.geojson", zips()),
    ];
    town.import(MAP, &files.each_ref().map(|f| f.as_path()))
}

#[test]
fn parcels_lend_a_table_its_places_and_outlines_their_addresses() {
    let town = Town::new();
    // A house and a shed on the first lot, a house across the border of the second and third, one over the
    // units of the third, one in the field.
    let outlines = [
        outline(2.0, 2.0, 2.0, 1.0),
        outline(6.0, 6.0, 1.0, 0.5),
        outline(17.0, 2.0, 4.0, 1.0),
        outline(24.0, 3.0, 3.0, 3.0),
        outline(70.0, 70.0, 2.0, 2.0),
    ];
    let report = import(&town, &parcels(), TABLE_OF_FOUR, &outlines).unwrap();
    println!("{:#?}", report.notes);
    assert_eq!((report.rows_read, report.imported, report.rejected, report.duplicates), (10, 9, 1, 0));
    assert_eq!(report.outline_rows, 4, "they count for no field's coverage");
    assert!(town.rejects("harrow").contains("outlines.geojson,5,\"no address, and its middle is on no parcel\""));
    let notes = said(&report.notes).join("\n");
    for says in [
        "3 ids on 3 polygons",
        "2 of 5 polygons left out",
        "1: the coordinates cannot be read",
        "the parcel ids of 5 of 5 rows are",
        "5 rows took their ZIP",
    ] {
        assert!(notes.contains(says), "{says}: {notes}");
    }

    let first = town.find("12 Mill Ln, Harrow, OH 43091").unwrap();
    assert_eq!(first.parcel.as_deref(), Some("1-1"));
    assert_eq!(first.assessor.year_built.as_ref().map(|f| f.value), Some(1950));
    assert_eq!(first.buildings.len(), 2);
    assert!(first.buildings.iter().all(|b| !b.outline.spans_parcels));
    // The lot is given once, about the same origin as the house that stands on it.
    let [house, shed] = &first.buildings[..] else { panic!("a house and a shed") };
    assert_eq!((house.lot.len(), shed.lot.len()), (4, 0), "{:?}", house.lot);
    let inside = |p: &Point| ring_contains(&house.lot, *p);
    assert!(first.buildings.iter().flat_map(|b| &b.outline.parts).flat_map(|p| &p.exterior).all(inside));
    // 2e-4 by 1e-4 degrees, and 1e-4 by 5e-5: 17.01 by 11.10 m, 8.50 by 5.55 m.
    assert!((plan_area(&first) / (17.01 * 11.105 + 8.505 * 5.552) - 1.0).abs() < 2e-3, "{}", plan_area(&first));
    let of = |building: usize| &first.sources[usize::from(first.buildings[building].source)];
    assert_eq!((of(0).licence.as_deref(), of(0).as_of.as_deref()), (Some("ODbL-1.0"), Some("2024")));

    // Three quarters of the house stand on the lot it is given to.
    let second = town.find("14 Mill Ln, Harrow, OH 43092").unwrap();
    assert_eq!(second.buildings.len(), 1);
    assert!(second.buildings[0].outline.spans_parcels);

    for line in ["16 Mill Ln Unit A, Harrow, OH 43092", "16 Mill Ln Unit B, Harrow, OH", "18 Mill Ln, Harrow, OH 43092"]
    {
        let place = town.find(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(place.buildings.len(), 1, "{line}");
        assert!(place.origin.is_some());
    }
}

#[test]
fn a_table_without_outlines_still_gets_places_and_zips() {
    let town = Town::new();
    let map = MAP.split("[layers.outlines]").next().unwrap();
    let files = [
        town.write("parcels.geojson", parcels()),
        town.write("assessor.csv", TABLE_OF_FOUR),
        town.write("zips.geojson", zips()),
    ];
    let report = town.import(map, &files.each_ref().map(|f| f.as_path())).unwrap();
    assert_eq!(report.imported, 5);
    assert!(report.coverage.contains(&("point".to_owned(), 5)));
    let at = town.find("14 Mill Ln, Harrow, OH 43092").unwrap().origin.unwrap();
    assert!((at.longitude + 82.4985).abs() < 1e-6 && (at.latitude - 40.2504).abs() < 1e-6, "{at:?}");
}

#[test]
fn rows_drawn_as_parcels_need_no_layer() {
    let town = Town::new();
    let map = r#"
dataset = "harrow"
[geometry]
draws = "parcels"
[place]
parcel = "parcel"
[address]
number = "number"
street = "street"
city = "city"
state = { constant = "OH" }
zip = "zip"
[layers.outlines]
files = "foot*"
outline_kind = "wall"
"#;
    let lots: Vec<House> = street(6)
        .into_iter()
        .zip(["a", "b", "c", "d", "e", "f"])
        .map(|(mut h, parcel)| {
            let (x, y) = h.ring[0];
            h.parcel = parcel;
            h.ring = vec![(x, y), (x, y + 8e-4), (x + 1e-3, y + 8e-4), (x + 1e-3, y), (x, y)];
            h
        })
        .collect();
    let shp = town.shapefile("lots.shp", &lots, Some(WGS84));
    let outlines =
        town.write("footprints.geojson", collection(&[outline(2.0, 2.0, 2.0, 1.0), outline(52.0, 2.0, 2.0, 1.0)]));
    let report = town.import(map, &[&shp, &outlines]).unwrap();
    assert_eq!((report.imported, report.rejected), (8, 0), "{report:#?}");
    let place = town.find("100 Tanner Street, Harrow, OH 43099").unwrap();
    assert!((plan_area(&place) / (17.01 * 11.105) - 1.0).abs() < 2e-3, "the lot is no building: {}", plan_area(&place));
    assert_eq!(town.find("102 Tanner Street, Harrow, OH 43099").unwrap().buildings.len(), 0);
    assert_eq!(town.find("110 Tanner Street, Harrow, OH 43099").unwrap().buildings.len(), 1);
}

#[test]
fn parcel_ids_that_never_meet_end_the_import() {
    let town = Town::new();
    let table: String = std::iter::once("id,address,unit,year\n".to_owned())
        .chain((0..30).map(|i| format!("00{i}/x,{} Mill Lane,,1950\n", 2 * i + 2)))
        .collect();
    let error = import(&town, &parcels(), &table, &[]).unwrap_err().to_string();
    assert!(error.contains("none of 30 parcel ids") && error.contains("`000/x`") && error.contains("`1-1`"), "{error}");
}

#[test]
fn a_layer_without_its_file_is_told() {
    let town = Town::new();
    let table = town.write("assessor.csv", TABLE_OF_FOUR);
    let error = town.import(MAP, &[&table]).unwrap_err().to_string();
    assert!(error.contains("[layers.parcels]") && error.contains("`parcels*`"), "{error}");
    let parcels = town.write("parcels.geojson", parcels());
    let (zips, outlines) = (town.write("zips.geojson", zips()), town.write("outlines.geojson", collection(&[])));
    let error = town.import(MAP, &[&parcels, &zips, &outlines]).unwrap_err().to_string();
    assert!(error.contains("every file is a layer"), "{error}");
}

#[test]
fn ten_thousand_copies_of_a_parcel_are_one() {
    let town = Town::new();
    let lot = outline(0.0, 0.0, 10.0, 8.0).replace(r#""type":"House""#, r#""ML":"1-1""#);
    let table = "id,address,unit,year\n1-1,12 Mill Lane,,1950\n";
    let report = import(&town, &collection(&vec![lot; 10_000]), table, &[outline(2.0, 2.0, 2.0, 1.0)]).unwrap();
    assert!(said(&report.notes).iter().any(|n| n.contains("1 id on 1 polygon,")), "{:?}", report.notes);
    assert_eq!(town.find("12 Mill Ln, Harrow, OH 43091").unwrap().buildings.len(), 1);
}

#[test]
fn a_unit_of_each_of_many_stacked_parcels_has_the_roof_over_all() {
    let town = Town::new();
    let lots: Vec<String> = (0..200)
        .map(|i| outline(0.0, 0.0, 10.0, 8.0).replace(r#""type":"House""#, &format!(r#""ML":"9-{i}""#)))
        .collect();
    let table: String = std::iter::once("id,address,unit,year\n".to_owned())
        .chain((0..200).map(|i| format!("9-{i},12 Mill Lane,{},1950\n", i + 1)))
        .collect();
    let report = import(&town, &collection(&lots), &table, &[outline(1.0, 1.0, 8.0, 6.0)]).unwrap();
    assert_eq!((report.imported, report.places), (201, 200));
    for unit in [1, 77, 200] {
        let place = town.find(&format!("12 Mill Ln Unit {unit}, Harrow, OH 43091")).unwrap();
        assert_eq!((place.buildings.len(), place.buildings[0].outline.spans_parcels), (1, false));
    }
}
