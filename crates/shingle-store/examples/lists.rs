//! What a list of 100,000 leads costs: processor time of all threads, for each kind of filter, with search, counts and pages.
//! Prints figures; checks nothing.
//!
//! Of the leads, the newest 2,000 are whole; the older ones have their columns and words, which is what a list reads of them.
//!
//! `cargo run --release -p shingle-store --example lists` (`LEADS=10000` for fewer)

#![allow(clippy::disallowed_methods, reason = "measures real time")]
#![allow(clippy::unwrap_used, reason = "a measurement that cannot go on has failed")]

use std::sync::Arc;
use std::time::{Duration, Instant};

use shingle_domain::lead::{LeadSource, LeadStatus, MaterialPrice, ShownEstimate};
use shingle_domain::roof::{Alerts, RoofMaterial};
use shingle_domain::{Email, Environment, Phone, Role, Tenant, Usd, UserName};
use shingle_store::{
    Assignee, ConsentDraft, InviteDraft, LeadDraft, LeadOrigin, LeadQuery, LeadSort, ListPlace, OwnerChange, Store,
};
use shingle_store_fixture::{Fixture, ManualClock, sample_widget};
use tokio::task::JoinSet;

const FIRST: [&str; 20] = [
    "Ann", "Bo", "Cleo", "Dana", "Eli", "Fay", "Gus", "Hal", "Ida", "Jon", "Kay", "Luis", "Maya", "Neil", "Ola", "Pia",
    "Quinn", "Ruth", "Sam", "Tess",
];
const STREETS: [&str; 12] =
    ["Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Grove", "Hazel", "Ivy", "Juniper", "Kelp", "Larch"];
const TOWNS: [&str; 8] = ["Portland", "Portland", "Portland", "Falmouth", "Saco", "Gorham", "Windham", "Westbrook"];

#[tokio::main]
async fn main() {
    let leads = std::env::var("LEADS").ok().and_then(|count| count.parse().ok()).unwrap_or(100_000);
    let folder = tempfile::tempdir().unwrap();
    measure(&folder.path().join("store.db"), leads).await;
}

/// Written by the store itself.
const WHOLE: u32 = 2_000;

