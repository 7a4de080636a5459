//! Whether a line that is read otherwise than somebody labelled it is answered with somebody else's home:
//! `cargo run -p shingle-property --example neighbours -- [--half tuned|held-out] [--misses] LIST.xml`.
//!
//! Each labelled home is put into an index together with the neighbors that a wrong reading could lead to: without the
//! unit, without or with another direction, with another suffix, the next number, and the same street of another town.
//! Then every line is asked. A question is no answer; so is nothing.

#![expect(clippy::print_stdout, reason = "it prints a report")]

#[path = "../../../shingle-address/examples/agreement/usaddress.rs"]
mod usaddress;

use std::path::Path;

use shingle_address::labelled::LabelledLine;
use shingle_address::tables::{direction, state_by_name, suffix};
use shingle_address::{KeyHash, Normalized};
use shingle_domain::evidence::{Assessor, Place, Source};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_property::{IndexBuilder, Lookup, PropertyIndex, Reference};

/// Where a line does not say where it is.
const STATE: &str = "IL";
const UNKNOWN: &str = "00000";
/// Of the neighbor in another town of the same state, which has no ZIP.
const OTHER_TOWN: &str = "Otherville";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut half, mut misses, mut list) = (None, false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--misses" => misses = true,
            "--half" => half = Some(arguments.next().unwrap_or_default() == "held-out"),
            _ => list = Some(argument),
        }
    }
    let list = list.ok_or("give a list")?;
    let lines = usaddress::read(Path::new(&list), true)?;
    let folder = tempfile::tempdir()?;
    let mut builder = IndexBuilder::create(folder.path(), "lists")?;
    for home in lines.iter().filter_map(|(line, _)| home(line)) {
        for place in neighbours(&home).into_iter().chain([home]) {
            builder.push(place)?;
        }
    }
    builder.finish()?;
    let index = PropertyIndex::open(folder.path(), Reference::built_in())?;
    for (name, is_wanted) in [("plain", false), ("messy", true)] {
        let asked = |line: &LabelledLine| {
            half.is_none_or(|held_out| (KeyHash::of(&line.input.to_lowercase()).hash % 2 == 1) == held_out)
        };
        let (mut answered, mut house, mut question, mut others) = (0, 0, 0, 0);
        for (line, _) in lines.iter().filter(|(line, messy)| *messy == is_wanted && asked(line)) {
            let Lookup::Found { evidence, .. } = index.lookup(&AddressInput::Line(line.input.clone()))? else {
                question += 1;
                continue;
            };
            let found = Normalized::from_place(&evidence.place);
            let wanted = home(line).map(|home| Normalized::from_place(&home));
            match wanted {
                Some(wanted) if wanted.key() == found.key() => answered += 1,
                Some(wanted) if (Normalized { unit: String::new(), ..wanted.clone() }).key() == found.key() => {
                    house += 1
                }
                _ => {
                    others += 1;
                    if misses {
                        println!("  {:?} | answered {} {:?}", line.input, found.key(), evidence.matched.level);
                    }
                }
            }
        }
        println!(
            "{name}: {answered} answered, {house} with the house of the unit, {question} asked back or not found, {others} \
             with another home"
        );
    }
    Ok(())
}

/// The home that a line is labelled as, if it names one.
fn home(line: &LabelledLine) -> Option<Place> {
    // A table that lost the zero of `07030`; none is `00000`, which is unknown.
    let digits: String = line.zip.chars().take_while(char::is_ascii_digit).take(5).collect();
    let zip = Zip::parse(&format!("{digits:0>5}"))?;
    let word: String = line.state.chars().filter(|c| c.is_ascii_alphabetic() || *c == ' ').collect();
    let word = word.to_uppercase();
    let state = State::parse(state_by_name(&word).unwrap_or(&word)).or_else(|| State::parse(STATE))?;
    if line.number.is_empty() || line.street.is_empty() {
        return None;
    }
    let address = Address {
        street_number: line.number.clone(),
        street_address: line.street.clone(),
        city: line.city.clone(),
        state,
        zip,
    };
    Some(Place {
        address,
        unit: (!line.unit.is_empty()).then(|| line.unit.clone()),
        parcel: None,
        origin: None,
        buildings: Vec::new(),
        assessor: Assessor::default(),
        permits: Vec::new(),
        conflicts: Vec::new(),
        sources: vec![Source { name: "list".into(), title: None, licence: None, as_of: None, invented: true }],
    })
}

/// Homes that are somebody else's, and differ from this one in one part.
fn neighbours(home: &Place) -> Vec<Place> {
    let mut found = Vec::new();
    let words: Vec<&str> = home.address.street_address.split_whitespace().collect();
    let street = |words: Vec<&str>| {
        let address = Address { street_address: words.join(" "), ..home.address.clone() };
        Place { address, ..home.clone() }
    };
    let upper = |word: &str| word.trim_matches(['.', ',']).to_uppercase();
    for (at, word) in words.iter().enumerate() {
        let replaced = |by: &'static str| [&words[..at], &[by], &words[at + 1..]].concat();
        if direction(&upper(word)).is_some() && words.len() > 1 {
            found.push(street([&words[..at], &words[at + 1..]].concat()));
            found.push(street(replaced(if upper(word).starts_with('N') { "S" } else { "N" })));
        } else if at > 0 && suffix(&upper(word)).is_some() {
            found.push(street(replaced(if upper(word).starts_with('C') { "Ave" } else { "Ct" })));
        }
    }
    if home.unit.is_some() {
        found.push(Place { unit: None, ..home.clone() });
        found.push(Place { unit: Some("977".into()), ..home.clone() });
    }
    if let Ok(number) = home.address.street_number.parse::<u32>() {
        let address = Address { street_number: (number + 2).to_string(), ..home.address.clone() };
        found.push(Place { address, ..home.clone() });
    }
    if let Some(zip) = Zip::parse(UNKNOWN) {
        found.push(Place { address: Address { city: OTHER_TOWN.into(), zip, ..home.address.clone() }, ..home.clone() });
    }
    found
}
