//! The rules of a lead: what a homeowner sends, and what its owner changes and requests. The rules of single
//! fields run in the browser too, where a [`FieldProblem`] selects the message at the field.

use super::reader::{FieldReader, FieldValue, Fields, Presence, is_longer};
use crate::contact::{Email, Phone, digit, is_letter};
use crate::id::WidgetId;
use crate::inspection::InspectionState;
use crate::language::Language;
use crate::lead::{ContactTime, LeadChannel, LeadSource, LeadStatus};
use crate::public::{AddressChoice, LeadSubmission};
use crate::text::{bare, is_clean, is_clean_block, visible};
use crate::violation::{Rule, Violations};

/// Characters of a first or last name.
const MAX_NAME: usize = 100;
/// Characters of a homeowner's message, and of the consent text.
const MAX_MESSAGE: usize = 2_000;

/// What is wrong with one field of the contact form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldProblem {
    Empty,
    /// More characters than this.
    TooLong(usize),
    /// Control characters, or characters that reorder text.
    Unclean,
    /// No `@`, or nothing before it.
    EmailWithoutName,
    /// The part after the `@` has no ending such as `.com`.
    EmailWithoutEnding,
    /// Anything else that no mail server would take.
    EmailMalformed,
    /// Not the ten digits of a US number but this many.
    PhoneDigits(usize),
    /// Letters where digits belong.
    PhoneMalformed,
}

/// A first or last name.
pub fn person_name(text: &str) -> Result<String, FieldProblem> {
    let text = visible(text);
    let name = text.trim();
    if name.is_empty() {
        Err(FieldProblem::Empty)
    } else if !is_clean(name) {
        Err(FieldProblem::Unclean)
    } else if is_longer(name, MAX_NAME) {
        Err(FieldProblem::TooLong(MAX_NAME))
    } else {
        Ok(name.to_owned())
    }
}

pub fn email(text: &str) -> Result<Email, FieldProblem> {
    let text = bare(text);
    let text = text.trim();
    if text.is_empty() {
        return Err(FieldProblem::Empty);
    }
    if let Some(email) = Email::parse(text) {
        return Ok(email);
    }
    Err(match text.rsplit_once('@') {
        _ if text.chars().any(char::is_whitespace) => FieldProblem::EmailMalformed,
        None | Some(("", _)) => FieldProblem::EmailWithoutName,
        Some((_, host)) if !host.trim_end_matches('.').bytes().any(|b| b == b'.') => FieldProblem::EmailWithoutEnding,
        Some(_) => FieldProblem::EmailMalformed,
    })
}

/// May be left out.
pub fn phone(text: &str) -> Result<Option<Phone>, FieldProblem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(phone) = Phone::parse_loosely(text) {
        return Ok(Some(phone));
    }
    if text.chars().any(is_letter) {
        return Err(FieldProblem::PhoneMalformed);
    }
    Err(FieldProblem::PhoneDigits(text.chars().filter_map(digit).count()))
}

/// May be left out; may have several lines.
pub fn message(text: &str) -> Result<Option<String>, FieldProblem> {
    let text = text.trim();
    if text.is_empty() {
        Ok(None)
    } else if !is_clean_block(text) {
        Err(FieldProblem::Unclean)
    } else if is_longer(text, MAX_MESSAGE) {
        Err(FieldProblem::TooLong(MAX_MESSAGE))
    } else {
        Ok(Some(text.to_owned()))
    }
}

/// A homeowner's submission, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct NewLead {
    pub idempotency_key: Option<String>,
    pub address: AddressChoice,
    /// Which buildings of the roof answer, `0,2`.
    pub buildings: String,
    pub first_name: String,
    pub last_name: String,
    pub email: Email,
    pub phone: Option<Phone>,
    pub preferred_contact_time: Option<ContactTime>,
    pub message: Option<String>,
    pub consent_given: bool,
    /// Word for word as on screen.
    pub consent_text: String,
    /// Cleaned and shortened: an unusual tracking value never loses a lead.
    pub source: LeadSource,
}

