//! The portal on a phone: installing it, notifications.

pub(crate) mod installed;
pub(crate) mod phone;
