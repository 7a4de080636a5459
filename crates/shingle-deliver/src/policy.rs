//! Which addresses may be connected to.
//!
//! # Decisions
//!
//! - Behind NAT64 a target is judged by the IPv4 address inside, whatever network is allowed: public servers and the
//!   metadata service share one prefix. A prefix of the network's own is learned (`nat64.rs`).
//! - Ports are 80, 443 and those above 1023 that browsers allow; allow lists are networks. Turned down: one switch
//!   that allows everything; a switch in the portal, with which a stolen session of an operator would open the network
//!   behind the server. The portal names the line of the settings file instead (`closed_addresses`).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use crate::nat64::Nat64Prefix;

/// The settings of the operator.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EgressPolicy {
    /// Networks that are allowed although they are not public.
    pub allowed_networks: Vec<IpNet>,
    /// Whether plain HTTP is allowed.
    pub allow_http: bool,
}

/// The kind of network an address belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressScope {
    Public,
    /// This machine, its network, or its provider's own services.
    Private,
    /// Not a single machine: multicast, documentation, tunnels into other networks, unassigned ranges.
    Special,
}

impl EgressPolicy {
    /// An address that leads to an IPv4 address is judged by that one, whatever network of IPv6 is allowed: behind the
    /// prefix of a NAT64 lie public servers and the metadata service alike.
    pub fn allows(&self, ip: IpAddr) -> bool {
        self.allows_behind(ip, &[])
    }

    /// In a network that has a NAT64 with these prefixes. An address with one of them is never allowed for what it looks
    /// like itself; a network of IPv6 that is not public needs to be allowed all the same.
    pub(crate) fn allows_behind(&self, ip: IpAddr, nat64: &[Nat64Prefix]) -> bool {
        let is_allowed = |ip: IpAddr| self.allowed_networks.iter().any(|net| net.contains(&ip));
        let canonical = ip.to_canonical();
        if let IpAddr::V6(outer) = canonical {
            let mut inside = nat64.iter().filter_map(|prefix| prefix.inner(outer)).map(IpAddr::V4).peekable();
            if inside.peek().is_some() {
                let may_pass = AddressScope::of(ip) == AddressScope::Public || is_allowed(ip);
                return inside.all(|v4| is_allowed(v4) || may_pass && AddressScope::of(v4) == AddressScope::Public);
            }
        }
        match inner_ipv4(ip) {
            Some(inner) if AddressScope::of(ip) != AddressScope::Public => {
                let inner = IpAddr::V4(inner);
                is_allowed(inner) || (is_allowed(ip) && AddressScope::of(inner) == AddressScope::Public)
            }
            _ => AddressScope::of(ip) == AddressScope::Public || is_allowed(canonical) || is_allowed(ip),
        }
    }
}

/// Whether an address is of a network that people have at home or at work, or of this machine. No cloud has its metadata
/// service there.
pub(crate) fn is_own_network(ip: IpAddr) -> bool {
    const METADATA_V6: Ipv6Net = v6([0xfd00, 0xec2, 0], 32);
    match ip.to_canonical() {
        IpAddr::V4(ip) => ip.is_private() || ip.is_loopback(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local() && !METADATA_V6.contains(&ip),
    }
}

/// From IANA's registries of special-purpose addresses, with everything that is not globally reachable.
const PRIVATE_V4: [Ipv4Net; 9] = [
    v4([0, 0, 0, 0], 8),
    v4([10, 0, 0, 0], 8),
    v4([100, 64, 0, 0], 10),
    v4([127, 0, 0, 0], 8),
    // Metadata services of most clouds are 169.254.169.254.
    v4([169, 254, 0, 0], 16),
    v4([172, 16, 0, 0], 12),
    v4([192, 0, 0, 0], 24),
    v4([192, 168, 0, 0], 16),
    // Public in the registry, but on every Azure machine the address of its wire server.
    v4([168, 63, 129, 16], 32),
];

const SPECIAL_V4: [Ipv4Net; 7] = [
    v4([192, 0, 2, 0], 24),
    v4([192, 88, 99, 0], 24),
    v4([198, 18, 0, 0], 15),
    v4([198, 51, 100, 0], 24),
    v4([203, 0, 113, 0], 24),
    v4([224, 0, 0, 0], 4),
    v4([240, 0, 0, 0], 4),
];

/// The prefix by which every NAT64 may translate (RFC 6052); what it leads to says whether it is public.
const NAT64: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);
/// For the NAT64 of one network (RFC 8215), which may hold the IPv4 address elsewhere than at the end.
const LOCAL_NAT64: Ipv6Net = v6([0x64, 0xff9b, 1], 48);
/// IPv4-compatible addresses, long out of use.
const COMPATIBLE: Ipv6Net = v6([0, 0, 0], 96);
const SIX_TO_FOUR: Ipv6Net = v6([0x2002, 0, 0], 16);

