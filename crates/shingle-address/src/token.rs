//! Words of an address line: upper case, without punctuation, with what was typed kept beside.

use std::borrow::Cow;

use crate::ordinals::ordinal_unit;
use crate::tables::{designator, direction, zip_fits_state};

/// No address needs more of a line.
const MAX_LINE_BYTES: usize = 512;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Upper case, accents folded, no punctuation but `-` and `/` in numbers; `#` stands alone.
    pub word: String,
    /// As typed.
    pub raw: String,
}

/// The comma-separated parts of a line, each as its words. Empty parts are left out.
pub fn segments(line: &str) -> Vec<Vec<Token>> {
    let line: String = line.chars().take(MAX_LINE_BYTES).collect();
    line.split([',', ';', '\n', '\r']).map(tokens).filter(|s| !s.is_empty()).collect()
}

pub fn tokens(text: &str) -> Vec<Token> {
    let mut text = without_remarks(text);
    // Most of a table's cells need none of this.
    if let Some(read) = misread(&text) {
        text = Cow::Owned(read);
    }
    if text.len() > MAX_LINE_BYTES || !text.is_ascii() || text.contains(['-', '+']) {
        let written = text.replace('½', " 1/2").replace('¼', " 1/4").replace('¾', " 3/4");
        let written: Vec<char> = written.chars().take(MAX_LINE_BYTES).collect();
        text = Cow::Owned(join_ranges(&written));
    }
    let text = with_fractions(text);
    let mut found: Vec<Token> = Vec::new();
    for raw in text.split(parts_words) {
        let mut rest = raw;
        while let Some(at) = rest.find('#') {
            push_words(&rest[..at], &mut found);
            // Any number of signs says what one says.
            if found.last().is_none_or(|last| last.word != "#") {
                found.push(Token { word: "#".into(), raw: "#".into() });
            }
            rest = &rest[at + 1..];
        }
        push_words(rest, &mut found);
    }
    found
}

/// Text whose bytes were taken for another encoding: `PeÃ±a` is `Peña`.
fn misread(text: &str) -> Option<String> {
    if text.is_ascii() || !text.contains(['\u{c2}', '\u{c3}']) {
        return None;
    }
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    String::from_utf8(bytes?).ok()
}

/// What is in parentheses is a remark, `(private)`, if it is no unit, direction or number and something else is left.
fn without_remarks(text: &str) -> Cow<'_, str> {
    let Some((before, rest)) = text.split_once('(') else { return Cow::Borrowed(text) };
    let Some((remark, after)) = rest.split_once(')') else { return Cow::Borrowed(text) };
    let first = remark.split([' ', '.']).next().unwrap_or_default().to_ascii_uppercase();
    let is_part = designator(&first).is_some() || direction(&first).is_some() && remark.trim().len() == first.len();
    let is_all = !before.bytes().chain(after.bytes()).any(|b| b.is_ascii_alphabetic());
    if is_part || is_all || remark.trim().starts_with(|c: char| c.is_ascii_digit() || c == '#') {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("{before} {}", without_remarks(after)))
}

