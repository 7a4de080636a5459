//! The first steps of a new account.

pub(crate) mod pages;
pub(crate) mod site;
pub(crate) mod test_lead;
