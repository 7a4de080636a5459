//! The `shingle` program, for tests that kill it.

use std::process::ExitCode;

fn main() -> ExitCode {
    shingle::cli::run()
}
