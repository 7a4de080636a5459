//! An invented town made of what is easily mixed up: directions behind the street, fractions, ranges, numbers with words,
//! classes of roads, named places, and letters that files write in many ways.

use std::collections::BTreeSet;

use shingle_domain::lookup::AddressInput;
use shingle_property::Lookup;

use crate::homes::{Home, Town};

const MAPPING: &str = r#"
    dataset = "tangled"
    [address]
    number = "N"
    street = "S"
    unit = "U"
    city = "C"
    state = "ST"
    zip = "Z"
    [assessor]
    living_area_sqft = "SQFT"
"#;

/// The living area of the first home; each has another, which tells them apart.
pub const FIRST_AREA: usize = 1_001;

const TOWNS: [(&str, &str, &str); 4] = [
    ("Lacey", "WA", "98516"),
    ("Rapid Forks", "SD", "57499"),
    ("Saint Alban", "MN", "56399"),
    ("Harrow", "OH", "43099"),
];

const DIRECTED: [&str; 14] = [
    "Alder Ct",
    "Alder Ct SE",
    "Alder Ct W",
    "14th St",
    "14th St SW",
    "3rd Ave",
    "3rd Ave SE",
    "3rd Ave N",
    "Alder-Everett Highway",
    "Alder-Everett Highway Southwest",
    "N Birch Rd",
    "Birch Rd",
    "Cedar Bend",
    "Cedar Bend N",
];

/// Numbers on one street, each another home.
const NUMBERS: [&str; 33] = [
    "57.5",
    "57",
    "575",
    "61.25",
    "6125",
    "63 3/4",
    "6375",
    "1234.5",
    "12345",
    "8 1/2",
    "112 REAR",
    "112",
    "114R",
    "114",
    "116 FRONT",
    "118 UPPER",
    "118 LOWER",
    "120 BLDG 2",
    "120",
    "LOT 160",
    "160",
    "68;70",
    "6870",
    "236/238",
    "240 TO 244",
    "246 THRU 250",
    "252 & 254",
    "256-258",
    "262 GARAGE",
    "90N",
    "90",
    "298 1/2A",
    "298 1/2",
];

const QUEENS: [(&str, &str); 9] = [
    ("75-01-75-13", "32nd Ave"),
    ("75-21/75-33", "32nd Ave"),
    ("75-41 TO 75-53", "32nd Ave"),
    ("75-61 & 75-63", "32nd Ave"),
    ("75-71\u{2013}75-73", "32nd Ave"),
    ("75-01 - 13", "35th Ave"),
    ("7501 - 7513", "36th Ave"),
    ("5-07", "38th Ave"),
    ("507", "38th Ave"),
];

const ROADS: [&str; 24] = [
    "US HWY 20",
    "STATE ROUTE 20",
    "E US 70 HWY",
    "US 70 BUS",
    "US HIGHWAY 31",
    "STATE ROUTE 46",
    "COUNTY HIGHWAY K",
    "COUNTY ROAD K",
    "COUNTY ROAD 12.5",
    "COUNTY ROAD 125",
    "26.5 RD",
    "265 RD",
    "26 1/4 RD",
    "26 RD",
    "F.5 RD",
    "F RD",
    "12 1/2 MILE RD",
    "12 MILE RD",
    "FM 1960",
    "RM 12",
    "RANCH ROAD 7",
    "HWY 9",
    "COUNTY ROAD 9",
    "I 49 SERVICE RD",
];

const LETTERS: [&str; 12] = [
    "LAI RD",
    "ALA ST",
    "AINA ST",
    "NIU ST",
    "NUU ST",
    "KAU PL",
    "KAI PL",
    "O'HARA LN",
    "OHARE LN",
    "PEÑA ST",
    "PEA ST",
    "D'ARTE CT",
];

const PLACES: [&str; 5] = [
    "Elm St, Willow Estates",
    "Elm St, Fox Run Estates",
    "Calle 5, Urb Las Lomas",
    "Calle 5, Urb El Madrigal",
    "Calle 5, Ext Las Lomas",
];

const UNITS: [&str; 6] = ["3.0", "4", "A3-418", "TH21", "PHA", "1011"];

/// All homes, in the order of their living areas.
pub fn homes() -> Vec<Home> {
    let mut found = Vec::new();
    let mut add = |number: &str, street: &str, unit: &str, (city, state, zip): (&str, &str, &str)| {
        let [number, street, unit, city, state, zip] = [number, street, unit, city, state, zip].map(str::to_owned);
        found.push(Home { number, street, unit, city, state, zip });
    };
    for town in TOWNS {
        for (at, street) in DIRECTED.into_iter().enumerate() {
            for number in [14, 823, 2108 + 2 * at] {
                add(&number.to_string(), street, "", town);
            }
        }
    }
    for number in NUMBERS {
        add(number, "Tremont St", "", TOWNS[3]);
    }
    for (number, street) in QUEENS {
        add(number, street, "", ("East Elmhurst", "NY", "11370"));
    }
    for road in ROADS {
        add("700", road, "", TOWNS[3]);
    }
    for (at, street) in LETTERS.into_iter().enumerate() {
        add("12", street, "", ("Ewa Beach", "HI", "96706"));
        add(&(20 + at).to_string(), street, "", ("Ewa Beach", "HI", "96706"));
    }
    for place in PLACES {
        let town = if place.contains("Calle") { ("Ponce", "PR", "00730") } else { TOWNS[3] };
        add("123", place, "", town);
    }
    for unit in UNITS {
        add("251", "Alder Blvd", unit, TOWNS[3]);
    }
    found
}

pub fn town() -> Town {
    let mut lines = String::from("N,S,U,C,ST,Z,SQFT\n");
    let homes = homes();
    for (at, Home { number, street, unit, city, state, zip }) in homes.iter().enumerate() {
        lines.push_str(&format!("\"{number}\",\"{street}\",{unit},{city},{state},{zip},{}\n", FIRST_AREA + at));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tangled.csv");
    std::fs::write(&file, lines).unwrap();
    Town::import(vec![file], MAPPING, homes.into_iter().collect::<BTreeSet<_>>())
}

/// Which home answers as if it were the one that was asked for; with the words for the answer.
pub fn answer(town: &Town, line: &str) -> (Option<usize>, String) {
    match town.index.lookup(&AddressInput::Line(line.to_owned())).unwrap() {
        Lookup::Found { evidence, .. } => {
            let level = evidence.matched.level;
            let text = format!("{level:?} {} {:?}", evidence.place.address, evidence.place.unit);
            let area = evidence.place.assessor.living_area_sqft.map(|fact| fact.value);
            let home = area.map(|area| area.round() as usize - FIRST_AREA);
            (home.filter(|_| level.is_exact()), text)
        }
        Lookup::Ambiguous(found) => (None, format!("a question of {}", found.len())),
        Lookup::NotFound { .. } => (None, "nothing".to_owned()),
    }
}
