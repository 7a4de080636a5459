//! The first step: an address by suggestion, by line or in parts; its look-up; the roof that was found.

use shingle_domain::public::{AddressChoice, Part, RoofAnswer, SuggestResponse};

use super::address_form::{AddressForm, AddressPart, NamedAddress};
use super::announcement::Announcement;
use super::event::{Effect, Event, Focus, RequestError};
use super::photo::{Photo, SOON_MS};
use super::screen::Screen;
use super::state::State;

/// The pause in typing after which suggestions are requested.
const TYPING_MS: u32 = 150;
/// The delay before a screen reader hears their number.
const COUNT_MS: u32 = 500;
/// A look-up that takes longer than this gets a screen of its own.
const SLOW_MS: u32 = 400;
/// A shorter text matches too many addresses.
const MIN_QUERY: usize = 3;

impl State {
    /// The visitor changed the text. Browsers may report the same text twice.
    pub(super) fn retyped(&mut self, text: String, out: &mut Vec<Effect>) {
        if text != self.query {
            self.by_hand = true;
            self.unmatched_prefill = false;
            self.typed(text, out);
        }
    }

    pub(super) fn typed(&mut self, text: String, out: &mut Vec<Effect>) {
        self.suggest = self.next();
        self.chosen = None;
        self.rejected = false;
        self.announcement = Announcement::Nothing;
        self.list.active = None;
        self.list.up_to_date = false;
        self.list.failed = false;
        if text.trim().len() < MIN_QUERY {
            self.list.rows.clear();
            self.list.open = false;
        } else {
            self.after(TYPING_MS, Event::SuggestDue(self.suggest), out);
        }
        self.query = text;
    }

    pub(super) fn suggest_due(&mut self, n: u32, out: &mut Vec<Effect>) {
        if n == self.suggest && self.screen() == Screen::Address {
            out.push(Effect::Suggest(n, self.query.trim().to_owned()));
        }
    }

    pub(super) fn suggested(&mut self, n: u32, result: Result<SuggestResponse, RequestError>, out: &mut Vec<Effect>) {
        if n != self.suggest {
            return;
        }
        self.list.up_to_date = true;
        self.list.open = true;
        self.list.failed = result.is_err();
        self.list.active = None;
        self.list.rows = match result {
            Ok(answer) => answer.suggestions,
            Err(RequestError::Refused) => return self.pause(out),
            // The visitor can still send the typed line, or use the form in parts.
            Err(_) => Vec::new(),
        };
        // None were counted where none came.
        if !self.list.failed {
            self.after(COUNT_MS, Event::SayCount(n), out);
        }
        self.match_prefill(out);
    }

    pub(super) fn say_count(&mut self, n: u32) {
        if n == self.suggest && self.list.open {
            self.announcement = Announcement::Matches(self.list.rows.len());
        }
    }

    pub(super) fn move_in_list(&mut self, by: i32) {
        if !self.list.up_to_date {
            return;
        }
        // One more row than suggestions: the form in parts.
        let rows = self.list.rows.len() + 1;
        let last = rows - 1;
        self.list.active = Some(match (self.list.open.then_some(self.list.active).flatten(), by > 0) {
            (None, true) => 0,
            (None, false) => last,
            (Some(at), true) => (at + 1) % rows,
            (Some(at), false) => at.checked_sub(1).unwrap_or(last),
        });
        self.list.open = true;
    }

    pub(super) fn choose(&mut self, row: usize, out: &mut Vec<Effect>) {
        let Some(picked) = self.list.rows.get(row) else {
            return self.open_address_form(out);
        };
        let address = NamedAddress::by_key(&picked.key, &picked.street, &picked.city);
        self.suggest = self.next();
        self.by_hand = true;
        self.query = address.line();
        self.chosen = Some(address);
        self.list.open = false;
        self.list.active = None;
        self.announcement = Announcement::Nothing;
        out.push(Effect::Focus(Focus::Address));
    }

