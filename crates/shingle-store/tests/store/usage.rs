//! What is reported about look-ups: by day, key and product.

use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::usage::{UsagePeriod, day};
use shingle_domain::{Environment, KeyId, Tenant, Usd};
use shingle_store::{Store, UsageLine};
use shingle_store_fixture::on_both_engines;

use crate::samples;

const ROOF: Product = Product::RoofEstimate;
const SOLAR: Product = Product::SolarIndex;

fn key(name: &str) -> KeyId {
    KeyId(name.to_owned())
}

/// A call that finds a home or none.
async fn call(store: &Store, tenant: &Tenant, key_id: &str, product: Product, cents: i64, found: bool) {
    let admitted = store.usage().admit(tenant, &key(key_id), product, Usd::from_cents(cents)).await.unwrap();
    store.usage().settle(admitted, found).await.unwrap();
}

async fn lines(store: &Store, tenant: &Tenant, from: &str, to: &str) -> Vec<UsageLine> {
    let period = UsagePeriod::new(Some(day(from).unwrap()), Some(day(to).unwrap()), store.now()).unwrap();
    store.usage().report(tenant, period).await.unwrap()
}

/// Of March: day, key, product, calls, billed, amount, and what of it was paid from the balance.
async fn march(store: &Store, tenant: &Tenant) -> Vec<String> {
    let told = |line: &UsageLine| {
        let (sum, product) = (line.sum, line.product.as_str());
        let (amount, paid) = (sum.amount.cents(), sum.paid.cents());
        format!("{} {} {product} {} {} {amount} {paid}", line.day.date(), line.key, sum.calls, sum.billed)
    };
    lines(store, tenant, "2026-03-01", "2026-03-31").await.iter().map(told).collect()
}

on_both_engines! {
    async fn calls_are_added_up_by_day_key_and_product(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let sandbox = Tenant { environment: Environment::Sandbox, ..tenant };
        for _ in 0..3 {
            call(&f.store, &tenant, "one", ROOF, 25, true).await;
        }
        call(&f.store, &tenant, "one", ROOF, 30, true).await;
        call(&f.store, &tenant, "one", ROOF, 25, false).await;
        call(&f.store, &tenant, "two", SOLAR, 10, true).await;
        call(&f.store, &sandbox, "box", ROOF, 25, true).await;
        f.clock.set("2026-03-11T00:00:00Z");
        f.store.accounts().credit(tenant.account, Usd::from_cents(100)).await.unwrap();
        call(&f.store, &tenant, "one", ROOF, 25, true).await;
        call(&f.store, &tenant, "one", ROOF, 25, false).await;
        assert_eq!(march(&f.store, &tenant).await, [
            "2026-03-10 one roof-estimate 5 4 105 0",
            "2026-03-10 two solar-index 1 1 10 0",
            "2026-03-11 one roof-estimate 2 1 25 25",
        ]);
        assert_eq!(march(&f.store, &sandbox).await, ["2026-03-10 box roof-estimate 1 0 0 0"]);
        assert_eq!(lines(&f.store, &tenant, "2026-03-11", "2026-03-11").await.len(), 1);
        assert_eq!(lines(&f.store, &tenant, "2026-03-12", "2026-03-31").await, []);
        let account = f.store.accounts().find(tenant.account).await.unwrap().unwrap();
        assert_eq!(account.used_this_month, 6, "what is free counts against no limit");
        assert_eq!(f.store.usage().balance(&tenant).await.unwrap(), Some(Usd::from_cents(75)));
    }

    async fn a_call_that_began_before_midnight_is_of_that_day(f: Fixture) {
        let (unlimited, paid) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        f.store.accounts().credit(paid.account, Usd::from_cents(100)).await.unwrap();
        f.clock.set("2026-03-31T23:59:59.990Z");
        call(&f.store, &unlimited, "one", ROOF, 25, true).await;
        let late = f.store.usage().admit(&paid, &key("one"), ROOF, Usd::from_cents(25)).await.unwrap();
        f.clock.set("2026-04-01T00:00:00.050Z");
        f.store.usage().settle(late, true).await.unwrap();
        for tenant in [unlimited, paid] {
            let last = lines(&f.store, &tenant, "2026-03-31", "2026-03-31").await;
            assert_eq!(last.iter().map(|line| line.sum.billed).sum::<i64>(), 1);
            assert_eq!(lines(&f.store, &tenant, "2026-04-01", "2026-04-01").await, []);
        }
    }

    async fn nobody_is_told_of_anothers_calls(f: Fixture) {
        let (one, other) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        call(&f.store, &one, "one", ROOF, 25, true).await;
        assert_eq!(march(&f.store, &other).await, [""; 0]);
        assert_eq!(march(&f.store, &Tenant { environment: Environment::Sandbox, ..one }).await, [""; 0]);
        assert_eq!(march(&f.store, &one).await.len(), 1);
    }

    async fn a_refused_call_is_no_call(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.accounts().set_limit(tenant.account, Some(0)).await.unwrap();
        for found in [true, false] {
            let admitted = f.store.usage().admit(&tenant, &key("one"), ROOF, Usd::from_cents(25)).await.unwrap();
            assert!(f.store.usage().settle(admitted, found).await.is_err());
        }
        assert_eq!(march(&f.store, &tenant).await, [""; 0]);
    }

    async fn calls_that_cannot_be_written_are_told_later(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.run("ALTER TABLE usage_day RENAME TO gone").await;
        call(&f.store, &tenant, "one", ROOF, 25, true).await;
        call(&f.store, &Tenant { environment: Environment::Sandbox, ..tenant }, "box", ROOF, 25, true).await;
        assert!(f.store.usage().flush().await.is_err(), "it is not written");
        f.clock.advance(Duration::from_secs(2));
        call(&f.store, &tenant, "one", ROOF, 25, false).await;
        f.run("ALTER TABLE gone RENAME TO usage_day").await;
        assert_eq!(march(&f.store, &tenant).await, ["2026-03-10 one roof-estimate 2 1 25 0"]);
        assert_eq!(f.store.accounts().find(tenant.account).await.unwrap().unwrap().used_this_month, 1);
    }
}
