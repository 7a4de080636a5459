//! What is kept when the page goes: what the visitor typed and chose, and the step. And what a page knows of the
//! visitor beforehand.
//!
//! # Decision
//!
//! The tab keeps what a visitor typed and chose for four hours (`sessionStorage`), without consent and without the
//! roof, which is requested again. Closing the browser forgets it, because shared computers are common. A page that
//! stands in gets it behind the `#`, which no server sees. Turned down: `localStorage`; a cookie.

use shingle_domain::public::AddressChoice;

use super::address_form::{AddressForm, AddressPart, NamedAddress};
use super::contact::Field;
use super::screen::Screen;

/// The screens at which a visitor can continue.
pub(super) const STOPS: [Screen; 6] =
    [Screen::Address, Screen::AddressForm, Screen::Roof, Screen::Details, Screen::Visit, Screen::Choose];
/// Number of texts before those of the two forms: step, buildings, query; kind and value of the address choice,
/// street, city; key of the lead.
pub(super) const HEAD: usize = 8;
pub(super) const LEAD: usize = HEAD - 1;
pub(super) const CONTACT: usize = HEAD + AddressPart::ALL.len();
pub(super) const TEXTS: usize = CONTACT + Field::ALL.len();

/// Without consent and honeypot, and without the roof, which is requested again.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Index into [`STOPS`].
    pub(super) step: usize,
    pub(super) picked: u32,
    /// Always [`TEXTS`] of them, the two numbers included: written and read in one loop.
    pub(super) texts: Vec<String>,
}

impl Draft {
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    pub fn into_texts(self) -> Vec<String> {
        self.texts
    }

    /// `None` if the texts do not come from [`Draft::texts`].
    pub fn from_texts(texts: Vec<String>) -> Option<Self> {
        let [step, picked, ..] = &texts[..] else { return None };
        let (step, picked) = (step.parse().ok()?, picked.parse().ok()?);
        (step < STOPS.len() && texts.len() == TEXTS).then_some(Self { step, picked, texts })
    }

    /// The key of the lead that was being sent; empty when none was.
    pub fn lead(&self) -> &str {
        &self.texts[LEAD]
    }

    pub fn forget_lead(&mut self) {
        self.texts[LEAD].clear();
    }

    /// What was chosen on the first step, or was looked up.
    pub(super) fn address(&self, parts: &AddressForm) -> Option<NamedAddress> {
        let [_, _, _, kind, by, street, city, ..] = &self.texts[..] else { return None };
        let choice = match kind.as_str() {
            "k" => AddressChoice::Key(by.clone()),
            "l" => AddressChoice::Line(by.clone()),
            "p" => parts.address().choice,
            _ => return None,
        };
        Some(NamedAddress { choice, street: street.clone(), city: city.clone() })
    }
}

/// What a page knows of the visitor before he has typed anything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prefill {
    pub address: Option<String>,
    /// In the order of [`Field::ALL`].
    pub contact: [Option<String>; 4],
    /// The visitor typed the address, in a field of the page.
    pub typed: bool,
}

/// The screen at which the visitor continues once the roof is known again.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReturnTo {
    pub(super) screen: Screen,
    pub(super) picked: u32,
}
