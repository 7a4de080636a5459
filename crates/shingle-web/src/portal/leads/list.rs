//! `/portal/leads`: the list, its filters, and the board.
//!
//! # Decision
//!
//! A filter that would be expensive is limited: words found in a thousand leads are checked from the newest, 2,000 at
//! a time, and the page says that older leads may match too.

use std::sync::Arc;

use axum::extract::{Extension, RawQuery, State};
use axum::response::Response;
use shingle_domain::lead::LeadStatus;
use shingle_domain::{Environment, Language, LeadId, Tenant, Timestamp, WidgetId};
use shingle_portal::{
    BOARD_COLUMNS, Board, Choices, Counted, FilterGroup, Hours, Inbox, InboxFilter, Notice, Suspected, badge,
    board_page, counted, counted_with, filters_page, inbox_page, suspected_page,
};
use shingle_store::{LeadCounts, LeadList, LeadQuery, ListCursor, ListPlace, User};
use shingle_widget::words::thousands;

use crate::api::leads::csv_response;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::{Asked, asked};
use crate::portal::responses::page;
use crate::portal::settings::page::{frame, said, zone};
use crate::portal::widgets::titles::widget_titles;
use crate::state::Web;
use crate::web::error::ApiResult;
use shingle_app::lead_csv::{Headings, LeadTable};
use shingle_app::lead_pages::LeadPages;

const PAGE: usize = 25;
/// Cards of a column.
const LANE: usize = 20;
/// Leads that came in and are counted where their words are too common.
const MAX_NEWS: usize = 100;
/// Leads that are named where the filters hide them.
const WITHOUT: usize = 3;

/// What every page of the lists has around it.
struct Around {
    counts: LeadCounts,
    widgets: Vec<(String, String)>,
    people: Vec<(String, String)>,
    other_towns: Vec<(String, String)>,
    other_tags: Vec<(String, String)>,
    of_groups: Vec<(FilterGroup, Option<usize>)>,
}

impl Around {
    async fn read(web: &Web, signed: &Signed, tenant: &Tenant, filter: &InboxFilter) -> ApiResult<Self> {
        let (counts, widgets, people) = tokio::try_join!(
            async { Ok(web.store.leads().counts(tenant, signed.user.id).await?) },
            widget_titles(web, tenant),
            people(web, signed),
        )?;
        let offered = |town: &&String| counts.towns.iter().any(|(known, ..)| known == *town);
        let others: Vec<String> = filter.towns.iter().filter(|town| !offered(town)).cloned().collect();
        let other_towns = web.store.leads().town_names(tenant, &others).await?.into_iter().collect();
        let offered = |tag: &&String| counts.tags.iter().any(|(known, ..)| known == *tag);
        let others: Vec<String> = filter.tags.iter().filter(|tag| !offered(tag)).cloned().collect();
        let other_tags = web.store.leads().tag_names(tenant, &others).await?.into_iter().collect();
        let zone = zone(web, signed).await?;
        let alone = |group: &FilterGroup| {
            let query = filter.only(*group).query();
            asked(&PortalForm::of_query(Some(&query)), &zone, signed.user.id).query
        };
        let active = filter.active();
        let of_each = web.store.leads().count_each(tenant, &active.iter().map(alone).collect::<Vec<_>>()).await?;
        let of_groups = active.into_iter().zip(of_each).collect();
        Ok(Self { counts, widgets, people, other_towns, other_tags, of_groups })
    }

    /// `matches`: how many leads the whole filter leaves.
    fn choices<'c>(&'c self, filter: &'c InboxFilter, matches: Option<usize>) -> Choices<'c> {
        Choices {
            filter,
            counts: &self.counts,
            widgets: &self.widgets,
            people: &self.people,
            other_towns: &self.other_towns,
            other_tags: &self.other_tags,
            of_groups: &self.of_groups,
            matches,
        }
    }
}

/// What became of what was done to several. The address has how many were done, were left alone, and are gone.
fn done(language: Language, form: &PortalForm) -> Option<Notice> {
    let number = |name: &str| form.text(name).parse::<u32>().map_or(0, i64::from);
    let of_many = |what: Counted| {
        let (changed, gone) = (number("changed"), number("gone"));
        let of = thousands(number("count") + changed + gone);
        let done = counted(language, what, number("count"));
        let left = |what: Counted, count: i64| (count > 0).then(|| counted_with(language, what, count, &[("of", &of)]));
        let left = [left(Counted::CHANGED_MEANWHILE, changed), left(Counted::GONE_MEANWHILE, gone)];
        let text: Vec<String> = [Some(done)].into_iter().chain(left).flatten().collect();
        Some(Notice { text: text.join(" ").into(), is_wrong: changed + gone > 0 })
    };
    let (text, is_wrong) = match form.text("said") {
        "set" => return of_many(Counted::UPDATED),
        "given" => return of_many(Counted::ASSIGNED),
        "first" => ("The first 500 are done. Narrow the list to reach the others.", false),
        "ham" => ("Moved to your new leads.", false),
        _ => return said(form),
    };
    Some(Notice { text: text.into(), is_wrong })
}

