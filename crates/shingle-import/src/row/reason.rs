//! Reasons for rejecting rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// How many rows were left out for each kind of reason.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reasons(BTreeMap<String, Refused>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Refused {
    rows: u64,
    /// The first reason of its kind, as it was.
    first: String,
}

impl Reasons {
    pub fn count(&mut self, reason: &str) {
        self.add(reason, 1);
    }

    pub fn add(&mut self, reason: &str, rows: u64) {
        let known = self.0.entry(kind_of(reason)).or_insert_with(|| Refused { rows: 0, first: reason.to_owned() });
        known.rows += rows;
    }

    /// Of a reason that has nothing of one row in it.
    pub fn rows(&self, reason: &str) -> u64 {
        self.0.get(reason).map_or(0, |r| r.rows)
    }

    /// Every kind with its rows, the most frequent first. A value that was refused is shown: the first of several.
    pub fn list(&self) -> Vec<(String, u64)> {
        let mut list: Vec<(String, u64)> = self.0.iter().map(|(kind, r)| (told(kind, r), r.rows)).collect();
        list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        list
    }
}

fn told(kind: &str, refused: &Refused) -> String {
    match refused.first.split('`').nth(1) {
        Some(_) if refused.rows == 1 => refused.first.clone(),
        Some(value) => format!("{kind}; the first is `{value}`"),
        // With the numbers of the first.
        None => refused.first.clone(),
    }
}

/// A reason without what is particular to one row, for counting.
fn kind_of(reason: &str) -> String {
    let mut out = String::new();
    for (i, part) in reason.split('`').enumerate() {
        out.push_str(if i % 2 == 1 { "…" } else { part });
    }
    let mut kind = String::with_capacity(out.len());
    for c in out.chars() {
        let number = c.is_ascii_digit() || (c == '.' && kind.ends_with('#'));
        if !number {
            kind.push(c);
        } else if !kind.ends_with('#') {
            kind.push('#');
        }
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_of_a_kind_are_counted_together_and_show_the_first_value() {
        let mut reasons = Reasons::default();
        for text in
            ["`12A45` is not a ZIP", "no house number", "`X` is not a ZIP", "a shape of 17 MB is not a building"]
        {
            reasons.count(text);
        }
        let list = reasons.list();
        assert_eq!(list[0], ("… is not a ZIP; the first is `12A45`".to_owned(), 2));
        assert_eq!(list[1], ("a shape of 17 MB is not a building".to_owned(), 1));
        reasons.count("`Ohoi` is not a state");
        assert!(reasons.list().contains(&("`Ohoi` is not a state".to_owned(), 1)));
        assert_eq!(reasons.rows("no house number"), 1);
    }
}
