//! One receiver's trouble is its own.

use std::sync::Arc;

use shingle_store::DeliveryState;
use shingle_store_fixture::on_both_engines;
use tokio::sync::Semaphore;

use crate::receiver::{Does, Receivers};
use crate::{Running, account, count, destination, engine, pings, without_poll};

on_both_engines! {
    async fn ninety_nine_get_everything_while_every_request_to_the_hundredth_hangs(f: Fixture) {
        let gate = Arc::new(Semaphore::new(0));
        let (receivers, mut seen) = Receivers::new([("dead", Does::Hangs(gate.clone()))]);
        let tenant = account(&f.store).await;
        let dead = destination(&f.store, &tenant, "dead").await;
        pings(&f.store, &tenant, dead, 60).await;
        let running = Running::start(engine(&f.store, receivers, without_poll()));
        // It hangs before the others have anything.
        seen.next_of("dead", 16).await;
        let other = account(&f.store).await;
        for n in 0..99 {
            let of = if n % 2 == 0 { &tenant } else { &other };
            let id = destination(&f.store, of, &format!("healthy {n}")).await;
            pings(&f.store, of, id, 4).await;
        }
        let mut arrived: Vec<_> = seen.next_of("healthy", 99 * 4).await.into_iter().map(|one| one.event).collect();
        arrived.sort_unstable();
        arrived.dedup();
        assert_eq!(arrived.len(), 99 * 4);
        assert_eq!(count(&f.store, &tenant, dead, DeliveryState::Delivered).await, 0, "not one of its requests has ended");
        gate.add_permits(60);
        running.stop().await;
    }

    async fn an_account_whose_hundred_receivers_hang_does_not_hold_up_another_account(f: Fixture) {
        let gate = Arc::new(Semaphore::new(0));
        let names: Vec<_> = (0..100).map(|n| format!("dead {n}")).collect();
        let (receivers, mut seen) = Receivers::new(names.iter().map(|name| (name.as_str(), Does::Hangs(gate.clone()))));
        let (slow, quick) = (account(&f.store).await, account(&f.store).await);
        for name in &names {
            let id = destination(&f.store, &slow, name).await;
            pings(&f.store, &slow, id, 20).await;
        }
        let running = Running::start(engine(&f.store, receivers, without_poll()));
        seen.next_of("dead", 64).await;
        let id = destination(&f.store, &quick, "healthy").await;
        pings(&f.store, &quick, id, 200).await;
        seen.next_of("healthy", 200).await;
        assert!(seen.take().iter().all(|one| one.name == "healthy"), "no more than 64 for one account");
        gate.add_permits(2_000);
        running.stop().await;
    }

    async fn thirty_hanging_receivers_of_thirty_accounts_leave_places_for_others(f: Fixture) {
        let gate = Arc::new(Semaphore::new(0));
        let names: Vec<_> = (0..30).map(|n| format!("dead {n}")).collect();
        let (receivers, mut seen) = Receivers::new(names.iter().map(|name| (name.as_str(), Does::Hangs(gate.clone()))));
        for name in &names {
            let tenant = account(&f.store).await;
            let id = destination(&f.store, &tenant, name).await;
            pings(&f.store, &tenant, id, 40).await;
        }
        let running = Running::start(engine(&f.store, receivers, without_poll()));
        seen.next_of("dead", 100).await;
        let tenant = account(&f.store).await;
        let id = destination(&f.store, &tenant, "healthy").await;
        pings(&f.store, &tenant, id, 50).await;
        seen.next_of("healthy", 50).await;
        gate.add_permits(2_000);
        running.stop().await;
    }

    async fn a_backlog_of_one_receiver_is_sent_without_waiting_for_the_next_look(f: Fixture) {
        let (receivers, mut seen) = Receivers::new([]);
        let tenant = account(&f.store).await;
        let id = destination(&f.store, &tenant, "busy").await;
        pings(&f.store, &tenant, id, 700).await;
        let running = Running::start(engine(&f.store, receivers, without_poll()));
        let mut arrived: Vec<_> = seen.next_of("busy", 700).await.into_iter().map(|one| one.event).collect();
        arrived.sort_unstable();
        arrived.dedup();
        assert_eq!(arrived.len(), 700, "each once");
        running.stop().await;
        assert_eq!(f.store.destinations().list(&tenant, shingle_store::DestinationKind::Webhook).await.unwrap()[0].success_count, 700);
    }
}