/// Rows of older leads, made of those that are there.
fn add_older(path: &std::path::Path, leads: u32) {
    let db = rusqlite::Connection::open(path).unwrap();
    db.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF; BEGIN").unwrap();
    for copy in 1..leads / WHOLE {
        // Ids and times of their own, a day before the last copy's.
        let (id, at) =
            (format!("printf('%08x', {copy}) || substr(ID, 9)"), format!("created_at - {copy} * 86400000000"));
        let id = |column: &str| id.replace("ID", column);
        db.execute_batch(&format!(
            "INSERT INTO lead (id, account_id, environment, widget_id, status, created_at, updated_at, tokens_at)
             SELECT {0}, account_id, environment, widget_id, status, {at}, updated_at, 1 FROM lead WHERE record IS NOT NULL;
             INSERT INTO lead_facet (lead_id, account_id, environment, created_at, touched_at, status, widget_id, price_cents, town,
                                     origin, visit, assignee_id, due_day, first_touch_at, page, source, erased)
             SELECT {1}, account_id, environment, {at}, touched_at, status, widget_id, price_cents, town,
                    origin, visit, assignee_id, due_day, first_touch_at, page, source, erased
               FROM lead_facet WHERE lead_id IN (SELECT id FROM lead WHERE record IS NOT NULL);
             INSERT INTO lead_token (token, created_at, lead)
             SELECT token, t.created_at - {copy} * 86400000000, older.number
               FROM lead_token AS t JOIN lead_facet AS facet ON facet.number = t.lead
               JOIN lead_facet AS older ON older.lead_id = {2}
              WHERE facet.lead_id IN (SELECT id FROM lead WHERE record IS NOT NULL);",
            id("id"),
            id("lead_id"),
            id("facet.lead_id")
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

async fn measure(path: &std::path::Path, leads: u32) {
    let address = &format!("sqlite://{}", path.display());
    let clock = Arc::new(ManualClock::at("2026-03-10T12:00:00Z"));
    let store = Store::open(address, clock.clone(), &Fixture::SECRET).await.unwrap();
    let account = store.accounts().create("Acme").await.unwrap().id;
    let tenant = Tenant { account, environment: Environment::Production };
    let (widget, record) = sample_widget("00000000-0000-4000-8000-000000000001".parse().unwrap());
    store.widgets().create(&tenant, &widget, |_| record.clone(), None).await.unwrap();
    let invite = InviteDraft {
        account: Some(account),
        role: Role::Member,
        sees: shingle_domain::WidgetScope::All,
        email: None,
        by: None,
        lifetime: Duration::from_secs(3_600),
    };
    let (_, token) = store.people().invite(&invite).await.unwrap();
    let email = Email::parse("maya@oak.example.com").unwrap();
    let maya = store.people().accept_invite(&token, &email, &UserName::parse("Maya").unwrap()).await.unwrap();

    let begun = Instant::now();
    let mut sent = JoinSet::new();
    for n in 0..WHOLE {
        if n.is_multiple_of(100) {
            while sent.join_next().await.is_some() {}
            clock.advance(Duration::from_secs(60));
        }
        let (store, widget) = (store.clone(), widget.reference_id);
        sent.spawn(async move {
            let key = format!("lead {n}");
            store.leads().accept(&tenant, widget, &draft(n), &key, key.as_bytes()).await.unwrap()
        });
    }
    while sent.join_next().await.is_some() {}
    store.leads().index_leads().await.unwrap();
    // Some have work done on them.
    let some = store.leads().list_ids(&tenant, &LeadQuery::default(), 2_000).await.unwrap().0;
    for (n, id) in some.iter().enumerate() {
        let status = LeadStatus::ALL[n % 5];
        store
            .leads()
            .change(&tenant, *id, &OwnerChange { status: Some(status), ..OwnerChange::default() })
            .await
            .unwrap();
        if n.is_multiple_of(7) {
            store.leads().assign(&tenant, *id, &maya, Some(maya.id), None).await.unwrap();
        }
        if n.is_multiple_of(2) {
            store.leads().note_read(maya.id, *id).await.unwrap();
        }
    }
    store.leads().index_leads().await.unwrap();
    clock.advance(Duration::from_secs(600));
    store.close().await.unwrap();
    add_older(path, leads);
    println!("{leads} leads in {:.0} s", begun.elapsed().as_secs_f64());

    let store = Store::open(address, clock.clone(), &Fixture::SECRET).await.unwrap();
    let before = processor();
    let counts = store.leads().counts(&tenant, maya.id).await.unwrap();
    println!("the first list of a process{:>29.1} ms", (processor() - before) as f64 / 1e6);
    clock.advance(Duration::from_secs(600));
    let town = counts.towns.last().unwrap().0.clone();
    let search = |text: &str| LeadQuery { search: text.to_owned(), ..LeadQuery::default() };
    let none =
        LeadQuery { statuses: vec![LeadStatus::Won], price_from: Some(Usd::from_dollars(900_000)), ..search("") };
    let queries = [
        ("no filter", search("")),
        ("status", LeadQuery { statuses: vec![LeadStatus::Won, LeadStatus::Lost], ..search("") }),
        (
            "town and price",
            LeadQuery { towns: vec![town.clone()], price_from: Some(Usd::from_dollars(30_000)), ..search("") },
        ),
        ("ads", LeadQuery { origins: vec![LeadOrigin::Ads], ..search("") }),
        ("mine", LeadQuery { assignee: Some(Assignee::User(maya.id)), ..search("") }),
        ("unread", LeadQuery { unread_by: Some(maya.id), ..search("") }),
        ("by price", LeadQuery { sort: LeadSort::Price, ..search("") }),
        ("nothing matches", none.clone()),
        ("one e-mail address", search("lead77@example.com")),
        ("one telephone number", search("207 555 0077")),
        ("a rare name", search("surname77")),
        ("common words", search("portland court")),
        ("four common words", search("portland court ann 04103")),
        ("common words that never meet", search("falmouth saco")),
        ("common words and a filter", LeadQuery { statuses: vec![LeadStatus::Won], ..search("portland court") }),
        ("common words, nothing matches", LeadQuery { search: "portland court".to_owned(), ..none }),
        ("common words, by price", LeadQuery { sort: LeadSort::Price, ..search("portland court") }),
    ];
    for (what, query) in &queries {
        let (mut most, mut sum, mut found) = (0, 0, 0);
        for _ in 0..20 {
            let before = processor();
            found = store.leads().list_by(&tenant, query, ListPlace::Top, 50).await.unwrap().leads.len();
            let spent = processor() - before;
            (most, sum) = (most.max(spent), sum + spent);
        }
        println!("{what:<40} {found:>3} leads {:>6.1} ms, at most {:.1}", sum as f64 / 20e6, most as f64 / 1e6);
    }
    let before = processor();
    for _ in 0..20 {
        store.leads().counts(&tenant, maya.id).await.unwrap();
    }
    println!("{:<50} {:>6.1} ms", "counts of all tabs", (processor() - before) as f64 / 20e6);
    store.close().await.unwrap();
}

fn draft(n: u32) -> LeadDraft {
    let pick = |all: &[&'static str], step: u32| all[(n / step) as usize % all.len()];
    let price = MaterialPrice {
        material: RoofMaterial::Metal,
        price_per_square: Usd::from_dollars(1_000),
        cost: Usd::from_dollars(i64::from(5_000 + n % 40_000)),
        low: Usd::from_dollars(5_000),
        high: Usd::from_dollars(50_000),
        minimum: None,
        parts: Vec::new(),
    };
    LeadDraft {
        address: format!("{} {} Court, {}, ME 04103", 1 + n % 900, pick(&STREETS, 1), pick(&TOWNS, 1)),
        first_name: pick(&FIRST, 3).to_owned(),
        last_name: format!("Surname{}", n % 5_000),
        email: Email::parse(&format!("lead{n}@example.com")),
        phone: Phone::parse_loosely(&format!("207 555 {:04}", n % 10_000)),
        preferred_contact_time: None,
        roof_material: None,
        message: None,
        estimate: (!n.is_multiple_of(9)).then(|| ShownEstimate {
            roof_area: 2_480.0,
            squares: 24.8,
            average_roof_pitch: 26.6,
            roof_complexity_level: None,
            structure_present_confidence_score: 100,
            alerts: Alerts::default(),
            prices: vec![price],
        }),
        drawing: None,
        shown: None,
        source: LeadSource { click_id: n.is_multiple_of(11).then(|| "gclid=a1".to_owned()), ..LeadSource::default() },
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
