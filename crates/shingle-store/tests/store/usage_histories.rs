//! Whatever happens, what was taken from the balance and what is left of it are what was credited, to the cent.
//! `SHINGLE_USAGE_HISTORIES=500` for a long run.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::usage::{UsagePeriod, day};
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Timestamp, Usd};
use shingle_store::{Clock, Store, StoreError, UsageLine};
use shingle_store_fixture::{Fixture, ManualClock, on_both_engines};
use tokio::task::JoinSet;

use crate::samples;

const ROOF: Product = Product::RoofEstimate;
const STEPS: usize = 25;
const PRICE: Usd = Usd::from_cents(25);

#[allow(clippy::disallowed_methods, reason = "the length of a run is a setting of the test run")]
fn histories() -> u64 {
    std::env::var("SHINGLE_USAGE_HISTORIES").ok().and_then(|n| n.parse().ok()).unwrap_or(12)
}

/// A call that a test makes.
#[derive(Clone)]
struct Call {
    tenant: Tenant,
    key: KeyId,
    product: Product,
    price: Usd,
    found: bool,
}

impl Call {
    async fn run(&self, store: &Store) -> Result<(), StoreError> {
        let admitted = store.usage().admit(&self.tenant, &self.key, self.product, self.price).await?;
        store.usage().settle(admitted, self.found).await
    }

    /// Lets go of it after some steps.
    async fn run_for(&self, store: &Store, steps: u64) {
        let mut running = Box::pin(self.run(store));
        for _ in 0..steps {
            tokio::select! {
                biased;
                _ = &mut running => break,
                () = tokio::task::yield_now() => {}
            }
        }
    }
}

async fn lines(store: &Store, tenant: &Tenant) -> Vec<UsageLine> {
    let [first, last] = ["2026-03-01", "2026-12-31"].map(|text| Some(day(text).unwrap()));
    store.usage().report(tenant, UsagePeriod::new(first, last, store.now()).unwrap()).await.unwrap()
}

/// What was taken from the balance, and what is left of it.
async fn money(store: &Store, tenant: &Tenant) -> (i64, i64) {
    let paid = lines(store, tenant).await.iter().map(|line| line.sum.paid.cents()).sum();
    (paid, store.usage().balance(tenant).await.unwrap().map_or(0, Usd::cents))
}

/// Random numbers that are the same in every run (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % limit
    }

    fn cents(&mut self, limit: u64) -> i64 {
        i64::try_from(self.below(limit)).unwrap()
    }

    fn pick<T: Copy, const N: usize>(&mut self, from: [T; N]) -> T {
        from[usize::try_from(self.below(N as u64)).unwrap()]
    }
}

/// What the customer knows of the calls of a day, key and product.
#[derive(Default)]
struct Known {
    billed: i64,
    amount: i64,
    free: i64,
    /// Nobody knows whether these were billed: they were not answered.
    unanswered: i64,
}

