//! Metering of look-ups: admitted before the work, settled after it and before the answer.
//!
//! With a limit or a balance each call is counted, and its price taken, in the transaction that decides whether it may be
//! taken: concurrent calls cannot overspend, and a call that is never answered holds nothing. Calls at once share a
//! transaction. An account with neither cannot overspend: its calls are counted in memory and written together, so that a
//! look-up needs no commit. So are all calls that cost nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Usd};

use crate::engine::caches::CallTerms;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::usage::Usage;
use crate::usage::buffer::{Call, Charge, PendingUsage};
use crate::usage::sum::{UsageKey, UsageSum, UsageSums, add_usage};
use crate::{Refusal, StoreError};

/// Permission to make one look-up. Settle it when the look-up is done, before it is answered.
#[derive(Debug)]
#[must_use = "settle it when the look-up is done"]
pub struct Admission(AdmittedCall);

#[derive(Debug)]
enum AdmittedCall {
    /// Sandbox: never billed.
    Free(UsageKey),
    /// Neither limit nor balance.
    Unlimited(Call),
    /// Whether limit and balance allow it is decided when it is settled.
    Metered(Call),
}

row! {
    struct TermsRow {
        paused_at: Option<i64>,
        balance_cents: Option<i64>,
        monthly_limit: Option<i64>,
    }
}

row! {
    struct StandingRow {
        balance_cents: Option<i64>,
        monthly_limit: Option<i64>,
    }
}

