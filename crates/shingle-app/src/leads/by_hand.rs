//! A lead that a person of the company adds, from a call or a visit. It is stored, priced and sent on like any other, but
//! that person gets no notice of it.
//!
//! # Decision
//!
//! Consent by voice is a consent like every other, in the account's chain, and its text says how it was given and who noted
//! it. Turned down: a field of its own for that, which certificates made before would not have.

use std::sync::Arc;

use shingle_domain::lead::{LeadChannel, LeadSource};
use shingle_domain::public::AddressChoice;
use shingle_domain::{Email, Environment, Language, LeadId, Phone, Tenant};
use shingle_portal::phrase;
use shingle_store::{AddedBy, ConsentDraft, LeadDraft, StoredWidget, SubmissionOutcome, User};

use crate::app::App;
use crate::failure::Failure;
use crate::leads::home::{LeadHome, lead_home};

/// What the homeowner said about calls and texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoiceConsent {
    Agreed,
    /// About this estimate alone.
    CallBack,
    NotAsked,
}

impl VoiceConsent {
    pub const ALL: [Self; 3] = [Self::Agreed, Self::CallBack, Self::NotAsked];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::CallBack => "callBack",
            Self::NotAsked => "notAsked",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|consent| consent.as_str() == text)
    }

    /// The words of the evidence.
    fn text(self, language: Language, company: &str, by: &str) -> String {
        let with = [("company", company), ("name", by)];
        match self {
            Self::Agreed => phrase(
                language,
                "Given by voice, noted by {name}. The question was: “May {company} call or text you about this estimate?”",
                &with,
            ),
            Self::CallBack => {
                phrase(language, "Asked by voice to be called back about this only, noted by {name}.", &with)
            }
            Self::NotAsked => phrase(language, "Not asked, noted by {name}.", &with),
        }
    }
}

/// Its email or its phone is there.
pub struct HandLead {
    pub first_name: String,
    /// May be empty.
    pub last_name: String,
    pub email: Option<Email>,
    pub phone: Option<Phone>,
    pub message: Option<String>,
    /// What the homeowner speaks.
    pub language: Language,
    pub consent: VoiceConsent,
}

/// Who a lead of the company's own is, and how it came.
pub(crate) struct Contact {
    pub first_name: String,
    pub last_name: String,
    pub email: Option<Email>,
    pub phone: Option<Phone>,
    pub message: Option<String>,
    pub language: Language,
    pub via: LeadChannel,
}

pub(crate) fn draft_of(contact: Contact, home: LeadHome, consent: ConsentDraft, added_by: AddedBy) -> LeadDraft {
    LeadDraft {
        address: home.address,
        first_name: contact.first_name,
        last_name: contact.last_name,
        email: contact.email,
        phone: contact.phone,
        preferred_contact_time: None,
        roof_material: home.roof_material,
        message: contact.message,
        estimate: home.estimate,
        drawing: home.drawing,
        shown: home.shown,
        source: LeadSource { via: contact.via, language: contact.language, ..LeadSource::default() },
        consent,
        changes: None,
        spam: None,
        added_by: Some(added_by),
    }
}

/// The widgets that a lead of this tenant can be of. Tests use the live ones while the test data has none.
pub async fn widgets_for(app: &App, tenant: &Tenant) -> Result<Vec<StoredWidget>, Failure> {
    let own = app.store.widgets().list(tenant).await?;
    if own.is_empty() && tenant.environment == Environment::Sandbox {
        return Ok(app.store.widgets().list(&Tenant { environment: Environment::Production, ..*tenant }).await?);
    }
    Ok(own)
}

/// Looked up with the prices of a widget. Tests of a live widget have invented homes while nothing is imported.
pub async fn home_of(
    app: &Arc<App>,
    tenant: &Tenant,
    stored: Arc<StoredWidget>,
    choice: AddressChoice,
) -> Result<LeadHome, Failure> {
    let is_test = tenant.environment != stored.tenant.environment;
    let homes = match is_test && app.indexes.production.is_empty() {
        true => Environment::Sandbox,
        false => stored.tenant.environment,
    };
    let photos = app.photos(&stored.settings).await?;
    let context = app.clone();
    app.heavy_work.run(move || lead_home(&context, &stored, homes, photos.as_ref(), &choice, "")).await?
}

/// `key` is equal for a form that is sent again.
///
/// # Errors
/// As those of the store's `accept`.
pub async fn add(
    app: &Arc<App>,
    tenant: &Tenant,
    stored: &StoredWidget,
    by: &User,
    (new, home): (HandLead, LeadHome),
    key: &str,
) -> Result<LeadId, Failure> {
    let text = new.consent.text(new.language, &stored.widget.company_name, by.name.as_str());
    let consent =
        ConsentDraft { given: new.consent == VoiceConsent::Agreed, text, page_url: None, ip: None, user_agent: None };
    let HandLead { first_name, last_name, email, phone, message, language, .. } = new;
    let contact = Contact { first_name, last_name, email, phone, message, language, via: LeadChannel::Hand };
    let name = by.name.as_str().to_owned();
    let added_by = AddedBy { id: by.id, name, email: by.email.clone(), from_file: None };
    let draft = draft_of(contact, home, consent, added_by);
    let (owner, widget) = (&stored.tenant, stored.widget.reference_id);
    let leads = app.store.leads();
    let accepted = match tenant == owner {
        true => leads.accept(owner, widget, &draft, key, b"by hand").await?,
        false => leads.accept_test(owner, widget, &draft, key, b"by hand").await?,
    };
    if accepted.outcome == SubmissionOutcome::Created {
        app.metrics.lead("created");
    }
    tracing::info!(lead = %accepted.lead.id, outcome = ?accepted.outcome, "a lead was added by hand");
    Ok(accepted.lead.id)
}
