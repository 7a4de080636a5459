//! Who comes in, and how: codes, links, passkeys, recovery codes, invitations.

pub(crate) mod invite;
pub(crate) mod passkeys;
pub(crate) mod relying_party;
pub(crate) mod return_to;
pub(crate) mod session;
