//! Real data beside the repository, where it is at hand.

use std::path::{Path, PathBuf};

#[allow(clippy::disallowed_methods, reason = "tests look for the town files where the environment says")]
pub fn shared(file: &str) -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = std::env::var("SHINGLE_SHARED").map_or_else(|_| repository.join("../shared"), PathBuf::from);
    let path = folder.join("data").join(file);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: no {file} in ../shared/data; set SHINGLE_SHARED to the folder that holds it");
    None
}
