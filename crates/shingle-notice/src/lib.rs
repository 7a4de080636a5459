//! What notices say. Nothing here sends anything: a notice is made from a lead, its drawing and its widget, and is handed
//! back as a [`shingle_domain::mail::MailContent`]. No clock, no file: the same notice has the same bytes.
//!
//! | notice | to |
//! |---|---|
//! | [`LeadNotice`] | the contractor: a lead has come in, or waits |

#![allow(dead_code, reason = "the homeowner's copy, which comes next, uses the rest")]

mod clean;
mod compose;
mod drawing;
mod error;
mod facts;
mod html;
mod lead_notice;
mod letter;
mod moment;
mod plain;
#[cfg(test)]
mod sample;
mod skin;
mod words;

pub use error::NoticeError;
pub use lead_notice::{DRAWING, LeadNotice, NoticeKind};
pub use shingle_widget::words::Language;
