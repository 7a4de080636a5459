//! Lines whose parts come in another order than usual: the number behind the street, the ZIP before the town.

use crate::number::{is_spanish_way, number_length};
use crate::street::{box_or_route, highway};
use crate::street_end::strong_suffix;
use crate::tables::direction;
use crate::token::{Token, is_house_number, segments, words};

/// The line in the usual order, or none where it has that already.
pub(crate) fn usual_order(line: &str) -> Option<String> {
    let parts = segments(line);
    zip_last(&parts).or_else(|| number_first(&parts))
}

/// `James Street 5112, Chesapeake`: behind the street's suffix, and its direction, stands the number.
fn number_first(parts: &[Vec<Token>]) -> Option<String> {
    let (first, others) = parts.split_first()?;
    let all = words(first);
    if number_length(&all) > 0 || highway(&all).is_some() || box_or_route(&all).is_some() {
        return None;
    }
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && is_house_number(word);
    let (street, at) = match behind_a_spanish_street(&all) {
        Some(at) => (at - usize::from(all[at - 1] == "#"), at),
        None => {
            let at = strong_suffix(&all, 1)? + 1;
            let at = at + usize::from(all.get(at).is_some_and(|word| direction(word).is_some()));
            (at, at)
        }
    };
    all.get(at).filter(|word| is_number(word))?;
    let number_first = [&first[at..=at], &first[..street], &first[at + 1..]].concat();
    Some(text(std::iter::once(&number_first).chain(others)))
}

/// Where the number is behind a street that begins with its type: `Calle Luna #14`, `Calle 5 14`.
fn behind_a_spanish_street(words: &[&str]) -> Option<usize> {
    // `Ave A 12` may be in English.
    let is_way = words.first().is_some_and(|word| is_spanish_way(word) && *word != "AVE");
    let last = words.len().checked_sub(1).filter(|last| is_way && *last > 1)?;
    is_house_number(words[last]).then_some(last)
}

/// `23322 Chesapeake VA, 5112 James Street`, `23322, 5112 James Street, Chesapeake, VA`.
fn zip_last(parts: &[Vec<Token>]) -> Option<String> {
    let [first, street, others @ ..] = parts else { return None };
    let (zip, town) = first.split_first()?;
    let is_zip = |word: &str| word.len() == 5 && word.bytes().all(|b| b.is_ascii_digit());
    let ends_with_zip = parts.last().and_then(|part| part.last()).is_some_and(|last| is_zip(&last.word));
    if !is_zip(&zip.word) || ends_with_zip || number_length(&words(street)) == 0 {
        return None;
    }
    let town = town.to_vec();
    let zip = vec![zip.clone()];
    let filled = [&town, &zip].into_iter().filter(|part| !part.is_empty());
    Some(text(std::iter::once(street).chain(others).chain(filled)))
}

fn text<'a>(parts: impl Iterator<Item = &'a Vec<Token>>) -> String {
    let part = |tokens: &Vec<Token>| tokens.iter().map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ");
    parts.map(part).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::usual_order;

    #[test]
    fn the_number_comes_before_the_street_and_the_zip_at_the_end() {
        for (line, usual) in [
            ("James Street 5112, Chesapeake, VA 23322", "5112 James Street, Chesapeake, VA 23322"),
            ("Peachtree St NE 12 Unit 3, Atlanta, GA", "12 Peachtree St NE Unit 3, Atlanta, GA"),
            ("5th Street 14, Harrow, NH", "14 5th Street, Harrow, NH"),
            ("Calle Luna #14, San Juan, PR", "14 Calle Luna, San Juan, PR"),
            ("Calle Luna 14, San Juan, PR", "14 Calle Luna, San Juan, PR"),
            ("Calle 5 14, San Juan, PR", "14 Calle 5, San Juan, PR"),
            ("23322 Chesapeake VA, 5112 James Street", "5112 James Street, Chesapeake VA, 23322"),
            ("23322, 5112 James Street, Chesapeake, VA", "5112 James Street, Chesapeake, VA, 23322"),
        ] {
            assert_eq!(usual_order(line).as_deref(), Some(usual), "{line}");
        }
        for line in [
            "5112 James Street, Chesapeake, VA 23322",
            "County Road 12, Harrow, NH",
            "Calle 5, San Juan, PR",
            "PO Box 14, Harrow, NH",
            "12345 Main Street, Chesapeake, VA 23322",
            "James Street, Chesapeake, VA 23322",
            "",
        ] {
            assert_eq!(usual_order(line), None, "{line}");
        }
    }
}
