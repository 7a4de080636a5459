//! The kinds of events.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum EventKind {
    #[serde(rename = "lead.created")]
    LeadCreated,
    #[serde(rename = "lead.updated")]
    LeadUpdated,
    #[serde(rename = "widget.created")]
    WidgetCreated,
    #[serde(rename = "widget.updated")]
    WidgetUpdated,
    /// A test, for one destination. Nobody subscribes to it.
    #[serde(rename = "ping")]
    Ping,
    /// The day of an account, for one destination.
    #[serde(rename = "digest")]
    Digest,
    /// The month of an account, for one destination.
    #[serde(rename = "report")]
    Report,
    /// A destination was switched off by itself.
    #[serde(rename = "destination.off")]
    DestinationOff,
    /// The homeowner's mail server refuses mail for good.
    #[serde(rename = "mail.refused")]
    MailRefused,
    /// A homeowner asks for a visit: for the mailboxes that are notified of leads.
    #[serde(rename = "inspection.asked")]
    InspectionAsked,
    /// A homeowner answers what is asked after the estimate: for those that are notified of leads.
    #[serde(rename = "lead.answered")]
    LeadAnswered,
    /// For the two sides of an inspection, as the next five are.
    #[serde(rename = "inspection.booked")]
    InspectionBooked,
    #[serde(rename = "inspection.moved")]
    InspectionMoved,
    #[serde(rename = "inspection.canceled")]
    InspectionCanceled,
    /// On the day before.
    #[serde(rename = "inspection.reminder")]
    InspectionReminder,
    /// The homeowner agrees to another time.
    #[serde(rename = "inspection.agreed")]
    InspectionAgreed,
    /// The homeowner asks for another time.
    #[serde(rename = "inspection.other")]
    InspectionOther,
    /// The next step of a lead is due: for its assignee, or those that are notified of leads.
    #[serde(rename = "step.reminder")]
    StepReminder,
    /// For the homeowner.
    #[serde(rename = "quote.sent")]
    QuoteSent,
    /// The homeowner accepts or declines a quote: for those that are notified of leads, the assignee, and the homeowner.
    #[serde(rename = "quote.answered")]
    QuoteAnswered,
    /// Somebody of the company writes to the homeowner: one email.
    #[serde(rename = "reply.sent")]
    ReplySent,
    /// The homeowner answers by email: for those that are notified of leads, and for the one who wrote.
    #[serde(rename = "reply.answered")]
    ReplyAnswered,
}

impl EventKind {
    /// Those that a webhook can subscribe to.
    pub const PUBLIC: [Self; 4] = [Self::LeadCreated, Self::LeadUpdated, Self::WidgetCreated, Self::WidgetUpdated];
    const ALL: [Self; 22] = [
        Self::LeadCreated,
        Self::LeadUpdated,
        Self::WidgetCreated,
        Self::WidgetUpdated,
        Self::Ping,
        Self::Digest,
        Self::Report,
        Self::DestinationOff,
        Self::MailRefused,
        Self::InspectionAsked,
        Self::LeadAnswered,
        Self::InspectionBooked,
        Self::InspectionMoved,
        Self::InspectionCanceled,
        Self::InspectionReminder,
        Self::InspectionAgreed,
        Self::InspectionOther,
        Self::StepReminder,
        Self::QuoteSent,
        Self::QuoteAnswered,
        Self::ReplySent,
        Self::ReplyAnswered,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::LeadCreated => "lead.created",
            Self::LeadUpdated => "lead.updated",
            Self::WidgetCreated => "widget.created",
            Self::WidgetUpdated => "widget.updated",
            Self::Ping => "ping",
            Self::Digest => "digest",
            Self::Report => "report",
            Self::DestinationOff => "destination.off",
            Self::MailRefused => "mail.refused",
            Self::InspectionAsked => "inspection.asked",
            Self::LeadAnswered => "lead.answered",
            Self::InspectionBooked => "inspection.booked",
            Self::InspectionMoved => "inspection.moved",
            Self::InspectionCanceled => "inspection.canceled",
            Self::InspectionReminder => "inspection.reminder",
            Self::InspectionAgreed => "inspection.agreed",
            Self::InspectionOther => "inspection.other",
            Self::StepReminder => "step.reminder",
            Self::QuoteSent => "quote.sent",
            Self::QuoteAnswered => "quote.answered",
            Self::ReplySent => "reply.sent",
            Self::ReplyAnswered => "reply.answered",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }

    /// As a webhook names it.
    pub fn parse_public(text: &str) -> Option<Self> {
        Self::PUBLIC.into_iter().find(|kind| kind.as_str() == text)
    }
}
