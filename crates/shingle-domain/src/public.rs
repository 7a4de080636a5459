//! Requests and responses of the public widget routes (`/w/{id}/…`). Browser and server share these types, so they
//! always agree.

use serde::{Deserialize, Serialize};

use crate::aerial::AerialPhoto;
use crate::answers::SentAnswers;
use crate::color::{HexColor, Tones};
use crate::home_roof::{AssumedPitch, BuildingSet, NoPrice};
use crate::id::{LeadId, LinkId};
use crate::lead::{ContactTime, LeadSource, MaterialPrice};
use crate::roof::{Alerts, Complexity, RoofDrawing, RoofMaterial};
use crate::surroundings::Surroundings;
use crate::visit::SentFrom;
use crate::widget::{ElementLocation, ElementSize, ElementType};

/// The part of a widget's configuration that a visitor's browser gets: texts, links and finished colors.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublicWidget {
    pub id: LinkId,
    /// Origin and path prefix of the service, without a slash at the end.
    pub base_url: String,
    pub element_type: ElementType,
    pub element_size: ElementSize,
    pub element_location: Option<ElementLocation>,
    pub button_text: String,
    pub banner_text: Option<String>,
    pub first_page_title: String,
    pub company_name: String,
    /// `(XXX) XXX-XXXX`
    pub company_phone: String,
    /// `+1XXXXXXXXXX`
    pub company_phone_dial: String,
    pub company_email: String,
    /// Empty where the company gave none.
    pub company_address: String,
    /// Empty for a company without a site.
    pub company_url: String,
    pub footer_company_name: String,
    pub privacy_link: String,
    pub terms_link: Option<String>,
    pub header_logo: PublicImage,
    pub footer_logo: Option<PublicImage>,
    /// Finished custom properties, `--primary` and so on, with their values.
    pub palette: Vec<(String, String)>,
}

/// What the runtime itself has to know of a widget; everything else comes to it drawn, as [`Part`]s.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WidgetFacts {
    pub id: String,
    /// Origin and path prefix of the service, without a slash at the end.
    pub base_url: String,
    pub company_name: String,
    /// `(XXX) XXX-XXXX`
    pub company_phone: String,
    /// `+1XXXXXXXXXX`
    pub company_phone_dial: String,
    /// Finished custom properties, `--primary` and so on, with their values.
    pub palette: Vec<(String, String)>,
}

impl From<&PublicWidget> for WidgetFacts {
    fn from(of: &PublicWidget) -> Self {
        Self {
            id: of.id.to_string(),
            base_url: of.base_url.clone(),
            company_name: of.company_name.clone(),
            company_phone: of.company_phone.clone(),
            company_phone_dial: of.company_phone_dial.clone(),
            palette: of.palette.clone(),
        }
    }
}

impl PublicWidget {
    /// A finished color by the name of its property; white without one.
    pub fn color(&self, name: &str) -> [u8; 3] {
        let value = self.palette.iter().find(|(own, _)| own == name).and_then(|(_, value)| HexColor::parse(value));
        value.map_or([255; 3], |color| [0, 1, 2].map(|at| color.rgba()[at]))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PublicImage {
    pub url: String,
    pub width: u32,
    pub height: u32,
    /// For the server, which says on what ground it stands.
    #[serde(skip)]
    pub tones: Option<Tones>,
}

/// `POST /w/{id}/session`: proof that the server recently admitted this page. Sent with every request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub token: String,
    /// Seconds until a new one is needed.
    pub expires_in: u32,
}

/// `POST /w/{id}/suggest`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SuggestRequest {
    pub token: String,
    pub text: String,
    /// The solution of a challenge, or nothing to say that it could not be solved.
    #[serde(default)]
    pub altcha: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SuggestResponse {
    /// At most five, best first.
    pub suggestions: Vec<Suggestion>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// Names the place on this server. Opaque. Example: `me0g`
    pub key: String,
    /// The street's line of the address. Example: `14 Alder Court`
    pub street: String,
    /// The town's line of the address. Example: `Harrow Falls, ME 04995`
    pub city: String,
    /// How many characters at the start of `street` are those that were typed. Example: `8`
    pub matched: u32,
}

/// The chosen address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AddressChoice {
    /// A suggestion that was picked.
    Key(String),
    /// A line that was typed.
    Line(String),
    /// The five parts of the form.
    Parts { street_number: String, street_address: String, city: String, state: String, zip: String },
}

/// `POST /w/{id}/roof`
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoofRequest {
    pub token: String,
    pub address: AddressChoice,
    /// The language of the names in the response; English by default.
    #[serde(default)]
    pub lang: Option<String>,
    /// The solution of a challenge, or nothing to say that it could not be solved.
    #[serde(default)]
    pub altcha: Option<String>,
    /// At the first look-up of a flow.
    #[serde(default)]
    pub at: Option<SentFrom>,
}

