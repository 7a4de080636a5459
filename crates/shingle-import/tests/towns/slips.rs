//! Every address of a town asked for with one slip: the answer is the home that was asked for, a question, or none.
//! Never somebody else's home.

use std::fmt;

use shingle_address::{Normalized, number_span, parse_line};
use shingle_domain::evidence::{MatchLevel, Place};
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};
use shingle_property::Lookup;

use crate::homes::{Home, Town, cambridge, chesapeake, confusing, sample, santa_clara};

/// What is asked for otherwise than it is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slip {
    Direction,
    Suffix,
    Unit,
    Number,
    Town,
    Zip,
    /// Two neighboring digits of the number change places.
    Digits,
    /// A letter of the street's name is missing, doubled, or another: the home may be found by it, as approximate.
    Spelling,
    /// A unit of a home that has none on record: the home is found, without it.
    NewUnit,
    /// A box at the post office instead of a street.
    Box,
    /// `Elm St 14, Harrow`: the same home in another order.
    NumberLast,
    /// `Unit 3, 14 Elm St`, or without a unit the town before the street.
    UnitFirst,
    /// `03290 Harrow NH, 14 Elm St`.
    ZipFirst,
}

const SLIPS: [Slip; 13] = [
    Slip::Direction,
    Slip::Suffix,
    Slip::Unit,
    Slip::Number,
    Slip::Town,
    Slip::Zip,
    Slip::Digits,
    Slip::Spelling,
    Slip::NewUnit,
    Slip::Box,
    Slip::NumberLast,
    Slip::UnitFirst,
    Slip::ZipFirst,
];

/// Homes of each town that are asked for: enough for 5,000 questions over three towns.
const HOMES: usize = 500;

const DIRECTIONS: [&str; 4] = ["N", "E", "S", "W"];
const SUFFIXES: [&str; 6] = ["Ct", "Dr", "St", "Ln", "Ave", "Rd"];
/// Real towns with their state and a ZIP of theirs: two of each state that is asked in.
const TOWNS: [(&str, &str, &str); 10] = [
    ("Concord", "NH", "03301"),
    ("Lebanon", "NH", "03766"),
    ("Bangor", "ME", "04401"),
    ("Augusta", "ME", "04330"),
    ("Somerville", "MA", "02143"),
    ("Boston", "MA", "02116"),
    ("Norfolk", "VA", "23510"),
    ("Suffolk", "VA", "23434"),
    ("Fresno", "CA", "93721"),
    ("Oakland", "CA", "94607"),
];

