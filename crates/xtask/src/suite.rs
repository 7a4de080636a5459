//! `cargo xtask test`: the whole suite in tiers. A failing tier does not stop the next one.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::ValueEnum;

use crate::bench::cost;
use crate::command::{Compiler, cargo, on_path, path_with, run as run_command, run_piped, say, tee};
use crate::test_counts::{Runner, SkippedTests, TestCounts};
use crate::workspace::Workspace;
use crate::{chaos, node, package, release, runtime, server, soak, tools, wordpress};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Tier {
    /// rustfmt and clippy over everything. With other tiers, clippy lints what they compile
    Style,
    /// Unit and integration tests, on SQLite and PostgreSQL
    Native,
    /// What must build for the browser, and its tests in headless Chromium
    Wasm,
    /// Instructions of requests, against budgets.json
    Cost,
    /// Journeys through the real binary in Chromium, Firefox and WebKit
    Browser,
    /// Hostile input, at random, for a short while
    Fuzz,
    /// A short run of `cargo xtask soak` on both databases at once, beside a short run of `cargo xtask chaos`
    Soak,
}

/// The module: what it is linked from, without `shingle-domain`, whose tests are not for the browser.
const IN_BROWSER: [&str; 2] = ["shingle-widget", "shingle-runtime"];
/// What proptest reads. A nightly run sets it to more.
const FUZZ_CASES: &str = "PROPTEST_CASES";
const DEFAULT_FUZZ_CASES: &str = "2000";
/// Long enough for each kind of fault; an hour of it runs nightly.
const SOAK: Duration = Duration::from_secs(40);
/// The same; it mostly waits.
const CHAOS: Duration = Duration::from_secs(120);
/// Each file of journeys has its own server, data and browser, and waits a fifth of the time: one more than there are cores.
const JOURNEYS_AT_ONCE: &str = "--test-concurrency=3";
/// No file of journeys takes a third of this; one that does waits for something that will not come.
const HANG: &str = "--test-timeout=900000";

/// One after the other, and side by side what leaves a core idle for a good part of its time.
const WAVES: [&[Tier]; 4] =
    [&[Tier::Style], &[Tier::Native, Tier::Wasm, Tier::Cost], &[Tier::Browser], &[Tier::Fuzz, Tier::Soak]];

