//! The languages that Shingle speaks.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub enum Language {
    #[default]
    #[serde(rename = "en")]
    English,
    #[serde(rename = "es")]
    Spanish,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Spanish];

    /// The language of a tag like `es-MX`, if we have it.
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
        Self::ALL.into_iter().find(|language| language.tag().eq_ignore_ascii_case(primary))
    }

    /// The language of a tag; English for all others.
    pub fn of_tag(tag: &str) -> Self {
        Self::parse(tag).unwrap_or_default()
    }

    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Spanish => "es",
        }
    }

    /// The best of an `Accept-Language` header. English when it names none of ours.
    pub fn accepted(header: &str) -> Self {
        let mut best: Option<(f32, Self)> = None;
        for part in header.split(',') {
            let (code, weight) = part.split_once(';').unwrap_or((part, "q=1"));
            let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse().ok()).unwrap_or(1.0);
            let language = if code.trim() == "*" { Some(Self::English) } else { Self::parse(code) };
            // Of equals the first named.
            if let Some(language) = language.filter(|_| weight > best.map_or(0.0, |(most, _)| most)) {
                best = Some((weight, language));
            }
        }
        best.map(|(_, language)| language).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_a_visitor_likes_best_is_taken() {
        for (header, language) in [
            ("", Language::English),
            ("de-DE,de;q=0.9", Language::English),
            ("es-MX,es;q=0.9,en;q=0.8", Language::Spanish),
            ("en-US,en;q=0.9,es;q=0.8", Language::English),
            ("fr, es;q=0.5, en;q=0.3", Language::Spanish),
            ("en;q=0.2, ES_us;q=0.7", Language::Spanish),
            ("es;q=0", Language::English),
            ("*, es;q=0.5", Language::English),
        ] {
            assert_eq!(Language::accepted(header), language, "{header}");
        }
        assert_eq!(Language::parse("es-419"), Some(Language::Spanish));
        assert_eq!(Language::parse("est"), None);
    }

    #[test]
    fn a_tag_with_a_region_has_its_language() {
        for (tag, language) in
            [("es", "es"), ("es-MX", "es"), ("ES_us", "es"), ("en-US", "en"), ("est", "en"), ("", "en")]
        {
            assert_eq!(Language::of_tag(tag).tag(), language, "{tag}");
        }
    }
}
