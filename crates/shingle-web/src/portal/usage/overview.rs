//! `/portal/overview`: all widgets of a company side by side, and what each was used for in a month.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, RawQuery, State};
use axum::response::Response;
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::{Environment, Tenant, Timestamp, WidgetId};
use shingle_portal::{
    Hours, OverviewRow, OverviewView, SiteState, WidgetUsage, month_of_year, overview_page, overview_rows,
};
use shingle_store::{LeadQuery, OutcomeFilter, StoredWidget, VisitFilter, VisitsBy};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::page;
use crate::portal::settings::page::{frame, zone};
use crate::portal::usage::results::{csv_file, result_of};
use crate::portal::widgets::titles::widget_titles;
use crate::state::Web;
use crate::web::error::ApiResult;

const WEEK: Duration = Duration::from_secs(7 * 24 * 3_600);
/// Months to choose from, with this one: as long as visits are counted.
const MONTHS: i64 = 25;

/// A month where the company is.
struct Month {
    first: Date,
    last: Date,
    zone: TimeZone,
}

impl Month {
    /// An invalid or future one is this month.
    fn asked(query: &PortalForm, zone: &str, now: Timestamp) -> (Self, Date) {
        let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
        let today = jiff::Timestamp::from_microsecond(now.micros()).unwrap_or_default().to_zoned(zone.clone()).date();
        let this = today.first_of_month();
        let asked = format!("{}-01", query.text("month")).parse::<Date>().ok();
        let first = asked.filter(|month| *month <= this && month.year() >= 2000).unwrap_or(this);
        (Self { first, last: first.last_of_month(), zone }, this)
    }

    fn begin(&self, day: Date) -> Option<Timestamp> {
        let at = day.to_zoned(self.zone.clone()).ok()?.timestamp().as_microsecond();
        Some(Timestamp::from_micros(at))
    }

    fn leads(&self, widget: WidgetId) -> OutcomeFilter {
        let until = self.last.tomorrow().ok().and_then(|day| self.begin(day));
        OutcomeFilter { from: self.begin(self.first), until, widget: Some(widget), ..OutcomeFilter::default() }
    }
}

async fn usage(web: &Web, tenant: &Tenant, month: &Month) -> ApiResult<Vec<WidgetUsage>> {
    let filter = VisitFilter { first: month.first, last: month.last, widget: None, page: None, source: None };
    let counts = web.store.widgets().visit_counts(tenant, &filter, VisitsBy::Widget).await?;
    let mut all = Vec::new();
    for (id, name) in widget_titles(web, tenant).await? {
        let steps = counts.iter().find(|(of, _)| *of == id).map(|(_, steps)| *steps).unwrap_or_default();
        let leads = match id.parse() {
            Ok(widget) => web.store.leads().outcomes(tenant, &month.leads(widget)).await?,
            Err(_) => Vec::new(),
        };
        let leads = leads.into_iter().filter_map(|outcome| result_of(outcome, &month.zone)).collect();
        all.push(WidgetUsage { id, name, steps, leads });
    }
    Ok(all)
}

async fn row(web: &Web, stored: &StoredWidget, name: String, zone: &TimeZone) -> ApiResult<OverviewRow> {
    let (tenant, id, now) = (stored.tenant, stored.widget.reference_id, web.clock.now());
    let leads = web.store.leads();
    let of = |from: Timestamp, until: Option<Timestamp>| OutcomeFilter {
        from: Some(from),
        until,
        widget: Some(id),
        ..OutcomeFilter::default()
    };
    let week = leads.outcomes(&tenant, &of(now - WEEK, None)).await?;
    let before = leads.outcomes(&tenant, &of(now - WEEK * 2, Some(now - WEEK))).await?.len();
    let waiting = LeadQuery { widget: Some(id), waiting: true, ..LeadQuery::default() };
    let (_, waiting) = leads.list_ids(&tenant, &waiting, 1).await?;
    let seen = web.store.widgets().sightings(&tenant, id).await?.into_iter().next();
    Ok(OverviewRow {
        id: id.to_string(),
        name,
        company: stored.widget.company_name.clone(),
        week: week.into_iter().filter_map(|outcome| result_of(outcome, zone)).collect(),
        before: before as u64,
        waiting: waiting.unwrap_or_default() as u64,
        site: match seen {
            None => SiteState::Never,
            Some((host, at)) if at + WEEK < now => SiteState::Missing { host, at },
            Some((host, at)) => SiteState::Seen { host, at },
        },
    })
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let (tenant, zone) = (signed.tenant(Environment::Production), zone(&web, &signed).await?);
    let (month, this) = Month::asked(&PortalForm::of_query(query.as_deref()), &zone, web.clock.now());
    // Pages that loaded a script a moment ago count too.
    web.store.widgets().note_sightings(&web.sightings.take()).await?;
    let mut rows = Vec::new();
    let widgets = web.store.widgets().list(&tenant).await?;
    for (stored, (_, name)) in widgets.iter().zip(widget_titles(&web, &tenant).await?) {
        rows.push(row(&web, stored, name, &month.zone).await?);
    }
    // What needs somebody comes first.
    rows.cold_sort_by_key(|row| (!matches!(row.site, SiteState::Missing { .. }), std::cmp::Reverse(row.waiting)));
    let named = |month: Date| (month.strftime("%Y-%m").to_string(), month_of_year(signed.language, month));
    let mut months: Vec<Date> = (0..MONTHS).filter_map(|back| this.checked_sub(back.months()).ok()).collect();
    if !months.contains(&month.first) {
        months.push(month.first);
    }
    let months: Vec<_> = months.into_iter().map(named).collect();
    let view = OverviewView {
        rows: &rows,
        usage: &usage(&web, &tenant, &month).await?,
        month: &named(month.first).0,
        months: &months,
        hours: &Hours::new(&zone, web.clock.now(), signed.language),
    };
    Ok(page(overview_page(&frame(&signed, None), &view)))
}

pub async fn download(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let zone = zone(&web, &signed).await?;
    let (month, _) = Month::asked(&PortalForm::of_query(query.as_deref()), &zone, web.clock.now());
    let usage = usage(&web, &signed.tenant(Environment::Production), &month).await?;
    let (heads, rows) = overview_rows(&usage);
    csv_file(&format!("widgets-{}", month.first.strftime("%Y-%m")), &heads, &rows)
}
