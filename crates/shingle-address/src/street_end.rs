//! A line without commas: where the street ends and the town begins.

use crate::city::city_of;
use crate::street::{box_or_route, highway, other_course};
use crate::tables::{direction, suffix};
use crate::token::is_ordinal;

/// The first suffix that hardly ever is part of a name, at or after `from`, with the run that follows it
/// (`187th Street Crt`).
pub(crate) fn strong_suffix(words: &[&str], from: usize) -> Option<usize> {
    let strong = |at: usize| words.get(at).and_then(|w| suffix(w)).is_some_and(|s| s.strong);
    // `The Circle at North Hills St`
    let opens = |at: usize| matches!(words.get(at + 1), Some(&("AT" | "OF")));
    let mut at = (from..words.len()).find(|at| strong(*at) && !saint(words, *at) && !opens(*at))?;
    // `C Avenue Ext`
    // `Alder Ct Terrace Park`
    let is_town = |at: usize| at + 2 == words.len() && words[at].len() > 3 && ends_a_town(words[at + 1]);
    let goes_on = |at: usize| {
        strong(at) && words[at] != "ST" && !is_town(at) || matches!(words.get(at), Some(&("EXT" | "EXTENSION")))
    };
    // `Park Circle East Rd`, `21st St NW Ln`
    let turns = |at: usize| {
        words.get(at).and_then(|w| direction(w)).is_some_and(|(found, short)| !short || found.len() == 2)
            && strong(at + 1)
            && words[at + 1] != "ST"
    };
    loop {
        match () {
            () if goes_on(at + 1) => at += 1,
            () if turns(at + 1) => at += 2,
            () => match second_road(words, at) {
                Some(second) => at = second,
                None => break,
            },
        }
    }
    Some(at)
}

/// `River Rd Liberty Grove Rd`: where the road ends that is named by the one it begins at. No town is called a road.
fn second_road(words: &[&str], at: usize) -> Option<usize> {
    let road = |w: &str| suffix(w).is_some_and(|s| matches!(s.short, "RD" | "BLVD" | "LN"));
    let second = (at + 2..words.len()).find(|at| road(words[*at]))?;
    let plain = |w: &str| w.len() > 1 && w.bytes().all(|b| b.is_ascii_alphabetic()) && w != "AND";
    (road(words[at]) && second - at < 4 && words[at + 1..second].iter().all(|w| plain(w))).then_some(second)
}

/// `St Clair Ave`: a saint, not a street. `Dr Martin Luther King`: a doctor.
fn saint(words: &[&str], at: usize) -> bool {
    if words[at] == "DR" && matches!(words.get(at + 1), Some(&("MARTIN" | "MLK"))) && at < 2 {
        return at == 0 || direction(words[0]).is_some();
    }
    if words[at] == "ST" && words.get(at + 1).is_some_and(|w| is_saint(w)) {
        // `Lindberg St Louis`, `Royal St Georges Ln`
        return true;
    }
    words[at] == "ST"
        && at <= 1
        && words.get(at + 1).is_some_and(|w| suffix(w).is_none() && direction(w).is_none())
        && {
            let start = usize::from(direction(words[0]).is_some());
            at == start
        }
}

/// How many words of a line without commas are the street; the rest is the town.
/// `town` says that a town is to be expected: a state follows it.
pub(crate) fn street_length(words: &[&str], known_region: bool, town: bool) -> usize {
    if let Some((_, used)) = box_or_route(words) {
        return used;
    }
    let predir = words.len() > 1 && direction(words[0]).is_some();
    let from = usize::from(predir);
    if let Some((_, used)) = highway(&words[from.min(words.len())..]) {
        let mut end = from + used;
        let behind = words.get(end..).unwrap_or_default();
        let turn = behind.first().is_some_and(|w| direction(w).is_some());
        if let Some(more) = other_course(behind) {
            end += more;
        } else if let Some(more) = behind.get(1..).filter(|_| turn).and_then(other_course) {
            // `US 117 South Alt Hwy`
            return end + 1 + more;
        }
        if let [_, "FRONTAGE" | "SERVICE" | "ACCESS", road, ..] = behind
            && turn
            && suffix(road).is_some_and(|s| s.short == "RD")
        {
            // `I 49 S Service Rd`
            return with_postdir(words, end + 3, predir, true);
        }
        if let Some(["FRONTAGE" | "SERVICE" | "ACCESS", road]) = words.get(end..end + 2)
            && suffix(road).is_some_and(|s| s.short == "RD")
        {
            end += 2;
        }
        return with_postdir(words, end, predir, true);
    }
    if let Some(end) = grid_length(words) {
        return end;
    }
    if let Some(end) = lettered_avenue(words) {
        return with_postdir(words, end, predir, false);
    }
    if words.get(from) == Some(&"BROADWAY") {
        let mut end = from + 1;
        if words.get(end).and_then(|w| suffix(w)).is_some_and(|s| s.strong) {
            end += 1;
        }
        return with_postdir(words, end, predir, false);
    }
    let strong = strong_suffix(words, from + 1).or_else(|| strong_suffix(words, from.max(1)));
    let found = strong.or_else(|| if known_region { weak_end(words, from, town) } else { None });
    match found {
        Some(at) => {
            let numbered = words.get(from).is_some_and(|w| is_ordinal(w));
            with_postdir(words, at + 1, predir, numbered)
        }
        None if known_region && words.len() > from + 1 => words.len() - town_length(words, from),
        None => words.len(),
    }
}

