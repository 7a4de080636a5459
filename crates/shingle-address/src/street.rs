//! The street itself: directions, name and suffix, and numbered roads.

use crate::ordinals::{ordinal, ordinal_unit, tens};
use crate::tables::{direction, direction_long, is_state, state_by_name, suffix};
use crate::token::{Token, has_digit, is_fraction, is_ordinal};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Street {
    pub predir: String,
    pub name: String,
    pub suffix: String,
    pub postdir: String,
}

/// Parses the words of a street, without its house number and unit.
pub fn parse_street(words: &[&str]) -> Street {
    if let Some((mut name, used)) = box_or_route(words) {
        for word in &words[used..] {
            name.push(' ');
            name.push_str(word);
        }
        return Street { name, ..Street::default() };
    }
    let (predir, rest) = take_predir(words);
    if let Some((name, used)) = highway(rest) {
        return finish_highway(predir, name, &rest[used..]);
    }
    let mut rest = rest.to_vec();
    let mut postdir = take_postdir(&mut rest);
    let mut street_suffix = "";
    if rest.len() > 1
        && let Some(found) = rest.last().and_then(|w| suffix(if *w == "LA" { "LN" } else { w }))
    {
        street_suffix = found.short;
        rest.pop();
        if postdir.is_empty() {
            // `Washington NE Pl`: the direction precedes the suffix.
            postdir = take_inner_direction(&mut rest);
        }
    }
    // `40 Avenue` and `Beach 9 Street` of New York are 40th Avenue and Beach 9th Street.
    let numbered = match rest.as_slice() {
        [before @ .., number] if !street_suffix.is_empty() && number.len() < 4 && !number.starts_with('0') => {
            let is_name = before.iter().all(|word| !has_digit(word) && direction(word).is_none());
            number.parse().ok().filter(|_| is_name).map(|number| (before, ordinal(number)))
        }
        _ => None,
    };
    let name = match numbered {
        Some((before, number)) => name_of(&[before, &[number.as_str()]].concat()),
        None => name_of(&rest),
    };
    Street { predir: predir.into(), name, suffix: street_suffix.into(), postdir: postdir.into() }
}

/// `PO BOX 7`, `RR 2 BOX 9`: mail goes there, but nobody can say which roof it is. The name, and how many words
/// it takes.
pub(crate) fn box_or_route(words: &[&str]) -> Option<(String, usize)> {
    let of_box = match words {
        ["PO", "BOX" | "BX" | "DRAWER", ..] => 2,
        ["P", "O", "BOX", ..] | ["POST", "OFFICE", "BOX", ..] => 3,
        ["LOCK", "BOX", ..] => 2,
        ["POST", "OFFICE", id, ..] if id.len() > 2 && id.bytes().all(|b| b.is_ascii_digit()) => 2,
        ["POBOX" | "POB" | "BOX" | "LOCKBOX" | "LBX" | "DRAWER", ..] => 1,
        _ => 0,
    };
    if of_box > 0 {
        let (id, used) = box_id(&words[of_box..])?;
        let end = of_box + used;
        // `Lockbox 1007 PO Box 4829`: the second is the post's.
        if let ["PO" | "POB" | "POBOX", ..] | ["P", "O", ..] = &words[end..]
            && let Some((name, more)) = box_or_route(&words[end..])
        {
            return Some((name, end + more));
        }
        return Some((format!("PO BOX {id}"), end));
    }
    let (kind, of_route) = match words {
        ["RR" | "RFD", ..] => ("RR", 1),
        ["RURAL", "ROUTE", ..] | ["R", "R", ..] => ("RR", 2),
        ["HC", "ROUTE" | "RTE" | "RT", ..] => ("HC", 2),
        ["HC" | "HCR", ..] => ("HC", 1),
        ["HIGHWAY" | "HWY", "CONTRACT", "ROUTE" | "RTE" | "RT", ..] => ("HC", 3),
        ["HIGHWAY", "CONTRACT", ..] => ("HC", 2),
        ["STAR", "ROUTE" | "RTE" | "RT", _, "BOX", ..] => ("SR", 2),
        ["SR", _, "BOX", ..] => ("SR", 1),
        ["RD", _, "BOX", ..] | ["RD", "#", _, "BOX", ..] => ("RR", 1),
        // The number of the route is missing.
        ["ROUTE" | "RTE" | "RT", "BOX", ..] => {
            let (id, used) = box_id(&words[2..])?;
            return Some((format!("RR BOX {id}"), 2 + used));
        }
        ["ROUTE" | "RTE" | "RT", _, "BOX", ..] | ["ROUTE" | "RTE" | "RT", "#", _, "BOX", ..] => ("RR", 1),
        _ => return None,
    };
    let sign = usize::from(words.get(of_route) == Some(&"#"));
    let number = words.get(of_route + sign).filter(|w| w.starts_with(|c: char| c.is_ascii_digit()))?;
    let mut end = of_route + sign + 1;
    // `RR 1 PO Box 406`
    if let ["PO", "BOX", ..] = &words[end..] {
        end += 1;
    }
    if words.get(end) == Some(&"BOX") {
        let (id, used) = box_id(&words[end + 1..])?;
        return Some((format!("{kind} {number} BOX {id}"), end + 1 + used));
    }
    Some((format!("{kind} {number}"), end))
}

