//! Where the street of a cell ends that goes on with the town, the state or the ZIP of its row.

use shingle_address::tables::{direction, state_of_zip, suffix};
use shingle_domain::State;
use shingle_property::post_town;

use crate::format::cell;
use crate::row::situs::{self, split_line};

/// Town, state and ZIP as the other columns of a row have them.
#[derive(Clone, Copy)]
pub(crate) struct PlaceCells<'a> {
    pub city: &'a str,
    pub state: &'a str,
    pub zip: &'a str,
}

impl PlaceCells<'_> {
    /// Where the street ends in a line that begins with the house number; `None` where nothing follows it.
    pub fn end_of_line(self, line: &str) -> Option<usize> {
        let end = self.end(line)?;
        let (number, name) = split_line(line.get(..end)?);
        (!number.is_empty() && is_name(&name)).then_some(end)
    }

    /// The same in a cell that has the street alone.
    pub fn end_of_street(self, street: &str) -> Option<usize> {
        let end = self.end(street)?;
        is_name(street.get(..end)?).then_some(end)
    }

    fn end(self, line: &str) -> Option<usize> {
        let bare_end = bare(line);
        let five = self.zip.get(..5).unwrap_or_default();
        let last = line.get(..bare_end)?.rsplit([' ', ',']).next().unwrap_or_default();
        let with_four = Some(last).filter(|last| last.split_once('-').is_some_and(|(z, _)| z == five) && is_zip(last));
        let own_zip = with_four
            .and_then(|z| before(line, bare_end, z))
            .or_else(|| before(line, bare_end, self.zip))
            .or_else(|| before(line, bare_end, five));
        // Another ZIP than the row's, or the only one, is a ZIP where the town or the state is in front of it.
        let other_zip = || Some(last).filter(|last| is_zip(last)).and_then(|z| before(line, bare_end, z));
        let had_zip = own_zip.or_else(other_zip);
        let end = had_zip.unwrap_or(bare_end);
        let had_state = self.before_state(line, end);
        let had_town = had_state.and_then(|end| self.before_town(line, end)).or_else(|| self.before_town(line, end));
        match (had_town, had_state, had_zip) {
            (Some(street), state, zip) => {
                let has_comma = line.get(street..end)?.starts_with(',');
                let is_whole = state.is_some() || zip.is_some() || has_comma || ends_a_street(line.get(..street)?);
                is_whole.then_some(street)
            }
            (None, Some(street), Some(zip)) => {
                // `12 OAK CT 06001`: a court. Nobody leaves out the town and writes the state.
                let word = line.get(street..zip)?.trim_matches([' ', ',', '.']).to_uppercase();
                let is_street_type = suffix(&word).is_some() && !ends_a_street(line.get(..street)?);
                Some(if is_street_type { zip } else { street })
            }
            (None, None, Some(street)) if own_zip.is_some() => Some(street),
            (None, _, _) => None,
        }
    }

    /// Two letters, or a name of up to three words. `CT` is a court too: it is the state in front of a ZIP, or behind the
    /// town.
    fn before_state(self, line: &str, end: usize) -> Option<usize> {
        let by_zip = || State::parse(state_of_zip(situs::zip(self.zip)?.as_str())?);
        let code = cell::state(self.state).or_else(by_zip)?;
        let text = line.get(..end)?;
        let starts = text.rmatch_indices([' ', ',']).map(|(at, _)| at + 1).filter(|start| *start < end).take(3);
        starts.into_iter().find_map(|start| {
            let name = text.get(start..)?;
            before(line, end, name).filter(|_| cell::state(name) == Some(code))
        })
    }

    /// The town as the row has it, without the words that records put around it, or as mail for the ZIP has it.
    fn before_town(self, line: &str, end: usize) -> Option<usize> {
        let mailed = situs::zip(self.zip).as_ref().and_then(post_town);
        let plain = || plain_town(self.city).and_then(|town| before(line, end, &town));
        before(line, end, self.city).or_else(plain).or_else(|| before(line, end, mailed?))
    }
}

