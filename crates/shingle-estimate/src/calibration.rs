//! # Calibration: what the buyer scores are worth in one operator's own trade
//!
//! The buyer scores are stated priors: nobody has checked them against sales. An operator who has kept what
//! became of past leads can. **Until a calibration is fitted every score is uncalibrated**, and a calibration
//! fitted on one firm's leads speaks of that firm's leads only.
//!
//! **In.** Outcomes: a score's name, the level it was given *before any calibration*, and whether the sale came about.
//! At least 200 for a score, at least 20 of either outcome.
//!
//! **Fit.** Isotonic regression by pooling adjacent violators: the rates of success, level by level, that never fall
//! as the level rises and miss the outcomes least (Ayer et al. 1955; Barlow et al. 1972). Of all monotone maps it has
//! the least Brier score on the rows it was fitted to, so never a worse one than reading the level as a
//! probability. Then blocks under 30 rows are pooled with the neighbour nearest in rate: a step that rests on a
//! handful of sales is chance. Pooling neighbours keeps the map monotone.
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
//! they were tried on. Only the last is honest about tomorrow; if it is no less than the overall rate's, the
//! score tells this firm nothing. A score that ranks outcomes backwards becomes one block: everyone is neutral.
//!
//! **What it does not know.** Why leads closed; whom the firm never called back because of a score (an outcome
//! that was never tried is no failure: leave such rows out); whether the next year is like the last; whether
//! it is fair, for which there is [`monitor()`]. It must not be used for eligibility, for pricing of credit or for
//! prescreening, no more than the scores themselves.

mod isotonic;
mod map;
mod monitor;

use serde::{Deserialize, Serialize};

pub use isotonic::{Block, pool_adjacent_violators};
pub use map::{LEAST_OF_EITHER, LEAST_ROWS, Map, Outcome};
pub use monitor::{FOUR_FIFTHS, Group, Monitored, monitor};

/// The layout of the stored text.
const FORMAT: u32 = 1;

/// A score of the buyer insights, by its name in the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Score {
    #[serde(rename = "payScore")]
    Pay,
    #[serde(rename = "elevateScore")]
    Elevate,
    #[serde(rename = "savvyShopperScore")]
    SavvyShopper,
    #[serde(rename = "brandLoyalistScore")]
    BrandLoyalist,
    #[serde(rename = "trendsetterScore")]
    Trendsetter,
    #[serde(rename = "budgetsavvyBuyerScore")]
    BudgetsavvyBuyer,
    #[serde(rename = "qualityFirstBuyerScore")]
    QualityFirstBuyer,
    #[serde(rename = "impulseShopperScore")]
    ImpulseShopper,
    #[serde(rename = "popularPicksScore")]
    PopularPicks,
}

impl Score {
    pub const ALL: [Self; 9] = [
        Self::Pay,
        Self::Elevate,
        Self::SavvyShopper,
        Self::BrandLoyalist,
        Self::Trendsetter,
        Self::BudgetsavvyBuyer,
        Self::QualityFirstBuyer,
        Self::ImpulseShopper,
        Self::PopularPicks,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pay => "payScore",
            Self::Elevate => "elevateScore",
            Self::SavvyShopper => "savvyShopperScore",
            Self::BrandLoyalist => "brandLoyalistScore",
            Self::Trendsetter => "trendsetterScore",
            Self::BudgetsavvyBuyer => "budgetsavvyBuyerScore",
            Self::QualityFirstBuyer => "qualityFirstBuyerScore",
            Self::ImpulseShopper => "impulseShopperScore",
            Self::PopularPicks => "popularPicksScore",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.as_str() == name)
    }

    /// The levels a record can show.
    pub fn scale(self) -> core::ops::RangeInclusive<u8> {
        if self == Self::Pay { 1..=5 } else { 1..=10 }
    }

    /// The lowest level that a sum or a calibration gives; those under it have a fixed meaning.
    pub fn floor(self) -> u8 {
        match self {
            Self::Pay => 1,
            Self::Elevate => 3,
            _ => 2,
        }
    }
}

/// Why there is no calibration.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    #[error("{score} has {rows} outcomes; {LEAST_ROWS} are the least a map can be fitted to", score = .score.as_str())]
    TooFewRows { score: Score, rows: usize },
    #[error(
        "{score} has {successes} successes and {failures} failures; {LEAST_OF_EITHER} of either are the least",
        score = .score.as_str()
    )]
    OneSided { score: Score, successes: usize, failures: usize },
    #[error("{value} is no level of {score}", score = .score.as_str())]
    OffScale { score: Score, value: f64 },
    #[error("the calibration is not readable: {0}")]
    Unreadable(String),
    #[error("the calibration has layout {0}; this program knows {FORMAT}")]
    Layout(u32),
    #[error("the map of {score} is not a rising map from levels to rates", score = .0.as_str())]
    NotRising(Score),
}

/// The maps of one operator, at most one for a score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Calibration {
    format: u32,
    /// Rises with every fit.
    version: u32,
    maps: Vec<Map>,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { format: FORMAT, version: 0, maps: Vec::new() }
    }
}

impl Calibration {
    /// Reads what [`Self::to_json`] wrote; a map that was edited until it no longer rises is refused.
    pub fn parse(text: &str) -> Result<Self, CalibrationError> {
        let read: Self = serde_json::from_str(text).map_err(|e| CalibrationError::Unreadable(e.to_string()))?;
        if read.format != FORMAT {
            return Err(CalibrationError::Layout(read.format));
        }
        if let Some(map) = read.maps.iter().find(|m| !m.is_rising()) {
            return Err(CalibrationError::NotRising(map.score));
        }
        for (i, map) in read.maps.iter().enumerate() {
            if read.maps[..i].iter().any(|other| other.score == map.score) {
                let name = map.score.as_str();
                return Err(CalibrationError::Unreadable(format!("{name} stands there twice")));
            }
        }
        Ok(read)
    }

    pub fn to_json(&self) -> Result<String, CalibrationError> {
        serde_json::to_string_pretty(self).map_err(|e| CalibrationError::Unreadable(e.to_string()))
    }

    /// With these maps in place of earlier ones of the same scores, as the next version.
    pub fn with(mut self, maps: Vec<Map>) -> Self {
        self.maps.retain(|old| maps.iter().all(|new| new.score != old.score));
        self.maps.extend(maps);
        self.maps.sort_by_key(|m| m.score);
        self.version = self.version.saturating_add(1);
        self
    }

    pub fn version(&self) -> u32 {
        self.version
    }

    pub fn maps(&self) -> &[Map] {
        &self.maps
    }

    pub fn map(&self, score: Score) -> Option<&Map> {
        self.maps.iter().find(|m| m.score == score)
    }
}
