//! What notices say. Nothing here sends anything: a notice is made from a lead, its drawing and its widget, and is handed
//! back as a [`shingle_domain::mail::MailContent`]. No clock, no file: the same notice has the same bytes.
//!
//! | notice | to |
//! |---|---|
//! | [`LeadNotice`] | the contractor: a lead has come in, or waits |
//! | [`ProblemNotice`] | the contractor: something was switched off, or mail to a homeowner came back |
//! | [`Digest`] | the contractor: yesterday |

#![allow(dead_code, reason = "the homeowner's copy, which comes next, uses the rest")]

mod clean;
mod compose;
mod digest;
mod drawing;
mod error;
mod facts;
mod html;
mod lead_notice;
mod letter;
mod moment;
mod picture;
mod plain;
mod problem;
#[cfg(test)]
mod reading;
#[cfg(test)]
mod sample;
mod skin;
mod words;

pub use digest::{Digest, DigestCounts, DigestLead, Touch};
pub use error::NoticeError;
pub use lead_notice::{LeadNotice, NoticeKind};
pub use problem::{Destination, Problem, ProblemNotice, Remedy};
pub use shingle_widget::words::Language;