pub fn run(workspace: &Workspace, only: &[Tier]) -> Result<ExitCode> {
    let chosen = |tier: &Tier| only.is_empty() || only.contains(tier);
    let tiers = Tier::value_variants().iter().filter(|tier| chosen(tier)).count();
    let compiler = if tiers > 1 && chosen(&Tier::Style) { Compiler::clippy()? } else { Compiler::Rustc };
    let mut all = TestCounts::default();
    let mut lines = Vec::new();
    let mut skipped = Vec::new();
    let mut failed = Vec::new();
    for wave in WAVES {
        let side_by_side = thread::scope(|scope| {
            let started: Vec<_> = wave
                .iter()
                .filter(|tier| chosen(tier))
                .map(|tier| scope.spawn(|| TierRun::whole(*tier, workspace, &compiler)))
                .collect();
            started
                .into_iter()
                .map(|run| run.join().unwrap_or_else(|_| Err(anyhow!("a tier panicked"))))
                .collect::<Vec<_>>()
        });
        for finished in side_by_side {
            let finished = finished?;
            lines.push(format!("{:<10}{}", finished.tier.name(), finished.counts));
            all += finished.counts;
            skipped.extend(finished.skipped.names()?);
            failed.extend(finished.failed.into_iter().map(|what| format!("{}: {what}", finished.tier.name())));
        }
    }
    println!("\n{}\n", lines.join("\n"));
    for test in skipped {
        println!("skipped: {test}");
    }
    for what in failed {
        println!("failed: {what}");
    }
    println!("{all}");
    Ok(if all.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Tier {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}

/// One tier at work.
struct TierRun<'w> {
    tier: Tier,
    workspace: &'w Workspace,
    skipped: SkippedTests,
    compiler: &'w Compiler,
    counts: TestCounts,
    /// What failed, by name.
    failed: Vec<String>,
}

const OTEL: &str = "shingle/otel";

impl<'w> TierRun<'w> {
    /// To its end. A failing tier does not stop the next one.
    fn whole(tier: Tier, workspace: &'w Workspace, compiler: &'w Compiler) -> Result<Self> {
        let name = tier.name();
        say(&format!("tier {name}"));
        let skipped = SkippedTests::in_file(workspace.target.join(format!("skipped-tests-{name}.txt")))?;
        let mut run = Self { tier, workspace, skipped, compiler, counts: TestCounts::default(), failed: Vec::new() };
        if let Err(error) = run.steps() {
            eprintln!("tier {name}: {error:#}");
            run.counts.failed += 1;
            run.failed.push(format!("{error:#}"));
        }
        Ok(run)
    }

    fn steps(&mut self) -> Result<()> {
        match self.tier {
            Tier::Style => self.style(),
            Tier::Native => self.native(),
            Tier::Wasm => self.wasm(),
            Tier::Cost => self.cost(),
            Tier::Browser => self.browser(),
            Tier::Fuzz => self.fuzz(),
            Tier::Soak => self.soak(),
        }
    }

    fn style(&mut self) -> Result<()> {
        self.step(self.cargo().args(["fmt", "--all", "--check"]));
        let kept_apart = ["--workspace", "--test", "fuzz", "--test", "soak", "--test", "chaos"];
        if self.lints_as_it_compiles() {
            let (mut counts, mut failed) = (TestCounts::default(), Vec::new());
            runtime::build_beside(self.compiler, self.workspace, || {
                // What the next tier runs. `--all-targets` would compile each example a second time, as a test.
                for targets in [["--workspace"].as_slice(), &kept_apart] {
                    let compiled = run_piped(self.cargo().args(["test", "--no-run"]).args(targets));
                    counts += TestCounts::step(compiled.is_ok());
                    if let Err(error) = compiled {
                        eprintln!("{error:#}");
                        failed.push(format!("{error:#}"));
                    }
                }
                Ok(())
            })?;
            self.counts += counts;
            self.failed.extend(failed);
            return Ok(());
        }
        runtime::build(self.workspace)?;
        self.step(self.cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]));
        // A plain `cargo test` leaves them out, and so do all targets.
        self.step(self.cargo().arg("clippy").args(kept_apart).args(["--", "-D", "warnings"]));
        // A feature that is off unless an operator asks for it. As one with the workspace: what it depends on is built once.
        let traced = ["clippy", "--workspace", "--features", OTEL, "--all-targets", "--", "-D", "warnings"];
        self.step(self.cargo().args(traced));
        Ok(())
    }

    fn native(&mut self) -> Result<()> {
        runtime::build(self.workspace)?;
        if let Err(error) = tools::debian(&["pebble"], &["pebble"], "the tests of certificates") {
            eprintln!("{error:#}");
            self.missing("pebble, an ACME server: the tests of certificates")?;
        }
        if let Err(error) = tools::debian(&["nginx", "caddy"], &["nginx", "caddy"], "the manual's recipes for proxies")
        {
            eprintln!("{error:#}");
            self.missing("nginx and Caddy: the manual's recipes for proxies")?;
        }
        let mut command = self.cargo();
        command.args(["test", "--workspace", "--no-fail-fast"]);
        match postgres() {
            Some(folder) => {
                command.env("PATH", path_with(&[&folder])?);
            }
            None => self.missing("PostgreSQL (initdb and pg_ctl): half of the store's tests")?,
        }
        self.tests(&mut command, Runner::Cargo)?;
        let mut traced = self.cargo();
        traced.args(["test", "--workspace", "--features", OTEL, "--test", "otel"]);
        self.tests(&mut traced, Runner::Cargo)?;
        self.packages()
    }

    /// The packages' life in a fresh Debian.
    fn packages(&mut self) -> Result<()> {
        let binary = server::build_by(self.compiler, self.workspace, false)?;
        if let Err(error) = release::walk::ready(self.workspace) {
            // It needs a mirror of Debian, and the right to make another root: not every CI has both.
            self.skipped.add(&format!("release::walk: {error:#}"))?;
            self.counts.skipped += 1;
            return Ok(());
        }
        let walked = release::walk::run(self.workspace, &binary);
        self.judge(&walked);
        Ok(())
    }

    fn wasm(&mut self) -> Result<()> {
        tools::wasm_target()?;
        let mut command = self.cargo();
        // One call for all: cargo gives dependencies the features of what it is asked for, and compiles them for each set.
        command.args(["test", "--target", tools::WASM]);
        command.args(IN_BROWSER.iter().flat_map(|package| ["--package", package]));
        command.args(["--no-default-features", "--features", "shingle-widget/csr,shingle-runtime/csr"]);
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", tools::wasm_test_runner(self.workspace)?);
        command.env("CHROMEDRIVER", chromium()?.driver);
        // In a browser, also where the tests could run in Node.js.
        command.env("WASM_BINDGEN_TEST_ONLY_WEB", "1").env("CHROMIUM_FLAGS", QUIET_CHROMIUM);
        self.tests(&mut command, Runner::Cargo)
    }

    fn cost(&mut self) -> Result<()> {
        runtime::build(self.workspace)?;
        let binary = server::build_by(self.compiler, self.workspace, false)?;
        for row in cost::requests(self.workspace, &binary)? {
            self.counts += TestCounts::step(row.fits());
            if !row.fits() {
                self.failed.push(row.to_string());
            }
        }
        Ok(())
    }

    fn browser(&mut self) -> Result<()> {
        let binary = server::build_by(self.compiler, self.workspace, false)?;
        let chromium = headless_shell()?;
        let node = node::ready(self.workspace, "the browser journeys")?.node;
        let folder = self.workspace.root.join("tests/browser");
        let mut journeys: Vec<PathBuf> = std::fs::read_dir(&folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.to_string_lossy().ends_with(".test.js"))
            .collect();
        journeys.sort();
        let mut command = Command::new(node);
        // A failed test leaves a server of its own behind, which must not keep the run from ending; nor may a file hang.
        command.args(["--test", "--test-reporter=spec", JOURNEYS_AT_ONCE, "--test-force-exit", HANG]);
        command.args(journeys).current_dir(&self.workspace.root);
        command.env("SHINGLE_BINARY", binary).env("SHINGLE_CHROMIUM", chromium);
        command.env("SHINGLE_BUCKET", server::build_bucket(self.compiler, self.workspace)?);
        command.env("SHINGLE_PACKAGE", package::scripts(self.workspace)?);
        match firefox() {
            Ok(firefox) => {
                command.env("SHINGLE_FIREFOX", firefox);
            }
            Err(error) => self.missing(&format!("Firefox ({error:#}): its journeys"))?,
        }
        match webkit() {
            Ok(driver) => {
                command.env("SHINGLE_WEBKIT", driver);
            }
            Err(error) => self.missing(&format!("WebKit ({error:#}): its journeys"))?,
        }
        match pdf_programs() {
            Ok(()) => {
                command.env("SHINGLE_PDF", "poppler");
            }
            Err(error) => self.missing(&format!("poppler ({error:#}): the sheet of paper"))?,
        }
        match word_press() {
            Ok(()) => {
                command.env("SHINGLE_WORDPRESS", wordpress::pack(self.workspace)?);
            }
            Err(error) => self.missing(&format!("WordPress ({error:#}): the plugin's journey"))?,
        }
        if let Err(error) = client_programs() {
            self.missing(&format!("PHP and Python ({error:#}): the clients in these languages"))?;
        }
        self.tests(&mut command, Runner::Node)
    }

    fn fuzz(&mut self) -> Result<()> {
        runtime::build(self.workspace)?;
        let mut command = self.cargo();
        command.args(["test", "--workspace", "--test", "fuzz"]);
        if std::env::var_os(FUZZ_CASES).is_none() {
            command.env(FUZZ_CASES, DEFAULT_FUZZ_CASES);
        }
        self.tests(&mut command, Runner::Cargo)
    }

    fn soak(&mut self) -> Result<()> {
        if postgres().is_none() {
            self.missing("PostgreSQL (initdb and pg_ctl): half of the long run, and chaos")?;
        }
        let faketime = chaos::faketime();
        if let Err(error) = &faketime {
            self.missing(&format!("libfaketime ({error:#}): steps of clocks in chaos"))?;
        }
        let mut soak = soak::command(self.compiler, self.workspace, length(soak::SECONDS, SOAK))?;
        let length = length(chaos::SECONDS, CHAOS);
        let mut chaos = chaos::command(self.compiler, self.workspace, length, faketime.ok().as_deref())?;
        self.tests_side_by_side([&mut soak, &mut chaos])
    }

    fn cargo(&self) -> Command {
        let mut command = cargo();
        command.current_dir(&self.workspace.root);
        self.compiler.configure(&mut command);
        command
    }

    fn lints_as_it_compiles(&self) -> bool {
        matches!(self.compiler, Compiler::Clippy { .. })
    }

    /// A command that is right or wrong as a whole.
    fn step(&mut self, command: &mut Command) {
        let result = run_command(command);
        self.judge(&result);
    }

    fn judge(&mut self, result: &Result<()>) {
        if let Err(error) = result {
            eprintln!("{error:#}");
            self.failed.push(format!("{error:#}"));
        }
        self.counts += TestCounts::step(result.is_ok());
    }

    fn tests(&mut self, command: &mut Command, runner: Runner) -> Result<()> {
        let before = self.skipped.names()?.len();
        let output = tee(command.env(SkippedTests::VARIABLE, self.skipped.file()))?;
        let mut counts = self.read_tests(runner, &output)?;
        if let Runner::Cargo = runner {
            // cargo counts a test that returns early as passed.
            counts.skip(self.skipped.names()?.len().saturating_sub(before));
        }
        self.counts += counts;
        Ok(())
    }

    /// Tests of cargo, of which each command waits for the most part.
    fn tests_side_by_side<const N: usize>(&mut self, commands: [&mut Command; N]) -> Result<()> {
        let before = self.skipped.names()?.len();
        let list = self.skipped.file();
        let outputs = thread::scope(|scope| {
            let running = commands.map(|command| scope.spawn(move || tee(command.env(SkippedTests::VARIABLE, list))));
            running.map(|run| run.join().unwrap_or_else(|_| Err(anyhow!("a run of tests panicked"))))
        });
        let mut counts = TestCounts::default();
        for output in outputs {
            counts += self.read_tests(Runner::Cargo, &output?)?;
        }
        counts.skip(self.skipped.names()?.len().saturating_sub(before));
        self.counts += counts;
        Ok(())
    }

    fn read_tests(&mut self, runner: Runner, (succeeded, output): &(bool, String)) -> Result<TestCounts> {
        for name in runner.skipped(output) {
            self.skipped.add(&name)?;
        }
        let named = runner.failed(output);
        let counts = TestCounts::of(runner, *succeeded, output);
        if counts.failed > 0 && named.is_empty() {
            self.failed.push(format!("it failed without a failed test: {}", last_words(output)));
        }
        self.failed.extend(named);
        Ok(counts)
    }

    /// What a machine lacks is a failure in CI. Elsewhere it is named.
    fn missing(&mut self, what: &str) -> Result<()> {
        anyhow::ensure!(std::env::var_os("CI").is_none(), "missing in CI: {what}");
        eprintln!("missing, so skipped: {what}");
        Ok(())
    }
}

