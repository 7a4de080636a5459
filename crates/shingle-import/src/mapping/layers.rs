//! Layers: files of an import that are not rows of places, but say where places are or what stands on them.
//!
//! One command names all files, and the mapping says by their names which file is what:
//!
//! ```text
//! shingle import parcels.topojson assessor.csv outlines.geojson --map county.toml
//! ```
//! ```toml
//! [layers.parcels]            # the ground: polygons, one or more for each parcel id
//! files = "parcels*"          # `*` and `?` stand for any text and any character; a list of names works too
//! id = "ML"                   # the column of the id that `[place] parcel` of the rows names
//! crs = 2249                  # only where the file does not say, or says it wrong
//!
//! [layers.outlines]           # buildings that have no address of their own
//! files = ["outlines*", "footprints*"]
//! outline_kind = "eave"
//! building_use = "type"       # optional, as are `parcel`, `crs`, `licence`, `as_of`
//!
//! [address]                   # the ZIP of the polygon that a row lies in, where it has none itself
//! zip = { areas = "zcta*", column = "ZCTA5CE20", own = "ZIP", otherwise = "43091" }
//! ```
//!
//! Files that no layer names are the rows. A table's row takes its place from its parcel; a row with a place
//! takes the parcel it lies on; an outline takes the address of the parcel that its middle lies on. Where the
//! rows themselves are drawn as parcels, `[geometry] draws = "parcels"` says so, and no layer is needed.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use shingle_domain::Zip;
use shingle_domain::evidence::{OutlineKind, Source};

use crate::format::dialect::Dialect;
use crate::format::source::input;
use crate::mapping::file::{AddressColumns, CrsName, Geometry, Mapping, PlaceColumns, ZipFrom};
use crate::mapping::formula::Formula;
use crate::mapping::raw_formula::{Compiler, Written};
use crate::mapping::row_filter::Choice;
use shingle_property::PropertyError;

#[derive(Debug, Clone, Default)]
pub(crate) struct Layers {
    pub parcels: Option<ParcelLayer>,
    pub outlines: Option<OutlineLayer>,
}

#[derive(Debug, Clone)]
pub(crate) struct ParcelLayer {
    pub files: Patterns,
    pub id: Formula,
    /// Where the formula finds its cells.
    pub columns: Vec<String>,
    pub crs: Option<CrsName>,
}

#[derive(Debug, Clone)]
pub(crate) struct OutlineLayer {
    pub files: Patterns,
    /// What the layer says, as a mapping of its own.
    pub mapping: Box<Mapping>,
}

/// `zip = { areas = …, column = … }`
#[derive(Debug, Clone)]
pub(crate) struct ZipLayer {
    pub files: Patterns,
    pub zip: Formula,
    pub columns: Vec<String>,
    /// The rows' own ZIP, used where it is not blank.
    pub own: Option<Formula>,
    /// For places in no area.
    pub otherwise: Option<Zip>,
    pub crs: Option<CrsName>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenLayers {
    pub parcels: Option<WrittenParcels>,
    outlines: Option<WrittenOutlines>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenParcels {
    files: Patterns,
    id: Written,
    crs: Option<CrsName>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenOutlines {
    files: Patterns,
    outline_kind: OutlineKind,
    building_use: Option<Written>,
    /// The id of the parcel, where the outlines carry it.
    parcel: Option<Written>,
    crs: Option<CrsName>,
    licence: Option<String>,
    as_of: Option<String>,
}

impl WrittenLayers {
    /// Column names in layers are of the layers' own files.
    pub fn compile(self, origin: &Path, rows: &Source, blank: &[String]) -> Result<Layers, String> {
        let parcels = self.parcels.map(|layer| {
            let mut compiler = Compiler::new(origin);
            let id = compiler.formula(layer.id).map_err(|m| format!("`[layers.parcels] id`: {m}"))?;
            Ok::<_, String>(ParcelLayer { files: layer.files, id, columns: compiler.columns, crs: layer.crs })
        });
        let outlines = self.outlines.map(|layer| layer.compile(origin, rows, blank));
        Ok(Layers { parcels: parcels.transpose()?, outlines: outlines.transpose()? })
    }
}

impl WrittenOutlines {
    fn compile(self, origin: &Path, rows: &Source, blank: &[String]) -> Result<OutlineLayer, String> {
        let mut compiler = Compiler::new(origin);
        let place = PlaceColumns {
            parcel: compiler.optional(self.parcel, "`[layers.outlines] parcel`")?,
            building_use: compiler.optional(self.building_use, "`[layers.outlines] building_use`")?,
            point: None,
        };
        let source = Source {
            name: format!("{}-outlines", rows.name),
            licence: self.licence.or_else(|| rows.licence.clone()),
            as_of: self.as_of,
            invented: rows.invented,
        };
        let geometry = Geometry {
            outline_kind: Some(self.outline_kind),
            draws: Draws::Buildings,
            crs: self.crs,
            longitude: None,
            latitude: None,
        };
        let mapping = Mapping {
            dataset: rows.name.clone(),
            source,
            blank: blank.to_vec(),
            dialect: Dialect::default(),
            rows: Choice::default(),
            geometry: Some(geometry),
            place,
            address: AddressColumns::default(),
            facts: Vec::new(),
            permit: None,
            layers: Layers::default(),
            columns: compiler.columns,
            // The digest of the mapping it is written in covers it.
            digest: blake3::hash(&[]),
        };
        Ok(OutlineLayer { files: self.files, mapping: Box::new(mapping) })
    }
}

impl ZipLayer {
    /// `rows` counts the columns of the rows; the ZIP itself stands in the areas' file.
    pub fn compile(mut written: Written, rows: &mut Compiler) -> Result<Self, String> {
        let keys = &mut written.0;
        let files = keys.areas.take().ok_or("`areas` names the files")?;
        let (own, crs, otherwise) = (keys.own.take(), keys.crs.take(), keys.otherwise.take());
        let otherwise = otherwise.map(|code| {
            let text = code.shown();
            Zip::parse(&text).ok_or_else(|| format!("`{text}` is not a 5-digit code"))
        });
        let mut compiler = rows.beside();
        let zip = compiler.formula(written)?;
        let columns = compiler.columns;
        Ok(Self { files, zip, columns, own: rows.optional(own, "`own`")?, otherwise: otherwise.transpose()?, crs })
    }
}

/// What the polygons of the rows are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Draws {
    #[default]
    Buildings,
    Parcels,
}

/// What a file of an import is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Rows,
    Parcels,
    Outlines,
    ZipAreas,
}

impl Role {
    /// As the mapping calls the layer.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "the rows",
            Self::Parcels => "[layers.parcels]",
            Self::Outlines => "[layers.outlines]",
            Self::ZipAreas => "[address] zip areas",
        }
    }
}

