//! A key's expiry, products and networks.
//!
//! # Decision
//!
//! A key restricted to some look-ups can do nothing else: it reads no lead and no usage. One restricted to the leads of some
//! widgets manages nothing either, and may have look-ups beside them. An expired key, or one from
//! another network, is answered like an unknown one, so a thief learns nothing. Terms this version cannot read grant
//! nothing. Turned down: restricting look-ups and leaving leads open, which surprises the owner who hands a key to a
//! partner.

use core::fmt;
use core::str::FromStr;
use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net};
use shingle_domain::lookup::Product;
use shingle_domain::{Timestamp, WidgetScope};

use crate::StoreError;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KeyTerms {
    /// What people call it.
    pub name: String,
    /// From then on it is refused.
    pub expires_at: Option<Timestamp>,
    /// The look-ups that it is for: it then does nothing else but read the leads of its widgets. Empty: it does everything.
    pub products: Vec<Product>,
    /// Whose leads it reads. A key that does not see all of them manages nothing else.
    pub sees: WidgetScope,
    /// Where it may be used from. Empty: everywhere.
    pub networks: Vec<Network>,
}

/// Addresses that begin alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network(IpNet);

impl KeyTerms {
    pub(crate) fn allow(&self, now: Timestamp, from: IpAddr) -> bool {
        let from = from.to_canonical();
        let is_inside = self.networks.is_empty() || self.networks.iter().any(|network| network.0.contains(&from));
        is_inside && self.expires_at.is_none_or(|end| now < end)
    }

    /// As the database holds them.
    pub(crate) fn products_text(&self) -> Option<String> {
        words(self.products.iter().map(|product| product.as_str().to_owned()))
    }

    /// As the database holds them.
    pub(crate) fn networks_text(&self) -> Option<String> {
        words(self.networks.iter().map(ToString::to_string))
    }

    /// What cannot be read is no key that may do everything.
    pub(crate) fn read(
        id: &str,
        name: String,
        expires_at: Option<i64>,
        products: Option<&str>,
        widgets: Option<&str>,
        networks: Option<&str>,
    ) -> Result<Self, StoreError> {
        let unreadable = |word: &str| StoreError::Unreadable {
            what: "key",
            id: id.to_owned(),
            reason: format!("`{word}` is no product, widget or network"),
        };
        let product = |word: &str| Product::parse(word).ok_or_else(|| unreadable(word));
        let network = |word: &str| word.parse::<Network>().map_err(|_| unreadable(word));
        Ok(Self {
            name,
            expires_at: expires_at.map(Timestamp::from_micros),
            products: read_words(products, product, || unreadable(""))?,
            sees: WidgetScope::read(widgets).map_err(unreadable)?,
            networks: read_words(networks, network, || unreadable(""))?,
        })
    }
}

fn words(of: impl Iterator<Item = String>) -> Option<String> {
    let words: Vec<_> = of.collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn read_words<T>(
    text: Option<&str>,
    read: impl Fn(&str) -> Result<T, StoreError>,
    empty: impl Fn() -> StoreError,
) -> Result<Vec<T>, StoreError> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let found: Vec<T> = text.split_whitespace().map(read).collect::<Result<_, _>>()?;
    if found.is_empty() { Err(empty()) } else { Ok(found) }
}

impl FromStr for Network {
    type Err = String;

    /// `203.0.113.0/24`, `2001:db8::/32`, or one address.
    fn from_str(text: &str) -> Result<Self, String> {
        let net = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        let net = net.map_err(|_| format!("`{text}` is not a network; write it like 203.0.113.0/24"))?;
        Ok(Self(canonical(net).trunc()))
    }
}

/// IPv4 written as IPv6 is IPv4, as the addresses of clients are.
fn canonical(net: IpNet) -> IpNet {
    if let IpNet::V6(six) = net
        && let Some(length) = six.prefix_len().checked_sub(96)
        && let Some(four) = six.addr().to_ipv4_mapped()
        && let Ok(four) = Ipv4Net::new(four, length)
    {
        return four.into();
    }
    net
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        text.parse().unwrap()
    }

    #[test]
    fn a_network_is_written_one_way() {
        for (text, written) in [
            ("203.0.113.0/24", "203.0.113.0/24"),
            ("203.0.113.7/24", "203.0.113.0/24"),
            ("203.0.113.7", "203.0.113.7/32"),
            ("2001:DB8::1/32", "2001:db8::/32"),
            ("2001:db8::1", "2001:db8::1/128"),
            ("::ffff:203.0.113.7", "203.0.113.7/32"),
            ("::ffff:203.0.113.0/120", "203.0.113.0/24"),
            ("0.0.0.0/0", "0.0.0.0/0"),
        ] {
            assert_eq!(network(text).to_string(), written);
        }
        for text in ["", "all", "203.0.113.0/33", "203.0.113", "2001:db8::/129", "203.0.113.0/24 ", "a.example.com"] {
            assert!(text.parse::<Network>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_is_good_inside_its_networks_until_it_expires() {
        let end = Timestamp::from_micros(1_000);
        let terms = KeyTerms {
            expires_at: Some(end),
            networks: vec![network("203.0.113.0/24"), network("2001:db8::/32")],
            ..KeyTerms::default()
        };
        let at = |micros, from: &str| terms.allow(Timestamp::from_micros(micros), from.parse().unwrap());
        assert!(at(999, "203.0.113.255") && at(999, "::ffff:203.0.113.1") && at(999, "2001:db8:ffff::1"));
        assert!(!at(1_000, "203.0.113.255"), "it has expired");
        for from in ["203.0.112.255", "203.0.114.0", "::ffff:203.0.114.1", "2001:db9::1", "::203.0.113.1", "::1"] {
            assert!(!at(999, from), "{from}");
        }
        assert!(KeyTerms::default().allow(end, "2001:db9::1".parse().unwrap()));
    }

    #[test]
    fn restrictions_that_cannot_be_read_are_not_taken_for_none() {
        let read = |products, networks| KeyTerms::read("id", String::new(), None, products, None, networks);
        assert_eq!(read(None, None).unwrap(), KeyTerms::default());
        let both = read(Some("roof-estimate solar-index"), Some("203.0.113.0/24 2001:db8::/32")).unwrap();
        assert_eq!(both.products_text().as_deref(), Some("roof-estimate solar-index"));
        assert_eq!(both.networks_text().as_deref(), Some("203.0.113.0/24 2001:db8::/32"));
        for (products, networks) in [(Some(""), None), (None, Some(" ")), (Some("roofs"), None), (None, Some("all"))] {
            assert!(read(products, networks).is_err(), "{products:?} {networks:?}");
        }
        assert!(KeyTerms::read("id", String::new(), None, None, Some("all"), None).is_err());
    }
}
