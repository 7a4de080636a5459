//! One person in several companies: rows of `portal_user` with one address.
//!
//! # Decision
//!
//! A person is their email address, and enters a second company only where nobody without its mailbox can be signed in as
//! them. Otherwise the owner of any company could invite an address, accept in its name, and wait until another company
//! invites its real owner. A user who joined by a link that others may have seen signs in by mail once; all other keys and
//! browsers of the address end then. Turned down: a table of persons above the users, which would change what assigns, logs
//! and notifies.

use shingle_domain::{AccountId, Role, UserId};

use crate::StoreError;
use crate::audit::actor::{Actor, act_as};
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::people::People;
use crate::people::invite::Invite;
use crate::people::person::of_person;
use crate::people::session::Session;
use crate::people::user::{User, kept};
use crate::store::{parse_id, require_row};

/// A company in which a person works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnCompany {
    /// `None`: an operator's place outside of all companies.
    pub account: Option<AccountId>,
    pub name: String,
    pub role: Role,
    pub is_closed: bool,
}

/// Why a signed-in person does not enter a company.
#[derive(Debug)]
pub enum JoinFault {
    /// The invite is used, withdrawn or expired, or is for another address.
    NotTheirs,
    /// They have to sign in by mail first.
    Unproven,
    AlreadyThere,
    Store(StoreError),
}

impl From<StoreError> for JoinFault {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl People<'_> {
    /// By name, after an operator's place outside of all companies.
    pub async fn companies_of(self, user: UserId) -> Result<Vec<OwnCompany>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (Option<String>, String, String, Option<i64>),
            concat!(
                "SELECT account.id, COALESCE(account.name, ''), role, closed_at
                   FROM portal_user LEFT JOIN account ON account.id = account_id
                  WHERE disabled_at IS NULL AND portal_user.id IN ",
                of_person!("$1"),
                " ORDER BY LOWER(COALESCE(account.name, '')), account.id"
            ),
            user.to_string()
        )?;
        rows.into_iter()
            .map(|(id, name, role, closed_at)| {
                let unreadable = |reason: &str| StoreError::Unreadable {
                    what: "user",
                    id: user.to_string(),
                    reason: reason.to_owned(),
                };
                Ok(OwnCompany {
                    account: id.as_deref().map(|id| parse_id("account", id)).transpose()?,
                    role: role.parse().map_err(unreadable)?,
                    is_closed: closed_at.is_some(),
                    name,
                })
            })
            .collect()
    }

    /// This browser shows another company of the same person from now on. An operator's visit ends.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where they are not in that company.
    pub async fn choose_company(self, session: &Session, account: Option<AccountId>) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let found = fetch_optional!(
                tx,
                (String,),
                concat!(
                    "UPDATE portal_user SET chosen_at = $3
                      WHERE COALESCE(account_id, '') = $2 AND disabled_at IS NULL AND id IN ",
                    of_person!("$1"),
                    " RETURNING id"
                ),
                session.user.to_string(),
                account.map(|id| id.to_string()).unwrap_or_default(),
                self.store.now().micros()
            )?;
            let (user,) = found.ok_or(StoreError::NotFound)?;
            self.move_session(tx, session, &user).await
        })?;
        self.end_visit(session.id).await
    }

    async fn move_session(self, tx: &mut Tx<'_>, session: &Session, user: &str) -> Result<(), StoreError> {
        require_row(execute!(
            tx,
            "UPDATE portal_session SET user_id = $3 WHERE id = $1 AND user_id = $2",
            session.id.to_string(),
            session.user.to_string(),
            user
        )?)
    }

    /// One more company for the person of this session, by an invite.
    pub async fn join_company(self, token: &str, session: &Session, by: &User) -> Result<User, JoinFault> {
        let invite = self.find_invite(token).await?.ok_or(JoinFault::NotTheirs)?;
        let is_theirs = invite.email.as_ref().is_none_or(|email| kept(email) == kept(&by.email));
        let Some(account) = invite.account.filter(|_| is_theirs) else { return Err(JoinFault::NotTheirs) };
        if !by.is_proven && !session.way.shows_mailbox() {
            return Err(JoinFault::Unproven);
        }
        let user = User {
            id: UserId(self.store.new_id()?),
            account: Some(account),
            role: invite.role,
            sees: invite.sees.clone(),
            created_at: self.store.now(),
            is_proven: true,
            ..by.clone()
        };
        match self.enter_company(&invite, session, by, &user).await {
            Ok(()) => Ok(user),
            Err(StoreError::AlreadyExists) => Err(JoinFault::AlreadyThere),
            Err(StoreError::NotFound) => Err(JoinFault::NotTheirs),
            Err(other) => Err(JoinFault::Store(other)),
        }
    }

    async fn enter_company(self, invite: &Invite, session: &Session, by: &User, user: &User) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.spend_invite(tx, invite).await?;
            self.one_at_a_time(tx).await?;
            if !by.is_proven {
                self.end_unproven_keys(tx, session).await?;
            }
            self.insert_user(tx, user).await?;
            self.move_session(tx, session, &user.id.to_string()).await?;
            act_as(Actor::User(user.id));
            let (id, role) = (user.id.to_string(), user.role.as_str());
            self.store.audit().note_change(tx, user.account, Change::UserJoined, &id, role).await
        })
    }

    /// Lets only this browser in, which a mail to the address let in.
    async fn end_unproven_keys(self, tx: &mut Tx<'_>, session: &Session) -> Result<(), StoreError> {
        let user = session.user.to_string();
        execute!(
            tx,
            concat!("DELETE FROM portal_session WHERE id <> $2 AND user_id IN ", of_person!("$1")),
            &user,
            session.id.to_string()
        )?;
        self.store.destinations().end_devices_without_session(tx, None).await?;
        execute!(tx, concat!("DELETE FROM portal_passkey WHERE user_id IN ", of_person!("$1")), &user)?;
        execute!(tx, concat!("DELETE FROM portal_recovery_code WHERE user_id IN ", of_person!("$1")), &user)?;
        execute!(tx, concat!("DELETE FROM portal_ceremony WHERE user_id IN ", of_person!("$1")), &user)?;
        execute!(tx, concat!("DELETE FROM portal_email_change WHERE user_id IN ", of_person!("$1")), &user)?;
        execute!(tx, concat!("UPDATE portal_user SET is_proven = true WHERE id IN ", of_person!("$1")), &user)?;
        Ok(())
    }
}
