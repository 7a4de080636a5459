//! A lead: the person, the roof, the estimate that was shown, and the consent.

use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::answers::Answers;
pub use crate::answers::ContactTime;
use crate::contact::{Email, Phone};
use crate::id::{LeadId, WidgetId};
use crate::inspection::Inspection;
use crate::money::Usd;
use crate::roof::{Alerts, Complexity, RoofMaterial};
use crate::time::Timestamp;

/// The lead record of the owner's API and of lead events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lead {
    pub id: LeadId,
    pub widget_id: WidgetId,
    pub status: LeadStatus,
    /// One line, as it was confirmed.
    pub address: String,
    pub first_name: String,
    pub last_name: String,
    pub email: Email,
    pub phone: Option<Phone>,
    pub preferred_contact_time: Option<ContactTime>,
    pub roof_material: Option<RoofMaterial>,
    pub message: Option<String>,
    /// A copy of what was shown, which a later price change does not alter. `None`: nothing could be measured and the
    /// person asked for a visit.
    pub estimate: Option<ShownEstimate>,
    /// A visit that the person asks for.
    #[serde(default)]
    pub inspection: Option<Inspection>,
    /// What the person answered after the estimate.
    #[serde(default)]
    pub answers: Answers,
    pub source: LeadSource,
    pub consent: Consent,
    /// When somebody of the company first took it up: answered a notice, or changed its status.
    #[serde(default)]
    pub first_touch_at: Option<Timestamp>,
    /// Who answered a notice with "I'm on it".
    #[serde(default)]
    pub taken_by: Option<String>,
    /// Why mail to `email` does not arrive.
    #[serde(default)]
    pub email_problem: Option<String>,
    /// The same lead in other systems.
    #[serde(default)]
    pub records: Vec<ExternalRecord>,
    /// The first lead of the same person, or else of the same home. Whether both are one is for people to judge.
    #[serde(default)]
    pub earlier_lead: Option<EarlierLead>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// A lead that came before this one, for the same address at the same widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EarlierLead {
    pub id: LeadId,
    pub same: Same,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Same {
    /// The e-mail address or the telephone number too.
    Person,
    Home,
}

impl Same {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Home => "home",
        }
    }
}

/// The record that a connector made of a lead.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExternalRecord {
    /// The connector: `jobnimbus`.
    pub system: String,
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    pub at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeadStatus {
    New,
    Contacted,
    Qualified,
    Won,
    Lost,
    Spam,
}

impl LeadStatus {
    pub const ALL: [Self; 6] = [Self::New, Self::Contacted, Self::Qualified, Self::Won, Self::Lost, Self::Spam];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Contacted => "contacted",
            Self::Qualified => "qualified",
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Spam => "spam",
        }
    }
}

impl FromStr for LeadStatus {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|s| s.as_str() == text).ok_or(())
    }
}

/// The estimate as the homeowner saw it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownEstimate {
    /// Square feet, along the slope.
    pub roof_area: f64,
    pub squares: f64,
    pub average_roof_pitch: f64,
    pub roof_complexity_level: Option<Complexity>,
    pub structure_present_confidence_score: u8,
    pub alerts: Alerts,
    /// Every material offered, with its price.
    pub prices: Vec<MaterialPrice>,
}

/// One material's sum: squares × price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaterialPrice {
    pub material: RoofMaterial,
    pub price_per_square: Usd,
    pub cost: Usd,
    pub low: Usd,
    pub high: Usd,
}

/// Where the visitor came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LeadSource {
    /// One that is not known costs nobody a lead.
    #[serde(deserialize_with = "known_channel")]
    pub via: LeadChannel,
    pub page_url: Option<String>,
    pub referrer: Option<String>,
    pub utm_source: Option<String>,
    pub utm_medium: Option<String>,
    pub utm_campaign: Option<String>,
    pub utm_term: Option<String>,
    pub utm_content: Option<String>,
    /// The advertisers' click ids (`gclid`, `fbclid` …) and what Google and Meta have set on the company's own site
    /// (`_ga`, `_fbp` …), as `name=value&name=value`.
    pub click_id: Option<String>,
}

/// The parameters by which advertisers know a click. The loader's script (`www/loader/stage.js`) keeps the same.
pub const CLICK_IDS: [&str; 10] =
    ["gclid", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "ttclid", "twclid", "yclid", "li_fat_id"];

impl LeadSource {
    /// The pairs of `click_id`, in their order. A value may hold `=`.
    pub fn click_ids(&self) -> Vec<(String, String)> {
        let pairs = self.click_id.as_deref().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
        let known = pairs.filter(|(name, value)| !name.is_empty() && !value.is_empty());
        known.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LeadChannel {
    #[default]
    Embed,
    Hosted,
    Link,
    Qr,
}

fn known_channel<'de, D: serde::Deserializer<'de>>(from: D) -> Result<LeadChannel, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Sent {
        Known(LeadChannel),
        Unknown(serde::de::IgnoredAny),
    }
    Ok(match Sent::deserialize(from)? {
        Sent::Known(channel) => channel,
        Sent::Unknown(_) => LeadChannel::default(),
    })
}

/// The consent and the evidence of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Whether the box was ticked. Never a condition of the estimate.
    pub given: bool,
    /// The text beside the box, word for word.
    pub text: String,
    /// BLAKE3 of the text, hexadecimal.
    pub text_hash: String,
    pub at: Timestamp,
    pub page_url: Option<String>,
    pub ip: Option<String>,
    pub user_agent: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click_ids(text: Option<&str>) -> Vec<(String, String)> {
        LeadSource { click_id: text.map(str::to_owned), ..LeadSource::default() }.click_ids()
    }

    #[test]
    fn click_ids_are_pairs_in_their_order() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(click_ids(Some("gclid=a1")), [pair("gclid", "a1")]);
        assert_eq!(
            click_ids(Some("fbclid=b==&_ga=GA1.1.2.3&_fbp=fb.1.2.3")),
            [pair("fbclid", "b=="), pair("_ga", "GA1.1.2.3"), pair("_fbp", "fb.1.2.3")]
        );
        assert_eq!(
            click_ids(Some("gclid=%20&gclid=2")),
            [pair("gclid", "%20"), pair("gclid", "2")],
            "as they were sent"
        );
        for nothing in [None, Some(""), Some("&&"), Some("gclid"), Some("=x&gclid=")] {
            assert_eq!(click_ids(nothing), [], "{nothing:?}");
        }
    }
}