/// `7`, `# 7`, `X`, `164 A`.
fn box_id(words: &[&str]) -> Option<(String, usize)> {
    let sign = words.iter().take_while(|w| matches!(**w, "#" | "NO" | "NUMBER")).count();
    let id = words.get(sign).filter(|w| has_digit(w) || w.len() == 1)?;
    let letter = |w: &&&str| w.len() == 1 && w.bytes().all(|b| b.is_ascii_uppercase()) && direction(w).is_none();
    match words.get(sign + 1).filter(letter).filter(|_| id.bytes().all(|b| b.is_ascii_digit())) {
        Some(letter) => Some((format!("{id}{letter}"), sign + 2)),
        // `A-55`
        None => match words.get(sign + 1).filter(|w| id.len() == 1 && !has_digit(id) && starts_with_digit(w)) {
            Some(number) => Some((format!("{id}{number}"), sign + 2)),
            None => Some(((*id).to_owned(), sign + 1)),
        },
    }
}

/// How many words at the front are one direction, and which: `N`, `N E`, `NORTH EAST`.
fn leading_direction(words: &[&str]) -> Option<(&'static str, usize)> {
    let (first, _) = direction(words.first()?)?;
    let pair = words.get(1).and_then(|w| direction(w)).and_then(|(second, _)| match (first, second) {
        ("N", "E") => Some("NE"),
        ("N", "W") => Some("NW"),
        ("S", "E") => Some("SE"),
        ("S", "W") => Some("SW"),
        _ => None,
    });
    match pair {
        Some(both) if leaves_a_name(&words[2..]) => Some((both, 2)),
        _ => Some((first, 1)),
    }
}

/// Whether these words can be a street without a direction before them: `LAKE`, `10`, `MAIN ST`,
/// but not `AVE` or `RD W`, where the direction itself is the name.
fn leaves_a_name(words: &[&str]) -> bool {
    match words {
        [] => false,
        // `East End Ave`, `West Side Pl`: one phrase.
        ["END" | "SIDE", ..] => false,
        // `S and W Farm Rd`
        ["AND", ..] => false,
        [only] => suffix(only).is_none_or(|s| !s.strong),
        [first, last] if direction(last).is_some() => suffix(first).is_none(),
        _ => true,
    }
}

fn take_predir<'a>(words: &'a [&'a str]) -> (&'static str, &'a [&'a str]) {
    match leading_direction(words) {
        Some((found, used)) if leaves_a_name(&words[used..]) => (found, &words[used..]),
        _ => ("", words),
    }
}

