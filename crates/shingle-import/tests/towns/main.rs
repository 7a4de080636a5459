//! Whole towns, imported and asked for. The real ones lie beside the repository, or where `SHINGLE_SHARED` says.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod handed;
mod homes;
mod round_trip;
mod slips;
mod tangled;
mod typed;
mod ways;
