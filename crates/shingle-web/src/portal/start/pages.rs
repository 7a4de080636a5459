//! `/portal/start`: the first ten minutes. Which step comes next follows from what is there, so it can be left at any time.
//!
//! # Decision
//!
//! The next setup step follows from what exists (a widget, its price, a test lead), and facts read from the site are form
//! fields, so setup can be left and stores nothing. Turned down: a wizard with its own state, which can differ from
//! the truth.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::response::Response;
use shingle_portal::StartStep;

use crate::portal::areas::pages::said as area_said;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::settings::page::{frame, said};
use crate::portal::start::progress::{newest, newest_test_lead};
use crate::portal::start::{company, live, prices};
use crate::state::Web;
use crate::web::error::ApiResult;

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let wished = StartStep::of(query.text("step"));
    let frame = frame(&signed, said(&query).or_else(|| area_said(&query)));
    let Some(stored) = newest(&web, &signed).await?.filter(|_| wished != Some(StartStep::Company)) else {
        return match query.text("site") {
            "none" => company::without_site(&web, &signed, &frame).await,
            _ => company::ask_for_site(&web, &signed, &frame).await,
        };
    };
    let lead = newest_test_lead(&web, &signed).await?;
    let step = match (query.text("step"), wished) {
        ("done", _) => None,
        (_, Some(step)) => Some(step),
        _ if stored.widget.installed_price.is_none() => Some(StartStep::Prices),
        _ => lead.is_none().then_some(StartStep::Area),
    };
    match step {
        Some(StartStep::Prices) => Ok(prices::show(&web, &frame, &stored)),
        Some(StartStep::Area) => live::area(&web, &signed, &frame, &stored, &query).await,
        Some(StartStep::TestLead) => live::lead(&web, &signed, &frame, &stored).await,
        Some(_) => live::page_of(&web, &signed, &frame, &stored, None).await,
        None => live::done(&web, &signed, &frame, &stored, lead.as_deref()).await,
    }
}
