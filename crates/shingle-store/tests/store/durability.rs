//! What was acknowledged is on disk, however the process ends.

use std::process::Command;
use std::sync::Arc;

use shingle_domain::{Environment, LeadId, Tenant};
use shingle_store::{LeadFilter, Store};
use shingle_store_fixture::{Fixture, ManualClock, on_both_engines};

use crate::samples;

on_both_engines! {
    async fn a_lead_survives_a_store_that_was_never_closed(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let lead = f.store.leads().accept(&tenant, widget, &samples::draft("Ann"), "key-1", b"1").await.unwrap().lead;
        let again = f.open_again().await;
        drop(f.store);
        assert_eq!(again.leads().find(&tenant, lead.id).await.unwrap(), Some(lead));
    }

    async fn a_call_that_is_dropped_half_way_leaves_nothing_behind(f: Fixture) {
        let tenant = samples::tenant(&f.store).await;
        let widget = samples::stored_widget(&f.store, &tenant, 1).await;
        let draft = samples::draft("Ann");
        // Polled some number of times and then let go: before, in and after its transaction.
        for polls in 0..40 {
            let call = f.store.leads().accept(&tenant, widget, &draft, "key-1", b"1");
            let mut call = Box::pin(call);
            for _ in 0..polls {
                tokio::select! {
                    biased;
                    _ = &mut call => break,
                    () = tokio::task::yield_now() => {}
                }
            }
        }
        let leads = f.store.leads().list(&tenant, &LeadFilter::default(), None, 10).await.unwrap().leads;
        for lead in &leads {
            assert_eq!(f.store.deliveries().list_events(&tenant, lead.id.0).await.unwrap().len(), 1);
            assert_eq!(f.store.consents().list(&tenant, lead.id).await.unwrap().len(), 1);
        }
        assert!(leads.len() <= 1);
        let lead = f.store.leads().accept(&tenant, widget, &draft, "key-1", b"1").await.unwrap().lead;
        assert_eq!(f.store.deliveries().list_events(&tenant, lead.id.0).await.unwrap().len(), 1);
    }
}

const VICTIM: &str = "SHINGLE_STORE_VICTIM";

/// Not a test of its own: the process that the next one lets die. It does nothing unless told where.
#[tokio::test]
async fn victim() {
    let Some(address) = std::env::var_os(VICTIM) else { return };
    let clock = Arc::new(ManualClock::at("2026-03-10T12:00:00Z"));
    let store = Store::open(address.to_str().unwrap(), clock, &Fixture::SECRET).await.unwrap();
    let tenant = samples::tenant(&store).await;
    let widget = samples::stored_widget(&store, &tenant, 1).await;
    for number in 0..20 {
        let name = format!("p{number}");
        let lead = store.leads().accept(&tenant, widget, &samples::draft(&name), &name, b"1").await.unwrap().lead;
        println!("\nacknowledged {} {}", tenant.account, lead.id);
    }
    std::process::abort();
}

#[tokio::test]
async fn acknowledged_leads_survive_a_process_that_dies() {
    let f = Fixture::on_sqlite().await;
    let me = std::env::current_exe().unwrap();
    let mut victim = Command::new(me);
    victim.args(["--exact", "durability::victim", "--nocapture"]).env(VICTIM, &f.address);
    let died = victim.output().unwrap();
    assert!(!died.status.success(), "it was to die");
    let said = String::from_utf8(died.stdout).unwrap();
    let mut acknowledged = 0;
    for line in said.lines().filter_map(|line| line.strip_prefix("acknowledged ")) {
        let (account, lead) = line.split_once(' ').unwrap();
        let tenant = Tenant { account: account.parse().unwrap(), environment: Environment::Production };
        let lead: LeadId = lead.parse().unwrap();
        assert!(f.store.leads().find(&tenant, lead).await.unwrap().is_some());
        assert_eq!(f.store.deliveries().list_events(&tenant, lead.0).await.unwrap().len(), 1);
        acknowledged += 1;
    }
    assert_eq!(acknowledged, 20);
}

/// SQLite ends a transaction on its own when a disk is full or fails; a trigger can ask for the same.
#[tokio::test]
async fn a_transaction_that_sqlite_ended_by_itself_spoils_no_later_one() {
    let f = Fixture::on_sqlite().await;
    let tenant = samples::tenant(&f.store).await;
    let widget = samples::stored_widget(&f.store, &tenant, 1).await;
    let accept = |name: &'static str| {
        let store = f.store.clone();
        async move { store.leads().accept(&tenant, widget, &samples::draft(name), name, b"1").await }
    };
    accept("Ann").await.unwrap();
    let path = f.address.strip_prefix("sqlite://").unwrap();
    let beside =
        sqlx::SqlitePool::connect_with(sqlx::sqlite::SqliteConnectOptions::new().filename(path)).await.unwrap();
    let ends = "CREATE TRIGGER ends BEFORE INSERT ON consent BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END";
    sqlx::raw_sql(ends).execute(&beside).await.unwrap();
    for _ in 0..3 {
        assert!(accept("Bob").await.is_err());
    }
    sqlx::raw_sql("DROP TRIGGER ends").execute(&beside).await.unwrap();
    accept("Bob").await.unwrap();
    f.store.check_writable().await.unwrap();
    assert_eq!(f.store.leads().list(&tenant, &LeadFilter::default(), None, 10).await.unwrap().leads.len(), 2);
}
