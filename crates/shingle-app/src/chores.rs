//! Background work the server does once a minute.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use shingle_store::{Reencryption, Store, StoreError};

use crate::app::App;
use crate::domain_checks;
use crate::erasure::erase_closed_accounts;
use crate::lead_import;
use crate::notices;
use crate::photos;

/// A browser that retries later makes a new request.
const MAX_IDEMPOTENCY_KEY_AGE: Duration = Duration::from_secs(7 * 24 * 3_600);
/// An API client that repeats a request later makes a new one.
const MAX_API_REQUEST_AGE: Duration = Duration::from_secs(12 * 3_600);
/// How long the delivery log is kept.
pub const MAX_DELIVERY_AGE: Duration = Duration::from_secs(30 * 24 * 3_600);

/// In a minute: some seconds of work.
const MAX_REENCRYPTED_ROWS: u64 = 2_000;

/// Does every chore, whatever becomes of the others: one failure must not stop the others. Returns the names
/// of those that failed.
pub async fn run(app: &Arc<App>) -> Vec<&'static str> {
    let store = &app.store;
    let mut failed = Failed::default();
    failed.note("writing the usage", store.usage().flush().await);
    failed.note("writing the visits", store.widgets().flush_visits().await);
    failed.note("deleting old visits", store.widgets().delete_old_visits().await);
    failed.note("deleting idempotency keys", store.leads().delete_idempotency_keys(MAX_IDEMPOTENCY_KEY_AGE).await);
    failed.note("deleting API requests", store.accounts().delete_api_requests(MAX_API_REQUEST_AGE).await);
    failed.note("deleting old deliveries", store.deliveries().delete_old(MAX_DELIVERY_AGE).await);
    failed.note("encrypting older rows", encrypt_older_rows(store).await);
    failed.note("making leads searchable", store.leads().index_leads().await);
    failed.note("erasing old leads", store.accounts().erase_old_leads().await);
    // What is not there is gone only where it was.
    if app.node.may_delete_files() {
        failed.note("erasing closed accounts", erase_closed_accounts(store, &app.blobs).await);
        failed.note("deleting removed photographs", photos::delete_removed(store, &app.blobs).await);
    }
    failed.note("forgetting solved challenges", store.nodes().forget_spent_challenges().await);
    failed.note("deleting what has ended of the portal", store.people().delete_ended_portal_rows().await);
    failed.note("deleting old entries of the audit log", store.audit().delete_old().await);
    failed.note("deleting ended previews", store.widgets().delete_ended_previews().await);
    failed.note("checking companies' own domains", domain_checks::check_due(app).await);
    failed.note("noting where widgets were seen", store.widgets().note_sightings(&app.sightings.take()).await);
    failed.note("going on with imports of leads", lead_import::work::go_on_with_silent(app).await);
    let mails = app.mail.is_some();
    failed.note("reminding of next steps", notices::remind_of_steps(store, mails).await);
    failed.note("making digests", notices::make_due_digests(store).await);
    let (imports, now) = (app.imports.clone(), app.clock.now());
    failed.note("deleting old uploads", tokio::task::spawn_blocking(move || imports.tidy(now)).await);
    let (areas, clock) = (app.areas.clone(), app.clock.clone());
    failed.note("refreshing areas", tokio::task::spawn_blocking(move || areas.begin_monthly(clock)).await);
    app.metrics.failed_chores(failed.0.len());
    app.health.note_totals(app.clock.now(), app.metrics.totals());
    failed.0
}

/// What older keys wrote. A text that no key opens is reported once, by its account's last run.
async fn encrypt_older_rows(store: &Store) -> Result<(), StoreError> {
    let Reencryption { rows, unreadable } = store.encryption().encrypt_older_rows(MAX_REENCRYPTED_ROWS).await?;
    if unreadable > 0 {
        tracing::warn!(rows, unreadable, "texts that no key of the secret file opens stay as they are");
    }
    Ok(())
}

#[derive(Default)]
struct Failed(Vec<&'static str>);

impl Failed {
    fn note<T, E: Display>(&mut self, chore: &'static str, result: Result<T, E>) {
        if let Err(error) = result {
            tracing::warn!(chore, %error, "a chore failed; it is tried again in a minute");
            self.0.push(chore);
        }
    }
}
