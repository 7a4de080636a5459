//! Whether what was acknowledged is true, as each node tells it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::client::plain_client;
use crate::deliveries::Deliveries;
use crate::ledger::{LeadFate, Ledger, PATIENCE};
use crate::load::{LOOK_UPS, UNKNOWN_LOOK_UPS};
use crate::machine::Machine;
use crate::parties::{CREDIT, PRICE, Parties};
use crate::visitors::{StoredLead, all_stored_leads};

/// Leads that are read one by one from each node, besides the list of all.
const READ_ALONE: usize = 50;

pub struct Judge<'j> {
    pub ledger: &'j Ledger,
    pub parties: &'j Parties,
    /// Where each node listens.
    pub nodes: Vec<String>,
}

impl Judge<'_> {
    pub async fn judge(&self, machine: &Machine, deliveries: &mut Deliveries) {
        let stored = self.leads().await;
        self.photographs().await;
        self.logos().await;
        self.money(machine);
        self.deliveries(&stored, deliveries).await;
    }

    async fn get(&self, base: &str, path: &str) -> (u16, Vec<u8>) {
        let asked = plain_client().build().unwrap().get(format!("{base}{path}"));
        let answer = asked.header("token", &self.parties.company.sandbox_key).send().await.unwrap();
        (answer.status().as_u16(), answer.bytes().await.unwrap().to_vec())
    }

    /// All that are stored: those acknowledged, each once, and of the others only those of visitors who gave up.
    async fn leads(&self) -> Vec<StoredLead> {
        let ledger = self.ledger;
        let mut of_all: Vec<Vec<StoredLead>> = Vec::new();
        for base in &self.nodes {
            let mut stored = all_stored_leads(base, &self.parties.company).await;
            stored.sort();
            of_all.push(stored);
        }
        if of_all.iter().any(|stored| *stored != of_all[0]) {
            ledger.wrong("nodes list different leads");
        }
        let stored = of_all.swap_remove(0);
        let mut by_email: BTreeMap<&str, Vec<&StoredLead>> = BTreeMap::new();
        for lead in &stored {
            by_email.entry(&lead.email).or_default().push(lead);
            if lead.status == "Spam" {
                ledger.wrong(&format!("the lead of {} is held as spam", lead.email));
            }
        }
        let sent = ledger.leads();
        for (email, found) in &by_email {
            if found.len() > 1 {
                ledger.wrong(&format!("{email} is there {} times", found.len()));
            }
            if !sent.contains_key(*email) {
                ledger.wrong(&format!("{email} was never sent"));
            }
        }
        let mut acknowledged = 0;
        for (email, fate) in &sent {
            let found = by_email.get(email.as_str()).and_then(|found| found.first());
            match fate {
                LeadFate::Acknowledged(kept) => {
                    acknowledged += 1;
                    if found.is_none_or(|lead| lead.id != kept.id) {
                        ledger.lost(kept, &format!("the lead {} of {email} is lost", kept.id));
                    }
                    if acknowledged % (sent.len() / READ_ALONE + 1) == 0 {
                        self.read_alone(email, &kept.id).await;
                    }
                }
                LeadFate::GivenUp => ledger.count(match found {
                    Some(_) => "leads stored of visitors who gave up",
                    None => "leads not stored of visitors who gave up",
                }),
                LeadFate::Sent => ledger.wrong(&format!("{email} was never answered")),
            }
        }
        println!("{} leads stored, {acknowledged} acknowledged", stored.len());
        stored
    }

    async fn read_alone(&self, email: &str, id: &str) {
        for base in &self.nodes {
            let (status, bytes) = self.get(base, &format!("/api/v1/leads/{id}")).await;
            let lead: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            if (status, lead["email"].as_str()) != (200, Some(email)) {
                self.ledger.wrong(&format!("{base} says of the lead {id}: {status} {lead}"));
            }
        }
    }

    /// Byte by byte the same from every node, and as long as the answer said.
    async fn photographs(&self) {
        let kept = self.ledger.photos();
        for photo in &kept {
            let path = format!("/api/v1/leads/{}/photos/{}", photo.lead, photo.photo.id);
            let mut seen = BTreeSet::new();
            for base in &self.nodes {
                seen.insert(self.get(base, &path).await);
            }
            let is_whole = |(status, bytes): &(u16, Vec<u8>)| *status == 200 && bytes.len() as u64 == photo.bytes;
            if seen.len() != 1 || !seen.iter().all(is_whole) {
                let told: Vec<_> = seen.iter().map(|(status, bytes)| (status, bytes.len())).collect();
                let what = format!("the photograph {path} of {} bytes is lost: {told:?}", photo.bytes);
                self.ledger.lost(&photo.photo, &what);
            }
        }
        println!("{} photographs acknowledged", kept.len());
    }

    async fn logos(&self) {
        let kept = self.ledger.logos();
        for logo in &kept {
            let mut seen = BTreeSet::new();
            for base in &self.nodes {
                seen.insert(self.get(base, &logo.id).await);
            }
            if seen.len() != 1 || seen.iter().any(|(status, bytes)| *status != 200 || bytes.is_empty()) {
                let told: Vec<_> = seen.iter().map(|(status, bytes)| (status, bytes.len())).collect();
                self.ledger.lost(logo, &format!("the logo {} is lost: {told:?}", logo.id));
            }
        }
        println!("{} logos acknowledged", kept.len());
    }

    /// Each answer was paid for, and nothing but what was asked for.
    fn money(&self, machine: &Machine) {
        let accounts = machine.ask(&["account", "list"]);
        let own = accounts.as_array().unwrap().iter().find(|account| account["id"] == self.parties.prepaid.id.as_str());
        let spent = CREDIT - own.unwrap()["balanceCents"].as_i64().unwrap();
        let (answered, unknown) = (self.ledger.counted(LOOK_UPS), self.ledger.counted(UNKNOWN_LOOK_UPS));
        let billed = u64::try_from(spent / PRICE).unwrap_or_default();
        println!("{billed} look-ups paid, {answered} answered");
        if spent % PRICE != 0 || billed < answered || billed > answered + unknown {
            self.ledger.wrong(&format!(
                "{spent} cents were taken for {answered} look-ups answered and {unknown} without an answer"
            ));
        }
    }

    /// Every lead that is stored was told to the company's server, and no other.
    async fn deliveries(&self, stored: &[StoredLead], deliveries: &mut Deliveries) {
        deliveries.take(self.ledger);
        let missing =
            |deliveries: &Deliveries| stored.iter().filter(|lead| !deliveries.by_lead.contains_key(&lead.id)).count();
        let all = async {
            while missing(deliveries) > 0 {
                tokio::time::sleep(crate::PAUSE).await;
                deliveries.take(self.ledger);
            }
        };
        let came = tokio::time::timeout(PATIENCE, all).await.is_ok();
        if !came {
            let ids = stored.iter().filter(|lead| !deliveries.by_lead.contains_key(&lead.id));
            let some: Vec<_> = ids.map(|lead| &lead.id).take(10).collect();
            self.ledger.wrong(&format!("{} leads were not delivered: {some:?}", missing(deliveries)));
        }
        let known: BTreeSet<_> = stored.iter().map(|lead| &lead.id).collect();
        let (mut again, mut events) = (0, 0);
        for (lead, of_lead) in &deliveries.by_lead {
            if !known.contains(lead) {
                self.ledger.wrong(&format!("an event came of the lead {lead}, which is not there"));
            }
            if of_lead.len() > 1 {
                self.ledger.wrong(&format!("{} events came of the creation of {lead}", of_lead.len()));
            }
            events += of_lead.len();
            again += of_lead.values().map(|times| times - 1).sum::<u64>();
        }
        println!("{events} events delivered, {again} of them once more");
        if came {
            self.results_are_stored(stored.len()).await;
        }
    }

    /// Each delivery counts once, however often it was sent.
    async fn results_are_stored(&self, leads: usize) {
        let path = format!("/api/v1/webhooks/{}", self.parties.webhook.id);
        let mut last = Value::Null;
        let stored = async {
            loop {
                let (_, bytes) = self.get(&self.nodes[0], &path).await;
                last = serde_json::from_slice(&bytes).unwrap_or_default();
                if last["successCount"].as_u64() == Some(leads as u64) {
                    break;
                }
                tokio::time::sleep(crate::PAUSE).await;
            }
        };
        if tokio::time::timeout(PATIENCE, stored).await.is_err() {
            self.ledger.wrong(&format!("{leads} deliveries are to be counted: {last}"));
        }
    }
}
