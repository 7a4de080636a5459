//! The mapping file: which column of a source's table is which word of ours, and what is done to it on the way.
//! Declarative TOML, no code. An unknown key, a code for a field that has none, or a missing part is an error that
//! names the key, and the line where TOML itself can tell.
//!
//! ```toml
//! dataset = "harrow-oh-assessor"      # the data set's name in the index: a-z, 0-9, -
//! title = "County of Harrow"          # the source as visitors read it; else they read the data set's name
//! licence = "CC0-1.0"                 # shown with every answer
//! as_of = "2025-01-01"                # the year or date it speaks of: of two sources the newer is believed
//! invented = false                    # made-up data, shown as such
//! blank = ["NULL", "-"]               # texts that mean "nothing" anywhere in the table
//!
//! [table]                             # where the file's own form is not found out:
//! delimiter = ";"                     #   one character; else , ; | or tab, whichever cuts the lines alike
//! encoding = "windows-1252"           #   else UTF-8, cell by cell Windows-1252 where it is not; UTF-16 by its mark
//! quote = "'"                         #   else "; an empty text: nothing is quoted
//! skip_lines = 2                      #   lines before the heading
//! header = ["ID", "ADDR"]             #   for tables without a heading
//!
//! [rows]                              # rows of no use are counted as skipped, not rejected
//! only = { CARD = ["1"] }             #   all of these must hold; capital and small letters are the same
//! skip = { STATUS = ["VOID", ""] }    #   none of these may
//!
//! [geometry]                          # outlines or points
//! draws = "buildings"                 #   or "parcels", where the polygons are parcels
//! outline_kind = "eave"               #   what lines were drawn around: "eave" or "wall"
//! crs = 2284                          #   EPSG number, proj string or WKT, where a .prj is missing
//! longitude = "X"                     #   for tables: a point
//! latitude = "Y"
//!
//! [place]
//! parcel = "PIN"                      # rows of one parcel are brought together
//! building_use = "KIND"               # house, garage, shed
//!
//! [address]                           # `line`, or `street` with `number`; what has no column is read from `line`
//! number = "NO"
//! street = { columns = ["DIR", "NAME", "TYPE"] }
//! unit = "UNIT"
//! city = { constant = "Harrow" }
//! state = { constant = "OH" }
//! zip = "ZIP"                         # or { nearby = "OWNERZIP", mailing_line = "OWNERADDR", among = ["43099"] }
//!
//! # zip = { areas = "zcta*", column = "ZCTA5CE20", own = "ZIP" }   the area a row lies in, where it has none itself
//!
//! [layers.parcels]                    # files of the same command that hold no rows of places: see `layer`
//! files = "parcels*"
//! id = "PIN"
//!
//! [assessor]                          # any field of `Assessor` but `mailed_here`, which is found by comparing;
//! year_built = "YR"                   # the garage is garage_attached, garage_area_sqft and garage_cars
//!
//! [permit]                            # one row, one permit
//! kind = { column = "TYPE", patterns = [["roof", "roof"], ["solar|pv", "solar"]], otherwise = "other" }
//! issued = { column = "ISSUED", formats = ["%m/%d/%Y"] }
//! contractor = "CONTRACTOR"
//! ```
//!
//! # Formulas
//!
//! Every value is the name of a column, or a table with exactly one of these:
//!
//! | key | value |
//! |---|---|
//! | `column = "A"` | the cell |
//! | `constant = "x"` | the same text in every row |
//! | `columns = ["A", "B"]` | those that are not blank, with `separator` (a space) between them |
//! | `first_of = ["A", "B"]` | the first that is not blank |
//! | `sum = ["A", "B"]` | blanks count nothing; all blank is blank |
//! | `difference = ["A", "B"]` | A less B; blank without A |
//! | `product = ["A", "B"]` | blank when one is |
//!
//! Where a list of columns stands, each may again be a formula: `sum = ["FIN", { column = "UNFIN", unit = "m2" }]`.
//! Then these steps, in this order:
//!
//! | key | step |
//! |---|---|
//! | `blank = ["NONE"]` | texts that mean "nothing" here, and in the columns of a list |
//! | `pattern = "lot (\\d+)"` | a regular expression: its first group, else all of its match; no match is blank |
//! | `split = ";"`, `take = 2` | a piece (the first; -1 is the last) of what lies between one or several separators |
//! | `strip_prefix`, `strip_suffix` | a text, or several in turn, taken off |
//! | `case` | `"upper"`, `"lower"`, `"title"` |
//! | `decimal = ","` | numbers are written `1.234,50`; else `1,234.50`, and a comma anywhere else is not read |
//! | `codes = { A = "gable" }` | a table, by letters of either case; `0101` and `101.0` are `101`. What the field understands by itself (`gable`, `yes`, `1.5`) needs no code |
//! | `codes_from = "codes.csv"` | the same from a file beside the mapping: its first two columns, or `{ file, key, value }` |
//! | `patterns = [["roof", "roof"]]` | after the tables: the first expression that is found anywhere in the text |
//! | `otherwise` | with codes: what all else means; without: what stands for a blank |
//! | `unit` | areas into square feet: `sqft m2 sqyd acres hectares`; lengths into feet: `ft m yd in` |
//! | `times`, `plus` | arithmetic, after the unit. Codes are not converted |
//! | `prefix`, `suffix` | texts put on |
//! | `formats` | for dates: strptime, or `excel`, `epoch-ms`, `epoch-s`. A leading ISO date is always read |
//!
//! Expressions do not tell capital from small letters. Numbers may be written `1,234.50`, `$1,234`, `(12)` for less
//! than nothing, `85 %` for 0.85, `850 sq ft`. Flags are true, t, yes, y, 1 and false, f, no, n, 0. A text that the
//! codes of a text field do not name stays as it is; in any other field it is counted as unread.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use shingle_domain::evidence::Source;

