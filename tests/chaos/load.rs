//! Visitors who leave leads and photographs, and holders of a key, who are served by whichever node.

use std::sync::Arc;
use std::time::Duration;

use reqwest::multipart::{Form, Part};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};
use shingle_app::clock::MachineClock;
use shingle_store::Clock as _;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::client::plain_client;
use crate::dice::Dice;
use crate::images::png;
use crate::ledger::{Ledger, MOST, Outcome};
use crate::parties::Parties;

/// At one time.
const PEOPLE: usize = 6;
/// Before the same is asked once more.
const PAUSE: Duration = Duration::from_millis(300);
/// Of one errand with all its tries.
const ERRAND: Duration = Duration::from_secs(300);
/// Of one photograph, of which a lead has room for five, and of one logo.
const TRIES: usize = 3;

pub const LOOK_UPS: &str = "look-ups answered";
pub const UNKNOWN_LOOK_UPS: &str = "look-ups without an answer";

/// What came back.
enum Heard {
    Answer(u16, Value),
    /// It may come again.
    Nothing,
}

/// People who come until they are told to end.
pub struct Load {
    people: JoinSet<()>,
    end: watch::Sender<bool>,
}

impl Load {
    pub fn begin(base: &str, parties: &Arc<Parties>, ledger: &Arc<Ledger>, dice: &mut Dice) -> Self {
        let (end, mut people) = (watch::Sender::new(false), JoinSet::new());
        // A connection for each request: whichever node is next.
        let http = plain_client().pool_max_idle_per_host(0).build().unwrap();
        for number in 0..PEOPLE {
            let person = Person {
                base: base.to_owned(),
                parties: parties.clone(),
                ledger: ledger.clone(),
                http: http.clone(),
                dice: dice.fork(),
                network: String::new(),
            };
            people.spawn(person.come(number, end.subscribe()));
        }
        Self { people, end }
    }

    /// Returns when all are served.
    pub async fn end(mut self) {
        self.end.send_replace(true);
        while let Some(done) = self.people.join_next().await {
            done.unwrap();
        }
    }
}

struct Person {
    base: String,
    parties: Arc<Parties>,
    ledger: Arc<Ledger>,
    http: Client,
    dice: Dice,
    /// What a balancer says of where the visitor is.
    network: String,
}

