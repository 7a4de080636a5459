//! The manual: as it is served, and whether what it says is so. Its commands are run by `commands.rs`, its recipes for proxies
//! by `proxies.rs`.

mod commands;
mod pages;
mod proxies;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use regex::Regex;
use reqwest::StatusCode;
use shingle_app::config::Settings;
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, fetch, header};
use pages::{blocks, page};

on_both_engines! {
    async fn every_page_answers_and_every_link_and_anchor_lands(f: Fixture) {
        let app = TestApp::start(f).await;
        let link = Regex::new("href=\"([^\"]*)\"").unwrap();
        let (mut seen, mut next) = (BTreeMap::<String, String>::new(), vec!["/manual".to_owned()]);
        let mut wanted = BTreeSet::new();
        while let Some(path) = next.pop() {
            let response = fetch(app.get(&path)).await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            let text = response.text().await.unwrap();
            for loads in ["<script", "<img", "<iframe", "<style", " style=", "url("] {
                assert!(!text.contains(loads), "{path}: {loads}");
            }
            for to in link.captures_iter(&text).map(|found| found[1].to_owned()) {
                let (to, anchor) = to.split_once('#').unwrap_or((&to, ""));
                let to = if to.is_empty() { path.as_str() } else { to };
                // Nothing is loaded from a link to another site.
                if to.starts_with("https://") || to == "data:," || to == "/manual.css" {
                    continue;
                }
                assert!(to.starts_with("/manual"), "{path} links to {to}");
                wanted.insert((path.clone(), to.to_owned(), anchor.to_owned()));
                if !seen.contains_key(to) && !next.iter().any(|known| known == to) && to != path {
                    next.push(to.to_owned());
                }
            }
            seen.insert(path, text);
        }
        assert_eq!(seen.len(), shown().len());
        for (from, to, anchor) in wanted.iter().filter(|(_, _, anchor)| !anchor.is_empty()) {
            assert!(seen[to].contains(&format!(" id=\"{anchor}\"")), "{from} links to {to}#{anchor}");
        }
        println!("{} pages, {} links to pages and anchors", seen.len(), wanted.len());
    }

    async fn the_search_finds_a_message_and_shows_what_was_typed_as_text(f: Fixture) {
        let app = TestApp::start(f).await;
        let search = async |words: &str| {
            let response = fetch(app.get("/manual/search").query(&[("q", words)])).await;
            assert_eq!(response.status(), StatusCode::OK);
            let policy = header(&response, "content-security-policy").to_owned();
            assert!(policy.contains("form-action 'self'") && !policy.contains("script"), "{policy}");
            response.text().await.unwrap()
        };
        let first = |text: &str| text.split("<ol class=\"hits\">").nth(1).unwrap().split('"').nth(1).map(str::to_owned);
        let found = search("error: The base URL has a path, and pages of the server link to its root").await;
        assert_eq!(first(&found).as_deref(), Some("/manual/troubleshooting#the-server-does-not-start"));
        let found = search("the passphrase does not open this backup").await;
        assert_eq!(first(&found).as_deref(), Some("/manual/backup#restore-one"));
        assert_eq!(first(&search("traefik").await).as_deref(), Some("/manual/https#traefik"));
        let typed = search("<script>alert(1)</script>").await;
        assert!(!typed.contains("<script") && typed.contains("&lt;script&gt;"), "{typed}");
        for odd in ["", "%", "\u{130}\u{0}", &"backup ".repeat(500)] {
            assert!(search(odd).await.contains("<h1>Search</h1>"));
        }
        for bad in ["/manual/elsewhere", "/manual/backup/more", "/manual/..%2fbackup"] {
            assert_eq!(fetch(app.get(bad)).await.status(), StatusCode::NOT_FOUND, "{bad}");
        }
        let whole = fetch(app.get("/manual/backup")).await;
        let tag = header(&whole, "etag").to_owned();
        let again = fetch(app.get("/manual/backup").header("if-none-match", tag)).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }
}

/// Each is a page, the list of them apart.
fn shown() -> Vec<PathBuf> {
    pages::all().into_iter().filter(|path| !path.ends_with("SUMMARY.md")).collect()
}

#[test]
fn the_page_of_settings_names_each_of_them() {
    let text = page("settings");
    for name in serde_json::to_value(Settings::default()).unwrap().as_object().unwrap().keys() {
        let is_named = text.contains(&format!("`{name}`")) || text.contains(&format!("`[{name}]`"));
        assert!(is_named, "settings.md does not name `{name}`");
    }
}

#[test]
fn the_settings_that_pages_show_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    let mut read = 0;
    for path in pages::all() {
        for block in blocks(&path).into_iter().filter(|block| block.marks[0] == "toml") {
            let file = folder.path().join("shingle.toml");
            std::fs::write(&file, &block.text).unwrap();
            let (_, unknown) = Settings::read(Some(&file), serde_json::json!({}))
                .unwrap_or_else(|error| panic!("{}: {error}\n{}", path.display(), block.text));
            assert!(unknown.iter().all(|name| name != "SHINGLE_"));
            read += 1;
        }
    }
    assert!(read >= 8, "{read}");
}

const OF_THE_SYSTEM: [&str; 3] = ["in use", "Permission denied", "Read-only file system"];

/// A message that is quoted has to be one of the program's; `…` stands for what it fills in.
#[test]
fn the_messages_that_pages_explain_are_the_programs() {
    let source = sources();
    let cell = Regex::new("(?m)^\\| `([^`]+)` \\|").unwrap();
    let text = page("troubleshooting");
    let mut quoted = 0;
    for message in cell.captures_iter(&text).map(|found| found[1].to_owned()) {
        for part in message.split('…').map(str::trim).filter(|part| !part.is_empty() && !OF_THE_SYSTEM.contains(part))
        {
            assert!(source.contains(part), "no message of the program has: {part}");
        }
        quoted += 1;
    }
    assert!(quoted > 30, "{quoted}");
}

/// The Rust files, with the lines of a text joined.
fn sources() -> String {
    let mut text = String::new();
    add_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates"), &mut text);
    Regex::new("\\\\\n\\s*").unwrap().replace_all(&text, "").into_owned()
}

fn add_sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            add_sources(&path, text);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            *text += &std::fs::read_to_string(&path).unwrap();
        }
    }
}
