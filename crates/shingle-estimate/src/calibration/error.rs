//! Why there is no calibration.

use super::score::Score;

/// Fewer outcomes are not enough for a map.
pub const MIN_ROWS: usize = 200;
/// Fewer sales, or fewer refusals, are not enough either.
pub const MIN_OF_EITHER: usize = 20;
/// The layout of the stored text.
pub(super) const FORMAT: u32 = 1;

/// Why there is no calibration.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    #[error("{score} has {rows} outcomes; a map needs at least {MIN_ROWS}", score = .score.as_str())]
    TooFewRows { score: Score, rows: usize },
    #[error(
        "{score} has {successes} successes and {failures} failures; a map needs at least {MIN_OF_EITHER} of each",
        score = .score.as_str()
    )]
    OneSided { score: Score, successes: usize, failures: usize },
    #[error("{value} is not a level of {score}", score = .score.as_str())]
    OffScale { score: Score, value: f64 },
    #[error("the calibration cannot be read: {0}")]
    Unreadable(String),
    #[error("the calibration has layout {0}; this program reads layout {FORMAT}")]
    Layout(u32),
    #[error("the rates in the map of {score} do not rise with the levels", score = .0.as_str())]
    NotRising(Score),
}
