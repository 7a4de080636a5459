//! One-line addresses: which words are the street, the unit, the town, the state and the ZIP.

use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};

use crate::apart_direction::join_directions;
use crate::behind_name::{is_numbered_floor, is_spelled_street, number_within};
use crate::city::city_of;
use crate::extra_parts::{
    begin_at_box, building_before_a_town, department_alone, drop_behind_zip, drop_boxes, drop_recipients,
    drop_telephone, is_letter_before_a_town, is_numbered_building, is_numbered_name, is_town_alone, leading_place,
    letter_of_unit, lettered_unit_first, names_a_building, names_a_town, number_behind_a_building,
    numbers_before_a_town, street_before_a_building, unit_behind_zip,
};
use crate::normalized::Normalized;
use crate::number::{number_length, number_of, spelled};
use crate::number_cell::unit_behind_number;
use crate::place::{begins_a_place, is_puerto_rico, may_be_a_place, place_behind_a_street, place_of};
use crate::region::{drop_country, state_before_town, take_state, take_zip};
use crate::street::{box_or_route, highway, parse_street, street_words};
use crate::street_end::{bare_unit, street_length, strong_suffix, town_length};
use crate::street_line::take_unit;
use crate::tables::{direction, suffix, zip_fits_state};
use crate::token::{Token, has_digit, is_house_number, segments, words};
use crate::turns::Turns;
use crate::unit::{UnitSpan, find_unit, is_unit, is_wing, leading_unit, unit_before_number, unit_of};

/// A line taken apart: in its normal form, and as it was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParsedLine {
    pub normalized: Normalized,
    pub street_number: String,
    /// The street with its unit.
    pub street_address: String,
    pub city: String,
    pub state: Option<State>,
    pub zip: Option<Zip>,
    /// The directions that are in number, street and a town that no comma parts from them.
    pub(crate) turns: Turns,
    /// Whether a comma parts the town from the street.
    pub(crate) town_apart: bool,
}

impl ParsedLine {
    /// Whether a comma parts the town from the street.
    pub fn town_is_apart(&self) -> bool {
        self.town_apart
    }

    /// The five parts, when the line has them all.
    pub fn address(&self) -> Option<Address> {
        (!self.street_address.is_empty() && !self.city.is_empty()).then_some(())?;
        Some(Address {
            street_number: self.street_number.clone(),
            street_address: self.street_address.clone(),
            city: self.city.clone(),
            state: self.state?,
            zip: self.zip?,
        })
    }
}

impl Normalized {
    pub fn from_input(input: &AddressInput) -> Self {
        match input {
            AddressInput::Parts(address) => Self::from_parts(address),
            AddressInput::Line(line) => parse_line(line).normalized,
        }
    }
}

/// Reads a one-line address. City, state and ZIP may be missing; anything else gives what could be read.
pub fn parse_line(line: &str) -> ParsedLine {
    parse_way(line, Way::default()).0
}

/// Reads the line of a table whose town or state is known from elsewhere. Where the line says them too they may come
/// at its end: `45 ST SAUVEUR CT` of New Hampshire is no address in Connecticut.
pub fn parse_line_in(line: &str, city: &str, state: State) -> ParsedLine {
    let line = line.trim().trim_end_matches(',');
    let cut = |text: &str, end: &str| -> Option<String> {
        let at = text.len().checked_sub(end.len()).filter(|at| text.is_char_boundary(*at) && !end.is_empty())?;
        let (before, last) = text.split_at(at);
        let apart = before.ends_with([' ', ',']) && last.eq_ignore_ascii_case(end);
        apart.then(|| before.trim_end_matches([' ', ',']).to_owned())
    };
    let mut rest = line.to_owned();
    let mut zip = String::new();
    let last = rest.rsplit([' ', ',']).next().unwrap_or_default().to_owned();
    if last.len() >= 5
        && Zip::parse(last.split('-').next().unwrap_or_default())
            .is_some_and(|zip| zip_fits_state(zip.as_str(), state.as_str()))
        && let Some(before) = cut(&rest, &last)
    {
        (rest, zip) = (before, last);
    }
    let is_road = suffix(state.as_str()).is_some();
    if let Some(before) = cut(&rest, state.as_str())
        && (!is_road || !zip.is_empty() || rest.contains(',') || cut(&before, city).is_some())
    {
        rest = before;
    }
    if city.is_empty() {
        return parse_line(&format!("{rest}, {state} {zip}"));
    }
    // `12 Harrow` may be the street Harrow; behind a street the town is the town.
    if let Some(before) = cut(&rest, city)
        && before.split_whitespace().count() > 2
    {
        rest = before;
    }
    parse_line(&format!("{rest}, {city}, {state} {zip}"))
}

