//! A file of leads as people export it, into rows of text: any encoding and separator that spreadsheets write.

use csv::ReaderBuilder;
use serde::{Deserialize, Serialize};

/// For one import.
pub const MAX_ROWS: usize = 10_000;
pub const MAX_BYTES: usize = 10 * 1024 * 1024;
const MAX_COLUMNS: usize = 200;

/// Why a file cannot be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileProblem {
    Empty,
    /// Headings, and nothing under them.
    NoRows,
    Excel,
    /// A picture, a PDF, a web page.
    NotText,
    TooLarge,
    TooManyRows(usize),
    TooManyColumns,
    /// A quotation mark is opened in this row and never closed.
    OpenQuote(usize),
    /// No column is a phone or an email.
    NoContact,
    /// Others of the company wait.
    TooManyFiles,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Encoding {
    Utf8,
    Utf16,
    /// Of older Windows programs.
    Windows,
}

impl Encoding {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16 => "UTF-16",
            Self::Windows => "Windows-1252",
        }
    }
}

/// The rows of a file. A row has as many cells as there are headings, or more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub headings: Vec<String>,
    /// Each with its number in the file, counted as a spreadsheet does.
    pub rows: Vec<(usize, Vec<String>)>,
    pub encoding: Encoding,
    pub separator: u8,
}

impl Table {
    pub fn read(bytes: &[u8]) -> Result<Self, FileProblem> {
        if bytes.len() > MAX_BYTES {
            return Err(FileProblem::TooLarge);
        }
        is_other_kind(bytes)?;
        let (text, encoding) = decoded(bytes)?;
        let (text, named) = without_separator_line(&text);
        let text = text.trim_start_matches(['\r', '\n']);
        if text.trim().is_empty() {
            return Err(FileProblem::Empty);
        }
        let separator = named.unwrap_or_else(|| separator_of(text));
        if let Some(row) = open_quote(text, separator) {
            return Err(FileProblem::OpenQuote(row));
        }
        let (all, more) = records(text, separator, MAX_ROWS + 2);
        if more > 0 {
            return Err(FileProblem::TooManyRows(MAX_ROWS + 1 + more));
        }
        let mut records = all.into_iter().enumerate().map(|(n, cells)| (n + 1, cells));
        let Some((_, first)) = records.next() else { return Err(FileProblem::Empty) };
        if first.len() > MAX_COLUMNS {
            return Err(FileProblem::TooManyColumns);
        }
        let is_data = first.iter().any(|cell| looks_like_contact(cell));
        let headings: Vec<String> = match is_data {
            true => (1..=first.len()).map(|number| format!("Column {number}")).collect(),
            false => first.clone(),
        };
        let mut rows: Vec<(usize, Vec<String>)> = if is_data { vec![(1, first)] } else { Vec::new() };
        rows.extend(records.filter(|(_, cells)| cells.iter().any(|cell| !cell.trim().is_empty())));
        if rows.is_empty() {
            return Err(FileProblem::NoRows);
        }
        if rows.len() > MAX_ROWS {
            return Err(FileProblem::TooManyRows(rows.len()));
        }
        for (_, cells) in &mut rows {
            if cells.len() < headings.len() {
                cells.resize(headings.len(), String::new());
            }
        }
        Ok(Self { headings, rows, encoding, separator })
    }

