//! The long hostile run (`cargo xtask soak`): a real server among visitors, holders of keys and clients that mean harm, while it
//! is killed, its disk is full and its database dies, hangs or is lost without a word. Nothing that it acknowledged may be lost or
//! doubled, no honest lead is held as spam, an owner signs in among strangers, nobody may see what is another's, and it must
//! end as it began.
//!
//! `SHINGLE_SOAK_SECONDS` is the length on each database, `SHINGLE_SOAK_SEED` repeats the dice of an earlier run.

#![allow(clippy::unwrap_used, reason = "a run that cannot go on has failed")]

#[path = "../it/support/client.rs"]
mod client;
mod dice;
mod faults;
mod hostile;
mod ledger;
mod load;
mod server;
mod sign_in;
#[path = "../it/support/wire.rs"]
mod wire;

use std::sync::Arc;
use std::time::{Duration, Instant};

use dice::Dice;
use faults::Faults;
use ledger::Ledger;
use load::{Load, Parties};
use server::{Footprint, Installation};
use sign_in::Owner;

/// Of one round.
const VISITS: u64 = 24;
const ROBOTS: u64 = 6;
const LOOK_UPS: u64 = 60;
const RANDOM_REQUESTS: u64 = 60;
/// Rounds of the second part that only warm the process up.
const WARM: usize = 1;
/// Growth that does not count: an allocator keeps what it had, and pools of connections fill.
const RESIDENT: f64 = 1.25;
const RESIDENT_SLACK: u64 = 8 << 20;
const HANDLES_SLACK: u64 = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_sqlite() {
    let seconds = seconds();
    let faults = Faults::of_sqlite(64 + seconds / 6);
    run("SQLite", faults, seconds).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_postgres() {
    match Faults::of_postgres().await {
        Some(faults) => run("PostgreSQL", faults, seconds()).await,
        None => shingle_testing::skip("PostgreSQL (initdb and pg_ctl) is not installed"),
    }
}

async fn run(engine: &str, mut faults: Faults, seconds: u64) {
    let Some(binary) = setting("SHINGLE_BINARY") else {
        return shingle_testing::skip("the server is not named by SHINGLE_BINARY; `cargo xtask soak` builds it");
    };
    let seed = setting("SHINGLE_SOAK_SEED").and_then(|seed| seed.parse().ok()).unwrap_or_else(Dice::any_seed);
    println!("{engine}: {seconds} s, SHINGLE_SOAK_SEED={seed}");
    let mut dice = Dice::new(seed);
    let installation = Installation::new(binary.into(), &faults);
    let parties = Parties::found(&installation);
    let ledger = Arc::new(Ledger::default());
    let mut server = installation.serve().await;
    let owner = Arc::new(Owner::settle(&installation, &parties.contractors[0].account).await);
    let begun = now();

    // First a storm: in every round the server is killed, or what it stands on fails.
    let mut rounds = 0;
    while begun.elapsed() < Duration::from_secs(seconds / 2) {
        let load = Load { ledger: ledger.clone(), parties: parties.clone(), installation: installation.clone() };
        let crowd = hostile::crowd(installation.at, &mut dice);
        let working = tokio::spawn(load.round(rounds, dice.fork()));
        let signing_in = {
            let (owner, installation, ledger) = (owner.clone(), installation.clone(), ledger.clone());
            tokio::spawn(async move { owner.signs_in_among_strangers(&installation, &ledger).await })
        };
        if dice.one_in(2) && faults.have_database() {
            faults.fail_and_recover(&installation, &ledger, &mut dice).await;
        } else {
            tokio::time::sleep(Duration::from_millis(dice.below(1_500))).await;
            let _hard = ledger.hard_times();
            server.kill();
            ledger.count("kills");
            server = installation.serve().await;
        }
        working.await.unwrap();
        signing_in.await.unwrap();
        drop(crowd);
        rounds += 1;
    }

    // Then one process, whose database fails in every other round: it must not grow.
    let mut footprints = Vec::new();
    while begun.elapsed() < Duration::from_secs(seconds) || footprints.len() < WARM + 4 {
        let load = Load { ledger: ledger.clone(), parties: parties.clone(), installation: installation.clone() };
        let crowd = hostile::crowd(installation.at, &mut dice);
        let working = tokio::spawn(load.round(rounds, dice.fork()));
        let signing_in = {
            let (owner, installation, ledger) = (owner.clone(), installation.clone(), ledger.clone());
            tokio::spawn(async move { owner.signs_in_among_strangers(&installation, &ledger).await })
        };
        if rounds % 2 == 0 && faults.have_database() {
            faults.fail_and_recover(&installation, &ledger, &mut dice).await;
        }
        working.await.unwrap();
        signing_in.await.unwrap();
        drop(crowd);
        footprints.push(server.quiet_footprint().await);
        rounds += 1;
    }

    assert_eq!(installation.readiness().await, 200);
    let mut hung = "";
    if let Some(wire) = faults.wire() {
        // At last it is told to end while its database hangs, and serves again after that.
        wire.set_open(false);
        installation.until_readiness(503).await;
        server.end_without_database().await;
        wire.set_open(true);
        server = installation.serve().await;
        hung = ", ended once while its database hung";
    }
    let counts = ledger.judge(&installation, &parties).await;
    let log = server.end().await;
    assert!(!log.contains("panicked"), "{}", installation.log_of("panicked"));
    judge_footprints(&footprints);
    println!("{engine}: {rounds} rounds{hung}, {counts}");
    println!("{engine}: the slowest answer {}", slowest_answer(&log).expect("answers in the log"));
}

/// By the server's own watch, for a reader: what a busy machine adds is nobody's fault, and a statement without a bound is found
/// by the clients, who would wait forever. 408 is for those who send slowly.
fn slowest_answer(log: &str) -> Option<String> {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let answers = lines.filter(|line| line["fields"]["status"] != 408);
    let slowest = answers.max_by_key(|line| line["fields"]["micros"].as_u64())?;
    Some(slowest["fields"].to_string())
}

/// The second half of the rounds beside the first, the load of all being equal. What leaks raises the least that is held; the
/// most says how the clients of one round fell together.
fn judge_footprints(all: &[Footprint]) {
    let (first, last) = all[WARM..].split_at((all.len() - WARM) / 2);
    let least = |of: &[Footprint], what: fn(&Footprint) -> u64| of.iter().map(what).min().unwrap();
    let resident = (least(first, |f| f.resident), least(last, |f| f.resident));
    let handles = (least(first, |f| f.handles), least(last, |f| f.handles));
    println!(
        "memory {:.1} MB at first, {:.1} MB at last; handles {} and {}",
        resident.0 as f64 / 1e6,
        resident.1 as f64 / 1e6,
        handles.0,
        handles.1
    );
    let allowed = (resident.0 as f64 * RESIDENT) as u64 + RESIDENT_SLACK;
    assert!(resident.1 <= allowed, "memory grew: {all:?}");
    assert!(handles.1 <= handles.0 + HANDLES_SLACK, "handles grew: {all:?}");
}

fn seconds() -> u64 {
    setting("SHINGLE_SOAK_SECONDS").and_then(|text| text.parse().ok()).unwrap_or(50)
}

#[allow(clippy::disallowed_methods, reason = "these are settings of the test run")]
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

#[allow(clippy::disallowed_methods, reason = "the length of the run is given in real time")]
fn now() -> Instant {
    Instant::now()
}
