//! What a cell of a table says, however people write numbers and "nothing".

use std::borrow::Cow;

use shingle_address::tables::state_by_name;
use shingle_domain::State;

/// Bytes of a cell as text: UTF-8 where it is, else Windows-1252, cell by cell, so that a table pasted
/// together from both is read right.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

/// A cell that Excel was kept from changing: `="00123"` and `'00123` are the text `00123`.
pub(crate) fn without_excel(text: &str) -> &str {
    let trimmed = text.trim();
    match trimmed.as_bytes() {
        [b'=', b'"', .., b'"'] if trimmed.len() > 3 => &trimmed[2..trimmed.len() - 1],
        [b'=', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => &trimmed[1..],
        [b'\'', b'0'..=b'9', ..] => &trimmed[1..],
        _ => text,
    }
}

/// A cell without what programs put around or into its text: [`without_excel`], and letters as web pages write them.
pub(crate) fn as_meant(text: &str) -> Cow<'_, str> {
    let text = without_excel(text);
    if text.contains('&') && text.contains(';') { Cow::Owned(without_entities(text)) } else { Cow::Borrowed(text) }
}

/// `D&amp;B`, `O&#039;CONNOR`: once, as a browser would.
fn without_entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let name = rest.find(';').filter(|end| *end < 9).map(|end| (&rest[1..end], end + 1));
        match name.and_then(|(name, end)| Some((entity(name)?, end))) {
            Some((c, end)) => {
                out.push(c);
                rest = &rest[end..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    let number = |text: &str, radix: u32| u32::from_str_radix(text, radix).ok().and_then(char::from_u32);
    match (name, name.strip_prefix('#')) {
        ("amp", _) => Some('&'),
        ("quot", _) => Some('"'),
        ("apos", _) => Some('\''),
        ("lt", _) => Some('<'),
        ("gt", _) => Some('>'),
        ("nbsp", _) => Some(' '),
        (_, Some(digits)) => match digits.strip_prefix(['x', 'X']) {
            Some(digits) => number(digits, 16),
            None => number(digits, 10),
        }
        .filter(|c| !c.is_control()),
        _ => None,
    }
}

/// What a spreadsheet shows in place of a value: `#NAME?`, `#N/A`.
pub(crate) fn is_excel_error(text: &str) -> bool {
    const ERRORS: [&str; 12] = [
        "#NAME?",
        "#N/A",
        "#REF!",
        "#VALUE!",
        "#DIV/0!",
        "#NUM!",
        "#NULL!",
        "#SPILL!",
        "#CALC!",
        "#FIELD!",
        "#GETTING_DATA",
        "#ERROR!",
    ];
    let text = text.trim();
    text.starts_with('#') && ERRORS.iter().any(|error| error.eq_ignore_ascii_case(text))
}

/// One line, single spaces, without control characters and marks that reorder text on screen.
pub(crate) fn tidy(text: &str) -> String {
    let mut out = String::new();
    tidy_into(text, &mut out);
    out
}

/// [`tidy`] over what a text was before.
pub(crate) fn tidy_into(text: &str, out: &mut String) {
    out.clear();
    if is_tidy(text.as_bytes()) {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
        } else if c.is_ascii() || shingle_domain::text::is_clean(c.encode_utf8(&mut [0; 4])) {
            out.push(c);
        }
    }
    if out.ends_with(' ') {
        out.pop();
    }
}

/// Whether a text is plain ASCII that [`tidy`] leaves as it is.
pub(crate) fn is_tidy(text: &[u8]) -> bool {
    is_plain(text) && !has_outer_space(text)
}

/// Whether a text is plain ASCII without two spaces in a row. Looks at every byte: that is done many at a time.
pub(crate) fn is_plain(text: &[u8]) -> bool {
    let odd = text.iter().fold(false, |odd, b| odd | !matches!(b, b' '..=b'~'));
    let behind = text.get(1..).unwrap_or_default();
    let double = text.iter().zip(behind).fold(false, |double, (a, b)| double | (a | b == b' ') & (a & b == b' '));
    !odd && !double
}

pub(crate) fn has_outer_space(text: &[u8]) -> bool {
    text.first() == Some(&b' ') || text.last() == Some(&b' ')
}

/// `1,900`, `$1,234.50`, `(12)`, `85 sf`: the number in it. `85 %` is 0.85. A comma that does not separate thousands
/// (`100,5`) makes it unreadable: without the comma it would be ten times too large.
pub(crate) fn number(text: &str) -> Option<f64> {
    // Most numbers are digits only; up to fifteen of them fit exactly.
    if (1..=15).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit()) {
        return Some(text.bytes().fold(0, |n: u64, b| n * 10 + u64::from(b - b'0')) as f64);
    }
    let text = text.trim();
    if let Some(share) = text.strip_suffix('%') {
        return number(share).map(|n| n / 100.0);
    }
    let text = text.trim_start_matches('$').trim_start();
    let (negative, text) = match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) => (true, inner),
        None => (false, text),
    };
    let text = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '.' || c == ' ');
    if text.contains(',') && !has_thousands(text) {
        return None;
    }
    let mut digits = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' | '.' => digits.push(c),
            '-' | '+' if digits.is_empty() => digits.push(c),
            ',' | '$' | ' ' | '\'' => {}
            _ => return None,
        }
    }
    let n: f64 = digits.parse().ok()?;
    n.is_finite().then_some(if negative { -n } else { n })
}

