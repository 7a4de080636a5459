//! `cargo xtask bench api`: what a request costs the server in processor time, on both databases, as a multiple of what
//! a bare axum server pays for a hello beside it in the same run.
//!
//! Both sides take turns, and of the turns the median counts: a busy machine slows both. Leads are bound by the disk, so
//! they are also told in writes that the same disk makes durable in that time.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::load::{Load, Measured, cpu_time, now, resident_bytes};
use super::median;
use crate::command::{self, cargo, read, say};
use crate::demo;
use crate::server::{self, free_port};
use crate::workspace::Workspace;

/// "At once" in the budget.
const CONNECTIONS: usize = 16;
const VISITORS: usize = 200;
/// Leads of one turn.
const LEADS: usize = 2_000;
const HELLOS: usize = 40_000;
/// Of one turn, once the cost of a request is known: long enough for the clock of the processor times.
const TURN: Duration = Duration::from_millis(600);
/// Streets of the sample town with homes at all even numbers up to twice `HOMES_OF_STREET`.
const STREETS: [&str; 6] =
    ["Alder Court", "Maple Street", "Mayflower Lane", "West Meadow Road", "North Meadow Road", "East Meadow Road"];
const HOMES_OF_STREET: usize = 12;
/// What a lead may cost, as a multiple of the bare hello, and what it cost before leads shared transactions.
const LEAD_BUDGET: f64 = 120.0;
const LEAD_BEFORE: &str = "140 x";
/// What an idle server may hold, in megabytes.
const IDLE_BUDGET: f64 = 35.0;
/// What the program may take on disk, stripped, in megabytes.
const BINARY_BUDGET: f64 = 40.0;
/// Durable writes of one measurement of the disk.
const WRITES: u32 = 200;

/// A row of the table: what it cost at first, and what it may cost, as multiples of the bare hello.
pub(super) struct Row {
    pub(super) name: &'static str,
    before: &'static str,
    budget: f64,
    /// The request with this number.
    pub(super) request: Box<dyn Fn(usize) -> Vec<u8> + Sync>,
}

