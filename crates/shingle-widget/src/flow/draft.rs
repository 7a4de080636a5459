//! What outlives the page: what the visitor typed and chose, and how far he was. And what a page already knows
//! of him.

use shingle_domain::public::AddressChoice;

use super::contact::{Field, Part, Parts};
use super::{Effect, Event, Pending, Place, Screen, State};

/// The screens that a visitor can be led back to.
const STOPS: [Screen; 5] = [Screen::Address, Screen::Parts, Screen::Roof, Screen::Details, Screen::Visit];
/// Step, building, query; kind of the address, what it is asked by, street, city; lead.
const HEAD: usize = 8;
const LEAD: usize = HEAD - 1;
const CONTACT: usize = HEAD + Part::ALL.len();
const TEXTS: usize = CONTACT + Field::ALL.len();

/// Never the consent, never the honeypot, and no roof: that is asked for again.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Where among [`STOPS`].
    step: usize,
    building: usize,
    /// As many as there have to be, the two numbers among them: written and read in one loop.
    texts: Vec<String>,
}

impl Draft {
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    pub fn into_texts(self) -> Vec<String> {
        self.texts
    }

    /// `None` for what [`Draft::texts`] did not make.
    pub fn from_texts(texts: Vec<String>) -> Option<Self> {
        let [step, building, ..] = &texts[..] else { return None };
        let (step, building) = (step.parse().ok()?, building.parse().ok()?);
        (step < STOPS.len() && texts.len() == TEXTS).then_some(Self { step, building, texts })
    }

    /// The key of the lead that was being sent; empty when none was.
    pub fn lead(&self) -> &str {
        &self.texts[LEAD]
    }

    pub fn forget_lead(&mut self) {
        self.texts[LEAD].clear();
    }

    /// What was chosen on the first step, or was looked up.
    fn place(&self, parts: &Parts) -> Option<Place> {
        let [_, _, _, kind, by, street, city, ..] = &self.texts[..] else { return None };
        let choice = match kind.as_str() {
            "k" => AddressChoice::Key(by.clone()),
            "l" => AddressChoice::Line(by.clone()),
            "p" => parts.place().choice,
            _ => return None,
        };
        Some(Place { choice, street: street.clone(), city: city.clone() })
    }
}

/// What a page knows of the visitor before he has typed anything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prefill {
    pub address: Option<String>,
    /// In the order of [`Field::ALL`].
    pub contact: [Option<String>; 4],
    /// The visitor typed the address himself, into a field of the page.
    pub typed: bool,
}

/// Where a visitor is led back to, once the roof is known again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    screen: Screen,
    building: usize,
}

impl State {
    /// `None` when there is nothing to keep: nothing was typed or chosen, the lead was taken, or the visitor had
    /// it deleted.
    pub fn draft(&self) -> Option<Draft> {
        let typed = self.by_hand && !self.query.trim().is_empty();
        let something = typed || !self.contact.is_blank() || !self.parts.is_blank();
        if !something || self.forgotten || self.receipt.is_some() {
            return None;
        }
        let place_of = |screen| STOPS.iter().position(|stop| *stop == screen);
        // While the roof is asked for again the visitor is as far as he was before.
        let (step, building) = match self.wanted {
            Some(wanted) => (place_of(wanted.screen), wanted.building),
            None => (self.trail.iter().rev().find_map(|screen| place_of(*screen)), self.building),
        };
        let step = step.unwrap_or_default();
        let place = if STOPS[step].step() == Some(0) { &self.chosen } else { &self.place };
        let [kind, by] = match place.as_ref().map(|p| &p.choice) {
            None => ["", ""],
            Some(AddressChoice::Key(key)) => ["k", key],
            Some(AddressChoice::Line(line)) => ["l", line],
            Some(AddressChoice::Parts { .. }) => ["p", ""],
        };
        let [street, city] = place.as_ref().map_or(["", ""], |p| [&p.street, &p.city]);
        let lead = self.pending.as_ref().map_or("", |p| &p.key);
        let query = if self.by_hand { self.query.as_str() } else { "" };
        let [at, of] = [step, building].map(|n| n.to_string());
        let head: [&str; HEAD] = [&at, &of, query, kind, by, street, city, lead];
        let (parts, contact) = (Part::ALL.map(|p| self.parts.value(p)), Field::ALL.map(|f| self.contact.typed(f)));
        let texts = [&head[..], &parts, &contact].concat().into_iter().map(str::to_owned).collect();
        Some(Draft { step, building, texts })
    }

