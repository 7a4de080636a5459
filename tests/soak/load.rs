//! Visitors and holders of keys: what they ask for, and what they are told.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::plain_client;
use crate::dice::Dice;
use crate::ledger::{Ledger, NO_ANSWER_IN_TIME};
use crate::server::Installation;
use crate::{LOOK_UPS, RANDOM_REQUESTS, ROBOTS, VISITS};

/// Cents that the prepaid account begins with.
pub const CREDIT: i64 = 1_000_000_000;
const HOME: &str = "14 Alder Court, Harrow Falls, ME 04995";
/// Of one request: a busy machine has answered after fifty seconds, and what has no bound is never answered. And of one errand
/// with all its tries.
const PATIENCE: Duration = Duration::from_secs(180);
const ERRAND: Duration = Duration::from_secs(600);
const PAUSE: Duration = Duration::from_millis(100);
/// Errands at one time.
const AT_ONCE: usize = 12;

/// What a homeowner agrees to at a widget of this company.
fn consent(company: &str) -> String {
    let words: Value = serde_json::from_str(include_str!("../../www/words/en.json")).unwrap();
    words["consent"].as_str().unwrap().replace("{company}", company)
}

/// An account whose widget gets leads.
pub struct Contractor {
    pub account: String,
    pub key: String,
    widget: String,
    company: &'static str,
    /// Of the e-mail addresses of its visitors.
    pub domain: String,
}

/// An account that looks addresses up.
pub struct Subscriber {
    pub id: String,
    key: String,
}

pub struct Parties {
    pub contractors: [Contractor; 2],
    pub prepaid: Subscriber,
    pub free: Subscriber,
}

fn word(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap().to_owned()
}

impl Parties {
    pub fn found(installation: &Installation) -> Arc<Self> {
        let account = |name: &str| word(&installation.ask(&["account", "create", "--name", name]), "id");
        let key =
            |account: &str, env| word(&installation.ask(&["key", "issue", "--account", account, "--env", env]), "key");
        let contractor = |company: &'static str, domain: &str| {
            let account = account(company);
            let key = key(&account, "sandbox");
            let site = format!("https://{domain}");
            let made = installation.ask(&["widget", "create", "--account", &account, "--url", &site]);
            Contractor { widget: word(&made, "referenceId"), key, account, company, domain: domain.to_owned() }
        };
        let subscriber = |name| {
            let id = account(name);
            Subscriber { key: key(&id, "production"), id }
        };
        let contractors = [contractor("Oak Roofing", "oak.example.com"), contractor("Elm Roofing", "elm.example.com")];
        let (prepaid, free) = (subscriber("Prepaid"), subscriber("Free"));
        installation.ask(&["account", "credit", &prepaid.id, &CREDIT.to_string()]);
        Arc::new(Self { contractors, prepaid, free })
    }
}

#[derive(Clone)]
pub struct Load {
    pub ledger: Arc<Ledger>,
    pub parties: Arc<Parties>,
    pub installation: Installation,
}

impl Load {
    /// The same for every round, in an order of its own; returns when everybody is served.
    pub async fn round(self, round: u64, mut dice: Dice) {
        let client = plain_client().timeout(PATIENCE).build().unwrap();
        let mut errands: Vec<u64> = (0..VISITS + ROBOTS + LOOK_UPS + RANDOM_REQUESTS).collect();
        for at in (1..errands.len()).rev() {
            errands.swap(at, dice.below(at as u64 + 1) as usize);
        }
        let mut under_way = tokio::task::JoinSet::new();
        for errand in errands {
            while under_way.len() >= AT_ONCE {
                under_way.join_next().await.unwrap().unwrap();
            }
            let client = Client { load: self.clone(), http: client.clone(), dice: dice.fork() };
            under_way.spawn(client.run(errand, round));
        }
        while let Some(done) = under_way.join_next().await {
            done.unwrap();
        }
    }
}

/// Somebody on an errand.
struct Client {
    load: Load,
    http: reqwest::Client,
    dice: Dice,
}

