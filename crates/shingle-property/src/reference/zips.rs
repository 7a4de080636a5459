//! The homes of each ZIP: 42,000 rows, kept in 28 bytes each.

use std::collections::{BTreeMap, HashMap};

use shingle_domain::State;
use shingle_domain::area::{Figure, HousingStats, Scope, Table};
use shingle_domain::evidence::Position;

use super::sheet::{Cell, Content, Fault, Row, Rows, Sheet, complete, shipped};

pub(super) struct ZipAreas {
    /// By ZIP, in its order.
    zips: Vec<(u32, Packed)>,
    /// For ZIPs without a number of their own.
    states: BTreeMap<State, Packed>,
    counties: Vec<Box<str>>,
    subregions: Vec<Box<str>>,
}

const NONE: u16 = u16::MAX;
const NO_VALUE: u32 = u32::MAX;
const OWNER: u8 = 1;
const SINGLE: u8 = 2;
const VALUE: u8 = 4;

#[derive(Clone, Copy)]
struct Packed {
    /// Degrees; not a number where the center is not known.
    latitude: f32,
    longitude: f32,
    /// USD
    value: u32,
    /// Shares, times 10,000.
    owner: u16,
    single: u16,
    county: u16,
    subregion: u8,
    /// Which of the numbers are placeholders.
    marks: u8,
    state: [u8; 2],
}

impl Content for ZipAreas {
    const TABLE: Table = Table::ZipAreas;
    const COLUMNS: &'static [&'static str] = &[
        "zip",
        "state",
        "county",
        "latitude",
        "longitude",
        "owner_occupied",
        "single_family",
        "median_value_usd",
        "subregion",
    ];
    shipped!(ZipAreas, "zip-areas");

    fn read(rows: &mut Rows<'_>) -> Result<Self, Fault> {
        let (mut zips, mut states) = (Vec::<(u32, Packed)>::new(), BTreeMap::new());
        let (mut counties, mut subregions) = (Names::default(), Names::default());
        while let Some(row) = rows.next()? {
            let packed = pack(row, &mut counties, &mut subregions)?;
            if let Some(state) = State::parse(row.text("zip")) {
                row.keep(&mut states, "zip", state, packed)?;
                continue;
            }
            let zip = zip_number(row)?;
            if zips.last().is_some_and(|(last, _)| *last >= zip) {
                return Err(row.fault("zip", "ZIPs must stand in rising order, each once"));
            }
            zips.push((zip, packed));
        }
        complete(&states)?;
        zips.shrink_to_fit();
        Ok(Self { zips, states, counties: counties.list, subregions: subregions.list })
    }
}

#[derive(Default)]
struct Names {
    list: Vec<Box<str>>,
    places: HashMap<Box<str>, usize>,
}

impl Names {
    fn place(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        self.list.push(name.into());
        self.places.insert(name.into(), self.list.len() - 1);
        self.list.len() - 1
    }
}

pub(super) fn zip_number(row: Row<'_>) -> Result<u32, Fault> {
    let text = row.text("zip");
    let digits = text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| row.fault("zip", format!("`{text}` is not a 5-digit code")))
}

fn pack(row: Row<'_>, counties: &mut Names, subregions: &mut Names) -> Result<Packed, Fault> {
    let mut marks = 0;
    let mut marked = |cell: Option<Cell>, mark: u8| {
        marks |= if cell.is_some_and(|c| c.placeholder) { mark } else { 0 };
        cell.map(|c| c.value)
    };
    let share = |v: Option<f64>| v.map_or(NONE, |v| (v * 10_000.0).round() as u16);
    let owner = share(marked(row.optional("owner_occupied", 0.0..=1.0)?, OWNER));
    let single = share(marked(row.optional("single_family", 0.0..=1.0)?, SINGLE));
    let value = marked(row.optional("median_value_usd", 1_000.0..=100_000_000.0)?, VALUE);
    let latitude = row.optional("latitude", -15.0..=72.0)?;
    let longitude = row.optional("longitude", -180.0..=180.0)?;
    if latitude.is_some() != longitude.is_some() {
        return Err(row.fault("longitude", "latitude and longitude go together"));
    }
    let degrees = |column: &str, cell: Option<Cell>| cell.map_or(Ok(f32::NAN), |c| Ok(row.unmarked(column, c)? as f32));
    let (county, subregion) = (row.text("county"), row.text("subregion"));
    let state = match row.text("state") {
        "" => [0; 2],
        _ => row.state("state")?.as_str().as_bytes().try_into().unwrap_or_default(),
    };
    let county = match county {
        "" => NONE,
        name => u16::try_from(counties.place(name)).map_err(|_| row.fault("county", "too many counties"))?,
    };
    let subregion = match subregion {
        "" => u8::MAX,
        name => u8::try_from(subregions.place(name))
            .ok()
            .filter(|n| *n < u8::MAX)
            .ok_or_else(|| row.fault("subregion", "too many subregions"))?,
    };
    Ok(Packed {
        latitude: degrees("latitude", latitude)?,
        longitude: degrees("longitude", longitude)?,
        value: value.map_or(NO_VALUE, |v| v.round() as u32),
        owner,
        single,
        county,
        subregion,
        marks,
        state,
    })
}

