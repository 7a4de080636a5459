//! `/portal/results`: what the company's widgets achieve.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_domain::{Environment, Tenant, Timestamp, WidgetId};
use shingle_portal::{LeadResult, ResultsQuery, ResultsView, results_page, results_rows};
use shingle_store::{LeadOutcome, OutcomeFilter, StepCounts, VisitFilter, VisitsBy};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::environment;
use crate::portal::responses::{not_there, page};
use crate::portal::settings::page::{frame, zone};
use crate::portal::usage::missing_towns::still_missing;
use crate::portal::widgets::titles::widget_titles;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::lead_csv::table_csv;

/// How long sums are kept, and a little more.
const MAX_DAYS: i32 = 800;
/// Characters of a page or source, which are shorter when they are counted.
const MAX_TEXT: usize = 120;

struct Asked {
    query: ResultsQuery,
    zone: TimeZone,
    wrong: Option<&'static str>,
}

fn asked(form: &PortalForm, zone: &str, now: Timestamp) -> Asked {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let today = jiff::Timestamp::from_microsecond(now.micros()).unwrap_or_default().to_zoned(zone.clone()).date();
    let back = |days: u16| today.checked_sub(jiff::Span::new().days(i64::from(days) - 1)).unwrap_or(today);
    let mut wrong = None;
    let mut period = (Some(30), back(30), today);
    // Days that were typed count, whatever the period says.
    let is_typed = form.has("shown") && form.text("shown") != format!("{} {}", form.text("from"), form.text("to"));
    match if is_typed { "own" } else { form.text("days") } {
        "" | "30" => {}
        "7" => period = (Some(7), back(7), today),
        "90" => period = (Some(90), back(90), today),
        "own" => {
            let day = |name: &str| form.text(name).parse::<Date>().ok();
            match (day("from"), day("to")) {
                (Some(first), Some(last)) if first <= last && (last - first).get_days() < MAX_DAYS => {
                    period = (None, first, last);
                }
                _ => wrong = Some("Choose a range of up to two years. Showing the last 30 days."),
            }
        }
        _ => wrong = Some("Unknown period. Showing the last 30 days."),
    }
    let widget = form.text("widget").parse::<WidgetId>().ok();
    if widget.is_none() && !form.text("widget").is_empty() {
        wrong = Some("Unknown widget. Showing all widgets.");
    }
    let text = |name: &str| form.text(name).chars().filter(|c| !c.is_control()).take(MAX_TEXT).collect();
    let (days, first, last) = period;
    let query = ResultsQuery {
        days,
        first,
        last,
        today,
        widget: widget.map(|id| id.to_string()).unwrap_or_default(),
        page: text("page"),
        source: text("source"),
        environment: environment(form),
    };
    Asked { query, zone, wrong }
}

/// What a page of results is made of.
struct Read {
    widgets: Vec<(String, String)>,
    by: [Vec<(String, StepCounts)>; 4],
    sources: Vec<String>,
    leads: Vec<LeadResult>,
    leads_before: Option<u64>,
    counted_since: Option<Date>,
    towns: Vec<(String, i64)>,
}

impl Read {
    async fn of(web: &Arc<Web>, signed: &Signed, asked: &Asked) -> ApiResult<Self> {
        let query = &asked.query;
        let tenant = signed.tenant(query.environment);
        let chosen = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let widget = query.widget.parse().ok();
        let all = VisitFilter { first: query.first, last: query.last, widget, page: None, source: None };
        let filter = VisitFilter { page: chosen(&query.page), source: chosen(&query.source), ..all.clone() };
        let counts = async |by| web.store.widgets().visit_counts(&tenant, &filter, by).await;
        let by = [
            counts(VisitsBy::Widget).await?,
            counts(VisitsBy::Page).await?,
            counts(VisitsBy::Source).await?,
            counts(VisitsBy::Day).await?,
        ];
        let sources = web.store.widgets().visit_counts(&tenant, &all, VisitsBy::Source).await?;
        let asked_for = web.store.widgets().towns_asked(&tenant, &all).await?;
        let leads = leads(web, &tenant, asked, (query.first, query.last), &filter).await?;
        Ok(Self {
            widgets: widget_titles(web, &tenant).await?,
            by,
            sources: sources.into_iter().map(|(source, _)| source).filter(|source| !source.is_empty()).collect(),
            leads_before: before(web, &tenant, asked, &filter).await?,
            leads,
            counted_since: web.store.widgets().visits_counted_since(&tenant).await?,
            towns: match query.environment {
                Environment::Production => still_missing(web, asked_for).await?,
                // Their town is invented.
                Environment::Sandbox => asked_for,
            },
        })
    }

