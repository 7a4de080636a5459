//! The form of a text table, as far as a mapping states it.

use serde::Deserialize;

use crate::format::charset::Charset;
use crate::mapping::mapping_problem::MappingProblem;

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawDialect {
    delimiter: Option<String>,
    encoding: Option<String>,
    quote: Option<String>,
    #[serde(default)]
    skip_lines: u32,
    header: Option<Vec<String>>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Dialect {
    pub delimiter: Option<u8>,
    pub encoding: Option<Charset>,
    pub quote: Quote,
    pub skip_lines: u32,
    /// For tables without a heading.
    pub header: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Quote {
    #[default]
    Double,
    Other(u8),
    None,
}

impl RawDialect {
    pub fn compile(self) -> Result<Dialect, MappingProblem> {
        let one = |text: &str, name: &'static str| match text.as_bytes() {
            [byte] if byte.is_ascii() => Ok(*byte),
            _ => Err(MappingProblem::OneCharacter { name, text: text.to_owned() }),
        };
        let encoding = self
            .encoding
            .as_deref()
            .map(|name| Charset::named(name).ok_or_else(|| MappingProblem::Encoding { name: name.to_owned() }));
        if self.header.as_ref().is_some_and(Vec::is_empty) {
            return Err(MappingProblem::EmptyHeader);
        }
        Ok(Dialect {
            delimiter: self.delimiter.as_deref().map(|d| one(d, "delimiter")).transpose()?,
            encoding: encoding.transpose()?,
            quote: match self.quote.as_deref() {
                None => Quote::Double,
                Some("") => Quote::None,
                Some(quote) => Quote::Other(one(quote, "quote")?),
            },
            skip_lines: self.skip_lines,
            header: self.header,
        })
    }
}
