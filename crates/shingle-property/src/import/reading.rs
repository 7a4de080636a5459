//! From a row to what it says of a place.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use shingle_domain::evidence::{Assessor, Polygon, Position};
use shingle_domain::{Address, Zip};

use crate::address::{ParsedLine, parse_line};

use super::field::{Field, Unread};
use super::mapping::{FactColumns, Mapping, Text, ZipFrom};
use super::nearby::{self, ZipsOfStreets};
use super::outline;
use super::projection::{Misplaced, Projection, check_place};
use super::situs::{self, Parts};
use super::source::{Row, Shape};

/// A row that was understood, on its way to its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Gathered {
    /// Rows with the same group are brought together: those of one parcel, else of one address.
    pub group: String,
    pub file: u16,
    pub row: u64,
    pub address: Option<Address>,
    pub unit: Option<String>,
    pub parcel: Option<String>,
    pub building_use: Option<String>,
    /// Of the plan's frame, or the point itself.
    pub origin: Option<Position>,
    pub plan: Vec<Polygon>,
    pub assessor: Assessor,
}

/// Why a row is not imported, with its address as it stands in the file.
#[derive(Debug)]
pub(super) struct Refused {
    pub reason: String,
    pub raw: String,
}

/// What the reader counts besides rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Tally {
    pub shapes: u64,
    pub misplaced: u64,
    /// Cells that are not blank and gave no fact: field, what was wrong, an example, how many.
    pub unread: Vec<UnreadCells>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnreadCells {
    pub field: String,
    pub problem: String,
    /// A cell of the file, shortened. Never of a column of names.
    pub example: String,
    pub cells: u64,
}

/// Different complaints that are kept apart; the rest is counted together.
const MOST_COMPLAINTS: usize = 40;
const LONGEST_FACT: usize = 300;

/// A mapping bound to the order in which cells come.
pub(super) struct Reading<'a> {
    mapping: &'a Mapping,
    line: Option<At<'a>>,
    number: Option<At<'a>>,
    street: Option<At<'a>>,
    unit: Option<At<'a>>,
    city: Option<At<'a>>,
    state: Option<At<'a>>,
    zip: ZipAt<'a>,
    parcel: Option<At<'a>>,
    building_use: Option<At<'a>>,
    point: Option<(usize, usize)>,
    facts: Vec<(&'a FactColumns, At<'a>)>,
}

