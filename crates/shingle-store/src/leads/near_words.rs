//! Words of a question that no lead has, and those near them that leads have: `whitfeld` is Whitfield.
//!
//! # Decision
//!
//! Words are stored as keyed hashes, which say nothing of nearness. So every word one edit away is hashed and asked for:
//! about fifty for each letter, each a probe of an index. Turned down: hashes of parts of words, which are many times the
//! rows and would let somebody with the file count letters.
//!
//! Two edits make a hundred thousand words. They are found letter by letter instead, along the beginnings that are stored
//! anyway: of each length, those that leads have and that two edits can still reach. The first letter counts as right.

use std::collections::{BTreeSet, HashSet};

use serde::Serialize;
use shingle_domain::Tenant;

use crate::StoreError;
use crate::engine::db::{Db, fetch_all};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::search_token;

/// Shorter words have too many neighbors, longer ones cost too much.
const LETTERS: std::ops::RangeInclusive<usize> = 4..=16;

#[derive(Serialize)]
struct Asked {
    token: i64,
}

/// Of words that may have two edits. A shorter one is another word then, and beginnings of more letters are not stored.
const LETTERS_OF_TWO: std::ops::RangeInclusive<usize> = 6..=12;
/// Beginnings that are followed at a time.
const MAX_FOLLOWED: usize = 40;

macro_rules! select_known {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT token FROM given WHERE EXISTS (SELECT 1 FROM lead_token WHERE lead_token.token = given.token)"
        )
    };
}

impl Leads<'_> {
    /// The question with near words in the place of those that no lead has. `None`: there is nothing near, or every word is
    /// known.
    pub async fn near_words(self, tenant: &Tenant, text: &str) -> Result<Option<String>, StoreError> {
        let asked = search_token::of_question(text);
        let known = self.known(tenant, &asked).await?;
        let mut words = asked.clone();
        for (word, _) in words.iter_mut().zip(&known).filter(|(_, known)| !**known) {
            let near: Vec<String> = near(word).into_iter().collect();
            let are_known = self.known(tenant, &near).await?;
            let near = near.iter().zip(are_known).filter(|(_, known)| *known).map(|(word, _)| word);
            // The longest has lost nothing that was typed.
            let best = match near.max_by_key(|near| near.len()) {
                Some(best) => best.clone(),
                None => match self.two_edits_away(tenant, word).await? {
                    Some(best) => best,
                    None => return Ok(None),
                },
            };
            *word = best;
        }
        if words == asked {
            return Ok(None);
        }
        // In the order in which they were typed.
        let mut said = text.to_lowercase();
        for (old, new) in asked.iter().zip(&words) {
            said = match said.contains(old.as_str()) {
                true => said.replacen(old.as_str(), new, 1),
                false => return Ok(Some(words.join(" "))),
            };
        }
        Ok(Some(said))
    }

    async fn two_edits_away(self, tenant: &Tenant, word: &str) -> Result<Option<String>, StoreError> {
        let typed: Vec<char> = word.chars().collect();
        let [first, ..] = typed[..] else { return Ok(None) };
        if !LETTERS_OF_TWO.contains(&typed.len()) || !typed.iter().all(char::is_ascii_lowercase) {
            return Ok(None);
        }
        let mut followed = vec![first.to_string()];
        let mut best: Option<(usize, String)> = None;
        for length in 2..=typed.len() + 2 {
            let longer = followed.iter().flat_map(|word| ('a'..='z').map(move |letter| format!("{word}{letter}")));
            let mut longer: Vec<(usize, String)> = longer
                .map(|word| (distances(&typed, &word).into_iter().min().unwrap_or(0), word))
                .filter(|(least, _)| *least <= 2)
                .collect();
            longer.sort_unstable();
            followed = longer.into_iter().map(|(_, word)| word).collect();
            // Two letters are no beginning that is stored.
            if length > 2 {
                let known = self.known(tenant, &followed).await?;
                followed = followed.into_iter().zip(known).filter(|(_, known)| *known).map(|(word, _)| word).collect();
                followed.truncate(MAX_FOLLOWED);
            }
            for word in followed.iter().filter(|_| length > 2) {
                let away = distances(&typed, word).last().copied().unwrap_or(usize::MAX);
                // The longest of those that are as near.
                if away <= 2 && best.as_ref().is_none_or(|(known, _)| away <= *known) {
                    best = Some((away, word.clone()));
                }
            }
            if followed.is_empty() {
                break;
            }
        }
        Ok(best.map(|(_, word)| word))
    }

    /// For each word whether a lead has it.
    async fn known(self, tenant: &Tenant, words: &[String]) -> Result<Vec<bool>, StoreError> {
        let environment = tenant.environment.as_str();
        let tokens: Vec<i64> =
            words.iter().map(|word| self.store.hashes.word(tenant.account, environment, word)).collect();
        let select = match self.store.db {
            Db::Sqlite { .. } => select_known!(dialect::given_rows!(sqlite: token bigint)),
            Db::Postgres(_) => select_known!(dialect::given_rows!(postgres: token bigint)),
        };
        let asked: Vec<Asked> = tokens.iter().map(|token| Asked { token: *token }).collect();
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, (i64,), select, serde_json::to_string(&asked)?)?;
        let known: HashSet<i64> = rows.into_iter().map(|(token,)| token).collect();
        Ok(tokens.iter().map(|token| known.contains(token)).collect())
    }
}

