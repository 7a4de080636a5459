//! The kinds of destinations.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DestinationKind {
    Webhook,
    /// The mailbox of somebody of the company.
    Mail,
    /// The mailbox of the homeowner of each lead.
    Homeowner,
    Connector,
    /// A browser of somebody of the company, through its push service.
    Push,
    /// The mailboxes of one side of an inspection, or those of assignees.
    Appointment,
}

impl DestinationKind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Webhook, Self::Mail, Self::Homeowner, Self::Connector, Self::Push, Self::Appointment];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Webhook => "webhook",
            Self::Mail => "mail",
            Self::Homeowner => "homeowner",
            Self::Connector => "connector",
            Self::Push => "push",
            Self::Appointment => "appointment",
        }
    }

    /// Whether it follows from the settings of notices.
    pub(crate) fn is_mailbox(self) -> bool {
        matches!(self, Self::Mail | Self::Homeowner)
    }

    /// Whether suspected spam is kept from it.
    pub(crate) fn is_notice(self) -> bool {
        self != Self::Webhook
    }
}
