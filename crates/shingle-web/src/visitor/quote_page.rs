//! `/w/{id}/q/{token}`: a quote behind the link that its homeowner has.
//!
//! # Decision
//!
//! GET shows, POST answers: mail scanners open every link. The form holds the digest of what it showed. The language is the
//! one that the quote is written in. A link stays until the homeowner's address is corrected or the lead is erased, also
//! when the quote has expired, so that the page can say so.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::lead::Lead;
use shingle_domain::quote::{Quote, QuoteParties, QuoteStanding, QuoteState, decline_reason, signed_name};
use shingle_domain::{Environment, Language, LinkId, Tenant};
use shingle_notice::{QuotePaper, Words, quote_parts, words};
use shingle_store::{QuoteOutcome, QuoteReply, StoredWidget};
use shingle_widget::ssr::{CONFIRMATION, QuoteFormWords, QuoteForms, QuoteOffer, QuotePage, public_widget, quote_page};
use shingle_widget::words::fill;

use crate::state::Web;
use crate::visitor::hosted;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};
use crate::web::page_headers::{HTML, scriptless_policy, sheet_policy, with_security_headers};
use crate::web::pdf_response::pdf_response;
use crate::web::query_string::query_fields;
use crate::web::rate_limits::{LimitedAction, Sender};
use shingle_app::notices::company_zone;
use shingle_app::quotes;
use shingle_app::tokens::quote_path;

/// From the page to where its style is.
const UP: &str = "../";

/// What a link leads to.
struct Found {
    tenant: Tenant,
    stored: Arc<StoredWidget>,
    lead: Lead,
    quote: Quote,
    parties: QuoteParties,
    zone: String,
    token: String,
}

/// What was typed, and what is wrong with it.
#[derive(Default)]
struct Typed {
    chosen: Option<usize>,
    name: String,
    reason: String,
    wrong: [Option<&'static str>; 4],
    said: Option<&'static str>,
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    match find(&web, &widget, &token).await? {
        Some(found) => page(&web, &found, StatusCode::OK, &Typed::default()).await,
        None => ended(&web, &widget, hosted::language(query.as_deref(), &headers)).await,
    }
}

pub async fn pdf(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> ApiResult<Response> {
    match find(&web, &widget, &token).await? {
        Some(found) => {
            let drawn = quotes::pdf(web.app(), &found.tenant, &found.lead, found.quote).await?;
            Ok(private(pdf_response(drawn)))
        }
        None => ended(&web, &widget, hosted::language(query.as_deref(), &headers)).await,
    }
}

pub async fn answer(
    State(web): State<Arc<Web>>,
    Path((widget, token)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResult<Response> {
    let Some(found) = find(&web, &widget, &token).await? else {
        return ended(&web, &widget, hosted::language(query.as_deref(), &headers)).await;
    };
    let text = String::from_utf8_lossy(&body);
    let form = query_fields(Some(&text));
    let [name, value] = CONFIRMATION;
    if form.text(name) != Some(value) {
        return page(&web, &found, StatusCode::OK, &Typed::default()).await;
    }
    web.limits
        .check_visitor(LimitedAction::LeadChange, visitor.ip, found.stored.widget.link_id(), Sender::Form)
        .await?;
    let words = words(found.parties.language);
    // What was answered, replaced or has expired is said, whatever was typed.
    if found.quote.standing(web.clock.now()) != QuoteStanding::Open {
        return page(&web, &found, StatusCode::CONFLICT, &Typed::default()).await;
    }
    let mut typed = Typed {
        chosen: form.text("choice").and_then(|choice| choice.parse().ok()),
        name: form.text("name").unwrap_or_default().to_owned(),
        reason: form.text("reason").unwrap_or_default().to_owned(),
        ..Typed::default()
    };
    typed.chosen = typed.chosen.filter(|n| *n < found.quote.content().choices.len());
    let (signed, reason) = (signed_name(&typed.name), decline_reason(&typed.reason));
    let reply = match (form.text("answer"), &reason) {
        (Some("accept"), _) => {
            typed.wrong = [
                typed.chosen.is_none().then_some(words.quote_no_choice),
                signed.is_none().then_some(words.quote_no_name),
                (form.text("agree") != Some("yes")).then_some(words.quote_no_tick),
                None,
            ];
            let seen = form.text("seen").unwrap_or_default();
            typed.chosen.zip(signed.as_deref()).map(|(choice, name)| QuoteReply::Accept { choice, name, seen })
        }
        (Some("decline"), Some(reason)) => Some(QuoteReply::Decline { reason }),
        (Some("decline"), None) => {
            typed.wrong = [None, None, None, Some(words.quote_bad_reason)];
            None
        }
        _ => return page(&web, &found, StatusCode::OK, &Typed::default()).await,
    };
    let Some(reply) = reply.filter(|_| typed.wrong.iter().all(Option::is_none)) else {
        typed.said = Some(words.quote_nothing_sent);
        return page(&web, &found, StatusCode::UNPROCESSABLE_ENTITY, &typed).await;
    };
    match quotes::answer(web.app(), &found.tenant, &found.lead, found.quote.id, reply).await? {
        QuoteOutcome::Done(_) => {
            let location = quote_path(found.stored.widget.link_id(), &found.token);
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, location)]).into_response())
        }
        QuoteOutcome::Changed(_) => {
            let Some(found) = find(&web, &widget, &token).await? else {
                return ended(&web, &widget, found.parties.language).await;
            };
            let said = Some(words.quote_changed);
            page(&web, &found, StatusCode::CONFLICT, &Typed { said, ..Typed::default() }).await
        }
    }
}

