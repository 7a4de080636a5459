//! For tests of every crate: data that lies beside the repository, and a record of each test that had to be
//! skipped, so that nothing passes silently.
//!
//! ```no_run
//! // A test that needs research data asks for it, and ends when it is not there.
//! if let Some(file) = shingle_testing::shared("data/README.md") {
//!     assert!(file.is_file());
//! }
//! ```

pub mod bucket;
pub mod imagery;
pub mod pebble;
pub mod release;
pub mod smtp;
pub mod survey;

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Names the file that collects skipped tests. `cargo xtask test` sets it and counts the lines.
pub const SKIPPED_FILE: &str = "SHINGLE_SKIPPED_FILE";

/// A file or folder of the research data beside the repository. `None` skips the test that asked.
#[track_caller]
#[allow(clippy::disallowed_methods, reason = "the place of the data is a setting of the test run")]
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let found = std::env::var("SHINGLE_SHARED").map_or_else(|_| beside(), PathBuf::from).join(path);
    if found.exists() {
        return Some(found);
    }
    skip(&format!("{path} is not in ../shared; set SHINGLE_SHARED to the folder that holds it"));
    None
}

/// Says that the calling test is skipped, and why.
#[track_caller]
#[allow(clippy::disallowed_methods, reason = "the place of the list is a setting of the test run")]
pub fn skip(why: &str) {
    // The test harness names the thread after the test.
    let test = std::thread::current().name().filter(|name| *name != "main").map(str::to_owned);
    let test = test.unwrap_or_else(|| std::panic::Location::caller().to_string());
    println!("skipped: {test}: {why}");
    let Ok(list) = std::env::var(SKIPPED_FILE) else { return };
    // One write a line: tests of several processes append to the same file.
    let line = format!("{test}: {why}\n");
    let written =
        OpenOptions::new().create(true).append(true).open(&list).and_then(|mut f| f.write_all(line.as_bytes()));
    assert!(written.is_ok(), "cannot record a skipped test in {list}: {written:?}");
}
