//! A server on this machine that answers what it is told, in order, and keeps what it was asked.

use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

#[derive(Debug, Clone)]
pub struct Asked {
    pub method: String,
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

pub struct Server {
    pub url: Url,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    pub async fn start(answers: Vec<Answer>) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap()).parse().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (kept, mut answers) = (asked.clone(), VecDeque::from(answers));
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let answer = answers.pop_front();
                talk(socket, answer, &kept).await;
            }
        });
        Self { url, asked }
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn talk(mut socket: TcpStream, answer: Option<Answer>, kept: &Mutex<Vec<Asked>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match socket.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let mut lines = head.lines();
    let mut first = lines.next().unwrap().split(' ');
    let headers: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    socket.read_exact(&mut body).await.unwrap();
    let (method, path) = (first.next().unwrap().to_owned(), first.next().unwrap().to_owned());
    kept.lock().unwrap().push(Asked { method, path, headers, body });
    // A request nobody expected gets a status that no target uses.
    let answer = answer.unwrap_or(Answer { status: 599, headers: Vec::new(), body: Vec::new() });
    let mut reply = format!("HTTP/1.1 {} x\r\nconnection: close\r\n", answer.status);
    for (name, value) in &answer.headers {
        reply.push_str(&format!("{name}: {value}\r\n"));
    }
    reply.push_str(&format!("content-length: {}\r\n\r\n", answer.body.len()));
    let _ = socket.write_all(reply.as_bytes()).await;
    let _ = socket.write_all(&answer.body).await;
    let _ = socket.shutdown().await;
}
