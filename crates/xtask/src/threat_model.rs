//! `crates/THREATS.md` names tests. A test that was renamed or removed must not go on proving something there.

use std::fs;

use crate::workspace::Workspace;

/// `path::name` in backticks, in one row.
fn named(row: &str) -> impl Iterator<Item = (&str, &str)> {
    row.split('`').skip(1).step_by(2).filter_map(|code| code.split_once("::")).filter(|(path, _)| path.contains('/'))
}

#[test]
fn every_threat_names_tests_that_exist() {
    let root = Workspace::find().unwrap().root;
    let text = fs::read_to_string(root.join("crates/THREATS.md")).unwrap();
    // The table's head and the line below it are not rows.
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).skip(2).collect();
    assert!(rows.len() > 20, "only {} rows found: the reading is broken", rows.len());
    for row in rows {
        assert!(named(row).next().is_some(), "nothing proves {row}");
        for (path, name) in named(row) {
            let source = fs::read_to_string(root.join(path)).unwrap_or_else(|_| panic!("{path} is gone: {row}"));
            assert!(source.contains(&format!("fn {name}(")), "{path} has no test {name}");
        }
    }
}
