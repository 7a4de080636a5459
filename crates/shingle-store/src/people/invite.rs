//! Links that make a user, once.

use std::time::Duration;

use shingle_domain::{AccountId, Email, Environment, InviteId, Role, Tenant, Timestamp, UserId, UserName, WidgetScope};
use subtle::ConstantTimeEq as _;

use crate::StoreError;
use crate::accounts::api_request::RequestKey;
use crate::audit::actor::{Actor, act_as};
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::people::People;
use crate::people::passkey::FirstPasskey;
use crate::people::token::{may_be_token, new_token};
use crate::people::user::{User, kept};
use crate::store::{parse_id, refuse_nul, require_row};

/// How long a colleague has.
pub const INVITE_LIFETIME: Duration = Duration::from_secs(7 * 24 * 3_600);
/// How long the link that claims a new installation is good.
pub const CLAIM_LIFETIME: Duration = Duration::from_secs(30 * 60);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    pub id: InviteId,
    /// `None`: for the installation.
    pub account: Option<AccountId>,
    pub role: Role,
    pub sees: WidgetScope,
    /// `None`: for anyone who has the link.
    pub email: Option<Email>,
    /// Who invited; `None` for the command line.
    pub by: Option<UserId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    /// When it was used or taken back.
    pub ended_at: Option<Timestamp>,
}

impl Invite {
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.ended_at.is_none() && now < self.expires_at
    }
}

/// What an invite says.
#[derive(Debug, Clone)]
pub struct InviteDraft {
    pub account: Option<AccountId>,
    pub role: Role,
    /// Only a member can see less than all.
    pub sees: WidgetScope,
    pub email: Option<Email>,
    pub by: Option<UserId>,
    pub lifetime: Duration,
}

row! {
    struct InviteRow {
        id: String,
        account_id: Option<String>,
        role: String,
        widgets: Option<String>,
        email: Option<String>,
        invited_by: Option<String>,
        created_at: i64,
        expires_at: i64,
        ended_at: Option<i64>,
    }
}

macro_rules! select_invites {
    ($which:literal) => {
        concat!(
            "SELECT id, account_id, role, widgets, email, invited_by, created_at, expires_at, ended_at FROM portal_invite WHERE ",
            $which
        )
    };
}

impl TryFrom<InviteRow> for Invite {
    type Error = StoreError;

    fn try_from(row: InviteRow) -> Result<Self, StoreError> {
        let unreadable =
            |reason: &str| StoreError::Unreadable { what: "invite", id: row.id.clone(), reason: reason.to_owned() };
        Ok(Self {
            id: parse_id("invite", &row.id)?,
            account: row.account_id.as_deref().map(|id| parse_id("account", id)).transpose()?,
            role: row.role.parse().map_err(unreadable)?,
            sees: WidgetScope::read(row.widgets.as_deref()).map_err(|_| unreadable("not a widget"))?,
            email: match &row.email {
                Some(email) => Some(Email::parse(email).ok_or_else(|| unreadable("not an e-mail address"))?),
                None => None,
            },
            by: row.invited_by.as_deref().map(|id| parse_id("user", id)).transpose()?,
            created_at: Timestamp::from_micros(row.created_at),
            expires_at: Timestamp::from_micros(row.expires_at),
            ended_at: row.ended_at.map(Timestamp::from_micros),
        })
    }
}

