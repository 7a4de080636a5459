//! How far visitors came, in sums of a day, widget, page and source; and the towns that nobody has imported.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::Serialize;
use shingle_domain::visit::{OTHER, VisitFrom, VisitStep};
use shingle_domain::{Environment, Tenant, WidgetId};

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::store::columns;
use crate::widgets::Widgets;
use crate::widgets::visit_buffer::{MAX_FROM, MAX_TOWNS, StepCounts, VisitSums, WaitingVisits, add_counts, reached};

/// How long sums are kept: two years can be compared, to the month.
const KEPT_MONTHS: i32 = 25;
/// Rows of a table; the rest would not be read.
const MAX_ROWS: i64 = 200;

/// Which visits to add up. Days are the company's own, the last one included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitFilter {
    pub first: Date,
    pub last: Date,
    pub widget: Option<WidgetId>,
    pub page: Option<String>,
    pub source: Option<String>,
}

/// What the rows of a table of visits are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisitsBy {
    Widget,
    Page,
    Source,
    Day,
}

row! {
    struct CountRow {
        name: String,
        seen: i64,
        opened: i64,
        address: i64,
        roof: i64,
        details: i64,
        lead: i64,
    }
}

row! {
    struct FromRow {
        page: String,
        source: String,
    }
}

/// In the order of the table's key, on all nodes: nobody then waits in a circle.
#[derive(Serialize)]
struct CountedRow {
    account_id: String,
    environment: &'static str,
    widget_id: String,
    day: String,
    page: String,
    source: String,
    seen: i64,
    opened: i64,
    address: i64,
    roof: i64,
    details: i64,
    lead: i64,
}

#[derive(Serialize)]
struct TownRow {
    account_id: String,
    environment: &'static str,
    widget_id: String,
    day: String,
    town: String,
    asked: i64,
}

macro_rules! add_counts_sql {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO visit_count (account_id, environment, widget_id, day, page, source, seen, opened, address, roof, details, lead)
             SELECT account_id, environment, widget_id, day, page, source, seen, opened, address, roof, details, lead
               FROM given WHERE true
             ON CONFLICT (account_id, environment, widget_id, day, page, source) DO UPDATE
                SET seen = visit_count.seen + excluded.seen, opened = visit_count.opened + excluded.opened,
                    address = visit_count.address + excluded.address, roof = visit_count.roof + excluded.roof,
                    details = visit_count.details + excluded.details, lead = visit_count.lead + excluded.lead"
        )
    };
}

macro_rules! add_towns_sql {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO town_asked (account_id, environment, widget_id, day, town, asked)
             SELECT account_id, environment, widget_id, day, town, asked FROM given WHERE true
             ON CONFLICT (account_id, environment, widget_id, day, town) DO UPDATE
                SET asked = town_asked.asked + excluded.asked"
        )
    };
}

macro_rules! select_counts {
    ($column:literal) => {
        concat!(
            "SELECT ",
            $column,
            " AS name, CAST(SUM(seen) AS BIGINT) AS seen, CAST(SUM(opened) AS BIGINT) AS opened,
                    CAST(SUM(address) AS BIGINT) AS address, CAST(SUM(roof) AS BIGINT) AS roof,
                    CAST(SUM(details) AS BIGINT) AS details, CAST(SUM(lead) AS BIGINT) AS lead
               FROM visit_count
              WHERE account_id = $1 AND environment = $2 AND day >= $3 AND day <= $4
                AND (CAST($5 AS TEXT) IS NULL OR widget_id = $5) AND (CAST($6 AS TEXT) IS NULL OR page = $6)
                AND (CAST($7 AS TEXT) IS NULL OR source = $7)
                AND (CAST($9 AS TEXT) IS NULL OR $9 LIKE '%' || widget_id || '%')
              GROUP BY ",
            $column,
            " ORDER BY opened DESC, name LIMIT $8"
        )
    };
}

/// One widget on one day of its company.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct DayOf {
    account_id: String,
    environment: &'static str,
    widget_id: String,
    day: String,
}

