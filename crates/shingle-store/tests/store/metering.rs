use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Usd};
use shingle_store::{Refusal, Reservation, Store, StoreError};
use shingle_store_fixture::on_both_engines;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::samples;

const ROOF: Product = Product::RoofEstimate;
const PRICE: Usd = Usd::from_cents(25);

fn key() -> KeyId {
    KeyId("testkey1".to_owned())
}

async fn reserve(store: &Store, tenant: &Tenant) -> Result<Reservation, Refusal> {
    match store.reserve(tenant, &key(), ROOF, PRICE).await {
        Err(StoreError::Refused(refusal)) => Err(refusal),
        other => Ok(other.unwrap()),
    }
}

/// Look-ups of the month, and the balance.
async fn standing(store: &Store, tenant: &Tenant) -> (u64, Option<i64>) {
    let account = store.find_account(tenant.account).await.unwrap().unwrap();
    (account.used_this_month, account.balance.map(Usd::cents))
}

/// How many of 50 calls at once were let through.
async fn storm(store: &Store, tenant: Tenant, settle: Option<bool>) -> usize {
    let mut calls = JoinSet::new();
    for _ in 0..50 {
        let store = store.clone();
        calls.spawn(async move {
            match reserve(&store, &tenant).await {
                Ok(reservation) => {
                    if let Some(billable) = settle {
                        store.settle(reservation, billable).await.unwrap();
                    }
                    true
                }
                Err(_) => false,
            }
        });
    }
    calls.join_all().await.into_iter().filter(|passed| *passed).count()
}

