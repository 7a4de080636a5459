//! The text that a street is searched by, and the pieces of it that survive a typing error.

use shingle_address::tables::{direction_long, suffix};
use shingle_address::{KeyHash, Street};

use super::packed::RowId;

/// A text that streets are searched by, and the span of streets that have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Title {
    pub text: String,
    pub span: (i64, i64),
}

impl Title {
    /// The sum that tells a row of titles that is not as it was written.
    pub fn sum(id: i64, text: &str, (first, last): (i64, i64)) -> i32 {
        RowId(id).sum_of([text, &first.to_string(), &last.to_string()])
    }
}

/// Name, suffix and last direction spelled out: `DRUM POINT CRESCENT`, `BUGLE DRIVE WEST`. The direction
/// before the name is left out: people leave it out.
pub(crate) fn title_of(street: &Street) -> String {
    let long = suffix(&street.suffix).map_or(street.suffix.as_str(), |s| s.long);
    let words = [street.name.as_str(), long, direction_long(&street.postdir)];
    words.iter().filter(|w| !w.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// Lengths of the beginnings that pieces are made of, shortest first. Two texts whose first `n` characters
/// differ by one typing error share a piece of length `n`.
const LENGTHS: [usize; 2] = [4, 6];

/// Pieces of a title, for the table.
pub(crate) fn pieces(title: &str) -> Vec<i64> {
    let chars: Vec<char> = title.chars().collect();
    let mut found = Vec::with_capacity(LENGTHS.iter().map(|n| n + 1).sum());
    for n in LENGTHS.iter().filter(|n| chars.len() + 1 >= **n) {
        found.extend(deletions(&chars[..chars.len().min(*n)], *n));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Pieces of what was typed: of the longest beginning there is enough text for.
pub(crate) fn pieces_typed(text: &str) -> Vec<i64> {
    let chars: Vec<char> = text.chars().collect();
    let Some(n) = LENGTHS.iter().rev().find(|n| chars.len() >= **n) else { return Vec::new() };
    let mut found: Vec<i64> = deletions(&chars[..*n], *n).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The beginning itself and every text that is one character shorter, each as a number.
fn deletions(chars: &[char], n: usize) -> impl Iterator<Item = i64> {
    let mut piece = format!("{n}:");
    let length = piece.len();
    // Skipping the one behind the last leaves the whole.
    (0..=chars.len()).rev().map(move |skip| {
        piece.truncate(length);
        piece.extend(chars.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, c)| c));
        i64::from(KeyHash::of(&piece).check)
    })
}