impl Person {
    async fn come(mut self, person: usize, end: watch::Receiver<bool>) {
        for number in 0.. {
            if *end.borrow() {
                return;
            }
            self.network = format!("198.51.{}.{}", self.dice.below(100), self.dice.below(200) + 1);
            let errand = async {
                match self.dice.below(20) {
                    0..10 => self.visit(person, number).await,
                    10..19 => self.look_up().await,
                    _ => self.change_logo().await,
                }
            };
            if tokio::time::timeout(ERRAND, errand).await.is_err() {
                self.ledger.wrong("an errand came to no end");
            }
            // A person reads what is there.
            tokio::time::sleep(Duration::from_millis(self.dice.below(100))).await;
        }
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base));
        request.header("x-forwarded-for", &self.network)
    }

    fn page(&self, method: Method, path: &str) -> RequestBuilder {
        let path = format!("/w/{}{path}", self.parties.company.widget);
        self.request(method, &path).header("origin", &self.base)
    }

    /// Once. Nobody waits longer than fifteen seconds, whatever fails.
    async fn ask(&self, what: &str, request: RequestBuilder) -> Heard {
        let asked = self.ledger.asked();
        let sent = async {
            let answer = request.send().await?;
            let status = answer.status().as_u16();
            Ok::<_, reqwest::Error>((status, answer.text().await?))
        };
        let (heard, outcome) = match tokio::time::timeout(MOST, sent).await {
            Err(_) => {
                self.ledger.wrong(&format!("{what}: no answer in {} s", MOST.as_secs()));
                (Heard::Nothing, Outcome::BrokenOff)
            }
            Ok(Err(_)) => (Heard::Nothing, Outcome::BrokenOff),
            Ok(Ok((429 | 503, _))) => (Heard::Nothing, Outcome::Refused),
            Ok(Ok((status, text))) => {
                let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
                if status >= 500 {
                    self.ledger.wrong(&format!("{what}: {status} {body}"));
                    (Heard::Nothing, Outcome::Refused)
                } else {
                    (Heard::Answer(status, body), Outcome::Answered)
                }
            }
        };
        self.ledger.heard(&asked, outcome);
        heard
    }

    /// Until there is an answer.
    async fn insist(&self, what: &str, request: impl Fn() -> RequestBuilder) -> (u16, Value) {
        loop {
            if let Heard::Answer(status, body) = self.ask(what, request()).await {
                return (status, body);
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// A session, which the widget begins again where it has ended.
    async fn session(&self) -> Value {
        let (status, body) = self.insist("a session", || self.page(Method::POST, "/session").body("{}")).await;
        if status != 200 {
            self.ledger.wrong(&format!("a session: {status} {body}"));
        }
        body["token"].clone()
    }

    /// What the widget asks for with its session; the answer of a session that holds.
    async fn in_session(&self, what: &str, path: &str, body: &mut Value) -> (u16, Value) {
        loop {
            let text = body.to_string();
            let (status, answer) = self.insist(what, || self.page(Method::POST, path).body(text.clone())).await;
            if status != 401 {
                return (status, answer);
            }
            self.ledger.count("sessions begun again");
            body["token"] = self.session().await;
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Session, roof, lead; then perhaps photographs and the wish for a visit.
    async fn visit(&mut self, person: usize, number: usize) {
        let mut roof = json!({ "token": self.session().await, "address": { "line": crate::visitors::HOME } });
        let (status, answer) = self.in_session("a roof", "/roof", &mut roof).await;
        if status != 200 {
            self.ledger.wrong(&format!("a roof: {status} {answer}"));
        }
        let email = format!("visitor.{person}.{number}@example.com");
        let mut lead = crate::visitors::lead(&roof["token"], &format!("{person}-{number}"), &email);
        self.ledger.lead_sent(&email);
        match self.dice.below(8) {
            0 => return self.leave_lead_once(&email, &lead).await,
            1 | 2 => {
                // Somebody's connection ends before the answer is there; the lead is sent again under its key.
                let left = Duration::from_millis(self.dice.below(60));
                let request = self.page(Method::POST, "/leads").body(lead.to_string());
                let _ = tokio::time::timeout(left, request.send()).await;
                self.ledger.count("leads left before the answer");
            }
            _ => {}
        }
        let Some(receipt) = self.leave_lead(&email, &mut lead).await else { return };
        if self.dice.one_in(4) {
            self.leave_lead(&email, &mut lead).await;
        }
        if self.dice.one_in(4) {
            self.add_photographs(&receipt).await;
        }
    }

    async fn leave_lead(&self, email: &str, lead: &mut Value) -> Option<Value> {
        let (status, receipt) = self.in_session("a lead", "/leads", lead).await;
        match receipt["id"].as_str() {
            Some(id) if matches!(status, 200 | 201) => self.ledger.lead_acknowledged(email, id),
            _ => {
                self.ledger.wrong(&format!("a lead: {status} {receipt}"));
                return None;
            }
        }
        Some(receipt)
    }

    /// Goes away where there is no answer.
    async fn leave_lead_once(&self, email: &str, lead: &Value) {
        match self.ask("a lead", self.page(Method::POST, "/leads").body(lead.to_string())).await {
            Heard::Answer(200 | 201, receipt) => {
                self.ledger.lead_acknowledged(email, receipt["id"].as_str().unwrap_or_default());
            }
            Heard::Answer(401, _) | Heard::Nothing => self.ledger.lead_given_up(email),
            Heard::Answer(status, answer) => self.ledger.wrong(&format!("a lead: {status} {answer}")),
        }
    }

    /// They are seen by the company once a visit is asked for.
    async fn add_photographs(&mut self, receipt: &Value) {
        let (id, token) = (receipt["id"].as_str().unwrap_or_default(), receipt["leadToken"].clone());
        let text = token.as_str().unwrap_or_default().to_owned();
        let picture = png(40 + self.dice.below(60) as u32, 30 + self.dice.below(60) as u32);
        let mut kept = None;
        for _ in 0..TRIES {
            let form = Form::new()
                .text("leadToken", text.clone())
                .part("photo", Part::bytes(picture.clone()).file_name("a.png"));
            let request = self.page(Method::POST, &format!("/leads/{id}/photos")).multipart(form);
            match self.ask("a photograph", request).await {
                Heard::Answer(201, photo) => {
                    kept = Some(photo);
                    break;
                }
                Heard::Answer(status, answer) => {
                    return self.ledger.wrong(&format!("a photograph: {status} {answer}"));
                }
                Heard::Nothing => tokio::time::sleep(PAUSE).await,
            }
        }
        let Some(photo) = kept else { return self.ledger.count("photographs given up") };
        let day = (MachineClock.now() + Duration::from_secs(3 * 24 * 3_600)).to_string();
        let wish = json!({
            "leadToken": token,
            "inspection": {
                "wishes": [{ "date": day.get(..10), "part": "morning" }],
                "contactBy": "email",
            },
        });
        let path = format!("/leads/{id}");
        let asked = self.insist("a visit", || self.page(Method::PATCH, &path).body(wish.to_string()));
        let (status, answer) = asked.await;
        if status != 200 {
            return self.ledger.wrong(&format!("a visit: {status} {answer}"));
        }
        let (name, bytes) = (photo["id"].as_str().unwrap_or_default(), photo["bytes"].as_u64().unwrap_or_default());
        self.ledger.photo_acknowledged(id, name, bytes);
    }

    /// Costs a price, once: a request without an answer may have cost it too, and is not sent again.
    async fn look_up(&self) {
        let request = self.request(Method::GET, "/api/v1/roof-estimate").query(&[("address", crate::visitors::HOME)]);
        match self.ask("a look-up", request.header("token", &self.parties.prepaid.key)).await {
            Heard::Answer(200, _) => self.ledger.count(LOOK_UPS),
            Heard::Nothing => self.ledger.count(UNKNOWN_LOOK_UPS),
            Heard::Answer(status, answer) => self.ledger.wrong(&format!("a look-up: {status} {answer}")),
        }
    }

    /// A change of the widget: the same picture again is no other.
    async fn change_logo(&mut self) {
        let logo = png(300 + self.dice.below(200) as u32, 100 + self.dice.below(50) as u32);
        let path = format!("/api/v1/roof-estimate-widget/{}", self.parties.company.widget);
        let send = || {
            let part = Part::bytes(logo.clone()).file_name("logo.png").mime_str("image/png").unwrap();
            let request = self.request(Method::PUT, &path).multipart(Form::new().part("headerLogo", part));
            request.header("token", &self.parties.company.sandbox_key)
        };
        // While the bucket is gone no logo is kept, and a person who only tried that would ask for nothing else.
        let mut kept = None;
        for _ in 0..TRIES {
            if let Heard::Answer(status, widget) = self.ask("a logo", send()).await {
                kept = Some((status, widget));
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        let Some((status, widget)) = kept else { return self.ledger.count("logos given up") };
        let url = widget["headerLogoUrl"].as_str().and_then(|url| url.strip_prefix(&self.base));
        match url {
            Some(path) if status == 200 => self.ledger.logo_acknowledged(path),
            _ => self.ledger.wrong(&format!("a logo: {status} {widget}")),
        }
    }
}
