//! From a row to what it says of a place.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use shingle_domain::evidence::{Assessor, Permit, Polygon, Position};
use shingle_domain::{Address, State};

use shingle_address::{ParsedLine, parse_line};

use crate::format::cell;
use crate::format::source::{Row, Shape};
use crate::geo::outline;
use crate::geo::projection::{Misplaced, Projection, check_place};
use crate::join::layers::Met;
use crate::mapping::field::Field;
use crate::mapping::file::{Mapping, NearbyZip, ZipFrom};
use crate::mapping::formula::{Cells, Formula, Unread};
use crate::row::nearby::{self, ZipsOfStreets};
use crate::row::situs::{self, Parts};

/// A row that was understood, on its way to its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Gathered {
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
    /// Whether the plan reaches over the border of its parcel.
    pub spans_parcels: bool,
    pub assessor: Assessor,
    pub permit: Option<Permit>,
}

/// Why a row is not imported, with its address as it stands in the file.
#[derive(Debug)]
pub(crate) struct Refused {
    pub reason: String,
    pub raw: String,
}

/// What the reader counts besides rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub shapes: u64,
    pub misplaced: u64,
    /// Outlines that crossed themselves by a hair.
    pub mended: u64,
    /// Outlines with a hole that lies outside them.
    pub stray_holes: u64,
    pub layers: Met,
    /// Cells that are not blank and gave no fact: field, what was wrong, an example, how many.
    pub unread: Vec<UnreadCells>,
    /// Of each field, by its place in the list of all.
    pub fields: Vec<FieldCells>,
}

/// What became of a field's cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FieldCells {
    pub known: u64,
    pub unread: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnreadCells {
    pub field: String,
    pub problem: String,
    /// A cell of the file, shortened. Never of a column of names.
    pub example: String,
    pub cells: u64,
}

/// Different complaints that are kept apart; the rest is counted together.
const MOST_COMPLAINTS: usize = 100;
const LONGEST_FACT: usize = 300;

/// What a mapping reads from rows.
pub(crate) struct Reading<'a> {
    mapping: &'a Mapping,
    zips: &'a ZipsOfStreets,
}

impl<'a> Reading<'a> {
    pub fn new(mapping: &'a Mapping, zips: &'a ZipsOfStreets) -> Self {
        Self { mapping, zips }
    }

