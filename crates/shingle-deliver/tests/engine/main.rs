//! The engine over a real store on both databases, with receivers that the tests hold in their hands.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod faults;
mod isolation;
mod outage;
mod receiver;

use std::sync::Arc;
use std::time::Duration;

use shingle_deliver::{Engine, EngineSettings, Transport, Transports};
use shingle_domain::event::EventKind;
use shingle_domain::{DestinationId, Environment, Tenant};
use shingle_store::{DeliveryFilter, DeliveryState, DestinationDraft, DestinationKind, Store};
use tokio::sync::oneshot;

/// No test waits for the clock: what has to happen is signaled. This is for those that hang.
const HANGS: Duration = Duration::from_secs(60);

pub fn engine(store: &Store, transport: Arc<dyn Transport>, settings: EngineSettings) -> Engine {
    Engine::new(store.clone(), Transports { webhook: transport, mail: None, connector: None, push: None }, settings)
}

/// Never looks on its own: only commits and results make it go on.
pub fn without_poll() -> EngineSettings {
    EngineSettings { poll: Duration::from_secs(3_600), ..EngineSettings::default() }
}

/// A running engine, which is stopped at the end.
pub struct Running {
    stop: Option<oneshot::Sender<()>>,
    task: tokio::task::JoinHandle<()>,
}

impl Running {
    pub fn start(engine: Engine) -> Self {
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            engine
                .run(async {
                    let _ = stopped.await;
                })
                .await;
        });
        Self { stop: Some(stop), task }
    }

    pub async fn stop(mut self) {
        drop(self.stop.take());
        tokio::time::timeout(HANGS, self.task).await.expect("an end").unwrap();
    }
}

pub async fn account(store: &Store) -> Tenant {
    let account = store.accounts().create("Oak Roofing").await.unwrap().id;
    Tenant { account, environment: Environment::Production }
}

pub fn draft(name: &str) -> DestinationDraft {
    DestinationDraft {
        kind: DestinationKind::Webhook,
        name: name.to_owned(),
        address: "https://hooks.example.com/".to_owned(),
        events: EventKind::PUBLIC.to_vec(),
        widgets: Vec::new(),
        active: true,
        ordered: false,
        timeout_seconds: 15,
        config: "{}".to_owned(),
        secrets: None,
    }
}

pub async fn destination(store: &Store, tenant: &Tenant, name: &str) -> DestinationId {
    store.destinations().create(tenant, &draft(name), None).await.unwrap().id
}

pub async fn pings(store: &Store, tenant: &Tenant, destination: DestinationId, count: usize) {
    for _ in 0..count {
        store.deliveries().send_ping(tenant, destination, None).await.unwrap();
    }
}

/// How many deliveries of a destination are in this state.
pub async fn count(store: &Store, tenant: &Tenant, destination: DestinationId, state: DeliveryState) -> usize {
    let filter = DeliveryFilter { state: Some(state), ..DeliveryFilter::default() };
    let page = store.deliveries().list(tenant, destination, &filter, None, 500).await.unwrap();
    page.deliveries.len()
}
