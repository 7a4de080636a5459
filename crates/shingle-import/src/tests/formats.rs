//! Each format in, and the same places out.

use super::files::*;

const COLLECTION: &str = r#"{"type":"FeatureCollection","name":"x","features":[
{"type":"Feature","properties":{"parcel":"1","number":"14","street":"ALDER COURT","city":"HARROW","zip":43099,"kind":"House"},
 "geometry":{"type":"Polygon","coordinates":[[[-82.5,40.25],[-82.4998,40.25],[-82.4998,40.2501],[-82.5,40.2501],[-82.5,40.25]]]}},
{"type":"Feature","properties":{"parcel":"2","number":"16","street":"ALDER COURT","city":"HARROW","zip":"43099","kind":null},
 "geometry":{"type":"MultiPolygon","coordinates":[[[[-82.5,40.26],[-82.4998,40.26],[-82.4998,40.2601],[-82.5,40.2601],[-82.5,40.26]]],
 [[[-82.49,40.26],[-82.4898,40.26],[-82.4898,40.2601],[-82.49,40.2601],[-82.49,40.26]]]]}}
],"after":{"a":[1,2,"]}"]}}"#;

#[test]
fn a_shapefile_comes_back_with_its_outlines_in_metres() {
    let town = Town::new();
    let shp = town.shapefile("a.shp", &street(40), Some(WGS84));
    let report = town.import(OUTLINES, &[&shp]).unwrap();
    assert_eq!((report.rows_read, report.imported, report.rejected, report.places), (40, 40, 0, 40));
    assert_eq!(report.rejects_file, None);
    let place = town.find("110 Tanner Street, Harrow, OH 43099").unwrap();
    assert_eq!(place.address.street_address, "Tanner Street");
    assert_eq!(place.address.city, "Harrow");
    assert_eq!(place.sources[0].licence.as_deref(), Some("CC0-1.0"));
    assert_eq!(place.buildings[0].use_.as_deref(), Some("house"));
    // 1/6000 of a degree of longitude and 1e-4 of latitude on WGS 84 at 40.25 north.
    let area = plan_area(&place);
    assert!((area / 157.4 - 1.0).abs() < 2e-3, "{area}");
}

#[test]
fn a_feature_collection_and_features_line_by_line_say_the_same() {
    let town = Town::new();
    let collection = town.write("a.json", COLLECTION);
    assert_eq!(town.import(OUTLINES, &[&collection]).unwrap().places, 2);
    let both = |town: &Town| (town.find("14 Alder Ct, Harrow OH 43099"), town.find("16 Alder Ct, Harrow OH 43099"));
    let first = both(&town);
    assert_eq!(first.1.as_ref().unwrap().buildings[0].outline.parts.len(), 2);

    let value: serde_json::Value = serde_json::from_str(COLLECTION).unwrap();
    let lines: String = value["features"].as_array().unwrap().iter().map(|f| format!("\u{1e}{f}\n")).collect();
    let town = Town::new();
    let lines = town.write("a.geojsonl", format!("\u{feff}{lines}"));
    assert_eq!(town.import(OUTLINES, &[&lines]).unwrap().places, 2);
    assert_eq!(both(&town), first);
}

#[test]
fn geojson_in_another_projection_says_so_in_its_crs() {
    let town = Town::new();
    let crs = r#"{"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}},"features":[
        {"type":"Feature","properties":{"number":"14","street":"ALDER COURT","city":"HARROW","zip":"43099"},"geometry":{"type":"Polygon",
        "coordinates":[[[-9183858,4907000],[-9183838,4907000],[-9183838,4907020],[-9183858,4907020],[-9183858,4907000]]]}}]}"#;
    let file = town.write("a.geojson", crs);
    let report = town.import(OUTLINES, &[&file]).unwrap();
    assert!(said(&report.notes).iter().any(|n| n.contains("`parcel`")), "{:?}", report.notes);
    // Web Mercator stretches by 1/cos(latitude): 20 m of the map are 15.3 m of the ground.
    let area = plan_area(&town.find("14 Alder Ct, Harrow OH 43099").unwrap());
    let ground = 400.0 * 40.25_f64.to_radians().cos().powi(2);
    assert!((area / ground - 1.0).abs() < 6e-3, "{area} is not {ground}");
}

