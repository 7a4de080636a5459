//! Users of the portal.

use shingle_domain::{AccountId, Email, Role, Timestamp, UserId, UserName, WidgetId, WidgetScope};

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::people::People;
use crate::people::person::of_person;
use crate::store::{parse_id, require_row};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// `None`: an operator who has no company here.
    pub account: Option<AccountId>,
    pub role: Role,
    /// A member who does not see all of them is a client.
    pub sees: WidgetScope,
    pub email: Email,
    pub name: UserName,
    /// The tag of the one that was chosen for the portal.
    pub language: Option<String>,
    pub created_at: Timestamp,
    /// Whether all who could sign in as them had the mailbox of the address.
    pub is_proven: bool,
}

row! {
    pub(crate) struct UserRow {
        id: String,
        account_id: Option<String>,
        role: String,
        widgets: Option<String>,
        email: String,
        name: String,
        language: Option<String>,
        created_at: i64,
        is_proven: bool,
    }
}

macro_rules! select_users {
    ($which:literal) => {
        concat!(
            "SELECT id, account_id, role, widgets, email, name, language, created_at, is_proven FROM portal_user
              WHERE disabled_at IS NULL AND ",
            $which
        )
    };
}

impl TryFrom<UserRow> for User {
    type Error = StoreError;

    fn try_from(row: UserRow) -> Result<Self, StoreError> {
        let unreadable =
            |reason: &str| StoreError::Unreadable { what: "user", id: row.id.clone(), reason: reason.to_owned() };
        Ok(Self {
            id: parse_id("user", &row.id)?,
            account: row.account_id.as_deref().map(|id| parse_id("account", id)).transpose()?,
            role: row.role.parse().map_err(unreadable)?,
            sees: WidgetScope::read(row.widgets.as_deref()).map_err(|_| unreadable("not a widget"))?,
            email: Email::parse(&row.email).ok_or_else(|| unreadable("not an e-mail address"))?,
            name: UserName::parse(&row.name).map_err(unreadable)?,
            language: row.language,
            created_at: Timestamp::from_micros(row.created_at),
            is_proven: row.is_proven,
        })
    }
}

/// Leads that a person was given and does not see.
macro_rules! lost_leads {
    ($which:literal) => {
        concat!(
            $which,
            " IN (SELECT lead_id FROM lead_work JOIN lead ON lead.id = lead_id JOIN widget ON widget.id = lead.widget_id
                   WHERE assignee_id = $1 AND NOT ($2 LIKE '%' || reference_id || '%'))"
        )
    };
}

/// As it is kept: one address is one user, however it is written.
pub(crate) fn kept(email: &Email) -> String {
    email.as_str().to_lowercase()
}

