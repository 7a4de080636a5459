//! What the server acknowledged, and whether it was true.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;

use crate::client::plain_client;
use crate::load::{CREDIT, Contractor, Parties};
use crate::server::{Installation, PRICE};

/// Begins the reason where a client has waited far beyond every bound: no fault excuses that.
pub const NO_ANSWER_IN_TIME: &str = "no answer in time";

#[derive(Default)]
pub struct Ledger {
    /// The e-mail addresses of all leads that were sent, whatever was answered.
    sent: Mutex<BTreeSet<String>>,
    /// The id that was acknowledged, by e-mail address: each is of one lead alone.
    acknowledged: Mutex<BTreeMap<String, String>>,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    wrongs: Mutex<Vec<String>>,
    /// Faults under way, and all that there were.
    hard: AtomicU64,
    hard_ever: AtomicU64,
}

/// While it lives, the server may fail.
pub struct HardTimes<'l>(&'l Ledger);

impl Drop for HardTimes<'_> {
    fn drop(&mut self) {
        self.0.hard.fetch_sub(1, Ordering::SeqCst);
    }
}

/// When a request began.
#[derive(Clone, Copy)]
pub struct Moment {
    was_hard: bool,
    hard_ever: u64,
}

impl Ledger {
    pub fn hard_times(&self) -> HardTimes<'_> {
        self.hard.fetch_add(1, Ordering::SeqCst);
        self.hard_ever.fetch_add(1, Ordering::SeqCst);
        HardTimes(self)
    }

    pub fn moment(&self) -> Moment {
        let was_hard = self.hard.load(Ordering::SeqCst) > 0;
        Moment { was_hard, hard_ever: self.hard_ever.load(Ordering::SeqCst) }
    }

    pub fn count(&self, what: &'static str) {
        *self.counts.lock().unwrap().entry(what).or_default() += 1;
    }

    fn counted(&self, what: &str) -> u64 {
        self.counts.lock().unwrap().get(what).copied().unwrap_or_default()
    }

    pub fn wrong(&self, what: String) {
        self.wrongs.lock().unwrap().push(what);
    }

    /// What was answered badly, or not at all. While something failed that is nobody's fault.
    pub fn no_answer(&self, since: Moment, what: &str, why: &str) {
        self.count("unanswered");
        if why.starts_with(NO_ANSWER_IN_TIME) {
            return self.wrong(format!("{what}: {why}"));
        }
        if !since.was_hard && self.hard_ever.load(Ordering::SeqCst) == since.hard_ever {
            self.wrong(format!("{what}: {why}, though nothing had failed"));
        }
    }

    pub fn lead_sent(&self, email: &str) {
        self.sent.lock().unwrap().insert(email.to_owned());
    }

    pub fn lead_acknowledged(&self, email: &str, id: &str) {
        let earlier = self.acknowledged.lock().unwrap().insert(email.to_owned(), id.to_owned());
        if let Some(earlier) = earlier.filter(|earlier| earlier != id) {
            self.wrong(format!("one key made two leads: {earlier} and {id}"));
        }
    }

    /// Compares it with what is stored; the counts of the run.
    pub async fn judge(&self, installation: &Installation, parties: &Parties) -> String {
        {
            // First: what was answered badly explains what is missing.
            let wrongs = self.wrongs.lock().unwrap();
            assert!(wrongs.is_empty(), "{} wrongs: {:#?}", wrongs.len(), &wrongs[..wrongs.len().min(20)]);
        }
        let (tried, held) = (self.counted("strangers' tries at the sign-in"), self.counted("strangers' tries held"));
        assert!(tried > 0 && held > 0, "strangers were not held: {tried} tries, {held} held");
        let mut stored = 0;
        for contractor in &parties.contractors {
            stored += self.judge_leads(installation, contractor).await;
        }
        let acknowledged = self.acknowledged.lock().unwrap().len();
        let accounts = installation.ask(&["account", "list"]);
        let of = |id: &str| accounts.as_array().unwrap().iter().find(|a| a["id"] == id).unwrap().clone();
        let spent = CREDIT - of(&parties.prepaid.id)["balanceCents"].as_i64().unwrap();
        let (answered, unknown) =
            (self.counted("prepaid look-ups"), self.counted("prepaid look-ups without an answer"));
        let billed = (spent / PRICE) as u64;
        assert_eq!(spent % PRICE, 0, "a part of a price was taken");
        assert!(billed >= answered, "{answered} look-ups were answered and only {billed} paid");
        assert!(billed <= answered + unknown, "{billed} look-ups were paid, of at most {}", answered + unknown);
        // Up to the last tenth of a second before each kill may be uncounted, and nothing may be counted twice.
        let used = of(&parties.free.id)["usedThisMonth"].as_u64().unwrap();
        let most = self.counted("look-ups") + self.counted("look-ups without an answer");
        assert!(used <= most, "{used} look-ups were counted, of at most {most}");
        let counts: Vec<_> = self.counts.lock().unwrap().iter().map(|(what, n)| format!("{n} {what}")).collect();
        format!(
            "{acknowledged} leads acknowledged and 0 lost, {stored} stored and 0 doubled, {billed} look-ups paid \
             ({answered} answered), {}",
            counts.join(", ")
        )
    }

    /// How many leads of a contractor are stored: those that were acknowledged, each once, and none of another.
    async fn judge_leads(&self, installation: &Installation, contractor: &Contractor) -> usize {
        let client = plain_client().build().unwrap();
        let url = format!("http://{}/api/v1/leads", installation.at);
        // With those that are held as spam.
        let asked = client.get(format!("{url}.csv")).header("token", &contractor.key).send().await.unwrap();
        let csv = asked.text().await.unwrap();
        let mut table = csv::Reader::from_reader(csv.as_bytes());
        let names = table.headers().unwrap().clone();
        let column = |name: &str| names.iter().position(|n| n == name).unwrap();
        let (id, email, status) = (column("Lead ID"), column("Email"), column("Status"));
        let mut by_email: HashMap<String, Vec<String>> = HashMap::new();
        let (mut open, mut held) = (0, 0);
        for row in table.records().map(Result::unwrap) {
            // A homeowner's lead that is held is lost to its owner. A robot that takes its time may pass for one.
            let is_held = &row[status] == "Spam";
            assert!(!is_held || row[email].starts_with("robot."), "{} is held as spam", &row[email]);
            by_email.entry(row[email].to_owned()).or_default().push(row[id].to_owned());
            *(if is_held { &mut held } else { &mut open }) += 1;
        }
        assert!(held > 0, "no robot was held");
        let sent = self.sent.lock().unwrap().clone();
        for (email, ids) in &by_email {
            assert!(email.ends_with(&contractor.domain), "{email} is another's");
            assert!(sent.contains(email), "{email} was never sent");
            assert_eq!(ids.len(), 1, "{email} is there twice: {ids:?}");
        }
        for (email, id) in self.acknowledged.lock().unwrap().iter().filter(|(e, _)| e.ends_with(&contractor.domain)) {
            assert_eq!(by_email.get(email), Some(&vec![id.clone()]), "{email} was acknowledged and is lost");
        }
        let (mut listed, mut cursor) = (0, None);
        loop {
            let mut page = client.get(&url).header("token", &contractor.key).query(&[("limit", "100")]);
            if let Some(cursor) = &cursor {
                page = page.query(&[("cursor", cursor)]);
            }
            let page: Value = page.send().await.unwrap().json().await.unwrap();
            listed += page["data"].as_array().unwrap().len();
            cursor = page["nextCursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        let printed = installation.ask(&["lead", "list", "--account", &contractor.account]);
        assert_eq!((listed, printed.as_array().unwrap().len()), (open + held, open + held));
        open + held
    }
}
