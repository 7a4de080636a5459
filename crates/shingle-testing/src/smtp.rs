//! An SMTP server for tests, which takes mail and can be told to misbehave at any step.
//!
//! ```
//! use shingle_testing::smtp::{Behavior, SmtpServer, Step};
//!
//! let server = SmtpServer::start();
//! server.once(Step::Recipient, Behavior::reply("550 5.1.1 No such user"));
//! // Mail to smtp://127.0.0.1:{port} is now refused once, and then taken.
//! assert_ne!(server.port(), 0);
//! ```

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Where a client is in its exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It has connected and waits for the greeting.
    Greeting,
    Hello,
    StartTls,
    Auth,
    Sender,
    Recipient,
    Data,
    /// It has sent the whole mail and waits for the answer.
    Content,
    Reset,
    Noop,
    Quit,
}

/// What the server does at a step instead of what it should do.
#[derive(Debug, Clone)]
pub enum Behavior {
    /// These bytes, as they are.
    Raw(Vec<u8>),
    /// These bytes, and closes the connection.
    RawAndClose(Vec<u8>),
    Close,
    /// Nothing, until the client goes away.
    Hang,
    /// One byte of an endless answer, and the next one after the pause.
    Drip(Duration),
    /// Nothing until [`SmtpServer::release`]; then what it should do.
    Hold,
}

impl Behavior {
    /// One line.
    pub fn reply(line: &str) -> Self {
        Self::Raw(format!("{line}\r\n").into_bytes())
    }
}

/// A mail whose content has arrived, whatever the server answered to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedMail {
    pub from: String,
    pub to: Vec<String>,
    /// As written by the sender, without the dots of transport.
    pub bytes: Vec<u8>,
    pub encrypted: bool,
    /// The user who has logged in.
    pub user: Option<String>,
    /// Connections are counted from 1.
    pub connection: usize,
    /// The server said 250.
    pub accepted: bool,
}

pub trait Stream: Read + Write + Send {}
impl<T: Read + Write + Send> Stream for T {}

/// Makes a TLS stream of a connection: the tests bring the TLS library.
pub type Encrypt = Box<dyn Fn(TcpStream) -> io::Result<Box<dyn Stream>> + Send + Sync>;

#[derive(Default)]
pub struct SmtpOptions {
    /// `PLAIN LOGIN`; nothing is offered when empty.
    pub auth: &'static str,
    /// Who may log in.
    pub login: (&'static str, &'static str),
    /// Offers STARTTLS.
    pub starttls: bool,
    /// TLS from the first byte.
    pub implicit_tls: bool,
    pub encrypt: Option<Encrypt>,
}

#[derive(Default)]
struct Shared {
    options: SmtpOptions,
    once: Mutex<VecDeque<(Step, Behavior)>>,
    always: Mutex<Vec<(Step, Behavior)>>,
    refused: Mutex<Vec<(String, String)>>,
    commands: Mutex<Vec<String>>,
    open: Mutex<Vec<TcpStream>>,
    connections: Mutex<usize>,
    released: (Mutex<bool>, Condvar),
    stopped: AtomicBool,
}

/// Runs until it is dropped.
pub struct SmtpServer {
    port: u16,
    shared: Arc<Shared>,
    mails: Mutex<Receiver<ReceivedMail>>,
}

impl SmtpServer {
    /// Without encryption and login.
    pub fn start() -> Self {
        Self::with(SmtpOptions::default())
    }

    pub fn with(options: SmtpOptions) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("a bound socket has an address").port();
        let shared = Arc::new(Shared { options, ..Shared::default() });
        let (sender, mails) = channel();
        let accepting = shared.clone();
        thread::spawn(move || accept(&listener, &accepting, &sender));
        Self { port, shared, mails: Mutex::new(mails) }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The next time a client comes to this step. Several of one step happen in the order in which they were told.
    pub fn once(&self, step: Step, behavior: Behavior) {
        lock(&self.shared.once).push_back((step, behavior));
    }

    /// Every time a client comes to this step.
    pub fn always(&self, step: Step, behavior: Behavior) {
        lock(&self.shared.always).push((step, behavior));
    }

    /// One recipient is answered with this line, always.
    pub fn refuse(&self, recipient: &str, reply: &str) {
        lock(&self.shared.refused).push((recipient.to_owned(), reply.to_owned()));
    }

    /// Nobody is refused any more.
    pub fn accept_all(&self) {
        lock(&self.shared.refused).clear();
    }

    /// Ends what [`Behavior::Hold`] holds, now and later.
    pub fn release(&self) {
        *lock(&self.shared.released.0) = true;
        self.shared.released.1.notify_all();
    }

