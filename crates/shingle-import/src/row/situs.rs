//! From cells to the five parts of an address.

use std::borrow::Cow;

use shingle_address::tables::state_of_zip;
use shingle_domain::{Address, State, Zip};
use shingle_property::post_town;

use crate::format::cell;
use crate::mapping::case::title_case;

/// House number and street of a line such as `12-14 Foo St` or `8 1/2 Bar St`. The number is empty when
/// there is none: `Monsignor Obrien Hwy`, `5th Ave`.
pub(crate) fn split_line(line: &str) -> (Cow<'_, str>, Cow<'_, str>) {
    if cell::is_tidy(line.as_bytes())
        && let Some((first, rest)) = line.split_once(' ')
        && rest.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        // A number and a name, single spaces between all words.
        let (number, street) = if is_house_number(first) { (first, rest) } else { ("", line) };
        return (Cow::Borrowed(number), Cow::Borrowed(street));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut taken = 0;
    if let Some(first) = words.first()
        && is_house_number(first)
        && words.len() > 1
    {
        taken = 1;
        while taken + 1 < words.len() && (is_fraction(words[taken]) || is_range_joint(&words, taken)) {
            taken += 1;
        }
    }
    (Cow::Owned(words[..taken].join(" ")), Cow::Owned(words[taken..].join(" ")))
}

fn is_house_number(word: &str) -> bool {
    let ordinal = word
        .strip_suffix(['t', 'T', 'd', 'D', 'h', 'H'])
        .and_then(|w| w.strip_suffix(['s', 'S', 'n', 'N', 'r', 'R', 't', 'T']));
    let has_digit = word.bytes().any(|b| b.is_ascii_digit());
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'/' | b'.'));
    let is_ordinal = ordinal.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    let starts = word.bytes().next().is_some_and(|b| b.is_ascii_digit()) || is_grid_number(word);
    has_digit && plain && starts && !is_ordinal
}

/// Wisconsin's `N6W23001`.
fn is_grid_number(word: &str) -> bool {
    let mut bytes = word.bytes();
    matches!(bytes.next(), Some(b'N' | b'S' | b'E' | b'W' | b'n' | b's' | b'e' | b'w'))
        && matches!(bytes.next(), Some(b'0'..=b'9'))
        && word.len() >= 4
}

fn is_fraction(word: &str) -> bool {
    matches!(word.as_bytes(), [b'1'..=b'9', b'/', b'1'..=b'9'])
}

/// The hyphen of `12 - 14`, and the number after it.
fn is_range_joint(words: &[&str], at: usize) -> bool {
    let number = |w: Option<&&str>| w.is_some_and(|w| is_house_number(w));
    (words[at] == "-" && number(words.get(at + 1))) || (words[at - 1] == "-" && number(words.get(at)))
}

/// `0012`, `12.0`, `12 - 14`: as an envelope would have it.
pub(crate) fn house_number(text: &str) -> String {
    let text = text.strip_suffix(".0").or_else(|| text.strip_suffix(".00")).unwrap_or(text);
    if !text.contains(" - ") {
        return text.trim_start_matches('0').to_owned();
    }
    let text = text.replace(" - ", "-");
    text.trim_start_matches('0').to_owned()
}

/// Five digits from `23321-1234`, `233211234`, `23321.0`, and from `2138`, a zero lost in a spreadsheet.
pub(crate) fn zip(text: &str) -> Option<Zip> {
    let head = text.split(['-', '.', ' ']).next().unwrap_or_default();
    if !head.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    match head.len() {
        3 | 4 => Zip::parse(&format!("{head:0>5}")),
        5 => Zip::parse(head),
        9 => Zip::parse(head.get(..5)?),
        _ => None,
    }
    .filter(|z| z.as_str() != UNKNOWN_ZIP)
}

/// The parts of an address as found in a row, not checked yet.
pub(crate) struct AddressCells<'a> {
    pub number: &'a str,
    pub street: &'a str,
    pub city: &'a str,
    pub state: &'a str,
    pub zip: Option<Zip>,
    pub zip_text: &'a str,
}