/// `North 1250 West`, `400 E`: the streets of a grid have a number for a name, and a direction on each side or behind it.
fn grid_length(words: &[&str]) -> Option<usize> {
    let turn = |at: usize| words.get(at).is_some_and(|w| direction(w).is_some());
    let number = |at: usize| words.get(at).is_some_and(|w| w.len() > 1 && w.bytes().all(|b| b.is_ascii_digit()));
    let from = usize::from(turn(0));
    (number(from) && turn(from + 1) && strong_suffix(words, from + 2).is_none()).then_some(from + 2)
}

/// `S Ave O`: where an avenue ends that has a letter for a name. `South Ave B` may be a unit of South Avenue, which seldom
/// has so many that one is `O`.
fn lettered_avenue(words: &[&str]) -> Option<usize> {
    let [turn, "AVE" | "AVENUE", letter, ..] = words else { return None };
    let (_, short) = direction(turn)?;
    let is_name = letter.len() == 1
        && letter.bytes().all(|b| b.is_ascii_uppercase())
        && direction(letter).is_none()
        && (short || *letter > "D");
    is_name.then_some(3)
}

/// The last word of a street that has no usual suffix: an unusual one, or a short direction. The last word of
/// the line is the town's (`Washington Oak Park`), and so is one that begins a town (`Bay Mount Vernon`).
fn weak_end(words: &[&str], from: usize, town: bool) -> Option<usize> {
    (from + 1..words.len().saturating_sub(usize::from(town))).find_map(|at| {
        let word = words[at];
        if direction(word).is_some_and(|(_, short)| short) {
            return Some(at - 1);
        }
        let town_behind = at + 2 == words.len() && ends_a_town(words[at + 1]);
        let ends = suffix(word).is_some() && !starts_a_town(word) && !town_behind;
        // `Lindbergh Plaza Center`, `Cottage Grove Mdws SE`
        let more = words.get(at + 1).filter(|w| at + 2 < words.len() && suffix(w).is_some() && !starts_a_town(w));
        let more = more.is_some() && !(at + 3 == words.len() && ends_a_town(words[at + 2]));
        ends.then_some(at + usize::from(more))
    })
}

/// `123 Maple Rochester, New York`: no suffix, no comma; the last word (or two, or three) is the town.
pub(crate) fn town_length(words: &[&str], from: usize) -> usize {
    if words.len() < from + 2 {
        return words.len().saturating_sub(from);
    }
    let spare = words.len() - from - 1;
    let last = words[words.len() - 1];
    let before = words[words.len() - 2];
    let two = spare > 1 && (starts_a_town(before) || ends_a_town(last));
    match two {
        true if spare > 2 && starts_a_town(words[words.len() - 3]) => 3,
        true => 2,
        false => 1,
    }
}

/// A direction behind the street belongs to it when nothing follows, when it is written short and the street
/// has none before its name, or when the street is a numbered one; else it begins the town (`North Palm Beach`).
fn with_postdir(words: &[&str], end: usize, predir: bool, numbered: bool) -> usize {
    let Some((found, short)) = words.get(end).and_then(|w| direction(w)) else { return end };
    let last = end + 1 == words.len();
    let after = words.get(end + 1);
    // `Dr S E`
    let pair = short
        && matches!(found, "N" | "S")
        && after.and_then(|w| direction(w)).is_some_and(|(d, short)| short && matches!(d, "E" | "W"));
    if pair {
        return end + 2;
    }
    // `Golfview Rd N Palm Beach`, `Rodeo Park Dr East Santa Fe`
    let behind = words.get(end + 1..).unwrap_or_default();
    if town_of_the_compass(found, behind) {
        return end;
    }
    if !short && !predir && begins_a_name(behind) {
        return end + 1;
    }
    let before_unit = after.is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()));
    let belongs = last || before_unit || found.len() == 2 || (!predir && (short || numbered));
    if belongs { end + 1 } else { end }
}

