use std::time::Duration;

use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Usd};
use shingle_store::{Admission, Refusal, Store, StoreError};
use shingle_store_fixture::on_both_engines;
use tokio::task::JoinSet;
use uuid::Uuid;

use crate::samples;

const ROOF: Product = Product::RoofEstimate;
const PRICE: Usd = Usd::from_cents(25);

fn key() -> KeyId {
    KeyId("testkey1".to_owned())
}

async fn admit(store: &Store, tenant: &Tenant) -> Admission {
    store.usage().admit(tenant, &key(), ROOF, PRICE).await.unwrap()
}

/// A call from its admission to its end.
async fn call(store: &Store, tenant: &Tenant, billable: bool) -> Result<(), Refusal> {
    let called =
        async { store.usage().settle(store.usage().admit(tenant, &key(), ROOF, PRICE).await?, billable).await };
    match called.await {
        Ok(()) => Ok(()),
        Err(StoreError::Refused(refusal)) => Err(refusal),
        Err(other) => panic!("{other}"),
    }
}

/// Look-ups of the month, and the balance.
async fn standing(store: &Store, tenant: &Tenant) -> (u64, Option<i64>) {
    let account = store.accounts().find(tenant.account).await.unwrap().unwrap();
    (account.used_this_month, account.balance.map(Usd::cents))
}

/// How many of so many calls at once were let through.
async fn storm(store: &Store, tenant: Tenant, calls: usize, billable: bool) -> usize {
    let mut under_way = JoinSet::new();
    for _ in 0..calls {
        let store = store.clone();
        under_way.spawn(async move { call(&store, &tenant, billable).await.is_ok() });
    }
    under_way.join_all().await.into_iter().filter(|passed| *passed).count()
}

