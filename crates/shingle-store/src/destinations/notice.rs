//! What an account has decided about notices, and the mailboxes that follow from it.
//!
//! # Decision
//!
//! Escalating to the next person is a delivery of the same event, due later; whether it is still wanted is decided
//! when it is due. Turned down: a scheduler; deleting planned notices when a lead is claimed.

use std::sync::Arc;
use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::notice::{NoticeSettings, Recipient};
use shingle_domain::{DeliveryId, DestinationId, Email, LeadId, Tenant};

use crate::StoreError;
use crate::audit::change::Change;
use crate::deliveries::circuit::Skip;
use crate::deliveries::event::EventSubject;
use crate::deliveries::log::DeliveryState;
use crate::destinations::Destinations;
use crate::destinations::destination::{Destination, DestinationDraft};
use crate::destinations::kind::DestinationKind;
use crate::destinations::mailbox::{MAIL_TIMEOUT_SECONDS, MailConfig, follows_company_email};
use crate::engine::caches::raise_revision;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::stored_message::to_stored;
use crate::store::{columns, from_json, parse_id, require_row};

/// Within which an address gets one copy.
const A_DAY: Duration = Duration::from_secs(24 * 3_600);

impl Destinations<'_> {
    /// `None`: nothing was decided, so each widget's `companyEmail` is notified.
    pub async fn notice_settings(self, tenant: &Tenant) -> Result<Option<NoticeSettings>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT settings FROM notice_settings WHERE account_id = $1 AND environment = $2",
            &account,
            environment
        )?;
        row.map(|(settings,)| from_json("notice settings of", &account, &settings)).transpose()
    }

    /// The same, at most a second old on the other nodes: for what every lead asks.
    pub async fn cached_notice_settings(self, tenant: &Tenant) -> Result<Arc<Option<NoticeSettings>>, StoreError> {
        let generation = self.store.generation().await?;
        if let Some(settings) = self.store.caches.notices.get(tenant, generation) {
            return Ok(settings);
        }
        let settings = Arc::new(self.notice_settings(tenant).await?);
        self.store.caches.notices.insert(*tenant, generation, settings.clone());
        Ok(settings)
    }

    /// Replaces them. A recipient who stays keeps the log of deliveries; one who goes gets nothing more. A person who
    /// is named is notified again, also where an earlier mail was refused.
    pub async fn set_notice_settings(self, tenant: &Tenant, settings: &NoticeSettings) -> Result<(), StoreError> {
        let _changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            self.write_notice_settings(tx, tenant, settings, Refused::TryAgain).await?;
            self.store.audit().note_change(tx, tenant.account, Change::NoticesSet, "", "").await
        })
    }

    /// Changes them as they are at that moment: of two who change different settings at once, neither loses.
    pub async fn change_notice_settings<E>(
        self,
        tenant: &Tenant,
        change: impl Fn(&mut NoticeSettings) -> Result<(), E> + Send + Sync,
    ) -> Result<(), E>
    where
        E: From<StoreError> + Send,
    {
        self.try_change_notice_settings(tenant, change).await?
    }

    /// The outer result is the store's, the inner one that of `change`.
    async fn try_change_notice_settings<E: Send>(
        self,
        tenant: &Tenant,
        change: impl Fn(&mut NoticeSettings) -> Result<(), E> + Send + Sync,
    ) -> Result<Result<(), E>, StoreError> {
        let _changing = self.store.caches.generations.changing();
        let (account, environment) = columns(tenant);
        transact!(self.store.db, |tx| {
            // The row of the account is written first: there may be no row of settings yet that could be locked.
            require_row(execute!(
                tx,
                "UPDATE account SET updated_at = $2 WHERE id = $1",
                &account,
                self.store.now().micros()
            )?)?;
            let row = fetch_optional!(
                tx,
                (String,),
                "SELECT settings FROM notice_settings WHERE account_id = $1 AND environment = $2",
                &account,
                environment
            )?;
            let row = row.map(|(settings,)| from_json("notice settings of", &account, &settings)).transpose()?;
            let old: NoticeSettings = row.unwrap_or_default();
            let mut settings = old.clone();
            if let Err(refused) = change(&mut settings) {
                return Ok(Err(refused));
            }
            self.write_notice_settings(tx, tenant, &settings, Refused::TryAgain).await?;
            if settings != old {
                self.store.audit().note_change(tx, tenant.account, Change::NoticesSet, "", "").await?;
            }
            Ok(Ok(()))
        })
    }

    async fn write_notice_settings(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        settings: &NoticeSettings,
        refused: Refused,
    ) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        execute!(
            tx,
            "INSERT INTO notice_settings (account_id, environment, settings, updated_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (account_id, environment) DO UPDATE SET settings = $3, updated_at = $4",
            &account,
            environment,
            serde_json::to_string(settings)?,
            self.store.now().micros()
        )?;
        let mut known = self.destinations_in(tx, tenant).await?;
        known.retain(|d| d.draft.kind.is_mailbox());
        for draft in wanted_mailboxes(settings)? {
            match known.iter().position(|old| is_same(old, &draft)) {
                Some(at) => self.follow(tx, known.remove(at), draft, refused).await?,
                None => {
                    self.insert(tx, tenant, DestinationId(self.store.new_id()?), &draft).await?;
                }
            }
        }
        for old in known {
            if settings.recipients.is_empty() && follows_company_email(&old) {
                let draft = DestinationDraft { active: true, ..old.draft.clone() };
                self.follow(tx, old, draft, refused).await?;
            } else if old.draft.active {
                self.skip_pending(tx, old.id, &to_stored(&Skip::NoRecipient)).await?;
                let draft = DestinationDraft { active: false, ..old.draft.clone() };
                self.follow(tx, old, draft, refused).await?;
            }
        }
        self.delete_unused_mailboxes(tx).await?;
        raise_revision(tx).await
    }

    /// A removed mailbox stays as long as its log: then settings that change every day do not pile up.
    pub(crate) async fn delete_unused_mailboxes(self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        execute!(
            tx,
            "DELETE FROM destination
              WHERE kind IN ('mail', 'homeowner') AND active = $1 AND inactive_reason IS NULL
                AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.destination_id = destination.id)",
            false
        )?;
        Ok(())
    }

    async fn follow(
        self,
        tx: &mut Tx<'_>,
        mut old: Destination,
        mut draft: DestinationDraft,
        refused: Refused,
    ) -> Result<(), StoreError> {
        if matches!(refused, Refused::StayOff) && old.inactive_reason.is_some() {
            draft.active = old.draft.active;
        }
        if draft == old.draft {
            return Ok(());
        }
        let was_active = std::mem::replace(&mut old.draft, draft).active;
        self.update(tx, &mut old, was_active).await
    }

    /// The settings of every tenant that wants digests or reports, for their clock.
    pub async fn list_digest_settings(self) -> Result<Vec<(Tenant, NoticeSettings)>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String, String),
            "SELECT account_id, environment, settings FROM notice_settings
              WHERE NOT EXISTS (SELECT 1 FROM account WHERE account.id = account_id AND closed_at IS NOT NULL)
              ORDER BY account_id, environment"
        )?;
        let mut found = Vec::new();
        for (account, environment, settings) in rows {
            let settings: NoticeSettings = from_json("notice settings of", &account, &settings)?;
            if settings.digest_at.is_some() || settings.recipients.iter().any(|recipient| recipient.report) {
                let tenant = Tenant {
                    account: parse_id("account", &account)?,
                    environment: parse_id("environment", &environment)?,
                };
                found.push((tenant, settings));
            }
        }
        Ok(found)
    }

    /// Makes the digest of a day, once, however many nodes ask for it. `data` says which day.
    pub async fn make_digest(self, tenant: &Tenant, date: &str, data: &serde_json::Value) -> Result<bool, StoreError> {
        let sql = "UPDATE notice_settings SET digest_day = $3
                    WHERE account_id = $1 AND environment = $2 AND (digest_day IS NULL OR digest_day < $3)";
        self.make_summary(tenant, (EventKind::Digest, sql), date, data).await
    }

    /// Makes the report of a month, once, too.
    pub async fn make_report(self, tenant: &Tenant, month: &str, data: &serde_json::Value) -> Result<bool, StoreError> {
        let sql = "UPDATE notice_settings SET report_month = $3
                    WHERE account_id = $1 AND environment = $2 AND (report_month IS NULL OR report_month < $3)";
        self.make_summary(tenant, (EventKind::Report, sql), month, data).await
    }

    async fn make_summary(
        self,
        tenant: &Tenant,
        (kind, sql): (EventKind, &'static str),
        up_to: &str,
        data: &serde_json::Value,
    ) -> Result<bool, StoreError> {
        let (account, environment) = columns(tenant);
        let made = transact!(self.store.db, |tx| {
            let first = execute!(tx, sql, &account, environment, up_to)?;
            if first == 0 {
                return Ok(false);
            }
            let subject = EventSubject { kind, resource: tenant.account.0, widget: None, spam: false };
            self.store.deliveries().record_event(tx, tenant, subject, data).await?;
            Ok(true)
        })?;
        self.store.wake.notify_one();
        Ok(made)
    }

    /// Whether this delivery may mail a copy to this homeowner: one copy per address and day, no matter who asks.
    pub async fn take_homeowner_copy(self, email: &Email, delivery: DeliveryId) -> Result<bool, StoreError> {
        let (hash, now) = (self.store.hashes.email(&without_tag(email)), self.store.now());
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM homeowner_copy WHERE sent_at <= $1", (now - A_DAY).micros())?;
            let taken = execute!(
                tx,
                "INSERT INTO homeowner_copy (email_hash, delivery_id, sent_at) VALUES ($1, $2, $3)
                 ON CONFLICT (email_hash) DO UPDATE SET sent_at = $3 WHERE homeowner_copy.delivery_id = $2",
                &hash,
                delivery.to_string(),
                now.micros()
            )?;
            Ok(taken == 1)
        })
    }

    /// The same for a mail that the homeowner asks for now: what it was taken by, if it may go.
    pub async fn take_asked_copy(self, email: &Email) -> Result<Option<DeliveryId>, StoreError> {
        let asked = DeliveryId(self.store.new_id()?);
        Ok(self.take_homeowner_copy(email, asked).await?.then_some(asked))
    }

    /// A copy that was taken and not mailed may be taken again.
    pub async fn return_homeowner_copy(self, email: &Email, delivery: DeliveryId) -> Result<(), StoreError> {
        let hash = self.store.hashes.email(&without_tag(email));
        transact!(self.store.db, |tx| {
            let sql = "DELETE FROM homeowner_copy WHERE email_hash = $1 AND delivery_id = $2";
            execute!(tx, sql, &hash, delivery.to_string())?;
            Ok(())
        })
    }

    /// Whether a copy for this lead has gone to its homeowner, or goes as soon as it is due: there is a delivery that did
    /// not end without, and the address has had none for another lead within a day.
    pub async fn homeowner_copy_goes(self, tenant: &Tenant, lead: LeadId, email: &Email) -> Result<bool, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String),
            "SELECT delivery.id, delivery.state FROM delivery
               JOIN destination ON destination.id = delivery.destination_id
              WHERE delivery.resource_id = $1 AND delivery.account_id = $2 AND delivery.environment = $3
                AND destination.kind = $4 AND destination.active = $5",
            lead.0.to_string(),
            &account,
            environment,
            DestinationKind::Homeowner.as_str(),
            true
        )?;
        let taken = fetch_optional!(
            reader,
            (String,),
            "SELECT delivery_id FROM homeowner_copy WHERE email_hash = $1 AND sent_at > $2",
            self.store.hashes.email(&without_tag(email)),
            (self.store.now() - A_DAY).micros()
        )?;
        Ok(rows.into_iter().any(|(id, state)| {
            let free = taken.as_ref().is_none_or(|(of,)| *of == id);
            state == DeliveryState::Delivered.as_str() || (state == DeliveryState::Pending.as_str() && free)
        }))
    }

    /// No more digests and reports for one mailbox.
    pub async fn unsubscribe_digest(self, tenant: &Tenant, id: DestinationId) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let _changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            // Locked, so that settings that are replaced at the same moment are not lost.
            let row = fetch_optional!(
                tx,
                (String,),
                "UPDATE notice_settings SET updated_at = updated_at WHERE account_id = $1 AND environment = $2
                 RETURNING settings",
                &account,
                environment
            )?;
            let Some((text,)) = row else { return Ok(()) };
            let mut settings: NoticeSettings = from_json("notice settings of", &account, &text)?;
            let known = self.destinations_in(tx, tenant).await?;
            let address = &known.iter().find(|d| d.id == id).ok_or(StoreError::NotFound)?.draft.address;
            for recipient in &mut settings.recipients {
                let stays = !recipient.email.as_str().eq_ignore_ascii_case(address);
                recipient.digest &= stays;
                recipient.report &= stays;
            }
            self.write_notice_settings(tx, tenant, &settings, Refused::StayOff).await
        })
    }

    pub(crate) async fn notice_settings_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
    ) -> Result<Option<NoticeSettings>, StoreError> {
        let (account, environment) = columns(tenant);
        let row = fetch_optional!(
            tx,
            (String,),
            "SELECT settings FROM notice_settings WHERE account_id = $1 AND environment = $2",
            &account,
            environment
        )?;
        row.map(|(settings,)| from_json("notice settings of", &account, &settings)).transpose()
    }
}

