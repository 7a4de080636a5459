//! Layers: files of an import that hold no properties, but say where properties are or what is on them.
//!
//! One command names all files, and the mapping says by their names which file is what:
//!
//! ```text
//! shingle import parcels.geojson assessor.csv outlines.geojson --map county.toml
//! ```
//! ```toml
//! [layers.parcels]            # polygons, one or more for each parcel id
//! files = "parcels*"          # `*` and `?` stand for any text and any character; a list of names works too
//! id = "ML"                   # the column of the id that `[place] parcel` of the rows names
//! crs = 2249                  # only where the file does not say, or says it wrong
//!
//! [layers.outlines]           # buildings that have no address of their own
//! files = ["outlines*", "footprints*"]
//! outline_kind = "eave"
//! optional = true             # whether an import without such a file is whole: usually not
//! building_use = "type"       # may be left out, as may `parcel`, `crs`, `title`, `licence`, `as_of`
//!
//! [layers.points]             # laser points of a survey from the air, in which the outlines' roofs are measured
//! files = ["*.laz", "*.las"]
//! crs = 2283                  # in place of what the tiles say, or do not say
//! title = "State survey"      # may be left out, as may `optional`, `licence`, and `as_of`: the day of the flight
//!
//! [address]                   # the ZIP of the polygon that a row lies in, where it has none itself
//! zip = { areas = "zcta*", column = "ZCTA5CE20", own = "ZIP", otherwise = "43091" }
//! ```
//!
//! Files that no layer names are the rows. A table's row takes its place from its parcel; a row with a place
//! takes the parcel it lies on; an outline takes the address of the parcel that its middle lies on. Where the
//! rows themselves are drawn as parcels, `[geometry] draws = "parcels"` says so, and no layer is needed.

use std::path::Path;

use serde::Deserialize;
use shingle_domain::evidence::{OutlineKind, Source};

use crate::format::dialect::Dialect;
use crate::geo::crs::CrsName;
use crate::mapping::as_of::AsOf;
use crate::mapping::file_patterns::FilePatterns;
use crate::mapping::formula::Formula;
use crate::mapping::mapping_problem::MappingProblem;
use crate::mapping::raw_formula::{Compiler, RawFormula};
use crate::mapping::row_filter::RowFilter;
use crate::mapping::table::{AddressColumns, Draws, GeometryColumns, PlaceColumns, TableMapping};

#[derive(Debug, Clone, Default)]
pub(crate) struct LayerMappings {
    pub parcels: Option<ParcelLayer>,
    pub outlines: Option<OutlineLayer>,
    pub points: Option<PointLayer>,
}

#[derive(Debug, Clone)]
pub(crate) struct PointLayer {
    pub files: FilePatterns,
    /// An import without such a file is whole.
    pub optional: bool,
    pub crs: Option<CrsName>,
    /// Where `as_of` is missing, the points say when they were measured.
    pub source: Source,
    /// The day that counts where the points do not say it either.
    pub otherwise: Option<String>,
    /// Where its files cannot be used, homes are imported without them.
    pub may_fail: bool,
}

/// Laser points beside the files of a mapping that names none.
#[derive(Debug, Clone)]
pub struct SurveyBeside {
    /// A file or a folder, among the files of the import.
    pub name: String,
    pub title: String,
    pub licence: String,
    /// Of the flight.
    pub year: Option<u16>,
}