pub fn run(workspace: &Workspace, turns: usize, binary: Option<PathBuf>) -> Result<ExitCode> {
    let binary = match binary {
        Some(binary) => binary,
        None => server::build(workspace, true)?,
    };
    let mut build = cargo();
    build.args(["build", "--release", "--package", "xtask", "--example", "bare_hello"]);
    command::run(build.current_dir(&workspace.root))?;
    // It only starts PostgreSQL, so it need not be fast itself.
    let mut build = cargo();
    build.args(["build", "--package", "shingle-store-fixture", "--example", "postgres"]);
    command::run(build.current_dir(&workspace.root))?;
    let examples = |profile: &str| workspace.target.join(profile).join("examples");
    let hello = Program::start(Command::new(examples("release").join("bare_hello")))?;
    let mut fits = measure(workspace, &binary, &hello, None, turns)?;
    let postgres = Program::start(Command::new(examples("debug").join("postgres")))?;
    if postgres.first_line == "none" {
        bail!("PostgreSQL (initdb and pg_ctl) is not installed, so the second half was not measured");
    }
    fits &= measure(workspace, &binary, &hello, Some(&postgres.first_line), turns)?;
    let on_disk = std::fs::metadata(&binary)?.len() as f64 / 1e6;
    fits &= on_disk <= BINARY_BUDGET;
    println!("\n{:<6}{on_disk:.1} MB on disk, of {BINARY_BUDGET}", verdict(on_disk, BINARY_BUDGET));
    Ok(if fits { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure(
    workspace: &Workspace,
    binary: &Path,
    hello: &Program,
    database: Option<&str>,
    turns: usize,
) -> Result<bool> {
    let engine = if database.is_some() { "PostgreSQL" } else { "SQLite" };
    say(&format!("measuring on {engine}, {turns} turns"));
    let folder = workspace.target.join("bench-api");
    server::forget(&folder)?;
    std::fs::create_dir_all(&folder)?;
    let installation = Installation::new(binary, &folder, database)?;
    let free = installation.account("Bench Roofing")?;
    let prepaid = installation.account("Prepaid Roofing")?;
    installation.ask(&["account", "credit", &prepaid.id, "1000000"])?;

    let listen = free_port(18_280)?;
    let mut served = installation.serve(listen)?;
    // Once more: the first start also makes the sample town.
    drop(served);
    let begun = now();
    served = installation.serve(listen)?;
    let (ready, ready_cpu) = (begun.elapsed(), cpu_time(served.pid())?);
    demo::widget(listen, listen, &free.sandbox, demo::SANDBOX_WIDGET, &workspace.root)?;
    let idle = resident_bytes(served.pid())?;

    let mut fits = true;
    println!("\n{engine:<52}{:>10}{:>12}{:>12}", "at first", "now", "to reach");
    let hello_at: SocketAddr = hello.first_line.parse()?;
    for row in rows(&free, &prepaid) {
        let request = &*row.request;
        let ours = |requests| Load { to: listen, connections: CONNECTIONS, requests, request, status: 200 };
        // The first ones fill caches and tell how many make a turn.
        let warm = ours(400).measure(served.pid())?;
        let requests = (TURN.as_secs_f64() * 1e6 / warm.cpu_micros.max(5.0)) as usize;
        let (mut ratios, mut micros) = (Vec::new(), Vec::new());
        for _ in 0..turns {
            let bare = say_hello(hello_at, hello.pid())?;
            let turn = ours(requests.clamp(2_000, HELLOS)).measure(served.pid())?;
            ratios.push(turn.cpu_micros / bare.cpu_micros);
            micros.push(turn.cpu_micros);
        }
        let (ratio, micros) = (median(ratios), median(micros));
        fits &= tell(row.name, row.before, ratio, row.budget, micros);
    }
    fits &= leads(listen, &served, hello, &folder, turns)?;
    let idle = idle as f64 / 1e6;
    fits &= idle <= IDLE_BUDGET;
    println!(
        "{:<6}{idle:.1} MB idle, of {IDLE_BUDGET}; start to ready {:.0} ms, {:.0} ms of processor time",
        verdict(idle, IDLE_BUDGET),
        ready.as_secs_f64() * 1e3,
        ready_cpu.as_secs_f64() * 1e3
    );
    drop(served);
    server::forget(&folder)?;
    Ok(fits)
}

fn verdict(measured: f64, budget: f64) -> &'static str {
    if measured <= budget { "ok" } else { "OVER" }
}

/// Whether the row is within its budget.
fn tell(name: &str, before: &str, ratio: f64, budget: f64, micros: f64) -> bool {
    let (now, reach) = (format!("{ratio:.1} x"), format!("{budget} x"));
    println!("{:<6}{name:<46}{before:>10}{now:>12}{reach:>12}   {micros:.0} us", verdict(ratio, budget));
    ratio <= budget
}

/// A home of the sample town, on one line.
fn home(number: usize) -> String {
    let street = STREETS[number / HOMES_OF_STREET % STREETS.len()];
    format!("{} {street}, Harrow Falls, ME 04995", 2 * (number % HOMES_OF_STREET) + 2)
}

/// The same line spelt as nobody did before: in capitals where the number has ones.
fn new_spelling(number: usize) -> String {
    let line = home(number);
    let letters = line.chars().enumerate();
    letters.map(|(place, c)| if number >> (place % 24) & 1 == 1 { c.to_ascii_uppercase() } else { c }).collect()
}

pub(super) fn rows(free: &Account, prepaid: &Account) -> [Row; 6] {
    let look_up = |key: &str, line: fn(usize) -> String| -> Box<dyn Fn(usize) -> Vec<u8> + Sync> {
        let header = format!("token: {key}\r\n");
        Box::new(move |number| {
            let address = line(number).replace(' ', "%20").replace(',', "%2C");
            get(&format!("/api/v1/roof-estimate?address={address}"), &header)
        })
    };
    let always = |path: &str, headers: &str| -> Box<dyn Fn(usize) -> Vec<u8> + Sync> {
        let request = get(path, headers);
        Box::new(move |_| request.clone())
    };
    let widget = demo::SANDBOX_WIDGET;
    let browser = "accept-encoding: gzip, deflate, br, zstd\r\naccept-language: en-US,en;q=0.9\r\n";
    [
        Row {
            name: "look-up with key, metering and log",
            before: "15-24 x",
            budget: 6.0,
            request: look_up(&free.production, home),
        },
        Row {
            name: "the same, of a home that is not in memory",
            before: "15-24 x",
            budget: 9.0,
            request: look_up(&free.production, new_spelling),
        },
        Row { name: "look-up, prepaid", before: "75-100 x", budget: 9.0, request: look_up(&prepaid.production, home) },
        Row {
            name: "loader script",
            before: "8-9 x",
            budget: 2.0,
            request: always(&format!("/w/{widget}.js"), browser),
        },
        Row { name: "hosted page", before: "12 x", budget: 2.5, request: always(&format!("/w/{widget}"), browser) },
        Row {
            name: "widget record by key",
            before: "18-20 x",
            budget: 6.0,
            request: always(&format!("/api/v1/roof-estimate-widget/{widget}"), &format!("token: {}\r\n", free.sandbox)),
        },
    ]
}

fn get(path: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n{headers}\r\n").into_bytes()
}

fn say_hello(to: SocketAddr, pid: u32) -> Result<Measured> {
    let request = |_: usize| get("/", "");
    Load { to, connections: CONNECTIONS, requests: HELLOS, request: &request, status: 200 }.measure(pid)
}

/// A visitor of the demo's hosted page, who may send leads.
pub(super) struct Visitor {
    listen: SocketAddr,
    token: String,
    consent: String,
}

impl Visitor {
    pub(super) fn arrives(listen: SocketAddr) -> Result<Self> {
        let origin = format!("http://{listen}");
        let url = format!("{origin}/w/{}/session", demo::SANDBOX_WIDGET);
        let session: Value = ureq::post(&url).header("origin", &origin).send_empty()?.body_mut().read_json()?;
        let words: Value = serde_json::from_str(include_str!("../../../../www/words/en.json"))?;
        let consent = demo::word(&words, "consent")?.replace("{company}", "Quillback Roofing");
        Ok(Self { listen, token: demo::word(&session, "token")?, consent })
    }

    /// The request that sends a lead. `turn` and `number` make its address one of its own.
    pub(super) fn lead(&self, turn: usize, number: usize) -> Vec<u8> {
        let Self { listen, token, consent } = self;
        let body = json!({
            "token": token,
            "address": { "line": home(number) },
            "firstName": "Ann",
            "lastName": "Sample",
            "email": format!("ann.{turn}.{number}@example.com"),
            "consent": { "given": true, "text": consent },
            "elapsedMs": 20_000,
        });
        let body = body.to_string();
        let head = format!(
            "POST /w/{}/leads HTTP/1.1\r\nhost: {listen}\r\norigin: http://{listen}\r\ncontent-type: text/plain\r\n\
             content-length: {}\r\n\r\n",
            demo::SANDBOX_WIDGET,
            body.len()
        );
        (head + &body).into_bytes()
    }
}

/// Leads of 200 visitors at once, beside what the disk makes durable.
fn leads(listen: SocketAddr, served: &Program, hello: &Program, folder: &Path, turns: usize) -> Result<bool> {
    let hello_at: SocketAddr = hello.first_line.parse()?;
    let visitor = Visitor::arrives(listen)?;
    let (mut rates, mut waits, mut shares) = (Vec::new(), Vec::new(), Vec::new());
    let (mut cpu, mut ratios) = (Vec::new(), Vec::new());
    for turn in 0..turns {
        let request = |number: usize| visitor.lead(turn, number);
        let writes = durable_writes(folder)?;
        let bare = say_hello(hello_at, hello.pid())?;
        let load = Load { to: listen, connections: VISITORS, requests: LEADS, request: &request, status: 201 };
        let turn = load.measure(served.pid())?;
        rates.push(turn.per_second);
        waits.push(turn.median_wait.as_secs_f64());
        shares.push(turn.per_second / writes);
        cpu.push(turn.cpu_micros);
        ratios.push(turn.cpu_micros / bare.cpu_micros);
    }
    let fits = tell("lead, 200 at once", LEAD_BEFORE, median(ratios), LEAD_BUDGET, median(cpu));
    println!(
        "      {:.0} leads/s, {:.2} for each durable write; median wait {:.3} s",
        median(rates),
        median(shares),
        median(waits)
    );
    Ok(fits)
}

/// How many small writes a second this disk makes durable, one after the other.
fn durable_writes(folder: &Path) -> Result<f64> {
    let mut file = std::fs::File::create(folder.join("durable"))?;
    let begun = now();
    for _ in 0..WRITES {
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
    }
    Ok(f64::from(WRITES) / begun.elapsed().as_secs_f64())
}

pub(super) struct Account {
    pub(super) id: String,
    pub(super) sandbox: String,
    production: String,
}

/// A data folder with its settings, in which the sample town is what was imported.
pub(super) struct Installation<'a> {
    binary: &'a Path,
    folder: &'a Path,
    config: PathBuf,
}

impl<'a> Installation<'a> {
    pub(super) fn new(binary: &'a Path, folder: &'a Path, database: Option<&str>) -> Result<Self> {
        let data = folder.join("data");
        let mut text = format!("data = {data:?}\nproperty = {:?}\nlookup_cents = 1\n", data.join("sample-town"));
        if let Some(database) = database {
            text += &format!("database = {database:?}\n");
        }
        text += "[limits]\nleads_per_visitor = 100000000\nleads_per_widget = 100000000\nrequests_per_key = 100000000\n";
        text += "leads_per_visitor_a_day = 100000000\nleads_per_widget_a_day = 100000000\nleads_per_account_a_day = 100000000\n";
        let config = folder.join("shingle.toml");
        std::fs::write(&config, text)?;
        Ok(Self { binary, folder, config })
    }

    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.binary);
        command.args(words).arg("--json").arg("--config").arg(&self.config);
        command
    }

    pub(super) fn ask(&self, words: &[&str]) -> Result<Value> {
        let text = read(&mut self.command(words))?;
        serde_json::from_str(&text)
            .with_context(|| format!("`shingle {}` did not answer JSON: {text}", words.join(" ")))
    }

    pub(super) fn account(&self, name: &str) -> Result<Account> {
        let id = demo::word(&self.ask(&["account", "create", "--name", name])?, "id")?;
        let key = |env| demo::word(&self.ask(&["key", "issue", "--account", &id, "--env", env])?, "key");
        Ok(Account { sandbox: key("sandbox")?, production: key("production")?, id })
    }

    /// Its log goes to a file, as under a service manager. Returns when it is ready.
    pub(super) fn serve(&self, listen: SocketAddr) -> Result<Program> {
        let mut command =
            self.command(&["serve", "--listen", &listen.to_string(), "--base-url", &format!("http://{listen}")]);
        command.stderr(std::fs::File::create(self.folder.join("log"))?);
        Program::start(command)
    }
}

/// A running program that says when it is ready.
pub(super) struct Program {
    process: Child,
    first_line: String,
}

impl Program {
    pub(super) fn start(mut command: Command) -> Result<Self> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut first_line = String::new();
        let mut output = BufReader::new(process.stdout.take().context("its output")?);
        output.read_line(&mut first_line)?;
        ensure!(!first_line.is_empty(), "`{}` ended before it was ready", command.get_program().display());
        // Whatever follows is read, so that it never waits for a reader.
        std::thread::spawn(move || output.read_to_end(&mut Vec::new()));
        Ok(Self { process, first_line: first_line.trim().to_owned() })
    }

    pub(super) fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // PostgreSQL's keeper ends with its input; the others are ended.
        drop(self.process.stdin.take());
        for _ in 0..20 {
            if matches!(self.process.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
