//! The mapping file. Its manual, which `shingle import --help mapping` shows too, is this:
//!
#![doc = include_str!("../../../../assets/maps/README.md")]

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use shingle_domain::evidence::Source;

use crate::error::{ImportError, TYPED};
use crate::format::date;
use crate::format::dialect::RawDialect;
use crate::mapping::as_of::AsOf;
use crate::mapping::field::Field;
use crate::mapping::layers::{LayerMappings, RawLayers, SurveyBeside};
use crate::mapping::mapping_problem::MappingProblem;
use crate::mapping::misspelt::with_nearest;
use crate::mapping::permit::RawPermitColumns;
use crate::mapping::raw_formula::{Compiler, RawFormula};
use crate::mapping::row_filter::RawRowFilter;
use crate::mapping::table::{
    Draws, FactColumns, GeometryColumns, PlaceColumns, RawAddressColumns, RawPlaceColumns, TableMapping,
};

/// A mapping that has been read and found whole: what is read from rows, and the layers around them.
#[derive(Debug, Clone)]
pub struct Mapping {
    pub(crate) dataset: String,
    pub(crate) table: TableMapping,
    pub(crate) layers: LayerMappings,
    /// What a local data set says is believed before it.
    pub(crate) national: bool,
    /// Of the mapping's text and its code files: an import is only continued with what it was begun with.
    pub(crate) digest: blake3::Hash,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    dataset: String,
    title: Option<String>,
    licence: Option<String>,
    as_of: Option<AsOf>,
    #[serde(default)]
    invented: bool,
    #[serde(default)]
    national: bool,
    #[serde(default)]
    blank: Vec<String>,
    #[serde(default)]
    table: RawDialect,
    #[serde(default)]
    rows: RawRowFilter,
    geometry: Option<GeometryColumns>,
    #[serde(default)]
    place: RawPlaceColumns,
    address: Option<RawAddressColumns>,
    #[serde(default)]
    assessor: BTreeMap<Field, RawFormula>,
    permit: Option<RawPermitColumns>,
    #[serde(default)]
    layers: RawLayers,
}

/// What every key means, with examples that the tests run.
pub const MANUAL: &str = include_str!("../../../../assets/maps/README.md");

/// For the sets that cover the country: see `shingle import --guide`.
const READY: [(&str, &str); 4] = [
    ("overture", include_str!("../../../../assets/maps/overture.toml")),
    ("openaddresses", include_str!("../../../../assets/maps/openaddresses.toml")),
    ("national-address-database", include_str!("../../../../assets/maps/national-address-database.toml")),
    ("openstreetmap", include_str!("../../../../assets/maps/openstreetmap.toml")),
];

fn check_dataset(name: &str) -> Result<(), MappingProblem> {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.is_empty() || name.len() > 64 || name.starts_with('-') || !name.bytes().all(fits) {
        return Err(MappingProblem::Dataset);
    }
    Ok(())
}

impl Mapping {
    /// Reads a mapping file; code files are looked for beside it.
    pub fn read(path: &Path) -> Result<Self, ImportError> {
        let text = std::fs::read_to_string(path).map_err(ImportError::read(path))?;
        Self::from_toml(&text, &path.display().to_string())
    }

