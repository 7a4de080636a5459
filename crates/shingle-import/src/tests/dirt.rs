//! Bad shapes: each is reported, and the old index stays in use.

use std::fs;

use shapefile::dbase::{FieldValue, Record, TableWriterBuilder};
use shapefile::record::EsriShape;

use super::files::*;

/// Of Web Mercator from degrees, in meters.
fn mercator((lon, lat): (f64, f64)) -> (f64, f64) {
    const A: f64 = 6_378_137.0;
    (A * lon.to_radians(), A * (std::f64::consts::FRAC_PI_4 + lat.to_radians() / 2.0).tan().ln())
}

fn old_index() -> Town {
    let town = Town::new();
    let shp = town.shapefile("old.shp", &street(5), Some(WGS84));
    town.import(OUTLINES, &[&shp]).unwrap();
    town
}

fn is_served(town: &Town) {
    assert!(town.find("104 Tanner St, Harrow, OH 43099").is_some(), "the old index is gone");
}

fn feature(number: usize, geometry: &str) -> String {
    format!(
        r#"{{"type":"Feature","properties":{{"parcel":"","number":"{number}","street":"ALDER COURT","city":"HARROW","zip":"43099","kind":"House"}},"geometry":{geometry}}}"#
    )
}

fn polygon(rings: &str) -> String {
    format!(r#"{{"type":"Polygon","coordinates":{rings}}}"#)
}

/// A house of 2e-4 by 1e-4 degrees: 17.0 by 11.1 m.
const RING: &str = "[-82.5,40.25],[-82.4998,40.25],[-82.4998,40.2501],[-82.5,40.2501]";
const HOUSE: f64 = 17.01 * 11.105;

fn collection(features: &[String]) -> String {
    format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, features.join(","))
}

#[test]
fn a_file_in_the_next_zone_lands_in_another_state_and_is_refused() {
    let town = old_index();
    let mut houses = street(30);
    // What reading zone 17 as zone 18 does.
    bend(&mut houses, |(x, y)| (x + 6.0, y));
    let shp = town.shapefile("new.shp", &houses, Some(WGS84));
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("30 of 30 shapes: outside the state of its address; is the projection right?"), "{error}");
    is_served(&town);
}

#[test]
fn a_prj_that_says_degrees_over_coordinates_in_metres_is_refused() {
    let town = old_index();
    let mut houses = street(30);
    bend(&mut houses, mercator);
    let shp = town.shapefile("new.shp", &houses, Some(WGS84));
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("30 of 30 shapes: outside the United States") && error.contains("`crs`"), "{error}");
    is_served(&town);
    // And the mend it names works.
    let map = OUTLINES.replace("outline_kind = \"eave\"", "outline_kind = \"eave\"\ncrs = 3857");
    assert_eq!(town.import(&map, &[&shp]).unwrap().imported, 30);
    let area = plan_area(&town.find("104 Tanner St, Harrow, OH 43099").unwrap());
    assert!((area / 157.4 - 1.0).abs() < 2e-3, "{area}");
}

