//! Buyer insights: the contract's record. Stated priors, no consumer report, off by default.

use serde::{Deserialize, Serialize};

use crate::details::{AccuracyCode, LeadIntegrity, PropertyDetails};
use crate::time::Timestamp;

/// `GET /api/v1/buyer-insights`
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BuyerInsightsRecord {
    pub timestamp: Timestamp,
    #[serde(flatten)]
    pub details: PropertyDetails,
    #[serde(flatten)]
    pub integrity: Option<LeadIntegrity>,
    #[serde(flatten)]
    pub scores: BuyerScores,
    /// Absent unless asked for; then `null` when nothing matched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sales_hacks: Option<Option<SalesHacks>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuyerScores {
    /// 1 to 5.
    pub pay_score: Option<u8>,
    /// 1 to 10.
    pub elevate_score: Option<u8>,
    pub buyer_insights: BuyingStyles,
    pub accuracy_code: AccuracyCode,
}

/// 1 to 10 each; 1 is "unknown".
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuyingStyles {
    pub savvy_shopper_score: Option<u8>,
    pub brand_loyalist_score: Option<u8>,
    pub trendsetter_score: Option<u8>,
    pub budgetsavvy_buyer_score: Option<u8>,
    pub quality_first_buyer_score: Option<u8>,
    pub impulse_shopper_score: Option<u8>,
    pub popular_picks_score: Option<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SalesHacks {
    pub pay_hack: Option<&'static str>,
    pub elevate_hack: Option<&'static str>,
    pub buyer_insight_hacks: StyleHacks,
}

/// The advice for every style with a score of 8 or more.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StyleHacks {
    pub savvy_shopper_hack: Option<&'static str>,
    pub brand_loyalist_hack: Option<&'static str>,
    pub trendsetter_hack: Option<&'static str>,
    pub budgetsavvy_buyer_hack: Option<&'static str>,
    pub quality_first_buyer_hack: Option<&'static str>,
    pub impulse_shopper_hack: Option<&'static str>,
    pub popular_picks_hack: Option<&'static str>,
}
