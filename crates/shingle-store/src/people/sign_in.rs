//! Signing in by mail: a link for the browser that asked, and a code to type there.

use std::time::Duration;

use shingle_domain::{Email, Timestamp, UserId};
use subtle::ConstantTimeEq as _;

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::people::People;
use crate::people::person::of_person;
use crate::people::token::{may_be_token, new_token};
use crate::people::user::User;
use crate::store::{parse_id, require_row};

/// How long a link and its code are good.
pub const SIGN_IN_LIFETIME: Duration = Duration::from_secs(15 * 60);
const TRIES: i64 = 5;

/// What a browser keeps that asked for a mail, and what the mail says.
#[derive(Debug)]
pub struct SignInRequest {
    /// For a cookie of the browser.
    pub browser: String,
    /// Whom to mail; `None`: nobody has the address, and nobody is told so.
    pub mail: Option<SignInMail>,
}

#[derive(Debug)]
pub struct SignInMail {
    pub user: User,
    pub link: String,
    pub code: String,
}

/// In the place of a browser's hash: a link that the operator printed is for any browser.
const ANY_BROWSER: &str = "any";

/// What became of a code.
#[derive(Debug, PartialEq, Eq)]
pub enum CodeCheck {
    Right(UserId),
    Wrong {
        left: u32,
    },
    /// It is over, used, or was wrong too often.
    Ended,
}

/// What a mailed link leads to.
#[derive(Debug, PartialEq, Eq)]
pub enum LinkState {
    /// In the browser that asked: one press signs in.
    Ready(UserId),
    /// Elsewhere: this code is typed where it was asked for.
    OtherBrowser {
        code: String,
    },
    Ended,
}

row! {
    struct SignInRow {
        id: String,
        link: String,
        browser: String,
        user_id: Option<String>,
        created_at: i64,
    }
}

macro_rules! select_open {
    ($which:literal) => {
        concat!(
            "SELECT id, link, browser, user_id, created_at FROM portal_sign_in
              WHERE ended_at IS NULL AND created_at > $2 AND tries_left > 0 AND ",
            $which
        )
    };
}

impl SignInRow {
    fn user(&self) -> Result<Option<UserId>, StoreError> {
        self.user_id.as_deref().map(|id| parse_id("user", id)).transpose()
    }
}

