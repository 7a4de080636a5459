//! The program with the feature `otel`: what a collector gets of its requests, and what it does not.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use serde_json::Value;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// Takes what is sent to it, says yes, and hands the bodies on.
fn collector() -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("http://{}", listener.local_addr().unwrap());
    let (bodies, received) = channel();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let bodies = bodies.clone();
            std::thread::spawn(move || {
                let mut reader = BufReader::new(socket.unwrap());
                while let Some((head, body)) = request(&mut reader) {
                    assert!(head.starts_with("POST /v1/traces ") && head.contains("application/x-protobuf"), "{head}");
                    bodies.send(body).unwrap();
                    reader.get_mut().write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
                }
            });
        }
    });
    (at, received)
}

fn request(reader: &mut BufReader<TcpStream>) -> Option<(String, Vec<u8>)> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.to_lowercase().split("content-length: ").nth(1)?.split("\r\n").next()?.parse().ok()?;
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((head, body))
}

/// One field of a message of protobuf.
enum Wire<'m> {
    Number(u64),
    Bytes(&'m [u8]),
}

fn varint(from: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (first, rest) = from.split_first().unwrap();
        *from = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            break;
        }
    }
    value
}

fn fields(mut message: &[u8]) -> Vec<(u64, Wire<'_>)> {
    let mut found = Vec::new();
    while !message.is_empty() {
        let tag = varint(&mut message);
        let mut take = |length: usize| {
            let (taken, rest) = message.split_at(length);
            message = rest;
            taken
        };
        let wire = match tag & 7 {
            1 => Wire::Number(u64::from_le_bytes(take(8).try_into().unwrap())),
            5 => Wire::Number(u32::from_le_bytes(take(4).try_into().unwrap()).into()),
            0 => Wire::Number(varint(&mut message)),
            2 => {
                let length = varint(&mut message) as usize;
                let (taken, rest) = message.split_at(length);
                message = rest;
                Wire::Bytes(taken)
            }
            other => panic!("wire type {other}"),
        };
        found.push((tag >> 3, wire));
    }
    found
}

fn messages(message: &[u8], number: u64) -> Vec<&[u8]> {
    let of = |(n, wire)| match wire {
        Wire::Bytes(bytes) if n == number => Some(bytes),
        _ => None,
    };
    fields(message).into_iter().filter_map(of).collect()
}

fn number(message: &[u8], which: u64) -> u64 {
    let of = |(n, wire)| match wire {
        Wire::Number(number) if n == which => Some(number),
        _ => None,
    };
    fields(message).into_iter().find_map(of).unwrap_or_default()
}

