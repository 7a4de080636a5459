//! Tables as bad as they come: each with a clear report, and the old index still served.

use super::files::*;
use crate::{ImportJob, Mapping, Unread, check, run};

const HEADING: &str = "id,address,zip,owner,year,area,price,sold,home,roof\n";

/// An index of a table that a bad one would replace.
fn old() -> Town {
    let town = Town::new();
    let file = town.write("old.csv", format!("{HEADING}1,2 Elm Ln,43099,ROE,1950,1,1,,,\n"));
    town.import(TABLE, &[&file]).unwrap();
    town
}

fn still_served(town: &Town) {
    assert!(town.find("2 Elm Ln, Harrow, OH 43099").is_some(), "the old index is gone");
}

const PLAIN: &str = r#"
dataset = "h"
[address]
line = "A"
[assessor]
living_area_sqft = { column = "M2", unit = "m2" }
"#;

#[test]
fn a_table_cut_within_a_row_leaves_the_old_index() {
    let town = Town::new();
    let rows: String = (1..40).map(|n| format!("{n} ELM ST HARROW OH 43099,{n}01,x\n")).collect();
    let whole = format!("A,M2,C\n{rows}");
    let file = town.write("t.csv", &whole);
    assert_eq!(town.import(PLAIN, &[&file]).unwrap().places, 39);
    let in_row_20 = whole.find("20 ELM").unwrap();
    for cut in [in_row_20 + 26, in_row_20 + 28] {
        let file = town.write("t.csv", &whole[..cut]);
        let error = town.import(PLAIN, &[&file]).unwrap_err().to_string();
        assert!(error.contains("truncated: the file ends within row 20"), "{cut}: {error}");
        assert!(town.find("39 Elm St, Harrow, OH 43099").is_some(), "the old index is gone");
    }
    // A remark at the end, and a short row that the file goes on after, are rows that cannot be used.
    for end in ["39 rows", "40 ELM ST HARROW OH 43099,1\n"] {
        let file = town.write("t.csv", format!("{whole}{end}"));
        assert_eq!(town.import(PLAIN, &[&file]).unwrap().rejected, 1, "{end}");
    }
}

#[test]
fn a_decimal_comma_is_asked_about_and_never_makes_ten_of_one() {
    let town = Town::new();
    let file = town.write("t.csv", "A;M2;C\n1 ELM ST HARROW OH 43099;100,0;x\n2 ELM ST HARROW OH 43099;90,5;x\n");
    let mapping = Mapping::from_toml(PLAIN, "m.toml").unwrap();
    let found =
        check(&ImportJob { files: vec![file.clone()], mapping: &mapping, into: town.index() }, &mut ()).unwrap();
    assert_eq!((found.fields[0].known, found.fields[0].unread), (0, 2));
    assert!(said(&found.suggestions).iter().any(|s| s.contains("decimal = \",\"")), "{:?}", found.suggestions);
    let stated = PLAIN.replace("\"M2\",", "\"M2\", decimal = \",\",");
    town.import(&stated, &[&file]).unwrap();
    let area = town.find("1 Elm St, Harrow, OH 43099").unwrap().assessor.living_area_sqft.unwrap().value;
    assert!((area - 1_076.39).abs() < 0.01, "{area}");
}

#[test]
fn a_web_page_is_called_one() {
    let town = Town::new();
    let file = town.write("t.csv", "\n<!doctype HTML><html><body>404</body></html>");
    let error = town.import(PLAIN, &[&file]).unwrap_err().to_string();
    assert!(error.contains("this is a web page"), "{error}");
}

#[test]
fn a_table_cut_off_inside_a_quoted_field_is_refused() {
    let town = old();
    let whole =
        format!("{HEADING}1,12 Fern Ln,43099,\"ROE, JAN\",1950,,,,,\n2,14 Fern Ln,43099,\"MOE, ANN\",1951,,,,,\n");
    for cut in [whole.len() - 12, whole.find("\"MOE").unwrap() + 1, whole.find("E, JAN").unwrap()] {
        let file = town.write("new.csv", &whole[..cut]);
        let error = town.import(TABLE, &[&file]).unwrap_err().to_string();
        assert!(error.contains("truncated: the file ends inside a quoted field of row"), "{cut}: {error}");
        still_served(&town);
    }
    // With its line end, a row that has too few is one bad row.
    let file = town.write("new.csv", format!("{}\n", &whole[..whole.find(",1951").unwrap()]));
    let report = town.import(TABLE, &[&file]).unwrap();
    assert_eq!((report.imported, report.rejected), (1, 1));
    assert!(town.rejects("test-table").contains("4 fields where the header has 10"));
    // A whole table without its last line end is whole.
    let file = town.write("new.csv", whole.trim_end());
    assert_eq!(town.import(TABLE, &[&file]).unwrap().imported, 2);
}

