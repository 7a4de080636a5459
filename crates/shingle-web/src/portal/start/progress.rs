//! How far a company has come: the widget that was made last, and its newest test lead.

use std::time::Duration;

use shingle_domain::Environment;
use shingle_store::{LeadFilter, StoredWidget};

use crate::portal::gate::Signed;
use crate::state::Web;
use crate::web::error::ApiResult;

/// The widget that was made last.
pub async fn newest(web: &Web, signed: &Signed) -> ApiResult<Option<StoredWidget>> {
    let widgets = web.store.widgets().list(&signed.tenant(Environment::Production)).await?;
    Ok(widgets.into_iter().max_by_key(|stored| stored.created_at))
}

/// As long as somebody may go back and change what they said of the company.
const RUN: Duration = Duration::from_secs(24 * 3_600);

/// The one that is being set up: it is new, and nobody has confirmed its price. An older one without a price was made by a
/// program, and is not changed from here.
pub fn unfinished(web: &Web, stored: StoredWidget) -> Option<StoredWidget> {
    let is_new = stored.created_at + RUN > web.clock.now();
    (is_new && stored.widget.installed_price.is_none()).then_some(stored)
}

pub async fn newest_test_lead(web: &Web, signed: &Signed) -> ApiResult<Option<String>> {
    let tenant = signed.tenant(Environment::Sandbox);
    let page = web.store.leads().list(&tenant, &LeadFilter::default(), None, 1).await?;
    Ok(page.leads.first().map(|lead| format!("/portal/leads/{}?data=sandbox", lead.id)))
}
