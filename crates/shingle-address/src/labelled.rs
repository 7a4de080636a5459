//! Lists of address lines that somebody took apart by hand, and how far [`parse_line`] agrees with them.
//!
//! A list is a CSV file with the columns `source,input,number,predir,street,suffix,postdir,unit_type,unit,city,state,zip`.
//! Labels keep words as they were typed. Both sides are brought to the normal form before they are compared, so a
//! spelling is never a miss, but a word on the wrong side of a border always is. Rows whose source is `us50`
//! mark the street as a whole.

use std::path::Path;

use serde::Deserialize;
use shingle_domain::State;

use crate::city::city_of;
use crate::line::parse_line;
use crate::normalized::Normalized;
use crate::number::number_of;
use crate::street::{Street, highway, name_of, parse_street, street_words};
use crate::tables;
use crate::token::{tokens, words};
use crate::unit::{names_a_floor, unit_of};

/// One line, and its parts as somebody marked them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct LabelledLine {
    pub source: String,
    pub input: String,
    pub number: String,
    pub predir: String,
    pub street: String,
    pub suffix: String,
    pub postdir: String,
    pub unit_type: String,
    pub unit: String,
    pub city: String,
    pub state: String,
    pub zip: String,
}

/// What is compared. `street` is the name with its directions and its suffix.
pub const COMPONENTS: [&str; 6] = ["number", "street", "unit", "city", "state", "zip"];

/// A component on which the reading differs from the label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miss {
    pub component: &'static str,
    pub input: String,
    pub labelled: String,
    pub read: String,
}

/// How many of a list's components are read as labelled. A component that neither side has is not counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Agreement {
    pub lines: usize,
    /// Lines without a miss.
    pub lines_right: usize,
    /// By component, in the order of [`COMPONENTS`]: those read as labelled, of so many.
    pub components: [(usize, usize); COMPONENTS.len()],
    /// By component, those that are right except for the border between a street's name and its suffix or directions,
    /// which a table's street has at the same place, or between a house number and a unit of letters (`14A`, `14 Apt A`),
    /// which an index takes for one home, and those of lines in which no house was read: they are asked back.
    pub or_asked_back: [usize; COMPONENTS.len()],
    pub misses: Vec<Miss>,
}

impl Agreement {
    /// Components read as labelled, of so many.
    pub fn total(&self) -> (usize, usize) {
        self.components.iter().fold((0, 0), |(right, all), (r, a)| (right + r, all + a))
    }
}

/// Reads a list.
pub fn read(path: &Path) -> Result<Vec<LabelledLine>, csv::Error> {
    csv::Reader::from_path(path)?.deserialize().collect()
}

/// Reads every line of a list and compares.
pub fn agreement(lines: &[LabelledLine]) -> Agreement {
    let mut found = Agreement { lines: lines.len(), ..Agreement::default() };
    for line in lines {
        let labelled = line.parts();
        let reading = parse_line(&line.input).normalized;
        let read = parts(&reading);
        let names_no_house = reading.number.is_empty() || reading.name.is_empty();
        let is_whole_street = line.has_street_of(&reading);
        let is_same_door = is_same_door(&line.expected(), &reading);
        found.lines_right += usize::from(labelled == read);
        for (at, component) in COMPONENTS.into_iter().enumerate() {
            let (labelled, read) = (&labelled[at], &read[at]);
            let (right, all) = &mut found.components[at];
            *all += usize::from(!labelled.is_empty() || !read.is_empty());
            if labelled == read {
                let counted = usize::from(!labelled.is_empty());
                *right += counted;
                found.or_asked_back[at] += counted;
                continue;
            }
            let right = match component {
                "street" => is_whole_street,
                "number" | "unit" => is_same_door,
                _ => false,
            };
            found.or_asked_back[at] += usize::from(names_no_house || right);
            let (input, labelled, read) = (line.input.clone(), labelled.clone(), read.clone());
            found.misses.push(Miss { component, input, labelled, read });
        }
    }
    found
}

/// Whether one side has behind the house number what the other one has as the unit: `14A`, `14 Apt A`.
fn is_same_door(a: &Normalized, b: &Normalized) -> bool {
    let joined = |n: &Normalized| format!("{}{}", n.number, n.unit);
    a.unit.is_empty() != b.unit.is_empty() && joined(a) == joined(b)
}

