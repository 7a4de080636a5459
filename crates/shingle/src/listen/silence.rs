//! Connections on which nobody asks for anything, or nobody takes what was asked for. hyper limits the time for a head of
//! HTTP/1 once it knows that it is HTTP/1; before that, and on HTTP/2, nothing does. A client of HTTP/2 that grants no room
//! (a window of zero) leaves the socket writable, so that only its responses show that they stand still.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::Version;
use hyper::body::{Frame, SizeHint};
use tokio::sync::watch;
use tokio::time::timeout;

/// The requests of one connection.
#[derive(Clone)]
pub struct Requests {
    /// `None` before the first, then how many are in progress.
    count: watch::Sender<Option<usize>>,
    responses: Arc<Responses>,
}

/// The responses of one connection.
#[derive(Default)]
struct Responses {
    /// Those of which the client must take something before there is more to do.
    waiting: AtomicUsize,
    /// Grows whenever one begins or its client takes a part.
    taken: AtomicUsize,
}

/// One request in progress.
pub struct InProgress {
    requests: Requests,
    is_waiting: bool,
}

impl Requests {
    pub fn new() -> Self {
        Self { count: watch::Sender::new(None), responses: Arc::default() }
    }

    pub fn have_begun(&self) -> bool {
        self.count.borrow().is_some()
    }

    /// Only the requests of HTTP/2 are counted: between those of HTTP/1 hyper's own limit holds.
    pub fn begin(&self, version: Version) -> Option<InProgress> {
        if version == Version::HTTP_2 {
            self.count.send_modify(|count| *count = Some(count.unwrap_or(0) + 1));
            return Some(InProgress { requests: self.clone(), is_waiting: false });
        }
        if !self.have_begun() {
            self.count.send_replace(Some(1));
        }
        None
    }

    /// Resolves when no first request came for `head`, or afterwards none was in progress for `idle`.
    pub async fn silence(&self, head: Duration, idle: Duration) {
        let mut count = self.count.subscribe();
        if timeout(head, count.wait_for(Option::is_some)).await.is_err() {
            return;
        }
        // The sender is `self`, so waiting does not fail.
        while count.wait_for(|count| *count == Some(0)).await.is_ok() {
            if timeout(idle, count.wait_for(|count| *count != Some(0))).await.is_err() {
                return;
            }
        }
    }

    /// Resolves when responses wait for the client, and it took nothing of any for `limit`.
    pub async fn standstill(&self, limit: Duration) {
        loop {
            let before = self.responses.taken.load(Ordering::Relaxed);
            tokio::time::sleep(limit).await;
            let waits = self.responses.waiting.load(Ordering::Relaxed) > 0;
            if waits && self.responses.taken.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }
}

impl InProgress {
    /// Whose turn it is: the client's, which takes a part, or ours, who make the next.
    fn waits_for_client(&mut self, waits: bool) {
        let responses = &self.requests.responses;
        if waits {
            responses.taken.fetch_add(1, Ordering::Relaxed);
        }
        match (std::mem::replace(&mut self.is_waiting, waits), waits) {
            (false, true) => responses.waiting.fetch_add(1, Ordering::Relaxed),
            (true, false) => responses.waiting.fetch_sub(1, Ordering::Relaxed),
            _ => 0,
        };
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.waits_for_client(false);
        self.requests.count.send_modify(|count| *count = count.map(|count| count.saturating_sub(1)));
    }
}

/// The body of a response, which ends the request when it is sent or given up.
pub struct LastPart {
    body: Body,
    request: InProgress,
}

impl LastPart {
    pub fn of(body: Body, mut request: InProgress) -> Self {
        request.waits_for_client(true);
        Self { body, request }
    }
}

impl hyper::body::Body for LastPart {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        self.request.waits_for_client(polled.is_ready());
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
