//! The lead: sent, kept, tried again, changed.
//!
//! # Decision
//!
//! A lead carries its idempotency key in the body and goes as `text/plain` with `keepalive`: no preflight, and the
//! browser keeps sending when the page is left. A lead that arrives unseen stays in the tab's draft; sent again under
//! its key, it shows the estimate.

use shingle_domain::public::LeadReceipt;

use super::announcement::Announcement;
use super::contact::Field;
use super::event::{Effect, Event, Focus, RequestError};
use super::pending::{Booking, Lead, MAX_ATTEMPTS, Pending, Retry, backoff};
use super::screen::Screen;
use super::state::State;

/// The delay after the last choice of a material before the server is informed.
const MATERIAL_DEBOUNCE_MS: u32 = 400;
const MAX_CHANGE_ATTEMPTS: u32 = 5;

impl State {
    #[inline(never)]
    pub(super) fn lead(&self, elapsed_ms: u32) -> Option<Lead> {
        Some(Lead {
            address: self.address.as_ref()?.choice.clone(),
            picked: self.asked_buildings(),
            contact: Field::ALL.map(|field| self.contact.value(field).trim().to_owned()),
            consent: self.contact.consent,
            website: self.contact.website.clone(),
            elapsed_ms,
            acts: self.acts,
        })
    }

    pub(super) fn submit(&mut self, key: String, elapsed_ms: u32, out: &mut Vec<Effect>) {
        if self.sending.is_some() {
            return;
        }
        self.rejected = false;
        if let Some(wrong) = self.contact.check() {
            return out.push(Effect::Focus(Focus::Field(wrong)));
        }
        let lead = self.lead(elapsed_ms);
        if lead.is_none() {
            return self.edit_address(out);
        }
        // However long it took, and however often something was changed and changed back.
        let same = |other: &Option<Lead>| {
            let own = other.as_ref().and_then(|l| Some(Lead { acts: l.acts, ..self.lead(l.elapsed_ms)? }));
            own.is_some() && own == *other
        };
        if self.receipt.is_some() && same(&self.sent) {
            return self.show_outcome(out);
        }
        // The same lead sent again keeps its key; a corrected one is a new lead.
        if !self.pending.as_ref().is_some_and(|p| same(&p.lead)) {
            out.extend(self.pending.take().map(|stale| Effect::Forget(stale.key)));
            self.pending = Some(Pending { key, lead });
        }
        self.retry = None;
        self.send(out);
    }

    pub(super) fn send(&mut self, out: &mut Vec<Effect>) {
        if let Some(pending) = self.pending.clone() {
            let n = self.next();
            self.sending = Some(n);
            out.push(Effect::Send(n, Box::new(pending)));
        }
    }

    pub(super) fn lead_sent(&mut self, n: u32, result: Result<Box<LeadReceipt>, RequestError>, out: &mut Vec<Effect>) {
        if self.sending != Some(n) {
            return;
        }
        self.sending = None;
        match result {
            Ok(receipt) => {
                self.retry = None;
                if let Some(pending) = self.pending.take() {
                    out.push(Effect::Forget(pending.key));
                    self.sent = pending.lead;
                }
                self.material = receipt.estimate.as_ref().map_or(0, |sheet| sheet.chosen as usize);
                self.change = self.next();
                self.unsaved = false;
                out.push(Effect::Keep(receipt.id.text(), receipt.lead_token.clone()));
                self.receipt = Some(*receipt);
                self.booking = Booking::Idle;
                out.push(Effect::Emit("submit", ""));
                // A visitor who went back meanwhile stays there.
                if matches!(self.screen(), Screen::Details | Screen::Visit | Screen::Unsent) {
                    self.show_outcome(out);
                }
            }
            // It stays on the device: the widget may be switched on again tomorrow.
            Err(RequestError::Refused) => self.pause(out),
            Err(RequestError::Invalid) => {
                if let Some(pending) = self.pending.take() {
                    out.push(Effect::Forget(pending.key));
                }
                self.retry = None;
                self.rejected = true;
                self.uncover(out);
                out.push(Effect::Emit("error", "refused"));
                out.push(Effect::Focus(Focus::Title));
            }
            Err(_) => self.fail(Screen::Unsent, out),
        }
    }

