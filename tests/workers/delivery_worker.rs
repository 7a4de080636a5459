//! A node of the kill tests: the delivery engine over a store, in a process that can be killed. It is what `shingle serve`
//! runs, with a short lease so that a test need not wait for the end of a long one.
//!
//! `delivery-worker DATABASE LEASE_MILLISECONDS NAME`: the name is in the requests, so that a receiver can tell who sent.

#![allow(clippy::unwrap_used, reason = "a worker of a test that cannot go on has failed")]

use std::sync::Arc;
use std::time::Duration;

use shingle_app::clock::MachineClock;
use shingle_deliver::webhook::{WebhookKeys, WebhookTransport};
use shingle_deliver::{Egress, EgressPolicy, Engine, EngineSettings, Transports};
use shingle_store::Store;
use shingle_store_fixture::Fixture;
use tokio::io::AsyncReadExt;

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [database, lease, name] = args.as_slice() else { panic!("delivery-worker DATABASE LEASE_MILLISECONDS NAME") };
    let clock = Arc::new(MachineClock);
    let store = Store::open(database, clock.clone(), &Fixture::SECRET).await.unwrap();
    let policy = EgressPolicy { allowed_networks: vec!["127.0.0.0/8".parse().unwrap()], allow_http: true };
    let webhook = WebhookTransport {
        egress: Arc::new(Egress::new(policy, name).unwrap()),
        keys: WebhookKeys::new(&Fixture::SECRET),
        clock,
    };
    let settings = EngineSettings {
        lease: Duration::from_millis(lease.parse().unwrap()),
        poll: Duration::from_millis(50),
        ..EngineSettings::default()
    };
    let engine = Engine::new(
        store,
        Transports { webhook: Arc::new(webhook), mail: None, connector: None, push: None },
        settings,
    );
    // It ends with the test, however the test ends.
    engine.run(async { while tokio::io::stdin().read_u8().await.is_ok() {} }).await;
}
