//! Reasons for rejecting rows.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;

/// How many rows were left out for each kind of reason.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reasons(BTreeMap<String, Refused>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Refused {
    rows: u64,
    /// The first reason of its kind.
    first: Message,
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum ReasonOfRows {
        Example { first: Message } => "{first}, for example",
        Counted { n: u64, reason: Message } => "{n}: {reason}",
        Both { first: Message, others: Message } => "{first}; {others}",
    }
}

impl Reasons {
    pub fn count(&mut self, reason: Message) {
        self.add(reason, 1);
    }

    pub fn add(&mut self, reason: Message, rows: u64) {
        self.0.entry(kind_of(&reason)).or_insert_with(|| Refused { rows: 0, first: reason }).rows += rows;
    }

    /// Rows that were left out for this kind of reason.
    pub fn rows(&self, reason: &dyn ToMessage) -> u64 {
        self.0.get(&kind_of(&reason.to_message())).map_or(0, |r| r.rows)
    }

    /// Every kind with its rows, the most frequent first. Of a reason with values the first is an example.
    pub fn list(&self) -> Vec<(Message, u64)> {
        let mut list: Vec<(Message, u64)> = self.0.values().map(|r| (r.told(), r.rows)).collect();
        list.cold_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.to_string().cmp(&b.0.to_string())));
        list
    }

    /// Some of them in one sentence, each behind its rows.
    pub fn counted(&self, most: usize) -> Option<Message> {
        let counted = |(reason, n): (Message, u64)| Message::from(ReasonOfRows::Counted { n, reason });
        let list: Vec<Message> = self.list().into_iter().take(most).map(counted).collect();
        list.into_iter().rev().reduce(|others, first| ReasonOfRows::Both { first, others }.into())
    }
}

impl Refused {
    fn told(&self) -> Message {
        let first = self.first.clone();
        if self.rows > 1 && has_text(&first) { ReasonOfRows::Example { first }.into() } else { first }
    }
}

/// Whether something of one row is in it.
fn has_text(message: &Message) -> bool {
    match message {
        Message::Text(_) => true,
        Message::List(list) => list.iter().any(has_text),
        Message::Sentence { values, .. } => values.values().any(has_text),
    }
}

/// A reason without what is particular to one row, for counting.
fn kind_of(reason: &Message) -> String {
    match reason {
        Message::Text(_) => String::new(),
        Message::List(list) => list.iter().map(kind_of).collect::<Vec<_>>().join(","),
        Message::Sentence { key, values, .. } => {
            let within: Vec<String> = values.values().map(kind_of).filter(|kind| !kind.is_empty()).collect();
            if within.is_empty() { key.to_string() } else { format!("{key}({})", within.join(",")) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::unread_row::UnreadRow;
    use crate::mapping::formula::Unread;
    use crate::mapping::permit::PermitProblem;
    use crate::row::row_problem::RowProblem;

    #[test]
    fn reasons_of_a_kind_are_counted_together_and_show_the_first_value() {
        let mut reasons = Reasons::default();
        let zip = |text: &str| Message::from(RowProblem::NotAZip { text: text.to_owned() });
        for reason in [
            zip("12A45"),
            RowProblem::NoHouseNumber.into(),
            zip("X"),
            UnreadRow::ShapeTooLarge { megabytes: 17 }.into(),
            PermitProblem::UnreadKind { problem: Unread::UnknownCode }.into(),
            PermitProblem::UnreadKind { problem: Unread::OutOfRange }.into(),
        ] {
            reasons.count(reason);
        }
        let shown = |reasons: &Reasons| {
            reasons.list().into_iter().map(|(reason, n)| (reason.to_string(), n)).collect::<Vec<_>>()
        };
        assert_eq!(shown(&reasons).len(), 5);
        assert_eq!(shown(&reasons)[0], ("`12A45` is not a ZIP, for example".to_owned(), 2));
        assert_eq!(shown(&reasons)[1], ("a shape of 17 MB is not a building".to_owned(), 1));
        reasons.count(RowProblem::NotAState { text: "Ohoi".to_owned() }.into());
        assert!(shown(&reasons).contains(&("`Ohoi` is not a state".to_owned(), 1)));
        assert_eq!(reasons.rows(&RowProblem::NoHouseNumber), 1);
        reasons.count(RowProblem::NoHouseNumber.into());
        assert!(shown(&reasons).contains(&("no house number".to_owned(), 2)));
        let counted = reasons.counted(2).unwrap().to_string();
        assert_eq!(counted, "2: `12A45` is not a ZIP, for example; 2: no house number");
    }
}
