//! Every sentence that the code of the portal has for people is in `www/words/portal-es.json`, and nothing is there
//! that nobody says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod source;

use std::collections::{BTreeMap, BTreeSet};

use shingle_portal::Counted;
use source::{Literal, crates, files, has_words, literals, sources, unescaped};

fn spanish() -> BTreeMap<String, String> {
    serde_json::from_str(include_str!("../../../www/words/portal-es.json")).unwrap()
}

/// Texts that look like sentences and are read by no person, or are the same in every language.
const NOT_READ: &[&str] = &[
    "OUT_DIR",
    "/messages-es.br",
    "/portal-es.br",
    "../../../www/words/messages-es.json",
    "../../../www/words/portal-es.json",
    "damaged",
    // Fields of a quote, and what results are by
    "tax",
    "deposit",
    "until",
    "message",
    "terms",
    "widget",
    "page",
    "source",
    // Names
    "Shingle",
    "Jordan Ellis",
    "WordPress",
    "Wix",
    "Squarespace",
    "Shopify",
    "React",
    "Vue",
    "Edge",
    "Firefox",
    "Chrome",
    "Safari",
    "Android",
    "Windows",
    "Mac",
    "Linux",
    "Español",
    "Enter",
    "PNG",
    "SVG",
    "CSV",
    "UTC",
    "MB",
    "GB",
    "TB",
    // Written out by language
    "AM",
    "PM",
    "{} min",
    "HTTP {status}",
    "HTTP {}",
    "HTTP {status}\n\n({})",
    "HTTP {status}\n{}\n{}{more}",
    "HTTP {}\n{headers}\n{}{more}",
    "{title} · Shingle",
    "{} · Shingle",
    // Names of fields, chosen before they are used
    "escalate",
    "zone",
    "hours",
    // Code to copy
    "const tag = Object.assign(document.createElement(\"script\"), {{ src: \"{src}\", async: true }});\n  document.head.append(tag);",
    "useEffect(() => {{\n  {tag}\n  return () => tag.remove();\n}}, []);",
    "onMounted(() => {{\n  {tag}\n}});",
    // Classes and marks, chosen before they are set
    "pill new",
    "pill ok",
    "pill warn",
    "pill bad",
    "btn",
    "btn ink",
    "btn big",
    "btn bad",
    "btn ink big",
    "note ok",
    "note warn",
    "note bad",
    "sign yard",
    "sign van",
    "filter on",
    "want hot",
    "mock-line short",
    // Names of fields
    "event {}",
    "product {}",
    "mute {id}",
    "widget {id}",
    "widget.{row} {id}",
    // Words of addresses, classes and kinds of fields
    "server",
    "visitor",
    "some",
    "first",
    "set",
    "given",
    "pill",
    "open",
    "strong",
    "bar",
    "whole",
    "part",
    "none",
    "start",
    "towns",
    "areas",
    "url",
    "tel",
    // Read by programs
    ":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n",
    "TomlMistake.At",
    " to ",
    "CARGO_PKG_VERSION",
    "text/css; charset=utf-8",
    "text/javascript; charset=utf-8",
    "public, max-age=86400",
    "private, max-age=86400",
    "public, max-age=3600",
    "attachment; filename=\"usage-{}.csv\"",
    "attachment; filename*=UTF-8''",
    "the base URL gives no name for mails",
    // Joins the parts of a Spanish date
    " de ",
    // A made-up home
    "14 Alder Court, Portland, ME 04103",
];

/// What precedes texts for machines: names of classes and attributes, headers, the log.
const FOR_MACHINES: &[&str] = &[
    "set(\"class\",",
    "set(\"rel\",",
    "set(\"d\",",
    "set(\"d\",format!(",
    "set(\"media\",",
    "set(\"viewBox\",",
    "set(\"viewBox\",format!(",
    "button(",
    "pill(",
    "div(",
    "meta(\"viewport\",",
    "meta(\"color-scheme\",",
    "CONTENT_TYPE,",
    "CONTENT_DISPOSITION,",
    "CONTENT_DISPOSITION,format!(",
    "CACHE_CONTROL,",
    "SECURITY_POLICY,",
    "header::LINK,",
    "typed.set(&format!(",
    "typed.set(",
    "tracing::error!(reason,",
    "tracing::error!(%error,",
    "tracing::warn!(%error,",
    "has(",
    "starts_with(",
    "ends_with(",
    "contains(",
    "strip_prefix(",
    "strip_suffix(",
    "reason=",
    "Hours::new(",
    "autocomplete:",
    "rp_name(",
    "parse(&body).text(",
];

fn is_for_machines(literal: &Literal) -> bool {
    let text = literal.text.as_str();
    let is_zone = text.starts_with("America/") || text.starts_with("Pacific/");
    let is_drawing = text.starts_with('M') && text[1..].starts_with(|c: char| c.is_ascii_digit());
    let is_header = text.starts_with("default-src ")
        || text.starts_with("{}={value}; ")
        || text.starts_with("<svg ")
        || text.starts_with("--");
    if is_zone || is_drawing || is_header {
        return true;
    }
    let is_class =
        literal.before.rsplit_once("classed(\"").is_some_and(|(_, tag)| tag.ends_with("\",") && tag.len() < 12);
    is_class
        || FOR_MACHINES.iter().any(|end| literal.before.ends_with(end))
        || NOT_READ.contains(&literal.text.as_str())
}

