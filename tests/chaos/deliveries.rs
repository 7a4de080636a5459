//! What the company's own server received.

use std::collections::HashMap;

use shingle_deliver::SigningSecret;

use crate::ledger::Ledger;
use crate::receiver::{Received, Receiver};

pub struct Deliveries {
    receiver: Receiver,
    secret: Option<SigningSecret>,
    /// How often each event came, by the lead that it is about.
    pub by_lead: HashMap<String, HashMap<String, u64>>,
}

impl Deliveries {
    pub fn to(receiver: Receiver) -> Self {
        Self { receiver, secret: None, by_lead: HashMap::new() }
    }

    pub fn url(&self) -> String {
        self.receiver.url()
    }

    pub fn are_signed_with(&mut self, secret: &str) {
        self.secret = SigningSecret::parse(secret);
    }

    /// Takes what has come until now.
    pub fn take(&mut self, ledger: &Ledger) {
        for received in self.receiver.take() {
            self.note(&received, ledger);
        }
    }

    fn note(&mut self, received: &Received, ledger: &Ledger) {
        let (id, event) = (received.header("webhook-id"), received.json());
        let (signatures, time) = (received.header("webhook-signature"), received.header("webhook-timestamp").parse());
        let is_signed =
            |secret: &SigningSecret| time.is_ok_and(|time| secret.verifies(signatures, id, time, &received.body));
        if !self.secret.as_ref().is_some_and(is_signed) {
            ledger.wrong(&format!("the event {id} has no valid signature"));
        }
        if event["type"] != "lead.created" || event["id"] != id {
            ledger.wrong(&format!("the event {id} says of itself: {} {}", event["type"], event["id"]));
        }
        let lead = event["data"]["id"].as_str().unwrap_or_default().to_owned();
        *self.by_lead.entry(lead).or_default().entry(id.to_owned()).or_default() += 1;
    }
}
