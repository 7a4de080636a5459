//! One run of the webhook bench, on one database with one or two nodes. Prints one line of JSON; `cargo xtask bench
//! webhooks` runs it for every combination and judges the figures.
//!
//! The receiver is a process of its own. The first node's engine runs in this process, as it does in `shingle serve`,
//! where events are written; a second node is a process that only looks at the database.

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

mod bare;
mod child;
mod clock;
mod load;
mod receiver;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use child::Child;
use clock::WallClock;
use load::Load;
use serde_json::json;
use shingle_deliver::webhook::{WebhookKeys, WebhookTransport};
use shingle_deliver::{Egress, EgressPolicy, Engine, EngineSettings, Transports};
use shingle_store::Store;
use shingle_store_fixture::{Fixture, PgCluster};
use tokio::sync::oneshot;

/// Requests of the bare loop at one time: as many as an engine has.
const CONCURRENCY: usize = 256;

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["receiver"] => receiver::run().await,
        ["node", address] => node(address).await,
        [database, nodes, folder, seconds] => {
            run(database, nodes.parse().unwrap(), folder, seconds.parse().unwrap()).await;
        }
        _ => panic!("usage: webhook_bench sqlite|postgres NODES FOLDER SECONDS"),
    }
}

async fn open(address: &str) -> Store {
    Store::open(address, Arc::new(WallClock), &Fixture::SECRET).await.unwrap()
}

fn engine(store: &Store) -> Engine {
    let policy = EgressPolicy { allowed_networks: vec!["127.0.0.0/8".parse().unwrap()], allow_http: true };
    let webhook = WebhookTransport {
        egress: Arc::new(Egress::new(policy, "Shingle/bench").unwrap()),
        keys: WebhookKeys::new(&Fixture::SECRET),
        clock: Arc::new(WallClock),
    };
    let transports = Transports { webhook: Arc::new(webhook), mail: None, connector: None, push: None };
    Engine::new(store.clone(), transports, EngineSettings::default())
}

/// The second node: begins at a line of its input, ends with its input.
async fn node(address: &str) {
    let engine = engine(&open(address).await);
    println!("ready");
    child::line_of_input().await;
    engine.run(child::end_of_input()).await;
}

async fn run(database: &str, nodes: usize, folder: &str, seconds: u32) {
    let receiver = Child::start(&["receiver"]).await;
    let at: SocketAddr = receiver.first_line.parse().unwrap();
    let at = receiver::Control::new(at);

    let fresh = async |name: &str| match database {
        "sqlite" => format!("sqlite://{folder}/{name}.db"),
        _ => PgCluster::shared().expect("PostgreSQL").new_database().await,
    };

    // The steady load.
    let address = fresh("steady").await;
    let store = open(&address).await;
    let load = Load::of(&store, 10, 1, at.address(), None).await;
    let running = Running::start(&store, &address, nodes).await;
    load.widgets(20, 50).await;
    at.wait_for(20).await;
    at.reset().await;
    load.widgets(200 * seconds, 200).await;
    let steady = at.wait_for(u64::from(200 * seconds)).await;
    running.stop().await;

    // The backlog, between two runs of the bare loop.
    let address = fresh("backlog").await;
    let store = open(&address).await;
    let load = Load::of(&store, 4, 25, at.address(), None).await;
    let total = u64::from(load.backlog(40 * seconds).await);
    let bare_before = bare::run(at.address(), total, CONCURRENCY).await;
    at.reset().await;
    let begun = clock::now();
    let running = Running::start(&store, &address, nodes).await;
    at.wait_for(total).await;
    let backlog = total as f64 / begun.elapsed().as_secs_f64();
    running.stop().await;
    let doubled = at.count().await - total;
    let undelivered = total - load.delivered().await;
    let bare_after = bare::run(at.address(), total, CONCURRENCY).await;

    // A hundred healthy, then ninety-nine beside one that hangs; twice in turns, as the machine's other work comes and goes.
    let (mut healthy, mut beside) = (Vec::new(), Vec::new());
    for turn in 0..2 {
        for dead in [None, Some(0)] {
            let address = fresh(&format!("dead-{turn}-{}", dead.is_some())).await;
            let store = open(&address).await;
            let load = Load::of(&store, 2, 50, at.address(), dead).await;
            let running = Running::start(&store, &address, nodes).await;
            // Every second widget is of the account whose first webhook hangs.
            let arriving = |widgets: u32| u64::from(widgets * 50 - u32::from(dead.is_some()) * widgets / 2);
            load.widgets(4, 8).await;
            at.wait_for(arriving(4)).await;
            at.reset().await;
            load.widgets(8 * seconds, 8).await;
            let figures = at.wait_for(arriving(8 * seconds)).await;
            (if dead.is_some() { &mut beside } else { &mut healthy }).extend(figures);
            running.stop().await;
        }
    }
    let result = json!({
        "steady": spread(steady),
        "backlog": { "total": total, "perSecond": backlog, "doubled": doubled, "undelivered": undelivered },
        "bare": [bare_before, bare_after],
        "healthy": spread(healthy),
        "beside": spread(beside),
    });
    println!("{result}");
    receiver.end().await;
}

/// One or two engines at work.
struct Running {
    stop: oneshot::Sender<()>,
    first: tokio::task::JoinHandle<()>,
    second: Option<Child>,
}

impl Running {
    async fn start(store: &Store, address: &str, nodes: usize) -> Self {
        let mut second = match nodes {
            2 => Some(Child::start(&["node", address]).await),
            _ => None,
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let engine = engine(store);
        let first = tokio::spawn(async move {
            engine
                .run(async {
                    let _ = stopped.await;
                })
                .await;
        });
        if let Some(second) = &mut second {
            second.say("go").await;
        }
        Self { stop, first, second }
    }

    async fn stop(self) {
        drop(self.stop);
        self.first.await.unwrap();
        if let Some(second) = self.second {
            second.end().await;
        }
    }
}

/// Milliseconds.
fn spread(mut micros: Vec<u64>) -> serde_json::Value {
    micros.sort_unstable();
    let at = |share: f64| {
        let index = ((micros.len() as f64 * share) as usize).min(micros.len().saturating_sub(1));
        Duration::from_micros(micros.get(index).copied().unwrap_or_default()).as_secs_f64() * 1e3
    };
    json!({ "count": micros.len(), "p50": at(0.5), "p95": at(0.95), "p99": at(0.99) })
}
