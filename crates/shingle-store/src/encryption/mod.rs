//! Personal data at rest, and the keys: of the installation, of each account, and of keyed hashes.

pub(crate) mod account_keys;
pub(crate) mod cipher;
pub(crate) mod data_key;
pub(crate) mod installation_keys;
pub(crate) mod keyed_hash;
pub(crate) mod packing;
pub(crate) mod reencryption;
pub(crate) mod rotation;
pub(crate) mod secret;

use crate::Store;

/// Personal data at rest, and the keys: of the installation, of each account, and of keyed hashes.
#[derive(Clone, Copy)]
pub struct Encryption<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn encryption(&self) -> Encryption<'_> {
        Encryption { store: self }
    }
}