on_both_engines! {
    async fn checks_are_made_in_the_documents_order(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let id = tenant.account;
        f.store.accounts().credit(id, Usd::from_cents(1)).await.unwrap();
        f.store.accounts().credit(id, Usd::from_cents(-1)).await.unwrap();
        f.store.accounts().set_limit(id, Some(0)).await.unwrap();
        f.store.accounts().set_product(id, ROOF, false).await.unwrap();
        f.store.accounts().pause(id).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::Paused));
        f.store.accounts().resume(id).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::ProductOff));
        f.store.accounts().set_product(id, ROOF, true).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::LimitReached));
        f.store.accounts().set_limit(id, None).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::NoBalance));
        assert_eq!(call(&f.store, &tenant, false).await, Err(Refusal::NoBalance), "nothing to bill is no way around it");
        f.store.accounts().credit(id, PRICE).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Ok(()));
    }

    async fn buyer_scores_are_off_until_switched_on(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let refused = f.store.usage().admit(&tenant, &key(), Product::BuyerInsights, PRICE).await;
        assert!(matches!(refused, Err(StoreError::Refused(Refusal::ProductOff))));
    }

    async fn an_account_without_limit_and_balance_is_only_counted(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        call(&f.store, &tenant, true).await.unwrap();
        call(&f.store, &tenant, false).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (1, None));
    }

    async fn counts_that_are_not_yet_written_are_written_on_closing(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let other = f.open_again().await;
        for _ in 0..3 {
            call(&f.store, &tenant, true).await.unwrap();
        }
        assert_eq!(standing(&other, &tenant).await.0, 0, "counted, not written");
        f.clock.advance(Duration::from_millis(100));
        call(&f.store, &tenant, true).await.unwrap();
        // The call does not wait for it; this does.
        f.store.usage().flush().await.unwrap();
        assert_eq!(standing(&other, &tenant).await.0, 4, "written together");
        call(&f.store, &tenant, true).await.unwrap();
        f.store.close().await.unwrap();
        assert_eq!(standing(&other, &tenant).await.0, 5);
    }

    async fn a_call_is_counted_once_no_matter_who_hangs_up(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        call(&f.store, &tenant, true).await.unwrap();
        // Let go of at every step, as when a client hangs up.
        for polls in 0..20 {
            let mut writing = Box::pin(f.store.usage().flush());
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
        f.store.accounts().credit(tenant.account, Usd::from_cents(60)).await.unwrap();
        f.store.accounts().set_limit(tenant.account, Some(10)).await.unwrap();
        let under_way = admit(&f.store, &tenant).await;
        assert_eq!(standing(&f.store, &tenant).await, (0, Some(60)), "nothing is held");
        f.store.usage().settle(under_way, true).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (1, Some(35)));
        call(&f.store, &tenant, false).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (1, Some(35)));
        call(&f.store, &tenant, true).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::NoBalance));
        assert_eq!(standing(&f.store, &tenant).await, (2, Some(10)));
    }

    async fn fifty_calls_at_once_pass_a_limit_of_ten_ten_times(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.accounts().set_limit(tenant.account, Some(10)).await.unwrap();
        assert_eq!(storm(&f.store, tenant, 50, true).await, 10);
        assert_eq!(standing(&f.store, &tenant).await, (10, None));
    }

    async fn two_hundred_calls_at_once_on_two_nodes_spend_a_balance_for_a_hundred(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.accounts().credit(tenant.account, Usd::from_cents(25 * 100 + 24)).await.unwrap();
        let other = f.open_again().await;
        let (here, there) = tokio::join!(storm(&f.store, tenant, 100, true), storm(&other, tenant, 100, true));
        assert_eq!(here + there, 100);
        assert_eq!(standing(&f.store, &tenant).await, (100, Some(24)));
    }

    async fn calls_of_several_accounts_at_once_each_get_their_own_answer(f: Fixture) {
        let rich = samples::tenant(&f.store).await;
        let (poor, limited) = (samples::tenant(&f.store).await, samples::tenant(&f.store).await);
        f.store.accounts().credit(rich.account, Usd::from_dollars(1_000)).await.unwrap();
        f.store.accounts().credit(poor.account, PRICE).await.unwrap();
        f.store.accounts().set_limit(limited.account, Some(2)).await.unwrap();
        let passed = tokio::join!(
            storm(&f.store, rich, 40, true),
            storm(&f.store, poor, 40, true),
            storm(&f.store, limited, 40, true)
        );
        assert_eq!(passed, (40, 1, 2));
        assert_eq!(standing(&f.store, &rich).await, (40, Some(100_000 - 40 * 25)));
        assert_eq!(standing(&f.store, &poor).await, (1, Some(0)));
        assert_eq!(standing(&f.store, &limited).await, (2, None));
    }

    async fn a_call_whose_client_hangs_up_holds_nothing(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.accounts().credit(tenant.account, Usd::from_cents(25 * 20)).await.unwrap();
        let mut answered = 0;
        // Let go of at every step.
        for polls in 0..20 {
            let mut settling = Box::pin(call(&f.store, &tenant, true));
            for _ in 0..polls {
                tokio::select! {
                    biased;
                    done = &mut settling => {
                        done.unwrap();
                        answered += 1;
                        break;
                    }
                    () = tokio::task::yield_now() => {}
                }
            }
        }
        // After those that are still being committed: calls share the order of their transactions.
        call(&f.store, &tenant, false).await.unwrap();
        let (used, balance) = standing(&f.store, &tenant).await;
        assert_eq!(balance, Some(500 - 25 * i64::try_from(used).unwrap()), "whatever is not billed is there");
        assert!(used >= answered, "what was answered is billed: {answered}, {used}");
    }

    async fn what_costs_nothing_leaves_everything(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.accounts().credit(tenant.account, Usd::from_dollars(100)).await.unwrap();
        assert_eq!(storm(&f.store, tenant, 50, false).await, 50);
        assert_eq!(standing(&f.store, &tenant).await, (0, Some(10_000)));
    }

    async fn a_limit_counts_calendar_months_in_utc(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.accounts().set_limit(tenant.account, Some(1)).await.unwrap();
        f.clock.set("2026-03-31T23:59:59.999999Z");
        call(&f.store, &tenant, true).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::LimitReached));
        let late = admit(&f.store, &tenant).await;
        f.clock.set("2026-04-01T00:00:00Z");
        call(&f.store, &tenant, true).await.unwrap();
        assert!(
            matches!(f.store.usage().settle(late, true).await, Err(StoreError::Refused(Refusal::LimitReached))),
            "a call that began in March is March's"
        );
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::LimitReached));
        assert_eq!(standing(&f.store, &tenant).await.0, 1);
    }

    async fn a_sandbox_call_costs_nothing_and_counts_against_no_limit_but_a_pause_stops_it(f: Fixture) {
        let tenant = Tenant { environment: Environment::Sandbox, ..samples::tenant(&f.store).await };
        f.store.accounts().set_limit(tenant.account, Some(0)).await.unwrap();
        f.store.accounts().credit(tenant.account, Usd::from_cents(3)).await.unwrap();
        call(&f.store, &tenant, true).await.unwrap();
        assert_eq!(standing(&f.store, &tenant).await, (0, Some(3)));
        f.store.accounts().set_product(tenant.account, ROOF, false).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Ok(()), "every product may be tried");
        f.store.accounts().pause(tenant.account).await.unwrap();
        assert_eq!(call(&f.store, &tenant, true).await, Err(Refusal::Paused));
    }

    async fn equal_calls_of_a_day_share_a_row_and_each_is_paid(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        f.store.accounts().credit(tenant.account, Usd::from_cents(25 * 60)).await.unwrap();
        assert_eq!(storm(&f.store, tenant, 60, true).await, 60, "the last one takes the last cent");
        assert_eq!(standing(&f.store, &tenant).await, (60, Some(0)));
        assert_eq!(f.number("SELECT COUNT(*) FROM usage_day").await, 1);
        assert_eq!(f.number("SELECT billed FROM usage_day").await, 60);
        assert_eq!(f.number("SELECT paid_cents FROM usage_day").await, 25 * 60);
    }

    async fn an_unknown_account_may_not_call(f: Fixture) {
        let nobody = Tenant { account: AccountId(Uuid::from_u128(1)), environment: Environment::Production };
        assert!(matches!(f.store.usage().admit(&nobody, &key(), ROOF, PRICE).await, Err(StoreError::NotFound)));
    }
}
