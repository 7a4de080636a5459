//! `/portal/usage`: a month's look-ups, their cost, and a projection.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::ToSpan as _;
use jiff::civil::Date;
use shingle_domain::Environment;
use shingle_domain::usage::UsagePeriod;
use shingle_portal::{Hours, UsageMonth, UsageView, month_of_year, statement_page, usage_page};
use shingle_store::UsageLine;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::environment;
use crate::portal::responses::page;
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::usage_report::UsageReport;

/// Months to choose from, with this one.
const MONTHS: i64 = 24;

/// The month that is asked for, by its first day. An invalid or future one is this month.
fn month(web: &Web, query: &PortalForm) -> Date {
    let this = web.clock.now().date().first_of_month();
    let asked = format!("{}-01", query.text("month")).parse::<Date>().ok();
    asked.filter(|month| *month <= this && month.year() >= 2000).unwrap_or(this)
}

/// To its end, or to today.
fn period(web: &Web, month: Date) -> ApiResult<UsagePeriod> {
    let now = web.clock.now();
    UsagePeriod::new(Some(month), Some(month.last_of_month().min(now.date())), now)
        .map_err(|rule| ApiError::bad_request(rule.to_string()))
}

fn value(month: Date) -> String {
    month.strftime("%Y-%m").to_string()
}

/// What the page and the statement show.
struct Month {
    month: UsageMonth,
    months: Vec<(String, String)>,
    lines: Vec<UsageLine>,
    keys: Vec<(String, String)>,
}

impl Month {
    async fn read(web: &Web, signed: &Signed, query: &PortalForm, environment: Environment) -> ApiResult<Self> {
        let first = month(web, query);
        let today = web.clock.now().date();
        let days = first.days_in_month();
        let over = if today > first.last_of_month() { days } else { today.day() - 1 };
        let this = today.first_of_month();
        let mut months: Vec<Date> = (0..MONTHS).filter_map(|back| this.checked_sub(back.months()).ok()).collect();
        if !months.contains(&first) {
            months.push(first);
        }
        let keys = web.store.accounts().list_keys(signed.account).await?;
        Ok(Self {
            month: UsageMonth {
                value: value(first),
                title: month_of_year(signed.language, first),
                days: u8::try_from(days).unwrap_or(31),
                over: u8::try_from(over).unwrap_or(0),
            },
            months: months.into_iter().map(|month| (value(month), month_of_year(signed.language, month))).collect(),
            lines: web.store.usage().report(&signed.tenant(environment), period(web, first)?).await?,
            keys: keys.into_iter().map(|key| (key.id.0, key.terms.name)).collect(),
        })
    }

    async fn view(&self, web: &Web, signed: &Signed, environment: Environment) -> ApiResult<UsageView<'_>> {
        let account = web.store.accounts().find(signed.account).await?.ok_or(ApiError::NotFound)?;
        Ok(UsageView {
            month: &self.month,
            months: &self.months,
            environment,
            lines: &self.lines,
            keys: &self.keys,
            balance: account.balance,
            limit: account.monthly_limit.map(|limit| (limit, account.used_this_month)),
        })
    }
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    // Real look-ups unless tests are asked for.
    let environment = environment(&query);
    let month = Month::read(&web, &signed, &query, environment).await?;
    let view = month.view(&web, &signed, environment).await?;
    Ok(page(usage_page(&frame(&signed, None), &view)))
}

pub async fn statement(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let month = Month::read(&web, &signed, &query, Environment::Production).await?;
    let view = month.view(&web, &signed, Environment::Production).await?;
    let now = web.clock.now();
    let made = Hours::new(&zone(&web, &signed).await?, now, signed.language).full(now);
    Ok(page(statement_page(&frame(&signed, None), &view, &made)))
}

pub async fn download(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let month = month(&web, &PortalForm::of_query(query.as_deref()));
    let tenants = [Environment::Production, Environment::Sandbox].map(|environment| signed.tenant(environment));
    let report = UsageReport::read(&web.store, &tenants, period(&web, month)?).await?;
    let name = format!("attachment; filename=\"usage-{}.csv\"", value(month));
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, report.csv().map_err(ApiError::internal)?).into_response())
}
