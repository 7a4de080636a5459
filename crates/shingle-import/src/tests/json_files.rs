//! JSON as servers and programs write it: the projection behind the features, pages of a download, Esri's own form, plain
//! rows, answers without rows.

use serde_json::{Value, json};

use super::files::*;
use crate::{ImportJob, Mapping, check, draft};

/// A house as a feature, its ring bent.
fn feature(house: &House, by: impl Fn((f64, f64)) -> (f64, f64)) -> Value {
    let ring: Vec<[f64; 2]> = house.ring.iter().map(|p| by(*p).into()).collect();
    json!({"type": "Feature", "properties": cells(house), "geometry": {"type": "Polygon", "coordinates": [ring]}})
}

fn cells(house: &House) -> Value {
    json!({"parcel": house.parcel, "number": house.number, "street": house.street, "city": "HARROW", "zip": "43099", "kind": "House"})
}

fn mercator((lon, lat): (f64, f64)) -> (f64, f64) {
    let r = 6_378_137.0;
    (r * lon.to_radians(), r * (std::f64::consts::FRAC_PI_4 + lat.to_radians() / 2.0).tan().ln())
}

fn collection(features: &[Value], before: &str, behind: &str) -> String {
    let list = features.iter().map(Value::to_string).collect::<Vec<_>>().join(",\n");
    format!("{{\"type\":\"FeatureCollection\",{before}\"features\":[{list}]{behind}}}")
}

const HOME: &str = "110 Tanner Street, Harrow, OH 43099";

#[test]
fn a_projection_is_believed_before_and_behind_the_features() {
    let in_meters: Vec<Value> = street(40).iter().map(|h| feature(h, mercator)).collect();
    let expected = {
        let town = Town::new();
        let file =
            town.write("a.json", collection(&street(40).iter().map(|h| feature(h, |p| p)).collect::<Vec<_>>(), "", ""));
        town.import(OUTLINES, &[&file]).unwrap();
        plan_area(&town.find(HOME).unwrap())
    };
    for name in ["EPSG:3857", "urn:ogc:def:crs:EPSG::3857", "http://www.opengis.net/def/crs/EPSG/0/3857", "EPSG:900913"]
    {
        let crs = format!("\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\"{name}\"}}}}");
        for (before, behind) in [
            (format!("{crs},"), String::new()),
            (String::new(), format!(",{crs}")),
            (String::new(), format!(",\n {crs},\n \"bbox\": [1,2,3,4], \"name\": \"x\"")),
            (String::new(), format!(",\"note\":\"{}\",{crs}", "x".repeat(200_000))),
        ] {
            let town = Town::new();
            let file = town.write("a.json", collection(&in_meters, &before, &behind));
            assert_eq!(town.import(OUTLINES, &[&file]).unwrap().places, 40, "{name}");
            let area = plan_area(&town.find(HOME).unwrap());
            assert!((area / expected - 1.0).abs() < 1e-3, "{name}: {area} is not {expected}");
        }
    }
    // A datum that is not converted is refused from behind too.
    let town = Town::new();
    let degrees: Vec<Value> = street(4).iter().map(|h| feature(h, |p| p)).collect();
    for (name, told) in [("EPSG:4267", "NAD 27"), ("EPSG:4135", "Old Hawaiian"), ("EPSG:4675", "Guam 1963")] {
        let crs = format!(",\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\"{name}\"}}}}");
        let error =
            town.import(OUTLINES, &[&town.write("a.json", collection(&degrees, "", &crs))]).unwrap_err().to_string();
        assert!(error.contains(told) && error.contains("-t_srs EPSG:4326"), "{error}");
    }
    // Farther behind than is looked: never taken for degrees in silence.
    let far = format!(
        ",\"crs\":{{\"type\":\"name\",\"properties\":{{\"name\":\"EPSG:3857\"}}}},\"note\":\"{}\"",
        "x".repeat(400_000)
    );
    let error =
        town.import(OUTLINES, &[&town.write("a.json", collection(&degrees, "", &far))]).unwrap_err().to_string();
    assert!(error.contains("set `crs`"), "{error}");
}

