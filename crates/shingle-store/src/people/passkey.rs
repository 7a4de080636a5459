//! Passkeys: public keys whose private half stays on a device.

use shingle_domain::{AccountId, PasskeyId, Timestamp, UserId};

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::people::People;
use crate::people::person::of_person;
use crate::people::session::Session;
use crate::store::{parse_id, refuse_nul, require_row};

/// Of one user.
pub const MAX_PASSKEYS: usize = 20;
pub const MAX_PASSKEY_NAME: usize = 60;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    pub id: PasskeyId,
    pub user: UserId,
    /// The user whom the device knows by it: the same person, perhaps in another company.
    pub made_for: UserId,
    /// As the code that checks signatures wrote it.
    pub key: String,
    pub name: String,
    /// The name of the server that it was made for: it works for no other name.
    pub host: String,
    pub created_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
}

/// One that a device has just made.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    /// What the device calls it, in base64.
    pub credential: String,
    pub key: String,
    pub counter: u32,
    pub name: String,
    /// The name of the server that it is for.
    pub host: String,
}

/// The passkey with which somebody joins. The device knows the user by an id from before the user was made.
#[derive(Debug, Clone)]
pub struct FirstPasskey {
    pub user: UserId,
    pub passkey: NewPasskey,
}

row! {
    struct PasskeyRow {
        id: String,
        user_id: String,
        made_for: String,
        key: String,
        name: String,
        host: String,
        created_at: i64,
        last_used_at: Option<i64>,
    }
}

macro_rules! select_passkeys {
    ($which:expr) => {
        concat!(
            "SELECT id, user_id, made_for, key, name, host, created_at, last_used_at FROM portal_passkey WHERE ",
            $which
        )
    };
}

impl TryFrom<PasskeyRow> for Passkey {
    type Error = StoreError;

    fn try_from(row: PasskeyRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: parse_id("passkey", &row.id)?,
            user: parse_id("user", &row.user_id)?,
            made_for: parse_id("user", &row.made_for)?,
            key: row.key,
            name: row.name,
            host: row.host,
            created_at: Timestamp::from_micros(row.created_at),
            last_used_at: row.last_used_at.map(Timestamp::from_micros),
        })
    }
}