/// Of so many words, so many were taken for the street, the rest for the town.
pub(crate) struct Guess {
    pub street: usize,
    pub words: usize,
}

/// A way to read a line that may be read in several.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Way {
    /// So many words are the street of a line without commas.
    pub street: Option<usize>,
    /// A letter behind the house number is a word of the street.
    pub letter_of_street: bool,
    /// A word behind the house number that may begin a street is a unit: `22 Front Elm St`.
    pub unit_behind_number: bool,
    /// Two numbers at the front are one: `75 07 32nd Ave`.
    pub two_numbers: bool,
}

pub(crate) fn parse_way(line: &str, way: Way) -> (ParsedLine, Option<Guess>) {
    let mut parts = segments(line);
    drop_telephone(&mut parts);
    drop_country(&mut parts);
    unit_behind_zip(&mut parts);
    if let Some(last) = parts.last_mut() {
        drop_behind_zip(last);
    }
    let before_region = parts.len();
    let zip = take_zip(&mut parts);
    let mut state = take_state(&mut parts, zip);
    let behind_comma = parts.len() < before_region;
    let known_region = zip.is_some() || state.is_some();
    if state.is_none()
        && let Some(last) = parts.get_mut(1..).and_then(<[_]>::last_mut)
    {
        state = state_before_town(last, zip);
    }
    let in_puerto_rico = is_puerto_rico(state, zip.as_ref());
    let mut place = leading_place(&mut parts, in_puerto_rico);
    let mut unit = begin_at_number(&mut parts);
    join_directions(&mut parts);
    let numbered = parts.first().is_some_and(|p| number_length(&words(p)) > 0);
    if !numbered {
        unit.extend(begin_at_box(&mut parts));
    }
    if numbered || parts.first().is_some_and(|part| box_or_route(&words(part)).is_some()) {
        drop_recipients(&mut parts, known_region);
    }
    if numbered {
        for (at, part) in parts.iter_mut().enumerate() {
            drop_boxes(part, if at == 0 { 2 } else { 0 });
        }
    }
    let mut city: Vec<Token> = Vec::new();
    let is_county = |t: &Token| matches!(&*t.word, "COUNTY" | "PARISH");
    let names_its_town =
        || known_region && strong_suffix(&words(&parts[0]), 2).is_some_and(|at| at + 1 < parts[0].len());
    let last = parts.len().saturating_sub(1);
    for (at, part) in parts.iter().enumerate().skip(1) {
        let all = words(part);
        // `Suite 100 Marietta`
        let used = if is_unit(&all) || at < last && (is_announced(&all) || is_wing(&all)) {
            part.len()
        } else {
            leading_unit(&all)
        };
        unit.extend(part[..used].iter().cloned());
        let rest = &part[used..];
        match find_unit(&words(rest)).filter(|u| u.end == rest.len()) {
            // `Tower Place Ste 16`
            Some(span) if unit.is_empty() => unit.extend(rest[span.start..].iter().cloned()),
            _ if rest.is_empty() => {}
            // `14 Alder Ct, Fenwick Tower, Suite 6`
            _ if !known_region
                && at < last
                && is_unit(&words(&parts[at + 1]))
                && rest.iter().any(|t| names_a_building(&t.word)) => {}
            // `Reno, Washoe County`, `14 Alder St Reno, Washoe County`
            _ if (!city.is_empty() || names_its_town()) && rest.last().is_some_and(is_county) => {}
            // `16 Elm St, Willow Estates, Harrow, OH`
            _ => {
                let before = std::mem::replace(&mut city, rest.to_vec());
                place.extend(if known_region && may_be_a_place(&before) { before } else { Vec::new() });
            }
        }
    }
    let town_apart = !city.is_empty();
    let mut first = parts.into_iter().next().unwrap_or_default();
    let mut number_len = number_length(&words(&first));
    if number_len == 0 {
        number_len = usize::from(spelled(&words(&first)).is_some());
    }
    let digits = |t: &Token| t.word.bytes().all(|b| b.is_ascii_digit());
    if number_len == 2 && way.letter_of_street && !digits(&first[1]) {
        number_len = 1;
    }
    if number_len == 1 && way.two_numbers && first.iter().take(3).filter(|t| has_digit(&t.word)).count() > 1 {
        number_len += usize::from(first.len() > 2 && digits(&first[0]) && digits(&first[1]));
    }
    if number_len == 0 && known_region {
        let department = department_alone(&words(&first));
        unit.extend(first.drain(..department));
        if department > 0 && city.is_empty() {
            city = std::mem::take(&mut first);
        }
    }
    let nothing_else = number_len == 0 && city.is_empty() && unit.is_empty();
    if nothing_else && known_region && behind_comma && is_town_alone(&words(&first)) {
        city = std::mem::take(&mut first);
    }
    let mut street = first.split_off(number_len);
    if let ["#", id, ..] = words(&street).as_slice()
        && id.len() <= 3
        && strong_suffix(&words(&street), 3).is_some()
        && numbered
    {
        // `6910 # G Mary Caroline Circle`
        unit.extend(street.drain(..2));
    }
    if numbered {
        // `26 Bldg 2 Elm St`
        let used = unit_behind_number(&street, way.unit_behind_number);
        unit.extend(street.drain(..used));
    }
    let mut guess = None;
    let number = first;
    let boxed = box_or_route(&words(&street)).map(|(_, used)| used);
    if let Some(at) = place_behind_a_street(&words(&street), in_puerto_rico).filter(|_| boxed.is_none()) {
        let mut named = street.split_off(at);
        if !town_apart && known_region {
            city = named.split_off(named.len() - town_length(&words(&named), 1));
        }
        place.extend(named);
    }
    if !city.is_empty() {
        let beside = take_unit(&mut street);
        unit.splice(0..0, beside.unit);
        place.splice(0..0, beside.place);
    } else if let Some(UnitSpan { start, end }) = find_unit(&words(&street)).filter(|_| boxed.is_none()) {
        let after = street.split_off(end);
        let inline = street.split_off(start);
        place.splice(0..0, street.split_off(street_before_a_building(&words(&street))));
        unit.splice(0..0, inline);
        // `Unit 2 East`, `Unit 8 E San Francisco`
        let turned = after.len() == 1 && state.is_none() && direction(&after[0].word).is_some();
        if turned {
            unit.extend(after)
        } else {
            city = after
        }
        unit.extend(letter_of_unit(&mut city));
    } else {
        let all = street.len();
        let length = || street_length(&words(&street), known_region, state.is_some());
        let end = way.street.unwrap_or_else(length).min(street.len());
        city = street.split_off(end);
        guess = boxed.is_none().then_some(Guess { street: end, words: all });
        if let [id, rest @ ..] = city.as_slice()
            && has_digit(&id.word)
            && unit.is_empty()
        {
            // `14 Alder Ct 3`
            unit.push(id.clone());
            city = rest.to_vec();
        }
    }
    if let [turn, _, ..] = city.as_slice()
        && turn.word.len() == 2
        && direction(&turn.word).is_some_and(|(_, short)| short)
        && !unit.is_empty()
        && street.len() > 1
        && street.last().and_then(|t| suffix(&t.word)).is_some_and(|s| s.strong)
    {
        // `Main St Suite 200 NW Atlanta`
        street.push(city.remove(0));
    }
    if known_region {
        state = state.or_else(|| state_before_town(&mut city, zip));
        let building = building_before_a_town(&words(&city));
        place.extend(city.drain(..building));
        if city.first().is_some_and(|t| begins_a_place(&t.word, in_puerto_rico)) && city.len() > 2 {
            // `123 Calle 5, Urb Las Lomas Ponce, PR`
            let town = city.split_off(city.len() - town_length(&words(&city), 1));
            place.extend(std::mem::replace(&mut city, town));
        }
        let cut = city.first().is_some_and(|t| matches!(&*t.word, "APT" | "UNIT" | "STE" | "SUITE")) && city.len() > 1;
        // `14 Alder Ct Apt Portland` lost its number.
        city.drain(..usize::from(cut && !has_digit(&city[1].word)));
        if !number.is_empty() && is_letter_before_a_town(&words(&city)) {
            // `720 10th Ave SW A Mount Vernon`
            unit.push(city.remove(0));
        }
    }
    if !known_region && !unit.is_empty() && is_numbered_building(&words(&city)) {
        // `14 Alder Ct NE 400 Fenwick Square, Suite 6`
        city.clear();
    }
    let before_town = numbers_before_a_town(&words(&city));
    let letters = |t: &Token| t.word.len() <= 2 && t.word.bytes().all(|b| b.is_ascii_alphabetic());
    // `Lindsay ON K9V 2N3`: a town elsewhere is no unit, or a home of the same street here would answer.
    let is_elsewhere = !known_region && names_a_town(&words(&city[..before_town]));
    if before_town > 0 && !is_elsewhere && (!number.is_empty() || boxed.is_some()) {
        unit.extend(city.drain(..before_town));
        if let [turn] = city.as_slice()
            && !known_region
            && direction(&turn.word).is_some_and(|(_, short)| short)
        {
            // `14 Alder Ct, NE 3 SW`
            unit.append(&mut city);
        }
    } else if !known_region && city.len() <= 2 && city.iter().all(letters) {
        // `3850 Hudson Manor Terrace EE`
        unit.append(&mut city);
    }
    if unit.is_empty() && boxed.is_none() {
        unit = street.split_off(street.len() - bare_unit(&words(&street)));
    }
    let street_parts = parse_street(&street_words(&street));
    let number_of_house = number_of(&words(&number));
    let mut turns = Turns::of_number(&number_of_house).and(Turns::of(street.iter()));
    if !town_apart {
        turns.add(&city);
    }
    // `Apt 5 N`
    let of_unit = unit.iter().rev().take_while(|t| direction(&t.word).is_some()).count();
    turns.add(if unit.iter().any(|t| has_digit(&t.word)) { &unit[unit.len() - of_unit..] } else { &[] });
    let city_name = city_of(&words(&city));
    let mut place_name = place_of(&words(&place));
    if place_name == city_name || street_parts.name.is_empty() {
        (place, place_name) = (Vec::new(), String::new());
    }
    let normalized = Normalized {
        number: number_of_house,
        predir: street_parts.predir,
        name: street_parts.name,
        suffix: street_parts.suffix,
        postdir: street_parts.postdir,
        unit: unit_of(&words(&unit)),
        place: place_name,
        city: city_name,
        state,
        // A ZIP of zeros says that nobody knew it.
        zip: zip.filter(Zip::is_known),
    };
    if let [only] = unit.as_slice()
        && has_digit(&only.word)
    {
        // Written out, a bare id would be read as more of the street.
        street.push(Token { word: "#".into(), raw: "#".into() });
    }
    street.extend(unit);
    let (street_number, mut street_address, city) = (raw(&number), raw(&street), raw(&city));
    if !place.is_empty() {
        street_address = format!("{street_address}, {}", raw(&place));
    }
    (ParsedLine { normalized, street_number, street_address, city, state, zip, turns, town_apart }, guess)
}

