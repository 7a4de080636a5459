//! Chaos (`cargo xtask chaos`): three nodes of one installation behind a balancer, on PostgreSQL with a synchronous standby and
//! on one storage, while nodes are killed and stand still, the standby is promoted, the database and the bucket fall silent
//! and clocks are set. What was acknowledged is there at the end: leads, photographs, logos, money and deliveries; and nobody
//! waits longer than fifteen seconds.
//!
//! `SHINGLE_CHAOS_SECONDS` is the length, `SHINGLE_CHAOS_SEED` repeats the dice of an earlier run, `SHINGLE_FAKETIME` names the
//! library that sets the clock of one process, and `SHINGLE_CHAOS_ONLY` leaves only faults with these words.

#![allow(clippy::unwrap_used, reason = "a run that cannot go on has failed")]

mod balancer;
#[allow(dead_code, reason = "the tests of backups need more of it")]
#[path = "../it/support/bucket.rs"]
mod bucket;
#[allow(dead_code, reason = "other tests speak HTTPS")]
#[path = "../it/support/client.rs"]
mod client;
mod database;
mod deliveries;
#[allow(dead_code, reason = "the long run throws more of them")]
#[path = "../soak/dice.rs"]
mod dice;
mod fault;
#[allow(dead_code, reason = "other tests need broken ones")]
#[path = "../it/support/images.rs"]
mod images;
mod judge;
mod ledger;
mod load;
#[allow(dead_code, reason = "the tests of backups need more of it")]
#[path = "../it/support/machine.rs"]
mod machine;
mod node;
mod parties;
#[allow(dead_code, reason = "other tests need worse ones")]
#[path = "../it/support/receiver.rs"]
mod receiver;
mod stage;
mod storage;
#[allow(dead_code, reason = "those of other tests come once")]
#[path = "../it/support/visitors.rs"]
mod visitors;
#[path = "../it/support/wire.rs"]
mod wire;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use database::Database;
use deliveries::Deliveries;
use dice::Dice;
use fault::{Deck, Fault};
use judge::Judge;
use ledger::Ledger;
use load::Load;
use node::Node;
use parties::Parties;
use receiver::{Receiver, Reply};
use stage::Stage;
use storage::Storage;

pub const PAUSE: Duration = Duration::from_millis(100);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_lose_nothing() {
    let Some(database) = Database::start().await else {
        return shingle_testing::skip("PostgreSQL (initdb, pg_ctl, pg_basebackup and psql) is not installed");
    };
    let seconds = setting("SHINGLE_CHAOS_SECONDS").and_then(|text| text.parse().ok()).unwrap_or(120);
    let seed = setting("SHINGLE_CHAOS_SEED").and_then(|seed| seed.parse().ok()).unwrap_or_else(Dice::any_seed);
    let faketime = setting("SHINGLE_FAKETIME").map(PathBuf::from);
    println!("chaos: {seconds} s, SHINGLE_CHAOS_SEED={seed}");
    let mut dice = Dice::new(seed);
    let only = setting("SHINGLE_CHAOS_ONLY").unwrap_or_default();
    let mut faults = Fault::all(faketime.is_some());
    faults.retain(|fault| fault.name().contains(&only));
    assert!(!faults.is_empty(), "no fault is called so: {only}");
    let mut deck = Deck::new(faults);
    let mut stage = Stage::set(database, Storage::start().await, faketime.as_deref()).await;
    let mut deliveries = Deliveries::to(Receiver::start(Reply::Faltering(Arc::default())).await);
    let (ledger, base) = (Arc::new(Ledger::new()), stage.balancer.base.clone());
    let parties = Arc::new(Parties::found(&stage.nodes[0].machine, &base, &deliveries.url()).await);
    deliveries.are_signed_with(&parties.webhook.secret);

    let begun = Instant::now();
    let load = Load::begin(&base, &parties, &ledger, &mut dice);
    // Each fault at least once, however long that takes.
    while begun.elapsed() < Duration::from_secs(seconds) || !deck.is_dealt_once() {
        ledger.until_more_answers(20).await;
        stage.suffer(deck.deal(&mut dice), &ledger, &mut dice).await;
        deliveries.take(&ledger);
    }
    load.end().await;
    stage.balancer.until_all_are_ready().await;

    let nodes = stage.nodes.iter().map(|node| node.base().to_owned()).collect();
    let judge = Judge { ledger: &ledger, parties: &parties, nodes };
    judge.judge(&stage.nodes[0].machine, &mut deliveries).await;
    for node in &stage.nodes {
        for line in node.log().lines().filter(|line| line.contains("panicked")) {
            ledger.wrong(line);
        }
    }
    ledger.print();
    if faketime.is_none() {
        println!("steps of a clock: left out, because SHINGLE_FAKETIME names no library");
    }
    let wrongs = ledger.wrongs();
    if !wrongs.is_empty() {
        stage.nodes.iter().for_each(Node::print_troubles);
    }
    assert!(wrongs.is_empty(), "{} wrongs: {:#?}", wrongs.len(), &wrongs[..wrongs.len().min(20)]);
}

#[allow(clippy::disallowed_methods, reason = "these are settings of the test run")]
fn setting(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
