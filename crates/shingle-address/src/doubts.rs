//! Streets that may be meant although they are named otherwise. A home on one of them is asked for, never taken.
//!
//! # Decision
//!
//! `Esplanade` may be The Esplanade, `Illinois 34` the state's road 34, `Ponce de Leon Ave` in Puerto Rico Avenida Ponce de
//! León, `15 th St` 15th Street, `N 123 W 456` one number. Each is a question. Turned down: making them one key, under which
//! two streets of a town may be one.

use shingle_domain::State;
use shingle_domain::lookup::AddressInput;

use crate::line::parse_line;
use crate::normalized::Normalized;
use crate::ordinals::ordinal;
use crate::tables::{direction_long, state_by_name};

/// Types of streets that stand in front in Spanish and behind in English.
const SPANISH: [(&str, &str); 3] = [("AVENUE", "AVE"), ("CALLE", "ST"), ("BOULEVARD", "BLVD")];

/// The addresses that may be meant beside the one that was read.
pub fn doubts(input: &AddressInput, read: &Normalized) -> Vec<Normalized> {
    let mut found: Vec<Normalized> =
        [article(read), road_of_state(read), spaced_ordinal(read)].into_iter().flatten().collect();
    if read.is_in_puerto_rico() {
        found.extend(spanish(read));
    }
    if let AddressInput::Line(line) = input {
        found.extend(grid_number(line).map(|line| parse_line(&line).normalized));
    }
    found.retain(|other| other != read);
    found
}

/// `Esplanade` and `The Esplanade`, which have no suffix.
fn article(read: &Normalized) -> Option<Normalized> {
    if read.name.is_empty() || !read.suffix.is_empty() {
        return None;
    }
    let name = match read.name.strip_prefix("THE ") {
        Some(name) => name.to_owned(),
        None => format!("THE {}", read.name),
    };
    Some(Normalized { name, ..read.clone() })
}

/// `Illinois 34` in Illinois: what looks like a unit is the number of a road of the state.
fn road_of_state(read: &Normalized) -> Option<Normalized> {
    let before = direction_long(&read.predir);
    let named = [before, &read.name].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let state = state_by_name(&named).and_then(State::parse)?;
    let is_number = read.unit.len() < 5 && read.unit.starts_with(|c: char| c.is_ascii_digit());
    let is_here = read.state.is_none_or(|here| here == state);
    (is_here && is_number && read.suffix.is_empty()).then(|| Normalized {
        state: Some(state),
        predir: String::new(),
        name: format!("STATE ROUTE {}", read.unit),
        unit: String::new(),
        ..read.clone()
    })
}

/// `15 th St`, `3 rd Ave`: what stands apart belongs to the number.
fn spaced_ordinal(read: &Normalized) -> Option<Normalized> {
    let (number, ending) = read.name.split_once(' ')?;
    let number = number.parse().ok().filter(|number: &u32| *number < 1_000)?;
    // `st` and `rd` were read as types of streets.
    let ending = match ending {
        "STREET" => "ST",
        "ROAD" => "RD",
        ending => ending,
    };
    let name = ordinal(number);
    (!read.suffix.is_empty() && name.ends_with(ending)).then(|| Normalized { name, ..read.clone() })
}

/// `Ponce de Leon Ave` and `Avenida Ponce de León`.
fn spanish(read: &Normalized) -> Option<Normalized> {
    SPANISH.iter().find_map(|(before, behind)| {
        let in_front = read.name.strip_prefix(before).and_then(|name| name.strip_prefix(' '));
        let (name, suffix) = match in_front {
            Some(name) if read.suffix.is_empty() => (name.to_owned(), (*behind).to_owned()),
            None if read.suffix == *behind => (format!("{before} {}", read.name), String::new()),
            _ => return None,
        };
        Some(Normalized { name, suffix, ..read.clone() })
    })
}