impl Slip {
    /// The home with this slip, or none where it has nothing to slip on. `n` chooses among several ways.
    fn of(self, home: &Home, n: usize) -> Option<Home> {
        let mut asked = home.clone();
        let mut words: Vec<&str> = home.street.split_whitespace().collect();
        let is_direction = |w: &str| shingle_address::tables::direction(&w.to_uppercase()).map(|(short, _)| short);
        let suffix = |w: &str| shingle_address::tables::suffix(&w.to_uppercase()).map(|s| s.short);
        match self {
            Self::Direction => {
                let other = |now: Option<&str>| DIRECTIONS.into_iter().cycle().skip(n % 4).find(|d| Some(*d) != now);
                let (first, last) = (words.first().copied()?, words.last().copied()?);
                if words.len() > 2 && is_direction(first).is_some() {
                    words[0] = other(is_direction(first))?;
                } else if words.len() > 2 && is_direction(last).is_some() {
                    *words.last_mut()? = other(is_direction(last))?;
                } else if n.is_multiple_of(2) {
                    words.insert(0, other(None)?);
                } else {
                    words.push(other(None)?);
                }
                asked.street = words.join(" ");
            }
            Self::Suffix => {
                let directed = words.len() > 2 && is_direction(words.last()?).is_some();
                let at = words.len() - 1 - usize::from(directed);
                let now = suffix(words[at]).filter(|_| at > 0);
                let other = SUFFIXES.into_iter().cycle().skip(n % 6).find(|s| suffix(s) != now)?;
                if now.is_some() {
                    words[at] = other
                } else {
                    words.insert(at + 1, other)
                }
                asked.street = words.join(" ");
            }
            Self::Unit if home.unit.is_empty() => return None,
            Self::Unit => asked.unit = if n.is_multiple_of(2) { format!("{}9", home.unit) } else { "77".to_owned() },
            Self::Number => {
                let digits: String = home.number.chars().take_while(char::is_ascii_digit).collect();
                let number = digits.parse::<usize>().ok()?;
                asked.number = (number + [1, 2, 100, 1_000][n % 4]).to_string();
            }
            Self::Town => {
                // By turns a neighbor of the same state, a town of another state, and that with its own ZIP.
                let same_state = n.is_multiple_of(3);
                let mut others = TOWNS.into_iter().cycle().skip(n % TOWNS.len()).take(TOWNS.len());
                let (city, state, zip) = others.find(|(city, state, _)| {
                    (*state == home.state) == same_state && !city.eq_ignore_ascii_case(&home.city)
                })?;
                (asked.city, asked.state) = (city.to_owned(), state.to_owned());
                if n % 3 == 2 {
                    asked.zip = zip.to_owned();
                }
            }
            Self::Zip => {
                let zip = home.zip.parse::<usize>().ok().filter(|zip| *zip > 0)?;
                asked.zip = format!("{:05}", if n.is_multiple_of(2) { zip + 1 } else { zip - 11 });
            }
            Self::Digits => {
                let mut digits: Vec<char> = home.number.chars().collect();
                let places: Vec<usize> = (1..digits.len())
                    .filter(|at| digits[at - 1].is_ascii_digit() && digits[*at].is_ascii_digit())
                    .filter(|at| digits[at - 1] != digits[*at] && (*at > 1 || digits[*at] != '0'))
                    .collect();
                let at = *places.get(n % places.len().max(1))?;
                digits.swap(at - 1, at);
                asked.number = digits.into_iter().collect();
            }
            Self::Spelling => {
                let at = words.iter().position(|w| w.len() > 4 && is_direction(w).is_none() && suffix(w).is_none())?;
                let mut letters: Vec<char> = words[at].chars().collect();
                if !letters.iter().all(char::is_ascii_alphabetic) {
                    return None;
                }
                // The first letter is seldom wrong.
                let place = 1 + n / 3 % (letters.len() - 1);
                match n % 3 {
                    0 => drop(letters.remove(place)),
                    1 => letters.insert(place, letters[place]),
                    _ => letters[place] = if letters[place].eq_ignore_ascii_case(&'e') { 'a' } else { 'e' },
                }
                let spelled: String = letters.into_iter().collect();
                words[at] = &spelled;
                asked.street = words.join(" ");
            }
            Self::NewUnit if !home.unit.is_empty() => return None,
            Self::NewUnit => asked.unit = ["2", "B", "12", "301"][n % 4].to_owned(),
            Self::Box => (asked.number, asked.street) = ("PO Box".to_owned(), home.number.clone()),
            Self::ZipFirst if home.zip.is_empty() => return None,
            Self::NumberLast | Self::UnitFirst | Self::ZipFirst => {}
        }
        Some(asked)
    }

    /// How the home is asked for in one line. `n` chooses among several ways.
    fn line(self, home: &Home, n: usize) -> String {
        let Home { number, street, city, state, zip, .. } = home;
        let unit = home.unit_text("Unit");
        match self {
            Self::NumberLast if n.is_multiple_of(2) => format!("{street} {number}{unit}, {city}, {state} {zip}"),
            Self::NumberLast => format!("{street} {number}{unit} {city} {state} {zip}"),
            Self::UnitFirst if home.unit.is_empty() => format!("{city}, {state} {zip}, {number} {street}"),
            Self::UnitFirst => format!("{}, {number} {street}, {city}, {state} {zip}", unit.trim()),
            Self::ZipFirst if n.is_multiple_of(2) => format!("{zip}, {number} {street}{unit}, {city}, {state}"),
            Self::ZipFirst => format!("{zip} {city} {state}, {number} {street}{unit}"),
            _ => line(home),
        }
    }

    /// Whether the slip is in the order alone, so that the home is the one that was asked for.
    fn is_order(self) -> bool {
        matches!(self, Self::NumberLast | Self::UnitFirst | Self::ZipFirst)
    }
}

