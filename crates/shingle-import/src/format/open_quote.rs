//! Quotation marks that open a cell and do not close in it: the rows behind them become part of the cell.
//!
//! # Decision
//!
//! A row that swallowed others through an open quote is rejected, not repaired: its cells are mixed with another
//! home's. `quote = ''` reads all rows, and a draft proposes it. Turned down: guessing where each row ends.

/// How many lines a record took in because of such a mark; `None` where its line ends belong to its cells. `raw` is the record
/// as the file has it.
pub(crate) fn swallowed_lines(raw: &[u8], delimiter: u8, quote: u8, columns: usize, fields: usize) -> Option<u64> {
    let lines: Vec<&[u8]> = raw.split(|b| *b == line_end(raw)).collect();
    let taken = lines.len().saturating_sub(1) as u64;
    if taken == 0 {
        return None;
    }
    let cells = Cells::of(raw, delimiter, quote);
    // A cell of two lines is closed in front of a delimiter.
    let is_swallowed = cells.closes_within_text
        || (fields != columns && cells.holds_delimiters)
        || (lines.iter().all(|line| plain_fields(line, delimiter) == columns)
            && (columns >= LEAST_COLUMNS || are_alike(&lines, delimiter)));
    is_swallowed.then_some(taken)
}

/// In a narrower table an address of two lines looks like two rows.
const LEAST_COLUMNS: usize = 4;

/// Whether each column begins with the same kind of sign in all lines, as in rows of a table: digits, letters, nothing.
fn are_alike(lines: &[&[u8]], delimiter: u8) -> bool {
    let kinds = |line: &&[u8]| -> Vec<u8> {
        let first = |cell: &[u8]| cell.iter().copied().find(|b| !matches!(b, b'"' | b' ')).unwrap_or_default();
        let kind = |b: u8| {
            if b.is_ascii_digit() {
                b'0'
            } else if b.is_ascii_alphabetic() {
                b'a'
            } else {
                b
            }
        };
        line.split(|b| *b == delimiter).map(|cell| kind(first(cell))).collect()
    };
    let mut kinds = lines.iter().map(kinds);
    let first = kinds.next();
    first.is_some_and(|first| first.len() > 1 && kinds.all(|other| other == first))
}

fn line_end(raw: &[u8]) -> u8 {
    if raw.contains(&b'\n') { b'\n' } else { b'\r' }
}

fn plain_fields(line: &[u8], delimiter: u8) -> usize {
    line.iter().filter(|b| **b == delimiter).count() + 1
}

/// What the quoted cells of more than one line are like.
#[derive(Default)]
struct Cells {
    /// Behind the mark that closes one stands more text.
    closes_within_text: bool,
    holds_delimiters: bool,
}

impl Cells {
    /// Reads quotation marks as the reader of the table does.
    fn of(raw: &[u8], delimiter: u8, quote: u8) -> Self {
        let mut found = Self::default();
        let (mut is_start, mut at) = (true, 0);
        while let Some(&byte) = raw.get(at) {
            at += 1;
            if !is_start || byte != quote {
                is_start = byte == delimiter;
                continue;
            }
            let from = at;
            loop {
                match (raw.get(at), raw.get(at + 1)) {
                    (Some(b), Some(next)) if *b == quote && *next == quote => at += 2,
                    (Some(b), _) if *b == quote => break,
                    (Some(_), _) => at += 1,
                    (None, _) => break,
                }
            }
            let cell = raw.get(from..at).unwrap_or_default();
            at += 1;
            is_start = false;
            if cell.iter().any(|b| matches!(b, b'\n' | b'\r')) {
                let behind = raw.get(at..).unwrap_or_default().iter().find(|b| !matches!(b, b' ' | b'\r' | b'\n'));
                found.closes_within_text |= behind.is_some_and(|b| *b != delimiter);
                found.holds_delimiters |= cell.contains(&delimiter);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(raw: &str, columns: usize) -> Option<u64> {
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(raw.as_bytes()).into_byte_records();
        let fields = reader.next().unwrap().unwrap().len();
        swallowed_lines(raw.as_bytes(), b',', b'"', columns, fields)
    }

    #[test]
    fn a_cell_of_two_lines_is_told_from_two_rows_in_a_cell() {
        for (raw, columns, taken) in [
            // Closed by the mark of another cell, of an inch, of a nickname.
            ("1,\"LOT 2,1902\n2,LOT 3,1903\n3,\"LOT 4\",1904", 3, Some(2)),
            ("1,\"LOT 2,1902\n2,LOT 4 6\" PIPE,1903", 3, Some(1)),
            ("1,\"BUD ROE,12\n2,MOE,14\n3,LEE \"AL\" TAM,16", 3, Some(2)),
            ("1,2,\"LOT 2,1902\n2,3,LOT 4 6\",1903", 4, Some(1)),
            ("1,2,\"LOT 2,1902\n2,LOT 4 6\",3,1903", 4, Some(1)),
            ("\"1,2,3,4\n2,\"3\",4,5", 4, Some(1)),
            ("1,2,\"A,4\r\n2,3,B\",5", 4, Some(1)),
            ("1,2,\"A,4\r2,3,B\",5", 4, Some(1)),
            // A narrow table.
            ("\"12 ELM ST,100,X\n14 ELM ST 6\",90,Y", 3, Some(1)),
            ("12,\"LOT 4\n14,LOT 6\"", 2, Some(1)),
            // Cells of two lines.
            ("1,\"A\nA\",1901", 3, None),
            ("1,\"12 ALDER CT, APT 4\nHARROW, OH 43099\"", 2, None),
            ("1,\"12 ALDER CT, APT 4\r\nHARROW, OH 43099\",3", 3, None),
            ("\"LOT 1, BLK 2\nTRACT 3, PG 4\",2,3,4,5", 5, None),
            ("1,\"LOT \"\"2\"\"\nPG 4\" ,3", 3, None),
            ("1,\"A\n\nB\"\n", 2, None),
            // One line.
            ("1,\"BUD\" ROE,3", 3, None),
            ("1,\"LOT 2, 3\",3", 3, None),
        ] {
            assert_eq!(lines(raw, columns), taken, "{raw}");
        }
    }
}
