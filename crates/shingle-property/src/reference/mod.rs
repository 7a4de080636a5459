//! Reference tables: what is published of states, census divisions and ZIPs. They travel inside the program, each
//! with its source, year, date of refreshment and notes; an operator replaces any of them by a newer file.
//!
//! # The files
//!
//! A table is a CSV file in UTF-8. It begins with lines about itself:
//!
//! ```text
//! # table: energy-prices              the name; a file is never taken for another table
//! # source: US EIA, Electric …        the primary publisher
//! # year: 2026                        the youngest year it speaks of; `2023 inferred` when the source has none
//! # refreshed: 2026-11-21             when the numbers were taken from the source
//! # renew: 2027-04-30                 when newer ones are due; left out: a year later
//! # note: …                           method, gaps, and how to redo it; as many as it needs
//! ```
//!
//! then comes a line of column names, in any order, then the rows. Columns that a table does not have are refused,
//! so none can bring in who lives somewhere. A number with `*` behind it is a **placeholder**: nobody publishes it
//! for that place and a note says what stands in. It arrives as `Figure::placeholder` at every sum that uses it.
//! An empty cell is unknown. Tables by state need all fifty states and DC; `heating-fuels` and `solar-incentives`
//! may lack some.
//!
//! | table | columns and units | redone from |
//! |---|---|---|
//! | `roof-prices` | USD per square by material, with range, source and year | contractor guides, or your own list |
//! | `energy-prices` | cents per kWh, USD per therm and gallon; `propane_of`, `oil_of`: `state`, a district, `US` | EIA Electric Power Monthly 5.6.B, gas prices, weekly heating fuel prices; or your utility's tariff |
//! | `degree-days` | base 65 F, `heating_01` … `cooling_12`, the two years | NOAA nClimDiv, CPC normals |
//! | `electricity-levels` | kWh and USD a month, cents per kWh, the model's kWh a year; `level` may stay empty | EIA-861 table 5.A (yearly), EIA-861M (monthly) |
//! | `gas-months` | twelve shares of a year | EIA natural gas residential consumption |
//! | `heating-fuels` | percent of homes, adding up to 100 | ACS B25040 |
//! | `heating-habits` | shares by `division`, `home`, `built`; `asked` = homes in the cell; `other` may be left out | RECS public-use microdata |
//! | `grid-emissions` | pounds of CO2e per MWh, share lost, by subregion, state and `US` | EPA eGRID |
//! | `zip-areas` | homes, center and eGRID subregion by ZIP, in rising order; rows of states for the rest | ACS DP04,
//! Gazetteer, EPA Power Profiler |
//! | `solar-yield` | kWh a year per kW facing the best way, by ZIP in rising order | Project Sunroof threshold / 0.75, or NREL PVWatts |
//! | `state-solar` | the same by state, residential MW, owner households | Project Sunroof, EIA-861M, ACS B25003 |
//! | `solar-incentives` | points 0 to 0.5 and `because` | the operator: dsireusa.org, the state's commission |
//!
//! The notes in each file under `assets/reference/` say which column of which publication goes where. Take the
//! shipped file as a form: change numbers, `year` and `refreshed`, then `shingle reference load NAME FILE`.
//! RECS 2020 household records would also allow the regressions of the utility model to be fitted again; those
//! coefficients belong to the model, not to a table.
//!
//! # What is not here
//!
//! Prices by utility (tariffs are by state), heating fuel of all states, the eGRID year, Alabama's solar capacity.
//! ZIP centers are good to 100 m. Nothing about people is here, and nothing can be loaded.

mod excerpt;
mod files;
mod homes;
mod load;
mod nearby;
mod power;
mod prices;
mod sheet;
mod zips;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use shingle_domain::area::{Area, Division, Heating, Scope, SolarResource, Table};
use shingle_domain::evidence::Position;
use shingle_domain::roof::PriceTable;
use shingle_domain::{State, Timestamp, Zip};

pub use excerpt::{Excerpt, Wanted};
pub use homes::Bill;
pub use load::{Loaded, load, reset};
pub use sheet::About;