/// `N 123 W 456 Maple Rd` as `N123W456 Maple Rd`: a place on a grid that counts in two directions.
fn grid_number(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let mut number = String::new();
    let mut axes: Vec<bool> = Vec::new();
    while axes.len() < 2 {
        let word = words.next()?;
        let (letter, digits) = word.split_at_checked(1)?;
        axes.push(match letter {
            "N" | "n" | "S" | "s" => true,
            "E" | "e" | "W" | "w" => false,
            _ => return None,
        });
        let digits = if digits.is_empty() { words.next()? } else { digits };
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        number.push_str(letter);
        number.push_str(digits);
    }
    let street: Vec<&str> = words.collect();
    (axes[0] != axes[1] && !street.is_empty()).then(|| format!("{number} {}", street.join(" ")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(line: &str) -> Vec<Normalized> {
        doubts(&AddressInput::Line(line.to_owned()), &parse_line(line).normalized)
    }

    /// Whether the second line is among what may be meant by the first.
    fn may_be(written: &str, meant: &str) -> bool {
        of(written).contains(&parse_line(meant).normalized)
    }

    proptest! {
        #[test]
        fn each_way_of_writing_may_be_the_other(
            number in 1..9_999u32, name in "(Br|Gl|St|Pl)(ad|en|om|iv)(er|a|ow)", road in 1..999u32, nth in 1..999u32,
            (state, long) in prop::sample::select(vec![
                ("IL", "Illinois"), ("NH", "New Hampshire"), ("NC", "North Carolina"), ("WV", "West Virginia"), ("OH", "Ohio"),
            ]),
            (english, spanish) in prop::sample::select(vec![("Ave", "Avenida"), ("St", "Calle"), ("Blvd", "Boulevard")]),
            (one, other) in (0..30_000u32, 0..30_000u32),
            (first, second) in prop::sample::select(vec![("N", "W"), ("S", "E"), ("W", "N"), ("E", "S")]),
        ) {
            let town = format!("Harrow, {state}");
            let the = (format!("{number} {name}, {town}"), format!("{number} The {name}, {town}"));
            prop_assert!(may_be(&the.0, &the.1) && may_be(&the.1, &the.0), "{:?}", the);
            let (written, meant) = (format!("{number} {long} {road}, {town}"), format!("{number} State Route {road}, {town}"));
            prop_assert!(may_be(&written, &meant), "{}", written);
            let elsewhere = format!("{number} {long} {road}, Harrow, TX");
            let road = format!("{number} State Route {road}, Harrow, TX");
            prop_assert!(!may_be(&elsewhere, &road));
            let nth = ordinal(nth);
            let (digits, ending) = nth.split_at(nth.len() - 2);
            for street in ["St", "Ave", "Pl"] {
                let apart = format!("{number} {digits} {} {street}, {town}", ending.to_lowercase());
                let whole = format!("{number} {nth} {street}, {town}");
                prop_assert!(may_be(&apart, &whole), "{}: {:?}", apart, of(&apart));
            }
            let island = "San Juan, PR 00907";
            let road = (format!("{number} {name} {english}, {island}"), format!("{number} {spanish} {name}, {island}"));
            prop_assert!(may_be(&road.0, &road.1) && may_be(&road.1, &road.0), "{:?}", road);
            let (english, spanish) = (format!("{number} {name} {english}, {town}"), format!("{number} {spanish} {name}, {town}"));
            prop_assert!(!may_be(&english, &spanish), "outside the island: {}", english);
            let meant = format!("{first}{one}{second}{other} {name} Rd, {town}");
            for written in [
                format!("{first} {one} {second} {other} {name} Rd, {town}"),
                format!("{first}{one} {second} {other} {name} Rd, {town}"),
                format!("{first} {one} {second}{other} {name} Rd, {town}"),
            ] {
                prop_assert!(may_be(&written, &meant), "{}: {:?}", written, of(&written));
            }
        }

        #[test]
        fn what_may_be_meant_keeps_town_and_state(line in "[0-9NSEW]{1,4} [A-Za-z0-9 ]{1,20}(, (Ponce|Harrow), (IL|PR|WI)( 00731)?)?") {
            let read = parse_line(&line).normalized;
            for other in of(&line) {
                prop_assert_eq!((&other.state, &other.zip), (&read.state, &read.zip));
                prop_assert!(other != read);
            }
        }
    }
}
