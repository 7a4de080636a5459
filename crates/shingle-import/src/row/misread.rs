//! Letters that were read in another encoding than they were written in: they look like others, and no street with them is
//! found.

use serde::{Deserialize, Serialize};

use crate::format::source::Row;
use crate::mapping::table::TableMapping;
use crate::row::finding::Finding;

/// Which columns of a table may be shown: none with names of people.
pub(crate) struct ShownColumns<'a> {
    names: &'a [String],
    may_show: Vec<bool>,
}

impl<'a> ShownColumns<'a> {
    pub fn of(table: &'a TableMapping) -> Self {
        let mut may_show = vec![false; table.columns.len()];
        let a = &table.address;
        let address = [&a.line, &a.number, &a.street, &a.unit, &a.city, &a.state].into_iter().flatten();
        let (personal, facts): (Vec<_>, Vec<_>) = table.facts.iter().partition(|fact| fact.field.is_personal());
        let shown = address.chain(facts.into_iter().map(|fact| &fact.from));
        shown.flat_map(|formula| formula.columns()).for_each(|at| may_show[at] = true);
        let contractor = table.permit.as_ref().and_then(|permit| permit.contractor.as_ref());
        let hidden = personal.into_iter().map(|fact| &fact.from).chain(contractor);
        hidden.flat_map(|formula| formula.columns()).for_each(|at| may_show[at] = false);
        Self { names: &table.columns, may_show }
    }
}

/// Rows with such letters, and an example of each kind.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct MisreadRows {
    /// UTF-8 that somebody read as Windows-1252: `PeÃ±a`.
    twice: Found,
    /// No UTF-8: read as Windows-1252, which is a guess.
    guessed: Found,
    /// The sign that stands for a lost letter.
    lost: Found,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Found {
    rows: u64,
    example: Option<Example>,
}

/// The first that may be shown, else where the first is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Example {
    Cell(String),
    Column(String),
}

const MAX_SHOWN: usize = 40;

impl MisreadRows {
    pub fn look(&mut self, row: &Row, columns: &ShownColumns<'_>) {
        if row.cells.iter().all(|cell| cell.is_ascii()) {
            return;
        }
        let odd = |is: fn(&str) -> bool| {
            let mut found = row.cells.iter().enumerate().filter(|(_, cell)| is(cell));
            let first = found.clone().next()?;
            Some(found.find(|(at, _)| columns.may_show.get(*at) == Some(&true)).unwrap_or(first))
        };
        self.twice.count(odd(|cell| meant(cell).is_some()), columns);
        self.lost.count(odd(|cell| cell.contains('\u{fffd}')), columns);
        if row.was_guessed {
            self.guessed.count(odd(|cell| !cell.is_ascii()), columns);
        }
    }

    pub fn told(&self) -> impl Iterator<Item = Finding> {
        let example = |found: &Found| Some((found.rows, found.example.clone()?));
        let twice = example(&self.twice).map(|(rows, example)| match example {
            Example::Cell(cell) => Finding::ReadTwice { rows, meant: meant(&cell).unwrap_or_default(), cell },
            Example::Column(column) => Finding::ColumnReadTwice { rows, column },
        });
        let guessed = example(&self.guessed).map(|(rows, example)| match example {
            Example::Cell(cell) => Finding::Guessed { rows, cell },
            Example::Column(column) => Finding::ColumnGuessed { rows, column },
        });
        let lost = example(&self.lost).map(|(rows, example)| match example {
            Example::Cell(cell) => Finding::LostLetters { rows, cell },
            Example::Column(column) => Finding::ColumnLostLetters { rows, column },
        });
        [twice, guessed, lost].into_iter().flatten()
    }
}

impl Found {
    fn count(&mut self, cell: Option<(usize, &String)>, columns: &ShownColumns<'_>) {
        let Some((at, cell)) = cell else { return };
        self.rows += 1;
        if matches!(self.example, Some(Example::Cell(_))) {
            return;
        }
        if columns.may_show.get(at) == Some(&true) {
            self.example = Some(Example::Cell(short(cell)));
        } else if self.example.is_none() {
            self.example = columns.names.get(at).map(|name| Example::Column(short(name)));
        }
    }
}

/// What a text says whose letters are UTF-8 read as Windows-1252. No other text comes out as UTF-8.
fn meant(text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    let (bytes, _, is_lossy) = encoding_rs::WINDOWS_1252.encode(text);
    let meant = std::str::from_utf8(&bytes).ok().filter(|_| !is_lossy)?;
    Some(meant.to_owned())
}

fn short(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_was_read_twice_is_told_from_others() {
        assert_eq!(meant("PeÃ±a St").as_deref(), Some("Peña St"));
        assert_eq!(meant("Oâ€™Brien Ave").as_deref(), Some("O’Brien Ave"));
        for text in ["Peña St", "Alder Ct", "Çedar – Ãlm", "Łódź"] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}
