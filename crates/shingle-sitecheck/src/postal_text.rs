//! An address or a phone number in the running text of a page.

use shingle_domain::Phone;

const STATES: [&str; 51] = [
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "DC", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA",
    "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR",
    "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY",
];
/// Words of street and town before the state.
const MAX_WORDS: usize = 12;
/// No phone number has more characters.
const MAX_NUMBER: usize = 24;
/// What stands before the number of a part of a building.
const PARTS: [&str; 7] = ["suite", "ste", "unit", "apt", "floor", "fl", "#"];

/// `5 Mill St, Portland, ME 04101`: a house number, a street, a town, a state and a ZIP, with nothing else between.
pub fn address_in(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (2..words.len()).find_map(|zip| {
        let state = words[zip - 1].trim_end_matches([',', '.']);
        if !is_zip(words[zip]) || !STATES.contains(&state) {
            return None;
        }
        let first = (zip - 1).saturating_sub(MAX_WORDS);
        let number = (first..zip - 1).rev().find(|at| is_house_number(&words, *at))?;
        // A street and a town: two words at least.
        if zip - 1 - number < 3 {
            return None;
        }
        let line = words[number..zip - 1].join(" ").replace(" ,", ",");
        let line = line.trim_end_matches(',');
        Some(format!("{line}, {state} {}", &words[zip][..5]))
    })
}

fn is_zip(word: &str) -> bool {
    let word = word.trim_end_matches([',', '.', ';']);
    let (zip, more) = word.split_once('-').unwrap_or((word, "0000"));
    let digits = |text: &str, count| text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(zip, 5) && digits(more, 4)
}

fn is_house_number(words: &[&str], at: usize) -> bool {
    let word = words[at];
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let letters = &word[digits..];
    let is_number =
        (1..=6).contains(&digits) && letters.len() <= 1 && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    let before = at.checked_sub(1).map(|before| words[before].trim_end_matches(['.', ',']).to_ascii_lowercase());
    let is_part = before.is_some_and(|before| PARTS.contains(&before.as_str()));
    let next =
        words.get(at + 1).is_some_and(|next| next.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric()));
    is_number && !is_part && next
}

/// The first number that people can call.
pub fn phone_in(text: &str) -> Option<Phone> {
    let bytes = text.as_bytes();
    (0..bytes.len()).filter(|at| is_start(bytes, *at)).find_map(|at| {
        let (rest, fits) =
            (&text[at..], |c: char| c.is_ascii_digit() || matches!(c, ' ' | '-' | '.' | '(' | ')' | '+'));
        let run: String = rest.chars().take(MAX_NUMBER).take_while(|c| fits(*c)).collect();
        let run = run.trim();
        let digits = run.bytes().filter(u8::is_ascii_digit).count();
        if (10..=11).contains(&digits) { Phone::parse_loosely(run) } else { None }
    })
}

/// A digit or bracket that begins a run of them.
fn is_start(bytes: &[u8], at: usize) -> bool {
    let begins = bytes[at].is_ascii_digit() || matches!(bytes[at], b'(' | b'+');
    begins
        && (at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'(' | b'+' | b'-' | b'.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_the_text_around_it() {
        for (text, found) in [
            ("Oak Roofing , 5 Mill St , Portland , ME 04101 , Call us", Some("5 Mill St, Portland, ME 04101")),
            (
                "Visit 88B Wharf Street, Suite 200, South Portland ME 04106-1234.",
                Some("88B Wharf Street, Suite 200, South Portland, ME 04106"),
            ),
            ("© 2026 Oak. 120 N. Main Ave Bath, ME, 04530", Some("120 N. Main Ave Bath, ME 04530")),
            ("Serving Portland, ME 04101", None),
            ("Roofs since 1987 in Portland, XX 04101", None),
            ("License 12345 ME", None),
            ("", None),
        ] {
            assert_eq!(address_in(text).as_deref(), found, "{text}");
        }
    }

    #[test]
    fn a_phone_number_is_found_and_other_numbers_are_not() {
        for (text, found) in [
            ("Call (207) 555-0143 today", Some("(207) 555-0143")),
            ("207.555.0143", Some("(207) 555-0143")),
            ("+1 207 555 0143", Some("(207) 555-0143")),
            ("License 1234567890123, since 1987", None),
            ("© 2024-2026", None),
            ("é(207) 555-0143", Some("(207) 555-0143")),
        ] {
            assert_eq!(phone_in(text).map(|phone| phone.as_str().to_owned()).as_deref(), found, "{text}");
        }
    }
}
