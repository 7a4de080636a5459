//! The client's side of a connection as hyper sees it: a client that does not read is given up, and what hyper refuses by
//! itself gets the contract's error body.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use shingle_domain::error::{ErrorBody, Message};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// How much is read of what follows a head that was refused, so that the refusal arrives.
const MAX_DRAINED_BYTES: usize = 256 * 1024;
const MAX_DRAIN_TIME: Duration = Duration::from_secs(2);
/// No head that hyper writes on its own is longer.
const MAX_BARE_HEAD: usize = 256;

pub struct Wire<S> {
    stream: S,
    write_limit: Duration,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
    /// What is left to write in place of hyper's own words.
    refusal: Option<Vec<u8>>,
    drain: Option<Drain>,
}

struct Drain {
    end: Pin<Box<Sleep>>,
    left: usize,
}

impl<S> Wire<S> {
    pub fn new(stream: S, write_limit: Duration) -> Self {
        Self { stream, write_limit, stalled: None, refusal: None, drain: None }
    }

    fn limited<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.stalled = None;
            return done;
        }
        let limit = self.write_limit;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        stalled.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }

    /// Takes a head of hyper's own, and keeps what is written instead.
    fn replaces(&mut self, written: &[u8]) -> bool {
        self.refusal = with_body(written);
        self.refusal.is_some()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Wire<S> {
    fn poll_refusal(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(rest) = self.refusal.as_mut().filter(|rest| !rest.is_empty()) {
            let written = ready!(Pin::new(&mut self.stream).poll_write(context, rest))?;
            if written == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            rest.drain(..written);
        }
        Poll::Ready(Ok(()))
    }

    /// A socket that is closed with unread bytes takes its last words back.
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let drain = self.drain.get_or_insert_with(|| Drain {
            end: Box::pin(tokio::time::sleep(MAX_DRAIN_TIME)),
            left: MAX_DRAINED_BYTES,
        });
        let mut space = [0; 8 * 1024];
        while drain.left > 0 && drain.end.as_mut().poll(context).is_pending() {
            let mut read = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut self.stream).poll_read(context, &mut read)) {
                Ok(()) if !read.filled().is_empty() => drain.left = drain.left.saturating_sub(read.filled().len()),
                _ => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The contract's error in place of a bare status. Every answer of our own has a request id, so it is not touched.
fn with_body(written: &[u8]) -> Option<Vec<u8>> {
    if written.len() > MAX_BARE_HEAD || !written.starts_with(b"HTTP/1.1 4") || !written.ends_with(b"\r\n\r\n") {
        return None;
    }
    let head = std::str::from_utf8(written).ok()?;
    let (status, message) = match head.get(9..12)? {
        "400" => (400, "The request cannot be read"),
        "414" => (414, "The address of the request is too long"),
        "431" => (431, "The head of the request is too large"),
        _ => return None,
    };
    let (before, after) = head.split_once("content-length: 0\r\n").filter(|_| !head.contains("x-request-id"))?;
    let error = before.lines().next()?.get(13..)?.to_owned();
    let body = ErrorBody { message: Message::One(message.into()), error, status_code: status };
    let body = serde_json::to_string(&body).ok()?;
    let length = body.len();
    let kind = "content-type: application/json\r\nx-content-type-options: nosniff";
    Some(format!("{before}{kind}\r\ncontent-length: {length}\r\n{after}{body}").into_bytes())
}

impl<S: AsyncRead + Unpin> AsyncRead for Wire<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.replaces(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [head] = parts
            && self.replaces(head)
        {
            return Poll::Ready(Ok(head.len()));
        }
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.limited(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut done = self.poll_refusal(context);
        if matches!(done, Poll::Ready(Ok(()))) {
            done = Pin::new(&mut self.stream).poll_flush(context);
        }
        self.limited(context, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.drain.is_none() {
            let written = self.poll_refusal(context);
            ready!(self.limited(context, written))?;
            let closed = Pin::new(&mut self.stream).poll_shutdown(context);
            ready!(self.limited(context, closed))?;
        }
        if self.refusal.is_some() { self.poll_drain(context) } else { Poll::Ready(Ok(())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_heads_of_hyper_get_a_body() {
        let bare =
            "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        let replaced = String::from_utf8(with_body(bare.as_bytes()).unwrap()).unwrap();
        let (head, body) = replaced.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("\r\ncontent-length: {}\r\n", body.len())), "{head}");
        assert!(head.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n"), "{head}");
        let error = "Request Header Fields Too Large";
        let expected =
            serde_json::json!({"message": "The head of the request is too large", "error": error, "statusCode": 431});
        assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap(), expected);

        for ours in [
            "HTTP/1.1 400 Bad Request\r\nx-request-id: 1\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
        ] {
            assert!(with_body(ours.as_bytes()).is_none(), "{ours}");
        }
    }
}
