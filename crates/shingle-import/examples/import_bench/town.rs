//! Synthetic addresses: ZIPs of ten thousand homes, four hundred streets to a ZIP, of which forty bear names that
//! every town has. Rows come town by town, scattered within it, as a county orders its parcels.

use std::io::Write;

use shingle_domain::evidence::{
    Assessor, Building, Fact, Outline, OutlineKind, Place, Point, Polygon, Position, PropertyClass, Source,
};
use shingle_domain::{Address, State, Usd, Zip};

pub const CSV_HEADER: &str = "parcel,address,unit,city,zip,owner,mailing,year,area,sold,price,value\n";

pub const MAPPING: &str = r#"
dataset = "bench"
as_of = "2024"
[place]
parcel = "parcel"
[address]
line = "address"
unit = "unit"
city = "city"
state = { constant = "OH" }
zip = "zip"
[assessor]
primary_owner = "owner"
mailing_address = "mailing"
year_built = "year"
living_area_sqft = "area"
sale_date = { column = "sold", formats = ["%Y-%m-%d"] }
sale_price = "price"
assessed_value = "value"
"#;

const HOMES: usize = 10_000;
const STREETS: usize = 400;
const COMMON: [&str; 40] = [
    "Main",
    "Oak",
    "Maple",
    "Park",
    "Elm",
    "Washington",
    "Lake",
    "Hill",
    "Walnut",
    "Spring",
    "North",
    "Ridge",
    "Church",
    "Willow",
    "Mill",
    "Sunset",
    "Railroad",
    "Jackson",
    "Cherry",
    "West",
    "South",
    "Center",
    "Highland",
    "Forest",
    "River",
    "Jefferson",
    "Cedar",
    "Pine",
    "Second",
    "Third",
    "First",
    "Fourth",
    "Fifth",
    "Lincoln",
    "Madison",
    "Adams",
    "Franklin",
    "Chestnut",
    "Spruce",
    "Meadow",
];
const SYLLABLES: [&str; 20] = [
    "al", "ber", "cot", "dal", "fen", "gro", "hol", "lin", "mar", "wes", "ken", "tor", "bri", "stan", "ash", "wood",
    "mer", "quil", "ran", "ley",
];
const SUFFIXES: [&str; 6] = ["Street", "Court", "Avenue", "Lane", "Drive", "Road"];

pub struct Town {
    rows: usize,
}

pub struct Home {
    pub number: String,
    pub street: String,
    pub city: String,
    pub zip: String,
}

impl Town {
    pub fn of(rows: usize) -> Self {
        Self { rows }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The rows in the order in which a file has them.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        let rows = self.rows;
        (0..rows.div_ceil(HOMES) * HOMES)
            .map(|at| at / HOMES * HOMES + at % HOMES * 7_919 % HOMES)
            .filter(move |n| *n < rows)
    }

    pub fn home(&self, n: usize) -> Home {
        let (town, home) = (n / HOMES, n % HOMES);
        let (street, house) = (home % STREETS, home / STREETS);
        Home {
            number: (100 + house * 4 + street % 2).to_string(),
            street: street_name(town, street),
            city: format!("{}ville", capital(&syllables(town + 7, 2))),
            zip: format!("{:05}", 43_001 + town),
        }
    }

    pub fn place(&self, n: usize) -> Place {
        let home = self.home(n);
        let jitter = (n % 97) as f64 / 50.0;
        let corners =
            [(0.0, 0.0), (12.3, 0.4), (12.1, 4.2), (15.7, 4.4), (15.2, 11.9), (9.0, 11.6), (8.7, 9.9), (0.4, 9.2)];
        let exterior = corners.iter().map(|(x, y)| Point { x: x + jitter, y: y + jitter / 2.0 }).collect();
        let f = facts(n);
        let assessor = Assessor {
            primary_owner: fact(f.owner),
            mailing_address: fact(f.mailing),
            mailed_here: fact(true),
            year_built: fact(f.year),
            storeys: fact(2.0),
            living_area_sqft: fact(f.area as f64),
            property_class: fact(PropertyClass::SingleFamily),
            sale_date: fact(f.sold),
            sale_price: fact(Usd::from_cents(f.price * 100)),
            assessed_value: fact(Usd::from_cents(f.value * 100)),
            ..Assessor::default()
        };
        Place {
            address: Address {
                street_number: home.number,
                street_address: home.street,
                city: home.city,
                state: State::parse("OH").unwrap_or_else(|| unreachable!("OH is two letters")),
                zip: Zip::parse(&home.zip).unwrap_or_else(|| unreachable!("five digits")),
            },
            unit: None,
            parcel: Some(parcel(n)),
            origin: Some(Position { longitude: -82.5 + (n % 1_000) as f64 * 1e-4, latitude: 40.25 }),
            buildings: vec![Building {
                outline: Outline {
                    kind: OutlineKind::Eave,
                    parts: vec![Polygon { exterior, holes: Vec::new() }],
                    planes: Vec::new(),
                    survey: None,
                    spans_parcels: false,
                },
                use_: Some("house".into()),
                lot: Vec::new(),
                source: 0,
            }],
            assessor,
            permits: Vec::new(),
            conflicts: Vec::new(),
            sources: vec![Source {
                name: "bench".into(),
                title: None,
                licence: None,
                as_of: Some("2024".into()),
                invented: true,
            }],
        }
    }

    pub fn csv_row(&self, n: usize, to: &mut impl Write) -> std::io::Result<()> {
        let (home, f) = (self.home(n), facts(n));
        let Home { number, street, city, zip } = home;
        writeln!(
            to,
            "{},{number} {street},,{city},{zip},{},\"{}\",{},{},{},{},{}",
            parcel(n),
            f.owner,
            f.mailing,
            f.year,
            f.area,
            f.sold,
            f.price,
            f.value
        )
    }
}

struct Facts {
    owner: String,
    mailing: String,
    year: u16,
    area: u32,
    sold: String,
    price: i64,
    value: i64,
}

fn facts(n: usize) -> Facts {
    Facts {
        owner: format!("OWNER {} {}", syllables(n, 3).to_uppercase(), syllables(n / 3, 2).to_uppercase()),
        mailing: format!("{} {} ST, COLUMBUS OH 43215", 1 + n % 9_000, syllables(n / 7, 3).to_uppercase()),
        year: 1900 + (n % 120) as u16,
        area: 800 + (n * 37 % 3_000) as u32,
        sold: format!("{}-{:02}-{:02}", 1990 + n % 33, 1 + n % 12, 1 + n % 28),
        price: 90_000 + (n * 7_919 % 400_000) as i64,
        value: 80_000 + (n * 104_729 % 500_000) as i64,
    }
}

fn fact<T>(value: T) -> Option<Fact<T>> {
    Some(Fact { value, source: 0 })
}

fn parcel(n: usize) -> String {
    format!("{:03}-{:03}-{:06}", n / HOMES, n % STREETS, n)
}

pub fn street_name(town: usize, street: usize) -> String {
    let suffix = SUFFIXES[(street + town) % SUFFIXES.len()];
    match COMMON.get(street) {
        Some(common) => format!("{common} {suffix}"),
        None => format!("{} {suffix}", capital(&syllables(street * 31 + town * 17, 3))),
    }
}

fn syllables(n: usize, count: usize) -> String {
    (0..count as u32).map(|at| SYLLABLES[n / SYLLABLES.len().pow(at) % SYLLABLES.len()]).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
