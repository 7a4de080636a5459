//! The words by which a lead is found, and those of a question.
//!
//! # Decision
//!
//! Leads are found by keyed hashes of words and of word beginnings of three letters or more; equal words of two
//! accounts have different hashes. They are made after the lead is stored, once a minute and before a search, so no
//! visitor waits. Turned down: decrypting all leads for each search.

use std::collections::BTreeSet;

use shingle_consent::Evidence;
use shingle_domain::answers::Leak;
use shingle_domain::lead::Lead;
use shingle_domain::{Email, Phone};
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::leads::reference::reference;

/// Of a lead's name and street: a name of a thousand letters is found by its first words.
const MAX_OF_LEAD: usize = 120;
/// Of a question; more words say no more.
const MAX_OF_QUESTION: usize = 4;
/// Beginnings of words that are found, in letters.
const BEGINNINGS: std::ops::RangeInclusive<usize> = 3..=12;
/// Words of what a homeowner wrote, and the letters that each has at least: shorter ones say nothing.
const MAX_WRITTEN: usize = 60;
const MIN_WRITTEN: usize = 4;
/// Fewer digits are a house number or a ZIP code.
const MIN_PHONE_DIGITS: usize = 7;

/// By what was typed with its consents a lead is found too, also once it was replaced.
pub(crate) fn of_lead(lead: &Lead, consents: &[Evidence]) -> BTreeSet<String> {
    let mut tokens = BTreeSet::new();
    let emails =
        consents.iter().filter_map(|consent| consent.email.as_deref()).chain(lead.email.as_ref().map(Email::as_str));
    let emails: BTreeSet<String> = emails.map(folded).collect();
    let texts = [&lead.first_name, &lead.last_name, &lead.address].map(|text| folded(text));
    for word in texts.iter().flat_map(|text| words(text)) {
        add_word(&mut tokens, word);
    }
    tokens.extend(emails.iter().flat_map(|email| words(email)).map(str::to_owned));
    let mut tokens: BTreeSet<String> = tokens.into_iter().take(MAX_OF_LEAD).collect();
    // Beyond that number: a person who asks what is stored about them finds it, however long the name.
    let phones = consents.iter().filter_map(|consent| consent.phone.as_deref());
    for phone in phones.chain(lead.phone.as_ref().map(Phone::as_str)) {
        let digits = digits(phone);
        // With the area code, without it, and what people say of it.
        tokens.extend(
            [10, 7, 4].iter().filter_map(|last| Some(digits.get(digits.len().checked_sub(*last)?..)?.to_owned())),
        );
    }
    tokens.extend(emails);
    // As people read it out: `7K3-Q9F`, `7k3q9f` or half of it.
    let reference = folded(&reference(lead.id));
    tokens.extend(words(&reference).map(str::to_owned));
    tokens.insert(reference.replace('-', ""));
    tokens.extend(of_answers(lead));
    tokens
}

/// The words of tags and their beginnings. A tag is short, and a lead has few.
pub(crate) fn of_tags<'t>(names: impl Iterator<Item = &'t str>) -> BTreeSet<String> {
    let mut tokens = BTreeSet::new();
    for name in names {
        let name = folded(name);
        words(&name).for_each(|word| add_word(&mut tokens, word));
    }
    tokens
}

/// A word and its beginnings.
fn add_word(tokens: &mut BTreeSet<String>, word: &str) {
    let letters: Vec<char> = word.chars().collect();
    let beginnings = BEGINNINGS.take_while(|length| *length < letters.len());
    tokens.extend(beginnings.map(|length| letters.iter().take(length).collect()));
    tokens.insert(word.to_owned());
}

/// What the homeowner wrote, and that it leaks, in both languages.
fn of_answers(lead: &Lead) -> BTreeSet<String> {
    let problem: &[&str] = match lead.answers.leak {
        Some(Leak::Leaking) => &["leak", "leaks", "leaking", "gotera", "goteras"],
        Some(Leak::Damage) => &["damage", "dano", "danos"],
        _ => &[],
    };
    let visit = lead.inspection.as_ref().and_then(|visit| visit.note.as_ref());
    let texts = [lead.message.as_ref(), lead.answers.note.as_ref(), visit].into_iter().flatten();
    let texts: Vec<String> = texts.map(|text| folded(text)).collect();
    let written = texts.iter().flat_map(|text| words(text)).filter(|word| word.chars().count() >= MIN_WRITTEN);
    written.take(MAX_WRITTEN).chain(problem.iter().copied()).map(str::to_owned).collect()
}

