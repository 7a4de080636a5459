//! Accounts, their API keys and terms, and their end.

pub(crate) mod account;
pub(crate) mod api_request;
pub(crate) mod calendar_link;
pub(crate) mod closing;
pub(crate) mod company;
pub(crate) mod key;
pub(crate) mod key_terms;
pub(crate) mod overview;
pub(crate) mod own_domain;
pub(crate) mod reply_template;
pub(crate) mod retention;
pub(crate) mod sender;

use crate::Store;

/// Accounts, their API keys and terms, and their end.
#[derive(Clone, Copy)]
pub struct Accounts<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn accounts(&self) -> Accounts<'_> {
        Accounts { store: self }
    }
}
