//! The estimate of an earlier visit.
//!
//! # Decision
//!
//! The device keeps a lead's id and token for thirty days and nothing else; the estimate comes from the server at the
//! next opening. Turned down: the estimate in `localStorage`, which would survive an erasure.

use shingle_domain::public::LeadReceipt;

use super::event::{Effect, RequestError};
use super::screen::Screen;
use super::state::State;

impl State {
    /// The lead that this device remembers has its answer. A visitor who has begun something else meanwhile continues
    /// with that.
    pub(super) fn kept(&mut self, result: Result<Box<LeadReceipt>, RequestError>, out: &mut Vec<Effect>) {
        match result {
            // In other words than before.
            Ok(receipt) if self.receipt.as_ref().is_some_and(|known| known.id == receipt.id) => {
                self.receipt = Some(*receipt);
                self.drawn += 1;
            }
            Ok(receipt)
                if self.receipt.is_none()
                    && self.screen() == Screen::Address
                    && self.query.is_empty()
                    && !self.would_lose() =>
            {
                self.material = receipt.estimate.as_ref().map_or(0, |sheet| sheet.chosen as usize);
                self.receipt = Some(*receipt);
                self.cover(Screen::Kept, out);
            }
            // Erased, or too old.
            Err(RequestError::Invalid) => out.push(Effect::ForgetKept),
            _ => (),
        }
    }

    pub(super) fn open_kept(&mut self, out: &mut Vec<Effect>) {
        self.show_outcome(out);
    }

    pub(super) fn start_over(&mut self, out: &mut Vec<Effect>) {
        self.begin_anew();
        self.edit_address(out);
    }

    pub(super) fn forget_kept(&mut self, out: &mut Vec<Effect>) {
        out.push(Effect::ForgetKept);
        self.start_over(out);
    }
}
