//! Connections on which nobody asks for anything. hyper limits the time for a head of HTTP/1 once it knows that it is
//! HTTP/1; before that, and on HTTP/2, nothing does.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::Version;
use hyper::body::{Frame, SizeHint};
use tokio::sync::watch;
use tokio::time::timeout;

/// The requests of one connection: `None` before the first, then how many are in progress.
#[derive(Clone)]
pub struct Requests(watch::Sender<Option<usize>>);

/// One request in progress.
pub struct InProgress(watch::Sender<Option<usize>>);

impl Requests {
    pub fn new() -> Self {
        Self(watch::Sender::new(None))
    }

    pub fn have_begun(&self) -> bool {
        self.0.borrow().is_some()
    }

    /// Only the requests of HTTP/2 are counted: between those of HTTP/1 hyper's own limit holds.
    pub fn begin(&self, version: Version) -> Option<InProgress> {
        if version == Version::HTTP_2 {
            self.0.send_modify(|count| *count = Some(count.unwrap_or(0) + 1));
            return Some(InProgress(self.0.clone()));
        }
        if !self.have_begun() {
            self.0.send_replace(Some(1));
        }
        None
    }

    /// Resolves when no first request came for `head`, or afterwards none was in progress for `idle`.
    pub async fn silence(&self, head: Duration, idle: Duration) {
        let mut count = self.0.subscribe();
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
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.map(|count| count.saturating_sub(1)));
    }
}

/// The body of a response, which ends the request when it is sent or given up.
pub struct LastPart {
    body: Body,
    _request: InProgress,
}

impl LastPart {
    pub fn of(body: Body, request: InProgress) -> Self {
        Self { body, _request: request }
    }
}

impl hyper::body::Body for LastPart {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