/// Decimals of a number as its fraction: `57.5` is `57 1/2`, `F.25` is `F 1/4`, `12.00` is `12`. Other decimals stay.
pub fn with_fractions(text: Cow<'_, str>) -> Cow<'_, str> {
    let decimal = |at: usize| text.as_bytes().get(at + 1).is_some_and(u8::is_ascii_digit);
    if !text.match_indices('.').any(|(at, _)| decimal(at)) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 4);
    let mut rest = &*text;
    while let Some(at) = rest.find('.') {
        let (before, behind) = (&rest[..at], &rest[at + 1..]);
        let decimals = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        out.push_str(before);
        rest = behind;
        // `1.5E+03` is no fraction.
        let goes_on = behind[decimals..].starts_with(['.', '-', '/', '\'', 'E', 'e']);
        match fraction(&out, &behind[..decimals]).filter(|_| !goes_on) {
            Some(written) => {
                out.push_str(written);
                rest = &behind[decimals..];
            }
            None => out.push('.'),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// What decimals behind a whole number, or behind a road's letter, stand for.
fn fraction(before: &str, decimals: &str) -> Option<&'static str> {
    let word = before.rsplit(|c: char| c.is_whitespace() || matches!(c, ',' | '#' | '(')).next().unwrap_or_default();
    // `CR12.5`
    let number = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let is_number = word.len() - number.len() < 4 && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let is_letter = word.len() == 1 && word.bytes().all(|b| b.is_ascii_alphabetic());
    match decimals.trim_end_matches('0') {
        "" if is_number && !decimals.is_empty() => Some(""),
        "5" if is_number || is_letter => Some(" 1/2"),
        "25" if is_number || is_letter => Some(" 1/4"),
        "75" if is_number || is_letter => Some(" 3/4"),
        _ => None,
    }
}

fn parts_words(c: char) -> bool {
    let sign = |c| {
        matches!(
            c,
            '(' | ')'
                | '['
                | ']'
                | '{'
                | '}'
                | '"'
                | '<'
                | '>'
                | '|'
                | ':'
                | '!'
                | '?'
                | '*'
                | '='
                | '+'
                | '_'
                | '~'
                | ';'
                | '^'
                | '@'
                | '$'
                | '%'
                | '\\'
        )
    };
    c.is_whitespace() || c.is_control() || sign(c)
}

/// Also the sign that joins two numbers: `36+38`.
fn is_dash(c: char) -> bool {
    matches!(c, '-' | '+' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}')
}

/// `4 - 6 Main` and `4--6 Main` are `4-6 Main`; other dashes become plain hyphens.
fn join_ranges(text: &[char]) -> String {
    if !text.iter().any(|c| is_dash(*c)) {
        return text.iter().collect();
    }
    let mut out = String::with_capacity(text.len());
    let mut numbers_only = true;
    let mut i = 0;
    while let Some(&c) = text.get(i) {
        let c = if is_dash(c) { '-' } else { c };
        let next = text[i + 1..].iter().position(|c| *c != ' ' && !is_dash(*c)).map(|n| i + 1 + n);
        let between_digits =
            out.trim_end().ends_with(|c: char| c.is_ascii_digit()) && next.is_some_and(|n| text[n].is_ascii_digit());
        if c == '-' && numbers_only && between_digits {
            out.truncate(out.trim_end().len());
            out.push('-');
            i = next.unwrap_or(i + 1);
            continue;
        }
        numbers_only &= !c.is_alphabetic();
        out.push(c);
        i += 1;
    }
    out
}

/// Apostrophes, accents that stand alone, and the ʻokina in the ways it is typed.
fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '\u{b4}' | '\u{2b9}'..='\u{2bf}' | '\u{2c8}' | '\u{2018}'..='\u{201b}' | '\u{2032}' | '\u{2035}'
            | '\u{a78b}' | '\u{a78c}' | '\u{ff07}' | '\u{ff40}'
    )
}

fn push_words(raw: &str, found: &mut Vec<Token>) {
    if raw.eq_ignore_ascii_case("c/o") {
        // "Care of", and no unit `C`.
        found.push(Token { word: "C/O".into(), raw: raw.to_owned() });
        return;
    }
    let mut word = String::new();
    let mut start = 0;
    // Letters since the last full stop.
    let mut letters = 0;
    let mut flush = |word: &mut String, raw: &str| {
        let trimmed = word.trim_matches(['-', '/']);
        if let Some(at) = glued(trimmed) {
            for part in [&trimmed[..at], &trimmed[at..]] {
                found.push(Token { word: part.to_owned(), raw: part.to_owned() });
            }
        } else if !trimmed.is_empty() {
            found.push(Token { word: trimmed.to_owned(), raw: raw.trim_matches(['.', '-', '/']).to_owned() });
        }
        word.clear();
    };
    for (at, c) in raw.char_indices() {
        match c {
            '.' => {
                // `St.Louis` and `Ste.5` are two words, `S.E.` and `U.S.A.` one.
                let next = raw[at + 1..].chars().next();
                let is_word = word.ends_with(char::is_alphabetic);
                if word.ends_with(|c: char| c.is_ascii_digit()) && next.is_some_and(|c| c.is_ascii_digit()) {
                    // `26.3` is not 263.
                    word.push('.');
                    continue;
                }
                let goes_on = next.is_some_and(|c| c.is_alphabetic() || is_word && c.is_ascii_digit());
                // `E.5th St`
                let is_turn =
                    matches!(word.as_str(), "N" | "S" | "E" | "W") && next.is_some_and(|c| c.is_ascii_digit());
                if goes_on && (letters > 1 || is_turn) {
                    flush(&mut word, &raw[start..at]);
                    start = at + 1;
                }
                letters = 0;
            }
            c if is_apostrophe(c) => {}
            '-' | '/' => {
                let fraction = c == '/' && word.ends_with(|c: char| c.is_ascii_digit());
                let numeric = fraction || word.starts_with(|c: char| c.is_ascii_digit());
                let goes_on = raw[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric());
                if numeric && goes_on {
                    word.push(c);
                } else {
                    flush(&mut word, &raw[start..at]);
                    start = at + 1;
                }
            }
            '&' => {
                flush(&mut word, &raw[start..at]);
                word.push_str("AND");
                flush(&mut word, "&");
                start = at + 1;
            }
            // A letter that was lost on the way is some letter.
            c if c.is_alphanumeric() || c == '\u{fffd}' => {
                letters += 1;
                fold(c, &mut word);
            }
            _ => {}
        }
    }
    flush(&mut word, raw.get(start..).unwrap_or_default());
}

