//! The IPv4 addresses behind a network's own NAT64. Its prefix may look like any other public network, and behind it lies
//! the metadata service too, so it is learned as RFC 7050 says: a name server that translates gives `ipv4only.arpa`, which
//! has two well-known IPv4 addresses and no others, addresses of IPv6 with these inside.
//!
//! # Decision
//!
//! The prefix is learned from the name servers, at the first address of IPv6 that is not this machine's and every hour. What
//! is learned never opens a network that is not public: name servers are not trusted with that. Turned down: a setting,
//! which is missing where it is needed, and needs to be right.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::resolver::Resolver;

/// Has the addresses [`WELL_KNOWN`] alone, unless a name server adds what a NAT64 makes of them.
const NAME: &str = "ipv4only.arpa";
const WELL_KNOWN: [Ipv4Addr; 2] = [Ipv4Addr::new(192, 0, 0, 170), Ipv4Addr::new(192, 0, 0, 171)];

/// Bits of a prefix, and the bytes that hold the IPv4 address behind it (RFC 6052). Byte 8 is always left out.
const LAYOUTS: [(u32, [usize; 4]); 6] = [
    (32, [4, 5, 6, 7]),
    (40, [5, 6, 7, 9]),
    (48, [6, 7, 9, 10]),
    (56, [7, 9, 10, 11]),
    (64, [9, 10, 11, 12]),
    (96, [12, 13, 14, 15]),
];

/// How long what was learned is believed, and how long after a failure it is tried again.
const MAX_AGE: Duration = Duration::from_secs(3_600);
const PAUSE: Duration = Duration::from_secs(60);
const MAX_TIME: Duration = Duration::from_secs(1);

/// What leads to IPv4 addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Nat64Prefix {
    prefix: u128,
    bits: u32,
    places: [usize; 4],
}

impl Nat64Prefix {
    /// The prefixes by which this may be one of the two well-known addresses: one, unless it is there twice.
    fn of_well_known(ip: Ipv6Addr) -> impl Iterator<Item = Self> {
        let found = LAYOUTS.into_iter().filter(move |(_, places)| WELL_KNOWN.contains(&inner(ip, *places)));
        found.map(move |(bits, places)| Self { prefix: u128::from(ip) >> (128 - bits), bits, places })
    }

    /// The IPv4 address that an address with this prefix leads to.
    pub fn inner(&self, ip: Ipv6Addr) -> Option<Ipv4Addr> {
        (u128::from(ip) >> (128 - self.bits) == self.prefix).then(|| inner(ip, self.places))
    }
}

fn inner(ip: Ipv6Addr, places: [usize; 4]) -> Ipv4Addr {
    let octets = ip.octets();
    places.map(|at| octets[at]).into()
}

/// What is known of the network's NAT64.
pub(crate) struct Nat64 {
    resolver: Arc<dyn Resolver>,
    known: tokio::sync::Mutex<Known>,
}

#[derive(Default)]
struct Known {
    prefixes: Arc<[Nat64Prefix]>,
    until: Option<Instant>,
}

impl Nat64 {
    pub fn new(resolver: Arc<dyn Resolver>) -> Self {
        Self { resolver, known: tokio::sync::Mutex::default() }
    }

    /// The prefixes, if some of these addresses may have one.
    pub async fn prefixes_for(&self, addresses: &[IpAddr]) -> Arc<[Nat64Prefix]> {
        let may_have_one = |ip: &IpAddr| matches!(ip.to_canonical(), IpAddr::V6(ip) if !ip.is_loopback());
        if !addresses.iter().any(may_have_one) {
            return Arc::default();
        }
        // Others wait for the first.
        let mut known = self.known.lock().await;
        if known.until.is_none_or(|until| until <= Instant::now()) {
            let found = match tokio::time::timeout(MAX_TIME, self.resolver.resolve(NAME)).await {
                Ok(Ok(found)) if !found.is_empty() => Some(found),
                _ => None,
            };
            if let Some(found) = &found {
                let of_v6 = found.iter().filter_map(|ip| match ip {
                    IpAddr::V6(ip) => Some(*ip),
                    IpAddr::V4(_) => None,
                });
                let mut prefixes: Vec<Nat64Prefix> = of_v6.flat_map(Nat64Prefix::of_well_known).collect();
                prefixes.dedup();
                known.prefixes = prefixes.into();
            }
            known.until = Some(Instant::now() + if found.is_some() { MAX_AGE } else { PAUSE });
        }
        known.prefixes.clone()
    }

