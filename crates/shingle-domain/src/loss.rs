//! Why a lead was lost, as the company says it.

use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text::is_clean;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum LossReason {
    Price,
    OtherCompany,
    NoAnswer,
    Timing,
    NotOurWork,
    Other,
}

impl LossReason {
    pub const ALL: [Self; 6] =
        [Self::Price, Self::OtherCompany, Self::NoAnswer, Self::Timing, Self::NotOurWork, Self::Other];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::OtherCompany => "otherCompany",
            Self::NoAnswer => "noAnswer",
            Self::Timing => "timing",
            Self::NotOurWork => "notOurWork",
            Self::Other => "other",
        }
    }
}

impl FromStr for LossReason {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text).ok_or(())
    }
}

/// A reason from the list, and more in the company's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    /// The reason from the list. Example: `price`
    pub reason: LossReason,
    /// More about it. Null where nothing more was said. Example: `They wanted metal for the price of shingle.`
    pub more: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossProblem {
    NoReason,
    /// Characters that are too many.
    Long,
    Unclean,
}

impl Loss {
    /// Characters of what is said beside the reason.
    pub const MAX_MORE: usize = 300;

    /// As a form sends it.
    pub fn parse(reason: &str, more: &str) -> Result<Self, LossProblem> {
        let reason = reason.parse().map_err(|()| LossProblem::NoReason)?;
        let more = more.trim();
        if more.chars().count() > Self::MAX_MORE {
            return Err(LossProblem::Long);
        }
        if !is_clean(more) {
            return Err(LossProblem::Unclean);
        }
        Ok(Self { reason, more: Some(more.to_owned()).filter(|more| !more.is_empty()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_has_a_reason_of_the_list_and_a_short_text() {
        for reason in LossReason::ALL {
            assert_eq!(Loss::parse(reason.as_str(), " "), Ok(Loss { reason, more: None }));
        }
        let more = Loss::parse("price", " Too much ").map(|loss| loss.more);
        assert_eq!(more, Ok(Some("Too much".to_owned())));
        assert_eq!(Loss::parse("", "x"), Err(LossProblem::NoReason));
        assert_eq!(Loss::parse("Price", "x"), Err(LossProblem::NoReason));
        assert_eq!(Loss::parse("other", &"ö".repeat(301)), Err(LossProblem::Long));
        assert!(Loss::parse("other", &"ö".repeat(300)).is_ok());
        assert_eq!(Loss::parse("other", "a\u{202e}b"), Err(LossProblem::Unclean));
    }
}
