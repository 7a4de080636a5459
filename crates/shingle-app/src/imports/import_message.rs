//! What the record of an import says beside what the importer says.

use shingle_domain::messages;
use shingle_import::Unread;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum ImportEnd {
        Broke => "The import broke; the log of the server says why.",
    }
}

messages! {
    /// What is wrong with cells of a field, with one of them.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum CellProblem {
        SuchAs { problem: Unread, example: String } => "{problem}: {example}",
    }
}
