//! A TCP stream that is read line by line: what lettre buffers before a TLS handshake it would read as an answer
//! after it, so an attacker on the line could put words into the server's mouth. With this stream, bytes that follow
//! the answer to STARTTLS reach the handshake, which fails.
//!
//! It also cuts answers without end short: lettre reads one of many lines from its start again for each new line.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

#[derive(Debug)]
pub(super) struct LineStream {
    tcp: TcpStream,
    /// Bytes of the answer so far: since the last that we said.
    answer: usize,
}

/// One reading looks for a line's end in so many bytes.
const AHEAD: usize = 1024;
/// Of an answer, or of a server's part of a TLS handshake.
const MAX_ANSWER: usize = 32 * 1024;

impl LineStream {
    pub(super) fn new(tcp: TcpStream) -> Self {
        Self { tcp, answer: 0 }
    }
}

impl AsyncRead for LineStream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let mut ahead = [0; AHEAD];
        let room = buf.remaining().min(AHEAD);
        let mut peeked = ReadBuf::new(&mut ahead[..room]);
        let count = ready!(self.tcp.poll_peek(cx, &mut peeked))?;
        let line = peeked.filled().iter().position(|byte| *byte == b'\n').map_or(count, |at| at + 1);
        let mut part = ReadBuf::new(buf.initialize_unfilled_to(line));
        ready!(Pin::new(&mut self.tcp).poll_read(cx, &mut part))?;
        let read = part.filled().len();
        buf.advance(read);
        self.answer += read;
        if self.answer > MAX_ANSWER {
            return Poll::Ready(Err(io::ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for LineStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.answer = 0;
        Pin::new(&mut self.tcp).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for LineStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        self.tcp.peer_addr()
    }
}