/// The whole address: the word by which its person is found.
pub(crate) fn of_email(email: &Email) -> String {
    folded(email.as_str())
}

/// The same for a number.
pub(crate) fn of_phone(phone: &Phone) -> String {
    digits(phone.as_str())
}

/// The longest first: it is the rarest. Each has to be found. None: the question has no words.
pub(crate) fn of_question(text: &str) -> Vec<String> {
    let text = folded(text);
    let (mut tokens, others) = phones(&text);
    for part in others {
        if part.contains('@') {
            tokens.insert(part.trim_matches(|c: char| matches!(c, '<' | '>' | ',' | ';')).to_owned());
        } else {
            tokens.extend(words(without_plus_four(part)).map(str::to_owned));
        }
    }
    let mut tokens: Vec<String> = tokens.into_iter().collect();
    tokens.sort_by_key(|token| std::cmp::Reverse(token.chars().count()));
    tokens.truncate(MAX_OF_QUESTION);
    tokens
}

/// The numbers of phones in a question, however they are written, and its other parts: `dana`.
fn phones(text: &str) -> (BTreeSet<String>, Vec<&str>) {
    let written = |c: char| {
        let is_dash = c == '-' || ('\u{2010}'..='\u{2015}').contains(&c) || c == '\u{2212}';
        c.is_ascii_digit() || is_dash || matches!(c, '+' | '(' | ')' | '.' | '/')
    };
    let parts: Vec<&str> = text.split_whitespace().collect();
    let (mut phones, mut others) = (BTreeSet::new(), Vec::new());
    for group in parts.chunk_by(|one, next| one.chars().all(written) == next.chars().all(written)) {
        let digits = digits(&group.concat());
        let country = digits.len() == 11 && digits.starts_with('1');
        // Not `04103-1234` or `2026-11-29`, nor `14 04103`: a house number and a ZIP code.
        let has_length = country || digits.len() == 10 || digits.len() == MIN_PHONE_DIGITS;
        let is_whole = group.len() == 1
            || group.len() == parts.len()
            || digits.len() >= 10
            || group.iter().map(|part| part.len()).eq([3, 4]);
        let is_phone = group[0].chars().all(written) && has_length && is_whole;
        match is_phone {
            true => drop(phones.insert(digits[usize::from(country)..].to_owned())),
            false => others.extend(group.iter().copied()),
        }
    }
    (phones, others)
}

/// `04103` of `04103-1234`: leads have the ZIP code alone.
fn without_plus_four(part: &str) -> &str {
    let bare = part.trim_matches(',');
    let are_digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    match bare.split_once('-') {
        Some((zip, more)) if are_digits(zip, 5) && are_digits(more, 4) => zip,
        _ => part,
    }
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Small letters without accents.
fn folded(text: &str) -> String {
    text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_words_an_address_or_a_number() {
        let cases: [(&str, &[&str]); 17] = [
            ("Zoë O'Brien", &["brien", "zoe", "o"]),
            ("14 Alder Court", &["alder", "court", "14"]),
            ("  <ZOE@Example.com>, ", &["zoe@example.com"]),
            ("+1 (207) 555-0143", &["2075550143"]),
            ("555-0143", &["5550143"]),
            // As people copy it from a page, a mail or a phone's list of calls.
            ("207.555.0143", &["2075550143"]),
            ("1 207 555 01 43", &["2075550143"]),
            ("(207)\u{a0}555\u{2011}0143", &["2075550143"]),
            ("Dana (207) 555-0143", &["2075550143", "dana"]),
            ("Alder 14 04103", &["04103", "alder", "14"]),
            ("04103", &["04103"]),
            ("14 Alder Court, Portland, ME 04103-1234", &["portland", "04103", "alder", "court"]),
            ("Dana 555 0143", &["5550143", "dana"]),
            ("2026-11-29", &["2026", "11", "29"]),
            ("a b c d e f", &["a", "b", "c", "d"]),
            ("", &[]),
            (" ?! ", &[]),
        ];
        for (text, tokens) in cases {
            assert_eq!(of_question(text), tokens, "{text}");
        }
    }
}
