//! One connection to the mail server: opened, used for mails one after the other, closed. Each step has a deadline:
//! lettre's own timeout covers the TCP connection alone.
//!
//! # Decision
//!
//! One mail server, driven step by step, with one deadline for the whole exchange. Turned down: lettre's pooled
//! transport, which has no timeout once connected and cannot tell whether a mail without an answer may have been
//! accepted; that decides between sending again and reporting a possible duplicate.

use core::fmt;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, CertificateStore, TlsParameters, TlsParametersBuilder,
};
use lettre::transport::smtp::commands::{Data, Mail, Noop, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension};
use lettre::transport::smtp::response::{Response, Severity};
use rustls::pki_types::CertificateDer;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout, timeout_at};

use super::address::one_line;
use super::error::MailError;
use super::fault::{Cause, Fault, Step, by_kind};
use super::line_stream::LineStream;
use super::message::ComposedMail;
use super::messages::{ServerFault, Unusable};
use super::server::{Encryption, SmtpServer};
use crate::policy::AddressScope;

/// For one address of a server that has several.
const TO_CONNECT: Duration = Duration::from_secs(10);
/// For a server that offers STARTTLS to greet; one that waits for TLS never does.
const TO_GREET: Duration = Duration::from_secs(10);
const TO_QUIT: Duration = Duration::from_secs(2);
/// For a kept connection to answer: it may have died without a word.
const TO_ANSWER: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    whole: Duration,
}

impl Deadline {
    pub(super) fn after(whole: Duration) -> Self {
        Self { at: Instant::now() + whole, whole }
    }

    /// The earlier of this deadline and `whole` from now.
    fn or_after(self, whole: Duration) -> Self {
        let other = Self::after(whole);
        if other.at < self.at { other } else { self }
    }

    async fn step<T>(self, step: Step, work: impl Future<Output = Result<T, SmtpError>>) -> Result<T, Fault> {
        match timeout_at(self.at, work).await {
            Ok(done) => done.map_err(|e| Fault::from_smtp(step, &e)),
            Err(_) => Err(Fault::new(step, Cause::Timeout(self.whole))),
        }
    }
}

/// The server and how to speak to it.
pub(super) struct Link {
    pub(super) server: SmtpServer,
    tls: TlsParameters,
    hello: ClientId,
}

impl Link {
    pub(super) fn new(
        server: SmtpServer,
        our_domain: &str,
        roots: &[CertificateDer<'static>],
    ) -> Result<Self, MailError> {
        let failed = |e: SmtpError| MailError::Tls { why: e.to_string() };
        let mut tls = TlsParametersBuilder::new(server.host.clone()).certificate_store(CertificateStore::WebpkiRoots);
        for root in roots {
            tls = tls.add_root_certificate(Certificate::from_der(root.to_vec()).map_err(failed)?);
        }
        let tls = tls.build_rustls().map_err(failed)?;
        Ok(Self { server, tls, hello: ClientId::Domain(our_domain.to_owned()) })
    }

    /// The server's addresses to which the settings allow a connection.
    async fn addresses(&self) -> Result<Vec<SocketAddr>, Fault> {
        let server = &self.server;
        let no_name = || Fault::new(Step::Connect, Cause::Broken(ServerFault::NoAddress));
        let found = tokio::net::lookup_host((server.host.as_str(), server.port)).await.map_err(|_| no_name())?;
        let mut found: Vec<_> = found.collect();
        if found.is_empty() {
            return Err(no_name());
        }
        if server.encryption == Encryption::Plain {
            found.retain(|at| match server.login {
                Some(_) => at.ip().to_canonical().is_loopback(),
                None => AddressScope::of(at.ip()) == AddressScope::Private,
            });
        }
        if found.is_empty() {
            return Err(Fault::new(Step::Connect, Cause::Unusable(Unusable::NotPrivate)));
        }
        Ok(found)
    }
}

/// Tries one address after the other.
async fn tcp(addresses: &[SocketAddr]) -> Result<TcpStream, Fault> {
    let mut last = by_kind(std::io::ErrorKind::TimedOut);
    for address in addresses {
        match timeout(TO_CONNECT, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => {
                let _ = stream.set_nodelay(true);
                return Ok(stream);
            }
            Ok(Err(error)) => last = by_kind(error.kind()),
            Err(_) => last = by_kind(std::io::ErrorKind::TimedOut),
        }
    }
    Err(Fault::new(Step::Connect, Cause::Broken(last)))
}

pub(super) struct Connection {
    smtp: AsyncSmtpConnection,
    /// Mails that were sent over it, or tried.
    pub(super) mails: u32,
}

impl Connection {
    /// Connected, encrypted and logged in, as the settings say.
    pub(super) async fn open(link: &Link, deadline: Deadline) -> Result<Self, Fault> {
        let connected = timeout_at(deadline.at, Self::connect(link)).await;
        let late = |_| Fault::new(Step::Connect, Cause::Timeout(deadline.whole));
        let mut connection = Self { smtp: connected.map_err(late)??, mails: 0 };
        if link.server.encryption == Encryption::StartTls {
            connection.start_tls(link, deadline).await?;
        }
        connection.log_in(link, deadline).await?;
        Ok(connection)
    }

