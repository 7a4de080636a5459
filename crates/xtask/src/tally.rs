//! Counting what test runners report.

use std::fmt;
use std::ops::AddAssign;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: u32,
    pub failed: u32,
    pub skipped: u32,
}

impl Tally {
    /// A step that is right or wrong as a whole.
    pub fn step(right: bool) -> Self {
        Self { passed: u32::from(right), failed: u32::from(!right), skipped: 0 }
    }

    /// What a runner's output says. A runner that failed without a failed test (it did not build, it
    /// crashed), or that found no test at all, is one failure.
    pub fn of(runner: Runner, succeeded: bool, output: &str) -> Self {
        let mut all = Self::default();
        for line in output.lines() {
            match runner {
                Runner::Cargo => all += cargo(line).unwrap_or_default(),
                Runner::Node => all += node(line).unwrap_or_default(),
            }
        }
        if all.failed == 0 && (!succeeded || all.passed + all.skipped == 0) {
            all.failed = 1;
        }
        all
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Runner {
    /// `cargo test`, and wasm-bindgen's runner that writes the same line.
    Cargo,
    /// `node --test`, with its spec or tap reporter.
    Node,
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; …`
fn cargo(line: &str) -> Option<Tally> {
    let counts = line.trim().strip_prefix("test result: ")?.split_once(". ")?.1;
    let count = |what: &str| {
        counts.split(';').filter_map(|part| part.trim().split_once(' ')).find(|(_, word)| *word == what)?.0.parse().ok()
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")?, skipped: count("ignored").unwrap_or(0) })
}

/// `ℹ pass 3` or `# pass 3`, one count a line; a cancelled test did not pass.
fn node(line: &str) -> Option<Tally> {
    let mut words = line.split_whitespace();
    let (Some("ℹ" | "#"), Some(what), Some(count), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return None;
    };
    let count = count.parse().ok()?;
    match what {
        "pass" => Some(Tally { passed: count, ..Tally::default() }),
        "fail" | "cancelled" => Some(Tally { failed: count, ..Tally::default() }),
        "skipped" | "todo" => Some(Tally { skipped: count, ..Tally::default() }),
        _ => None,
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 {
            write!(f, ", {} skipped", self.skipped)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_binary_of_a_cargo_run_counts() {
        let output = "running 2 tests\n\
            test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\
            test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s\n";
        assert_eq!(Tally::of(Runner::Cargo, false, output), Tally { passed: 5, failed: 1, skipped: 1 });
    }

    #[test]
    fn a_run_that_did_not_get_to_its_tests_is_a_failure() {
        assert_eq!(Tally::of(Runner::Cargo, false, "error: could not compile").failed, 1);
        let crashed = "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(Tally::of(Runner::Cargo, false, crashed), Tally { passed: 2, failed: 1, skipped: 0 });
        assert_eq!(Tally::of(Runner::Cargo, true, "").failed, 1);
        assert_eq!(Tally::of(Runner::Node, true, "ℹ tests 0\nℹ pass 0\nℹ fail 0\n").failed, 1);
    }

    #[test]
    fn both_of_nodes_reporters_are_read_and_a_cancelled_test_failed() {
        let spec =
            "ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 0\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 12.5\n";
        assert_eq!(Tally::of(Runner::Node, false, spec), Tally { passed: 3, failed: 1, skipped: 1 });
        assert_eq!(Tally::of(Runner::Node, true, &spec.replace('ℹ', "#")).passed, 3);
    }

    #[test]
    fn the_closing_line_has_the_agreed_form() {
        assert_eq!(Tally { passed: 12, failed: 0, skipped: 0 }.to_string(), "12 passed, 0 failed");
        assert_eq!(Tally { passed: 12, failed: 1, skipped: 2 }.to_string(), "12 passed, 1 failed, 2 skipped");
    }
}
