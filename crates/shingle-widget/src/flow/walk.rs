//! Going on, going back, closing.

use super::announcement::Announcement;
use super::event::{Effect, Event, Focus, RequestError};
use super::screen::Screen;
use super::state::State;

impl State {
    pub(super) fn opened(&mut self, out: &mut Vec<Effect>) {
        out.push(Effect::Emit("open", ""));
        out.push(Effect::History(self.trail.len() - 1));
        self.resumed(out);
        self.shown(out);
    }

    pub(super) fn session_answered(&mut self, result: Result<(), RequestError>, out: &mut Vec<Effect>) {
        // Only a refusal counts: without a connection the next request asks again.
        if result == Err(RequestError::Refused) {
            self.pause(out);
        }
    }

    pub(super) fn pause(&mut self, out: &mut Vec<Effect>) {
        self.looking = None;
        self.retry = None;
        self.cover(Screen::Paused, out);
    }

    /// Goes one step on, with a new entry in the history.
    pub(super) fn go(&mut self, to: Screen, out: &mut Vec<Effect>) {
        self.cover = None;
        self.ahead.clear();
        if self.trail.last() != Some(&to) {
            self.trail.push(to);
        }
        self.moved(out);
    }

    /// Shows a screen in between, which going back skips.
    pub(super) fn cover(&mut self, with: Screen, out: &mut Vec<Effect>) {
        if self.cover != Some(with) {
            self.cover = Some(with);
            self.shown(out);
        }
    }

    pub(super) fn uncover(&mut self, out: &mut Vec<Effect>) {
        if self.cover.take().is_some() {
            self.shown(out);
        }
    }

    fn moved(&mut self, out: &mut Vec<Effect>) {
        out.push(Effect::History(self.trail.len() - 1));
        self.shown(out);
    }

    fn shown(&mut self, out: &mut Vec<Effect>) {
        let screen = self.screen();
        self.announcement = Announcement::Nothing;
        out.push(Effect::Focus(if screen == Screen::Address { Focus::Address } else { Focus::Title }));
        out.push(Effect::Emit("view", screen.name()));
        if matches!(screen, Screen::Details | Screen::Visit) && !std::mem::replace(&mut self.contact_reached, true) {
            out.push(Effect::Emit("contact", ""));
        }
    }

    /// Keeps the screen. A consent that was not sent yet is withdrawn, for its text has changed.
    pub(super) fn language_changed(&mut self, out: &mut Vec<Effect>) {
        self.announcement = Announcement::Nothing;
        self.contact.consent &= self.receipt.is_some() || self.pending.is_some();
        // What the server has drawn is in the other language.
        if let Some(receipt) = &self.receipt {
            out.push(Effect::Reload(receipt.id.text(), receipt.lead_token.clone()));
        } else if let (Some(address), None) = (&self.address, self.looking)
            && self.trail.len() > 1
        {
            out.push(Effect::Reread(address.choice.clone()));
        }
        out.push(Effect::Focus(Focus::Title));
    }

    /// Back to the address field. What was typed stays.
    pub(super) fn edit_address(&mut self, out: &mut Vec<Effect>) {
        self.cover = None;
        self.ahead.clear();
        self.trail.truncate(1);
        self.moved(out);
    }

    pub fn can_go_back(&self) -> bool {
        match self.screen() {
            Screen::Thanks | Screen::Kept | Screen::Paused | Screen::Unsent => false,
            Screen::Measuring | Screen::Unreached => true,
            _ => self.trail.len() > 1,
        }
    }

    pub(super) fn back(&mut self, out: &mut Vec<Effect>) {
        if self.cover.is_some() {
            return match self.screen() {
                Screen::Measuring | Screen::Unreached => self.stop(out),
                _ => (),
            };
        }
        if self.trail.len() > 1 && self.sending.is_none() {
            self.step_back(self.trail.len() - 2, out);
        }
    }

    fn step_back(&mut self, depth: usize, out: &mut Vec<Effect>) {
        self.stop_look_up(out);
        self.return_to = None;
        self.retry = None;
        self.cover = None;
        while self.trail.len() > depth + 1 {
            self.ahead.extend(self.trail.pop());
        }
        self.moved(out);
    }

    /// The browser's back and forward buttons.
    pub(super) fn popped(&mut self, depth: usize, out: &mut Vec<Effect>) {
        self.closing = false;
        if depth + 1 < self.trail.len() {
            self.step_back(depth, out);
        } else if depth + 1 > self.trail.len() {
            while self.trail.len() < depth + 1 {
                match self.ahead.pop() {
                    Some(screen) => self.trail.push(screen),
                    None => break,
                }
            }
            self.moved(out);
        }
    }

    /// Whether closing would lose something the visitor did.
    pub fn would_lose(&self) -> bool {
        // A lead that is being sent is stored until it has arrived.
        let done = self.receipt.is_some() || self.pending.is_some() || self.screen() == Screen::Paused;
        let chosen = self.chosen.is_some() && self.by_hand;
        !done && (chosen || self.address.is_some() || !self.contact.is_blank() || !self.address_form.is_blank())
    }

    pub(super) fn close(&mut self, out: &mut Vec<Effect>) {
        if self.closing {
            self.keep_going(out);
        } else if self.would_lose() {
            self.closing = true;
            out.push(Effect::Focus(Focus::KeepGoing));
        } else {
            self.leave(out);
        }
    }

    pub(super) fn keep_going(&mut self, out: &mut Vec<Effect>) {
        self.closing = false;
        out.push(Effect::Focus(if self.screen() == Screen::Address { Focus::Address } else { Focus::Title }));
    }

    pub(super) fn discard(&mut self, out: &mut Vec<Effect>) {
        self.stop_look_up(out);
        self.begin_anew();
        self.leave(out);
    }

    #[inline(never)]
    pub(super) fn begin_anew(&mut self) {
        *self = Self { seq: self.seq, suggest: self.seq, painted: self.painted, ..Self::new(self.seed) };
    }

    pub(super) fn leave(&mut self, out: &mut Vec<Effect>) {
        // A change that was not sent yet is sent now.
        self.flush_change(out);
        out.push(Effect::Emit("close", ""));
        out.push(Effect::Close);
        if self.receipt.is_some() && self.screen() == Screen::Thanks {
            self.begin_anew();
        }
    }

    pub(super) fn after(&mut self, ms: u32, event: Event, out: &mut Vec<Effect>) {
        out.push(Effect::After(ms, event));
    }
}
