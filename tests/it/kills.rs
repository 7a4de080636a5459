//! Nodes that are killed in the middle of thousands of deliveries: nothing is lost, and what is doubled was sent by a node
//! that was killed. `SHINGLE_KILL_EVENTS=10000` for a long run.

use std::collections::{HashMap, HashSet};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use shingle_app::clock::MachineClock;
use shingle_deliver::webhook::WebhookSecrets;
use shingle_domain::event::EventKind;
use shingle_domain::{Environment, Tenant};
use shingle_store::{DestinationDraft, DestinationKind, Store, StoreError};
use shingle_store_fixture::{Fixture, on_both_engines, sample_widget};
use tokio::time::timeout;

use crate::support::receiver::{Received, Receiver, Reply};

const WORKERS: usize = 5;
/// Requests of one worker, and results that it has not stored.
const UNDER_WAY: usize = 256 + 256;
/// Half of them ask for order.
const WEBHOOKS: usize = 20;
/// Of one widget.
const EVENTS: usize = 10;
/// Long enough that a busy machine renews it in time: a lease that ends on its own would double too.
const LEASE_MILLIS: &str = "8000";
const LOOK_AGAIN: Duration = Duration::from_millis(100);
const MOST: Duration = Duration::from_secs(60);

#[allow(clippy::disallowed_methods, reason = "the length of a run is a setting of the test run")]
fn wanted() -> usize {
    std::env::var("SHINGLE_KILL_EVENTS").ok().and_then(|n| n.parse().ok()).unwrap_or(2_000)
}

/// The worker processes, of which those that were killed are remembered.
struct Workers {
    database: String,
    running: Vec<(String, Child)>,
    killed: HashSet<String>,
    started: usize,
}

impl Workers {
    fn start(&mut self, count: usize) {
        for _ in 0..count {
            self.started += 1;
            let name = format!("worker/{}", self.started);
            let mut command = Command::new(env!("CARGO_BIN_EXE_delivery-worker"));
            command.args([self.database.as_str(), LEASE_MILLIS, &name]).stdin(Stdio::piped());
            self.running.push((name, command.spawn().unwrap()));
        }
    }

    fn kill(&mut self, count: usize) {
        for (name, mut child) in self.running.drain(..count) {
            child.kill().unwrap();
            child.wait().unwrap();
            self.killed.insert(name);
        }
    }

    /// Ends them as an operator does: they store what they know.
    fn end(&mut self) {
        for (_, child) in &mut self.running {
            drop(child.stdin.take());
        }
        for (name, mut child) in self.running.drain(..) {
            assert!(child.wait().unwrap().success(), "{name}");
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.kill(self.running.len());
    }
}

/// One webhook's event, wherever it was sent from.
type Key = (String, String);

fn key(of: &Received) -> Key {
    (of.path.clone(), of.header("webhook-id").to_owned())
}

async fn webhooks(store: &Store, tenant: &Tenant, receiver: &Receiver) {
    for number in 0..WEBHOOKS {
        let ordered = number % 2 == 0;
        let draft = DestinationDraft {
            kind: DestinationKind::Webhook,
            name: format!("webhook {number}"),
            address: format!("http://{}/{}/{number}", receiver.at, if ordered { "ordered" } else { "any" }),
            events: vec![EventKind::WidgetCreated, EventKind::WidgetUpdated],
            widgets: Vec::new(),
            active: true,
            ordered,
            timeout_seconds: 15,
            config: "{}".to_owned(),
            secrets: Some(serde_json::to_string(&WebhookSecrets::generate().unwrap()).unwrap()),
        };
        store.destinations().create(tenant, &draft, None).await.unwrap();
    }
}

/// Widgets, each made and then changed; the number of deliveries.
async fn events(store: &Store, tenant: &Tenant) -> usize {
    let widgets = wanted().div_ceil(WEBHOOKS * EVENTS);
    for number in 0..widgets {
        let (widget, record) = sample_widget(format!("00000000-0000-4000-8000-{:012}", number + 1).parse().unwrap());
        let id = widget.reference_id;
        store.widgets().create(tenant, &widget, |_| record.clone(), None).await.unwrap();
        for change in 1..EVENTS {
            let title = format!("Title {change}");
            let changed = store.widgets().update(tenant, id, |old| {
                let mut new = old.clone();
                new.first_page_title.clone_from(&title);
                Ok::<_, StoreError>((new, record.clone()))
            });
            changed.await.unwrap();
        }
    }
    widgets * WEBHOOKS * EVENTS
}

async fn successes(store: &Store, tenant: &Tenant) -> u64 {
    let found = store.destinations().list(tenant, DestinationKind::Webhook).await.unwrap();
    found.iter().map(|webhook| webhook.success_count).sum()
}

/// In the order of arrival: who sent each first, and who again.
#[derive(Default)]
struct Arrivals {
    first: HashMap<Key, String>,
    doubled: Vec<(String, String)>,
    /// Of each ordered webhook and widget, the sequences as they first arrived.
    sequences: HashMap<(String, String), Vec<u64>>,
}

impl Arrivals {
    async fn until(&mut self, count: usize, receiver: &mut Receiver) {
        while self.first.len() < count {
            let one = receiver.next().await;
            self.note(&one);
        }
    }

