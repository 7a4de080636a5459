//! A word that a company puts on its leads.

use core::fmt;

use crate::text::{is_clean, visible};

/// At most 30 characters, without a comma and without spaces around it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagProblem {
    Empty,
    Long,
    /// A control character, or a comma, which separates tags.
    Unclean,
}

impl Tag {
    pub const MAX_CHARS: usize = 30;
    /// On one lead.
    pub const MAX_OF_LEAD: usize = 10;

    pub fn parse(text: &str) -> Result<Self, TagProblem> {
        let text = visible(text);
        if !is_clean(&text) || text.contains(',') {
            return Err(TagProblem::Unclean);
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let tag = words.join(" ");
        match tag.chars().count() {
            0 => Err(TagProblem::Empty),
            1..=Self::MAX_CHARS => Ok(Self(tag)),
            _ => Err(TagProblem::Long),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Equal for tags that differ only in capitals.
    pub fn folded(&self) -> String {
        self.0.to_lowercase()
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_a_short_word_or_a_few() {
        let tag = |text: &str| Tag::parse(text).map(|tag| tag.as_str().to_owned());
        assert_eq!(tag("  two   layers "), Ok("two layers".to_owned()));
        assert_eq!(tag("st\u{202e}orm\u{200b}"), Ok("storm".to_owned()), "what nobody sees is left out");
        assert_eq!(tag(&"ö".repeat(30)), Ok("ö".repeat(30)));
        assert_eq!(tag(&"ö".repeat(31)), Err(TagProblem::Long));
        assert_eq!(tag(" \u{200b}"), Err(TagProblem::Empty));
        for unclean in ["a,b", "a\nb"] {
            assert_eq!(tag(unclean), Err(TagProblem::Unclean), "{unclean:?}");
        }
        assert_eq!(Tag::parse("Storm").unwrap().folded(), Tag::parse("storm").unwrap().folded());
    }
}
