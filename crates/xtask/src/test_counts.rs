//! Counting what test runners report.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: u32,
    pub failed: u32,
    pub skipped: u32,
}

impl TestCounts {
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

    /// Moves tests that returned early from those that passed.
    pub fn skip(&mut self, tests: usize) {
        let tests = u32::try_from(tests).unwrap_or(u32::MAX).min(self.passed);
        self.passed -= tests;
        self.skipped += tests;
    }
}

/// The tests that did not run, each with its reason. Rust's tests write the list themselves: to their harness a test
/// that returns early has passed.
pub struct SkippedTests(PathBuf);

impl SkippedTests {
    /// Tells tests where the list is (`shingle-testing` writes to it).
    pub const VARIABLE: &str = "SHINGLE_SKIPPED_FILE";

    /// An empty list.
    pub fn in_file(file: PathBuf) -> Result<Self> {
        match fs::remove_file(&file) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error).context(file.display().to_string()),
            _ => Ok(Self(file)),
        }
    }

    pub fn file(&self) -> &Path {
        &self.0
    }

    pub fn add(&self, test: &str) -> Result<()> {
        let mut list = OpenOptions::new().create(true).append(true).open(&self.0)?;
        Ok(writeln!(list, "{test}")?)
    }

    /// Each test once, whatever it lacked.
    pub fn names(&self) -> Result<Vec<String>> {
        let text = match fs::read_to_string(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text?,
        };
        let mut seen = BTreeSet::new();
        let test = |line: &&str| seen.insert(line.split(": ").next().unwrap_or_default().to_owned());
        Ok(text.lines().filter(test).map(str::to_owned).collect())
    }
}

impl Runner {
    /// The skipped tests that the runner names itself.
    pub fn skipped(self, output: &str) -> Vec<String> {
        match self {
            Self::Cargo => Vec::new(),
            Self::Node => output.lines().filter_map(node_skip).collect(),
        }
    }
}

impl Runner {
    /// The failed tests, each once: both runners name them twice.
    pub fn failed(self, output: &str) -> BTreeSet<String> {
        let name = |line| match self {
            Self::Cargo => cargo_failure(line),
            Self::Node => node_failure(line),
        };
        output.lines().filter_map(name).collect()
    }
}

/// `test rooms::a_door ... FAILED`
fn cargo_failure(line: &str) -> Option<String> {
    let test = line.trim().strip_prefix("test ")?.strip_suffix("FAILED")?;
    Some(test.trim().trim_end_matches("...").trim().to_owned())
}

/// `✖ the journey (0.5ms)`
fn node_failure(line: &str) -> Option<String> {
    let (test, after) = line.trim().strip_prefix('✖')?.rsplit_once(" (")?;
    after.ends_with("ms)").then(|| test.trim().to_owned())
}

/// `﹣ the journey (0.5ms) # skipped: why`
fn node_skip(line: &str) -> Option<String> {
    let (test, why) = line.trim().strip_prefix('﹣')?.split_once(" # ")?;
    let test = test.rsplit_once(" (").map_or(test, |(name, _)| name).trim();
    Some(format!("{}: {}", test.replace(": ", ", "), why.trim_start_matches("skipped: ")))
}

#[derive(Debug, Clone, Copy)]
pub enum Runner {
    /// `cargo test`, and wasm-bindgen's runner that writes the same line.
    Cargo,
    /// `node --test`, with its spec or tap reporter.
    Node,
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; …`
fn cargo(line: &str) -> Option<TestCounts> {
    let counts = line.trim().strip_prefix("test result: ")?.split_once(". ")?.1;
    let count = |what: &str| {
        counts.split(';').filter_map(|part| part.trim().split_once(' ')).find(|(_, word)| *word == what)?.0.parse().ok()
    };
    Some(TestCounts { passed: count("passed")?, failed: count("failed")?, skipped: count("ignored").unwrap_or(0) })
}

/// `ℹ pass 3` or `# pass 3`, one count a line; a cancelled test did not pass.
fn node(line: &str) -> Option<TestCounts> {
    let mut words = line.split_whitespace();
    let (Some("ℹ" | "#"), Some(what), Some(count), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return None;
    };
    let count = count.parse().ok()?;
    match what {
        "pass" => Some(TestCounts { passed: count, ..TestCounts::default() }),
        "fail" | "cancelled" => Some(TestCounts { failed: count, ..TestCounts::default() }),
        "skipped" | "todo" => Some(TestCounts { skipped: count, ..TestCounts::default() }),
        _ => None,
    }
}

impl AddAssign for TestCounts {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for TestCounts {
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
        assert_eq!(TestCounts::of(Runner::Cargo, false, output), TestCounts { passed: 5, failed: 1, skipped: 1 });
    }