/// From a word to each beginning of the typed one: how many letters less, more or other.
fn distances(typed: &[char], word: &str) -> Vec<usize> {
    let mut row: Vec<usize> = (0..=typed.len()).collect();
    for letter in word.chars() {
        let mut diagonal = row[0];
        row[0] += 1;
        for (at, other) in typed.iter().enumerate() {
            let here = (diagonal + usize::from(letter != *other)).min(row[at] + 1).min(row[at + 1] + 1);
            diagonal = row[at + 1];
            row[at + 1] = here;
        }
    }
    row
}

/// All words that one letter less, more, other or two swapped letters make of it.
fn near(word: &str) -> BTreeSet<String> {
    let letters: Vec<char> = word.chars().collect();
    let mut all = BTreeSet::new();
    if !LETTERS.contains(&letters.len()) || !letters.iter().all(char::is_ascii_lowercase) {
        return all;
    }
    let with = |before: &[char], between: &[char], after: &[char]| -> String {
        [before, between, after].concat().into_iter().collect()
    };
    for at in 0..=letters.len() {
        let (before, after) = letters.split_at(at);
        for letter in 'a'..='z' {
            all.insert(with(before, &[letter], after));
            if let [_, rest @ ..] = after {
                all.insert(with(before, &[letter], rest));
            }
        }
        if let [_, rest @ ..] = after {
            all.insert(with(before, &[], rest));
        }
        if let [one, other, rest @ ..] = after {
            all.insert(with(before, &[*other, *one], rest));
        }
    }
    all.remove(word);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_as_far_as_the_letters_that_differ() {
        let away =
            |typed: &str, word: &str| distances(&typed.chars().collect::<Vec<_>>(), word).last().copied().unwrap();
        for (typed, word, edits) in
            [("whtfeld", "whitfield", 2), ("okafor", "okafor", 0), ("fereyra", "ferreira", 2), ("abc", "", 3)]
        {
            assert_eq!(away(typed, word), edits, "{typed}");
        }
    }

    #[test]
    fn one_edit_reaches_a_word_and_the_number_of_words_is_bounded() {
        for (typed, meant) in [
            ("whitfeld", "whitfield"),
            ("witfield", "whitfield"),
            ("whitffield", "whitfield"),
            ("whitfeild", "whitfield"),
            ("whitgield", "whitfield"),
            ("okafr", "okafor"),
        ] {
            assert!(near(typed).contains(meant), "{typed}");
        }
        assert!(!near("whtfeld").contains("whitfield"), "two edits");
        assert!(near("dan").is_empty() && near("14207").is_empty() && near("a@b.example").is_empty());
        assert!(near(&"w".repeat(17)).is_empty());
        assert!(near("abcdefghijklmnop").len() < 900, "{}", near("abcdefghijklmnop").len());
    }
}
