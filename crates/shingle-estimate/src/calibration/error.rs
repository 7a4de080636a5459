//! Why there is no calibration.

use shingle_domain::message::Message;
use shingle_domain::messages;

use super::score::Score;

/// Fewer outcomes are not enough for a map.
pub const MIN_ROWS: usize = 200;
/// Fewer sales, or fewer refusals, are not enough either.
pub const MIN_OF_EITHER: usize = 20;
/// The layout of the stored text.
pub(super) const FORMAT: u32 = 1;

messages! {
    /// Why there is no calibration.
    #[derive(Debug, Clone, PartialEq)]
    pub enum CalibrationError {
        TooFewRows { score: Score, rows: usize, least: usize } =>
            "{score} has {rows} outcomes; a map needs at least {least}",
        OneSided { score: Score, successes: usize, failures: usize, least: usize } =>
            "{score} has {successes} successes and {failures} failures; a map needs at least {least} of each",
        OffScale { score: Score, value: f64 } => "{value} is not a level of {score}",
        Unreadable { why: Message } => "the calibration cannot be read: {why}",
        TwoMaps { score: Score } => "{score} has two maps",
        Layout { found: u32, read: u32 } => "the calibration has layout {found}; this program reads layout {read}",
        NotRising { score: Score } => "the rates in the map of {score} do not rise with the levels",
    }
}

impl CalibrationError {
    pub(super) fn unreadable(error: serde_json::Error) -> Self {
        Self::Unreadable { why: Message::Text(error.to_string()) }
    }
}

/// The lists of every message of this crate.
pub const MESSAGES: &[&[(&str, &str)]] = &[CalibrationError::SENTENCES];
