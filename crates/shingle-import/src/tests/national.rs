//! The ready mappings for the sets that cover the country: on files written here, and on real excerpts.

use std::path::Path;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use shingle_domain::geometry::polygon_area;

use super::files::*;
use super::towns::shared;
use crate::{ImportJob, ImportReport, Mapping, check, run};

fn ready(town: &Town, map: &str, files: &[&Path]) -> ImportReport {
    let mapping = Mapping::ready(map).unwrap().unwrap().for_dataset("harrow").unwrap();
    let files = files.iter().map(|f| f.to_path_buf()).collect();
    run(ImportJob { files, mapping: &mapping, into: town.index() }, &mut ()).unwrap()
}

fn point(lon: f64, lat: f64) -> Vec<u8> {
    [vec![1, 1, 0, 0, 0], lon.to_le_bytes().to_vec(), lat.to_le_bytes().to_vec()].concat()
}

/// A box about a middle, with half its sides in meters, at 40.25 north.
fn around(lon: f64, lat: f64, half: (f64, f64)) -> Vec<(f64, f64)> {
    let (e, n) = (half.0 / 85_040.0, half.1 / 111_040.0);
    vec![(lon - e, lat - n), (lon + e, lat - n), (lon + e, lat + n), (lon - e, lat + n), (lon - e, lat - n)]
}

fn polygon(ring: &[(f64, f64)]) -> Vec<u8> {
    let mut out = vec![1, 3, 0, 0, 0, 1, 0, 0, 0];
    out.extend((ring.len() as u32).to_le_bytes());
    out.extend(ring.iter().flat_map(|p| [p.0, p.1]).flat_map(f64::to_le_bytes));
    out
}

type Cell = Option<Vec<u8>>;
/// Cells, the definition level of one that is there, and the repetition levels.
type Leaf = (Vec<Cell>, i16, Option<Vec<i16>>);
type Address<'a> = (&'a str, &'a str, f64, f64);
type Building<'a> = (&'a str, Vec<(f64, f64)>);

fn text(text: &str) -> Cell {
    (!text.is_empty()).then(|| text.as_bytes().to_vec())
}

