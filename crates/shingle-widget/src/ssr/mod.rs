//! What the server sends: the loader with the launcher in it, the hosted page, the pages for browsers without
//! scripts. Markup is built as a tree of nodes, so a text can never become markup. The loader gets the same
//! tree as JSON and builds it node by node: a page with Trusted Types lets nobody parse HTML.

mod api_docs;
mod check;
mod hosted;
mod inspection;
mod launcher;
mod loader;
mod mail_link;
mod manifest;
mod minify;
mod node;
pub mod page;
pub mod part;
mod public;
mod quote;
mod record_page;

pub use api_docs::{ApiDocs, ApiEntry, ApiField, ApiGroup, ApiPart, api_docs_css, api_docs_page};
pub use check::{CheckOutcome, check_css, check_page};
pub use hosted::{PREVIEW, hosted_page, hosted_script, paused_page, theme_css};
pub use inspection::{InspectionChoice, InspectionForm, InspectionPage, inspection_page};
pub use launcher::{launcher, launcher_css};
pub use loader::{config_json, inactive_script, loader_script, unbuilt_script};
pub use mail_link::{CONFIRMATION, MailLinkPage, mail_link_page};
pub use manifest::{RuntimeFile, RuntimeManifest, Scripts};
pub use minify::minify_css;
pub use node::{Node, Page};
pub use page::{document, meta};
pub use public::public_widget;
pub use quote::{QuoteFormWords, QuoteForms, QuoteOffer, QuotePage, quote_page};
pub use record_page::{RecordPage, RecordSection, record_page};

#[cfg(test)]
mod tests;