impl Packed {
    fn figure(self, mark: u8, scope: Scope) -> Option<Figure> {
        let share = |v: u16| (v != NONE).then(|| f64::from(v) / 10_000.0);
        let value = match mark {
            OWNER => share(self.owner),
            SINGLE => share(self.single),
            _ => (self.value != NO_VALUE).then(|| f64::from(self.value)),
        };
        Some(Cell { value: value?, placeholder: self.marks & mark != 0 }.figure(scope, Table::ZipAreas))
    }
}

impl ZipAreas {
    pub fn len(&self) -> usize {
        self.zips.len()
    }

    /// Where it is in the table.
    pub fn place(&self, zip: u32) -> Option<usize> {
        self.zips.binary_search_by_key(&zip, |(z, _)| *z).ok()
    }

    fn packed(&self, zip: u32) -> Option<Packed> {
        self.zips.get(self.place(zip)?).map(|(_, packed)| *packed)
    }

    pub fn homes(&self, state: State, zip: u32) -> HousingStats {
        let own = self.packed(zip);
        let around = self.states.get(&state);
        let figure = |mark| {
            own.and_then(|p| p.figure(mark, Scope::Zip)).or_else(|| around.and_then(|p| p.figure(mark, Scope::State)))
        };
        // A ZIP that crosses the border is listed under one state: its county is then not this one's.
        let here = own.filter(|p| p.state == state.as_str().as_bytes());
        HousingStats {
            county: here.and_then(|p| self.counties.get(usize::from(p.county))).map(|name| name.as_ref().to_owned()),
            owner_occupied: figure(OWNER),
            single_family: figure(SINGLE),
            median_value: figure(VALUE),
        }
    }

    pub fn subregion(&self, zip: u32) -> Option<&str> {
        let packed = self.packed(zip)?;
        self.subregions.get(usize::from(packed.subregion)).map(AsRef::as_ref)
    }

    pub fn centre(&self, zip: u32) -> Option<Position> {
        let packed = self.packed(zip).filter(|p| !p.latitude.is_nan())?;
        Some(Position { longitude: packed.longitude.into(), latitude: packed.latitude.into() })
    }

    /// Each ZIP whose center is known, with it.
    pub fn centres(&self) -> impl Iterator<Item = (u32, Position)> {
        self.zips.iter().filter(|(_, packed)| !packed.latitude.is_nan()).map(|(zip, packed)| {
            (*zip, Position { longitude: packed.longitude.into(), latitude: packed.latitude.into() })
        })
    }

    /// The ZIPs of counties of this name, in whatever case it is written, with their states.
    pub fn of_county(&self, county: &str) -> impl Iterator<Item = (State, u32)> {
        let named = self.counties.iter().position(|name| name.eq_ignore_ascii_case(county));
        let listed = self.zips.iter().filter(move |(_, packed)| Some(usize::from(packed.county)) == named);
        listed.filter_map(|(zip, packed)| Some((State::parse(std::str::from_utf8(&packed.state).ok()?)?, *zip)))
    }

    /// The state it is listed under.
    pub fn state(&self, zip: u32) -> Option<State> {
        let packed = self.packed(zip)?;
        std::str::from_utf8(&packed.state).ok().and_then(State::parse)
    }

    pub fn knows(&self, zip: u32) -> bool {
        self.packed(zip).is_some()
    }
}
