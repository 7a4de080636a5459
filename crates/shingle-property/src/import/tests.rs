//! Whole imports of small files that the tests write, and of the town files where they are at hand.

mod dirt;
mod files;
mod formats;
mod layers;
mod mappings;
mod occupancy;
mod recovery;
mod towns;
mod truth;
