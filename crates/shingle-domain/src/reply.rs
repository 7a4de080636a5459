//! Ready-made replies to homeowners, with places that a lead fills in.

use crate::text::{is_clean, is_clean_block};

/// A place in a text, written `{first name}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    FirstName,
    Company,
    Address,
    PriceRange,
    Inspection,
}

impl Place {
    pub const ALL: [Self; 5] = [Self::FirstName, Self::Company, Self::Address, Self::PriceRange, Self::Inspection];

    /// The same in every language: texts are kept as they were typed.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FirstName => "first name",
            Self::Company => "company",
            Self::Address => "address",
            Self::PriceRange => "price range",
            Self::Inspection => "inspection",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|place| place.as_str() == text)
    }
}

/// A reply as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ReplyText {
    pub name: String,
    /// Of an email. May be empty.
    pub subject: String,
    pub body: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyProblem {
    Empty,
    Long,
    Unclean,
    /// A place that nobody fills in, as it was typed.
    UnknownPlace(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyField {
    Name,
    Subject,
    Body,
}

impl ReplyText {
    pub const MAX_NAME: usize = 60;
    pub const MAX_SUBJECT: usize = 150;
    pub const MAX_BODY: usize = 1_500;

    /// All that is wrong.
    pub fn parse(name: &str, subject: &str, body: &str) -> Result<Self, Vec<(ReplyField, ReplyProblem)>> {
        let mut wrong = Vec::new();
        let mut check = |field, text: &str, most: usize, is_required: bool, is_clean: fn(&str) -> bool| {
            let problem = if text.is_empty() && is_required {
                Some(ReplyProblem::Empty)
            } else if text.chars().count() > most {
                Some(ReplyProblem::Long)
            } else if !is_clean(text) {
                Some(ReplyProblem::Unclean)
            } else if field != ReplyField::Name {
                parts(text).find_map(|part| match part {
                    Part::Unknown(place) => Some(ReplyProblem::UnknownPlace(place.to_owned())),
                    _ => None,
                })
            } else {
                None
            };
            wrong.extend(problem.map(|problem| (field, problem)));
        };
        let body = body.replace("\r\n", "\n");
        let [name, subject, body] = [name, subject, &body].map(|text| text.trim().to_owned());
        check(ReplyField::Name, &name, Self::MAX_NAME, true, is_clean);
        check(ReplyField::Subject, &subject, Self::MAX_SUBJECT, false, is_clean);
        check(ReplyField::Body, &body, Self::MAX_BODY, true, is_clean_block);
        if wrong.is_empty() { Ok(Self { name, subject, body }) } else { Err(wrong) }
    }
}

enum Part<'t> {
    Text(&'t str),
    Place(Place),
    /// Between braces, and no place.
    Unknown(&'t str),
}

fn parts(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let found = rest.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let Some((name, after)) = found else {
            let skip = usize::from(rest.starts_with('{'));
            let end = rest.get(skip..).and_then(|rest| rest.find('{')).map_or(rest.len(), |at| at + skip);
            let (plain, after) = rest.split_at(end);
            rest = after;
            return Some(Part::Text(plain));
        };
        rest = after;
        Some(Place::parse(name.trim()).map_or(Part::Unknown(name), Part::Place))
    })
}

/// With what is known of a lead, and the places for which nothing is: they stay as they are, for somebody to fill in.
pub fn filled(text: &str, known: impl Fn(Place) -> Option<String>) -> (String, Vec<Place>) {
    let (mut all, mut missing) = (String::with_capacity(text.len()), Vec::new());
    for part in parts(text) {
        match part {
            Part::Text(plain) => all.push_str(plain),
            Part::Unknown(name) => all.extend(["{", name, "}"]),
            Part::Place(place) => match known(place).filter(|value| !value.is_empty()) {
                Some(value) => all.push_str(&value),
                None => {
                    all.extend(["{", place.as_str(), "}"]);
                    if !missing.contains(&place) {
                        missing.push(place);
                    }
                }
            },
        }
    }
    (all, missing)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_reply_is_filled_in_with_what_is_known() {
        let known = |place| match place {
            Place::FirstName => Some("Dana {company}".to_owned()),
            Place::Address => Some("14 Alder Court".to_owned()),
            _ => None,
        };
        let (text, missing) = filled("Hi {first name}, about {address}: {price range}, { price range }. {", known);
        // What fills a place is text, not a place.
        assert_eq!(text, "Hi Dana {company}, about 14 Alder Court: {price range}, {price range}. {");
        assert_eq!(missing, [Place::PriceRange]);
    }

    #[test]
    fn a_reply_has_a_name_and_a_text_with_known_places() {
        let good = ReplyText::parse(" Late ", "", "Hi {first name},\r\nrunning late.").unwrap();
        assert_eq!((good.name.as_str(), good.body.as_str()), ("Late", "Hi {first name},\nrunning late."));
        let wrong = |name: &str, subject: &str, body: &str| ReplyText::parse(name, subject, body).unwrap_err();
        assert_eq!(
            wrong("", "", ""),
            [(ReplyField::Name, ReplyProblem::Empty), (ReplyField::Body, ReplyProblem::Empty)]
        );
        let unknown = ReplyProblem::UnknownPlace("last name".to_owned());
        assert_eq!(wrong("x", "{last name}", "y"), [(ReplyField::Subject, unknown)]);
        assert_eq!(wrong("x", "a\nb", "y"), [(ReplyField::Subject, ReplyProblem::Unclean)]);
        assert_eq!(wrong(&"ö".repeat(61), "", "y"), [(ReplyField::Name, ReplyProblem::Long)]);
        assert_eq!(wrong("x", "", &"ö".repeat(1_501)), [(ReplyField::Body, ReplyProblem::Long)]);
    }

    proptest! {
        #[test]
        fn text_without_places_stays_as_it_is(text in "[^{}]{0,40}") {
            prop_assert_eq!(filled(&text, |_| None), (text, Vec::new()));
        }

        #[test]
        fn no_text_is_lost(text in r"[a-z{} ]{0,40}") {
            let (all, _) = filled(&text, |_| None);
            let letters = |text: &str| text.chars().filter(char::is_ascii_lowercase).collect::<String>();
            prop_assert_eq!(letters(&all), letters(&text));
        }
    }
}
