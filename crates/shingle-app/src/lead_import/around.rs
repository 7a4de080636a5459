//! What rows of a company are read with.

use jiff::tz::TimeZone;
use shingle_domain::{Environment, Tenant, Timestamp, UserId};

use super::columns::Choices;
use super::file::Table;
use super::row::Reader;
use crate::app::App;
use crate::failure::Failure;

pub struct Around {
    people: Vec<(UserId, String, String)>,
    zone: TimeZone,
    now: Timestamp,
    kept_since: Option<Timestamp>,
}

impl Around {
    pub async fn read(app: &App, tenant: &Tenant) -> Result<Self, Failure> {
        let users = app.store.people().list_users(tenant.account).await?;
        let live = Tenant { environment: Environment::Production, ..*tenant };
        let settings = app.store.destinations().cached_notice_settings(&live).await?;
        let zone = Option::as_ref(&settings).map_or("UTC", |settings| settings.time_zone.as_str());
        let now = app.clock.now();
        let days = app.store.accounts().retention(tenant.account).await?.days;
        Ok(Self {
            people: users
                .into_iter()
                .map(|user| (user.id, user.name.as_str().to_owned(), user.email.as_str().to_owned()))
                .collect(),
            zone: TimeZone::get(zone).unwrap_or(TimeZone::UTC),
            now,
            kept_since: days.map(|days| now - std::time::Duration::from_secs(u64::from(days) * 24 * 3_600)),
        })
    }

    pub fn reader<'r>(&'r self, table: &'r Table, choices: &'r Choices) -> Reader<'r> {
        let Self { people, zone, now, kept_since } = self;
        Reader { table, choices, people, zone, now: *now, kept_since: *kept_since }
    }
}