#[test]
fn every_bad_shape_is_a_row_with_its_reason() {
    let town = Town::new();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let stray = "[-82.49,40.25],[-82.4898,40.25],[-82.4898,40.2501],[-82.49,40.2501]";
    let shapes = [
        (polygon(&format!("[[{RING},[-82.5,40.25]]]")), ""),
        // Unclosed, doubled points, heights and measures, the wrong way round.
        (polygon(&format!("[[{RING}]]")), ""),
        (polygon(&format!("[[{RING},{RING}]]")), "the same area twice"),
        (
            polygon("[[[-82.5,40.25,3],[-82.5,40.25,3],[-82.5,40.2501,3,9],[-82.4998,40.2501,3],[-82.4998,40.25,3]]]"),
            "",
        ),
        (polygon(&format!("[[{RING}],[{stray}]]")), ""),
        (polygon(&format!("[[{RING}],[{RING}]]")), ""),
        (polygon("[[[-82.5,40.25],[-82.4998,40.2501],[-82.4998,40.25],[-82.5,40.2501]]]"), "crosses itself"),
        (polygon("[[[-82.5,40.25],[-82.4998,40.25],[-82.5,40.25]]]"), "fewer than three points"),
        (polygon("[[[-82.5,40.25],[-82.4999,40.25],[-82.4998,40.25],[-82.4997,40.25]]]"), "covers no area"),
        (polygon("[[[-82.5,40.25],[-82.4998],[-82.4998,40.2501]]]"), "a position needs two numbers"),
        (polygon("[[[-82.5,40.25],[null,40.25],[-82.4998,40.2501]]]"), "coordinates cannot be read"),
        (polygon("[[[-82.5,1e999],[-82.4998,40.25],[-82.4998,40.2501]]]"), "number out of range"),
        (polygon(&deep), "coordinates cannot be read"),
        (r#"{"type":"Polygon"}"#.to_owned(), "no coordinates"),
        (
            r#"{"type":"LineString","coordinates":[[-82.5,40.25],[-82.4,40.25]]}"#.to_owned(),
            "a LineString is neither an outline",
        ),
        (polygon("[]"), ""),
        ("null".to_owned(), ""),
        (
            format!(
                r#"{{"type":"GeometryCollection","geometries":[{{"type":"Point","coordinates":[-82.5,40.25]}},{}]}}"#,
                polygon(&format!("[[{RING}]]"))
            ),
            "",
        ),
    ];
    let features: Vec<String> = shapes.iter().enumerate().map(|(i, (shape, _))| feature(2 * i + 2, shape)).collect();
    let file = town.write("dirt.geojson", collection(&features));
    let report = town.import(OUTLINES, &[&file]).unwrap();
    let rejects = town.rejects("test-outlines");
    for (i, (_, reason)) in shapes.iter().enumerate() {
        let line = rejects.lines().find(|l| l.starts_with(&format!("dirt.geojson,{},", i + 1)));
        match line {
            Some(line) => assert!(!reason.is_empty() && line.contains(reason), "{line} should say {reason}"),
            None => assert!(reason.is_empty(), "shape {} should be refused: {reason}", i + 1),
        }
    }
    let bad = shapes.iter().filter(|s| !s.1.is_empty()).count() as u64;
    assert_eq!((report.rows_read, report.rejected), (shapes.len() as u64, bad));
    let area = |i: usize| plan_area(&town.find(&format!("{} Alder Ct, Harrow, OH 43099", 2 * i + 2)).unwrap());
    for (i, expected) in
        [(0, HOUSE), (1, HOUSE), (3, HOUSE), (4, 2.0 * HOUSE), (5, HOUSE), (15, 0.0), (16, 0.0), (17, HOUSE)]
    {
        assert!((area(i) - expected).abs() <= 2e-3 * expected, "shape {}: {} is not {expected}", i + 1, area(i));
    }
    assert!(
        said(&report.notes).iter().any(|n| n.starts_with("1 outline has a hole that lies outside it")),
        "{:?}",
        report.notes
    );
}

#[test]
fn a_feature_beyond_all_measure_is_one_bad_row() {
    let town = Town::new();
    let good = |n| feature(n, &polygon(&format!("[[{RING}]]")));
    let huge = feature(4, &polygon(&format!("[[{}{RING}]]", "[-82.5,40.25],".repeat(5_000_000))));
    assert!(huge.len() > 64 * 1024 * 1024);
    let file = town.write("huge.geojson", collection(&[good(2), huge, good(6)]));
    let report = town.import(OUTLINES, &[&file]).unwrap();
    assert_eq!((report.imported, report.rejected), (2, 1));
    assert!(town.rejects("test-outlines").contains("huge.geojson,2,a feature of more than 64 MB"));
    assert!(town.find("6 Alder Ct, Harrow, OH 43099").is_some());
}

#[test]
fn a_file_that_ends_within_a_shape_is_called_truncated_wherever_it_is_cut() {
    let town = old_index();
    let whole =
        collection(&[feature(2, &polygon(&format!("[[{RING}]]"))), feature(4, &polygon(&format!("[[{RING}]]")))]);
    for cut in (40..whole.len() - 1).step_by(7) {
        let file = town.write("a.geojson", &whole[..cut]);
        let error = town.import(OUTLINES, &[&file]).unwrap_err().to_string();
        assert!(error.contains("truncated"), "cut at {cut}: {error}");
    }
    is_served(&town);
}

#[test]
fn topojson_is_refused_with_the_way_to_convert_it() {
    let town = old_index();
    for (name, text) in [
        ("a.json", r#"{"type":"Topology","arcs":[],"objects":{}}"#),
        ("a.json", r#"{"arcs":[[[0,0],[1,1]]],"type":"Topology","objects":{"a":{"type":"Feature"}}}"#),
        ("a.topojson", r#"{"arcs":[]}"#),
    ] {
        let file = town.write(name, text);
        let error = town.import(OUTLINES, &[&file]).unwrap_err().to_string();
        assert!(error.contains("TopoJSON; convert it: ogr2ogr -f GeoJSONSeq out.geojsonl in.topojson"), "{error}");
        is_served(&town);
    }
}

fn write_shapes<S: EsriShape>(town: &Town, name: &str, shapes: &[S]) -> std::path::PathBuf {
    let path = town.path(name);
    let mut table = TableWriterBuilder::new();
    for column in ["parcel", "number", "street", "city", "zip", "kind"] {
        table = table.add_character_field(column.try_into().unwrap(), 20);
    }
    let mut writer = shapefile::Writer::from_path(&path, table).unwrap();
    for (i, shape) in shapes.iter().enumerate() {
        let mut record = Record::default();
        let number = (2 * i + 2).to_string();
        for (column, text) in [
            ("parcel", ""),
            ("number", &number),
            ("street", "ALDER COURT"),
            ("city", "HARROW"),
            ("zip", "43099"),
            ("kind", ""),
        ] {
            record.insert(column.to_owned(), FieldValue::Character(Some(text.to_owned())));
        }
        writer.write_shape_and_record(shape, &record).unwrap();
    }
    drop(writer);
    path
}

const CORNERS: [(f64, f64); 4] = [(-82.5, 40.25), (-82.5, 40.2501), (-82.4998, 40.2501), (-82.4998, 40.25)];

#[test]
fn heights_and_measures_of_shapefiles_are_let_go() {
    use shapefile::{PointM, PointZ, PolygonM, PolygonRing, PolygonZ};
    let town = Town::new();
    let z = PolygonZ::new(PolygonRing::Outer(CORNERS.map(|(x, y)| PointZ::new(x, y, 12.0, 3.0)).to_vec()));
    let m = PolygonM::new(PolygonRing::Outer(CORNERS.map(|(x, y)| PointM::new(x, y, 7.0)).to_vec()));
    let z = write_shapes(&town, "z.shp", &[z]);
    fs::remove_file(z.with_extension("shx")).unwrap();
    let m = write_shapes(&town, "m.shp", &[m]);
    for file in [z, m] {
        let report = town.import(OUTLINES, &[&file]).unwrap();
        assert_eq!(report.imported, 1);
        assert!(said(&report.notes).iter().any(|n| n.contains("no .prj")), "{:?}", report.notes);
        let area = plan_area(&town.find("2 Alder Ct, Harrow, OH 43099").unwrap());
        assert!((area / HOUSE - 1.0).abs() < 2e-3, "{area}");
    }
}

#[test]
fn coordinates_that_are_no_numbers_are_called_that() {
    use shapefile::{Point, Polygon, PolygonRing};
    let town = old_index();
    let house = |first: f64| {
        let mut points = CORNERS.map(|(x, y)| Point::new(x, y)).to_vec();
        points[1].x += first;
        Polygon::new(PolygonRing::Outer(points))
    };
    let file = write_shapes(&town, "nan.shp", &[house(0.0), house(f64::NAN), house(f64::INFINITY), house(0.0)]);
    fs::write(file.with_extension("prj"), WGS84).unwrap();
    let report = town.import(OUTLINES, &[&file]).unwrap();
    assert_eq!((report.imported, report.rejected), (2, 2));
    assert_eq!(counted(&report.reasons)[0], ("a coordinate is not a number".to_owned(), 2));
    let file = write_shapes(&town, "nan.shp", &[house(f64::NAN), house(f64::NAN)]);
    let error = town.import(OUTLINES, &[&file]).unwrap_err().to_string();
    assert!(error.contains("2 of 2 shapes: a coordinate is not a number. Export the file again"), "{error}");
}

#[test]
fn a_shapefile_with_a_part_missing_says_which() {
    let town = old_index();
    let shp = town.shapefile("new.shp", &street(4), Some(WGS84));
    fs::remove_file(shp.with_extension("dbf")).unwrap();
    let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
    assert!(error.contains("the .dbf that holds the addresses"), "{error}");
    let shp = town.shapefile("new.shp", &street(4), Some(WGS84));
    let bytes = fs::read(&shp).unwrap();
    for cut in [50, 120, 300, bytes.len() - 1] {
        fs::write(&shp, &bytes[..cut]).unwrap();
        let error = town.import(OUTLINES, &[&shp]).unwrap_err().to_string();
        assert!(error.contains("truncated"), "cut at {cut}: {error}");
    }
    is_served(&town);
}
