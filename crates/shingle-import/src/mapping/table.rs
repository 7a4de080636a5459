//! The part of a mapping that says what to read from each row of a file.

use serde::Deserialize;
use shingle_domain::Zip;
use shingle_domain::evidence::{OutlineKind, Source};

use crate::format::cell;
use crate::format::dialect::Dialect;
use crate::geo::crs::CrsName;
use crate::mapping::field::Field;
use crate::mapping::formula::Formula;
use crate::mapping::mapping_problem::MappingProblem;
use crate::mapping::permit::PermitColumns;
use crate::mapping::raw_formula::{Compiler, RawFormula};
use crate::mapping::row_filter::RowFilter;
use crate::mapping::zip::ZipFrom;

/// What a mapping reads from the rows of a file. Columns are checked when a file is opened.
#[derive(Debug, Clone)]
pub(crate) struct TableMapping {
    pub source: Source,
    /// Texts that mean "nothing" anywhere in the table.
    pub blank: Vec<String>,
    pub dialect: Dialect,
    pub rows: RowFilter,
    pub geometry: Option<GeometryColumns>,
    pub place: PlaceColumns,
    pub address: AddressColumns,
    pub facts: Vec<FactColumns>,
    pub permit: Option<PermitColumns>,
    /// Every column the mapping speaks of, each once, in the order in which formulas count them.
    pub columns: Vec<String>,
}

impl TableMapping {
    pub fn outline_kind(&self) -> Option<OutlineKind> {
        self.geometry.as_ref()?.outline_kind
    }

    /// Whether the polygons of the rows are parcels.
    pub fn draws_parcels(&self) -> bool {
        self.geometry.as_ref().is_some_and(|g| g.draws == Draws::Parcels)
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GeometryColumns {
    pub outline_kind: Option<OutlineKind>,
    /// What the polygons of the rows are.
    #[serde(default)]
    pub draws: Draws,
    pub crs: Option<CrsName>,
    /// For tables: the columns of a point.
    pub longitude: Option<String>,
    pub latitude: Option<String>,
}

/// What the polygons of the rows are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Draws {
    #[default]
    Buildings,
    Parcels,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct PlaceColumns {
    /// The parcel's id: rows of one parcel are brought together.
    pub parcel: Option<Formula>,
    /// What the building is: house, garage, shed.
    pub building_use: Option<Formula>,
    /// The columns of a point.
    pub point: Option<(usize, usize)>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct AddressColumns {
    pub line: Option<Formula>,
    pub number: Option<Formula>,
    pub street: Option<Formula>,
    pub unit: Option<Formula>,
    pub city: Option<Formula>,
    pub state: Option<Formula>,
    pub zip: Option<ZipFrom>,
}

#[derive(Debug, Clone)]
pub(crate) struct FactColumns {
    pub field: Field,
    pub from: Formula,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawPlaceColumns {
    pub parcel: Option<RawFormula>,
    pub building_use: Option<RawFormula>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawAddressColumns {
    line: Option<RawFormula>,
    number: Option<RawFormula>,
    street: Option<RawFormula>,
    unit: Option<RawFormula>,
    city: Option<RawFormula>,
    state: Option<RawFormula>,
    zip: Option<RawFormula>,
}

/// What a draft writes if nothing says which town or state it is: a guess would put every home elsewhere.
pub(crate) const TOWN_TO_FILL_IN: &str = "TOWN";
pub(crate) const STATE_TO_FILL_IN: &str = "STATE";

impl RawAddressColumns {
    pub fn compile(self, compiler: &mut Compiler) -> Result<AddressColumns, MappingProblem> {
        match (&self.line, &self.number, &self.street) {
            (Some(_), None, None) | (None, _, Some(_)) => {}
            _ => return Err(MappingProblem::LineOrStreet),
        }
        if self.line.is_none() && (self.city.is_none() || self.state.is_none() || self.zip.is_none()) {
            return Err(MappingProblem::NoPlace);
        }
        let zip = self.zip.map(|zip| ZipFrom::compile(zip, compiler).map_err(|problem| problem.at("`[address] zip`")));
        let mut part = |written, name: &str| compiler.optional(written, &format!("`[address] {name}`"));
        let a = AddressColumns {
            line: part(self.line, "line")?,
            number: part(self.number, "number")?,
            street: part(self.street, "street")?,
            unit: part(self.unit, "unit")?,
            city: part(self.city, "city")?,
            state: part(self.state, "state")?,
            zip: zip.transpose()?,
        };
        let is_open = |f: &Option<Formula>, word| f.as_ref().and_then(Formula::constant) == Some(word);
        if is_open(&a.city, TOWN_TO_FILL_IN) {
            return Err(MappingProblem::FillInTown);
        }
        if is_open(&a.state, STATE_TO_FILL_IN) {
            return Err(MappingProblem::FillInState);
        }
        if let Some(state) = a.state.as_ref().and_then(Formula::constant)
            && cell::state(state).is_none()
        {
            return Err(MappingProblem::NotAState { state: state.to_owned() });
        }
        if let Some(ZipFrom::Formula(zip)) = &a.zip
            && let Some(zip) = zip.constant().filter(|zip| !zip.is_empty())
            && Zip::parse(zip).is_none()
        {
            return Err(MappingProblem::NotAZip { zip: zip.to_owned() });
        }
        Ok(a)
    }
}
