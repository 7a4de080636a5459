//! The street itself: directions, name and suffix, and numbered roads.

use super::tables::{direction, direction_long, is_state, ordinal, ordinal_unit, suffix, tens};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Street {
    pub predir: String,
    pub name: String,
    pub suffix: String,
    pub postdir: String,
}

/// Takes the words of a street apart, without its house number and unit.
pub(crate) fn parse_street(words: &[&str]) -> Street {
    if let Some(name) = box_or_route(words) {
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
        && let Some(found) = rest.last().and_then(|w| suffix(w))
    {
        street_suffix = found.short;
        rest.pop();
        if postdir.is_empty() {
            // `Washington NE Pl`: the direction stands before the suffix.
            postdir = take_postdir(&mut rest);
        }
    }
    Street { predir: predir.into(), name: name_of(&rest), suffix: street_suffix.into(), postdir: postdir.into() }
}

/// `PO BOX 7`, `RR 2 BOX 9`.
fn box_or_route(words: &[&str]) -> Option<String> {
    match words {
        ["PO", "BOX", rest @ ..] | ["P", "O", "BOX", rest @ ..] | ["POBOX", rest @ ..] if !rest.is_empty() => {
            Some(format!("PO BOX {}", rest.join(" ")))
        }
        ["RR" | "RFD", rest @ ..] | ["RURAL", "ROUTE", rest @ ..] | ["R", "R", rest @ ..]
            if rest.first().is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            Some(format!("RR {}", rest.join(" ")))
        }
        _ => None,
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

/// A numbered road in its one spelling, and how many words it takes.
pub(crate) fn highway(words: &[&str]) -> Option<(String, usize)> {
    let is_way = |w: &str| matches!(suffix(w).map(|s| s.short), Some("HWY" | "RTE" | "RD")) || w == "RT";
    let (kind, used) = match words {
        ["US" | "USHWY", w, ..] if is_way(w) => ("US HIGHWAY", 2),
        ["US", ..] => ("US HIGHWAY", 1),
        ["U", "S", w, ..] if is_way(w) => ("US HIGHWAY", 3),
        ["U", "S", ..] => ("US HIGHWAY", 2),
        ["UNITED", "STATES", w, ..] if is_way(w) => ("US HIGHWAY", 3),
        ["STATE" | "ST", w, ..] if is_way(w) => ("STATE ROUTE", 2),
        ["SR" | "SH", ..] => ("STATE ROUTE", 1),
        ["COUNTY" | "CO" | "CNTY" | "CTY", "TRUNK", w, ..] if is_way(w) => ("COUNTY ROAD", 3),
        ["COUNTY" | "CO" | "CNTY" | "CTY", w, ..] if is_way(w) => ("COUNTY ROAD", 2),
        ["CR" | "CTH", ..] => ("COUNTY ROAD", 1),
        ["INTERSTATE" | "I" | "IH", w, ..] if is_way(w) => ("INTERSTATE", 2),
        ["INTERSTATE" | "I" | "IH", ..] => ("INTERSTATE", 1),
        ["FARM", "TO", "MARKET", w, ..] if is_way(w) => ("FM", 4),
        ["FARM", "TO", "MARKET", ..] => ("FM", 3),
        ["FM", w, ..] if is_way(w) => ("FM", 2),
        ["FM", ..] => ("FM", 1),
        ["RM", ..] => ("RM", 1),
        ["HIGHWAY" | "HWY", ..] => ("HIGHWAY", 1),
        ["ROUTE" | "RTE" | "RT", ..] => ("ROUTE", 1),
        [state, w, ..] if is_state(state) && is_way(w) => ("STATE ROUTE", 2),
        [glued, ..] => {
            let at = glued.find(|c: char| c.is_ascii_digit())?;
            let kind = match &glued[..at] {
                "I" | "IH" => "INTERSTATE",
                "SR" | "SH" => "STATE ROUTE",
                "CR" => "COUNTY ROAD",
                "US" => "US HIGHWAY",
                "FM" => "FM",
                _ => return None,
            };
            return Some((format!("{kind} {}", &glued[at..]), 1));
        }
        [] => return None,
    };
    let skip = usize::from(matches!(words.get(used), Some(&("NO" | "NUMBER" | "#"))));
    let number = words.get(used + skip)?;
    let digits_first = number.starts_with(|c: char| c.is_ascii_digit());
    // Counties also letter their roads: `County Road Y`.
    let lettered = kind == "COUNTY ROAD" && number.len() <= 2 && number.bytes().all(|b| b.is_ascii_uppercase());
    (digits_first && !super::token::is_ordinal(number) || lettered)
        .then(|| (format!("{kind} {number}"), used + skip + 1))
}

fn finish_highway(predir: &str, mut name: String, rest: &[&str]) -> Street {
    let mut postdir = "";
    let mut rest = rest;
    if let Some((last, before)) = rest.split_last()
        && let Some((found, _)) = direction(last)
    {
        postdir = found;
        rest = before;
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
        name.push_str(match *word {
            "BUS" | "BSN" => "BUSINESS",
            "BYP" => "BYPASS",
            "ALT" => "ALTERNATE",
            other => other,
        });
    }
    Street { predir: predir.into(), name, suffix: String::new(), postdir: postdir.into() }
}

/// The name in its one spelling: ordinals in digits, saints, mounts and forts spelled, as are suffix words
/// that are not the last.
pub(crate) fn name_of(words: &[&str]) -> String {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut i = 0;
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
        let spelled = match (word, next) {
            ("ST", Some(_)) => "SAINT",
            ("DR", Some(_)) if out.is_empty() => "DOCTOR",
            ("HARBOUR", _) => "HARBOR",
            ("CENTRE", _) => "CENTER",
            ("MLK", _) => "MARTIN LUTHER KING",
            ("JUNIOR", _) => "JR",
            ("VIA" | "IS" | "UN" | "PR" | "EST", _) => word,
            _ => match (direction(word), suffix(word)) {
                (Some((short, true)), _) if next.is_some() => direction_long(short),
                (_, Some(found)) if found.short == word => found.long,
                _ => word,
            },
        };
        let plain = if super::token::is_ordinal(spelled) { spelled.trim_start_matches('0') } else { spelled };
        out.push(plain.to_owned());
    }
    out.join(" ")
}