/// Words that only begin a name, never are one: what precedes them is not part of the town, except for the towns
/// of [`town_of_the_compass`].
pub(crate) fn begins_a_name(words: &[&str]) -> bool {
    words.len() > 1 && matches!(words[0], "SAN" | "SANTA" | "NEW" | "LOS" | "LAS" | "BATON" | "DES")
}

/// Whether these words, behind a direction, are a town called after it: `PALM BEACH` behind `N`.
pub(crate) fn town_of_the_compass(direction: &str, words: &[&str]) -> bool {
    let towns: &[&str] = match direction {
        "N" => NORTH,
        "S" => SOUTH,
        "E" => EAST,
        "W" => WEST,
        _ => return false,
    };
    let name = city_of(words);
    towns.contains(&name.as_str())
}

/// The larger towns whose names begin with a direction that mail often shortens, without the direction. One word that
/// is a large town on its own (`ORANGE`, `CHICAGO`) is left out: there the direction may as well be the street's.
const NORTH: &[&str] = &[
    "AUGUSTA",
    "BAY VILLAGE",
    "BERGEN",
    "FORT MYERS",
    "HOLLYWOOD",
    "KANSAS CITY",
    "LAS VEGAS",
    "LAUDERDALE",
    "LITTLE ROCK",
    "MIAMI",
    "MIAMI BEACH",
    "MYRTLE BEACH",
    "PALM BEACH",
    "POLE",
    "PORT",
    "RICHLAND HILLS",
    "SALT LAKE",
    "SALT LAKE CITY",
    "SYRACUSE",
    "TONAWANDA",
    "WILKESBORO",
];
const SOUTH: &[&str] = &[
    "BEND",
    "DAYTONA",
    "EL MONTE",
    "GATE",
    "GLENS FALLS",
    "HADLEY",
    "LAKE TAHOE",
    "MIAMI",
    "OZONE PARK",
    "PADRE ISLAND",
    "PASADENA",
    "RICHMOND HILL",
    "SAINT PAUL",
    "SALT LAKE",
    "SALT LAKE CITY",
    "SAN FRANCISCO",
    "SIOUX CITY",
];
const EAST: &[&str] = &[
    "GRAND RAPIDS",
    "LANSING",
    "LONGMEADOW",
    "LOS ANGELES",
    "MEADOW",
    "MOLINE",
    "PALO ALTO",
    "PEORIA",
    "PROVIDENCE",
    "SAINT LOUIS",
    "STROUDSBURG",
    "SYRACUSE",
];
const WEST: &[&str] = &[
    "ALLIS",
    "BABYLON",
    "BLOOMFIELD",
    "COVINA",
    "DES MOINES",
    "HEMPSTEAD",
    "HOLLYWOOD",
    "ISLIP",
    "JORDAN",
    "LAFAYETTE",
    "LONG BRANCH",
    "MEMPHIS",
    "MIFFLIN",
    "NEW YORK",
    "NYACK",
    "PALM BEACH",
    "SACRAMENTO",
    "VALLEY CITY",
];

fn starts_a_town(word: &str) -> bool {
    matches!(
        word,
        "SAN"
            | "SANTA"
            | "NEW"
            | "FORT"
            | "FT"
            | "SAINT"
            | "ST"
            | "LOS"
            | "LAS"
            | "EL"
            | "LA"
            | "PORT"
            | "LAKE"
            | "MOUNT"
            | "MT"
            | "NORTH"
            | "SOUTH"
            | "EAST"
            | "WEST"
            | "GRAND"
            | "LITTLE"
            | "BATON"
            | "DES"
            | "DEL"
            | "OLD"
            | "CEDAR"
            | "PALM"
            | "SALT"
            | "CAPE"
            | "UPPER"
            | "LOWER"
    )
}

/// Second words of towns.
fn ends_a_town(word: &str) -> bool {
    matches!(
        word,
        "BEACH"
            | "CITY"
            | "CREEK"
            | "FALLS"
            | "FOREST"
            | "GROVE"
            | "HARBOR"
            | "HEIGHTS"
            | "HILL"
            | "HILLS"
            | "ISLAND"
            | "LAKE"
            | "LAKES"
            | "OAKS"
            | "PARK"
            | "RAPIDS"
            | "SHORES"
            | "SPRINGS"
            | "TOWNSHIP"
            | "VALLEY"
            | "VILLAGE"
    )
}