#[test]
fn a_part_of_a_download_is_told_by_check_and_import() {
    let features: Vec<Value> = street(5).iter().map(|h| feature(h, |p| p)).collect();
    for (before, behind, told) in [
        ("\"exceededTransferLimit\":true,", "", "behind its 5 rows the server has more. Ask an ArcGIS server"),
        ("\"properties\":{\"exceededTransferLimit\":true},", "", "behind its 5 rows"),
        ("", ",\"exceededTransferLimit\":true", "behind its 5 rows"),
        ("", ",\"properties\":{\"exceededTransferLimit\":true}", "behind its 5 rows"),
        ("\"numberMatched\":812,\"numberReturned\":5,", "", "5 of 812 rows"),
        ("", ",\"numberMatched\":812,\"numberReturned\":5", "5 of 812 rows"),
        ("", ",\"totalFeatures\":\"812\"", "5 of 812 rows"),
        ("", ",\"links\":[{\"rel\":\"self\",\"href\":\"a\"},{\"rel\":\"next\",\"href\":\"b\"}]", "the link `next`"),
        ("\"links\":[{\"href\":\"b\",\"rel\":\"next\"}],", "", "the link `next`"),
        ("\"next\":\"https://a.example/?page=2\",", "", "behind its 5 rows"),
    ] {
        let town = Town::new();
        let file = town.write("a.json", collection(&features, before, behind));
        let mapping = Mapping::from_toml(OUTLINES, "m.toml").unwrap();
        let checked = check(&ImportJob { files: vec![file.clone()], mapping: &mapping, into: town.index() }, &mut ());
        for notes in [checked.unwrap().notes, town.import(OUTLINES, &[&file]).unwrap().notes] {
            assert!(said(&notes).iter().any(|note| note.contains(told)), "{told}: {notes:?}");
        }
    }
    // Both pages of a download are the whole.
    let town = Town::new();
    let first = town.write("a.json", collection(&features[..3], "\"exceededTransferLimit\":true,", ""));
    let last = town.write("b.json", collection(&features[3..], "", ""));
    let notes = town.import(OUTLINES, &[&first, &last]).unwrap().notes;
    assert!(!said(&notes).iter().any(|note| note.contains("part of a download")), "{notes:?}");
    // A round number of rows is asked about, in every format.
    for count in [1_000, 2_000, 999] {
        let rows: String = (0..count).map(|n| format!("{n},{} Elm St,43099\n", n + 1)).collect();
        let file = town.write("t.csv", format!("id,address,zip\n{rows}"));
        let mapping = TABLE.split("[assessor]").next().unwrap();
        let notes = town.import(mapping, &[&file]).unwrap().notes;
        assert_eq!(
            said(&notes).iter().any(|note| note.contains(&format!("exactly {count} rows"))),
            count != 999,
            "{notes:?}"
        );
    }
}

