//! Reads what a row says about a property.

use std::borrow::Cow;

use shingle_domain::evidence::{Assessor, Position};
use shingle_domain::message::Message;
use shingle_domain::{Address, State};

use shingle_address::tables::designator;
use shingle_address::token::with_fractions;
use shingle_address::{ParsedLine, parse_line, parse_line_in, split_bare_unit};

use crate::format::cell;
use crate::format::source::{Row, Shape};
use crate::geo::file_projection::rings_to_degrees;
use crate::geo::misplaced::{Misplaced, check_position};
use crate::geo::outline;
use crate::mapping::formula::{Cells, Formula, Unread};
use crate::mapping::table::TableMapping;
use crate::mapping::zip::{NearbyZip, ZipFrom};
use crate::row::doubtful::AsWritten;
use crate::row::imported::{ImportedRow, group};
use crate::row::nearby::{self, ZipsOfStreets};
use crate::row::parcel_id::NoId;
use crate::row::row_problem::RowProblem;
use crate::row::situs::{self, AddressCells};
use crate::row::stats::ImportStats;
use crate::row::street_end::PlaceCells;
use shingle_projection::Projection;

/// Why a row is rejected, with its address as the file has it.
#[derive(Debug)]
pub(crate) struct RefusedRow {
    pub reason: Message,
    pub raw: String,
}

const MAX_FACT_LEN: usize = 300;

/// What a mapping reads from rows.
pub(crate) struct RowReader<'a> {
    mapping: &'a TableMapping,
    zips: &'a ZipsOfStreets,
}

impl<'a> RowReader<'a> {
    pub fn new(mapping: &'a TableMapping, zips: &'a ZipsOfStreets) -> Self {
        Self { mapping, zips }
    }

