//! How much of a shown street the typed text accounts for.

use shingle_address::ordinals::{ordinal, ordinal_unit};
use shingle_address::tables::{direction, suffix};
use shingle_address::token::tokens;

use super::typo::within;

/// Characters from the start of `shown`. A word typed short (`ct`) or with a typing error accounts for the
/// whole word shown; the last word, for as many characters as were typed.
pub(super) fn matched(shown: &str, typed: &str) -> u32 {
    let typed: Vec<String> = tokens(typed.split(',').next().unwrap_or_default()).into_iter().map(|t| t.word).collect();
    let mut counted = 0;
    let mut at = 0;
    let mut typed_words = typed.iter().enumerate().peekable();
    for raw in shown.split_inclusive(' ') {
        let start = at;
        at += raw.chars().count();
        let word: String = tokens(raw).into_iter().map(|t| t.word).collect();
        let Some((index, want)) = typed_words.peek() else { break };
        let last = *index + 1 == typed.len();
        let length = raw.trim_end().chars().count();
        if same(&word, want) {
            counted = start + length;
        } else if last && word.starts_with(want.as_str()) {
            counted = start + want.chars().count();
        } else if direction(&word).is_some() && counted > 0 {
            // A direction that was left out.
            continue;
        } else if !word.starts_with(|c: char| c.is_ascii_digit()) && within(want, &word, 1).is_some() {
            counted = start + if last { length.min(want.chars().count()) } else { length };
        } else {
            break;
        }
        typed_words.next();
    }
    u32::try_from(counted).unwrap_or(u32::MAX)
}

fn same(shown: &str, typed: &str) -> bool {
    shown == typed
        || suffix(shown).is_some_and(|a| suffix(typed).is_some_and(|b| a.short == b.short))
        || direction(shown).is_some_and(|(a, _)| direction(typed).is_some_and(|(b, _)| a == b))
        || matches!(
            (shown, typed),
            ("SAINT", "ST") | ("ST", "SAINT") | ("MOUNT", "MT") | ("MT", "MOUNT") | ("FORT", "FT") | ("FT", "FORT")
        )
        || ordinal_unit(typed).is_some_and(|n| ordinal(n) == shown)
        || ordinal_unit(shown).is_some_and(|n| ordinal(n) == typed)
}
