//! Rules of the repository that a compiler does not keep: which crate may depend on which, how long a file may be,
//! and what may lie at the top.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::workspace::Workspace;

/// Which crates of the workspace each crate may depend on, without the `shingle-` of their names. `crates/README.md`
/// shows the same.
const ARROWS: [(&str, &[&str]); 32] = [
    ("packed", &[]),
    ("crc-fast", &[]),
    ("domain", &[]),
    ("address", &["domain"]),
    ("estimate", &["domain"]),
    ("property", &["domain", "address", "packed"]),
    ("projection", &["domain", "packed"]),
    ("import", &["domain", "address", "property", "projection", "measure"]),
    ("source", &["domain"]),
    ("measure", &["projection"]),
    ("imagery", &["projection"]),
    ("store", &["domain", "consent"]),
    ("deliver", &["domain", "store"]),
    ("widget", &["domain"]),
    ("notice", &["domain", "widget", "packed"]),
    ("runtime", &["widget"]),
    ("backup", &["domain"]),
    ("manual", &["packed"]),
    ("mcp", &["domain"]),
    ("consent", &["domain"]),
    ("tls", &["domain"]),
    ("portal", &["domain", "store", "widget", "packed"]),
    ("sitecheck", &["domain", "deliver"]),
    (
        "app",
        &[
            "domain",
            "estimate",
            "address",
            "property",
            "import",
            "imagery",
            "measure",
            "source",
            "backup",
            "consent",
            "store",
            "deliver",
            "sitecheck",
            "widget",
            "notice",
            "tls",
            "portal",
        ],
    ),
    (
        "web",
        &[
            "app",
            "domain",
            "estimate",
            "property",
            "import",
            "consent",
            "store",
            "deliver",
            "sitecheck",
            "widget",
            "manual",
            "mcp",
            "notice",
            "tls",
            "portal",
            "packed",
        ],
    ),
    (
        "shingle",
        &[
            "web", "app", "domain", "estimate", "address", "property", "import", "mcp", "measure", "backup", "consent",
            "store", "deliver", "notice", "tls",
        ],
    ),
    ("testing", &[]),
    ("store-fixture", &["domain", "store", "testing"]),
    (
        "tests",
        &[
            "domain",
            "estimate",
            "address",
            "property",
            "import",
            "consent",
            "store",
            "deliver",
            "widget",
            "shingle",
            "web",
            "app",
            "store-fixture",
            "testing",
        ],
    ),
    ("runtime-builder", &["widget"]),
    ("wasm-bindgen-tools", &[]),
    ("xtask", &[]),
];

/// What the tests of a crate may depend on besides: estimates are tried on the real tables and on imported
/// towns, and what the site check and deliveries say is looked up in the portal's words.
const TEST_ARROWS: [(&str, &str); 5] = [
    ("estimate", "property"),
    ("estimate", "import"),
    ("store", "store-fixture"),
    ("deliver", "store-fixture"),
    ("sitecheck", "portal"),
];
/// Any crate's tests may say that they were skipped.
const TEST_SUPPORT: &str = "testing";

const TOP: [&str; 10] = [
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "assets",
    "crates",
    "rust-toolchain.toml",
    "tests",
    "www",
];
const MAX_LINES: usize = 800;

fn short(name: &str) -> &str {
    name.strip_prefix("shingle-").unwrap_or(name)
}

#[test]
fn a_crate_depends_only_on_the_crates_its_arrows_point_to() {
    let workspace = Workspace::find().unwrap();
    for package in workspace.packages() {
        let from = short(&package.name);
        let (_, allowed) = ARROWS.iter().find(|(name, _)| *name == from).unwrap_or_else(|| {
            panic!("{} is a new crate: draw its arrows here and in crates/README.md", package.name);
        });
        let known: BTreeSet<&str> =
            package.dependencies.iter().filter(|d| d.path.is_some()).map(|d| d.name.as_str()).collect();
        let in_tests = |name: &str| {
            let mut uses = package.dependencies.iter().filter(|d| d.name == name);
            let to = short(name);
            // A crate may name itself, to have its own features in its tests.
            to == from
                || (uses.all(|d| d.kind.as_deref() == Some("dev"))
                    && (to == TEST_SUPPORT || TEST_ARROWS.contains(&(from, to))))
        };
        let wrong: Vec<_> = known.iter().filter(|name| !allowed.contains(&short(name)) && !in_tests(name)).collect();
        assert!(wrong.is_empty(), "{} must not depend on {wrong:?}", package.name);
    }
}

#[test]
fn the_widget_is_built_of_the_packages_the_owner_asked_for() {
    let workspace = Workspace::find().unwrap();
    let packages = workspace.packages();
    let widget = packages.iter().find(|p| p.name == "shingle-widget").unwrap();
    for wanted in ["leptos", "gloo-net", "serde", "serde-wasm-bindgen", "wasm-bindgen", "web-sys", "js-sys"] {
        assert!(widget.dependencies.iter().any(|d| d.name == wanted), "the widget no longer uses {wanted}");
    }
}

#[test]
fn nobody_below_the_web_names_axum_or_an_http_status() {
    let workspace = Workspace::find().unwrap();
    // The client of ACME directories is handed requests in the types of `http`.
    let above = ["shingle", "shingle-web", "shingle-tests", "xtask", "shingle-tls"];
    for package in workspace.packages().iter().filter(|p| !above.contains(&p.name.as_str())) {
        let http: Vec<_> =
            package.dependencies.iter().filter(|d| ["axum", "http", "hyper"].contains(&d.name.as_str())).collect();
        assert!(http.is_empty(), "{} depends on {http:?}", package.name);
        for file in files(package.folder(), &["rs"]) {
            let text = fs::read_to_string(&file).unwrap();
            for word in ["axum::", "StatusCode"] {
                assert!(!text.contains(word), "{} names {word}", file.display());
            }
        }
    }
}

#[test]
fn a_file_written_by_hand_is_not_too_long() {
    let workspace = Workspace::find().unwrap();
    let mut seen = 0;
    let mut long = Vec::new();
    for folder in ["crates", "tests", "www"] {
        for file in files(&workspace.root.join(folder), &["rs", "js", "mjs", "css"]) {
            let lines = fs::read_to_string(&file).unwrap().lines().count();
            seen += 1;
            if lines > MAX_LINES {
                long.push(format!("{}: {lines}", file.display()));
            }
        }
    }
    assert!(seen > 20, "only {seen} files found: the walk is broken");
    assert!(long.is_empty(), "split these: {long:#?}");
}

#[test]
fn the_top_of_the_repository_holds_what_was_agreed_and_nothing_else() {
    let workspace = Workspace::find().unwrap();
    let made = ["target", "data", "node_modules"];
    let found: BTreeSet<String> = fs::read_dir(&workspace.root)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.') && !made.contains(&name.as_str()) && !name.ends_with(".log"))
        .collect();
    let extra: Vec<_> = found.iter().filter(|name| !TOP.contains(&name.as_str())).collect();
    assert!(extra.is_empty(), "not agreed: {extra:?}");
}

/// All files with these extensions, except for what is made or installed.
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