fn place(form: &PortalForm) -> Result<ListPlace, ()> {
    let cursor = |name| match form.text(name) {
        "" => Ok(None),
        text => text.parse::<ListCursor>().map(Some).map_err(drop),
    };
    Ok(match (cursor("after")?, cursor("before")?) {
        (Some(cursor), _) => ListPlace::After(cursor),
        (None, Some(cursor)) => ListPlace::Before(cursor),
        (None, None) => ListPlace::Top,
    })
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let zone = zone(&web, &signed).await?;
    let Asked { shown, query, mut wrong } = asked(&form, &zone, signed.user.id);
    let tenant = signed.tenant(shown.environment());
    let place = place(&form).unwrap_or_else(|()| {
        wrong = Some("That page doesn’t exist, so here is the first.");
        ListPlace::Top
    });
    // Before the list is read: what arrives in between is announced twice rather than never.
    let as_of = web.clock.now();
    let (list, around, views, has_device) = tokio::try_join!(
        async { Ok(web.store.leads().list_by(&tenant, &query, place, PAGE).await?) },
        Around::read(&web, &signed, &tenant, &shown),
        async { Ok(web.store.leads().saved_views(signed.account, &signed.user).await?) },
        async { Ok(web.store.destinations().has_push_device(signed.account, signed.session.id).await?) },
    )?;
    let hours = Hours::new(&zone, web.clock.now(), signed.language);
    let notice = done(signed.language, &form);
    if shown.is_spam() && shown.narrowing() == 1 && shown.search.is_empty() {
        let mut reasons = Vec::new();
        for lead in &list.leads {
            reasons.push((lead.id, web.store.leads().spam_reason(&tenant, lead.id).await?));
        }
        let view = Suspected {
            filter: &shown,
            counts: &around.counts,
            list: &list,
            reasons: &reasons,
            hours: &hours,
            views: &views,
        };
        return Ok(page(suspected_page(&frame(&signed, notice), &view)));
    }
    let ids: Vec<LeadId> = list.leads.iter().map(|lead| lead.id).collect();
    let without = without_filters(&web, &tenant, &shown, &list).await?;
    let near = near_words(&web, &tenant, &shown, without.as_ref()).await?;
    let leads = web.store.leads();
    let (unread, work, appointments) = tokio::try_join!(
        leads.unread(signed.user.id, &ids),
        leads.works(&tenant, &ids),
        leads.appointments_shown(&tenant, &ids),
    )?;
    let inbox = Inbox {
        choices: around.choices(&shown, list.total),
        unread: &unread,
        work: &work,
        appointments: &appointments,
        list: &list,
        hours: &hours,
        wrong,
        views: &views,
        as_of,
        is_untold: web.push_key.is_some() && !has_device,
        without: without.as_ref(),
        near: near.as_ref(),
    };
    Ok(page(inbox_page(&frame(&signed, notice), &inbox)))
}

/// What the words alone would find, where the filters leave nothing.
async fn without_filters(
    web: &Web,
    tenant: &Tenant,
    shown: &InboxFilter,
    list: &LeadList,
) -> ApiResult<Option<LeadList>> {
    if !list.leads.is_empty() || shown.search.is_empty() {
        return Ok(None);
    }
    let query = LeadQuery { search: shown.search.clone(), statuses: LeadStatus::ALL.to_vec(), ..LeadQuery::default() };
    Ok(Some(web.store.leads().list_by(tenant, &query, ListPlace::Top, WITHOUT).await?))
}

/// Where no lead has the words: what words near them find, such as Whitfield for `whitfeld`.
async fn near_words(
    web: &Web,
    tenant: &Tenant,
    shown: &InboxFilter,
    without: Option<&LeadList>,
) -> ApiResult<Option<(String, LeadList)>> {
    if !without.is_some_and(|found| found.leads.is_empty()) {
        return Ok(None);
    }
    let Some(words) = web.store.leads().near_words(tenant, &shown.search).await? else { return Ok(None) };
    let query = LeadQuery { search: words.clone(), statuses: LeadStatus::ALL.to_vec(), ..LeadQuery::default() };
    let list = web.store.leads().list_by(tenant, &query, ListPlace::Top, WITHOUT).await?;
    Ok((!list.leads.is_empty()).then_some((words, list)))
}

