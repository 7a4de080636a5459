//! The flow as a state machine: what is known ([`State`]), what happens ([`Event`]), and what must be done
//! about it outside ([`Effect`]). No DOM, no clock, no network: those belong to whoever runs the effects.
//!
//! Requests carry a number. An answer with a number that is no longer awaited is ignored, so a late
//! answer can never overwrite a newer wish.

mod address;
pub mod contact;
mod draft;
mod lead;
mod walk;

#[cfg(test)]
pub(crate) mod tests;

use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{
    AddressChoice, BuildingChoice, EstimateSheet, LeadReceipt, RoofAnswer, RoofFound, SuggestAnswer, Suggestion,
};
use shingle_domain::roof::RoofMaterial;

use crate::words::{Words, dollars, material, w};
use contact::{Contact, Field, Part, Parts};
use draft::Wanted;
pub use draft::{Draft, Prefill};
pub use lead::backoff;

/// What the visitor sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Screen {
    Address,
    /// The address in its five parts.
    Parts,
    Measuring,
    NotFound,
    /// The look-up did not get through; it is tried again.
    Unreached,
    Roof,
    Details,
    /// No roof to show: a visit can be asked for.
    Visit,
    /// The lead did not get through; it is kept and tried again.
    Unsent,
    Estimate,
    Thanks,
    /// Switched off, or not meant for this page.
    Paused,
}

impl Screen {
    /// Which of the four steps it belongs to; `None` where no progress is shown.
    pub fn step(self) -> Option<usize> {
        match self {
            Self::Address | Self::Parts | Self::Measuring | Self::NotFound | Self::Unreached => Some(0),
            Self::Roof => Some(1),
            Self::Details | Self::Visit | Self::Unsent => Some(2),
            Self::Estimate => Some(3),
            Self::Thanks | Self::Paused => None,
        }
    }

    /// What listeners are told when it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::Parts => "parts",
            Self::Measuring => "measuring",
            Self::NotFound => "not-found",
            Self::Unreached => "unreached",
            Self::Roof => "roof",
            Self::Details => "details",
            Self::Visit => "visit",
            Self::Unsent => "unsent",
            Self::Estimate => "estimate",
            Self::Thanks => "thanks",
            Self::Paused => "paused",
        }
    }
}

/// Why a request brought no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// No connection, or none in time.
    Offline,
    /// The server is there but cannot now: a status of 5xx or 429.
    Busy,
    /// The widget is switched off, or this page may not use it.
    Refused,
    /// The server does not take what was sent, however often.
    Invalid,
}

/// Where the keyboard should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    Title,
    Address,
    Field(Field),
    Part(Part),
    KeepGoing,
}

/// What the live region reads out.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Said {
    #[default]
    Nothing,
    ChooseFirst,
    /// How many suggestions there are.
    Matches(usize),
    /// The price that was just chosen.
    Price(MaterialPrice),
}

impl Said {
    pub fn text(&self, words: Words) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::ChooseFirst => words[w::CHOOSE_FIRST].to_owned(),
            Self::Matches(0) => words[w::COUNT_NONE].to_owned(),
            Self::Matches(1) => words[w::COUNT_ONE].to_owned(),
            Self::Matches(n) => words.number(w::COUNT_MANY, *n),
            Self::Price(price) => words.fill(
                w::PRICE_SAID,
                &[
                    ("material", &words[material(price.material)]),
                    ("price", &dollars(price.cost)),
                    ("low", &dollars(price.low)),
                    ("high", &dollars(price.high)),
                ],
            ),
        }
    }
}

/// The list under the address field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Suggestions {
    pub rows: Vec<Suggestion>,
    pub open: bool,
    /// Which row the keyboard is on; one past the last row is the form in parts.
    pub active: Option<usize>,
    /// Whether the rows answer what stands in the field.
    pub settled: bool,
}

/// The address that is being asked about, with the two lines that name it.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    pub choice: AddressChoice,
    pub street: String,
    pub city: String,
}

impl Place {
    pub fn line(&self) -> String {
        if self.city.is_empty() { self.street.clone() } else { [self.street.as_str(), &self.city].join(", ") }
    }
}

/// What the visitor himself says in a lead. How he came, and the consent's words, are known to whoever sends it.
#[derive(Debug, Clone, PartialEq)]
pub struct Lead {
    pub address: AddressChoice,
    /// Index into the buildings of the roof answer.
    pub building: u32,
    /// In the order of [`Field::ALL`].
    pub contact: [String; 4],
    pub consent: bool,
    /// The honeypot.
    pub website: String,
    /// Between opening the flow and sending the form.
    pub elapsed_ms: u32,
}