impl Usage<'_> {
    /// Checks payment status and product, in the order of the contract. Limit and balance are checked when the call is
    /// settled.
    ///
    /// # Errors
    /// [`StoreError::Refused`] with the first check that failed.
    pub async fn admit(
        self,
        tenant: &Tenant,
        key: &KeyId,
        product: Product,
        price: Usd,
    ) -> Result<Admission, StoreError> {
        let terms = self.call_terms(tenant.account).await?;
        if terms.paused {
            return Err(Refusal::Paused.into());
        }
        let of = UsageKey { tenant: *tenant, day: self.store.now().day_start(), key: key.clone(), product };
        // Its homes are invented: every product may be tried there.
        if tenant.environment == Environment::Sandbox {
            return Ok(Admission(AdmittedCall::Free(of)));
        }
        if !terms.products.contains(&product) {
            return Err(Refusal::ProductOff.into());
        }
        let call = Call { of, price };
        let admitted = if terms.metered { AdmittedCall::Metered(call) } else { AdmittedCall::Unlimited(call) };
        Ok(Admission(admitted))
    }

    async fn call_terms(self, account: AccountId) -> Result<Arc<CallTerms>, StoreError> {
        let generation = self.store.generation().await?;
        if let Some(terms) = self.store.caches.terms.get(&account, generation) {
            return Ok(terms);
        }
        let id = account.to_string();
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            TermsRow,
            "SELECT paused_at, balance_cents, monthly_limit FROM account WHERE id = $1",
            &id
        )?
        .ok_or(StoreError::NotFound)?;
        let switched = fetch_all!(
            reader,
            (String, bool),
            "SELECT product, enabled FROM account_product WHERE account_id = $1",
            &id
        )?;
        let on = |product: &Product| {
            let choice = switched.iter().find(|(name, _)| *name == product.as_str());
            choice.map_or(product.on_by_default(), |(_, enabled)| *enabled)
        };
        let terms = Arc::new(CallTerms {
            paused: row.paused_at.is_some(),
            products: Product::ALL.into_iter().filter(on).collect(),
            metered: row.monthly_limit.is_some() || row.balance_cents.is_some(),
        });
        self.store.caches.terms.insert(account, generation, terms.clone());
        Ok(terms)
    }

    /// Bills the look-up, unless there is nothing to bill (no match, a failure). Once it has returned, what an account
    /// with a limit or a balance has to pay is on disk.
    ///
    /// # Errors
    /// [`StoreError::Refused`] when limit or balance do not allow the call, billable or not: then nothing is billed, and
    /// its result must not be told.
    pub async fn settle(self, admission: Admission, billable: bool) -> Result<(), StoreError> {
        match admission.0 {
            AdmittedCall::Free(of) => self.count(of, UsageSum::FREE),
            AdmittedCall::Unlimited(Call { of, price }) => {
                self.count(of, if billable { UsageSum::billed(price, false) } else { UsageSum::FREE });
            }
            AdmittedCall::Metered(call) => {
                let store = self.store.clone();
                let charge_all = move |charges: Vec<Charge>| {
                    let store = store.clone();
                    async move { store.usage().charge_all(&charges).await }
                };
                let of = call.of.clone();
                let charged = self.store.charges.write(Charge { call, billable }, charge_all).await;
                charged.unwrap_or(Err(StoreError::GivenUp))?;
                if !billable {
                    self.count(of, UsageSum::FREE);
                }
            }
        }
        Ok(())
    }

    /// Counts in memory.
    fn count(self, of: UsageKey, sum: UsageSum) {
        if self.store.usage.add(of, sum, self.store.now()) {
            // What fails stays counted and is written later: it is nothing to the caller.
            let store = self.store.clone();
            tokio::spawn(async move { store.usage().write_usage().await });
        }
    }

    /// Charges calls in one transaction, each as if it came alone, in their order.
    async fn charge_all(self, charges: &[Charge]) -> Vec<Result<(), StoreError>> {
        match self.charge_together(charges).await {
            Ok(verdicts) => verdicts,
            Err(error) => {
                let error = Arc::new(error);
                charges.iter().map(|_| Err(StoreError::Together(error.clone()))).collect()
            }
        }
    }

    async fn charge_together(self, charges: &[Charge]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        transact!(self.store.db, |tx| { self.charge_in(tx, charges).await })
    }

    async fn charge_in(self, tx: &mut Tx<'_>, charges: &[Charge]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
        let mut verdicts: Vec<_> = charges.iter().map(|_| Ok(())).collect();
        let mut billed = UsageSums::new();
        // In one order on all nodes: nobody then waits in a circle.
        let mut by_account: BTreeMap<AccountId, Vec<usize>> = BTreeMap::new();
        for (number, charge) in charges.iter().enumerate() {
            by_account.entry(charge.call.of.tenant.account).or_default().push(number);
        }
        for (account, numbers) in by_account {
            let account_id = account.to_string();
            let calls: Vec<_> = numbers.iter().map(|number| &charges[*number]).collect();
            if take_for_all(tx, &account_id, &calls).await? {
                calls.iter().filter(|charge| charge.billable).for_each(|charge| bill(&mut billed, &charge.call, true));
            } else {
                let each = charge_each(tx, &account_id, &calls, &mut billed).await?;
                numbers.iter().zip(each).for_each(|(number, verdict)| verdicts[*number] = verdict);
            }
        }
        if !billed.is_empty() {
            count_months(tx, &billed).await?;
            add_usage(&self.store.db, tx, &billed).await?;
        }
        Ok(verdicts)
    }

    /// Writes the buffered calls and uses of keys. `settle` has this done every 100 ms, and `close` does it too; a
    /// server also calls it at intervals, for the hours without look-ups. A process that dies loses at most the last
    /// 100 ms of counts, and never money.
    pub async fn flush(self) -> Result<(), StoreError> {
        // A separate task: a caller that is cancelled half-way must not leave calls uncounted or counted twice.
        // The task fails only when the runtime is being shut down.
        let store = self.store.clone();
        tokio::spawn(async move { store.usage().write_usage().await }).await.unwrap_or(Ok(()))
    }

    async fn write_usage(self) -> Result<(), StoreError> {
        // One at a time, so that the second caller returns only after the calls the first one took are written.
        let _writing = self.store.usage.write_lock.lock().await;
        let pending = self.store.usage.take();
        if pending.is_empty() {
            return Ok(());
        }
        let written = self.write_pending(&pending).await;
        if written.is_err() {
            self.store.usage.put_back(pending, self.store.now());
        }
        written
    }

    async fn write_pending(self, pending: &PendingUsage) -> Result<(), StoreError> {
        // In one order on all nodes: nobody then waits in a circle.
        let mut uses: Vec<_> = pending.uses.iter().collect();
        uses.sort_by(|(one, _), (other, _)| one.0.cmp(&other.0));
        transact!(self.store.db, |tx| {
            if !pending.sums.is_empty() {
                count_months(tx, &pending.sums).await?;
                add_usage(&self.store.db, tx, &pending.sums).await?;
            }
            for (key, at) in &uses {
                execute!(tx, "UPDATE api_key SET last_used_at = $2 WHERE id = $1", &key.0, **at)?;
            }
            Ok(())
        })
    }
}