impl NewLead {
    /// `is_shown`: whether the widget asks for consent in these words.
    pub fn parse(sent: &LeadSubmission, mut is_shown: impl FnMut(&str) -> bool) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let mut note = |name: &str, problem: FieldProblem| violations.push(name, problem.rule());
        let idempotency_key = match sent.idempotency_key.as_deref() {
            Some(key) if !is_clean(key) => {
                note("idempotencyKey", FieldProblem::Unclean);
                None
            }
            Some(key) if is_longer(key, 200) => {
                note("idempotencyKey", FieldProblem::TooLong(200));
                None
            }
            key => key.filter(|k| !k.is_empty()).map(str::to_owned),
        };
        let address = clean_address(&sent.address, &mut note);
        let first_name = person_name(&sent.first_name).map_err(|p| note("firstName", p)).ok();
        let last_name = person_name(&sent.last_name).map_err(|p| note("lastName", p)).ok();
        let email = email(&sent.email).map_err(|p| note("email", p)).ok();
        let phone = phone(sent.phone.as_deref().unwrap_or_default()).map_err(|p| note("phone", p)).unwrap_or_default();
        let message =
            message(sent.message.as_deref().unwrap_or_default()).map_err(|p| note("message", p)).unwrap_or_default();
        let consent_text = match self::message(&sent.consent.text) {
            Ok(Some(_)) => Some(sent.consent.text.clone()),
            Ok(None) => {
                note("consent.text", FieldProblem::Empty);
                None
            }
            Err(problem) => {
                note("consent.text", problem);
                None
            }
        };
        if consent_text.as_deref().is_some_and(|text| !is_shown(text)) {
            violations.push("consent.text", Rule::ShownConsent);
        }
        let (Some(first_name), Some(last_name), Some(email), Some(consent_text)) =
            (first_name, last_name, email, consent_text)
        else {
            return Err(violations);
        };
        violations.or(Self {
            idempotency_key,
            address,
            buildings: sent.buildings.clone(),
            first_name,
            last_name,
            email,
            phone,
            preferred_contact_time: sent.preferred_contact_time,
            message,
            consent_given: sent.consent.given,
            consent_text,
            source: clean_source(
                &sent.source,
                Language::parse(sent.lang.as_deref().unwrap_or_default()).unwrap_or_default(),
            ),
        })
    }
}

impl FieldProblem {
    /// The broken rule, as in the contract.
    pub fn rule(self) -> Rule {
        match self {
            Self::Empty => Rule::NotEmpty,
            Self::TooLong(max) => Rule::MaxLength { max },
            Self::Unclean => Rule::Clean,
            Self::EmailWithoutName | Self::EmailWithoutEnding | Self::EmailMalformed => Rule::Email,
            Self::PhoneDigits(_) | Self::PhoneMalformed => Rule::PhoneNumber,
        }
    }
}

impl AddressChoice {
    /// The trimmed choice, or its broken rules.
    pub fn parse(&self) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let cleaned = clean_address(self, &mut |name, problem| violations.push(name, problem.rule()));
        violations.or(cleaned)
    }
}

fn clean_address(sent: &AddressChoice, note: &mut impl FnMut(&str, FieldProblem)) -> AddressChoice {
    let mut text = |name: &str, text: &str, max: usize, required: bool| {
        let text = text.trim();
        if required && text.is_empty() {
            note(name, FieldProblem::Empty);
        }
        if !is_clean(text) {
            note(name, FieldProblem::Unclean);
        }
        if is_longer(text, max) {
            note(name, FieldProblem::TooLong(max));
        }
        text.to_owned()
    };
    match sent {
        AddressChoice::Key(key) => AddressChoice::Key(text("address.key", key, 500, true)),
        AddressChoice::Line(line) => AddressChoice::Line(text("address.line", line, 200, true)),
        AddressChoice::Parts { street_number, street_address, city, state, zip } => AddressChoice::Parts {
            street_number: text("address.streetNumber", street_number, 20, false),
            street_address: text("address.streetAddress", street_address, 200, true),
            city: text("address.city", city, 100, true),
            state: text("address.state", state, 20, false),
            zip: text("address.zip", zip, 10, false),
        },
    }
}

fn clean_source(sent: &LeadSource, language: Language) -> LeadSource {
    let clip = |text: &Option<String>, max: usize| {
        let kept: String =
            text.as_deref()?.trim().chars().filter(|c| is_clean(c.encode_utf8(&mut [0; 4]))).take(max).collect();
        (!kept.is_empty()).then_some(kept)
    };
    LeadSource {
        // No visitor is of the company.
        via: if matches!(sent.via, LeadChannel::Hand | LeadChannel::Import) { LeadChannel::Embed } else { sent.via },
        language,
        page_url: clip(&sent.page_url, 2_048),
        referrer: clip(&sent.referrer, 2_048),
        utm_source: clip(&sent.utm_source, 200),
        utm_medium: clip(&sent.utm_medium, 200),
        utm_campaign: clip(&sent.utm_campaign, 200),
        utm_term: clip(&sent.utm_term, 200),
        utm_content: clip(&sent.utm_content, 200),
        click_id: clip(&sent.click_id, usize::MAX).map(|ids| whole_pairs(&ids, 500)),
    }
}

