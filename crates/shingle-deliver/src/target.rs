//! A web address that may be requested, judged by its text. The IP addresses behind its host name are checked when
//! the connection is made.
//!
//! # Decision
//!
//! A host name that does not resolve when a webhook is created passes; it is checked at every connection. Turned
//! down: refusing it, which depends on name servers at one moment.

use std::net::IpAddr;

use url::{Host, Url};

use crate::error::{EgressError, display_ip};
use crate::policy::EgressPolicy;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

/// Ports above 1023 that browsers refuse too.
const BLOCKED_PORTS: [u16; 17] =
    [1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697];

impl Target {
    /// The parser normalizes every spelling of an IP address (`0x7f.1`, `2130706433`, `127.0.0.1.`) before the policy
    /// judges it.
    pub fn parse(text: &str, policy: &EgressPolicy) -> Result<Self, EgressError> {
        let url = Url::parse(text).map_err(|_| EgressError::InvalidUrl { url: text.chars().take(200).collect() })?;
        Self::from_url(url, policy)
    }

    pub(crate) fn from_url(mut url: Url, policy: &EgressPolicy) -> Result<Self, EgressError> {
        match url.scheme() {
            "https" => {}
            "http" if policy.allow_http => {}
            "http" => return Err(EgressError::NotHttps),
            _ => return Err(EgressError::InvalidUrl { url: url.as_str().chars().take(200).collect() }),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(EgressError::Credentials);
        }
        if let Some(port) = url.port_or_known_default()
            && ((port < 1024 && !matches!(port, 80 | 443)) || port == 10_080 || BLOCKED_PORTS.contains(&port))
        {
            return Err(EgressError::PortNotAllowed { port });
        }
        let literal: Option<IpAddr> = match url.host() {
            Some(Host::Ipv4(ip)) => Some(ip.into()),
            Some(Host::Ipv6(ip)) => Some(ip.into()),
            Some(Host::Domain(name)) if !name.trim_end_matches('.').is_empty() => None,
            _ => return Err(EgressError::InvalidUrl { url: url.as_str().chars().take(200).collect() }),
        };
        if let Some(ip) = literal
            && !policy.allows(ip)
        {
            return Err(EgressError::not_public(&display_ip(ip)));
        }
        url.set_fragment(None);
        Ok(Self(url))
    }

    pub fn url(&self) -> &Url {
        &self.0
    }

    /// As in the address.
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> EgressError {
        Target::parse(text, &EgressPolicy::default()).map(|t| t.url().to_string()).unwrap_err()
    }

    #[test]
    fn an_address_of_this_machine_is_known_in_every_spelling() {
        for text in [
            "https://127.0.0.1/",
            "https://127.1/",
            "https://0x7f.1/",
            "https://0x7f000001/",
            "https://2130706433/",
            "https://017700000001/",
            "https://127.0.0.1./",
            "https://127.0.0.1:8443/",
            "https://\u{ff11}\u{ff12}\u{ff17}.0.0.1/",
            "https://127\u{3002}0\u{3002}0\u{3002}1/",
            "https://%31%32%37.0.0.1/",
            "https:127.0.0.1",
            "https:\\\\127.0.0.1\\",
            "https:///127.0.0.1",
            "https://0/",
            "https://[::1]/",
            "https://[0:0:0:0:0:0:0:1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://[::ffff:7f00:1]/",
            "https://[::127.0.0.1]/",
            "https://[64:ff9b::127.0.0.1]/",
            "https://[2002:7f00:1::]/",
            "https://[::]/",
            "https://169.254.169.254/latest/meta-data/",
            "https://[fd00:ec2::254]/",
        ] {
            assert!(matches!(refused(text), EgressError::NotPublic { .. }), "{text}: {:?}", refused(text));
        }
    }

    #[test]
    fn only_https_without_credentials_on_ports_of_web_servers_is_a_target() {
        for (text, why) in [
            ("http://oak.example.com/", EgressError::NotHttps),
            ("https://me@oak.example.com/", EgressError::Credentials),
            ("https://me:secret@oak.example.com/", EgressError::Credentials),
            ("https://oak.example.com@127.0.0.1/", EgressError::Credentials),
            ("https://oak.example.com:22/", EgressError::PortNotAllowed { port: 22 }),
            ("https://oak.example.com:25/", EgressError::PortNotAllowed { port: 25 }),
            ("https://oak.example.com:0/", EgressError::PortNotAllowed { port: 0 }),
            ("https://oak.example.com:6667/", EgressError::PortNotAllowed { port: 6667 }),
        ] {
            assert_eq!(refused(text), why, "{text}");
        }
        for text in
            ["", "oak", "ftp://oak.example.com", "file:///etc/passwd", "javascript:alert(1)", "https://", "https://./"]
        {
            assert!(matches!(refused(text), EgressError::InvalidUrl { .. }), "{text}: {:?}", refused(text));
        }
        for text in [
            "https://oak.example.com",
            "https://oak.example.com:8443/a?b",
            "https://oak.example.com.",
            "https://93.184.215.14/",
        ] {
            assert!(Target::parse(text, &EgressPolicy::default()).is_ok(), "{text}");
        }
    }

    #[test]
    fn plain_http_and_private_networks_are_opened_by_the_operator_alone() {
        let policy = EgressPolicy { allowed_networks: vec!["127.0.0.0/8".parse().unwrap()], allow_http: true };
        for text in ["http://127.0.0.1:3000/", "http://oak.example.com/", "https://[::ffff:127.0.0.1]/"] {
            assert!(Target::parse(text, &policy).is_ok(), "{text}");
        }
        assert!(Target::parse("http://10.0.0.1/", &policy).is_err());
    }

    #[test]
    fn the_fragment_is_not_sent() {
        let target = Target::parse("https://oak.example.com/a#secret", &EgressPolicy::default()).unwrap();
        assert_eq!((target.url().as_str(), target.host()), ("https://oak.example.com/a", "oak.example.com"));
    }
}
