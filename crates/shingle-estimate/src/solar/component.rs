//! One component of the solar index.

use shingle_domain::area::Figure;
use shingle_domain::details::Reason;

pub(super) const FIELD: &str = "solarIndex";

pub(super) struct Component {
    pub name: &'static str,
    pub weight: f64,
    /// 0 to 1.
    pub score: f64,
    pub because: String,
    pub figures: Vec<Figure>,
    /// A neutral value, because nothing is known.
    pub guessed: bool,
}

impl Component {
    /// `weights`: the sum over all known components.
    pub fn reason(&self, weights: f64) -> Reason {
        Reason {
            field: FIELD,
            part: self.name,
            points: 10.0 * self.weight * self.score / weights,
            weight: Some(self.weight),
            because: format!("{:.2} of 1: {}", self.score, self.because),
        }
    }
}
