//! A first mapping for files that nobody has described: columns are told by their headings and by what is in their cells.

mod facts;
mod geometry;
mod headings;
mod owner_mail;
mod profile;
mod projection_guess;
pub(crate) mod proposal;
mod readings;
mod roles;
mod sample;
mod use_codes;
mod writing;
