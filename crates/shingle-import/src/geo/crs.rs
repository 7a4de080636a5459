//! The name of a coordinate system, as a mapping gives it.

use std::fmt;

use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

/// What the parser is told that it is.
pub(crate) const EXPECTED_CRS: &str = "an EPSG number or a proj string";

/// An EPSG number, `EPSG:2284`, a proj string or WKT: what stands in place of a missing or unreadable `.prj`.
#[derive(Debug, Clone)]
pub(crate) struct CrsName(pub String);

impl<'de> Deserialize<'de> for CrsName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Words;
        impl Visitor<'_> for Words {
            type Value = CrsName;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(EXPECTED_CRS)
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
