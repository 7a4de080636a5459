//! Values of settings that have a form of their own.
//!
//! # Decision
//!
//! Only the configured base URL counts as our own page. A `Host` header is the client's claim, except for names of
//! this machine, which an operator opens during setup. A base URL has no path: pages link to the root.

use std::net::IpAddr;

use ipnet::IpNet;
use serde::{Deserialize, Deserializer};

/// A list, or one text with commas, as environment variables have it.
fn list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TextOrList {
        Text(String),
        List(Vec<String>),
    }
    Ok(match TextOrList::deserialize(from)? {
        TextOrList::Text(text) => text.split(',').map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect(),
        TextOrList::List(list) => list,
    })
}

/// A plain address is a network of one.
pub fn networks<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<IpNet>, D::Error> {
    list(from)?
        .iter()
        .map(|part| {
            part.parse::<IpNet>()
                .or_else(|_| part.parse::<IpAddr>().map(IpNet::from))
                .map_err(|_| serde::de::Error::custom(format!("`{part}` is not a network; write it like 10.0.0.0/8")))
        })
        .collect()
}

/// A selector may be a number, and a variable with a number is not a text.
pub fn text_or_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum TextOrNumber {
        Text(String),
        Number(u64),
    }
    let read = Option::<TextOrNumber>::deserialize(from)?;
    Ok(read.map(|read| match read {
        TextOrNumber::Text(text) => text,
        TextOrNumber::Number(number) => number.to_string(),
    }))
}

/// Names that a certificate can be for without DNS records of its own: no addresses, no `*`.
pub fn domains<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let is_domain = |name: &str| {
        let is_label = |label: &str| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        name.len() <= 253 && name.split('.').all(is_label) && name.parse::<IpAddr>().is_err()
    };
    let wrong =
        |name: &str| serde::de::Error::custom(format!("`{name}` is not a domain; write it like roofs.example.com"));
    let names = list(from)?;
    names
        .into_iter()
        .map(|name| if is_domain(&name) { Ok(name.to_ascii_lowercase()) } else { Err(wrong(&name)) })
        .collect()
}