impl People<'_> {
    pub async fn find_user(self, id: UserId) -> Result<Option<User>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, UserRow, select_users!("id = $1"), id.to_string())?;
        row.map(User::try_from).transpose()
    }

    /// In the company that they chose last, of those that are open.
    pub async fn find_user_by_email(self, email: &Email) -> Result<Option<User>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            UserRow,
            select_users!(
                "email = $1
                  ORDER BY EXISTS (SELECT 1 FROM account WHERE account.id = account_id AND closed_at IS NOT NULL),
                           chosen_at DESC, id DESC LIMIT 1"
            ),
            kept(email)
        )?;
        row.map(User::try_from).transpose()
    }

    pub async fn find_user_in(self, account: AccountId, email: &Email) -> Result<Option<User>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            UserRow,
            select_users!("email = $1 AND COALESCE(account_id, '') = $2"),
            kept(email),
            account.to_string()
        )?;
        row.map(User::try_from).transpose()
    }

    /// Of an account, oldest first.
    pub async fn list_users(self, account: AccountId) -> Result<Vec<User>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows =
            fetch_all!(reader, UserRow, select_users!("account_id = $1 ORDER BY created_at, id"), account.to_string())?;
        rows.into_iter().map(User::try_from).collect()
    }

    /// Of the whole installation, oldest first.
    pub async fn list_all_users(self) -> Result<Vec<User>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, UserRow, select_users!("true ORDER BY created_at, id"))?;
        rows.into_iter().map(User::try_from).collect()
    }

    /// Whether anybody could sign in: an installation that nobody has claimed has nobody.
    pub async fn has_users(self) -> Result<bool, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, (i64,), "SELECT COUNT(*) FROM portal_user")?;
        Ok(row.is_some_and(|(users,)| users > 0))
    }

    /// In all of their companies.
    pub async fn rename_user(self, id: UserId, name: &UserName) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let rows = fetch_all!(
                tx,
                (String, Option<String>),
                concat!(
                    "UPDATE portal_user SET name = $2 WHERE disabled_at IS NULL AND id IN ",
                    of_person!("$1"),
                    " RETURNING id, account_id"
                ),
                id.to_string(),
                name.as_str()
            )?;
            self.note_in_each(tx, rows, Change::UserRenamed, "").await
        })
    }

    /// One entry in the log of each company.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] without any row.
    pub(crate) async fn note_in_each(
        self,
        tx: &mut Tx<'_>,
        rows: Vec<(String, Option<String>)>,
        change: Change,
        detail: &str,
    ) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Err(StoreError::NotFound);
        }
        for (id, account) in rows {
            let account: Option<AccountId> = account.as_deref().map(|id| parse_id("account", id)).transpose()?;
            self.store.audit().note_change(tx, account, change, &id, detail).await?;
        }
        Ok(())
    }

    /// `None`: as the browser says.
    pub async fn set_user_language(self, id: UserId, tag: Option<&str>) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let changed = execute!(
                tx,
                concat!("UPDATE portal_user SET language = $2 WHERE disabled_at IS NULL AND id IN ", of_person!("$1")),
                id.to_string(),
                tag
            )?;
            if changed == 0 { Err(StoreError::NotFound) } else { Ok(()) }
        })
    }

    /// From the next page on that they open. An administrator is changed on the command line alone.
    ///
    /// # Errors
    /// [`StoreError::LastOwner`] where nobody would be left who may invite others.
    pub async fn change_role(self, account: AccountId, id: UserId, role: Role) -> Result<(), StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            let (row, own) = (id.to_string(), account.to_string());
            // As in `remove_user`.
            require_row(execute!(tx, "UPDATE account SET updated_at = $2 WHERE id = $1", &own, now.micros())?)?;
            let before = fetch_optional!(
                tx,
                (String,),
                "SELECT role FROM portal_user
                  WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL AND role <> 'operator'",
                &row,
                &own
            )?;
            let (before,) = before.ok_or(StoreError::NotFound)?;
            if before == role.as_str() {
                return Ok(());
            }
            // An owner sees everything, and so does an owner who becomes a member until somebody chooses widgets for them.
            execute!(tx, "UPDATE portal_user SET role = $2, widgets = NULL WHERE id = $1", &row, role.as_str())?;
            self.store.destinations().narrow_devices(tx, &row, &WidgetScope::All).await?;
            self.an_owner_is_left(tx, &own).await?;
            if role == Role::Member {
                self.store.accounts().end_company_calendar(tx, account).await?;
            }
            self.store.audit().note_change(tx, account, Change::UserRoleChanged, &row, role.as_str()).await
        })
    }

    /// What a member sees from now on, on every device.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for somebody who is not a member of this company.
    pub async fn set_sees(self, account: AccountId, id: UserId, scope: &WidgetScope) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let (row, text) = (id.to_string(), scope.text());
            require_row(execute!(
                tx,
                "UPDATE portal_user SET widgets = $3
                  WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL AND role = 'member'",
                &row,
                account.to_string(),
                text.as_deref()
            )?)?;
            self.store.destinations().narrow_devices(tx, &row, scope).await?;
            // What they were given and do not see any more is nobody's again.
            if let Some(text) = &text {
                execute!(
                    tx,
                    lost_leads!("UPDATE lead SET tokens_at = NULL WHERE record IS NOT NULL AND id"),
                    &row,
                    text
                )?;
                execute!(tx, lost_leads!("UPDATE lead_work SET assignee_id = NULL WHERE lead_id"), &row, text)?;
            }
            let detail = scope.ids().map_or(String::new(), |ids| ids.len().to_string());
            self.store.audit().note_change(tx, account, Change::UserSees, &row, &detail).await
        })
    }

    /// Of the company's people, those who see a widget.
    pub(crate) async fn seeing(
        self,
        tx: &mut Tx<'_>,
        account: AccountId,
        widget: WidgetId,
    ) -> Result<Vec<(UserId, String)>, StoreError> {
        let rows = fetch_all!(
            tx,
            (String, String),
            "SELECT id, name FROM portal_user WHERE account_id = $1 AND disabled_at IS NULL
                AND (widgets IS NULL OR widgets LIKE '%' || $2 || '%')",
            account.to_string(),
            widget.to_string()
        )?;
        rows.into_iter().map(|(id, name)| Ok((parse_id("user", &id)?, name))).collect()
    }

    /// The role of a colleague.
    async fn role_in(self, tx: &mut Tx<'_>, account: AccountId, id: UserId) -> Result<Option<String>, StoreError> {
        let row = fetch_optional!(
            tx,
            (String,),
            "SELECT role FROM portal_user WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL",
            id.to_string(),
            account.to_string()
        )?;
        Ok(row.map(|(role,)| role))
    }

    async fn an_owner_is_left(self, tx: &mut Tx<'_>, account: &str) -> Result<(), StoreError> {
        let left = fetch_optional!(
            tx,
            (i64,),
            "SELECT COUNT(*) FROM portal_user WHERE account_id = $1 AND disabled_at IS NULL AND role <> 'member'",
            account
        )?;
        if left.is_none_or(|(left,)| left == 0) { Err(StoreError::LastOwner) } else { Ok(()) }
    }

    /// Signs them out of this company everywhere and lets them in no more. The address may be invited again. Their other
    /// companies keep them, with their passkeys and recovery codes.
    ///
    /// # Errors
    /// [`StoreError::LastOwner`] where nobody would be left who may invite others.
    pub async fn remove_user(self, account: AccountId, id: UserId) -> Result<(), StoreError> {
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            self.store.audit().note_change(tx, account, Change::UserRemoved, &id.to_string(), "").await?;
            // A member never had it.
            let known = self.role_in(tx, account, id).await?;
            if known.is_some_and(|role| role != Role::Member.as_str()) {
                self.store.accounts().end_company_calendar(tx, account).await?;
            }
            let (account, id) = (account.to_string(), id.to_string());
            // The row of the account is written first: two owners who remove each other come one after the other.
            require_row(execute!(tx, "UPDATE account SET updated_at = $2 WHERE id = $1", &account, now.micros())?)?;
            self.hand_over_keys(tx, &id).await?;
            require_row(execute!(
                tx,
                "UPDATE portal_user SET disabled_at = $3, email = id WHERE id = $1 AND account_id = $2 AND disabled_at IS NULL",
                &id,
                &account,
                now.micros()
            )?)?;
            self.an_owner_is_left(tx, &account).await?;
            execute!(tx, "DELETE FROM portal_session WHERE user_id = $1", &id)?;
            self.store.destinations().end_devices_of(tx, &id).await?;
            execute!(tx, "DELETE FROM portal_recovery_code WHERE user_id = $1", &id)?;
            execute!(tx, "DELETE FROM portal_passkey WHERE user_id = $1", &id)?;
            execute!(tx, "DELETE FROM portal_email_change WHERE user_id = $1", &id)?;
            execute!(tx, "DELETE FROM portal_ceremony WHERE user_id = $1", &id)?;
            execute!(tx, "DELETE FROM portal_lead_view WHERE user_id = $1", &id)?;
            execute!(tx, "DELETE FROM portal_view WHERE user_id = $1", &id)?;
            // Listed again, as nobody's.
            execute!(
                tx,
                "UPDATE lead SET tokens_at = NULL
                  WHERE record IS NOT NULL AND id IN (SELECT lead_id FROM lead_work WHERE assignee_id = $1)",
                &id
            )?;
            execute!(tx, "UPDATE lead_work SET assignee_id = NULL WHERE assignee_id = $1", &id)?;
            Ok(())
        })
    }
}
