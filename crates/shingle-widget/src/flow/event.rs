//! What happens to the flow, and what has to be done about it.

use shingle_domain::public::{AddressChoice, LeadReceipt, RoofAnswer, SuggestResponse};
use shingle_domain::roof::RoofMaterial;

use super::address_form::AddressPart;
use super::contact::Field;
use super::draft::Prefill;
use super::pending::Pending;

/// Why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// No connection, or no answer in time.
    Offline,
    /// The server cannot answer now: a status of 5xx or 429.
    Busy,
    /// The widget is switched off, or this page may not use it.
    Refused,
    /// The server rejects what was sent; sending it again does not help.
    Invalid,
}

/// The element to focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    Title,
    Address,
    Field(Field),
    AddressPart(AddressPart),
    KeepGoing,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The dialog is on screen.
    Opened,
    /// The first frame was painted: what nobody waits for may be drawn and fetched.
    Painted,
    /// The page handed over what it knows of the visitor.
    Prefill(Box<Prefill>),
    /// Text in the address field.
    Typed(String),
    SuggestDue(u32),
    Suggested(u32, Result<SuggestResponse, RequestError>),
    SayCount(u32),
    /// Up and down keys: -1 or 1.
    Move(i32),
    CloseList,
    Choose(usize),
    Clear,
    OpenAddressForm,
    AddressPart(AddressPart, String),
    /// The main button of the first step, or Enter in its field.
    Measure,
    MeasureAddressForm,
    Slow(u32),
    Second(u32),
    Stop,
    LookedUp(u32, Result<RoofAnswer, RequestError>),
    CloseMatch(usize),
    AskVisit,
    PickBuilding(usize),
    RoofYes,
    /// "Not my roof"
    RoofNo,
    /// A photograph from the air is on the page.
    PhotoLoaded,
    PhotoLate(u32),
    /// The visitor chose the photograph, or the drawing.
    SwitchPhoto(bool),
    /// One of the homes near it.
    Home(usize),
    MeasureHome,
    /// "None of these is mine"
    NoHome,
    EditAddress,
    Field(Field, String),
    Left(Field),
    Consent(bool),
    /// The honeypot was filled.
    Website(String),
    Submit {
        /// A fresh random key; not used if exactly this lead already has one.
        key: String,
        /// Since the flow was opened for the first time.
        elapsed_ms: u32,
    },
    Sent(u32, Result<Box<LeadReceipt>, RequestError>),
    RetrySecond(u32),
    /// "Try now", or the browser is online again.
    TryNow,
    /// "Delete from this device".
    Forget,
    Material(usize),
    ChangeDue(u32),
    Changed(u32, Result<(), RequestError>),
    Book,
    /// The form that asks for a visit was sent.
    SubmitBooking,
    /// What is in that form, as JSON; empty when no time was picked.
    Wished(String),
    Booked(u32, Result<Box<LeadReceipt>, RequestError>),
    SkipBooking,
    /// The estimate of an earlier visit, or of this one in another language.
    Kept(Result<Box<LeadReceipt>, RequestError>),
    OpenKept,
    StartOver,
    /// "Delete it now"
    ForgetKept,
    /// The roof once more, in another language.
    Reread(RoofAnswer),
    Back,
    /// The visitor went back or forward in the browser's history, to this number of our entries.
    Popped(usize),
    /// The visitor went back beyond the first step.
    Leave,
    Close,
    KeepGoing,
    Discard,
    /// The session was granted, or not.
    Session(Result<(), RequestError>),
    /// The words are in another language now.
    LanguageChanged,
}

impl Event {
    /// Whether the visitor did it by hand: typed, chose or confirmed something.
    pub(super) fn is_act(&self) -> bool {
        matches!(
            self,
            Self::Typed(_)
                | Self::Choose(_)
                | Self::AddressPart(..)
                | Self::Measure
                | Self::MeasureAddressForm
                | Self::CloseMatch(_)
                | Self::PickBuilding(_)
                | Self::RoofYes
                | Self::RoofNo
                | Self::SwitchPhoto(_)
                | Self::Home(_)
                | Self::MeasureHome
                | Self::NoHome
                | Self::EditAddress
                | Self::Field(..)
                | Self::Consent(_)
        )
    }
}

/// What the runtime has to do. Order matters.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a few live at once, and boxes are code that every visitor loads")]
pub enum Effect {
    /// Raise the event after this many milliseconds.
    After(u32, Event),
    Suggest(u32, String),
    LookUp(u32, AddressChoice),
    /// Cancel the running request of a look-up.
    StopLookUp,
    /// Delete this lead from the device.
    Forget(String),
    /// Store the lead on the device until it is forgotten, and send what is stored.
    Send(u32, Box<Pending>),
    /// Change the material of the lead with this id and token.
    Change(u32, String, String, RoofMaterial),
    /// Read the form that asks for a visit.
    ReadBooking,
    /// Ask for a visit: the id and token of the lead, and the request as JSON.
    RequestVisit(u32, String, String, String),
    /// Remember on the device whose estimate this is: the lead's id and token.
    Keep(String, String),
    /// Forget it.
    ForgetKept,
    /// Ask for the receipt of the lead with this id and token again.
    Reload(String, String),
    /// Ask for the roof again.
    Reread(AddressChoice),
    Focus(Focus),
    /// Make the browser's history hold this many entries of ours.
    History(usize),
    /// Raise an event for the page.
    Emit(&'static str, &'static str),
    Close,
    /// The list of suggestions has opened or closed. Raised by its view.
    PlaceList(bool),
    /// Store the state's current draft. Raised after every event.
    Remember,
}