on_both_engines! {
    async fn checks_are_made_in_the_documents_order(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = tenant.account;
        f.store.credit(id, Usd::from_cents(1)).await.unwrap();
        f.store.credit(id, Usd::from_cents(-1)).await.unwrap();
        f.store.set_limit(id, Some(0)).await.unwrap();
        f.store.set_product(id, ROOF, false).await.unwrap();
        f.store.pause(id).await.unwrap();
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::Paused);
        f.store.resume(id).await.unwrap();
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::ProductOff);
        f.store.set_product(id, ROOF, true).await.unwrap();
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::LimitReached);
        f.store.set_limit(id, None).await.unwrap();
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::NoBalance);
        f.store.credit(id, PRICE).await.unwrap();
        assert!(reserve(&f.store, &tenant).await.is_ok());
    }

    async fn buyer_scores_are_off_until_switched_on(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let refused = f.store.reserve(&tenant, &key(), Product::BuyerInsights, PRICE).await;
        assert!(matches!(refused, Err(StoreError::Refused(Refusal::ProductOff))));
    }

    async fn an_account_without_limit_and_balance_is_only_counted(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let (billed, missed) = (reserve(&f.store, &tenant).await.unwrap(), reserve(&f.store, &tenant).await.unwrap());
        f.store.settle(billed, true).await.unwrap();
        f.store.settle(missed, false).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (1, None));
    }

    async fn counts_that_are_not_yet_written_are_written_on_closing(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let other = f.open_again().await;
        for _ in 0..3 {
            let call = reserve(&f.store, &tenant).await.unwrap();
            f.store.settle(call, true).await.unwrap();
        }
        assert_eq!(standing(&other, &tenant).await.0, 0, "counted, not written");
        f.clock.advance(Duration::from_millis(100));
        let call = reserve(&f.store, &tenant).await.unwrap();
        f.store.settle(call, true).await.unwrap();
        assert_eq!(standing(&other, &tenant).await.0, 4, "written together");
        let call = reserve(&f.store, &tenant).await.unwrap();
        f.store.settle(call, true).await.unwrap();
        f.store.close().await.unwrap();
        assert_eq!(standing(&other, &tenant).await.0, 5);
    }

    async fn a_call_is_counted_once_whoever_hangs_up(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let call = reserve(&f.store, &tenant).await.unwrap();
        f.store.settle(call, true).await.unwrap();
        // Let go of at every step, as when a client hangs up.
        for polls in 0..20 {
            let mut writing = Box::pin(f.store.flush_usage());
            for _ in 0..polls {
                tokio::select! {
                    biased;
                    _ = &mut writing => break,
                    () = tokio::task::yield_now() => {}
                }
            }
        }
        assert_eq!(standing(&f.store, &tenant).await.0, 1);
    }

    async fn a_billed_look_up_costs_its_price_and_an_unmatched_one_nothing(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.credit(tenant.account, Usd::from_cents(60)).await.unwrap();
        f.store.set_limit(tenant.account, Some(10)).await.unwrap();
        let first = reserve(&f.store, &tenant).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (1, Some(35)), "held while under way");
        f.store.settle(first, true).await.unwrap();
        let second = reserve(&f.store, &tenant).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (2, Some(10)));
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::NoBalance);
        f.store.settle(second, false).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (1, Some(35)));
    }

    async fn fifty_calls_at_once_pass_a_limit_of_ten_ten_times(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.set_limit(tenant.account, Some(10)).await.unwrap();
        assert_eq!(storm(&f.store, tenant, Some(true)).await, 10);
        assert_eq!(standing(&f.store, &tenant).await, (10, None));
    }

    async fn fifty_calls_at_once_cannot_overspend_a_balance(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.credit(tenant.account, Usd::from_cents(25 * 7 + 24)).await.unwrap();
        assert_eq!(storm(&f.store, tenant, Some(true)).await, 7);
        assert_eq!(standing(&f.store, &tenant).await, (7, Some(24)));
    }

    async fn what_all_gave_back_is_all_there_again(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.credit(tenant.account, Usd::from_dollars(100)).await.unwrap();
        assert_eq!(storm(&f.store, tenant, Some(false)).await, 50);
        assert_eq!(standing(&f.store, &tenant).await, (0, Some(10_000)));
    }

    async fn a_limit_counts_calendar_months_in_utc(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.set_limit(tenant.account, Some(1)).await.unwrap();
        f.clock.set("2026-03-31T23:59:59.999999Z");
        let march = reserve(&f.store, &tenant).await.unwrap();
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::LimitReached);
        f.clock.set("2026-04-01T00:00:00Z");
        let april = reserve(&f.store, &tenant).await.unwrap();
        f.store.settle(april, true).await.unwrap();
        f.store.settle(march, false).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await.0, 1, "what March gives back is March's");
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::LimitReached);
    }

    async fn a_sandbox_call_is_neither_counted_nor_billed_but_a_pause_stops_it(f: Fixture) {
        let tenant = Tenant { environment: Environment::Sandbox, ..samples::tenant(&f.store).await };
        f.store.set_limit(tenant.account, Some(0)).await.unwrap();
        f.store.credit(tenant.account, Usd::from_cents(3)).await.unwrap();
        let call = reserve(&f.store, &tenant).await.unwrap();
        f.store.settle(call, true).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (0, Some(3)));
        f.store.set_product(tenant.account, ROOF, false).await.unwrap();
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::ProductOff);
        f.store.pause(tenant.account).await.unwrap();
        assert_eq!(reserve(&f.store, &tenant).await.unwrap_err(), Refusal::Paused);
    }

    async fn a_reservation_that_was_never_settled_is_given_back_once(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.credit(tenant.account, PRICE).await.unwrap();
        let late = reserve(&f.store, &tenant).await.unwrap();
        let hour = Duration::from_secs(3_600);
        assert_eq!(f.store.release_abandoned(hour).await.unwrap(), 0, "it may still be under way");
        f.clock.advance(hour * 2);
        assert_eq!(f.store.release_abandoned(hour).await.unwrap(), 1);
        assert_eq!(standing(&f.store, &tenant).await, (0, Some(25)));
        f.store.settle(late, false).await.unwrap();
        assert_eq!(f.store.release_abandoned(hour).await.unwrap(), 0);
        assert_eq!(standing(&f.store, &tenant).await, (0, Some(25)), "nothing is given back twice");
    }

    async fn an_unknown_account_may_not_call(f: Fixture) {
        let nobody = Tenant { account: AccountId(Uuid::from_u128(1)), environment: Environment::Production };
        assert!(matches!(f.store.reserve(&nobody, &key(), ROOF, PRICE).await, Err(StoreError::NotFound)));
    }
}