#[test]
fn esri_json_says_the_same_as_geojson() {
    let geojson = {
        let town = Town::new();
        let file =
            town.write("a.json", collection(&street(6).iter().map(|h| feature(h, |p| p)).collect::<Vec<_>>(), "", ""));
        town.import(OUTLINES, &[&file]).unwrap();
        town.find(HOME).unwrap()
    };
    let esri = |by: &dyn Fn((f64, f64)) -> (f64, f64), own: Value| -> Vec<Value> {
        let of = |h: &House| {
            let ring: Vec<[f64; 2]> = h.ring.iter().map(|p| by(*p).into()).collect();
            let mut geometry = json!({"rings": [ring]});
            if !own.is_null() {
                geometry["spatialReference"] = own.clone();
            }
            json!({"attributes": cells(h), "geometry": geometry})
        };
        street(6).iter().map(of).collect()
    };
    let plain = |p: (f64, f64)| p;
    let meters = "\"spatialReference\":{\"wkid\":102100,\"latestWkid\":3857}";
    let texts = [
        collection(&esri(&mercator, Value::Null), &format!("{meters},"), ""),
        collection(&esri(&mercator, Value::Null), "", &format!(",{meters}")),
        collection(&esri(&mercator, Value::Null), "\"spatialReference\":{\"wkid\":102100},", ""),
        collection(&esri(&plain, Value::Null), "\"spatialReference\":{\"wkid\":4326},", "")
            .replace("\"type\":\"FeatureCollection\",", ""),
        collection(&esri(&plain, json!({"wkid": 4326})), "\"geometryType\":\"esriGeometryPolygon\",", ""),
        collection(&esri(&mercator, json!({"wkid": 3857})), "", ""),
        collection(&esri(&plain, Value::Null), "", ""),
        esri(&mercator, json!({"latestWkid": 3857})).iter().map(|f| format!("{f}\n")).collect(),
        format!("[{}]", esri(&plain, Value::Null).iter().map(Value::to_string).collect::<Vec<_>>().join(",")),
        collection(&esri(&plain, Value::Null), &format!("\"spatialReference\":{{\"wkt\":{}}},", json!(WGS84)), ""),
    ];
    for text in texts {
        let town = Town::new();
        let file = town.write("a.json", &text);
        assert_eq!(town.import(OUTLINES, &[&file]).unwrap().imported, 6, "{text}");
        let found = town.find(HOME).unwrap();
        assert!((plan_area(&found) / plan_area(&geojson) - 1.0).abs() < 1e-3, "{text}");
        assert!(draft(&[file]).unwrap().mapping.contains("number = \"number\""));
    }
    // Points, rows without a geometry, and geometry that is not an outline.
    let town = Town::new();
    let odd = json!({"features": [
        {"attributes": {"parcel": "1", "number": "2", "street": "ELM ST", "city": "HARROW", "zip": "43099"}, "geometry": {"x": -82.5, "y": 40.25}},
        {"attributes": {"parcel": "2", "number": "4", "street": "ELM ST", "city": "HARROW", "zip": "43099"}},
        {"attributes": {"parcel": "3", "number": "6", "street": "ELM ST", "city": "HARROW", "zip": "43099"}, "geometry": {"x": "NaN", "y": "NaN"}},
        {"attributes": {"parcel": "4", "number": "8", "street": "ELM ST", "city": "HARROW", "zip": "43099"}, "geometry": {"paths": [[[0, 0], [1, 1]]]}},
        {"attributes": {"parcel": "5", "number": "9", "street": "ELM ST", "city": "HARROW", "zip": "43099"}, "geometry": {"curveRings": [[[0, 0]]]}},
    ], "spatialReference": {"wkid": 4326}});
    let report = town.import(OUTLINES, &[&town.write("a.json", odd.to_string())]).unwrap();
    assert_eq!((report.imported, report.rejected), (3, 2), "{:?}", report.reasons);
}

