//! Steps of visitors that wait in memory until they are written together. A request adds to a sum and waits for nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use shingle_domain::visit::{OTHER, VisitFrom, VisitStep};
use shingle_domain::{Tenant, Timestamp, WidgetId};

/// Pages with their sources that are told apart, of one widget and day. A client that invents them fills no disk.
pub(crate) const MAX_FROM: usize = 200;
/// Towns that are told apart, of one widget and day.
pub(crate) const MAX_TOWNS: usize = 100;
/// Quarters of hours and widgets that wait at most: what comes beyond while a database is away is not counted.
const MAX_WAITING: usize = 20_000;
/// Days begin at quarters of hours in every time zone.
const QUARTER: i64 = 15 * 60 * 1_000_000;

/// In the order of [`VisitStep::ALL`].
pub type StepCounts = [i64; VisitStep::ALL.len()];

/// One widget in a quarter of an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Quarter {
    pub tenant: Tenant,
    pub widget: WidgetId,
    /// Its first instant.
    pub begins: i64,
}

#[derive(Debug, Default, Clone)]
pub(crate) struct VisitSums {
    pub from: HashMap<VisitFrom, StepCounts>,
    pub towns: HashMap<String, i64>,
    /// Loads of the script, which name no page and no source.
    loads: i64,
}

impl VisitSums {
    /// Adds what is not among the rest.
    fn settle(mut self) -> Self {
        if self.loads > 0 {
            self.from.entry(VisitFrom::default()).or_default()[VisitStep::Seen as usize] += mem::take(&mut self.loads);
        }
        self
    }

    pub fn merge(&mut self, other: Self) {
        self.loads += other.loads;
        for (from, counts) in other.from {
            add_counts(self.from.entry(from).or_default(), &counts);
        }
        for (town, asked) in other.towns {
            *self.towns.entry(town).or_default() += asked;
        }
    }
}

pub(crate) fn add_counts(to: &mut StepCounts, more: &StepCounts) {
    for (sum, count) in to.iter_mut().zip(more) {
        *sum += count;
    }
}

/// Everybody who got that far or farther. A browser asks for the script once in five minutes, and an element or a card
/// begins with the address: a step may be counted less often than those behind it.
pub(crate) fn reached(mut counts: StepCounts) -> StepCounts {
    let mut farther = 0;
    for count in counts.iter_mut().rev() {
        farther = farther.max(*count);
        *count = farther;
    }
    counts
}

pub(crate) type WaitingVisits = HashMap<Quarter, VisitSums>;

#[derive(Debug, Default)]
pub(crate) struct VisitBuffer {
    waiting: Mutex<WaitingVisits>,
    /// Held while they are written, so that two writers take turns.
    pub write_lock: tokio::sync::Mutex<()>,
}

impl VisitBuffer {
    fn waiting(&self) -> MutexGuard<'_, WaitingVisits> {
        // No code panics while it holds the lock; if some did, the counts would still be complete.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, tenant: Tenant, widget: WidgetId, now: Timestamp, add: impl FnOnce(&mut VisitSums)) {
        let begins = now.micros() - now.micros().rem_euclid(QUARTER);
        let mut waiting = self.waiting();
        let has_room = waiting.len() < MAX_WAITING;
        match waiting.entry(Quarter { tenant, widget, begins }) {
            Entry::Occupied(sums) => add(sums.into_mut()),
            Entry::Vacant(place) if has_room => add(place.insert(VisitSums::default())),
            Entry::Vacant(_) => {}
        }
    }

    pub fn load(&self, tenant: Tenant, widget: WidgetId, now: Timestamp) {
        self.add(tenant, widget, now, |sums| sums.loads += 1);
    }

    pub fn step(&self, tenant: Tenant, widget: WidgetId, now: Timestamp, step: VisitStep, from: VisitFrom) {
        self.add(tenant, widget, now, |sums| {
            let from =
                if sums.from.len() < MAX_FROM || sums.from.contains_key(&from) { from } else { VisitFrom::other() };
            sums.from.entry(from).or_default()[step as usize] += 1;
        });
    }

    pub fn town(&self, tenant: Tenant, widget: WidgetId, now: Timestamp, town: &str) {
        self.add(tenant, widget, now, |sums| {
            let town = if sums.towns.len() < MAX_TOWNS || sums.towns.contains_key(town) { town } else { OTHER };
            *sums.towns.entry(town.to_owned()).or_default() += 1;
        });
    }

    pub fn take(&self) -> WaitingVisits {
        mem::take(&mut *self.waiting()).into_iter().map(|(of, sums)| (of, sums.settle())).collect()
    }

    /// What could not be written, to be written with what has come since.
    pub fn put_back(&self, unwritten: WaitingVisits) {
        let mut waiting = self.waiting();
        for (of, sums) in unwritten {
            waiting.entry(of).or_default().merge(sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::lead::LeadChannel;
    use shingle_domain::{AccountId, Environment};

    use super::*;

    #[test]
    fn a_client_that_invents_pages_and_towns_fills_no_memory() {
        let buffer = VisitBuffer::default();
        let tenant = Tenant { account: AccountId(uuid::Uuid::nil()), environment: Environment::Sandbox };
        let widget = WidgetId(uuid::Uuid::nil());
        let at = |seconds: i64| Timestamp::from_micros(seconds * 1_000_000);
        for n in 0..1_000 {
            let from = VisitFrom::new(LeadChannel::Embed, &format!("/{n}"), "", "");
            buffer.step(tenant, widget, at(n), VisitStep::Opened, from);
            buffer.town(tenant, widget, at(0), &n.to_string());
            buffer.load(tenant, widget, at(0));
        }
        let waiting = buffer.take();
        assert_eq!(waiting.len(), 2, "1,000 s begin two quarters");
        let first = &waiting[&Quarter { tenant, widget, begins: 0 }];
        // And the rest, and anything without a name.
        assert_eq!((first.from.len(), first.towns.len()), (MAX_FROM + 2, MAX_TOWNS + 1));
        assert_eq!(first.from[&VisitFrom::other()][VisitStep::Opened as usize], 900 - MAX_FROM as i64);
        assert_eq!(first.from[&VisitFrom::default()], [1_000, 0, 0, 0, 0, 0]);
        assert!(buffer.take().is_empty());
        for n in 0..2 * MAX_WAITING as i64 {
            buffer.load(tenant, widget, at(n * 900));
        }
        assert_eq!(buffer.take().len(), MAX_WAITING);
    }
}
