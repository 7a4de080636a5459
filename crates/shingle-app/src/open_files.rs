//! How many files and connections the system lets us have open.

/// Below this an attack with silent connections is cheap.
pub const FEW: u64 = 4_096;

/// Raises the limit as far as the system allows, and says where it is.
pub fn raise_limit() -> u64 {
    // What is asked for is cut down to what is allowed.
    match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => {
            if limit < FEW {
                tracing::warn!(limit, "few open files are allowed; raise the hard limit (ulimit -Hn, LimitNOFILE)");
            }
            limit
        }
        Err(error) => {
            tracing::warn!(%error, "the limit of open files cannot be raised");
            FEW
        }
    }
}
