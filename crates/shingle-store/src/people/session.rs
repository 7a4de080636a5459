//! Signed-in browsers.

use std::borrow::Cow;
use std::time::Duration;

use shingle_domain::{Email, SessionId, Timestamp, UserId};

use crate::StoreError;
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::people::People;
use crate::people::passkey_ceremony::CEREMONY_LIFETIME;
use crate::people::person::of_person;
use crate::people::token::{may_be_token, new_token};
use crate::people::user::User;
use crate::store::{given_ids, parse_id, require_row};

/// Without use.
pub const SESSION_IDLE: Duration = Duration::from_secs(14 * 24 * 3_600);
/// In any case.
pub const SESSION_LIFETIME: Duration = Duration::from_secs(90 * 24 * 3_600);
/// How exactly the last use is known: not every page is a write.
const USE_RECORDED_EVERY: Duration = Duration::from_secs(60);
const MAX_TEXT: usize = 200;

/// How a browser was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInWay {
    Invite,
    Passkey,
    MailedLink,
    MailedCode,
    RecoveryCode,
    CommandLine,
}

impl SignInWay {
    const ALL: [Self; 6] =
        [Self::Invite, Self::Passkey, Self::MailedLink, Self::MailedCode, Self::RecoveryCode, Self::CommandLine];

    /// Whether only the mailbox of the address had what let the browser in.
    pub fn shows_mailbox(self) -> bool {
        matches!(self, Self::MailedLink | Self::MailedCode)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Invite => "invite",
            Self::Passkey => "passkey",
            Self::MailedLink => "mailedLink",
            Self::MailedCode => "mailedCode",
            Self::RecoveryCode => "recoveryCode",
            Self::CommandLine => "commandLine",
        }
    }
}

/// What is known of a browser.
#[derive(Debug, Clone, Copy)]
pub struct SessionOrigin<'o> {
    pub way: SignInWay,
    pub user_agent: &'o str,
    pub network: &'o str,
    /// The company's own domain at which it begins; empty at the installation's names. It is good there alone: the
    /// domain may lead to another server tomorrow.
    pub domain: &'o str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: SessionId,
    pub user: UserId,
    pub way: SignInWay,
    pub user_agent: String,
    pub network: String,
    pub created_at: Timestamp,
    pub last_used_at: Timestamp,
}

row! {
    struct SessionRow {
        id: String,
        user_id: String,
        way: String,
        user_agent: String,
        network: String,
        created_at: i64,
        last_used_at: i64,
    }
}

impl TryFrom<SessionRow> for Session {
    type Error = StoreError;

    fn try_from(row: SessionRow) -> Result<Self, StoreError> {
        let way = SignInWay::ALL.into_iter().find(|way| way.as_str() == row.way);
        Ok(Self {
            id: parse_id("session", &row.id)?,
            user: parse_id("user", &row.user_id)?,
            way: way.ok_or_else(|| StoreError::Unreadable {
                what: "session",
                id: row.id.clone(),
                reason: "an unknown way of signing in".to_owned(),
            })?,
            user_agent: row.user_agent,
            network: row.network,
            created_at: Timestamp::from_micros(row.created_at),
            last_used_at: Timestamp::from_micros(row.last_used_at),
        })
    }
}

/// What is kept of a token, hashed. A token holds no space.
fn at_domain<'t>(token: &'t str, domain: &str) -> Cow<'t, str> {
    if domain.is_empty() { token.into() } else { format!("{token} {domain}").into() }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_TEXT).collect()
}

macro_rules! select_good {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT portal_session.id FROM portal_session JOIN given ON given.id = portal_session.id
               JOIN portal_user ON portal_user.id = user_id
              WHERE portal_session.created_at > $2 AND last_used_at > $3 AND disabled_at IS NULL
                AND widgets IS NULL"
        )
    };
}

