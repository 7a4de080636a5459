//! Sends mails: a few at a time, over connections that are kept for the next.

use core::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use shingle_domain::message::ToMessage;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::connection::{Connection, Deadline, Link};
use super::error::{MailError, MailFailure, MailFailureKind, MailReceipt};
use super::fault::Fault;
use super::message::{ComposedMail, MessageId, OutgoingMail, compose};
use super::messages::{Encrypted, LoggedIn, MailAnswer, MailProblem};
use super::settings::MailSettings;

/// Some servers count the mails of a connection.
const MAILS_PER_CONNECTION: u32 = 100;

/// Sends mails through the one server of the settings. Clones share their connections.
#[derive(Clone)]
pub struct Mailer {
    inner: Arc<Inner>,
}

struct Inner {
    settings: MailSettings,
    link: Link,
    permits: Semaphore,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    idle: Vec<Idle>,
    /// A task closes what stays idle, and ends when nothing is left.
    swept: bool,
}

struct Idle {
    connection: Connection,
    since: Instant,
}

impl fmt::Debug for Mailer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailer").field("settings", &self.inner.settings).finish_non_exhaustive()
    }
}

impl Mailer {
    /// Connects to nobody yet.
    pub fn new(settings: MailSettings) -> Result<Self, MailError> {
        let link = Link::new(settings.server.clone(), settings.from.domain(), &settings.roots)?;
        let permits = Semaphore::new(settings.connections);
        Ok(Self { inner: Arc::new(Inner { settings, link, permits, kept: Mutex::default() }) })
    }

    /// The id of a mail of ours; `None` when `name` has other characters than an id may have.
    pub fn message_id(&self, name: &str) -> Option<MessageId> {
        MessageId::parse(&format!("{name}@{}", self.inner.settings.from.domain()))
    }

    /// Sends one mail. The time it may take begins when one of the connections is free; a mail that is written wrongly
    /// is [`MailFailureKind::Refused`] without a connection.
    ///
    /// A kept connection that turns out dead, or tired of us, is replaced by a new one, once, and only before the mail's
    /// content was sent.
    pub async fn send(&self, mail: &OutgoingMail) -> Result<MailReceipt, MailFailure> {
        let inner = &self.inner;
        let composed = compose(mail, &inner.settings)?;
        let _permit = inner.permits.acquire().await.map_err(|_| closed())?;
        let deadline = Deadline::after(inner.settings.timeout);
        let sent = match self.kept() {
            Some(connection) => match self.send_over(connection, &composed, deadline).await {
                Err(fault) if fault.is_of_the_connection() => {
                    // What has ended this one has most likely ended the others.
                    inner.take_idle(|_| true);
                    self.send_anew(&composed, deadline).await
                }
                other => other,
            },
            None => self.send_anew(&composed, deadline).await,
        };
        match sent {
            Ok(response) => Ok(MailReceipt { response }),
            Err(fault) => Err(fault.into_failure(&inner.link.server)),
        }
    }

    /// Whether the server would take mail from us: connects, encrypts, logs in and says goodbye. What it says of the
    /// server is for the operator.
    pub async fn check(&self) -> Result<MailAnswer, MailFailure> {
        let link = &self.inner.link;
        let deadline = Deadline::after(self.inner.settings.timeout);
        let checked = async {
            let mut connection = Connection::open(link, deadline).await?;
            connection.probe(deadline).await?;
            let encryption = if connection.is_encrypted() { Encrypted::Yes } else { Encrypted::No };
            connection.quit().await;
            Ok(encryption)
        };
        let encryption = checked.await.map_err(|fault: Fault| fault.into_failure(&link.server))?;
        let login = if link.server.login.is_some() { LoggedIn::Yes } else { LoggedIn::No };
        let server = format!("{}:{}", link.server.host, link.server.port);
        Ok(MailAnswer::Ready { server, encryption, login })
    }

    /// Says goodbye on all connections that nobody uses.
    pub async fn close(&self) {
        for idle in self.inner.take_idle(|_| true) {
            idle.connection.quit().await;
        }
    }

    async fn send_anew(&self, mail: &ComposedMail, deadline: Deadline) -> Result<String, Fault> {
        let connection = Connection::open(&self.inner.link, deadline).await?;
        self.send_over(connection, mail, deadline).await
    }

    async fn send_over(
        &self,
        mut connection: Connection,
        mail: &ComposedMail,
        deadline: Deadline,
    ) -> Result<String, Fault> {
        let sent = connection.send(mail, deadline).await;
        let usable = match &sent {
            Ok(_) => true,
            Err(fault) => fault.leaves_connection_usable() && connection.reset(deadline).await,
        };
        if usable {
            self.keep(connection);
        } else if matches!(&sent, Err(fault) if fault.is_reply()) {
            tokio::spawn(connection.quit());
        }
        sent
    }

    /// The connection that was used last.
    fn kept(&self) -> Option<Connection> {
        let last = self.inner.lock().idle.pop().filter(|idle| idle.since.elapsed() < self.inner.settings.idle);
        last.map(|idle| idle.connection)
    }

    fn keep(&self, connection: Connection) {
        if connection.mails >= MAILS_PER_CONNECTION {
            tokio::spawn(connection.quit());
            return;
        }
        let mut kept = self.inner.lock();
        kept.idle.push(Idle { connection, since: Instant::now() });
        if !std::mem::replace(&mut kept.swept, true) {
            tokio::spawn(sweep(Arc::downgrade(&self.inner), self.inner.settings.idle));
        }
    }
}

/// Says goodbye on connections that nobody has used for a while.
async fn sweep(mailer: Weak<Inner>, after: Duration) {
    loop {
        tokio::time::sleep(after / 2).await;
        let Some(inner) = mailer.upgrade() else { return };
        for idle in inner.take_idle(|idle| idle.since.elapsed() >= after) {
            idle.connection.quit().await;
        }
        let mut kept = inner.lock();
        if kept.idle.is_empty() {
            kept.swept = false;
            return;
        }
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_idle(&self, which: impl Fn(&Idle) -> bool) -> Vec<Idle> {
        let mut kept = self.lock();
        let (taken, left) = std::mem::take(&mut kept.idle).into_iter().partition(which);
        kept.idle = left;
        taken
    }
}

/// Nothing closes the semaphore; if it were, no mail could go out.
fn closed() -> MailFailure {
    MailFailure {
        kind: MailFailureKind::Unavailable,
        code: None,
        why: MailProblem::Stopped.to_message(),
        may_have_arrived: false,
    }
}
