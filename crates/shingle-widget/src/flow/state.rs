//! The state of the flow.

use shingle_domain::public::{BuildingRow, EstimateStep, LeadReceipt, Part, RoofStep, Suggestion};

use super::address_form::{AddressForm, NamedAddress};
use super::announcement::Announcement;
use super::contact::Contact;
use super::draft::ReturnTo;
use super::pending::{Booking, Lead, Pending, Retry};
use super::photo::Photo;
use super::screen::Screen;

/// The list under the address field.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Suggestions {
    pub rows: Vec<Suggestion>,
    pub open: bool,
    /// The row selected by keyboard; one past the last row is the form in parts.
    pub active: Option<usize>,
    /// Whether the rows are the answer to the text in the field.
    pub up_to_date: bool,
    /// The server could not be asked for rows.
    pub failed: bool,
}

#[derive(Debug, Clone)]
pub struct State {
    /// Random; spreads the retries of many browsers.
    pub(super) seed: u32,
    /// The screens gone through; the last is the current one. Never empty.
    pub(super) trail: Vec<Screen>,
    /// The screens that the browser's forward button leads to.
    pub(super) ahead: Vec<Screen>,
    /// A screen in between, shown instead of the current one and skipped when going back.
    pub(super) cover: Option<Screen>,
    /// The question "Close your estimate?" is shown.
    pub closing: bool,
    /// The first frame was painted: what nobody waits for may be drawn.
    pub painted: bool,
    /// The contact form was reached.
    pub(super) contact_reached: bool,
    /// For the live region.
    pub announcement: Announcement,
    pub(super) seq: u32,

    pub query: String,
    /// The visitor typed or chose the address; the page did not just hand it over.
    pub(super) by_hand: bool,
    /// The page handed over an address that was not yet compared with the suggestions.
    pub(super) unmatched_prefill: bool,
    /// Where a draft leads back to, once the roof is known again.
    pub(super) return_to: Option<ReturnTo>,
    /// The visitor had the data deleted from the device: nothing is stored any more.
    pub(super) forgotten: bool,
    pub list: Suggestions,
    pub(super) suggest: u32,
    /// Chosen from the list, not yet looked up.
    pub chosen: Option<NamedAddress>,
    pub address_form: AddressForm,
    /// The server rejected what was sent. Its reasons are written for programs, in English, and are not shown.
    pub rejected: bool,

    /// What is being looked up, or was.
    pub address: Option<NamedAddress>,
    pub(super) looking: Option<u32>,
    /// Seconds the look-up has taken so far.
    pub elapsed: u32,
    pub retry: Option<Retry>,
    pub(super) retry_seq: u32,
    pub close_matches: Vec<Suggestion>,
    pub roof: Option<RoofStep>,
    /// A bit for each building that is to be priced.
    pub(super) picked: u32,
    /// The photograph under the drawing.
    pub photo: Photo,
    /// The look-up whose photograph is awaited.
    pub(super) photo_of: u32,
    /// What the visitor last chose to look at.
    pub(super) wants_photo: Option<bool>,
    /// Which of the homes near the roof is chosen.
    pub home: usize,
    /// Why there is no price.
    pub why: Part,
    /// The drawing beside the steps that follow, where no roof was found.
    pub(super) pane: Part,
    /// How often the steps were drawn by the server: in other words they are drawn again.
    pub drawn: u32,

    pub contact: Contact,
    /// How often the visitor did something, with what an earlier page counted.
    pub acts: u32,
    pub(super) sending: Option<u32>,
    pub pending: Option<Pending>,
    pub(super) sent: Option<Lead>,
    pub receipt: Option<LeadReceipt>,
    pub booking: Booking,
    pub material: usize,
    pub(super) change: u32,
    pub(super) change_attempt: u32,
    /// The material was changed and the server does not know yet.
    pub(super) unsaved: bool,
}

impl State {
    pub fn new(seed: u32) -> Self {
        Self {
            seed,
            trail: vec![Screen::Address],
            ahead: Vec::new(),
            cover: None,
            closing: false,
            painted: false,
            contact_reached: false,
            announcement: Announcement::Nothing,
            seq: 0,
            query: String::new(),
            by_hand: false,
            unmatched_prefill: false,
            return_to: None,
            forgotten: false,
            list: Suggestions::default(),
            suggest: 0,
            chosen: None,
            address_form: AddressForm::default(),
            rejected: false,
            address: None,
            looking: None,
            elapsed: 0,
            retry: None,
            retry_seq: 0,
            close_matches: Vec::new(),
            roof: None,
            picked: 0,
            photo: Photo::Awaited,
            photo_of: 0,
            wants_photo: None,
            home: 0,
            why: Part::default(),
            pane: Part::default(),
            drawn: 0,
            contact: Contact::default(),
            acts: 0,
            sending: None,
            pending: None,
            sent: None,
            receipt: None,
            booking: Booking::Idle,
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

    pub fn is_picked(&self, building: usize) -> bool {
        self.picked >> building & 1 == 1
    }

    /// The buildings that are to be priced.
    pub fn picked(&self) -> impl Iterator<Item = (usize, &BuildingRow)> {
        let all = self.roof.iter().flat_map(|roof| roof.buildings.iter().enumerate());
        all.filter(|(at, _)| self.is_picked(*at))
    }

    /// Their places, as the stylesheet reads them.
    pub fn picked_list(&self) -> String {
        self.picked().map(|(at, _)| [&at.to_string(), " "].concat()).collect()
    }

    /// What is drawn beside the steps behind the roof.
    pub fn aside(&self) -> Option<&str> {
        let roof = self.roof.as_ref().filter(|_| !self.is_not_mine()).map(|roof| &roof.aside);
        let drawn = roof.or_else(|| self.estimate().map(|sheet| &sheet.pane)).unwrap_or(&self.pane);
        Some(drawn.0.as_str()).filter(|part| !part.is_empty())
    }

    pub fn estimate(&self) -> Option<&EstimateStep> {
        self.receipt.as_ref().and_then(|r| r.estimate.as_ref())
    }

    pub(super) fn next(&mut self) -> u32 {
        self.seq = self.seq.wrapping_add(1);
        self.seq
    }
}
