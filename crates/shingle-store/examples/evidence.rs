//! What the evidence of one lead costs in an account of 100, 10,000 and 100,000 leads: its consents, its certificate, and the
//! results of a company. Prints processor time of all threads; checks nothing.
//!
//! A hundred leads are whole; the others have their rows, which is what a bad plan would read.
//!
//! `cargo run --release -p shingle-store --example evidence`

#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

use std::path::Path;
use std::sync::Arc;

use shingle_domain::lead::{LeadSource, ShownEstimate};
use shingle_domain::roof::Alerts;
use shingle_domain::{Email, Environment, LeadId, Tenant};
use shingle_store::{ConsentDraft, LeadDraft, OutcomeFilter, Store};
use shingle_store_fixture::{Fixture, ManualClock, sample_widget};

const WHOLE: u32 = 100;

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (tenant, leads) = begin(&path).await;
    println!(
        "{:>8} {:>16} {:>16} {:>16} {:>16}",
        "leads", "consents us", "certificate us", "results us", "export us/lead"
    );
    let mut rows = WHOLE;
    for wanted in [100, 10_000, 100_000] {
        add(&path, rows, wanted);
        rows = wanted;
        measure(&path, &tenant, &leads, wanted).await;
    }
}

async fn open(path: &Path, now: &str) -> Store {
    let clock = Arc::new(ManualClock::at(now));
    Store::open(&format!("sqlite://{}", path.display()), clock, &Fixture::SECRET).await.unwrap()
}

async fn begin(path: &Path) -> (Tenant, Vec<LeadId>) {
    let store = open(path, "2026-03-10T12:00:00Z").await;
    let tenant =
        Tenant { account: store.accounts().create("Acme").await.unwrap().id, environment: Environment::Production };
    let (widget, record) = sample_widget("00000000-0000-4000-8000-000000000001".parse().unwrap());
    store.widgets().create(&tenant, &widget, |_| record.clone(), None).await.unwrap();
    let mut leads = Vec::new();
    for n in 0..WHOLE {
        let key = format!("lead {n}");
        let accepted =
            store.leads().accept(&tenant, widget.reference_id, &draft(n), &key, key.as_bytes()).await.unwrap();
        leads.push(accepted.lead.id);
    }
    store.leads().index_leads().await.unwrap();
    store.close().await.unwrap();
    (tenant, leads)
}

/// Rows of further leads, made of those that are there.
fn add(path: &Path, from: u32, to: u32) {
    let db = rusqlite::Connection::open(path).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN").unwrap();
    for copy in from / WHOLE..to / WHOLE {
        let id = |column: &str| format!("printf('%08x', {copy}) || substr({column}, 9)");
        let (lead, consent, of) = (id("id"), id("id"), id("lead_id"));
        let first = "created_at >= 0 AND id IN (SELECT id FROM lead WHERE record IS NOT NULL)";
        db.execute_batch(&format!(
            "INSERT INTO lead (id, account_id, environment, widget_id, status, created_at, updated_at, tokens_at)
             SELECT {lead}, account_id, environment, widget_id, status, created_at, updated_at, 1 FROM lead WHERE {first};
             INSERT INTO lead_facet (lead_id, account_id, environment, created_at, touched_at, status, widget_id, price_cents,
                                     origin, page, source, erased)
             SELECT {of}, account_id, environment, created_at, touched_at, status, widget_id, price_cents, origin, page, source,
                    erased FROM lead_facet WHERE lead_id IN (SELECT id FROM lead WHERE record IS NOT NULL);
             INSERT INTO consent (id, account_id, environment, lead_id, given, text, text_hash, at, evidence, digest, sequence, link)
             SELECT {consent}, account_id, environment, {of}, given, text, text_hash, at, evidence, digest,
                    sequence + {copy} * {WHOLE}, link
               FROM consent WHERE lead_id IN (SELECT id FROM lead WHERE record IS NOT NULL);"
        ))
        .unwrap();
    }
    db.execute_batch("COMMIT").unwrap();
}

/// Of all threads, in nanoseconds.
fn processor() -> u64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let spent = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("schedstat")).ok());
    spent.map(|text| text.split(' ').next().unwrap().parse::<u64>().unwrap()).sum()
}

async fn measure(path: &Path, tenant: &Tenant, leads: &[LeadId], rows: u32) {
    // Later than the leads: what was touched in the last minutes is read again for each list.
    let store = open(path, "2026-03-10T13:00:00Z").await;
    let all = OutcomeFilter::default();
    // The index in memory is read once for a process.
    store.leads().outcomes(tenant, &all).await.unwrap();
    let few = u64::from(WHOLE);
    let before = processor();
    for lead in leads {
        assert_eq!(store.consents().list_evidence(tenant, *lead).await.unwrap().len(), 1);
    }
    let consents = (processor() - before) / few / 1_000;
    let before = processor();
    for lead in leads {
        store.consents().certificate(tenant, *lead).await.unwrap();
    }
    let certificate = (processor() - before) / few / 1_000;
    let before = processor();
    for _ in 0..10 {
        assert_eq!(store.leads().outcomes(tenant, &all).await.unwrap().len(), rows as usize);
    }
    let results = (processor() - before) / 10_000;
    // What an export does for each lead: its record and its consents.
    let before = processor();
    for lead in leads {
        store.leads().find(tenant, *lead).await.unwrap().unwrap();
        store.consents().list_evidence(tenant, *lead).await.unwrap();
    }
    let export = (processor() - before) / few / 1_000;
    println!("{rows:>8} {consents:>16} {certificate:>16} {results:>16} {export:>16}");
    store.close().await.unwrap();
}

fn draft(n: u32) -> LeadDraft {
    LeadDraft {
        address: format!("{} Alder Court, Portland, ME 04103", 1 + n),
        first_name: "Ann".to_owned(),
        last_name: format!("Surname{n}"),
        email: Email::parse(&format!("lead{n}@example.com")),
        phone: None,
        preferred_contact_time: None,
        roof_material: None,
        message: None,
        estimate: Some(ShownEstimate {
            roof_area: 2_480.0,
            squares: 24.8,
            average_roof_pitch: 26.6,
            roof_complexity_level: None,
            structure_present_confidence_score: 100,
            alerts: Alerts::default(),
            prices: Vec::new(),
        }),
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