/// What a runner said at last: why it did not build, or how it crashed.
fn last_words(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(6)..].join(" | ")
}

/// A nightly run sets it to more.
fn length(variable: &str, usual: Duration) -> Duration {
    let set = std::env::var_os(variable).and_then(|text| text.to_str()?.parse().ok());
    set.map_or(usual, Duration::from_secs)
}

/// The folder of PostgreSQL's own programs: on the path, or where Debian keeps them.
fn postgres() -> Option<PathBuf> {
    let whole = |folder: &Path| ["initdb", "pg_ctl"].iter().all(|program| folder.join(program).is_file());
    let on_path = on_path("initdb").and_then(|file| file.parent().map(Path::to_path_buf));
    let packaged =
        std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|e| e.path().join("bin"));
    on_path.into_iter().chain(packaged).find(|folder| whole(folder))
}

pub struct Chromium {
    pub browser: PathBuf,
    driver: PathBuf,
}

/// A browser under test asks nobody for updates.
const QUIET_CHROMIUM: &str = "--disable-background-networking --disable-component-update --disable-sync --no-first-run";

pub fn chromium() -> Result<Chromium> {
    tools::debian(&["chromium", "chromedriver"], &["chromium", "chromium-driver"], "the browser tests")?;
    let find = |program| on_path(program).with_context(|| format!("{program} is not on the search path"));
    Ok(Chromium { browser: find("chromium")?, driver: find("chromedriver")? })
}

