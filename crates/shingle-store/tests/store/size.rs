//! What a lead costs in a file of SQLite, table by table. Counts of bytes, so it is the same on every machine.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::json;
use shingle_domain::event::EventKind;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lead::{LeadSource, MaterialPrice, ShownEstimate};
use shingle_domain::public::{EstimateSummary, ShownStep};
use shingle_domain::roof::{Alerts, RoofDrawing, RoofMaterial};
use shingle_domain::{Email, Phone, Usd};
use shingle_store::{DestinationDraft, DestinationKind, LeadDraft};
use shingle_store_fixture::Fixture;
use sqlx::{Connection, SqliteConnection};

use crate::samples;

const LEADS: i64 = 600;

const FIRST: [&str; 11] =
    ["Ann", "Bo", "Cleo", "Dana", "Elizabeth", "Fay", "Guadalupe", "Hal", "Ida", "Jonathan", "Katherine"];
const LAST: [&str; 7] = ["Alderman", "Birch", "Castellanos", "Doe", "Everett-Smith", "Featherstone", "Garcia"];
const STREETS: [&str; 5] = ["Alder Court", "Old County Road", "Northeast Birch Avenue", "Main Street", "Larch Lane"];
const TOWNS: [&str; 3] = ["Portland", "Cape Elizabeth", "Westbrook"];

fn pick<'a>(all: &[&'a str], number: i64) -> &'a str {
    all[usize::try_from(number).unwrap() % all.len()]
}

fn drawing(number: i64) -> RoofDrawing {
    let (width, depth) = (400 + number % 97, 280 + number % 53);
    let facet = |aspect: &str, from: i64, to: i64| {
        json!({ "ring": [[0, from], [width, from], [width, to], [0, to], [0, from]], "area": 1_240, "aspect": aspect,
                "label": [width / 2, (from + to) / 2] })
    };
    let side = |side: &str, at: i64| json!({ "side": side, "from": [0, at], "to": [width, at], "length": width });
    serde_json::from_value(json!({
        "width": width, "height": depth, "basis": "modelled",
        "rings": [[[0, 0], [width, 0], [width, depth], [0, depth], [0, 0]]],
        "facets": [facet("north", 0, depth / 2), facet("south", depth / 2, depth)],
        "lines": [{ "kind": "ridge", "from": [0, depth / 2], "to": [width, depth / 2], "length": 52 }],
        "dimensions": [side("north", 0), side("south", depth)],
    }))
    .unwrap()
}

fn prices(number: i64) -> Vec<MaterialPrice> {
    let price = |material| MaterialPrice {
        material,
        price_per_square: Usd::from_dollars(550),
        cost: Usd::from_dollars(13_000 + number),
        low: Usd::from_dollars(11_000 + number),
        high: Usd::from_dollars(15_000 + number),
        minimum: None,
        parts: Vec::new(),
    };
    [RoofMaterial::Metal; 3].map(price).into()
}

/// As a visitor sends it who came by an ad.
fn draft(number: i64) -> LeadDraft {
    let (first, last) = (pick(&FIRST, number), pick(&LAST, number / 11));
    let (street, town) = (pick(&STREETS, number / 3), pick(&TOWNS, number / 7));
    let estimate = ShownEstimate {
        roof_area: 2_480.0,
        squares: 24.8,
        average_roof_pitch: 26.6,
        roof_complexity_level: None,
        structure_present_confidence_score: 100,
        alerts: Alerts::default(),
        prices: prices(number),
    };
    let sheet = EstimateSummary {
        street: format!("{} {street}", 1 + number),
        roof_area: 2_480,
        areas: vec![2_480],
        pitch_tenths: 266,
        rise_halves: 12,
        assumed_pitch: None,
        complexity: None,
        facets: Some(2),
        alerts: Alerts::default(),
        prices: prices(number),
    };
    LeadDraft {
        address: format!("{} {street}, {town}, ME 04{:03}", 1 + number, 100 + number % 9),
        first_name: first.to_owned(),
        last_name: last.to_owned(),
        email: Email::parse(&format!("{first}.{last}{number}@example.com").to_lowercase()),
        phone: Phone::parse_loosely(&format!("207 555 {number:04}")),
        message: (number % 3 == 0).then(|| "The ridge leaks when the wind is from the west.".to_owned()),
        roof_material: Some(RoofMaterial::Metal),
        estimate: Some(estimate),
        drawing: Some(drawing(number)),
        shown: Some(ShownStep { sheet, roof: None, chosen: BuildingSet::FIRST }),
        source: LeadSource {
            page_url: Some("https://acme.example.com/roofs?utm_source=newsletter".to_owned()),
            referrer: Some("https://search.example.com/".to_owned()),
            utm_source: Some("newsletter".to_owned()),
            click_id: Some(format!("gclid=EAIaIQobChMI{number:012}")),
            ..LeadSource::default()
        },
        ..samples::draft("Ann")
    }
}

/// Bytes of the pages of each table and index, for each lead.
async fn bytes_of_a_lead(f: &Fixture) -> BTreeMap<String, i64> {
    let mut beside = SqliteConnection::connect(&f.address).await.unwrap();
    let rows: Vec<(String, i64)> =
        sqlx::query_as("SELECT name, SUM(pgsize) FROM dbstat GROUP BY name").fetch_all(&mut beside).await.unwrap();
    rows.into_iter().map(|(name, bytes)| (name, bytes / LEADS)).filter(|(_, bytes)| *bytes > 20).collect()
}

/// 9.6 kB, of which 2.0 kB are search words, where it was 25.8 kB with 11.2 kB.
#[tokio::test]
async fn a_lead_takes_at_most_eleven_kilobytes() {
    let f = Fixture::on_sqlite().await;
    let tenant = samples::tenant(&f.store).await;
    let widget = samples::stored_widget(&f.store, &tenant, 1).await;
    let hook = DestinationDraft {
        kind: DestinationKind::Webhook,
        name: "crm".to_owned(),
        address: "https://hooks.example.com/".to_owned(),
        events: vec![EventKind::LeadCreated],
        widgets: Vec::new(),
        active: true,
        ordered: false,
        timeout_seconds: 15,
        config: "{}".to_owned(),
        secrets: None,
    };
    f.store.destinations().create(&tenant, &hook, None).await.unwrap();
    for number in 0..LEADS {
        f.clock.advance(Duration::from_secs(60));
        let key = format!("lead {number}");
        f.store.leads().accept(&tenant, widget, &draft(number), &key, key.as_bytes()).await.unwrap();
        if number % 10 == 0 {
            f.store.leads().index_leads().await.unwrap();
        }
    }
    f.store.leads().index_leads().await.unwrap();
    let words = f.number("SELECT COUNT(*) FROM lead_token").await / LEADS;
    let bytes = bytes_of_a_lead(&f).await;
    let sum = |of: &str| bytes.iter().filter(|(name, _)| name.contains(of)).map(|(_, bytes)| bytes).sum::<i64>();
    println!("{} bytes, {} of them for {words} search words: {bytes:#?}", sum(""), sum("lead_token"));
    assert!(words > 20, "{words} words");
    assert!(sum("") < 11_000 && sum("lead_token") < 2_400, "more than it should");
}
