//! Where the columns that a mapping asks for stand in a file.
//!
//! # Decision
//!
//! The second of two equal headings is called `CITY (2)` in a mapping. Turned down: column numbers, which change with
//! every export.

use std::collections::HashMap;
use std::path::Path;

use shingle_domain::Zip;
use shingle_domain::message::Message;
use shingle_property::town_named;

use crate::error::ImportError;
use crate::format::cell;
use crate::format::columns_problem::{ColumnsProblem, FixedText};
use crate::format::file_note::FileNote;

/// A heading as an error may show it: of a broken file it can be anything, and long.
fn shown(heading: &str) -> String {
    cell::tidy(heading).chars().take(40).collect()
}

/// Where each wanted column is in a header: by its name, else by its name in another case. The error
/// names every column that is missing, the nearest name for each, and what is there.
pub(crate) fn locate(path: &Path, wanted: &[String], header: &[String]) -> Result<Vec<usize>, ImportError> {
    let (mut at, mut missing) = (Vec::with_capacity(wanted.len()), Vec::new());
    for name in wanted {
        let exact = header.iter().position(|h| h == name);
        let found = exact.or_else(|| header.iter().position(|h| h.eq_ignore_ascii_case(name)));
        match found {
            Some(found) => at.push(found),
            None => missing.push(name),
        }
    }
    if missing.is_empty() {
        return Ok(at);
    }
    let is_row = header.iter().any(|cell| cell.starts_with(|c: char| c.is_ascii_digit() || c == '$'));
    let messages = missing.iter().take(MAX_MISSING_SHOWN).map(|name| {
        let near = nearest(name, header).filter(|_| !is_row);
        let name = (*name).clone();
        match (near, as_fixed_text(&name)) {
            (Some(near), _) => ColumnsProblem::Near { name, near: shown(near) },
            (None, None) => ColumnsProblem::Missing { name },
            (None, Some(advice)) => ColumnsProblem::FixedText { name, advice },
        }
    });
    let more = missing.len().saturating_sub(MAX_MISSING_SHOWN);
    let more = (more > 0).then_some(ColumnsProblem::More { more });
    let is_other = missing.len() == wanted.len() && wanted.len() > 2;
    let wrong = is_other.then_some(ColumnsProblem::OtherFile);
    let there = if is_row {
        ColumnsProblem::FirstLineIsRow
    } else {
        ColumnsProblem::Headings { headings: header.iter().take(80).map(|h| shown(h)).collect() }
    };
    let before: Vec<Message> = messages.chain(more).chain(wrong).map(Message::from).collect();
    let one_after_the_other =
        before.into_iter().rev().fold(there.into(), |others, first| ColumnsProblem::Both { first, others }.into());
    Err(ImportError::input(path, one_after_the_other))
}

/// The headings, each different: the second `CITY` is `CITY (2)`.
pub(crate) fn distinct(header: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(header.len());
    let mut seen = HashMap::new();
    for name in &header {
        let times: &mut usize = seen.entry(name.to_lowercase()).or_default();
        *times += 1;
        let mut own = name.clone();
        if *times > 1 && !name.is_empty() {
            own = numbered(name, *times);
            while header.iter().any(|other| other.eq_ignore_ascii_case(&own)) {
                *times += 1;
                own = numbered(name, *times);
            }
        }
        out.push(own);
    }
    out
}

fn numbered(name: &str, times: usize) -> String {
    format!("{name} ({times})")
}

/// The name that a heading has in the file, and which of its columns it is, where it heads several.
pub(crate) fn of_repeated(name: &str) -> Option<(&str, usize)> {
    let (own, times) = name.strip_suffix(')')?.rsplit_once(" (")?;
    Some((own, times.parse().ok().filter(|times| *times > 1)?))
}

/// Of the columns that are read: which are the first of several with the same heading.
pub(crate) fn repeated(read: &[usize], header: &[String]) -> Vec<FileNote> {
    let mut told = Vec::new();
    for name in read.iter().filter_map(|at| header.get(*at)) {
        let others = header.iter().filter(|h| of_repeated(h).is_some_and(|(own, _)| own.eq_ignore_ascii_case(name)));
        let others: Vec<String> = others.map(|other| format!("`{}`", shown(other))).collect();
        if others.is_empty() {
            continue;
        }
        let note = FileNote::RepeatedHeading { name: shown(name), n: others.len() + 1, others };
        if !told.contains(&note) {
            told.push(note);
        }
    }
    told
}

/// How to write what is not a column name but a state, a ZIP or a town.
pub(crate) fn as_fixed_text(name: &str) -> Option<FixedText> {
    let is_value = cell::state(name).is_some() || Zip::parse(name).is_some() || town_named(name).is_some();
    is_value.then(|| FixedText::Written { written: format!("{{ constant = \"{name}\" }}") })
}

/// The heading that is most like a name, if any is like it.
pub(crate) fn nearest<'a>(name: &str, header: &'a [String]) -> Option<&'a String> {
    let name = name.to_lowercase();
    let like = |heading: &String| strsim::jaro_winkler(&heading.to_lowercase(), &name);
    header.iter().max_by(|a, b| like(a).total_cmp(&like(b))).filter(|heading| like(heading) >= LIKE_ENOUGH)
}

/// Of Jaro and Winkler: `zip` and `zipcode` have 0.87, `area` and `area_sf` 0.91, words that share a few letters 0.5 to 0.7.
const LIKE_ENOUGH: f64 = 0.8;

/// Missing columns that an error names.
const MAX_MISSING_SHOWN: usize = 8;