    #[test]
    fn a_run_that_did_not_get_to_its_tests_is_a_failure() {
        assert_eq!(TestCounts::of(Runner::Cargo, false, "error: could not compile").failed, 1);
        let crashed = "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n";
        assert_eq!(TestCounts::of(Runner::Cargo, false, crashed), TestCounts { passed: 2, failed: 1, skipped: 0 });
        assert_eq!(TestCounts::of(Runner::Cargo, true, "").failed, 1);
        assert_eq!(TestCounts::of(Runner::Node, true, "ℹ tests 0\nℹ pass 0\nℹ fail 0\n").failed, 1);
    }

    #[test]
    fn both_of_nodes_reporters_are_read_and_a_cancelled_test_failed() {
        let spec =
            "ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 0\nℹ cancelled 1\nℹ skipped 1\nℹ todo 0\nℹ duration_ms 12.5\n";
        assert_eq!(TestCounts::of(Runner::Node, false, spec), TestCounts { passed: 3, failed: 1, skipped: 1 });
        assert_eq!(TestCounts::of(Runner::Node, true, &spec.replace('ℹ', "#")).passed, 3);
    }

    #[test]
    fn a_skipped_test_is_counted_once_and_named() {
        let list = SkippedTests::in_file(std::env::temp_dir().join(format!("skipped-{}", std::process::id()))).unwrap();
        assert!(list.names().unwrap().is_empty());
        for line in ["import::towns: no data", "import::towns: no map", "store::opening::on_postgres: no initdb"] {
            list.add(line).unwrap();
        }
        assert_eq!(list.names().unwrap(), ["import::towns: no data", "store::opening::on_postgres: no initdb"]);
        let mut counts = TestCounts { passed: 5, failed: 0, skipped: 0 };
        counts.skip(2);
        assert_eq!(counts.to_string(), "3 passed, 0 failed, 2 skipped");
        fs::remove_file(list.file()).unwrap();
    }

    #[test]
    fn node_names_what_it_skips() {
        let output = "✔ one (3ms)\n  ﹣ the journey in Firefox (0.06ms) # skipped: SHINGLE_FIREFOX names no Firefox\n";
        assert_eq!(Runner::Node.skipped(output), ["the journey in Firefox: SHINGLE_FIREFOX names no Firefox"]);
        assert!(Runner::Cargo.skipped(output).is_empty());
    }

    #[test]
    fn what_failed_is_named_once() {
        let cargo = "test rooms::a_door ... FAILED\ntest rooms::a_window ... ok\nfailures:\n    rooms::a_door\n\
            test result: FAILED. 1 passed; 1 failed; 0 ignored\n";
        assert_eq!(Runner::Cargo.failed(cargo).into_iter().collect::<Vec<_>>(), ["rooms::a_door"]);
        let node = "✔ one (3ms)\n  ✖ the journey (with a map) (7.5ms)\nℹ fail 1\n\n✖ failing tests:\n\n\
            ✖ the journey (with a map) (7.5ms)\n";
        assert_eq!(Runner::Node.failed(node).into_iter().collect::<Vec<_>>(), ["the journey (with a map)"]);
    }

    #[test]
    fn the_closing_line_has_the_agreed_form() {
        assert_eq!(TestCounts { passed: 12, failed: 0, skipped: 0 }.to_string(), "12 passed, 0 failed");
        assert_eq!(TestCounts { passed: 12, failed: 1, skipped: 2 }.to_string(), "12 passed, 1 failed, 2 skipped");
    }
}
