//! Visitors who leave leads with a running program, and what was acknowledged to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::client::plain_client;
use super::machine::{Machine, Server};

pub const HOME: &str = "14 Alder Court, Harrow Falls, ME 04995";
/// At one time.
const VISITORS: usize = 4;

/// What a homeowner sends to [`Company`], under a key.
pub fn lead(token: &Value, key: &str, email: &str) -> Value {
    let words: Value = serde_json::from_str(include_str!("../../../www/words/en.json")).unwrap();
    let consent = words["consent"].as_str().unwrap().replace("{company}", "Oak Roofing");
    json!({
        "token": token,
        "idempotencyKey": key,
        "address": { "line": HOME },
        "firstName": "Ann",
        "lastName": "Sample",
        "email": email,
        "elapsedMs": 40_000,
        "acts": 30,
        "consent": { "given": true, "text": consent },
    })
}

pub struct Company {
    pub account: String,
    pub widget: String,
    pub sandbox_key: String,
    pub production_key: String,
}

impl Company {
    pub fn found(machine: &Machine) -> Self {
        let word = |answer: Value, name: &str| answer[name].as_str().unwrap().to_owned();
        let account = word(machine.ask(&["account", "create", "--name", "Oak Roofing"]), "id");
        let of = ["--account", account.as_str()];
        let made = machine.ask(&[&["widget", "create", "--url", "https://oak.example.com"][..], &of].concat());
        let key = |env| word(machine.ask(&[&["key", "issue", "--env", env][..], &of].concat()), "key");
        let (sandbox_key, production_key) = (key("sandbox"), key("production"));
        Self { widget: word(made, "referenceId"), sandbox_key, production_key, account }
    }
}

/// Visitors who leave leads until the server is gone. By email, the id of every lead that was acknowledged.
#[derive(Clone)]
pub struct Visitors {
    base: String,
    widget: String,
    acknowledged: Arc<Mutex<Vec<(String, String)>>>,
    count: watch::Sender<usize>,
    ends: Arc<AtomicBool>,
}

impl Visitors {
    pub fn come_to(server: &Server, company: &Company) -> (Self, Vec<JoinHandle<()>>) {
        let visitors = Self {
            base: server.base.clone(),
            widget: company.widget.clone(),
            acknowledged: Arc::default(),
            count: watch::channel(0).0,
            ends: Arc::default(),
        };
        let coming = (0..VISITORS).map(|visitor| tokio::spawn(visitors.clone().come(visitor))).collect();
        (visitors, coming)
    }

    /// From now on the server may be gone.
    pub fn end(&self) {
        self.ends.store(true, Ordering::SeqCst);
    }

    pub fn acknowledged(&self) -> Vec<(String, String)> {
        self.acknowledged.lock().unwrap().clone()
    }

    /// `None`: the server is gone.
    async fn ask(&self, client: &reqwest::Client, path: &str, body: Value) -> Option<Value> {
        let url = format!("{}/w/{}{path}", self.base, self.widget);
        let sent = client.post(url).header("origin", &self.base).body(body.to_string()).send().await.ok()?;
        let status = sent.status().as_u16();
        // The rest of an answer may be cut off by the kill: then nothing was acknowledged.
        let text = sent.text().await.ok()?;
        assert!(matches!(status, 200 | 201), "{path}: {status} {text}");
        Some(serde_json::from_str::<Value>(&text).unwrap())
    }

    async fn come(self, visitor: usize) {
        let client = plain_client().build().unwrap();
        for number in 0.. {
            let Some(session) = self.ask(&client, "/session", json!({})).await else { break };
            let email = format!("visitor.{visitor}.{number}@example.com");
            let lead = lead(&session["token"], &format!("{visitor}-{number}"), &email);
            let Some(receipt) = self.ask(&client, "/leads", lead).await else { break };
            self.acknowledged.lock().unwrap().push((email, receipt["id"].as_str().unwrap().to_owned()));
            self.count.send_modify(|count| *count += 1);
        }
        assert!(self.ends.load(Ordering::SeqCst), "the server ended before it was killed");
    }

    pub async fn until(&self, count: usize) -> Vec<(String, String)> {
        self.count.subscribe().wait_for(|now| *now >= count).await.unwrap();
        self.acknowledged()
    }
}

/// What the API says of a home, without what differs from one answer to the next.
pub async fn look_up(server: &Server, company: &Company) -> Value {
    let asked = plain_client().build().unwrap().get(format!("{}/api/v1/roof-estimate", server.base));
    let answer = asked.query(&[("address", HOME)]).header("token", &company.production_key).send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    let mut answer: Value = answer.json().await.unwrap();
    answer.as_object_mut().unwrap().remove("timestamp").unwrap();
    answer
}

/// The id of each lead by its email, which is encrypted where it is stored.
pub async fn stored_leads(server: &Server, company: &Company) -> HashMap<String, String> {
    let all = all_stored_leads(&server.base, company).await;
    all.into_iter().map(|lead| (lead.email, lead.id)).collect()
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoredLead {
    pub email: String,
    pub id: String,
    pub status: String,
}

/// With those that are held, and with what is there twice.
pub async fn all_stored_leads(base: &str, company: &Company) -> Vec<StoredLead> {
    let asked = plain_client().build().unwrap().get(format!("{base}/api/v1/leads.csv"));
    let text = asked.header("token", &company.sandbox_key).send().await.unwrap().text().await.unwrap();
    let mut table = csv::Reader::from_reader(text.as_bytes());
    let names = table.headers().unwrap().clone();
    let column = |name: &str| names.iter().position(|n| n == name).unwrap();
    let (id, email, status) = (column("Lead ID"), column("Email"), column("Status"));
    let read = |row: csv::StringRecord| {
        let text = |at: usize| row[at].to_owned();
        StoredLead { email: text(email), id: text(id), status: text(status) }
    };
    table.records().map(|row| read(row.unwrap())).collect()
}