    pub(super) fn show_outcome(&mut self, out: &mut Vec<Effect>) {
        if self.estimate().is_some_and(|s| !s.prices.is_empty()) {
            out.push(Effect::Emit("estimate", ""));
            self.go(Screen::Estimate, out);
        } else {
            self.go(Screen::Thanks, out);
        }
    }

    /// A request failed: wait, longer each time, then try again.
    pub(super) fn fail(&mut self, screen: Screen, out: &mut Vec<Effect>) {
        let attempt = self.retry.as_ref().map_or(0, |r| r.attempt) + 1;
        let wait = (attempt < MAX_ATTEMPTS).then(|| backoff(attempt, self.seed));
        self.retry = Some(Retry { attempt, wait });
        self.retry_seq = self.next();
        if wait.is_some() {
            self.after(1_000, Event::RetrySecond(self.retry_seq), out);
        }
        out.push(Effect::Emit("error", if screen == Screen::Unsent { "lead" } else { "roof" }));
        self.cover(screen, out);
    }

    pub(super) fn retry_second(&mut self, n: u32, out: &mut Vec<Effect>) {
        if n != self.retry_seq {
            return;
        }
        let Some(Retry { wait: Some(wait), .. }) = &mut self.retry else {
            return;
        };
        if *wait > 1 {
            *wait -= 1;
            self.after(1_000, Event::RetrySecond(n), out);
        } else {
            self.try_now(out);
        }
    }

    pub(super) fn try_now(&mut self, out: &mut Vec<Effect>) {
        let Some(retry) = &mut self.retry else { return };
        if self.sending.is_some() || self.looking.is_some() {
            return;
        }
        retry.wait = None;
        self.retry_seq = self.next();
        match self.screen() {
            Screen::Unsent => self.send(out),
            Screen::Unreached => {
                if let Some(address) = self.address.clone() {
                    self.ask(address, out);
                }
            }
            _ => (),
        }
    }

    pub(super) fn forget(&mut self, out: &mut Vec<Effect>) {
        if let Some(pending) = self.pending.take() {
            out.push(Effect::Forget(pending.key));
        }
        self.sending = None;
        self.retry = None;
        self.forgotten = true;
        self.uncover(out);
    }

    pub(super) fn choose_material(&mut self, row: usize, out: &mut Vec<Effect>) {
        if self.estimate().is_some_and(|s| row < s.prices.len()) && row != self.material {
            self.material = row;
            self.unsaved = true;
            self.change_attempt = 0;
            self.change = self.next();
            self.after(MATERIAL_DEBOUNCE_MS, Event::ChangeDue(self.change), out);
        }
    }

    pub(super) fn change_due(&mut self, n: u32, out: &mut Vec<Effect>) {
        if n != self.change {
            return;
        }
        if let Some(price) = self.estimate().and_then(|s| s.prices.get(self.material)) {
            self.announcement = Announcement::Price(price.said.clone());
        }
        self.flush_change(out);
    }

    pub(super) fn flush_change(&mut self, out: &mut Vec<Effect>) {
        if !self.unsaved {
            return;
        }
        let (Some(receipt), Some(sheet)) = (&self.receipt, self.estimate()) else { return };
        let Some(material) = sheet.prices.get(self.material).map(|price| price.material) else { return };
        out.push(Effect::Change(self.change, receipt.id.text(), receipt.lead_token.clone(), material));
        self.unsaved = false;
    }

    pub(super) fn changed(&mut self, n: u32, result: Result<(), RequestError>, out: &mut Vec<Effect>) {
        if n == self.change && matches!(result, Err(RequestError::Offline | RequestError::Busy)) {
            self.change_attempt += 1;
            if self.change_attempt < MAX_CHANGE_ATTEMPTS {
                self.unsaved = true;
                let wait = 1_000 * backoff(self.change_attempt, self.seed);
                self.after(wait, Event::ChangeDue(n), out);
            }
        }
    }
}
