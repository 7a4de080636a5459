//! Every home of a town asked for in the ways people and programs write an address, and every home asked for with another
//! direction, road, fraction or named place: the answer is that home, a question, or nothing. Never another home.

use std::collections::BTreeMap;
use std::fmt;

use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::AddressInput;
use shingle_property::Lookup;

use crate::homes::{Home, Town, cambridge, chesapeake, confusing, sample, santa_clara};
use crate::slips::is_asked;
use crate::tangled::{answer, homes, town as tangled};

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    asked: usize,
    wrong: usize,
    right: usize,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, wrong, right } = self;
        write!(f, "{asked:>6} asked {wrong:>5} wrong {right:>6} found {:>6} asked back", asked - wrong - right)
    }
}

#[derive(Default)]
struct Table {
    counts: BTreeMap<&'static str, Count>,
    wrong: Vec<String>,
    missed: Vec<String>,
}

impl Table {
    fn note(&mut self, kind: &'static str, is_right: bool, is_wrong: bool, told: impl FnOnce() -> String) {
        let count = self.counts.entry(kind).or_default();
        count.asked += 1;
        count.right += usize::from(is_right);
        count.wrong += usize::from(is_wrong);
        let list = if is_wrong { &mut self.wrong } else { &mut self.missed };
        if !is_right {
            list.push(format!("{kind}: {}", told()));
        }
    }

    fn show(&self, of: &str) {
        for (kind, count) in &self.counts {
            println!("{of:>12} {kind:<22} {count}");
        }
        let asked: usize = self.counts.values().map(|count| count.asked).sum();
        println!("{of:>12} {asked} questions, {} wrong", self.wrong.len());
        let own = |text: &&String| !text.starts_with("another") && !text.starts_with("direction");
        self.wrong.iter().take(80).for_each(|text| println!("wrong: {text}"));
        self.missed.iter().filter(own).take(60).for_each(|text| println!("missed: {text}"));
    }

    fn found(&self, kind: &str) -> f64 {
        self.counts.get(kind).map_or(1.0, |count| count.right as f64 / count.asked.max(1) as f64)
    }
}

fn state_name(short: &str) -> &str {
    match short {
        "WA" => "Washington",
        "SD" => "South Dakota",
        "MN" => "Minnesota",
        "OH" => "Ohio",
        "NY" => "New York",
        "HI" => "Hawai\u{2bb}i",
        "PR" => "Puerto Rico",
        "NH" => "New Hampshire",
        "MA" => "Massachusetts",
        "VA" => "Virginia",
        "CA" => "California",
        "ME" => "Maine",
        other => other,
    }
}

/// Ways to write the home itself.
fn same(home: &Home) -> Vec<(&'static str, String)> {
    let Home { number, street, city, state, zip, .. } = home;
    let unit = home.unit_text("Unit");
    let whole = format!("{number} {street}{unit}, {city}, {state} {zip}");
    let bare = format!("{number} {street}{unit} {city} {state} {zip}");
    let mut ways = vec![
        ("with commas", whole.clone()),
        ("no comma", bare.clone()),
        ("no comma, no ZIP", format!("{number} {street}{unit} {city} {state}")),
        ("comma before the state", format!("{number} {street}{unit} {city}, {state} {zip}")),
        ("lower case", bare.to_lowercase()),
        ("upper case", bare.to_uppercase()),
        ("line breaks", format!("{number} {street}{unit}\r\n{city}, {state} {zip}\n")),
        ("line breaks", format!("{number} {street}\n{unit}\n{city} {state}\n{zip}")),
        ("tabs", format!("{number}\t{street}{unit}\t{city}\t{state}\t{zip}")),
        ("country", format!("{whole}, USA")),
        ("country", format!("{bare} United States")),
        ("state in full", format!("{number} {street}{unit}, {city}, {}, {zip}", state_name(state))),
        ("state in full", format!("{number} {street}{unit} {city} {} {zip}", state_name(state))),
    ];
    if !zip.is_empty() {
        ways.push(("ZIP+4", format!("{whole}-1234")));
        ways.push(("ZIP+4", format!("{bare} 1234")));
    }
    if !home.unit.is_empty() {
        ways.push(("unit without a word", format!("{number} {street} {}, {city}, {state} {zip}", home.unit)));
        ways.push(("unit without a word", format!("{number} {street} {} {city} {state} {zip}", home.unit)));
        ways.push(("unit first", format!("{}, {number} {street}, {city}, {state} {zip}", unit.trim())));
        ways.push(("unit behind the ZIP", format!("{number} {street}, {city}, {state} {zip} {}", unit.trim())));
    }
    ways
}

