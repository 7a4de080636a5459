//! Suspicions about the rows as a whole.
//!
//! # Decision
//!
//! A suspicion about all rows (wrong unit or column, wrong encoding, a town far from its ZIP) is data with its parts,
//! so the portal can say it in Spanish. Turned down: sentences composed here, which could only be shown in English.

use std::fmt;

use serde::{Serialize, Serializer};

/// A sentence in parts, so that the portal can say it in another language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// In English, with `{name}` where something is filled in.
    pub words: &'static str,
    pub with: Vec<(&'static str, String)>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.words;
        // What is filled in may hold braces of its own, so it is not looked at again.
        while let Some((before, (name, after))) = rest.split_once('{').and_then(|(b, r)| Some((b, r.split_once('}')?)))
        {
            f.write_str(before)?;
            f.write_str(self.with.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text))?;
            rest = after;
        }
        f.write_str(rest)
    }
}

impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
impl Finding {
    /// Whether the portal has it in Spanish.
    pub(crate) fn has_spanish(&self) -> bool {
        let words = serde_json::to_string(self.words).unwrap_or_default();
        include_str!("../../../../www/words/portal-es.json").contains(&format!("{words}: "))
    }
}