type Line = (Timestamp, String, &'static str);

/// A prepaid account: credits, limits, calls alone and at once, callers that hang up, processes that die, a database that
/// fails in the middle of a transaction, days that pass.
struct History {
    seed: u64,
    chance: Chance,
    tenant: Tenant,
    credited: i64,
    known: BTreeMap<Line, Known>,
}

impl History {
    async fn new(f: &Fixture, seed: u64) -> Self {
        let tenant = samples::tenant(&f.store).await;
        let mut history = Self { seed, chance: Chance(seed), tenant, credited: 0, known: BTreeMap::new() };
        history.credit(&f.store).await;
        history
    }

    async fn run(mut self, f: &Fixture) {
        f.clock.set("2026-03-10T12:00:00Z");
        for _ in 0..STEPS {
            match self.chance.below(13) {
                0 => self.credit(&f.store).await,
                1 => self.limit(&f.store).await,
                2 => f.clock.advance(Duration::from_secs(3_600 * self.chance.below(30))),
                3 => self.hang_up(&f.store).await,
                4 => self.crash(f).await,
                5 => self.rush(f).await,
                6 => self.fail(f).await,
                _ => self.call(&f.store).await,
            }
        }
        self.check(&f.store).await;
    }

    fn random_call(&mut self) -> Call {
        Call {
            tenant: self.tenant,
            key: KeyId(self.chance.pick(["one", "two", "six"]).to_owned()),
            product: self.chance.pick([ROOF, Product::SolarIndex]),
            price: Usd::from_cents(self.chance.cents(40)),
            found: self.chance.below(4) > 0,
        }
    }

    fn known(&mut self, store: &Store, call: &Call) -> &mut Known {
        self.known.entry((store.now().day_start(), call.key.0.clone(), call.product.as_str())).or_default()
    }

    fn note(&mut self, store: &Store, call: &Call, answer: Result<(), StoreError>) {
        let seed = self.seed;
        let known = self.known(store, call);
        match answer {
            Ok(()) if call.found => {
                known.billed += 1;
                known.amount += call.price.cents();
            }
            Ok(()) => known.free += 1,
            Err(StoreError::Refused(_)) => {}
            Err(other) => panic!("history {seed}: {other}"),
        }
    }

    async fn credit(&mut self, store: &Store) {
        let cents = 1 + self.chance.cents(300);
        store.accounts().credit(self.tenant.account, Usd::from_cents(cents)).await.unwrap();
        self.credited += cents;
    }

    async fn limit(&mut self, store: &Store) {
        let limit = self.chance.pick([None, Some(3), Some(1_000)]);
        store.accounts().set_limit(self.tenant.account, limit).await.unwrap();
    }

    async fn call(&mut self, store: &Store) {
        let call = self.random_call();
        let answer = call.run(store).await;
        self.note(store, &call, answer);
    }

    /// Calls at once, on two nodes.
    async fn rush(&mut self, f: &Fixture) {
        let nodes = [f.store.clone(), f.open_again().await];
        let mut under_way = JoinSet::new();
        for number in 0..self.chance.below(30) {
            let (call, store) = (self.random_call(), nodes[usize::try_from(number % 2).unwrap()].clone());
            under_way.spawn(async move {
                let answer = call.run(&store).await;
                (call, answer)
            });
        }
        for (call, answer) in under_way.join_all().await {
            self.note(&f.store, &call, answer);
        }
        nodes[1].close().await.unwrap();
    }

    /// The price is taken, and then the sum cannot be written.
    async fn fail(&mut self, f: &Fixture) {
        let call = self.random_call();
        f.run("ALTER TABLE usage_day RENAME TO gone").await;
        let answer = call.run(&f.store).await;
        f.run("ALTER TABLE gone RENAME TO usage_day").await;
        match answer {
            Err(StoreError::Together(_)) if call.found => {}
            answer => {
                assert!(!call.found || answer.is_err(), "history {}: answered, and nothing written", self.seed);
                self.note(&f.store, &call, answer);
            }
        }
    }

    async fn hang_up(&mut self, store: &Store) {
        let (call, steps) = (self.random_call(), self.chance.below(12));
        call.run_for(store, steps).await;
        self.known(store, &call).unanswered += 1;
    }

    /// Another process dies with calls at every stage: its runtime stops, and with it all that it was about to do.
    async fn crash(&mut self, f: &Fixture) {
        let calls: Vec<_> = (0..=self.chance.below(6)).map(|_| self.random_call()).collect();
        calls.iter().for_each(|call| self.known(&f.store, call).unanswered += 1);
        let (address, clock, steps) = (f.address.clone(), f.clock.clone() as Arc<dyn Clock>, self.chance.below(60));
        let dying = move || {
            let process = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
            process.block_on(async move {
                let store = Store::open(&address, clock, &Fixture::SECRET).await.unwrap();
                for call in calls {
                    let store = store.clone();
                    tokio::spawn(async move { call.run(&store).await });
                }
                for _ in 0..steps {
                    tokio::task::yield_now().await;
                }
            });
            process.shutdown_background();
        };
        tokio::task::spawn_blocking(dying).await.unwrap();
    }

    async fn check(&mut self, store: &Store) {
        // Waits for what a process had told the database to commit when it died.
        self.credit(store).await;
        let seed = self.seed;
        let (paid, left) = money(store, &self.tenant).await;
        assert_eq!(paid + left, self.credited, "history {seed}");
        assert!(left >= 0, "history {seed}");
        for line in lines(store, &self.tenant).await {
            let sum = line.sum;
            assert_eq!(sum.amount, sum.paid, "history {seed}: {line:?}");
            let Known { billed, amount, free, unanswered } = self
                .known
                .remove(&(line.day, line.key.0.clone(), line.product.as_str()))
                .unwrap_or_else(|| panic!("history {seed}: nobody made {line:?}"));
            assert!(
                (billed..=billed + unanswered).contains(&sum.billed),
                "history {seed}: {billed} answered, {line:?}"
            );
            assert!(amount <= sum.amount.cents(), "history {seed}: {amount} was told, {line:?}");
            assert!(unanswered > 0 || amount == sum.amount.cents(), "history {seed}: {amount} was told, {line:?}");
            let not_billed = sum.calls - sum.billed;
            assert!((free..=free + unanswered).contains(&not_billed), "history {seed}: {free} free, {line:?}");
        }
        let missing: i64 = self.known.values().map(|known| known.billed + known.free).sum();
        assert_eq!(missing, 0, "history {seed}: an answered call is in no line");
    }
}

const VICTIM: &str = "SHINGLE_USAGE_VICTIM";

/// Not a test of its own: the process that the next one kills. It does nothing unless told where: calls without end, sixteen
/// at once, and some that it admits and never settles.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn victim() {
    let Some(told) = std::env::var_os(VICTIM) else { return };
    let (account, address) = told.to_str().unwrap().split_once(' ').unwrap();
    let clock = Arc::new(ManualClock::at("2026-03-10T12:00:00Z"));
    let store = Store::open(address, clock, &Fixture::SECRET).await.unwrap();
    let account: AccountId = account.parse().unwrap();
    let tenant = Tenant { account, environment: Environment::Production };
    let call = Call { tenant, key: KeyId("one".to_owned()), product: ROOF, price: PRICE, found: true };
    let mut callers = JoinSet::new();
    for _ in 0..16 {
        let (store, call) = (store.clone(), call.clone());
        callers.spawn(async move {
            loop {
                let _open = store.usage().admit(&call.tenant, &call.key, call.product, call.price).await.unwrap();
                call.run(&store).await.unwrap();
                println!("\nanswered");
            }
        });
    }
    callers.join_all().await;
}

