//! The hosted page and the steps after it, for browsers without our runtime: the same flow, one page for each
//! step. What a step needs to know of earlier ones travels in its address and its form.

mod address;
mod choose;
mod contact;
mod error;
mod estimate;
mod facet_list;
mod field;
mod frame;
mod hatches;
mod page_words;
mod plan;
mod privacy;
mod roof;
mod sheet;
mod step;
mod thanks;
mod visit;

pub use address::{TypedAddress, address_page, first_step, not_found_page, parts_page};
pub use choose::{choose_page, not_mine_page};
pub use contact::{Contact, ContactSubject, TypedContact, contact_page};
pub use error::{PageError, error_page};
pub use estimate::{ANSWERED, Estimate, estimate_page};
pub(super) use frame::favicon;
pub use frame::{Head, document, meta, page};
pub use page_words::PageWords;
pub use privacy::{PrivacyFacts, privacy_page};
pub use roof::roof_page;
pub use sheet::{Sheet, ended_page, sheet_page};
pub use step::{Passed, Step};
pub use thanks::{Thanks, paused_step, thanks_page};
pub use visit::visit_page;
