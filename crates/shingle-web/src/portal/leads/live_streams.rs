//! The streams of events that browsers hold open.
//!
//! # Decision
//!
//! One task per process asks the database once a second for all streams, so leads from other nodes are seen and an
//! ended session ends its stream. Streams say that something is new, never what. Turned down: the delivery engine's
//! wake-up, which knows one process; a query per client.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::response::sse::Event;
use shingle_domain::{SessionId, Tenant, UserId};
use tokio::sync::mpsc;

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

/// A stream that was opened.
pub struct Opened {
    pub receiver: mpsc::Receiver<Event>,
    /// Nobody watches yet.
    pub is_first: bool,
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
    pub fn open(&self, tenant: Tenant, user: UserId, session: SessionId) -> Option<Opened> {
        let mut streams = self.lock();
        streams.all.retain(|stream| !stream.sender.is_closed());
        let of_user = streams.all.iter().filter(|stream| stream.user == user).count();
        if streams.closed || of_user >= MAX_OF_USER || streams.all.len() >= MAX_STREAMS {
            return None;
        }
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        // What came in before this moment is asked for at once.
        let _ = sender.try_send(Event::default().event("open").data("1"));
        streams.all.push(Stream { tenant, user, session, sender });
        Some(Opened { receiver, is_first: !std::mem::replace(&mut streams.watched, true) })
    }

    /// What is watched; `None`: nothing any more, and the task ends.
    pub fn watched(&self) -> Option<(Vec<Tenant>, Vec<SessionId>)> {
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

    /// A browser that does not read is dropped, and comes again. `tenant`: of one company; `None`: every stream.
    pub fn tell(&self, tenant: Option<Tenant>, event: &Event) {
        let is_told = |stream: &Stream| tenant.is_none_or(|tenant| tenant == stream.tenant);
        self.lock().all.retain(|stream| !is_told(stream) || stream.sender.try_send(event.clone()).is_ok());
    }

    /// Ends those of sessions that are not good any more.
    pub fn keep(&self, asked: &[SessionId], good: &[SessionId]) {
        self.lock().all.retain(|stream| !asked.contains(&stream.session) || good.contains(&stream.session));
    }
}
