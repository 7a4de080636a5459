//! What a person has typed so far, and the ways to read it.

use crate::index::title::title_of;
use shingle_address::ordinals::{ORDINALS, ordinal};
use shingle_address::tables::{designator, direction, direction_long, suffix};
use shingle_address::token::{Token, is_house_number, segments};
use shingle_address::unit::{find_unit, is_unit, unit_of};
use shingle_address::{
    Normalized, Street, doubts, name_of, number_span, other_classes, other_readings, parse_line, parse_street,
};
use shingle_domain::lookup::AddressInput;

/// House number, street as far as it is typed, and what is typed of the town.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Query {
    pub number: Option<u32>,
    /// As it is in the key of a home.
    pub number_text: String,
    pub street: Vec<String>,
    /// In the form units are compared in.
    pub unit: String,
    pub area: String,
    /// Whether something follows the street, so that its last word is complete.
    pub street_done: bool,
    /// A reading that only counts where a home fits it.
    pub is_guess: bool,
    /// A street that is named otherwise and may be meant: shown behind what fits as it was typed.
    pub is_doubt: bool,
}

/// One way to read the street: streets whose text begins so, with this direction before their name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct StreetReading {
    pub predir: Option<&'static str>,
    pub text: String,
    /// A road of another class, which only its house with the very number may stand for.
    pub is_other_road: bool,
}

/// Readings of a whole line that are tried where what was typed finds nothing as it stands.
const MAX_GUESSES: usize = 6;

/// The ways to split the text into street and town, the likeliest first.
pub(super) fn queries(text: &str) -> Vec<Query> {
    let parts = segments(text);
    let town_first = town_first(&parts);
    let Some(whole) = literal(parts) else { return town_first.into_iter().collect() };
    let mut ways = vec![whole.clone()];
    let mut add = |way: Query| {
        if !way.street.is_empty() && !ways.iter().any(|known| known.is_same(&way)) {
            ways.push(way);
        }
    };
    let parsed = parse_line(text).normalized;
    let says_more = !parsed.city.is_empty() || parsed.zip.is_some() || !parsed.unit.is_empty() || text.contains('#');
    if says_more && !parsed.number.is_empty() {
        add(of_normalized(&parsed));
    }
    town_first.into_iter().for_each(&mut add);
    if whole.area.is_empty() {
        // A town typed without a comma before it.
        for cut in (1..whole.street.len()).rev().take(3) {
            let (street, area) = whole.street.split_at(cut);
            add(Query { street: street.to_vec(), area: area_of(area), street_done: true, ..whole.clone() });
        }
    }
    if says_more || whole.number.is_none() {
        let guesses = other_readings(text).into_iter().filter(|read| !read.number.is_empty() && !read.name.is_empty());
        for guess in guesses.take(MAX_GUESSES) {
            add(Query { is_guess: true, ..of_normalized(&guess) });
        }
    }
    if !parsed.number.is_empty() {
        for doubt in doubts(&AddressInput::Line(text.to_owned()), &parsed) {
            let street_done = says_more;
            add(Query { is_guess: true, is_doubt: true, street_done, ..of_normalized(&doubt) });
        }
    }
    ways
}

/// What was typed, as it stands: number, street and unit, then the town.
fn literal(mut parts: Vec<Vec<Token>>) -> Option<Query> {
    if parts.is_empty() {
        return None;
    }
    let mut first = parts.remove(0);
    if first.len() > 1 && first[0].word == "#" {
        // `#704 Alder Creek Rd`
        first.remove(0);
    }
    if first.len() == 1 && is_house_number(&first[0].word) && !parts.is_empty() {
        first.extend(parts.remove(0));
    }
    let numbered = first.len() > 1 && is_house_number(&first[0].word);
    let number_text = if numbered { first.remove(0).word } else { String::new() };
    let number = number_span(&number_text).map(|(low, _)| low);
    let mut street = words(&first);
    let mut unit = String::new();
    let mut behind_unit = Vec::new();
    let borrowed: Vec<&str> = street.iter().map(String::as_str).collect();
    if let Some(span) = find_unit(&borrowed) {
        unit = unit_of(&borrowed[span.start..span.end]);
        behind_unit = street.split_off(span.end);
        street.truncate(span.start);
    } else if street.len() > 1 && street.last().is_some_and(|w| designator(w).is_some_and(|d| !d.common)) {
        // `Apt` and not yet which.
        street.pop();
    }
    for part in &parts {
        let part = words(part);
        let part: Vec<&str> = part.iter().map(String::as_str).collect();
        if unit.is_empty() && is_unit(&part) {
            unit = unit_of(&part);
        }
    }
    parts.retain(|part| !is_unit(&words(part).iter().map(String::as_str).collect::<Vec<_>>()));
    if !street.iter().any(|w| w.chars().any(char::is_alphabetic)) && !numbered {
        return None;
    }
    behind_unit.extend(parts.into_iter().flatten().map(|t| t.word));
    let area = area_of(&behind_unit);
    let street_done = !area.is_empty() || !unit.is_empty();
    Some(Query { number, number_text, street, unit, area, street_done, ..Query::default() })
}