/// `ann+roof@example.com` is the mailbox of `ann@example.com`: tags would bring as many copies as one likes.
fn without_tag(email: &Email) -> Email {
    let plain = email.as_str().rsplit_once('@').and_then(|(local, host)| {
        let name = local.split('+').next()?;
        Email::parse(&format!("{name}@{host}"))
    });
    plain.unwrap_or_else(|| email.clone())
}

/// What becomes of a mailbox that was switched off by itself.
#[derive(Clone, Copy)]
enum Refused {
    TryAgain,
    StayOff,
}

/// Whether a mailbox is the one of these settings. That of a `companyEmail` is of no settings.
fn is_same(old: &Destination, draft: &DestinationDraft) -> bool {
    old.draft.kind == draft.kind
        && old.draft.address.eq_ignore_ascii_case(&draft.address)
        && !follows_company_email(old)
}

fn wanted_mailboxes(settings: &NoticeSettings) -> Result<Vec<DestinationDraft>, StoreError> {
    let mut wanted = Vec::new();
    for (position, recipient) in settings.recipients.iter().enumerate() {
        wanted.push(mailbox(settings, position, recipient)?);
    }
    if settings.homeowner_copy {
        wanted.push(DestinationDraft {
            kind: DestinationKind::Homeowner,
            name: "Copy to the homeowner".to_owned(),
            address: "homeowner".to_owned(),
            events: vec![EventKind::LeadCreated],
            widgets: Vec::new(),
            active: true,
            ordered: false,
            timeout_seconds: MAIL_TIMEOUT_SECONDS,
            config: "{}".to_owned(),
            secrets: None,
        });
    }
    Ok(wanted)
}

fn mailbox(settings: &NoticeSettings, position: usize, recipient: &Recipient) -> Result<DestinationDraft, StoreError> {
    let mut events = vec![EventKind::DestinationOff, EventKind::MailRefused];
    if recipient.leads {
        events.push(EventKind::LeadCreated);
    }
    if recipient.digest {
        events.push(EventKind::Digest);
    }
    if recipient.report {
        events.push(EventKind::Report);
    }
    let config = MailConfig {
        name: recipient.name.clone(),
        language: recipient.language,
        steps: settings.steps(position),
        company_email: false,
    };
    Ok(DestinationDraft {
        kind: DestinationKind::Mail,
        name: recipient.name.clone().unwrap_or_else(|| recipient.email.to_string()),
        address: recipient.email.to_string(),
        events,
        widgets: recipient.widgets.clone(),
        active: true,
        ordered: false,
        timeout_seconds: MAIL_TIMEOUT_SECONDS,
        config: serde_json::to_string(&config)?,
        secrets: None,
    })
}