#[test]
fn plain_rows_are_read_as_a_table() {
    let mapping = TABLE.split("[assessor]").next().unwrap();
    let row = |n: usize| json!({"id": format!("R{n}"), "address": format!("{n} Elm St"), "zip": 43099, "type": "House", "geometry_note": null});
    let rows: Vec<Value> = (1..=12).map(row).collect();
    let list = rows.iter().map(Value::to_string).collect::<Vec<_>>();
    for text in [
        format!("[{}]", list.join(",")),
        format!("[\n{}\n]\n", list.join(",\n")),
        list.join("\n"),
        list.join("\u{1e}\n"),
        format!("\u{feff}[{}]", list.join(", ")),
    ] {
        let town = Town::new();
        let file = town.write("a.json", &text);
        let report = town.import(mapping, &[&file]).unwrap();
        assert_eq!((report.imported, report.rejected), (12, 0), "{text}: {:?}", report.reasons);
        assert!(town.find("7 Elm St, Harrow, OH 43099").is_some());
        assert!(draft(&[file]).unwrap().mapping.contains("line = \"address\""));
    }
    // What a row holds besides its cells is not an answer of a server.
    let town = Town::new();
    let lines: String = rows
        .iter()
        .map(|row| {
            let mut row = row.clone();
            (row["owners"], row["error"]) = (json!([{"name": "x"}]), json!("none"));
            format!("{row}\n")
        })
        .collect();
    assert_eq!(town.import(mapping, &[&town.write("a.json", lines)]).unwrap().imported, 12);
    // With their place in columns.
    let town = Town::new();
    let file =
        town.write("a.json", "[{\"id\":1,\"address\":\"7 Elm St\",\"zip\":\"43099\",\"lon\":-82.5,\"lat\":40.25}]");
    let placed = format!("{mapping}[geometry]\nlongitude = \"lon\"\nlatitude = \"lat\"\n");
    town.import(&placed, &[&file]).unwrap();
    assert!(town.find("7 Elm St, Harrow, OH 43099").unwrap().origin.is_some());
}

#[test]
fn lists_of_values_are_read_by_their_headings() {
    let mapping = TABLE.split("[assessor]").next().unwrap();
    let list = |n: usize| json!([format!("R{n}"), format!("{n} Elm St"), 43099, null]);
    let lists: Vec<String> = (1..=12).map(|n| list(n).to_string()).collect();
    let body = lists.join(",\n");
    let names = r#"["id","address","zip","note"]"#;
    let columns = r#"[{"name":"id","fieldName":"id"},{"name":"address"},{"id":"zip","type":"int4"},"note"]"#;
    // Socrata's own columns come first, and one of them has the name of a column of the table.
    let own: Vec<String> = (1..=12)
        .map(|n| json!([format!("row-{n}"), 7, format!("R{n}"), format!("{n} Elm St"), "43099"]).to_string())
        .collect();
    let own = own.join(",");
    let socrata = r#"[{"name":"sid","fieldName":":sid"},{"name":"id","fieldName":":id"},{"name":"id","fieldName":"pin"},
        {"name":"Address","fieldName":"addr"},{"name":"zip","fieldName":"zip"}]"#;
    for text in [
        format!("[{names},\n{body}]"),
        format!("[\n  {names},\n  {body}\n]\n"),
        format!("\u{feff}[{names},{body}]"),
        format!("{names}\n{}\n", lists.join("\n")),
        format!("{{\"meta\":{{\"view\":{{\"name\":\"x\",\"columns\":{socrata}}}}},\"data\":[{own}]}}"),
        format!("{{\n \"meta\" : {{\"view\" : {{\"columns\" : {socrata}}}}}\n, \"data\" : [ {own} ]\n}}\n"),
        format!("{{\"columns\":{names},\"index\":[0,1],\"data\":[{body}]}}"),
        format!("{{\"fields\":{columns},\"records\":[{body}]}}"),
        format!("{{\"meta\":{columns},\"data\":[{body}],\"rows\":12,\"statistics\":{{}}}}"),
        format!("{{\"headers\":{names},\"rows\":[{body}]}}"),
        format!("[{names},{body},[\"R99\",\"99 Elm St\"],{{\"id\":1}}]"),
    ] {
        let town = Town::new();
        let file = town.write("a.json", &text);
        let report = town.import(mapping, &[&file]).unwrap();
        let bad = if text.contains("R99") { 2 } else { 0 };
        assert_eq!((report.imported, report.rejected), (12, bad), "{text}: {:?}", report.reasons);
        assert_eq!(town.find("7 Elm St, Harrow, OH 43099").unwrap().parcel.as_deref(), Some("R7"), "{text}");
        let drafted = draft(&[file]).unwrap().mapping.to_lowercase();
        assert!(drafted.contains("line = \"address\""), "{text}: {drafted}");
    }
    // A place is a list within the list.
    let located = r#"{"meta":{"view":{"columns":[{"name":"id"},{"name":"At","subColumnTypes":["human_address","latitude","longitude","machine_address","needs_recoding"]}]}},
        "data":[["R7",["{\"address\": \"7 Elm St\", \"city\": \"Harrow\", \"state\": \"OH\", \"zip\": \"43099\"}","40.25","-82.5",null,false]]]}"#;
    let town = Town::new();
    let placed = mapping.replace("\"address\"", "\"At.address\"").replace("\"zip\"", "\"At.zip\"");
    let placed = format!("{placed}[geometry]\nlongitude = \"At.longitude\"\nlatitude = \"At.latitude\"\n");
    town.import(&placed, &[&town.write("a.json", located)]).unwrap();
    assert!(town.find("7 Elm St, Harrow, OH 43099").unwrap().origin.is_some());
    // Without headings nothing says what the values are.
    for text in [
        "[[1,\"7 Elm St\",43099],[2,\"8 Elm St\",43099]]",
        "[1,\"7 Elm St\"]\n[2,\"8 Elm St\"]",
        "{\"data\":[[\"R7\",\"7 Elm St\"]]}",
        "{\"data\":[[\"R7\",\"7 Elm St\"]],\"columns\":[\"id\",\"address\"]}",
        "{\"columns\":[1,2],\"rows\":[[\"R7\",\"7 Elm St\"]]}",
    ] {
        let file = town.write("b.json", text);
        for error in [town.import(mapping, &[&file]).unwrap_err(), draft(&[file]).unwrap_err()] {
            assert!(error.to_string().contains("lists of values without names"), "{text}: {error}");
        }
    }
}

