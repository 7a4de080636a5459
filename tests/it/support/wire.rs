//! The way to PostgreSQL, which can fall silent.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::unix::{OwnedReadHalf as FromDatabase, OwnedWriteHalf as ToDatabase};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::{oneshot, watch};

/// A proxy on a port of this machine. Whatever becomes of its connections, the client hears nothing of it.
pub struct Wire {
    pub address: String,
    state: Arc<State>,
}

struct State {
    /// Of the server's socket.
    folder: Mutex<String>,
    open: watch::Sender<bool>,
    /// Connections that were laid before this number are dead.
    cut: watch::Sender<u32>,
    laid: AtomicU32,
    /// The words of a client at which every connection dies, once.
    fatal: Mutex<Option<&'static str>>,
    /// The database server hears of a dead connection, and ends its session.
    tells_database: bool,
}

impl Wire {
    /// As a NAT gateway does it: both ends keep what they have.
    #[allow(dead_code, reason = "not for the long run")]
    pub async fn lay(to: &url::Url) -> Self {
        Self::lay_to(to, false).await
    }

    /// As a failover does it: the server at the other end is gone, with its sessions.
    #[allow(dead_code, reason = "for the long run alone")]
    pub async fn lay_to_one_of_two(to: &url::Url) -> Self {
        Self::lay_to(to, true).await
    }

    async fn lay_to(to: &url::Url, tells_database: bool) -> Self {
        let folder = to.query_pairs().find(|(name, _)| name == "host").unwrap().1.into_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("postgres://shingle@{}{}", listener.local_addr().unwrap(), to.path());
        let state = Arc::new(State {
            folder: Mutex::new(folder),
            open: watch::Sender::new(true),
            cut: watch::Sender::new(0),
            laid: AtomicU32::new(0),
            fatal: Mutex::new(None),
            tells_database,
        });
        let of_all = state.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let number = of_all.laid.fetch_add(1, Ordering::SeqCst);
                let folder = of_all.folder.lock().unwrap().clone();
                // None while the database is down: its port is closed then.
                if let Ok(server) = UnixStream::connect(format!("{folder}/.s.PGSQL.5432")).await {
                    of_all.clone().join(number, client, server);
                }
            }
        });
        Self { address, state }
    }

    /// Connections from now on are with the server in this folder, as an address moves in a failover.
    #[allow(dead_code, reason = "where there is another server")]
    pub fn lead_to(&self, folder: &str) {
        folder.clone_into(&mut self.state.folder.lock().unwrap());
    }

    /// Whether anything passes. What does not, waits.
    pub fn set_open(&self, open: bool) {
        self.state.open.send_replace(open);
    }

    /// Connections that exist are dead without a word, and new ones work; how many there were.
    pub fn cut_all(&self) -> u32 {
        self.state.cut_all()
    }

    /// The next time a client says this, all connections die, and it is not heard.
    #[allow(dead_code, reason = "the long run cuts at any time")]
    pub fn cut_at(&self, words: &'static str) {
        *self.state.fatal.lock().unwrap() = Some(words);
    }

    /// Whether what [`Wire::cut_at`] waits for was said.
    #[allow(dead_code, reason = "the long run cuts at any time")]
    pub fn was_said(&self) -> bool {
        self.state.fatal.lock().unwrap().is_none()
    }
}

impl State {
    fn cut_all(&self) -> u32 {
        let laid = self.laid.load(Ordering::SeqCst);
        self.cut.send_replace(laid);
        laid
    }

    fn join(self: Arc<Self>, number: u32, client: TcpStream, server: UnixStream) {
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        let (client_went, client_is_gone) = oneshot::channel();
        tokio::spawn(self.clone().carry_there(number, from_client, to_server, client_went));
        tokio::spawn(self.carry_back(number, from_server, to_client, client_is_gone));
    }

    fn is_cut(&self, number: u32) -> bool {
        *self.cut.borrow() > number
    }

    fn hear(&self, bytes: &[u8]) {
        let mut words = self.fatal.lock().unwrap();
        if words.is_some_and(|words| bytes.windows(words.len()).any(|window| window == words.as_bytes())) {
            *words = None;
            self.cut_all();
        }
    }

    async fn carry_there(
        self: Arc<Self>,
        number: u32,
        mut from: OwnedReadHalf,
        to: ToDatabase,
        client_went: oneshot::Sender<()>,
    ) {
        let (mut bytes, mut to) = ([0; 16_384], Some(to));
        let mut cut = self.cut.subscribe();
        loop {
            let read = tokio::select! {
                read = from.read(&mut bytes) => read,
                () = async { drop(cut.wait_for(|cut| *cut > number).await) }, if to.is_some() && self.tells_database => {
                    to = None;
                    continue;
                }
            };
            let Ok(count @ 1..) = read else { break };
            self.hear(&bytes[..count]);
            if self.is_cut(number) {
                continue;
            }
            let Some(to) = &mut to else { continue };
            if self.open.subscribe().wait_for(|open| *open).await.is_err()
                || to.write_all(&bytes[..count]).await.is_err()
            {
                break;
            }
        }
        // Nobody may be left to hear it.
        let _ = client_went.send(());
    }

    async fn carry_back(
        self: Arc<Self>,
        number: u32,
        mut from: FromDatabase,
        mut to: OwnedWriteHalf,
        client_is_gone: oneshot::Receiver<()>,
    ) {
        let mut bytes = [0; 16_384];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            if self.is_cut(number) {
                continue;
            }
            if self.open.subscribe().wait_for(|open| *open).await.is_err()
                || to.write_all(&bytes[..count]).await.is_err()
            {
                return;
            }
        }
        if self.is_cut(number) {
            // Without a word.
            let _ = client_is_gone.await;
        }
    }
}