/// A lead on its way: kept on the device until the server has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// The `Idempotency-Key`: the same for every attempt.
    pub key: String,
    /// Unknown as long as only the device has it, from an earlier page.
    pub lead: Option<Lead>,
}

/// Something that did not get through and is tried again.
#[derive(Debug, Clone, PartialEq)]
pub struct Retry {
    /// Failed attempts so far.
    pub attempt: u32,
    /// Seconds to the next one; `None` while it runs or when it is up to the visitor.
    pub wait: Option<u32>,
}

pub const MAX_ATTEMPTS: u32 = 10;

#[derive(Debug, Clone)]
pub struct State {
    /// Any number; spreads the retries of many browsers.
    seed: u32,
    /// The screens gone through; the last is where the visitor is. Never empty.
    trail: Vec<Screen>,
    /// Screens that browser-forward leads to again.
    ahead: Vec<Screen>,
    /// Shown instead of the trail's end, and not part of the way back.
    cover: Option<Screen>,
    /// "Close your estimate?" is being asked.
    pub closing: bool,
    pub settled: bool,
    /// The contact form was reached.
    reached: bool,
    /// For the live region.
    pub said: Said,
    seq: u32,

    pub query: String,
    /// The address is the visitor's own doing, not only what the page handed over.
    by_hand: bool,
    /// The page has handed over an address that is not yet compared with the suggestions.
    offered: bool,
    /// Where a draft leads back to.
    wanted: Option<Wanted>,
    /// The visitor had his details deleted from the device: none are kept any more.
    forgotten: bool,
    pub list: Suggestions,
    suggest: u32,
    /// Chosen from the list, not yet looked up.
    pub chosen: Option<Place>,
    pub parts: Parts,
    /// The server did not take what was sent. Its reasons are written for programs, in English, and not shown.
    pub rejected: bool,

    /// What is being looked up, or was.
    pub place: Option<Place>,
    looking: Option<u32>,
    /// Seconds the look-up has taken so far.
    pub elapsed: u32,
    pub retry: Option<Retry>,
    retry_seq: u32,
    pub close_matches: Vec<Suggestion>,
    pub roof: Option<RoofFound>,
    pub building: usize,

    pub contact: Contact,
    sending: Option<u32>,
    pub pending: Option<Pending>,
    sent: Option<Lead>,
    pub receipt: Option<LeadReceipt>,
    pub material: usize,
    change: u32,
    change_attempt: u32,
    /// A change that the server has not got yet.
    unsaved: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The dialog is on screen.
    Opened,
    /// It was seen: what nobody has to wait for may come.
    Settled,
    /// The page knows something of the visitor.
    Prefill(Box<Prefill>),
    /// Text in the address field.
    Typed(String),
    SuggestDue(u32),
    Suggested(u32, Result<SuggestAnswer, Failure>),
    SayCount(u32),
    /// Up and down keys: -1 or 1.
    Move(i32),
    CloseList,
    Choose(usize),
    Clear,
    OpenParts,
    Part(Part, String),
    /// The main button of the first step, or Enter in its field.
    Measure,
    MeasureParts,
    Slow(u32),
    Second(u32),
    Stop,
    Looked(u32, Result<RoofAnswer, Failure>),
    CloseMatch(usize),
    AskVisit,
    PickBuilding(usize),
    RoofYes,
    RoofNo,
    Field(Field, String),
    Left(Field),
    Consent(bool),
    /// The honeypot was filled.
    Website(String),
    Submit {
        /// A fresh random key; used unless this very lead already has one.
        key: String,
        /// Since the dialog was opened.
        elapsed_ms: u32,
    },
    Sent(u32, Result<Box<LeadReceipt>, Failure>),
    RetrySecond(u32),
    /// "Try now", or the browser is online again.
    TryNow,
    /// "Delete from this device".
    Forget,
    Material(usize),
    ChangeDue(u32),
    Changed(u32, Result<(), Failure>),
    Book,
    Print,
    Back,
    /// The browser's history now stands at this depth of ours.
    Popped(usize),
    Close,
    KeepGoing,
    Discard,
    /// The server let this page in, or not.
    Session(Result<(), Failure>),
    /// Everything is said in another language now.
    Turned,
}

/// What has to be done outside. Order matters.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Raise the event after this many milliseconds.
    After(u32, Event),
    Suggest(u32, String),
    Look(u32, AddressChoice),
    /// Give up requests for a look-up that are still running.
    StopLooking,
    /// Delete this lead from the device.
    Forget(String),
    /// Keep the lead on this device until it is forgotten, then send what is kept.
    Send(u32, Box<Pending>),
    /// Of the lead with this id and this token.
    Change(u32, String, String, RoofMaterial),
    Focus(Focus),
    /// Let the browser's history have this many entries of ours.
    History(usize),
    /// Tell listeners.
    Emit(&'static str, &'static str),
    Print,
    Close,
    /// The list of suggestions is (no longer) on screen. Asked for by the view that holds it.
    PlaceList(bool),
    /// Something happened: see what [`State::draft`] says now. Asked for after every event.
    Remember,
}

