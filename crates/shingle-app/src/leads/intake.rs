//! Accepts a lead from the widget (JSON) or the hosted page (form), by the same rules.

use std::sync::Arc;

use shingle_domain::lead::Lead;
use shingle_domain::public::{LeadReceipt, LeadSubmission};
use shingle_domain::rules::NewLead;
use shingle_domain::visit::VisitStep;
use shingle_domain::{Language, LeadId, Tenant, Timestamp, UserId};
use shingle_store::{ConsentDraft, LeadDraft, SpamReason, SubmissionOutcome};
use shingle_widget::words::consent_language;
use url::Url;

use crate::aerial::AerialView;
use crate::app::App;
use crate::failure::Failure;
use crate::leads::home::lead_home;
use crate::leads::receipt::{BesideRecord, receipt};
use crate::leads::suspicion::{Signs, Witness};
use crate::leads::widget_request::WidgetRequest;
use crate::stop_watch::StopWatch;
use crate::tokens::{TEST_PARAMETER, hex};
use crate::visit_count;

const MAX_USER_AGENT_CHARS: usize = 500;

/// How fast leads come in at a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadRate {
    Ordinary,
    /// Somebody floods the widget; among these leads are honest ones.
    Crowded,
}

/// A new lead that somebody got by a rule.
pub struct GivenLead {
    pub tenant: Tenant,
    pub lead: Lead,
    pub to: UserId,
}

/// A lead that is stored.
pub struct AcceptedLead {
    pub outcome: SubmissionOutcome,
    pub receipt: LeadReceipt,
    /// Who got it by a rule of the company, and is to be told.
    pub given: Option<GivenLead>,
}

/// The caller has checked the visitor's session and rate limit.
pub async fn accept(
    app: &Arc<App>,
    request: &WidgetRequest,
    sent: &LeadSubmission,
    rate: LeadRate,
    user_agent: Option<&str>,
    witness: Witness,
) -> Result<AcceptedLead, Failure> {
    let mut request = request.clone();
    if names_test(app, &request, sent) {
        request.begin_test();
    }
    let request = &request;
    let mut shown_in = None;
    let mut new = NewLead::parse(sent, |text| {
        shown_in = language_of_consent(text, request, app.clock.now());
        shown_in.is_some()
    })?;
    // A client of its own need not say it.
    if let (None, Some(language)) = (&sent.lang, shown_in) {
        new.source.language = language;
    }
    let fingerprint = request_fingerprint(sent)?;
    let key = match &new.idempotency_key {
        Some(key) => key.clone(),
        None => random_key()?,
    };
    let own = own_lead(app, request, sent);
    let crowded = rate == LeadRate::Crowded && own.is_none();
    let spam = Signs::of(sent, witness, crowded, app.clock.now()).verdict();
    let (context, about, agent) = (app.clone(), request.clone(), user_agent.map(str::to_owned));
    let photos = app.photos(&request.stored.settings).await?;
    let estimated = move || draft(&context, &about, photos.as_ref(), new, agent.as_deref(), spam);
    let mut draft = app.heavy_work.run(estimated).await??;
    draft.changes = own;
    let mut watch = StopWatch::start(app);
    let (owner, widget) = (&request.stored.tenant, request.stored.widget.reference_id);
    let accepted = if request.is_test() {
        app.store.leads().accept_test(owner, widget, &draft, &key, &fingerprint).await?
    } else {
        app.store.leads().accept(owner, widget, &draft, &key, &fingerprint).await?
    };
    app.metrics.store("lead", watch.lap());
    app.metrics.lead(match (accepted.outcome, spam.is_some()) {
        (SubmissionOutcome::Created, false) => "created",
        (SubmissionOutcome::Created, true) => "suspect",
        (SubmissionOutcome::Updated, _) => "updated",
        (SubmissionOutcome::Replayed, _) => "replayed",
    });
    if accepted.outcome == SubmissionOutcome::Created && spam.is_none() && !request.is_test() {
        visit_count::count_from(app, &request.stored, VisitStep::Lead, &accepted.lead.source);
    }
    // By it the lines of its deliveries, which come later and on any node, are found from the request's.
    tracing::info!(lead = %accepted.lead.id, outcome = ?accepted.outcome, "a lead was taken");
    let language = Language::of_tag(sent.lang.as_deref().unwrap_or_default());
    let token = app.tokens.lead(request.token_id(), accepted.lead.id, app.clock.now())?;
    let beside = match accepted.outcome {
        SubmissionOutcome::Created => BesideRecord::of_new(draft.shown),
        _ => BesideRecord::read(app, &request.tenant, accepted.lead.id).await?,
    };
    let receipt = receipt(app, request, &accepted.lead, beside, token, language).await?;
    let outcome = accepted.outcome;
    let given = accepted.given_to.map(|to| GivenLead { tenant: request.tenant, lead: accepted.lead, to });
    Ok(AcceptedLead { outcome, receipt, given })
}