    fn cells<'r>(&self, row: &'r Row) -> Cells<'r>
    where
        'a: 'r,
    {
        Cells { cells: &row.cells, blank: &self.mapping.blank }
    }

    /// Whether the mapping's `[rows]` takes the row.
    pub fn takes(&self, row: &Row) -> bool {
        self.mapping.rows.takes(self.cells(row))
    }

    /// Number and street of a row, whichever way the mapping gives them.
    fn street_line<'r>(&'r self, row: &'r Row) -> (Cow<'r, str>, Cow<'r, str>) {
        let a = &self.mapping.address;
        let cells = self.cells(row);
        let text = |f: &'r Option<Formula>| f.as_ref().map(|f| f.text(cells)).unwrap_or_default();
        let line = match &a.line {
            Some(line) => self.without_place(line.text(cells), row, |place, line| place.end_of_line(line)),
            None if a.number.is_none() => {
                self.without_place(text(&a.street), row, |place, line| place.end_of_line(line))
            }
            None => {
                return (
                    text(&a.number),
                    self.without_place(text(&a.street), row, |place, street| place.end_of_street(street)),
                );
            }
        };
        match line {
            Cow::Borrowed(line) => situs::split_line(line),
            Cow::Owned(line) => {
                let (number, street) = situs::split_line(&line);
                (Cow::Owned(number.into_owned()), Cow::Owned(street.into_owned()))
            }
        }
    }

    /// A line or a street without the town, the state and the ZIP at its end that its row has in columns of their own.
    fn without_place<'r>(
        &'r self,
        line: Cow<'r, str>,
        row: &'r Row,
        end: impl FnOnce(PlaceCells<'_>, &str) -> Option<usize>,
    ) -> Cow<'r, str> {
        let a = &self.mapping.address;
        let cells = self.cells(row);
        let text = |f: &'r Option<Formula>| f.as_ref().map(|f| f.text(cells)).unwrap_or_default();
        let zip = match &a.zip {
            Some(ZipFrom::Formula(zip)) => zip.text(cells),
            _ => Cow::Borrowed(""),
        };
        match end(PlaceCells { city: &text(&a.city), state: &text(&a.state), zip: &zip }, &line) {
            Some(end) if end < line.len() => Cow::Owned(line[..end].to_owned()),
            _ => line,
        }
    }

    pub fn as_written(&self, row: &Row) -> AsWritten {
        let a = &self.mapping.address;
        let is_whole = a.city.is_none() || a.state.is_none();
        let line = a.line.as_ref().filter(|_| is_whole).map(|line| line.text(self.cells(row)).into_owned());
        AsWritten { line, bare_unit: self.bare_unit(row) }
    }

    /// Number, street and unit, where nothing announces the unit: neither a column of its own nor a word.
    fn bare_unit(&self, row: &Row) -> Option<String> {
        let a = &self.mapping.address;
        if self.optional(&a.unit, row).is_some() {
            return None;
        }
        let has_sign = |formula: &Option<Formula>| {
            formula.as_ref().is_some_and(|formula| formula.text(self.cells(row)).contains('#'))
        };
        if has_sign(&a.line) || has_sign(&a.street) {
            return None;
        }
        let (number, street) = match self.whole_line(row) {
            Some(line) => (Cow::Owned(line.street_number), Cow::Owned(line.street_address)),
            None => self.street_line(row),
        };
        let (street, unit) = split_bare_unit(&street)?;
        let first = unit.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        let is_announced = designator(first.trim_end_matches('.')).is_some() || first.starts_with("NO");
        (!is_announced).then(|| format!("{number} {street} {unit}"))
    }

    /// The line taken apart, where it may hold more than number and street; with the town and the state in hand that
    /// the mapping gives.
    fn whole_line(&self, row: &Row) -> Option<ParsedLine> {
        let a = &self.mapping.address;
        let is_whole = a.city.is_none() || a.state.is_none() || a.zip.is_none();
        let line = a.line.as_ref().filter(|_| is_whole)?.text(self.cells(row));
        let given = |f: &'a Option<Formula>| f.as_ref().map(|f| f.text(self.cells(row))).unwrap_or_default();
        Some(match State::parse(&given(&a.state)) {
            Some(state) => parse_line_in(&line, &given(&a.city), state),
            None => parse_line(&line),
        })
    }

    pub fn read(
        &self,
        file: u16,
        number: u64,
        row: &mut Row,
        projection: Option<&Projection>,
        stats: &mut ImportStats,
    ) -> Result<ImportedRow, RefusedRow> {
        let refuse = |reason: Message| RefusedRow { reason, raw: self.raw(row) };
        let (mut address, town_of_zip) = self.address(row).map_err(|problem| refuse(problem.into()))?;
        stats.towns_of_zips += u64::from(town_of_zip);
        if let Some(address) = &address {
            stats.compare_zip_with_place(address);
        }
        let unit = self.optional(&self.mapping.address.unit, row);
        let mut unit = unit.map(|unit| with_fractions(Cow::Owned(unit)).into_owned());
        if let Some(error) = unit.as_deref().filter(|unit| cell::is_excel_error(unit)) {
            return Err(refuse(RowProblem::NotAUnit { error: error.to_owned() }.into()));
        }
        if let Some(address) = &mut address
            && let Some((street, inline)) = split_bare_unit(&address.street_address)
        {
            // `6 Oak Ridge Rd 2`
            address.street_address = street;
            unit = unit.or(Some(inline));
        }
        let parcel = match self.optional(&self.mapping.place.parcel, row) {
            Some(id) if let Some(why) = NoId::of(&id) => {
                stats.missing_ids.count(why, &id);
                None
            }
            id => id,
        };
        let permit = self.mapping.permit.as_ref().map(|p| p.read(self.cells(row))).transpose();
        let permit = permit.map_err(|problem| refuse(problem.into()))?;
        let mut imported = ImportedRow {
            group: group(parcel.as_deref(), address.as_ref()),
            file,
            row: number,
            address,
            unit,
            parcel,
            building_use: self.optional(&self.mapping.place.building_use, row).map(|u| u.to_lowercase()),
            origin: None,
            plan: Vec::new(),
            spans_parcels: false,
            lot: Vec::new(),
            roof: None,
            assessor: Box::default(),
            permit,
        };
        let placed = self.read_shape(row, projection, stats, &mut imported);
        placed.map_err(|reason| RefusedRow { reason, raw: self.raw(row) })?;
        self.facts(row, stats, &mut imported.assessor);
        Ok(imported)
    }

    /// With whether its ZIP told the town.
    fn address(&self, row: &Row) -> Result<(Option<Address>, bool), RowProblem> {
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
        let parts = AddressCells {
            number: &house,
            street: &street,
            city: &column(&a.city).unwrap_or(Cow::Borrowed(city)),
            state: &column(&a.state).unwrap_or(Cow::Borrowed(state)),
            zip,
            zip_text: &zip_text,
        };
        let address = parts.address()?;
        let town_of_zip = address.is_some() && parts.city.is_empty();
        Ok((address, town_of_zip))
    }

    fn read_shape(
        &self,
        row: &mut Row,
        projection: Option<&Projection>,
        stats: &mut ImportStats,
        into: &mut ImportedRow,
    ) -> Result<(), Message> {
        if let Some((x, y)) = self.mapping.place.point
            && row.shape == Shape::None
            && let (Some(x), Some(y)) = (cell::coordinate(&row.cells[x]), cell::coordinate(&row.cells[y]))
            && (x, y) != (0.0, 0.0)
        {
            row.shape = Shape::Point(x, y);
        }
        let Some(projection) = projection else { return Ok(()) };
        let mut misplaced = |m: Misplaced| {
            stats.misplaced += 1;
            Message::from(m)
        };
        match std::mem::take(&mut row.shape) {
            Shape::None => {}
            Shape::Point(x, y) => {
                stats.shapes += 1;
                let (longitude, latitude) = projection.degrees(x, y).ok_or_else(|| misplaced(Misplaced::Outside))?;
                check_position(longitude, latitude).map_err(misplaced)?;
                into.origin = Some(Position { longitude, latitude });
            }
            Shape::Rings(mut rings) => {
                stats.shapes += 1;
                rings_to_degrees(projection, &mut rings).map_err(misplaced)?;
                let plan = outline::clean_outline(&rings)?;
                stats.repaired += u64::from(plan.is_repaired);
                stats.stray_holes += u64::from(row.has_stray_hole);
                into.origin = Some(plan.origin);
                into.plan = plan.parts;
            }
        }
        Ok(())
    }

    fn facts(&self, row: &Row, stats: &mut ImportStats, assessor: &mut Assessor) {
        let cells = self.cells(row);
        for fact in &self.mapping.facts {
            let value = fact.from.value(cells);
            if let (Some(values), Ok(Some(value))) = (&mut stats.values, &value) {
                values.add(fact.field, value, &fact.from, cells);
            }
            let set = match value {
                Ok(None) => continue,
                Ok(Some(value)) if value.as_text().len() > MAX_FACT_LEN || cell::is_excel_error(&value.as_text()) => {
                    Err(Unread::NotReadable)
                }
                Ok(Some(value)) => fact.field.set(&fact.from, value, assessor),
                Err(problem) => Err(problem),
            };
            match set {
                Ok(known) => stats.at(fact.field).known += u64::from(known),
                Err(problem) => {
                    stats.at(fact.field).unread += 1;
                    stats.complain(fact.field, problem, &fact.from.shown(cells));
                }
            }
        }
    }

    /// The id of a row, or why it has none.
    pub fn parcel(&self, row: &Row) -> Result<String, RowProblem> {
        let id = self.optional(&self.mapping.place.parcel, row).ok_or(RowProblem::NoParcelId)?;
        NoId::of(&id).map_or(Ok(id.clone()), |why| Err(why.reason(&id)))
    }

    fn optional(&self, from: &Option<Formula>, row: &Row) -> Option<String> {
        let text = from.as_ref()?.text(self.cells(row));
        (!text.is_empty() && text.len() <= MAX_FACT_LEN).then(|| text.into_owned())
    }

    /// The address as the file has it, for the rejects file.
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

/// Reads the rows once before the import: under which ZIP owners in each street receive their mail.
pub(crate) struct ZipPass<'a> {
    reading: RowReader<'a>,
    from: &'a NearbyZip,
}

impl<'a> ZipPass<'a> {
    /// `None` when the mapping has no use for it.
    pub fn new(mapping: &'a TableMapping, none: &'a ZipsOfStreets) -> Option<Self> {
        let Some(ZipFrom::Nearby(from)) = &mapping.address.zip else { return None };
        Some(Self { reading: RowReader::new(mapping, none), from })
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