fn raw(tokens: &[Token]) -> String {
    tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
}

/// Makes the first part begin with the house number, if there is one: drops a name or a building before it, and
/// gives the unit that precedes it.
fn begin_at_number(parts: &mut Vec<Vec<Token>>) -> Vec<Token> {
    let mut unit = Vec::new();
    let number_alone = |part: &[Token]| part.len() == 1 && is_house_number(&part[0].word);
    if parts.len() > 1 && number_alone(&parts[0]) {
        let second = parts.remove(1);
        parts[0].extend(second);
        return unit;
    }
    let has_number = |part: &[Token]| number_length(&words(part)) > 0;
    unit.extend(lettered_unit_first(parts));
    let Some(first) = parts.first_mut() else { return unit };
    let turns = first.iter().take(2).take_while(|t| direction(&t.word).is_some()).count();
    if turns > 0
        && !has_number(first)
        && first.get(turns).is_some_and(|t| has_digit(&t.word))
        && has_number(&first[turns..])
    {
        // `N 14 Alder Ct`
        let number = number_length(&words(&first[turns..]));
        first[..turns + number].rotate_left(turns);
    }
    if (1..first.len()).contains(&department_alone(&words(first))) {
        return unit;
    }
    let before = unit_before_number(&words(first), |w| number_length(w) > 0);
    if before > 0 {
        // `Apt 3 14 Alder Ct`
        unit.extend(first.drain(..before));
        return unit;
    }
    if first.len() > 2 && first[0].word == "#" {
        // `# 1 Pinto Dr`
        first.remove(0);
    }
    if let Some((_, used)) = box_or_route(&words(first)) {
        // `PO Box 55 100 Main St`
        let behind = words(&first[used..]);
        if number_length(&behind) > 0 && strong_suffix(&behind, 1).is_some() {
            first.drain(..used);
            return unit;
        }
    }
    if let Some(at) = number_behind_a_building(&words(first)).filter(|_| has_number(first)) {
        first.drain(..at);
        return unit;
    }
    let building = is_numbered_name(&words(first));
    if has_number(first) && !building {
        return unit;
    }
    if let Some(at) = number_within(&words(first)).filter(|_| !building) {
        let before: Vec<Token> = first.drain(..at).collect();
        let all = words(&before);
        let leading = leading_unit(&all);
        unit.extend_from_slice(&before[..leading]);
        // `Tower 10th Floor 312 Rosa Parks Ave`
        if let Some(span) = find_unit(&all).filter(|span| leading == 0 && span.end == all.len()) {
            unit.extend_from_slice(&before[span.start..]);
        } else if let [_, .., wing, id] = all.as_slice()
            && direction(wing).is_some()
            && id.bytes().all(|b| b.is_ascii_digit())
        {
            // `Portofino N 507 2600 N Alder Dr`
            unit.extend_from_slice(&before[before.len() - 2..]);
        } else if leading == 0 && is_numbered_floor(&all) {
            unit.extend(before[before.len() - 2..].iter().rev().cloned());
        }
        return unit;
    }
    // `Jane Roe, 14 Alder Ct, Portland`, `Apt 3, 14 Alder Ct, Portland`
    let street = (1..parts.len()).find(|at| {
        let all = words(&parts[*at]);
        let number = number_length(&all).max(usize::from(is_spelled_street(&all)));
        let street = number > 0 && number < all.len() && !is_unit(&all);
        street && (!building || strong_suffix(&all, 2).is_some())
    });
    if let Some(at) = street {
        unit.extend(parts.drain(..at).filter(|p| is_unit(&words(p))).flatten());
        return unit;
    }
    if building {
        return unit;
    }
    // `Jane Roe, MD 14 Alder Ct Portland`, `Attn Claims, 4th Floor 14 Alder Ct`
    let within = (1..parts.len()).find_map(|at| {
        let all = words(&parts[at]);
        let floors = unit_before_number(&all, |w| number_length(w) > 0);
        (floors > 0).then_some((at, floors)).or_else(|| number_within(&all).map(|start| (at, start)))
    });
    if let Some((at, start)) = within {
        parts.drain(..at);
        let before: Vec<Token> = parts[0].drain(..start).collect();
        if is_unit(&words(&before)) {
            unit.extend(before);
        }
    }
    unit
}

/// Whether a part between street and town is a unit of a kind that no list knows: `Hut 7`.
fn is_announced(words: &[&str]) -> bool {
    matches!(words, [.., kind, id] if words.len() <= 3 && has_digit(id) && !has_digit(kind))
        && highway(words).is_none()
        && box_or_route(words).is_none()
        && number_length(words) == 0
}
