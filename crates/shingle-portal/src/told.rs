//! Messages that other crates make in English: of imports and of the store. `www/words/told-es.json`
//! has the Spanish of each under its format string, apart from the sentences of the pages, so that no page's words can be
//! taken for a message.

use std::collections::HashMap;
use std::sync::OnceLock;

use shingle_widget::words::fill;

/// A format string matches only with so many letters of its own. With fewer it could match what somebody else wrote.
const MIN_LETTERS: usize = 7;
/// A cause in a cause in a message. What stands deeper was made by nobody here.
const MAX_DEPTH: usize = 4;
/// Of a message: eight columns that are missing, and what follows them.
const MAX_SENTENCES: usize = 12;

/// A format string with places, taken apart.
struct Pattern {
    /// What stands before, between and behind the places.
    pieces: Vec<&'static str>,
    names: Vec<&'static str>,
    spanish: &'static str,
    letters: usize,
}

impl Pattern {
    fn of(english: &'static str, spanish: &'static str) -> Option<Self> {
        let (mut pieces, mut names, mut rest) = (Vec::new(), Vec::new(), english);
        while let Some((before, (name, behind))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            pieces.push(before);
            names.push(name);
            rest = behind;
        }
        pieces.push(rest);
        let letters = pieces.iter().flat_map(|piece| piece.chars()).filter(|c| c.is_alphabetic()).count();
        (!names.is_empty() && letters >= MIN_LETTERS).then_some(Self { pieces, names, spanish, letters })
    }

    /// What is in the places, if that is the whole message.
    fn values<'m>(&self, message: &'m str) -> Option<Vec<&'m str>> {
        let (first, others) = self.pieces.split_first()?;
        let (last, between) = others.split_last()?;
        let mut rest = message.strip_prefix(first)?.strip_suffix(last)?;
        let mut values = Vec::with_capacity(self.names.len());
        for piece in between {
            let (value, behind) = rest.split_once(piece)?;
            values.push(value);
            rest = behind;
        }
        values.push(rest);
        values.iter().all(|value| !value.is_empty()).then_some(values)
    }
}

struct Told {
    whole: HashMap<&'static str, &'static str>,
    /// Those that begin with letters of their own first, of them those with the most: a place at the start would take in the
    /// beginning of another message.
    patterns: Vec<Pattern>,
}

fn told() -> &'static Told {
    static FILE: OnceLock<HashMap<String, String>> = OnceLock::new();
    static TOLD: OnceLock<Told> = OnceLock::new();
    TOLD.get_or_init(|| {
        // A malformed file fails the tests; here it can only leave messages in English.
        let file = FILE
            .get_or_init(|| serde_json::from_str(include_str!("../../../www/words/told-es.json")).unwrap_or_default());
        let whole = file.iter().map(|(english, spanish)| (english.as_str(), spanish.as_str())).collect();
        let mut patterns: Vec<_> = file.iter().filter_map(|(english, spanish)| Pattern::of(english, spanish)).collect();
        patterns.sort_by_key(|pattern| {
            (pattern.pieces[0].is_empty(), core::cmp::Reverse(pattern.letters), pattern.pieces.concat())
        });
        Told { whole, patterns }
    })
}

/// The message in Spanish; `None` if it is not ours.
pub fn in_spanish(english: &str) -> Option<String> {
    at_depth(english, 0)
}

fn at_depth(english: &str, depth: usize) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    single(english, depth).or_else(|| sentences(english, depth, MAX_SENTENCES))
}

fn single(english: &str, depth: usize) -> Option<String> {
    let first = english.chars().next()?;
    let turned = if first.is_lowercase() { capital(english) } else { small(english) };
    one(english, depth).or_else(|| {
        // Behind a colon a message begins small, as a title with a capital.
        let found = one(&turned, depth)?;
        Some(if first.is_lowercase() { small(&found) } else { capital(&found) })
    })
}

fn one(english: &str, depth: usize) -> Option<String> {
    let told = told();
    if let Some(spanish) = told.whole.get(english) {
        return Some((*spanish).to_owned());
    }
    told.patterns.iter().find_map(|pattern| {
        let values = pattern.values(english)?;
        let values: Vec<String> = values
            .into_iter()
            .map(|value| value_in_spanish(value, depth + 1).unwrap_or_else(|| value.to_owned()))
            .collect();
        let with: Vec<_> = pattern.names.iter().copied().zip(values.iter().map(String::as_str)).collect();
        Some(fill(pattern.spanish, &with))
    })
}

/// A value that is a message, or a list of them, or has before its message the name of the place that it is about.
fn value_in_spanish(value: &str, depth: usize) -> Option<String> {
    let named = |value: &str| {
        let (place, problem) = value.split_once(": ").filter(|(place, _)| is_place(place))?;
        Some(format!("{place}: {}", at_depth(problem, depth)?))
    };
    at_depth(value, depth).or_else(|| named(value)).or_else(|| {
        let (head, last) = value.rsplit_once(" or ")?;
        let head = head.split(", ").map(|part| at_depth(part, depth)).collect::<Option<Vec<_>>>()?;
        Some(format!("{} o {}", head.join(", "), at_depth(last, depth)?))
    })
}

/// Two messages or more, each a sentence or a question.
fn sentences(english: &str, depth: usize, most: usize) -> Option<String> {
    let most = most.checked_sub(1)?;
    let mut ends = english.match_indices(['.', '?']).filter(|(at, _)| english[at + 1..].starts_with(' '));
    ends.find_map(|(at, _)| {
        let (one_of_them, rest) = (one(&english[..=at], depth)?, &english[at + 2..]);
        let rest = single(rest, depth).or_else(|| sentences(rest, depth, most))?;
        Some(format!("{one_of_them} {rest}"))
    })
}

/// `request.contact.path`, or a key between backticks: `[assessor] storeys`.
pub(crate) fn is_place(text: &str) -> bool {
    let between = text.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'));
    between.is_some_and(|key| !key.contains('`')) || !text.contains(char::is_whitespace)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn small(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_string_can_match() {
        let with_places = told().whole.keys().filter(|english| english.contains('{')).count();
        assert!(with_places > 5);
        assert_eq!(told().patterns.len(), with_places);
    }

    #[test]
    fn values_are_put_in_and_retold_where_they_are_messages() {
        for (english, spanish) in [
            ("the database failed: no such table", "falló la base de datos: no such table"),
            // A capital.
            ("The storage failed: no room", "Falló el almacenamiento: no room"),
            // A cause in a cause.
            (
                "cannot open the database x.db: not a name for a blob",
                "no se puede abrir la base de datos x.db: no es un nombre para un blob",
            ),
        ] {
            assert_eq!(in_spanish(english).as_deref(), Some(spanish));
        }
    }

    #[test]
    fn what_only_looks_like_a_message_stays() {
        for english in [
            "",
            "A homeowner wrote: the id is taken",
            "The id is taken. And somebody else’s words.",
            "the id is taken, says the other server",
        ] {
            assert_eq!(in_spanish(english), None, "{english}");
        }
    }
}
