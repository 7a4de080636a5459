//! How fast the store is on this machine: leads compared with bare one-row commits on the same file system, and
//! what authentication and metering add to a look-up. Prints figures; checks nothing.
//!
//! `cargo run --release -p shingle-store --example rate`

#![allow(clippy::disallowed_methods, reason = "measures real time")]
#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

use std::sync::Arc;
use std::time::Instant;

use shingle_domain::lead::LeadSource;
use shingle_domain::lookup::Product;
use shingle_domain::{Email, Environment, Tenant, Usd};
use shingle_store::{ConsentDraft, LeadDraft, Store};
use shingle_store_fixture::{Fixture, ManualClock, PgCluster, sample_widget};

const LEADS: u32 = 1_000;
const CALLS: u32 = 5_000;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    bare(&folder.path().join("bare.db"));
    measure("sqlite", &format!("sqlite://{}", folder.path().join("store.db").display())).await;
    if let Some(cluster) = PgCluster::shared() {
        measure("postgres, fsync off", &cluster.new_database().await).await;
    }
}

fn report(what: &str, times: u32, begun: Instant) {
    let took = begun.elapsed();
    println!(
        "{what:<44} {:>9.0}/s {:>9.1} µs",
        f64::from(times) / took.as_secs_f64(),
        took.as_secs_f64() * 1e6 / f64::from(times)
    );
}

/// The least a durable write can cost here.
fn bare(path: &std::path::Path) {
    let db = rusqlite::Connection::open(path).unwrap();
    db.pragma_update(None, "journal_mode", "WAL").unwrap();
    db.pragma_update(None, "synchronous", "FULL").unwrap();
    db.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)", []).unwrap();
    let mut insert = db.prepare("INSERT INTO t (text) VALUES (?1)").unwrap();
    let text = "x".repeat(1_000);
    let begun = Instant::now();
    for _ in 0..LEADS {
        insert.execute([&text]).unwrap();
    }
    report("bare one-row commits", LEADS, begun);
}

async fn measure(engine: &str, address: &str) {
    let clock = Arc::new(ManualClock::at("2026-03-10T12:00:00Z"));
    let store = Store::open(address, clock, &Fixture::SECRET).await.unwrap();
    let account = store.accounts().create("Acme").await.unwrap().id;
    let key = store.accounts().issue_key(account, Environment::Production).await.unwrap();
    let tenant = Tenant { account, environment: Environment::Production };
    let (widget, record) = sample_widget("00000000-0000-4000-8000-000000000001".parse().unwrap());
    store.widgets().create(&tenant, &widget, |_| record.clone(), None).await.unwrap();

    let begun = Instant::now();
    for number in 0..LEADS {
        let name = format!("p{number}");
        store.leads().accept(&tenant, widget.reference_id, &draft(&name), &name, name.as_bytes()).await.unwrap();
    }
    report(&format!("{engine}: leads, one after the other"), LEADS, begun);

    let begun = Instant::now();
    for _ in 0..CALLS {
        store.accounts().authenticate(&key.secret, [192, 0, 2, 1].into()).await.unwrap().unwrap();
    }
    report(&format!("{engine}: authenticate"), CALLS, begun);

    for (what, balance) in [("not prepaid", false), ("prepaid", true)] {
        if balance {
            store.accounts().credit(account, Usd::from_dollars(1_000_000)).await.unwrap();
        }
        let begun = Instant::now();
        for _ in 0..LEADS {
            let call = store.usage().admit(&tenant, &key.id, Product::RoofEstimate, Usd::from_cents(10)).await.unwrap();
            store.usage().settle(call, true).await.unwrap();
        }
        report(&format!("{engine}: admit and settle, {what}"), LEADS, begun);
    }
    store.close().await.unwrap();
}

fn draft(name: &str) -> LeadDraft {
    LeadDraft {
        address: "14 Alder Court, Portland, ME 04103".to_owned(),
        first_name: name.to_owned(),
        last_name: "Sample".to_owned(),
        email: Email::parse(&format!("{name}@example.com")),
        phone: None,
        preferred_contact_time: None,
        roof_material: None,
        message: None,
        estimate: None,
        drawing: None,
        shown: None,
        source: LeadSource::default(),
        consent: ConsentDraft {
            given: true,
            text: "Acme may call me about my roof.".to_owned(),
            page_url: None,
            ip: None,
            user_agent: None,
        },
        changes: None,
        added_by: None,
        spam: None,
    }
}
