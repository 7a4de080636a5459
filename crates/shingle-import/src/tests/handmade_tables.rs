//! Tables as counties, web pages and people write them.

use super::files::*;
use crate::draft;

const HEADINGS: [&str; 7] = ["PIN", "NUM", "STREET", "CITY", "STATE", "ZIP", "OWNER"];
const STREETS: [&str; 5] = ["ALDER CT", "W BIRCH AVE", "CEDAR ST", "OLD MILL RD", "FIR LN"];

fn rows() -> Vec<Vec<String>> {
    let row = |n: usize| {
        let number = (10 + 2 * n).to_string();
        [&format!("P{n:03}"), &number, STREETS[n % 5], "Harrow", "OH", "43099", "ANN ROE"].map(str::to_owned).to_vec()
    };
    (0..30).map(row).collect()
}

fn table(separator: &str, cell: impl Fn(&str) -> String) -> String {
    let line = |cells: &[String]| cells.iter().map(|text| cell(text)).collect::<Vec<_>>().join(separator) + "\n";
    let headings = HEADINGS.map(str::to_owned);
    line(&headings) + &rows().iter().map(|cells| line(cells)).collect::<String>()
}

#[test]
fn a_table_is_read_however_its_cells_are_parted_and_quoted() {
    let plain = |text: &str| text.to_owned();
    let double = |text: &str| format!("\"{text}\"");
    let single = |text: &str| format!("'{text}'");
    let blank = ",".repeat(6) + "\n";
    for text in [
        table("^", plain),
        table("~", plain),
        table("|", plain),
        table(", ", plain),
        table(", ", double),
        table(",   ", double),
        table("; ", double),
        table(",", single),
        table(", ", single),
        table("\t", single),
        table(",", |text| text.replace("ANN ROE", "\"ROE, ANN\"")),
        table(", ", |text| if text == "ANN ROE" { "\"ROE, ANN\"".to_owned() } else { format!("\"{text}\"") }),
        table(
            ", ",
            |text| if text == "ANN ROE" { "\"ROE, \"\"BUD\"\", \"\"AL\"\"\"".to_owned() } else { double(text) },
        ),
        table(",", plain).replace("P003", &format!("{}P003", blank.repeat(400))),
        table(",", plain) + &blank.repeat(400),
        table(",", plain) + &",,  ,,\t,,\n".repeat(3),
        table(",", plain) + &"\"\",\"\",\"\",\"\",\"\",\"\",\"\"\r\n".repeat(3),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let town = Town::new();
            let start: String = text.chars().take(60).collect();
            let file = town.write("t.csv", text.replace("\r\n", "\n").replace('\n', end));
            let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
            let report = town.import(&drafted, &[&file]).unwrap();
            assert_eq!((report.rows_read, report.imported), (30, 30), "{start}: {:?}", report.reasons);
            let home =
                town.find("26 Old Mill Rd, Harrow, OH 43099").or_else(|| town.find("16 Old Mill Rd, Harrow, OH 43099"));
            assert!(home.unwrap().parcel.is_some_and(|parcel| parcel.len() == 4), "{start}");
        }
    }
}

#[test]
fn letters_of_web_pages_are_those_of_the_name() {
    let town = Town::new();
    let file = town.write(
        "t.csv",
        table(",", str::to_owned).replace("ALDER CT", "O&#039;BRIEN CT").replace("FIR LN", "D&amp;B LN"),
    );
    let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
    let report = town.import(&drafted, &[&file]).unwrap();
    assert_eq!(report.own_rows.map(|own| (own.asked, own.found)), Some((30, 30)));
    assert_eq!(town.find("10 O'Brien Ct, Harrow, OH 43099").unwrap().address.street_address, "O'Brien Ct");
    assert!(town.find("18 D & B Ln, Harrow, OH 43099").is_some());
}

#[test]
fn objects_within_rows_have_columns() {
    let row = |n: usize| {
        serde_json::json!({"id": format!("P{n}"), "site": {"address": {"line": format!("{n} Elm St"), "zip": "43099"}, "city": "Harrow"},
            "state": "OH", "empty": {}})
    };
    let lines: String = (1..=20).map(|n| row(n).to_string() + "\n").collect();
    let list = format!("[{}]", (1..=20).map(|n| row(n).to_string()).collect::<Vec<_>>().join(","));
    for text in [lines, list] {
        let town = Town::new();
        let file = town.write("t.json", text);
        let drafted = draft(std::slice::from_ref(&file)).unwrap().mapping;
        for column in ["line = \"site.address.line\"", "zip = \"site.address.zip\"", "city = \"site.city\""] {
            assert!(drafted.contains(column), "{drafted}");
        }
        town.import(&drafted, &[&file]).unwrap();
        assert!(town.find("7 Elm St, Harrow, OH 43099").is_some());
    }
}

#[test]
fn columns_that_cannot_be_told_apart_are_told() {
    let fixed: String =
        rows().iter().map(|cells| cells.iter().map(|cell| format!("{cell:<14}")).collect::<String>() + "\n").collect();
    let headings: String = HEADINGS.iter().map(|heading| format!("{heading:<14}")).collect();
    for text in [format!("{headings}\n{fixed}"), table("::", str::to_owned)] {
        let town = Town::new();
        let error = draft(&[town.write("t.txt", text)]).unwrap_err().to_string();
        assert!(error.contains("its columns cannot be told apart") && error.contains("delimiter"), "{error}");
    }
}