    /// The mails that have arrived since the last call.
    pub fn mails(&self) -> Vec<ReceivedMail> {
        lock(&self.mails).try_iter().collect()
    }

    /// The next mail; waits for it.
    pub fn next_mail(&self) -> ReceivedMail {
        let waited = lock(&self.mails).recv_timeout(Duration::from_secs(30));
        waited.expect("a mail arrives within 30 seconds")
    }

    /// The command lines of all connections, in order.
    pub fn commands(&self) -> Vec<String> {
        lock(&self.shared.commands).clone()
    }

    /// How many clients have connected.
    pub fn connections(&self) -> usize {
        *lock(&self.shared.connections)
    }

    /// Closes every connection without a word, as a restart of the server does.
    pub fn close_connections(&self) {
        for stream in lock(&self.shared.open).drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.release();
        self.close_connections();
        self.shared.stopped.store(true, Ordering::Release);
        // Wakes the accepting thread.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>, mails: &Sender<ReceivedMail>) {
    for stream in listener.incoming() {
        let Ok(stream) = stream else { return };
        if shared.stopped.load(Ordering::Acquire) {
            return;
        }
        let number = {
            let mut count = lock(&shared.connections);
            *count += 1;
            *count
        };
        if let Ok(copy) = stream.try_clone() {
            lock(&shared.open).push(copy);
        }
        let (shared, mails) = (shared.clone(), mails.clone());
        thread::spawn(move || {
            let closing = stream.try_clone();
            let mut session = Session::new(stream, &shared, number);
            // A client that goes away ends the session.
            let _ = session.run(&mails);
            drop(session);
            if let Ok(stream) = closing {
                let _ = stream.shutdown(Shutdown::Both);
            }
        });
    }
}

struct Session<'a> {
    shared: &'a Shared,
    /// Kept to be encrypted later.
    tcp: Option<TcpStream>,
    stream: BufReader<Box<dyn Stream>>,
    mail: ReceivedMail,
}

enum Next {
    AsUsual,
    Done,
}

impl<'a> Session<'a> {
    fn new(tcp: TcpStream, shared: &'a Shared, connection: usize) -> Self {
        let copy: Box<dyn Stream> = Box::new(tcp.try_clone().expect("a socket can be copied"));
        let mail = ReceivedMail {
            from: String::new(),
            to: Vec::new(),
            bytes: Vec::new(),
            encrypted: false,
            user: None,
            connection,
            accepted: false,
        };
        Self { shared, tcp: Some(tcp), stream: BufReader::new(copy), mail }
    }

    fn run(&mut self, mails: &Sender<ReceivedMail>) -> io::Result<()> {
        if self.shared.options.implicit_tls {
            self.encrypt()?;
        }
        self.answer(Step::Greeting, "220 mail.example.org ESMTP")?;
        loop {
            let line = self.line()?;
            lock(&self.shared.commands).push(line.clone());
            let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
            match verb.to_ascii_uppercase().as_str() {
                "EHLO" => {
                    let reply = self.extensions();
                    self.answer(Step::Hello, &reply)?;
                }
                "STARTTLS" => {
                    self.answer(Step::StartTls, "220 go ahead")?;
                    self.encrypt()?;
                }
                "AUTH" => self.auth(rest)?,
                "MAIL" => {
                    self.mail.from = address(rest);
                    self.mail.to.clear();
                    self.answer(Step::Sender, "250 2.1.0 Ok")?;
                }
                "RCPT" => {
                    let recipient = address(rest);
                    let refused = lock(&self.shared.refused).iter().find(|(to, _)| *to == recipient).cloned();
                    self.mail.to.push(recipient);
                    let usual = refused.map_or_else(|| "250 2.1.5 Ok".to_owned(), |(_, reply)| reply);
                    self.answer(Step::Recipient, &usual)?;
                }
                "DATA" => self.data(mails)?,
                "RSET" => self.answer(Step::Reset, "250 2.0.0 Ok")?,
                "NOOP" => self.answer(Step::Noop, "250 2.0.0 Ok")?,
                "QUIT" => {
                    self.answer(Step::Quit, "221 2.0.0 Bye")?;
                    return Ok(());
                }
                _ => self.write(b"500 5.5.1 Unknown command\r\n")?,
            }
        }
    }

    fn extensions(&self) -> String {
        let options = &self.shared.options;
        let mut lines = vec!["mail.example.org".to_owned(), "PIPELINING".to_owned(), "8BITMIME".to_owned()];
        if options.starttls && !self.mail.encrypted {
            lines.push("STARTTLS".to_owned());
        }
        if !options.auth.is_empty() {
            lines.push(format!("AUTH {}", options.auth));
        }
        let last = lines.pop().unwrap_or_default();
        let before: String = lines.iter().map(|line| format!("250-{line}\r\n")).collect();
        format!("{before}250 {last}")
    }

