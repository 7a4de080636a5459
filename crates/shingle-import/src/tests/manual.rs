//! The manual names every key that a mapping may have, and its examples work.

use super::files::*;
use crate::mapping::file::MANUAL;
use crate::{ImportJob, Mapping, run};

/// The keys that a table of a mapping may have, from the error about one that it may not.
fn keys(toml: &str) -> Vec<String> {
    let error = Mapping::from_toml(toml, "m.toml").unwrap_err().to_string();
    let (_, expected) = error.split_once("expected ").unwrap_or_else(|| panic!("{toml}: {error}"));
    let keys: Vec<String> = expected.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(keys.len() > 1, "{error}");
    keys
}

#[test]
fn the_manual_has_every_key_of_the_types_and_no_other() {
    let head = "dataset = \"x\"\n[address]\nline = \"A\"\n";
    let tables =
        ["table", "rows", "geometry", "place", "layers", "assessor", "permit", "layers.parcels", "layers.outlines"];
    let mut known = keys("nothing = 1");
    known.extend(keys("dataset = \"x\"\n[address]\nnothing = 1"));
    known.extend(keys("dataset = \"x\"\n[address]\nline = { nothing = 1 }"));
    known.extend(tables.iter().flat_map(|table| keys(&format!("{head}[{table}]\nnothing = 1"))));
    // Lines of tables: `| \`key\` | …`. The tables of the file are headings.
    let told: Vec<&str> = MANUAL.lines().filter_map(|l| l.strip_prefix("| `")?.split('`').next()).collect();
    let heads: Vec<&str> = MANUAL.lines().filter(|l| l.starts_with("### `[")).collect();
    for key in &known {
        let is_table = heads.iter().any(|h| h.contains(&format!("[{key}]")) || h.contains(&format!("[{key}.")))
            || heads.iter().any(|h| h.contains(&format!("[layers.{key}]")));
        assert!(is_table || told.contains(&key.as_str()), "the manual says nothing of `{key}`");
    }
    for key in told {
        assert!(known.iter().any(|k| k == key), "the manual has `{key}`, which no mapping may have");
    }
}

#[test]
fn the_ten_examples_of_the_manual_are_imported_and_found() {
    let (_, examples) = MANUAL.split_once("## Ten examples").unwrap();
    let mut count = 0;
    for example in examples.split("\n### ").skip(1) {
        let title = example.lines().next().unwrap();
        let town = Town::new();
        let blocks: Vec<&str> = example.split("```").skip(1).step_by(2).collect();
        let files = blocks.iter().filter_map(|b| b.strip_prefix("text\n")).map(|block| {
            let (name, body) = block.split_once('\n').unwrap();
            town.write(name, body)
        });
        let files = files.collect();
        let toml = blocks.iter().find_map(|b| b.strip_prefix("toml\n")).unwrap();
        let mapping = Mapping::from_toml(toml, "m.toml").unwrap_or_else(|e| panic!("{title}: {e}"));
        let report = run(ImportJob { files, mapping: &mapping, into: town.index() }, &mut ()).unwrap();
        assert_eq!((report.rejected, report.unread.len()), (0, 0), "{title}: {report:#?}");
        let line = example.split("Found: `").nth(1).and_then(|rest| rest.split('`').next()).unwrap();
        assert!(town.find(line).is_some(), "{title}: {line} is not found");
        count += 1;
    }
    assert_eq!(count, 10);
}
