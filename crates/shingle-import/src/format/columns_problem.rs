//! Columns that a mapping asks for and a file does not have.

use shingle_domain::message::Message;
use shingle_domain::messages;

messages! {
    /// The sentences of an error that names every missing column.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum ColumnsProblem {
        Near { name: String, near: String } => "no column `{name}`; is `{near}` meant?",
        Missing { name: String } => "no column `{name}`.",
        FixedText { name: String, advice: FixedText } => "no column `{name}`{advice}.",
        More { more: usize } => "And {more} more.",
        OtherFile =>
            "None of the mapping's columns is there: is it the mapping for another file? Lines before the headings are passed \
             over with `skip_lines`; a file without headings is given them with `header`.",
        // A row has names of people in it.
        FirstLineIsRow => "The first line looks like a row and is not shown.",
        Headings { headings: Vec<String> } => "The file has: {headings}",
        /// Two of these sentences.
        Both { first: Message, others: Message } => "{first} {others}",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum FixedText {
        Written { written: String } => "; a text that is the same in every row is written {written}",
    }
}