/// Whether the code before it shows it to people, whatever it looks like.
fn is_said(literal: &Literal) -> bool {
    // What a kind is called.
    let is_word = literal.text.chars().all(|c| c.is_ascii_lowercase()) && literal.before.ends_with("=>");
    let said = [").text(", "soft(", "(p(", "card(", "translated(language,", "phrase(language,", "hint(", "note("];
    is_word || said.iter().any(|end| literal.before.ends_with(end))
}

#[test]
fn every_sentence_is_in_spanish_too() {
    let spanish = spanish();
    let mut sources = Vec::new();
    files(&crates().join("shingle-portal/src"), &mut sources);
    files(&crates().join("shingle-web/src/portal"), &mut sources);
    let (mut translated, mut missing) = (0, Vec::new());
    for literal in sources.iter().flat_map(|path| literals(path)) {
        let Literal { at, text, before } = &literal;
        if spanish.contains_key(text) {
            translated += 1;
            continue;
        }
        let looks_read =
            text.contains(char::is_whitespace) || text.starts_with(char::is_uppercase) || is_said(&literal);
        if looks_read && has_words(text) && !is_for_machines(&literal) {
            missing.push(format!("{at}: {text:?} after {before:?}"));
        }
    }
    assert!(translated > 1_000, "only {translated} sentences were found: the source is not read as it was");
    assert!(missing.is_empty(), "{} without Spanish:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn no_sentence_is_kept_that_nobody_says() {
    let said: BTreeSet<String> = sources().iter().flat_map(|path| literals(path)).map(|literal| literal.text).collect();
    // A message of another part has its numbers filled in.
    let with_plural = |text: &String| ["", "s"].map(|ending| shape(&text.replace("{s}", ending)));
    let shapes: BTreeSet<String> = said.iter().flat_map(with_plural).collect();
    // Services say in files of their own what they are.
    let connectors = std::fs::read_dir(crates().join("../assets/connectors")).unwrap();
    let connectors: Vec<_> = connectors.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()).collect();
    let is_of_a_service = |key: &str| {
        let escaped = key.replace('"', "\\\"");
        connectors.iter().any(|file| file.contains(key) || file.contains(&escaped))
    };
    let is_said = |key: &str| said.contains(key) || shapes.contains(&shape(key)) || is_of_a_service(key);
    let idle: Vec<_> = spanish().into_keys().filter(|key| !is_said(key)).collect();
    assert!(idle.is_empty(), "{} that nobody says:\n{}", idle.len(), idle.join("\n"));
}

/// Sentences in which a plural follows a number that is never one, or no number.
const NEVER_ONE: &[(&str, &str)] = &[
    ("{by} assigned {count} leads to you", "one lead is named instead"),
    ("{squares} squares, {price}", "a roof of exactly one square, 10 by 10 feet, is no house"),
    ("{squares} squares × {price}", "a roof of exactly one square, 10 by 10 feet, is no house"),
];

#[test]
fn a_number_of_things_has_its_own_sentence_for_one() {
    let small = ["is", "was", "has", "its", "this", "as", "ms", "ourselves", "keeps"];
    let is_plural = |key: &str| {
        key.match_indices("} ").any(|(at, _)| {
            let word = key[at + 2..].split(|c: char| !c.is_alphabetic()).next().unwrap();
            word.len() > 2 && word.ends_with('s') && word.chars().all(char::is_lowercase) && !small.contains(&word)
        })
    };
    let found: Vec<_> = spanish()
        .into_keys()
        .filter(|key| is_plural(key))
        .filter(|key| !Counted::ALL.iter().any(|of| of.many == key) && !NEVER_ONE.iter().any(|(never, _)| never == key))
        .collect();
    assert!(found.is_empty(), "these read wrong with one; say them by `Counted`:\n{}", found.join("\n"));
}

/// With each number and each gap as `{}`.
fn shape(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c == '{' || c.is_ascii_digit()) {
        out.push_str(&rest[..at]);
        out.push_str("{}");
        rest = &rest[at..];
        let len = match rest.starts_with('{') {
            true => rest.find('}').map_or(rest.len(), |end| end + 1),
            false => rest.find(|c: char| !c.is_ascii_digit() && c != ',').unwrap_or(rest.len()),
        };
        rest = &rest[len..];
    }
    out + rest
}

#[test]
fn texts_are_found_as_they_are_compiled() {
    assert_eq!(unescaped("a \\\"b\\\" \\\n      c\\u{e9}\\n\" rest").0, "a \"b\" cé\n");
    assert!(has_words("{a} words {b}") && !has_words("{word} – {another}: 12 h"));
    assert_eq!(shape("at most {max} of 1000 here"), "at most {} of {} here");
}
