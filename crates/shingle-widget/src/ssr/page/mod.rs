//! The hosted page and the steps behind it, for browsers without our runtime: the same flow, a page a step.
//! What a step needs to know of the ones before it travels in its address and its form.

mod address;
mod contact;
mod estimate;
mod field;
mod frame;
mod language;
mod plan;
mod roof;
mod step;
mod thanks;
mod trouble;

pub use crate::words::Language;
pub use address::{Parts, address_page, first_step, not_found_page, parts_page};
pub use contact::{Contact, Details, Place, contact_page};
pub use estimate::{Estimate, estimate_page};
pub use frame::{Head, page};
pub(super) use frame::{document, favicon, meta};
pub use language::PageWords;
pub use roof::roof_page;
pub use step::{Passed, Step};
pub use thanks::{Thanks, paused_step, thanks_page};
pub use trouble::{Trouble, trouble_page};