use crate::error::PropertyError;
use homes::{DegreeDays, ElectricityLevels, GasMonths, HeatingFuels, HeatingHabits};
use nearby::Sites;
use power::{GridEmissions, SolarIncentives, SolarYield, StateSolar};
use prices::{Energy, RoofPrices};
use sheet::{Content, Fault, Sheet};
use zips::ZipAreas;

/// All tables: those of the program, and in their place those that an operator loaded. The program's are read at
/// their first use, so that opening costs nothing.
pub struct Reference {
    roof_prices: Slot<RoofPrices>,
    energy: Slot<Energy>,
    degree_days: Slot<DegreeDays>,
    levels: Slot<ElectricityLevels>,
    gas_months: Slot<GasMonths>,
    fuels: Slot<HeatingFuels>,
    habits: Slot<HeatingHabits>,
    grid: Slot<GridEmissions>,
    zips: Slot<ZipAreas>,
    yields: Slot<SolarYield>,
    state_solar: Slot<StateSolar>,
    incentives: Slot<SolarIncentives>,
    sites: OnceLock<Sites>,
}

/// What a table is, and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableInfo {
    pub table: Table,
    pub about: About,
    pub rows: usize,
    /// Numbers that stand in for ones nobody publishes.
    pub placeholders: usize,
    /// The operator's file; `None` for the program's own table.
    pub file: Option<PathBuf>,
    /// Why the operator's file is not the one in use, if it is not.
    pub problem: Option<String>,
}

impl TableInfo {
    /// Whether newer numbers are to be had.
    pub fn is_due(&self, now: Timestamp) -> bool {
        self.about.renew < now.date()
    }
}

/// Where a table is taken from.
enum Slot<T: Content> {
    Shipped,
    Own(Box<Sheet<T>>, PathBuf),
    /// The operator's file cannot be used: the program's is.
    Broken(PropertyError),
}

impl<T: Content> Slot<T> {
    fn open(folder: &Path) -> Self {
        let path = files::file(folder, T::TABLE);
        let text = match files::text(&path) {
            Ok(Some(text)) => text,
            Ok(None) => return Self::Shipped,
            Err(error) => return Self::Broken(error),
        };
        match sheet::read(text.as_bytes()) {
            Ok(sheet) => Self::Own(Box::new(sheet), path),
            Err(fault) => Self::Broken(refused(fault, &path)),
        }
    }

    fn sheet(&self) -> &Sheet<T> {
        match self {
            Self::Own(sheet, _) => sheet,
            Self::Shipped | Self::Broken(_) => T::shipped(),
        }
    }

    fn content(&self) -> &T {
        &self.sheet().content
    }

    fn problem(&self) -> Option<&PropertyError> {
        match self {
            Self::Broken(error) => Some(error),
            Self::Shipped | Self::Own(..) => None,
        }
    }

    fn info(&self) -> TableInfo {
        TableInfo {
            file: match self {
                Self::Own(_, path) => Some(path.clone()),
                Self::Shipped | Self::Broken(_) => None,
            },
            problem: self.problem().map(ToString::to_string),
            ..described(self.sheet())
        }
    }

    fn text(&self) -> Result<String, PropertyError> {
        let Self::Own(_, path) = self else { return Ok(shingle_packed::unpacked_text(T::SHIPPED)) };
        let text = files::text(path)?;
        text.ok_or_else(|| PropertyError::read(path)(std::io::ErrorKind::NotFound.into()))
    }
}

fn described<T: Content>(sheet: &Sheet<T>) -> TableInfo {
    TableInfo {
        table: T::TABLE,
        about: sheet.about.clone(),
        rows: sheet.rows,
        placeholders: sheet.placeholders,
        file: None,
        problem: None,
    }
}

fn refused(fault: Fault, path: &Path) -> PropertyError {
    let Fault { line, column, detail } = fault;
    PropertyError::Table { place: path.display().to_string(), line, column, detail }
}