impl Widgets<'_> {
    /// A page asked for the widget's script.
    pub fn count_load(self, tenant: Tenant, widget: WidgetId) {
        self.store.visits.load(tenant, widget, self.store.now());
    }

    pub fn count_step(self, tenant: Tenant, widget: WidgetId, step: VisitStep, from: VisitFrom) {
        self.store.visits.step(tenant, widget, self.store.now(), step, from);
    }

    /// An address of this town was asked for, and no import covers it.
    pub fn count_town(self, tenant: Tenant, widget: WidgetId, town: &str) {
        self.store.visits.town(tenant, widget, self.store.now(), town);
    }

    /// Writes what was counted, in one transaction. What cannot be written stays counted.
    pub async fn flush_visits(self) -> Result<(), StoreError> {
        // A separate task: a caller that is cancelled half-way must not leave visits uncounted or counted twice.
        let store = self.store.clone();
        tokio::spawn(async move { store.widgets().write_visits().await }).await.unwrap_or(Ok(()))
    }

    async fn write_visits(self) -> Result<(), StoreError> {
        let _writing = self.store.visits.write_lock.lock().await;
        let waiting = self.store.visits.take();
        if waiting.is_empty() {
            return Ok(());
        }
        let written = self.write_waiting(&waiting).await;
        if written.is_err() {
            self.store.visits.put_back(waiting);
        }
        written
    }

    async fn write_waiting(self, waiting: &WaitingVisits) -> Result<(), StoreError> {
        let mut days: BTreeMap<DayOf, VisitSums> = BTreeMap::new();
        for (of, sums) in waiting {
            let company = Tenant { environment: Environment::Production, ..of.tenant };
            let settings = self.store.destinations().cached_notice_settings(&company).await?;
            let zone = Option::as_ref(&settings).and_then(|settings| TimeZone::get(&settings.time_zone).ok());
            let at = jiff::Timestamp::from_microsecond(of.begins).unwrap_or_default();
            let (account_id, environment) = columns(&of.tenant);
            let day = at.to_zoned(zone.unwrap_or(TimeZone::UTC)).date().to_string();
            let day = DayOf { account_id, environment, widget_id: of.widget.to_string(), day };
            days.entry(day).or_default().merge(sums.clone());
        }
        transact!(self.store.db, |tx| {
            let (mut counts, mut towns) = (Vec::new(), Vec::new());
            for (of, sums) in &days {
                counts.extend(told_apart(tx, of, sums).await?);
                towns.extend(towns_told_apart(tx, of, sums).await?);
            }
            let sql = match &self.store.db {
                Db::Sqlite { .. } => {
                    add_counts_sql!(
                        dialect::given_rows!(sqlite: account_id text, environment text, widget_id text, day text,
                    page text, source text, seen bigint, opened bigint, address bigint, roof bigint, details bigint, lead bigint)
                    )
                }
                Db::Postgres(_) => {
                    add_counts_sql!(
                        dialect::given_rows!(postgres: account_id text, environment text, widget_id text, day text,
                    page text, source text, seen bigint, opened bigint, address bigint, roof bigint, details bigint, lead bigint)
                    )
                }
            };
            execute!(tx, sql, serde_json::to_string(&counts)?)?;
            let sql = match &self.store.db {
                Db::Sqlite { .. } => {
                    add_towns_sql!(
                        dialect::given_rows!(sqlite: account_id text, environment text, widget_id text, day text,
                    town text, asked bigint)
                    )
                }
                Db::Postgres(_) => {
                    add_towns_sql!(
                        dialect::given_rows!(postgres: account_id text, environment text, widget_id text, day text,
                    town text, asked bigint)
                    )
                }
            };
            if !towns.is_empty() {
                execute!(tx, sql, serde_json::to_string(&towns)?)?;
            }
            Ok(())
        })
    }

    /// Sums by one thing, most opened first; by day, oldest first. At most 200 rows.
    pub async fn visit_counts(
        self,
        tenant: &Tenant,
        filter: &VisitFilter,
        by: VisitsBy,
    ) -> Result<Vec<(String, StepCounts)>, StoreError> {
        self.flush_visits().await?;
        let (account, environment) = columns(tenant);
        let sql = match by {
            VisitsBy::Widget => select_counts!("widget_id"),
            VisitsBy::Page => select_counts!("page"),
            VisitsBy::Source => select_counts!("source"),
            VisitsBy::Day => select_counts!("day"),
        };
        // As many widgets as a company has: what they are used for is billed.
        let limit = if matches!(by, VisitsBy::Day | VisitsBy::Widget) { i64::MAX } else { MAX_ROWS };
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            CountRow,
            sql,
            account,
            environment,
            filter.first.to_string(),
            filter.last.to_string(),
            filter.widget.map(|id| id.to_string()),
            filter.page.as_deref(),
            filter.source.as_deref(),
            limit,
            seen_now().text()
        )?;
        let mut rows: Vec<_> = rows
            .into_iter()
            .map(|row| {
                let mut counts = reached([row.seen, row.opened, row.address, row.roof, row.details, row.lead]);
                // A load of the script names no page and no source.
                if matches!(by, VisitsBy::Page | VisitsBy::Source) {
                    counts[VisitStep::Seen as usize] = row.seen;
                }
                (row.name, counts)
            })
            .collect();
        if by == VisitsBy::Day {
            rows.sort();
        }
        Ok(rows)
    }

    /// The first day of which anything is counted.
    pub async fn visits_counted_since(self, tenant: &Tenant) -> Result<Option<Date>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (Option<String>,),
            "SELECT MIN(day) FROM visit_count WHERE account_id = $1 AND environment = $2",
            account,
            environment
        )?;
        Ok(row.and_then(|(day,)| day).and_then(|day| day.parse().ok()))
    }

    /// Towns that were asked for and are not covered, most asked first.
    pub async fn towns_asked(self, tenant: &Tenant, filter: &VisitFilter) -> Result<Vec<(String, i64)>, StoreError> {
        self.flush_visits().await?;
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, i64),
            "SELECT town, CAST(SUM(asked) AS BIGINT) AS asked FROM town_asked
              WHERE account_id = $1 AND environment = $2 AND day >= $3 AND day <= $4
                AND (CAST($5 AS TEXT) IS NULL OR widget_id = $5)
                AND (CAST($7 AS TEXT) IS NULL OR $7 LIKE '%' || widget_id || '%')
              GROUP BY town ORDER BY asked DESC, town LIMIT $6",
            account,
            environment,
            filter.first.to_string(),
            filter.last.to_string(),
            filter.widget.map(|id| id.to_string()),
            MAX_ROWS,
            seen_now().text()
        )?;
        Ok(rows)
    }

    /// Deletes what is older than 25 months.
    pub async fn delete_old_visits(self) -> Result<(), StoreError> {
        let months = jiff::Span::new().months(KEPT_MONTHS);
        let Ok(before) = self.store.now().date().checked_sub(months) else { return Ok(()) };
        let before = before.to_string();
        transact!(self.store.db, |tx| {
            execute!(tx, "DELETE FROM visit_count WHERE day < $1", &before)?;
            execute!(tx, "DELETE FROM town_asked WHERE day < $1", &before)?;
            Ok(())
        })
    }
}