impl People<'_> {
    /// The token that the browser keeps.
    pub async fn begin_session(self, user: UserId, origin: SessionOrigin<'_>) -> Result<String, StoreError> {
        self.begin_session_after(None, user, origin).await
    }

    /// Ends the session that this browser had. Its device goes on being told where it is of the same user, and of nobody else.
    pub async fn begin_session_after(
        self,
        earlier: Option<&Session>,
        user: UserId,
        origin: SessionOrigin<'_>,
    ) -> Result<String, StoreError> {
        let (now, token, id) = (self.store.now().micros(), new_token()?, self.store.new_id()?);
        transact!(self.store.db, |tx| {
            // What let them in may have ended meanwhile, with all that was made before a proof of the address.
            self.still_lets_in(tx, user, origin.way).await?;
            execute!(
                tx,
                "INSERT INTO portal_session (id, token, user_id, way, user_agent, network, created_at, last_used_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
                id.to_string(),
                self.store.hashes.portal("session", &at_domain(&token, origin.domain)),
                user.to_string(),
                origin.way.as_str(),
                shortened(origin.user_agent),
                shortened(origin.network),
                now
            )?;
            if let Some(earlier) = earlier {
                let same = fetch_optional!(
                    tx,
                    (String,),
                    concat!("SELECT id FROM portal_user WHERE id = $2 AND id IN ", of_person!("$1")),
                    earlier.user.to_string(),
                    user.to_string()
                )?;
                if same.is_some() {
                    self.store.destinations().move_device(tx, earlier.id, SessionId(id)).await?;
                }
                execute!(tx, "DELETE FROM portal_session WHERE id = $1", earlier.id.to_string())?;
                self.store.destinations().end_devices_without_session(tx, Some(&earlier.user.to_string())).await?;
            }
            Ok(())
        })?;
        Ok(token)
    }

    async fn still_lets_in(self, tx: &mut Tx<'_>, user: UserId, way: SignInWay) -> Result<(), StoreError> {
        let sql = match way {
            SignInWay::Passkey => {
                concat!("SELECT COUNT(*) FROM portal_passkey WHERE user_id IN ", of_person!("$1"))
            }
            SignInWay::RecoveryCode => {
                concat!("SELECT COUNT(*) FROM portal_recovery_code WHERE user_id IN ", of_person!("$1"))
            }
            _ => return Ok(()),
        };
        self.one_at_a_time(tx).await?;
        let left = fetch_optional!(tx, (i64,), sql, user.to_string())?;
        if left.is_some_and(|(left,)| left > 0) { Ok(()) } else { Err(StoreError::NotFound) }
    }

    /// What a browser keeps after somebody signed in there with this address. Nobody else can make it.
    pub fn browser_mark(self, email: &Email) -> String {
        self.store.hashes.portal("known browser", &email.as_str().to_lowercase())
    }

    /// Whether this address is signed in from this network.
    pub async fn is_signed_in_from(self, email: &Email, network: &str) -> Result<bool, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64,),
            "SELECT COUNT(*) FROM portal_user JOIN portal_session ON portal_session.user_id = portal_user.id
              WHERE portal_user.email = $1 AND portal_session.network = $2",
            email.as_str().to_lowercase(),
            network
        )?;
        Ok(row.is_some_and(|(count,)| count > 0))
    }

    /// `None` for an unknown or expired token.
    pub async fn find_session(self, token: &str, domain: &str) -> Result<Option<(Session, User)>, StoreError> {
        if !may_be_token(token) {
            return Ok(None);
        }
        let now = self.store.now();
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            SessionRow,
            "SELECT id, user_id, way, user_agent, network, created_at, last_used_at FROM portal_session
              WHERE token = $1 AND created_at > $2 AND last_used_at > $3",
            self.store.hashes.portal("session", &at_domain(token, domain)),
            (now - SESSION_LIFETIME).micros(),
            (now - SESSION_IDLE).micros()
        )?;
        drop(reader);
        let Some(session) = row.map(Session::try_from).transpose()? else { return Ok(None) };
        let Some(user) = self.find_user(session.user).await? else { return Ok(None) };
        if session.last_used_at < now - USE_RECORDED_EVERY {
            // A mark that cannot be written costs nobody the page.
            let _: Result<(), StoreError> = transact!(self.store.db, |tx| {
                execute!(
                    tx,
                    "UPDATE portal_session SET last_used_at = $2 WHERE id = $1",
                    session.id.to_string(),
                    now.micros()
                )?;
                Ok(())
            });
        }
        Ok(Some((session, user)))
    }

    /// Those that are good, the one that was used last first.
    pub async fn list_sessions(self, user: UserId) -> Result<Vec<Session>, StoreError> {
        let now = self.store.now();
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            SessionRow,
            concat!(
                "SELECT id, user_id, way, user_agent, network, created_at, last_used_at FROM portal_session
                  WHERE created_at > $2 AND last_used_at > $3 AND user_id IN ",
                of_person!("$1"),
                " ORDER BY last_used_at DESC, id DESC"
            ),
            user.to_string(),
            (now - SESSION_LIFETIME).micros(),
            (now - SESSION_IDLE).micros()
        )?;
        rows.into_iter().map(Session::try_from).collect()
    }

    /// Ends one session of this person.
    pub async fn end_session(self, user: UserId, id: SessionId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                concat!("DELETE FROM portal_session WHERE id = $2 AND user_id IN ", of_person!("$1")),
                user.to_string(),
                id.to_string()
            )?)?;
            self.store.destinations().end_devices_without_session(tx, Some(&user.to_string())).await?;
            Ok(())
        })
    }

    /// Ends all sessions of this person but one. Returns how many.
    pub async fn end_other_sessions(self, user: UserId, keep: SessionId) -> Result<u64, StoreError> {
        transact!(self.store.db, |tx| {
            let ended = execute!(
                tx,
                concat!("DELETE FROM portal_session WHERE id <> $2 AND user_id IN ", of_person!("$1")),
                user.to_string(),
                keep.to_string()
            )?;
            self.store.destinations().end_devices_without_session(tx, Some(&user.to_string())).await?;
            Ok(ended)
        })
    }

    /// Deletes what nobody can use any more: sessions, links, codes, invites.
    pub async fn delete_ended_portal_rows(self) -> Result<u64, StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            let sessions = execute!(
                tx,
                "DELETE FROM portal_session WHERE created_at <= $1 OR last_used_at <= $2",
                (now - SESSION_LIFETIME).micros(),
                (now - SESSION_IDLE).micros()
            )?;
            self.store.destinations().end_devices_without_session(tx, None).await?;
            let day = Duration::from_secs(24 * 3_600);
            let links = execute!(tx, "DELETE FROM portal_sign_in WHERE created_at <= $1", (now - day).micros())?;
            let ceremonies =
                execute!(tx, "DELETE FROM portal_ceremony WHERE created_at <= $1", (now - CEREMONY_LIFETIME).micros())?;
            // A month longer, so that the person who opens an old link is told what it was.
            let invites = execute!(tx, "DELETE FROM portal_invite WHERE expires_at <= $1", (now - day * 30).micros())?;
            let visits = self.end_visits_that_ran_out(tx).await?;
            Ok(sessions + links + ceremonies + invites + visits)
        })
    }

    /// Those of `sessions` that may follow every new lead: not ended, and not of a client. It does not count as use: a page that is left open keeps nobody signed
    /// in.
    pub async fn good_sessions(self, sessions: &[SessionId]) -> Result<Vec<SessionId>, StoreError> {
        let now = self.store.now();
        let select = match self.store.db {
            Db::Sqlite { .. } => select_good!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_good!(dialect::given_rows!(postgres: id text)),
        };
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            select,
            given_ids(sessions)?,
            (now - SESSION_LIFETIME).micros(),
            (now - SESSION_IDLE).micros()
        )?;
        rows.iter().map(|(id,)| parse_id("session", id)).collect()
    }
}
