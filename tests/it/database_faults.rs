//! A database that fails for a while: its disk is full, or it stops answering. Nothing acknowledged is lost, and what comes
//! after it is as if nothing had been.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use shingle_app::chores;
use shingle_store_fixture::{FailingDisk, Fixture, SmallDisk};

use crate::support::wire::Wire;
use crate::support::{TestApp, fetch, header};

impl TestApp {
    /// Each a person of their own.
    async fn lead_number(&self, number: usize) -> u16 {
        self.clock.advance(Duration::from_secs(60));
        let mut lead = self.submission().await;
        lead["email"] = json!(format!("person{number}@example.com"));
        lead["message"] = json!("x".repeat(900));
        self.send_lead(&lead).await.0
    }

    async fn ready(&self) -> u16 {
        self.clock.advance(Duration::from_secs(5));
        fetch(self.get("/readyz")).await.status().as_u16()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_full_disk_everything_is_written_again_and_nothing_acknowledged_is_lost() {
    let Some(disk) = SmallDisk::mount(4) else { return };
    let app = TestApp::start(Fixture::at(format!("sqlite://{}/shingle.db", disk.path().display())).await).await;
    app.widget().await;
    let mut accepted = 0;
    for round in 0..3 {
        assert_eq!(app.lead_number(round * 1_000).await, 201);
        assert_eq!(app.ready().await, 200);
        accepted += 1;
        disk.fill();
        // What the log has room for is still written.
        let mut number = round * 1_000;
        loop {
            number += 1;
            match app.lead_number(number).await {
                201 => accepted += 1,
                500 => break,
                other => panic!("{other}"),
            }
        }
        while app.ready().await == 200 {}
        assert_eq!(fetch(app.api(Method::GET, "/api/v1/leads")).await.status(), 200, "reading goes on");
        disk.free();
        assert_eq!(app.ready().await, 200);
        assert_eq!(app.lead_number(number + 1).await, 201);
        accepted += 1;
    }
    assert_eq!(app.leads_kept().await, accepted);
}

/// A disk that breaks is mounted again read-only by the system, under everybody who has files open on it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn once_the_disk_is_read_only_nothing_is_accepted_and_nothing_accepted_is_lost() {
    let Some(mut disk) = FailingDisk::mount(32) else { return };
    let app = TestApp::start(Fixture::at(format!("sqlite://{}/shingle.db", disk.path().display())).await).await;
    app.widget().await;
    assert_eq!(app.lead_number(0).await, 201);
    assert_eq!(app.ready().await, 200);
    // Some of these are on their way when it happens.
    let under_way = async {
        let answers = tokio::join!(app.lead_number(1), app.lead_number(2), app.lead_number(3), async { disk.fail() });
        [answers.0, answers.1, answers.2]
    };
    let answers = under_way.await;
    assert!(answers.iter().all(|status| matches!(status, 201 | 500)), "{answers:?}");
    let accepted = 1 + answers.iter().filter(|status| **status == 201).count();
    for number in 4..8 {
        assert_eq!(app.lead_number(number).await, 500);
    }
    assert_eq!(app.ready().await, 503);
    assert_eq!(app.leads_kept().await, accepted, "reading goes on");
    let found = disk.found_later().join("shingle.db");
    let after = rusqlite::Connection::open(found).unwrap();
    let count = |sql: &str| after.query_row::<i64, _, _>(sql, (), |row| row.get(0)).unwrap() as usize;
    assert_eq!(count("SELECT COUNT(*) FROM lead"), accepted);
    assert_eq!(count("SELECT COUNT(*) FROM event WHERE kind = 'lead.created'"), accepted);
}

impl TestApp {
    async fn leads_kept(&self) -> usize {
        let csv = fetch(self.api(Method::GET, "/api/v1/leads.csv")).await.text().await.unwrap();
        csv::Reader::from_reader(csv.as_bytes()).records().map(Result::unwrap).count()
    }
}

/// Stands for a table that is damaged.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_chore_that_fails_is_named_and_stops_no_other() {
    let app = TestApp::start(Fixture::on_sqlite().await).await;
    app.widget().await;
    let beside = rusqlite::Connection::open(app.database().strip_prefix("sqlite://").unwrap()).unwrap();
    let old = "INSERT INTO api_request SELECT id, 'sandbox', 'k', 'r', 'x', 0 FROM account;";
    beside.execute_batch(&format!("{old} ALTER TABLE idempotency RENAME TO lost;")).unwrap();
    assert_eq!(chores::run(app.app.app()).await, ["deleting idempotency keys"]);
    let left: i64 = beside.query_row("SELECT COUNT(*) FROM api_request", (), |row| row.get(0)).unwrap();
    assert_eq!(left, 0, "the next one is done");
    beside.execute_batch("ALTER TABLE lost RENAME TO idempotency").unwrap();
    assert!(chores::run(app.app.app()).await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_postgres_is_told_soon_and_forgotten_when_it_speaks_again() {
    let Some(postgres) = Fixture::on_postgres().await else { return };
    let wire = Wire::lay(&postgres.address.parse().unwrap()).await;
    let app = TestApp::start(Fixture::at(wire.address.clone()).await).await;
    assert_eq!(app.ready().await, 200);
    wire.set_open(false);
    // A pool waits 30 seconds for a connection; this is far below, and far above what a busy machine adds.
    for _ in 0..2 {
        let answer = tokio::time::timeout(Duration::from_secs(12), app.ready()).await;
        assert_eq!(answer.unwrap(), 503);
    }
    wire.set_open(true);
    assert_eq!(app.ready().await, 200);
}

/// Far below the minutes after which the system gives a connection up, and far above what a busy machine adds to the five
/// seconds that are promised.
const PATIENCE: Duration = Duration::from_secs(20);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_died_without_a_word_lose_no_lead() {
    let Some(postgres) = Fixture::on_postgres().await else { return };
    let wire = Wire::lay(&postgres.address.parse().unwrap()).await;
    let app = TestApp::start(Fixture::at(wire.address.clone()).await).await;
    app.widget().await;
    let submissions = async |from: usize| {
        let mut all = Vec::new();
        for number in from..from + 8 {
            let mut lead = app.submission().await;
            lead["email"] = json!(format!("person{number}@example.com"));
            all.push(lead);
        }
        all
    };
    let send_all = async |leads: Vec<serde_json::Value>| {
        let mut answers = Vec::new();
        let sent: Vec<_> = leads.iter().map(|lead| app.page(Method::POST, "/leads").body(lead.to_string())).collect();
        let tasks: Vec<_> = sent.into_iter().map(|request| tokio::spawn(request.send())).collect();
        for task in tasks {
            let answer = tokio::time::timeout(PATIENCE, task).await.expect("an answer in time").unwrap().unwrap();
            answers.push(answer.status().as_u16());
        }
        answers
    };
    let mut kept = 0;
    for round in 0..3 {
        // The limits of a minute are not what is tried here.
        app.clock.advance(Duration::from_secs(120));
        let leads = submissions(round * 100).await;
        // Reads beside them open more connections.
        let reads: Vec<_> = (0..8).map(|_| tokio::spawn(app.api(Method::GET, "/api/v1/leads").send())).collect();
        assert_eq!(send_all(leads).await, [201; 8], "round {round}");
        for read in reads {
            assert_eq!(read.await.unwrap().unwrap().status(), 200);
        }
        kept += 8;
        assert!(wire.cut_all() >= 4, "too few connections to lose");
        assert_eq!(tokio::time::timeout(PATIENCE, app.leads_kept()).await.expect("an answer in time"), kept);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_is_silent_requests_are_told_to_come_again() {
    let Some(postgres) = Fixture::on_postgres().await else { return };
    let wire = Wire::lay(&postgres.address.parse().unwrap()).await;
    let app = TestApp::start(Fixture::at(wire.address.clone()).await).await;
    app.widget().await;
    let lead = app.submission().await;
    wire.set_open(false);
    for _ in 0..2 {
        let request = app.page(Method::POST, "/leads").body(lead.to_string()).send();
        let refused = tokio::time::timeout(PATIENCE, request).await.expect("an answer in time").unwrap();
        assert_eq!((refused.status().as_u16(), header(&refused, "retry-after")), (503, "5"));
        let body: serde_json::Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
        assert_eq!((&body["statusCode"], &body["error"]), (&503.into(), &"Service Unavailable".into()));
    }
    wire.set_open(true);
    assert_eq!(app.send_lead(&lead).await.0, 201);
    assert_eq!(app.leads_kept().await, 1);
}

/// A request that is answered from memory begins it beside itself. Those that come once it is too old wait for it, all at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_long_for_a_reading_of_the_revision_that_another_request_has_begun() {
    let Some(postgres) = Fixture::on_postgres().await else { return };
    let wire = Wire::lay(&postgres.address.parse().unwrap()).await;
    let app = TestApp::start(Fixture::at(wire.address.clone()).await).await;
    app.widget().await;
    app.session().await;
    wire.set_open(false);
    app.clock.advance(Duration::from_millis(300));
    app.session().await;
    app.clock.advance(Duration::from_secs(2));
    let asked: Vec<_> = (0..16).map(|_| tokio::spawn(app.page(Method::POST, "/session").send())).collect();
    let all = async {
        for one in asked {
            assert_eq!(one.await.unwrap().unwrap().status(), 503);
        }
    };
    tokio::time::timeout(PATIENCE, all).await.expect("answers in time");
    wire.set_open(true);
    app.session().await;
}

/// Between the ping of a connection and the answer to its statement, the answer to a commit included.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_that_dies_under_a_statement_is_given_up_and_its_lead_is_stored_once() {
    tokio::join!(
        dies_at("BEGIN"),
        dies_at("INSERT INTO lead "),
        dies_at("INSERT INTO consent "),
        dies_at("INSERT INTO idempotency "),
        dies_at("COMMIT"),
    );
}

async fn dies_at(words: &'static str) {
    let Some(postgres) = Fixture::on_postgres().await else { return };
    let wire = Wire::lay(&postgres.address.parse().unwrap()).await;
    let app = TestApp::start(Fixture::at(wire.address.clone()).await).await;
    app.widget().await;
    let mut lead = app.submission().await;
    lead["idempotencyKey"] = json!("dies");
    wire.cut_at(words);
    let mut refused = 0;
    loop {
        let request = app.page(Method::POST, "/leads").body(lead.to_string()).send();
        let answer = tokio::time::timeout(PATIENCE, request).await.expect("an answer in time").unwrap();
        match answer.status().as_u16() {
            201 => break,
            503 => assert_eq!(header(&answer, "retry-after"), "5"),
            other => panic!("{words}: {other}"),
        }
        refused += 1;
        // What the dead connection has locked is free after the bound that its session has.
        assert!(refused < 30, "{words}: {refused} refusals");
    }
    assert!(wire.was_said() && refused > 0, "{words} was never said");
    assert_eq!(app.leads_kept().await, 1, "{words}");
}