    /// `origin` is what the text is called in errors: the file's name.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, ImportError> {
        let origin = Path::new(origin);
        let file: File = toml::from_str(text).map_err(|e| ImportError::input(origin, with_nearest(text, &e)))?;
        Self::compile(file, text, origin).map_err(|problem| ImportError::input(origin, problem))
    }

    /// A mapping that was typed somewhere else than on this machine: it names no other file.
    pub fn typed(text: &str) -> Result<Self, ImportError> {
        Self::from_toml(text, TYPED)
    }

    fn compile(file: File, text: &str, origin: &Path) -> Result<Self, MappingProblem> {
        check_dataset(&file.dataset)?;
        let mut compiler = Compiler::new(origin);
        let address = file.address.ok_or(MappingProblem::NoAddress)?.compile(&mut compiler)?;
        let mut place = PlaceColumns {
            parcel: compiler.optional(file.place.parcel, "`[place] parcel`")?,
            building_use: compiler.optional(file.place.building_use, "`[place] building_use`")?,
            point: None,
        };
        if let Some(g) = &file.geometry {
            place.point = match (&g.longitude, &g.latitude) {
                (Some(x), Some(y)) => Some((compiler.column(x), compiler.column(y))),
                (None, None) => None,
                _ => return Err(MappingProblem::OneCoordinate),
            };
        }
        let mut facts = Vec::with_capacity(file.assessor.len());
        for (field, written) in file.assessor {
            let named = |problem: MappingProblem| problem.at(format!("`[assessor] {field}`"));
            field.check_unit(written.unit()).map_err(named)?;
            let mut from = compiler.formula(written).map_err(named)?;
            if let Some(understood) = field.understood() {
                from.add_codes_to(understood);
            }
            from.codes().try_for_each(|code| field.check_code(code)).map_err(named)?;
            if !from.formats().is_empty() && field != Field::SaleDate {
                return Err(named(MappingProblem::FormatsOfOther));
            }
            from.formats().iter().try_for_each(|format| date::check_format(format)).map_err(named)?;
            facts.push(FactColumns { field, from });
        }
        if file.geometry.as_ref().is_some_and(|g| g.draws == Draws::Parcels)
            && (place.parcel.is_none() || file.layers.parcels.is_some())
        {
            return Err(MappingProblem::ParcelsWithoutIds);
        }
        let permit = file.permit.map(|p| p.compile(&mut compiler)).transpose()?;
        let rows = file.rows.compile(&mut compiler)?;
        let mut digest = blake3::Hasher::new();
        digest.update(text.as_bytes());
        compiler.read.iter().for_each(|text| {
            digest.update(text.as_bytes());
        });
        let source = Source {
            name: file.dataset.clone(),
            title: file.title,
            licence: file.licence,
            as_of: file.as_of.map(|as_of| as_of.0),
            invented: file.invented,
        };
        let layers = file.layers.compile(origin, &source, &file.blank)?;
        let table = TableMapping {
            source,
            blank: file.blank,
            dialect: file.table.compile()?,
            rows,
            geometry: file.geometry,
            place,
            address,
            facts,
            permit,
            columns: compiler.columns,
        };
        Ok(Self { dataset: file.dataset, table, layers, national: file.national, digest: digest.finalize() })
    }

    /// A mapping that comes with the program, by its name: `overture`.
    pub fn ready(name: &str) -> Option<Result<Self, ImportError>> {
        let (_, text) = READY.iter().find(|(known, _)| *known == name)?;
        Some(Self::from_toml(text, &format!("{name}.toml")))
    }

    /// The text of such a mapping.
    pub(crate) fn ready_text(name: &str) -> Option<&'static str> {
        READY.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
    }

    /// The names of the mappings that come with the program.
    pub fn ready_names() -> impl Iterator<Item = &'static str> {
        READY.iter().map(|(name, _)| *name)
    }

    /// Fills another index: one mapping serves many counties.
    pub fn for_dataset(mut self, dataset: &str) -> Result<Self, ImportError> {
        check_dataset(dataset).map_err(|problem| ImportError::input(Path::new(dataset), problem))?;
        for name in [&mut self.dataset, &mut self.table.source.name] {
            dataset.clone_into(name);
        }
        for (source, end) in self.layers.sources() {
            source.name = format!("{dataset}{end}");
        }
        let digest = [self.digest.as_bytes(), dataset.as_bytes()].concat();
        self.digest = blake3::hash(&digest);
        Ok(self)
    }

    /// Speaks of this day, such as `2026-11-18`, in all its layers. `None`: it is no day.
    pub fn speaking_of(mut self, day: &str) -> Option<Self> {
        let as_of = AsOf::parse(day).ok()?.0;
        self.table.source.as_of = Some(as_of.clone());
        // A survey has the day of its flight.
        if let Some(outlines) = &mut self.layers.outlines {
            outlines.mapping.source.as_of = Some(as_of.clone());
        }
        self.digest = blake3::hash(&[self.digest.as_bytes(), as_of.as_bytes()].concat());
        Some(self)
    }

    /// Measures roofs in these points. Where they cannot be used, homes are imported all the same.
    #[must_use]
    pub fn with_survey(mut self, survey: SurveyBeside) -> Self {
        let said = format!("{survey:?}");
        self.digest = blake3::hash(&[self.digest.as_bytes(), said.as_bytes()].concat());
        self.layers.points = Some(survey.layer(&self.table.source));
        self
    }

    /// Leaves roofs unmeasured.
    pub(crate) fn without_points(mut self) -> Self {
        self.layers.points = None;
        self
    }

    /// The name of the index this mapping fills.
    pub fn dataset(&self) -> &str {
        &self.dataset
    }
}