enum ZipAt<'a> {
    InTheLine,
    Cell(At<'a>),
    Nearby(&'a ZipsOfStreets, Option<Zip>),
}

enum At<'a> {
    Cell(usize),
    Constant(&'a str),
    Joined(Vec<usize>, &'a str),
    Otherwise(usize, &'a str),
}

impl<'a> Reading<'a> {
    pub fn new(mapping: &'a Mapping, columns: &[String], zips: &'a ZipsOfStreets) -> Self {
        let at = |text: &'a Text| At::of(text, columns);
        let index = |name: &String| position(columns, name);
        let a = &mapping.address;
        Self {
            mapping,
            line: a.line.as_ref().map(at),
            number: a.number.as_ref().map(at),
            street: a.street.as_ref().map(at),
            unit: a.unit.as_ref().map(at),
            city: a.city.as_ref().map(at),
            state: a.state.as_ref().map(at),
            zip: match &a.zip {
                None => ZipAt::InTheLine,
                Some(ZipFrom::Text(text)) => ZipAt::Cell(at(text)),
                Some(ZipFrom::Nearby(n)) => ZipAt::Nearby(zips, n.otherwise),
            },
            parcel: mapping.place.parcel.as_ref().map(at),
            building_use: mapping.place.building_use.as_ref().map(at),
            point: mapping
                .geometry
                .as_ref()
                .and_then(|g| Some((index(g.longitude.as_ref()?), index(g.latitude.as_ref()?)))),
            facts: mapping.facts.iter().map(|f| (f, at(&f.from))).collect(),
        }
    }

    /// Number and street of a row, whichever way the mapping gives them.
    fn street_line(&self, row: &Row) -> (String, String) {
        let text = |at: &Option<At<'_>>| at.as_ref().map(|a| self.text(a, row).into_owned()).unwrap_or_default();
        match &self.line {
            Some(line) => situs::split_line(&self.text(line, row)),
            None if self.number.is_none() => situs::split_line(&text(&self.street)),
            None => (text(&self.number), text(&self.street)),
        }
    }

    /// The line taken apart, where it holds more than number and street.
    fn whole_line(&self, row: &Row) -> Option<ParsedLine> {
        let is_whole = self.city.is_none() || self.state.is_none() || matches!(self.zip, ZipAt::InTheLine);
        self.line.as_ref().filter(|_| is_whole).map(|at| parse_line(&self.text(at, row)))
    }

    pub fn read(
        &self,
        file: u16,
        number: u64,
        row: &mut Row,
        projection: Option<&Projection>,
        tally: &mut Tally,
    ) -> Result<Gathered, Refused> {
        let refuse = |reason: String| Refused { reason, raw: self.raw(row) };
        let line = self.whole_line(row);
        let (house, street) = match &line {
            Some(line) => (line.street_number.clone(), line.street_address.clone()),
            None => self.street_line(row),
        };
        let zip_text = match &self.zip {
            ZipAt::Cell(at) => self.text(at, row),
            ZipAt::Nearby(..) | ZipAt::InTheLine => Cow::Borrowed(""),
        };
        let zip = match &self.zip {
            ZipAt::Cell(_) => situs::zip(&zip_text),
            ZipAt::Nearby(zips, otherwise) => zips.of(&house, &street).or(*otherwise),
            ZipAt::InTheLine => line.as_ref().and_then(|l| l.zip),
        };
        let column = |at: &Option<At<'_>>| at.as_ref().map(|at| self.text(at, row).into_owned());
        let in_line = line.as_ref().map(|l| (l.city.clone(), l.state.map(|s| s.to_string()).unwrap_or_default()));
        let (city, state) = in_line.unwrap_or_default();
        let parts = Parts {
            number: &house,
            street: &street,
            city: &column(&self.city).unwrap_or(city),
            state: &column(&self.state).unwrap_or(state),
            zip,
            zip_text: &zip_text,
        };
        let address = parts.address().map_err(refuse)?;
        let parcel = self.optional(&self.parcel, row);
        if address.is_none() && parcel.is_none() {
            return Err(refuse("no address, and no parcel to find one by".to_owned()));
        }
        let unit = self.optional(&self.unit, row);
        let mut gathered = Gathered {
            group: group(parcel.as_deref(), address.as_ref()),
            file,
            row: number,
            address,
            unit,
            parcel,
            building_use: self.optional(&self.building_use, row).map(|u| u.to_lowercase()),
            origin: None,
            plan: Vec::new(),
            assessor: Assessor::default(),
        };
        let placed = self.place(row, projection, tally, &mut gathered);
        placed.map_err(|reason| Refused { reason, raw: self.raw(row) })?;
        self.facts(row, tally, &mut gathered.assessor);
        Ok(gathered)
    }

    fn place(
        &self,
        row: &mut Row,
        projection: Option<&Projection>,
        tally: &mut Tally,
        into: &mut Gathered,
    ) -> Result<(), String> {
        if let Some((x, y)) = self.point
            && row.shape == Shape::None
            && let (Some(x), Some(y)) = (super::cell::number(&row.cells[x]), super::cell::number(&row.cells[y]))
            && (x, y) != (0.0, 0.0)
        {
            row.shape = Shape::Point(x, y);
        }
        let Some(projection) = projection else { return Ok(()) };
        let degrees = |x: f64, y: f64| {
            let (lon, lat) = projection.degrees(x, y).ok_or(Misplaced::Outside.reason())?;
            check_place(lon, lat).map_err(Misplaced::reason)?;
            Ok::<_, &str>((lon, lat))
        };
        match std::mem::take(&mut row.shape) {
            Shape::None => {}
            Shape::Point(x, y) => {
                tally.shapes += 1;
                let (longitude, latitude) = degrees(x, y).inspect_err(|_| tally.misplaced += 1)?;
                into.origin = Some(Position { longitude, latitude });
            }
            Shape::Rings(mut rings) => {
                tally.shapes += 1;
                for point in rings.iter_mut().flatten() {
                    *point = degrees(point.0, point.1).inspect_err(|_| tally.misplaced += 1)?;
                }
                let plan = outline::plan(&rings)?;
                into.origin = Some(plan.origin);
                into.plan = plan.parts;
            }
        }
        Ok(())
    }

    fn facts(&self, row: &Row, tally: &mut Tally, assessor: &mut Assessor) {
        for (map, at) in &self.facts {
            let text = self.text(at, row);
            if text.is_empty() || map.blank.iter().any(|b| *b == text.to_lowercase()) {
                continue;
            }
            let set =
                if text.len() > LONGEST_FACT { Err(Unread::NotReadable) } else { map.field.set(map, &text, assessor) };
            if let Err(problem) = set {
                tally.complain(map.field, problem, &text);
            }
        }
    }

    fn optional(&self, at: &Option<At<'_>>, row: &Row) -> Option<String> {
        let text = self.text(at.as_ref()?, row);
        (!text.is_empty() && text.len() <= LONGEST_FACT).then(|| text.into_owned())
    }

    fn text<'r>(&'r self, at: &'r At<'_>, row: &'r Row) -> Cow<'r, str> {
        let cell = |i: &usize| row.cells.get(*i).map(String::as_str).filter(|c| !self.is_blank(c)).unwrap_or_default();
        match at {
            At::Cell(i) => Cow::Borrowed(cell(i)),
            At::Constant(text) => Cow::Borrowed(text),
            At::Otherwise(i, otherwise) => Cow::Borrowed(if cell(i).is_empty() { otherwise } else { cell(i) }),
            At::Joined(columns, separator) => {
                let cells: Vec<&str> = columns.iter().map(cell).filter(|c| !c.is_empty()).collect();
                Cow::Owned(cells.join(separator))
            }
        }
    }

    fn is_blank(&self, cell: &str) -> bool {
        !cell.is_empty() && self.mapping.blank.iter().any(|b| b.len() == cell.len() && *b == cell.to_lowercase())
    }

    /// The address as the file has it, for the side file.
    pub fn raw(&self, row: &Row) -> String {
        let mut parts: Vec<Cow<'_, str>> = Vec::new();
        for at in [&self.line, &self.number, &self.street, &self.unit, &self.city, &self.state].into_iter().flatten() {
            parts.push(self.text(at, row));
        }
        if let ZipAt::Cell(at) = &self.zip {
            parts.push(self.text(at, row));
        }
        let shown: Vec<&str> = parts.iter().map(AsRef::as_ref).filter(|p| !p.is_empty()).collect();
        shown.join(" ").chars().take(300).collect()
    }
}

fn group(parcel: Option<&str>, address: Option<&Address>) -> String {
    match (parcel, address) {
        (Some(parcel), _) => format!("p{parcel}"),
        (None, Some(a)) => format!("a{}", a.to_string().to_uppercase()),
        (None, None) => String::new(),
    }
}

impl<'a> At<'a> {
    fn of(text: &'a Text, columns: &[String]) -> Self {
        match text {
            Text::Column(c) => Self::Cell(position(columns, c)),
            Text::Constant(c) => Self::Constant(c),
            Text::Otherwise { column, otherwise } => Self::Otherwise(position(columns, column), otherwise),
            Text::Joined { columns: c, separator } => {
                Self::Joined(c.iter().map(|c| position(columns, c)).collect(), separator)
            }
        }
    }
}

/// `columns` holds every name of the mapping; a cell past the end reads as blank.
fn position(columns: &[String], name: &str) -> usize {
    columns.iter().position(|c| c == name).unwrap_or(usize::MAX)
}

impl Tally {
    fn complain(&mut self, field: Field, problem: Unread, cell: &str) {
        let personal = matches!(field, Field::PrimaryOwner | Field::SecondaryOwner | Field::MailingAddress);
        let (problem, by_value) = match problem {
            Unread::UnknownCode => ("not in the codes", true),
            Unread::NotReadable => ("not readable", false),
            Unread::OutOfRange => ("out of range", false),
        };
        let example: String = if personal { String::new() } else { cell.chars().take(40).collect() };
        let same = |u: &&mut UnreadCells| {
            u.field == field.name() && u.problem == problem && (!by_value || u.example == example)
        };
        if let Some(known) = self.unread.iter_mut().find(same) {
            known.cells += 1;
        } else if self.unread.len() < MOST_COMPLAINTS {
            self.unread.push(UnreadCells {
                field: field.name().to_owned(),
                problem: problem.to_owned(),
                example,
                cells: 1,
            });
        } else if let Some(last) = self.unread.last_mut() {
            last.cells += 1;
        }
    }
}

/// The pass before the first: which ZIP the owners in each street receive their mail under.
pub(super) struct ZipPass<'a> {
    reading: Reading<'a>,
    zip: usize,
    mailing: usize,
    among: &'a [Zip],
}

impl<'a> ZipPass<'a> {
    /// `None` when the mapping has no use for it.
    pub fn new(mapping: &'a Mapping, columns: &[String], none: &'a ZipsOfStreets) -> Option<Self> {
        let Some(ZipFrom::Nearby(n)) = &mapping.address.zip else { return None };
        Some(Self {
            reading: Reading::new(mapping, columns, none),
            zip: position(columns, &n.nearby),
            mailing: position(columns, &n.mailing_line),
            among: &n.among,
        })
    }

    pub fn note(&self, row: &Row, into: &mut ZipsOfStreets) {
        let cell = |i: usize| row.cells.get(i).map(String::as_str).unwrap_or_default();
        if let Some(zip) = situs::zip(cell(self.zip)).filter(|z| self.among.contains(z)) {
            let (number, street) = self.reading.street_line(row);
            if nearby::is_same_door(&number, &street, cell(self.mailing)) {
                into.note(&number, &street, zip);
            }
        }
    }
}