/// Whether commas stand only between groups of three digits, before the point.
fn has_thousands(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |group: &str| group.trim_matches(|c| matches!(c, '-' | '+' | '$' | ' ')).to_owned();
    let is_group = |group: &str, len: std::ops::RangeInclusive<usize>| {
        len.contains(&group.len()) && group.bytes().all(|b| b.is_ascii_digit())
    };
    let mut groups = whole.split(',');
    let first = digits(groups.next().unwrap_or_default());
    is_group(&first, 1..=3) && first != "0" && groups.all(|g| is_group(&digits(g), 3..=3)) && !fraction.contains(',')
}

/// A number, also with a decimal comma: the comma of `-82,990123` does not separate thousands.
pub(crate) fn coordinate(text: &str) -> Option<f64> {
    number(text).or_else(|| number(&text.replacen(',', ".", 1)))
}

/// `1.234,50` with a point before the decimals: `1234.50`.
pub(crate) fn with_decimal_point(text: &str) -> String {
    text.chars().filter(|c| *c != '.').map(|c| if c == ',' { '.' } else { c }).collect()
}

pub(crate) fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "t" | "yes" | "y" | "1" => Some(true),
        "false" | "f" | "no" | "n" | "0" => Some(false),
        _ => None,
    }
}

/// `VA`, `Virginia`, `District of Columbia`.
pub(crate) fn state(text: &str) -> Option<State> {
    let text = text.trim().trim_end_matches('.');
    State::parse(text).or_else(|| state_by_name(&text.to_uppercase()).and_then(State::parse))
}