/// Takes a direction off the end, if a name stays.
fn take_postdir(words: &mut Vec<&str>) -> &'static str {
    let Some((last, short)) = words.last().and_then(|w| direction(w)) else { return "" };
    if words.len() < 2 {
        return "";
    }
    // `AVENUE N` is a letter, not a direction.
    if words.len() == 2 && short && matches!(words[0], "AVENUE" | "AVE" | "STREET") {
        return "";
    }
    words.pop();
    let before = words.last().and_then(|w| direction(w)).map(|(d, _)| d);
    let both = match (before, last) {
        (Some("N"), "E") => "NE",
        (Some("N"), "W") => "NW",
        (Some("S"), "E") => "SE",
        (Some("S"), "W") => "SW",
        _ => return last,
    };
    if words.len() < 2 {
        return last;
    }
    words.pop();
    both
}

/// Takes a direction that is between name and suffix, unless it belongs to a number of a grid (`2900 E Road`).
fn take_inner_direction(words: &mut Vec<&str>) -> &'static str {
    let of_a_grid = words.len() > 1 && words[words.len() - 2].bytes().all(|b| b.is_ascii_digit());
    if of_a_grid { "" } else { take_postdir(words) }
}

/// A numbered road in its one spelling, and how many words it takes. The roads of the country (`US HIGHWAY 20`), of states
/// (`STATE ROUTE 20`) and of counties, by what they are called, are different roads, and so is one that does not say whose
/// it is (`ROUTE 20`): [`crate::other_classes`] says which may be meant.
pub(crate) fn highway(words: &[&str]) -> Option<(String, usize)> {
    let is_long_way = |w: &str| matches!(suffix(w).map(|s| s.short), Some("HWY" | "RTE")) || w == "RT";
    let is_way = |w: &str| is_long_way(w) || suffix(w).is_some_and(|s| s.short == "RD");
    let of_county = |w: &str| match suffix(w).map(|s| s.short) {
        Some("HWY") => "COUNTY HIGHWAY",
        Some("RD") => "COUNTY ROAD",
        _ => "COUNTY ROUTE",
    };
    let (kind, used) = match words {
        ["US" | "USHWY", w, ..] if is_way(w) => ("US HIGHWAY", 2),
        ["US", ..] => ("US HIGHWAY", 1),
        ["U", "S", w, ..] if is_way(w) => ("US HIGHWAY", 3),
        ["U", "S", ..] => ("US HIGHWAY", 2),
        ["UNITED", "STATES", w, ..] if is_way(w) => ("US HIGHWAY", 3),
        ["STATE" | "ST", w, ..] if is_way(w) => ("STATE ROUTE", 2),
        ["SR" | "SH", ..] => ("STATE ROUTE", 1),
        // Often misspelled so.
        ["COUNTRY", w, number, ..] if is_way(w) && starts_with_digit(number) => (of_county(w), 2),
        ["COUNTY" | "CO" | "CNTY" | "CTY", "TRUNK", w, ..] if is_way(w) => ("COUNTY HIGHWAY", 3),
        ["COUNTY" | "CO" | "CNTY" | "CTY", w, ..] if is_way(w) => (of_county(w), 2),
        [county, "COUNTY", w, number, ..]
            if is_way(w) && starts_with_digit(number) && direction(county).is_none() && *county != "OLD" =>
        {
            return Some((format!("{county} {} {number}", of_county(w)), 4));
        }
        ["CITY", w, number, ..] if is_way(w) && starts_with_digit(number) => ("CITY HIGHWAY", 2),
        ["CTH", ..] => ("COUNTY HIGHWAY", 1),
        ["CR", ..] => ("COUNTY ROAD", 1),
        ["INTERSTATE" | "I" | "IH", w, ..] if is_way(w) => ("INTERSTATE", 2),
        ["INTERSTATE" | "I" | "IH", ..] => ("INTERSTATE", 1),
        ["FARM", "TO", "MARKET", w, ..] if is_way(w) => ("FM", 4),
        ["FARM", "TO", "MARKET", ..] => ("FM", 3),
        ["FM", w, ..] if is_way(w) => ("FM", 2),
        ["FM", ..] => ("FM", 1),
        ["RANCH", "TO", "MARKET", w, ..] if is_way(w) => ("RM", 4),
        ["RANCH", "TO", "MARKET", ..] => ("RM", 3),
        ["RM", w, ..] if is_way(w) => ("RM", 2),
        ["RM", ..] => ("RM", 1),
        ["TOWNSHIP" | "TWP", w, ..] if is_way(w) => ("TOWNSHIP ROAD", 2),
        ["FOREST", w, ..] if is_way(w) => ("FOREST ROAD", 2),
        ["FARM", w, ..] if is_way(w) => ("FARM ROAD", 2),
        // As its signs have it.
        ["RANCH", w, ..] if is_way(w) => ("RR", 2),
        ["PRIVATE", w, ..] if is_way(w) => ("PRIVATE ROAD", 2),
        ["PR", ..] => ("PRIVATE ROAD", 1),
        ["STATE", "LOOP", ..] => ("LOOP", 2),
        ["LOOP" | "LP", number, ..] if starts_with_digit(number) => ("LOOP", 1),
        [older @ ("OLD" | "SCENIC"), rest @ ..] => {
            let (name, used) = highway(rest)?;
            return Some((format!("{older} {name}"), used + 1));
        }
        // `Business US 70` is `US 70 Business`.
        [course, rest @ ..] if course_of(course).is_some() => {
            let (name, used) = highway(rest)?;
            return Some((format!("{name} {}", course_of(course)?), used + 1));
        }
        ["HIGHWAY" | "HWY" | "ROUTE" | "RTE" | "RT", ..] => ("ROUTE", 1),
        [state, w, ..] if is_state(state) && is_way(w) => ("STATE ROUTE", 2),
        // `NH-120`
        [state, number] | [state, number, _]
            if is_state(state)
                && direction(state).is_none()
                && starts_with_digit(number)
                && words.get(2).is_none_or(|w| direction(w).is_some()) =>
        {
            ("STATE ROUTE", 1)
        }
        // `TX 46 Boerne`
        [state, number, ..]
            if is_state(state)
                && direction(state).is_none()
                && suffix(state).is_none()
                && *state != "LA"
                && number.len() < 5
                && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            ("STATE ROUTE", 1)
        }
        [state, w, ..] if is_long_way(w) && state_by_name(state).is_some() => ("STATE ROUTE", 2),
        [a, b, w, ..] if is_long_way(w) && state_by_name(&format!("{a} {b}")).is_some() => ("STATE ROUTE", 3),
        ["A1A", ..] => return Some(("ROUTE A1A".to_owned(), 1)),
        [glued, ..] => {
            let at = glued.find(|c: char| c.is_ascii_digit())?;
            let kind = match &glued[..at] {
                "I" | "IH" => "INTERSTATE",
                "SR" | "SH" => "STATE ROUTE",
                "CR" => "COUNTY ROAD",
                "CTH" => "COUNTY HIGHWAY",
                "US" => "US HIGHWAY",
                "FM" => "FM",
                "RM" => "RM",
                _ => return None,
            };
            let (half, used) = fraction_behind(words, 1);
            return Some((format!("{kind} {}{half}", &glued[at..]), used));
        }
        [] => return None,
    };
    let skip = usize::from(matches!(words.get(used), Some(&("NO" | "NUMBER" | "#"))));
    // `US Business 70`
    let course = words.get(used + skip).and_then(|w| course_of(w));
    let skip = skip + usize::from(course.is_some());
    let number = words.get(used + skip)?;
    let digits_first = number.starts_with(|c: char| c.is_ascii_digit());
    // Counties letter their roads (`County Road Y`), so does Missouri (`Route Z`, `Highway KK`).
    let alike = number.bytes().all(|b| number.starts_with(char::from(b)));
    let letters = (number.len() <= 2 || number.len() == 3 && alike) && number.bytes().all(|b| b.is_ascii_uppercase());
    let is_a1a = *number == "A1A" && matches!(kind, "ROUTE" | "STATE ROUTE");
    let kind = if is_a1a { "ROUTE" } else { kind };
    let lettered = letters
        && match kind {
            "COUNTY ROAD" | "COUNTY HIGHWAY" | "COUNTY ROUTE" => true,
            "ROUTE" | "STATE ROUTE" => alike && direction(number).is_none(),
            _ => false,
        }
        || is_a1a;
    let (half, end) = fraction_behind(words, used + skip + 1);
    // `US 401 Hwy`
    let behind = words.get(end).and_then(|w| suffix(w)).is_some_and(|s| s.short == "HWY");
    let again = usize::from(behind && matches!(kind, "US HIGHWAY" | "ROUTE" | "STATE ROUTE"));
    // `FM 1960 Rd`
    let road = words.get(end).and_then(|w| suffix(w)).is_some_and(|s| s.short == "RD");
    let again = again + usize::from(road && matches!(kind, "FM" | "RM" | "RR"));
    // `4-A`
    let number = match number.rsplit_once('-') {
        Some((_, letter)) if letter.bytes().all(|b| b.is_ascii_alphabetic()) => number.replace('-', ""),
        _ => (*number).to_owned(),
    };
    // `Hwy 6 & 50`: one road with two numbers.
    if let ["AND", second, ..] = &words[end..]
        && digits_first
        && second.bytes().all(|b| b.is_ascii_digit())
    {
        return Some((format!("{kind} {number} AND {second}"), end + 2));
    }
    let behind = course.map(|course| format!(" {course}")).unwrap_or_default();
    let is_number = digits_first && !is_ordinal(&number) || lettered;
    is_number.then(|| (format!("{kind} {number}{half}{behind}"), end + again))
}