fn text(message: &[u8], number: u64) -> String {
    messages(message, number).first().map(|bytes| String::from_utf8(bytes.to_vec()).unwrap()).unwrap_or_default()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A span by the numbers of `opentelemetry/proto/trace/v1/trace.proto`.
#[derive(Debug)]
struct Span {
    trace: String,
    id: String,
    parent: String,
    state: String,
    name: String,
    kind: u64,
    attributes: Vec<(String, String)>,
    events: usize,
}

impl Span {
    fn read(span: &[u8]) -> Self {
        let bytes = |number| hex(messages(span, number).first().copied().unwrap_or_default());
        let attribute = |pair: &[u8]| {
            let value = messages(pair, 2)[0];
            let text = text(value, 1);
            (self::text(pair, 1), if text.is_empty() { number(value, 3).to_string() } else { text })
        };
        Self {
            trace: bytes(1),
            id: bytes(2),
            state: text(span, 3),
            parent: bytes(4),
            name: text(span, 5),
            kind: number(span, 6),
            attributes: messages(span, 9).into_iter().map(attribute).collect(),
            events: messages(span, 11).len(),
        }
    }

    fn all(export: &[u8]) -> Vec<Self> {
        let resources = messages(export, 1);
        let scopes = resources.iter().flat_map(|resource| messages(resource, 2));
        scopes.flat_map(|scope| messages(scope, 2)).map(Self::read).collect()
    }

    fn has(&self, name: &str, value: &str) -> bool {
        self.attributes.iter().any(|(n, v)| n == name && v == value)
    }
}

fn shingle(data: &Path, words: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shingle"));
    let output = command.current_dir(data).args(words).arg("--json").arg("--data").arg(data).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn serve(data: &Path, variables: &[(&str, &str)]) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shingle"));
    command.current_dir(data).args(["serve", "--listen", "127.0.0.1:0", "--json", "--data"]).arg(data);
    command.envs(variables.iter().copied()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let ready: Value = serde_json::from_str(&line).unwrap();
    (server, ready["listening"].as_str().unwrap().to_owned())
}

fn end(server: Child) -> String {
    assert!(Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap().success());
    let output = server.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    String::from_utf8(output.stderr).unwrap()
}

/// The status and the id of the request.
fn get(at: &str, path: &str, headers: &str) -> (u16, String) {
    let mut socket = TcpStream::connect(at).unwrap();
    socket
        .write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{headers}\r\n").as_bytes())
        .unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let id = answer.split("x-request-id: ").nth(1).unwrap().split("\r\n").next().unwrap();
    (answer[9..12].parse().unwrap(), id.to_owned())
}

#[test]
fn a_collector_gets_a_span_for_each_request_with_nothing_of_a_person_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let account = shingle(data, &["account", "create", "--name", "Oak"])["id"].as_str().unwrap().to_owned();
    let key =
        shingle(data, &["key", "issue", "--account", &account, "--env", "sandbox"])["key"].as_str().unwrap().to_owned();
    let (url, received) = collector();
    let said = format!(
        "token: {key}\r\ntraceparent: 00-{TRACE}-{PARENT}-01\r\ntracestate: who=Zephyrine\r\nuser-agent: Wallaby/77\r\n\
         x-forwarded-for: 203.0.113.77\r\ncookie: a=Zephyrine\r\n"
    );
    let look_up = "/api/v1/solar-index?address=14%20Alder%20Court";
    let stranger = "/nowhere/Zephyrine?email=zq.roof@example.com";
    let trusting = [("SHINGLE_OTLP_URL", url.as_str()), ("SHINGLE_TRUSTED_PROXY", "127.0.0.1")];
    let (server, at) = serve(data, &trusting);
    let (found, wrong) = (get(&at, look_up, &format!("{said}x-forwarded-proto: https\r\n")), get(&at, stranger, ""));
    assert_eq!((found.0, wrong.0), (200, 404));
    let log = end(server);
    assert!(log.contains(TRACE) && log.contains(&found.1), "{log}");
    let sent: Vec<Vec<u8>> = received.try_iter().collect();
    let spans: Vec<Span> = sent.iter().flat_map(|export| Span::all(export)).collect();
    assert_eq!(spans.len(), 2, "{spans:?}");
    let one = spans.iter().find(|span| span.has("shingle.request_id", &found.1)).unwrap();
    let at_once = (one.name.as_str(), one.kind, one.trace.as_str(), one.parent.as_str());
    assert_eq!(at_once, ("GET /api/v1/solar-index", 2, TRACE, PARENT));
    for (name, value) in [
        ("http.request.method", "GET"),
        ("http.route", "/api/v1/solar-index"),
        ("http.response.status_code", "200"),
        ("shingle.product", "solar-index"),
        ("shingle.match_level", "exact"),
    ] {
        assert!(one.has(name, value), "{name}={value}: {one:?}");
    }
    let other = spans.iter().find(|span| span.has("shingle.request_id", &wrong.1)).unwrap();
    assert_eq!((other.name.as_str(), other.parent.as_str()), ("GET", ""));
    assert!(other.has("http.response.status_code", "404") && other.attributes.len() == 3, "{other:?}");
    assert!(other.id.len() == 16 && other.trace.len() == 32 && other.trace != TRACE);
    assert!(spans.iter().all(|span| span.state.is_empty() && span.events == 0), "{spans:?}");
    let all = String::from_utf8_lossy(&sent.concat()).into_owned();
    assert!(all.contains("service.name"), "it is read as text");
    for personal in ["Alder", "Zephyrine", "zq.roof", "Wallaby", "203.0.113", &key, "nowhere"] {
        assert!(!all.contains(personal), "{personal} in a trace");
    }

    // A client that is not a trusted proxy chooses no trace.
    let (server, at) = serve(data, &trusting[..1]);
    let (status, id) = get(&at, look_up, &said);
    assert_eq!(status, 200);
    end(server);
    let spans: Vec<Span> = received.try_iter().flat_map(|export| Span::all(&export)).collect();
    let own = spans.iter().find(|span| span.has("shingle.request_id", &id)).unwrap();
    assert!(own.trace != TRACE && own.parent.is_empty(), "{own:?}");
}

#[test]
fn a_collector_that_is_away_costs_no_request_and_is_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (server, at) = serve(folder.path(), &[("SHINGLE_OTLP_URL", &format!("http://{gone}"))]);
    for _ in 0..3 {
        assert_eq!(get(&at, "/healthz", "").0, 200);
    }
    let log = end(server);
    assert_eq!(log.matches("traces do not reach the collector").count(), 1, "{log}");
}
