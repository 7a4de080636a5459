//! The tables that the program carries, as its build script packed them.

/// A file of `assets`, packed.
macro_rules! packed_table {
    ($file:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".csv.br"))
    };
}
pub(crate) use packed_table;
