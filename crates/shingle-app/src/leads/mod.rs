//! Leads: from what a browser sends to what is stored, and what the homeowner sees of it.

pub mod by_hand;
pub mod estimate_copy;
pub mod home;
pub mod inspection_request;
pub mod intake;
pub mod privacy;
pub mod receipt;
pub mod suspicion;
pub mod test_lead;
pub mod widget_request;