    pub(super) fn clear(&mut self, out: &mut Vec<Effect>) {
        self.retyped(String::new(), out);
        out.push(Effect::Focus(Focus::Address));
    }

    pub(super) fn open_address_form(&mut self, out: &mut Vec<Effect>) {
        self.list.open = false;
        self.suggest = self.next();
        if self.address_form.is_blank() {
            self.address_form = AddressForm::of_line(&self.query);
        }
        self.go(Screen::AddressForm, out);
        out.push(Effect::Focus(Focus::AddressPart(AddressPart::Number)));
    }

    /// Whether the main button of the first step does something.
    pub fn can_measure(&self) -> bool {
        self.chosen.is_some()
            || (self.list.up_to_date && self.list.rows.is_empty() && self.query.trim().len() >= MIN_QUERY)
    }

    pub(super) fn measure(&mut self, out: &mut Vec<Effect>) {
        if self.looking.is_some() {
            return;
        }
        if let Some(active) = self.list.active.filter(|_| self.list.open) {
            return self.choose(active, out);
        }
        if let Some(address) = self.chosen.clone() {
            return self.look_up(address, out);
        }
        if self.can_measure() {
            let line = self.query.trim().to_owned();
            return self.look_up(
                NamedAddress { choice: AddressChoice::Line(line.clone()), street: line, city: String::new() },
                out,
            );
        }
        if self.list.up_to_date {
            self.list.open = true;
        }
        self.announcement = Announcement::ChooseFirst;
        out.push(Effect::Focus(Focus::Address));
    }

    pub(super) fn measure_address_form(&mut self, out: &mut Vec<Effect>) {
        self.rejected = false;
        if let Some(wrong) = self.address_form.check() {
            out.push(Effect::Focus(Focus::AddressPart(wrong)));
        } else if self.looking.is_none() {
            let address = self.address_form.address();
            self.look_up(address, out);
        }
    }

    pub(super) fn look_up(&mut self, address: NamedAddress, out: &mut Vec<Effect>) {
        self.by_hand = true;
        self.return_to = None;
        out.push(Effect::Emit("address", ""));
        self.ask(address, out);
    }

    /// Asks for the roof, for the first time or again.
    pub(super) fn ask(&mut self, address: NamedAddress, out: &mut Vec<Effect>) {
        let n = self.next();
        self.looking = Some(n);
        self.elapsed = 0;
        self.list.open = false;
        self.rejected = false;
        out.push(Effect::LookUp(n, address.choice.clone()));
        self.address = Some(address);
        if self.cover.is_none() {
            self.after(SLOW_MS, Event::Slow(n), out);
        }
    }

    pub(super) fn slow(&mut self, n: u32, out: &mut Vec<Effect>) {
        if self.looking == Some(n) {
            self.cover(Screen::Measuring, out);
            self.after(1_000, Event::Second(n), out);
        }
    }

    pub(super) fn second(&mut self, n: u32, out: &mut Vec<Effect>) {
        if self.looking == Some(n) {
            self.elapsed += 1;
            self.after(1_000, Event::Second(n), out);
        }
    }

    pub(super) fn stop_look_up(&mut self, out: &mut Vec<Effect>) {
        if self.looking.take().is_some() {
            out.push(Effect::StopLookUp);
        }
        self.keep_roof();
    }

    /// What was to be looked up is given up: the roof that is there keeps its address.
    fn keep_roof(&mut self) {
        if let Some(roof) = &self.roof {
            self.address = Some(NamedAddress::by_key(&roof.key, &roof.street, &roof.city));
        }
    }

    pub(super) fn stop(&mut self, out: &mut Vec<Effect>) {
        self.stop_look_up(out);
        self.return_to = None;
        self.retry = None;
        self.uncover(out);
    }