#[test]
fn nonsense_in_cells_costs_facts_and_no_rows() {
    let town = Town::new();
    let table = "1,12 Fern Ln,43099,UNKNOWN,0,-900,1,1900-13-01,maybe,XX\n\
         2,14 Fern Ln,43099,ROE,9999,(12),-5,0000-00-00,,GB\n\
         3,16 Fern\0 Ln,43099,\u{202e}MOE\0,1950.5,1e300,$1.00,2016-06-05,H,\n";
    let file = town.write("t.csv", format!("{HEADING}{table}"));
    let report = town.import(TABLE, &[&file]).unwrap();
    assert_eq!((report.imported, report.rejected), (3, 0));
    let of = |line: &str| town.find(&format!("{line}, Harrow, OH 43099")).unwrap().assessor;
    let (a, b, c) = (of("12 Fern Ln"), of("14 Fern Ln"), of("16 Fern Ln"));
    assert!(a.primary_owner.is_none() && a.year_built.is_none() && a.living_area_sqft.is_none());
    assert!(a.sale_date.is_none() && a.residential_exemption.is_none() && a.roof_type.is_none());
    assert_eq!(a.sale_price.unwrap().value.dollars(), 1.0, "a deed for a dollar is what was recorded");
    assert!(b.year_built.is_none() && b.living_area_sqft.is_none() && b.sale_price.is_none() && b.sale_date.is_none());
    assert!(c.year_built.is_none() && c.living_area_sqft.is_none() && c.residential_exemption.unwrap().value);
    assert_eq!(c.primary_owner.unwrap().value, "MOE");
    let told: Vec<_> = report.unread.iter().map(|u| (u.field.as_str(), u.problem, u.cells)).collect();
    for complaint in [
        ("year_built", Unread::OutOfRange, 2),
        ("living_area_sqft", Unread::OutOfRange, 2),
        ("living_area_sqft", Unread::NotReadable, 1),
        ("sale_price", Unread::OutOfRange, 1),
        ("sale_date", Unread::NotReadable, 1),
        ("residential_exemption", Unread::UnknownCode, 1),
        ("roof_type", Unread::UnknownCode, 1),
    ] {
        assert!(told.contains(&complaint), "{complaint:?} is not among {told:?}");
    }
}

#[test]
fn ten_thousand_copies_of_a_parcel_are_one_place() {
    let town = Town::new();
    let row = "7,12 Fern Ln,43099,ROE,1950,1200,1,,,\n";
    let file = town.write("t.csv", format!("{HEADING}{}8,14 Fern Ln,43099,MOE,1951,1300,2,,,\n", row.repeat(10_000)));
    let report = town.import(TABLE, &[&file]).unwrap();
    assert_eq!((report.rows_read, report.imported, report.duplicates, report.places), (10_001, 2, 9_999, 2));
    let mapping = Mapping::from_toml(TABLE, "t.toml").unwrap();
    let found = check(&ImportJob { files: vec![file], mapping: &mapping, into: town.index() }, &mut ()).unwrap();
    assert_eq!((found.usable, found.duplicates), (2, 9_999));
    assert!(
        said(&found.suggestions).iter().any(|s| s.contains("9999 of 10001 rows repeat an earlier row")),
        "{found:?}"
    );
}

