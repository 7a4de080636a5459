//! Where events go: webhooks, mailboxes, connectors and browsers; and the notices that follow from an account's choices.

pub(crate) mod destination;
pub(crate) mod kind;
pub(crate) mod mailbox;
pub(crate) mod notice;
pub(crate) mod push_device;

use crate::Store;

/// Where events go: webhooks, mailboxes, connectors and browsers; and the notices that follow from an account's choices.
#[derive(Clone, Copy)]
pub struct Destinations<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn destinations(&self) -> Destinations<'_> {
        Destinations { store: self }
    }
}
