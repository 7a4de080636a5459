//! Metering of look-ups: reserved before the work, settled after it.
//!
//! An account with a limit or a balance gets a transaction and a usage row for every call, so concurrent calls
//! cannot overspend. An account with neither cannot overspend: its calls are counted in memory and written
//! together, so that a look-up needs no commit.

use std::collections::HashMap;
use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{Environment, KeyId, Tenant, Usd};

use crate::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::usage_buffer::UsageKey;
use crate::{Refusal, Store, StoreError};

/// Permission to make one look-up. Settle it when the look-up is done. [`Store::release_abandoned`] gives back
/// those that are never settled, because the process crashed.
#[derive(Debug)]
#[must_use = "settle the reservation when the look-up is done"]
pub struct Reservation(ReservationState);

#[derive(Debug)]
enum ReservationState {
    /// Sandbox: not counted.
    Sandbox,
    /// Neither limit nor balance: counted when it is billed, nothing is held until then.
    Unlimited(UsageKey),
    /// A usage row in state `reserved`.
    Stored { id: String },
}

row! {
    struct AccountLimits {
        paused_at: Option<i64>,
        balance_cents: Option<i64>,
        monthly_limit: Option<i64>,
        enabled: Option<bool>,
        used: i64,
    }
}

row! {
    struct HeldRow {
        account_id: String,
        held_cents: i64,
        month: i64,
    }
}

impl Store {
    /// Checks payment status, product, monthly limit and balance, in the order of the contract; then counts the
    /// look-up and holds its price. Sandbox calls pass only the first two checks.
    ///
    /// # Errors
    /// [`StoreError::Refused`] with the first check that failed.
    pub async fn reserve(
        &self,
        tenant: &Tenant,
        key: &KeyId,
        product: Product,
        price: Usd,
    ) -> Result<Reservation, StoreError> {
        let (account, now) = (tenant.account.to_string(), self.now());
        let month = now.month_start().micros();
        let mut reader = self.db.read().await?;
        let limits = fetch_optional!(
            reader,
            AccountLimits,
            "SELECT paused_at, balance_cents, monthly_limit, enabled, COALESCE(used, 0) AS used
               FROM account
               LEFT JOIN account_product p ON p.account_id = id AND product = $2
               LEFT JOIN usage_month m ON m.account_id = id AND month = $3
              WHERE id = $1",
            &account,
            product.as_str(),
            month
        )?
        .ok_or(StoreError::NotFound)?;
        drop(reader);
        if limits.paused_at.is_some() {
            return Err(Refusal::Paused.into());
        }
        if !limits.enabled.unwrap_or(product.on_by_default()) {
            return Err(Refusal::ProductOff.into());
        }
        if tenant.environment == Environment::Sandbox {
            return Ok(Reservation(ReservationState::Sandbox));
        }
        if limits.monthly_limit.is_some_and(|limit| limits.used >= limit) {
            return Err(Refusal::LimitReached.into());
        }
        if limits.balance_cents.is_some_and(|balance| balance <= 0 || balance < price.cents()) {
            return Err(Refusal::NoBalance.into());
        }
        if limits.monthly_limit.is_none() && limits.balance_cents.is_none() {
            return Ok(Reservation(ReservationState::Unlimited(UsageKey {
                account,
                key: key.clone(),
                product,
                price,
                month,
            })));
        }

        let id = self.new_id()?.to_string();
        transact!(self.db, |tx| {
            // The values read above may be out of date by now; these statements decide.
            let limit = limits.monthly_limit.unwrap_or(i64::MAX);
            if count_calls(tx, &account, month, 1, limit).await? == 0 {
                return Err(Refusal::LimitReached.into());
            }
            let mut held = 0;
            if limits.balance_cents.is_some() {
                held = price.cents();
                let taken = execute!(
                    tx,
                    "UPDATE account SET balance_cents = balance_cents - $2
                      WHERE id = $1 AND balance_cents > 0 AND balance_cents >= $2",
                    &account,
                    held
                )?;
                if taken == 0 {
                    return Err(Refusal::NoBalance.into());
                }
            }
            execute!(
                tx,
                "INSERT INTO usage (id, account_id, key_id, product, state, calls, price_cents, held_cents, month,
                                    reserved_at)
                 VALUES ($1, $2, $3, $4, 'reserved', 1, $5, $6, $7, $8)",
                &id,
                &account,
                &key.0,
                product.as_str(),
                price.cents(),
                held,
                month,
                now.micros()
            )?;
            Ok(())
        })?;
        Ok(Reservation(ReservationState::Stored { id }))
    }

    /// Bills the look-up, or gives everything back when there is nothing to bill (no match, a failure).
    pub async fn settle(&self, reservation: Reservation, billable: bool) -> Result<(), StoreError> {
        let now = self.now();
        match reservation.0 {
            ReservationState::Sandbox => Ok(()),
            ReservationState::Unlimited(_) if !billable => Ok(()),
            ReservationState::Unlimited(key) => {
                if self.usage.add(key, 1, now) {
                    self.flush_usage().await?;
                }
                Ok(())
            }
            ReservationState::Stored { id } if billable => transact!(self.db, |tx| {
                execute!(
                    tx,
                    "UPDATE usage SET state = 'billed', settled_at = $2 WHERE id = $1 AND state = 'reserved'",
                    &id,
                    now.micros()
                )?;
                Ok(())
            }),
            ReservationState::Stored { id } => transact!(self.db, |tx| { refund(tx, &id, now.micros()).await }),
        }
    }

    /// Writes the buffered calls. `settle` does this every 100 ms, and `close` does it too; a server also calls it
    /// at intervals, for the hours without look-ups. A process that dies loses at most the last 100 ms of counts,
    /// and never money.
    pub async fn flush_usage(&self) -> Result<(), StoreError> {
        // A separate task: a caller that is cancelled half-way must not leave calls uncounted or counted twice.
        let store = self.clone();
        let writing = tokio::spawn(async move {
            // One at a time, so that the second caller returns only after the calls the first one took are written.
            let _writing = store.usage.write_lock.lock().await;
            let calls = store.usage.take();
            if calls.is_empty() {
                return Ok(());
            }
            let written = store.write_calls(&calls).await;
            if written.is_err() {
                let now = store.now();
                for (key, calls) in calls {
                    store.usage.add(key, calls, now);
                }
            }
            written
        });
        // The task fails only when the runtime is being shut down.
        writing.await.unwrap_or(Ok(()))
    }

    async fn write_calls(&self, calls: &HashMap<UsageKey, i64>) -> Result<(), StoreError> {
        let (id, now) = (self.new_id()?, self.now());
        transact!(self.db, |tx| {
            for (number, (key, calls)) in calls.iter().enumerate() {
                count_calls(tx, &key.account, key.month, *calls, i64::MAX).await?;
                execute!(
                    tx,
                    "INSERT INTO usage (id, account_id, key_id, product, state, calls, price_cents, held_cents, month,
                                        reserved_at, settled_at)
                     VALUES ($1, $2, $3, $4, 'billed', $5, $6, 0, $7, $8, $8)",
                    format!("{id}.{number}"),
                    &key.account,
                    &key.key.0,
                    key.product.as_str(),
                    *calls,
                    key.price.cents(),
                    key.month,
                    now.micros()
                )?;
            }
            Ok(())
        })
    }

    /// Gives back reservations older than `age` that were never settled because their process died.
    /// Returns how many there were.
    pub async fn release_abandoned(&self, age: Duration) -> Result<u64, StoreError> {
        let now = self.now();
        let before = (now - age).micros();
        transact!(self.db, |tx| {
            let open = fetch_all!(
                tx,
                (String,),
                "SELECT id FROM usage WHERE state = 'reserved' AND reserved_at < $1",
                before
            )?;
            for (id,) in &open {
                refund(tx, id, now.micros()).await?;
            }
            Ok(open.len() as u64)
        })
    }
}

