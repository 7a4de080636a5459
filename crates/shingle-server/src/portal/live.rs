//! New leads appear by themselves: a stream of events for each browser (its tabs share it). One task of this process asks the
//! database once a second for all streams, so leads that another node took are seen too. A stream says that there is
//! something new, and no more: what it is the page asks for as ever.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::{Extension, RawQuery, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use shingle_domain::{SessionId, Tenant, UserId};
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use super::form::PortalForm;
use super::gate::Signed;
use super::lead_query::environment;
use crate::app::App;

const EVERY: Duration = Duration::from_secs(1);
/// So often a stream says that it is alive, in ticks: proxies close what is silent.
const HEARTBEAT: u32 = 15;
/// Of one user: browsers, not tabs.
const MAX_OF_USER: usize = 6;
/// Of this process.
const MAX_STREAMS: usize = 2_000;
/// A browser that reads nothing is let go.
const MAX_WAITING: usize = 4;

#[derive(Default)]
pub struct LiveLeads(Mutex<Streams>);

#[derive(Default)]
struct Streams {
    all: Vec<Stream>,
    watched: bool,
    closed: bool,
}

struct Stream {
    tenant: Tenant,
    user: UserId,
    session: SessionId,
    sender: mpsc::Sender<Event>,
}

impl LiveLeads {
    fn lock(&self) -> MutexGuard<'_, Streams> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends every stream: the server stops, and waits for its connections.
    pub fn close(&self) {
        let mut streams = self.lock();
        streams.closed = true;
        streams.all.clear();
    }

    /// `None`: there are too many.
    fn open(&self, app: &Arc<App>, tenant: Tenant, signed: &Signed) -> Option<mpsc::Receiver<Event>> {
        let mut streams = self.lock();
        streams.all.retain(|stream| !stream.sender.is_closed());
        let of_user = streams.all.iter().filter(|stream| stream.user == signed.user.id).count();
        if streams.closed || of_user >= MAX_OF_USER || streams.all.len() >= MAX_STREAMS {
            return None;
        }
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        // What came in before this moment is asked for at once.
        let _ = sender.try_send(Event::default().event("open").data("1"));
        streams.all.push(Stream { tenant, user: signed.user.id, session: signed.session.id, sender });
        if !std::mem::replace(&mut streams.watched, true) {
            tokio::spawn(watch(app.clone()));
        }
        Some(receiver)
    }

    /// What is watched; `None`: nothing any more, and the task ends.
    fn watched(&self) -> Option<(Vec<Tenant>, Vec<SessionId>)> {
        let mut streams = self.lock();
        streams.all.retain(|stream| !stream.sender.is_closed());
        if streams.all.is_empty() {
            streams.watched = false;
            return None;
        }
        let mut tenants: Vec<Tenant> = Vec::new();
        for stream in &streams.all {
            if !tenants.contains(&stream.tenant) {
                tenants.push(stream.tenant);
            }
        }
        Some((tenants, streams.all.iter().map(|stream| stream.session).collect()))
    }

    /// A browser that does not read is dropped, and comes again.
    fn tell(&self, to: impl Fn(&Stream) -> bool, event: &Event) {
        self.lock().all.retain(|stream| !to(stream) || stream.sender.try_send(event.clone()).is_ok());
    }

    /// Ends those of sessions that are not good any more.
    fn keep(&self, asked: &[SessionId], good: &[SessionId]) {
        self.lock().all.retain(|stream| !asked.contains(&stream.session) || good.contains(&stream.session));
    }
}

/// Until there is no stream any more.
async fn watch(app: Arc<App>) {
    let mut newest: HashMap<Tenant, Option<String>> = HashMap::new();
    let mut ticks = tokio::time::interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    for tick in 1_u32.. {
        ticks.tick().await;
        let Some((tenants, sessions)) = app.live_leads.watched() else { return };
        // A database that is away for a moment is asked again; the page asks by itself meanwhile.
        if let Ok(good) = app.store.good_sessions(&sessions).await {
            app.live_leads.keep(&sessions, &good);
        }
        for tenant in tenants {
            let Ok(now) = app.store.newest_lead(&tenant).await else { continue };
            let before = newest.insert(tenant, now.clone());
            if before.is_none_or(|before| before != now) {
                let event = Event::default().event("leads").data(now.unwrap_or_default());
                app.live_leads.tell(|stream| stream.tenant == tenant, &event);
            }
        }
        if tick.is_multiple_of(HEARTBEAT) {
            app.live_leads.tell(|_| true, &Event::default().event("beat").data("1"));
        }
    }
}

/// `GET /portal/leads/live`
pub async fn show(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> Response {
    let tenant = signed.tenant(environment(&PortalForm::of_query(query.as_deref())));
    let Some(receiver) = app.live_leads.open(&app, tenant, &signed) else {
        let wait = [(header::RETRY_AFTER, HeaderValue::from_static("60"))];
        return (StatusCode::TOO_MANY_REQUESTS, wait).into_response();
    };
    let events = stream::unfold(receiver, async |mut receiver| {
        receiver.recv().await.map(|event| (Ok::<_, Infallible>(event), receiver))
    });
    let mut response = Sse::new(events).into_response();
    // nginx would hold the events back until it has a buffer full of them.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
