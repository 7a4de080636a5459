//! Towns with every home that their files name, read without the importer.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_import::{ImportJob, Mapping, run};
use shingle_property::reference::Reference;
use shingle_property::{PropertyIndex, sample_town};
use tempfile::TempDir;

pub struct Town {
    pub index: PropertyIndex,
    pub homes: BTreeSet<Home>,
    _root: TempDir,
}

impl Town {
    fn new(root: TempDir, homes: BTreeSet<Home>) -> Self {
        let index = PropertyIndex::open(root.path(), Reference::built_in()).unwrap();
        Self { index, homes, _root: root }
    }

    pub fn import(files: Vec<PathBuf>, mapping: &str, homes: BTreeSet<Home>) -> Self {
        let root = tempfile::tempdir().unwrap();
        let mapping = Mapping::from_toml(mapping, "test.toml").unwrap();
        run(ImportJob { files, mapping: &mapping, into: root.path().to_owned() }, &mut ()).unwrap();
        Self::new(root, homes)
    }
}

fn shared(file: &str) -> Option<PathBuf> {
    shingle_testing::shared(&format!("data/{file}"))
}

fn shipped(map: &str) -> String {
    let maps = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/maps");
    std::fs::read_to_string(maps.join(map)).unwrap()
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Home {
    pub number: String,
    pub street: String,
    pub unit: String,
    pub city: String,
    pub state: String,
    /// Empty where the source does not know it.
    pub zip: String,
}

impl Home {
    pub fn parts(&self) -> AddressInput {
        AddressInput::Parts(Address {
            street_number: self.number.clone(),
            street_address: format!("{}{}", self.street, self.unit_text("Unit")),
            city: self.city.clone(),
            state: State::parse(&self.state).unwrap(),
            zip: Zip::parse(if self.zip.is_empty() { "00000" } else { &self.zip }).unwrap(),
        })
    }

    pub fn unit_text(&self, word: &str) -> String {
        if self.unit.is_empty() { String::new() } else { format!(" {word} {}", self.unit) }
    }
}

pub fn chesapeake() -> Option<Town> {
    let names = ["1", "2", "4"].map(|n| format!("footprints/chesapeake_va_{n}.shp"));
    let files = names.iter().map(|n| shared(n)).collect::<Option<Vec<_>>>()?;
    let (mut homes, mut outlines) = (BTreeSet::new(), 0);
    for file in &files {
        let mut reader = shapefile::Reader::from_path(file).unwrap();
        for row in reader.iter_shapes_and_records() {
            let (_, record) = row.unwrap();
            let text = |column: &str| match record.get(column) {
                Some(shapefile::dbase::FieldValue::Character(Some(t))) => t.trim().to_owned(),
                _ => String::new(),
            };
            if text("housenum").is_empty() {
                continue;
            }
            outlines += 1;
            homes.insert(Home {
                number: text("housenum"),
                street: text("street_nm"),
                unit: text("unit"),
                city: text("city"),
                state: text("state"),
                zip: text("postcode"),
            });
        }
    }
    assert_eq!(outlines, 4_317);
    Some(Town::import(files, &shipped("chesapeake-va.toml"), homes))
}

pub fn cambridge() -> Option<Town> {
    let file = shared("assessor/cambridge_ma_fy2025_property.csv")?;
    let mut homes = BTreeSet::new();
    let mut table = csv::Reader::from_path(&file).unwrap();
    let columns = table.headers().unwrap().clone();
    let at = |name: &str| columns.iter().position(|c| c.trim_start_matches('\u{feff}') == name).unwrap();
    let (address, unit) = (at("Address"), at("Unit"));
    for row in table.records() {
        let row = row.unwrap();
        let Some((number, street)) = row[address].trim().split_once(' ') else { continue };
        if !number.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let (number, street) = match street.split_once(' ') {
            Some((part, rest)) if part.contains('/') => (format!("{number} {part}"), rest),
            _ => (number.to_owned(), street),
        };
        let unit = Some(row[unit].trim()).filter(|u| !matches!(*u, "NULL" | "-" | "_")).unwrap_or_default();
        homes.insert(Home {
            number,
            street: street.trim().to_owned(),
            unit: unit.to_owned(),
            city: "Cambridge".into(),
            state: "MA".into(),
            zip: String::new(),
        });
    }
    assert!(homes.len() > 900, "{}", homes.len());
    Some(Town::import(vec![file], &shipped("cambridge-ma.toml"), homes))
}

/// Addresses of Santa Clara County as OpenAddresses gives them.
pub fn santa_clara() -> Option<Town> {
    const MAPPING: &str = r#"
        dataset = "santa-clara"
        [address]
        number = "NUMBER"
        street = "STREET"
        unit = "UNIT"
        city = "CITY"
        state = { constant = "CA" }
        zip = "POSTCODE"
    "#;
    let file = shared("national/openaddresses_santa_clara_ca.csv")?;
    let mut homes = BTreeSet::new();
    for row in csv::Reader::from_path(&file).unwrap().records() {
        let row = row.unwrap();
        let [number, street, unit, city, zip] = [2, 3, 4, 5, 8].map(|at| row[at].trim().to_owned());
        let named = !street.is_empty() && !city.is_empty() && zip.len() == 5;
        if named && number.starts_with(|c: char| c.is_ascii_digit()) {
            homes.insert(Home { number, street, unit, city, state: "CA".into(), zip });
        }
    }
    assert!(homes.len() > 4_000, "{}", homes.len());
    Some(Town::import(vec![file], MAPPING, homes))
}

/// The sample town, which is invented.
pub fn sample() -> Town {
    let root = tempfile::tempdir().unwrap();
    sample_town::build(root.path()).unwrap();
    let homes: BTreeSet<Home> = sample_town::places()
        .map(|place| Home {
            number: place.address.street_number,
            street: place.address.street_address,
            unit: place.unit.unwrap_or_default(),
            city: place.address.city,
            state: place.address.state.to_string(),
            zip: place.address.zip.to_string(),
        })
        .collect();
    assert!(homes.len() > 2_000, "{}", homes.len());
    Town::new(root, homes)
}

/// An invented town made of what is confused: streets that differ by their direction, their suffix or their ZIP, units
/// behind the street without a word, numbered roads.
pub fn confusing() -> Town {
    const MAPPING: &str = r#"
        dataset = "confusing"
        [address]
        line = "SITUS"
        city = "TOWN"
        state = { constant = "NH" }
        zip = "ZIP"
    "#;
    const STREETS: &[&str] = &[
        "ELM ST",
        "N ELM ST",
        "S ELM ST",
        "ALDER CT",
        "ALDER DR",
        "ALDER ST",
        "DONNINGTON CT",
        "DONNINGTON DR",
        "OAK RIDGE RD",
        "PEACHTREE ST NE",
        "PEACHTREE ST NW",
        "BROADWAY",
        "NH ROUTE 120",
        "ST SAUVEUR CT",
        "BUTTERNUT LN",
        "W SHORE RD",
        "NORTH AVE",
        "MEADOWBROOK LN",
        "BAY VIEW",
        "5TH ST",
        "COUNTY ROAD 12",
    ];
    let mut homes = BTreeSet::new();
    let mut lines = String::from("SITUS,TOWN,ZIP\n");
    for (town, zip) in [("HARROW", "03290"), ("HARROW", "03293"), ("WESTON MILLS", "03295")] {
        for (at, street) in STREETS.iter().enumerate() {
            // Each ZIP lacks some of the streets.
            if (at + zip.len() + usize::from(zip.as_bytes()[4])) % 4 == 0 {
                continue;
            }
            for n in 0..8 {
                let number = (10 + at + 6 * n).to_string();
                for unit in if n % 3 == 1 { ["1", "2", "3B"].as_slice() } else { &[""] } {
                    lines.push_str(&format!("{number} {street} {unit},{town},{zip}\n"));
                    homes.insert(Home {
                        number: number.clone(),
                        street: (*street).to_owned(),
                        unit: (*unit).to_owned(),
                        city: town.to_owned(),
                        state: "NH".to_owned(),
                        zip: zip.to_owned(),
                    });
                }
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("confusing.csv");
    std::fs::write(&file, lines).unwrap();
    Town::import(vec![file], MAPPING, homes)
}