async fn find(web: &Web, widget: &str, token: &str) -> ApiResult<Option<Found>> {
    let id: LinkId = widget.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)?;
    let Some(quote) = web.tokens.quote_of(token) else { return Ok(None) };
    let Some((tenant, lead)) = web.store.leads().quote_home(quote).await? else { return Ok(None) };
    // Before anything of it is read: the key fits, and it is this company's.
    let Some(version) = web.store.leads().link_version(&tenant, lead).await? else { return Ok(None) };
    if tenant.account != stored.tenant.account || !web.tokens.is_quote(token, quote, version) {
        return Ok(None);
    }
    let lead = web.store.leads().find(&tenant, lead).await?;
    let Some(lead) = lead.filter(|lead| lead.widget_id == stored.widget.reference_id) else { return Ok(None) };
    let quote = web.store.leads().quote(&tenant, quote).await?.filter(|quote| quote.state != QuoteState::Draft);
    let Some(quote) = quote else { return Ok(None) };
    let Some(parties) = quote.record.parties.clone() else { return Ok(None) };
    let zone = company_zone(&web.store, &tenant).await?;
    Ok(Some(Found { tenant, stored, lead, quote, parties, zone, token: token.to_owned() }))
}

/// A link that is changed, or of a lead that was erased. It says nothing about what existed.
async fn ended(web: &Web, widget: &str, language: Language) -> ApiResult<Response> {
    let id: LinkId = widget.parse().map_err(|_| ApiError::NotFound)?;
    let stored = web.store.widgets().find_public(id).await?.ok_or(ApiError::NotFound)?;
    let public = public_widget(&stored.widget, &stored.settings, language, &web.links(stored.tenant.account));
    let html = shingle_widget::ssr::page::ended_page(&public, language, UP);
    let response = (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, HTML)], html).into_response();
    Ok(private(with_security_headers(response, &sheet_policy(web))))
}

/// The address of the page is its key.
fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    response
}

impl Found {
    fn paper(&self) -> QuotePaper<'_> {
        QuotePaper {
            quote: &self.quote,
            parties: &self.parties,
            widget: &self.stored.widget,
            sandbox: self.tenant.environment == Environment::Sandbox,
            time_zone: &self.zone,
        }
    }

    fn offers(&self, words: &Words) -> Vec<QuoteOffer> {
        let offer = |choice| {
            let parts = quote_parts(&self.quote, choice, self.parties.language);
            QuoteOffer {
                title: parts.title,
                total: parts.total,
                material: parts.material,
                includes: (words.quote_includes.to_owned(), parts.includes),
                items: parts.items,
                sums: parts.sums,
                deposit: parts.deposit,
                mark: (self.quote.accepted() == Some(choice)).then(|| words.quote_accepted.to_owned()),
            }
        };
        self.quote.content().choices.iter().map(offer).collect()
    }
}