fn line(home: &Home) -> String {
    let Home { number, street, city, state, zip, .. } = home;
    format!("{number} {street}{}, {city}, {state} {zip}", home.unit_text("Unit"))
}

fn normal(home: &Home) -> Normalized {
    let address = Address {
        street_number: home.number.clone(),
        street_address: home.street.clone(),
        city: home.city.clone(),
        state: State::parse(&home.state).unwrap(),
        zip: Zip::parse(&home.zip).unwrap(),
    };
    Normalized::from_texts(&address, Some(&home.unit))
}

/// Whether a record is that of the home asked for: every part is the same, or the number lies in the record's range, or
/// the record is the house's of which nobody recorded units.
pub fn is_asked(asked: &Home, place: &Place, level: MatchLevel, town: &Town) -> bool {
    let (mut asked, found) = (normal(asked), Normalized::from_place(place));
    let within = |a: &str, b: &str| {
        number_span(a).zip(number_span(b)).is_some_and(|(a, b)| b.0 <= a.0 && a.1 <= b.1 && a.0 % 2 == b.0 % 2)
    };
    let at = &place.address;
    let has_units = |h: &&Home| {
        h.street.eq_ignore_ascii_case(&at.street_address) && h.number.eq_ignore_ascii_case(&at.street_number)
    };
    if level != MatchLevel::Exact && !town.homes.iter().filter(has_units).any(|h| !h.unit.is_empty()) {
        asked.unit.clear();
    }
    let number = asked.number == found.number || within(&asked.number, &found.number);
    number && Normalized { number: found.number.clone(), ..asked } == found
}

#[derive(Debug, Clone, Copy, Default)]
struct Count {
    asked: usize,
    /// Answered as if it were the home: exact, without unit, without suffix, in a range.
    wrong: usize,
    /// Answered as doubtful.
    doubtful: usize,
    /// The home that was asked for is there too.
    right: usize,
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { asked, wrong, doubtful, right } = self;
        let none = asked - wrong - doubtful - right;
        write!(f, "{asked:>6} asked {wrong:>5} wrong {doubtful:>5} doubtful {right:>5} right {none:>6} asked back")
    }
}

fn count(name: &str, town: &Town, total: &mut [Count; SLIPS.len()], wrong: &mut Vec<String>) {
    let step = (town.homes.len() / HOMES).max(1);
    let mut here = [Count::default(); SLIPS.len()];
    let with_unit = |h: &&Home| !h.unit.is_empty();
    let units =
        town.homes.iter().filter(with_unit).step_by((town.homes.iter().filter(with_unit).count() / HOMES).max(1));
    let others = town.homes.iter().step_by(step);
    let asked = others.flat_map(|h| SLIPS.into_iter().filter(|s| *s != Slip::Unit).map(move |s| (h, s)));
    for (n, (home, slip)) in asked.chain(units.map(|h| (h, Slip::Unit))).enumerate() {
        let mut home = home.clone();
        let Lookup::Found { evidence, .. } = town.index.lookup(&home.parts()).unwrap() else { continue };
        if home.zip.is_empty() {
            home.zip = evidence.place.address.zip.to_string();
        }
        let Some(asked) = slip.of(&home, n / 5) else { continue };
        let line = slip.line(&asked, n / 5);
        let count = &mut here[slip as usize];
        count.asked += 1;
        let Lookup::Found { evidence, .. } = town.index.lookup(&AddressInput::Line(line.clone())).unwrap() else {
            continue;
        };
        let (level, place) = (evidence.matched.level, evidence.place);
        // A misspelled street still means the home, which is found approximately if it is recognized.
        let misspelt =
            slip == Slip::Spelling && level == MatchLevel::SimilarName && is_asked(&home, &place, level, town);
        if is_asked(&asked, &place, level, town) || misspelt {
            count.right += 1;
            continue;
        }
        let is_wrong = level.is_exact();
        *(if is_wrong { &mut count.wrong } else { &mut count.doubtful }) += 1;
        if !is_wrong {
            println!("{name}: {line} gives {level:?} {} {:?}", place.address, place.unit);
        } else {
            wrong.push(format!("{name}: {line} gives {level:?} {} {:?}", place.address, place.unit));
        }
    }
    for (at, slip) in SLIPS.into_iter().enumerate() {
        println!("{name:>12} {:<10} {}", format!("{slip:?}"), here[at]);
        total[at].asked += here[at].asked;
        total[at].wrong += here[at].wrong;
        total[at].doubtful += here[at].doubtful;
        total[at].right += here[at].right;
    }
}

