//! Clients that take without asking, over real sockets.

use axum::Router;
use axum::routing::get;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::*;

/// A server without its limits would keep a test waiting for ever.
const FOREVER: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(200);
const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: a\r\n\r\n";
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// An empty SETTINGS frame, and one that confirms the server's.
const SETTINGS: &[u8] = b"\0\0\0\x04\0\0\0\0\0\0\0\0\x04\x01\0\0\0\0";

struct Server {
    at: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

fn patient() -> ConnectionLimits {
    ConnectionLimits { head_time: FOREVER, ..ConnectionLimits::of(&Settings::default(), 4_096) }
}

async fn start(limits: ConnectionLimits) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let router = Router::new()
        .route("/", get(async || "hello"))
        .route("/large", get(async || Body::from(vec![b'x'; 64 * 1024 * 1024])));
    let (stop, stopped) = oneshot::channel();
    let ended = tokio::spawn(serve(listener, None, router.into(), limits, async {
        let _ = stopped.await;
    }));
    Server { at, stop, ended }
}

impl Server {
    async fn connect(&self, first: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(self.at).await.unwrap();
        stream.write_all(first).await.unwrap();
        stream
    }
}

/// Everything until the server closes.
async fn to_end(mut stream: TcpStream) -> Vec<u8> {
    let mut read = Vec::new();
    // A reset is an end too.
    let _ = tokio::time::timeout(FOREVER, stream.read_to_end(&mut read)).await.expect("the server closes");
    read
}

