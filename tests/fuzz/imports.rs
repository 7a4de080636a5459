//! Corrupted county files: a valid shapefile, GeoJSON or CSV with some bytes replaced, cut or repeated.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use shapefile::dbase::{FieldValue, Record, TableWriterBuilder};
use shingle_import::{ImportError, ImportJob, Mapping, run};
use shingle_property::{PropertyIndex, Reference};
use tempfile::TempDir;

const MAPPING: &str = r#"
dataset = "corrupted"
licence = "CC0-1.0"
as_of = "2020"

[geometry]
outline_kind = "eave"

[address]
number = "number"
street = "street"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = { constant = "43001" }
"#;

const LON: f64 = -82.5;
const LAT: f64 = 40.25;

/// Rows without an address of their own: the parcels of a second file have them.
const LAYERS: &str = r#"
dataset = "corrupted"

[layers.parcels]
files = "parcels*"
id = "pin"

[place]
parcel = "pin"

[address]
number = "number"
street = "street"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = { constant = "43001" }
"#;

/// Eight parcels.
fn parcels() -> Vec<u8> {
    let feature = |at| {
        let ring: Vec<String> = corners(at).iter().map(|(x, y)| format!("[{x},{y}]")).collect();
        let geometry = format!(r#"{{"type":"Polygon","coordinates":[[{}]]}}"#, ring.join(","));
        format!(r#"{{"type":"Feature","properties":{{"pin":"P{at}"}},"geometry":{geometry}}}"#)
    };
    let parcels: Vec<String> = (0..8).map(feature).collect();
    format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, parcels.join(",")).into_bytes()
}

fn table_of_parcels() -> Vec<u8> {
    let rows: String = (0..8).map(|at| format!("{},TANNER STREET,P{at}\n", 100 + 2 * at)).collect();
    format!("number,street,pin\n{rows}").into_bytes()
}

fn corners(at: u32) -> Vec<(f64, f64)> {
    let (lon, lat) = (LON + f64::from(at) * 1e-3, LAT);
    vec![(lon, lat), (lon, lat + 1e-4), (lon + 2e-4, lat + 1e-4), (lon + 2e-4, lat), (lon, lat)]
}

fn csv() -> Vec<u8> {
    let rows: String = (0..8).map(|at| format!("{},TANNER STREET\n", 100 + 2 * at)).collect();
    format!("number,street\n{rows}").into_bytes()
}

fn geojson() -> Vec<u8> {
    let features: Vec<String> = (0..8)
        .map(|at| {
            let ring: Vec<String> = corners(at).iter().map(|(x, y)| format!("[{x},{y}]")).collect();
            let properties = format!(r#"{{"number":"{}","street":"TANNER STREET"}}"#, 100 + 2 * at);
            let geometry = format!(r#"{{"type":"Polygon","coordinates":[[{}]]}}"#, ring.join(","));
            format!(r#"{{"type":"Feature","properties":{properties},"geometry":{geometry}}}"#)
        })
        .collect();
    format!(r#"{{"type":"FeatureCollection","features":[{}]}}"#, features.join(",")).into_bytes()
}

/// Writes `homes.shp` and the two files beside it.
fn shapefile(folder: &Path) {
    let mut table = TableWriterBuilder::new();
    for name in ["number", "street"] {
        table = table.add_character_field(name.try_into().expect("a short name"), 20);
    }
    let mut writer = shapefile::Writer::from_path(folder.join("homes.shp"), table).expect("a new file");
    for at in 0..8 {
        let points = corners(at).into_iter().map(|(x, y)| shapefile::Point::new(x, y)).collect();
        let shape = shapefile::Polygon::new(shapefile::PolygonRing::Outer(points));
        let mut record = Record::default();
        record.insert("number".to_owned(), FieldValue::Character(Some((100 + 2 * at).to_string())));
        record.insert("street".to_owned(), FieldValue::Character(Some("TANNER STREET".to_owned())));
        writer.write_shape_and_record(&shape, &record).expect("a shape");
    }
}

/// One change to the bytes of a file.
#[derive(Debug, Clone)]
enum Corruption {
    Byte(Index, u8),
    Number(Index, u32),
    Cut(Index),
    Repeat(Index),
}

fn corruption() -> impl Strategy<Value = Corruption> {
    let numbers = prop_oneof![Just(0), Just(u32::MAX), Just(i32::MAX as u32), Just(0x8000_0000), any::<u32>()];
    prop_oneof![
        4 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Corruption::Byte(at, byte)),
        4 => (any::<Index>(), numbers).prop_map(|(at, number)| Corruption::Number(at, number)),
        1 => any::<Index>().prop_map(Corruption::Cut),
        1 => any::<Index>().prop_map(Corruption::Repeat),
    ]
}

fn corrupt(bytes: &mut Vec<u8>, corruptions: &[Corruption]) {
    for corruption in corruptions {
        if bytes.len() <= 8 {
            return;
        }
        match corruption {
            Corruption::Byte(at, byte) => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Corruption::Number(at, number) => {
                let at = at.index(bytes.len() - 4);
                bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
            }
            Corruption::Cut(at) => bytes.truncate(at.index(bytes.len())),
            Corruption::Repeat(at) => {
                let tail = bytes[at.index(bytes.len())..].to_vec();
                bytes.extend(tail);
            }
        }
    }
}

/// Imports the file and checks that every row is counted, or that nothing has changed.
fn import(folder: &Path, mapping: &str, files: &[&str]) -> Result<(), TestCaseError> {
    let mapping = Mapping::from_toml(mapping, "corrupted.toml").expect("a good mapping");
    let into = folder.join("index");
    let files = files.iter().map(|file| folder.join(file)).collect();
    let outcome = run(ImportJob { files, mapping: &mapping, into: into.clone() }, &mut ());
    let index = PropertyIndex::open(&into, Reference::built_in()).expect("the index opens whatever was imported");
    match outcome {
        Ok(report) => {
            prop_assert_eq!(report.rows_read, report.imported + report.rejected + report.duplicates + report.skipped);
            prop_assert_eq!(report.rejects_file.is_some(), report.rejected > 0);
            let held: u64 = index.status().datasets.iter().map(|set| set.places()).sum();
            prop_assert_eq!(held, report.places);
        }
        Err(ImportError::Input { .. } | ImportError::Read { .. }) => {
            prop_assert!(index.status().datasets.is_empty(), "half an import is no import");
        }
        Err(other) => {
            return Err(TestCaseError::fail(format!("a corrupted file must be reported as such, not as: {other}")));
        }
    }
    Ok(())
}

/// In memory where possible: an import waits for the disk many times.
fn folder() -> TempDir {
    TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).expect("a temporary folder")
}

/// Fewer cases than elsewhere, because each one writes files and an index.
fn settings() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: (usual.cases / 100).max(16), ..usual }
}

proptest! {
    #![proptest_config(settings())]

    #[test]
    fn a_corrupted_table_is_imported_in_part_or_not_at_all(corruptions in prop::collection::vec(corruption(), 1..6), as_json: bool) {
        let folder = folder();
        let mut bytes = if as_json { geojson() } else { csv() };
        corrupt(&mut bytes, &corruptions);
        fs::write(folder.path().join("homes"), bytes).expect("a file");
        import(folder.path(), MAPPING, &["homes"])?;
    }

    #[test]
    fn a_corrupted_shapefile_is_imported_in_part_or_not_at_all(
        corruptions in prop::collection::vec(corruption(), 1..6),
        of in prop::sample::select(vec!["homes.shp", "homes.shx", "homes.dbf"]),
    ) {
        let folder = folder();
        shapefile(folder.path());
        let path = folder.path().join(of);
        let mut bytes = fs::read(&path).expect("a file that was just written");
        corrupt(&mut bytes, &corruptions);
        fs::write(&path, bytes).expect("a file");
        import(folder.path(), MAPPING, &["homes.shp"])?;
    }

    #[test]
    fn corrupted_parcels_are_used_in_part_or_not_at_all(corruptions in prop::collection::vec(corruption(), 1..6)) {
        let folder = folder();
        let mut parcels = parcels();
        corrupt(&mut parcels, &corruptions);
        fs::write(folder.path().join("parcels.json"), parcels).expect("a file");
        fs::write(folder.path().join("homes.csv"), table_of_parcels()).expect("a file");
        import(folder.path(), LAYERS, &["parcels.json", "homes.csv"])?;
    }
}
