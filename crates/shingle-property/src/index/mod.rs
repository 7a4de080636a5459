//! The property index: what is known of addresses, in immutable SQLite files, one per data set and state,
//! listed by a manifest that is replaced in one step.

mod attached;
mod block;
mod builder;
mod building_plan;
mod comparable;
mod connections;
pub(crate) mod directory;
mod exchange;
mod files;
mod fingerprint;
mod found_homes;
pub(crate) mod home;
mod key;
mod key_directory;
mod key_list;
pub(crate) mod manifest;
mod map_cell;
pub(crate) mod matching;
mod merge;
mod numbered_rows;
pub(crate) mod one_place;
mod packed;
mod parcel;
pub(crate) mod reader;
pub(crate) mod readers;
pub(crate) mod record;
mod relations;
pub(crate) mod shard;
mod sort_key;
mod stored_facts;
mod street_directory;
mod street_lines;
pub(crate) mod street_names;
pub(crate) mod street_row;
mod street_writer;
mod streets;
mod summary;
pub(crate) mod surroundings;
mod tables;
pub(crate) mod title;
pub(crate) mod title_list;
pub(crate) mod towns;
mod undo;
mod writing;

#[cfg(test)]
mod damage_tests;
#[cfg(test)]
#[expect(dead_code, reason = "shared with the bench of a nation, which uses all of it")]
#[path = "../../examples/nation_bench/homes.rs"]
mod homes;
#[cfg(test)]
mod round_trip_tests;
#[cfg(test)]
mod size_tests;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod truth_tests;

pub use builder::IndexBuilder;
pub use exchange::{OfferedIndex, TakenIndex, offer_index, take_index};
pub use files::{IndexFiles, open_files};
pub use fingerprint::{fingerprint, generation, places};
pub use key::{NotAPlaceKey, PlaceKey};
pub use summary::{DatasetStatus, Imported, IndexStatus, IndexSummary, StateSummary, Town, TownsOfState};
pub use undo::{DatasetVersions, dataset_versions, remove_dataset, undo_import};