/// Does one thing with the slot of a table.
macro_rules! slot {
    ($reference:expr, $table:expr, $slot:ident => $what:expr) => {
        match $table {
            Table::RoofPrices => {
                let $slot = &$reference.roof_prices;
                $what
            }
            Table::EnergyPrices => {
                let $slot = &$reference.energy;
                $what
            }
            Table::DegreeDays => {
                let $slot = &$reference.degree_days;
                $what
            }
            Table::ElectricityLevels => {
                let $slot = &$reference.levels;
                $what
            }
            Table::GasMonths => {
                let $slot = &$reference.gas_months;
                $what
            }
            Table::HeatingFuels => {
                let $slot = &$reference.fuels;
                $what
            }
            Table::HeatingHabits => {
                let $slot = &$reference.habits;
                $what
            }
            Table::GridEmissions => {
                let $slot = &$reference.grid;
                $what
            }
            Table::ZipAreas => {
                let $slot = &$reference.zips;
                $what
            }
            Table::SolarYield => {
                let $slot = &$reference.yields;
                $what
            }
            Table::StateSolar => {
                let $slot = &$reference.state_solar;
                $what
            }
            Table::SolarIncentives => {
                let $slot = &$reference.incentives;
                $what
            }
        }
    };
}

static BUILT_IN: LazyLock<Arc<Reference>> = LazyLock::new(|| Arc::new(Reference::shipped()));

impl Reference {
    /// The tables of the program.
    pub fn built_in() -> Arc<Self> {
        BUILT_IN.clone()
    }

    fn shipped() -> Self {
        Self {
            roof_prices: Slot::Shipped,
            energy: Slot::Shipped,
            degree_days: Slot::Shipped,
            levels: Slot::Shipped,
            gas_months: Slot::Shipped,
            fuels: Slot::Shipped,
            habits: Slot::Shipped,
            grid: Slot::Shipped,
            zips: Slot::Shipped,
            yields: Slot::Shipped,
            state_solar: Slot::Shipped,
            incentives: Slot::Shipped,
            sites: OnceLock::new(),
        }
    }

