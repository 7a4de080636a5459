//! Whole imports of small files that the tests write, and of the town files where they are at hand.

mod broken_quotes;
mod dbase_text;
mod dirt;
mod doubtful_rows;
mod draft;
mod draft_columns;
mod examples;
mod files;
mod formats;
mod formulas;
mod handmade_tables;
mod json_files;
mod layers;
mod manual;
mod mappings;
mod national;
mod occupancy;
mod operator;
mod own_rows;
mod parquet_files;
pub(crate) mod places;
mod recovery;
mod shared_ids;
mod spoilt;
mod surveyed;
mod towns;
mod truth;
