//! Closing an account: widgets, keys and digests stop at once. It can be reopened for seven days, then it is erased.
//!
//! # Decision
//!
//! A closed account can be reopened for seven days; then it is erased. While closed, its widgets and keys do not
//! exist for anyone, but queued deliveries still go out. The erasure deletes in parts, may be interrupted anywhere,
//! and is complete when the data keys, deleted last, are gone. Name, monthly usage and log (ids only) stay for the
//! operator. A test fills every table and compares with an installation that never had the account. Turned down:
//! deleting only the data keys, which leaves plain columns and old backups.

use std::time::Duration;

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::widget::Widget;
use shingle_domain::{AccountId, Timestamp};

use crate::StoreError;
use crate::accounts::Accounts;
use crate::audit::change::Change;
use crate::engine::caches::raise_revision;
use crate::engine::connect;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::store::{from_json, parse_id, require_row};

/// How long a closed account can be opened again.
pub const REOPENABLE: Duration = Duration::from_secs(7 * 24 * 3_600);
/// Rows that one transaction deletes.
const MAX_TOGETHER: u64 = 500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closing {
    pub closed_at: Timestamp,
    /// When the erasure began.
    pub erased_at: Option<Timestamp>,
}

impl Closing {
    /// From then on it cannot be opened again.
    pub fn ends_at(self) -> Timestamp {
        self.closed_at + REOPENABLE
    }
}

macro_rules! few {
    ($table:literal, $of:literal) => {
        concat!("DELETE FROM ", $table, " WHERE ", $of)
    };
}

/// In parts of at most [`MAX_TOGETHER`] rows.
macro_rules! many {
    ($table:literal, $key:literal, $of:literal) => {
        concat!(
            "DELETE FROM ",
            $table,
            " WHERE ",
            $key,
            " IN (SELECT ",
            $key,
            " FROM ",
            $table,
            " WHERE ",
            $of,
            " LIMIT 500)"
        )
    };
}

/// What is deleted, in this order: whatever refers to a row goes before it. `$1` is the account.
const DELETIONS: &[&str] = &[
    // Their rows stay until the photographs are gone, without what is in them.
    "UPDATE lead SET record = NULL, drawing = NULL, shown = NULL, address_hash = NULL, email_hash = NULL, phone_hash = NULL,
                     inspection_at = NULL, erased_at = (SELECT erased_at FROM account WHERE id = $1)
      WHERE id IN (SELECT id FROM lead WHERE account_id = $1 AND record IS NOT NULL LIMIT 500)",
    many!("attempt", "id", "delivery_id IN (SELECT id FROM delivery WHERE account_id = $1)"),
    few!("homeowner_copy", "delivery_id IN (SELECT id FROM delivery WHERE account_id = $1)"),
    many!("delivery", "id", "account_id = $1"),
    many!("event", "id", "account_id = $1"),
    few!("push_device", "account_id = $1"),
    few!("destination", "account_id = $1"),
    few!("notice_settings", "account_id = $1"),
    few!("api_request", "account_id = $1"),
    few!("idempotency", "account_id = $1"),
    many!("consent", "id", "account_id = $1"),
    few!("consent_chain", "account_id = $1"),
    few!("consent_text", "account_id = $1"),
    many!("lead_token", "lead", "lead IN (SELECT number FROM lead_facet WHERE account_id = $1)"),
    many!("lead_facet", "lead_id", "account_id = $1"),
    few!("lead_town", "account_id = $1"),
    many!("lead_tag", "lead_id", "account_id = $1"),
    many!("lead_merge", "lead_id", "account_id = $1"),
    few!("tag", "account_id = $1"),
    few!("reply_template", "account_id = $1"),
    many!("lead_import_lead", "lead_id", "import_id IN (SELECT id FROM lead_import WHERE account_id = $1)"),
    few!("lead_import", "account_id = $1"),
    few!("lead_rules", "account_id = $1"),
    many!("lead_entry", "id", "account_id = $1"),
    many!("lead_answer", "lead_id", "account_id = $1"),
    few!("contact_stop", "account_id = $1"),
    few!("company_sender", "account_id = $1"),
    many!("lead_work", "lead_id", "account_id = $1"),
    many!("lead_appointment", "lead_id", "account_id = $1"),
    many!("quote", "id", "account_id = $1"),
    few!("quote_settings", "account_id = $1"),
    many!("portal_lead_view", "lead_id", "lead_id IN (SELECT id FROM lead WHERE account_id = $1)"),
    few!("visit_count", "account_id = $1"),
    few!("town_asked", "account_id = $1"),
    few!("widget_sighting", "widget_id IN (SELECT id FROM widget WHERE account_id = $1)"),
    few!("widget_check", "widget_id IN (SELECT id FROM widget WHERE account_id = $1)"),
    few!("widget_preview", "widget_id IN (SELECT id FROM widget WHERE account_id = $1)"),
    few!("widget_lock", "widget_id IN (SELECT id FROM widget WHERE account_id = $1)"),
    few!("widget_draft", "account_id = $1"),
    few!("widget_version", "account_id = $1"),
    few!("account_product", "account_id = $1"),
    few!("calendar_link", "account_id = $1"),
    few!("api_key", "account_id = $1"),
    few!("portal_visit", "account_id = $1"),
    few!("portal_invite", "account_id = $1"),
    few!("portal_company", "account_id = $1"),
    few!("own_domain", "account_id = $1"),
    few!("portal_view", "account_id = $1"),
    few!("portal_recovery_code", "user_id IN (SELECT id FROM portal_user WHERE account_id = $1)"),
    few!("portal_passkey", "user_id IN (SELECT id FROM portal_user WHERE account_id = $1)"),
    few!("portal_ceremony", "user_id IN (SELECT id FROM portal_user WHERE account_id = $1)"),
    few!("portal_email_change", "user_id IN (SELECT id FROM portal_user WHERE account_id = $1)"),
    few!("portal_sign_in", "user_id IN (SELECT id FROM portal_user WHERE account_id = $1)"),
    few!("portal_session", "user_id IN (SELECT id FROM portal_user WHERE account_id = $1)"),
    few!("portal_user", "account_id = $1"),
];