async fn page(web: &Web, found: &Found, status: StatusCode, typed: &Typed) -> ApiResult<Response> {
    let (language, paper) = (found.parties.language, found.paper());
    let words = words(language);
    let standing = found.quote.standing(web.clock.now());
    let until = paper.day(found.quote.content().valid_until);
    let with = [
        ("company", found.parties.company.as_str()),
        ("phone", found.stored.widget.company_phone.as_str()),
        ("until", until.as_str()),
    ];
    let accepted = paper.accepted(true);
    let state = match standing {
        QuoteStanding::Draft | QuoteStanding::Open => None,
        QuoteStanding::Expired => Some([words.quote_expired, words.quote_expired_line]),
        QuoteStanding::Accepted => Some([words.quote_is_accepted, words.quote_is_accepted_next]),
        QuoteStanding::Declined => Some([words.quote_is_declined, words.quote_is_declined_line]),
        QuoteStanding::Withdrawn => Some([words.quote_withdrawn, words.quote_withdrawn_line]),
        QuoteStanding::Replaced => Some([words.quote_replaced, words.quote_replaced_line]),
    };
    let state = state.map(|[title, line]| {
        let line = fill(line, &with);
        let line = accepted.as_ref().map_or_else(|| line.clone(), |said| [said, " ", &line].concat());
        [title.to_owned(), line]
    });
    // What went wrong is said before what can be done.
    let state = match (typed.said, state) {
        (Some(said), None) => Some([said.to_owned(), String::new()]),
        (Some(said), Some([title, line])) => Some([title, [said, " ", &line].concat()]),
        (None, state) => state,
    };
    let mut about = Vec::new();
    if !found.parties.homeowner.is_empty() {
        about.push(fill(words.quote_for, &[("name", &found.parties.homeowner)]));
    }
    about.extend([found.parties.address.clone(), paper.dates()]);
    let content = found.quote.content();
    let lines = |text: &str| text.lines().map(str::to_owned).filter(|line| !line.trim().is_empty()).collect::<Vec<_>>();
    let message = lines(&content.message);
    let offers = found.offers(words);
    let id = found.stored.widget.link_id();
    let mut ways = vec![(words.quote_pdf.to_owned(), format!("{}/quote.pdf", quote_path(id, &found.token)))];
    if standing == QuoteStanding::Replaced
        && let Some(newer) = newer(web, found).await?
    {
        ways.insert(0, (words.quote_newer.to_owned(), newer));
    }
    let answer = (standing == QuoteStanding::Open).then(|| QuoteForms {
        seen: &found.quote.digest,
        chosen: typed.chosen,
        name: &typed.name,
        reason: &typed.reason,
        words: QuoteFormWords {
            choose: words.quote_choose,
            your_choice: words.quote_your_choice,
            name: words.quote_name,
            name_hint: words.quote_name_hint,
            agree: words.quote_agree,
            accept: words.quote_accept,
            decline_title: words.quote_decline_title,
            reason: words.quote_decline_why,
            decline: words.quote_decline,
        },
        wrong: typed.wrong,
    });
    let shown = QuotePage {
        title: paper.title(),
        state,
        about: &about,
        message: &message,
        choices: &offers,
        terms: (!content.terms.is_empty()).then(|| (words.quote_terms.to_owned(), lines(&content.terms))),
        answer,
        ways: &ways,
        small: accepted.map(|_| fill(words.quote_digest, &[("digest", &found.quote.digest)])),
    };
    let public =
        public_widget(&found.stored.widget, &found.stored.settings, language, &web.links(found.stored.tenant.account));
    let html = quote_page(&public, language, UP, &shown);
    let response = (status, [(header::CONTENT_TYPE, HTML)], html).into_response();
    Ok(private(with_security_headers(response, &scriptless_policy(web))))
}

/// The page of the revision that took its place.
async fn newer(web: &Web, found: &Found) -> ApiResult<Option<String>> {
    let all = web.store.leads().quotes(&found.tenant, found.lead.id).await?;
    let is_newer = |of: &&Quote| of.replaces == Some(found.quote.id) && of.sent_at.is_some();
    let Some(newer) = all.iter().find(is_newer) else { return Ok(None) };
    let Some(version) = web.store.leads().link_version(&found.tenant, found.lead.id).await? else { return Ok(None) };
    Ok(Some(quote_path(found.stored.widget.link_id(), &web.tokens.quote(newer.id, version))))
}
