//! How much of a home is paid for.

use crate::household::Household;

/// The share of the home that is paid for, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Equity {
    pub share: f64,
    /// Computed from price and value; otherwise estimated from the years owned.
    pub by_price: bool,
}

pub(super) fn equity(home: &Household) -> Option<Equity> {
    let years = home.tenure?;
    if let (Some(price), Some(value)) = (home.price, home.value) {
        let owed = price * 0.8 * (1.0 - years / 30.0).clamp(0.0, 1.0);
        return Some(Equity { share: 1.0 - (owed / value.max(price)).clamp(0.0, 1.0), by_price: true });
    }
    let share = match years {
        y if y >= 15.0 => 0.7,
        y if y >= 5.0 => 0.5,
        _ => 0.3,
    };
    Some(Equity { share, by_price: false })
}