/// Chromium without the window around the page, which costs the machine as much as the page. It needs a font with the
/// widths of Arial: the pages are measured in it.
fn headless_shell() -> Result<PathBuf> {
    let packages = ["chromium-headless-shell", "fonts-liberation"];
    if let Err(error) = tools::debian(&["chromium-headless-shell"], &packages, "the journeys") {
        eprintln!("{error:#}. All of Chromium is used instead.");
        return Ok(chromium()?.browser);
    }
    on_path("chromium-headless-shell").context("chromium-headless-shell is not on the search path")
}

/// Safari's engine, as Debian packages it, and a display for its window.
fn webkit() -> Result<PathBuf> {
    let packages = ["webkit2gtk-driver", "xvfb"];
    tools::debian(&["WebKitWebDriver", "Xvfb"], &packages, "the journeys in WebKit")?;
    webkit_printing()?;
    on_path("WebKitWebDriver").context("WebKitWebDriver is not on the search path")
}

/// WebKit's library as Python sees it: its driver cannot print.
fn webkit_printing() -> Result<()> {
    const SYSTEM_PYTHON: &str = "/usr/bin/python3";
    let import = "import gi; gi.require_version('WebKit2', '4.1'); from gi.repository import WebKit2";
    let there =
        || Command::new(SYSTEM_PYTHON).args(["-c", import]).output().is_ok_and(|output| output.status.success());
    tools::debian_unless(there, &["python3-gi", "gir1.2-webkit2-4.1"], "printing in WebKit")
}

