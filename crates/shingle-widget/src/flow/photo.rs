//! Whether the photograph from the air is shown in place of the drawing's ground.
//!
//! The drawing never waits for it. It is shown by itself once, if it comes soon; later it can only be switched to.

/// A photograph that takes longer does not change what the visitor looks at.
pub const SOON_MS: u32 = 8_000;

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

    pub(super) fn late(self) -> Self {
        if self == Self::Awaited { Self::Late } else { self }
    }

    /// `wanted`: what the visitor last chose to look at.
    pub(super) fn loaded(self, wanted: Option<bool>) -> Self {
        match (self, wanted) {
            (Self::Awaited, None) | (Self::Awaited | Self::Late, Some(true)) => Self::Shown,
            (Self::Awaited | Self::Late, _) => Self::Ready,
            (there, _) => there,
        }
    }

    pub(super) fn switched(self, shown: bool) -> Self {
        match self {
            Self::Ready | Self::Shown if shown => Self::Shown,
            Self::Ready | Self::Shown => Self::Ready,
            away => away,
        }
    }
}
