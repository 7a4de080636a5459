//! How many connections there may be, altogether and from one address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use ipnet::IpNet;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

type Taken = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// The places of one listener.
pub struct Places {
    free: Arc<Semaphore>,
    max_per_address: usize,
    /// Many visitors come through one of these.
    proxies: Vec<IpNet>,
    taken: Taken,
}

/// The place of one connection, free again when dropped.
pub struct Place {
    _permit: OwnedSemaphorePermit,
    counted: Option<(IpAddr, Taken)>,
}

impl Places {
    pub fn new(max: usize, max_per_address: usize, proxies: Vec<IpNet>) -> Self {
        Self {
            free: Arc::new(Semaphore::new(max)),
            // However few there are, one address leaves some to the others.
            max_per_address: max_per_address.min(max.div_ceil(4)).max(1),
            proxies,
            taken: Arc::default(),
        }
    }

    pub fn max_per_address(&self) -> usize {
        self.max_per_address
    }

    /// Waits until a connection may be accepted.
    pub async fn wait(&self) -> Option<OwnedSemaphorePermit> {
        self.free.clone().acquire_owned().await.ok()
    }

    /// `None`: the address has as many as it may have.
    pub fn admit(&self, permit: OwnedSemaphorePermit, peer: IpAddr) -> Option<Place> {
        let peer = peer.to_canonical();
        if self.proxies.iter().any(|net| net.contains(&peer)) {
            return Some(Place { _permit: permit, counted: None });
        }
        let subscriber = subscriber(peer);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(subscriber).or_default();
        if *count >= self.max_per_address {
            return None;
        }
        *count += 1;
        Some(Place { _permit: permit, counted: Some((subscriber, self.taken.clone())) })
    }
}

/// A client with one IPv6 address has its whole /64.
fn subscriber(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V4(_) => peer,
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64)),
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let Some((subscriber, taken)) = self.counted.take() else { return };
        let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&subscriber) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&subscriber);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_address_has_its_share_and_a_proxy_is_no_address() {
        let places = Places::new(100, 2, vec!["10.0.0.0/8".parse().unwrap()]);
        let admit = async |peer: &str| places.admit(places.wait().await.unwrap(), peer.parse().unwrap());
        let first = admit("192.0.2.1").await.unwrap();
        let _second = admit("::ffff:192.0.2.1").await.unwrap();
        assert!(admit("192.0.2.1").await.is_none());
        let _other = admit("192.0.2.2").await.unwrap();
        drop(first);
        let _again = admit("192.0.2.1").await.unwrap();

        let _v6 = (admit("2001:db8::1").await.unwrap(), admit("2001:db8::2").await.unwrap());
        assert!(admit("2001:db8::3").await.is_none(), "the same /64");
        let _next = admit("2001:db8:0:1::1").await.unwrap();

        let mut proxied = Vec::new();
        for _ in 0..20 {
            proxied.push(admit("10.0.0.1").await.unwrap());
        }
        drop(proxied);
        assert_eq!(places.taken.lock().unwrap().len(), 4, "nothing is kept of who has gone");
    }

    #[tokio::test]
    async fn one_address_never_takes_every_place() {
        let places = Places::new(8, 500, Vec::new());
        let mut taken = Vec::new();
        for _ in 0..2 {
            taken.push(places.admit(places.wait().await.unwrap(), IpAddr::from([192, 0, 2, 1])).unwrap());
        }
        assert!(places.admit(places.wait().await.unwrap(), IpAddr::from([192, 0, 2, 1])).is_none());
    }
}
