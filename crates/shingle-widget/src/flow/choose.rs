//! "Not my roof": the choice among the homes near the one that was found, and what is left where it is none of them.

use super::address_form::NamedAddress;
use super::event::Effect;
use super::screen::Screen;
use super::state::State;

/// In place of picked buildings: the roof that was found belongs to somebody else.
pub const NOT_MINE: u32 = 1 << 31;

impl State {
    pub(super) fn not_my_roof(&mut self, out: &mut Vec<Effect>) {
        self.home = 0;
        let others = self.roof.as_ref().is_some_and(|roof| !roof.homes.is_empty());
        self.go(if others { Screen::Choose } else { Screen::NotMine }, out);
    }

    pub(super) fn choose_home(&mut self, at: usize) {
        if self.roof.as_ref().is_some_and(|roof| at < roof.homes.len()) {
            self.home = at;
        }
    }

    /// Looks the chosen home up; the first one is known already.
    pub(super) fn measure_home(&mut self, out: &mut Vec<Effect>) {
        if self.looking.is_some() {
            return;
        }
        let homes = self.roof.as_ref().map_or(&[][..], |roof| &roof.homes);
        match homes.get(self.home) {
            Some(home) if self.home > 0 => {
                let address = NamedAddress::by_key(&home.key, &home.street, &home.city);
                // Going back to the first step shows it too.
                self.query = address.line();
                self.chosen = Some(address.clone());
                self.look_up(address, out);
            }
            _ => self.back(out),
        }
    }

    /// Whether the visitor asks for a visit because the roof that was found belongs to somebody else.
    pub(super) fn is_not_mine(&self) -> bool {
        self.trail.contains(&Screen::NotMine)
    }

    /// The buildings that a lead names.
    pub(super) fn asked_buildings(&self) -> u32 {
        if self.is_not_mine() { NOT_MINE } else { self.picked }
    }

    /// The roof gives way to another one, and with it the steps that show it.
    pub(super) fn forget_roof(&mut self) {
        self.roof = None;
        self.picked = 0;
        (self.why, self.pane) = Default::default();
        if let Some(at) = self.trail.iter().position(|screen| *screen == Screen::Roof) {
            self.trail.truncate(at);
        }
    }
}
