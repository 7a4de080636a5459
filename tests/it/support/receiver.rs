//! A server that receives webhooks, and behaves as a test wants.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// What the receiver does with a request, once it has read it.
#[derive(Clone)]
pub enum Reply {
    /// A whole response: status line, headers, body.
    Status(u16),
    With(u16, &'static str, &'static str),
    /// These bytes, and then the end of the connection.
    Bytes(Vec<u8>),
    /// These bytes, and then nothing more, with the connection open.
    BytesThenSilence(Vec<u8>),
    /// As many bytes as the other side takes, for ever.
    Flood,
    /// One byte of the body a second.
    Drip,
    /// Nothing.
    Silence,
    /// The end of the connection.
    Close,
    /// 503 to each fourth of these, which counts as not received; 200 to the others.
    #[allow(dead_code, reason = "one of the run of chaos")]
    Faltering(Arc<AtomicUsize>),
}

#[derive(Debug, Clone)]
pub struct Received {
    pub method: String,
    pub path: String,
    /// Lower-case names.
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Received {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

pub struct Receiver {
    pub at: SocketAddr,
    reply: Arc<Mutex<Reply>>,
    received: mpsc::UnboundedReceiver<Received>,
}

impl Receiver {
    pub async fn start(reply: Reply) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let reply = Arc::new(Mutex::new(reply));
        let (seen, received) = mpsc::unbounded_channel();
        let now = reply.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                tokio::spawn(serve(socket, now.clone(), seen.clone()));
            }
        });
        Self { at, reply, received }
    }

    pub fn url(&self) -> String {
        format!("http://{}/hook", self.at)
    }

    pub fn will(&self, reply: Reply) {
        *self.reply.lock().unwrap() = reply;
    }

    /// What has arrived and was not taken yet.
    pub fn take(&mut self) -> Vec<Received> {
        std::iter::from_fn(|| self.received.try_recv().ok()).collect()
    }

    /// Waits for the next one.
    pub async fn next(&mut self) -> Received {
        tokio::time::timeout(Duration::from_secs(60), self.received.recv()).await.unwrap().unwrap()
    }
}

async fn serve(socket: TcpStream, reply: Arc<Mutex<Reply>>, seen: mpsc::UnboundedSender<Received>) {
    let mut socket = BufReader::new(socket);
    while let Some(request) = read(&mut socket).await {
        let mut reply = reply.lock().unwrap().clone();
        if let Reply::Faltering(count) = &reply {
            let falters = count.fetch_add(1, Ordering::Relaxed) % 4 == 3;
            reply = Reply::Status(if falters { 503 } else { 200 });
            if falters {
                let _ = socket.write_all(&response(503, "", "")).await;
                continue;
            }
        }
        let _ = seen.send(request);
        let bytes = match reply {
            Reply::Status(status) => response(status, "", ""),
            Reply::With(status, headers, body) => response(status, headers, body),
            Reply::Bytes(bytes) => {
                let _ = socket.write_all(&bytes).await;
                let _ = socket.shutdown().await;
                return;
            }
            Reply::BytesThenSilence(bytes) => {
                let _ = socket.write_all(&bytes).await;
                return until_closed(socket).await;
            }
            Reply::Flood => {
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
                while socket.write_all(&[b'x'; 4096]).await.is_ok() {}
                return;
            }
            Reply::Drip => {
                let _ = socket.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n").await;
                while socket.write_all(b"x").await.is_ok() {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                }
                return;
            }
            Reply::Silence => return until_closed(socket).await,
            // A faltering one has become one of the first.
            Reply::Close | Reply::Faltering(_) => return,
        };
        if socket.write_all(&bytes).await.is_err() {
            return;
        }
    }
}

fn response(status: u16, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()).into_bytes()
}

async fn until_closed(mut socket: BufReader<TcpStream>) {
    let mut rest = [0; 1024];
    while socket.read(&mut rest).await.is_ok_and(|n| n > 0) {}
}

async fn read(socket: &mut BufReader<TcpStream>) -> Option<Received> {
    let mut line = String::new();
    socket.read_line(&mut line).await.ok().filter(|n| *n > 0)?;
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        socket.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await.ok()?;
    Some(Received { method, path, headers, body })
}