/// The half behind the number of a road, and how many words the road takes with it: `County Road 12 1/2`.
fn fraction_behind(words: &[&str], end: usize) -> (String, usize) {
    match words.get(end).filter(|word| is_fraction(word)) {
        Some(half) => (format!(" {half}"), end + 1),
        None => (String::new(), end),
    }
}

/// The word that says that a numbered road takes another course than usual, written out.
fn course_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "BUSINESS" | "BUS" | "BSN" | "BSNSS" => "BUSINESS",
        "BYPASS" | "BYP" => "BYPASS",
        "ALT" | "ALTERNATE" => "ALTERNATE",
        _ => return None,
    })
}

fn starts_with_digit(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// How many words at the front say that a numbered road takes another course than usual: `ALT`, `BUS RTE`.
pub(crate) fn other_course(words: &[&str]) -> Option<usize> {
    let (_, rest) = words.split_first().filter(|(word, _)| course_of(word).is_some())?;
    let way = rest.first().and_then(|w| suffix(w)).is_some_and(|s| matches!(s.short, "HWY" | "RTE"));
    Some(1 + usize::from(way || rest.first() == Some(&"RT")))
}

fn finish_highway(predir: &str, mut name: String, rest: &[&str]) -> Street {
    let mut postdir = "";
    let mut rest = rest.to_vec();
    // `US 117 South Alt Hwy`, `US 18 Business Rte W`
    if let Some((found, _)) = rest.first().and_then(|w| direction(w)).filter(|_| other_course(&rest[1..]).is_some()) {
        postdir = found;
        rest.remove(0);
    }
    if let Some(2) = other_course(&rest) {
        rest.remove(1);
    }
    if let Some((found, _)) = rest.last().and_then(|w| direction(w)).filter(|_| postdir.is_empty()) {
        postdir = found;
        rest.pop();
    }
    // `60E`: the direction sticks to the number.
    if postdir.is_empty()
        && rest.is_empty()
        && let Some(found) = name.get(name.len() - 1..).and_then(direction).map(|(d, _)| d)
        && name[..name.len() - 1].ends_with(|c: char| c.is_ascii_digit())
    {
        name.pop();
        postdir = found;
    }
    for word in rest {
        name.push(' ');
        name.push_str(course_of(word).unwrap_or_else(|| suffix(word).map_or(word, |s| s.long)));
    }
    Street { predir: predir.into(), name, suffix: String::new(), postdir: postdir.into() }
}

/// The name in its one spelling: ordinals in digits, saints, mounts and forts spelled, as are suffix words
/// that are not the last.
pub fn name_of(words: &[&str]) -> String {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    // `Northwest Pkwy`, but `N St` is a letter's.
    if let [turn] = words
        && turn.len() == 2
        && let Some((short, true)) = direction(turn)
    {
        return direction_long(short).to_owned();
    }
    let mut i = 0;
    if let [way, _, ..] = words
        && let Some(way) = spanish_way(way)
    {
        out.push(way.to_owned());
        i = 1;
    }
    while let Some(&word) = words.get(i) {
        let next = words.get(i + 1).copied();
        i += 1;
        if let Some(number) = tens(word).zip(next.and_then(ordinal_unit)).filter(|(_, unit)| *unit < 10) {
            out.push(ordinal(number.0 + number.1));
            i += 1;
            continue;
        }
        if let Some(number) = ordinal_unit(word) {
            out.push(ordinal(number));
            continue;
        }
        // `2900 E` Road
        let numbered = out.last().is_some_and(|w| w.bytes().all(|b| b.is_ascii_digit()));
        let spelled = match (word, next) {
            ("ST", Some(_)) => "SAINT",
            ("DR", Some(_)) if out.is_empty() => "DOCTOR",
            ("HARBOUR", _) => "HARBOR",
            ("CENTRE", _) => "CENTER",
            ("JUNIOR", _) => "JR",
            ("ML", Some("KING")) => "MLK",
            ("M", Some("L")) if words.get(i + 1) == Some(&"KING") => "MLK",
            ("VIA" | "IS" | "UN" | "PR" | "EST", _) => word,
            _ => match (direction(word), suffix(word)) {
                (Some((short, true)), _) if next.is_some() || numbered => direction_long(short),
                (_, Some(found)) if found.short == word => found.long,
                _ => word,
            },
        };
        if spelled == "MLK" {
            i += match word {
                "M" => 2,
                "ML" => 1,
                _ => 0,
            };
            out.extend(["MARTIN", "LUTHER", "KING"].map(String::from));
            continue;
        }
        let plain = if is_ordinal(spelled) { spelled.trim_start_matches('0') } else { spelled };
        out.push(plain.to_owned());
    }
    if let Some(at) = out.windows(3).position(|w| w == ["MARTIN", "LUTHER", "KING"]) {
        // `Dr MLK Jr Blvd`: titles come and go.
        let titles = |w: &String| matches!(w.as_str(), "DOCTOR" | "REV" | "REVEREND" | "JR");
        let before = out[..at].iter().rev().take_while(|w| titles(w)).count();
        let after = out[at + 3..].iter().take_while(|w| titles(w)).count();
        out.drain(at + 3..at + 3 + after);
        out.drain(at - before..at);
    }
    out.join(" ")
}

/// The type that a Spanish name begins with, in its one spelling.
fn spanish_way(word: &str) -> Option<&'static str> {
    Some(match word {
        // `AVE` is an avenue too, whichever language it is in.
        "AVENIDA" | "AVDA" => "AVENUE",
        "CLL" => "CALLE",
        "CMT" => "CAMINITO",
        "CARR" => "CARRETERA",
        "PSO" => "PASEO",
        "BULEVAR" => "BOULEVARD",
        _ => return None,
    })
}

/// The words of a street, without those that stand for a number sign.
pub(crate) fn street_words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(|t| t.word.as_str()).filter(|w| *w != "#").collect()
}
