//! # Calibration: fitting the buyer scores to the outcomes of one operator's leads
//!
//! The buyer scores are stated priors: nobody has checked them against sales. An operator who has recorded the
//! outcomes of past leads can. **Until a calibration is fitted every score is uncalibrated**, and a calibration
//! fitted on one firm's leads is valid for that firm's leads only.
//!
//! **In.** Outcomes: a score's name, the level it was given *before any calibration*, and whether the sale came about.
//! At least 200 for a score, at least 20 of either outcome.
//!
//! **Fit.** Isotonic regression by pooling adjacent violators: the rates of success, level by level, that never fall
//! as the level rises and miss the outcomes least (Ayer et al. 1955; Barlow et al. 1972). Of all monotone maps it has
//! the least Brier score on the rows it was fitted to, so never a worse one than reading the level as a
//! probability. Then blocks under 30 rows are pooled with the neighbor nearest in rate: a step that rests on a
//! handful of sales is chance. Pooling neighbors keeps the map monotone.
//!
//! **Out.** A contractor's leads seldom close more than one time in five, so a rate is not read as it stands: it is
//! measured against the firm's own. `lift = log2(odds of the block / odds of all)`, and
//! `pay = 3 + lift`, all others `5 + 2 × lift`, rounded half up and kept within the score's range (pay 1 to 5,
//! elevate 3 to 10, styles 2 to 10; the levels under these keep their fixed meaning). A block with the
//! usual rate is the neutral level, twice its odds one step of pay and two of the others. The same formula for
//! every block, rising with the rate, over rates that never fall: monotone by construction.
//!
//! **How good it is** is stored beside it: rows, successes, the area under the ROC curve (0.5 is chance; a map
//! that only rises cannot change it but by ties), and Brier scores: of the level read as a probability, of
//! the overall rate for everyone, of the fit on its own rows, and of five fits that each left out the fifth
//! they were tried on. Only the last predicts future leads; if it is not below that of the overall rate, the
//! score is useless for this firm. A score that ranks outcomes backwards becomes one block: everyone is neutral.
//!
//! **What it does not know.** Why leads closed; whom the firm never called back because of a score (an outcome
//! that was never tried is no failure: leave such rows out); whether the next year is like the last; whether
//! it is fair, for which there is [`monitor()`]. It must not be used for eligibility, for pricing of credit or for
//! prescreening, no more than the scores themselves.

mod error;
mod isotonic;
mod map;
mod monitor;
mod score;

use serde::{Deserialize, Serialize};

pub use error::{CalibrationError, MESSAGES, MIN_OF_EITHER, MIN_ROWS};
pub use isotonic::{Block, pool_adjacent_violators};
pub use map::{CalibrationMap, ScoreOutcome};
pub use monitor::{FOUR_FIFTHS, GroupReport, MonitoredLead, monitor};
pub use score::Score;

use error::FORMAT;

/// The maps of one operator, at most one for each score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Calibration {
    format: u32,
    /// Rises with every fit.
    version: u32,
    maps: Vec<CalibrationMap>,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { format: FORMAT, version: 0, maps: Vec::new() }
    }
}

impl Calibration {
    /// Reads the text that [`Self::to_json`] wrote; refuses a map that was edited and no longer rises.
    pub fn parse(text: &str) -> Result<Self, CalibrationError> {
        let read: Self = serde_json::from_str(text).map_err(CalibrationError::unreadable)?;
        if read.format != FORMAT {
            return Err(CalibrationError::Layout { found: read.format, read: FORMAT });
        }
        if let Some(map) = read.maps.iter().find(|m| !m.is_rising()) {
            return Err(CalibrationError::NotRising { score: map.score });
        }
        for (i, map) in read.maps.iter().enumerate() {
            if read.maps[..i].iter().any(|other| other.score == map.score) {
                let why = CalibrationError::TwoMaps { score: map.score }.into();
                return Err(CalibrationError::Unreadable { why });
            }
        }
        Ok(read)
    }

    pub fn to_json(&self) -> Result<String, CalibrationError> {
        serde_json::to_string_pretty(self).map_err(CalibrationError::unreadable)
    }

    /// The next version: these maps replace earlier ones of the same scores.
    pub fn with(mut self, maps: Vec<CalibrationMap>) -> Self {
        self.maps.retain(|old| maps.iter().all(|new| new.score != old.score));
        self.maps.extend(maps);
        self.maps.sort_by_key(|m| m.score);
        self.version = self.version.saturating_add(1);
        self
    }

    pub fn version(&self) -> u32 {
        self.version
    }

    pub fn maps(&self) -> &[CalibrationMap] {
        &self.maps
    }

    pub fn map(&self, score: Score) -> Option<&CalibrationMap> {
        self.maps.iter().find(|m| m.score == score)
    }
}
