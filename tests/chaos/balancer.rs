//! A balancer of connections: it asks each node whether it is ready, and sends visitors to those that are.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::client::plain_client;
use crate::ledger::PATIENCE;

/// Between two questions, and how long it waits for an answer.
const ASKS_EACH: Duration = Duration::from_millis(250);
const WAITS: Duration = Duration::from_secs(2);

pub struct Balancer {
    pub base: String,
    places: Arc<Vec<Place>>,
}

/// Of one node.
struct Place {
    at: Mutex<Option<SocketAddr>>,
    ready: watch::Sender<bool>,
}

impl Place {
    fn at(&self) -> Option<SocketAddr> {
        *self.at.lock().unwrap()
    }
}

impl Balancer {
    pub async fn start(nodes: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let place = |_| Place { at: Mutex::new(None), ready: watch::Sender::new(false) };
        let places: Arc<Vec<Place>> = Arc::new((0..nodes).map(place).collect());
        for number in 0..nodes {
            tokio::spawn(watch_node(places.clone(), number));
        }
        let all = places.clone();
        tokio::spawn(async move {
            let turn = AtomicUsize::new(0);
            while let Ok((visitor, _)) = listener.accept().await {
                let turn = turn.fetch_add(1, Ordering::Relaxed);
                tokio::spawn(carry(visitor, all.clone(), turn));
            }
        });
        Self { base, places }
    }

    /// A node is there, or not any more.
    pub fn place(&self, number: usize, base: Option<&str>) {
        let at = base.map(|base| base.trim_start_matches("http://").parse().unwrap());
        let place = &self.places[number];
        *place.at.lock().unwrap() = at;
        place.ready.send_replace(false);
    }

    pub async fn until_all_are_ready(&self) {
        for (number, place) in self.places.iter().enumerate() {
            let mut ready = place.ready.subscribe();
            let came = tokio::time::timeout(PATIENCE, ready.wait_for(|ready| *ready)).await;
            assert!(came.is_ok(), "node {number} does not come to be ready");
        }
    }

    pub async fn until_none_is_ready(&self) {
        for (number, place) in self.places.iter().enumerate() {
            let mut ready = place.ready.subscribe();
            let went = tokio::time::timeout(PATIENCE, ready.wait_for(|ready| !*ready)).await;
            assert!(went.is_ok(), "node {number} still says that it is ready");
        }
    }
}

async fn watch_node(places: Arc<Vec<Place>>, number: usize) {
    let client = plain_client().timeout(WAITS).build().unwrap();
    let mut turn = tokio::time::interval(ASKS_EACH);
    turn.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        turn.tick().await;
        let place = &places[number];
        let Some(at) = place.at() else { continue };
        let asked = client.get(format!("http://{at}/readyz")).send().await;
        let ready = asked.is_ok_and(|answer| answer.status().is_success());
        // It may have gone, or come to another place, meanwhile.
        if place.at() == Some(at) {
            place.ready.send_if_modified(|before| std::mem::replace(before, ready) != ready);
        }
    }
}

/// To the next that is ready; where none is, to any, which then answers for itself.
async fn carry(mut visitor: TcpStream, places: Arc<Vec<Place>>, turn: usize) {
    let inward = |n: usize| &places[(turn + n) % places.len()];
    let in_turn = (0..places.len()).map(inward);
    let (ready, others): (Vec<_>, Vec<_>) = in_turn.partition(|place| *place.ready.borrow());
    for place in ready.into_iter().chain(others) {
        let Some(at) = place.at() else { continue };
        if let Ok(mut node) = TcpStream::connect(at).await {
            // How it ends is for the two to say.
            let _ = tokio::io::copy_bidirectional(&mut visitor, &mut node).await;
            return;
        }
    }
}