/// What sources write for an unknown ZIP; the index understands it.
pub(crate) const UNKNOWN_ZIP: &str = "00000";

/// A longer street or city is not one: the column is wrong.
const MAX_NAME_LEN: usize = 120;

impl AddressCells<'_> {
    /// An address, or the reason why not. `Ok(None)` when neither number nor street is given.
    pub fn address(&self) -> Result<Option<Address>, String> {
        let number = house_number(self.number);
        if number.is_empty() && self.street.is_empty() {
            return Ok(None);
        }
        if number.is_empty() {
            return Err("no house number".to_owned());
        }
        if self.street.is_empty() {
            return Err("no street".to_owned());
        }
        if number.len() > 20 || !number.bytes().any(|b| b.is_ascii_digit()) {
            return Err(format!(
                "`{number}` is not a house number",
                number = self.number.chars().take(30).collect::<String>()
            ));
        }
        if self.street.len() > MAX_NAME_LEN || self.city.len() > MAX_NAME_LEN {
            return Err("the street or the city is too long to be one".to_owned());
        }
        if !self.street.chars().any(char::is_alphanumeric) {
            return Err("no street".to_owned());
        }
        // A row may leave the town to its ZIP, and the state too.
        let by_zip = || self.zip.as_ref().filter(|_| self.city.is_empty()).and_then(post_town);
        let city = if self.city.is_empty() { by_zip().ok_or("no city, and no ZIP that tells it")? } else { self.city };
        let by_zip =
            || self.zip.filter(|_| self.state.is_empty()).and_then(|zip| State::parse(state_of_zip(zip.as_str())?));
        let state = cell::state(self.state)
            .or_else(by_zip)
            .ok_or_else(|| if self.state.is_empty() { "no state".to_owned() } else { unknown_state(self.state) })?;
        let zip = match (self.zip, self.zip_text) {
            (Some(zip), _) => zip,
            // The index finds it by its town instead.
            (None, "") => Zip::parse(UNKNOWN_ZIP).ok_or("no ZIP")?,
            (None, text) => {
                return Err(format!("`{text}` is not a ZIP", text = text.chars().take(30).collect::<String>()));
            }
        };
        Ok(Some(Address {
            street_number: number,
            street_address: title_case(self.street),
            city: title_case(city),
            state,
            zip,
        }))
    }
}

fn unknown_state(text: &str) -> String {
    format!("`{text}` is not a state", text = text.chars().take(30).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_into_number_and_street() {
        for (line, number, street) in [
            ("12 Foo St", "12", "Foo St"),
            ("12-14 Foo St", "12-14", "Foo St"),
            ("12 - 14 Foo St", "12 - 14", "Foo St"),
            ("8 1/2 Carlisle St", "8 1/2", "Carlisle St"),
            ("22-22 1/2 Sherman St", "22-22 1/2", "Sherman St"),
            ("57.5 Tremont St", "57.5", "Tremont St"),
            ("81AR Tremont St", "81AR", "Tremont St"),
            ("N6W23001 Bluemound Rd", "N6W23001", "Bluemound Rd"),
            ("5th Ave", "", "5th Ave"),
            ("12 5th Ave", "12", "5th Ave"),
            (" Monsignor Obrien Hwy", "", "Monsignor Obrien Hwy"),
            ("353 Broadway", "353", "Broadway"),
            ("353  Broadway  W ", "353", "Broadway W"),
            ("5th Ave 3", "", "5th Ave 3"),
            ("353", "", "353"),
            ("", "", ""),
        ] {
            assert_eq!(split_line(line), (number.into(), street.into()), "{line}");
        }
    }

    #[test]
    fn a_zip_survives_the_spreadsheet() {
        for (text, kept) in [("23321-1234", "23321"), ("233211234", "23321"), ("2138", "02138"), ("23321.0", "23321")] {
            assert_eq!(zip(text).map(|z| z.as_str().to_owned()).as_deref(), Some(kept), "{text}");
        }
        assert_eq!(zip("0"), None);
        assert_eq!(zip("00000"), None);
        assert_eq!(zip("A1B2C3"), None);
    }
}