impl People<'_> {
    /// The invite, and its token: it is shown once.
    pub async fn invite(self, draft: &InviteDraft) -> Result<(Invite, String), StoreError> {
        self.invite_once(draft, None).await
    }

    /// `request` counts where the invite is into a company.
    ///
    /// # Errors
    /// [`StoreError::MadeBefore`] when this request has made its invite, whose link was shown then.
    pub async fn invite_once(
        self,
        draft: &InviteDraft,
        request: Option<&RequestKey>,
    ) -> Result<(Invite, String), StoreError> {
        let (now, token) = (self.store.now(), new_token()?);
        let invite = Invite {
            id: InviteId(self.store.new_id()?),
            account: draft.account,
            role: draft.role,
            sees: if draft.role == Role::Member { draft.sees.clone() } else { WidgetScope::All },
            email: draft.email.clone(),
            by: draft.by,
            created_at: now,
            expires_at: now + draft.lifetime,
            ended_at: None,
        };
        let account = invite.account.map(|id| id.to_string());
        transact!(self.store.db, |tx| {
            if let Some(account) = &account {
                fetch_optional!(tx, (String,), "SELECT id FROM account WHERE id = $1", account)?
                    .ok_or(StoreError::NotFound)?;
            }
            if let Some(account) = invite.account {
                let tenant = Tenant { account, environment: Environment::Production };
                if self.store.accounts().keep_request(tx, &tenant, request, &invite.id.to_string()).await?.is_some() {
                    return Err(StoreError::MadeBefore);
                }
            }
            execute!(
                tx,
                "INSERT INTO portal_invite (id, token, account_id, role, email, invited_by, created_at, expires_at, widgets)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                invite.id.to_string(),
                self.store.hashes.portal("invite", &token),
                &account,
                invite.role.as_str(),
                invite.email.as_ref().map(kept),
                invite.by.map(|id| id.to_string()),
                now.micros(),
                invite.expires_at.micros(),
                invite.sees.text()
            )?;
            let (id, role) = (invite.id.to_string(), invite.role.as_str());
            self.store.audit().note_change(tx, invite.account, Change::UserInvited, &id, role).await
        })?;
        Ok((invite, token))
    }

    /// Also one that has ended, so that the person who opens it learns why it does nothing.
    pub async fn find_invite(self, token: &str) -> Result<Option<Invite>, StoreError> {
        if !may_be_token(token) {
            return Ok(None);
        }
        let hash = self.store.hashes.portal("invite", token);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, InviteRow, select_invites!("token = $1"), hash)?;
        row.map(Invite::try_from).transpose()
    }

    /// Makes the user.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] where it is used, taken back or over; [`StoreError::AlreadyExists`] where somebody has the
    /// address, who joins by [`People::join_company`].
    pub async fn accept_invite(self, token: &str, email: &Email, name: &UserName) -> Result<User, StoreError> {
        self.accept_invite_with(token, "", email, name, None).await
    }

    /// What the mail with an invite has in its link, and the link that its sender sees has not.
    pub fn mailed_mark(self, token: &str) -> String {
        self.store.hashes.portal("mailed invite", token)
    }

    /// With the passkey that the newcomer's device has made.
    ///
    /// # Errors
    /// As [`accept_invite`](People::accept_invite).
    pub async fn accept_invite_with(
        self,
        token: &str,
        mailed: &str,
        email: &Email,
        name: &UserName,
        first: Option<&FirstPasskey>,
    ) -> Result<User, StoreError> {
        let invite = self.find_invite(token).await?.ok_or(StoreError::NotFound)?;
        let is_mailed = bool::from(self.mailed_mark(token).as_bytes().ct_eq(mailed.as_bytes()));
        let is_proven = invite.email.is_some() && (is_mailed || self.is_by_operator(&invite).await?);
        let user = User { is_proven, ..self.invited(&invite, email, name, first)? };
        transact!(self.store.db, |tx| { self.enter_user(tx, &invite, &user, first).await })?;
        Ok(user)
    }

    /// An operator knows whom they give a link.
    async fn is_by_operator(self, invite: &Invite) -> Result<bool, StoreError> {
        let Some(by) = invite.by else { return Ok(true) };
        Ok(self.find_user(by).await?.is_some_and(|user| user.role == Role::Operator))
    }

    /// The first user of an installation, with a company. All of it or nothing.
    ///
    /// # Errors
    /// As [`accept_invite`](People::accept_invite), and [`StoreError::AlreadyExists`] where anybody was first.
    pub async fn claim_installation(
        self,
        token: &str,
        email: &Email,
        name: &UserName,
        company: &str,
        first: Option<&FirstPasskey>,
    ) -> Result<User, StoreError> {
        refuse_nul(company)?;
        let invite = self.find_invite(token).await?.ok_or(StoreError::NotFound)?;
        if invite.role != Role::Operator {
            return Err(StoreError::NotFound);
        }
        let account = AccountId(self.store.new_id()?);
        // Nobody else could sign in before.
        let user = User { account: Some(account), is_proven: true, ..self.invited(&invite, email, name, first)? };
        transact!(self.store.db, |tx| {
            self.store.accounts().insert(tx, account, company).await?;
            self.enter_user(tx, &invite, &user, first).await?;
            let users = fetch_optional!(tx, (i64,), "SELECT COUNT(*) FROM portal_user")?;
            if users.is_some_and(|(users,)| users == 1) { Ok(()) } else { Err(StoreError::AlreadyExists) }
        })?;
        Ok(user)
    }

    fn invited(
        self,
        invite: &Invite,
        email: &Email,
        name: &UserName,
        first: Option<&FirstPasskey>,
    ) -> Result<User, StoreError> {
        Ok(User {
            id: first.map_or_else(|| self.store.new_id().map(UserId), |first| Ok(first.user))?,
            account: invite.account,
            role: invite.role,
            sees: invite.sees.clone(),
            email: invite.email.clone().unwrap_or_else(|| email.clone()),
            name: name.clone(),
            language: None,
            created_at: self.store.now(),
            is_proven: false,
        })
    }

    async fn enter_user(
        self,
        tx: &mut Tx<'_>,
        invite: &Invite,
        user: &User,
        first: Option<&FirstPasskey>,
    ) -> Result<(), StoreError> {
        self.spend_invite(tx, invite).await?;
        self.one_at_a_time(tx).await?;
        let known =
            fetch_optional!(tx, (i64,), "SELECT COUNT(*) FROM portal_user WHERE email = $1", kept(&user.email))?;
        if known.is_some_and(|(known,)| known > 0) {
            return Err(StoreError::AlreadyExists);
        }
        self.insert_user(tx, user).await?;
        act_as(Actor::User(user.id));
        let (id, role) = (user.id.to_string(), user.role.as_str());
        self.store.audit().note_change(tx, user.account, Change::UserJoined, &id, role).await?;
        match first {
            Some(first) => self.insert_passkey(tx, user.id, &first.passkey).await,
            None => Ok(()),
        }
    }

    pub(crate) async fn spend_invite(self, tx: &mut Tx<'_>, invite: &Invite) -> Result<(), StoreError> {
        let now = self.store.now().micros();
        require_row(execute!(
            tx,
            "UPDATE portal_invite SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL AND expires_at > $2",
            invite.id.to_string(),
            now
        )?)
    }

    /// # Errors
    /// [`StoreError::AlreadyExists`] where the person is in this company.
    pub(crate) async fn insert_user(self, tx: &mut Tx<'_>, user: &User) -> Result<(), StoreError> {
        let made = execute!(
            tx,
            "INSERT INTO portal_user (id, account_id, role, email, name, language, created_at, is_proven, chosen_at, widgets)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $7, $9) ON CONFLICT DO NOTHING",
            user.id.to_string(),
            user.account.map(|id| id.to_string()),
            user.role.as_str(),
            kept(&user.email),
            user.name.as_str(),
            user.language.as_deref(),
            user.created_at.micros(),
            user.is_proven,
            user.sees.text()
        )?;
        if made == 0 { Err(StoreError::AlreadyExists) } else { Ok(()) }
    }

    /// Open ones of an account, newest first.
    pub async fn list_invites(self, account: AccountId) -> Result<Vec<Invite>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            InviteRow,
            select_invites!(
                "account_id = $1 AND ended_at IS NULL AND expires_at > $2 ORDER BY created_at DESC, id DESC"
            ),
            account.to_string(),
            self.store.now().micros()
        )?;
        rows.into_iter().map(Invite::try_from).collect()
    }

    /// Takes one back that nobody has used.
    pub async fn end_invite(self, account: AccountId, id: InviteId) -> Result<(), StoreError> {
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                "UPDATE portal_invite SET ended_at = $3 WHERE id = $1 AND account_id = $2 AND ended_at IS NULL",
                id.to_string(),
                account.to_string(),
                now
            )?)?;
            self.store.audit().note_change(tx, account, Change::InviteEnded, &id.to_string(), "").await
        })
    }

    /// The link that claims an installation which nobody has claimed. Those before it end.
    pub async fn claim_link(self) -> Result<String, StoreError> {
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "UPDATE portal_invite SET ended_at = $1
                  WHERE account_id IS NULL AND invited_by IS NULL AND email IS NULL AND ended_at IS NULL",
                now
            )?;
            Ok(())
        })?;
        let draft = InviteDraft {
            account: None,
            role: Role::Operator,
            sees: WidgetScope::All,
            email: None,
            by: None,
            lifetime: CLAIM_LIFETIME,
        };
        Ok(self.invite(&draft).await?.1)
    }
}