/// Counts look-ups of the month unless the limit is reached; returns the number of changed rows.
async fn count_calls(tx: &mut Tx<'_>, account: &str, month: i64, calls: i64, limit: i64) -> sqlx::Result<u64> {
    if limit <= 0 {
        return Ok(0);
    }
    execute!(
        tx,
        "INSERT INTO usage_month (account_id, month, used) VALUES ($1, $2, $3)
         ON CONFLICT (account_id, month) DO UPDATE SET used = usage_month.used + $3 WHERE usage_month.used < $4",
        account,
        month,
        calls,
        limit
    )
}

/// Leaves a row that is already settled as it is.
async fn refund(tx: &mut Tx<'_>, id: &str, now: i64) -> Result<(), StoreError> {
    let held = fetch_optional!(
        tx,
        HeldRow,
        "UPDATE usage SET state = 'returned', settled_at = $2 WHERE id = $1 AND state = 'reserved'
         RETURNING account_id, held_cents, month",
        id,
        now
    )?;
    let Some(held) = held else { return Ok(()) };
    // The month in which it was counted, which may be over.
    execute!(
        tx,
        "UPDATE usage_month SET used = used - 1 WHERE account_id = $1 AND month = $2",
        &held.account_id,
        held.month
    )?;
    if held.held_cents != 0 {
        execute!(
            tx,
            "UPDATE account SET balance_cents = balance_cents + $2 WHERE id = $1",
            &held.account_id,
            held.held_cents
        )?;
    }
    Ok(())
}
