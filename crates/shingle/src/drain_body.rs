//! Request bodies that no handler read to the end. An error response that is sent while the client still writes would be
//! lost with the connection, so the rest of the body is read and dropped, within limits.
//!
//! # Decision
//!
//! A body that a refusal leaves unread is read and dropped, up to 8 MiB and 10 s, so the refusal arrives. Turned
//! down: closing at once; clients see a broken connection instead of the message.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};

const MAX_DRAINED_BYTES: usize = 8 * 1024 * 1024;
const MAX_DRAIN_TIME: Duration = Duration::from_secs(10);

pub struct DrainOnDrop {
    /// Taken on drop.
    body: Option<Incoming>,
    drain: bool,
}

impl DrainOnDrop {
    /// `drain` is false for a client that waits for permission to send (`Expect`): it reads an error at once.
    pub fn new(body: Incoming, drain: bool) -> Self {
        Self { body: Some(body), drain }
    }
}

impl Body for DrainOnDrop {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<hyper::Result<Frame<Bytes>>>> {
        self.body.as_mut().map_or(Poll::Ready(None), |body| Pin::new(body).poll_frame(context))
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for DrainOnDrop {
    fn drop(&mut self) {
        let Some(body) = self.body.take().filter(|body| self.drain && !body.is_end_stream()) else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(MAX_DRAIN_TIME, drain(body)));
        }
    }
}

async fn drain(mut body: Incoming) {
    let mut left = MAX_DRAINED_BYTES;
    while let Some(Ok(frame)) = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(less) => left = less,
            None => return,
        }
    }
}