    fn view<'v>(&'v self, asked: &'v Asked) -> ResultsView<'v> {
        let [by_widget, by_page, by_source, by_day] = &self.by;
        ResultsView {
            query: &asked.query,
            wrong: asked.wrong,
            widgets: &self.widgets,
            by_widget,
            by_page,
            by_source,
            by_day,
            sources: &self.sources,
            leads: &self.leads,
            leads_before: self.leads_before,
            counted_since: self.counted_since,
            towns: &self.towns,
        }
    }
}

/// Those of the days, without spam. A day begins when it does where the company is.
async fn leads(
    web: &Web,
    tenant: &Tenant,
    asked: &Asked,
    (first, last): (Date, Date),
    filter: &VisitFilter,
) -> ApiResult<Vec<LeadResult>> {
    let begin = |day: Date| {
        let at = day.to_zoned(asked.zone.clone()).ok()?.timestamp().as_microsecond();
        Some(Timestamp::from_micros(at))
    };
    let VisitFilter { widget, page, source, .. } = filter.clone();
    let until = last.tomorrow().ok().and_then(begin);
    let wanted = OutcomeFilter { from: begin(first), until, widget, page, source };
    let outcomes = web.store.leads().outcomes(tenant, &wanted).await?;
    Ok(outcomes.into_iter().filter_map(|outcome| result_of(outcome, &asked.zone)).collect())
}

pub fn result_of(outcome: LeadOutcome, zone: &TimeZone) -> Option<LeadResult> {
    let came = jiff::Timestamp::from_microsecond(outcome.created_at.micros()).ok()?;
    Some(LeadResult {
        day: came.to_zoned(zone.clone()).date(),
        waited: outcome.first_touch_at.map(|at| (at.seconds() - outcome.created_at.seconds()).max(0)),
        from: outcome.from,
        widget: outcome.widget.map(|id| id.to_string()).unwrap_or_default(),
        status: outcome.status,
        price: outcome.price,
    })
}

/// How many leads there were in as many days before; `None` where no calendar reaches back so far.
async fn before(web: &Web, tenant: &Tenant, asked: &Asked, filter: &VisitFilter) -> ApiResult<Option<u64>> {
    let query = &asked.query;
    let days = query.last - query.first;
    let Some((first, last)) = query.first.yesterday().ok().and_then(|last| Some((last.checked_sub(days).ok()?, last)))
    else {
        return Ok(None);
    };
    Ok(Some(leads(web, tenant, asked, (first, last), filter).await?.len() as u64))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let asked = asked(&form, &zone(&web, &signed).await?, web.clock.now());
    let read = Read::of(&web, &signed, &asked).await?;
    Ok(page(results_page(&frame(&signed, None), &read.view(&asked))))
}

/// One table as a file: `?table=pages`.
pub async fn download(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let asked = asked(&form, &zone(&web, &signed).await?, web.clock.now());
    let read = Read::of(&web, &signed, &asked).await?;
    let table = form.text("table");
    match results_rows(&read.view(&asked), table) {
        Some((heads, rows)) => csv_file(&format!("results-{table}"), &heads, &rows),
        None => Ok(not_there()),
    }
}

/// `name` is one of ours.
pub fn csv_file(name: &str, heads: &[&str], rows: &[Vec<String>]) -> ApiResult<Response> {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")),
    ];
    Ok((headers, table_csv(heads, rows).map_err(ApiError::internal)?).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_period_ends_today_where_the_company_is() {
        // 2026-03-08 03:30 UTC is still the 7th in New York; the clocks change on the 8th.
        let now = Timestamp::from_micros(1_772_940_600_000_000);
        let of = |query: &str| {
            let Asked { query, wrong, .. } = asked(&PortalForm::of_query(Some(query)), "America/New_York", now);
            (query.first.to_string(), query.last.to_string(), wrong.is_some())
        };
        let told = |first: &str, last: &str, wrong: bool| (first.to_owned(), last.to_owned(), wrong);
        assert_eq!(of(""), told("2026-02-06", "2026-03-07", false));
        assert_eq!(of("days=7"), told("2026-03-01", "2026-03-07", false));
        assert_eq!(of("days=own&from=2026-01-01&to=2026-01-01"), told("2026-01-01", "2026-01-01", false));
        let typed = "days=30&shown=2026-02-06+2026-03-07&from=2026-03-01&to=2026-03-07";
        assert_eq!(of(typed), told("2026-03-01", "2026-03-07", false));
        let chosen = "days=7&shown=2026-02-06+2026-03-07&from=2026-02-06&to=2026-03-07";
        assert_eq!(of(chosen), told("2026-03-01", "2026-03-07", false));
        for wrong in [
            "days=30&shown=2026-02-06+2026-03-07&from=2026-03-08&to=2026-03-07",
            "days=8",
            "days=own&from=2026-01-02&to=2026-01-01",
            "days=own&from=x",
            "days=own&from=2000-01-01&to=2026-01-01",
        ] {
            assert_eq!(of(wrong), told("2026-02-06", "2026-03-07", true), "{wrong}");
        }
    }
}