/// Where the second of two words begins that are written as one: `Unit508`, `72Sixth`. `#` stands apart anyway.
fn glued(word: &str) -> Option<usize> {
    let at = word.find(|c: char| c.is_ascii_digit())?;
    if at == 0 {
        let name = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let ordinal = ["ST", "ND", "RD", "TH"].iter().any(|ending| name.starts_with(ending));
        let is_name = name.len() > 3 && !ordinal && name.bytes().all(|b| b.is_ascii_alphabetic());
        return (is_name || ordinal_unit(name).is_some()).then(|| word.len() - name.len());
    }
    // `MA02101`
    if at == 2 && word.len() == 7 && zip_fits_state(&word[2..], &word[..2]) {
        return Some(2);
    }
    matches!(
        &word[..at],
        "APT" | "UNIT" | "STE" | "SUITE" | "BLDG" | "LOT" | "LT" | "SPC" | "TRLR" | "PH" | "TH" | "BOX" | "POBOX"
    )
    .then_some(at)
}

/// Upper case; Latin letters lose their accents.
fn fold(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c.to_ascii_uppercase());
        return;
    }
    let plain = match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ā' | 'Á' | 'À' | 'Â' | 'Ä' | 'Ã' | 'Å' | 'Ā' => 'A',
        'ç' | 'ć' | 'č' | 'Ç' | 'Ć' | 'Č' => 'C',
        'é' | 'è' | 'ê' | 'ë' | 'ē' | 'É' | 'È' | 'Ê' | 'Ë' | 'Ē' => 'E',
        'í' | 'ì' | 'î' | 'ï' | 'ī' | 'Í' | 'Ì' | 'Î' | 'Ï' | 'Ī' => 'I',
        'ñ' | 'ń' | 'Ñ' | 'Ń' => 'N',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'ō' | 'Ó' | 'Ò' | 'Ô' | 'Ö' | 'Õ' | 'Ø' | 'Ō' => 'O',
        'ú' | 'ù' | 'û' | 'ü' | 'ū' | 'Ú' | 'Ù' | 'Û' | 'Ü' | 'Ū' => 'U',
        'ý' | 'ÿ' | 'Ý' => 'Y',
        'ł' | 'Ł' => 'L',
        'š' | 'ś' | 'Š' | 'Ś' => 'S',
        'ž' | 'ź' | 'ż' | 'Ž' | 'Ź' | 'Ż' => 'Z',
        'đ' | 'ð' | 'Đ' | 'Ð' => 'D',
        c => {
            out.extend(c.to_uppercase());
            return;
        }
    };
    out.push(plain);
}

pub fn has_digit(word: &str) -> bool {
    word.bytes().any(|b| b.is_ascii_digit())
}

/// `5TH`, `42ND`: digits with an ordinal ending.
pub fn is_ordinal(word: &str) -> bool {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && matches!(&word[digits..], "ST" | "ND" | "RD" | "TH")
}

/// A house number: digits first (`24R`, `112-10`), a grid (`N6W23001`), or a letter and digits (`T703`).
pub fn is_house_number(word: &str) -> bool {
    let bytes = word.as_bytes();
    match bytes {
        [b'0'..=b'9', ..] => !is_ordinal(word),
        [b'A'..=b'Z', rest @ ..] if !rest.is_empty() => {
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            digits > 0
                && match &rest[digits..] {
                    [] => true,
                    // `N6W23001`, and `W206N` of `W206N W16282`
                    [b'N' | b'S' | b'E' | b'W', more @ ..] => {
                        more.iter().all(u8::is_ascii_digit) && (!more.is_empty() || digits > 1)
                    }
                    _ => false,
                }
        }
        _ => false,
    }
}

/// `1/2`, `3/4`, `5/8`; but `36/38` is two houses.
pub fn is_fraction(word: &str) -> bool {
    word.split_once('/').is_some_and(|(part, whole)| {
        let part: Option<u32> = part.parse().ok().filter(|_| part.len() < 3);
        matches!(whole, "2" | "3" | "4" | "5" | "6" | "8" | "10" | "16" | "32")
            && part.zip(whole.parse().ok()).is_some_and(|(part, whole): (u32, u32)| 0 < part && part < whole)
    })
}

pub fn words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(|t| t.word.as_str()).collect()
}
