//! Inputs that are worth asking for in every run: what once failed here or elsewhere, and what is at an edge. They come
//! before the random ones, because a test of proptest fails at its first.

use proptest::test_runner::TestCaseError;

/// One text a line; `\u{…}` stands for what an editor would hide.
const LINES: &str = include_str!("corpus/lines.txt");
const TEXTS: &str = include_str!("corpus/texts.txt");

pub fn lines() -> Vec<String> {
    texts_of(LINES).collect()
}

pub fn texts() -> Vec<String> {
    texts_of(TEXTS).chain(texts_of(LINES)).collect()
}

/// Runs a property on each text, and names the one that broke it.
pub fn replay(texts: Vec<String>, property: impl Fn(&str) -> Result<(), TestCaseError>) {
    for text in texts {
        if let Err(broken) = property(&text) {
            panic!("{text:?}: {broken}");
        }
    }
}

fn texts_of(file: &'static str) -> impl Iterator<Item = String> {
    file.lines().map(|line| {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("\\u{") {
            let (code, after) = after.split_once('}').expect("an end of the escape");
            let code = u32::from_str_radix(code, 16).expect("a number in the escape");
            text.push_str(before);
            text.push(char::from_u32(code).expect("a character"));
            rest = after;
        }
        text + rest
    })
}