/// The IPv4 address that an IPv6 address leads to.
fn inner_ipv4(ip: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(ip) = ip.to_canonical() else { return None };
    let octets = ip.octets();
    let at = |from: usize| Ipv4Addr::new(octets[from], octets[from + 1], octets[from + 2], octets[from + 3]);
    if SIX_TO_FOUR.contains(&ip) {
        return Some(at(2));
    }
    let is_one = ip.is_loopback() || ip.is_unspecified();
    ([NAT64, LOCAL_NAT64, COMPATIBLE].iter().any(|net| net.contains(&ip)) && !is_one).then(|| at(12))
}

/// Everything public lies in here; loopback, mapped, NAT64, unique local, link-local and multicast do not.
const GLOBAL_V6: Ipv6Net = v6([0x2000, 0, 0], 3);

const SPECIAL_V6: [Ipv6Net; 4] = [
    // Protocol assignments: Teredo, ORCHID, benchmarking and others without web servers.
    v6([0x2001, 0, 0], 23),
    v6([0x2001, 0xdb8, 0], 32),
    // 6to4: contains an IPv4 address, which may be private.
    v6([0x2002, 0, 0], 16),
    v6([0x3fff, 0, 0], 20),
];

const fn v4([a, b, c, d]: [u8; 4], length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6([a, b, c]: [u16; 3], length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), length)
}

impl AddressScope {
    pub fn of(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            IpAddr::V4(ip) if PRIVATE_V4.iter().any(|net| net.contains(&ip)) => Self::Private,
            IpAddr::V4(ip) if SPECIAL_V4.iter().any(|net| net.contains(&ip)) => Self::Special,
            IpAddr::V4(_) => Self::Public,
            IpAddr::V6(ip) if NAT64.contains(&ip) => {
                inner_ipv4(IpAddr::V6(ip)).map_or(Self::Private, |v4| Self::of(v4.into()))
            }
            IpAddr::V6(ip) if GLOBAL_V6.contains(&ip) => {
                if SPECIAL_V6.iter().any(|net| net.contains(&ip)) {
                    Self::Special
                } else {
                    Self::Public
                }
            }
            IpAddr::V6(ip) if ip.is_multicast() => Self::Special,
            IpAddr::V6(_) => Self::Private,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(text: &str) -> AddressScope {
        AddressScope::of(text.parse().unwrap())
    }

    #[test]
    fn no_range_that_is_not_public_is_taken_for_public_from_its_first_to_its_last_address() {
        for range in [
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "168.63.129.16/32",
            "::/128",
            "::1/128",
            "::/96",
            "64:ff9b::/96",
            "64:ff9b:1::/48",
            "100::/64",
            "2001::/32",
            "2001:2::/48",
            "2001:10::/28",
            "2001:20::/28",
            "2001:db8::/32",
            "2002::/16",
            "3fff::/20",
            "5f00::/16",
            "fc00::/7",
            "fe80::/10",
            "fec0::/10",
            "ff00::/8",
        ] {
            let net: IpNet = range.parse().unwrap();
            for ip in [net.network(), net.broadcast()] {
                assert_ne!(AddressScope::of(ip), AddressScope::Public, "{ip} of {range}");
                assert!(!EgressPolicy::default().allows(ip), "{ip} of {range}");
            }
        }
    }

    #[test]
    fn the_neighbours_of_those_ranges_are_public() {
        for ip in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "203.0.112.255",
            "203.0.114.0",
            "223.255.255.255",
            "168.63.129.17",
            "2000::1",
            "2001:200::1",
            "2001:db7::1",
            "2001:db9::1",
            "2003::1",
            "2606:4700::1111",
            "2a00:1450::1",
            "3ffe::1",
        ] {
            assert_eq!(reach(ip), AddressScope::Public, "{ip}");
        }
    }

