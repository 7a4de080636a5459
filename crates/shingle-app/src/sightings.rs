//! Hosts whose pages loaded a widget's script, until the next chore stores them.
//!
//! # Decision
//!
//! Where a script is seen is stored by host and last time, from the loader's referrer: in memory, once a minute per
//! host, and a chore writes it. Turned down: a row per request.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use shingle_domain::{LinkId, Timestamp};

/// What is not written by then is dropped: nobody waits for it.
const MAX_WIDGETS: usize = 10_000;
const MAX_HOSTS: usize = 5;

/// A visitor's request costs a look into a map: nothing is written, and of a host once a minute at most.
#[derive(Default)]
pub struct Sightings(Mutex<HashMap<LinkId, Vec<(String, Timestamp)>>>);

impl Sightings {
    pub fn note(&self, widget: LinkId, host: &str, now: Timestamp) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = seen.len() >= MAX_WIDGETS;
        match seen.get_mut(&widget) {
            Some(hosts) if hosts.len() >= MAX_HOSTS || hosts.iter().any(|(known, _)| known == host) => {}
            Some(hosts) => hosts.push((host.to_owned(), now)),
            None if is_full => {}
            None => {
                seen.insert(widget, vec![(host.to_owned(), now)]);
            }
        }
    }

    /// What was noted since the last time.
    pub fn take(&self) -> Vec<(LinkId, String, Timestamp)> {
        let seen = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        seen.into_iter().flat_map(|(id, hosts)| hosts.into_iter().map(move |(host, at)| (id, host, at))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_noted_once_until_it_is_written_and_no_flood_fills_the_memory() {
        let sightings = Sightings::default();
        let (id, at) = (LinkId(uuid::Uuid::from_u128(1)), Timestamp::from_micros(5));
        for number in 0..100 {
            sightings.note(id, "oak.example.com", at);
            sightings.note(id, &format!("{number}.example.com"), at);
        }
        assert_eq!(sightings.take().len(), MAX_HOSTS);
        assert!(sightings.take().is_empty());
        for number in 0..20_000 {
            sightings.note(LinkId(uuid::Uuid::from_u128(number)), "oak.example.com", at);
        }
        assert_eq!(sightings.take().len(), MAX_WIDGETS);
    }
}
