//! What is assumed of the coordinates of a file, and why most of its shapes are refused.

use shingle_domain::message::Message;
use shingle_domain::messages;
use shingle_projection::CrsAdvice;

messages! {
    /// What is assumed of the coordinates of a file.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum CrsNote {
        NoPrj => "there is no .prj; coordinates were read as longitude and latitude",
        Unsaid => "it does not say what its coordinates are; they were read as longitude and latitude",
        NotDrawn => "what is drawn was left out: the mapping has no `[geometry]`",
    }
}

messages! {
    /// Most shapes of a file are in no place where they may be.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum MostMisplaced {
        Swapped { misplaced: u64, shapes: u64, reason: Message } =>
            "{misplaced} of {shapes} {shapes|shape|shapes}: {reason}. Exchange the two in the source. Nothing was imported",
        NoNumber { misplaced: u64, shapes: u64, reason: Message } =>
            "{misplaced} of {shapes} {shapes|shape|shapes}: {reason}. Export the file again. Nothing was imported",
        Elsewhere { misplaced: u64, shapes: u64, reason: Message, advice: CrsAdvice } =>
            "{misplaced} of {shapes} {shapes|shape|shapes}: {reason} If it is not, {advice}. Nothing was imported",
    }
}
