//! What an import reports of its files, each thing once.

use serde::{Deserialize, Serialize};
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;

/// What is reported, and of which file, where it is about one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    file: Option<String>,
    said: Message,
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum ImportNote {
        OfFile { name: String, text: Message } => "{name}: {text}",
        OfFiles { n: usize, name: String, text: Message } => "{n} files, the first of them {name}: {text}",
    }
}

impl Note {
    pub fn of(file: impl Into<String>, said: impl ToMessage) -> Self {
        Self { file: Some(file.into()), said: said.to_message() }
    }

    pub fn of_all(said: impl ToMessage) -> Self {
        Self { file: None, said: said.to_message() }
    }
}

/// Notes that differ only in the file they are of become one.
pub(crate) fn said_once(notes: Vec<Note>) -> Vec<Message> {
    // Of how many files.
    let mut said: Vec<(Note, usize)> = Vec::new();
    for note in notes {
        let same =
            |(known, _): &&mut (Note, usize)| known.said == note.said && known.file.is_some() == note.file.is_some();
        match said.iter_mut().find(same) {
            Some((_, files)) => *files += 1,
            None => said.push((note, 1)),
        }
    }
    let told = |(Note { file, said: text }, n): (Note, usize)| match file {
        None => text,
        Some(name) if n == 1 => ImportNote::OfFile { name, text }.into(),
        Some(name) => ImportNote::OfFiles { n, name, text }.into(),
    };
    said.into_iter().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_files_have_in_common_is_said_once() {
        let mut notes = vec![Note::of_all("parcels: 4 ids"), Note::of_all("parcels: 4 ids")];
        for n in 0..40 {
            notes.push(Note::of(format!("part-{n}.json"), "no row has `unit`"));
            notes.push(Note::of(format!("data/part-{n}.json"), "there is no .prj"));
        }
        notes.push(Note::of("part-7.json", "no row has `zip`"));
        let said: Vec<String> = said_once(notes).iter().map(Message::to_string).collect();
        assert_eq!(
            said,
            [
                "parcels: 4 ids",
                "40 files, the first of them part-0.json: no row has `unit`",
                "40 files, the first of them data/part-0.json: there is no .prj",
                "part-7.json: no row has `zip`",
            ]
        );
    }
}