    fn note(&mut self, one: &Received) {
        let (key, sender) = (key(one), one.header("user-agent").to_owned());
        if let Some(first) = self.first.get(&key) {
            self.doubled.push((first.clone(), sender));
            return;
        }
        self.first.insert(key, sender);
        let body = one.json();
        let widget = body["data"]["referenceId"].as_str().unwrap().to_owned();
        let sequence = body["sequence"].as_u64().unwrap();
        self.sequences.entry((one.path.clone(), widget)).or_default().push(sequence);
    }
}

on_both_engines! {
    async fn five_workers_that_are_killed_lose_nothing_and_double_only_what_they_had_under_way(f: Fixture) {
        let store = Store::open(&f.address, Arc::new(MachineClock), &Fixture::SECRET).await.unwrap();
        let account = store.accounts().create("Oak Roofing").await.unwrap().id;
        let tenant = Tenant { account, environment: Environment::Production };
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        webhooks(&store, &tenant, &receiver).await;
        let total = events(&store, &tenant).await;

        let mut workers = Workers { database: f.address.clone(), running: Vec::new(), killed: HashSet::new(), started: 0 };
        let mut arrivals = Arrivals::default();
        workers.start(WORKERS);
        // Two of five; all five; one of five.
        for (share, kills) in [(4, 2), (2, 5), (1, 1)] {
            let some_before_the_end = if share == 1 { total - total / 8 } else { total / share };
            arrivals.until(some_before_the_end, &mut receiver).await;
            workers.kill(kills);
            workers.start(kills);
        }
        arrivals.until(total, &mut receiver).await;
        // What a killed worker had sent but not stored is sent again once its lease has ended.
        let all_stored = async {
            while successes(&store, &tenant).await < total as u64 {
                if let Ok(again) = timeout(LOOK_AGAIN, receiver.next()).await {
                    arrivals.note(&again);
                }
            }
        };
        timeout(MOST, all_stored).await.unwrap();
        workers.end();
        for late in receiver.take() {
            arrivals.note(&late);
        }

        println!("{total} deliveries, {} workers killed, 0 lost, {} doubled", workers.killed.len(), arrivals.doubled.len());
        assert_eq!(arrivals.first.len(), total);
        let not_by_a_kill: Vec<_> = arrivals.doubled.iter().filter(|(first, _)| !workers.killed.contains(first)).collect();
        assert!(not_by_a_kill.is_empty(), "sent again, though its first sender lived: {not_by_a_kill:?}");
        assert!(arrivals.doubled.len() <= workers.killed.len() * UNDER_WAY);
        for ((path, widget), sequences) in &arrivals.sequences {
            assert_eq!(sequences.len(), EVENTS);
            assert!(!path.starts_with("/ordered") || sequences.is_sorted(), "{path} {widget}: {sequences:?}");
        }
        assert_eq!(successes(&store, &tenant).await, total as u64);
    }
}