/// A piece of a step that the server has drawn, in the visitor's language: a list of texts and of elements
/// `[tag, {attributes}, ...children]`, as JSON text. The browser puts it in and knows nothing of what is in it. Empty:
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Part(pub String);

/// The answer to a [`RoofRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum RoofAnswer {
    /// The address is known and so is at least one roof.
    Roof(RoofStep),
    /// The address is known; a price would be a guess. The visitor can ask for a visit.
    NoRoof {
        key: Option<String>,
        street: String,
        city: String,
        /// Why there is no price, where that can be said.
        why: Part,
        /// What is known of the building, drawn.
        pane: Part,
    },
    /// An unknown address; similar ones (may be empty).
    NotFound { typed: String, close: Vec<Suggestion> },
}

/// What the roof step shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoofStep {
    pub key: String,
    pub street: String,
    pub city: String,
    pub heading: String,
    /// Under the heading.
    pub intro: Part,
    /// The house first; never empty.
    pub buildings: Vec<BuildingRow>,
    /// Under the buildings.
    pub facts: Part,
    /// The drawing. What belongs to one building has its number in `data-building`.
    pub pane: Part,
    /// The drawing beside the steps that follow.
    pub aside: Part,
    /// This home and those near it, for a visitor whose roof it is not; empty where no other can be chosen.
    pub homes: Vec<Suggestion>,
    /// The choice among them. Each row has its place in `data-building`.
    pub choose: Part,
    /// The drawing beside the choice, with the same numbers.
    pub choose_pane: Part,
    /// What is left where none of them is it. What leads to the address has the number 0 in `data-building`, what asks for a
    /// visit 1.
    pub not_mine: Part,
}

/// A building that can be priced, or left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildingRow {
    /// What the choice says of it.
    pub row: Part,
    /// Square feet along the slope.
    pub area: u32,
    /// Whether it is chosen at the start.
    pub picked: bool,
    /// Why this building alone gets no price; empty for a home.
    pub why: Part,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
#[allow(clippy::large_enum_variant, reason = "made once a request, and mostly a roof")]
pub enum RoofResponse {
    /// The address is known and so is at least one roof.
    Roof(RoofFound),
    /// The address is known, but its roof gets no price from afar: the visitor can ask for a visit.
    NoRoof {
        key: Option<String>,
        street: String,
        city: String,
        #[serde(default)]
        reason: Option<NoPrice>,
        /// What is known of the buildings. It is drawn by the server and does not travel.
        #[serde(skip)]
        roof: Option<Box<RoofFound>>,
    },
    /// An unknown address; similar ones (may be empty).
    NotFound { typed: String, close: Vec<Suggestion> },
}

