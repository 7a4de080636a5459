//! What the tests write and read.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use shapefile::dbase::{FieldValue, Record, TableWriterBuilder};
use shingle_domain::evidence::Place;
use shingle_domain::lookup::AddressInput;
use shingle_domain::message::Message;

use crate::error::ImportError;
use crate::{ImportJob, ImportReport, Mapping, run_allowing_shrink};
use shingle_property::{Lookup, PropertyIndex, Reference};

pub const WGS84: &str = r#"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]"#;

pub const OUTLINES: &str = r#"
dataset = "test-outlines"
licence = "CC0-1.0"
as_of = "2020"

[geometry]
outline_kind = "eave"

[place]
parcel = "parcel"
building_use = "kind"

[address]
number = "number"
street = "street"
city = "city"
state = { constant = "OH" }
zip = "zip"
"#;

pub const TABLE: &str = r#"
dataset = "test-table"
blank = ["NULL"]

[place]
parcel = "id"

[address]
line = "address"
city = { constant = "Harrow" }
state = { constant = "OH" }
zip = "zip"

[assessor]
primary_owner = "owner"
year_built = "year"
living_area_sqft = "area"
sale_price = "price"
sale_date = { column = "sold", formats = ["%m/%d/%Y"] }
residential_exemption = { column = "home", codes = { H = true, N = false } }
roof_type = { column = "roof", codes = { GB = "gable", HP = "hip" } }
"#;

/// A house of an outline file: parcel, number, street, south-west corner, sides in degrees.
#[derive(Clone)]
pub struct House {
    pub parcel: &'static str,
    pub number: String,
    pub street: &'static str,
    pub ring: Vec<(f64, f64)>,
}

/// About 14.2 × 11.1 m at 40 degrees north.
pub fn house(parcel: &'static str, number: &str, street: &'static str, lon: f64, lat: f64) -> House {
    let (e, n) = (lon + 1.0 / 6_000.0, lat + 1e-4);
    let ring = vec![(lon, lat), (lon, n), (e, n), (e, lat), (lon, lat)];
    House { parcel, number: number.to_owned(), street, ring }
}

pub fn street(count: usize) -> Vec<House> {
    (0..count).map(|i| house("", &(100 + 2 * i).to_string(), "TANNER STREET", -82.5 + i as f64 * 1e-3, 40.25)).collect()
}

/// Another pair of axes or another unit: what a wrong projection does.
pub fn bend(houses: &mut [House], by: impl Fn((f64, f64)) -> (f64, f64)) {
    houses.iter_mut().flat_map(|h| &mut h.ring).for_each(|p| *p = by(*p));
}

pub struct Town {
    folder: tempfile::TempDir,
}

impl Town {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn index(&self) -> PathBuf {
        self.folder.path().join("property")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        File::create(&path).unwrap().write_all(bytes.as_ref()).unwrap();
        path
    }

    pub fn shapefile(&self, name: &str, houses: &[House], prj: Option<&str>) -> PathBuf {
        let path = self.path(name);
        let mut table = TableWriterBuilder::new();
        for column in ["parcel", "number", "street", "city", "zip", "kind"] {
            table = table.add_character_field(column.try_into().unwrap(), 60);
        }
        let mut writer = shapefile::Writer::from_path(&path, table).unwrap();
        for h in houses {
            let points = h.ring.iter().map(|&(x, y)| shapefile::Point::new(x, y)).collect();
            let shape = shapefile::Polygon::new(shapefile::PolygonRing::Outer(points));
            let mut record = Record::default();
            let (city, zip) = if h.number.is_empty() { ("", "") } else { ("HARROW", "43099") };
            let cells = [
                ("parcel", h.parcel),
                ("number", &h.number),
                ("street", h.street),
                ("city", city),
                ("zip", zip),
                ("kind", "House"),
            ];
            for (column, text) in cells {
                record.insert(column.to_owned(), FieldValue::Character(Some(text.to_owned())));
            }
            writer.write_shape_and_record(&shape, &record).unwrap();
        }
        drop(writer);
        if let Some(prj) = prj {
            std::fs::write(path.with_extension("prj"), prj).unwrap();
        }
        path
    }

    pub fn import(&self, mapping: &str, files: &[&Path]) -> Result<ImportReport, ImportError> {
        let mapping = Mapping::from_toml(mapping, "test.toml").unwrap();
        let files = files.iter().map(|f| f.to_path_buf()).collect();
        run_allowing_shrink(ImportJob { files, mapping: &mapping, into: self.index() }, &mut ())
    }

    pub fn find(&self, line: &str) -> Option<Place> {
        let index = PropertyIndex::open(&self.index(), Reference::built_in()).unwrap();
        match index.lookup(&AddressInput::Line(line.to_owned())).unwrap() {
            Lookup::Found { evidence, .. } => Some(evidence.place),
            _ => None,
        }
    }

    pub fn rejects(&self, dataset: &str) -> String {
        std::fs::read_to_string(self.index().join(format!("{dataset}-rejected.csv"))).unwrap_or_default()
    }
}

pub fn plan_area(place: &Place) -> f64 {
    place.buildings.iter().flat_map(|b| &b.outline.parts).map(shingle_domain::geometry::polygon_area).sum()
}

/// What is reported, in English.
pub(super) fn said<T: ToString>(list: &[T]) -> Vec<String> {
    list.iter().map(ToString::to_string).collect()
}

/// The same of reasons, each with its rows.
pub(super) fn counted(reasons: &[(Message, u64)]) -> Vec<(String, u64)> {
    reasons.iter().map(|(reason, rows)| (reason.to_string(), *rows)).collect()
}
