//! Leads that are held as spam: nobody is notified when they arrive, so a mail reports them once a day at the latest.
//!
//! # Decision
//!
//! A mail about held leads goes out an hour after the first, then daily, to the people who would have been notified
//! of the lead. Turned down: turning the digest on for everybody.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;
use shingle_domain::event::EventKind;
use shingle_domain::{Tenant, Timestamp, WidgetId};
use uuid::Uuid;

use crate::StoreError;
use crate::deliveries::event::EventSubject;
use crate::engine::db::{Tx, fetch_all, fetch_optional, transact};
use crate::leads::Leads;
use crate::store::{columns, parse_id};

/// What comes at once comes in one mail.
const GATHERED_FOR: Duration = Duration::from_secs(3_600);
/// Between two mails.
const A_DAY: Duration = Duration::from_secs(24 * 3_600);
/// A server that was off for longer does not report older ones.
const LOOKED_BACK: Duration = Duration::from_secs(7 * 24 * 3_600);

/// `data` of the event `digest` that reports only held leads.
#[derive(Serialize)]
struct Held {
    date: String,
    from: Timestamp,
    until: Timestamp,
    held: bool,
}

/// Who is notified together: the recipients of an account, or the `companyEmail` of a widget where there are none.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Told {
    resource: Uuid,
    widget: Option<WidgetId>,
}

impl Leads<'_> {
    /// Makes the events that report held leads, where no digest of the day does. Any number of nodes may ask: of two
    /// that ask at once, one fails at the number of the event.
    pub async fn make_held_notices(self) -> Result<usize, StoreError> {
        let mut made = 0;
        for (tenant, widgets) in self.held_lately().await? {
            let decided = self.store.destinations().cached_notice_settings(&tenant).await?;
            let settings = decided.as_ref().clone().unwrap_or_default();
            if settings.digest_at.is_some() {
                continue;
            }
            let heard = widgets.into_iter().filter(|widget| !settings.muted_widgets.contains(widget));
            let told: BTreeSet<Told> = heard
                .map(|widget| match settings.recipients.is_empty() {
                    true => Told { resource: widget.0, widget: Some(widget) },
                    false => Told { resource: tenant.account.0, widget: None },
                })
                .collect();
            for one in told {
                let told = transact!(self.store.db, |tx| { self.tell_of_held(tx, &tenant, &one).await })?;
                made += usize::from(told);
            }
        }
        if made > 0 {
            self.store.wake.notify_one();
        }
        Ok(made)
    }

    /// The widgets of each tenant that have held leads.
    async fn held_lately(self) -> Result<Vec<(Tenant, Vec<WidgetId>)>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String, String),
            "SELECT DISTINCT account_id, environment, widget_id FROM lead
              WHERE status = 'spam' AND record IS NOT NULL AND created_at > $1
                AND NOT EXISTS (SELECT 1 FROM account WHERE account.id = lead.account_id AND closed_at IS NOT NULL)
              ORDER BY account_id, environment, widget_id",
            (self.store.now() - LOOKED_BACK).micros()
        )?;
        let mut found: Vec<(Tenant, Vec<WidgetId>)> = Vec::new();
        for (account, environment, widget) in rows {
            let tenant =
                Tenant { account: parse_id("account", &account)?, environment: parse_id("environment", &environment)? };
            let widget = parse_id("widget", &widget)?;
            match found.last_mut().filter(|(last, _)| *last == tenant) {
                Some((_, widgets)) => widgets.push(widget),
                None => found.push((tenant, vec![widget])),
            }
        }
        Ok(found)
    }

    async fn tell_of_held(self, tx: &mut Tx<'_>, tenant: &Tenant, told: &Told) -> Result<bool, StoreError> {
        let now = self.store.now();
        let (account, environment) = columns(tenant);
        let last = fetch_optional!(
            tx,
            (i64,),
            "SELECT created_at FROM event
              WHERE resource_id = $1 AND account_id = $2 AND environment = $3 AND kind = $4
              ORDER BY sequence DESC LIMIT 1",
            told.resource.to_string(),
            &account,
            environment,
            EventKind::Digest.as_str()
        )?;
        let last = last.map(|(at,)| Timestamp::from_micros(at));
        if last.is_some_and(|last| last + A_DAY > now) {
            return Ok(false);
        }
        let since = last.unwrap_or(now - LOOKED_BACK).max(now - LOOKED_BACK);
        let first = fetch_optional!(
            tx,
            (Option<i64>,),
            "SELECT MIN(created_at) FROM lead
              WHERE account_id = $1 AND environment = $2 AND created_at >= $3 AND status = 'spam' AND record IS NOT NULL
                AND (widget_id = $4 OR $5)",
            &account,
            environment,
            since.micros(),
            told.widget.map(|widget| widget.to_string()).unwrap_or_default(),
            told.widget.is_none()
        )?;
        let first = first.and_then(|(at,)| at).map(Timestamp::from_micros);
        if first.is_none_or(|first| first + GATHERED_FOR > now) {
            return Ok(false);
        }
        let held = Held { date: now.to_string().chars().take(10).collect(), from: since, until: now, held: true };
        let subject =
            EventSubject { kind: EventKind::Digest, resource: told.resource, widget: told.widget, spam: false };
        self.store.deliveries().record_event(tx, tenant, subject, &serde_json::to_value(&held)?).await?;
        Ok(true)
    }
}