impl State {
    pub fn new(seed: u32) -> Self {
        Self {
            seed,
            trail: vec![Screen::Address],
            ahead: Vec::new(),
            cover: None,
            closing: false,
            settled: false,
            reached: false,
            said: Said::Nothing,
            seq: 0,
            query: String::new(),
            by_hand: false,
            offered: false,
            wanted: None,
            forgotten: false,
            list: Suggestions::default(),
            suggest: 0,
            chosen: None,
            parts: Parts::default(),
            rejected: false,
            place: None,
            looking: None,
            elapsed: 0,
            retry: None,
            retry_seq: 0,
            close_matches: Vec::new(),
            roof: None,
            building: 0,
            contact: Contact::default(),
            sending: None,
            pending: None,
            sent: None,
            receipt: None,
            material: 0,
            change: 0,
            change_attempt: 0,
            unsaved: false,
        }
    }

    pub fn screen(&self) -> Screen {
        self.cover.or_else(|| self.trail.last().copied()).unwrap_or(Screen::Address)
    }

    /// A look-up is running.
    pub fn is_looking(&self) -> bool {
        self.looking.is_some()
    }

    /// The lead is on its way.
    pub fn is_sending(&self) -> bool {
        self.sending.is_some()
    }

    pub fn picked_building(&self) -> Option<&BuildingChoice> {
        self.roof.as_ref().and_then(|r| r.buildings.get(self.building))
    }

    pub fn sheet(&self) -> Option<&EstimateSheet> {
        self.receipt.as_ref().and_then(|r| r.estimate.as_ref())
    }

    fn next(&mut self) -> u32 {
        self.seq = self.seq.wrapping_add(1);
        self.seq
    }

    /// Takes one event, and says what has to be done.
    pub fn apply(&mut self, event: Event) -> Vec<Effect> {
        let mut todo = Vec::new();
        let out = &mut todo;
        match event {
            Event::Opened => self.opened(out),
            Event::Settled => self.settled = true,
            Event::Session(result) => self.let_in(result, out),
            Event::Prefill(known) => self.prefill(*known, out),
            Event::Typed(text) => self.retyped(text, out),
            Event::SuggestDue(n) => self.suggest_due(n, out),
            Event::Suggested(n, result) => self.suggested(n, result, out),
            Event::SayCount(n) => self.say_count(n),
            Event::Move(by) => self.move_in_list(by),
            Event::CloseList => self.list.open = false,
            Event::Choose(row) => self.choose(row, out),
            Event::Clear => self.clear(out),
            Event::OpenParts => self.open_parts(out),
            Event::Part(part, text) => self.parts.set(part, text),
            Event::Measure => self.measure(out),
            Event::MeasureParts => self.measure_parts(out),
            Event::Slow(n) => self.slow(n, out),
            Event::Second(n) => self.second(n, out),
            Event::Stop => self.stop(out),
            Event::Looked(n, result) => self.looked(n, result, out),
            Event::CloseMatch(row) => self.close_match(row, out),
            Event::AskVisit => self.ask_visit(out),
            Event::PickBuilding(at) => self.pick_building(at),
            Event::RoofYes => self.go(Screen::Details, out),
            Event::RoofNo => self.home(out),
            Event::Field(field, text) => self.contact.set(field, text),
            Event::Left(field) => self.contact.leave(field),
            Event::Consent(given) => self.contact.consent = given,
            Event::Website(text) => self.contact.website = text,
            Event::Submit { key, elapsed_ms } => self.submit(key, elapsed_ms, out),
            Event::Sent(n, result) => self.lead_sent(n, result, out),
            Event::RetrySecond(n) => self.retry_second(n, out),
            Event::TryNow => self.try_now(out),
            Event::Forget => self.forget(out),
            Event::Material(row) => self.choose_material(row, out),
            Event::ChangeDue(n) => self.change_due(n, out),
            Event::Changed(n, result) => self.changed(n, result, out),
            Event::Book => self.book(out),
            Event::Print => out.push(Effect::Print),
            Event::Back => self.back(out),
            Event::Popped(depth) => self.popped(depth, out),
            Event::Close => self.close(out),
            Event::KeepGoing => self.keep_going(out),
            Event::Discard => self.discard(out),
            Event::Turned => self.turned(out),
        }
        todo
    }
}

/// The price row that is chosen.
pub fn material_at(sheet: &EstimateSheet, row: usize) -> Option<RoofMaterial> {
    sheet.prices.get(row).map(|p| p.material)
}