/// `CITY OF HARROW`, `HARROW TWP`: Harrow.
fn plain_town(city: &str) -> Option<String> {
    const KINDS: [&str; 9] = ["city", "town", "village", "township", "twp", "borough", "boro", "municipality", "cdp"];
    let is_kind = |word: &str| KINDS.iter().any(|kind| kind.eq_ignore_ascii_case(word.trim_end_matches('.')));
    let words = city.split(' ');
    if !words.clone().any(is_kind) {
        return None;
    }
    match words.collect::<Vec<_>>()[..] {
        [kind, of, ref name @ ..] if is_kind(kind) && of.eq_ignore_ascii_case("of") => Some(name.join(" ")),
        [ref name @ .., kind] if is_kind(kind) => Some(name.join(" ")),
        _ => None,
    }
}

fn bare(text: &str) -> usize {
    text.trim_end_matches([' ', ',', '.']).len()
}

/// Where the text ends that is before a word, with a space or a comma between.
fn before(line: &str, end: usize, word: &str) -> Option<usize> {
    let start = end.checked_sub(word.len()).filter(|start| !word.is_empty() && *start > 0)?;
    let is_there = line.get(start..end)?.eq_ignore_ascii_case(word);
    let text = line.get(..start)?;
    (is_there && text.ends_with([' ', ','])).then(|| bare(text))
}

/// `43099`, `43099-1234`
pub(crate) fn is_zip(word: &str) -> bool {
    let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    digits(word, 5) || word.split_once('-').is_some_and(|(five, four)| digits(five, 5) && digits(four, 4))
}

/// More than a direction or a type: `N HARROW` is a street of its own.
fn is_name(street: &str) -> bool {
    let has_letters = street.chars().any(char::is_alphabetic);
    let is_part = |word: &str| {
        let word = word.trim_end_matches('.').to_uppercase();
        suffix(&word).is_some() || direction(&word).is_some()
    };
    // `AVENUE E`, `NORTH ST`: two parts make a name.
    let mut words = street.split_whitespace();
    has_letters && (words.next().is_some_and(|word| !is_part(word)) || words.next().is_some())
}

