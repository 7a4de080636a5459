//! Limits that hold for all nodes together.

use std::collections::BTreeMap;
use std::hash::Hash;

use shingle_domain::{AccountId, KeyId, LinkId, Tenant, UserId};

use crate::web::limiter::Limiter;

/// A key of a limit, as nodes write it to each other.
pub trait SharedKey: Sized {
    fn to_text(&self) -> String;
    fn of_text(text: &str) -> Option<Self>;
}

impl SharedKey for String {
    fn to_text(&self) -> String {
        self.clone()
    }

    fn of_text(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl SharedKey for KeyId {
    fn to_text(&self) -> String {
        self.0.clone()
    }

    fn of_text(text: &str) -> Option<Self> {
        Some(Self(text.to_owned()))
    }
}

macro_rules! shared_ids {
    ($($id:ty),*) => {$(
        impl SharedKey for $id {
            fn to_text(&self) -> String {
                self.to_string()
            }

            fn of_text(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}

shared_ids!(AccountId, LinkId, UserId);

impl SharedKey for Tenant {
    fn to_text(&self) -> String {
        format!("{} {}", self.account, self.environment.as_str())
    }

    fn of_text(text: &str) -> Option<Self> {
        let (account, environment) = text.split_once(' ')?;
        Some(Self { account: account.parse().ok()?, environment: environment.parse().ok()? })
    }
}

/// A network, as `tokens::network_prefix` gives it.
impl SharedKey for [u8; 7] {
    fn to_text(&self) -> String {
        shingle_app::tokens::hex(self)
    }

    fn of_text(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        let mut bytes = [0; 7];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        (digits.len() == 14).then_some(bytes)
    }
}

impl SharedKey for (String, [u8; 7]) {
    fn to_text(&self) -> String {
        format!("{} {}", self.1.to_text(), self.0)
    }

    fn of_text(text: &str) -> Option<Self> {
        let (network, name) = text.split_once(' ')?;
        Some((name.to_owned(), SharedKey::of_text(network)?))
    }
}

/// A limit, whatever it is of.
pub trait SharedLimit: Sync {
    fn take_used(&self) -> BTreeMap<String, u32>;
    fn count_others(&self, key: &str, count: u32);
}

impl<K: SharedKey + Hash + Eq + Clone + Send + Sync> SharedLimit for Limiter<K> {
    fn take_used(&self) -> BTreeMap<String, u32> {
        Self::take_used(self).into_iter().map(|(key, count)| (key.to_text(), count)).collect()
    }

    fn count_others(&self, key: &str, count: u32) {
        // A node of another version may write what this one does not know.
        if let Some(key) = K::of_text(key) {
            Self::count_others(self, &key, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_read_back() {
        fn is_same<K: SharedKey + PartialEq + std::fmt::Debug>(key: K) {
            assert_eq!(K::of_text(&key.to_text()), Some(key));
        }
        let id = "0193b5a0-0000-7000-8000-000000000001";
        is_same([4, 203, 0, 113, 0, 0, 255]);
        is_same(("maya lindqvist@oak.example.com".to_owned(), [6, 1, 2, 3, 4, 5, 6]));
        is_same(KeyId("k".to_owned()));
        is_same(id.parse::<AccountId>().unwrap());
        is_same(id.parse::<LinkId>().unwrap());
        for environment in [shingle_domain::Environment::Production, shingle_domain::Environment::Sandbox] {
            is_same(Tenant { account: id.parse().unwrap(), environment });
        }
        for wrong in ["", "04", "zz000000000000", "0400000000000000"] {
            assert_eq!(<[u8; 7]>::of_text(wrong), None, "{wrong}");
        }
    }
}