/// The home with a direction behind the street that it does not have.
fn turned(home: &Home) -> Vec<(&'static str, String)> {
    let Home { number, street, city, state, zip, .. } = home;
    let unit = home.unit_text("Unit");
    let last = street.rsplit(' ').next().unwrap_or_default().to_uppercase();
    if shingle_address::tables::direction(&last).is_some() || street.contains(',') {
        return Vec::new();
    }
    let turns = ["NE", "Northwest", "SE", "SW", "N", "South", "E", "West", "N.E.", "s w"];
    let with = |turn: &str| {
        [
            // A word that is nearly one.
            ("direction behind", format!("{number} {street} {}h {city} {state} {zip}", turn.replace('.', ""))),
            ("direction behind", format!("{number} {street} {turn}{unit} {city} {state} {zip}")),
            ("direction behind", format!("{number} {street}{unit} {turn} {city} {state} {zip}")),
            ("direction behind", format!("{number} {street} {turn}{unit} {city}, {state}")),
            ("direction behind", format!("{number} {street} {turn}{unit}, {city}, {state} {zip}")),
            ("direction behind", format!("{number} {street} Apt 5 {turn}, {city}, {state} {zip}")),
            ("direction before", format!("{turn} {number} {street}{unit}, {city}, {state} {zip}")),
            ("direction before", format!("{number} {turn} {street}{unit} {city} {state} {zip}")),
        ]
    };
    turns.into_iter().flat_map(with).collect()
}

/// For the town of the other kinds: an answer with the home's own living area is right.
fn ask(town: &Town, homes: &[Home], table: &mut Table) {
    for (at, home) in homes.iter().enumerate() {
        for (kind, line) in same(home).into_iter().chain(spelled(home)) {
            let (found, told) = answer(town, &line);
            table.note(kind, found == Some(at), found.is_some_and(|other| other != at), || {
                format!("{line:?} gives {told}")
            });
        }
        for (kind, line) in turned(home).into_iter().chain(others(home)) {
            let (found, told) = answer(town, &line);
            // The direction that was added may be another home's own.
            let is_right = found.is_some_and(|other| is_named(&homes[other], &line));
            table.note(kind, is_right, found.is_some() && !is_right, || format!("{line:?} gives {told}"));
        }
    }
}

/// Whether a line has all the words of a home's street, and its number, as the home has them.
fn is_named(home: &Home, line: &str) -> bool {
    let words = |text: &str| {
        let all = shingle_address::token::tokens(text).into_iter().map(|token| {
            let word = token.word;
            let short = shingle_address::tables::direction(&word).map(|(short, _)| short.to_owned());
            short.or_else(|| shingle_address::tables::suffix(&word).map(|s| s.short.to_owned())).unwrap_or(word)
        });
        all.collect::<Vec<_>>().join(" ").replace("S E", "SE").replace("S W", "SW")
    };
    let parts = [&home.number, &home.street, &home.unit].map(|part| part.as_str()).join(" ");
    let mut own: Vec<String> = words(&parts).split(' ').map(str::to_owned).collect();
    let unit = own.len();
    let asked = line[..line.find(&home.city).unwrap_or(line.len())].replace(" Apt 5", "");
    let asked = words(&asked);
    let mut asked: Vec<String> = asked.split(' ').filter(|w| *w != "UNIT").map(str::to_owned).collect();
    own.sort();
    asked.sort();
    unit == asked.len() && own == asked
}

