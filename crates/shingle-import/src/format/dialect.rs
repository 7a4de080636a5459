//! The form of a text table, as far as a mapping states it.

use serde::Deserialize;

use crate::format::charset::Charset;

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
    pub fn compile(self) -> Result<Dialect, String> {
        let one = |text: &str, name: &str| match text.as_bytes() {
            [byte] if byte.is_ascii() => Ok(*byte),
            _ => Err(format!("`[table] {name}`: one character such as `;`, not `{text}`")),
        };
        let encoding = self.encoding.as_deref().map(|name| {
            Charset::named(name).ok_or_else(|| {
                format!("`[table] encoding`: `{name}` is not known; try utf-8, windows-1252, utf-16le, cp437 or cp850")
            })
        });
        if self.header.as_ref().is_some_and(Vec::is_empty) {
            return Err("`[table] header` names no column".to_owned());
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
