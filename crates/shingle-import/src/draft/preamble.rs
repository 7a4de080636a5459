//! Lines before the headings of a table: a title, the day it was printed.

use crate::format::lines::{line_ends, stated_delimiter};
use crate::format::table::DELIMITERS;

/// How many lines precede the headings; 0 where the first line has them, or where that cannot be told.
pub(super) fn preamble(head: &[u8]) -> u32 {
    let begins = head.trim_ascii_start().first();
    let is_text = head.iter().all(|b| !b.is_ascii_control() || b.is_ascii_whitespace());
    if !is_text || matches!(begins, None | Some(b'{' | b'[' | b'<')) {
        return 0;
    }
    let head = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head);
    // The reader of tables passes over this line on its own.
    let stated = stated_delimiter(head);
    let table = head.get(stated.map_or(0, |(_, bytes)| bytes)..).unwrap_or_default();
    let tried = match &stated {
        Some((delimiter, _)) => std::slice::from_ref(delimiter),
        None => &DELIMITERS[..],
    };
    let ways = tried.iter().filter_map(|delimiter| Lines::of(table, *delimiter));
    let before = ways.max_by_key(|lines| (lines.agreeing * lines.width, lines.width)).map_or(0, |lines| lines.before);
    if before > 0 { before + u32::from(stated.is_some()) } else { 0 }
}

/// A table cut at one delimiter.
struct Lines {
    /// Fields of most lines, and how many lines have them.
    width: usize,
    agreeing: usize,
    before: u32,
}

/// Lines that are looked at.
const LOOKED_AT: usize = 60;
/// A table of fewer fields cannot be told from a text.
const LEAST_FIELDS: usize = 3;

impl Lines {
    fn of(head: &[u8], delimiter: u8) -> Option<Self> {
        let reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).flexible(true).from_reader(head);
        let records: Vec<csv::ByteRecord> = reader.into_byte_records().take(LOOKED_AT).map_while(Result::ok).collect();
        // What is looked at may end within a line.
        let whole = if records.len() > 3 { &records[..records.len() - 1] } else { &records[..] };
        let agreeing = |width: usize| whole.iter().filter(|r| r.len() == width).count();
        let width = whole.iter().map(csv::ByteRecord::len).max_by_key(|width| (agreeing(*width), *width))?;
        if width < LEAST_FIELDS {
            return None;
        }
        let filled = |r: &csv::ByteRecord| r.iter().filter(|cell| !cell.trim_ascii().is_empty()).count();
        // A title may be followed by as many delimiters as a row has.
        let is_before = |r: &csv::ByteRecord| filled(r) * 2 < width;
        let at = whole.iter().position(|r| !is_before(r))?;
        let from = usize::try_from(whole[at].position()?.byte()).ok()?;
        // A record begins behind the end of the line before it, or behind half of it.
        let blank = head.get(from..)?.iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
        let before = head.get(..from + blank)?.trim_ascii_end();
        // A blank line does not count as a row.
        let before = if before.is_empty() { 0 } else { line_ends(before) + 1 };
        Some(Self { width, agreeing: agreeing(width), before: u32::try_from(before).ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_before_the_headings_are_counted() {
        let table = "ID;ADDRESS;CITY;NOTE\n1;14 ALDER CT;HARROW;\n2;16 ALDER CT;HARROW;x\n3;18 ALDER CT;;\n";
        for (title, lines) in [
            ("", 0),
            ("County of Harrow, Assessor\nPrinted 2025-01-01\n", 2),
            ("County of Harrow\n\n", 1),
            ("\n\n", 0),
            ("\"County of Harrow\nAssessor\"\n", 2),
            ("sep=;\n", 0),
            ("sep=;\nCounty of Harrow\n", 2),
            ("\u{feff}County of Harrow\n", 1),
            ("Roll;;;\n", 1),
        ] {
            for end in ["\n", "\r\n", "\r"] {
                let text = format!("{title}{table}").replace('\n', end);
                assert_eq!(preamble(text.as_bytes()), lines, "{text:?}");
            }
        }
        for other in ["", "{\"a\": [1,2,3]}", "one line\nand another\n", "\0\0\x27\x0a,,,\n"] {
            assert_eq!(preamble(other.as_bytes()), 0, "{other:?}");
        }
    }
}