/// Other spellings of what the home has in its number, its street or its town.
fn spelled(home: &Home) -> Vec<(&'static str, String)> {
    let Home { number, street, city, state, zip, .. } = home;
    let rest = format!("{city}, {state} {zip}");
    let mut ways = Vec::new();
    for (point, fraction, sign) in [(".5", " 1/2", "½"), (".25", " 1/4", "¼"), (".75", " 3/4", "¾")] {
        for (from, to) in [(point, fraction), (fraction, point), (point, sign), (fraction, sign)] {
            if number.ends_with(from) {
                ways.push(("fraction", format!("{} {street}, {rest}", number.replace(from, to))));
                ways.push(("fraction", format!("{} {street} {}", number.replace(from, to), rest.replace(',', ""))));
            }
            if street.contains(&format!("{from} ")) || street.ends_with(from) {
                ways.push(("fraction in a road", format!("{number} {}, {rest}", street.replace(from, to))));
                ways.push(("fraction in a road", format!("{number} {} {rest}", street.replace(from, to))));
            }
        }
    }
    if let Some((low, high)) = range(number) {
        for joint in ["-", " - ", "\u{2013}", "\u{2014}", "\u{2212}", "--", " to ", " thru ", " & ", " and "] {
            ways.push(("range", format!("{low}{joint}{high} {street}, {rest}")));
        }
        ways.push(("end of a range", format!("{low} {street}, {rest}")));
        ways.push(("end of a range", format!("{high} {street}, {rest}")));
    }
    for sign in ["'", "\u{2019}", "\u{2bb}", "\u{2bc}", "`", "\u{a78c}"] {
        if let Some((before, after)) = street.split_once('\'') {
            ways.push(("apostrophe", format!("{number} {before}{sign}{after}, {rest}")));
        } else if state == "HI" && street.is_ascii() {
            let (first, others) = street.split_at(2);
            ways.push(("apostrophe", format!("{number} {sign}{street}, {sign}{city}, Hawai{sign}i {zip}")));
            ways.push(("apostrophe", format!("{number} {first}{sign}{others}, {rest}")));
        }
    }
    if let Some((way, place)) = street.split_once(", ") {
        let town = format!("{city}, {state} {zip}");
        ways.push(("named place", format!("{place}, {number} {way}, {town}")));
        ways.push(("named place", format!("{place}\n{number} {way}\n{town}")));
        ways.push(("named place", format!("{number} {way}, {place}, {town}")));
        ways.push(("named place", format!("{number} {way} {place}, {town}")));
    }
    for (from, to) in [("STATE ROUTE", "State Hwy"), ("STATE ROUTE", "SR"), ("US HWY", "US Route"), ("US HWY", "U.S.")]
    {
        if street.starts_with(from) {
            ways.push(("class of a road", format!("{number} {}, {rest}", street.replace(from, to))));
            ways.push(("class of a road", format!("{number} {} {rest}", street.replace(from, to))));
        }
    }
    for (from, to) in [
        ("COUNTY ROAD", "CR"),
        ("COUNTY ROAD", "Co Rd"),
        ("COUNTY HIGHWAY", "Cty Hwy"),
        ("US 70 BUS", "US Business 70"),
    ] {
        if street.starts_with(from) {
            ways.push(("class of a road", format!("{number} {}, {rest}", street.replace(from, to))));
        }
    }
    ways
}

/// First and last number of a range.
fn range(number: &str) -> Option<(String, String)> {
    let number = number.replace('\u{2013}', "-").replace(" TO ", "|").replace(" THRU ", "|").replace(" & ", "|");
    let number = number.replace(" - ", "|").replace("/75", "|75").replace("6/2", "6|2").replace("-75-", "|75-");
    let number = number.replace("256-258", "256|258");
    let (low, high) = number.split_once('|')?;
    let high = if low.contains('-') && !high.contains('-') { format!("75-{high}") } else { high.to_owned() };
    Some((low.to_owned(), high))
}

