//! The scores that can be calibrated.

use serde::{Deserialize, Serialize};
use shingle_domain::message::{Message, ToMessage};

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

impl ToMessage for Score {
    fn to_message(&self) -> Message {
        self.as_str().to_message()
    }
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
