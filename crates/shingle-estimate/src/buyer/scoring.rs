//! Adds up the points of a score and counts the kinds of evidence behind them.

use std::collections::BTreeSet;

use shingle_domain::area::{Figure, Table};
use shingle_domain::buyer::{BuyerScores, BuyingStyles};
use shingle_domain::details::{AccuracyCode, Reason};

use super::equity::Equity;
use crate::calibration::{Calibration, Score};
use crate::figures;
use crate::household::Household;

/// The scores and the reasons for them.
#[derive(Debug, Clone, PartialEq)]
pub struct BuyerEstimate {
    pub scores: BuyerScores,
    /// For every score that is given: its addends, and the calibration where there is one.
    pub reasons: Vec<Reason>,
    /// Why there are no scores, or few.
    pub notes: Vec<String>,
    /// Tables that were read, in the order of [`Table::ALL`], each once.
    pub tables: Vec<Table>,
}

/// A kind of evidence. A score needs at least two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EvidenceKind {
    Occupancy,
    SaleDate,
    Price,
    Value,
    Age,
    Size,
    Materials,
    Grade,
    Kind,
    Permits,
    Contractors,
    TaxStatus,
    AreaPanels,
}

const MIN_EVIDENCE_KINDS: usize = 2;

/// The addends of one score.
pub(super) struct ScoreSum {
    score: Score,
    total: f64,
    kinds: BTreeSet<EvidenceKind>,
    reasons: Vec<Reason>,
    figures: Vec<Figure>,
}

impl ScoreSum {
    pub fn from(score: Score, start: f64) -> Self {
        let mut sum = Self { score, total: 0.0, kinds: BTreeSet::new(), reasons: Vec::new(), figures: Vec::new() };
        sum.put("start", start, "where every home starts".into());
        sum
    }

    /// Adds a known fact, also when its points are zero.
    pub fn add(&mut self, kinds: &[EvidenceKind], part: &'static str, points: f64, because: String) {
        self.kinds.extend(kinds);
        self.put(part, points, because);
    }

    pub fn read(&mut self, figure: Option<Figure>) {
        self.figures.extend(figure);
    }

    pub fn equity(&mut self, equity: Option<Equity>, points: impl Fn(f64) -> f64) {
        let Some(Equity { share, by_price }) = equity else { return };
        let (kinds, from): (&[EvidenceKind], _) = if by_price {
            (
                &[EvidenceKind::SaleDate, EvidenceKind::Price, EvidenceKind::Value],
                "the last price, its date and the value",
            )
        } else {
            (&[EvidenceKind::SaleDate], "years owned alone, for want of a price on the market and a value")
        };
        self.add(kinds, "equity", points(share), format!("equity of {share:.2}, from {from}"));
    }

    /// Years owned.
    pub fn tenure(&mut self, home: &Household, points: impl Fn(f64) -> f64) {
        if let Some(years) = home.tenure {
            self.add(&[EvidenceKind::SaleDate], "tenure", points(years), format!("owned for {years:.1} years"));
        }
    }

    fn put(&mut self, part: &'static str, points: f64, because: String) {
        self.total += points;
        self.reasons.push(Reason { field: self.score.as_str(), part, points, weight: None, because });
    }

    fn suffices(&self) -> bool {
        self.kinds.len() >= MIN_EVIDENCE_KINDS
    }
}

/// Collects the scores that are given.
pub(super) struct ScoreCollector<'a> {
    calibration: Option<&'a Calibration>,
    scores: Vec<(Score, u8)>,
    reasons: Vec<Reason>,
    figures: Vec<Figure>,
}

impl<'a> ScoreCollector<'a> {
    pub fn new(calibration: Option<&'a Calibration>) -> Self {
        Self { calibration, scores: Vec::new(), reasons: Vec::new(), figures: Vec::new() }
    }

    /// Gives the score that `level` makes of a sum which rests on enough, through the operator's map if there
    /// is one. `min` holds after the map too.
    pub fn give(&mut self, sum: ScoreSum, min: u8, level: impl Fn(f64) -> f64) {
        if !sum.suffices() {
            return;
        }
        let score = sum.score;
        let top = *score.scale().end();
        // Sums that should end in a half may be slightly below it.
        let rounded = (level(sum.total) + 0.5 + 1e-9).floor();
        let stated = rounded.clamp(f64::from(score.floor().max(min)), f64::from(top)) as u8;
        self.reasons.extend(sum.reasons);
        self.figures.extend(sum.figures);
        let given = self.calibrated(score, stated).map_or(stated, |level| level.max(min));
        self.scores.push((score, given));
    }

    /// A level by rule, which no calibration changes.
    pub fn fixed(&mut self, score: Score, level: u8, part: &'static str, because: String, figures: &[Figure]) {
        self.reasons.push(Reason { field: score.as_str(), part, points: f64::from(level), weight: None, because });
        self.figures.extend(figures);
        self.scores.push((score, level));
    }

    /// Gives a score only if the operator has a map for it.
    pub fn only_calibrated(&mut self, score: Score, stated: u8) {
        if let Some(level) = self.calibrated(score, stated) {
            self.scores.push((score, level));
        }
    }

    fn calibrated(&mut self, score: Score, stated: u8) -> Option<u8> {
        let map = self.calibration?.map(score)?;
        let level = map.level(stated);
        let because = format!(
            "stated as {stated}; of {} outcomes up to {} the rate at this level is {:.3}, overall {:.3}",
            map.rows,
            map.fitted,
            map.rate(stated),
            f64::from(map.successes) / f64::from(map.rows),
        );
        let points = f64::from(level) - f64::from(stated);
        self.reasons.push(Reason { field: score.as_str(), part: "calibration", points, weight: None, because });
        Some(level)
    }

    /// `without` says why there is no score, where there is none.
    pub fn answer(self, accuracy_code: AccuracyCode, without: &str) -> BuyerEstimate {
        // A code without a score would say whom no score is of.
        let (accuracy_code, notes) = match self.scores.is_empty() {
            true => (AccuracyCode::N, vec![without.to_owned()]),
            false => (accuracy_code, Vec::new()),
        };
        let of = |score| self.scores.iter().find(|(s, _)| *s == score).map(|(_, level)| *level);
        BuyerEstimate {
            scores: BuyerScores {
                pay_score: of(Score::Pay),
                elevate_score: of(Score::Elevate),
                buyer_insights: BuyingStyles {
                    savvy_shopper_score: of(Score::SavvyShopper),
                    brand_loyalist_score: of(Score::BrandLoyalist),
                    trendsetter_score: of(Score::Trendsetter),
                    budgetsavvy_buyer_score: of(Score::BudgetsavvyBuyer),
                    quality_first_buyer_score: of(Score::QualityFirstBuyer),
                    impulse_shopper_score: of(Score::ImpulseShopper),
                    popular_picks_score: of(Score::PopularPicks),
                },
                accuracy_code,
            },
            tables: figures::tables(&self.figures),
            reasons: self.reasons,
            notes,
        }
    }
}
