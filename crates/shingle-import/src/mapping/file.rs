//! The mapping file: which column of a source's table is which word of ours, and what is done to it on the way.
//! Declarative TOML, no code. An unknown key, a code for a field that has none, or a missing part is an error that
//! names the key, and the line where TOML itself can tell.
//!
//! ```toml
//! dataset = "harrow-oh-assessor"      # the data set's name in the index: a-z, 0-9, -
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
//! draws = "buildings"                 #   or "parcels", where polygons are the ground and not a building
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
//! | `blank = ["NONE"]` | texts that mean "nothing" here |
//! | `pattern = "lot (\\d+)"` | a regular expression: its first group, else all of its match; no match is blank |
//! | `split = ";"`, `take = 2` | a piece (the first; -1 is the last) of what lies between one or several separators |
//! | `strip_prefix`, `strip_suffix` | a text, or several in turn, taken off |
//! | `case` | `"upper"`, `"lower"`, `"title"` |
//! | `decimal = ","` | numbers are written `1.234,50`; else `1,234.50`, and a comma anywhere else is not read |
//! | `codes = { A = "gable" }` | a table, by letters of either case; `0101` and `101.0` are `101` |
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
use std::fmt;
use std::path::Path;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use shingle_domain::evidence::{OutlineKind, Source};
use shingle_domain::{State, Zip};

use crate::format::dialect::{Dialect, WrittenDialect};
use crate::mapping::field::Field;
use crate::mapping::formula::Formula;
use crate::mapping::layers::{Draws, Layers, WrittenLayers, ZipLayer};
use crate::mapping::permit::{PermitColumns, WrittenPermit};
use crate::mapping::raw_formula::{Compiler, Written};
use crate::mapping::row_filter::{Choice, WrittenChoice};
use shingle_property::PropertyError;

/// A mapping that has been read and found whole. Columns are checked when a file is opened.
#[derive(Debug, Clone)]
pub struct Mapping {
    pub(crate) dataset: String,
    pub(crate) source: Source,
    /// Texts that mean "nothing" anywhere in the table.
    pub(crate) blank: Vec<String>,
    pub(crate) dialect: Dialect,
    pub(crate) rows: Choice,
    pub(crate) geometry: Option<Geometry>,
    pub(crate) place: PlaceColumns,
    pub(crate) address: AddressColumns,
    pub(crate) facts: Vec<FactColumns>,
    pub(crate) permit: Option<PermitColumns>,
    pub(crate) layers: Layers,
    /// Where formulas find their cells.
    pub(crate) columns: Vec<String>,
    /// Of the mapping's text and its code files: an import is only continued with what it was begun with.
    pub(crate) digest: blake3::Hash,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Geometry {
    pub outline_kind: Option<OutlineKind>,
    /// What the polygons of the rows are.
    #[serde(default)]
    pub draws: Draws,
    pub crs: Option<CrsName>,
    /// For tables: the columns of a point.
    pub longitude: Option<String>,
    pub latitude: Option<String>,
}

/// An EPSG number, `EPSG:2284`, a proj string or WKT: what stands in place of a missing or unreadable `.prj`.
#[derive(Debug, Clone)]
pub(crate) struct CrsName(pub String);

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
pub(crate) enum ZipFrom {
    Formula(Formula),
    Nearby(NearbyZip),
    Areas(ZipLayer),
}

/// For tables that carry the owner's ZIP but not the property's: where an owner's mailing address is the
/// property itself its ZIP is the property's; other rows take the one of the nearest number in the street.
#[derive(Debug, Clone)]
pub(crate) struct NearbyZip {
    pub zip: usize,
    /// The column of the mailing address the ZIP belongs to.
    pub mailing_line: usize,
    /// ZIPs of this town; others are never taken.
    pub among: Vec<Zip>,
    /// For streets where nobody receives mail.
    pub otherwise: Option<Zip>,
}

#[derive(Debug, Clone)]
pub(crate) struct FactColumns {
    pub field: Field,
    pub from: Formula,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    dataset: String,
    licence: Option<String>,
    as_of: Option<String>,
    #[serde(default)]
    invented: bool,
    #[serde(default)]
    blank: Vec<String>,
    #[serde(default)]
    table: WrittenDialect,
    #[serde(default)]
    rows: WrittenChoice,
    geometry: Option<Geometry>,
    #[serde(default)]
    place: WrittenPlace,
    address: WrittenAddress,
    #[serde(default)]
    assessor: BTreeMap<Field, Written>,
    permit: Option<WrittenPermit>,
    #[serde(default)]
    layers: WrittenLayers,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlace {
    parcel: Option<Written>,
    building_use: Option<Written>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenAddress {
    line: Option<Written>,
    number: Option<Written>,
    street: Option<Written>,
    unit: Option<Written>,
    city: Option<Written>,
    state: Option<Written>,
    zip: Option<Written>,
}

impl Mapping {
    /// Reads a mapping file; code files are looked for beside it.
    pub fn read(path: &Path) -> Result<Self, PropertyError> {
        let text = std::fs::read_to_string(path).map_err(PropertyError::read(path))?;
        Self::from_toml(&text, &path.display().to_string())
    }

    /// `origin` is what the text is called in errors: the file's name.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, PropertyError> {
        let wrong = |message: String| PropertyError::Input { path: origin.into(), detail: message };
        let file: File = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
        Self::compile(file, text, Path::new(origin)).map_err(wrong)
    }

    fn compile(file: File, text: &str, origin: &Path) -> Result<Self, String> {
        if file.dataset.is_empty()
            || file.dataset.len() > 64
            || !file.dataset.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            || file.dataset.starts_with('-')
        {
            return Err("`dataset` is the name of the index: a-z, 0-9 and `-`, at most 64".to_owned());
        }
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
            let from = compiler.formula(written).map_err(named)?;
            from.codes().try_for_each(|code| field.check_code(code)).map_err(named)?;
            if !from.formats().is_empty() && field != Field::SaleDate {
                return Err(named("only dates have `formats`".to_owned()));
            }
            facts.push(FactColumns { field, from });
        }
        if file.geometry.as_ref().is_some_and(|g| g.draws == Draws::Parcels)
            && (place.parcel.is_none() || file.layers.parcels.is_some())
        {
            return Err(
                "`draws = \"parcels\"` needs `[place] parcel`, and leaves no room for `[layers.parcels]`".to_owned()
            );
        }
        let permit = file.permit.map(|p| p.compile(&mut compiler)).transpose()?;
        let rows = file.rows.compile(&mut compiler)?;
        let mut digest = blake3::Hasher::new();
        digest.update(text.as_bytes());
        compiler.read.iter().for_each(|text| {
            digest.update(text.as_bytes());
        });
        let source =
            Source { name: file.dataset.clone(), licence: file.licence, as_of: file.as_of, invented: file.invented };
        Ok(Self {
            layers: file.layers.compile(origin, &source, &file.blank)?,
            source,
            dataset: file.dataset,
            blank: file.blank,
            dialect: file.table.compile()?,
            rows,
            geometry: file.geometry,
            place,
            address,
            facts,
            permit,
            columns: compiler.columns,
            digest: digest.finalize(),
        })
    }

