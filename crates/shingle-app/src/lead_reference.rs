//! What people call a lead.

pub use shingle_store::reference;
