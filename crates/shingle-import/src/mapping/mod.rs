//! The mapping file: which column of a source is which field of ours.
//!
//! # Decisions
//!
//! - Mappings of the national data sets are in the program (`Mapping::ready`); `--dataset` names the county. Turned
//!   down: a folder beside the binary, which an operator must find first.
//! - A source has a `title` for people, which the flow shows with its year; its name is for files and the API. Turned
//!   down: a name guessed from the license.

pub(crate) mod as_of;
pub(crate) mod case;
pub(crate) mod codes;
pub(crate) mod field;
pub(crate) mod file;
pub(crate) mod file_patterns;
pub(crate) mod formula;
pub(crate) mod layers;
pub(crate) mod mapping_problem;
pub(crate) mod misspelt;
pub(crate) mod parser_words;
pub(crate) mod permit;
pub(crate) mod raw_formula;
pub(crate) mod roles;
pub(crate) mod row_filter;
pub(crate) mod table;
pub(crate) mod unit;
pub(crate) mod zip;
