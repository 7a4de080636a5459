//! Capital and small letters.

use serde::Deserialize;
use shingle_address::tables::is_state;
use shingle_address::token::is_ordinal;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Case {
    Upper,
    Lower,
    /// `DRUM CREEK` as a reader would write it.
    Title,
}

/// `DRUM CREEK ROAD` as a reader would write it; text with lower case in it is left alone.
pub(crate) fn title_case(text: &str) -> String {
    if text.chars().any(char::is_lowercase) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        let kept = matches!(
            word,
            "NE" | "NW" | "SE" | "SW" | "US" | "SR" | "CR" | "FM" | "RM" | "RR" | "CTH" | "II" | "III" | "IV" | "PO"
        );
        // `NH Route 4A`
        let next = words.peek().copied().unwrap_or_default();
        let of_a_state = || {
            let is_way = matches!(next, "ROUTE" | "RTE" | "RT" | "HWY" | "HIGHWAY");
            is_state(word) && (is_way || !next.is_empty() && next.bytes().all(|b| b.is_ascii_digit()))
        };
        if kept || is_id(word) || of_a_state() {
            out.push_str(word);
        } else {
            word_case(word, &mut out);
        }
    }
    out
}

/// `1B`, `4A`, `C12`, `A3-418`: letters of a number stay large, except for the ending of `5TH`.
fn is_id(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let letters = word.bytes().filter(u8::is_ascii_alphabetic).count();
    digits > 0 && letters < 3 && !is_ordinal(word)
}

fn word_case(word: &str, out: &mut String) {
    let mc = word.len() > 4 && word.starts_with("MC");
    let numbered = word.starts_with(|c: char| c.is_ascii_digit());
    let mut upper = !numbered;
    for (i, c) in word.chars().enumerate() {
        if upper && c.is_alphabetic() || (mc && i == 2) {
            out.extend(c.to_uppercase());
            upper = false;
        } else {
            out.extend(c.to_lowercase());
        }
        // O'Brien, not Kelly'S; Smith-Jones.
        if c == '-' || c == '/' || c == '(' || (c == '\'' && i == 1) {
            upper = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shouted_names_are_written_for_reading() {
        for (shouted, written) in [
            ("DRUM CREEK ROAD", "Drum Creek Road"),
            ("MCDONALD AVE NW", "McDonald Ave NW"),
            ("O'BRIEN'S WAY", "O'Brien's Way"),
            ("5TH ST", "5th St"),
            ("NH ROUTE 4A", "NH Route 4A"),
            ("NH 120", "NH 120"),
            ("OAK RIDGE RD 1B", "Oak Ridge Rd 1B"),
            ("BIRCH LN A3-418", "Birch Ln A3-418"),
            ("ME AND MY LN", "Me And My Ln"),
            ("RM 12", "RM 12"),
            ("SMITH-JONES LN", "Smith-Jones Ln"),
            ("de Leon Pl", "de Leon Pl"),
        ] {
            assert_eq!(title_case(shouted), written);
        }
    }
}
