//! From one version to the next: databases of earlier releases open, and servers of two versions run beside each other.
//!
//! `SHINGLE_WRITE_FIXTURE=1 cargo test --workspace --test it -- upgrades::` writes the fixture of this version. It is
//! committed with its release and never changed after it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use shingle_store_fixture::{PgCluster, dump_programs};

use crate::support::machine::Machine;
use crate::support::visitors::{Company, Visitors, stored_leads};

/// Leads in a fixture.
const LEADS: usize = 6;

/// What a version of the time to come does to the tables of a server that runs.
const ADDITION: &str = "ALTER TABLE lead ADD COLUMN of_a_later_version BIGINT;
    INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    SELECT 99, 'of a later version', success, checksum, 0 FROM _sqlx_migrations WHERE version = 1;";

async fn a_running_server_goes_on_beside_a_newer_version(machine: &Machine, add: impl AsyncFnOnce()) {
    let company = Company::found(machine);
    shingle_property::sample_town::build(&machine.data().join("property")).unwrap();
    let server = machine.serve();
    let (visitors, coming) = Visitors::come_to(&server, &company);
    let before = visitors.until(8).await.len();
    add().await;
    let during = visitors.until(before + 24).await.len();
    // What began later is refused: it would not know what the new column is for.
    let refused = machine.refused(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(refused.contains("a newer version of Shingle has changed its tables (change 99"), "{refused}");
    assert!(refused.contains("Start the version that was used last"), "{refused}");
    let all = visitors.until(during + 8).await;
    let found = stored_leads(&server, &company).await;
    let lost: Vec<_> = all.iter().filter(|(email, id)| found.get(email) != Some(id)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    println!("{before} leads before the change, {} after it, 0 refused or lost", all.len() - before);
    visitors.end();
    drop(server);
    for visitor in coming {
        visitor.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_goes_on_while_a_newer_version_has_changed_its_file() {
    let machine = Machine::new(None);
    let file = machine.data().join("shingle.db");
    let add = async move || {
        let database = rusqlite::Connection::open(file).unwrap();
        database.busy_timeout(std::time::Duration::from_secs(60)).unwrap();
        database.execute_batch(&format!("BEGIN IMMEDIATE; {ADDITION} COMMIT;")).unwrap();
    };
    a_running_server_goes_on_beside_a_newer_version(&machine, add).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_goes_on_while_a_newer_version_has_changed_its_database() {
    let Some(cluster) = PgCluster::shared() else { return };
    let machine = Machine::new(Some(cluster.address("rolling")));
    let add = async || cluster.run_in("rolling", ADDITION).await;
    a_running_server_goes_on_beside_a_newer_version(&machine, add).await;
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/releases")
}

fn fixture_name(engine: &str) -> String {
    format!("{}-{engine}.tar.zst", env!("CARGO_PKG_VERSION"))
}

/// An installation with leads, a webhook and a person who was erased.
async fn write_fixture(machine: &Machine, engine: &str) {
    let company = Company::found(machine);
    let server = machine.serve();
    let (visitors, coming) = Visitors::come_to(&server, &company);
    visitors.until(LEADS).await;
    visitors.end();
    drop(server);
    for visitor in coming {
        visitor.await.unwrap();
    }
    let of = ["--account", company.account.as_str()];
    machine.ask(&[&["person", "erase", "--email", "visitor.0.0@example.com", "--yes"][..], &of].concat());
    let file = fixtures().join(fixture_name(engine));
    fs::create_dir_all(fixtures()).unwrap();
    // Only this one: those of releases stay.
    let _ = fs::remove_file(&file);
    machine.ask(&["backup", file.to_str().unwrap()]);
}

/// Restores every fixture of this engine; how many.
async fn every_release_opens(engine: &str, machine: impl Fn(usize) -> Machine) -> usize {
    let mut files: Vec<PathBuf> = fs::read_dir(fixtures()).unwrap().flatten().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(&format!("-{engine}.tar.zst")));
    files.sort();
    for (number, file) in files.iter().enumerate() {
        let machine = machine(number);
        let name = file.to_str().unwrap();
        let restored = machine.ask(&["restore", name]);
        assert_eq!(restored["accounts"], 1, "{name}");
        let accounts = machine.ask(&["account", "list"]);
        assert_eq!(accounts[0]["name"], "Oak Roofing", "{name}");
        let account = accounts[0]["id"].as_str().unwrap();
        let leads = machine.ask(&["lead", "list", "--account", account]);
        let leads = leads.as_array().unwrap();
        let named: Vec<&Value> = leads.iter().filter(|lead| lead.to_string().contains("visitor.1.")).collect();
        assert!(leads.len() >= LEADS - 1 && !named.is_empty(), "{name}: {leads:?}");
        let erased = leads.iter().any(|lead| lead.to_string().contains("visitor.0.0@"));
        assert!(!erased, "{name}: what was erased stays erased");
        // Every consent still hangs together with the one before it.
        machine.ask(&["consent", "check", "--account", account]);
        let doctor = machine.run(&["doctor"]);
        let said = String::from_utf8(doctor.stdout).unwrap();
        assert!(said.contains("\"check\": \"database\"") || said.contains("\"check\":\"database\""), "{said}");
        let server = machine.serve();
        drop(server);
    }
    println!("{engine}: the fixtures of {} releases open", files.len());
    files.len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_of_every_release_open() {
    if std::env::var_os("SHINGLE_WRITE_FIXTURE").is_some() {
        write_fixture(&Machine::new(None), "sqlite").await;
    }
    assert!(every_release_opens("sqlite", |_| Machine::new(None)).await > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn databases_of_every_release_open() {
    let (Some(cluster), Some(_)) = (PgCluster::shared(), dump_programs()) else {
        return shingle_testing::skip("PostgreSQL (initdb, pg_ctl, pg_dump and pg_restore) is not installed");
    };
    if std::env::var_os("SHINGLE_WRITE_FIXTURE").is_some() {
        write_fixture(&Machine::new(Some(cluster.address("fixture_written"))), "postgres").await;
    }
    let machine = |number| Machine::new(Some(cluster.address(&format!("fixture_{number}"))));
    assert!(every_release_opens("postgres", machine).await > 0);
}
