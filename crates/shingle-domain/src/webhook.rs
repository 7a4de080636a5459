//! The webhook record of the contract, and what goes beyond it.

use serde::{Deserialize, Serialize};

use crate::event::EventKind;
use crate::id::{DestinationId, WidgetId};
use crate::time::Timestamp;

/// Seconds to wait for a response, unless set.
pub const DEFAULT_TIMEOUT_SECONDS: u8 = 15;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Webhook {
    /// Id of the webhook. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b70`
    pub id: DestinationId,
    /// Its name, for people. Example: `Our CRM`
    pub name: String,
    /// The address that events are posted to. Example: `https://hooks.example.com/shingle`
    pub url: String,
    /// The events it gets. Example: `["lead.created", "lead.updated"]`
    pub events: Vec<EventKind>,
    /// Whether events are sent. Example: `true`
    pub active: bool,
    /// Attempts that failed. Example: `0`
    pub failure_count: u64,
    /// Deliveries that succeeded. Example: `41`
    pub success_count: u64,
    /// When an attempt last failed, in UTC. Null: never. Example: `2026-11-20T08:00:00.000Z`
    pub last_failure_at: Option<Timestamp>,
    /// When a delivery last succeeded, in UTC. Null: never. Example: `2026-11-22T23:04:05.000Z`
    pub last_success_at: Option<Timestamp>,
    /// Seconds to wait for the status of an answer before the attempt counts as failed. By default 15. Example: `15`
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 30)))]
    pub timeout_seconds: u8,
    /// When it was made, in UTC. Example: `2026-11-01T09:00:00.000Z`
    pub created_at: Timestamp,
    /// When it was last changed, in UTC. Example: `2026-11-01T09:00:00.000Z`
    pub updated_at: Timestamp,
    /// Why it was switched off by itself. Absent where it was not. Example: `The receiver answered 410 Gone`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inactive_reason: Option<String>,
    #[serde(flatten)]
    pub options: WebhookOptions,
    /// The key of its signatures. Shown once: when the webhook is made, or its secret renewed. Example:
    /// `whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret: Option<String>,
}

/// Beyond the document: left out of the record where they have their usual values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookOptions {
    /// Names of the headers that are sent with every event. Their values are not shown. Absent where there are none.
    /// Example: `["authorization"]`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<String>,
    /// Only events of these widgets and of their leads. Absent: of all. Example:
    /// `["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"]`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub widgets: Vec<WidgetId>,
    /// How much of a record an event carries. Absent: `full`. Example: `thin`
    #[serde(skip_serializing_if = "PayloadMode::is_full")]
    pub payload: PayloadMode,
    /// Whether the events of one lead or widget arrive in order, one waiting for the one before. Absent: no. Example:
    /// `true`
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub ordered: bool,
}

/// How much of a record an event carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
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