#[test]
fn a_slip_never_leads_to_another_home() {
    let mut total = [Count::default(); SLIPS.len()];
    let mut wrong = Vec::new();
    count("confusing", &confusing(), &mut total, &mut wrong);
    count("sample town", &sample(), &mut total, &mut wrong);
    let invented: usize = total.iter().map(|count| count.asked).sum();
    assert!(invented >= 5_000, "{invented} questions about the towns that are made here");
    for (name, town) in [("Cambridge", cambridge()), ("Chesapeake", chesapeake()), ("Santa Clara", santa_clara())] {
        if let Some(town) = town {
            count(name, &town, &mut total, &mut wrong);
        }
    }
    for (at, slip) in SLIPS.into_iter().enumerate() {
        println!("{:>12} {:<10} {}", "all", format!("{slip:?}"), total[at]);
    }
    let of = |what: fn(&Count) -> usize| total.iter().map(what).sum::<usize>();
    let (asked, doubtful) = (of(|c| c.asked), of(|c| c.doubtful));
    println!("{asked} questions, {} wrong, {doubtful} doubtful", wrong.len());
    wrong.iter().take(60).for_each(|text| println!("{text}"));
    for (at, slip) in SLIPS.into_iter().enumerate().filter(|(_, slip)| slip.is_order()) {
        assert!(total[at].right * 10 >= total[at].asked, "{slip:?} is never recognised: {}", total[at]);
    }
    assert!(wrong.is_empty(), "{} answers of another home", wrong.len());
    assert!(doubtful * 200 <= asked, "{doubtful} doubtful answers of {asked}");
}

/// A row of a table and a question are read by one function: number, street and unit are the same, whether they come in
/// parts, with the unit behind a word, or with the unit bare.
#[test]
fn rows_and_questions_are_read_alike() {
    let towns = [Some(confusing()), Some(sample()), cambridge(), chesapeake(), santa_clara()];
    let (mut read, mut apart) = (0, Vec::new());
    for home in towns.into_iter().flatten().flat_map(|town| town.homes) {
        let home = Home { zip: if home.zip.is_empty() { "00000".to_owned() } else { home.zip.clone() }, ..home };
        let row = normal(&home);
        let Home { number, street, unit, city, state, zip } = &home;
        if unit.contains(' ') {
            // `Bldg 19` has its word already.
            continue;
        }
        let bare = Home { street: format!("{street} {unit}").trim().to_owned(), unit: String::new(), ..home.clone() };
        let mut ways = vec![normal(&bare), parse_line(&line(&home)).normalized];
        ways.push(parse_line(&format!("{number} {street} {unit}, {city}, {state} {zip}")).normalized);
        for (at, question) in ways.into_iter().enumerate() {
            read += 1;
            let question = Normalized { zip: question.zip.filter(|z| z.as_str() != "00000"), ..question };
            // A unit of letters is a word of the street where nothing announces it.
            let is_bare =
                at != 1 && !(unit.is_empty() || unit.len() <= 5 && unit.starts_with(|c: char| c.is_ascii_digit()));
            if question != row && !is_bare {
                apart.push(format!("{home:?}: {question:?}"));
            }
        }
    }
    println!("{read} readings, {} apart", apart.len());
    apart.iter().take(40).for_each(|text| println!("{text}"));
    assert!(apart.is_empty());
}

#[test]
fn every_address_of_the_confusing_town_is_found() {
    let town = confusing();
    for home in &town.homes {
        match town.index.lookup(&AddressInput::Line(line(home))).unwrap() {
            Lookup::Found { evidence, .. } => {
                assert_eq!(evidence.matched.level, MatchLevel::Exact, "{home:?}");
                assert!(is_asked(home, &evidence.place, MatchLevel::Exact, &town), "{home:?}");
            }
            other => panic!("{home:?}: {other:?}"),
        }
    }
}
