//! The estimate on one page; a quote and the monthly report on as many as they need: Letter, but whole on A4 too; tagged for
//! screen readers (PDF/UA-1).
//!
//! # Decision
//!
//! The PDF is laid out by hand on one Letter page and checked as PDF/UA-1 while it is written; characters the font
//! lacks are left out. Turned down: a layout engine.

mod estimate;
mod quote;
mod report;
mod sheet;

pub use estimate::{EstimatePage, page};
pub use quote::{QuotePages, QuoteSection, pages};
pub use report::{ReportPages, ReportPart, report_pages};
