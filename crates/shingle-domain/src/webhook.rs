//! The webhook record of the contract, and what goes beyond it.

use serde::{Deserialize, Serialize};

use crate::event::EventKind;
use crate::id::{DestinationId, WidgetId};
use crate::time::Timestamp;

/// Seconds to wait for a response, unless set.
pub const DEFAULT_TIMEOUT_SECONDS: u8 = 15;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    pub id: DestinationId,
    pub name: String,
    pub url: String,
    pub events: Vec<EventKind>,
    pub active: bool,
    /// Attempts that failed.
    pub failure_count: u64,
    /// Deliveries that succeeded.
    pub success_count: u64,
    pub last_failure_at: Option<Timestamp>,
    pub last_success_at: Option<Timestamp>,
    pub timeout_seconds: u8,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Why it was switched off, when nobody asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inactive_reason: Option<String>,
    #[serde(flatten)]
    pub options: WebhookOptions,
    /// Shown once, when it is made or renewed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// Beyond the document: left out of the record where they have their usual values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookOptions {
    /// Names of the headers that are sent with every event. Their values are kept secret.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<String>,
    /// Only events of these widgets and of their leads; all when empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub widgets: Vec<WidgetId>,
    #[serde(skip_serializing_if = "PayloadMode::is_full")]
    pub payload: PayloadMode,
    /// Events of one resource arrive in order: one waits for the one before.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub ordered: bool,
}

/// How much of a record an event carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PayloadMode {
    #[default]
    Full,
    /// The id alone: the receiver fetches the record with its key. Keeps personal data off the wire.
    Thin,
}

impl PayloadMode {
    pub const ALL: [Self; 2] = [Self::Full, Self::Thin];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Thin => "thin",
        }
    }

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
    fn is_full(&self) -> bool {
        *self == Self::Full
    }
}