impl People<'_> {
    /// The same work for an address that nobody has.
    pub async fn ask_to_sign_in(self, email: &Email) -> Result<SignInRequest, StoreError> {
        let user = self.find_user_by_email(email).await?;
        let (id, link, browser) = (self.store.new_id()?.to_string(), new_token()?, new_token()?);
        let now = self.store.now().micros();
        // The code follows from what is stored of the link, so that it can be checked by what the browser has.
        let kept = self.store.hashes.portal("link", &link);
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO portal_sign_in (id, link, browser, user_id, created_at, tries_left)
                 VALUES ($1, $2, $3, $4, $5, $6)",
                &id,
                &kept,
                self.store.hashes.portal("browser", &browser),
                user.as_ref().map(|user| user.id.to_string()),
                now,
                TRIES
            )?;
            Ok(())
        })?;
        let code = self.store.hashes.sign_in_code(&kept);
        Ok(SignInRequest { browser, mail: user.map(|user| SignInMail { user, link, code }) })
    }

    /// For somebody who cannot get in, or somebody else who may be in: ends all sessions, passkeys, codes and mailed
    /// links, and makes one link.
    pub async fn reset_user(self, email: &Email) -> Result<String, StoreError> {
        let user = self.find_user_by_email(email).await?.ok_or(StoreError::NotFound)?;
        let (id, link, now) = (self.store.new_id()?.to_string(), new_token()?, self.store.now().micros());
        let user = user.id.to_string();
        transact!(self.store.db, |tx| {
            execute!(tx, concat!("DELETE FROM portal_session WHERE user_id IN ", of_person!("$1")), &user)?;
            self.store.destinations().end_devices_without_session(tx, None).await?;
            execute!(tx, concat!("DELETE FROM portal_recovery_code WHERE user_id IN ", of_person!("$1")), &user)?;
            execute!(tx, concat!("DELETE FROM portal_passkey WHERE user_id IN ", of_person!("$1")), &user)?;
            execute!(tx, concat!("DELETE FROM portal_email_change WHERE user_id IN ", of_person!("$1")), &user)?;
            execute!(tx, concat!("DELETE FROM portal_ceremony WHERE user_id IN ", of_person!("$1")), &user)?;
            execute!(tx, concat!("DELETE FROM portal_sign_in WHERE user_id IN ", of_person!("$1")), &user)?;
            let rows = fetch_all!(
                tx,
                (String, Option<String>),
                // The operator gives the link to the person.
                concat!(
                    "UPDATE portal_user SET is_proven = true WHERE disabled_at IS NULL AND id IN ",
                    of_person!("$1"),
                    " RETURNING id, account_id"
                ),
                &user
            )?;
            execute!(
                tx,
                "INSERT INTO portal_sign_in (id, link, browser, user_id, created_at, tries_left)
                 VALUES ($1, $2, $3, $4, $5, $6)",
                &id,
                self.store.hashes.portal("link", &link),
                ANY_BROWSER,
                &user,
                now,
                TRIES
            )?;
            self.note_in_each(tx, rows, Change::UserReset, "").await
        })?;
        Ok(link)
    }

    /// Whether this browser has asked lately, and until when it may answer.
    pub async fn sign_in_ends(self, browser: &str) -> Result<Option<Timestamp>, StoreError> {
        let row = self.asked(browser).await?;
        Ok(row.map(|row| Timestamp::from_micros(row.created_at) + SIGN_IN_LIFETIME))
    }

    async fn asked(self, browser: &str) -> Result<Option<SignInRow>, StoreError> {
        if !may_be_token(browser) {
            return Ok(None);
        }
        let hash = self.store.hashes.portal("browser", browser);
        let mut reader = self.store.db.read().await?;
        let after = (self.store.now() - SIGN_IN_LIFETIME).micros();
        Ok(fetch_optional!(reader, SignInRow, select_open!("browser = $1"), hash, after)?)
    }

    /// Checks a code that was typed in the browser which asked. One that is right is spent.
    pub async fn check_sign_in_code(self, browser: &str, code: &str) -> Result<CodeCheck, StoreError> {
        let Some(asked) = self.asked(browser).await? else { return Ok(CodeCheck::Ended) };
        let typed: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        let expected = self.store.hashes.sign_in_code(&asked.link);
        let right = bool::from(typed.as_bytes().ct_eq(expected.as_bytes()));
        match asked.user()?.filter(|_| right) {
            Some(user) => {
                Ok(if self.spend_sign_in(&asked.id).await? { CodeCheck::Right(user) } else { CodeCheck::Ended })
            }
            None => {
                let left = transact!(self.store.db, |tx| {
                    Ok(fetch_optional!(
                        tx,
                        (i64,),
                        "UPDATE portal_sign_in SET tries_left = tries_left - 1 WHERE id = $1 AND tries_left > 0
                         RETURNING tries_left",
                        &asked.id
                    )?)
                })?;
                let left = left.and_then(|(left,)| u32::try_from(left).ok()).unwrap_or_default();
                Ok(if left == 0 { CodeCheck::Ended } else { CodeCheck::Wrong { left } })
            }
        }
    }

    /// What a link leads to, without spending it: programs that read mail open links.
    pub async fn look_at_link(self, link: &str, browser: Option<&str>) -> Result<LinkState, StoreError> {
        Ok(self.read_link(link, browser).await?.1)
    }

    async fn read_link(self, link: &str, browser: Option<&str>) -> Result<(String, LinkState), StoreError> {
        if !may_be_token(link) {
            return Ok((String::new(), LinkState::Ended));
        }
        let hash = self.store.hashes.portal("link", link);
        let mut reader = self.store.db.read().await?;
        let after = (self.store.now() - SIGN_IN_LIFETIME).micros();
        let row = fetch_optional!(reader, SignInRow, select_open!("link = $1"), &hash, after)?;
        let Some(row) = row else { return Ok((String::new(), LinkState::Ended)) };
        let Some(user) = row.user()? else { return Ok((row.id, LinkState::Ended)) };
        let own = row.browser == ANY_BROWSER
            || browser.is_some_and(|browser| {
                self.store.hashes.portal("browser", browser).as_bytes().ct_eq(row.browser.as_bytes()).into()
            });
        let state = if own {
            LinkState::Ready(user)
        } else {
            LinkState::OtherBrowser { code: self.store.hashes.sign_in_code(&hash) }
        };
        Ok((row.id, state))
    }

    /// Spends a link in the browser that asked for it; anywhere else nothing happens.
    pub async fn use_link(self, link: &str, browser: Option<&str>) -> Result<LinkState, StoreError> {
        let (id, state) = self.read_link(link, browser).await?;
        if matches!(state, LinkState::Ready(_)) && !self.spend_sign_in(&id).await? {
            return Ok(LinkState::Ended);
        }
        Ok(state)
    }

    /// Whether it was still there.
    async fn spend_sign_in(self, id: &str) -> Result<bool, StoreError> {
        let now = self.store.now().micros();
        let spent: Result<(), StoreError> = transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                "UPDATE portal_sign_in SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL AND tries_left > 0",
                id,
                now
            )?)
        });
        match spent {
            Ok(()) => Ok(true),
            Err(StoreError::NotFound) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
