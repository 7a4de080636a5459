//! Real data beside the repository.

use std::path::PathBuf;

pub fn shared(file: &str) -> Option<PathBuf> {
    shingle_testing::shared(&format!("data/{file}"))
}