    async fn connect(link: &Link) -> Result<AsyncSmtpConnection, Fault> {
        let addresses = link.addresses().await?;
        let connected = if link.server.encryption == Encryption::Tls {
            let tls = Some(link.tls.clone());
            AsyncSmtpConnection::connect_tokio1(&addresses[..], Some(TO_CONNECT), &link.hello, tls, None).await
        } else {
            let stream = Box::new(LineStream::new(tcp(&addresses).await?));
            let connecting = AsyncSmtpConnection::connect_with_transport(stream, &link.hello);
            match link.server.encryption {
                Encryption::StartTls => timeout(TO_GREET, connecting)
                    .await
                    .map_err(|_| Fault::new(Step::Connect, Cause::Broken(ServerFault::Silent)))?,
                _ => connecting.await,
            }
        };
        connected.map_err(|e| Fault::from_smtp(Step::Connect, &e))
    }

    async fn start_tls(&mut self, link: &Link, deadline: Deadline) -> Result<(), Fault> {
        if !self.smtp.server_info().supports_feature(Extension::StartTls) {
            return Err(Fault::new(Step::StartTls, Cause::Unusable(Unusable::NoStartTls)));
        }
        deadline.step(Step::StartTls, self.smtp.starttls(link.tls.clone(), &link.hello)).await
    }

    async fn log_in(&mut self, link: &Link, deadline: Deadline) -> Result<(), Fault> {
        const MECHANISMS: &[Mechanism] = &[Mechanism::Plain, Mechanism::Login];
        let Some((user, password)) = &link.server.login else { return Ok(()) };
        if self.smtp.server_info().get_auth_mechanism(MECHANISMS).is_none() {
            return Err(Fault::new(Step::Login, Cause::Unusable(Unusable::NoMechanism)));
        }
        let credentials = Credentials::new(user.clone(), password.clone());
        deadline.step(Step::Login, self.smtp.auth(MECHANISMS, &credentials)).await.map(|_| ())
    }

    /// Hands over one mail, and returns what the server says to it.
    pub(super) async fn send(&mut self, mail: &ComposedMail, deadline: Deadline) -> Result<String, Fault> {
        // The rest of the time is for a new connection.
        let first = if self.mails > 0 { deadline.or_after(TO_ANSWER.min(deadline.whole / 4)) } else { deadline };
        self.mails += 1;
        let smtp = &mut self.smtp;
        first.step(Step::Sender, smtp.command(Mail::new(Some(mail.from.clone()), Vec::new()))).await?;
        deadline.step(Step::Recipient, smtp.command(Rcpt::new(mail.to.clone(), Vec::new()))).await?;
        let go = deadline.step(Step::Data, smtp.command(Data)).await?;
        if !go.has_code(354) {
            return Err(Fault::new(Step::Data, Cause::Broken(ServerFault::NotSmtp)));
        }
        let taken = deadline.step(Step::Content, smtp.command(Content(&mail.text))).await?;
        if taken.code().severity != Severity::PositiveCompletion {
            return Err(Fault::new(Step::Content, Cause::Broken(ServerFault::NotSmtp)));
        }
        Ok(text_of(&taken))
    }

    /// Forgets the mail that was refused; whether the connection can take another.
    pub(super) async fn reset(&mut self, deadline: Deadline) -> bool {
        deadline.or_after(TO_ANSWER).step(Step::Probe, self.smtp.command("RSET\r\n")).await.is_ok()
    }

    pub(super) async fn probe(&mut self, deadline: Deadline) -> Result<(), Fault> {
        deadline.step(Step::Probe, self.smtp.command(Noop)).await.map(|_| ())
    }

    pub(super) fn is_encrypted(&self) -> bool {
        self.smtp.is_encrypted()
    }

    /// Says goodbye, and does not wait long for the answer.
    pub(super) async fn quit(mut self) {
        let _ = timeout(TO_QUIT, self.smtp.quit()).await;
    }
}

/// A mail as DATA sends it, in one piece: lettre writes the last dot separately, which over TLS waits 40 ms for the
/// other side's acknowledgement (Nagle's algorithm).
struct Content<'a>(&'a str);

impl fmt::Display for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.0.split("\r\n") {
            let dot = if line.starts_with('.') { "." } else { "" };
            write!(f, "{dot}{line}\r\n")?;
        }
        f.write_str(".\r\n")
    }
}

/// Code and text in one line.
fn text_of(response: &Response) -> String {
    let text = response.message().collect::<Vec<_>>().join(" ");
    let line = one_line(&text, 500);
    format!("{} {line}", response.code()).trim_end().to_owned()
}
