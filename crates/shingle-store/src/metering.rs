//! Metering of look-ups: reserved before the work, settled after it.
//!
//! Where there is a limit or a balance, each is one transaction with its usage row, so calls that run at
//! once cannot overspend. Where there is neither, nothing can be overspent: calls are tallied in memory and
//! written together, which keeps a commit out of every look-up.

use std::collections::HashMap;
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{Environment, KeyId, Tenant, Timestamp, Usd};

use crate::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::{Refusal, Store, StoreError};

/// Leave to make one look-up. Settle it; one that never is (a crash) is given back by
/// [`Store::release_abandoned`].
#[derive(Debug)]
#[must_use = "a reservation is settled when the look-up is done"]
pub struct Reservation(Hold);

#[derive(Debug)]
enum Hold {
    /// Sandbox: nothing is counted.
    Free,
    /// Neither limit nor balance: counted when it is billed, nothing to hold until then.
    Open(Kind),
    /// A usage row in state `reserved`.
    Row { id: String },
}

/// Calls that count as one row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Kind {
    account: String,
    key: KeyId,
    product: Product,
    price: Usd,
    month: i64,
}

/// A tally is written once it is this old, by whoever settles next.
const TALLY_AGE: Duration = Duration::from_millis(100);

/// Calls settled and not yet written.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    sheet: Mutex<Sheet>,
    /// Held by whoever writes.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Sheet {
    calls: HashMap<Kind, i64>,
    since: Option<Timestamp>,
}

impl Tally {
    fn sheet(&self) -> std::sync::MutexGuard<'_, Sheet> {
        // Nothing panics while it is held; were it so, the counts would still be whole.
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is time to write.
    fn add(&self, kind: Kind, calls: i64, now: Timestamp) -> bool {
        let mut sheet = self.sheet();
        *sheet.calls.entry(kind).or_default() += calls;
        *sheet.since.get_or_insert(now) + TALLY_AGE <= now
    }

    fn take(&self) -> HashMap<Kind, i64> {
        let mut sheet = self.sheet();
        sheet.since = None;
        mem::take(&mut sheet.calls)
    }
}

row! {
    struct Standing {
        paused_at: Option<i64>,
        balance_cents: Option<i64>,
        monthly_limit: Option<i64>,
        enabled: Option<bool>,
        used: i64,
    }
}

row! {
    struct Held {
        account_id: String,
        held_cents: i64,
        month: i64,
    }
}

impl Store {
    /// Checks, in the document's order, payment status, product, monthly limit and balance; then counts the
    /// look-up and holds its price. Sandbox calls meet the first two only.
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
        let standing = fetch_optional!(
            reader,
            Standing,
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
        if standing.paused_at.is_some() {
            return Err(Refusal::Paused.into());
        }
        if !standing.enabled.unwrap_or(product.on_by_default()) {
            return Err(Refusal::ProductOff.into());
        }
        if tenant.environment == Environment::Sandbox {
            return Ok(Reservation(Hold::Free));
        }
        if standing.monthly_limit.is_some_and(|limit| standing.used >= limit) {
            return Err(Refusal::LimitReached.into());
        }
        if standing.balance_cents.is_some_and(|balance| balance <= 0 || balance < price.cents()) {
            return Err(Refusal::NoBalance.into());
        }
        if standing.monthly_limit.is_none() && standing.balance_cents.is_none() {
            return Ok(Reservation(Hold::Open(Kind { account, key: key.clone(), product, price, month })));
        }

        let id = self.new_id()?.to_string();
        transact!(self.db, |tx| {
            // What was read above may be old by now; these statements decide.
            let limit = standing.monthly_limit.unwrap_or(i64::MAX);
            if count(tx, &account, month, 1, limit).await? == 0 {
                return Err(Refusal::LimitReached.into());
            }
            let mut held = 0;
            if standing.balance_cents.is_some() {
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
        Ok(Reservation(Hold::Row { id }))
    }

    /// Bills the look-up, or gives everything back when there is nothing to bill (no match, a failure).
    pub async fn settle(&self, reservation: Reservation, billable: bool) -> Result<(), StoreError> {
        let now = self.now();
        match reservation.0 {
            Hold::Free => Ok(()),
            Hold::Open(_) if !billable => Ok(()),
            Hold::Open(kind) => {
                if self.tally.add(kind, 1, now) {
                    self.write_tally().await?;
                }
                Ok(())
            }
            Hold::Row { id } if billable => transact!(self.db, |tx| {
                execute!(
                    tx,
                    "UPDATE usage SET state = 'billed', settled_at = $2 WHERE id = $1 AND state = 'reserved'",
                    &id,
                    now.micros()
                )?;
                Ok(())
            }),
            Hold::Row { id } => transact!(self.db, |tx| { give_back(tx, &id, now.micros()).await }),
        }
    }

    /// Writes what was tallied. Settling does so every 100 ms, closing does so too; a server calls it now and
    /// then for the hours when nobody calls. A process that dies loses the tally's last 100 ms of counts,
    /// never money.
    pub async fn write_tally(&self) -> Result<(), StoreError> {
        // A task of its own: a caller that hangs up half-way must not leave calls uncounted or counted twice.
        let store = self.clone();
        let writing = tokio::spawn(async move {
            // One at a time, so that whoever comes second finds written what the first took.
            let _turn = store.tally.turn.lock().await;
            let calls = store.tally.take();
            if calls.is_empty() {
                return Ok(());
            }
            let written = store.write_calls(&calls).await;
            if written.is_err() {
                let now = store.now();
                for (kind, calls) in calls {
                    store.tally.add(kind, calls, now);
                }
            }
            written
        });
        // It fails to end only when the runtime is being shut down.
        writing.await.unwrap_or(Ok(()))
    }

    async fn write_calls(&self, calls: &HashMap<Kind, i64>) -> Result<(), StoreError> {
        let (id, now) = (self.new_id()?, self.now());
        transact!(self.db, |tx| {
            for (number, (kind, calls)) in calls.iter().enumerate() {
                count(tx, &kind.account, kind.month, *calls, i64::MAX).await?;
                execute!(
                    tx,
                    "INSERT INTO usage (id, account_id, key_id, product, state, calls, price_cents, held_cents, month,
                                        reserved_at, settled_at)
                     VALUES ($1, $2, $3, $4, 'billed', $5, $6, 0, $7, $8, $8)",
                    format!("{id}.{number}"),
                    &kind.account,
                    &kind.key.0,
                    kind.product.as_str(),
                    *calls,
                    kind.price.cents(),
                    kind.month,
                    now.micros()
                )?;
            }
            Ok(())
        })
    }

    /// Gives back what was reserved longer than `age` ago and never settled, because its process died.
    /// Answers how many there were.
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
                give_back(tx, id, now.micros()).await?;
            }
            Ok(open.len() as u64)
        })
    }
}

/// Counts look-ups of the month unless the limit is reached; answers the rows changed.
async fn count(tx: &mut Tx, account: &str, month: i64, calls: i64, limit: i64) -> sqlx::Result<u64> {
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

/// Does nothing to a row that is settled already.
async fn give_back(tx: &mut Tx, id: &str, now: i64) -> Result<(), StoreError> {
    let held = fetch_optional!(
        tx,
        Held,
        "UPDATE usage SET state = 'returned', settled_at = $2 WHERE id = $1 AND state = 'reserved'
         RETURNING account_id, held_cents, month",
        id,
        now
    )?;
    let Some(held) = held else { return Ok(()) };
    // The month it was counted in, which may be over.
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