#[test]
fn a_file_without_rows_changes_nothing() {
    let town = old();
    for (bytes, says) in [
        (&b""[..], "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"  \n\n", "the file is empty"),
        (HEADING.as_bytes(), "no row of 0 could be imported"),
        (HEADING.trim_end().as_bytes(), "no row of 0 could be imported"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0", "holds bytes that no table has"),
        (b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20", "convert the layer: ogr2ogr"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0", "save its sheet as CSV"),
        (b"fgb\x03fgb\0", "convert it: ogr2ogr"),
        (b"\0\0\0\x0d\x0a\x09OSMHeader\x18", "convert it: osmium"),
        (b"PAR1\x15\x04\x15PAR1", "this Parquet file cannot be read"),
    ] {
        let file = town.write("new.csv", bytes);
        let error = town.import(TABLE, &[&file]).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
        still_served(&town);
    }
}

#[test]
fn a_mapping_for_another_file_names_what_is_missing_and_what_is_near() {
    let town = old();
    let file = town.write("new.csv", "parcel,addres,zipcode,YEAR,area_sf\n1,2,3,4,5\n");
    let error = town.import(TABLE, &[&file]).unwrap_err().to_string();
    for part in [
        "no column `address`; is `addres` meant?",
        "no column `zip`; is `zipcode` meant?",
        "no column `area`; is `area_sf` meant?",
        "The file has: parcel, addres, zipcode, YEAR, area_sf",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!error.contains("no column `year`"), "{error}");
    let file = town.write("new.csv", "x,y\n1,2\n");
    let error = town.import(TABLE, &[&file]).unwrap_err().to_string();
    assert!(error.contains("is it the mapping for another file?") && error.contains(" And 2 more."), "{error}");
    assert!(error.contains("`skip_lines`") && !error.contains(" meant?"), "nothing is like it: {error}");
    let file = town.write("new.csv", "1207,14 Alder Court,MARY ADDRESS,37405\n1208,16 Alder Court,JOHN ZIP,37405\n");
    let error = town.import(TABLE, &[&file]).unwrap_err().to_string();
    assert!(error.contains("`header`") && error.contains("looks like a row"), "{error}");
    assert!(!error.contains("MARY") && !error.contains("Alder"), "no names: {error}");
    still_served(&town);
}

#[test]
fn a_zip_of_another_state_is_told() {
    let town = Town::new();
    let columns = "line = \"A\"\ncity = \"C\"\nstate = { constant = \"OH\" }\nzip = \"Z\"";
    let mapping = Mapping::from_toml(&PLAIN.replace("line = \"A\"", columns), "m.toml").unwrap();
    for (zip, told) in [("99501", true), ("43099", false)] {
        let file = town.write("t.csv", format!("A,C,Z,M2\n1 ELM ST,HARROW,{zip},90\n2 ELM ST,HARROW,{zip},90\n"));
        let job = ImportJob { files: vec![file], mapping: &mapping, into: town.index() };
        for found in [check(&job, &mut ()).unwrap().findings, run(job, &mut ()).unwrap().findings] {
            let notes = found.iter().map(ToString::to_string).collect::<String>();
            let times = notes.matches("2 rows have a ZIP that is not of their state (99501 in OH)").count();
            assert_eq!(times, usize::from(told), "{zip}: {notes}");
        }
    }
}

#[test]
fn stray_bytes_of_other_encodings_cost_nothing() {
    let town = Town::new();
    let mut table = HEADING.as_bytes().to_vec();
    table.extend_from_slice(b"1,12 Fern Ln,43099,PE\xd1A \x96 ROE,1950,,,,,\n2,14 Fern Ln,43099,");
    table.extend_from_slice("PEÑA – ROE,1950,,,,,\n".as_bytes());
    let file = town.write("t.csv", &table);
    town.import(TABLE, &[&file]).unwrap();
    let text = String::from_utf8(HEADING.bytes().collect()).unwrap() + "1,12 Fern Ln,43099,PEÑA – ROE,1950,,,,,\n";
    let owner = |town: &Town, line: &str| town.find(line).unwrap().assessor.primary_owner.unwrap().value;
    assert_eq!(owner(&town, "12 Fern Ln, Harrow OH 43099"), "PEÑA – ROE");
    assert_eq!(owner(&town, "14 Fern Ln, Harrow OH 43099"), "PEÑA – ROE");
    let wide = |unit: fn(u16) -> [u8; 2]| format!("\u{feff}{text}").encode_utf16().flat_map(unit).collect::<Vec<u8>>();
    for bytes in [format!("\u{feff}{text}").into_bytes(), wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        let town = Town::new();
        let file = town.write("t.csv", bytes);
        town.import(TABLE, &[&file]).unwrap();
        assert_eq!(owner(&town, "12 Fern Ln, Harrow OH 43099"), "PEÑA – ROE");
    }
}

#[test]
fn a_check_counts_every_field_and_writes_nothing() {
    let town = Town::new();
    let mapping = "dataset = \"c\"\n[geometry]\nlongitude = \"x\"\nlatitude = \"y\"\n[place]\nparcel = \"id\"\n\
         [address]\nline = \"address\"\n[assessor]\nprimary_owner = \"owner\"\nyear_built = \"yr\"\n\
         roof_type = { column = \"roof\", codes = { GB = \"gable\" } }\nstyle = \"empty\"\n";
    let mapping = Mapping::from_toml(mapping, "c.toml").unwrap();
    let table = "id,address,owner,yr,roof,empty,x,y,SALE_PRICE\n\
         1,\"12 Fern Ln, Columbus, OH 43215\",ROE,1950,GB,,-83.01,39.96,1\n\
         2,\"14 Fern Ln, Columbus, OH 43215\",UNKNOWN,195O,XX,,-83.02,39.97,1\n\
         3,Fern Ln,ROE,1950,GB,,,,1\n\
         4,,ROE,,XX,,,,1\n\
         2,,MOE,1950,XX,,,,1\n";
    let file = town.write("t.csv", table);
    let job = || ImportJob { files: vec![file.clone()], mapping: &mapping, into: town.index() };
    let found = check(&job(), &mut ()).unwrap();
    assert!(!town.index().exists(), "nothing is written");
    assert_eq!((found.rows_read, found.usable, found.rejected, found.addressed), (5, 3, 2, 2));
    let field = |name: &str| found.fields.iter().find(|f| f.field == name).unwrap();
    let counts = |name: &str| (field(name).known, field(name).blank, field(name).unread);
    assert_eq!(counts("primary_owner"), (3, 1, 0));
    assert_eq!(counts("year_built"), (2, 1, 1));
    assert_eq!(counts("roof_type"), (1, 0, 3));
    assert_eq!(counts("style"), (0, 4, 0));
    assert_eq!((field("roof_type").problems[0].example.as_str(), field("roof_type").problems[0].cells), ("XX", 3));
    let extent = found.extent.as_ref().unwrap();
    assert_eq!((extent.points, extent.outlines, extent.compared, extent.near_their_zip), (2, 0, 2, 2));
    assert_eq!((extent.west, extent.north), (-83.02, 39.97));
    for part in ["style: every cell is blank", "roof_type: 3 of 4 cells", "`SALE_PRICE` is not used; is it sale_price?"]
    {
        assert!(said(&found.suggestions).iter().any(|s| s.contains(part)), "{part}: {:?}", found.suggestions);
    }
    assert!(!format!("{found:?}").contains("ROE"), "names stay out of a report");
    // What the check says, the import does.
    let report = run(job(), &mut ()).unwrap();
    assert_eq!((report.rows_read, report.imported, report.rejected), (5, found.usable, found.rejected));
}

#[test]
fn a_check_names_columns_whose_numbers_are_something_else() {
    let town = Town::new();
    let file = town.write(
        "t.csv",
        "A,Y,V,S\n1 ELM ST HARROW OH 43099,1950,210000,1.5\n2 ELM ST HARROW OH 43099,1961,188000,2\n\
         3 ELM ST HARROW OH 43099,1987,0,0\n4 ELM ST HARROW OH 43099,2004,305250,2\n",
    );
    let mapping = PLAIN.replace("{ column = \"M2\", unit = \"m2\" }", "\"V\"\nstoreys = \"Y\"\nunits = \"S\"");
    let mapping = Mapping::from_toml(&mapping, "m.toml").unwrap();
    let found = check(&ImportJob { files: vec![file], mapping: &mapping, into: town.index() }, &mut ()).unwrap();
    let range = |name: &str| found.fields.iter().find(|f| f.field == name).unwrap().range.unwrap();
    let area = range("living_area_sqft");
    assert_eq!((area.least, area.middle, area.most, area.outside), (188_000.0, 210_000.0, 305_250.0, 3));
    // What is out of range counts too: it says what the column is.
    assert_eq!((range("storeys").least, range("storeys").outside), (1950.0, 4));
    for part in [
        "living_area_sqft: the middle of the values is 210000, large",
        "storeys: the middle of the values is 1961, a year",
    ] {
        assert!(found.findings.iter().any(|s| s.to_string().contains(part)), "{part}: {:?}", found.findings);
    }
}

/// What a check finds, and the import after it, which is the same.
fn notes(town: &Town, mapping: &str, file: std::path::PathBuf) -> String {
    let mapping = Mapping::from_toml(mapping, "m.toml").unwrap();
    let job = ImportJob { files: vec![file], mapping: &mapping, into: town.index() };
    let checked = check(&job, &mut ()).unwrap().findings;
    assert_eq!(checked, run(job, &mut ()).unwrap().findings);
    checked.iter().map(|found| format!("{found}\n")).collect()
}

#[test]
fn letters_read_in_another_encoding_are_told_and_names_are_not_shown() {
    let town = Town::new();
    let mapping = PLAIN.replace("[assessor]", "[assessor]\nprimary_owner = \"O\"");
    let table = "A,M2,O\n1 PEÑA ST HARROW OH 43099,90,MUÑOZ\n2 ELM ST HARROW OH 43099,90,MUÑOZ\n";
    let file = town.write("t.csv", table);
    assert_eq!(notes(&town, &mapping, file.clone()), "");
    // UTF-8 of which the mapping says that it is Windows-1252; so it looks in a file that was spoilt before, too.
    let stated = format!("{mapping}[table]\nencoding = \"windows-1252\"\n");
    let spoilt = encoding_rs::WINDOWS_1252.decode(table.as_bytes()).0.into_owned();
    for (mapping, file) in [(&stated, file), (&mapping, town.write("spoilt.csv", spoilt))] {
        let told = notes(&town, mapping, file);
        assert!(
            told.contains("2 rows are UTF-8 that was read as Windows-1252 (`1 PEÃ‘A ST HARROW OH 43099`, which is"),
            "{told}"
        );
        assert!(!told.contains("MU"), "{told}");
    }
    // Windows-1252 without a word of it, and letters that are lost.
    let bytes = encoding_rs::WINDOWS_1252.encode(table).0.into_owned();
    let told = notes(&town, &mapping, town.write("t.csv", bytes));
    assert!(told.contains("2 rows are not UTF-8 and were read as Windows-1252 (`1 PEÑA ST"), "{told}");
    let told = notes(&town, &mapping, town.write("t.csv", table.replace("PEÑA", "PENA").replace('Ñ', "\u{fffd}")));
    assert!(told.contains("2 rows have lost letters (in the column `O`)") && !told.contains("MU"), "{told}");
}

#[test]
fn a_town_far_from_its_zip_is_told() {
    let town = Town::new();
    let mapping = |city: &str| {
        let columns =
            format!("line = \"A\"\ncity = {{ constant = \"{city}\" }}\nstate = {{ constant = \"VA\" }}\nzip = \"Z\"");
        PLAIN.replace("line = \"A\"", &columns)
    };
    let file = town.write("t.csv", "A,Z,M2\n1 ELM ST,23510,90\n2 ELM ST,23510,90\n");
    let told = notes(&town, &mapping("Richmond"), file.clone());
    assert!(told.contains("2 rows have a ZIP far from their town (23510 is Norfolk, not Richmond)"), "{told}");
    // Its own, a neighbor's, and of a town without a post office nothing is known.
    for city in ["Norfolk", "Virginia Beach", "Larchmont"] {
        assert_eq!(notes(&town, &mapping(city), file.clone()), "", "{city}");
    }
}

#[test]
fn dates_that_cannot_be_read_say_what_to_write() {
    let town = Town::new();
    let table = "A,D\n1 ELM ST HARROW OH 43099,6/5/2016\n2 ELM ST HARROW OH 43099,00/00/0000\n\
                 3 ELM ST HARROW OH 43099,12/31/1999\n";
    let file = town.write("t.csv", table);
    let mapping = |date: &str| {
        PLAIN.replace("living_area_sqft = { column = \"M2\", unit = \"m2\" }", &format!("sale_date = {date}"))
    };
    let plain = Mapping::from_toml(&mapping("\"D\""), "m.toml").unwrap();
    let job = ImportJob { files: vec![file.clone()], mapping: &plain, into: town.index() };
    let found = check(&job, &mut ()).unwrap();
    let field = &found.fields[0];
    assert_eq!((field.known, field.blank, field.unread), (0, 1, 2), "zeros are no date");
    assert!(
        said(&found.suggestions).iter().any(|s| s.contains("`formats = [\"%m/%d/%Y\"]`")),
        "{:?}",
        found.suggestions
    );
    let wrong = mapping("{ column = \"D\", formats = [\"MM/DD/YYYY\"] }");
    let error = Mapping::from_toml(&wrong, "m.toml").unwrap_err().to_string();
    assert!(
        error.contains("`[assessor] sale_date`: `MM/DD/YYYY` is no format of a whole date: write `%m/%d/%Y`"),
        "{error}"
    );
    let right = wrong.replace("MM/DD/YYYY", "%m/%d/%Y");
    town.import(&right, &[&file]).unwrap();
    assert_eq!(town.find("3 Elm St, Harrow, OH 43099").unwrap().assessor.sale_date.unwrap().value, "1999-12-31");
    let error =
        Mapping::from_toml(&right.replace("[address]", "as_of = \"2025-13\"\n[address]"), "m.toml").unwrap_err();
    assert!(error.to_string().contains("not `2025-13`"), "{error}");
}

#[test]
fn rejected_rows_are_found_again_by_their_line() {
    let town = Town::new();
    let mapping = PLAIN.replace("[assessor]", "[table]\nskip_lines = 2\n[assessor]\nstyle = \"C\"");
    let file = town.write(
        "t.csv",
        "County of Harrow\nPrinted today\nA,M2,C\nELM ST HARROW OH 43099,90,x\n1 ELM ST HARROW OH 43099,90,\"two\nlines\"\n\
         ALDER CT HARROW OH 43099,90,x\n",
    );
    town.import(&mapping, &[&file]).unwrap();
    let rejects = town.rejects("h");
    let lines: Vec<&str> = rejects.lines().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(lines, ["line", "4", "7"], "{rejects}");
}

#[test]
fn a_fixed_text_in_place_of_a_column_is_told_how_it_is_written() {
    let town = Town::new();
    let mapping = PLAIN.replace("line = \"A\"", "line = \"A\"\ncity = \"C\"\nstate = \"Ohio\"\nzip = \"43215\"");
    let file = town.write("t.csv", "A,M2,C\n1 ELM ST,90,HARROW\n");
    let error = town.import(&mapping, &[&file]).unwrap_err().to_string();
    for part in [
        "no column `Ohio`; a text that is the same in every row is written { constant = \"Ohio\" }",
        "{ constant = \"43215\" }",
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
    // Where a file has no heading it is reported with the rows.
    let feature = r#"{"type":"Feature","properties":{"A":"1 ELM ST","C":"HARROW","M2":90},"geometry":null}"#;
    let file = town.write("t.geojsonl", format!("{feature}\n"));
    let mapping = Mapping::from_toml(&mapping, "m.toml").unwrap();
    let found = check(&ImportJob { files: vec![file], mapping: &mapping, into: town.index() }, &mut ()).unwrap();
    let told = "t.geojsonl: no row has `Ohio`; a text that is the same in every row is written { constant = \"Ohio\" }";
    assert!(said(&found.notes).iter().any(|note| note == told), "{:?}", found.notes);
}

#[test]
fn words_that_only_otherwise_took_and_words_for_nothing_are_told() {
    let town = Town::new();
    let file = town.write(
        "t.csv",
        "A,U,R\n1 ELM ST HARROW OH 43099,CONDO,NULL\n2 ELM ST HARROW OH 43099,SNGL-FAM,slate\n\
         3 ELM ST HARROW OH 43099,SNGL-FAM,NULL\n4 ELM ST HARROW OH 43099,SHOP,tile\n5 ELM ST HARROW OH 43099,other,tile\n",
    );
    let class = "property_class = { column = \"U\", patterns = [[\"condo\", \"condominium\"]], otherwise = \"other\" }\nroof_material = \"R\"";
    let mapping = PLAIN.replace("living_area_sqft = { column = \"M2\", unit = \"m2\" }", class);
    let mapping = Mapping::from_toml(&mapping, "m.toml").unwrap();
    let job = ImportJob { files: vec![file], mapping: &mapping, into: town.index() };
    let found = check(&job, &mut ()).unwrap();
    let field = found.fields.iter().find(|f| f.field == "property_class").unwrap();
    assert_eq!(field.shown_values(), "other 4, condominium 1");
    for part in [
        "property_class: `otherwise` took 3 of 5 cells, most often `SNGL-FAM` (2), `SHOP` (1): name",
        "2 cells say `NULL`: if that means nothing, write `blank = [\"NULL\"]`",
    ] {
        assert!(found.findings.iter().any(|f| f.to_string().starts_with(part)), "{part}: {:?}", found.findings);
    }
}
