//! Metering of look-ups: reserved before the work, settled after it. Each is one transaction with its usage
//! row, so calls that run at once cannot overspend.

use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{Environment, KeyId, Tenant, Usd};

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
    Open { account: String, key: KeyId, product: Product, price: Usd },
    /// A usage row in state `reserved`.
    Row { id: String },
}

#[derive(sqlx::FromRow)]
struct Standing {
    paused_at: Option<i64>,
    balance_cents: Option<i64>,
    monthly_limit: Option<i64>,
    enabled: Option<bool>,
    used: i64,
}

#[derive(sqlx::FromRow)]
struct Held {
    account_id: String,
    held_cents: i64,
    month: i64,
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
            return Ok(Reservation(Hold::Open { account, key: key.clone(), product, price }));
        }

        let id = self.new_id()?.to_string();
        transact!(self.db, |tx| {
            // What was read above may be old by now; these statements decide.
            let limit = standing.monthly_limit.unwrap_or(i64::MAX);
            if count(tx, &account, month, limit).await? == 0 {
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
                "INSERT INTO usage (id, account_id, key_id, product, state, price_cents, held_cents, month, reserved_at)
                 VALUES ($1, $2, $3, $4, 'reserved', $5, $6, $7, $8)",
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
            Hold::Open { .. } if !billable => Ok(()),
            Hold::Open { account, key, product, price } => {
                let id = self.new_id()?.to_string();
                let month = now.month_start().micros();
                transact!(self.db, |tx| {
                    count(tx, &account, month, i64::MAX).await?;
                    execute!(
                        tx,
                        "INSERT INTO usage (id, account_id, key_id, product, state, price_cents, held_cents, month,
                                            reserved_at, settled_at)
                         VALUES ($1, $2, $3, $4, 'billed', $5, 0, $6, $7, $7)",
                        &id,
                        &account,
                        &key.0,
                        product.as_str(),
                        price.cents(),
                        month,
                        now.micros()
                    )?;
                    Ok(())
                })
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

/// Counts one look-up of the month unless the limit is reached; answers the rows changed.
async fn count(tx: &mut Tx, account: &str, month: i64, limit: i64) -> sqlx::Result<u64> {
    if limit <= 0 {
        return Ok(0);
    }
    execute!(
        tx,
        "INSERT INTO usage_month (account_id, month, used) VALUES ($1, $2, 1)
         ON CONFLICT (account_id, month) DO UPDATE SET used = usage_month.used + 1 WHERE usage_month.used < $3",
        account,
        month,
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
