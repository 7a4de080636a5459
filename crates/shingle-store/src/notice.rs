//! What an account has decided about notices, and the mailboxes that follow from it.

use std::time::Duration;

use shingle_domain::event::EventKind;
use shingle_domain::notice::{NoticeSettings, Recipient};
use shingle_domain::{DeliveryId, DestinationId, Email, Tenant};

use crate::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::destination::{Destination, DestinationDraft, DestinationKind};
use crate::event::EventSubject;
use crate::mailbox::{MAIL_TIMEOUT_SECONDS, MailConfig};
use crate::store::{columns, from_json, parse_id};
use crate::{Store, StoreError};

impl Store {
    /// `None`: nothing was decided, so each widget's `companyEmail` is told.
    pub async fn notice_settings(&self, tenant: &Tenant) -> Result<Option<NoticeSettings>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT settings FROM notice_settings WHERE account_id = $1 AND environment = $2",
            &account,
            environment
        )?;
        row.map(|(settings,)| from_json("notice settings of", &account, &settings)).transpose()
    }

    /// Replaces them. A recipient who stays keeps the log of deliveries; one who goes gets nothing more.
    pub async fn set_notice_settings(&self, tenant: &Tenant, settings: &NoticeSettings) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let text = serde_json::to_string(settings)?;
        transact!(self.db, |tx| {
            execute!(
                tx,
                "INSERT INTO notice_settings (account_id, environment, settings, updated_at) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (account_id, environment) DO UPDATE SET settings = $3, updated_at = $4",
                &account,
                environment,
                &text,
                self.now().micros()
            )?;
            let mut known = self.destinations_in(tx, tenant).await?;
            known.retain(|d| matches!(d.draft.kind, DestinationKind::Mail | DestinationKind::Homeowner));
            let wanted = wanted_mailboxes(settings)?;
            for draft in &wanted {
                let same = |d: &&Destination| {
                    d.draft.kind == draft.kind && d.draft.address.eq_ignore_ascii_case(&draft.address)
                };
                match known.iter().find(same) {
                    Some(old) => self.follow(tx, old, draft).await?,
                    None => {
                        self.insert_destination(tx, tenant, DestinationId(self.new_id()?), draft).await?;
                    }
                }
            }
            for old in &known {
                if !wanted
                    .iter()
                    .any(|w| w.kind == old.draft.kind && w.address.eq_ignore_ascii_case(&old.draft.address))
                {
                    self.follow(tx, old, &DestinationDraft { active: false, ..old.draft.clone() }).await?;
                    self.skip_pending(tx, old.id, "it is no longer among the recipients").await?;
                }
            }
            Ok(())
        })
    }

    async fn follow(&self, tx: &mut Tx, old: &Destination, draft: &DestinationDraft) -> Result<(), StoreError> {
        // A mailbox that refused our mail stays off until its address changes.
        let active = draft.active && (old.draft.active || old.inactive_reason.is_none());
        execute!(
            tx,
            "UPDATE destination SET name = $2, address = $3, events = $4, widgets = $5, active = $6, config = $7,
                                    updated_at = $8
              WHERE id = $1",
            old.id.to_string(),
            &draft.name,
            &draft.address,
            draft.events.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(" "),
            draft.widgets.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            active,
            &draft.config,
            self.now().micros()
        )?;
        Ok(())
    }

    /// The settings of every tenant that wants digests, for the clock of the digests.
    pub async fn list_digest_settings(&self) -> Result<Vec<(Tenant, NoticeSettings)>, StoreError> {
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String, String),
            "SELECT account_id, environment, settings FROM notice_settings ORDER BY account_id, environment"
        )?;
        let mut found = Vec::new();
        for (account, environment, settings) in rows {
            let settings: NoticeSettings = from_json("notice settings of", &account, &settings)?;
            if settings.digest_at.is_some() {
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
    pub async fn make_digest(&self, tenant: &Tenant, date: &str, data: &serde_json::Value) -> Result<bool, StoreError> {
        let (account, environment) = columns(tenant);
        let made = transact!(self.db, |tx| {
            let first = execute!(
                tx,
                "UPDATE notice_settings SET digest_day = $3
                  WHERE account_id = $1 AND environment = $2 AND (digest_day IS NULL OR digest_day < $3)",
                &account,
                environment,
                date
            )?;
            if first == 0 {
                return Ok(false);
            }
            let subject =
                EventSubject { kind: EventKind::Digest, resource: tenant.account.0, widget: None, spam: false };
            self.record_event(tx, tenant, subject, data).await?;
            Ok(true)
        })?;
        self.wake.notify_one();
        Ok(made)
    }

    /// Whether this delivery may mail a copy to this homeowner: one copy an address a day, whoever asks for it.
    pub async fn take_homeowner_copy(&self, email: &Email, delivery: DeliveryId) -> Result<bool, StoreError> {
        const A_DAY: Duration = Duration::from_secs(24 * 3_600);
        let (hash, now) = (self.hashes.email(email), self.now());
        transact!(self.db, |tx| {
            let taken = execute!(
                tx,
                "INSERT INTO homeowner_copy (email_hash, delivery_id, sent_at) VALUES ($1, $2, $3)
                 ON CONFLICT (email_hash) DO UPDATE SET delivery_id = $2, sent_at = $3
                  WHERE homeowner_copy.sent_at <= $4 OR homeowner_copy.delivery_id = $2",
                &hash,
                delivery.to_string(),
                now.micros(),
                (now - A_DAY).micros()
            )?;
            Ok(taken == 1)
        })
    }

    /// No more digests for one mailbox.
    pub async fn unsubscribe_digest(&self, tenant: &Tenant, id: DestinationId) -> Result<(), StoreError> {
        let Some(destination) = self.find_destination(tenant, id).await? else { return Err(StoreError::NotFound) };
        let Some(mut settings) = self.notice_settings(tenant).await? else { return Ok(()) };
        for recipient in &mut settings.recipients {
            if recipient.email.as_str().eq_ignore_ascii_case(&destination.draft.address) {
                recipient.digest = false;
            }
        }
        self.set_notice_settings(tenant, &settings).await
    }

    pub(crate) async fn has_notice_settings(&self, tx: &mut Tx, tenant: &Tenant) -> Result<bool, StoreError> {
        let (account, environment) = columns(tenant);
        let row = fetch_optional!(
            tx,
            (i64,),
            "SELECT COUNT(*) FROM notice_settings WHERE account_id = $1 AND environment = $2",
            &account,
            environment
        )?;
        Ok(row.is_some_and(|(n,)| n > 0))
    }
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
    let config = MailConfig {
        name: recipient.name.clone(),
        language: recipient.language,
        steps: settings.steps(position),
        digest: recipient.digest,
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
