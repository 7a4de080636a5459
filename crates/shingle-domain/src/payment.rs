//! Paying in equal monthly parts.
//!
//! # Decision
//!
//! The monthly example is computed from the price as shown, and its total is the sum of the rounded payments, so a
//! reader can check both. It names rate, number, total and `not an offer`, and is absent below the minimum amount and
//! where a payment would not be below the price.

use crate::decimal::Decimal;
use crate::money::Usd;

/// Percent a year, with up to three decimals.
pub type Apr = Decimal<1000>;

/// What a sum costs when it is paid back in equal monthly parts, without a down payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthlyPlan {
    pub each: Usd,
    pub months: u16,
    /// Of all payments.
    pub total: Usd,
}

impl MonthlyPlan {
    /// The annuity whose monthly rate is a twelfth of the yearly one, rounded to the cent. `None` where there is nothing to
    /// divide: no months, no sum, or a part that would not be smaller than the sum.
    pub fn of(sum: Usd, apr: Apr, months: u16) -> Option<Self> {
        if months == 0 || sum.cents() <= 0 {
            return None;
        }
        let rate = apr.to_f64() / 1_200.0;
        // Multiplied out: `powi` may differ in its last digit from one platform to the next.
        let growth = (0..months).fold(1.0, |growth, _| growth * (1.0 + rate));
        let share = if growth == 1.0 { 1.0 / f64::from(months) } else { rate * growth / (growth - 1.0) };
        let each = sum * share;
        let total = Usd::from_cents(each.cents() * i64::from(months));
        (each.cents() > 0 && each < sum).then_some(Self { each, months, total })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn plan(dollars: i64, apr: f64, months: u16) -> Option<MonthlyPlan> {
        MonthlyPlan::of(Usd::from_dollars(dollars), Apr::from_f64(apr).unwrap(), months)
    }

    #[test]
    fn a_plan_is_the_annuity_to_the_cent() {
        let known = plan(16_120, 8.99, 120).unwrap();
        assert_eq!((known.each.to_string(), known.total.to_string()), ("204.11".into(), "24493.20".into()));
        let free = plan(1_200, 0.0, 12).unwrap();
        assert_eq!((free.each, free.total), (Usd::from_dollars(100), Usd::from_dollars(1_200)));
    }

    #[test]
    fn what_cannot_be_divided_has_no_plan() {
        for (dollars, months) in [(0, 12), (-5, 12), (1_000, 0), (1_000, 1)] {
            assert_eq!(plan(dollars, 9.0, months), None, "{dollars} in {months}");
        }
    }

    proptest! {
        /// What is owed after the last payment: no more than the roundings of all payments, with their interest.
        #[test]
        fn the_last_payment_leaves_nothing(
            cents in 100_000_i64..100_000_000,
            apr in 0_u32..36_000,
            months in 2_u16..=360,
        ) {
            let apr = Apr::from_f64(f64::from(apr) / 1_000.0).unwrap();
            let Some(plan) = MonthlyPlan::of(Usd::from_cents(cents), apr, months) else { return Ok(()) };
            let rate = apr.to_f64() / 1_200.0;
            let (mut owed, mut rounding) = (cents as f64, 0.0);
            for _ in 0..months {
                owed = owed * (1.0 + rate) - plan.each.cents() as f64;
                rounding = rounding * (1.0 + rate) + 0.5;
            }
            prop_assert!(owed.abs() <= rounding * 1.000_001 + 0.01, "{owed} is left, {rounding} may be");
            prop_assert!(plan.each < Usd::from_cents(cents));
        }
    }
}