async fn answer(stream: &mut TcpStream) -> String {
    let mut read = vec![0; 1_000];
    let length = tokio::time::timeout(FOREVER, stream.read(&mut read)).await.expect("the server answers").unwrap();
    String::from_utf8_lossy(&read[..length]).into_owned()
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed() {
    let server = start(ConnectionLimits { head_time: SHORT, ..patient() }).await;
    for silent in [b"" as &[u8], b"P", b"PRI", &PREFACE[..16], b"GET / HTTP/1.1\r\nhost: a\r\n"] {
        assert_eq!(to_end(server.connect(silent).await).await, b"", "{silent:?}");
    }
    for words in [PREFACE, &[PREFACE, SETTINGS].concat()] {
        to_end(server.connect(words).await).await;
    }
}

#[tokio::test]
async fn http_2_without_requests_is_told_and_closed() {
    let limits = ConnectionLimits { head_time: Duration::from_secs(3), idle_time: SHORT, ..patient() };
    let server = start(limits).await;
    // HEADERS: GET, http, / of the static table, and :authority a.
    let request = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x86\x84\x41\x01a";
    let bytes = to_end(server.connect(&[PREFACE, SETTINGS, request].concat()).await).await;
    assert!(bytes.windows(5).any(|w| w == b"hello"), "the request is answered");
    let goaway = [7, 0, 0, 0, 0, 0];
    assert!(bytes.windows(6).any(|w| w == goaway), "the end is announced: {bytes:?}");
}

#[tokio::test]
async fn a_client_that_reads_nothing_is_given_up() {
    let server = start(ConnectionLimits { write_time: SHORT, ..patient() }).await;
    let stream = server.connect(b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n").await;
    // The server ends on its own, so it is not this client that ends the connection.
    server.stop.send(()).unwrap();
    let limit = MAX_SHUTDOWN_TIME / 2;
    tokio::time::timeout(limit, server.ended).await.expect("it does not wait for the client").unwrap();
    assert!(to_end(stream).await.len() < 64 * 1024 * 1024);
}

#[tokio::test]
async fn http_2_that_grants_no_room_for_its_responses_is_given_up() {
    let server = start(ConnectionLimits { write_time: SHORT, ..patient() }).await;
    // SETTINGS_INITIAL_WINDOW_SIZE is zero; HEADERS: GET, http, / of the static table, and :authority a.
    let no_room = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\x04\x01\0\0\0\0";
    let request = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x86\x84\x41\x01a";
    let bytes = to_end(server.connect(&[PREFACE, no_room, request].concat()).await).await;
    assert!(!bytes.windows(5).any(|w| w == b"hello"), "there was no room for it");
}

#[tokio::test]
async fn one_address_leaves_places_to_others_and_gets_its_own_back() {
    let server = start(ConnectionLimits { max_per_address: 2, ..patient() }).await;
    let (first, mut second) = (server.connect(b"").await, server.connect(GET).await);
    assert!(answer(&mut second).await.ends_with("hello"));
    assert_eq!(to_end(server.connect(b"").await).await, b"");
    drop(first);
    // The server learns of it when it reads.
    let mut again = loop {
        let mut stream = server.connect(b"").await;
        let sent = stream.write_all(GET).await;
        if sent.is_ok() && stream.readable().await.is_ok() && stream.peek(&mut [0]).await.is_ok_and(|n| n > 0) {
            break stream;
        }
    };
    assert!(answer(&mut again).await.ends_with("hello"));
    let proxied = ConnectionLimits { max_per_address: 1, proxies: vec!["127.0.0.0/8".parse().unwrap()], ..patient() };
    let server = start(proxied).await;
    let mut many = Vec::new();
    for _ in 0..5 {
        many.push(server.connect(GET).await);
    }
    for stream in &mut many {
        assert!(answer(stream).await.ends_with("hello"));
    }
}

#[tokio::test]
async fn it_stops_while_every_place_is_taken() {
    let server = start(ConnectionLimits { max_connections: 1, ..patient() }).await;
    let mut served = server.connect(GET).await;
    assert!(answer(&mut served).await.ends_with("hello"), "the place is taken");
    let waiting = server.connect(GET).await;
    server.stop.send(()).unwrap();
    tokio::time::timeout(MAX_SHUTDOWN_TIME / 2, server.ended).await.expect("it stops").unwrap();
    assert_eq!(to_end(served).await, b"");
    assert_eq!(to_end(waiting).await, b"");
}

#[tokio::test]
async fn it_stops_although_clients_have_not_said_what_they_want() {
    let server = start(patient()).await;
    let mut undecided = Vec::new();
    for first in [b"" as &[u8], b"G", b"GET / HTTP/1.1\r\nhost: a\r\n", b"PRI", PREFACE] {
        undecided.push(server.connect(first).await);
    }
    let mut served = server.connect(GET).await;
    assert!(answer(&mut served).await.ends_with("hello"), "all of them are accepted by now");
    server.stop.send(()).unwrap();
    tokio::time::timeout(MAX_SHUTDOWN_TIME / 2, server.ended).await.expect("it stops").unwrap();
}

#[tokio::test]
async fn a_head_is_bounded_and_refused_in_the_contracts_words() {
    let server = start(patient()).await;
    let long = "x".repeat(200 * 1024);
    for (request, status, error, message) in [
        (format!("GET /{long} HTTP/1.1\r\nhost: a\r\n\r\n"), 431, "Request Header Fields Too Large", "The head of"),
        (format!("GET / HTTP/1.1\r\nhost: a\r\na: {long}"), 431, "Request Header Fields Too Large", "The head of"),
        ("GET / HTTP/1.1\r\nhost: a\r\na b: c\r\n\r\n".into(), 400, "Bad Request", "The request cannot"),
        ("GET / HTTP/9.9\r\n\r\n".into(), 400, "Bad Request", "The request cannot"),
        (
            format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(200)),
            431,
            "Request Header Fields Too Large",
            "The head",
        ),
    ] {
        let text = String::from_utf8(to_end(server.connect(request.as_bytes()).await).await).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status} {error}")), "{head}");
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        assert_eq!((&body["statusCode"], &body["error"]), (&status.into(), &error.into()));
        assert!(body["message"].as_str().unwrap().starts_with(message), "{body}");
    }
}
