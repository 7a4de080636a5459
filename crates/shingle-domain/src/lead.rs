//! A lead: the person, the roof, the estimate that was shown, and the consent.

use core::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::answers::Answers;
pub use crate::answers::ContactTime;
use crate::contact::{Email, Phone};
use crate::id::{LeadId, WidgetId};
use crate::inspection::Inspection;
use crate::language::Language;
use crate::money::Usd;
use crate::roof::{Alerts, Complexity, RoofMaterial};
use crate::time::Timestamp;

/// The lead record of the owner's API and of lead events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Lead {
    /// Id of the lead. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a`
    pub id: LeadId,
    /// Id of the widget it came through. Example: `7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11`
    pub widget_id: WidgetId,
    /// What became of it. Example: `new`
    pub status: LeadStatus,
    /// Address of the roof, in one line, as the homeowner confirmed it. Example: `14 Alder Court, Harrow Falls, ME 04995`
    pub address: String,
    /// The homeowner's first name. Example: `Ann`
    pub first_name: String,
    /// The homeowner's last name. Example: `Sample`
    pub last_name: String,
    /// The homeowner's e-mail address. Null where the company added the lead without one. Example: `ann@example.com`
    pub email: Option<Email>,
    /// The homeowner's telephone number. Null where none was given. Example: `(207) 555-0143`
    pub phone: Option<Phone>,
    /// When the homeowner wants to be called. Null where it was not said. Example: `evening`
    pub preferred_contact_time: Option<ContactTime>,
    /// The material the homeowner chose. Null where none was chosen. Example: `metal`
    pub roof_material: Option<RoofMaterial>,
    /// What the homeowner wrote. Null where it is nothing. Example: `Two leaks.`
    pub message: Option<String>,
    /// The estimate as the homeowner saw it; later price changes do not alter it. Null: nothing could be measured, and
    /// the person asked for a visit.
    pub estimate: Option<ShownEstimate>,
    /// The visit that the homeowner asks for: wishes, of which the company confirms one. Null: none was asked for.
    #[serde(default)]
    pub inspection: Option<Inspection>,
    /// What the homeowner answered after the estimate. A question that was not asked or was skipped is not in it.
    #[serde(default)]
    pub answers: Answers,
    /// Where the visitor came from.
    pub source: LeadSource,
    /// Whether the homeowner agreed to be called, and the evidence of it.
    pub consent: Consent,
    /// When somebody of the company first took it up: answered a notice, or changed its status. Null until then.
    /// Example: `2026-11-22T23:20:00.000Z`
    #[serde(default)]
    pub first_touch_at: Option<Timestamp>,
    /// Who answered a notice with "I'm on it". Null until somebody has. Example: `Bo Roofer`
    #[serde(default)]
    pub taken_by: Option<String>,
    /// Why mail to the homeowner does not arrive. Null while nothing is known against it. Example: `550 no such user`
    #[serde(default)]
    pub email_problem: Option<String>,
    /// The same lead in other systems.
    #[serde(default)]
    pub records: Vec<ExternalRecord>,
    /// The first lead of the same person, or else of the same home, at this widget. Whether both are one is for people
    /// to judge. Null for the first.
    #[serde(default)]
    pub earlier_lead: Option<EarlierLead>,
    /// When it was sent, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub created_at: Timestamp,
    /// When it was last changed, in UTC. Example: `2026-11-22T23:20:00.000Z`
    pub updated_at: Timestamp,
}

impl Lead {
    /// Empty without one.
    pub fn email_text(&self) -> &str {
        self.email.as_ref().map_or("", Email::as_str)
    }

    /// Of the material that was chosen, else of the first that was offered.
    pub fn shown_price(&self) -> Option<&MaterialPrice> {
        let prices = &self.estimate.as_ref()?.prices;
        prices.iter().find(|price| Some(price.material) == self.roof_material).or_else(|| prices.first())
    }
}

/// A lead that came before this one, for the same address at the same widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub struct EarlierLead {
    /// Id of that lead. Example: `0192f4c0-11aa-7c01-9b4d-7a2b8c4d1f2e`
    pub id: LeadId,
    /// What both have in common. Example: `person`
    pub same: Same,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ExternalRecord {
    /// The connector that made it. Example: `jobnimbus`
    pub system: String,
    /// Its id there. Example: `8c1f`
    pub id: String,
    /// Its page there. Absent without one. Example: `https://app.example.com/contact/8c1f`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// When it was made, in UTC. Example: `2026-11-22T23:05:00.000Z`
    pub at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShownEstimate {
    /// Area of the roof along its slope, in square feet. Example: `2480`
    pub roof_area: f64,
    /// The same in squares of 100 square feet. Example: `24.8`
    pub squares: f64,
    /// Average pitch, in degrees. Example: `26.57`
    pub average_roof_pitch: f64,
    /// How complex the roof is to build. Null where it is not known. Example: `simple`
    pub roof_complexity_level: Option<Complexity>,
    /// 100: this very building. 50: it may be a neighbor's. Example: `100`
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 100)))]
    pub structure_present_confidence_score: u8,
    /// What is unusual about the measurement.
    pub alerts: Alerts,
    /// Every material that was offered.
    pub prices: Vec<MaterialPrice>,
}

