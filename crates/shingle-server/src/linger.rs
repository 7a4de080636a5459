//! Bodies that nobody reads to the end. A refusal sent while the other side is still writing would be lost
//! with the connection; so what is left is read and dropped, within bounds.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};

const MOST: usize = 8 * 1024 * 1024;
const LONGEST: Duration = Duration::from_secs(10);

pub struct Lingering {
    /// Taken when it is left behind.
    body: Option<Incoming>,
    linger: bool,
}

impl Lingering {
    /// `linger`: not for a sender that waits for leave to send (`Expect`), and so can take a refusal at once.
    pub fn new(body: Incoming, linger: bool) -> Self {
        Self { body: Some(body), linger }
    }
}

impl Body for Lingering {
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

impl Drop for Lingering {
    fn drop(&mut self) {
        let Some(body) = self.body.take().filter(|body| self.linger && !body.is_end_stream()) else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(tokio::time::timeout(LONGEST, read_away(body)));
        }
    }
}

async fn read_away(mut body: Incoming) {
    let mut left = MOST;
    while let Some(Ok(frame)) = std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(less) => left = less,
            None => return,
        }
    }
}