    /// As it is kept: number and cells of each row below the headings.
    pub fn kept(&self) -> Result<String, csv::Error> {
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
        writer.write_record(std::iter::once("").chain(self.headings.iter().map(String::as_str)))?;
        for (number, cells) in &self.rows {
            let number = number.to_string();
            writer.write_record(std::iter::once(number.as_str()).chain(cells.iter().map(String::as_str)))?;
        }
        let bytes = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// What [`Table::kept`] wrote.
    pub fn of_kept(text: &str, encoding: Encoding, separator: u8) -> Self {
        let mut all = records(text, b',', usize::MAX).0.into_iter();
        let headings = all.next().unwrap_or_default().into_iter().skip(1).collect();
        let rows = all.map(|mut cells| {
            let number = if cells.is_empty() { String::new() } else { cells.remove(0) };
            (number.parse().unwrap_or_default(), cells)
        });
        Self { headings, rows: rows.collect(), encoding, separator }
    }
}

fn is_other_kind(bytes: &[u8]) -> Result<(), FileProblem> {
    const EXCEL: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];
    const OTHERS: [&[u8]; 8] =
        [b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\x1f\x8b", b"{\\rtf", b"SQLite format", b"Rar!"];
    if EXCEL.iter().any(|start| bytes.starts_with(start)) {
        return Err(FileProblem::Excel);
    }
    let start: Vec<u8> = bytes.iter().take(512).map(u8::to_ascii_lowercase).collect();
    let is_page = String::from_utf8_lossy(&start).trim_start_matches(['\u{feff}', ' ', '\n', '\r']).starts_with('<');
    if is_page || OTHERS.iter().any(|start| bytes.starts_with(start)) {
        return Err(FileProblem::NotText);
    }
    Ok(())
}

fn decoded(bytes: &[u8]) -> Result<(String, Encoding), FileProblem> {
    let utf16 = |bytes: &[u8], read: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| read([pair[0], pair[1]]));
        (char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect::<String>(), Encoding::Utf16)
    };
    // Letters of Latin scripts have a zero in every other byte.
    let zeros = |odd: usize| bytes.iter().take(400).skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let half = bytes.len().min(400) / 2;
    let (text, encoding) = match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => (String::from_utf8_lossy(rest).into_owned(), Encoding::Utf8),
        _ if half > 1 && zeros(1) * 10 > half * 7 => utf16(bytes, u16::from_le_bytes),
        _ if half > 1 && zeros(0) * 10 > half * 7 => utf16(bytes, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => (text.to_owned(), Encoding::Utf8),
            Err(_) => (bytes.iter().map(|byte| windows(*byte)).collect(), Encoding::Windows),
        },
    };
    // A few stray controls come from copied text; many, from a program's file.
    let controls = text.chars().filter(|c| c.is_control() && !matches!(c, '\r' | '\n' | '\t')).count();
    if controls * 50 > text.chars().count() {
        return Err(FileProblem::NotText);
    }
    Ok((text.replace('\0', ""), encoding))
}

/// A byte of Windows-1252.
fn windows(byte: u8) -> char {
    const UPPER: [char; 32] = [
        '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž', '\u{fffd}',
        '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => UPPER[usize::from(byte - 0x80)],
        byte => char::from(byte),
    }
}

/// Excel's own first line, `sep=;`.
fn without_separator_line(text: &str) -> (&str, Option<u8>) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    match line.trim_end_matches('\r').to_ascii_lowercase().strip_prefix("sep=").map(str::as_bytes) {
        Some([separator]) => (rest, Some(*separator)),
        _ => (text, None),
    }
}

/// The one that gives the first rows the same number of cells, and the most.
fn separator_of(text: &str) -> u8 {
    const ALL: [u8; 4] = *b",;\t|";
    const LOOKED_AT: usize = 64 * 1024;
    let start: String = text.lines().take(40).flat_map(|line| [line, "\n"]).collect::<String>();
    let start: String = start.chars().take(LOOKED_AT).collect();
    let score = |separator: u8| {
        let (rows, _) = records(&start, separator, 40);
        let width = rows.first().map_or(0, Vec::len);
        let same = rows.iter().filter(|cells| cells.len() == width).count();
        (usize::from(width > 1), same * 10 / rows.len().max(1), width)
    };
    // The first of equals: a comma.
    ALL.into_iter().rev().max_by_key(|separator| score(*separator)).unwrap_or(b',')
}

/// The first rows, and how many more there are.
fn records(text: &str, separator: u8, most: usize) -> (Vec<Vec<String>>, usize) {
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
    let cell = |cell: &str| cell.trim_matches(['\u{feff}', ' ', '\u{a0}', '\t']).to_owned();
    let (mut rows, mut more, mut record) = (Vec::new(), 0, csv::StringRecord::new());
    while reader.read_record(&mut record).unwrap_or(false) {
        match rows.len() < most {
            true => rows.push(record.iter().take(MAX_COLUMNS + 1).map(cell).collect()),
            false => more += 1,
        }
    }
    (rows, more)
}

/// The row in which a quotation mark begins a cell that never ends.
fn open_quote(text: &str, separator: u8) -> Option<usize> {
    let (mut row, mut opened, mut is_start, mut quoted) = (1, 1, true, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
            }
            '"' if quoted => quoted = false,
            '"' if is_start => (quoted, opened) = (true, row),
            '\n' if !quoted => row += 1,
            _ => {}
        }
        is_start = !quoted && (c == '\n' || c == '\r' || u32::from(c) == u32::from(separator));
    }
    quoted.then_some(opened)
}