#[test]
fn what_holds_no_rows_is_named_with_the_way_out() {
    let town = Town::new();
    let xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    for (text, told) in [
        (
            "{\"error\":{\"code\":400,\"message\":\"Invalid or missing input parameters.\",\"details\":[]}}".to_owned(),
            "`Invalid or missing input parameters.`",
        ),
        ("{\"error\": true, \"message\": \"Row or column access limit\"}".to_owned(), "`Row or column access limit`"),
        ("{\"currentVersion\":11.2,\"layers\":[]}".to_owned(), "f=geojson"),
        ("{\"objectIdFieldName\":\"OBJECTID\",\"objectIds\":[1,2,3]}".to_owned(), "f=geojson"),
        ("{\"success\":true,\"result\":1,\"records\":[{\"a\":1}]}".to_owned(), "jq '.records'"),
        (format!("{xml}<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document/></kml>"), "KML; convert it"),
        ("\u{feff}<?xml version='1.0'?><!-- by hand --><kml><Document/></kml>".to_owned(), "KML; convert it"),
        ("<kml>\n</kml>".to_owned(), "KML; convert it"),
        (
            format!("{xml}<wfs:FeatureCollection xmlns:gml=\"http://www.opengis.net/gml\"></wfs:FeatureCollection>"),
            "GML; convert it",
        ),
        (
            format!(
                "{xml}<ows:ExceptionReport><ows:Exception><ows:ExceptionText>Feature type unknown</ows:ExceptionText></ows:Exception></ows:ExceptionReport>"
            ),
            "`Feature type unknown`",
        ),
        (
            "<ServiceExceptionReport><ServiceException>No such layer here</ServiceException></ServiceExceptionReport>"
                .to_owned(),
            "`No such layer here`",
        ),
        (format!("{xml}<gpx version=\"1.1\"></gpx>"), "GPX"),
        (format!("{xml}<Workbook></Workbook>"), "spreadsheet in XML"),
        (format!("{xml}<rows><row/></rows>"), "XML of a form"),
    ] {
        let file = town.write("a.json", &text);
        for error in [town.import(OUTLINES, &[&file]).unwrap_err(), draft(&[file]).unwrap_err()] {
            assert!(error.to_string().contains(told), "{text}: {error}");
        }
    }
}
