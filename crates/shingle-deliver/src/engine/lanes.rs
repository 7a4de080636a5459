//! A worker's deliveries by destination: running, waiting for a place, or being stored.
//!
//! # Decision
//!
//! Deliveries waiting for their own receiver do not take up space, and a destination gets an eighth of the free
//! places. Turned down: a fixed number of held deliveries, which a dozen hanging receivers filled.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use shingle_domain::{AccountId, DeliveryId, DestinationId};
use shingle_store::{ClaimedDelivery, Destination, DestinationHealth, FAILURES_TO_OPEN};

use super::settings::EngineSettings;
use crate::transport::Job;

/// Waiting deliveries from which on no more are claimed for a destination.
const LONG_QUEUE: usize = 32;
/// A destination gets this part of the places that are free: many that hang leave some for the others.
const SHARE_OF_FREE: usize = 8;

struct Lane {
    destination: Arc<Destination>,
    running: usize,
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
    /// Everything whose lease is ours: a second claim of it, after its lease has ended, is the same delivery.
    held: HashSet<DeliveryId>,
}

impl Lanes {
    pub fn held(&self) -> usize {
        self.held.len()
    }

    pub fn running(&self) -> usize {
        self.running
    }

    /// Destinations of which enough is held already.
    pub fn full(&self) -> Vec<DestinationId> {
        self.lanes.iter().filter(|(_, lane)| lane.is_full()).map(|(id, _)| *id).collect()
    }

    pub fn is_full(&self, id: DestinationId) -> bool {
        self.lanes.get(&id).is_some_and(Lane::is_full)
    }

    /// What runs, and what waits for a place of the whole. What waits for its own receiver or account leaves room: if it
    /// did not, a few that hang would keep all others out.
    pub fn busy(&self, settings: &EngineSettings) -> usize {
        let free = settings.max_running.saturating_sub(self.running);
        let waiting = self.lanes.values().filter(|lane| self.may_start(lane, settings, free)).map(|l| l.waiting.len());
        self.running + waiting.sum::<usize>()
    }

    fn may_start(&self, lane: &Lane, settings: &EngineSettings, free: usize) -> bool {
        let of_account = self.by_account.get(&lane.destination.tenant.account).copied().unwrap_or_default();
        lane.running < lane.places(settings, free) && of_account < settings.max_running_per_account
    }

    /// Takes a claimed delivery, unless it is held already.
    pub fn add(&mut self, delivery: ClaimedDelivery, destination: Arc<Destination>) {
        if !self.held.insert(delivery.id) {
            return;
        }
        let id = delivery.destination;
        let lane = self.lanes.entry(id).or_insert_with(|| {
            self.turns.push_back(id);
            Lane {
                stored_failures: destination.failures_in_a_row,
                new_failures: 0,
                destination: destination.clone(),
                running: 0,
                waiting: VecDeque::new(),
            }
        });
        lane.destination = destination;
        lane.waiting.push_back(delivery);
    }

    /// The next delivery that has a place; destinations take turns.
    pub fn start_next(&mut self, settings: &EngineSettings) -> Option<Job> {
        let free = settings.max_running.checked_sub(self.running).filter(|free| *free > 0)?;
        for _ in 0..self.turns.len() {
            let id = self.turns.pop_front()?;
            self.turns.push_back(id);
            if self.lanes.get(&id).is_none_or(|lane| !self.may_start(lane, settings, free)) {
                continue;
            }
            let Some(lane) = self.lanes.get_mut(&id) else { continue };
            let account = lane.destination.tenant.account;
            let Some(delivery) = lane.waiting.pop_front() else { continue };
            lane.running += 1;
            self.running += 1;
            *self.by_account.entry(account).or_default() += 1;
            return Some(Job { delivery, destination: lane.destination.clone() });
        }
        None
    }

    /// A try has ended; its result is on the way to the database.
    pub fn ended(&mut self, destination: DestinationId, delivered: bool) {
        let Some(lane) = self.lanes.get_mut(&destination) else { return };
        (lane.stored_failures, lane.new_failures) =
            if delivered { (0, 0) } else { (lane.stored_failures, lane.new_failures + 1) };
        lane.running -= 1;
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

    /// Results are stored: their deliveries may be claimed again.
    pub fn stored(&mut self, deliveries: &[DeliveryId]) {
        for id in deliveries {
            self.held.remove(id);
        }
    }

    /// The database knows of some failures.
    pub fn note(&mut self, health: &DestinationHealth) {
        if let Some(lane) = self.lanes.get_mut(&health.destination) {
            lane.stored_failures = health.failures_in_a_row;
            lane.new_failures = lane.new_failures.saturating_sub(health.failures);
        }
    }

    /// Drops what waits for a destination: the database has put it off.
    pub fn drop_waiting(&mut self, destination: DestinationId) {
        let Some(lane) = self.lanes.get_mut(&destination) else { return };
        for delivery in lane.waiting.drain(..) {
            self.held.remove(&delivery.id);
        }
        self.forget_if_empty(destination);
    }

    /// Takes everything that waits, to give it back.
    pub fn take_waiting(&mut self) -> Vec<DeliveryId> {
        let taken: Vec<_> = self.lanes.values_mut().flat_map(|lane| lane.waiting.drain(..)).map(|d| d.id).collect();
        self.stored(&taken);
        taken
    }

    /// Everything held, for the renewal of its leases.
    pub fn leases(&self) -> Vec<DeliveryId> {
        self.held.iter().copied().collect()
    }

    fn forget_if_empty(&mut self, id: DestinationId) {
        if self.lanes.get(&id).is_some_and(|lane| lane.running == 0 && lane.waiting.is_empty()) {
            self.lanes.remove(&id);
            self.turns.retain(|turn| *turn != id);
        }
    }
}

impl Lane {
    fn is_full(&self) -> bool {
        self.waiting.len() >= LONG_QUEUE
    }

    /// How many requests may run at one time, with so many places `free` in all.
    fn places(&self, settings: &EngineSettings, free: usize) -> usize {
        // With what it is about to be told, the database opens the circuit.
        if self.new_failures > 0 && self.stored_failures + self.new_failures >= FAILURES_TO_OPEN {
            return 0;
        }
        // After many failures one request at a time probes.
        if self.stored_failures >= FAILURES_TO_OPEN {
            return 1;
        }
        settings.max_running_per_destination.min(free.div_ceil(SHARE_OF_FREE))
    }
}
