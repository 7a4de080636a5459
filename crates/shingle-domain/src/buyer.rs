//! Buyer insights: the contract's record. Stated priors, no consumer report, off by default.

use serde::{Deserialize, Serialize};

use crate::details::{AccuracyCode, LeadIntegrity, PropertyDetails};
use crate::time::Timestamp;

/// Scores of the owner at an address, with the details of the property. They rest on stated priors and on no consumer
/// report.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BuyerInsightsRecord {
    /// When the answer was made, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub details: PropertyDetails,
    #[serde(flatten)]
    pub integrity: Option<LeadIntegrity>,
    #[serde(flatten)]
    pub scores: BuyerScores,
    /// Advice that goes with the scores. Sent only with `salesHacksOn=true`. Null where nothing matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sales_hacks: Option<Option<SalesHacks>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BuyerScores {
    /// How likely the owner performs and meets obligations: 5 high likelihood, 4 likely, 3 average, 2 poor, 1 unlikely.
    /// Null where it cannot be determined. Example: `4`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 5)))]
    pub pay_score: Option<u8>,
    /// How likely the owner takes a better offer: 10 extremely likely, 9 highly likely, 8 very likely, 7 somewhat
    /// likely, 6 likely, 5 somewhat unlikely, 4 very unlikely, 3 highly unlikely, 1 and 2 extremely unlikely. Null
    /// where it cannot be determined. Example: `7`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub elevate_score: Option<u8>,
    /// The scores of the seven buying styles.
    pub buyer_insights: BuyingStyles,
    /// Whom the scores are about. A client should accept `H` as well. Example: `P`
    pub accuracy_code: AccuracyCode,
}

/// One score for each buying style.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BuyingStyles {
    /// How much the owner compares: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot be
    /// determined. Example: `6`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub savvy_shopper_score: Option<u8>,
    /// How much the owner stays with a brand: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it
    /// cannot be determined. Example: `5`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub brand_loyalist_score: Option<u8>,
    /// How much the owner likes what is new: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it
    /// cannot be determined. Example: `4`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub trendsetter_score: Option<u8>,
    /// How much the owner minds the budget: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it
    /// cannot be determined. Example: `8`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub budgetsavvy_buyer_score: Option<u8>,
    /// How much the owner puts quality first: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it
    /// cannot be determined. Example: `7`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub quality_first_buyer_score: Option<u8>,
    /// How much the owner buys on impulse: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it cannot
    /// be determined. Example: `3`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub impulse_shopper_score: Option<u8>,
    /// How much the owner buys what others buy: 10 extremely likely to 2 extremely unlikely, 1 unknown. Null where it
    /// cannot be determined. Example: `5`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 10)))]
    pub popular_picks_score: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SalesHacks {
    /// What to do about the pay score. Null where it says nothing. Example: `Offer financing early.`
    pub pay_hack: Option<&'static str>,
    /// What to do about the elevate score. Null where it says nothing. Example: `Show the better shingle first.`
    pub elevate_hack: Option<&'static str>,
    /// Advice for every buying style.
    pub buyer_insight_hacks: StyleHacks,
}

/// The advice for every style with a score of 8 or more.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StyleHacks {
    /// Advice for a savvy shopper. Null unless that score is 8 or higher. Example: `Bring a comparison on one page.`
    pub savvy_shopper_hack: Option<&'static str>,
    /// Advice for a brand loyalist. Null unless that score is 8 or higher. Example: `Name the brand of the shingle.`
    pub brand_loyalist_hack: Option<&'static str>,
    /// Advice for a trendsetter. Null unless that score is 8 or higher. Example: `Show the newest colors.`
    pub trendsetter_hack: Option<&'static str>,
    /// Advice for a budget-savvy buyer. Null unless that score is 8 or higher. Example: `Start with the total.`
    pub budgetsavvy_buyer_hack: Option<&'static str>,
    /// Advice for a quality-first buyer. Null unless that score is 8 or higher. Example: `Start with the warranty.`
    pub quality_first_buyer_hack: Option<&'static str>,
    /// Advice for an impulse shopper. Null unless that score is 8 or higher. Example: `Offer a date at once.`
    pub impulse_shopper_hack: Option<&'static str>,
    /// Advice for a buyer of popular picks. Null unless that score is 8 or higher. Example: `Name roofs in the same
    /// street.`
    pub popular_picks_hack: Option<&'static str>,
}