fn looks_like_contact(cell: &str) -> bool {
    let digits = cell.chars().filter(char::is_ascii_digit).count();
    let is_email = cell.split_once('@').is_some_and(|(local, host)| !local.is_empty() && host.contains('.'));
    is_email || (10..=15).contains(&digits) && cell.chars().all(|c| c.is_ascii_digit() || " ()-+.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8]) -> (Vec<String>, Vec<Vec<String>>) {
        let table = Table::read(bytes).unwrap();
        (table.headings, table.rows.into_iter().map(|(_, cells)| cells).collect())
    }

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2], mark: &[u8]) -> Vec<u8> {
        mark.iter().copied().chain(text.encode_utf16().flat_map(bytes)).collect()
    }

    #[test]
    fn one_table_comes_out_of_each_encoding_and_separator() {
        let text = "Name;Phone\r\nJosé Núñez;(207) 555-0134\r\n";
        let wanted = (
            vec!["Name".to_owned(), "Phone".to_owned()],
            vec![vec!["José Núñez".to_owned(), "(207) 555-0134".to_owned()]],
        );
        let windows: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        for bytes in [
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            windows,
            utf16(text, u16::to_le_bytes, b"\xff\xfe"),
            utf16(text, u16::to_be_bytes, b"\xfe\xff"),
            utf16(text, u16::to_le_bytes, b""),
            utf16(text, u16::to_be_bytes, b""),
            text.replace(';', "\t").into_bytes(),
            text.replace(';', "|").into_bytes(),
            text.replace(';', ",").into_bytes(),
            format!("sep=;\r\n{text}").into_bytes(),
            text.replace("\r\n", "\n").into_bytes(),
            text.replace("\r\n", "\r").into_bytes(),
        ] {
            assert_eq!(rows(&bytes), wanted, "{bytes:?}");
        }
    }

    #[test]
    fn commas_in_an_address_are_not_taken_for_separators() {
        let (headings, read) = rows(b"Name;Address\nAna;18 Heron Way, Portland, ME\nRuth;90 Elm Street, Saco, ME");
        assert_eq!(headings, ["Name", "Address"]);
        assert_eq!(read[1], ["Ruth", "90 Elm Street, Saco, ME"]);
    }

    #[test]
    fn quotes_hold_separators_line_ends_and_quotes() {
        let (_, read) = rows(b"Name,Note\n\"Ana \"\"Annie\"\" K\",\"two\nlines, one cell\"\n6\" pipe,x\n");
        assert_eq!(read[0], ["Ana \"Annie\" K", "two\nlines, one cell"]);
        assert_eq!(read[1], ["6\" pipe", "x"]);
    }

    #[test]
    fn a_file_without_headings_keeps_its_first_row() {
        let (headings, read) = rows(b"Ana Kowalski,207-555-0134\nRuth Adeyemi,207-555-0151\n");
        assert_eq!((headings[1].as_str(), read.len()), ("Column 2", 2));
    }

    #[test]
    fn short_rows_are_filled_up_and_blank_ones_left_out() {
        let table = Table::read(b"Name,Phone,Note\nAna,1\n,,\nRuth,2,late,more\n").unwrap();
        assert_eq!(
            table.rows,
            [
                (2, vec!["Ana".to_owned(), "1".to_owned(), String::new()]),
                (4, ["Ruth", "2", "late", "more"].map(str::to_owned).to_vec()),
            ]
        );
    }

    #[test]
    fn a_kept_table_is_the_same_table() {
        let table = Table::read("Name;Note\nAna;\"a, \"\"b\"\"\nc\"\n;\nRuth;\u{fc}ber\n".as_bytes()).unwrap();
        assert_eq!(Table::of_kept(&table.kept().unwrap(), table.encoding, table.separator), table);
    }

    #[test]
    fn other_files_are_refused_by_what_they_are() {
        let refused = |bytes: &[u8]| Table::read(bytes).unwrap_err();
        assert_eq!(refused(b""), FileProblem::Empty);
        assert_eq!(refused(b"\r\n \r\n"), FileProblem::Empty);
        assert_eq!(refused(b"Name,Phone\n"), FileProblem::NoRows);
        assert_eq!(refused(b"PK\x03\x04rest"), FileProblem::Excel);
        assert_eq!(refused(b"\xd0\xcf\x11\xe0rest"), FileProblem::Excel);
        assert_eq!(refused(b"%PDF-1.7"), FileProblem::NotText);
        assert_eq!(refused(b"\n<!DOCTYPE html><p>Sign in"), FileProblem::NotText);
        assert_eq!(refused(b"a\x01\x02\x03\x04\x05b\x06\x07\x08"), FileProblem::NotText);
        assert_eq!(refused(b"Name,Phone\nAna,1\n\"Ruth,2\nLuis,3\n"), FileProblem::OpenQuote(3));
        assert_eq!(refused(&vec![b'a'; MAX_BYTES + 1]), FileProblem::TooLarge);
        let long = format!("Name\n{}", "Ana\n".repeat(MAX_ROWS + 1));
        assert_eq!(refused(long.as_bytes()), FileProblem::TooManyRows(MAX_ROWS + 1));
        assert_eq!(refused(",".repeat(MAX_COLUMNS).as_bytes()), FileProblem::TooManyColumns);
    }
}