/// A town, a state or a ZIP before the house number: `Portland, ME, 14 Alder Ct`.
fn town_first(parts: &[Vec<Token>]) -> Option<Query> {
    let all: Vec<Token> = parts.iter().flatten().cloned().collect();
    let starts_with_digit = |t: &Token| t.word.starts_with(|c: char| c.is_ascii_digit()) && is_house_number(&t.word);
    let is_zip = |t: &Token| t.word.len() == 5 && t.word.bytes().all(|b| b.is_ascii_digit());
    let zip_first = all.first().is_some_and(is_zip) && parts.len() > 1;
    let begins_a_town = all.first().is_some_and(|t| !is_house_number(&t.word) && designator(&t.word).is_none());
    let mut at = all.iter().skip(1).position(starts_with_digit)? + 1;
    if is_zip(&all[at]) && all.get(at + 1).is_some_and(starts_with_digit) {
        at += 1;
    }
    if !(begins_a_town || zip_first) || at + 1 >= all.len() {
        return None;
    }
    let area = area_of(&words(&all[..at]));
    let street = literal(vec![all[at..].to_vec()])?;
    Some(Query { area, street_done: true, ..street })
}

pub(super) fn of_normalized(n: &Normalized) -> Query {
    let street = [&n.predir, &n.name, &n.suffix, &n.postdir];
    let zip = n.zip.map(|z| z.to_string()).unwrap_or_default();
    let state = n.state.map(|s| s.to_string()).unwrap_or_default();
    let area = if n.city.is_empty() { zip } else { [&n.city, &state, &zip].map(String::as_str).join(" ") };
    Query {
        number: number_span(&n.number).map(|(low, _)| low),
        number_text: n.number.clone(),
        street: street.iter().flat_map(|p| p.split(' ')).filter(|w| !w.is_empty()).map(str::to_owned).collect(),
        unit: n.unit.clone(),
        area: area.trim().to_owned(),
        street_done: true,
        ..Query::default()
    }
}

fn words(tokens: &[Token]) -> Vec<String> {
    tokens.iter().map(|t| t.word.clone()).collect()
}

/// Town words in the spelling of the index.
fn area_of(words: &[String]) -> String {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    let digits = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    match words.as_slice() {
        [_, .., "UNITED", "STATES"] => words.truncate(words.len() - 2),
        [_, .., "USA" | "US"] => words.truncate(words.len() - 1),
        _ => {}
    }
    // The four digits after the ZIP identify no home.
    if let [.., zip, four] = words.as_slice()
        && zip.len() == 5
        && digits(zip)
        && four.len() < 5
        && digits(four)
    {
        words.pop();
    }
    if let Some(last) = words.last_mut()
        && let Some((zip, _)) = last.split_once('-').filter(|(zip, _)| zip.len() == 5 && digits(zip))
    {
        *last = zip;
    }
    let last = words.len().saturating_sub(1);
    let spelled = words.iter().enumerate().map(|(at, word)| match *word {
        "ST" if at < last => "SAINT",
        "FT" if at < last => "FORT",
        "MT" if at < last => "MOUNT",
        word if at == 0 && at < last => direction(word).map_or(word, |(short, _)| direction_long(short)),
        word => word,
    });
    spelled.collect::<Vec<_>>().join(" ")
}

impl Query {
    fn is_same(&self, other: &Self) -> bool {
        let of = |query: &Self| (query.number, query.street.clone(), query.unit.clone(), query.area.clone());
        of(self) == of(other)
    }

    /// The ways to read the street, likeliest first.
    pub(super) fn readings(&self) -> Vec<StreetReading> {
        let words: Vec<&str> = self.street.iter().map(String::as_str).collect();
        let mut found = Vec::new();
        let mut add = |predir: Option<&'static str>, text: String| {
            let reading = StreetReading { predir, text, is_other_road: false };
            if !reading.text.is_empty() && !found.contains(&reading) {
                found.push(reading);
            }
        };
        if words.is_empty() {
            return found;
        }
        if !self.street_done {
            add(None, beginning(&words));
        }
        // The last word taken as complete: `alder ct`.
        let whole = parse_street(&words);
        let predir = direction(words[0]).map(|(short, _)| short).filter(|short| *short == whole.predir);
        add(predir, title_of(&whole));
        if let Some((short, _)) = direction(words[0])
            && words.len() > 1
            && !self.street_done
        {
            add(Some(short), beginning(&words[1..]));
        }
        if let [partial] = words.as_slice()
            && !self.street_done
            && partial.len() >= 2
        {
            // `fif` may become `Fifth`, which streets are listed under as `5TH`.
            for (number, _) in (1..).zip(ORDINALS).filter(|(_, word)| word.starts_with(partial)) {
                add(None, format!("{} ", ordinal(number)));
            }
        }
        found.truncate(8);
        // `Hwy 31` may be `US Highway 31`.
        found.extend(other_classes(&whole.name).into_iter().map(|(name, _)| {
            let text = title_of(&Street { name, ..whole.clone() });
            StreetReading { predir, text, is_other_road: true }
        }));
        found
    }
}

/// The words as the beginning of a street's text: all but the last are complete.
fn beginning(words: &[&str]) -> String {
    let Some((last, before)) = words.split_last() else { return String::new() };
    let mut text = String::new();
    for (at, word) in before.iter().enumerate() {
        // Behind the name, abbreviations stand for suffixes and directions.
        let spelled = match (at, suffix(word), direction(word)) {
            (0, _, _) => name_of(&[word, "X"]).trim_end_matches(" X").to_owned(),
            (_, Some(found), _) => found.long.to_owned(),
            (_, None, Some((short, true))) => direction_long(short).to_owned(),
            _ => name_of(&[word]),
        };
        text.push_str(&spelled);
        text.push(' ');
    }
    text.push_str(last);
    text
}