    /// The tables of the program, and in their place the files `NAME.csv` of a folder. A missing folder is an empty
    /// one. A file that cannot be used is reported by [`TableInfo::problem`], and the program's table is served.
    ///
    /// # Errors
    /// When the folder is there and cannot be looked into.
    pub fn open(folder: &Path) -> Result<Arc<Self>, PropertyError> {
        match std::fs::read_dir(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::built_in()),
            Err(error) => return Err(PropertyError::read(folder)(error)),
            Ok(_) => {}
        }
        Ok(Arc::new(Self {
            roof_prices: Slot::open(folder),
            energy: Slot::open(folder),
            degree_days: Slot::open(folder),
            levels: Slot::open(folder),
            gas_months: Slot::open(folder),
            fuels: Slot::open(folder),
            habits: Slot::open(folder),
            grid: Slot::open(folder),
            zips: Slot::open(folder),
            yields: Slot::open(folder),
            state_solar: Slot::open(folder),
            incentives: Slot::open(folder),
            sites: OnceLock::new(),
        }))
    }

    /// Everything known of a ZIP, and of its state where the ZIP says nothing.
    pub fn area(&self, state: State, zip: &Zip) -> Area {
        let Ok(zip) = zip.as_str().parse::<u32>() else { return Area::default() };
        let zips = self.zips.content();
        let division = Division::of(state);
        if division.is_none() && !zips.knows(zip) {
            return Area::default();
        }
        Area {
            division,
            prices: self.energy.content().of(state),
            climate: self.degree_days.content().0.get(&state).copied(),
            gas_months: self.gas_months.content().0.get(&state).copied(),
            electricity_level: self.levels.content().0.get(&state).map(homes::Level::figure),
            heating: Heating {
                state: self.fuels.content().0.get(&state).copied(),
                habits: division.and_then(|d| self.habits.content().0.get(&d)).cloned().unwrap_or_default(),
            },
            grid: self.grid.content().of(state, zips.subregion(zip)),
            sun: self.sun(state, zip),
            homes: zips.homes(state, zip),
        }
    }

    /// Reads every table that look-ups need, some 30 ms of work, so that no visitor waits for it.
    pub fn warm(&self) {
        // A ZIP without a yield of its own asks for the sites around it too.
        if let (Some(state), Some(zip)) = (State::parse("ME"), Zip::parse("00000")) {
            self.area(state, &zip);
        }
    }

    fn sun(&self, state: State, zip: u32) -> SolarResource {
        let (zips, yields) = (self.zips.content(), self.yields.content());
        let nearby = || {
            let sites = self.sites.get_or_init(|| Sites::new(yields, zips));
            yields.of(sites.near(zips, zip)?, Scope::Nearby)
        };
        let around = self.state_solar.content();
        SolarResource {
            kwh_per_kw_year: yields.of(zip, Scope::Zip).or_else(nearby).or_else(|| around.optimum(state)),
            adoption_percentile: around.adoption_percentile(state),
            incentive: self.incentives.content().of(state),
        }
    }

    /// The middle of a ZIP's land, where one is published.
    pub fn zip_centre(&self, zip: &Zip) -> Option<Position> {
        self.zips.content().centre(zip.as_str().parse().ok()?)
    }

    /// Each ZIP whose center is published, with it.
    pub fn zip_centres(&self) -> impl Iterator<Item = (Zip, Position)> {
        self.zips.content().centres().filter_map(|(zip, at)| Some((zip_of(zip)?, at)))
    }

    /// The state that a ZIP is listed under; `None` for a number that is no ZIP.
    pub fn zip_state(&self, zip: &Zip) -> Option<State> {
        self.zips.content().state(zip.as_str().parse().ok()?)
    }

    /// The ZIPs of counties of this name, such as `Boulder County`, with their states.
    pub fn zips_of_county(&self, county: &str) -> impl Iterator<Item = (State, Zip)> {
        self.zips.content().of_county(county).filter_map(|(state, zip)| Some((state, zip_of(zip)?)))
    }

    /// The published average residential electricity bills, by state.
    pub fn bills(&self) -> Vec<Bill> {
        let sheet = self.levels.sheet();
        let bill = |(state, level): (&State, &homes::Level)| Bill {
            state: *state,
            kwh_month: level.kwh_month,
            usd_per_kwh: level.usd_per_kwh,
            usd_month: level.usd_month,
            year: sheet.about.year,
        };
        sheet.content.0.iter().map(bill).collect()
    }

    /// Installed prices by roof material.
    pub fn roof_prices(&self) -> &PriceTable {
        &self.roof_prices.content().0
    }

    pub fn tables(&self) -> Vec<TableInfo> {
        Table::ALL.into_iter().map(|table| self.info(table)).collect()
    }

    pub fn info(&self, table: Table) -> TableInfo {
        slot!(self, table, slot => slot.info())
    }

    /// The operator's files that are there and not used, and why. Reads nothing.
    pub fn problems(&self) -> Vec<&PropertyError> {
        Table::ALL.into_iter().filter_map(|table| slot!(self, table, slot => slot.problem())).collect()
    }

    /// A table as it is written: lines about it, column names, rows.
    pub fn text(&self, table: Table) -> Result<String, PropertyError> {
        slot!(self, table, slot => slot.text())
    }

    /// Reads a file's text as a table, whole, and says what it is. Nothing is kept.
    pub fn check(table: Table, text: &str, place: &Path) -> Result<TableInfo, PropertyError> {
        fn known<T: Content>(_: &Slot<T>, text: &str) -> Result<TableInfo, Fault> {
            sheet::read::<T>(text.as_bytes()).map(|sheet| described(&sheet))
        }
        slot!(BUILT_IN, table, slot => known(slot, text)).map_err(|fault| refused(fault, place))
    }
}

fn zip_of(number: u32) -> Option<Zip> {
    Zip::parse(&format!("{number:05}"))
}

/// National installed prices by material, of the program's own table.
pub fn roof_prices() -> &'static PriceTable {
    &RoofPrices::shipped().content.0
}
