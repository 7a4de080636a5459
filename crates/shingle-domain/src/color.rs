//! Colours as the contract writes them: `#` and 6 or 8 hexadecimal digits.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::address::text_newtype;

/// Stored lower-case with `#`; three- and four-digit forms are expanded, the `#` may be missing on input.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HexColor(String);

impl HexColor {
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let full = match digits.len() {
            3 | 4 => digits.chars().flat_map(|c| [c, c]).collect(),
            6 | 8 => digits.to_owned(),
            _ => return None,
        };
        Some(Self(format!("#{}", full.to_ascii_lowercase())))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Red, green, blue, alpha.
    pub fn rgba(&self) -> [u8; 4] {
        let digit = |i: usize| self.0.as_bytes().get(i).map_or(15, |b| (*b as char).to_digit(16).unwrap_or(15) as u8);
        let byte = |i: usize| digit(2 * i + 1) << 4 | digit(2 * i + 2);
        [byte(0), byte(1), byte(2), if self.0.len() == 9 { byte(3) } else { 255 }]
    }
}

text_newtype!(HexColor, "not a hexadecimal color");
