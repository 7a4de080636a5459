//! What notices say. Nothing here sends anything: a notice is made from a lead, its drawing and its widget, and is handed
//! back as a [`shingle_domain::mail::MailContent`]. No clock, no file: the same notice has the same bytes.
//!
//! | notice | to |
//! |---|---|
//! | [`LeadNotice`] | the contractor: a lead has come in, or waits |
//! | [`ProblemNotice`] | the contractor: something was switched off, or mail to a homeowner came back |
//! | [`AnswerNotice`] | the contractor: the homeowner has answered an email |
//! | [`Digest`] | the contractor: yesterday |
//! | [`HomeownerCopy`] | the homeowner: the estimate, with a page to keep |
//! | [`InspectionNotice`] | both: an inspection is booked, moved, canceled, or tomorrow |
//! | [`QuoteMail`] | the homeowner: a quote, or what was accepted, with the PDF |
//! | [`QuoteAnswered`] | the contractor: a quote is accepted or declined |

mod answer;
mod calendar;
mod clean;
mod compose;
mod digest;
mod drawing;
mod error;
mod facts;
mod homeowner;
mod html;
mod inspection;
mod lead_notice;
mod letter;
mod moment;
mod pdf;
mod picture;
mod plain;
mod problem;
mod quote;
#[cfg(test)]
mod reading;
mod report;
#[cfg(test)]
mod sample;
mod skin;
mod step;
mod timing;
mod wordmark;
mod words;

pub use answer::AnswerNotice;
pub use calendar::{CalendarEntry, calendar_file};
pub use digest::{Digest, DigestCounts, DigestLead, Touch};
pub use drawing::figure::PhotoUnder;
pub use drawing::png::Painted;
pub use error::NoticeError;
pub use homeowner::HomeownerCopy;
pub use inspection::{InspectionNews, InspectionNotice, InspectionReader, feed_name, is_eve, reminder_at};
pub use lead_notice::{LeadNotice, NoticeKind};
pub use picture::{image_of as drawing_image, image_on_dark as drawing_image_on_dark, size_of as drawing_size};
pub use problem::{Destination, Problem, ProblemNotice, Remedy};
pub use quote::{QuoteAnswered, QuoteMail, QuotePaper, QuoteParts, quote_parts};
pub use report::{MonthlyReport, ReportMail, ReportSection, ReportSums};
pub use shingle_domain::Language;
pub use step::StepNotice;
pub use timing::{DigestDay, Month, NoticeTiming, is_time_zone, local_day, zone_of};
pub use wordmark::{shows_name, wordmark};
pub use words::{Words, words};