fn ends_a_street(street: &str) -> bool {
    let last = street.rsplit(' ').next().unwrap_or_default().to_uppercase();
    suffix(&last).is_some() || direction(&last).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row<'a>(city: &'a str, state: &'a str, zip: &'a str) -> PlaceCells<'a> {
        PlaceCells { city, state, zip }
    }

    #[test]
    fn a_line_ends_where_the_columns_of_its_row_go_on() {
        for (line, state, street) in [
            ("10200 W ALDER AVE HARROW 43099", "OH", "10200 W ALDER AVE"),
            ("10200 W ALDER AVE HARROW OHIO", "OH", "10200 W ALDER AVE"),
            ("10200 W ALDER AVE HARROW NEW YORK 43099", "NY", "10200 W ALDER AVE"),
            ("10200 W ALDER AVE HARROW OH 43099", "OH", "10200 W ALDER AVE"),
            ("10200 W Alder Ave, Harrow, OH 43099", "OH", "10200 W Alder Ave"),
            ("10200 W ALDER AVE HARROW, OHIO 43099-1234", "Ohio", "10200 W ALDER AVE"),
            ("10200 W ALDER AVE HARROW OH 43098", "OH", "10200 W ALDER AVE"),
            ("10200 W ALDER AVE HARROW 43098-0001", "OH", "10200 W ALDER AVE"),
            ("10200 W ALDER AVE 43099", "OH", "10200 W ALDER AVE"),
            ("10200 W ALDER AVE HARROW", "OH", "10200 W ALDER AVE"),
            ("10200 ALDER AVE NE HARROW", "OH", "10200 ALDER AVE NE"),
            ("10 THE GREEN, HARROW", "OH", "10 THE GREEN"),
            ("10 OLD HARROW HARROW OH", "OH", "10 OLD HARROW"),
            ("10 OAK CT", "CT", "10 OAK CT"),
            ("10 OAK CT 43099", "CT", "10 OAK CT"),
            ("10 OAK ST CT 43099", "CT", "10 OAK ST"),
            ("10 OAK CT HARROW CT 43099", "CT", "10 OAK CT"),
            ("10 OLD HARROW", "OH", "10 OLD HARROW"),
            ("10 HARROW", "OH", "10 HARROW"),
            ("10 N HARROW", "OH", "10 N HARROW"),
            ("10 NEW HARROW RD", "OH", "10 NEW HARROW RD"),
            ("10 COUNTY ROAD 43098", "OH", "10 COUNTY ROAD 43098"),
            ("43099 ALDER AVE", "OH", "43099 ALDER AVE"),
            ("", "OH", ""),
        ] {
            let end = row("Harrow", state, "43099").end_of_line(line).unwrap_or(line.len());
            assert_eq!(&line[..end], street, "{line}");
        }
    }

    #[test]
    fn a_street_ends_where_the_columns_of_its_row_go_on() {
        for (cell, place, street) in [
            ("MAIN ST SPRINGFIELD IL 62701", row("SPRINGFIELD", "IL", "62701"), "MAIN ST"),
            ("MAIN ST SPRINGFIELD IL 62701", row("CITY OF SPRINGFIELD", "IL", "62701"), "MAIN ST"),
            ("MAIN ST SPRINGFIELD IL 62701", row("Springfield Township", "IL", "62701-1200"), "MAIN ST"),
            ("MAIN ST SPRINGFIELD IL 62701", row("", "IL", "62701"), "MAIN ST"),
            // The record's town is another than the one that mail is addressed to.
            ("MAIN ST SPRINGFIELD IL 62701", row("CAPITAL", "IL", "62701"), "MAIN ST"),
            ("MAIN ST SPRINGFIELD IL 62701", row("SPRINGFIELD", "IL", ""), "MAIN ST"),
            ("N 5TH ST, SPRINGFIELD, ILLINOIS", row("SPRINGFIELD", "IL", "62701"), "N 5TH ST"),
            ("BROADWAY SPRINGFIELD 62701", row("SPRINGFIELD", "IL", "62701"), "BROADWAY"),
            ("BROADWAY 62701-0400", row("SPRINGFIELD", "IL", "62701"), "BROADWAY"),
            ("MAIN ST APT 4 SPRINGFIELD IL 62701", row("SPRINGFIELD", "IL", "62701"), "MAIN ST APT 4"),
            ("E 3RD ST SPRINGFIELD", row("SPRINGFIELD", "IL", "62701"), "E 3RD ST"),
            ("AVENUE E SPRINGFIELD", row("SPRINGFIELD", "IL", "62701"), "AVENUE E"),
            ("SPRINGFIELD AVE", row("SPRINGFIELD", "IL", "62701"), "SPRINGFIELD AVE"),
            ("N SPRINGFIELD", row("SPRINGFIELD", "IL", "62701"), "N SPRINGFIELD"),
            ("OLD SPRINGFIELD", row("SPRINGFIELD", "IL", "62701"), "OLD SPRINGFIELD"),
            ("SPRINGFIELD", row("SPRINGFIELD", "IL", "62701"), "SPRINGFIELD"),
            ("OAK CT", row("AVON", "CT", "06001"), "OAK CT"),
            ("FM 62703", row("SPRINGFIELD", "IL", "62701"), "FM 62703"),
            ("62701", row("SPRINGFIELD", "IL", "62701"), "62701"),
        ] {
            let end = place.end_of_street(cell).unwrap_or(cell.len());
            assert_eq!(&cell[..end], street, "{cell}");
        }
    }
}
