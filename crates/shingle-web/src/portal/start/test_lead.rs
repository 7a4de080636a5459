//! A test lead: an invented homeowner who takes the same path as a real one, in the company's test data.
//!
//! # Decision
//!
//! A test lead is a lead of the account's test data, at a stand-in of the widget there, through the same code as a
//! visitor's. Turned down: a mark on real leads, which every count, list and webhook would have to check.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_domain::lead::LeadSource;
use shingle_domain::public::{AddressChoice, ConsentChoice, LeadSubmission};
use shingle_domain::{Environment, Language};
use shingle_store::StoredWidget;
use shingle_widget::words::{flow_words, w};
use url::Url;

use crate::portal::gate::Signed;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::leads::intake::LeadRate;
use shingle_app::leads::intake::accept;
use shingle_app::leads::suspicion::Witness;
use shingle_app::leads::widget_request::WidgetRequest;

/// A home of the sample town, which test data is made of.
const HOME: &str = "14 Alder Court, Portland, ME 04103";
/// As long as a person takes to fill in the form.
const ELAPSED_MS: u32 = 20_000;

/// The widget that stands in for this one in the test data, as it is now.
async fn stand_in(web: &Web, signed: &Signed, stored: &StoredWidget) -> ApiResult<Arc<StoredWidget>> {
    let (real, test) = (signed.tenant(Environment::Production), signed.tenant(Environment::Sandbox));
    let id = stored.widget.reference_id;
    // People notified of real leads are notified of this one.
    if web.store.destinations().notice_settings(&test).await?.is_none()
        && let Some(settings) = web.store.destinations().notice_settings(&real).await?
    {
        web.store.destinations().set_notice_settings(&test, &settings).await?;
    }
    if web.store.widgets().find(&test, id).await?.is_none() {
        web.store.widgets().create(&test, &stored.widget, |widget| web.record(widget), None).await?;
    }
    web.store.widgets().find(&test, id).await?.ok_or(ApiError::NotFound)
}

pub async fn send(web: &Arc<Web>, signed: &Signed, stored: &StoredWidget, ip: IpAddr) -> ApiResult<()> {
    let stored = stand_in(web, signed, stored).await?;
    let host = Url::parse(&web.base_url).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
    let company = stored.widget.company_name.as_str();
    let sent = LeadSubmission {
        token: String::new(),
        idempotency_key: None,
        lead_id: None,
        lead_token: None,
        address: AddressChoice::Line(HOME.to_owned()),
        buildings: String::new(),
        first_name: "Test".to_owned(),
        last_name: "Lead".to_owned(),
        email: signed.user.email.as_str().to_owned(),
        phone: None,
        preferred_contact_time: None,
        message: None,
        consent: ConsentChoice {
            given: true,
            text: flow_words(Language::English).fill(w::CONSENT, &[("company", company)]),
        },
        lang: None,
        source: LeadSource::default(),
        website: String::new(),
        elapsed_ms: ELAPSED_MS,
        acts: None,
        altcha: None,
    };
    let tenant = stored.tenant;
    let request = WidgetRequest { tenant, stored, host, ip };
    let witness = Witness { since: None, by_hand: true };
    accept(web.app(), &request, &sent, LeadRate::Ordinary, None, witness).await?;
    Ok(())
}
