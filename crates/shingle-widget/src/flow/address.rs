//! The first step: an address by suggestion, by line or in parts; its look-up; the roof that was found.

use shingle_domain::public::{AddressChoice, RoofAnswer, SuggestAnswer};

use super::contact::Part;
use super::{Effect, Event, Failure, Focus, Place, Said, Screen, State};

/// Typing pauses for this long before suggestions are asked for.
const TYPING_MS: u32 = 150;
/// And for this long before their number is read out.
const COUNT_MS: u32 = 500;
/// A look-up shorter than this shows no screen of its own.
const SLOW_MS: u32 = 400;
/// Fewer letters suggest everything.
const SHORTEST: usize = 3;

impl State {
    /// By the visitor. A browser may say the same twice.
    pub(super) fn retyped(&mut self, text: String, out: &mut Vec<Effect>) {
        if text != self.query {
            self.by_hand = true;
            self.offered = false;
            self.typed(text, out);
        }
    }

    pub(super) fn typed(&mut self, text: String, out: &mut Vec<Effect>) {
        self.suggest = self.next();
        self.chosen = None;
        self.rejected = false;
        self.said = Said::Nothing;
        self.list.active = None;
        self.list.settled = false;
        if text.trim().len() < SHORTEST {
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

    pub(super) fn suggested(&mut self, n: u32, result: Result<SuggestAnswer, Failure>, out: &mut Vec<Effect>) {
        if n != self.suggest {
            return;
        }
        self.list.settled = true;
        self.list.open = true;
        self.list.active = None;
        self.list.rows = match result {
            Ok(answer) => answer.suggestions,
            Err(Failure::Refused) => return self.pause(out),
            // The form in parts and the typed line still lead on.
            Err(_) => Vec::new(),
        };
        self.after(COUNT_MS, Event::SayCount(n), out);
        self.take_offered(out);
    }

    pub(super) fn say_count(&mut self, n: u32) {
        if n == self.suggest && self.list.open {
            self.said = Said::Matches(self.list.rows.len());
        }
    }

    pub(super) fn move_in_list(&mut self, by: i32) {
        if !self.list.settled {
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
            return self.open_parts(out);
        };
        let place = Place {
            choice: AddressChoice::Key(picked.key.clone()),
            street: picked.street.clone(),
            city: picked.city.clone(),
        };
        self.suggest = self.next();
        self.by_hand = true;
        self.query = place.line();
        self.chosen = Some(place);
        self.list.open = false;
        self.list.active = None;
        self.said = Said::Nothing;
        out.push(Effect::Focus(Focus::Address));
    }

    pub(super) fn clear(&mut self, out: &mut Vec<Effect>) {
        self.retyped(String::new(), out);
        out.push(Effect::Focus(Focus::Address));
    }

    pub(super) fn open_parts(&mut self, out: &mut Vec<Effect>) {
        self.list.open = false;
        self.suggest = self.next();
        self.go(Screen::Parts, out);
        out.push(Effect::Focus(Focus::Part(Part::Number)));
    }

    /// Whether the main button of the first step does something.
    pub fn can_measure(&self) -> bool {
        self.chosen.is_some() || (self.list.settled && self.list.rows.is_empty() && self.query.trim().len() >= SHORTEST)
    }

    pub(super) fn measure(&mut self, out: &mut Vec<Effect>) {
        if self.looking.is_some() {
            return;
        }
        if let Some(active) = self.list.active.filter(|_| self.list.open) {
            return self.choose(active, out);
        }
        if let Some(place) = self.chosen.clone() {
            return self.look(place, out);
        }
        if self.can_measure() {
            let line = self.query.trim().to_owned();
            return self
                .look(Place { choice: AddressChoice::Line(line.clone()), street: line, city: String::new() }, out);
        }
        if self.list.settled {
            self.list.open = true;
        }
        self.said = Said::ChooseFirst;
        out.push(Effect::Focus(Focus::Address));
    }

    pub(super) fn measure_parts(&mut self, out: &mut Vec<Effect>) {
        self.rejected = false;
        if let Some(wrong) = self.parts.check() {
            out.push(Effect::Focus(Focus::Part(wrong)));
        } else if self.looking.is_none() {
            let place = self.parts.place();
            self.look(place, out);
        }
    }

    pub(super) fn look(&mut self, place: Place, out: &mut Vec<Effect>) {
        self.by_hand = true;
        self.wanted = None;
        out.push(Effect::Emit("address", ""));
        self.ask(place, out);
    }

    /// Asks for the roof, for the first time or again.
    pub(super) fn ask(&mut self, place: Place, out: &mut Vec<Effect>) {
        let n = self.next();
        self.looking = Some(n);
        self.elapsed = 0;
        self.list.open = false;
        self.rejected = false;
        out.push(Effect::Look(n, place.choice.clone()));
        self.place = Some(place);
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

    pub(super) fn quit_looking(&mut self, out: &mut Vec<Effect>) {
        if self.looking.take().is_some() {
            out.push(Effect::StopLooking);
        }
    }

    pub(super) fn stop(&mut self, out: &mut Vec<Effect>) {
        self.quit_looking(out);
        self.wanted = None;
        self.retry = None;
        self.uncover(out);
    }

    pub(super) fn looked(&mut self, n: u32, result: Result<RoofAnswer, Failure>, out: &mut Vec<Effect>) {
        if self.looking != Some(n) {
            return;
        }
        self.looking = None;
        match result {
            Ok(answer) => {
                self.retry = None;
                // A roof of another place must not linger beside this one.
                self.roof = None;
                self.building = 0;
                self.close_matches.clear();
                let wanted = self.wanted.take();
                self.found(answer, out);
                self.arrived(wanted, out);
            }
            Err(Failure::Refused) => self.pause(out),
            Err(Failure::Invalid) => {
                self.retry = None;
                self.wanted = None;
                self.rejected = true;
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
                let choice = AddressChoice::Key(found.key.clone());
                self.place = Some(Place { choice, street: found.street.clone(), city: found.city.clone() });
                self.roof = Some(found);
                self.go(Screen::Roof, out);
            }
            RoofAnswer::NoRoof { key, street, city } => {
                let asked = self.place.take().map(|p| p.choice);
                let choice = key.map(AddressChoice::Key).or(asked).unwrap_or(AddressChoice::Line(street.clone()));
                self.place = Some(Place { choice, street, city });
                self.go(Screen::Visit, out);
            }
            RoofAnswer::NotFound { typed, close } => {
                if let Some(place) = &mut self.place {
                    place.street = typed;
                    place.city.clear();
                }
                self.close_matches = close;
                self.go(Screen::NotFound, out);
            }
        }
    }

    pub(super) fn close_match(&mut self, row: usize, out: &mut Vec<Effect>) {
        if let (Some(picked), None) = (self.close_matches.get(row), self.looking) {
            let place = Place {
                choice: AddressChoice::Key(picked.key.clone()),
                street: picked.street.clone(),
                city: picked.city.clone(),
            };
            self.look(place, out);
        }
    }

    pub(super) fn ask_visit(&mut self, out: &mut Vec<Effect>) {
        self.quit_looking(out);
        self.wanted = None;
        self.retry = None;
        self.roof = None;
        self.go(Screen::Visit, out);
    }

    pub(super) fn pick_building(&mut self, at: usize) {
        if self.roof.as_ref().is_some_and(|r| at < r.buildings.len()) {
            self.building = at;
        }
    }
}