    /// The name of the index this mapping fills.
    pub fn dataset(&self) -> &str {
        &self.dataset
    }

    /// Every column the mapping speaks of, each once, in the order in which formulas count them.
    pub(crate) fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }
}

impl WrittenAddress {
    fn compile(self, compiler: &mut Compiler) -> Result<AddressColumns, String> {
        match (&self.line, &self.number, &self.street) {
            (Some(_), None, None) | (None, _, Some(_)) => {}
            _ => return Err("`[address]` has either `line`, or `street` and `number`".to_owned()),
        }
        if self.line.is_none() && (self.city.is_none() || self.state.is_none() || self.zip.is_none()) {
            return Err("`[address]` needs `city`, `state` and `zip`, unless `line` holds them".to_owned());
        }
        let zip = self.zip.map(|zip| ZipFrom::compile(zip, compiler).map_err(|m| format!("`[address] zip`: {m}")));
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
        if let Some(state) = a.state.as_ref().and_then(Formula::constant)
            && State::parse(state).is_none()
        {
            return Err(format!("`[address] state`: `{state}` is not a two-letter abbreviation"));
        }
        if let Some(ZipFrom::Formula(zip)) = &a.zip
            && let Some(zip) = zip.constant()
            && Zip::parse(zip).is_none()
        {
            return Err(format!("`[address] zip`: `{zip}` is not a 5-digit code"));
        }
        Ok(a)
    }
}

impl ZipFrom {
    fn compile(written: Written, compiler: &mut Compiler) -> Result<Self, String> {
        if written.0.areas.is_some() {
            return ZipLayer::compile(written, compiler).map(Self::Areas);
        }
        let Some(nearby) = &written.0.nearby else { return compiler.formula(written).map(Self::Formula) };
        let line = written.0.mailing_line.as_ref().ok_or("`nearby` needs `mailing_line`")?;
        if written.0.among.is_empty() {
            return Err("`nearby` needs `among`: the ZIPs of this town".to_owned());
        }
        let otherwise = written.otherwise();
        let is_zip = |text: String| Zip::parse(&text).ok_or_else(|| format!("`{text}` is not a 5-digit code"));
        Ok(Self::Nearby(NearbyZip {
            zip: compiler.column(nearby),
            mailing_line: compiler.column(line),
            otherwise: otherwise.map(is_zip).transpose()?,
            among: written.0.among,
        }))
    }
}

impl<'de> Deserialize<'de> for CrsName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;
        impl Visitor<'_> for Words {
            type Value = CrsName;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an EPSG number or a proj string")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<CrsName, E> {
                Ok(CrsName(text.to_owned()))
            }
            fn visit_i64<E: de::Error>(self, code: i64) -> Result<CrsName, E> {
                Ok(CrsName(format!("EPSG:{code}")))
            }
            fn visit_u64<E: de::Error>(self, code: u64) -> Result<CrsName, E> {
                Ok(CrsName(format!("EPSG:{code}")))
            }
        }
        from.deserialize_any(Words)
    }
}