/// One material's sum: squares × price, or the company's minimum for a job where that is more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct MaterialPrice {
    /// The material. Example: `metal`
    pub material: RoofMaterial,
    /// Installed price of one square of 100 square feet, in US dollars. Example: `1150`
    pub price_per_square: Usd,
    /// The estimate: squares times price, or the minimum, in US dollars; where there are parts, their sum. Example: `28520`
    pub cost: Usd,
    /// Lower end of the range that was shown, in US dollars. Example: `22800`
    pub low: Usd,
    /// Upper end of the range that was shown, in US dollars. Example: `37100`
    pub high: Usd,
    /// The company's minimum for a job, in US dollars; only where it is the estimate. Example: `4500`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Usd>,
    /// What the sum is made of, where the whole roof has not one price. Absent otherwise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PricePart>,
}

/// One kind of work in a sum: its squares times its price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PricePart {
    /// Which work. Example: `lowSlope`
    pub work: RoofWork,
    /// Area along the slope that it is done on, in square feet. Example: `1121`
    pub roof_area: u32,
    /// Price of one square of 100 square feet, in US dollars. Example: `1050`
    pub price_per_square: Usd,
    /// Squares times price, in US dollars. Example: `11770.5`
    pub cost: Usd,
}

/// Work that has a price of its own, in the order in which it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum RoofWork {
    /// A membrane on what has less than 2/12: shingles leak there.
    LowSlope,
    /// The chosen material on the rest.
    Covering,
    /// In addition, on slopes from 8/12 to less than 10/12.
    Steep,
    /// In addition, on slopes of 10/12 and more.
    VerySteep,
    /// In addition, on a house of two stories.
    TwoStories,
    /// In addition, on a house of three stories or more.
    ThreeStories,
}

impl RoofWork {
    pub const ALL: [Self; 6] =
        [Self::LowSlope, Self::Covering, Self::Steep, Self::VerySteep, Self::TwoStories, Self::ThreeStories];
}

impl MaterialPrice {
    /// The whole roof is too low for the material.
    pub fn is_all_low_slope(&self) -> bool {
        !self.parts.is_empty() && self.parts.iter().all(|part| part.work != RoofWork::Covering)
    }

    /// A smaller job costs the minimum: no end of the range is below it.
    pub fn at_least(mut self, minimum: Option<Usd>) -> Self {
        if let Some(minimum) = minimum {
            self.minimum = (self.cost < minimum).then_some(minimum);
            self.cost = self.cost.max(minimum);
            self.low = self.low.max(minimum);
            self.high = self.high.max(minimum);
        }
        self
    }
}

/// Where the visitor came from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct LeadSource {
    /// How the visitor reached the widget. Example: `embed`
    #[serde(deserialize_with = "known_or_default")]
    pub via: LeadChannel,
    /// The language in which the widget spoke to the homeowner. Example: `en`
    #[serde(deserialize_with = "known_or_default")]
    pub language: Language,
    /// The page the widget was on. Null where it is not known. Example: `https://oak.example.com/roofs`
    pub page_url: Option<String>,
    /// The page before it. Null where it is not known. Example: `https://search.example.com/`
    pub referrer: Option<String>,
    /// `utm_source` of that page's address. Null where it has none. Example: `newsletter`
    pub utm_source: Option<String>,
    /// `utm_medium` of that page's address. Null where it has none. Example: `email`
    pub utm_medium: Option<String>,
    /// `utm_campaign` of that page's address. Null where it has none. Example: `spring`
    pub utm_campaign: Option<String>,
    /// `utm_term` of that page's address. Null where it has none. Example: `roof`
    pub utm_term: Option<String>,
    /// `utm_content` of that page's address. Null where it has none. Example: `banner`
    pub utm_content: Option<String>,
    /// The advertisers' click ids (`gclid`, `fbclid` and others) and what Google and Meta have set on the company's own
    /// site (`_ga`, `_fbp` and others), as `name=value&name=value`. Null where there are none. Example: `gclid=a1b2`
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "lowercase")]
pub enum LeadChannel {
    #[default]
    Embed,
    Hosted,
    Link,
    Qr,
    /// Somebody of the company added it.
    Hand,
    /// It came from a file of the company.
    Import,
}

/// A browser may send anything.
fn known_or_default<'de, D: serde::Deserializer<'de>, T: Deserialize<'de> + Default>(from: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Sent<T> {
        Known(T),
        Unknown(serde::de::IgnoredAny),
    }
    Ok(match Sent::deserialize(from)? {
        Sent::Known(known) => known,
        Sent::Unknown(_) => T::default(),
    })
}

/// The consent and the evidence of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Consent {
    /// Whether the homeowner agreed, for the phone number that the lead has now: by ticking the box, or as it was told. Never a
    /// condition of the estimate. Example: `true`
    pub given: bool,
    /// The text beside the box, word for word. Example: `Oak Roofing may call me about my roof.`
    pub text: String,
    /// BLAKE3 of that text, in hexadecimal. Example: `d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24`
    pub text_hash: String,
    /// When, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub at: Timestamp,
    /// On which page. Null where it is not known. Example: `https://oak.example.com/roofs`
    pub page_url: Option<String>,
    /// From which network address. Null where it is not known. Example: `192.0.2.7`
    pub ip: Option<String>,
    /// With which browser. Null where it did not say. Example: `Mozilla/5.0`
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
