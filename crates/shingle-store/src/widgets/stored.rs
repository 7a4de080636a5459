//! A widget as it is stored.

use shingle_domain::widget::Widget;
use shingle_domain::{Environment, Tenant, Timestamp, WidgetSettings};

use crate::widgets::former_name::FormerName;

#[derive(Debug, Clone, PartialEq)]
pub struct StoredWidget {
    pub tenant: Tenant,
    pub widget: Widget,
    /// What is set beside its record.
    pub settings: WidgetSettings,
    pub former_names: Vec<FormerName>,
    /// Counts the changes from 1, those of the settings too.
    pub version: u64,
    /// Not what visitors see: what somebody has in the designer. Its links hold the preview's id, and its leads are test data.
    pub is_preview: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl StoredWidget {
    /// Where what its visitors send goes: from a preview, it is test data.
    pub fn request_tenant(&self) -> Tenant {
        match self.is_preview {
            true => Tenant { environment: Environment::Sandbox, ..self.tenant },
            false => self.tenant,
        }
    }

    /// The company's name, and those that a page which is still open may show.
    pub fn company_names(&self, now: Timestamp) -> impl Iterator<Item = &str> {
        let former = self.former_names.iter().filter(move |former| former.is_remembered(now));
        std::iter::once(self.widget.company_name.as_str()).chain(former.map(|former| former.name.as_str()))
    }
}
