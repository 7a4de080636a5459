//! A widget as it is stored.

use shingle_domain::widget::Widget;
use shingle_domain::{Tenant, Timestamp, WidgetSettings};

#[derive(Debug, Clone, PartialEq)]
pub struct StoredWidget {
    pub tenant: Tenant,
    pub widget: Widget,
    /// What is set beside its record.
    pub settings: WidgetSettings,
    /// Counts the changes from 1, those of the settings too.
    pub version: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}
