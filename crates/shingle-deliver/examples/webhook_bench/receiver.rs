//! The receiver: takes events over connections that stay open, and notes how old each is when it arrives.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use shingle_domain::Timestamp;
use shingle_store::Clock as _;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

use crate::child;
use crate::clock::WallClock;

const OK: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";

#[derive(Default)]
struct Seen {
    ages: Mutex<Vec<u64>>,
    more: Notify,
}

pub async fn run() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("{}", listener.local_addr().unwrap());
    let seen = Arc::new(Seen::default());
    tokio::spawn(async move {
        loop {
            let (socket, _) = listener.accept().await.unwrap();
            socket.set_nodelay(true).unwrap();
            tokio::spawn(serve(socket, seen.clone()));
        }
    });
    child::end_of_input().await;
}

async fn serve(mut socket: TcpStream, seen: Arc<Seen>) -> Option<()> {
    let mut buffer = Vec::with_capacity(16 * 1024);
    loop {
        let (head, length) = loop {
            if let Some(end) = buffer.windows(4).position(|w| w == b"\r\n\r\n") {
                let head = String::from_utf8_lossy(&buffer[..end]).to_ascii_lowercase();
                let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
                let length: usize = length.unwrap_or(0);
                if buffer.len() >= end + 4 + length {
                    break (head, end + 4..end + 4 + length);
                }
            }
            if socket.read_buf(&mut buffer).await.ok()? == 0 {
                return None;
            }
        };
        let path = head.split_whitespace().nth(1).unwrap_or_default().to_owned();
        match path.split('/').nth(1).unwrap_or_default() {
            "dead" => std::future::pending().await,
            "reset" => {
                seen.lock().clear();
                socket.write_all(OK).await.ok()?;
            }
            "count" => {
                let count = seen.lock().len();
                answer(&mut socket, &count.to_string()).await?;
            }
            "wait" => {
                let wanted = path.rsplit('/').next()?.parse().ok()?;
                let ages = seen.wait_for(wanted).await;
                answer(&mut socket, &serde_json::to_string(&ages).ok()?).await?;
            }
            _ => {
                seen.add(&buffer[length.clone()]);
                socket.write_all(OK).await.ok()?;
            }
        }
        buffer.drain(..length.end);
    }
}

async fn answer(socket: &mut TcpStream, body: &str) -> Option<()> {
    let text = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    socket.write_all(text.as_bytes()).await.ok()
}

impl Seen {
    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<u64>> {
        self.ages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, body: &[u8]) {
        const FIELD: &[u8] = b"\"timestamp\":\"";
        let now = WallClock.now().micros();
        let start = body.windows(FIELD.len()).position(|w| w == FIELD).map(|at| at + FIELD.len());
        let text = start.and_then(|at| std::str::from_utf8(body.get(at..at + 24)?).ok());
        let at = text.and_then(Timestamp::parse_iso).map_or(now, Timestamp::micros);
        self.lock().push(u64::try_from(now - at).unwrap_or_default());
        self.more.notify_waiters();
    }

    async fn wait_for(&self, wanted: usize) -> Vec<u64> {
        loop {
            let more = self.more.notified();
            tokio::pin!(more);
            more.as_mut().enable();
            if self.lock().len() >= wanted {
                return self.lock().clone();
            }
            more.await;
        }
    }
}

/// Asks the receiver.
pub struct Control {
    at: SocketAddr,
}

impl Control {
    pub fn new(at: SocketAddr) -> Self {
        Self { at }
    }

    pub fn address(&self) -> SocketAddr {
        self.at
    }

    pub async fn reset(&self) {
        self.get("/reset").await;
    }

    pub async fn count(&self) -> u64 {
        self.get("/count").await.as_u64().unwrap()
    }

    /// The ages of the events, in microseconds, once so many have arrived.
    pub async fn wait_for(&self, count: u64) -> Vec<u64> {
        let ages = self.get(&format!("/wait/{count}")).await;
        ages.as_array().unwrap().iter().filter_map(Value::as_u64).collect()
    }

    async fn get(&self, path: &str) -> Value {
        let mut socket = TcpStream::connect(self.at).await.unwrap();
        socket.write_all(format!("GET {path} HTTP/1.1\r\n\r\n").as_bytes()).await.unwrap();
        let mut text = Vec::new();
        loop {
            socket.read_buf(&mut text).await.unwrap();
            let Some(end) = text.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
            let head = String::from_utf8_lossy(&text[..end]).into_owned();
            let length: usize = head.rsplit(' ').next().unwrap().trim().parse().unwrap();
            if text.len() >= end + 4 + length {
                return serde_json::from_slice(&text[end + 4..]).unwrap_or_default();
            }
        }
    }
}