impl SurveyBeside {
    pub(crate) fn layer(self, rows: &Source) -> PointLayer {
        let source = Source {
            name: format!("{}{SURVEY}", rows.name),
            title: Some(self.title),
            licence: Some(self.licence),
            as_of: None,
            invented: rows.invented,
        };
        PointLayer {
            files: FilePatterns::One(self.name),
            optional: true,
            crs: None,
            source,
            otherwise: self.year.map(|year| year.to_string()),
            may_fail: true,
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct ParcelLayer {
    pub files: FilePatterns,
    pub id: Formula,
    /// Where the formula finds its cells.
    pub columns: Vec<String>,
    pub crs: Option<CrsName>,
}

#[derive(Debug, Clone)]
pub(crate) struct OutlineLayer {
    pub files: FilePatterns,
    /// An import without such a file is whole.
    pub optional: bool,
    /// What the layer says, as a mapping of its own.
    pub mapping: Box<TableMapping>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawLayers {
    pub parcels: Option<RawParcelLayer>,
    outlines: Option<RawOutlineLayer>,
    points: Option<RawPointLayer>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawPointLayer {
    files: FilePatterns,
    #[serde(default)]
    optional: bool,
    crs: Option<CrsName>,
    title: Option<String>,
    licence: Option<String>,
    as_of: Option<AsOf>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawParcelLayer {
    files: FilePatterns,
    id: RawFormula,
    crs: Option<CrsName>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOutlineLayer {
    files: FilePatterns,
    #[serde(default)]
    optional: bool,
    outline_kind: OutlineKind,
    building_use: Option<RawFormula>,
    /// The id of the parcel, where the outlines carry it.
    parcel: Option<RawFormula>,
    crs: Option<CrsName>,
    title: Option<String>,
    licence: Option<String>,
    as_of: Option<AsOf>,
}

impl RawLayers {
    /// Column names in layers are of the layers' own files.
    pub fn compile(self, origin: &Path, rows: &Source, blank: &[String]) -> Result<LayerMappings, MappingProblem> {
        let parcels = self.parcels.map(|layer| {
            let mut compiler = Compiler::new(origin);
            let id = compiler.formula(layer.id).map_err(|problem| problem.at("`[layers.parcels] id`"))?;
            Ok::<_, MappingProblem>(ParcelLayer { files: layer.files, id, columns: compiler.columns, crs: layer.crs })
        });
        let outlines = self.outlines.map(|layer| layer.compile(origin, rows, blank));
        let points = self.points.map(|layer| layer.compile(rows));
        Ok(LayerMappings { parcels: parcels.transpose()?, outlines: outlines.transpose()?, points })
    }
}

impl LayerMappings {
    /// The sources of the layers that have one of their own, each with what its name has after that of the rows.
    pub fn sources(&mut self) -> impl Iterator<Item = (&mut Source, &'static str)> {
        let outlines = self.outlines.as_mut().map(|layer| (&mut layer.mapping.source, OUTLINES));
        outlines.into_iter().chain(self.points.as_mut().map(|layer| (&mut layer.source, SURVEY)))
    }
}

const OUTLINES: &str = "-outlines";
const SURVEY: &str = "-survey";

impl RawPointLayer {
    fn compile(self, rows: &Source) -> PointLayer {
        let source = Source {
            name: format!("{}{SURVEY}", rows.name),
            title: self.title,
            licence: self.licence,
            as_of: self.as_of.map(|as_of| as_of.0),
            invented: rows.invented,
        };
        PointLayer {
            files: self.files,
            optional: self.optional,
            crs: self.crs,
            source,
            otherwise: None,
            may_fail: false,
        }
    }
}

impl RawOutlineLayer {
    fn compile(self, origin: &Path, rows: &Source, blank: &[String]) -> Result<OutlineLayer, MappingProblem> {
        let mut compiler = Compiler::new(origin);
        let place = PlaceColumns {
            parcel: compiler.optional(self.parcel, "`[layers.outlines] parcel`")?,
            building_use: compiler.optional(self.building_use, "`[layers.outlines] building_use`")?,
            point: None,
        };
        let source = Source {
            name: format!("{}{OUTLINES}", rows.name),
            title: self.title.or_else(|| rows.title.clone()),
            licence: self.licence.or_else(|| rows.licence.clone()),
            as_of: self.as_of.map(|as_of| as_of.0),
            invented: rows.invented,
        };
        let geometry = GeometryColumns {
            outline_kind: Some(self.outline_kind),
            draws: Draws::Buildings,
            crs: self.crs,
            longitude: None,
            latitude: None,
        };
        let mapping = TableMapping {
            source,
            blank: blank.to_vec(),
            dialect: Dialect::default(),
            rows: RowFilter::default(),
            geometry: Some(geometry),
            place,
            address: AddressColumns::default(),
            facts: Vec::new(),
            permit: None,
            columns: compiler.columns,
        };
        Ok(OutlineLayer { files: self.files, optional: self.optional, mapping: Box::new(mapping) })
    }
}
