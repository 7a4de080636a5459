//! Which method handles which event.

use super::event::{Effect, Event};
use super::screen::Screen;
use super::state::State;

impl State {
    /// Handles one event. Returns what has to be done outside.
    pub fn apply(&mut self, event: Event) -> Vec<Effect> {
        let mut todo = Vec::new();
        let out = &mut todo;
        self.acts += u32::from(event.is_act());
        match event {
            Event::Opened => self.opened(out),
            Event::Painted => self.painted = true,
            Event::Session(result) => self.session_answered(result, out),
            Event::Prefill(known) => self.prefill(*known, out),
            Event::Typed(text) => self.retyped(text, out),
            Event::SuggestDue(n) => self.suggest_due(n, out),
            Event::Suggested(n, result) => self.suggested(n, result, out),
            Event::SayCount(n) => self.say_count(n),
            Event::Move(by) => self.move_in_list(by),
            Event::CloseList => self.list.open = false,
            Event::Choose(row) => self.choose(row, out),
            Event::Clear => self.clear(out),
            Event::OpenAddressForm => self.open_address_form(out),
            Event::AddressPart(part, text) => self.address_form.set(part, text),
            Event::Measure => self.measure(out),
            Event::MeasureAddressForm => self.measure_address_form(out),
            Event::Slow(n) => self.slow(n, out),
            Event::Second(n) => self.second(n, out),
            Event::Stop => self.stop(out),
            Event::LookedUp(n, result) => self.looked_up(n, result, out),
            Event::CloseMatch(row) => self.close_match(row, out),
            Event::AskVisit => self.ask_visit(out),
            Event::PickBuilding(at) => self.pick_building(at),
            Event::RoofYes => self.agree(out),
            Event::PhotoLoaded => self.photo = self.photo.loaded(self.wants_photo),
            Event::PhotoLate(n) if n == self.photo_of => self.photo = self.photo.late(),
            Event::PhotoLate(_) => {}
            Event::SwitchPhoto(shown) => {
                // It stays for the visit.
                self.wants_photo = Some(shown);
                self.photo = self.photo.switched(shown);
            }
            Event::RoofNo => self.not_my_roof(out),
            Event::Home(at) => self.choose_home(at),
            Event::MeasureHome => self.measure_home(out),
            Event::NoHome => self.go(Screen::NotMine, out),
            Event::EditAddress => self.edit_address(out),
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
            Event::SubmitBooking => self.submit_booking(out),
            Event::Wished(request) => self.wished(request, out),
            Event::Booked(n, result) => self.booked(n, result, out),
            Event::SkipBooking => self.go(Screen::Thanks, out),
            Event::Kept(result) => self.kept(result, out),
            Event::OpenKept => self.open_kept(out),
            Event::StartOver => self.start_over(out),
            Event::ForgetKept => self.forget_kept(out),
            Event::Reread(answer) => self.reread(answer),
            Event::Back => self.back(out),
            Event::Popped(depth) => self.popped(depth, out),
            Event::Leave => self.leave(out),
            Event::Close => self.close(out),
            Event::KeepGoing => self.keep_going(out),
            Event::Discard => self.discard(out),
            Event::LanguageChanged => self.language_changed(out),
        }
        todo
    }
}
