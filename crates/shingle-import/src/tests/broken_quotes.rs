//! Text tables whose form is not what it seems: quotation marks that swallow rows, headings that stand twice, title lines,
//! `sep=;`, UTF-16 without a mark, cells that Excel was kept from changing.

use super::files::*;
use crate::{ImportJob, Mapping, check, draft};

const MAP: &str = r#"
dataset = "t"
[place]
parcel = "PIN"
[address]
number = "NUM"
street = "STREET"
city = "CITY"
state = "ST"
zip = "ZIP"
[assessor]
year_built = "YR"
subdivision = "LEGAL"
"#;
const HEADING: &str = "PIN,NUM,STREET,CITY,ST,ZIP,LEGAL,YR\n";

fn rows(count: usize) -> Vec<String> {
    (0..count).map(|n| format!("P{n},{},TANNER ST,HARROW,OH,43099,LOT {n},{}\n", 10 + 2 * n, 1900 + n)).collect()
}

#[test]
fn what_an_open_quotation_mark_swallows_is_told_and_no_home_takes_the_year_of_another() {
    // The row it opens in, the cell, what closes it, and in which row.
    for (opens, cell, closes, at) in [
        (3, "LOT 3", "LOT 9 6\" PIPE", 9),
        (0, "LOT 0", "THE \"BEND\" LOT", 1),
        (2, "LOT 2", "\"LOT 5\"", 5),
        (5, "LOT 5", "6\"", 30),
        (7, "LOT 7", "\"SMITH, J\"", 8),
        (1, "TANNER ST", "\"TANNER ST\"", 2),
        (1, "HARROW", "\"HARROW\"", 4),
        (11, "P11", "\"P12\"", 12),
        (11, "43099", "12\" LOT", 13),
        (20, "OH", "\"OH\"", 39),
    ] {
        let town = Town::new();
        let mut table = rows(40);
        table[opens] = table[opens].replacen(cell, &format!("\"{cell}"), 1);
        let old = if closes.contains("LOT") || closes.contains('6') || closes.contains("SMITH") {
            format!("LOT {at}")
        } else {
            closes.trim_matches('"').to_owned()
        };
        table[at] = table[at].replacen(&old, closes, 1);
        let file = town.write("t.csv", format!("{HEADING}{}", table.concat()));
        let report = town.import(MAP, &[&file]).unwrap();
        let taken = at - opens;
        assert_eq!((report.imported, report.rejected), (39 - taken as u64, 1), "{opens} {at}: {:?}", report.reasons);
        let lines = if taken == 1 { "line" } else { "lines" };
        let told = format!("took {taken} more {lines} into a cell: the first is row {}, line {}", opens + 1, opens + 2);
        assert!(
            said(&report.notes).iter().any(|n| n.contains(&told) && n.contains("`quote = \"\"`")),
            "{:?}",
            report.notes
        );
        let mapping = Mapping::from_toml(MAP, "m.toml").unwrap();
        let job = ImportJob { files: vec![file.clone()], mapping: &mapping, into: town.index() };
        let checked = check(&job, &mut ()).unwrap();
        assert!(said(&checked.notes).iter().any(|n| n.contains(&told)), "{:?}", checked.notes);
        // The way out brings all of them, each with its own year.
        let unquoted = format!("{MAP}[table]\nquote = \"\"\n");
        let report = town.import(&unquoted, &[&file]).unwrap();
        // Other cells keep their mark: `"43099` is no ZIP.
        if cell.starts_with("LOT") && !closes.contains(", ") {
            assert_eq!(report.imported, 40, "{:?}", report.reasons);
            let draft = draft(&[file]).unwrap();
            assert!(draft.mapping.contains("quote = \"\""), "{}", draft.mapping);
        }
    }
}

