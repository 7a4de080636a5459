//! The rules of the house that a compiler does not keep: who may know whom, how long a file may be, and
//! what may lie at the top.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::DependencyKind;

use crate::place::Place;

/// Which rooms of the house each room may know. Kept with `crates/README.md`.
const ARROWS: [(&str, &[&str]); 10] = [
    ("shingle-domain", &[]),
    ("shingle-estimate", &["shingle-domain"]),
    ("shingle-property", &["shingle-domain"]),
    ("shingle-store", &["shingle-domain"]),
    ("shingle-deliver", &["shingle-domain", "shingle-store"]),
    ("shingle-widget", &["shingle-domain"]),
    ("shingle-runtime", &["shingle-widget"]),
    (
        "shingle-server",
        &[
            "shingle-domain",
            "shingle-estimate",
            "shingle-property",
            "shingle-store",
            "shingle-deliver",
            "shingle-widget",
        ],
    ),
    (
        "shingle-tests",
        &[
            "shingle-domain",
            "shingle-estimate",
            "shingle-property",
            "shingle-store",
            "shingle-deliver",
            "shingle-widget",
            "shingle-server",
        ],
    ),
    ("xtask", &["shingle-widget"]),
];

/// What a room's tests may know besides: the sums are tried on the real tables and on imported towns.
const TEST_ARROWS: [(&str, &str); 1] = [("shingle-estimate", "shingle-property")];

const TOP: [&str; 8] = ["Cargo.toml", "Cargo.lock", "LICENSE", "README.md", "assets", "crates", "tests", "www"];
const LONGEST: usize = 500;

#[test]
fn a_room_knows_only_the_rooms_its_arrows_point_to() {
    let place = Place::find().unwrap();
    for package in place.packages() {
        let (_, allowed) = ARROWS.iter().find(|(name, _)| *name == package.name.as_str()).unwrap_or_else(|| {
            panic!("{} is a new room: draw its arrows here and in crates/README.md", package.name);
        });
        let known: BTreeSet<&str> =
            package.dependencies.iter().filter(|d| d.path.is_some()).map(|d| d.name.as_str()).collect();
        let in_tests = |name: &str| {
            let only =
                package.dependencies.iter().filter(|d| d.name == name).all(|d| d.kind == DependencyKind::Development);
            // A crate may name itself, to have its own features in its tests.
            name == package.name.as_str() || (only && TEST_ARROWS.contains(&(package.name.as_str(), name)))
        };
        let wrong: Vec<_> = known.iter().filter(|name| !allowed.contains(name) && !in_tests(name)).collect();
        assert!(wrong.is_empty(), "{} must not know {wrong:?}", package.name);
    }
}

#[test]
fn the_face_is_built_of_the_packages_the_owner_asked_for() {
    let place = Place::find().unwrap();
    let packages = place.packages();
    let face = packages.iter().find(|p| p.name.as_str() == "shingle-widget").unwrap();
    for wanted in ["leptos", "gloo-net", "serde", "serde-wasm-bindgen", "wasm-bindgen", "web-sys", "js-sys"] {
        assert!(face.dependencies.iter().any(|d| d.name == wanted), "the widget no longer uses {wanted}");
    }
}

#[test]
fn nobody_below_the_server_names_axum_or_an_http_status() {
    let place = Place::find().unwrap();
    let above = ["shingle-server", "shingle-tests", "xtask"];
    for package in place.packages().iter().filter(|p| !above.contains(&p.name.as_str())) {
        let http: Vec<_> =
            package.dependencies.iter().filter(|d| ["axum", "http", "hyper"].contains(&d.name.as_str())).collect();
        assert!(http.is_empty(), "{} depends on {http:?}", package.name);
        for file in files(package.manifest_path.parent().unwrap().as_std_path(), &["rs"]) {
            let text = fs::read_to_string(&file).unwrap();
            for word in ["axum::", "StatusCode"] {
                assert!(!text.contains(word), "{} names {word}", file.display());
            }
        }
    }
}

#[test]
fn a_file_written_by_hand_has_at_most_500_lines() {
    let place = Place::find().unwrap();
    let mut seen = 0;
    let mut long = Vec::new();
    for folder in ["crates", "tests", "www"] {
        for file in files(&place.root.join(folder), &["rs", "js", "mjs", "css"]) {
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            seen += 1;
            if lines > LONGEST {
                long.push(format!("{}: {lines}", file.display()));
            }
        }
    }
    assert!(seen > 20, "only {seen} files found: the walk is broken");
    assert!(long.is_empty(), "split these: {long:#?}");
}

#[test]
fn the_top_of_the_repository_holds_what_was_agreed_and_nothing_else() {
    let place = Place::find().unwrap();
    let made = ["target", "data", "node_modules"];
    let found: BTreeSet<String> = fs::read_dir(&place.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.') && !made.contains(&name.as_str()) && !name.ends_with(".log"))
        .collect();
    assert_eq!(found, TOP.iter().map(|name| (*name).to_owned()).collect());
}

/// All files with these extensions, but for what is made or installed.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !["node_modules", "target", "snapshots"].contains(&name) {
                found.extend(files(&path, extensions));
            }
        } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)) {
            found.push(path);
        }
    }
    found
}
