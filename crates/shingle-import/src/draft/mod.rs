//! A first mapping for files that nobody has described: columns are recognized by their headings and by what is in
//! their cells.

mod address;
mod coded;
pub(crate) mod columns;
pub(crate) mod draft_problem;
mod facts;
mod geometry;
mod headings;
mod owner_mail;
mod pattern;
mod preamble;
pub(crate) mod preview;
mod profile;
mod projection_guess;
pub(crate) mod proposal;
mod readings;
mod roles;
pub(crate) mod sample;
mod use_codes;
mod writing;
