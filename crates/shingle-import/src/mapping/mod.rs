//! The mapping file: which column of a source is which field of ours.

pub(crate) mod as_of;
pub(crate) mod case;
pub(crate) mod codes;
pub(crate) mod field;
pub(crate) mod file;
pub(crate) mod file_patterns;
pub(crate) mod formula;
pub(crate) mod layers;
pub(crate) mod misspelt;
pub(crate) mod parser_words;
pub(crate) mod permit;
pub(crate) mod raw_formula;
pub(crate) mod roles;
pub(crate) mod row_filter;
pub(crate) mod table;
pub(crate) mod unit;
pub(crate) mod zip;
