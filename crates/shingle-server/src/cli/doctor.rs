//! `shingle doctor`: is everything there that `serve` needs, and does it work?

use clap::Args;
use serde::Serialize;
use shingle_property::PropertyIndex;
use shingle_property::index::DatasetStatus;
use shingle_store::Clock as _;

use super::place::{Flags, Place};
use super::{Everywhere, Problem, Report};
use crate::clock::MachineClock;
use crate::runtime::Runtime;

#[derive(Debug, Args)]
pub struct Doctor {}

#[derive(Debug, Serialize)]
struct Finding {
    check: &'static str,
    ok: bool,
    detail: String,
}

#[derive(Debug, Serialize)]
struct Findings {
    ok: bool,
    checks: Vec<Finding>,
}

/// Seconds by which the machine's clock and the file system's may differ.
const DRIFT: i64 = 5;

impl Doctor {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = match Place::of(everywhere, Flags::default()) {
            Ok(place) => place,
            Err(problem) => {
                let found = vec![Finding { check: "configuration", ok: false, detail: problem.to_string() }];
                report.done(&Findings { ok: false, checks: found }, words)?;
                return Err(Problem::new("The configuration cannot be read; nothing else was checked"));
            }
        };
        let checks = Place::block_on(async {
            Ok(vec![
                finding("configuration", Ok(format!("data folder {}", place.settings.data.display()))),
                finding("database", database(&place).await),
                finding("storage", storage(&place).await),
                finding("property index", index(&place)),
                finding("sample town", sample_town(&place)),
                finding("reference tables", tables(&place)),
                finding("clock", clock(&place)),
                finding("browser runtime", runtime()),
                finding("https", https(&place)),
                finding("own requests", own_requests(&place)),
            ])
        })?;
        let found = Findings { ok: checks.iter().all(|c| c.ok), checks };
        report.done(&found, words)?;
        if found.ok { Ok(()) } else { Err(Problem::new("Some checks failed")) }
    }
}

fn finding(check: &'static str, outcome: Result<String, Problem>) -> Finding {
    match outcome {
        Ok(detail) => Finding { check, ok: true, detail },
        Err(problem) => Finding { check, ok: false, detail: problem.to_string() },
    }
}

fn words(found: &Findings) -> String {
    let line = |c: &Finding| format!("{}  {:<16} {}", if c.ok { "ok  " } else { "FAIL" }, c.check, c.detail);
    found.checks.iter().map(line).collect::<Vec<_>>().join("\n")
}

async fn database(place: &Place) -> Result<String, Problem> {
    let store = place.store().await?;
    store.ping().await?;
    let accounts = store.list_accounts().await?.len();
    store.close().await?;
    let kind = if place.database().starts_with("sqlite") { "SQLite" } else { "PostgreSQL" };
    Ok(format!("{kind}, {accounts} accounts"))
}

/// Writes a small file, reads it and takes it away.
async fn storage(place: &Place) -> Result<String, Problem> {
    let blobs = place.blobs()?;
    let probe = b"shingle doctor".to_vec();
    let path = blobs.put_hashed("probe", "bin", probe.clone()).await?;
    let back = blobs.get(&path).await?.map(|blob| blob.bytes);
    blobs.delete(&path).await?;
    if back == Some(probe) {
        Ok(place.storage())
    } else {
        Err(Problem::new("What was stored was not read back").at(place.storage()))
    }
}

fn index(place: &Place) -> Result<String, Problem> {
    let folder = place.settings.property();
    let status = PropertyIndex::open(&folder, place.reference()?)?.status();
    if let Some(problem) = status.problem {
        return Err(Problem::new(problem).at(folder.display()).mend("Import the data set again."));
    }
    if status.datasets.is_empty() {
        return Ok("empty: import a town with `shingle import`".into());
    }
    let one = |d: &DatasetStatus| format!("{} {} places", d.name, d.places());
    Ok(status.datasets.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn sample_town(place: &Place) -> Result<String, Problem> {
    shingle_property::sample_town::ensure(&place.sample_town())?;
    let status = PropertyIndex::open(&place.sample_town(), place.reference()?)?.status();
    let places: u64 = status.datasets.iter().map(DatasetStatus::places).sum();
    Ok(format!("{places} invented homes"))
}

/// Newer numbers being due is told and no fault: everything still works.
fn tables(place: &Place) -> Result<String, Problem> {
    let reference = place.reference()?;
    if let Some(problem) = reference.problems().first() {
        return Err(Problem::new(problem).mend("Load the file again when it is mended, or `shingle reference reset`."));
    }
    let (tables, now) = (reference.tables(), place.clock.now());
    let loaded = tables.iter().filter(|t| t.file.is_some()).count();
    let due: Vec<_> = tables.iter().filter(|t| t.is_due(now)).map(|t| t.table.as_str()).collect();
    let age = if due.is_empty() { "none past its date".into() } else { format!("past their date: {}", due.join(", ")) };
    Ok(format!("{} tables, {loaded} loaded here; {age}", tables.len()))
}

/// Against the time that the file system stamps on a new file.
fn clock(place: &Place) -> Result<String, Problem> {
    let probe = place.settings.data.join(format!(".clock-{}", std::process::id()));
    let stamped = std::fs::create_dir_all(&place.settings.data)
        .and_then(|()| std::fs::write(&probe, b""))
        .and_then(|()| std::fs::metadata(&probe)?.modified());
    let _ = std::fs::remove_file(&probe);
    let stamped = stamped.map_err(|e| Problem::new(format!("No file can be written: {e}")).at(probe.display()))?;
    let stamped = stamped.duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs() as i64;
    let now = MachineClock.now();
    let drift = now.seconds() - stamped;
    if drift.abs() <= DRIFT {
        Ok(now.to_string())
    } else {
        Err(Problem::new(format!("The clock and the file system differ by {drift} seconds"))
            .mend("Switch on time synchronisation (NTP)."))
    }
}

fn runtime() -> Result<String, Problem> {
    let runtime = Runtime::embedded().ok_or_else(|| {
        Problem::new("This binary was built without the browser runtime").mend("Build it with `cargo xtask build`.")
    })?;
    Ok(format!("{} bytes compressed", runtime.js.brotli.len() + runtime.wasm.brotli.len()))
}

/// Where webhooks and the check of a site may go.
fn own_requests(place: &Place) -> Result<String, Problem> {
    let policy = place.settings.egress();
    place.egress("doctor")?;
    let scheme = if policy.allow_http { "HTTPS and plain HTTP" } else { "HTTPS" };
    let nets = policy.allowed_networks.iter().map(ToString::to_string).collect::<Vec<_>>();
    let also = if nets.is_empty() { String::new() } else { format!(", and to {}", nets.join(", ")) };
    Ok(format!("{scheme} to public addresses{also}"))
}

fn https(place: &Place) -> Result<String, Problem> {
    let settings = &place.settings;
    if let (Some(cert), Some(key)) = (&settings.tls_cert, &settings.tls_key) {
        crate::listen::tls(cert, key)?;
        return Ok(format!("own certificate {}", cert.display()));
    }
    if !settings.trusted_proxy.is_empty() {
        return Ok("ended by a trusted proxy".into());
    }
    if settings.listen.ip().is_loopback() {
        return Ok("not needed: listening on this machine only".into());
    }
    Err(Problem::new("Visitors could only come over plain HTTP, which is refused")
        .at(settings.listen)
        .mend("Set tls_cert and tls_key, or trusted_proxy."))
}
