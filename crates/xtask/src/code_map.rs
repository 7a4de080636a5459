//! The code map (`crates/README.md`) stays short and names files that exist; the index of `crates/decisions` is complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::Workspace;

const MAX_LINES: usize = 250;

#[test]
fn the_code_map_names_files_that_exist() {
    let root = Workspace::find().unwrap().root;
    let text = fs::read_to_string(root.join("crates/README.md")).unwrap();
    assert!(text.lines().count() <= MAX_LINES, "the map has {} lines", text.lines().count());
    let (_, rest) = text.split_once("## The seven journeys").unwrap();
    let (journeys, _) = rest.split_once("\n## ").unwrap();
    let (mut seen, mut missing) = (0, Vec::new());
    let mut last = PathBuf::new();
    for path in paths(journeys) {
        seen += 1;
        match found(&root, &last, path) {
            Some(whole) if path.matches('/').count() > 1 => last = whole,
            Some(_) => {}
            None => missing.push(path),
        }
    }
    assert!(seen > 100, "only {seen} paths found: the reader is broken");
    assert!(missing.is_empty(), "not there: {missing:?}");
}

/// What is between backticks and looks like a path: `a/b.rs`, `a.rs`, `a/`.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|word| {
        let file = [".rs", ".js", ".md"].iter().any(|end| word.ends_with(end));
        (file || word.ends_with('/')) && !word.starts_with(['/', '<']) && !word.contains([' ', '{'])
    })
}

/// A path from the top, from `crates`, beside the last whole path, or from a folder above that one.
fn found(root: &Path, last: &Path, path: &str) -> Option<PathBuf> {
    let tops = [root.to_owned(), root.join("crates")];
    let above = last.ancestors().filter(|folder| folder.starts_with(root.join("crates"))).map(Path::to_owned);
    tops.into_iter().chain(above).map(|folder| folder.join(path)).find(|whole| whole.exists())
}

#[test]
fn every_decision_stands_in_the_index() {
    let folder = Workspace::find().unwrap().root.join("crates/decisions");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let listed: BTreeSet<&str> = index
        .lines()
        .filter_map(|line| line.strip_prefix("- ")?.strip_suffix(')')?.split_once("]("))
        .map(|(_, f)| f)
        .collect();
    let names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let there: BTreeSet<&str> = names.iter().map(String::as_str).filter(|name| *name != "README.md").collect();
    assert!(there.len() > 20, "only {} decisions found", there.len());
    assert_eq!(listed, there);
}