    fn cells<'r>(&self, row: &'r Row) -> Cells<'r>
    where
        'a: 'r,
    {
        Cells { cells: &row.cells, blank: &self.mapping.blank }
    }

    /// Whether the mapping has a use for the row.
    pub fn takes(&self, row: &Row) -> bool {
        self.mapping.rows.takes(self.cells(row))
    }

    /// Number and street of a row, whichever way the mapping gives them.
    fn street_line<'r>(&'r self, row: &'r Row) -> (Cow<'r, str>, Cow<'r, str>) {
        let a = &self.mapping.address;
        let cells = self.cells(row);
        let text = |f: &'r Option<Formula>| f.as_ref().map(|f| f.text(cells)).unwrap_or_default();
        let line = match &a.line {
            Some(line) => line.text(cells),
            None if a.number.is_none() => text(&a.street),
            None => return (text(&a.number), text(&a.street)),
        };
        match line {
            Cow::Borrowed(line) => situs::split_line(line),
            Cow::Owned(line) => {
                let (number, street) = situs::split_line(&line);
                (Cow::Owned(number.into_owned()), Cow::Owned(street.into_owned()))
            }
        }
    }

    /// The line taken apart, where it holds more than number and street.
    fn whole_line(&self, row: &Row) -> Option<ParsedLine> {
        let a = &self.mapping.address;
        let is_whole = a.city.is_none() || a.state.is_none() || a.zip.is_none();
        a.line.as_ref().filter(|_| is_whole).map(|line| parse_line(&line.text(self.cells(row))))
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
        let address = self.address(row).map_err(refuse)?;
        let parcel = self.optional(&self.mapping.place.parcel, row);
        let permit = self.mapping.permit.as_ref().map(|p| p.read(self.cells(row))).transpose().map_err(refuse)?;
        let mut gathered = Gathered {
            group: group(parcel.as_deref(), address.as_ref()),
            file,
            row: number,
            address,
            unit: self.optional(&self.mapping.address.unit, row),
            parcel,
            building_use: self.optional(&self.mapping.place.building_use, row).map(|u| u.to_lowercase()),
            origin: None,
            plan: Vec::new(),
            spans_parcels: false,
            assessor: Assessor::default(),
            permit,
        };
        let placed = self.place(row, projection, tally, &mut gathered);
        placed.map_err(|reason| Refused { reason, raw: self.raw(row) })?;
        self.facts(row, tally, &mut gathered.assessor);
        Ok(gathered)
    }

    fn address(&self, row: &Row) -> Result<Option<Address>, String> {
        let a = &self.mapping.address;
        let line = self.whole_line(row);
        let (house, street) = match &line {
            Some(line) => (Cow::Borrowed(&*line.street_number), Cow::Borrowed(&*line.street_address)),
            None => self.street_line(row),
        };
        let mut zip_text = Cow::Borrowed("");
        let zip = match &a.zip {
            Some(ZipFrom::Formula(formula)) => {
                zip_text = formula.text(self.cells(row));
                situs::zip(&zip_text)
            }
            Some(ZipFrom::Nearby(nearby)) => self.zips.of(&house, &street).or(nearby.otherwise),
            // Else known once the row has its place.
            Some(ZipFrom::Areas(areas)) => {
                let own = areas.own.as_ref().map(|own| own.text(self.cells(row)));
                own.and_then(|text| situs::zip(&text)).or_else(|| line.as_ref().and_then(|l| l.zip))
            }
            None => line.as_ref().and_then(|l| l.zip),
        };
        let (city, state) = match &line {
            Some(line) => (line.city.as_str(), line.state.as_ref().map_or("", State::as_str)),
            None => ("", ""),
        };
        let column = |f: &'a Option<Formula>| f.as_ref().map(|f| f.text(self.cells(row)));
        let parts = Parts {
            number: &house,
            street: &street,
            city: &column(&a.city).unwrap_or(Cow::Borrowed(city)),
            state: &column(&a.state).unwrap_or(Cow::Borrowed(state)),
            zip,
            zip_text: &zip_text,
        };
        parts.address()
    }

    fn place(
        &self,
        row: &mut Row,
        projection: Option<&Projection>,
        tally: &mut Tally,
        into: &mut Gathered,
    ) -> Result<(), String> {
        if let Some((x, y)) = self.mapping.place.point
            && row.shape == Shape::None
            && let (Some(x), Some(y)) = (cell::coordinate(&row.cells[x]), cell::coordinate(&row.cells[y]))
            && (x, y) != (0.0, 0.0)
        {
            row.shape = Shape::Point(x, y);
        }
        let Some(projection) = projection else { return Ok(()) };
        let mut misplaced = |m: Misplaced| {
            tally.misplaced += 1;
            m.reason().to_owned()
        };
        match std::mem::take(&mut row.shape) {
            Shape::None => {}
            Shape::Point(x, y) => {
                tally.shapes += 1;
                let (longitude, latitude) = projection.degrees(x, y).ok_or_else(|| misplaced(Misplaced::Outside))?;
                check_place(longitude, latitude).map_err(misplaced)?;
                into.origin = Some(Position { longitude, latitude });
            }
            Shape::Rings(mut rings) => {
                tally.shapes += 1;
                projection.place(&mut rings).map_err(misplaced)?;
                let plan = outline::plan(&rings)?;
                tally.mended += u64::from(plan.is_mended);
                tally.stray_holes += u64::from(row.has_stray_hole);
                into.origin = Some(plan.origin);
                into.plan = plan.parts;
            }
        }
        Ok(())
    }

    fn facts(&self, row: &Row, tally: &mut Tally, assessor: &mut Assessor) {
        let cells = self.cells(row);
        for fact in &self.mapping.facts {
            let set = match fact.from.value(cells) {
                Ok(None) => continue,
                Ok(Some(value)) if value.as_text().len() > LONGEST_FACT => Err(Unread::NotReadable),
                Ok(Some(value)) => fact.field.set(&fact.from, value, assessor),
                Err(problem) => Err(problem),
            };
            match set {
                Ok(known) => tally.at(fact.field).known += u64::from(known),
                Err(problem) => {
                    tally.at(fact.field).unread += 1;
                    tally.complain(fact.field, problem, &fact.from.shown(cells));
                }
            }
        }
    }

    pub fn parcel(&self, row: &Row) -> Option<String> {
        self.optional(&self.mapping.place.parcel, row)
    }

    fn optional(&self, from: &Option<Formula>, row: &Row) -> Option<String> {
        let text = from.as_ref()?.text(self.cells(row));
        (!text.is_empty() && text.len() <= LONGEST_FACT).then(|| text.into_owned())
    }

    /// The address as the file has it, for the side file.
    pub fn raw(&self, row: &Row) -> String {
        let a = &self.mapping.address;
        let zip = match &a.zip {
            Some(ZipFrom::Formula(zip)) => Some(zip),
            _ => None,
        };
        let parts = [&a.line, &a.number, &a.street, &a.unit, &a.city, &a.state].into_iter().flatten().chain(zip);
        let parts: Vec<Cow<'_, str>> = parts.map(|f| f.text(self.cells(row))).filter(|p| !p.is_empty()).collect();
        parts.join(" ").chars().take(300).collect()
    }
}

pub(crate) fn group(parcel: Option<&str>, address: Option<&Address>) -> String {
    match (parcel, address) {
        (Some(parcel), _) => ["p", parcel].concat(),
        (None, Some(a)) => format!("a{}", a.to_string().to_uppercase()),
        (None, None) => String::new(),
    }
}

impl Tally {
    pub fn of(&self, field: Field) -> FieldCells {
        self.fields.get(field as usize).copied().unwrap_or_default()
    }

    fn at(&mut self, field: Field) -> &mut FieldCells {
        let at = field as usize;
        if self.fields.len() <= at {
            self.fields.resize(at + 1, FieldCells::default());
        }
        &mut self.fields[at]
    }

    fn complain(&mut self, field: Field, problem: Unread, cell: &str) {
        let by_value = problem == Unread::UnknownCode;
        let problem = problem.words();
        let personal = field.is_personal();
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
pub(crate) struct ZipPass<'a> {
    reading: Reading<'a>,
    from: &'a NearbyZip,
}

impl<'a> ZipPass<'a> {
    /// `None` when the mapping has no use for it.
    pub fn new(mapping: &'a Mapping, none: &'a ZipsOfStreets) -> Option<Self> {
        let Some(ZipFrom::Nearby(from)) = &mapping.address.zip else { return None };
        Some(Self { reading: Reading::new(mapping, none), from })
    }

    pub fn note(&self, row: &Row, into: &mut ZipsOfStreets) {
        let cell = |i: usize| row.cells.get(i).map(String::as_str).unwrap_or_default();
        if let Some(zip) = situs::zip(cell(self.from.zip)).filter(|z| self.from.among.contains(z)) {
            let (number, street) = self.reading.street_line(row);
            if nearby::is_same_door(&number, &street, cell(self.from.mailing_line)) {
                into.note(&number, &street, zip);
            }
        }
    }
}
