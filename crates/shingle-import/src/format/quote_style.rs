//! How a table quotes its cells, as the line of its headings shows: `'ID','CITY'`, or `"ID", "CITY"` with blanks before the
//! marks.

use std::io::{self, BufRead, Read};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QuoteStyle {
    pub mark: u8,
    /// Whether blanks stand between a delimiter and the mark behind it. A reader of CSV takes such a mark for a letter.
    pub is_spaced: bool,
}

impl QuoteStyle {
    /// `stated` is the mark of the mapping, else `"`.
    pub fn of(head: &[u8], delimiter: u8, stated: u8) -> Self {
        let line = head.split(|b| matches!(b, b'\n' | b'\r')).next().unwrap_or_default();
        let cells: Vec<&[u8]> = line.split(|b| *b == delimiter).collect();
        let is_quoted =
            |cell: &&[u8], mark: u8| matches!(cell.trim_ascii(), [first, .., last] if *first == mark && *last == mark);
        let single = stated == b'"' && cells.len() > 1 && cells.iter().all(|cell| is_quoted(cell, b'\''));
        let mark = if single { b'\'' } else { stated };
        let is_spaced =
            delimiter != b' ' && cells.iter().skip(1).any(|cell| cell.starts_with(b" ") && is_quoted(cell, mark));
        Self { mark, is_spaced }
    }
}

/// Leaves out the blanks between a delimiter and a quotation mark.
pub(crate) struct WithoutBlanks<R> {
    inner: R,
    delimiter: u8,
    mark: u8,
    /// Blanks that may stand before a mark.
    held: usize,
    is_cell_start: bool,
    in_quotes: bool,
    was_closed: bool,
    ready: Vec<u8>,
    given: usize,
}

impl<R: BufRead> WithoutBlanks<R> {
    pub fn new(inner: R, delimiter: u8, mark: u8) -> Self {
        Self {
            inner,
            delimiter,
            mark,
            held: 0,
            is_cell_start: true,
            in_quotes: false,
            was_closed: false,
            ready: Vec::new(),
            given: 0,
        }
    }

    fn take(&mut self, byte: u8) {
        if self.in_quotes {
            self.in_quotes = byte != self.mark;
            self.was_closed = !self.in_quotes;
            self.ready.push(byte);
            return;
        }
        if byte == b' ' && self.is_cell_start {
            self.held += 1;
            return;
        }
        // Two marks within quotes are one of the text.
        self.in_quotes = byte == self.mark && (self.is_cell_start || self.was_closed);
        if !self.in_quotes {
            self.give_held();
        }
        self.held = 0;
        self.was_closed = false;
        self.is_cell_start = byte == self.delimiter || matches!(byte, b'\n' | b'\r');
        self.ready.push(byte);
    }

    fn give_held(&mut self) {
        self.ready.extend(std::iter::repeat_n(b' ', std::mem::take(&mut self.held)));
    }
}

impl<R: BufRead> Read for WithoutBlanks<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
            let block = self.inner.fill_buf()?.to_vec();
            if block.is_empty() {
                self.give_held();
                break;
            }
            self.inner.consume(block.len());
            block.into_iter().for_each(|byte| self.take(byte));
        }
        let n = self.ready.get(self.given..).unwrap_or_default().read(into)?;
        self.given += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn the_headings_show_how_a_table_quotes() {
        for (head, delimiter, style) in [
            ("ID,CITY\n", b',', (b'"', false)),
            ("\"ID\",\"CITY\"\n", b',', (b'"', false)),
            ("\"ID\", \"CITY\"\n", b',', (b'"', true)),
            ("ID, \"CITY\", ZIP\r\n", b',', (b'"', true)),
            ("'ID','CITY'\r", b',', (b'\'', false)),
            ("'ID'; 'CITY'\n", b';', (b'\'', true)),
            ("'ID',CITY\n", b',', (b'"', false)),
            ("ID, CITY\n\"1\", \"HARROW\"\n", b',', (b'"', false)),
            ("'ID'\n", b',', (b'"', false)),
            ("", b',', (b'"', false)),
        ] {
            let (mark, is_spaced) = style;
            assert_eq!(QuoteStyle::of(head.as_bytes(), delimiter, b'"'), QuoteStyle { mark, is_spaced }, "{head}");
        }
    }

    #[test]
    fn blanks_before_marks_are_left_out_and_no_others() {
        for (text, read) in [
            ("\"a\", \"b\",   \"c\"\n", "\"a\",\"b\",\"c\"\n"),
            ("\"a, \"\"b\"\", \"\"c\"\"\", \"d\"\n", "\"a, \"\"b\"\", \"\"c\"\"\",\"d\"\n"),
            ("12\", 14\", 3 \n", "12\", 14\", 3 \n"),
            ("  \"a\", b,  c d\n  e\n", "\"a\", b,  c d\n  e\n"),
            ("\"a\n, \"\"\", \"b\"\r\n", "\"a\n, \"\"\",\"b\"\r\n"),
            ("a, ", "a, "),
            ("", ""),
        ] {
            for block in [1, 3, 100] {
                let mut out = String::new();
                let reader = BufReader::with_capacity(block, text.as_bytes());
                WithoutBlanks::new(reader, b',', b'"').read_to_string(&mut out).unwrap();
                assert_eq!(out, read);
            }
        }
    }
}
