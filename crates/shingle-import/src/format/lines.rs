//! The lines of a text, whatever ends them.

use std::io::{self, BufRead};

/// Passes over a line with its end: LF, CRLF or CR. Gives its bytes, 0 at the end of the text, at most `most`.
pub(crate) fn next_line(reader: &mut impl BufRead, most: u64) -> io::Result<usize> {
    let mut passed = 0;
    loop {
        let buffer = reader.fill_buf()?;
        if buffer.is_empty() || passed as u64 >= most {
            return Ok(passed);
        }
        let end = buffer.iter().position(|b| matches!(b, b'\n' | b'\r'));
        let is_cr = end.is_some_and(|end| buffer[end] == b'\r');
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        passed += used;
        if is_cr && reader.fill_buf()?.first() == Some(&b'\n') {
            reader.consume(1);
            passed += 1;
        }
        if end.is_some() {
            return Ok(passed);
        }
    }
}

/// How many lines end in a text.
pub(crate) fn line_ends(text: &[u8]) -> usize {
    let followed = text.iter().zip(text.iter().skip(1).chain([&0]));
    followed.filter(|(b, next)| **b == b'\n' || (**b == b'\r' && **next != b'\n')).count()
}

/// The delimiter that the first line states, and the bytes of that line: `sep=;`.
pub(crate) fn stated_delimiter(text: &[u8]) -> Option<(u8, usize)> {
    let end = text.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(text.len());
    let (line, behind) = text.split_at_checked(end)?;
    let bare = line.trim_ascii_end();
    let bare = bare.strip_prefix(b"\"").and_then(|bare| bare.strip_suffix(b"\"")).unwrap_or(bare);
    let [s, e, p, b'=', rest @ ..] = bare else { return None };
    let delimiter = match rest {
        [one] => *one,
        // A tab or a blank at the end was trimmed.
        [] => *line.get(bare.len())?,
        _ => return None,
    };
    let ends = if behind.starts_with(b"\r\n") { 2 } else { behind.len().min(1) };
    [s, e, p].iter().zip(b"sep").all(|(a, b)| a.eq_ignore_ascii_case(b)).then_some((delimiter, end + ends))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_delimiter_is_read_whatever_ends_the_line() {
        for (text, stated) in [
            ("sep=;\nA;B", Some((b';', 6))),
            ("sep=;\r\nA;B", Some((b';', 7))),
            ("SEP=|\rA|B", Some((b'|', 6))),
            ("\"sep=,\"\r\nA,B", Some((b',', 9))),
            ("sep=\t\nA\tB", Some((b'\t', 6))),
            ("sep=\t\r\nA\tB", Some((b'\t', 7))),
            ("Sep=;", Some((b';', 5))),
            ("sep=;;\n", None),
            ("sep\n", None),
            ("separator=;\n", None),
            ("sep=\n", None),
            ("", None),
        ] {
            assert_eq!(stated_delimiter(text.as_bytes()), stated, "{text:?}");
        }
    }

    #[test]
    fn lines_are_passed_over_whatever_ends_them() {
        for text in ["ab\ncd\n", "ab\r\ncd\r\n", "ab\rcd\r", "ab\ncd"] {
            for room in [1, 2, 3, 100] {
                let mut reader = io::BufReader::with_capacity(room, text.as_bytes());
                let first = next_line(&mut reader, 100).unwrap();
                let second = next_line(&mut reader, 100).unwrap();
                assert!(text[first..].starts_with("cd") && first + second == text.len(), "{text:?} {room}");
                assert_eq!(next_line(&mut reader, 100).unwrap(), 0);
            }
            let ends = text.trim_end().len() < text.len();
            assert_eq!(line_ends(text.as_bytes()), 1 + usize::from(ends), "{text:?}");
        }
    }
}
