//! Who has an account here.

use serde_json::{Value, json};

use crate::client::plain_client;
use crate::machine::Machine;
use crate::visitors::Company;

/// Cents that the prepaid account begins with.
pub const CREDIT: i64 = 1_000_000_000;
/// Cents of one look-up: a price that no sum of other prices gives.
pub const PRICE: i64 = 7;

/// An account that looks addresses up.
pub struct Subscriber {
    pub id: String,
    pub key: String,
}

/// What the company's own server hears of.
pub struct Webhook {
    pub id: String,
    pub secret: String,
}

pub struct Parties {
    pub company: Company,
    pub prepaid: Subscriber,
    pub webhook: Webhook,
}

fn word(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap_or_else(|| panic!("no {name}: {answer}")).to_owned()
}

impl Parties {
    pub async fn found(machine: &Machine, base: &str, hook: &str) -> Self {
        let company = Company::found(machine);
        let id = word(&machine.ask(&["account", "create", "--name", "Prepaid"]), "id");
        let key = word(&machine.ask(&["key", "issue", "--account", &id, "--env", "production"]), "key");
        machine.ask(&["account", "credit", &id, &CREDIT.to_string()]);
        let sent = json!({ "name": "crm", "url": hook, "events": ["lead.created"] }).to_string();
        let client = plain_client().build().unwrap();
        let asked = client.post(format!("{base}/api/v1/webhooks")).header("token", &company.sandbox_key).body(sent);
        let made: Value = asked.send().await.unwrap().json().await.unwrap();
        let webhook = Webhook { id: word(&made, "id"), secret: word(&made, "secret") };
        Self { company, prepaid: Subscriber { id, key }, webhook }
    }
}