#[test]
fn a_mark_that_never_closes_is_told_from_a_file_that_was_cut_off() {
    let town = Town::new();
    for opens in [0, 17, 30] {
        let mut table = rows(40);
        table[opens] = table[opens].replacen("LOT", "\"LOT", 1);
        let file = town.write("t.csv", format!("{HEADING}{}", table.concat()));
        let error = town.import(MAP, &[&file]).unwrap_err().to_string();
        let told = format!("opens in row {} does not close in the {} lines", opens + 1, 40 - opens);
        assert!(error.contains(&told) && error.contains("quote = \"\""), "{error}");
        assert!(draft(&[file]).unwrap().mapping.contains("quote = \"\""));
    }
    let cut = format!("{HEADING}{}P,1,\"TAN", rows(5).concat());
    let error = town.import(MAP, &[&town.write("t.csv", cut)]).unwrap_err().to_string();
    assert!(error.contains("ends inside a quoted field of row 6. Copy it again"), "{error}");
}

#[test]
fn cells_of_two_lines_stay_what_they_are() {
    let town = Town::new();
    for (end, cell) in
        [("\n", "\"A\nA\""), ("\r\n", "\"LOT 1,\r\nBLK 2\""), ("\n", "\"A \"\"B\"\"\n\nC\""), ("\r", "\"A\rB\"")]
    {
        let table = rows(3).concat().replace("LOT 1", cell).replace('\n', end);
        let table = table.replace(&cell.replace('\n', end), cell);
        let file = town.write("t.csv", format!("{}{table}", HEADING.replace('\n', end)));
        let report = town.import(MAP, &[&file]).unwrap();
        assert_eq!((report.imported, report.rejected), (3, 0), "{cell:?} {:?}", report.reasons);
        assert!(report.notes.is_empty(), "{:?}", report.notes);
    }
}

#[test]
fn a_line_of_a_rejected_row_is_the_one_an_editor_shows() {
    let town = Town::new();
    for end in ["\n", "\r\n"] {
        let mut table = rows(6);
        table[3] = table[3].replace("43099", "Z");
        let file = town.write("t.csv", format!("TITLE\n{HEADING}{}", table.concat()).replace('\n', end));
        town.import(&format!("{MAP}[table]\nskip_lines = 1\n"), &[&file]).unwrap();
        assert!(town.rejects("t").trim_end().ends_with(",6"), "{}", town.rejects("t"));
    }
}

#[test]
fn a_heading_that_stands_twice_is_told_and_each_can_be_read() {
    let town = Town::new();
    let table = "PIN,OWNER,CITY,ST,ZIP,NUM,STREET,City,ST,ZIP,LEGAL,YR\n\
                 P1,ROE,MIAMI,FL,33101,12,TANNER ST,HARROW,OH,43099,LOT 1,1911\n";
    let file = town.write("t.csv", table);
    let report = town.import(MAP, &[&file]).unwrap();
    let told = |what: &str| said(&report.notes).iter().any(|n| n.contains(what));
    for what in ["`CITY` is over 2 columns", "write `City (2)`", "write `ST (2)`", "write `ZIP (2)`"] {
        assert!(told(what), "{what} {:?}", report.notes);
    }
    let second =
        MAP.replace("\"CITY\"", "\"City (2)\"").replace("\"ST\"", "\"ST (2)\"").replace("\"ZIP\"", "\"zip (2)\"");
    let report = town.import(&second, &[&file]).unwrap();
    assert!(report.notes.is_empty(), "{:?}", report.notes);
    assert!(town.find("12 Tanner St, Harrow, OH 43099").is_some());
}

#[test]
fn titles_and_sep_are_passed_over_whatever_ends_the_lines() {
    let town = Town::new();
    let table = format!("{HEADING}{}", rows(5).concat()).replace(',', ";");
    for before in ["", "sep=;\n", "\u{feff}sep=;\n", "County of Harrow, 2025\n", "sep=;\nCounty\nPrinted\n", "A\n\nB\n"]
    {
        for end in ["\n", "\r\n", "\r"] {
            let file = town.write("t.csv", format!("{before}{table}").replace('\n', end));
            let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
            let report = town.import(&drafted, &[&file]).unwrap();
            assert_eq!((report.imported, report.rejected), (5, 0), "{before:?} {end:?}\n{drafted}");
        }
    }
    // It is believed: the cells themselves would say a comma.
    let file = town.write("t.csv", "sep=|\nPIN|NUM|STREET, ALL|CITY, TOWN|ST|ZIP\n1|2|ELM, ST|HARROW, A|OH|43099\n");
    assert_eq!(crate::columns_of(&[file]).unwrap()[2], "STREET, ALL");
}

