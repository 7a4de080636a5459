//! 32 bytes that stand for something longer.

use core::fmt;
use core::str::FromStr;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// SHA-256, as 64 hexadecimal digits in small letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    pub const ZERO: Self = Self([0; 32]);

    pub(crate) fn of(parts: &[&[u8]]) -> Self {
        let mut context = ring::digest::Context::new(&ring::digest::SHA256);
        parts.iter().for_each(|part| context.update(part));
        Self::from_ring(context.finish().as_ref())
    }

    pub(crate) fn from_ring(bytes: &[u8]) -> Self {
        let mut own = [0; 32];
        own.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        Self(own)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        let bytes = HEXLOWER.decode(text.as_bytes()).map_err(|_| ())?;
        bytes.try_into().map(Self).map_err(|_| ())
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|()| serde::de::Error::custom("64 hexadecimal digits in small letters"))
    }
}

impl schemars::JsonSchema for Digest {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Digest".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
    }
}
