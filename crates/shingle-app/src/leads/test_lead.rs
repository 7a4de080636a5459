//! A test lead: an invented homeowner who takes the same path as a real one, in the company's test data.
//!
//! # Decision
//!
//! A test lead is a lead of the account's test data, at the company's own widget, through the same code as a visitor's:
//! first the form, then the answers and the wishes. Its home is one that is imported, or one of the demo town while
//! nothing is. Turned down: a mark on real leads, which every count, list and webhook would have to check; a copy of the
//! widget in the test data, which goes stale and is counted.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_address::parse_line;
use shingle_domain::answers::{AnswersChange, SentAnswers};
use shingle_domain::inspection::VisitCalendar;
use shingle_domain::lead::LeadSource;
use shingle_domain::public::{AddressChoice, ConsentChoice, InspectionRequest, LeadSubmission, WishRequest};
use shingle_domain::{Email, Environment, Language, LeadId, Tenant};
use shingle_store::{HomeownerChange, StoredWidget};
use shingle_widget::words::{flow_words, w};

use crate::app::App;
use crate::failure::Failure;
use crate::known_homes::KnownHomes;
use crate::leads::home::price_terms;
use crate::leads::inspection_request;
use crate::leads::intake::{LeadRate, accept};
use crate::leads::suspicion::Witness;
use crate::leads::widget_request::WidgetRequest;
use crate::visits::CompanyHours;

/// Who asks. 555-0117 is a number that nobody has.
const NAME: (&str, &str) = ("Jordan", "Ellis");
const PHONE: &str = "(207) 555-0117";
/// As long as a person takes to fill in the form.
const ELAPSED_MS: u32 = 20_000;
const WISHES: usize = 2;

/// Where a test lead comes from.
pub struct TestSender {
    /// Where the homeowner's mail goes.
    pub email: Email,
    pub ip: IpAddr,
    /// Host of the page it is sent from.
    pub host: String,
}

/// Sends one and returns its id.
///
/// # Errors
/// [`Failure::NotFound`] where neither the index nor the demo town has a home that gets a price.
pub async fn send(app: &Arc<App>, stored: Arc<StoredWidget>, sender: TestSender) -> Result<LeadId, Failure> {
    let known = known_homes(app, &stored).await?;
    let home = known.examples.first().ok_or(Failure::NotFound)?;
    let tenant = Tenant { environment: Environment::Sandbox, ..stored.tenant };
    notify_as_of_real_leads(app, &stored.tenant, &tenant).await?;
    let company = stored.widget.company_name.clone();
    let sent = LeadSubmission {
        token: String::new(),
        idempotency_key: None,
        lead_id: None,
        lead_token: None,
        address: AddressChoice::Line(home.address.clone()),
        buildings: String::new(),
        first_name: NAME.0.to_owned(),
        last_name: NAME.1.to_owned(),
        email: sender.email.as_str().to_owned(),
        phone: Some(PHONE.to_owned()),
        preferred_contact_time: None,
        message: None,
        consent: ConsentChoice {
            given: true,
            text: flow_words(Language::English).fill(w::CONSENT, &[("company", &company)]),
        },
        lang: None,
        source: LeadSource::default(),
        website: String::new(),
        elapsed_ms: ELAPSED_MS,
        acts: None,
        altcha: None,
    };
    let request = WidgetRequest { tenant, stored, homes: known.environment, host: sender.host, ip: sender.ip };
    let witness = Witness { since: None, by_hand: true };
    let id = accept(app, &request, &sent, LeadRate::Ordinary, None, witness).await?.receipt.id;
    answer(app, &request, id).await?;
    Ok(id)
}

/// The homes that somebody may try with a widget, those of the company's state first.
pub async fn known_homes(app: &Arc<App>, stored: &StoredWidget) -> Result<KnownHomes, Failure> {
    let (context, widget) = (app.clone(), stored.clone());
    let near = parse_line(&stored.widget.company_address).normalized.state;
    let find = move || KnownHomes::find(&context.indexes, near, price_terms(&context, &widget));
    app.heavy_work.run(find).await?.map_err(Failure::fault)
}

/// People notified of real leads are notified of this one.
async fn notify_as_of_real_leads(app: &App, real: &Tenant, test: &Tenant) -> Result<(), Failure> {
    let destinations = app.store.destinations();
    if destinations.notice_settings(test).await?.is_none()
        && let Some(settings) = destinations.notice_settings(real).await?
    {
        destinations.set_notice_settings(test, &settings).await?;
    }
    Ok(())
}

/// What homeowners tell after the estimate.
async fn answer(app: &App, request: &WidgetRequest, id: LeadId) -> Result<(), Failure> {
    let answers = SentAnswers {
        roof_age: Some("over-20".to_owned()),
        leak: Some("leak".to_owned()),
        planned: Some("now".to_owned()),
        contact_by: Some("text".to_owned()),
        contact_time: Some("evening".to_owned()),
        note: Some("Please ring the side door.".to_owned()),
    };
    let settings = &request.stored.settings;
    let hours = CompanyHours::of(&app.store, &request.tenant, settings, app.clock.now()).await?;
    let asked = InspectionRequest {
        wishes: wishes(&hours.calendar()),
        contact_by: "text".to_owned(),
        note: Some("The gate is open.".to_owned()),
    };
    // A company that accepts no visits gets no wish.
    let inspection = match asked.wishes.is_empty() {
        true => None,
        false => Some(inspection_request::parse(app, request, id, &asked).await?),
    };
    let change = HomeownerChange {
        roof_material: None,
        preferred_contact_time: None,
        message: None,
        inspection,
        answers: Some(AnswersChange::parse(&answers)?),
    };
    app.store.leads().change_as_homeowner(&request.tenant, id, &change).await?;
    Ok(())
}

/// One on each of the next days on which somebody comes by.
fn wishes(calendar: &VisitCalendar<'_>) -> Vec<WishRequest> {
    let days = calendar.all().into_iter();
    let open = days.filter_map(|day| {
        let part = day.parts.into_iter().flatten().next()?.part;
        Some(WishRequest { date: day.date.to_string(), part: part.as_str().to_owned() })
    });
    open.take(WISHES).collect()
}