    /// Goes on where a draft ends. `consent` is that of the lead that was being sent, if it is still there. To be
    /// called before the flow is shown: what has to be done is asked for by [`Event::Opened`].
    pub fn resume(&mut self, draft: Draft, consent: Option<bool>) {
        self.parts = Parts::filled(&draft.texts[HEAD..CONTACT]);
        let place = draft.place(&self.parts);
        self.query.clone_from(&draft.texts[2]);
        self.by_hand = !self.query.is_empty();
        for (field, text) in Field::ALL.into_iter().zip(&draft.texts[CONTACT..]) {
            if !text.is_empty() {
                self.contact.set(field, text.clone());
            }
        }
        let screen = STOPS[draft.step];
        match place {
            Some(place) if screen.step() != Some(0) => {
                self.chosen = Some(place.clone()).filter(|_| self.by_hand);
                self.place = Some(place);
                self.wanted = Some(Wanted { screen, building: draft.building });
                self.contact.consent = consent == Some(true);
                self.pending = consent.map(|_| Pending { key: draft.lead().to_owned(), lead: None });
            }
            chosen => {
                self.chosen = chosen;
                if screen == Screen::Parts {
                    self.trail.push(screen);
                }
            }
        }
    }

    /// What a draft leaves to be done when the flow is shown.
    pub(super) fn resumed(&mut self, out: &mut Vec<Effect>) {
        if let (Some(_), Some(place), None) = (self.wanted, self.place.clone(), self.looking) {
            self.cover = Some(Screen::Measuring);
            self.ask(place, out);
            self.after(1_000, Event::Second(self.seq), out);
        } else if self.trail.len() > 1 {
            out.push(Effect::History(self.trail.len() - 1));
        } else if self.by_hand && self.chosen.is_none() {
            self.typed(self.query.clone(), out);
        }
    }

    /// The look-up has brought an answer, and with it the visitor to its screen: on to where he was.
    pub(super) fn arrived(&mut self, wanted: Option<Wanted>, out: &mut Vec<Effect>) {
        let Some(wanted) = wanted else { return };
        if self.screen() == Screen::Roof && wanted.screen != Screen::Visit {
            self.pick_building(wanted.building);
            if wanted.screen == Screen::Details {
                self.go(Screen::Details, out);
            }
        } else if self.screen() == Screen::NotFound && wanted.screen == Screen::Visit {
            self.go(Screen::Visit, out);
        }
        let (lead, screen) = (self.lead(0), self.screen());
        if let (Some(pending), Screen::Details | Screen::Visit) = (&mut self.pending, screen) {
            pending.lead = lead;
            self.send(out);
        }
    }

    /// What was typed by the visitor stays; what the page said before gives way to what it says now.
    pub(super) fn prefill(&mut self, known: Prefill, out: &mut Vec<Effect>) {
        for (field, text) in Field::ALL.into_iter().zip(known.contact) {
            if let Some(text) = text {
                self.contact.offer(field, text);
            }
        }
        // What the field begins with already was perhaps completed since.
        let news = |address: &String| !letters(&self.query).starts_with(&letters(address));
        let Some(address) = known.address.filter(news) else { return };
        if known.typed {
            // Typed a moment ago in the page: newer than anything in a draft. Its lead is sent all the same.
            self.wanted = None;
            self.place = None;
            self.pending = None;
            self.contact.consent = false;
            self.trail.truncate(1);
        } else if self.by_hand || self.place.is_some() || self.screen() != Screen::Address {
            return;
        }
        self.typed(address, out);
        self.by_hand = known.typed;
        self.offered = true;
    }

    /// An address that was handed over and is one of those suggested need not be chosen again.
    pub(super) fn take_offered(&mut self, out: &mut Vec<Effect>) {
        if !std::mem::take(&mut self.offered) {
            return;
        }
        let wanted = letters(&self.query);
        let mut equal = self.list.rows.iter().enumerate().filter(|(_, row)| {
            letters(&row.street) == wanted || letters(&[row.street.as_str(), &row.city].concat()) == wanted
        });
        if let (Some((row, _)), None) = (equal.next(), equal.next()) {
            let by_hand = self.by_hand;
            self.choose(row, out);
            self.by_hand = by_hand;
        }
    }
}

/// What makes two spellings of an address the same.
fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
