//! What was acknowledged, and what each fault did to those who asked.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use shingle_app::clock::MachineClock;
use shingle_store::Clock as _;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::fault::Fault;

/// What nobody waits longer for, whatever fails.
pub const MOST: Duration = Duration::from_secs(15);
/// For what must come, on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(180);

#[derive(Debug, Clone)]
pub enum LeadFate {
    /// There was no answer yet.
    Sent,
    Acknowledged(Kept),
    /// The visitor went away without an answer: it may be stored or not.
    GivenUp,
}

/// What must be there at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub id: String,
    /// When it was acknowledged.
    pub during: Fault,
}

#[derive(Debug, Clone)]
pub struct KeptPhoto {
    pub lead: String,
    pub photo: Kept,
    pub bytes: u64,
}

/// What came of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Answered,
    /// Told to come again.
    Refused,
    /// The connection ended without an answer.
    BrokenOff,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    times: u64,
    requests: u64,
    refused: u64,
    broken_off: u64,
    slowest: Duration,
    lost: u64,
}

pub struct Ledger {
    now: Mutex<Fault>,
    rows: Mutex<BTreeMap<Fault, Row>>,
    leads: Mutex<BTreeMap<String, LeadFate>>,
    photos: Mutex<Vec<KeptPhoto>>,
    logos: Mutex<Vec<Kept>>,
    counts: Mutex<BTreeMap<&'static str, u64>>,
    wrongs: Mutex<Vec<String>>,
    answers: watch::Sender<u64>,
}

/// A request under way.
pub struct Asked {
    during: Fault,
    at: Instant,
}

impl Ledger {
    pub fn new() -> Self {
        Self {
            now: Mutex::new(Fault::Nothing),
            rows: Mutex::default(),
            leads: Mutex::default(),
            photos: Mutex::default(),
            logos: Mutex::default(),
            counts: Mutex::default(),
            wrongs: Mutex::default(),
            answers: watch::Sender::new(0),
        }
    }

    pub fn fault(&self) -> Fault {
        *self.now.lock().unwrap()
    }

    pub fn begin(&self, fault: Fault) {
        *self.now.lock().unwrap() = fault;
        self.row(fault, |row| row.times += 1);
    }

    pub fn end(&self) {
        *self.now.lock().unwrap() = Fault::Nothing;
    }

    fn row(&self, fault: Fault, change: impl FnOnce(&mut Row)) {
        change(self.rows.lock().unwrap().entry(fault).or_default());
    }

    pub fn asked(&self) -> Asked {
        Asked { during: self.fault(), at: Instant::now() }
    }

    /// Counted to the fault under way: at its end, or at its beginning.
    pub fn heard(&self, asked: &Asked, outcome: Outcome) {
        let during = Some(asked.during).filter(|fault| *fault != Fault::Nothing).unwrap_or_else(|| self.fault());
        let took = asked.at.elapsed();
        self.row(during, |row| {
            row.requests += 1;
            row.refused += u64::from(outcome == Outcome::Refused);
            row.broken_off += u64::from(outcome == Outcome::BrokenOff);
            row.slowest = row.slowest.max(took);
        });
        if outcome == Outcome::Answered {
            self.answers.send_modify(|answers| *answers += 1);
        }
    }

    /// Returns once so many more requests were answered.
    pub async fn until_more_answers(&self, more: u64) {
        let mut answers = self.answers.subscribe();
        let enough = *answers.borrow() + more;
        let came = tokio::time::timeout(PATIENCE, answers.wait_for(|answers| *answers >= enough)).await;
        assert!(came.is_ok(), "no answers any more during: {}", self.fault().name());
    }

    pub fn count(&self, what: &'static str) {
        *self.counts.lock().unwrap().entry(what).or_default() += 1;
    }

    pub fn counted(&self, what: &str) -> u64 {
        self.counts.lock().unwrap().get(what).copied().unwrap_or_default()
    }

    pub fn wrong(&self, what: &str) {
        let (at, during) = (MachineClock.now(), self.fault().name());
        self.wrongs.lock().unwrap().push(format!("{at}: {what}, during: {during}"));
    }

    pub fn wrongs(&self) -> Vec<String> {
        self.wrongs.lock().unwrap().clone()
    }

    pub fn lead_sent(&self, email: &str) {
        self.leads.lock().unwrap().insert(email.to_owned(), LeadFate::Sent);
    }

    pub fn lead_given_up(&self, email: &str) {
        self.leads.lock().unwrap().insert(email.to_owned(), LeadFate::GivenUp);
    }

    pub fn lead_acknowledged(&self, email: &str, id: &str) {
        let kept = LeadFate::Acknowledged(Kept { id: id.to_owned(), during: self.fault() });
        let before = self.leads.lock().unwrap().insert(email.to_owned(), kept);
        if let Some(LeadFate::Acknowledged(earlier)) = before
            && earlier.id != id
        {
            self.wrong(&format!("one key made two leads: {} and {id}", earlier.id));
        }
    }

    pub fn photo_acknowledged(&self, lead: &str, photo: &str, bytes: u64) {
        let photo = Kept { id: photo.to_owned(), during: self.fault() };
        self.photos.lock().unwrap().push(KeptPhoto { lead: lead.to_owned(), photo, bytes });
    }

    pub fn logo_acknowledged(&self, path: &str) {
        self.logos.lock().unwrap().push(Kept { id: path.to_owned(), during: self.fault() });
    }

    pub fn leads(&self) -> BTreeMap<String, LeadFate> {
        self.leads.lock().unwrap().clone()
    }

    pub fn photos(&self) -> Vec<KeptPhoto> {
        self.photos.lock().unwrap().clone()
    }

    pub fn logos(&self) -> Vec<Kept> {
        self.logos.lock().unwrap().clone()
    }

    /// Something acknowledged is not there.
    pub fn lost(&self, kept: &Kept, what: &str) {
        self.row(kept.during, |row| row.lost += 1);
        self.wrongs.lock().unwrap().push(format!("{what}, acknowledged during: {}", kept.during.name()));
    }

    pub fn print(&self) {
        println!(
            "{:<42}{:>6}{:>10}{:>9}{:>12}{:>16}{:>6}",
            "fault", "times", "requests", "refused", "broken off", "slowest answer", "lost"
        );
        for (fault, row) in self.rows.lock().unwrap().iter() {
            let times = if *fault == Fault::Nothing { "-".to_owned() } else { row.times.to_string() };
            println!(
                "{:<42}{times:>6}{:>10}{:>9}{:>12}{:>14.1} s{:>6}",
                fault.name(),
                row.requests,
                row.refused,
                row.broken_off,
                row.slowest.as_secs_f64(),
                row.lost
            );
        }
        let counts: Vec<_> = self.counts.lock().unwrap().iter().map(|(what, n)| format!("{n} {what}")).collect();
        println!("{}", counts.join(", "));
    }
}
