//! A town of a test's own, imported as an operator would.

use std::path::Path;

use serde_json::{Value, json};
use shingle_import::{ImportJob, Mapping};

const MAP: &str = r#"
dataset = "harrow"
title = "Town of Harrow"
licence = "CC0-1.0"

[geometry]
outline_kind = "eave"

[place]
building_use = "kind"

[address]
number = "number"
street = "street"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = "zip"

[assessor]
primary_owner = "owner"
year_built = "year"
property_type = "type"
property_class = { column = "code", codes = { R = "singleFamily", C = "commercial" } }
"#;

/// A building of 16 by 12 m, and what is recorded of it besides.
#[derive(Clone, Copy, Default)]
pub struct Row<'a> {
    pub zip: &'a str,
    pub kind: &'a str,
    pub property_type: &'a str,
    pub code: &'a str,
}

/// Imports them: 2, 4, 6 … Tanner Street, Harrow, OH.
pub fn import(rows: &[Row<'_>], into: &Path) {
    let feature = |(n, row): (usize, &Row<'_>)| -> Value {
        let (lon, lat) = (-82.5 + n as f64 * 4e-4, 40.25);
        let (east, north) = (lon + 1.9e-4, lat + 1.1e-4);
        json!({
            "type": "Feature",
            "properties": {
                "number": 2 * n + 2, "street": "Tanner Street", "zip": row.zip, "kind": row.kind, "owner": "Ann Sample",
                "year": "1987", "type": row.property_type, "code": row.code,
            },
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[lon, lat], [east, lat], [east, north], [lon, north], [lon, lat]]],
            },
        })
    };
    let features: Vec<Value> = rows.iter().enumerate().map(feature).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("buildings.geojson");
    std::fs::write(&file, json!({ "type": "FeatureCollection", "features": features }).to_string()).unwrap();
    std::fs::create_dir_all(into).unwrap();
    let mapping = Mapping::from_toml(MAP, "a test").unwrap();
    let job = ImportJob { files: vec![file], mapping: &mapping, into: into.to_owned() };
    assert_eq!(shingle_import::run(job, &mut ()).unwrap().imported, rows.len() as u64);
}
