//! On which days a company accepts visits.

use shingle_domain::inspection::VisitCalendar;
use shingle_domain::notice::NoticeSettings;
use shingle_domain::settings::VisitHours;
use shingle_domain::{Tenant, Timestamp, WidgetSettings};
use shingle_notice::local_day;
use shingle_store::{Store, StoreError};

/// The company's hours, and the moment by which they are read.
pub struct CompanyHours {
    hours: Option<VisitHours>,
    time_zone: String,
    now: Timestamp,
}

impl CompanyHours {
    pub async fn of(
        store: &Store,
        tenant: &Tenant,
        settings: &WidgetSettings,
        now: Timestamp,
    ) -> Result<Self, StoreError> {
        let decided = store.destinations().cached_notice_settings(tenant).await?;
        let default = NoticeSettings::default();
        let notices = Option::as_ref(&decided).unwrap_or(&default);
        let hours = settings.visit_hours(notices);
        let time_zone = hours.as_ref().map_or(&notices.time_zone, |hours| &hours.time_zone).clone();
        Ok(Self { hours, time_zone, now })
    }

    pub fn time_zone(&self) -> &str {
        &self.time_zone
    }

    pub fn calendar(&self) -> VisitCalendar<'_> {
        VisitCalendar { today: local_day(&self.time_zone, self.now), hours: self.hours.as_ref() }
    }
}
