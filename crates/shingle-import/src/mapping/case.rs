//! Capital and small letters.

use serde::Deserialize;

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
    for word in text.split(' ') {
        if !out.is_empty() {
            out.push(' ');
        }
        let kept = matches!(word, "NE" | "NW" | "SE" | "SW" | "US" | "SR" | "CR" | "FM" | "II" | "III" | "IV" | "PO");
        if kept {
            out.push_str(word);
        } else {
            word_case(word, &mut out);
        }
    }
    out
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
            ("SMITH-JONES LN", "Smith-Jones Ln"),
            ("de Leon Pl", "de Leon Pl"),
        ] {
            assert_eq!(title_case(shouted), written);
        }
    }
}