/// After the photographs, whose files are deleted by the rows that name them. The data keys are last: while there is one,
/// the erasure is not over.
const LAST_DELETIONS: &[&str] =
    &[many!("lead", "id", "account_id = $1"), few!("widget", "account_id = $1"), few!("data_key", "account_id = $1")];

impl Accounts<'_> {
    /// Closing twice changes nothing.
    pub async fn close(self, id: AccountId) -> Result<(), StoreError> {
        let (account, now) = (id.to_string(), self.store.now());
        let changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            require_row(execute!(tx, "UPDATE account SET updated_at = $2 WHERE id = $1", &account, now.micros())?)?;
            let closed = execute!(
                tx,
                "UPDATE account SET closed_at = $2 WHERE id = $1 AND closed_at IS NULL",
                &account,
                now.micros()
            )?;
            if closed == 1 {
                self.store.audit().note_change(tx, id, Change::AccountClosed, "", "").await?;
            }
            raise_revision(tx).await
        })?;
        drop(changing);
        Ok(())
    }

    /// `false`: it is not closed, or too late.
    pub async fn reopen(self, id: AccountId) -> Result<bool, StoreError> {
        let (account, now) = (id.to_string(), self.store.now());
        let changing = self.store.caches.generations.changing();
        let reopened = transact!(self.store.db, |tx| {
            let reopened = execute!(
                tx,
                "UPDATE account SET closed_at = NULL, updated_at = $2
                  WHERE id = $1 AND closed_at > $3 AND erased_at IS NULL",
                &account,
                now.micros(),
                (now - REOPENABLE).micros()
            )?;
            if reopened == 1 {
                self.store.audit().note_change(tx, id, Change::AccountReopened, "", "").await?;
            }
            raise_revision(tx).await?;
            Ok(reopened == 1)
        })?;
        drop(changing);
        Ok(reopened)
    }

    /// Accounts whose seven days are over and of which there is something left.
    pub async fn to_erase(self) -> Result<Vec<AccountId>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT id FROM account
              WHERE closed_at <= $1 AND EXISTS (SELECT 1 FROM data_key WHERE account_id = account.id)
              ORDER BY closed_at",
            (self.store.now() - REOPENABLE).micros()
        )?;
        rows.iter().map(|(id,)| parse_id("account", id)).collect()
    }

    /// Paths of the logos that only this account's widgets show, in any of their versions: to be deleted before
    /// [`Accounts::erase`], which deletes what names them.
    pub async fn logos_of(self, id: AccountId) -> Result<Vec<String>, StoreError> {
        let account = id.to_string();
        let mut reader = self.store.db.read().await?;
        let configs = fetch_all!(
            reader,
            (String,),
            "SELECT config FROM widget WHERE account_id = $1
             UNION SELECT config FROM widget_version WHERE account_id = $1
             UNION SELECT config FROM widget_draft WHERE account_id = $1
             UNION SELECT config FROM widget_preview
                    WHERE widget_id IN (SELECT id FROM widget WHERE account_id = $1)",
            &account
        )?;
        let mut logos = Vec::new();
        for (config,) in configs {
            let widget: Widget = from_json("widget of", &account, &config)?;
            logos.push(widget.header_logo.path);
            logos.extend(widget.footer_logo.map(|logo| logo.path));
        }
        logos.cold_sort();
        logos.dedup();
        let mut own = Vec::new();
        for path in logos {
            let others = fetch_optional!(
                reader,
                (String,),
                "SELECT id FROM widget WHERE account_id <> $1 AND config LIKE $2
                 UNION ALL SELECT widget_id FROM widget_version WHERE account_id <> $1 AND config LIKE $2
                 UNION ALL SELECT widget_id FROM widget_draft WHERE account_id <> $1 AND config LIKE $2 LIMIT 1",
                &account,
                format!("%{path}%")
            )?;
            if others.is_none() {
                own.push(path);
            }
        }
        Ok(own)
    }

    /// Deletes what there is of an account whose seven days are over, except for its name, its monthly use (the books
    /// of the person who runs the server) and the log of its changes, which names nobody. `false`: photographs are
    /// still being deleted; the rest follows with the next call.
    pub async fn erase(self, id: AccountId) -> Result<bool, StoreError> {
        let (account, now) = (id.to_string(), self.store.now());
        let changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                "UPDATE account SET erased_at = COALESCE(erased_at, $2) WHERE id = $1 AND closed_at <= $3",
                &account,
                now.micros(),
                (now - REOPENABLE).micros()
            )?)?;
            // Operators run the server, whichever company they began with.
            execute!(
                tx,
                "UPDATE portal_user SET account_id = NULL WHERE account_id = $1 AND role = 'operator'
                    AND NOT EXISTS (SELECT 1 FROM portal_user o WHERE o.email = portal_user.email AND o.account_id IS NULL)",
                &account
            )?;
            // A person who works in other companies keeps their keys there.
            self.store.people().hand_over_keys_of_all(tx, &account).await?;
            // What is on its way is given up, so that no result comes back to a row that is gone.
            execute!(
                tx,
                "UPDATE delivery SET state = 'skipped', reason = 'erased' WHERE account_id = $1 AND state IN ('pending', 'waiting')",
                &account
            )?;
            execute!(
                tx,
                "UPDATE lead_photo SET state = 'removed' WHERE lead_id IN (SELECT id FROM lead WHERE account_id = $1)",
                &account
            )?;
            execute!(
                tx,
                "UPDATE lead_file SET name = '', author = '', state = 'removed' WHERE account_id = $1",
                &account
            )?;
            raise_revision(tx).await
        })?;
        self.delete_in_parts(&account, DELETIONS).await?;
        let mut reader = self.store.db.read().await?;
        let photo = fetch_optional!(
            reader,
            (String,),
            "SELECT id FROM lead_photo WHERE lead_id IN (SELECT id FROM lead WHERE account_id = $1)
             UNION ALL SELECT id FROM lead_file WHERE account_id = $1 LIMIT 1",
            &account
        )?;
        drop(reader);
        if photo.is_none() {
            self.delete_in_parts(&account, LAST_DELETIONS).await?;
            // No node keeps the keys in memory.
            transact!(self.store.db, |tx| { raise_revision(tx).await })?;
        }
        drop(changing);
        connect::truncate_log(&self.store.db).await?;
        Ok(photo.is_none())
    }

    async fn delete_in_parts(self, account: &str, statements: &[&'static str]) -> Result<(), StoreError> {
        for &statement in statements {
            while transact!(self.store.db, |tx| { Ok(execute!(tx, statement, account)?) })? >= MAX_TOGETHER {}
        }
        Ok(())
    }
}