/// How many words at the end are a unit that nothing announces: `Bryn Mawr 211`, `Oak Ridge Rd 2`, `Summit Ct B`,
/// `Birch Ln C-4`. Numbered roads (`Loop 410`, `Avenue 7`, `Fire Rd 4`) and grids (`South 400`) end in none.
pub(crate) fn bare_unit(words: &[&str]) -> usize {
    // Of `North Ave` the direction is the name.
    let is_name = words.get(1).and_then(|w| suffix(w)).is_some_and(|s| s.strong);
    let from = words.first().and_then(|w| direction(w)).is_some_and(|(_, short)| short || !is_name);
    let street = words.get(usize::from(from)..).unwrap_or_default();
    let letter = |w: &str| w.len() == 1 && w.bytes().all(|b| b.is_ascii_alphabetic()) && direction(w).is_none();
    let number = |w: &str| w.starts_with(|c: char| c.is_ascii_digit()) && w.len() <= 5 && !is_ordinal(w);
    if lettered_avenue(words) == Some(words.len()) {
        return 0;
    }
    if let Some((_, used)) = highway(street) {
        return usize::from(matches!(&street[used..], [only] if number(only)));
    }
    // Behind a name and its suffix a letter is not part of the street, but `Avenue B` is one.
    let ends = |street: &[&str]| street.len() > 1 && street.last().and_then(|w| suffix(w)).is_some_and(|s| s.strong);
    let letter_of_compass = |w: &str| w.len() == 1 && direction(w).is_some();
    match street {
        // `Randolph 1 N`, as Chicago has it
        [name @ .., first, turn]
            if letter_of_compass(turn)
                && matches!(first.len(), 1 | 2)
                && number(first)
                && !first.starts_with('0')
                && !is_numbered(name)
                && suffix(name[name.len() - 1]).is_none_or(|s| !s.strong || name.len() > 1) =>
        {
            2
        }
        // `Branham Ln E 1`
        [name @ .., turn, last] if number(last) && direction(turn).is_some() && ends(name) => 1,
        // `C 4`, `A3-418`
        [name @ .., first, last] if (letter(first) || is_lettered_number(first)) && number(last) && ends(name) => 2,
        [name @ .., last] if letter(last) && ends(name) => 1,
        [name @ .., last] if number(last) && !is_numbered(name) => 1,
        [name @ .., last] if ends(name) && last.len() <= 5 && is_lettered_number(last) => 1,
        _ => 0,
    }
}

/// `B3`, `C12`.
fn is_lettered_number(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    word.len() == digits.len() + 1 && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a number behind these words is a part of the street's name.
fn is_numbered(name: &[&str]) -> bool {
    let Some(before) = name.last() else { return true };
    let way = suffix(before).map(|s| s.short);
    let of_a_way = match way {
        Some("HWY" | "RTE" | "EXPY" | "FWY") => true,
        // `Fire Rd 4`
        Some("RD") => matches!(name, [.., "FIRE" | "SERVICE" | "CAMP" | "LOGGING" | "BIA" | "SUPERVISOR", _]),
        _ => false,
    };
    let only_a_way = way.is_some() && name.len() == 1;
    of_a_way
        || only_a_way
        || before.len() == 1
        || !before.chars().all(char::is_alphabetic)
        || matches!(
            *before,
            "CALLE"
                | "AVENIDA"
                | "CAMINO"
                | "PASEO"
                | "CARRETERA"
                | "CARR"
                | "SECTOR"
                | "TRACT"
                | "NO"
                | "NUMBER"
                | "BOX"
                | "COUNTY"
                | "STATE"
        )
}

/// Saints that towns are called after.
fn is_saint(word: &str) -> bool {
    matches!(
        word,
        "ALBANS"
            | "ANTHONY"
            | "AUGUSTINE"
            | "BERNARD"
            | "CHARLES"
            | "CLAIR"
            | "CLOUD"
            | "FRANCIS"
            | "GEORGE"
            | "GEORGES"
            | "HELENA"
            | "HELENS"
            | "JAMES"
            | "JOHN"
            | "JOHNS"
            | "JOSEPH"
            | "LOUIS"
            | "LUCIE"
            | "MARYS"
            | "MICHAEL"
            | "MICHAELS"
            | "PAUL"
            | "PETER"
            | "PETERS"
            | "PETERSBURG"
            | "SIMONS"
    )
}
