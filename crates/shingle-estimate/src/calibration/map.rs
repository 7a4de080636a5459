//! The map of one score: from the stated level to the level that the outcomes support.

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;

use super::error::{CalibrationError, MIN_OF_EITHER, MIN_ROWS};
use super::isotonic::{Block, pool_adjacent_violators};
use super::score::Score;

/// Rows behind one step of the map.
const MIN_BLOCK_ROWS: u32 = 30;
const FOLDS: usize = 5;

/// One lead that was tried: the level it had before any calibration, and whether it came to a sale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreOutcome {
    pub score: Score,
    pub value: f64,
    pub success: bool,
}

/// How levels and outcomes correspond. Brier scores are mean squared errors: less is better. Four decimals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CalibrationMap {
    pub score: Score,
    /// ISO date.
    pub fitted: String,
    pub rows: u32,
    pub successes: u32,
    /// The chance that a sale had the higher level than a refusal; ties count half.
    pub auc: f64,
    /// Brier score of the level read as a probability, from the bottom of the scale (0) to its top (1).
    pub brier_before: f64,
    /// Brier score of the overall rate for every lead.
    pub brier_of_the_overall_rate: f64,
    /// Brier score of this map on the rows it was fitted to.
    pub brier_after: f64,
    /// Brier score of five maps, each tested on the fifth of the rows that was left out.
    pub brier_held_out: f64,
    blocks: Vec<Block>,
}

impl CalibrationMap {
    /// The map of `score` from those outcomes that are of it, in any order. The held-out figure deals them
    /// out in the order given.
    pub fn fit(score: Score, outcomes: &[ScoreOutcome], now: Timestamp) -> Result<Self, CalibrationError> {
        let rows: Vec<(f64, bool)> =
            outcomes.iter().filter(|o| o.score == score).map(|o| (o.value, o.success)).collect();
        let scale = f64::from(*score.scale().start())..=f64::from(*score.scale().end());
        if let Some((value, _)) = rows.iter().find(|(value, _)| !scale.contains(value)) {
            return Err(CalibrationError::OffScale { score, value: *value });
        }
        let successes = rows.iter().filter(|(_, success)| *success).count();
        let failures = rows.len() - successes;
        if rows.len() < MIN_ROWS {
            return Err(CalibrationError::TooFewRows { score, rows: rows.len(), least: MIN_ROWS });
        }
        if successes.min(failures) < MIN_OF_EITHER {
            return Err(CalibrationError::OneSided { score, successes, failures, least: MIN_OF_EITHER });
        }
        let overall = successes as f64 / rows.len() as f64;
        let blocks = merge_small_blocks(pool_adjacent_violators(&rows));
        let width = scale.end() - scale.start();
        Ok(Self {
            score,
            fitted: now.date().to_string(),
            rows: rows.len() as u32,
            successes: successes as u32,
            auc: four_decimals(auc(&rows)),
            brier_before: four_decimals(brier(&rows, |value| (value - scale.start()) / width)),
            brier_of_the_overall_rate: four_decimals(brier(&rows, |_| overall)),
            brier_after: four_decimals(brier(&rows, |value| rate(&blocks, value))),
            brier_held_out: four_decimals(held_out(&rows)),
            blocks,
        })
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Share of successes, 0 to 1, of leads with this level before calibration.
    pub fn rate(&self, level: u8) -> f64 {
        rate(&self.blocks, f64::from(level))
    }

    /// The calibrated level. Levels under the score's floor have a fixed meaning and stay.
    pub fn level(&self, level: u8) -> u8 {
        let floor = self.score.floor();
        if level < floor {
            return level;
        }
        let odds = |p: f64| p / (1.0 - p);
        let overall = f64::from(self.successes) / f64::from(self.rows);
        let lift = libm::log2(odds(self.rate(level)) / odds(overall));
        let (neutral, step) = if self.score == Score::Pay { (3.0, 1.0) } else { (5.0, 2.0) };
        let top = f64::from(*self.score.scale().end());
        // A block of sales only, or of refusals only, has an infinite lift: the clamp takes it to the end.
        (neutral + step * lift + 0.5 + 1e-9).floor().clamp(f64::from(floor), top) as u8
    }

    /// Whether this is a map that [`Self::fit`] could have made.
    pub(super) fn is_rising(&self) -> bool {
        let sound =
            |b: &Block| b.from.is_finite() && b.from <= b.to && b.to.is_finite() && b.successes <= b.rows && b.rows > 0;
        let rising = |pair: &[Block]| pair[0].to < pair[1].from && pair[0].rate() <= pair[1].rate();
        !self.blocks.is_empty()
            && 0 < self.successes
            && self.successes < self.rows
            && self.blocks.iter().all(sound)
            && self.blocks.windows(2).all(rising)
    }
}

/// Merges blocks with few rows into the neighbor with the nearest rate, the smallest first.
fn merge_small_blocks(mut blocks: Vec<Block>) -> Vec<Block> {
    while blocks.len() > 1 {
        let smallest = blocks.iter().enumerate().min_by_key(|(_, b)| b.rows).map(|(at, b)| (at, *b));
        let Some((at, block)) = smallest.filter(|(_, b)| b.rows < MIN_BLOCK_ROWS) else { break };
        let gap = |other: Option<&Block>| other.map_or(f64::INFINITY, |o| (o.rate() - block.rate()).abs());
        let below = at.checked_sub(1).and_then(|i| blocks.get(i));
        let first = if gap(below) <= gap(blocks.get(at + 1)) { at - 1 } else { at };
        let second = blocks.remove(first + 1);
        blocks[first] = blocks[first].and(&second);
    }
    blocks
}

/// A level between two blocks belongs to the upper one, a level above all to the last.
fn rate(blocks: &[Block], value: f64) -> f64 {
    blocks.iter().find(|b| value <= b.to).or(blocks.last()).map_or(0.0, Block::rate)
}

fn brier(rows: &[(f64, bool)], probability: impl Fn(f64) -> f64) -> f64 {
    let miss = |(value, success): &(f64, bool)| {
        let off = probability(*value) - f64::from(u8::from(*success));
        off * off
    };
    rows.iter().map(miss).sum::<f64>() / rows.len() as f64
}

fn held_out(rows: &[(f64, bool)]) -> f64 {
    let fold = |number: usize, inside: bool| -> Vec<(f64, bool)> {
        rows.iter().enumerate().filter(|(i, _)| (i % FOLDS == number) == inside).map(|(_, row)| *row).collect()
    };
    let missed = |number: usize| {
        let blocks = merge_small_blocks(pool_adjacent_violators(&fold(number, false)));
        let unseen = fold(number, true);
        brier(&unseen, |value| rate(&blocks, value)) * unseen.len() as f64
    };
    (0..FOLDS).map(missed).sum::<f64>() / rows.len() as f64
}

fn four_decimals(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// By ranks: every pair of a sale and a refusal, without looking at every pair.
fn auc(rows: &[(f64, bool)]) -> f64 {
    let mut sorted = rows.to_vec();
    sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let (mut won, mut failures_below) = (0.0, 0.0);
    for same in sorted.chunk_by(|(a, _), (b, _)| a == b) {
        let successes = same.iter().filter(|(_, success)| *success).count() as f64;
        let failures = same.len() as f64 - successes;
        won += successes * (failures_below + failures / 2.0);
        failures_below += failures;
    }
    won / ((rows.len() as f64 - failures_below) * failures_below)
}
