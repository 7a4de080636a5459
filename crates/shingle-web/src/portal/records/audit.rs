//! `/portal/audit`: who changed what in one's company; `/portal/operator/audit`: on the installation.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use shingle_domain::{AccountId, KeyId, Timestamp};
use shingle_portal::{AuditView, Hours, Language, actor_word, audit_page, change_in_words, who_in_words};
use shingle_store::{Actor, AuditEntry, AuditFilter, Change, Store, StoreError};
use url::form_urlencoded;

use crate::portal::form::PortalForm;
use crate::portal::gate::{Operating, Signed};
use crate::portal::operator::{ZONE, frame as operator_frame};
use crate::portal::records::services::with_services;
use crate::portal::responses::page;
use crate::portal::settings::page::{frame, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::lead_csv::escape_formula;

const ON_A_PAGE: usize = 50;
/// A file of more would be no help to anybody.
const IN_A_FILE: u32 = 20_000;

/// What the address asks for. An invalid value is ignored.
pub struct Asked {
    filter: AuditFilter,
    who: String,
    what: String,
    from: String,
    to: String,
}

fn actor(word: &str) -> Option<Actor> {
    Some(match word.split_once('.') {
        None if word == "server" => Actor::Server,
        None if word == "commandLine" => Actor::CommandLine,
        None if word == "visitor" => Actor::Visitor,
        Some(("user", id)) => Actor::User(id.parse().ok()?),
        Some(("key", id)) if id.len() <= 100 && !id.contains('\0') => Actor::Key(KeyId(id.to_owned())),
        _ => return None,
    })
}

impl Asked {
    fn of(query: Option<&str>, zone: &str) -> Self {
        let query = PortalForm::of_query(query);
        let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
        let day = |name: &str| query.text(name).parse::<Date>().ok();
        let begin =
            |day: Date| Some(Timestamp::from_micros(day.to_zoned(zone.clone()).ok()?.timestamp().as_microsecond()));
        let (from, to) = (day("from"), day("to"));
        let (actor, what) = (actor(query.text("who")), Change::parse(query.text("what")));
        Self {
            who: actor.as_ref().map(actor_word).unwrap_or_default(),
            what: what.map(Change::as_str).unwrap_or_default().to_owned(),
            from: from.map(|day| day.to_string()).unwrap_or_default(),
            to: to.map(|day| day.to_string()).unwrap_or_default(),
            filter: AuditFilter {
                actor,
                what,
                from: from.and_then(begin),
                to: to.and_then(|day| day.tomorrow().ok()).and_then(begin),
                after: query.text("after").parse().ok(),
            },
        }
    }

    fn address(&self, path: &str, after: Option<String>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        let fields = [("who", &self.who), ("what", &self.what), ("from", &self.from), ("to", &self.to)];
        for (name, value) in fields.into_iter().filter(|(_, value)| !value.is_empty()) {
            query.append_pair(name, value);
        }
        if let Some(after) = after {
            query.append_pair("after", &after);
        }
        let query = query.finish();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }
}

/// `None`: of all accounts.
async fn entries(
    store: &Store,
    account: Option<AccountId>,
    filter: &AuditFilter,
    most: u32,
) -> Result<Vec<AuditEntry>, StoreError> {
    let found = match account {
        Some(account) => store.audit().log(account, filter, most).await,
        None => store.audit().log_of_all(filter, most).await,
    };
    found.map(with_services)
}

async fn shown(
    web: &Web,
    around: &shingle_portal::Signed<'_>,
    account: Option<AccountId>,
    zone: &str,
    query: Option<&str>,
) -> ApiResult<Response> {
    let asked = Asked::of(query, zone);
    let most = u32::try_from(ON_A_PAGE + 1).unwrap_or_default();
    let mut found = entries(&web.store, account, &asked.filter, most).await?;
    let is_more = found.len() > ON_A_PAGE;
    found.truncate(ON_A_PAGE);
    let (path, file) = match account {
        Some(_) => ("/portal/audit", "/portal/audit.csv"),
        None => ("/portal/operator/audit", "/portal/operator/audit.csv"),
    };
    let last = found.last().filter(|_| is_more).map(|entry| entry.cursor.to_string());
    let view = AuditView {
        actors: &web.store.audit().actors(account).await?,
        hours: &Hours::new(zone, web.clock.now(), around.language),
        older: last.map(|after| asked.address(path, Some(after))),
        csv: asked.address(file, None),
        who: &asked.who,
        what: &asked.what,
        from: &asked.from,
        to: &asked.to,
        of_all: account.is_none(),
        entries: &found,
    };
    Ok(page(audit_page(around, &view)))
}

async fn file(web: &Web, account: Option<AccountId>, zone: &str, query: Option<&str>) -> ApiResult<Response> {
    let asked = Asked::of(query, zone);
    let filter = AuditFilter { after: None, ..asked.filter };
    let found = entries(&web.store, account, &filter, IN_A_FILE).await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"audit-log.csv\""),
    ];
    Ok((headers, csv(&found).map_err(ApiError::internal)?).into_response())
}

/// RFC 4180. Names are what people typed.
fn csv(entries: &[AuditEntry]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    writer.write_record(["time", "account", "company", "who", "actor", "change", "what", "target", "value"])?;
    for entry in entries {
        let cells = [
            entry.at.to_string(),
            entry.account.map(|id| id.to_string()).unwrap_or_default(),
            entry.company.clone().unwrap_or_default(),
            who_in_words(Language::English, entry),
            actor_word(&entry.actor),
            entry.what.map(Change::as_str).unwrap_or_default().to_owned(),
            entry.what.map(change_in_words).unwrap_or_default().to_owned(),
            entry.target.clone().unwrap_or_default(),
            entry.detail.clone(),
        ];
        writer.write_record(cells.iter().map(|cell| escape_formula(cell).into_owned()))?;
    }
    writer.into_inner().map_err(|e| csv::Error::from(std::io::Error::other(e.to_string())))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let zone = zone(&web, &signed).await?;
    shown(&web, &frame(&signed, None), Some(signed.account), &zone, query.as_deref()).await
}

pub async fn download(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    file(&web, Some(signed.account), &zone(&web, &signed).await?, query.as_deref()).await
}

pub async fn show_all(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    shown(&web, &operator_frame(&operating, None), None, ZONE, query.as_deref()).await
}

pub async fn download_all(State(web): State<Arc<Web>>, RawQuery(query): RawQuery) -> ApiResult<Response> {
    file(&web, None, ZONE, query.as_deref()).await
}
