//! Settings of a person and of the company, API keys, the export, the end of an account.

pub(crate) mod closing;
pub(crate) mod export;
pub(crate) mod keys;
pub(crate) mod page;
pub(crate) mod profile;
pub(crate) mod running_exports;
