//! Clients that take and do not ask: they say nothing, say it slowly, or read nothing of what they get. They come from other
//! loopback addresses, so that their share of the connections is not the visitors'.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::dice::Dice;

/// Of each kind; the server allows 64 of one address.
const EACH: u8 = 24;
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// SETTINGS with an initial window of zero, and one that confirms the server's.
const NO_ROOM: &[u8] = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\x04\x01\0\0\0\0";
/// HEADERS: GET, http, / of the static table, and :authority a. It is followed by the next stream's.
const GET: &[u8] = b"\0\0\x06\x01\x05\0\0\0\x01\x82\x86\x84\x41\x01a";

/// They go when it is dropped.
pub fn crowd(server: SocketAddr, dice: &mut Dice) -> JoinSet<()> {
    let mut crowd = JoinSet::new();
    for kind in 2..=7_u8 {
        for _ in 0..EACH {
            crowd.spawn(one(server, kind, dice.fork()));
        }
    }
    crowd
}

/// Comes again whenever it is sent away.
async fn one(server: SocketAddr, kind: u8, mut dice: Dice) {
    loop {
        if let Ok(stream) = connect(server, kind).await {
            // How it ends is the server's business.
            let _ = behave(stream, kind, &mut dice).await;
        }
        tokio::time::sleep(Duration::from_millis(50 + dice.below(200))).await;
    }
}

async fn connect(server: SocketAddr, kind: u8) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind(SocketAddr::new(IpAddr::V4(Ipv4Addr::new(127, 0, 0, kind)), 0))?;
    socket.connect(server).await
}

async fn behave(mut stream: TcpStream, kind: u8, dice: &mut Dice) -> std::io::Result<()> {
    match kind {
        // Silent from the beginning, after half a head, or after the first word of HTTP/2.
        2 => {
            let beginnings: [&[u8]; 4] = [b"", b"GET / HTTP/1.1\r\nhost: a\r\n", b"PRI", PREFACE];
            let beginning = *dice.one_of(&beginnings);
            stream.write_all(beginning).await?;
        }
        // A head, one byte after the other.
        3 => {
            for byte in b"GET /healthz HTTP/1.1\r\nhost: a\r\nx: ".iter().chain(std::iter::repeat_n(&b'x', 400)) {
                stream.write_all(&[*byte]).await?;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        // A body that never comes to its end.
        4 => {
            stream.write_all(b"POST /w/x/leads HTTP/1.1\r\nhost: a\r\ncontent-length: 9000\r\n\r\n").await?;
            for _ in 0..400 {
                stream.write_all(b"x").await?;
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        // Requests without an end, and no answer is read.
        5 => {
            for _ in 0..20_000 {
                stream.write_all(b"GET /schemas/widget-settings.json HTTP/1.1\r\nhost: a\r\n\r\n").await?;
            }
            return std::future::pending().await;
        }
        // HTTP/2 that grants no room for answers.
        6 => {
            stream.write_all(&[PREFACE, NO_ROOM].concat()).await?;
            for id in 0..50_u8 {
                let mut get = GET.to_vec();
                get[8] = 2 * id + 1;
                stream.write_all(&get).await?;
            }
        }
        // Anything.
        _ => stream.write_all(&dice.bytes(20_000)).await?,
    }
    let mut unread = [0; 4_096];
    while stream.read(&mut unread).await? > 0 {}
    Ok(())
}