/// What reads a PDF and makes pictures of it.
fn pdf_programs() -> Result<()> {
    tools::debian(&["pdftoppm", "pdftotext"], &["poppler-utils"], "the test of the sheet of paper")
}

/// WordPress with what it runs on. Its database is a program of the test's own, not the system's service.
fn word_press() -> Result<()> {
    let there = || {
        let files = ["/usr/share/wordpress/wp-load.php", "/usr/share/wordpress/wp-content/themes/twentytwentythree"];
        let programs = ["php", "mariadbd", "mariadb-install-db"];
        files.iter().all(|file| Path::new(file).exists())
            && programs.iter().all(|name| on_path(name).is_some() || Path::new("/usr/sbin").join(name).exists())
            && Command::new("php")
                .args(["-r", "exit(extension_loaded('mysqli') ? 0 : 1);"])
                .status()
                .is_ok_and(|s| s.success())
    };
    let packages = [
        "wordpress",
        "wordpress-theme-twentytwentyone",
        "wordpress-theme-twentytwentythree",
        "php-cli",
        "php-mysql",
        "mariadb-server-core",
        "mariadb-client-core",
    ];
    tools::debian_unless(there, &packages, "the journey of the WordPress plugin")
}

/// What runs the clients for PHP and Python. Python's own libraries are fetched by their test.
fn client_programs() -> Result<()> {
    let there = || {
        let curl = ["-r", "exit(extension_loaded('curl') ? 0 : 1);"];
        Command::new("php").args(curl).status().is_ok_and(|s| s.success())
            && Command::new("python3").args(["-m", "pip", "--version"]).output().is_ok_and(|o| o.status.success())
    };
    tools::debian_unless(there, &["php-cli", "php-curl", "python3-pip"], "the clients for PHP and Python")
}

/// Debian's, or the one that is there.
fn firefox() -> Result<PathBuf> {
    if let Some(other) = on_path("firefox") {
        return Ok(other);
    }
    tools::debian(&["firefox-esr"], &["firefox-esr"], "the journey in Firefox")?;
    on_path("firefox-esr").context("firefox-esr is not on the search path")
}
