//! `/w/{id}/…`: the routes that a visitor's browser calls, from pages that may use the widget.
//!
//! # Decision
//!
//! Public widget routes accept JSON whatever the content type: browsers send `text/plain`, which needs no CORS
//! preflight, one round trip less per step.

pub mod leads;
pub mod own_lead;
pub mod page_origin;
pub mod roof;
pub mod session;
pub mod step;
pub mod widget_request;