fn bill(billed: &mut UsageSums, call: &Call, from_balance: bool) {
    *billed.entry(call.of.clone()).or_default() += UsageSum::billed(call.price, from_balance);
}

/// The calls of one account in their order, each as if it came alone.
async fn charge_each(
    tx: &mut Tx<'_>,
    account: &str,
    charges: &[&Charge],
    billed: &mut UsageSums,
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let writes = charges.iter().any(|charge| charge.billable);
    let Some(StandingRow { mut balance_cents, monthly_limit }) = standing(tx, account, writes).await? else {
        return Ok(charges.iter().map(|_| Err(StoreError::NotFound)).collect());
    };
    // The month of a call is that in which it began.
    let mut months = BTreeMap::new();
    for charge in charges {
        months.entry(charge.call.month()).or_insert(0);
    }
    for (month, used) in &mut months {
        *used = used_in(tx, account, *month).await?;
    }
    let mut taken = 0;
    let mut verdicts = Vec::with_capacity(charges.len());
    for Charge { call, billable } in charges {
        let price = call.price.cents();
        let used = months.entry(call.month()).or_default();
        verdicts.push(if monthly_limit.is_some_and(|limit| *used >= limit) {
            Err(Refusal::LimitReached.into())
        } else if balance_cents.is_some_and(|balance| balance <= 0 || balance < price) {
            Err(Refusal::NoBalance.into())
        } else {
            if *billable {
                *used += 1;
                if let Some(balance) = &mut balance_cents {
                    *balance -= price;
                    taken += price;
                }
                bill(billed, call, balance_cents.is_some());
            }
            Ok(())
        });
    }
    if taken != 0 {
        execute!(tx, "UPDATE account SET balance_cents = balance_cents - $2 WHERE id = $1", account, taken)?;
    }
    Ok(verdicts)
}

/// The usual case, in one statement: the account has no limit, and its balance is more than enough for all of them. False:
/// each has to be looked at.
async fn take_for_all(tx: &mut Tx<'_>, account: &str, charges: &[&Charge]) -> Result<bool, StoreError> {
    if !charges.iter().any(|charge| charge.billable) {
        return Ok(false);
    }
    let sum: i64 = charges.iter().filter(|charge| charge.billable).map(|charge| charge.call.price.cents()).sum();
    let taken = execute!(
        tx,
        "UPDATE account SET balance_cents = balance_cents - $2
          WHERE id = $1 AND monthly_limit IS NULL AND balance_cents > $2",
        account,
        sum
    )?;
    Ok(taken > 0)
}

/// Limit and balance of an account, whose row is locked if anything is to be billed.
async fn standing(tx: &mut Tx<'_>, account: &str, writes: bool) -> sqlx::Result<Option<StandingRow>> {
    if writes {
        fetch_optional!(
            tx,
            StandingRow,
            "UPDATE account SET balance_cents = balance_cents WHERE id = $1 RETURNING balance_cents, monthly_limit",
            account
        )
    } else {
        fetch_optional!(tx, StandingRow, "SELECT balance_cents, monthly_limit FROM account WHERE id = $1", account)
    }
}

/// Read after the account's row is locked, and not with it: a statement that has waited for a lock reads everything else
/// as it was before.
async fn used_in(tx: &mut Tx<'_>, account: &str, month: i64) -> sqlx::Result<i64> {
    let row = fetch_optional!(
        tx,
        (i64,),
        "SELECT used FROM usage_month WHERE account_id = $1 AND month = $2",
        account,
        month
    )?;
    Ok(row.map_or(0, |(used,)| used))
}

/// Counts what is billed against the limits of the months in which it began.
async fn count_months(tx: &mut Tx<'_>, sums: &UsageSums) -> sqlx::Result<()> {
    // In one order on all nodes: nobody then waits in a circle.
    let mut months = BTreeMap::new();
    for (of, sum) in sums.iter().filter(|(_, sum)| sum.billed > 0) {
        *months.entry((of.tenant.account, of.day.month_start().micros())).or_insert(0) += sum.billed;
    }
    for ((account, month), calls) in months {
        execute!(
            tx,
            "INSERT INTO usage_month (account_id, month, used) VALUES ($1, $2, $3)
             ON CONFLICT (account_id, month) DO UPDATE SET used = usage_month.used + $3",
            account.to_string(),
            month,
            calls
        )?;
    }
    Ok(())
}
