//! What can be wrong with what a service answers.

use shingle_domain::messages;

messages! {
    /// What is wrong with an answer of a service of photos.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum ImageryFault {
        Said { said: String } => "the service answers: {said}",
        Token => "the service asks for a token, so it is not open to all",
        NotACatalog { why: String } => "the answer is not a catalog: {why}",
        OtherSystem { system: u64 } => "the answer has other coordinates (EPSG:{system}) than were asked for",
        TooMany => "the catalog has more photos here than any honest one",
    }
}
