//! Lines that can be read in several ways, and what a reading must not lose.

use crate::city::city_of;
use crate::line::{ParsedLine, Way, parse_line, parse_way};
use crate::normalized::Normalized;
use crate::reordered::usual_order;
use crate::tables::{direction, state_by_name};
use crate::turns::Turns;

/// Other ways to read a line: if no comma marks where the town begins, another place to cut it; where a letter
/// follows the number, as a word of the street; where a word like `Front` or a second number is there, as a unit
/// or as the end of a range; where the number follows the street or the ZIP before the town, in the usual order.
pub fn other_readings(line: &str) -> Vec<Normalized> {
    let (parsed, guess) = parse_way(line, Way::default());
    let mut readings: Vec<Normalized> = Vec::new();
    let read = |way: Way| parse_way(line, way).0.normalized;
    if parsed.street_number.contains(' ') {
        readings.push(read(Way { letter_of_street: true, ..Way::default() }));
    }
    if let Some(guess) = guess {
        let cuts = (1..guess.words.min(10)).filter(|cut| *cut != guess.street);
        readings.extend(cuts.map(|cut| read(Way { street: Some(cut), ..Way::default() })));
    }
    let more = [Way { unit_behind_number: true, ..Way::default() }, Way { two_numbers: true, ..Way::default() }];
    for reading in more.map(read) {
        if reading != parsed.normalized && !readings.contains(&reading) {
            readings.push(reading);
        }
    }
    if line.contains(['\n', '\r']) {
        // A line that was broken where it was full: `14 Alder\nCt, Harrow`.
        readings.push(parse_line(&line.replace(['\n', '\r'], " ")).normalized);
    }
    readings.extend(usual_order(line).map(|line| parse_line(&line).normalized));
    if parsed.state.is_none()
        && let Some(line) = with_code_of_state(line)
    {
        // `200 S 300 E Moab Utah`, `30 Broadway Harrow Ohio`: dictated, without commas.
        readings.push(parse_line(&line).normalized);
        readings.extend(other_readings(&line));
    }
    readings
}

/// The line with the code of the state that it ends with in full; `None` where it ends otherwise.
fn with_code_of_state(line: &str) -> Option<String> {
    let line = line.trim_end_matches(|c: char| !c.is_alphabetic());
    let starts = line.rmatch_indices(char::is_whitespace).map(|(at, space)| (at, at + space.len())).take(2);
    let mut named = starts.filter_map(|(end, start)| Some((end, state_by_name(&line.get(start..)?.to_uppercase())?)));
    named.next().map(|(end, code)| format!("{}, {code}", &line[..end]))
}

/// Whether an answer has none of a direction that was typed in number or street, or before a town that no comma parts from
/// them.
pub fn leaves_a_direction_out(parsed: &ParsedLine, answer: &Normalized) -> bool {
    let Normalized { number, predir, name, postdir, unit, city, .. } = answer;
    // The directions of a town behind a comma are not those of the street.
    let city = if parsed.town_apart { "" } else { city.as_str() };
    let has = [predir, name, postdir, unit, city]
        .into_iter()
        .fold(Turns::of_number(number), |all, text| all.and(Turns::of_text(text)));
    !parsed.turns.are_in(has)
}

/// The line with the direction that its town begins with as the street's: `14 Alder Cir East Harrow, NH`. `None` where the
/// town begins with none, or the street has one there.
pub fn with_direction_of_street(parsed: &ParsedLine) -> Option<Normalized> {
    let mut words = parsed.normalized.city.split(' ').peekable();
    let (first, _) = direction(words.next()?)?;
    let second = words.peek().and_then(|word| direction(word)).map_or("", |(short, _)| short);
    let turn = match (first, second) {
        ("N" | "S", "E" | "W") => format!("{first}{}", words.next().and(Some(second))?),
        _ => first.to_owned(),
    };
    let city = city_of(&words.collect::<Vec<_>>());
    let is_free = parsed.normalized.postdir.is_empty() && !parsed.normalized.name.is_empty() && !city.is_empty();
    is_free.then(|| Normalized { postdir: turn, city, ..parsed.normalized.clone() })
}
