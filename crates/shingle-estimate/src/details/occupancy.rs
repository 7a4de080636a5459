//! Whether the owner lives at the property, and which record shows it.

use shingle_domain::evidence::Assessor;

use crate::owner::{OwnerKind, Owners};

/// The rule that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occupancy {
    Exempt {
        source: u8,
    },
    Organisation {
        source: u8,
    },
    MailedHere {
        source: u8,
    },
    MailedElsewhere {
        source: u8,
    },
    /// Whether an exemption is recorded as not held.
    Unknown {
        no_exemption: bool,
    },
}

pub(crate) fn occupancy(assessor: &Assessor) -> Occupancy {
    let exemption = assessor.residential_exemption.as_ref();
    if let Some(held) = exemption.filter(|f| f.value) {
        return Occupancy::Exempt { source: held.source };
    }
    if Owners::of(assessor).kind() == Some(OwnerKind::Organisation)
        && let Some(owner) = assessor.primary_owner.as_ref().or(assessor.secondary_owner.as_ref())
    {
        return Occupancy::Organisation { source: owner.source };
    }
    match &assessor.mailed_here {
        Some(here) if here.value => Occupancy::MailedHere { source: here.source },
        Some(elsewhere) => Occupancy::MailedElsewhere { source: elsewhere.source },
        None => Occupancy::Unknown { no_exemption: exemption.is_some() },
    }
}

impl Occupancy {
    pub(crate) fn occupied(self) -> Option<bool> {
        match self {
            Self::Exempt { .. } | Self::MailedHere { .. } => Some(true),
            Self::Organisation { .. } | Self::MailedElsewhere { .. } => Some(false),
            Self::Unknown { .. } => None,
        }
    }

    pub(crate) fn source(self) -> Option<u8> {
        match self {
            Self::Exempt { source }
            | Self::Organisation { source }
            | Self::MailedHere { source }
            | Self::MailedElsewhere { source } => Some(source),
            Self::Unknown { .. } => None,
        }
    }

    pub(crate) fn part(self) -> &'static str {
        match self {
            Self::Exempt { .. } => "exemption",
            Self::Organisation { .. } => "owner",
            Self::MailedHere { .. } | Self::MailedElsewhere { .. } => "mailing",
            Self::Unknown { .. } => "nothing",
        }
    }

    pub(crate) fn because(self) -> &'static str {
        match self {
            Self::Exempt { .. } => "the residential exemption is held",
            Self::Organisation { .. } => "the owner is an organisation, which lives nowhere",
            Self::MailedHere { .. } => "the owner's mail goes to this property",
            Self::MailedElsewhere { .. } => "the owner's mail goes to another address",
            Self::Unknown { no_exemption: true } => {
                "no exemption is held, which proves nothing, and where the owner's mail goes is not known"
            }
            Self::Unknown { no_exemption: false } => "neither an exemption nor where the owner's mail goes is recorded",
        }
    }
}
