//! The mapping file: which column of a town's table is which word of ours. Declarative TOML; an unknown
//! key, a code for a field that has none, or a missing part is an error that names the key and the line.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use shingle_domain::evidence::{OutlineKind, Source};
use shingle_domain::{State, Zip};

use super::field::Field;
use crate::PropertyError;

/// A mapping that has been read and found whole. Columns are checked when a file is opened.
#[derive(Debug, Clone)]
pub struct Mapping {
    pub(super) dataset: String,
    pub(super) source: Source,
    /// Texts that mean "nothing" anywhere in the table, in lower case.
    pub(super) blank: Vec<String>,
    pub(super) geometry: Option<Geometry>,
    pub(super) place: PlaceColumns,
    pub(super) address: AddressColumns,
    pub(super) facts: Vec<FactColumns>,
    /// Of the mapping's text: an import is only continued with the mapping it was begun with.
    pub(super) digest: blake3::Hash,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Geometry {
    pub outline_kind: Option<OutlineKind>,
    pub crs: Option<CrsName>,
    /// For tables: the columns of a point.
    pub longitude: Option<String>,
    pub latitude: Option<String>,
}

/// An EPSG number, `EPSG:2284`, a proj string or WKT: what stands in place of a missing or unreadable `.prj`.
#[derive(Debug, Clone)]
pub(super) struct CrsName(pub String);

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlaceColumns {
    /// The parcel's id: rows of one parcel are brought together.
    pub parcel: Option<Text>,
    /// What the building is: house, garage, shed.
    pub building_use: Option<Text>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddressColumns {
    /// House number and street in one text: `12-14 Foo St`. What has no column of its own is read from it too:
    /// `12 Foo St, Harrow, OH 43099`.
    pub line: Option<Text>,
    pub number: Option<Text>,
    pub street: Option<Text>,
    pub unit: Option<Text>,
    pub city: Option<Text>,
    pub state: Option<Text>,
    pub zip: Option<ZipFrom>,
}

/// Where a text comes from.
#[derive(Debug, Clone)]
pub(super) enum Text {
    Column(String),
    Constant(String),
    /// The columns that are not blank, with the separator between them.
    Joined {
        columns: Vec<String>,
        separator: String,
    },
    Otherwise {
        column: String,
        otherwise: String,
    },
}

#[derive(Debug, Clone)]
pub(super) enum ZipFrom {
    Text(Text),
    Nearby(NearbyZip),
}

/// For tables that carry the owner's ZIP but not the property's: where an owner's mailing address is the
/// property itself its ZIP is the property's; other rows take the one of the nearest number in the street.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NearbyZip {
    pub nearby: String,
    /// The column of the mailing address the ZIP belongs to.
    pub mailing_line: String,
    /// ZIPs of this town; others are never taken.
    pub among: Vec<Zip>,
    /// For streets where nobody receives mail.
    pub otherwise: Option<Zip>,
}

#[derive(Debug, Clone)]
pub(super) struct FactColumns {
    pub field: Field,
    pub from: Text,
    /// In lower case.
    pub blank: Vec<String>,
    /// Keys in lower case.
    pub codes: BTreeMap<String, Code>,
    pub otherwise: Option<Code>,
    pub formats: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub(super) enum Code {
    Flag(bool),
    Word(String),
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
    geometry: Option<Geometry>,
    #[serde(default)]
    place: PlaceColumns,
    address: AddressColumns,
    #[serde(default)]
    assessor: BTreeMap<Field, RawFact>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    column: Option<String>,
    columns: Option<Vec<String>>,
    separator: Option<String>,
    constant: Option<String>,
    otherwise: Option<String>,
}

struct RawFact {
    from: Text,
    blank: Vec<String>,
    codes: BTreeMap<String, Code>,
    otherwise: Option<Code>,
    formats: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFactTable {
    column: Option<String>,
    columns: Option<Vec<String>>,
    separator: Option<String>,
    constant: Option<String>,
    otherwise: Option<Code>,
    #[serde(default)]
    blank: Vec<String>,
    #[serde(default)]
    codes: BTreeMap<String, Code>,
    #[serde(default)]
    formats: Vec<String>,
}

impl Mapping {
    /// `origin` is what the text is called in errors: the file's name.
    pub fn from_toml(text: &str, origin: &str) -> Result<Self, PropertyError> {
        let wrong = |message: String| PropertyError::Input { path: origin.into(), detail: message };
        let file: File = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
        if file.dataset.is_empty()
            || file.dataset.len() > 64
            || !file.dataset.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            || file.dataset.starts_with('-')
        {
            return Err(wrong("`dataset` is the name of the index: a-z, 0-9 and `-`, at most 64".to_owned()));
        }
        match (&file.address.line, &file.address.number, &file.address.street) {
            (Some(_), None, None) | (None, _, Some(_)) => {}
            _ => return Err(wrong("`[address]` has either `line`, or `street` and `number`".to_owned())),
        }
        let a = &file.address;
        if a.line.is_none() && (a.city.is_none() || a.state.is_none() || a.zip.is_none()) {
            return Err(wrong("`[address]` needs `city`, `state` and `zip`, unless `line` holds them".to_owned()));
        }
        if let Some(g) = &file.geometry
            && g.longitude.is_some() != g.latitude.is_some()
        {
            return Err(wrong("`[geometry]` has both `longitude` and `latitude`, or neither".to_owned()));
        }
        if let Some(Text::Constant(state)) = &file.address.state
            && State::parse(state).is_none()
        {
            return Err(wrong(format!("`[address] state`: `{state}` is not a two-letter abbreviation")));
        }
        if let Some(ZipFrom::Text(Text::Constant(zip))) = &file.address.zip
            && Zip::parse(zip).is_none()
        {
            return Err(wrong(format!("`[address] zip`: `{zip}` is not a 5-digit code")));
        }
        let mut facts = Vec::with_capacity(file.assessor.len());
        for (field, raw) in file.assessor {
            let codes: BTreeMap<String, Code> = raw.codes.into_iter().map(|(k, v)| (k.to_lowercase(), v)).collect();
            for code in codes.values().chain(&raw.otherwise) {
                field.check_code(code).map_err(|m| wrong(format!("`[assessor] {field}`: {m}")))?;
            }
            if !raw.formats.is_empty() && field != Field::SaleDate {
                return Err(wrong(format!("`[assessor] {field}`: only dates have `formats`")));
            }
            let blank = raw.blank.iter().map(|b| b.to_lowercase()).collect();
            facts.push(FactColumns {
                field,
                from: raw.from,
                blank,
                codes,
                otherwise: raw.otherwise,
                formats: raw.formats,
            });
        }
        Ok(Self {
            source: Source {
                name: file.dataset.clone(),
                licence: file.licence,
                as_of: file.as_of,
                invented: file.invented,
            },
            dataset: file.dataset,
            blank: file.blank.iter().map(|b| b.to_lowercase()).collect(),
            geometry: file.geometry,
            place: file.place,
            address: file.address,
            facts,
            digest: blake3::hash(text.as_bytes()),
        })
    }

