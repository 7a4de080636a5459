//! Identifiers, and the tenant that owns a stored record.

use core::fmt;
use core::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! uuid_newtype {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::try_parse(text).map(Self)
            }
        }

        impl $name {
            /// As `to_string`, without the formatting machinery, which a browser would have to download.
            pub fn text(self) -> String {
                self.0.hyphenated().encode_lower(&mut Uuid::encode_buffer()).to_owned()
            }
        }
    };
}

uuid_newtype!(AccountId);
uuid_newtype!(
    /// The caller's own identifier of a widget: its `referenceId`.
    WidgetId
);
uuid_newtype!(
    /// What is in a widget's links. It is the `referenceId` of the first widget that was made with it; one that another
    /// account, or the same one in its other environment, made with the same has one of its own.
    LinkId
);
uuid_newtype!(LeadId);
uuid_newtype!(
    /// A ready-made reply.
    ReplyId
);
uuid_newtype!(
    /// A file of leads that a company brings in.
    LeadImportId
);
uuid_newtype!(
    /// What was done or noted about a lead.
    EntryId
);
uuid_newtype!(
    /// An inspection with a time. Calendars find their entry by it.
    AppointmentId
);
uuid_newtype!(
    /// A quote of a company to a homeowner, in one of its revisions.
    QuoteId
);
uuid_newtype!(
    /// One consent of a homeowner, as it was recorded.
    ConsentId
);
uuid_newtype!(
    /// Somebody who signs in to the portal.
    UserId
);
uuid_newtype!(
    /// A link that makes a user.
    InviteId
);
uuid_newtype!(
    /// A browser that is signed in.
    SessionId
);
uuid_newtype!(
    /// A public key whose other half is on somebody's device.
    PasskeyId
);
uuid_newtype!(
    /// What a device is asked to sign, until it answers.
    CeremonyId
);
uuid_newtype!(
    /// Where events go: a webhook, a mailbox, a connector.
    DestinationId
);
uuid_newtype!(
    /// One event on its way to one destination.
    DeliveryId
);

impl From<WidgetId> for LinkId {
    /// The one that a widget asks for.
    fn from(id: WidgetId) -> Self {
        Self(id.0)
    }
}

impl WidgetId {
    /// The contract's form: hyphens, no braces; versions 1 to 8, all zeros or all ones.
    pub fn parse(text: &str) -> Option<Self> {
        let id = (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten()?;
        let versioned = matches!(id.get_version_num(), 1..=8) && id.get_variant() == uuid::Variant::RFC4122;
        (versioned || id.is_nil() || id.is_max()).then_some(Self(id))
    }
}

/// The public part of an API key: enough to find and revoke it, not to use it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeyId(pub String);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Environment {
    Sandbox,
    Production,
}

impl Environment {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Production => "production",
        }
    }
}

impl FromStr for Environment {
    type Err = &'static str;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "sandbox" => Ok(Self::Sandbox),
            "production" => Ok(Self::Production),
            _ => Err("the environment is `sandbox` or `production`"),
        }
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An account in one of its two environments, as the owner of data. The first argument of every store function
/// that touches tenant data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tenant {
    pub account: AccountId,
    pub environment: Environment,
}