#[test]
fn a_broken_feature_costs_one_row_and_a_broken_file_the_import() {
    let town = Town::new();
    let broken = COLLECTION.replace(r#""number":"14""#, r#""number":14.5.6"#);
    let file = town.write("a.json", broken);
    let report = town.import(OUTLINES, &[&file]).unwrap();
    assert_eq!((report.imported, report.rejected), (1, 1));
    assert!(town.rejects("test-outlines").contains("a.json,1,\"not a GeoJSON feature"));
    for cut in [COLLECTION.len() - 8, COLLECTION.len() / 2, 300, 30] {
        let file = town.write("b.json", &COLLECTION[..cut]);
        let error = town.import(OUTLINES, &[&file]).unwrap_err().to_string();
        assert!(error.contains("truncated"), "{error}");
    }
    assert!(town.find("16 Alder Ct, Harrow OH 43099").is_some(), "the old index is still served");
}

#[test]
fn tables_are_read_whatever_their_delimiter_and_encoding() {
    let comma = "\u{feff}id,address,zip,owner,year,area,price,sold,home,roof\r\n\
        1,12-14 Fern Ln,43099,\"PEÑA, ANA\",1950,\"1,900\",\"$210,000\",6/5/2016,H,GB\r\n\
        2,16 Fern Ln,43099,NULL,0,NULL,,,N,XX\r\n";
    let semicolon = "id;address;zip;owner;year;area;price;sold;home;roof\n\
        1;12-14 Fern Ln;43099;PEÑA, ANA;1950;1,900;$210,000;6/5/2016;H;GB\n\
        2;16 Fern Ln;43099;NULL;0;NULL;;;N;XX\n";
    let tabs = semicolon.replace(';', "\t");
    let (latin, _, _) = encoding_rs::WINDOWS_1252.encode(semicolon);
    let utf_16: Vec<u8> =
        "\u{feff}".chars().chain(tabs.chars()).collect::<String>().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut places = Vec::new();
    for bytes in [comma.as_bytes(), semicolon.as_bytes(), tabs.as_bytes(), &latin, &utf_16] {
        let town = Town::new();
        let file = town.write("t.csv", bytes);
        let report = town.import(TABLE, &[&file]).unwrap();
        assert_eq!((report.places, report.rejected), (2, 0));
        assert_eq!(report.unread.len(), 1, "the unknown roof code is told: {:?}", report.unread);
        places.push((town.find("12 Fern Ln, Harrow OH 43099"), town.find("16 Fern Ln, Harrow OH 43099")));
    }
    let a = &places[0].0.as_ref().unwrap().assessor;
    assert_eq!(a.primary_owner.as_ref().unwrap().value, "PEÑA, ANA");
    assert_eq!(a.living_area_sqft.as_ref().unwrap().value, 1900.0);
    assert_eq!(a.sale_price.as_ref().unwrap().value.dollars(), 210_000.0);
    assert_eq!(a.sale_date.as_ref().unwrap().value, "2016-06-05");
    assert!(a.residential_exemption.as_ref().unwrap().value);
    let b = &places[0].1.as_ref().unwrap().assessor;
    assert!(b.primary_owner.is_none() && b.year_built.is_none() && b.living_area_sqft.is_none());
    assert!(places.iter().all(|p| *p == places[0]));
}

#[test]
fn a_table_pasted_from_two_encodings_is_read_cell_by_cell() {
    let town = Town::new();
    let mut bytes = b"id,address,zip,owner,year,area,price,sold,home,roof\n1,12 Fern Ln,43099,".to_vec();
    bytes.extend_from_slice("Muñoz,1950,,,,,\n".as_bytes());
    bytes.extend_from_slice(b"2,16 Fern Ln,43099,Mu\xf1oz,1950,,,,,\n");
    let file = town.write("t.csv", bytes);
    town.import(TABLE, &[&file]).unwrap();
    for line in ["12 Fern Ln, Harrow OH 43099", "16 Fern Ln, Harrow OH 43099"] {
        assert_eq!(town.find(line).unwrap().assessor.primary_owner.unwrap().value, "Muñoz");
    }
}

#[test]
fn a_whole_address_in_one_column_is_taken_apart() {
    let town = Town::new();
    let mapping = "dataset = \"lines\"\n[address]\nline = \"situs\"\n[assessor]\nyear_built = \"year\"";
    let table = "situs,year\n\"12-14 FERN LN APT 3, HARROW, OH 43099-1234\",1950\nFERN LN,1950\n\"9 Elm St\",1950\n";
    let file = town.write("t.csv", table);
    let report = town.import(mapping, &[&file]).unwrap();
    assert_eq!((report.imported, report.rejected), (1, 2));
    let place = town.find("14 Fern Ln Apt 3, Harrow, OH 43099").unwrap();
    assert_eq!((place.address.street_number.as_str(), place.address.city.as_str()), ("12-14", "Harrow"));
    assert_eq!(place.assessor.year_built.unwrap().value, 1950);
}

#[test]
fn what_is_no_table_is_told_by_its_content() {
    let town = Town::new();
    for (bytes, says) in [
        (&b""[..], "empty"),
        (b"PK\x03\x04xxxx", "ZIP archive"),
        (b"\x1f\x8b\x08xxxx", "gzip"),
        (b"%PDF-1.7", "PDF"),
        (&[0; 400], "not a shapefile, GeoJSON or CSV"),
        (b"\x01\x8f\x13\xd0\x07\x99abc\x02\xee\x1f,\x10", "not a shapefile, GeoJSON or CSV"),
        (b"id,adress,zip\n1,2,3\n", "no column `address`; is `adress` meant?"),
    ] {
        let file = town.write("a.csv", bytes);
        let error = town.import(TABLE, &[&file]).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    let endless = town.write("a.csv", "x".repeat(100_000) + "\n1\n");
    let error = town.import(TABLE, &[&endless]).unwrap_err().to_string();
    assert!(error.len() < 1_000, "an error does not repeat the file");
    let error = town.import(TABLE, &[&town.path("none.csv")]).unwrap_err().to_string();
    assert!(error.contains("none.csv"), "{error}");
}

#[test]
fn brackets_that_close_nothing_end_the_reading_of_a_feature_list() {
    let town = Town::new();
    for text in [
        r#"{"type":"FeatureCollection","features":[{"type":"Feature"}},{"type":"Feature"}]}"#,
        r#"{"type":"FeatureCollection","features":[]]}"#,
        r#"{"type":}"#,
        r#"[}]"#,
    ] {
        let file = town.write("a.geojson", text);
        let error = town.import(OUTLINES, &[&file]).unwrap_err().to_string();
        assert!(error.contains("not JSON after feature"), "{text}: {error}");
    }
}