    /// The name of the index this mapping fills.
    pub fn dataset(&self) -> &str {
        &self.dataset
    }

    /// Every column the mapping speaks of, each once.
    pub(super) fn columns(&self) -> Vec<String> {
        let mut all: Vec<&str> = Vec::new();
        let a = &self.address;
        let place = [&self.place.parcel, &self.place.building_use];
        let address = [&a.line, &a.number, &a.street, &a.unit, &a.city, &a.state];
        for text in address.into_iter().chain(place).flatten().chain(self.facts.iter().map(|f| &f.from)) {
            text.columns(&mut all);
        }
        match &a.zip {
            None => {}
            Some(ZipFrom::Text(text)) => text.columns(&mut all),
            Some(ZipFrom::Nearby(n)) => all.extend([n.nearby.as_str(), n.mailing_line.as_str()]),
        }
        if let Some(g) = &self.geometry {
            all.extend([&g.longitude, &g.latitude].into_iter().flatten().map(String::as_str));
        }
        let mut once: Vec<String> = Vec::new();
        for name in all {
            if !once.iter().any(|n| n == name) {
                once.push(name.to_owned());
            }
        }
        once
    }
}

impl Text {
    fn columns<'a>(&'a self, into: &mut Vec<&'a str>) {
        match self {
            Self::Constant(_) => {}
            Self::Column(c) | Self::Otherwise { column: c, .. } => into.push(c),
            Self::Joined { columns, .. } => into.extend(columns.iter().map(String::as_str)),
        }
    }

