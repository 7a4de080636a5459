//! Asking for a visit.
//!
//! # Decision
//!
//! The visit form travels with its element (`carry` in `www/loader/parts.js`): choices are read from the previous
//! form. Turned down: its fields in the flow's state and draft.

use shingle_domain::public::LeadReceipt;

use super::event::{Effect, Focus, RequestError};
use super::pending::Booking;
use super::screen::Screen;
use super::state::State;

impl State {
    /// To the form, or on where there is none.
    pub(super) fn book(&mut self, out: &mut Vec<Effect>) {
        self.flush_change(out);
        self.booking = Booking::Idle;
        let form = self.receipt.as_ref().is_some_and(|receipt| !receipt.booking.0.is_empty());
        self.go(if form { Screen::Booking } else { Screen::Thanks }, out);
    }

    pub(super) fn submit_booking(&mut self, out: &mut Vec<Effect>) {
        if self.booking != Booking::Sending {
            out.push(Effect::ReadBooking);
        }
    }

    pub(super) fn wished(&mut self, request: String, out: &mut Vec<Effect>) {
        let Some(receipt) = &self.receipt else { return };
        if request.is_empty() {
            return self.not_booked(Booking::Empty, out);
        }
        let (id, token) = (receipt.id.text(), receipt.lead_token.clone());
        let n = self.next();
        self.change = n;
        self.booking = Booking::Sending;
        out.push(Effect::RequestVisit(n, id, token, request));
    }

    pub(super) fn booked(&mut self, n: u32, result: Result<Box<LeadReceipt>, RequestError>, out: &mut Vec<Effect>) {
        if n != self.change || self.booking != Booking::Sending {
            return;
        }
        match result {
            Ok(receipt) => {
                self.booking = Booking::Idle;
                self.receipt = Some(*receipt);
                if self.screen() == Screen::Booking {
                    self.go(Screen::Thanks, out);
                }
            }
            Err(RequestError::Offline | RequestError::Busy) => self.not_booked(Booking::Offline, out),
            Err(RequestError::Refused | RequestError::Invalid) => self.not_booked(Booking::Refused, out),
        }
    }

    fn not_booked(&mut self, why: Booking, out: &mut Vec<Effect>) {
        self.booking = why;
        out.push(Effect::Focus(Focus::Title));
    }
}
