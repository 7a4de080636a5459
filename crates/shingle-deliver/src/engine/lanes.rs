//! What a worker holds, by destination: what runs, and what waits for a place.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use shingle_domain::{AccountId, DeliveryId, DestinationId};
use shingle_store::{ClaimedDelivery, Destination, DestinationHealth, FAILURES_TO_OPEN, MAX_EXCLUDED};

use super::settings::EngineSettings;
use crate::transport::Job;

/// Waiting deliveries from which on no more are claimed for a destination.
const LONG_QUEUE: usize = 32;

struct Lane {
    destination: Arc<Destination>,
    running: HashMap<DeliveryId, String>,
    waiting: VecDeque<ClaimedDelivery>,
    /// Failures in a row that the database knows of, and those that it is about to be told.
    stored_failures: u64,
    new_failures: u64,
}

#[derive(Default)]
pub(super) struct Lanes {
    lanes: HashMap<DestinationId, Lane>,
    /// The order in which destinations take turns.
    turns: VecDeque<DestinationId>,
    by_account: HashMap<AccountId, usize>,
    running: usize,
    waiting: usize,
}

impl Lanes {
    pub fn held(&self) -> usize {
        self.running + self.waiting
    }

    pub fn is_empty(&self) -> bool {
        self.held() == 0
    }

    pub fn running(&self) -> usize {
        self.running
    }

    /// Destinations of which enough is held already, the fullest first.
    pub fn full(&self) -> Vec<DestinationId> {
        let mut full: Vec<_> = self
            .lanes
            .iter()
            .filter(|(_, lane)| lane.waiting.len() >= LONG_QUEUE)
            .map(|(id, lane)| (lane.waiting.len(), *id))
            .collect();
        full.sort_unstable_by(|a, b| b.cmp(a));
        full.into_iter().take(MAX_EXCLUDED).map(|(_, id)| id).collect()
    }

    pub fn add(&mut self, delivery: ClaimedDelivery, destination: Arc<Destination>) {
        let id = delivery.destination;
        let lane = self.lanes.entry(id).or_insert_with(|| {
            self.turns.push_back(id);
            Lane {
                stored_failures: destination.failures_in_a_row,
                new_failures: 0,
                destination: destination.clone(),
                running: HashMap::new(),
                waiting: VecDeque::new(),
            }
        });
        lane.destination = destination;
        lane.waiting.push_back(delivery);
        self.waiting += 1;
    }

    /// The next delivery that has a place; destinations take turns.
    pub fn start_next(&mut self, settings: &EngineSettings) -> Option<Job> {
        if self.running >= settings.max_running {
            return None;
        }
        for _ in 0..self.turns.len() {
            let id = self.turns.pop_front()?;
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            self.turns.push_back(id);
            // After many failures one request at a time probes.
            let probing = lane.destination.failures_in_a_row >= FAILURES_TO_OPEN;
            let places = if probing { 1 } else { settings.max_running_per_destination };
            let account = lane.destination.tenant.account;
            let of_account = self.by_account.entry(account).or_default();
            // With what it is about to be told, the database opens the circuit.
            let opening = lane.new_failures > 0 && lane.stored_failures + lane.new_failures >= FAILURES_TO_OPEN;
            if opening || lane.running.len() >= places || *of_account >= settings.max_running_per_account {
                continue;
            }
            let Some(delivery) = lane.waiting.pop_front() else { continue };
            *of_account += 1;
            self.running += 1;
            self.waiting -= 1;
            lane.running.insert(delivery.id, delivery.claim.clone());
            return Some(Job { delivery, destination: lane.destination.clone() });
        }
        None
    }

    /// A delivery has ended; a destination of which nothing is left is forgotten.
    pub fn ended(&mut self, destination: DestinationId, delivery: DeliveryId, delivered: bool) {
        let Some(lane) = self.lanes.get_mut(&destination) else { return };
        (lane.stored_failures, lane.new_failures) =
            if delivered { (0, 0) } else { (lane.stored_failures, lane.new_failures + 1) };
        if lane.running.remove(&delivery).is_none() {
            return;
        }
        self.running -= 1;
        let account = lane.destination.tenant.account;
        if let Some(n) = self.by_account.get_mut(&account) {
            *n -= 1;
            if *n == 0 {
                self.by_account.remove(&account);
            }
        }
        self.forget_if_empty(destination);
    }

    /// The database has been told of some failures.
    pub fn note(&mut self, health: &DestinationHealth) {
        if let Some(lane) = self.lanes.get_mut(&health.destination) {
            lane.stored_failures = health.failures_in_a_row;
            lane.new_failures = lane.new_failures.saturating_sub(health.failures);
        }
    }

    /// Drops what waits for a destination: the database has put it off.
    pub fn drop_waiting(&mut self, destination: DestinationId) {
        let Some(lane) = self.lanes.get_mut(&destination) else { return };
        self.waiting -= lane.waiting.len();
        lane.waiting.clear();
        self.forget_if_empty(destination);
    }

    /// Takes everything that waits, to give it back.
    pub fn take_waiting(&mut self) -> Vec<(DeliveryId, String)> {
        self.waiting = 0;
        self.lanes.values_mut().flat_map(|lane| lane.waiting.drain(..)).map(|d| (d.id, d.claim)).collect()
    }

    /// Everything held, for the renewal of its leases.
    pub fn leases(&self) -> Vec<(DeliveryId, String)> {
        let running = self.lanes.values().flat_map(|lane| lane.running.iter().map(|(id, claim)| (*id, claim.clone())));
        let waiting = self.lanes.values().flat_map(|lane| lane.waiting.iter().map(|d| (d.id, d.claim.clone())));
        running.chain(waiting).collect()
    }

    fn forget_if_empty(&mut self, id: DestinationId) {
        if self.lanes.get(&id).is_some_and(|lane| lane.running.is_empty() && lane.waiting.is_empty()) {
            self.lanes.remove(&id);
            self.turns.retain(|turn| *turn != id);
        }
    }
}
