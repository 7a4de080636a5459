//! Where leads come from.

use shingle_domain::lead::{CLICK_IDS, Lead, LeadChannel};

/// Where a lead came from, as a list is narrowed by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LeadOrigin {
    Site,
    Hosted,
    Link,
    Qr,
    /// By an advertisement, wherever it led to.
    Ads,
}

impl LeadOrigin {
    pub const ALL: [Self; 5] = [Self::Site, Self::Hosted, Self::Link, Self::Qr, Self::Ads];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Hosted => "hosted",
            Self::Link => "link",
            Self::Qr => "qr",
            Self::Ads => "ads",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.as_str() == text)
    }

    /// A click id or a medium that is paid for is an advertisement.
    pub fn of(lead: &Lead) -> Self {
        const PAID: [&str; 6] = ["cpc", "ppc", "paid", "paidsearch", "paid_social", "display"];
        let source = &lead.source;
        let clicked = source.click_ids().iter().any(|(name, _)| CLICK_IDS.contains(&name.as_str()));
        let medium = source.utm_medium.as_deref().unwrap_or_default().to_ascii_lowercase();
        match source.via {
            _ if clicked || PAID.contains(&medium.as_str()) => Self::Ads,
            LeadChannel::Embed => Self::Site,
            LeadChannel::Hosted => Self::Hosted,
            LeadChannel::Link => Self::Link,
            LeadChannel::Qr => Self::Qr,
        }
    }
}
