//! What a mapping's keys make of cells.

use super::files::Town;
use crate::Mapping;
use crate::mapping::formula::{Cells, Unread, Value};

const HEAD: &str = "dataset = \"f\"\nblank = [\"NULL\"]\n[address]\nline = \"A\"\n[assessor]\n";

/// The value of `style = FORMULA` over the columns A, B and C.
fn value(formula: &str, row: [&str; 3]) -> Result<Option<String>, Unread> {
    let mapping = Mapping::from_toml(&format!("{HEAD}style = {formula}\n"), "f.toml").unwrap();
    let names = ["A", "B", "C"];
    let cell = |name: &String| row[names.iter().position(|n| n == name).unwrap()].to_owned();
    let cells: Vec<String> = mapping.table.columns.iter().map(cell).collect();
    let cells = Cells { cells: &cells, blank: &mapping.table.blank };
    mapping.table.facts[0].from.value(cells).map(|v| v.map(|v: Value<'_>| v.into_text().into_owned()))
}

fn error(formula: &str) -> String {
    Mapping::from_toml(&format!("{HEAD}{formula}\n"), "f.toml").unwrap_err().to_string()
}

#[test]
fn a_value_comes_from_columns_in_every_stated_way() {
    for (formula, row, is) in [
        ("\"B\"", ["", "x", ""], Some("x")),
        ("\"B\"", ["", "null", ""], None),
        ("{ constant = \"k\" }", ["", "", ""], Some("k")),
        ("{ columns = [\"A\", \"B\", \"C\"] }", ["a", "", "c"], Some("a c")),
        ("{ columns = [\"A\", \"B\"], separator = \"-\" }", ["a", "b", ""], Some("a-b")),
        ("{ first_of = [\"A\", \"B\", \"C\"] }", ["NULL", "", "c"], Some("c")),
        ("{ first_of = [{ column = \"A\", blank = [\"0\"] }, \"B\"] }", ["0", "7", ""], Some("7")),
        ("{ sum = [\"A\", \"B\", \"C\"] }", ["1,000.5", "", "$2"], Some("1002.5")),
        ("{ sum = [\"A\", \"B\"] }", ["", "", ""], None),
        ("{ difference = [\"A\", \"B\"] }", ["10", "4", ""], Some("6")),
        ("{ difference = [\"A\", \"B\"] }", ["10", "", ""], Some("10")),
        ("{ difference = [\"A\", \"B\"] }", ["", "4", ""], None),
        ("{ product = [\"A\", \"B\"] }", ["10", "85 %", ""], Some("8.5")),
        ("{ product = [\"A\", \"B\"] }", ["10", "", ""], None),
        ("{ sum = [\"A\", { product = [\"B\", \"C\"] }] }", ["1", "2", "3"], Some("7")),
        ("{ column = \"A\", otherwise = \"none\" }", ["", "", ""], Some("none")),
        ("{ column = \"A\", decimal = \",\", times = 2 }", ["1.234,5", "", ""], Some("2469")),
        ("{ column = \"A\", decimal = \".\", times = 2 }", ["1,234.5", "", ""], Some("2469")),
    ] {
        assert_eq!(value(formula, row), Ok(is.map(str::to_owned)), "{formula} of {row:?}");
    }
    assert_eq!(value("{ sum = [\"A\", \"B\"] }", ["1", "x", ""]), Err(Unread::NotReadable));
}

#[test]
fn a_text_goes_through_its_steps_in_order() {
    for (formula, cell, is) in [
        ("{ column = \"A\", split = \";\" }", "SMITH JOHN; SMITH JANE", Some("SMITH JOHN")),
        ("{ column = \"A\", split = \";\", take = 2 }", "SMITH JOHN; SMITH JANE", Some("SMITH JANE")),
        ("{ column = \"A\", split = \";\", take = 2 }", "SMITH JOHN", None),
        ("{ column = \"A\", split = [\";\", \"&\"], take = -1 }", "A & B; C &", Some("C")),
        ("{ column = \"A\", pattern = \"lot (\\\\d+)\" }", "BLOCK 4 LOT 17", Some("17")),
        ("{ column = \"A\", pattern = \"\\\\d+\" }", "BLOCK 4 LOT 17", Some("4")),
        ("{ column = \"A\", pattern = \"\\\\d+\" }", "BLOCK", None),
        ("{ column = \"A\", strip_prefix = [\"THE \", \"EST OF\"], case = \"title\" }", "the EST OF ROE", Some("Roe")),
        ("{ column = \"A\", strip_suffix = \" SUBD\", suffix = \" Estates\" }", "OAK subd", Some("OAK Estates")),
        ("{ column = \"A\", case = \"lower\", prefix = \"x\" }", "AbC", Some("xabc")),
        ("{ column = \"A\", blank = [\"NONE\"], split = \" \", take = 2 }", "x none", None),
        ("{ column = \"A\", strip_prefix = \"Ä\" }", "äb", Some("äb")),
        ("{ column = \"A\", codes = { R = \"ranch\" } }", "r", Some("ranch")),
        ("{ column = \"A\", codes = { R = \"ranch\" } }", "q", Some("q")),
        ("{ column = \"A\", codes = { R = \"ranch\" }, otherwise = \"?\" }", "q", Some("?")),
        ("{ column = \"A\", codes = { R = \"ranch\" }, otherwise = \"?\" }", "", None),
        ("{ column = \"A\", patterns = [[\"roof\", \"r\"], [\"o\", \"o\"]] }", "Reroofing", Some("r")),
        ("{ column = \"A\", patterns = [[\"roof\", \"r\"], [\"o\", \"o\"]] }", "solar", Some("o")),
        ("{ column = \"A\", times = 1000 }", "1.25", Some("1250")),
        ("{ column = \"A\", times = 1000, plus = -50, codes = { NIL = 0 } }", "(0.1)", Some("-150")),
        ("{ column = \"A\", times = 1000, codes = { NIL = 7 } }", "nil", Some("7")),
    ] {
        assert_eq!(value(formula, [cell, "", ""]), Ok(is.map(str::to_owned)), "{formula} of {cell}");
    }
}

#[test]
fn units_become_feet_and_square_feet() {
    for (unit, cell, sqft) in [
        ("m2", "100", 1_076.391_04),
        ("acres", "0.25", 10_890.0),
        ("hectares", "0.01", 1_076.391_04),
        ("sqyd", "100", 900.0),
        ("sqft", "100 sq ft", 100.0),
    ] {
        let table = format!("A,B\n12 Elm St Harrow OH 43099,{cell}\n");
        let town = Town::new();
        let file = town.write("t.csv", table);
        let mapping = format!("{HEAD}living_area_sqft = {{ column = \"B\", unit = \"{unit}\" }}\n");
        town.import(&mapping, &[&file]).unwrap();
        let area = town.find("12 Elm St, Harrow OH 43099").unwrap().assessor.living_area_sqft.unwrap().value;
        assert!((area - sqft).abs() < 0.001, "{cell} {unit} is {area}");
    }
    let sides = "{ product = [{ column = \"A\", unit = \"m\" }, { column = \"B\", unit = \"yd\" }] }";
    let area: f64 = value(sides, ["3.048", "2", ""]).unwrap().unwrap().parse().unwrap();
    assert!((area - 60.0).abs() < 1e-6);
}

#[test]
fn a_formula_that_makes_no_sense_is_refused_with_its_field() {
    for (formula, says) in [
        ("style = { column = \"A\", constant = \"b\" }", "and only one"),
        ("style = { case = \"upper\" }", "one of `column`"),
        ("style = { column = \"A\", split = \"\" }", "`split` needs"),
        ("style = { column = \"A\", take = 2 }", "`take` says which"),
        ("style = { column = \"A\", separator = \",\" }", "`separator` goes"),
        ("style = { column = \"A\", pattern = \"(\" }", "is not a pattern"),
        ("style = { column = \"A\", unit = \"m2\" }", "no `unit`"),
        ("living_area_sqft = { column = \"A\", unit = \"m\" }", "an area's `unit`"),
        ("living_area_sqft = { column = \"A\", unit = \"miles\" }", "miles"),
        ("living_area_sqft = { column = \"A\", codes = { x = true } }", "a code means a number"),
        ("style = { sum = [] }", "`sum` is empty"),
        ("style = { column = \"A\", formats = [\"%Y\"] }", "only dates"),
        ("style = { column = \"A\", nearby = \"B\" }", "`[address] zip` alone"),
        ("style = { column = \"A\", codes_from = \"none.csv\" }", "none.csv"),
        ("style = { column = \"A\", patern = \"x\" }", "patern"),
        ("sale_date = { column = \"A\", codes = { x = \"2020-01-01\" } }", "has no codes"),
        ("[rows]\nonly = { A = [] }", "no values"),
        ("[table]\ndelimiter = \";;\"", "one character"),
        ("[table]\nencoding = \"martian\"", "martian"),
        ("[permit]\nkind = { column = \"A\", codes = { x = \"rooof\" } }\nissued = \"B\"", "rooof"),
        ("[permit]\nkind = \"A\"", "issued"),
    ] {
        let message = error(formula);
        assert!(message.starts_with("f.toml:") && message.contains(says), "{formula}: {message}");
        let field = formula.split([' ', '=']).next().unwrap();
        assert!(message.contains(field) || formula.starts_with('['), "{formula}: {message}");
    }
}

#[test]
fn codes_are_read_from_a_file_beside_the_mapping() {
    let town = Town::new();
    town.write("codes.csv", "\u{feff}note,code,meaning\nx,0101,gable\ny,2,hip\nz,,flat\n");
    let mapping = |extra: &str| {
        let text = format!("{HEAD}roof_type = {{ column = \"B\", codes_from = {extra} }}\n");
        Mapping::from_toml(&text, town.path("map.toml").to_str().unwrap()).map_err(|e| e.to_string())
    };
    assert!(mapping("{ file = \"codes.csv\", key = \"code\", value = \"meaning\" }").is_ok());
    assert!(mapping("\"codes.csv\"").unwrap_err().contains("`0101` does not"), "the first two columns");
    assert!(mapping("{ file = \"codes.csv\", key = \"kode\" }").unwrap_err().contains("no column `kode`"));
    let first = mapping("{ file = \"codes.csv\", key = \"code\", value = \"meaning\" }").unwrap().digest;
    town.write("codes.csv", "note,code,meaning\nx,0101,hip\n");
    let second = mapping("{ file = \"codes.csv\", key = \"code\", value = \"meaning\" }").unwrap().digest;
    assert_ne!(first, second, "an import is not continued with other codes");
}

#[test]
fn a_table_is_read_in_the_form_that_its_mapping_states() {
    let town = Town::new();
    let mapping = |form: &str| {
        format!("{HEAD}style = \"B\"\nyear_built = \"C\"\n[table]\n{form}\n[rows]\nskip = {{ B = [\"VOID\", 9] }}\n")
    };
    let line = "12 Elm St Harrow OH 43099";
    for (form, table) in [
        ("delimiter = \"~\"", format!("A~B~C\n{line}~Caf\u{e9}~1950\n{line}~void~1950\n{line}~9~1950\n").into_bytes()),
        ("quote = \"'\"", format!("A,B,C\n'{line}','Caf\u{e9}',1950\n{line},void,1\n{line},9,1\n").into_bytes()),
        ("skip_lines = 2", format!("Roll\n\nA,B,C\n{line},Caf\u{e9},1950\n{line},VOID,1\n{line},9,1\n").into_bytes()),
        ("header = [\"A\", \"B\", \"C\"]", format!("{line},Caf\u{e9},1950\n{line},VOID,1\n{line},9,1\n").into_bytes()),
        (
            "encoding = \"macintosh\"",
            [
                b"A,B,C\n",
                line.as_bytes(),
                b",Caf\x8e,1950\n",
                line.as_bytes(),
                b",VOID,1\n",
                line.as_bytes(),
                b",9,1\n",
            ]
            .concat(),
        ),
    ] {
        let file = town.write("t.csv", table);
        let report = town.import(&mapping(form), &[&file]).unwrap();
        assert_eq!((report.rows_read, report.imported, report.skipped, report.rejected), (3, 1, 2, 0), "{form}");
        let assessor = town.find("12 Elm St, Harrow OH 43099").unwrap().assessor;
        assert_eq!(assessor.style.unwrap().value, "Café", "{form}");
    }
    let file = town.write("t.csv", "one\ntwo\n");
    let error = town.import(&mapping("skip_lines = 9"), &[&file]).unwrap_err().to_string();
    assert!(error.contains("`skip_lines` passes over them all"), "{error}");
}
