//! The rows of a table that apply to a place, as they are written.

use csv::{ReaderBuilder, Trim};
use shingle_domain::area::{Division, Table};
use shingle_domain::{State, Zip};

use super::Reference;
use crate::error::PropertyError;

/// Whose rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Zip(Zip),
    State(State),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Reference {
    /// The rows of a table for a place, all of them for none. Prices by roof material hold everywhere.
    pub fn excerpt(&self, table: Table, wanted: Option<Wanted>) -> Result<Excerpt, PropertyError> {
        let text = self.text(table)?;
        let fits = self.filter(table, wanted);
        let mut reader =
            ReaderBuilder::new().trim(Trim::All).flexible(true).comment(Some(b'#')).from_reader(text.as_bytes());
        let cells = |record: &csv::StringRecord| record.iter().map(str::to_owned).collect();
        let columns = reader.headers().map(cells).unwrap_or_default();
        // A table in use was read whole before: no row is lost here.
        let rows = reader.records().flatten().filter(|r| r.get(0).is_some_and(&fits)).map(|r| cells(&r)).collect();
        Ok(Excerpt { columns, rows })
    }

    /// Whether a row applies, by its first cell.
    fn filter(&self, table: Table, wanted: Option<Wanted>) -> impl Fn(&str) -> bool {
        let zips = self.zips.content();
        let number = |zip: &Zip| zip.as_str().parse::<u32>().unwrap_or(u32::MAX);
        let (zip, state) = match wanted {
            None => (None, None),
            Some(Wanted::Zip(zip)) => (Some(zip), zips.state(number(&zip))),
            Some(Wanted::State(state)) => (None, Some(state)),
        };
        let subregion = zip.and_then(|z| zips.subregion(number(&z)));
        let division = state.and_then(Division::of).map(Division::name);
        move |first: &str| match table {
            _ if wanted.is_none() => true,
            Table::RoofPrices => true,
            Table::ZipAreas | Table::SolarYield => match zip {
                Some(zip) => first == zip.as_str(),
                None => state.is_some_and(|s| {
                    first == s.as_str() || Zip::parse(first).is_some_and(|z| zips.state(number(&z)) == Some(s))
                }),
            },
            Table::GridEmissions if zip.is_some() => subregion == Some(first),
            Table::HeatingHabits => division == Some(first),
            _ => state.is_some_and(|s| first == s.as_str()),
        }
    }
}