use crate::error::ImportError;
use crate::format::dialect::RawDialect;
use crate::mapping::field::Field;
use crate::mapping::layers::{LayerMappings, RawLayers};
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
    /// Of the mapping's text and its code files: an import is only continued with what it was begun with.
    pub(crate) digest: blake3::Hash,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    dataset: String,
    title: Option<String>,
    licence: Option<String>,
    as_of: Option<String>,
    #[serde(default)]
    invented: bool,
    #[serde(default)]
    blank: Vec<String>,
    #[serde(default)]
    table: RawDialect,
    #[serde(default)]
    rows: RawRowFilter,
    geometry: Option<GeometryColumns>,
    #[serde(default)]
    place: RawPlaceColumns,
    address: RawAddressColumns,
    #[serde(default)]
    assessor: BTreeMap<Field, RawFormula>,
    permit: Option<RawPermitColumns>,
    #[serde(default)]
    layers: RawLayers,
}

/// For the sets that cover the country: see `shingle import --guide`.
const READY: [(&str, &str); 4] = [
    ("overture", include_str!("../../../../assets/maps/overture.toml")),
    ("openaddresses", include_str!("../../../../assets/maps/openaddresses.toml")),
    ("national-address-database", include_str!("../../../../assets/maps/national-address-database.toml")),
    ("openstreetmap", include_str!("../../../../assets/maps/openstreetmap.toml")),
];

fn check_dataset(name: &str) -> Result<(), String> {
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.is_empty() || name.len() > 64 || name.starts_with('-') || !name.bytes().all(fits) {
        return Err("`dataset` is the name of the index: a-z, 0-9 and `-`, at most 64".to_owned());
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
        let wrong = |message: String| ImportError::Input { path: origin.into(), detail: message };
        let file: File = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
        Self::compile(file, text, Path::new(origin)).map_err(wrong)
    }

    fn compile(file: File, text: &str, origin: &Path) -> Result<Self, String> {
        check_dataset(&file.dataset)?;
        let mut compiler = Compiler::new(origin);
        let address = file.address.compile(&mut compiler)?;
        let mut place = PlaceColumns {
            parcel: compiler.optional(file.place.parcel, "`[place] parcel`")?,
            building_use: compiler.optional(file.place.building_use, "`[place] building_use`")?,
            point: None,
        };
        if let Some(g) = &file.geometry {
            place.point = match (&g.longitude, &g.latitude) {
                (Some(x), Some(y)) => Some((compiler.column(x), compiler.column(y))),
                (None, None) => None,
                _ => return Err("`[geometry]` has both `longitude` and `latitude`, or neither".to_owned()),
            };
        }
        let mut facts = Vec::with_capacity(file.assessor.len());
        for (field, written) in file.assessor {
            let named = |m: String| format!("`[assessor] {field}`: {m}");
            field.check_unit(written.unit()).map_err(named)?;
            let mut from = compiler.formula(written).map_err(named)?;
            if let Some(understood) = field.understood() {
                from.add_codes_to(understood);
            }
            from.codes().try_for_each(|code| field.check_code(code)).map_err(named)?;
            if !from.formats().is_empty() && field != Field::SaleDate {
                return Err(named("only dates have `formats`".to_owned()));
            }
            facts.push(FactColumns { field, from });
        }
        if file.geometry.as_ref().is_some_and(|g| g.draws == Draws::Parcels)
            && (place.parcel.is_none() || file.layers.parcels.is_some())
        {
            return Err("`draws = \"parcels\"` needs `[place] parcel`, and excludes `[layers.parcels]`".to_owned());
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
            as_of: file.as_of,
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
        Ok(Self { dataset: file.dataset, table, layers, digest: digest.finalize() })
    }

    /// A mapping that comes with the program, by its name: `overture`.
    pub fn ready(name: &str) -> Option<Result<Self, ImportError>> {
        let (_, text) = READY.iter().find(|(known, _)| *known == name)?;
        Some(Self::from_toml(text, &format!("{name}.toml")))
    }

    /// The names of the mappings that come with the program.
    pub fn ready_names() -> impl Iterator<Item = &'static str> {
        READY.iter().map(|(name, _)| *name)
    }

    /// Fills another index: one mapping serves many counties.
    pub fn for_dataset(mut self, dataset: &str) -> Result<Self, ImportError> {
        check_dataset(dataset).map_err(|detail| ImportError::Input { path: dataset.into(), detail })?;
        let layer = self.layers.outlines.as_mut().map(|l| &mut l.mapping.source.name);
        for name in [&mut self.dataset, &mut self.table.source.name] {
            dataset.clone_into(name);
        }
        if let Some(name) = layer {
            *name = format!("{dataset}-outlines");
        }
        let digest = [self.digest.as_bytes(), dataset.as_bytes()].concat();
        self.digest = blake3::hash(&digest);
        Ok(self)
    }

    /// The name of the index this mapping fills.
    pub fn dataset(&self) -> &str {
        &self.dataset
    }
}
