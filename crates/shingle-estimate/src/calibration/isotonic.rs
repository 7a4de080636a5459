//! Isotonic regression.

use serde::{Deserialize, Serialize};

/// Neighboring levels that share one rate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Block {
    /// Lowest and highest level seen in it.
    pub from: f64,
    pub to: f64,
    pub rows: u32,
    pub successes: u32,
}

impl Block {
    /// 0 to 1.
    pub fn rate(&self) -> f64 {
        f64::from(self.successes) / f64::from(self.rows)
    }

    pub(super) fn and(&self, next: &Self) -> Self {
        Self { from: self.from, to: next.to, rows: self.rows + next.rows, successes: self.successes + next.successes }
    }

    /// Compared in whole numbers, so that rounding does not decide what is pooled.
    fn is_below(&self, next: &Self) -> bool {
        u64::from(self.successes) * u64::from(next.rows) < u64::from(next.successes) * u64::from(self.rows)
    }
}

/// The blocks with rates that rise with the level and have the least squared error, lowest level first. Leaves out
/// levels that are not finite.
pub fn pool_adjacent_violators(outcomes: &[(f64, bool)]) -> Vec<Block> {
    let mut sorted: Vec<(f64, bool)> = outcomes.iter().copied().filter(|(value, _)| value.is_finite()).collect();
    sorted.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut levels: Vec<Block> = Vec::new();
    for (value, success) in sorted {
        let one = Block { from: value, to: value, rows: 1, successes: u32::from(success) };
        match levels.last_mut() {
            Some(last) if last.to == value => *last = last.and(&one),
            _ => levels.push(one),
        }
    }
    let mut blocks: Vec<Block> = Vec::new();
    for mut next in levels {
        while let Some(last) = blocks.pop_if(|last| !last.is_below(&next)) {
            next = last.and(&next);
        }
        blocks.push(next);
    }
    blocks
}
