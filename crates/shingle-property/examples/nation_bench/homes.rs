//! Synthetic homes of fifty states, each made from its number alone: streets of [`STREET`] homes, towns of [`TOWN`], one
//! ZIP a town. Names, numbers and outlines vary about as much as recorded ones do; nothing of them is of a real person.

use shingle_domain::evidence::{
    Assessor, Building, Fact, Garage, Grade, HeatFuel, Outline, OutlineKind, Place, Point, Polygon, Position,
    PropertyClass, RoofType, Source,
};
use shingle_domain::{Address, State, Usd, Zip};

pub const STATES: [&str; 50] = [
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA", "ME",
    "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA",
    "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY",
];
const STREET: usize = 32;
const TOWN: usize = 4_096;
/// Streets of a town that bear names which every town has.
const COMMON_STREETS: usize = 24;

/// What a data set says of a home.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An address and where it is.
    Point,
    /// An address with the outline of its house.
    Outline,
    /// A row of an assessor's roll.
    Roll,
    /// All three in one data set.
    All,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Point => "points",
            Self::Outline => "outlines",
            Self::Roll => "roll",
            Self::All => "all",
        }
    }
}

/// A source of numbers that depends on a home and on what is asked of it.
struct Draw(u64);

impl Draw {
    fn of(n: usize, what: u64) -> Self {
        Self((n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ what.wrapping_mul(0xd6e8_feb8_6659_fd93))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// The first ones more often, as names are: half of all draws fall into the first eighth.
    fn skewed(&mut self, n: usize) -> usize {
        let share = self.share();
        ((share * share * share) * n as f64) as usize
    }

    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Nation {
    /// Homes in each of the states.
    pub of_state: usize,
    pub states: usize,
}

impl Nation {
    pub fn of(places: usize, states: usize) -> Self {
        Self { of_state: places.div_ceil(states), states }
    }

    pub fn places(&self) -> usize {
        self.of_state * self.states
    }

    /// Its homes in the order in which a file has them: state by state and town by town, scattered within a town.
    pub fn order(&self) -> impl Iterator<Item = usize> {
        let of_state = self.of_state;
        let within = move |state: usize| {
            let scattered = (0..of_state.div_ceil(TOWN) * TOWN).map(|at| at / TOWN * TOWN + at % TOWN * 1_657 % TOWN);
            scattered.filter(move |home| *home < of_state).map(move |home| state * of_state + home)
        };
        (0..self.states).flat_map(within)
    }

    pub fn address(&self, n: usize) -> Address {
        let (state, home) = (n / self.of_state, n % self.of_state);
        let (town, street) = (home / TOWN, home % TOWN / STREET);
        let code = STATES[state % STATES.len()];
        let mut draw = Draw::of(state * 100_000 + town, 1);
        let city = format!("{}{}", capital(&word(&mut draw, 2)), draw.pick(&["ville", "ton", " Springs", "field", ""]));
        let at = home % STREET;
        let mut of_street = Draw::of(self.street_number(n), 2);
        // Odd numbers on one side, even ones on the other; some are left out.
        let first = 100 * of_street.below(60) + 1;
        let step = of_street.pick(&[2, 4, 4, 6]);
        let number = first + at / 2 * step + (at % 2);
        Address {
            street_number: number.to_string(),
            street_address: street_name(&mut of_street, street),
            city,
            state: State::parse(code).unwrap_or_else(|| unreachable!("two letters")),
            zip: Zip::parse(&zip(state, town)).unwrap_or_else(|| unreachable!("five digits")),
        }
    }

    fn street_number(&self, n: usize) -> usize {
        n / self.of_state * 10_000_000 + n % self.of_state / STREET
    }

    fn position(&self, n: usize) -> Position {
        let (state, home) = (n / self.of_state, n % self.of_state);
        let (town, street, at) = (home / TOWN, home % TOWN / STREET, home % STREET);
        let mut draw = Draw::of(n, 3);
        // Streets of a town lie beside each other, towns in a row of fifty.
        let along = at as f64 / 2.0 * 0.000_24 + draw.between(-0.000_03, 0.000_03);
        let across = street as f64 * 0.000_9 + (at % 2) as f64 * 0.000_35 + draw.between(-0.000_02, 0.000_02);
        Position {
            longitude: -120.0 + (state % 10) as f64 * 5.0 + (town % 50) as f64 * 0.05 + along,
            latitude: 30.0 + (state / 10) as f64 * 3.5 + (town / 50) as f64 * 0.14 + across,
        }
    }

    pub fn place(&self, n: usize, kind: Kind) -> Place {
        let address = self.address(n);
        let (has_point, has_outline, is_row) = match kind {
            Kind::Point => (true, false, false),
            Kind::Outline => (true, true, false),
            Kind::Roll => (false, false, true),
            Kind::All => (true, true, true),
        };
        Place {
            unit: None,
            parcel: is_row.then(|| self.parcel(n)),
            origin: has_point.then(|| self.position(n)),
            buildings: if has_outline { vec![house(n)] } else { Vec::new() },
            assessor: if is_row { self.record(n, &address) } else { Assessor::default() },
            permits: Vec::new(),
            conflicts: Vec::new(),
            sources: vec![Source {
                name: format!("nation-{}", kind.name()),
                title: Some("A nation".to_owned()),
                licence: Some("none".to_owned()),
                as_of: Some("2025".to_owned()),
                invented: true,
            }],
            address,
        }
    }

    /// Map, block and lot.
    fn parcel(&self, n: usize) -> String {
        let home = n % self.of_state;
        format!("{:03}-{:04}-{:03}.{:02}", home / TOWN, home % TOWN / STREET * 7, home % STREET + 1, n % 3 * 5)
    }

    fn record(&self, n: usize, address: &Address) -> Assessor {
        let mut draw = Draw::of(n, 4);
        let mut of_street = Draw::of(self.street_number(n), 5);
        let mut of_town = Draw::of(n / self.of_state * 100_000 + n % self.of_state / TOWN, 6);
        let (owner, second) = owners(&mut draw);
        let lives_there = draw.chance(68);
        let mailing = if lives_there {
            let short = address.street_address.to_uppercase().replace("COURT", "CT").replace("STREET", "ST");
            let short =
                short.replace("AVENUE", "AVE").replace("DRIVE", "DR").replace("LANE", "LN").replace("ROAD", "RD");
            format!(
                "{} {short}, {} {} {}",
                address.street_number,
                address.city.to_uppercase(),
                address.state,
                address.zip
            )
        } else if draw.chance(25) {
            format!("PO BOX {}, {} {} {}", draw.below(9_000), address.city.to_uppercase(), address.state, address.zip)
        } else {
            let (number, state, zip) = (draw.below(9_000), draw.pick(&STATES), draw.below(90_000) + 10_000);
            let (street, city) = (word(&mut draw, 3).to_uppercase(), word(&mut draw, 3).to_uppercase());
            format!("{number} {street} {}, {city} {state} {zip}", draw.pick(&["ST", "AVE", "DR", "LN", "RD", "CT"]))
        };
        let built = 1_905 + of_street.below(110) as u16;
        let built = if draw.chance(80) { built + draw.below(4) as u16 } else { 1_890 + draw.below(130) as u16 };
        let storeys = draw.pick(&[1.0, 1.0, 1.0, 1.5, 2.0, 2.0]);
        let ground = 700.0 + draw.below(1_500) as f64;
        let living = (ground * storeys * draw.between(0.85, 1.0)).round();
        let value = (living * draw.between(110.0, 260.0)) as i64 / 100 * 100;
        let building = (value as f64 * draw.between(0.5, 0.85)) as i64 / 100 * 100;
        let price = (value as f64 * draw.between(0.3, 1.1)) as i64 / 500 * 500;
        let sold = format!("{}-{:02}-{:02}", 1_987 + draw.below(38), 1 + draw.below(12), 1 + draw.below(28));
        let (grade, fuel) =
            (of_street.pick(&GRADES), of_town.pick(&[HeatFuel::Gas, HeatFuel::Oil, HeatFuel::Electric]));
        let county = format!("{} County", capital(&word(&mut of_town, 2)));
        let subdivision = of_street.chance(55).then(|| format!("{} {}", capital(&word(&mut of_street, 3)), "Estates"));
        let garage =
            Garage { attached: draw.chance(70), area_sqft: Some(240.0 + draw.below(36) as f64 * 10.0), cars: None };
        Assessor {
            primary_owner: fact(owner),
            secondary_owner: second.and_then(fact),
            mailing_address: fact(mailing),
            mailed_here: fact(lives_there),
            residential_exemption: fact(lives_there && draw.chance(90)),
            year_built: fact(built),
            storeys: fact(storeys),
            living_area_sqft: fact(living),
            building_area_sqft: fact(living + draw.below(60) as f64 * 10.0),
            ground_floor_sqft: fact(ground),
            garage: if draw.chance(65) { fact(garage) } else { None },
            roof_type: if draw.chance(50) {
                fact(draw.pick(&[RoofType::Gable, RoofType::Gable, RoofType::Hip]))
            } else {
                None
            },
            roof_material: None,
            style: fact(draw.pick(&["Ranch", "Colonial", "Cape", "Split Level", "Contemporary"]).to_owned()),
            wall_type: fact(draw.pick(&["VINYL SIDING", "BRICK VENEER", "WOOD", "STUCCO"]).to_owned()),
            grade: fact(grade),
            units: fact(1),
            property_class: fact(PropertyClass::SingleFamily),
            property_type: fact("101 ONE FAMILY".to_owned()),
            zoning: fact(of_street.pick(&["R-1", "R-2", "R-10", "RR", "PUD"]).to_owned()),
            county: fact(county),
            subdivision: subdivision.and_then(fact),
            school_district: fact(format!("{} ISD", capital(&word(&mut of_town, 2)))),
            heat_fuel: fact(fuel),
            sale_date: fact(sold),
            sale_price: fact(Usd::from_cents(price * 100)),
            assessed_value: fact(Usd::from_cents(value * 100)),
            building_value: fact(Usd::from_cents(building * 100)),
            tax_delinquent: None,
        }
    }
}

const GRADES: [Grade; 3] = [Grade::BelowAverage, Grade::Average, Grade::AboveAverage];

fn fact<T>(value: T) -> Option<Fact<T>> {
    Some(Fact { value, source: 0 })
}

fn owners(draw: &mut Draw) -> (String, Option<String>) {
    let last = surname(draw);
    match draw.below(20) {
        0 | 1 => (format!("{} {} LLC", last, draw.pick(&["PROPERTIES", "HOLDINGS", "HOMES", "RENTALS"])), None),
        2 => (format!("{last} FAMILY TRUST"), None),
        n => {
            let initial = |draw: &mut Draw| char::from(b'A' + draw.skewed(26) as u8);
            let first = format!("{last}, {} {}", first_name(draw), initial(draw));
            let second = (n % 2 == 0).then(|| format!("{last}, {} {}", first_name(draw), initial(draw)));
            (first, second)
        }
    }
}

/// One of 30,000, the frequent ones far more often.
fn surname(draw: &mut Draw) -> String {
    let mut of_name = Draw::of(draw.skewed(30_000), 7);
    word(&mut of_name, 3).to_uppercase()
}

fn first_name(draw: &mut Draw) -> String {
    let mut of_name = Draw::of(draw.skewed(800), 8);
    word(&mut of_name, 2).to_uppercase()
}

/// A plan of right angles, turned as its street is, its corners drawn to a few centimeters: twelve of them on average.
fn house(n: usize) -> Building {
    let mut draw = Draw::of(n, 9);
    let (wide, deep) = (draw.between(9.0, 18.0), draw.between(7.0, 13.0));
    let mut corners = vec![(0.0, 0.0)];
    let bays = draw.pick(&[0, 1, 2, 2, 3, 3]);
    for bay in 0..bays {
        let (from, out) = (wide * (f64::from(bay) + 0.2) / f64::from(bays), draw.between(-3.0, 3.0));
        let to = from + draw.between(1.5, wide / f64::from(bays) * 0.75);
        corners.extend([(from, 0.0), (from, out), (to, out), (to, 0.0)]);
    }
    corners.extend([(wide, 0.0), (wide, deep), (0.0, deep)]);
    let angle = Draw::of(n / STREET, 10).between(0.0, std::f64::consts::TAU) + draw.between(-0.02, 0.02);
    let (sin, cos) = angle.sin_cos();
    let exterior = corners.into_iter().map(|(x, y)| {
        let (x, y) = (x - wide / 2.0 + draw.between(-0.05, 0.05), y - deep / 2.0 + draw.between(-0.05, 0.05));
        Point { x: ((x * cos - y * sin) * 100.0).round() / 100.0, y: ((x * sin + y * cos) * 100.0).round() / 100.0 }
    });
    Building {
        outline: Outline {
            kind: OutlineKind::Eave,
            parts: vec![Polygon { exterior: exterior.collect(), holes: Vec::new() }],
            planes: Vec::new(),
            survey: None,
            spans_parcels: false,
        },
        use_: Some("house".to_owned()),
        lot: Vec::new(),
        source: 0,
    }
}

fn street_name(draw: &mut Draw, street: usize) -> String {
    const COMMON: [&str; COMMON_STREETS] = [
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
        "Ridge",
        "Church",
        "Willow",
        "Mill",
        "Sunset",
        "Railroad",
        "Jackson",
        "Cherry",
        "Highland",
        "Forest",
        "River",
        "Cedar",
        "Pine",
        "Meadow",
    ];
    let suffix = draw.pick(&["Street", "Court", "Avenue", "Lane", "Drive", "Road"]);
    let direction = if draw.chance(10) { draw.pick(&["N ", "S ", "E ", "W "]) } else { "" };
    match COMMON.get(street) {
        Some(common) => format!("{direction}{common} {suffix}"),
        None => format!("{direction}{} {suffix}", capital(&word(draw, 3))),
    }
}

fn zip(state: usize, town: usize) -> String {
    format!("{:05}", 1_000 + state * 1_950 + town)
}

fn word(draw: &mut Draw, syllables: usize) -> String {
    const SYLLABLES: [&str; 32] = [
        "al", "ber", "cot", "dal", "fen", "gro", "hol", "lin", "mar", "wes", "ken", "tor", "bri", "stan", "ash",
        "wood", "mer", "quil", "ran", "ley", "har", "son", "ing", "per", "vic", "dun", "kel", "mor", "tre", "ox",
        "van", "shel",
    ];
    (0..syllables).map(|_| draw.pick(&SYLLABLES)).collect()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