    fn auth(&mut self, rest: &str) -> io::Result<()> {
        let given = if let Some(token) = rest.strip_prefix("PLAIN ") {
            let text = decode_base64(token);
            let mut parts = text.split('\0').skip(1).map(str::to_owned);
            (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
        } else {
            self.write(b"334 VXNlcm5hbWU6\r\n")?;
            let user = decode_base64(&self.line()?);
            self.write(b"334 UGFzc3dvcmQ6\r\n")?;
            (user, decode_base64(&self.line()?))
        };
        let (user, password) = self.shared.options.login;
        if (given.0.as_str(), given.1.as_str()) != (user, password) {
            return self.answer(Step::Auth, "535 5.7.8 Authentication failed");
        }
        self.mail.user = Some(given.0);
        self.answer(Step::Auth, "235 2.7.0 Ok")
    }

    fn data(&mut self, mails: &Sender<ReceivedMail>) -> io::Result<()> {
        match self.behave(Step::Data)? {
            Next::AsUsual => self.write(b"354 End data with <CR><LF>.<CR><LF>\r\n")?,
            Next::Done => return Ok(()),
        }
        self.mail.bytes = self.content()?;
        let behavior = self.shared.behavior(Step::Content);
        self.mail.accepted = behavior.is_none();
        // Before the answer, so that the mail is there when the sender has been told.
        let _ = mails.send(self.mail.clone());
        match self.act(behavior)? {
            Next::AsUsual => self.write(b"250 2.0.0 Ok: queued as 1\r\n"),
            Next::Done => Ok(()),
        }
    }

    fn content(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        loop {
            let mut line = Vec::new();
            if self.stream.read_until(b'\n', &mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            match line.as_slice() {
                b".\r\n" => return Ok(bytes),
                [b'.', rest @ ..] => bytes.extend_from_slice(rest),
                line => bytes.extend_from_slice(line),
            }
        }
    }

    fn encrypt(&mut self) -> io::Result<()> {
        let (Some(encrypt), Some(tcp)) = (&self.shared.options.encrypt, self.tcp.take()) else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        self.stream = BufReader::new(encrypt(tcp)?);
        self.mail.encrypted = true;
        Ok(())
    }

    /// The answer of this step, unless it is told to do something else.
    fn answer(&mut self, step: Step, usual: &str) -> io::Result<()> {
        match self.behave(step)? {
            Next::AsUsual => self.write(format!("{usual}\r\n").as_bytes()),
            Next::Done => Ok(()),
        }
    }

    fn behave(&mut self, step: Step) -> io::Result<Next> {
        let behavior = self.shared.behavior(step);
        self.act(behavior)
    }

    fn act(&mut self, behavior: Option<Behavior>) -> io::Result<Next> {
        match behavior {
            None => return Ok(Next::AsUsual),
            Some(Behavior::Hold) => {
                let (released, changed) = &self.shared.released;
                let waited = changed.wait_while(lock(released), |released| !*released);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
                return Ok(Next::AsUsual);
            }
            Some(Behavior::Raw(bytes)) => self.write(&bytes)?,
            Some(Behavior::RawAndClose(bytes)) => {
                self.write(&bytes)?;
                return Err(io::ErrorKind::ConnectionAborted.into());
            }
            Some(Behavior::Close) => return Err(io::ErrorKind::ConnectionAborted.into()),
            Some(Behavior::Hang) => {
                io::copy(&mut self.stream, &mut io::sink())?;
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            Some(Behavior::Drip(pause)) => {
                let endless = b"250-drip\r\n".iter().cycle();
                for byte in endless {
                    self.write(&[*byte])?;
                    thread::sleep(pause);
                }
            }
        }
        Ok(Next::Done)
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(line.trim_end().to_owned())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let stream = self.stream.get_mut();
        stream.write_all(bytes)?;
        stream.flush()
    }
}

impl Shared {
    fn behavior(&self, step: Step) -> Option<Behavior> {
        let mut once = lock(&self.once);
        if let Some(at) = once.iter().position(|(on, _)| *on == step) {
            return once.remove(at).map(|(_, behavior)| behavior);
        }
        let always = lock(&self.always);
        always.iter().rev().find(|(on, _)| *on == step).map(|(_, behavior)| behavior.clone())
    }
}

/// A test that has failed while it held the lock has said so already.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `FROM:<a@example.com> SIZE=1`
fn address(text: &str) -> String {
    let inside = text.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    inside.map_or(text, |(address, _)| address).to_owned()
}

fn decode_base64(text: &str) -> String {
    let value = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::new());
    for sextet in text.bytes().filter_map(value) {
        bits = bits << 6 | u32::from(sextet);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