/// The filters on a page of their own.
pub async fn filters(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let Asked { shown, .. } = asked(&form, &zone(&web, &signed).await?, signed.user.id);
    let around = Around::read(&web, &signed, &signed.tenant(shown.environment()), &shown).await?;
    Ok(page(filters_page(&frame(&signed, None), &around.choices(&shown, None))))
}

/// How many leads an address lists, as a number. Empty: the words are too common to count them.
pub async fn count(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<String> {
    let form = PortalForm::of_query(query.as_deref());
    let Asked { shown, query, .. } = asked(&form, &zone(&web, &signed).await?, signed.user.id);
    let (_, total) = web.store.leads().list_ids(&signed.tenant(shown.environment()), &query, 1).await?;
    Ok(total.map(|total| total.to_string()).unwrap_or_default())
}

/// By status, side by side.
pub async fn board(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let zone = zone(&web, &signed).await?;
    let Asked { shown, query, .. } = asked(&form, &zone, signed.user.id);
    let tenant = signed.tenant(shown.environment());
    let mut columns = Vec::new();
    for status in BOARD_COLUMNS {
        if shown.statuses.is_empty() || shown.statuses.contains(&status) {
            let of = LeadQuery { statuses: vec![status], ..query.clone() };
            columns.push((status, web.store.leads().list_by(&tenant, &of, ListPlace::Top, LANE).await?));
        }
    }
    let matches: Option<usize> = columns.iter().map(|(_, list)| list.total).sum();
    let ids: Vec<LeadId> = columns.iter().flat_map(|(_, list)| &list.leads).map(|lead| lead.id).collect();
    let around = Around::read(&web, &signed, &tenant, &shown).await?;
    let view = Board {
        choices: around.choices(&shown, matches),
        columns: &columns,
        work: &web.store.leads().works(&tenant, &ids).await?,
        hours: &Hours::new(&zone, web.clock.now(), signed.language),
        views: &web.store.leads().saved_views(signed.account, &signed.user).await?,
    };
    Ok(page(board_page(&frame(&signed, done(signed.language, &form)), &view)))
}

/// Ids and names of everybody of the company. A client sees nobody who sees other widgets alone.
pub async fn people(web: &Web, signed: &Signed) -> ApiResult<Vec<(String, String)>> {
    people_who(web, signed, |user| user.sees.meets(&signed.user.sees)).await
}

/// Those who can be given a lead of this widget.
pub async fn people_for(web: &Web, signed: &Signed, widget: WidgetId) -> ApiResult<Vec<(String, String)>> {
    people_who(web, signed, |user| user.sees.sees(widget)).await
}

async fn people_who(web: &Web, signed: &Signed, is_meant: impl Fn(&User) -> bool) -> ApiResult<Vec<(String, String)>> {
    let users = web.store.people().list_users(signed.account).await?;
    Ok(users.into_iter().filter(is_meant).map(|user| (user.id.to_string(), user.name.as_str().to_owned())).collect())
}

/// How many leads of a list came in since it was shown, and what the badge of the menu says: `3 12`.
pub async fn news(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<String> {
    let form = PortalForm::of_query(query.as_deref());
    let since = form.text("since").parse::<i64>().map_or_else(|_| web.clock.now(), Timestamp::from_micros);
    let Asked { shown, query, .. } = asked(&form, &zone(&web, &signed).await?, signed.user.id);
    let tenant = signed.tenant(shown.environment());
    let query = LeadQuery { from: Some(query.from.map_or(since, |from| from.max(since))), ..query };
    let (ids, total) = web.store.leads().list_ids(&tenant, &query, MAX_NEWS).await?;
    let new_leads = web.store.leads().count_new(&signed.tenant(Environment::Production)).await?;
    Ok(format!("{} {}", total.unwrap_or(ids.len()), badge(new_leads)))
}

pub async fn download(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let form = PortalForm::of_query(query.as_deref());
    let Asked { shown, query, .. } = asked(&form, &zone(&web, &signed).await?, signed.user.id);
    let tenant = signed.tenant(shown.environment());
    let headings = if form.text("headings") == "names" { Headings::Names } else { Headings::Words };
    table_of(&web, &signed, &tenant, LeadPages::of_query(web.store.clone(), tenant, query), headings).await
}

/// These leads as a table in the reader's language and the company's time.
pub async fn table_of(
    web: &Web,
    signed: &Signed,
    tenant: &Tenant,
    pages: LeadPages,
    headings: Headings,
) -> ApiResult<Response> {
    let zone = zone(web, signed).await?;
    let table = LeadTable::new(web.store.clone(), tenant.account, &zone, signed.language).with_headings(headings);
    csv_response(web, tenant, pages, table).await
}