/// As many `name=value` as fit: half an id is useless. One alone is cut.
fn whole_pairs(ids: &str, max: usize) -> String {
    let Some((end, _)) = ids.char_indices().nth(max) else { return ids.to_owned() };
    let kept = if ids[end..].starts_with('&') { end } else { ids[..end].rfind('&').unwrap_or(end) };
    ids[..kept].to_owned()
}

/// What the owner of a lead may change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeadPatch {
    pub status: Option<LeadStatus>,
    /// An empty text removes it.
    pub message: Option<String>,
    /// What became of the visit that was asked for.
    pub inspection: Option<InspectionState>,
}

impl LeadPatch {
    pub fn parse(fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let status = status(&mut reader);
        let message = match fields.value("message") {
            FieldValue::Nothing => None,
            FieldValue::Text(text) => reader.lines("message", text, MAX_MESSAGE).map(|t| t.trim().to_owned()),
            _ => {
                reader.violate("message", Rule::Text);
                None
            }
        };
        let inspection = inspection_state(&mut reader);
        reader.violations.or(Self { status, message, inspection })
    }
}

/// What somebody of the company writes down about a lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteDraft {
    pub text: String,
}

impl NoteDraft {
    /// Characters.
    pub const MAX_TEXT: usize = 4_000;

    pub fn parse(fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let text = reader.non_empty("text", Presence::Required, None);
        let text = text.and_then(|text| reader.lines("text", text, Self::MAX_TEXT)).map(str::trim);
        if text == Some("") {
            reader.violate("text", Rule::NotEmpty);
        }
        reader.violations.or(Self { text: text.unwrap_or_default().to_owned() })
    }
}

/// The query of a list of leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadListQuery {
    pub status: Option<LeadStatus>,
    pub widget_id: Option<WidgetId>,
    /// 1 to 100.
    pub limit: u32,
    /// From an earlier response; opaque here.
    pub cursor: Option<String>,
    /// Words of name, street, e-mail address or telephone number.
    pub search: Option<String>,
}

impl LeadListQuery {
    pub const DEFAULT_LIMIT: u32 = 50;
    pub const MAX_LIMIT: u32 = 100;
    /// Characters.
    pub const MAX_SEARCH: usize = 200;

    pub fn parse(fields: &Fields<'_>) -> Result<Self, Violations> {
        let mut reader = FieldReader::new(fields);
        let status = status(&mut reader);
        let widget_id = reader.optional("widgetId", WidgetId::parse, Rule::Uuid);
        let limit = reader.page_size("limit", Self::DEFAULT_LIMIT, Self::MAX_LIMIT);
        let cursor = reader.text("cursor", Presence::Optional).map(str::to_owned);
        let search = reader.free_text_of("search", Self::MAX_SEARCH).map(str::trim).filter(|text| !text.is_empty());
        let search = search.map(str::to_owned);
        reader.violations.or(Self { status, widget_id, limit, cursor, search })
    }
}

/// `{"inspection": {"state": "confirmed"}}`. Its other members are the homeowner's.
fn inspection_state(reader: &mut FieldReader<'_>) -> Option<InspectionState> {
    let members = match reader.sent("inspection") {
        FieldValue::Nothing => return None,
        FieldValue::Object(members) => members,
        _ => {
            reader.violate("inspection", Rule::Object);
            return None;
        }
    };
    for (name, _) in members.iter().filter(|(name, _)| name != "state") {
        reader.violate(&format!("inspection.{name}"), Rule::Unchangeable);
    }
    let state = members.iter().find(|(name, _)| name == "state");
    let state = state.and_then(|(_, value)| value.as_text()?.parse().ok());
    if state.is_none() {
        reader.violate("inspection.state", Rule::one_of(&["asked", "confirmed", "declined"]));
    }
    state
}

fn status(reader: &mut FieldReader<'_>) -> Option<LeadStatus> {
    let words = LeadStatus::ALL.map(LeadStatus::as_str);
    reader.word("status", Presence::Optional, |t| t.parse().ok(), &words)
}
