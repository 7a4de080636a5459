//! `/w/{id}/…` for browsers without scripts: one page for each step, plain forms, no cookie. The URL of a step holds
//! everything that its page depends on. What is posted redirects to another URL.

mod contact;
mod estimate;
mod lead_source;
mod measure;
mod no_script_request;
mod page_response;
mod visit;

pub(crate) use contact::{send as send_contact, show as contact};
pub(crate) use estimate::{choose as choose_in_estimate, show as estimate, thanks};
pub(crate) use lead_source::lead_source;
pub(crate) use measure::show as measure;
pub(crate) use visit::{MAX_FORM_BYTES as MAX_VISIT_BYTES, send as send_visit, show as visit};
