//! Continuing from a draft, and from what the page hands over.

use shingle_domain::public::AddressChoice;

use super::address_form::{AddressForm, AddressPart};
use super::choose::NOT_MINE;
use super::contact::Field;
use super::draft::{CONTACT, Draft, HEAD, Prefill, ReturnTo, STOPS};
use super::event::{Effect, Event};
use super::pending::Pending;
use super::screen::Screen;
use super::state::State;

impl State {
    /// `None` when there is nothing to keep: nothing was typed or chosen, the lead was taken, or the visitor had
    /// it deleted.
    pub fn draft(&self) -> Option<Draft> {
        let typed = self.by_hand && !self.query.trim().is_empty();
        let something = typed || !self.contact.is_blank() || !self.address_form.is_blank();
        if !something || self.forgotten || self.receipt.is_some() {
            return None;
        }
        let stop_of = |screen| STOPS.iter().position(|stop| *stop == screen);
        // While the roof is requested again, the draft keeps the earlier step.
        let (step, picked) = match self.return_to {
            Some(stop) => (stop_of(stop.screen), stop.picked),
            None => (self.trail.iter().rev().find_map(|screen| stop_of(*screen)), self.asked_buildings()),
        };
        let step = step.unwrap_or_default();
        let address = if STOPS[step].step() == Some(0) { &self.chosen } else { &self.address };
        let [kind, by] = match address.as_ref().map(|p| &p.choice) {
            None => ["", ""],
            Some(AddressChoice::Key(key)) => ["k", key],
            Some(AddressChoice::Line(line)) => ["l", line],
            Some(AddressChoice::Parts { .. }) => ["p", ""],
        };
        let [street, city] = address.as_ref().map_or(["", ""], |p| [&p.street, &p.city]);
        let lead = self.pending.as_ref().map_or("", |p| &p.key);
        let query = if self.by_hand { self.query.as_str() } else { "" };
        let (at, of) = (step.to_string(), picked.to_string());
        let head: [&str; HEAD] = [&at, &of, query, kind, by, street, city, lead];
        let (parts, contact) =
            (AddressPart::ALL.map(|p| self.address_form.value(p)), Field::ALL.map(|f| self.contact.typed(f)));
        let texts = [&head[..], &parts, &contact].concat().into_iter().map(str::to_owned).collect();
        Some(Draft { step, picked, texts })
    }

    /// Continues from a draft. `consent` is that of the lead that was being sent, if it is still stored. To be called
    /// before the flow is shown; [`Event::Opened`] then returns the effects.
    pub fn resume(&mut self, draft: Draft, consent: Option<bool>) {
        self.address_form = AddressForm::filled(&draft.texts[HEAD..CONTACT]);
        let address = draft.address(&self.address_form);
        self.query.clone_from(&draft.texts[2]);
        self.by_hand = !self.query.is_empty();
        for (field, text) in Field::ALL.into_iter().zip(&draft.texts[CONTACT..]) {
            if !text.is_empty() {
                self.contact.set(field, text.clone());
            }
        }
        let screen = STOPS[draft.step];
        match address {
            Some(address) if screen.step() != Some(0) => {
                self.chosen = Some(address.clone()).filter(|_| self.by_hand);
                self.address = Some(address);
                self.return_to = Some(ReturnTo { screen, picked: draft.picked });
                self.contact.consent = consent == Some(true);
                self.pending = consent.map(|_| Pending { key: draft.lead().to_owned(), lead: None });
            }
            chosen => {
                self.chosen = chosen;
                if screen == Screen::AddressForm {
                    self.trail.push(screen);
                }
            }
        }
    }

    /// The effects of a resumed draft, once the flow is shown.
    pub(super) fn resumed(&mut self, out: &mut Vec<Effect>) {
        if let (Some(_), Some(address), None) = (self.return_to, self.address.clone(), self.looking) {
            self.cover = Some(Screen::Measuring);
            self.ask(address, out);
            self.after(1_000, Event::Second(self.seq), out);
        } else if self.trail.len() == 1 && self.by_hand && self.chosen.is_none() {
            self.typed(self.query.clone(), out);
        }
    }

    /// The look-up has its answer: goes on to the screen where the visitor was.
    pub(super) fn arrived(&mut self, return_to: Option<ReturnTo>, out: &mut Vec<Effect>) {
        let Some(stop) = return_to else { return };
        if self.screen() == Screen::Roof && stop.screen == Screen::Visit && stop.picked == NOT_MINE {
            self.go(Screen::NotMine, out);
            self.ask_visit(out);
        } else if self.screen() == Screen::Roof && stop.screen != Screen::Visit {
            self.pick(stop.picked);
            match stop.screen {
                Screen::Details => self.agree(out),
                Screen::Choose => self.not_my_roof(out),
                _ => {}
            }
        } else if self.screen() == Screen::NotFound && stop.screen == Screen::Visit {
            self.go(Screen::Visit, out);
        }
        let (lead, screen) = (self.lead(0), self.screen());
        if let (Some(pending), Screen::Details | Screen::Visit) = (&mut self.pending, screen) {
            pending.lead = lead;
            self.send(out);
        }
    }

    /// Keeps what the visitor typed; replaces what the page handed over before.
    pub(super) fn prefill(&mut self, known: Prefill, out: &mut Vec<Effect>) {
        for (field, text) in Field::ALL.into_iter().zip(known.contact) {
            if let Some(text) = text {
                self.contact.offer(field, one_line(&text));
            }
        }
        // The same address may have been completed in the field since.
        let news = |address: &String| !letters(&self.query).starts_with(&letters(address));
        let Some(address) = known.address.map(|text| one_line(&text)).filter(news) else { return };
        if known.typed {
            // Just typed in the page, so newer than the draft. The draft's lead is still sent.
            self.return_to = None;
            self.address = None;
            self.pending = None;
            self.contact.consent = false;
            self.trail.truncate(1);
        } else if self.by_hand || self.address.is_some() || self.screen() != Screen::Address {
            return;
        }
        self.typed(address, out);
        self.by_hand = known.typed;
        self.unmatched_prefill = true;
    }

    /// Chooses the address that the page handed over if exactly one suggestion equals it.
    pub(super) fn match_prefill(&mut self, out: &mut Vec<Effect>) {
        if !std::mem::take(&mut self.unmatched_prefill) {
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

/// Any run of white space as one blank: a field would drop line breaks, and glue two words.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Letters and digits only: two spellings with the same ones are equal.
fn letters(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}
