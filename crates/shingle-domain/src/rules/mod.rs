//! Field rules: which values a request may have, the exact message of each broken rule, and their order.
//! Fields come in the order of the contract; within a field: type, then emptiness, then format.
//!
//! | sent | type | emptiness | format |
//! |---|---|---|---|
//! | nothing | broken | broken | broken |
//! | empty text | | broken | broken |
//! | twice, or not a text | broken | | broken |

mod answers;
mod appointment;
mod delivery;
mod inspection;
mod lead;
mod lookup;
mod personal_data;
mod reader;
mod settings;
mod spelling;
mod webhook;
mod widget;

pub use appointment::{Booking, BookingField, BookingForm, BookingProblem};
pub use delivery::{DeliveryListQuery, ReplayRequest};
pub use inspection::InspectionWishes;
pub use lead::{FieldProblem, LeadListQuery, LeadPatch, NewLead, NoteDraft, email, message, person_name, phone};
pub use personal_data::{PersonQuery, RetentionDays};
pub use reader::{FieldItem, Fields, MAX_LINK, MAX_TEXT};
pub use webhook::{OptionsPatch, WebhookDraft, WebhookPatch};
pub use widget::{WIDGET_FIELDS, WidgetDraft, WidgetField, WidgetFieldKind, WidgetPatch};

#[cfg(test)]
mod contract;
#[cfg(test)]
mod lead_tests;
#[cfg(test)]
mod settings_tests;
#[cfg(test)]
mod widget_tests;
