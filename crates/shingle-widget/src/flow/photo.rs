//! Whether the photograph from the air is shown in place of the drawing's ground.
//!
//! The drawing never waits for it. It is shown by itself once, if it comes soon; later it can only be switched to.

use super::event::{Effect, Event};
use super::state::State;

/// A photograph that takes longer does not change what the visitor looks at.
const SOON_MS: u32 = 8_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Photo {
    /// Not here yet, if there is one.
    #[default]
    Awaited,
    /// It may still come, but not by itself.
    Late,
    /// It can be switched to.
    Ready,
    Shown,
}

impl Photo {
    /// As the stylesheet reads it. `None`: nobody sees that there is one.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Awaited | Self::Late => None,
            Self::Ready => Some("ready"),
            Self::Shown => Some("shown"),
        }
    }
}

impl State {
    /// Another home: its photograph is not here.
    pub(super) fn await_photo(&mut self, out: &mut Vec<Effect>) {
        self.photo = Photo::Awaited;
        self.photo_of = self.next();
        out.push(Effect::After(SOON_MS, Event::PhotoLate(self.photo_of)));
    }

    pub(super) fn photo_late(&mut self, n: u32) {
        if self.photo == Photo::Awaited && self.photo_of == n {
            self.photo = Photo::Late;
        }
    }

    pub(super) fn photo_loaded(&mut self) {
        self.photo = match (self.photo, self.wants_photo) {
            (Photo::Awaited, None) | (Photo::Awaited | Photo::Late, Some(true)) => Photo::Shown,
            (Photo::Awaited | Photo::Late, _) => Photo::Ready,
            (there, _) => there,
        };
    }

    /// What the visitor chose stays for the visit.
    pub(super) fn switch_photo(&mut self, shown: bool) {
        self.wants_photo = Some(shown);
        if matches!(self.photo, Photo::Ready | Photo::Shown) {
            self.photo = if shown { Photo::Shown } else { Photo::Ready };
        }
    }
}
