//! What visitors' browsers ask for: launchers, the hosted page, the flow with and without scripts, estimates, photographs, links of mails.

pub(crate) mod calendar_feed;
pub(crate) mod check;
pub(crate) mod config;
pub(crate) mod estimate_mail;
pub(crate) mod estimate_page;
pub(crate) mod estimate_pdf;
pub(crate) mod hosted;
pub(crate) mod inbound_mail;
pub(crate) mod inspection_page;
pub(crate) mod inspection_words;
mod linked_lead;
pub(crate) mod mail_link_words;
pub(crate) mod mail_links;
pub(crate) mod no_script;
pub(crate) mod photos;
pub(crate) mod pick_page;
pub(crate) mod preview;
pub(crate) mod preview_image;
pub(crate) mod privacy;
pub(crate) mod public;
pub(crate) mod qr_code;
pub(crate) mod quote_page;
pub(crate) mod redirect;
pub(crate) mod runtime;
pub(crate) mod storage;
pub(crate) mod widget_assets;