/// The rows of a day, of which only so many pages and sources are told apart, whatever was counted before and on other nodes.
async fn told_apart(tx: &mut Tx<'_>, of: &DayOf, sums: &VisitSums) -> Result<Vec<CountedRow>, StoreError> {
    let known = fetch_all!(
        tx,
        FromRow,
        "SELECT page, source FROM visit_count
          WHERE account_id = $1 AND environment = $2 AND widget_id = $3 AND day = $4",
        &of.account_id,
        of.environment,
        &of.widget_id,
        &of.day
    )?;
    let mut known: BTreeSet<_> = known.into_iter().map(|row| VisitFrom::counted(row.page, row.source)).collect();
    let mut rows: BTreeMap<VisitFrom, StepCounts> = BTreeMap::new();
    for (from, counts) in sums.from.iter().collect::<BTreeMap<_, _>>() {
        let has_room = known.len() < MAX_FROM || known.contains(from) || *from == VisitFrom::default();
        let from = if has_room { from.clone() } else { VisitFrom::other() };
        known.insert(from.clone());
        add_counts(rows.entry(from).or_default(), counts);
    }
    let row = |(from, [seen, opened, address, roof, details, lead]): (VisitFrom, StepCounts)| CountedRow {
        account_id: of.account_id.clone(),
        environment: of.environment,
        widget_id: of.widget_id.clone(),
        day: of.day.clone(),
        page: from.page().to_owned(),
        source: from.source().to_owned(),
        seen,
        opened,
        address,
        roof,
        details,
        lead,
    };
    Ok(rows.into_iter().map(row).collect())
}

async fn towns_told_apart(tx: &mut Tx<'_>, of: &DayOf, sums: &VisitSums) -> Result<Vec<TownRow>, StoreError> {
    if sums.towns.is_empty() {
        return Ok(Vec::new());
    }
    let known = fetch_all!(
        tx,
        (String,),
        "SELECT town FROM town_asked WHERE account_id = $1 AND environment = $2 AND widget_id = $3 AND day = $4",
        &of.account_id,
        of.environment,
        &of.widget_id,
        &of.day
    )?;
    let mut known: BTreeSet<String> = known.into_iter().map(|(town,)| town).collect();
    let mut rows: BTreeMap<String, i64> = BTreeMap::new();
    for (town, asked) in sums.towns.iter().collect::<BTreeMap<_, _>>() {
        let town = if known.len() < MAX_TOWNS || known.contains(town) { town.as_str() } else { OTHER };
        known.insert(town.to_owned());
        *rows.entry(town.to_owned()).or_default() += asked;
    }
    let row = |(town, asked)| TownRow {
        account_id: of.account_id.clone(),
        environment: of.environment,
        widget_id: of.widget_id.clone(),
        day: of.day.clone(),
        town,
        asked,
    };
    Ok(rows.into_iter().map(row).collect())
}
