//! The texts of the source code, for the tests that compare them with the files of words.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

/// A text of the source: where it stands, what precedes it without spaces, and the text itself.
pub struct Literal {
    pub at: String,
    pub before: String,
    pub text: String,
}

pub fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, into);
        } else if path.to_str().unwrap().ends_with(".rs") {
            into.push(path);
        }
    }
}

/// All texts between quotation marks, without those of tests and comments.
pub fn literals(path: &Path) -> Vec<Literal> {
    let source = std::fs::read_to_string(path).unwrap();
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap();
    let name = path.strip_prefix(crates()).unwrap().display().to_string();
    let (mut found, mut rest) = (Vec::new(), source);
    while let Some(c) = rest.chars().next() {
        let (text, len) = match c {
            '/' if rest.starts_with("//") => (None, rest.find('\n').unwrap_or(rest.len())),
            'r' if rest[1..].trim_start_matches('#').starts_with('"') => {
                let (hashes, inside) = rest[1..].split_once('"').unwrap();
                let end = format!("\"{hashes}");
                let text = inside.split(&end).next().unwrap();
                (Some(text.to_owned()), rest.len() - inside.len() + text.len() + end.len())
            }
            '\'' if rest.starts_with("'\"'") => (None, 3),
            '\'' if rest.starts_with("'\\") => (None, 3 + rest[3..].find('\'').unwrap() + 1),
            '"' => {
                let (text, len) = unescaped(&rest[1..]);
                (Some(text), len + 2)
            }
            other => (None, other.len_utf8()),
        };
        if let Some(text) = text {
            let before = &source[..source.len() - rest.len()];
            let line = before.matches('\n').count() + 1;
            let start = before.char_indices().rev().nth(120).map_or(0, |(at, _)| at);
            let before = before[start..].chars().filter(|c| !c.is_whitespace()).collect();
            found.push(Literal { at: format!("{name}:{line}"), before, text });
        }
        rest = &rest[len..];
    }
    found
}

/// A text up to its quotation mark, and how long it is in the source.
pub fn unescaped(source: &str) -> (String, usize) {
    let (mut text, mut rest) = (String::new(), source);
    loop {
        let at = rest.find(['"', '\\']).unwrap_or_else(|| panic!("no end: {}", &source[..40.min(source.len())]));
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        if rest.starts_with('"') {
            return (text, source.len() - rest.len());
        }
        let c = rest[1..].chars().next().unwrap();
        rest = &rest[1 + c.len_utf8()..];
        match c {
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            '\n' => rest = rest.trim_start(),
            'u' => {
                let (code, after) = rest[1..].split_once('}').unwrap();
                text.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
                rest = after;
            }
            other => text.push(other),
        }
    }
}

/// Letters in a row, besides what is filled in.
pub fn has_words(text: &str) -> bool {
    let mut outside = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        outside.push_str(before);
        outside.push(' ');
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    outside.push_str(rest);
    outside.split(|c: char| !c.is_alphabetic()).any(|word| word.chars().count() > 1)
}

/// The sources of every crate.
pub fn sources() -> Vec<PathBuf> {
    let mut sources = Vec::new();
    for of in std::fs::read_dir(crates()).unwrap() {
        let of = of.unwrap().path().join("src");
        if of.is_dir() {
            files(&of, &mut sources);
        }
    }
    sources
}
