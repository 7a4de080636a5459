//! From cells to the five parts of an address.

use std::borrow::Cow;

use shingle_address::tables::state_of_zip;
use shingle_address::token::with_fractions;
use shingle_address::{is_spanish_way, joins_numbers, names_a_lot};
use shingle_domain::{Address, State, Zip};
use shingle_property::post_town;

use crate::format::cell;
use crate::mapping::case::title_case;
use crate::row::row_problem::RowProblem;

/// House number and street of a line such as `12-14 Foo St` or `8 1/2 Bar St`. The number is empty when
/// there is none: `Monsignor Obrien Hwy`, `5th Ave`.
pub(crate) fn split_line(line: &str) -> (Cow<'_, str>, Cow<'_, str>) {
    if cell::is_tidy(line.as_bytes())
        && let Some((first, rest)) = line.split_once(' ')
        && !is_lettered_number(first)
        && rest.starts_with(|c: char| c.is_ascii_alphabetic())
        && !(rest.contains(' ') && (names_a_lot(first) || joins_numbers(rest.split(' ').next().unwrap_or_default())))
        && !line.contains(',')
    {
        // A number and a name, single spaces between all words.
        let (number, street) = if is_house_number(first) { (first, rest) } else { ("", line) };
        return (Cow::Borrowed(number), Cow::Borrowed(street));
    }
    if let Some((place, rest)) = line.split_once(',')
        && !place.split_whitespace().next().is_some_and(is_house_number)
        && rest.split_whitespace().next().is_some_and(is_house_number)
    {
        // `URB LAS LOMAS, 123 CALLE 5`
        let (number, street) = split_line(rest);
        return (Cow::Owned(number.into_owned()), Cow::Owned(format!("{street}, {}", place.trim())));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut taken = 0;
    // `A-12 CALLE 5`
    if let [number, way, _, ..] = words.as_slice()
        && is_lettered_number(number)
        && is_spanish_way(&way.to_ascii_uppercase())
    {
        taken = 1;
    }
    if let [lot, number, _, _, ..] = words.as_slice()
        && names_a_lot(lot)
        && number.bytes().all(|b| b.is_ascii_digit())
    {
        taken = 2;
    }
    if let Some(first) = words.first()
        && is_house_number(first)
        && words.len() > 1
    {
        taken = 1;
        while taken + 1 < words.len() && (is_fraction(words[taken]) || is_range_joint(&words, taken)) {
            taken += 1;
        }
        // `40 TO 44 Elm St`
        if taken == 1 && words.len() > 3 && joins_numbers(words[1]) && is_house_number(words[2]) {
            taken = 3;
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

/// `A-12`, which is a house number before a Spanish street.
fn is_lettered_number(word: &str) -> bool {
    word.split_once('-').is_some_and(|(letters, number)| {
        let is_letters = matches!(letters.len(), 1 | 2) && letters.bytes().all(|b| b.is_ascii_alphabetic());
        is_letters && matches!(number.len(), 1..=4) && number.bytes().all(|b| b.is_ascii_digit())
    })
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

/// `0012`, `12.0`, `57.5`, `12 - 14`: as an envelope would have it.
pub(crate) fn house_number(text: &str) -> String {
    let text = with_fractions(Cow::Borrowed(text)).replace(" - ", "-");
    text.trim_start_matches('0').to_owned()
}

/// `1.2E+3`: what a spreadsheet shows of a number that is too wide for its column. Digits may be lost.
fn is_in_scientific_form(text: &str) -> bool {
    let Some((digits, power)) = text.split_once(['E', 'e']) else { return false };
    let signed = power.starts_with(['+', '-']) || digits.contains('.');
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    signed && all_digits(&digits.replace('.', "")) && all_digits(power.trim_start_matches(['+', '-']))
}

/// Five digits from `23321-1234`, `233211234`, `23321.0`, and from `2138`, a zero lost in a spreadsheet.
pub(crate) fn zip(text: &str) -> Option<Zip> {
    // `43,099`: a spreadsheet took it for a number.
    let grouped = text.split_once(',').filter(|(n, rest)| (1..=2).contains(&n.len()) && rest.len() == 3);
    let joined = grouped.map(|(thousands, rest)| [thousands, rest].concat());
    let head = joined.as_deref().unwrap_or(text).split(['-', '.', ' ']).next().unwrap_or_default();
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
    pub fn address(&self) -> Result<Option<Address>, RowProblem> {
        let number = house_number(self.number);
        if number.is_empty() && self.street.is_empty() {
            return Ok(None);
        }
        if number.is_empty() {
            return Err(RowProblem::NoHouseNumber);
        }
        if self.street.is_empty() {
            return Err(RowProblem::NoStreet);
        }
        if is_date(&number) {
            return Err(RowProblem::SpreadsheetDate { number });
        }
        if is_in_scientific_form(&number) {
            return Err(RowProblem::ScientificNumber { number });
        }
        if number.len() > 20 || !number.bytes().any(|b| b.is_ascii_digit()) || cell::is_excel_error(self.number) {
            return Err(RowProblem::NotAHouseNumber { number: self.number.chars().take(30).collect() });
        }
        if self.street.len() > MAX_NAME_LEN || self.city.len() > MAX_NAME_LEN {
            return Err(RowProblem::TooLong);
        }
        if !self.street.chars().any(char::is_alphanumeric) {
            return Err(RowProblem::NoStreet);
        }
        if cell::is_excel_error(self.street) {
            return Err(RowProblem::NotAStreet { street: self.street.to_owned() });
        }
        if cell::is_excel_error(self.city) {
            return Err(RowProblem::NotATown { city: self.city.to_owned() });
        }
        // A row may leave the town to its ZIP, and the state too.
        let by_zip = || self.zip.as_ref().filter(|_| self.city.is_empty()).and_then(post_town);
        let city = if self.city.is_empty() { by_zip().ok_or(RowProblem::NoCity)? } else { self.city };
        let by_zip =
            || self.zip.filter(|_| self.state.is_empty()).and_then(|zip| State::parse(state_of_zip(zip.as_str())?));
        let state = cell::state(self.state)
            .or_else(by_zip)
            .ok_or_else(|| if self.state.is_empty() { RowProblem::NoState } else { unknown_state(self.state) })?;
        let zip = match (self.zip, self.zip_text) {
            (Some(zip), _) => zip,
            // The index finds it by its town instead.
            (None, "") => Zip::parse(UNKNOWN_ZIP).ok_or(RowProblem::NoZip)?,
            (None, text) => {
                return Err(RowProblem::NotAZip { text: text.chars().take(30).collect() });
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

/// `12-Oct`, `Jan-14`, `2024-10-12`: what spreadsheets make of `10-12`.
fn is_date(number: &str) -> bool {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let parts: Vec<&str> = number.split(['-', '/', ' ']).collect();
    let digits = |part: &&str, long: std::ops::RangeInclusive<usize>| {
        long.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    let month = |part: &&str| part.get(..3).is_some_and(|start| MONTHS.contains(&start.to_ascii_lowercase().as_str()));
    match parts[..] {
        [day, name] | [name, day] | [day, name, _] if digits(&day, 1..=4) && month(&name) => true,
        [year, mm, dd, ..] => {
            digits(&year, 4..=4) && digits(&mm, 2..=2) && digits(&dd.get(..2).unwrap_or_default(), 2..=2)
        }
        _ => false,
    }
}

fn unknown_state(text: &str) -> RowProblem {
    RowProblem::NotAState { text: text.chars().take(30).collect() }
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
            ("40 TO 44 Elm St", "40 TO 44", "Elm St"),
            ("12 & 14 Elm St", "12 & 14", "Elm St"),
            ("LOT 60 Elm St", "LOT 60", "Elm St"),
            ("URB LAS LOMAS, 123 CALLE 5", "123", "CALLE 5, URB LAS LOMAS"),
            ("A-12 CALLE 5", "A-12", "CALLE 5"),
            ("B-1 Elm St", "", "B-1 Elm St"),
            ("I-55 Frontage Rd", "", "I-55 Frontage Rd"),
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
    fn a_date_that_was_a_number_is_told_from_numbers() {
        for number in [
            "12-Oct",
            "Jan-14",
            "1-Feb",
            "Oct-12",
            "2024-10-12",
            "12-Oct-24",
            "May-03",
            "3/Sep",
            "Sept-12",
            "2024-10-12 00:00",
        ] {
            assert!(is_date(number), "{number}");
        }
        for number in
            ["12-14", "75-01", "12A", "12-A", "1/2", "100-B", "12 1/2", "N6W23001", "2024-12", "75-01-75-13", "10"]
        {
            assert!(!is_date(number), "{number}");
        }
    }

    #[test]
    fn a_house_number_is_read_from_the_cells_of_programs() {
        let address = |number: &str| {
            let parts = AddressCells {
                number,
                street: "Elm St",
                city: "Harrow",
                state: "OH",
                zip: Zip::parse("43099"),
                zip_text: "43099",
            };
            parts.address().map(|address| address.map(|a| a.street_number).unwrap_or_default())
        };
        for (cell, kept) in [
            ("0012", "12"),
            ("12.0", "12"),
            ("12.00000", "12"),
            ("57.5", "57 1/2"),
            ("57.25", "57 1/4"),
            ("57.750", "57 3/4"),
            ("57.3", "57.3"),
            ("12 - 14", "12-14"),
            ("12E5", "12E5"),
        ] {
            assert_eq!(address(cell).as_deref(), Ok(kept), "{cell}");
        }
        for cell in ["1.2E+3", "1E+05", "1.20e3", "4.5E-1", "12E+2"] {
            assert_eq!(address(cell), Err(RowProblem::ScientificNumber { number: cell.to_owned() }));
        }
    }

    #[test]
    fn a_zip_survives_the_spreadsheet() {
        for (text, kept) in [
            ("43,099", "43099"),
            ("2,138", "02138"),
            ("23321-1234", "23321"),
            ("233211234", "23321"),
            ("2138", "02138"),
            ("23321.0", "23321"),
        ] {
            assert_eq!(zip(text).map(|z| z.as_str().to_owned()).as_deref(), Some(kept), "{text}");
        }
        assert_eq!(zip("0"), None);
        assert_eq!(zip("00000"), None);
        assert_eq!(zip("A1B2C3"), None);
    }
}