/// In the order of [`COMPONENTS`].
fn parts(n: &Normalized) -> [String; COMPONENTS.len()] {
    let street = [&n.predir, &n.name, &n.suffix, &n.postdir].map(String::as_str).join("|");
    let street = if n.name.is_empty() { String::new() } else { street };
    let text = |t: Option<String>| t.unwrap_or_default();
    let (state, zip) = (text(n.state.map(|s| s.to_string())), text(n.zip.map(|z| z.to_string())));
    [n.number.clone(), street, n.unit.clone(), n.city.clone(), state, zip]
}

impl LabelledLine {
    /// The labels in the normal form: which word belongs where is the label's.
    pub fn expected(&self) -> Normalized {
        let street = if self.source == "us50" {
            parse_street(&street_words(&tokens(&self.street)))
        } else {
            self.labelled_street()
        };
        let (unit, kind) = (&self.unit, &self.unit_type);
        let unit_text =
            if names_a_floor(&unit.to_uppercase()) { format!("{unit} {kind}") } else { format!("{kind} {unit}") };
        let state_word = words(&tokens(&self.state)).join(" ");
        let zip: String = self.zip.chars().filter(char::is_ascii_digit).take(5).collect();
        // Labels keep what was typed, also without the zero that a spreadsheet dropped.
        let zip = if zip.len() == 4 { format!("0{zip}") } else { zip };
        Normalized {
            number: number_of(&words(&tokens(&self.number))),
            predir: street.predir,
            name: street.name,
            suffix: street.suffix,
            postdir: street.postdir,
            unit: unit_of(&words(&tokens(&unit_text))),
            place: String::new(),
            city: city_of(&words(&tokens(&self.city))),
            state: State::parse(tables::state_by_name(&state_word).unwrap_or(&state_word)),
            zip: shingle_domain::Zip::parse(&zip),
        }
    }

    fn parts(&self) -> [String; COMPONENTS.len()] {
        parts(&self.expected())
    }

    /// Whether the words labelled as the street are read as this one's street.
    fn has_street_of(&self, read: &Normalized) -> bool {
        let all = [&self.predir, &self.street, &self.suffix, &self.postdir].map(String::as_str).join(" ");
        let street = parse_street(&street_words(&tokens(&all)));
        !read.name.is_empty()
            && (street.predir, street.name, street.suffix, street.postdir)
                == (read.predir.clone(), read.name.clone(), read.suffix.clone(), read.postdir.clone())
    }

    fn labelled_street(&self) -> Street {
        let direction = |text: &str| {
            let words: String = tokens(text).into_iter().map(|t| t.word).collect();
            tables::direction(&words).map(|(short, _)| short).unwrap_or_default().to_owned()
        };
        let suffix = |text: &str| {
            let last = tokens(text).pop().map(|t| t.word).unwrap_or_default();
            tables::suffix(&last).map(|s| s.short).unwrap_or_default().to_owned()
        };
        let name = tokens(&self.street);
        let all = tokens(&format!("{} {}", self.street, self.suffix));
        // `US 401` and `Hwy`
        if let Some((name, _)) = highway(&words(&all)).filter(|(_, used)| *used == all.len()) {
            let (predir, postdir) = (direction(&self.predir), direction(&self.postdir));
            return Street { predir, name, suffix: String::new(), postdir };
        }
        let mut street = parse_street(&street_words(&name));
        // A label that is only the name must not be parted further.
        if !self.suffix.is_empty() || !street.suffix.is_empty() {
            street.name = name_of(&street_words(&name));
        }
        let (predir, postdir) = (direction(&self.predir), direction(&self.postdir));
        Street { predir, name: street.name, suffix: suffix(&self.suffix), postdir }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn right_or_asked_back(input: &str, number: &str, unit: &str) -> usize {
        let text = str::to_owned;
        let line = LabelledLine {
            source: text("us50"),
            input: text(input),
            number: text(number),
            street: text("Alder Ct"),
            unit: text(unit),
            ..LabelledLine::default()
        };
        agreement(&[line]).or_asked_back.iter().sum()
    }

    #[test]
    fn a_letter_is_the_numbers_or_the_units() {
        assert_eq!(right_or_asked_back("14A Alder Ct", "14", "A"), 3);
        assert_eq!(right_or_asked_back("14 Alder Ct Apt A", "14A", ""), 3);
        assert_eq!(right_or_asked_back("14A Alder Ct", "14", "B"), 1);
        assert_eq!(right_or_asked_back("14A Alder Ct", "14", ""), 1);
    }
}