    /// The address itself, or the IPv4 address that it leads to.
    pub async fn behind(&self, ip: IpAddr) -> IpAddr {
        let prefixes = self.prefixes_for(&[ip]).await;
        let IpAddr::V6(outer) = ip else { return ip };
        prefixes.iter().find_map(|prefix| prefix.inner(outer)).map_or(ip, IpAddr::V4)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use proptest::prelude::*;

    use super::*;
    use crate::resolver::ResolveFuture;

    /// The address with this one inside (RFC 6052).
    fn with_inside(prefix: Ipv6Addr, bits: u32, places: [usize; 4], inside: Ipv4Addr) -> Ipv6Addr {
        let mut octets = (u128::from(prefix) >> (128 - bits) << (128 - bits)).to_be_bytes();
        for (place, octet) in places.into_iter().zip(inside.octets()) {
            octets[place] = octet;
        }
        octets.into()
    }

    /// A name server that answers this; or nothing, while it fails.
    #[derive(Default, Clone)]
    struct NameServer {
        answer: Arc<Mutex<Option<IpAddr>>>,
        asked: Arc<Mutex<u32>>,
    }

    impl NameServer {
        fn answers(&self, text: Option<&str>) {
            *self.answer.lock().unwrap() = text.map(|text| text.parse().unwrap());
        }

        fn asked(&self) -> u32 {
            *self.asked.lock().unwrap()
        }
    }

    impl Resolver for NameServer {
        fn resolve(&self, host: &str) -> ResolveFuture {
            assert_eq!(host, NAME);
            *self.asked.lock().unwrap() += 1;
            let answer = *self.answer.lock().unwrap();
            Box::pin(async move { answer.map(|ip| vec![ip]).ok_or_else(|| std::io::Error::other("no name server")) })
        }
    }

    #[tokio::test]
    async fn a_name_server_is_asked_again_when_what_it_said_is_old_and_forgets_nothing_while_it_fails() {
        let server = NameServer::default();
        let nat64 = Nat64::new(Arc::new(server.clone()));
        let metadata: IpAddr = "2600:1f18:64::a9fe:a9fe".parse().unwrap();
        let ages = async || nat64.known.lock().await.until = Some(Instant::now());
        assert_eq!(nat64.behind(metadata).await, metadata);
        server.answers(Some("2600:1f18:64::192.0.0.171"));
        assert_eq!((nat64.behind(metadata).await, server.asked()), (metadata, 1), "not asked again at once");
        ages().await;
        let inside: IpAddr = "169.254.169.254".parse().unwrap();
        assert_eq!(nat64.behind(metadata).await, inside);
        server.answers(None);
        ages().await;
        assert_eq!((nat64.behind(metadata).await, server.asked()), (inside, 3));
        // The network has no NAT64 any more.
        server.answers(Some("192.0.0.170"));
        ages().await;
        assert_eq!((nat64.behind(metadata).await, server.asked()), (metadata, 4));
    }

    #[tokio::test]
    async fn for_addresses_of_ipv4_and_of_this_machine_nobody_is_asked() {
        let server = NameServer::default();
        let nat64 = Nat64::new(Arc::new(server.clone()));
        for text in ["93.184.215.14", "10.0.0.1", "127.0.0.1", "::1", "::ffff:10.0.0.1"] {
            let ip: IpAddr = text.parse().unwrap();
            assert_eq!((nat64.behind(ip).await, server.asked()), (ip, 0), "{text}");
        }
    }

    #[test]
    fn the_examples_of_the_rfc_are_read() {
        let inside: Ipv4Addr = "192.0.2.33".parse().unwrap();
        for (bits, text) in [
            (32, "2001:db8:c000:221::"),
            (40, "2001:db8:1c0:2:21::"),
            (48, "2001:db8:122:c000:2:2100::"),
            (56, "2001:db8:122:3c0:0:221::"),
            (64, "2001:db8:122:344:c0:2:2100::"),
            (96, "2001:db8:122:344::192.0.2.33"),
        ] {
            let ip: Ipv6Addr = text.parse().unwrap();
            let (_, places) = LAYOUTS.into_iter().find(|(of, _)| *of == bits).unwrap();
            assert_eq!(inner(ip, places), inside, "{text}");
            assert_eq!(with_inside(ip, bits, places, inside), ip, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_prefix_of_any_length_is_learned_from_either_address(
            network: u128, layout in 0..LAYOUTS.len(), which in 0..2usize, inside: [u8; 4], other: u128,
        ) {
            let (bits, places) = LAYOUTS[layout];
            // Between the prefix and the address inside it, a network has zeros.
            let network = Ipv6Addr::from((network >> (128 - bits) << (128 - bits)) & !(0xff << 56));
            let answer = with_inside(network, bits, places, WELL_KNOWN[which]);
            let learned: Vec<Nat64Prefix> = Nat64Prefix::of_well_known(answer).collect();
            let inside = Ipv4Addr::from(inside);
            let ip = with_inside(network, bits, places, inside);
            prop_assert!(learned.iter().any(|prefix| prefix.bits == bits && prefix.inner(ip) == Some(inside)), "{answer}");
            let other = Ipv6Addr::from(other);
            let is_of_it = u128::from(other) >> (128 - bits) == u128::from(network) >> (128 - bits);
            let prefix = learned.iter().find(|prefix| prefix.bits == bits).unwrap();
            prop_assert_eq!(prefix.inner(other).is_some(), is_of_it);
        }
    }
}
