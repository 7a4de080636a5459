//! New leads appear by themselves: a stream of events for each browser (its tabs share it). One task of this process asks the
//! database once a second for all streams, so leads that another node took are seen too. A stream says that there is
//! something new, and no more: what it is the page asks for as ever.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use shingle_domain::Tenant;
use tokio::time::MissedTickBehavior;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::live_streams::Opened;
use crate::portal::leads::query::environment;
use crate::state::Web;

const EVERY: Duration = Duration::from_secs(1);
/// So often a stream says that it is alive, in ticks: proxies close what is silent.
const HEARTBEAT: u32 = 15;

/// Until there is no stream any more.
async fn watch(web: Arc<Web>) {
    let mut newest: HashMap<Tenant, Option<String>> = HashMap::new();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for tick in 1_u32.. {
        ticks.tick().await;
        let Some((tenants, sessions)) = web.portal.live_leads.watched() else { return };
        // A database that is away for a moment is asked again; the page asks on its own meanwhile.
        if let Ok(good) = web.store.people().good_sessions(&sessions).await {
            web.portal.live_leads.keep(&sessions, &good);
        }
        for tenant in tenants {
            let Ok(now) = web.store.leads().newest(&tenant).await else { continue };
            let before = newest.insert(tenant, now.clone());
            if before.is_none_or(|before| before != now) {
                let event = Event::default().event("leads").data(now.unwrap_or_default());
                web.portal.live_leads.tell(Some(tenant), &event);
            }
        }
        if tick.is_multiple_of(HEARTBEAT) {
            web.portal.live_leads.tell(None, &Event::default().event("beat").data("1"));
        }
    }
}

/// `GET /portal/leads/live`
pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> Response {
    // A stream says that the company has something new, which may be another client's: they ask for their list instead.
    if !signed.user.sees.is_all() {
        return StatusCode::NO_CONTENT.into_response();
    }
    let tenant = signed.tenant(environment(&PortalForm::of_query(query.as_deref())));
    let Some(Opened { receiver, is_first }) = web.portal.live_leads.open(tenant, signed.user.id, signed.session.id)
    else {
        let wait = [(header::RETRY_AFTER, HeaderValue::from_static("60"))];
        return (StatusCode::TOO_MANY_REQUESTS, wait).into_response();
    };
    if is_first {
        tokio::spawn(watch(web));
    }
    let events = stream::unfold(receiver, async |mut receiver| {
        receiver.recv().await.map(|event| (Ok::<_, Infallible>(event), receiver))
    });
    let mut response = Sse::new(events).into_response();
    // nginx would hold the events back until it has a buffer full of them.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
