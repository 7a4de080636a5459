//! The real town files, where they are at hand. Names of people are never printed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use geo::GeodesicArea;

use super::files::{Town, plan_area};
use crate::{ImportJob, ImportReport, Mapping, Progress, run};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub fn shared(file: &str) -> Option<PathBuf> {
    shingle_testing::shared(&format!("data/{file}"))
}

pub fn mapping(name: &str) -> Mapping {
    Mapping::read(&repository().join("assets/maps").join(name)).unwrap()
}

#[derive(Default)]
struct Counted {
    total: Option<u64>,
    done: u64,
}

impl Progress for Counted {
    fn total(&mut self, rows: Option<u64>) {
        self.total = rows;
    }
    fn advance(&mut self, rows: u64) {
        self.done += rows;
    }
}

/// Negative for a hole.
fn ring_geodesic_area(ring: &shapefile::PolygonRing<shapefile::Point>) -> f64 {
    let line: geo::LineString<f64> = ring.points().iter().map(|p| (p.x, p.y)).collect();
    let area = geo::Polygon::new(line, Vec::new()).geodesic_area_signed().abs();
    if matches!(ring, shapefile::PolygonRing::Outer(_)) { area } else { -area }
}

fn import(town: &Town, files: Vec<PathBuf>, map: &str) -> ImportReport {
    let mut progress = Counted::default();
    let report = run(ImportJob { files, mapping: &mapping(map), into: town.index() }, &mut progress).unwrap();
    assert_eq!(progress.done, report.rows_read);
    assert!(progress.total.is_none_or(|t| t == report.rows_read));
    assert_eq!(report.rows_read, report.imported + report.rejected + report.duplicates);
    report
}

#[test]
fn every_addressed_outline_of_chesapeake_is_imported_with_its_area() {
    let names = ["1", "2", "4"].map(|n| format!("footprints/chesapeake_va_{n}.shp"));
    let Some(files) = names.iter().map(|n| shared(n)).collect::<Option<Vec<_>>>() else { return };
    let town = Town::new();
    let report = import(&town, files.clone(), "chesapeake-va.toml");
    println!("{report:#?}");
    assert_eq!(report.rows_read, 7_076);

    // Another reader, another way to an area: the crate's own, and geodesics on the ellipsoid.
    let rejects = town.rejects("chesapeake-va-outlines");
    let (mut addressed, mut worst, mut checked) = (0, 0.0_f64, 0);
    // What is drawn at an address of which some outlines were joined.
    let mut drawn: BTreeMap<String, f64> = BTreeMap::new();
    let mut joined = BTreeSet::new();
    for file in &files {
        let mut reader = shapefile::Reader::from_path(file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy();
        for (i, row) in reader.iter_shapes_and_records().enumerate() {
            let (shape, record) = row.unwrap();
            let text = |column: &str| match record.get(column) {
                Some(shapefile::dbase::FieldValue::Character(Some(t))) => t.trim().to_owned(),
                _ => String::new(),
            };
            if text("housenum").is_empty() {
                continue;
            }
            addressed += 1;
            // One addressed row is a sliver of a square meter; its address has a house in another row.
            let is_refused = rejects.contains(&format!("\n{name},{},", i + 1));
            assert!(!is_refused || (&*name, i) == ("chesapeake_va_2.shp", 3_247), "{name} row {}", i + 1);
            let unit = text("unit");
            let unit = if unit.is_empty() { unit } else { format!(" Unit {unit}") };
            let line = format!("{} {}{unit}, Chesapeake, VA {}", text("housenum"), text("street_nm"), text("postcode"));
            let place = town.find(&line).unwrap_or_else(|| panic!("{line} is not found"));
            if is_refused {
                continue;
            }
            let shapefile::Shape::Polygon(polygon) = shape else { panic!("{line} has no outline") };
            let expected: f64 = polygon.rings().iter().map(ring_geodesic_area).sum();
            let off = place.buildings.iter().map(|b| {
                let area: f64 = b.outline.parts.iter().map(shingle_domain::geometry::polygon_area).sum();
                // Geodesics lose about a tenth of a square meter to rounding, whatever the size.
                ((area - expected).abs() - 0.1).max(0.0) / expected
            });
            let off = off.fold(f64::MAX, f64::min);
            *drawn.entry(line.clone()).or_default() += expected;
            checked += 1;
            if off < 2e-3 {
                worst = worst.max(off);
            } else {
                joined.insert(line);
            }
        }
    }
    // Wings that share a whole side are one house: nothing of what is drawn is lost, and sheds without an address come to it.
    for line in &joined {
        let (all, house) = (drawn[line], plan_area(&town.find(line).unwrap()));
        assert!(house > all * 0.998 - 0.5, "{line}: {all:.1} m² drawn, {house:.1}");
    }
    println!("joined: {joined:?}");
    let james = "5112 JAMES STREET, Chesapeake, VA 23321";
    let house = town.find(james).unwrap();
    let largest = shingle_domain::geometry::polygon_area(&house.buildings[0].outline.parts[0]);
    assert!(
        joined.contains(james) && (largest - drawn[james]).abs() < 0.5,
        "its three outlines are one house: {largest:.1}"
    );
    println!("{checked} areas agree, the worst within {:.4} %", worst * 100.0);
    assert_eq!(addressed, 4_317);
}

#[test]
fn the_property_table_of_cambridge_is_imported() {
    let Some(file) = shared("assessor/cambridge_ma_fy2025_property.csv") else { return };
    let town = Town::new();
    let report = import(&town, vec![file], "cambridge-ma.toml");
    println!("{report:#?}");
    assert_eq!(report.rows_read, 1_000);
    assert_eq!(report.imported + report.duplicates, 999);
    let of = |field: &str| report.coverage.iter().find(|(f, _)| f == field).unwrap().1;
    assert!(of("property_class") == report.imported && of("residential_exemption") == report.imported);
    assert!(of("year_built") > 850 && of("living_area_sqft") > 850 && of("primary_owner") > 980);
    let place = town.find("16 Marney St, Cambridge, MA 02141");
    assert!(place.is_some_and(|p| p.assessor.property_class.is_some()));
}