impl People<'_> {
    /// # Errors
    /// [`StoreError::AlreadyExists`] where anybody has it; [`StoreError::TooMany`].
    pub async fn add_passkey(self, user: UserId, passkey: &NewPasskey) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| { self.insert_passkey(tx, user, passkey).await })
    }

    /// Only while the session goes on, so that what ends it ends the passkey too.
    ///
    /// # Errors
    /// As [`add_passkey`](People::add_passkey), and [`StoreError::NotFound`] once the session has ended.
    pub async fn add_passkey_in(self, session: &Session, passkey: &NewPasskey) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.goes_on(tx, session.id).await?;
            self.insert_passkey(tx, session.user, passkey).await
        })
    }

    pub(crate) async fn insert_passkey(
        self,
        tx: &mut Tx<'_>,
        user: UserId,
        passkey: &NewPasskey,
    ) -> Result<(), StoreError> {
        refuse_nul(&passkey.name)?;
        let user = user.to_string();
        self.note_passkey(tx, &user, Change::PasskeyAdded).await?;
        let kept = fetch_optional!(
            tx,
            (i64,),
            concat!("SELECT COUNT(*) FROM portal_passkey WHERE user_id IN ", of_person!("$1")),
            &user
        )?;
        if kept.is_some_and(|(kept,)| usize::try_from(kept).is_ok_and(|kept| kept >= MAX_PASSKEYS)) {
            return Err(StoreError::TooMany { max: MAX_PASSKEYS });
        }
        let made = execute!(
            tx,
            "INSERT INTO portal_passkey (id, user_id, credential, key, counter, name, host, made_for, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $2, $8) ON CONFLICT (credential) DO NOTHING",
            self.store.new_id()?.to_string(),
            &user,
            &passkey.credential,
            &passkey.key,
            i64::from(passkey.counter),
            &passkey.name,
            &passkey.host,
            self.store.now().micros()
        )?;
        if made == 0 { Err(StoreError::AlreadyExists) } else { Ok(()) }
    }

    /// Writes the user's row first, so that two who add or remove at once come one after the other.
    async fn note_passkey(self, tx: &mut Tx<'_>, user: &str, change: Change) -> Result<(), StoreError> {
        let row = fetch_optional!(
            tx,
            (Option<String>,),
            "UPDATE portal_user SET name = name WHERE id = $1 AND disabled_at IS NULL RETURNING account_id",
            user
        )?;
        match row.ok_or(StoreError::NotFound)? {
            (Some(account),) => {
                self.store.audit().note_change(tx, parse_id::<AccountId>("account", &account)?, change, user, "").await
            }
            (None,) => Ok(()),
        }
    }

    /// Of the person, oldest first.
    pub async fn list_passkeys(self, user: UserId) -> Result<Vec<Passkey>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            PasskeyRow,
            select_passkeys!(concat!("user_id IN ", of_person!("$1"), " ORDER BY id")),
            user.to_string()
        )?;
        rows.into_iter().map(Passkey::try_from).collect()
    }

    /// Names of servers other than `host` that passkeys were made for: those of all users, ten at most.
    pub async fn other_passkey_hosts(self, host: Option<&str>) -> Result<Vec<String>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT DISTINCT host FROM portal_passkey WHERE host <> $1 ORDER BY host LIMIT 10",
            host.unwrap_or_default()
        )?;
        Ok(rows.into_iter().map(|(host,)| host).collect())
    }

    /// By what the device calls it.
    pub async fn find_passkey(self, credential: &str) -> Result<Option<Passkey>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, PasskeyRow, select_passkeys!("credential = $1"), credential)?;
        row.map(Passkey::try_from).transpose()
    }

    /// # Errors
    /// [`StoreError::NotFound`] where it is gone, or where its counter did not move on: then it was copied, or this answer
    /// comes a second time. Devices that do not count say 0.
    pub async fn passkey_used(self, id: PasskeyId, key: &str, counter: u32) -> Result<(), StoreError> {
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                "UPDATE portal_passkey SET key = $2, counter = $3, last_used_at = $4
                  WHERE id = $1 AND (counter < $3 OR (counter = 0 AND $3 = 0))",
                id.to_string(),
                key,
                i64::from(counter),
                now
            )?)
        })
    }

    pub async fn rename_passkey(self, user: UserId, id: PasskeyId, name: &str) -> Result<(), StoreError> {
        refuse_nul(name)?;
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                concat!("UPDATE portal_passkey SET name = $3 WHERE id = $2 AND user_id IN ", of_person!("$1")),
                user.to_string(),
                id.to_string(),
                name
            )?)
        })
    }

    /// # Errors
    /// [`StoreError::LastWayIn`] where no mail could let them in, and neither another passkey for `host`, the name of this
    /// server, nor a recovery code is left. One for another name lets nobody in, so it may always go.
    pub async fn remove_passkey(
        self,
        user: UserId,
        id: PasskeyId,
        has_mail: bool,
        host: Option<&str>,
    ) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let user = user.to_string();
            self.note_passkey(tx, &user, Change::PasskeyRemoved).await?;
            let removed = fetch_optional!(
                tx,
                (String,),
                concat!(
                    "DELETE FROM portal_passkey WHERE id = $2 AND user_id IN ",
                    of_person!("$1"),
                    " RETURNING host"
                ),
                &user,
                id.to_string()
            )?;
            let (made_for,) = removed.ok_or(StoreError::NotFound)?;
            let let_in = host.is_some_and(|host| made_for == host);
            let left = fetch_optional!(
                tx,
                (i64,),
                concat!(
                    "SELECT (SELECT COUNT(*) FROM portal_passkey WHERE host = $2 AND user_id IN ",
                    of_person!("$1"),
                    ") + (SELECT COUNT(*) FROM portal_recovery_code WHERE used_at IS NULL AND user_id IN ",
                    of_person!("$1"),
                    ")"
                ),
                &user,
                host.unwrap_or_default()
            )?;
            if let_in && !has_mail && left.is_none_or(|(left,)| left == 0) {
                return Err(StoreError::LastWayIn);
            }
            Ok(())
        })
    }
}