/// The lead as it is stored. The server works out the estimate from the address and the building alone, and ignores what
/// a browser says about prices or sizes.
fn draft(
    app: &App,
    request: &WidgetRequest,
    photos: Option<&AerialView>,
    new: NewLead,
    user_agent: Option<&str>,
    spam: Option<SpamReason>,
) -> Result<LeadDraft, Failure> {
    let home = lead_home(app, &request.stored, request.homes, photos, &new.address, &new.buildings)?;
    let draft = LeadDraft {
        address: home.address,
        first_name: new.first_name,
        last_name: new.last_name,
        email: Some(new.email),
        phone: new.phone,
        preferred_contact_time: new.preferred_contact_time,
        roof_material: home.roof_material,
        message: new.message,
        estimate: home.estimate,
        drawing: home.drawing,
        shown: home.shown,
        consent: ConsentDraft {
            given: new.consent_given,
            text: new.consent_text,
            page_url: new.source.page_url.clone(),
            ip: Some(request.ip.to_string()),
            user_agent: user_agent.map(|t| t.chars().take(MAX_USER_AGENT_CHARS).collect()),
        },
        source: new.source,
        changes: None,
        added_by: None,
        spam,
    };
    Ok(draft)
}

/// The lead that this browser may change. A token that does not prove it costs nobody a lead: this one is then new.
fn own_lead(app: &App, request: &WidgetRequest, sent: &LeadSubmission) -> Option<LeadId> {
    request.check_lead(app, sent.lead_id.as_deref()?, sent.lead_token.as_deref()?).ok()
}

/// The language of a text that the widget shows, or showed while the company had another name. Any other text proves nothing.
fn language_of_consent(text: &str, request: &WidgetRequest, now: Timestamp) -> Option<Language> {
    request.stored.company_names(now).find_map(|company| consent_language(text, company))
}

/// Whether the address of the page holds the key to test mode.
fn names_test(app: &App, request: &WidgetRequest, sent: &LeadSubmission) -> bool {
    let Some(page) = sent.source.page_url.as_deref().and_then(|page| Url::parse(page).ok()) else { return false };
    let mut keys = page.query_pairs().filter(|(name, _)| name == TEST_PARAMETER);
    keys.any(|(_, key)| app.tokens.is_test(&key, request.id(), app.clock.now()))
}

/// Equal for a request and its retries, which may carry another session and another elapsed time.
pub fn request_fingerprint(sent: &LeadSubmission) -> Result<Vec<u8>, Failure> {
    let stable = LeadSubmission {
        token: String::new(),
        idempotency_key: None,
        lead_id: None,
        lead_token: None,
        elapsed_ms: 0,
        acts: None,
        lang: None,
        altcha: None,
        ..sent.clone()
    };
    serde_json::to_vec(&stable).map_err(Failure::fault)
}

/// The idempotency key of a request without one, which is never a retry.
fn random_key() -> Result<String, Failure> {
    let mut random = [0; 16];
    getrandom::fill(&mut random)?;
    Ok(hex(&random))
}
