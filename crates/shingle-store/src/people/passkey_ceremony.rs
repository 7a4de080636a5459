//! Challenges for devices, and codes for websites that are connected. An answer counts once, within minutes, and from the
//! browser that asked, or with the code that it was given.

use std::time::Duration;

use shingle_domain::{CeremonyId, UserId};

use crate::StoreError;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::people::People;
use crate::people::token::{may_be_token, new_token};
use crate::store::parse_id;

pub const CEREMONY_LIFETIME: Duration = Duration::from_secs(5 * 60);

/// What the answer is for. One for another purpose does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CeremonyKind {
    SignIn,
    /// A passkey for somebody who joins.
    Join,
    /// One more for somebody who is signed in.
    Add,
    /// A website gets widgets that an owner chose. The browser's token is a part of its code.
    ConnectSite,
}

impl CeremonyKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::SignIn => "signIn",
            Self::Join => "join",
            Self::Add => "add",
            Self::ConnectSite => "connectSite",
        }
    }
}

#[derive(Debug)]
pub struct BegunCeremony {
    pub id: CeremonyId,
    /// For a cookie of the browser.
    pub browser: String,
}

#[derive(Debug, PartialEq, Eq)]
pub struct TakenCeremony {
    /// Whose passkey it will be; `None` where the answer says who it is.
    pub user: Option<UserId>,
    pub state: String,
}

impl People<'_> {
    /// `browser`: what its cookie says, where it has one.
    pub async fn begin_ceremony(
        self,
        kind: CeremonyKind,
        browser: Option<&str>,
        user: Option<UserId>,
        state: &str,
    ) -> Result<BegunCeremony, StoreError> {
        let browser = match browser.filter(|token| may_be_token(token)) {
            Some(token) => token.to_owned(),
            None => new_token()?,
        };
        let id = CeremonyId(self.store.new_id()?);
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO portal_ceremony (id, browser, kind, user_id, state, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6)",
                id.to_string(),
                self.store.hashes.portal("ceremony", &browser),
                kind.as_str(),
                user.map(|user| user.to_string()),
                state,
                self.store.now().micros()
            )?;
            Ok(())
        })?;
        Ok(BegunCeremony { id, browser })
    }

    /// Spends it. `None`: it belongs to another browser or purpose, was used, or has expired.
    pub async fn take_ceremony(
        self,
        kind: CeremonyKind,
        id: CeremonyId,
        browser: &str,
    ) -> Result<Option<TakenCeremony>, StoreError> {
        if !may_be_token(browser) {
            return Ok(None);
        }
        let after = (self.store.now() - CEREMONY_LIFETIME).micros();
        let row = transact!(self.store.db, |tx| {
            Ok(fetch_optional!(
                tx,
                (Option<String>, String),
                "DELETE FROM portal_ceremony WHERE id = $1 AND browser = $2 AND kind = $3 AND created_at > $4
                 RETURNING user_id, state",
                id.to_string(),
                self.store.hashes.portal("ceremony", browser),
                kind.as_str(),
                after
            )?)
        })?;
        row.map(|(user, state)| {
            Ok(TakenCeremony { user: user.as_deref().map(|id| parse_id("user", id)).transpose()?, state })
        })
        .transpose()
    }
}
