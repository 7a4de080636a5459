//! The kinds of events.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum EventKind {
    #[serde(rename = "lead.created")]
    LeadCreated,
    #[serde(rename = "lead.updated")]
    LeadUpdated,
    #[serde(rename = "widget.created")]
    WidgetCreated,
    #[serde(rename = "widget.updated")]
    WidgetUpdated,
}

impl EventKind {
    pub const ALL: [Self; 4] = [Self::LeadCreated, Self::LeadUpdated, Self::WidgetCreated, Self::WidgetUpdated];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::LeadCreated => "lead.created",
            Self::LeadUpdated => "lead.updated",
            Self::WidgetCreated => "widget.created",
            Self::WidgetUpdated => "widget.updated",
        }
    }
}