impl Client {
    async fn run(mut self, errand: u64, round: u64) {
        let ledger = self.load.ledger.clone();
        let work = async {
            match errand {
                n if n < VISITS => self.visit(round * VISITS + n).await,
                n if n < VISITS + ROBOTS => self.robot(round * ROBOTS + n - VISITS).await,
                n if n < VISITS + ROBOTS + LOOK_UPS => self.look_up().await,
                _ => self.random_request().await,
            }
        };
        if tokio::time::timeout(ERRAND, work).await.is_err() {
            ledger.wrong(format!("errand {errand} of round {round} came to no end"));
        }
    }

    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("http://{}{path}", self.load.installation.at))
    }

    /// The answer to a request of the widget's page, which is tried until there is one.
    async fn ask(&self, widget: &str, path: &str, body: &Value) -> (u16, Value) {
        loop {
            let (since, origin) = (self.load.ledger.moment(), format!("http://{}", self.load.installation.at));
            let request = self.request(Method::POST, &format!("/w/{widget}{path}")).header("origin", origin);
            match answer(request.body(body.to_string())).await {
                Ok((status, body)) if status < 500 => return (status, body),
                Ok((status, _)) => self.load.ledger.no_answer(since, path, &status.to_string()),
                Err(why) => self.load.ledger.no_answer(since, path, &why),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn expect(&self, widget: &str, path: &str, body: &Value) -> Value {
        let (status, answer) = self.ask(widget, path, body).await;
        if !matches!(status, 200 | 201) {
            self.load.ledger.wrong(format!("{path}: {status} {answer}"));
        }
        answer
    }

    /// Session, suggestions, roof, lead: each lead under a key and a person of its own.
    async fn visit(&mut self, number: u64) {
        let parties = self.load.parties.clone();
        let ours = self.dice.below(2) as usize;
        let (contractor, other) = (&parties.contractors[ours], &parties.contractors[1 - ours]);
        let widget = &contractor.widget;
        let token = self.expect(widget, "/session", &json!({})).await["token"].clone();
        self.expect(widget, "/suggest", &json!({ "token": token, "text": "14 Ald" })).await;
        self.expect(widget, "/roof", &json!({ "token": token, "address": { "line": HOME } })).await;
        let email = format!("visitor.{number}@{}", contractor.domain);
        let mut lead = lead_of(contractor, &token, &format!("visit-{number}"), &email);
        self.seem_honest(&mut lead);
        self.load.ledger.lead_sent(&email);
        if self.dice.one_in(5) {
            // Somebody who goes before the answer is there; it is sent again under its key.
            let origin = format!("http://{}", self.load.installation.at);
            let request = self.request(Method::POST, &format!("/w/{widget}/leads")).header("origin", origin);
            let left = Duration::from_millis(self.dice.below(40));
            let _ = tokio::time::timeout(left, request.body(lead.to_string()).send()).await;
            self.load.ledger.count("leads left before the answer");
        }
        let receipt = self.expect(widget, "/leads", &lead).await;
        let Some(id) = receipt["id"].as_str() else { return };
        self.load.ledger.lead_acknowledged(&email, id);
        if self.dice.one_in(4) {
            let again = self.expect(widget, "/leads", &lead).await;
            if let Some(id) = again["id"].as_str() {
                self.load.ledger.lead_acknowledged(&email, id);
            }
        }
        if self.dice.one_in(4) {
            self.look_at_foreign_lead(id, other, &receipt["leadToken"]).await;
        }
    }

    /// What a homeowner's browser says of the visit, whatever has happened to its clock, its tab and its form.
    fn seem_honest(&mut self, lead: &mut Value) {
        let acts = 5 + self.dice.below(120);
        let (took, acts, trap) = match self.dice.below(6) {
            0 => (0, Some(acts), ""),
            1 => (self.dice.below(1_500), Some(acts), ""),
            2 => (15_000 + self.dice.below(600_000), Some(acts), "https://ann.example.com"),
            3 => (2_000 + self.dice.below(9_000), Some(acts), " "),
            4 => (1_500 + self.dice.below(90_000), None, ""),
            _ => (20_000 + self.dice.below(90_000), Some(acts), ""),
        };
        lead["elapsedMs"] = took.into();
        lead["acts"] = acts.into();
        lead["website"] = trap.into();
    }

    /// A program that fills in whatever it finds, or takes no time, and does nothing else.
    async fn robot(&mut self, number: u64) {
        let parties = self.load.parties.clone();
        let contractor = self.dice.one_of(&parties.contractors);
        let token = self.expect(&contractor.widget, "/session", &json!({})).await["token"].clone();
        let email = format!("robot.{number}@{}", contractor.domain);
        let mut lead = lead_of(contractor, &token, &format!("robot-{number}"), &email);
        let (took, trap) = match self.dice.below(3) {
            0 => (self.dice.below(1_500), ""),
            1 => (self.dice.below(1_500), "https://spam.example.com"),
            _ => (self.dice.below(90_000), "https://spam.example.com"),
        };
        lead["elapsedMs"] = took.into();
        lead["website"] = trap.into();
        self.load.ledger.lead_sent(&email);
        let receipt = self.expect(&contractor.widget, "/leads", &lead).await;
        if let Some(id) = receipt["id"].as_str() {
            self.load.ledger.lead_acknowledged(&email, id);
            self.load.ledger.count("leads of robots");
        }
    }

    /// Another account's key, and a token at another account's widget, get nothing.
    async fn look_at_foreign_lead(&self, id: &str, other: &Contractor, token: &Value) {
        let ledger = &self.load.ledger;
        ledger.count("looks at foreign leads");
        for method in [Method::GET, Method::DELETE] {
            let asked = self.request(method, &format!("/api/v1/leads/{id}")).header("token", &other.key);
            if let Ok((status, body)) = answer(asked).await
                && status < 500
                && status != 404
            {
                ledger.wrong(format!("a foreign lead: {status} {body}"));
            }
        }
        let (status, body) =
            self.ask(&other.widget, &format!("/leads/{id}/estimate"), &json!({ "leadToken": token })).await;
        if !matches!(status, 401 | 404) {
            ledger.wrong(format!("a lead at a foreign widget: {status} {body}"));
        }
    }

    async fn look_up(&mut self) {
        let parties = self.load.parties.clone();
        let (subscriber, told, untold) = if self.dice.one_in(2) {
            (&parties.prepaid, "prepaid look-ups", "prepaid look-ups without an answer")
        } else {
            (&parties.free, "look-ups", "look-ups without an answer")
        };
        let since = self.load.ledger.moment();
        let request = self.request(Method::GET, "/api/v1/roof-estimate").query(&[("address", HOME)]);
        let ledger = &self.load.ledger;
        match answer(request.header("token", &subscriber.key)).await {
            Ok((200, _)) => ledger.count(told),
            Ok((status @ 500.., _)) => {
                ledger.count(untold);
                ledger.no_answer(since, "a look-up", &status.to_string());
            }
            Ok((status, body)) => ledger.wrong(format!("a look-up: {status} {body}")),
            Err(why) => {
                ledger.count(untold);
                ledger.no_answer(since, "a look-up", &why);
            }
        }
    }

    /// Whatever comes, it is refused or answered.
    async fn random_request(&mut self) {
        let parties = self.load.parties.clone();
        let contractor = self.dice.one_of(&parties.contractors);
        let widget = &contractor.widget;
        let paths = [
            format!("/w/{widget}/session"),
            format!("/w/{widget}/suggest"),
            format!("/w/{widget}/roof"),
            format!("/w/{widget}/leads"),
            format!("/w/{widget}/leads/{widget}"),
            format!("/w/{widget}/leads/{widget}/photos"),
            format!("/w/{widget}/contact"),
            format!("/api/v1/roof-estimate-widget/{widget}"),
            "/api/v1/roof-estimate-widget".to_owned(),
            format!("/api/v1/leads/{widget}"),
            "/api/v1/leads?limit=%00&cursor=zz".to_owned(),
            "/api/v1/solar-estimate?address=%f0%9f".to_owned(),
            format!("/w/{widget}.js"),
            format!("/w/{widget}"),
        ];
        let path = self.dice.one_of(&paths).clone();
        let method =
            self.dice.one_of(&[Method::POST, Method::PUT, Method::PATCH, Method::GET, Method::OPTIONS]).clone();
        let mut body = json!({ "token": "x", "address": { "line": HOME }, "leadToken": "x", "text": "14" });
        let mut bytes = match self.dice.below(3) {
            0 => self.dice.bytes(4_000),
            1 => {
                body["text"] = "[".repeat(self.dice.below(20_000) as usize).into();
                body.to_string().into_bytes()
            }
            _ => body.to_string().into_bytes(),
        };
        for _ in 0..self.dice.below(4) {
            if !bytes.is_empty() {
                let at = self.dice.below(bytes.len() as u64) as usize;
                bytes[at] = self.dice.next() as u8;
            }
        }
        let kind = *self.dice.one_of(&["application/json", "text/plain", "multipart/form-data; boundary=x", ""]);
        let since = self.load.ledger.moment();
        let mut request = self.request(method, &path).body(bytes).header("token", &contractor.key);
        request = request.header("origin", format!("http://{}", self.load.installation.at));
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        match request.send().await {
            Ok(answer) if answer.status().as_u16() >= 500 => {
                self.load.ledger.no_answer(since, &path, &answer.status().to_string());
            }
            Ok(answer) => {
                // The rest of an answer may be cut off by a kill.
                let _ = answer.bytes().await;
                self.load.ledger.count("random requests");
            }
            Err(error) => self.load.ledger.no_answer(since, &path, &format!("{error:?}")),
        }
    }
}

fn lead_of(contractor: &Contractor, token: &Value, key: &str, email: &str) -> Value {
    json!({
        "token": token,
        "idempotencyKey": key,
        "address": { "line": HOME },
        "firstName": "Ann",
        "lastName": "Sample",
        "email": email,
        "consent": { "given": true, "text": consent(contractor.company) },
    })
}

/// Status and body; the error says what became of the connection.
async fn answer(request: reqwest::RequestBuilder) -> Result<(u16, Value), String> {
    let sent = async {
        let answer = request.send().await?;
        let status = answer.status().as_u16();
        Ok::<_, reqwest::Error>((status, answer.text().await?))
    };
    let (status, text) = sent.await.map_err(|error| match error.is_timeout() {
        true => format!("{NO_ANSWER_IN_TIME}: {error:?}"),
        false => format!("{error:?}"),
    })?;
    Ok((status, serde_json::from_str(&text).unwrap_or(Value::String(text))))
}