/// Another home than this one, whose answer this home may not be.
fn others(home: &Home) -> Vec<(&'static str, String)> {
    let Home { number, street, city, state, zip, .. } = home;
    let rest = format!("{city}, {state} {zip}");
    let mut ways = Vec::new();
    if number.contains('.') {
        ways.push(("another number", format!("{} {street}, {rest}", number.replace('.', "0"))));
        ways.push(("another number", format!("{} {street}, {rest}", number.replace('.', ".1"))));
    }
    if street.contains('.') {
        ways.push(("another road", format!("{number} {}, {rest}", street.replace('.', "0"))));
        ways.push(("another road", format!("{number} {}, {rest}", street.replace(".5", ".3"))));
    }
    let is_road = street.contains("HWY") || street.contains("ROUTE") || street.contains("COUNTY");
    if let Some(of) = street.rsplit(' ').next().filter(|of| is_road && *of != "HWY") {
        for class in ["State Route", "US Highway", "County Road", "County Highway", "FM", "Farm Road", "Interstate"] {
            ways.push(("another class of road", format!("{number} {class} {of}, {rest}")));
            ways.push(("another class of road", format!("{number} {class} {of} {rest}")));
        }
    }
    if let Some(at) = street.find('Ñ').or_else(|| street.find('A')).filter(|_| state == "HI") {
        let letter = street[at..].chars().next().map_or(1, char::len_utf8);
        let without = format!("{}\u{fffd}{}", &street[..at], &street[at + letter..]);
        ways.push(("letter that was lost", format!("{number} {without}, {rest}")));
    }
    if let Some((way, _)) = street.split_once(", ") {
        for place in ["Urb Villa Nueva", "Urb. Los Robles", "Res El Prado", "Birch Hill Estates"] {
            if place.contains("Estates") != street.contains("Estates") {
                continue;
            }
            ways.push(("another named place", format!("{place}, {number} {way}, {rest}")));
            ways.push(("another named place", format!("{number} {way}, {place}, {rest}")));
        }
        ways.push(("named place left out", format!("{number} {way}, {rest}")));
    }
    ways
}

#[test]
fn a_way_of_writing_never_leads_to_another_home() {
    let mut table = Table::default();
    let homes = homes();
    ask(&tangled(), &homes, &mut table);
    table.show("tangled");
    let towns = [("confusing", Some(confusing())), ("sample", Some(sample())), ("Cambridge", cambridge())];
    let mut all = table.wrong.len();
    for (name, town) in towns.into_iter().chain([("Chesapeake", chesapeake()), ("Santa Clara", santa_clara())]) {
        let Some(town) = town else { continue };
        let mut here = Table::default();
        let step = (town.homes.len() / 100).max(1);
        for home in town.homes.iter().step_by(step) {
            let Lookup::Found { evidence, .. } = town.index.lookup(&home.parts()).unwrap() else { continue };
            let mut home = home.clone();
            if home.zip.is_empty() {
                home.zip = evidence.place.address.zip.to_string();
            }
            let turns = turned(&home);
            for (kind, line) in same(&home).into_iter().chain(turns.iter().cloned()) {
                let Lookup::Found { evidence, .. } = town.index.lookup(&AddressInput::Line(line.clone())).unwrap()
                else {
                    here.note(kind, false, false, String::new);
                    continue;
                };
                let (level, place) = (evidence.matched.level, evidence.place);
                let told = format!("{line:?} gives {level:?} {} {:?}", place.address, place.unit);
                let is_right = match kind.starts_with("direction") {
                    true => is_named(&written(&place), &line),
                    false => is_asked(&home, &place, MatchLevel::Exact, &town),
                };
                here.note(kind, is_right, level.is_exact() && !is_right, || told);
            }
        }
        here.show(name);
        all += here.wrong.len();
    }
    assert_eq!(all, 0, "answers of another home");
    for kind in
        ["with commas", "no comma", "ZIP+4", "country", "tabs", "line breaks", "fraction", "range", "apostrophe"]
    {
        assert!(table.found(kind) > 0.8, "{kind}: {}", table.found(kind));
    }
}

fn written(place: &shingle_domain::evidence::Place) -> Home {
    let at = &place.address;
    Home {
        number: at.street_number.clone(),
        street: at.street_address.clone(),
        unit: place.unit.clone().unwrap_or_default(),
        city: at.city.clone(),
        state: at.state.to_string(),
        zip: at.zip.to_string(),
    }
}