/// A Parquet file whose leaves are all byte strings, each with its cells, definition and repetition levels.
fn parquet(path: &Path, schema: &str, geo: Option<&str>, leaves: &[Leaf]) {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let meta = geo.map(|g| vec![KeyValue::new("geo".to_owned(), g.to_owned())]);
    let properties = WriterProperties::builder().set_key_value_metadata(meta).build();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for (cells, most, repeated) in leaves {
        let mut column = group.next_column().unwrap().unwrap();
        let levels: Vec<i16> = cells.iter().map(|c| if c.is_some() { *most } else { 0 }).collect();
        let values: Vec<ByteArray> = cells.iter().flatten().map(|c| ByteArray::from(c.clone())).collect();
        column.typed::<ByteArrayType>().write_batch(&values, Some(&levels), repeated.as_deref()).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

const GEO: &str =
    r#"{"version":"1.1.0","primary_column":"geometry","columns":{"geometry":{"encoding":"WKB","geometry_types":[]}}}"#;
const ADDRESSES: &str = "message schema { optional binary street (string); optional binary number (string);
    optional binary unit (string); optional binary postcode (string); optional binary postal_city (string);
    optional group address_levels (list) { repeated group list { optional group element {
    optional binary value (string); } } } optional binary country (string); optional binary geometry; }";
const BUILDINGS: &str =
    "message schema { optional binary class (string); optional binary subtype (string); optional binary geometry; }";

fn overture_addresses(path: &Path, rows: &[Address<'_>]) {
    let all = |cell: &dyn Fn(&Address<'_>) -> Cell| (rows.iter().map(cell).collect::<Vec<_>>(), 1, None);
    let levels = rows.iter().flat_map(|_| [text("OH"), text("HARROW")]).collect();
    let again = rows.iter().flat_map(|_| [0, 1]).collect();
    parquet(
        path,
        ADDRESSES,
        Some(GEO),
        &[
            all(&|r| text(r.1)),
            all(&|r| text(r.0)),
            all(&|_| None),
            all(&|_| text("43099")),
            all(&|_| None),
            (levels, 4, Some(again)),
            all(&|_| text("US")),
            all(&|r| Some(point(r.2, r.3))),
        ],
    );
}

fn overture_buildings(path: &Path, rows: &[Building<'_>]) {
    let all = |cell: &dyn Fn(&Building<'_>) -> Cell| (rows.iter().map(cell).collect::<Vec<_>>(), 1, None);
    parquet(path, BUILDINGS, Some(GEO), &[all(&|r| text(r.0)), all(&|_| None), all(&|r| Some(polygon(&r.1)))]);
}

fn area_of(town: &Town, line: &str) -> f64 {
    plan_area(&town.find(line).unwrap_or_else(|| panic!("{line} is not found")))
}

#[test]
fn address_points_come_to_the_outline_they_lie_in_or_clearly_near() {
    let (lon, lat, metre) = (-82.5, 40.25, 1.0 / 85_040.0);
    let (town, far) = (Town::new(), 1e-3);
    let (addresses, buildings) = (town.path("address.parquet"), town.path("building.parquet"));
    overture_addresses(
        &addresses,
        &[
            ("10", "ALDER CT", lon, lat),
            // Two doors under one roof.
            ("12", "ALDER CT", lon + far - 3.0 * metre, lat),
            ("14", "ALDER CT", lon + far + 3.0 * metre, lat),
            // At the drive, 12 m before the wall.
            ("16", "ALDER CT", lon + 2.0 * far + 20.0 * metre, lat),
            // In the middle between two houses: nobody says which.
            ("18", "ALDER CT", lon + 3.0 * far + 15.0 * metre, lat),
            // Near a shed, and near a house that is another's.
            ("20", "ALDER CT", lon + 4.0 * far, lat),
            ("22", "ALDER CT", lon + 12.0 * metre, lat),
        ],
    );
    let house = |east: f64| around(east, lat, (8.0, 6.0));
    overture_buildings(
        &buildings,
        &[
            ("house", house(lon)),
            ("house", house(lon + far)),
            ("house", house(lon + 2.0 * far)),
            ("house", house(lon + 3.0 * far)),
            ("house", house(lon + 3.0 * far + 30.0 * metre)),
            ("shed", around(lon + 4.0 * far + 5.0 * metre, lat, (2.0, 2.0))),
        ],
    );
    let report = ready(&town, "overture", &[&addresses, &buildings]);
    let told = "3 address points lie in an outline, 1 took the nearest within 20 m, 3 have none";
    assert!(said(&report.notes).iter().any(|n| n.contains(told)), "{:?}", report.notes);
    let at = |number: u32| area_of(&town, &format!("{number} Alder Ct, Harrow, OH 43099"));
    for number in [10, 12, 14, 16] {
        assert!((at(number) / 192.0 - 1.0).abs() < 0.01, "{number}: {}", at(number));
    }
    for number in [18, 20, 22] {
        assert_eq!(at(number), 0.0, "{number}");
    }
    let place = town.find("10 Alder Ct, Harrow, OH 43099").unwrap();
    let licences: Vec<_> = place.sources.iter().map(|s| s.licence.as_deref().unwrap_or_default()).collect();
    assert!(licences.iter().any(|l| l.contains("ODbL")) && place.sources.len() == 2, "{licences:?}");
    assert!(place.sources.iter().any(|s| s.name == "harrow-outlines"), "{:?}", place.sources);
    assert_eq!(counted(&report.reasons)[0], ("no address, and no address point in it or near it".to_owned(), 3));
}

#[test]
fn nothing_meets_across_a_lot_line_that_is_known() {
    let town = Town::new();
    let (lon, lat, metre) = (-82.5, 40.25, 1.0 / 85_040.0);
    let feature = |ring: &[(f64, f64)], id: &str| {
        let ring: Vec<[f64; 2]> = ring.iter().map(|p| [p.0, p.1]).collect();
        format!(
            r#"{{"type":"Feature","properties":{{"id":"{id}"}},"geometry":{{"type":"Polygon","coordinates":[{ring:?}]}}}}"#
        )
    };
    // The house stands on the western lot; the point of the eastern one lies 4 m beside it.
    let outlines = town.write("outlines.geojsonl", feature(&around(lon, lat, (8.0, 6.0)), ""));
    let lots = [around(lon, lat, (10.0, 20.0)), around(lon + 20.0 * metre, lat, (10.0, 20.0))];
    let parcels = town.write("parcels.geojsonl", format!("{}\n{}", feature(&lots[0], "1"), feature(&lots[1], "2")));
    let table = format!("N,X,Y\n10,{},{lat}\n12,{},{lat}\n", lon - 9.0 * metre, lon + 12.0 * metre);
    let table = town.write("points.csv", table);
    let map = r#"
        dataset = "harrow"
        [geometry]
        longitude = "X"
        latitude = "Y"
        [address]
        number = "N"
        street = { constant = "Alder Ct" }
        city = { constant = "Harrow" }
        state = { constant = "Ohio" }
        zip = { constant = "43099" }
        [layers.outlines]
        files = "outlines*"
        outline_kind = "eave"
        "#;
    town.import(&format!("{map}[layers.parcels]\nfiles = \"parcels*\"\nid = \"id\""), &[&table, &outlines, &parcels])
        .unwrap();
    let at = |number: u32| area_of(&town, &format!("{number} Alder Ct, Harrow, OH 43099"));
    assert!((at(10) / 192.0 - 1.0).abs() < 0.01 && at(12) == 0.0, "{} {}", at(10), at(12));
    // Without the lots the nearest of both points has it.
    town.import(map, &[&table, &outlines]).unwrap();
    assert!(at(10) > 0.0 && at(12) == 0.0, "{} {}", at(10), at(12));
}

#[test]
fn openstreetmap_buildings_and_door_numbers_become_homes() {
    let town = Town::new();
    let osm = r#"<?xml version='1.0' encoding='UTF-8'?>
<osm version="0.6">
 <bounds minlat="40" minlon="-83" maxlat="41" maxlon="-82"/>
 <node id="1" lat="40.25" lon="-82.5"/><node id="2" lat="40.25" lon="-82.4998"/>
 <node id="3" lat="40.2501" lon="-82.4998"/><node id="4" lat="40.2501" lon="-82.5"/>
 <node id="5" lat="40.26" lon="-82.5"/><node id="6" lat="40.26" lon="-82.4998"/>
 <node id="7" lat="40.2601" lon="-82.4998"/><node id="8" lat="40.2601" lon="-82.5"/>
 <node id="9" lat="40.26005" lon="-82.4999"><tag k="addr:housenumber" v="16"/><tag k="addr:street" v="O&apos;Hara &amp; Co Lane"/>
  <tag k="addr:city" v="Harrow"/><tag k="addr:postcode" v="43099"/></node>
 <node id="10" lat="40.27" lon="-82.5"><tag k="natural" v="tree"/></node>
 <way id="20"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/><tag k="building" v="house"/>
  <tag k="addr:housenumber" v="14"/><tag k="addr:street" v="Alder Court"/><tag k="addr:city" v="Harrow"/>
  <tag k="addr:state" v="Ohio"/><tag k="addr:postcode" v="43099"/><tag k="building:levels" v="2"/></way>
 <way id="21"><nd ref="5"/><nd ref="6"/><nd ref="7"/></way>
 <way id="22"><nd ref="7"/><nd ref="8"/><nd ref="5"/></way>
 <way id="23"><nd ref="1"/><nd ref="5"/><tag k="highway" v="residential"/></way>
 <way id="24"><nd ref="1"/><nd ref="2"/><nd ref="99"/><nd ref="1"/><tag k="building" v="yes"/></way>
 <relation id="30"><member type="way" ref="21" role="outer"/><member type="way" ref="22" role="outer"/>
  <tag k="type" v="multipolygon"/><tag k="building" v="yes"/></relation>
</osm>"#;
    let file = town.write("town.osm", osm);
    let report = ready(&town, "openstreetmap", &[&file]);
    assert_eq!((report.rows_read, report.rejected), (4, 1), "{report:#?}");
    assert_eq!(report.reasons[0].0.to_string(), "the file lacks some of its points");
    let place = town.find("14 Alder Ct, Harrow, OH 43099").unwrap();
    assert_eq!(
        (place.buildings[0].use_.as_deref(), place.assessor.storeys.as_ref().map(|s| s.value)),
        (Some("house"), Some(2.0))
    );
    assert!((plan_area(&place) / 188.9 - 1.0).abs() < 0.01, "{}", plan_area(&place));
    assert!(area_of(&town, "16 O'Hara & Co Lane, Harrow, OH 43099") > 150.0);
    let cut = town.write("cut.osm", &osm[..osm.len() - 300]);
    let mapping = Mapping::ready("openstreetmap").unwrap().unwrap();
    let error = run(ImportJob { files: vec![cut], mapping: &mapping, into: town.index() }, &mut ()).unwrap_err();
    assert!(error.to_string().contains("cut off"), "{error}");
}

const OPEN_ADDRESSES_LINES: &str = r#"{"type":"Feature","properties":{"hash":"a","number":"10","street":"ALDER CT","unit":"","city":"HARROW","district":"","region":"","postcode":"43099","id":""},"geometry":{"type":"Point","coordinates":[-82.5,40.25]}}
{"type":"Feature","properties":{"hash":"b","number":"","street":"","unit":"","city":"HARROW","district":"","region":"","postcode":"43099","id":""},"geometry":{"type":"Point","coordinates":[-82.51,40.25]}}
"#;

#[test]
fn openaddresses_and_the_national_database_are_read_with_footprints_beside_them() {
    let town = Town::new();
    let ring = around(-82.5, 40.25, (8.0, 6.0)).iter().map(|p| [p.0, p.1]).collect::<Vec<_>>();
    let footprints = format!(
        r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","properties":{{"release":1}},"geometry":{{"type":"Polygon","coordinates":[{ring:?}]}}}}]}}"#
    );
    let footprints = town.write("Ohio.geojson", footprints);
    let points = town.write(
        "addresses.csv",
        "LON,LAT,NUMBER,STREET,UNIT,CITY,DISTRICT,REGION,POSTCODE,ID,HASH\n\
         -82.5,40.25,10,ALDER CT,,HARROW,,,43099,,a\n-13575131,4483791,123,FAKE ST,,ANYTOWN,,,,,b\n\
         -13575131,4483791,125,FAKE ST,,ANYTOWN,,OH,43099,,b\n",
    );
    let report = ready(&town, "openaddresses", &[&points, &footprints]);
    assert_eq!((report.imported, report.rejected), (2, 2), "{report:#?}");
    assert!(area_of(&town, "10 Alder Ct, Harrow, OH 43099") > 150.0);
    assert_eq!(ready(&town, "openaddresses", &[&points]).imported, 1);
    // As the project publishes it: lines of GeoJSON, in a file whose name says nothing.
    let lines = town.write("source.geojson", OPEN_ADDRESSES_LINES);
    let report = ready(&town, "openaddresses", &[&lines, &footprints]);
    assert_eq!((report.imported, report.rejected), (2, 1), "{report:#?}");
    assert!(area_of(&town, "10 Alder Ct, Harrow, OH 43099") > 150.0);
    assert_eq!(ready(&town, "openaddresses", &[&lines]).imported, 1);
    let mapping = Mapping::ready("openaddresses").unwrap().unwrap();
    let alone = ImportJob { files: vec![footprints.clone()], mapping: &mapping, into: town.index() };
    let error = run(alone, &mut ()).unwrap_err().to_string();
    assert!(error.contains("every file is a layer"), "{error}");
    let nad = town.write(
        "nad.csv",
        "AddNum_Pre,Add_Number,AddNum_Suf,St_PreMod,St_PreDir,St_PreTyp,St_PreSep,St_Name,St_PosTyp,St_PosDir,St_PosMod,\
         StNam_Full,Unit,SubAddress,County,Inc_Muni,Uninc_Comm,Post_City,State,Zip_Code,Longitude,Latitude,Lifecycle\n\
         ,10,A,,North,,,Alder,Court,,,North Alder Court,Unit 2,Unit 2,Harrow County,Not stated,,,OH,43099,-82.5,40.25,Active\n\
         ,12,,,,,,Alder,Court,,,,,Not stated,Harrow County,Harrow,,Not stated,OH,43099,-82.6,40.25,Active\n\
         ,14,,,,,,Alder,Court,,,,,,Harrow County,Harrow,,,OH,43099,-82.6,40.25,Retired\n\
         ,16,,,,,,Alder,Court,,,,,Building 2 Apt 5,Harrow County,Harrow,,,OH,43099,-82.6,40.25,Active\n",
    );
    let report = ready(&town, "national-address-database", &[&nad, &footprints]);
    assert_eq!((report.imported, report.skipped, report.rejected), (4, 1, 0), "{report:#?}");
    assert_eq!(
        town.find("16 Alder Ct Bldg 2 Apt 5, Harrow, OH 43099").unwrap().unit.as_deref(),
        Some("Building 2 Apt 5")
    );
    assert!(area_of(&town, "10A N Alder Ct Unit 2, Harrow County, OH 43099") > 150.0);
    assert!(town.find("12 Alder Court, Harrow, OH 43099").is_some());
}

#[test]
fn the_real_overture_excerpt_ends_in_roofs() {
    let (Some(addresses), Some(buildings)) = (
        shared("national/overture_addresses_boulder_co.parquet"),
        shared("national/overture_buildings_boulder_co.parquet"),
    ) else {
        return;
    };
    let town = Town::new();
    let report = ready(&town, "overture", &[&addresses, &buildings]);
    println!("{report:#?}");
    // Counted independently: a point is in an outline by the crate geo, over all pairs whose boxes meet.
    let told = said(&report.notes).into_iter().find(|n| n.contains("address points lie in")).unwrap();
    assert!(told.starts_with("6958 "), "{told}");
    assert!(said(&report.notes).iter().any(|n| n.starts_with("96 rows name no town")), "{:?}", report.notes);
    let index = shingle_property::PropertyIndex::open(&town.index(), shingle_property::Reference::built_in()).unwrap();
    let mut reader = parquet_rows(&addresses);
    let outlines = outlines(&buildings);
    let (mut inside, mut with_it, mut missed) = (0, 0, Vec::new());
    // 96 points have no town; 64 of them lie in an outline.
    reader.retain(|r| !r.0.is_empty() && !r.1.is_empty());
    for (number, street, unit, zip, city, at) in &reader {
        let held: Vec<f64> = outlines
            .iter()
            .filter(|o| o.0.0 <= at.0 && at.0 <= o.0.2 && o.0.1 <= at.1 && at.1 <= o.0.3)
            .filter(|o| geo::Contains::contains(&o.1, &geo::Point::new(at.0, at.1)))
            .map(|o| o.2)
            .collect();
        if held.is_empty() {
            continue;
        }
        inside += 1;
        let unit = match unit.as_str() {
            "" => String::new(),
            // `UNIT B`, `STE A`
            named if named.contains(' ') => format!(" {named}"),
            bare => format!(" Unit {bare}"),
        };
        let zip_town = || shingle_property::post_town(&shingle_domain::Zip::parse(zip)?);
        let city = Some(city.as_str()).filter(|city| !city.is_empty()).or_else(zip_town).unwrap_or_default();
        let line = format!("{number} {street}{unit}, {city}, CO {zip}");
        let typed = shingle_domain::lookup::AddressInput::Line(line.clone());
        let found = match index.lookup(&typed).unwrap() {
            shingle_property::Lookup::Found { evidence, .. } => evidence.place.buildings,
            _ => Vec::new(),
        };
        let areas: Vec<f64> = found.iter().map(|b| b.outline.parts.iter().map(polygon_area).sum()).collect();
        if areas.iter().any(|a| held.iter().any(|h| (a / h - 1.0).abs() < 5e-3)) {
            with_it += 1;
        } else {
            missed.push(format!("{line}: {areas:?} for {held:?}"));
        }
    }
    println!(
        "{inside} points in an outline, {with_it} answer with it; {:#?}",
        missed.iter().take(20).collect::<Vec<_>>()
    );
    // The one without is a stadium.
    assert_eq!((inside, with_it), (6_958, 6_957));
    assert!(missed.iter().all(|line| line.starts_with("2285 STADIUM DR")), "{missed:?}");
}

type AddressRow = (String, String, String, String, String, (f64, f64));

fn parquet_rows(path: &Path) -> Vec<AddressRow> {
    let wanted = ["number", "street", "unit", "postcode", "address_levels.1.value"].map(str::to_owned);
    let file = std::fs::File::open(path).unwrap();
    let mut source = crate::format::geoparquet::GeoParquet::open(path, file, &wanted).unwrap();
    let (mut row, mut out) = (crate::format::source::Row::default(), Vec::new());
    while let crate::format::source::Step::Row =
        crate::format::source::RowSource::next_row(&mut source, &mut row).unwrap()
    {
        let crate::format::source::Shape::Point(x, y) = row.shape else { continue };
        let [number, street, unit, zip, city] = row.cells.clone().try_into().unwrap();
        out.push((number, street, unit, zip, city, (x, y)));
    }
    out
}

type Drawn = ((f64, f64, f64, f64), geo::Polygon<f64>, f64);

fn outlines(path: &Path) -> Vec<Drawn> {
    let file = std::fs::File::open(path).unwrap();
    let mut source = crate::format::geoparquet::GeoParquet::open(path, file, &[]).unwrap();
    let (mut row, mut out) = (crate::format::source::Row::default(), Vec::new());
    while let crate::format::source::Step::Row =
        crate::format::source::RowSource::next_row(&mut source, &mut row).unwrap()
    {
        let crate::format::source::Shape::Rings(rings) = &row.shape else { continue };
        let mut lines = rings.iter().map(|r| r.iter().copied().collect::<geo::LineString<f64>>());
        let polygon = geo::Polygon::new(lines.next().unwrap(), lines.collect());
        let area = geo::GeodesicArea::geodesic_area_signed(&polygon).abs();
        let all = rings.iter().flatten();
        let box_ = all.fold((180.0_f64, 90.0_f64, -180.0_f64, -90.0_f64), |b, p| {
            (b.0.min(p.0), b.1.min(p.1), b.2.max(p.0), b.3.max(p.1))
        });
        out.push((box_, polygon, area));
    }
    out
}

#[test]
fn the_real_excerpts_of_the_other_sets_are_imported() {
    if let Some(points) = shared("national/openaddresses_santa_clara_ca.csv") {
        let town = Town::new();
        let report = ready(&town, "openaddresses", &[&points]);
        println!("{report:#?}");
        assert_eq!(report.rows_read, 4_913);
        // Rows with neither number nor street, one without a number, and the planted one.
        assert_eq!((report.imported, report.rejected), (4_738, 175), "{:?}", report.reasons);
        // The planted row lies elsewhere.
        assert!(town.rejects("harrow").contains("FAKE ST"));
        assert!(town.find("2653 Meridian Ave, San Jose, CA 95124").is_some());
    }
    if let Some(osm) = shared("national/osm_james_city_county_va.osm") {
        let town = Town::new();
        let report = ready(&town, "openstreetmap", &[&osm]);
        println!("{report:#?}");
        assert_eq!(report.rows_read, 569);
        assert_eq!(report.coverage.iter().find(|c| c.0 == "outline").map(|c| c.1), Some(report.imported));
        assert!(report.imported >= 440, "{}", report.imported);
        assert!(area_of(&town, "205 Haradd Lane, James City County, VA 23188") > 50.0);
    }
}

/// Records of one kind with nothing in them but their heads, and a table of one column of text.
fn shapes(town: &Town, name: &str, kind: i32, column: &str) -> std::path::PathBuf {
    let shp = town.write(&format!("{name}.shp"), "");
    let mut header = vec![0; 100];
    header[..4].copy_from_slice(&9994_i32.to_be_bytes());
    header[24..28].copy_from_slice(&50_i32.to_be_bytes());
    header[28..32].copy_from_slice(&1000_i32.to_le_bytes());
    header[32..36].copy_from_slice(&kind.to_le_bytes());
    std::fs::write(&shp, header).unwrap();
    let mut dbf = vec![3, 121, 1, 1, 0, 0, 0, 0, 65, 0, 2, 0];
    dbf.resize(32, 0);
    let mut field = column.as_bytes().to_vec();
    field.resize(32, 0);
    (field[11], field[16]) = (b'C', 1);
    dbf.extend(field);
    dbf.extend([0x0d, 0x1a]);
    std::fs::write(shp.with_extension("dbf"), dbf).unwrap();
    shp
}

#[test]
fn files_of_lines_are_refused_by_name_with_what_to_take_instead() {
    let town = Town::new();
    let refused = |path: &Path| {
        let mapping = Mapping::ready("openaddresses").unwrap().unwrap();
        let error = check(&ImportJob { files: vec![path.to_owned()], mapping: &mapping, into: town.index() }, &mut ());
        error.err().unwrap().to_string()
    };
    for (kind, column, said) in
        [(3, "LFROMHN", "ADDRFEAT"), (13, "LFROMADD", "ADDRFEAT"), (3, "LINEARID", "roads"), (23, "NAME", "no outline")]
    {
        let error = refused(&shapes(&town, column, kind, column));
        assert!(error.contains(said) && error.contains("addresses"), "{column}: {error}");
    }
    let error = refused(&shapes(&town, "points", 1, "LFROMHN"));
    assert!(error.contains("no column"), "{error}");
    if let Some(tiger) = shared("national/tiger_addrfeat_meagher_mt_30059_2021.zip") {
        let archive = refused(&tiger);
        assert!(archive.contains("ZIP archive"), "{archive}");
    }
}

#[test]
fn a_data_set_does_not_lose_a_fifth_of_its_places_by_mistake() {
    let town = Town::new();
    let rows = |count: usize| (1..=count).map(|n| format!("{n},{n} Elm Ln,43099,,,,,,,\n")).collect::<String>();
    let heading = "id,address,zip,owner,year,area,price,sold,home,roof\n";
    let mapping = Mapping::from_toml(TABLE, "m.toml").unwrap();
    let file = |count: usize| vec![town.write("t.csv", format!("{heading}{}", rows(count)))];
    let import = |count: usize| run(ImportJob { files: file(count), mapping: &mapping, into: town.index() }, &mut ());
    import(100).unwrap();
    assert_eq!(import(80).unwrap().places, 80);
    let error = import(63).unwrap_err().to_string();
    assert!(error.contains("had 80 places and would have 63") && error.contains("--allow-shrink"), "{error}");
    assert!(town.find("80 Elm Ln, Harrow, OH 43099").is_some());
    let job = ImportJob { files: file(63), mapping: &mapping, into: town.index() };
    assert_eq!(crate::run_allowing_shrink(job, &mut ()).unwrap().places, 63);
}