    fn from_parts(
        column: Option<String>,
        columns: Option<Vec<String>>,
        separator: Option<String>,
        constant: Option<String>,
        otherwise: Option<String>,
    ) -> Result<Self, &'static str> {
        match (column, columns, constant, otherwise) {
            (Some(column), None, None, None) => Ok(Self::Column(column)),
            (Some(column), None, None, Some(otherwise)) => Ok(Self::Otherwise { column, otherwise }),
            (None, Some(columns), None, None) if !columns.is_empty() => {
                Ok(Self::Joined { columns, separator: separator.unwrap_or_else(|| " ".to_owned()) })
            }
            (None, None, Some(constant), None) => Ok(Self::Constant(constant)),
            _ => Err("one of `column`, `columns` and `constant` is needed, and only one"),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = Text;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a column, or a table with `column`, `columns` or `constant`")
            }
            fn visit_str<E: de::Error>(self, column: &str) -> Result<Text, E> {
                Ok(Text::Column(column.to_owned()))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Text, A::Error> {
                let t = RawTable::deserialize(MapAccessDeserializer::new(map))?;
                Text::from_parts(t.column, t.columns, t.separator, t.constant, t.otherwise).map_err(de::Error::custom)
            }
        }
        from.deserialize_any(Words)
    }
}

impl<'de> Deserialize<'de> for ZipFrom {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = ZipFrom;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a column, or a table with `column`, `constant` or `nearby`")
            }
            fn visit_str<E: de::Error>(self, column: &str) -> Result<ZipFrom, E> {
                Ok(ZipFrom::Text(Text::Column(column.to_owned())))
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ZipFrom, A::Error> {
                #[derive(Deserialize)]
                #[serde(deny_unknown_fields)]
                struct Either {
                    column: Option<String>,
                    constant: Option<String>,
                    nearby: Option<String>,
                    mailing_line: Option<String>,
                    #[serde(default)]
                    among: Vec<Zip>,
                    otherwise: Option<Zip>,
                }
                let e = Either::deserialize(MapAccessDeserializer::new(map))?;
                let Some(nearby) = e.nearby else {
                    let otherwise = e.otherwise.map(|z| z.as_str().to_owned());
                    return Text::from_parts(e.column, None, None, e.constant, otherwise)
                        .map(ZipFrom::Text)
                        .map_err(de::Error::custom);
                };
                let mailing_line = e.mailing_line.ok_or_else(|| de::Error::custom("`nearby` needs `mailing_line`"))?;
                if e.among.is_empty() {
                    return Err(de::Error::custom("`nearby` needs `among`: the ZIPs of this town"));
                }
                Ok(ZipFrom::Nearby(NearbyZip { nearby, mailing_line, among: e.among, otherwise: e.otherwise }))
            }
        }
        from.deserialize_any(Words)
    }
}

impl<'de> Deserialize<'de> for RawFact {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;
        impl<'de> Visitor<'de> for Words {
            type Value = RawFact;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a column, or a table with `column`, `columns` or `constant`")
            }
            fn visit_str<E: de::Error>(self, column: &str) -> Result<RawFact, E> {
                let from = Text::Column(column.to_owned());
                Ok(RawFact { from, blank: Vec::new(), codes: BTreeMap::new(), otherwise: None, formats: Vec::new() })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawFact, A::Error> {
                let t = RawFactTable::deserialize(MapAccessDeserializer::new(map))?;
                let from =
                    Text::from_parts(t.column, t.columns, t.separator, t.constant, None).map_err(de::Error::custom)?;
                Ok(RawFact { from, blank: t.blank, codes: t.codes, otherwise: t.otherwise, formats: t.formats })
            }
        }
        from.deserialize_any(Words)
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