/// Every file with its role. A layer without a file, and layers without rows, are errors.
pub(crate) fn roles(files: &[PathBuf], mapping: &Mapping, at: &Path) -> Result<Vec<(PathBuf, Role)>, PropertyError> {
    let zips = match &mapping.address.zip {
        Some(ZipFrom::Areas(layer)) => Some(&layer.files),
        _ => None,
    };
    let layers = [
        (Role::Parcels, mapping.layers.parcels.as_ref().map(|l| &l.files)),
        (Role::ZipAreas, zips),
        (Role::Outlines, mapping.layers.outlines.as_ref().map(|l| &l.files)),
    ];
    let role = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = layers.iter().find(|(_, patterns)| patterns.is_some_and(|p| p.fit(&name)));
        (path.clone(), found.map_or(Role::Rows, |(role, _)| *role))
    };
    let files: Vec<(PathBuf, Role)> = files.iter().map(role).collect();
    for (role, patterns) in layers {
        if let Some(patterns) = patterns
            && files.iter().all(|f| f.1 != role)
        {
            let name = role.name();
            return Err(input(
                at,
                format!("the mapping's {name} is in a file named {patterns}; name it in the command too"),
            ));
        }
    }
    if files.iter().all(|f| f.1 != Role::Rows) {
        let detail = "every file is a layer; name the file with the addresses too, or make the patterns of the \
                      layers narrower";
        return Err(input(at, detail));
    }
    Ok(files)
}

/// Names of files, with `*` for any text and `?` for any character; case does not matter.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Patterns {
    One(String),
    Several(Vec<String>),
}

impl Patterns {
    fn all(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Several(several) => several,
        }
    }

    pub fn fit(&self, name: &str) -> bool {
        let name: Vec<char> = name.to_lowercase().chars().collect();
        self.all().iter().any(|p| fits(&p.to_lowercase().chars().collect::<Vec<_>>(), &name))
    }
}

impl std::fmt::Display for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.all().join("`, `"))
    }
}

/// Steps back to the last `*` only, so the time is at most the product of the lengths.
fn fits(pattern: &[char], name: &[char]) -> bool {
    let (mut p, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_name() {
        let one = Patterns::One("parcels*.topojson".to_owned());
        assert!(one.fit("Parcels_2025.topojson") && one.fit("PARCELS.TOPOJSON"));
        assert!(!one.fit("parcels.csv") && !one.fit("my_parcels.topojson"));
        let several = Patterns::Several(vec!["a?.shp".to_owned(), "*b*b*".to_owned()]);
        assert!(several.fit("a1.shp") && several.fit("xxbyyb.z") && !several.fit("a12.shp") && !several.fit("b"));
        assert_eq!(several.to_string(), "`a?.shp`, `*b*b*`");
    }
}
