//! Faults of ours, and changes under way: nothing is lost, doubled or stuck.

use std::sync::Arc;
use std::time::Duration;

use shingle_deliver::EngineSettings;
use shingle_store::{Clock as _, DeliveryFilter, DeliveryState, DestinationKind, StoreError};
use shingle_store_fixture::on_both_engines;
use tokio::sync::Semaphore;

use crate::receiver::{Does, Receivers};
use crate::{Running, account, count, destination, draft, engine, pings, without_poll};

on_both_engines! {
    async fn a_lease_that_ends_while_its_node_is_sending_makes_no_second_request(f: Fixture) {
        let gate = Arc::new(Semaphore::new(0));
        let (receivers, mut seen) = Receivers::new([("slow", Does::Hangs(gate.clone()))]);
        let tenant = account(&f.store).await;
        let id = destination(&f.store, &tenant, "slow").await;
        pings(&f.store, &tenant, id, 20).await;
        let running = Running::start(engine(&f.store, receivers, without_poll()));
        seen.next_of("slow", 16).await;
        // As after a database that was away for a minute: every lease has ended, and a commit makes the node look.
        f.clock.advance(Duration::from_secs(60));
        let witness = destination(&f.store, &tenant, "witness").await;
        pings(&f.store, &tenant, witness, 1).await;
        seen.next_of("witness", 1).await;
        gate.add_permits(20);
        seen.next_of("slow", 4).await;
        running.stop().await;
        assert!(seen.take().is_empty(), "more requests than events");
        assert_eq!(count(&f.store, &tenant, id, DeliveryState::Delivered).await, 20);
        let log = f.store.deliveries().list(&tenant, id, &DeliveryFilter::default(), None, 100).await.unwrap();
        assert!(log.deliveries.iter().all(|delivery| delivery.attempts == 1));
        let found = f.store.destinations().find(&tenant, id).await.unwrap().unwrap();
        assert_eq!((found.success_count, found.failure_count), (20, 0));
    }

    async fn an_attempt_that_breaks_off_is_a_failed_one_and_is_tried_again(f: Fixture) {
        let (receivers, mut seen) = Receivers::new([("broken", Does::Panics)]);
        let tenant = account(&f.store).await;
        let id = destination(&f.store, &tenant, "broken").await;
        pings(&f.store, &tenant, id, 1).await;
        let engine = engine(&f.store, receivers.clone(), without_poll());
        assert_eq!(engine.work_off().await, 1);
        assert_eq!(seen.take().len(), 1);
        assert_eq!(count(&f.store, &tenant, id, DeliveryState::Pending).await, 1);
        receivers.will("broken", Does::Accepts);
        f.clock.advance(Duration::from_secs(10));
        assert_eq!(engine.work_off().await, 1);
        assert_eq!(count(&f.store, &tenant, id, DeliveryState::Delivered).await, 1);
    }

    async fn a_result_that_the_database_refuses_does_not_hold_up_the_others(f: Fixture) {
        let (receivers, mut seen) = Receivers::new([("odd", Does::GivesNul)]);
        let tenant = account(&f.store).await;
        let (odd, even) = (destination(&f.store, &tenant, "odd").await, destination(&f.store, &tenant, "even").await);
        pings(&f.store, &tenant, odd, 1).await;
        pings(&f.store, &tenant, even, 10).await;
        let settings = EngineSettings { drain: Duration::from_millis(200), ..without_poll() };
        let running = Running::start(engine(&f.store, receivers, settings));
        seen.next_of("odd", 1).await;
        // More keep coming, among which it shows that it is this one.
        while count(&f.store, &tenant, even, DeliveryState::Delivered).await < 20 {
            pings(&f.store, &tenant, even, 1).await;
            seen.next_of("even", 1).await;
        }
        running.stop().await;
        assert_eq!(count(&f.store, &tenant, odd, DeliveryState::Pending).await, 1, "it is sent again");
    }

    async fn the_same_result_stored_twice_counts_once(f: Fixture) {
        let tenant = account(&f.store).await;
        let id = destination(&f.store, &tenant, "crm").await;
        pings(&f.store, &tenant, id, 3).await;
        let claimed = f.store.deliveries().claim("node", Duration::from_secs(15), 10, &[]).await.unwrap();
        let now = f.clock.now();
        let results: Vec<_> = claimed.into_iter().map(|claimed| claimed.unwrap()).enumerate().map(|(n, claimed)| {
            let attempt = shingle_store::Attempt {
                id: uuid::Uuid::from_u128(n as u128), number: 1, started_at: now, duration: Duration::from_millis(3), delivered: n != 1,
                status: Some(200), cause: None, exchange: None,
            };
            let next = if n == 1 {
                shingle_store::Next::Retry { at: now + Duration::from_secs(5), pause: None }
            } else {
                shingle_store::Next::Delivered
            };
            shingle_store::FinishedDelivery {
                id: claimed.id, account: claimed.tenant.account, destination: id, claim: claimed.claim, attempt: Some(attempt), next, progress: None, record: None,
            }
        }).collect();
        assert_eq!(f.store.deliveries().finish(&results).await.unwrap().lost, 0);
        // Its node did not hear of the commit; meanwhile the retry was claimed by the same node.
        f.clock.advance(Duration::from_secs(6));
        let again = f.store.deliveries().claim("node", Duration::from_secs(15), 10, &[]).await.unwrap();
        assert_eq!(again.len(), 1);
        assert_eq!(f.store.deliveries().finish(&results).await.unwrap().lost, 0);
        let found = f.store.destinations().find(&tenant, id).await.unwrap().unwrap();
        assert_eq!((found.success_count, found.failure_count), (2, 1));
        assert!(f.store.deliveries().claim("other", Duration::from_secs(15), 10, &[]).await.unwrap().is_empty(), "the lease holds");
        for delivery in f.store.deliveries().list(&tenant, id, &DeliveryFilter::default(), None, 10).await.unwrap().deliveries {
            let (delivery, attempts) = f.store.deliveries().find(&tenant, delivery.id).await.unwrap().unwrap();
            assert_eq!((delivery.attempts, attempts.len()), (1, 1));
        }
    }

    async fn what_fails_during_a_pause_waits_for_its_end(f: Fixture) {
        let (receivers, mut seen) = Receivers::new([("crm", Does::Throttles)]);
        let tenant = account(&f.store).await;
        let id = destination(&f.store, &tenant, "crm").await;
        pings(&f.store, &tenant, id, 1).await;
        // Another node is sending one when the receiver asks for a pause.
        let second = f.open_again().await;
        let mut other = second.deliveries().claim("other", Duration::from_secs(15), 1, &[]).await.unwrap();
        let held = other.remove(0).unwrap();
        pings(&f.store, &tenant, id, 1).await;
        let engine = engine(&f.store, receivers, without_poll());
        engine.work_off().await;
        assert_eq!(seen.take().len(), 1);
        let now = f.clock.now();
        let failed = shingle_store::FinishedDelivery {
            id: held.id, account: held.tenant.account, destination: id, claim: held.claim, progress: None, record: None,
            attempt: Some(shingle_store::Attempt {
                id: uuid::Uuid::from_u128(1), number: 1, started_at: now, duration: Duration::from_millis(3), delivered: false,
                status: Some(500), cause: None, exchange: None,
            }),
            next: shingle_store::Next::Retry { at: now + Duration::from_secs(5), pause: None },
        };
        second.deliveries().finish(&[failed]).await.unwrap();
        f.clock.advance(Duration::from_secs(100));
        engine.work_off().await;
        assert!(seen.take().is_empty(), "it has asked for 120 seconds");
        f.clock.advance(Duration::from_secs(30));
        engine.work_off().await;
        assert_eq!(seen.take().len(), 2);
    }

    async fn order_that_is_no_longer_asked_for_lets_everything_go(f: Fixture) {
        let (receivers, mut seen) = Receivers::new([("crm", Does::Fails)]);
        let tenant = account(&f.store).await;
        let ordered = shingle_store::DestinationDraft { ordered: true, ..draft("crm") };
        let id = f.store.destinations().create(&tenant, &ordered, None).await.unwrap().id;
        pings(&f.store, &tenant, id, 3).await;
        let engine = engine(&f.store, receivers.clone(), without_poll());
        engine.work_off().await;
        assert_eq!(seen.take().len(), 1, "one after the other");
        receivers.will("crm", Does::Accepts);
        f.store.destinations().change(&tenant, id, |draft| { draft.ordered = false; Ok::<_, StoreError>(()) }).await.unwrap();
        f.clock.advance(Duration::from_secs(10));
        engine.work_off().await;
        assert_eq!(count(&f.store, &tenant, id, DeliveryState::Delivered).await, 3);
    }

    async fn what_a_node_holds_is_not_sent_after_its_webhook_was_switched_off_or_deleted(f: Fixture) {
        let gate = Arc::new(Semaphore::new(0));
        let names = ["off", "gone"];
        let (receivers, mut seen) = Receivers::new(names.map(|name| (name, Does::Hangs(gate.clone()))));
        let tenant = account(&f.store).await;
        let (off, gone) = (destination(&f.store, &tenant, "off").await, destination(&f.store, &tenant, "gone").await);
        pings(&f.store, &tenant, off, 16).await;
        pings(&f.store, &tenant, gone, 16).await;
        let running = Running::start(engine(&f.store, receivers, without_poll()));
        for _ in 0..32 {
            seen.next().await;
        }
        f.store.destinations().change(&tenant, off, |draft| { draft.active = false; Ok::<_, StoreError>(()) }).await.unwrap();
        f.store.destinations().delete(&tenant, gone).await.unwrap();
        gate.add_permits(32);
        running.stop().await;
        assert_eq!(count(&f.store, &tenant, off, DeliveryState::Skipped).await, 16, "what was decided stays");
        let left = f.store.destinations().list(&tenant, DestinationKind::Webhook).await.unwrap();
        assert_eq!(left.len(), 1);
        assert_eq!(left[0].success_count, 0, "of deliveries");
        assert!(left[0].last_success_at.is_some(), "of attempts");
    }

    async fn webhooks_that_come_and_go_beside_running_deliveries_fail_nothing(f: Fixture) {
        let (receivers, _seen) = Receivers::new([]);
        let tenant = account(&f.store).await;
        let steady = destination(&f.store, &tenant, "steady").await;
        let running = Running::start(engine(&f.store, receivers.clone(), without_poll()));
        let second = f.open_again().await;
        let other = Running::start(engine(&second, receivers, without_poll()));
        let coming_and_going = async {
            for n in 0..40 {
                let name = format!("brief {n}");
                let id = destination(&f.store, &tenant, &name).await;
                pings(&f.store, &tenant, id, 3).await;
                f.store.destinations().delete(&tenant, id).await.unwrap();
            }
        };
        let changing = async {
            for n in 0..60_u8 {
                let changed = second.destinations().change(&tenant, steady, |draft| {
                    draft.timeout_seconds = 1 + n % 30;
                    Ok::<_, StoreError>(())
                });
                changed.await.unwrap();
                pings(&second, &tenant, steady, 2).await;
            }
        };
        tokio::join!(coming_and_going, changing);
        running.stop().await;
        other.stop().await;
        let finish = engine(&f.store, Receivers::new([]).0, without_poll());
        f.clock.advance(Duration::from_secs(60));
        finish.work_off().await;
        assert_eq!(count(&f.store, &tenant, steady, DeliveryState::Delivered).await, 120);
    }
}