impl RoofResponse {
    pub fn roof_mut(&mut self) -> Option<&mut RoofFound> {
        match self {
            Self::Roof(found) => Some(found),
            Self::NoRoof { roof, .. } => roof.as_deref_mut(),
            Self::NotFound { .. } => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RoofFound {
    pub key: String,
    pub street: String,
    pub city: String,
    /// The house first; never empty.
    pub buildings: Vec<BuildingChoice>,
    /// 100: this very building. 50: it may be a neighbor's.
    pub confidence: u8,
    pub alerts: Alerts,
    pub provenance: Provenance,
    /// For the drawing, where somebody looked. It is drawn by the server; with a lead it is kept for later drawings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<Surroundings>,
    /// What lies under the drawing, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<AerialPhoto>,
    /// The same for the drawing of the homes to choose from. No lead keeps it.
    #[serde(skip)]
    pub photo_of_homes: Option<AerialPhoto>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BuildingChoice {
    /// `House`, `Garage`, `Building 2`: as the source calls it.
    pub label: String,
    /// Square feet along the slope.
    pub area: u32,
    /// `None` when the size is known from records but no outline is.
    pub drawing: Option<RoofDrawing>,
    /// Where the drawing's north-west corner lies: east and south of one origin for all buildings, feet × 10.
    #[serde(default)]
    pub at: [i32; 2],
    /// Square feet seen from above, under the eaves.
    #[serde(default)]
    pub ground: u32,
    /// Feet × 10.
    pub longest_sides: Option<[i32; 2]>,
    /// `Gable, L-shaped`, as far as known; empty when not.
    pub shape: String,
    /// Why this building alone gets no price: it is no home's.
    #[serde(default)]
    pub no_price: Option<NoPrice>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    pub method: MeasureMethod,
    /// Year of the source, where it has one.
    pub year: Option<String>,
    pub source: String,
    /// Data of the sample town, marked as invented.
    pub invented: bool,
}

/// Where the size comes from; selects the sentence under the drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MeasureMethod {
    /// Planes measured by a survey.
    Survey,
    /// A mapped outline and a usual pitch.
    Outline,
    /// Modelled from the assessor's records.
    Records,
}

/// `POST /w/{id}/leads`, with an `Idempotency-Key` header (or the field, for plain forms).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadSubmission {
    pub token: String,
    #[serde(default)]
    pub idempotency_key: Option<String>,
    /// The lead that this browser sent before, which this one changes. Its token proves it; without it this is a lead of
    /// its own.
    #[serde(default)]
    pub lead_id: Option<String>,
    #[serde(default)]
    pub lead_token: Option<String>,
    pub address: AddressChoice,
    /// Which buildings of the roof answer, `0,2`; empty stands for the house, `none` for no building: the roof that was found
    /// is not theirs.
    #[serde(default)]
    pub buildings: String,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    #[serde(default)]
    pub phone: Option<String>,
    #[serde(default)]
    pub preferred_contact_time: Option<ContactTime>,
    #[serde(default)]
    pub message: Option<String>,
    pub consent: ConsentChoice,
    /// The language of the texts in the receipt; English by default.
    #[serde(default)]
    pub lang: Option<String>,
    #[serde(default)]
    pub source: LeadSource,
    /// A honeypot field: people never see it.
    #[serde(default)]
    pub website: String,
    /// Milliseconds between opening the flow for the first time and sending the form, by a clock that nobody sets.
    #[serde(default)]
    pub elapsed_ms: u32,
    /// How often the visitor typed, chose or confirmed something. An earlier release of the flow does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acts: Option<u32>,
    /// The solution of a challenge, or nothing to say that it could not be solved.
    #[serde(default)]
    pub altcha: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsentChoice {
    pub given: bool,
    /// The text that was on screen, word for word.
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadReceipt {
    pub id: LeadId,
    /// Short enough to read out on the phone.
    pub reference: String,
    /// Lets this browser see and change this lead: another material, an inspection.
    pub lead_token: String,
    pub estimate: Option<EstimateStep>,
    /// The form that asks for an inspection.
    pub booking: Part,
    pub thanks: Part,
    /// The first step of a later visit.
    pub kept: Part,
    /// How the estimate gets to another device.
    pub panel: Part,
    /// The estimate as a page of its own, without contact details; empty without one.
    pub link: String,
}

/// What the estimate step shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EstimateStep {
    pub heading: String,
    /// In the order they are offered.
    pub prices: Vec<PriceRow>,
    /// Which of them is chosen.
    pub chosen: u32,
    /// Between the price and the materials.
    pub above: Part,
    /// Under the materials, above what the chosen one costs by the month.
    pub middle: Part,
    pub below: Part,
    /// The drawing and the figures beside it.
    pub pane: Part,
}

/// One covering and its price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PriceRow {
    pub material: RoofMaterial,
    /// The price in dollars, for the page's own figures.
    pub value: f64,
    /// The price, its range and its sum.
    pub price: Part,
    /// What the choice says of it.
    pub row: Part,
    /// What it costs by the month; empty where nothing is said of that.
    pub monthly: Part,
    /// What a screen reader says once it is chosen.
    pub said: String,
}

/// What the estimate step showed, kept with the lead: later prices and data do not alter it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ShownStep {
    pub sheet: EstimateSummary,
    pub roof: Option<RoofFound>,
    pub chosen: BuildingSet,
}

/// Everything that the estimate step says about a roof.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EstimateSummary {
    pub street: String,
    /// Square feet along the slope: hundredths of a square.
    pub roof_area: u32,
    /// The same for each building that it is the sum of.
    #[serde(default)]
    pub areas: Vec<u32>,
    /// Degrees × 10.
    pub pitch_tenths: u32,
    /// Rise over a run of 12, to the nearest half, × 2.
    pub rise_halves: u32,
    /// `None` where a survey measured the pitch.
    #[serde(default)]
    pub assumed_pitch: Option<AssumedPitch>,
    /// Only where a survey knows the planes, as are `facets`.
    pub complexity: Option<Complexity>,
    pub facets: Option<u32>,
    pub alerts: Alerts,
    /// In the order they are offered; the first is chosen at the start.
    pub prices: Vec<MaterialPrice>,
}

/// `PATCH /w/{id}/leads/{leadId}`: what the homeowner changes later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeadChange {
    pub lead_token: String,
    #[serde(default)]
    pub roof_material: Option<RoofMaterial>,
    #[serde(default)]
    pub preferred_contact_time: Option<ContactTime>,
    #[serde(default)]
    pub message: Option<String>,
    /// Of the receipt that comes back; else the one in which the lead was sent.
    #[serde(default)]
    pub lang: Option<String>,
    #[serde(default)]
    pub inspection: Option<InspectionRequest>,
    #[serde(default)]
    pub answers: Option<SentAnswers>,
}

/// A visit that is asked for, as it is sent; its rules have messages of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InspectionRequest {
    #[serde(default)]
    pub wishes: Vec<WishRequest>,
    /// `call`, `text` or `email`.
    #[serde(default)]
    pub contact_by: String,
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WishRequest {
    /// `2026-12-01`
    #[serde(default)]
    pub date: String,
    /// `morning`, `afternoon` or `evening`.
    #[serde(default)]
    pub part: String,
}