    pub(super) fn looked_up(&mut self, n: u32, result: Result<RoofAnswer, RequestError>, out: &mut Vec<Effect>) {
        if self.looking != Some(n) {
            return;
        }
        self.looking = None;
        match result {
            Ok(answer) => {
                self.retry = None;
                // The roof of an earlier address must not stay.
                self.forget_roof();
                self.close_matches.clear();
                let return_to = self.return_to.take();
                self.found(answer, out);
                self.arrived(return_to, out);
            }
            Err(RequestError::Refused) => self.pause(out),
            Err(RequestError::Invalid) => {
                self.retry = None;
                self.return_to = None;
                self.rejected = true;
                self.keep_roof();
                if self.cover.is_some() {
                    self.uncover(out);
                } else {
                    out.push(Effect::Focus(Focus::Title));
                }
            }
            Err(_) => self.fail(Screen::Unreached, out),
        }
    }

    fn found(&mut self, answer: RoofAnswer, out: &mut Vec<Effect>) {
        match answer {
            RoofAnswer::Roof(found) => {
                self.address = Some(NamedAddress::by_key(&found.key, &found.street, &found.city));
                let bits = found.buildings.iter().enumerate().map(|(at, of)| u32::from(of.picked) << at);
                self.picked = bits.sum();
                self.roof = Some(found);
                // Another home: its photograph is not here.
                self.photo = Photo::Awaited;
                self.photo_of = self.next();
                out.push(Effect::After(SOON_MS, Event::PhotoLate(self.photo_of)));
                self.go(Screen::Roof, out);
            }
            RoofAnswer::NoRoof { key, street, city, why, pane } => {
                let asked = self.address.take().map(|p| p.choice);
                let choice = key.map(AddressChoice::Key).or(asked).unwrap_or(AddressChoice::Line(street.clone()));
                self.address = Some(NamedAddress { choice, street, city });
                (self.why, self.pane) = (why, pane);
                self.go(Screen::Visit, out);
            }
            RoofAnswer::NotFound { typed, close } => {
                if let Some(address) = &mut self.address {
                    address.street = typed;
                    address.city.clear();
                }
                self.close_matches = close;
                self.go(Screen::NotFound, out);
            }
        }
    }

    pub(super) fn close_match(&mut self, row: usize, out: &mut Vec<Effect>) {
        if let (Some(picked), None) = (self.close_matches.get(row), self.looking) {
            let address = NamedAddress::by_key(&picked.key, &picked.street, &picked.city);
            self.look_up(address, out);
        }
    }

    pub(super) fn ask_visit(&mut self, out: &mut Vec<Effect>) {
        if !self.is_not_mine() {
            self.forget_roof();
        }
        self.why = Part::default();
        self.stop_look_up(out);
        self.return_to = None;
        self.retry = None;
        self.go(Screen::Visit, out);
    }

    /// Adds a building, or leaves it out. The last one stays.
    pub(super) fn pick_building(&mut self, at: usize) {
        if at < 32 {
            self.pick(self.picked ^ 1 << at);
        }
    }

    /// A bit for each building; those that are not there do not count.
    pub(super) fn pick(&mut self, bits: u32) {
        let known = self.roof.as_ref().map_or(0, |roof| roof.buildings.len()).min(31);
        let bits = bits & ((1 << known) - 1);
        if bits != 0 {
            self.picked = bits;
        }
    }

    /// "That is my roof": the form, unless none of the chosen buildings can be priced.
    pub(super) fn agree(&mut self, out: &mut Vec<Effect>) {
        let priced = self.picked().any(|(_, of)| of.why.0.is_empty());
        self.why = if priced {
            Part::default()
        } else {
            self.picked().next().map(|(_, of)| of.why.clone()).unwrap_or_default()
        };
        self.go(if priced { Screen::Details } else { Screen::Visit }, out);
    }

    /// The same in another language.
    pub(super) fn reread(&mut self, answer: RoofAnswer) {
        match (answer, &mut self.roof) {
            (RoofAnswer::Roof(found), Some(roof)) if found.key == roof.key => *roof = found,
            (RoofAnswer::NoRoof { why, pane, .. }, None) => (self.why, self.pane) = (why, pane),
            _ => return,
        }
        self.drawn += 1;
    }
}