/// What offices write where the owner is not known.
pub(crate) fn is_nobody(name: &str) -> bool {
    const NOBODY: [&str; 17] = [
        "",
        "UNKNOWN",
        "UNKNOWNOWNER",
        "OWNERUNKNOWN",
        "OWNERSUNKNOWN",
        "UNKNOWNOWNERS",
        "UNAVAILABLE",
        "OWNERUNAVAILABLE",
        "NOTAVAILABLE",
        "NOTLISTED",
        "NOOWNER",
        "NONE",
        "NA",
        "TBD",
        "CURRENTOWNER",
        "NULL",
        "UNK",
    ];
    let mut letters = name.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_uppercase());
    let first = letters.next();
    NOBODY.iter().any(|nobody| {
        let mut nobody = nobody.bytes();
        nobody.next() == first && letters.clone().eq(nobody)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_web_pages_are_read() {
        for (text, meant) in [
            ("D&amp;B LN", "D&B LN"),
            ("O&#039;CONNOR ST", "O'CONNOR ST"),
            ("O&#39;CONNOR; X &AMP; Y", "O'CONNOR; X &AMP; Y"),
            ("PE&#209;A &#xD1;", "PEÑA Ñ"),
            ("&quot;BUD&quot; &lt;ROE&gt;", "\"BUD\" <ROE>"),
            ("AT&T; &; &#; &#x; &#0; &#1114112;", "AT&T; &; &#; &#x; &#0; &#1114112;"),
            ("&amp;amp;", "&amp;"),
            ("SMITH & SON", "SMITH & SON"),
            ("&apos;&nbsp;&", "' &"),
            ("=\"A&amp;B\"", "A&B"),
        ] {
            assert_eq!(as_meant(text), meant, "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        for (text, n) in [
            ("$1,234", 1234.0),
            ("1,900", 1900.0),
            (" 12.50 ", 12.5),
            ("(30)", -30.0),
            ("850 sq ft", 850.0),
            ("-4", -4.0),
            ("85 %", 0.85),
            ("$(1,234.50)", -1234.5),
            ("\u{a0}7 ", 7.0),
            ("12,345,678", 12_345_678.0),
            ("$ 200,000.00", 200_000.0),
        ] {
            assert_eq!(number(text), Some(n), "{text}");
        }
        for text in ["", "n/a", "1-2", "12 main 3", "..", "1e400", "100,5", "2,0", "0,125", "1,23,456", "1.5,5"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    #[test]
    fn decimal_commas_become_points() {
        for (text, n) in [("1.234,50", 1234.5), ("100,0", 100.0), ("1 234,5", 1234.5), ("85", 85.0), ("0,125", 0.125)] {
            assert_eq!(number(&with_decimal_point(text)), Some(n), "{text}");
        }
    }

    #[test]
    fn a_coordinate_may_have_a_decimal_comma() {
        for (text, n) in [("-82,990123", -82.990123), ("39.96", 39.96), ("1,234,567.5", 1_234_567.5)] {
            assert_eq!(coordinate(text), Some(n), "{text}");
        }
        assert_eq!(coordinate("82,99,01"), None);
    }

    #[test]
    fn the_short_ways_say_what_the_long_ways_say() {
        for text in ["0", "007", "999999999999999", "1234567890123456"] {
            assert_eq!(number(text), number(&format!("{text}.0")), "{text}");
        }
        for text in ["", " ", "a", " a", "a ", "a  b", "a b", "a\tb", "é", "~", "\u{7f}"] {
            assert!(!is_tidy(text.as_bytes()) || tidy(text) == text, "{text}");
        }
    }

    #[test]
    fn a_state_may_be_written_in_full() {
        for (text, code) in [("VA", "VA"), ("Virginia ", "VA"), ("NEW HAMPSHIRE", "NH"), ("va.", "VA")] {
            assert_eq!(state(text).map(|s| s.to_string()).as_deref(), Some(code), "{text}");
        }
        for text in ["", "Virginai", "V", "USA"] {
            assert_eq!(state(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_for_nobody_is_none() {
        for name in ["UNKNOWN", "Owner Unknown", "N/A", "--", "not available"] {
            assert!(is_nobody(name), "{name}");
        }
        for name in ["NA LI", "Unk Realty LLC", "Nunn"] {
            assert!(!is_nobody(name), "{name}");
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_are_windows_1252() {
        assert_eq!(decode("Peña".as_bytes()), "Peña");
        assert_eq!(decode(b"Pe\xf1a \x96 x"), "Peña – x");
    }

    #[test]
    fn what_keeps_excel_from_changing_a_cell_is_taken_off() {
        for (text, meant) in [
            ("=\"43099\"", "43099"),
            (" =\"26\" ", "26"),
            ("=\"12 Alder Ct\"", "12 Alder Ct"),
            ("'43099", "43099"),
            ("'001-02", "001-02"),
            ("=26", "26"),
            ("'S GRAVESANDE", "'S GRAVESANDE"),
            ("=\"\"", "=\"\""),
            ("=A1+2", "=A1+2"),
            ("12'", "12'"),
            ("=", "="),
            ("'", "'"),
        ] {
            assert_eq!(without_excel(text), meant, "{text}");
        }
        for text in ["#NAME?", "#n/a", " #REF! "] {
            assert!(is_excel_error(text), "{text}");
        }
        for text in ["#4", "#", "", "NAME?", "# NAME"] {
            assert!(!is_excel_error(text), "{text}");
        }
    }

    #[test]
    fn text_loses_what_no_reader_sees() {
        assert_eq!(tidy("  12\0 Main\r\n  St\u{202e} "), "12 Main St");
        assert_eq!(tidy("<script>"), "<script>");
    }
}
