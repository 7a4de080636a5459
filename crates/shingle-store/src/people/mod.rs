//! Users of the portal: how they join and sign in.

pub(crate) mod company;
pub(crate) mod email_change;
pub(crate) mod impersonation;
pub(crate) mod invite;
pub(crate) mod passkey;
pub(crate) mod passkey_ceremony;
pub(crate) mod person;
pub(crate) mod recovery_code;
pub(crate) mod session;
pub(crate) mod sign_in;
pub(crate) mod token;
pub(crate) mod user;

use crate::Store;

/// Users of the portal: how they join and sign in.
#[derive(Clone, Copy)]
pub struct People<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn people(&self) -> People<'_> {
        People { store: self }
    }
}
