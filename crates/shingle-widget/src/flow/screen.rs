//! The screens of the flow, and the steps they belong to.

/// What the visitor sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Screen {
    Address,
    /// The address in its five parts.
    AddressForm,
    Measuring,
    NotFound,
    /// The look-up failed and is tried again.
    Unreached,
    Roof,
    /// Which of the homes near it is theirs.
    Choose,
    /// The roof is none of those on the map.
    NotMine,
    Details,
    /// There is no roof to show; the visitor can ask for a visit.
    Visit,
    /// Sending the lead failed; it is stored and tried again.
    Unsent,
    Estimate,
    /// The visitor wishes times for a visit.
    Booking,
    Thanks,
    /// An earlier visit's estimate is there again.
    Kept,
    /// Switched off, or not meant for this page.
    Paused,
}

impl Screen {
    /// Which of the four steps it belongs to; `None` where no progress is shown.
    pub fn step(self) -> Option<usize> {
        match self {
            Self::Address | Self::AddressForm | Self::Measuring | Self::NotFound | Self::Unreached => Some(0),
            Self::Roof | Self::Choose | Self::NotMine => Some(1),
            Self::Details | Self::Visit | Self::Unsent => Some(2),
            Self::Estimate => Some(3),
            Self::Booking | Self::Thanks | Self::Kept | Self::Paused => None,
        }
    }

    /// The name in events and in the markup.
    pub fn name(self) -> &'static str {
        match self {
            Self::Address => "address",
            Self::AddressForm => "parts",
            Self::Measuring => "measuring",
            Self::NotFound => "not-found",
            Self::Unreached => "unreached",
            Self::Roof => "roof",
            Self::Choose => "choose",
            Self::NotMine => "not-mine",
            Self::Details => "details",
            Self::Visit => "visit",
            Self::Unsent => "unsent",
            Self::Estimate => "estimate",
            Self::Booking => "booking",
            Self::Thanks => "thanks",
            Self::Kept => "kept",
            Self::Paused => "paused",
        }
    }
}