#[test]
fn utf_16_is_read_without_its_mark_where_the_mapping_says_so_and_named_where_not() {
    let town = Town::new();
    let whole = format!("{HEADING}{}", rows(5).concat().replace("LOT 1", "PEÑA"));
    let forms = [(",", "\n"), (";", "\r\n"), ("\t", "\n"), ("|", "\r\n"), (",", "\r\n"), (";", "\n")];
    for (delimiter, end) in forms {
        let table = whole.replace(',', delimiter).replace('\n', end);
        for (name, bytes) in [
            ("utf-16le", table.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()),
            ("utf-16be", table.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        ] {
            let file = town.write("t.csv", &bytes);
            let error = town.import(MAP, &[&file]).unwrap_err().to_string();
            assert!(error.contains(&format!("`encoding = \"{name}\"`")), "{error}");
            let report = town.import(&format!("{MAP}[table]\nencoding = \"{name}\"\n"), &[&file]).unwrap();
            assert_eq!((report.imported, report.rejected), (5, 0), "{delimiter:?} {end:?}");
            let home = town.find("12 Tanner St, Harrow, OH 43099").unwrap();
            assert_eq!(home.assessor.subdivision.unwrap().value, "PEÑA");
            let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
            assert!(drafted.contains(&format!("encoding = \"{name}\"")), "{drafted}");
        }
    }
}

#[test]
fn cells_that_excel_was_kept_from_changing_are_their_text() {
    let town = Town::new();
    for (number, zip) in [
        ("\"=\"\"26\"\"\"", "\"=\"\"43099\"\"\""),
        ("=\"26\"", "=\"43099\""),
        ("'26", "'43099"),
        ("\"'26\"", "43099.0"),
        ("=26", "=43099"),
        (" '26 ", " =\"43099\" "),
        ("26.0", "'43099-1234"),
        ("26.00", "\"=\"\"43099-1234\"\"\""),
        ("=\"0026\"", "430991234"),
        ("26", "\" =\"\"43099\"\"\""),
    ] {
        let file = town.write("t.csv", format!("{HEADING}P1,{number},TANNER ST,HARROW,OH,{zip},LOT,1950\n"));
        let report = town.import(MAP, &[&file]).unwrap();
        assert_eq!(report.rejected, 0, "{number} {zip} {:?}", report.reasons);
        let home = town.find("26 Tanner St, Harrow, OH 43099").unwrap();
        assert_eq!((home.address.street_number.as_str(), home.address.zip.as_str()), ("26", "43099"), "{number}");
    }
}

#[test]
fn the_error_of_a_spreadsheet_is_no_street_and_no_fact() {
    let town = Town::new();
    for error in ["#NAME?", "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#name?", "#n/a", "#SPILL!"] {
        let whole = rows(3);
        for (at, cell) in [(1, "12"), (2, "TANNER ST"), (3, "HARROW"), (4, "OH"), (5, "43099")] {
            let mut table = whole.clone();
            table[1] = table[1].replacen(cell, error, 1);
            let file = town.write("t.csv", format!("{HEADING}{}", table.concat()));
            let report = town.import(MAP, &[&file]).unwrap();
            assert_eq!((report.imported, report.rejected), (2, 1), "{error} in {at}: {:?}", report.reasons);
            assert!(report.reasons[0].0.to_string().contains(error), "{:?}", report.reasons);
        }
        let mut table = whole.clone();
        table[1] = table[1].replacen("LOT 1", error, 1).replacen("1901", error, 1);
        let file = town.write("t.csv", format!("{HEADING}{}", table.concat()));
        let report = town.import(MAP, &[&file]).unwrap();
        assert_eq!(report.rejected, 0);
        let home = town.find("12 Tanner St, Harrow, OH 43099").unwrap();
        assert!(home.assessor.subdivision.is_none() && home.assessor.year_built.is_none(), "{error}");
        assert!(report.unread.iter().any(|u| u.field == "subdivision" && u.cells == 1), "{:?}", report.unread);
    }
}