    #[test]
    fn metadata_services_of_clouds_are_private() {
        for ip in
            ["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"]
        {
            assert_eq!(reach(ip), AddressScope::Private, "{ip}");
        }
    }

    #[test]
    fn an_ipv4_address_inside_an_ipv6_address_is_judged_as_ipv4() {
        assert_eq!(reach("::ffff:127.0.0.1"), AddressScope::Private);
        assert_eq!(reach("::ffff:a9fe:a9fe"), AddressScope::Private);
        assert_eq!(reach("::ffff:93.184.215.14"), AddressScope::Public);
        for ip in ["::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::5db8:d70e", "2002:7f00:1::", "2002:a00:1::1"] {
            assert_ne!(reach(ip), AddressScope::Public, "{ip}");
        }
    }

    /// The address of a NAT64 that leads to this one.
    fn through_nat64(prefix: &str, inner: Ipv4Addr) -> IpAddr {
        let [.., high, low] = inner.to_ipv6_mapped().segments();
        let mut segments = prefix.parse::<Ipv6Addr>().unwrap().segments();
        (segments[6], segments[7]) = (high, low);
        IpAddr::V6(segments.into())
    }

    #[test]
    fn through_a_nat64_one_reaches_what_one_may_reach_without_it() {
        let nat64: Vec<IpNet> = vec!["64:ff9b::/96".parse().unwrap(), "64:ff9b:1::/48".parse().unwrap()];
        let with = |allowed_networks: Vec<IpNet>| EgressPolicy { allowed_networks, allow_http: false };
        let shut = with(Vec::new());
        let open = with(nat64.clone());
        let lan = with(vec!["10.1.0.0/16".parse().unwrap()]);
        let everything = with(vec!["::/0".parse().unwrap()]);
        for (inner, is_public, is_lan) in [
            ("93.184.215.14", true, false),
            ("8.8.8.8", true, false),
            ("169.254.169.254", false, false),
            ("168.63.129.16", false, false),
            ("100.100.100.200", false, false),
            ("127.0.0.1", false, false),
            ("0.0.0.0", false, false),
            ("10.0.0.1", false, false),
            ("10.1.2.3", false, true),
            ("172.16.0.1", false, false),
            ("192.168.1.1", false, false),
            ("198.51.100.7", false, false),
            ("224.0.0.1", false, false),
            ("255.255.255.255", false, false),
        ] {
            let ip: Ipv4Addr = inner.parse().unwrap();
            let known = through_nat64("64:ff9b::", ip);
            for policy in [&shut, &open, &everything] {
                assert_eq!(policy.allows(known), is_public, "{known} with {:?}", policy.allowed_networks);
            }
            assert_eq!(lan.allows(known), is_public || is_lan, "{known}");
            let local = through_nat64("64:ff9b:1::", ip);
            assert!(!shut.allows(local), "{local}");
            for policy in [&open, &everything] {
                assert_eq!(policy.allows(local), is_public, "{local}");
            }
            let octets = ip.octets();
            let tunnel = Ipv6Addr::new(
                0x2002,
                u16::from_be_bytes([octets[0], octets[1]]),
                u16::from_be_bytes([octets[2], octets[3]]),
                0,
                0,
                0,
                0,
                1,
            );
            assert!(!shut.allows(tunnel.into()), "{tunnel}");
            assert_eq!(everything.allows(tunnel.into()), is_public, "{tunnel}");
        }
        assert!(everything.allows("::1".parse().unwrap()) && everything.allows("fd00::1".parse().unwrap()));
    }

    #[test]
    fn the_allow_list_opens_its_networks_and_no_others() {
        let policy = EgressPolicy {
            allowed_networks: vec!["10.1.0.0/16".parse().unwrap(), "::1/128".parse().unwrap()],
            allow_http: false,
        };
        for open in ["10.1.2.3", "::ffff:10.1.2.3", "::1", "93.184.215.14"] {
            assert!(policy.allows(open.parse().unwrap()), "{open}");
        }
        for shut in ["10.2.0.1", "127.0.0.1", "::ffff:10.2.0.1", "::2"] {
            assert!(!policy.allows(shut.parse().unwrap()), "{shut}");
        }
    }
}