/// How many calls were answered by a process that was killed after so many of them.
fn killed_after(answers: usize, account: AccountId, address: &str) -> i64 {
    let mut victim = Command::new(std::env::current_exe().unwrap());
    victim.args(["--exact", "usage_histories::victim", "--nocapture"]).env(VICTIM, format!("{account} {address}"));
    let mut victim = victim.stdout(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut answered = said.filter(|line| line == "answered");
    let before = answered.by_ref().take(answers).count();
    victim.kill().unwrap();
    let after = answered.count();
    assert!(!victim.wait().unwrap().success() && before == answers, "it was to be killed");
    i64::try_from(before + after).unwrap()
}

on_both_engines! {
    async fn sums_and_balance_agree_after_any_history(f: Fixture) {
        for seed in 1..=histories() {
            History::new(&f, seed).await.run(&f).await;
        }
    }

    async fn a_process_that_is_killed_among_calls_leaves_nothing_held_and_nothing_free(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let mut credited = 1_000_000;
        f.store.accounts().credit(tenant.account, Usd::from_cents(credited)).await.unwrap();
        let mut answered = 0;
        for answers in [1, 2, 17, 40, 90] {
            let (address, account) = (f.address.clone(), tenant.account);
            let killed = tokio::task::spawn_blocking(move || killed_after(answers, account, &address));
            answered += killed.await.unwrap();
        }
        // Waits for what a killed process had told the database to commit.
        f.store.accounts().credit(tenant.account, PRICE).await.unwrap();
        credited += PRICE.cents();
        let (paid, left) = money(&f.store, &tenant).await;
        assert_eq!(paid + left, credited);
        let billed = paid / PRICE.cents();
        // Of each process, at most its sixteen callers were billed and not answered.
        assert!((answered..=answered + 5 * 16).contains(&billed), "{answered} answered, {billed} billed");
        let used = f.store.accounts().find(tenant.account).await.unwrap().unwrap().used_this_month;
        assert_eq!(i64::try_from(used).unwrap(), billed);
        let spend = left / PRICE.cents();
        f.store.accounts().credit(tenant.account, Usd::from_cents(-(spend - 3) * PRICE.cents())).await.unwrap();
        let call = Call { tenant, key: KeyId("one".to_owned()), product: ROOF, price: PRICE, found: true };
        for _ in 0..3 {
            call.run(&f.store).await.unwrap();
        }
        assert!(call.run(&f.store).await.is_err(), "what was left can be spent, and no more");
    }
}
