//! `/portal/leads/{id}/quotes/…`: quotes of a lead, made, sent and followed.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::lead::Lead;
use shingle_domain::quote::{ChoiceForm, MAX_CHOICES, Quote, QuoteContent, QuoteForm, QuoteStanding, QuoteState};
use shingle_domain::{Environment, LeadId, QuoteId, Tenant};
use shingle_portal::quote_problem;
use shingle_portal::{Hours, Notice, QuoteView, TypedFields, offer_field, quote_field, quote_fields, quote_page};
use shingle_store::{QuoteOutcome, QuoteReply, StoreError};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::query::environment;
use crate::portal::responses::{or_not_there, page_with, to, too_many};
use crate::portal::settings::page::{frame, said, zone};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use crate::web::pdf_response::pdf_response;
use shingle_app::notices::lead_path;
use shingle_app::quotes;

/// The fields of a quote in its form, without those of the choices.
const FIELDS: [&str; 5] = ["tax", "deposit", "until", "message", "terms"];
const CHOICE_FIELDS: [&str; 6] = ["offer", "title", "material", "includes", "items", "price"];

/// What the page of a quote shows.
struct Shown<'s> {
    id: QuoteId,
    quote: Option<Quote>,
    replaces: Option<QuoteId>,
    typed: TypedFields,
    seen: String,
    notice: Option<Notice>,
    status: StatusCode,
    all: &'s [Quote],
}

/// Those of a lead's page, with where each stands.
pub async fn of_lead(web: &Web, tenant: &Tenant, lead: LeadId) -> ApiResult<Vec<(Quote, QuoteStanding)>> {
    let now = web.clock.now();
    let all = web.store.leads().quotes(tenant, lead).await?;
    Ok(all.into_iter().map(|quote| (quote.standing(now), quote)).map(|(standing, quote)| (quote, standing)).collect())
}

fn quote_path(lead: LeadId, quote: QuoteId, environment: Environment, said: &str) -> String {
    let data = environment.as_str();
    format!("/portal/leads/{lead}/quotes/{quote}?data={data}&said={said}")
}

async fn find_lead(web: &Web, signed: &Signed, id: &str, form: &PortalForm) -> ApiResult<(Tenant, Lead)> {
    let id: LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
    let tenant = signed.tenant(environment(form));
    let lead = web.store.leads().find(&tenant, id).await?.ok_or(ApiError::NotFound)?;
    Ok((tenant, lead))
}

async fn page(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, shown: Shown<'_>) -> ApiResult<Response> {
    let now = web.clock.now();
    let quote = shown.quote.as_ref();
    let replaces = quote.and_then(|quote| quote.replaces).or(shown.replaces);
    let by_id = |id: QuoteId| shown.all.iter().find(|of| of.id == id);
    let newer = shown.all.iter().find(|of| of.replaces == Some(shown.id) && of.state != QuoteState::Draft);
    let link = match quote.filter(|quote| quote.state != QuoteState::Draft) {
        Some(quote) => homeowner_page(web, tenant, quote).await?,
        None => None,
    };
    let hours = Hours::new(&zone(web, signed).await?, now, signed.language);
    let view = QuoteView {
        lead,
        environment: tenant.environment,
        id: shown.id,
        quote,
        standing: quote.map_or(QuoteStanding::Draft, |quote| quote.standing(now)),
        replaces: replaces.and_then(by_id),
        newer,
        typed: &shown.typed,
        seen: &shown.seen,
        page: link.as_deref(),
        mails: quotes::mails_quotes(web.app(), tenant, lead).await?,
        hours: &hours,
    };
    Ok(page_with(shown.status, quote_page(&frame(signed, shown.notice), &view)))
}

/// Where the homeowner answers it.
async fn homeowner_page(web: &Web, tenant: &Tenant, quote: &Quote) -> ApiResult<Option<String>> {
    let leads = web.store.leads();
    let Some(lead) = leads.find(tenant, quote.lead).await? else { return Ok(None) };
    let Some(widget) = web.store.widgets().find_of_lead(tenant, lead.widget_id).await? else { return Ok(None) };
    let Some(version) = leads.link_version(tenant, lead.id).await? else { return Ok(None) };
    let path = shingle_app::tokens::quote_path(widget.widget.link_id(), &web.tokens.quote(quote.id, version));
    Ok(Some(format!("{}{path}", web.own_domains.base_of(tenant.account))))
}

/// A form that is filled in: by the estimate, or by the quote that it is to replace.
pub async fn new(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let made = async {
        let (tenant, lead) = find_lead(&web, &signed, &id, &query).await?;
        if let Some(stays) = web.store.leads().merged_into(&tenant, lead.id).await? {
            return Ok(to(&lead_path(stays, tenant.environment)));
        }
        let all = web.store.leads().quotes(&tenant, lead.id).await?;
        let replaced = query.text("replaces").parse::<QuoteId>().ok();
        let replaced = replaced.and_then(|old| all.iter().find(|quote| quote.id == old));
        // One draft of a revision is enough.
        let draft = |quote: &&Quote| quote.state == QuoteState::Draft && quote.replaces == replaced.map(|old| old.id);
        if let Some(draft) = replaced.and_then(|_| all.iter().find(draft)) {
            return Ok(to(&quote_path(lead.id, draft.id, tenant.environment, "")));
        }
        let today = quotes::today(web.app(), &tenant).await?;
        let widget = web.store.widgets().find_of_lead(&tenant, lead.widget_id).await?;
        let defaults = web.store.leads().quote_defaults(tenant.account).await?;
        let fresh = quotes::prefilled(&lead, widget.as_deref(), defaults, today);
        let content = match replaced {
            Some(old) => QuoteContent { valid_until: fresh.valid_until, ..old.content().clone() },
            None => fresh,
        };
        let shown = Shown {
            id: QuoteId(web.store.new_id()?),
            quote: None,
            replaces: replaced.map(|old| old.id),
            typed: quote_fields(&content),
            seen: String::new(),
            notice: None,
            status: StatusCode::OK,
            all: &all,
        };
        page(&web, &signed, &tenant, &lead, shown).await
    };
    or_not_there(made.await)
}

/// The quote, which belongs to the lead or to one that was merged into it.
fn own(all: &[Quote], id: &str) -> ApiResult<Quote> {
    let id: QuoteId = id.parse().map_err(|_| ApiError::NotFound)?;
    all.iter().find(|quote| quote.id == id).cloned().ok_or(ApiError::NotFound)
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, quote)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let shown = async {
        let (tenant, lead) = find_lead(&web, &signed, &id, &query).await?;
        let all = web.store.leads().quotes(&tenant, lead.id).await?;
        let quote = own(&all, &quote)?;
        let shown = Shown {
            id: quote.id,
            replaces: None,
            typed: quote_fields(quote.content()),
            seen: quote.mark(),
            notice: said(&query),
            status: StatusCode::OK,
            quote: Some(quote),
            all: &all,
        };
        page(&web, &signed, &tenant, &lead, shown).await
    };
    or_not_there(shown.await)
}

pub async fn pdf(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, quote)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = PortalForm::of_query(query.as_deref());
    let drawn = async {
        let (tenant, lead) = find_lead(&web, &signed, &id, &query).await?;
        let quote = own(&web.store.leads().quotes(&tenant, lead.id).await?, &quote)?;
        Ok(pdf_response(quotes::pdf(web.app(), &tenant, &lead, quote).await?))
    };
    or_not_there(drawn.await)
}

fn typed_fields(form: &PortalForm) -> TypedFields {
    let mut typed = TypedFields::default();
    let numbered = CHOICE_FIELDS.iter().flat_map(|name| (1..=MAX_CHOICES).map(move |n| format!("{name}{n}")));
    for name in numbered.chain(FIELDS.map(str::to_owned)) {
        typed.set(&name, form.text(&name).replace("\r\n", "\n"));
    }
    typed
}

/// A draft, saved or sent.
pub async fn save(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, quote)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let form = PortalForm::parse(&body);
    or_not_there(saved(&web, &signed, (&id, &quote), &form).await)
}

async fn saved(web: &Web, signed: &Signed, (id, quote): (&str, &str), form: &PortalForm) -> ApiResult<Response> {
    let (tenant, lead) = find_lead(web, signed, id, form).await?;
    let id: QuoteId = quote.parse().map_err(|_| ApiError::NotFound)?;
    let all = web.store.leads().quotes(&tenant, lead.id).await?;
    let old = all.iter().find(|quote| quote.id == id).cloned();
    let replaces = form.text("replaces").parse::<QuoteId>().ok();
    let shown = |typed: TypedFields, status: StatusCode, notice: Option<&'static str>| Shown {
        id,
        quote: old.clone(),
        replaces,
        typed,
        seen: form.text("seen").to_owned(),
        notice: notice.map(|text| Notice { text: text.into(), is_wrong: true }),
        status,
        all: &all,
    };
    let choice = |n: usize| {
        let [offer, title, material, includes, items, price] = CHOICE_FIELDS.map(|name| form.text(&number(name, n)));
        ChoiceForm { is_offered: !offer.is_empty(), title, material, includes, items, price }
    };
    let read = QuoteForm {
        choices: [choice(0), choice(1), choice(2)],
        tax: form.text("tax"),
        deposit: form.text("deposit"),
        valid_until: form.text("until"),
        message: form.text("message"),
        terms: form.text("terms"),
    };
    let content = match QuoteContent::parse(&read, quotes::today(web.app(), &tenant).await?) {
        Ok(content) => content,
        Err(wrong) => {
            let mut typed = typed_fields(form);
            for (field, problem) in wrong {
                typed.refuse(&quote_field(field), quote_problem(signed.language, &problem));
            }
            return page(web, signed, &tenant, &lead, shown(typed, StatusCode::UNPROCESSABLE_ENTITY, None)).await;
        }
    };
    let stored = web.store.leads().save_quote(
        &tenant,
        old.as_ref().map_or(lead.id, |old| old.lead),
        &signed.user,
        (id, form.text("seen")),
        (&content, replaces),
    );
    let quote = match stored.await {
        Ok(QuoteOutcome::Done(quote)) => quote,
        Ok(QuoteOutcome::Changed(Some(now))) if now.state == QuoteState::Draft => {
            let notice = "A teammate changed this draft after you opened it. Save again to replace what they wrote.";
            let shown = shown(typed_fields(form), StatusCode::CONFLICT, Some(notice));
            let shown = Shown { seen: now.mark(), quote: Some(*now), ..shown };
            return page(web, signed, &tenant, &lead, shown).await;
        }
        Ok(QuoteOutcome::Changed(now)) => return Ok(changed(&tenant, &lead, now.as_deref())),
        Err(StoreError::TooMany { .. }) => {
            let mut typed = typed_fields(form);
            typed.refuse("", "This lead has 50 quotes already, which is the limit.");
            return page(web, signed, &tenant, &lead, shown(typed, StatusCode::UNPROCESSABLE_ENTITY, None)).await;
        }
        Err(other) => return Err(other.into()),
    };
    if form.text("do") != "send" {
        return Ok(to(&quote_path(lead.id, quote.id, tenant.environment, "saved")));
    }
    let mails = quotes::mails_quotes(web.app(), &tenant, &lead).await?;
    if mails && let Err(wait) = web.portal.limits.may_reply(signed.account) {
        return Ok(too_many(wait));
    }
    match quotes::send(web.app(), &tenant, &signed.user, (&lead, &quote, &quote.mark())).await? {
        QuoteOutcome::Done(_) => {
            let said = if mails { "quoteSent" } else { "quoteLink" };
            Ok(to(&quote_path(lead.id, quote.id, tenant.environment, said)))
        }
        QuoteOutcome::Changed(now) => Ok(changed(&tenant, &lead, now.as_deref())),
    }
}

fn number(name: &str, n: usize) -> String {
    if name == "offer" { offer_field(n) } else { format!("{name}{}", n + 1) }
}

/// To the quote as it is now.
fn changed(tenant: &Tenant, lead: &Lead, now: Option<&Quote>) -> Response {
    match now {
        Some(now) => to(&quote_path(lead.id, now.id, tenant.environment, "quoteChanged")),
        None => to(&lead_path(lead.id, tenant.environment)),
    }
}

/// `again`, `withdraw`, `accept`, `delete`.
pub async fn change(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, quote, action)): Path<(String, String, String)>,
    body: Bytes,
) -> Response {
    let form = PortalForm::parse(&body);
    let done = async {
        let (tenant, lead) = find_lead(&web, &signed, &id, &form).await?;
        let leads = web.store.leads();
        let quote = own(&leads.quotes(&tenant, lead.id).await?, &quote)?;
        let back = |said: &str| Ok(to(&quote_path(lead.id, quote.id, tenant.environment, said)));
        let (outcome, word) = match action.as_str() {
            "again" if quotes::mails_quotes(web.app(), &tenant, &lead).await? => {
                if let Err(wait) = web.portal.limits.may_reply(signed.account) {
                    return Ok(too_many(wait));
                }
                let is_open = quote.standing(web.clock.now()) == QuoteStanding::Open;
                let sent = is_open && leads.mail_quote_again(&tenant, &signed.user, quote.id).await?;
                return back(if sent { "quoteSent" } else { "quoteChanged" });
            }
            "withdraw" => (leads.withdraw_quote(&tenant, &signed.user, quote.id).await?, "quoteWithdrawn"),
            "accept" => {
                let choice = form.text("choice").parse().map_err(|_| ApiError::NotFound)?;
                let reply = QuoteReply::AcceptedElsewhere { choice, by: &signed.user };
                (quotes::answer(web.app(), &tenant, &lead, quote.id, reply).await?, "quoteAccepted")
            }
            "delete" => {
                leads.delete_quote_draft(&tenant, quote.lead, quote.id).await?;
                return Ok(to(&format!(
                    "/portal/leads/{}?data={}&said=quoteDeleted",
                    lead.id,
                    tenant.environment.as_str()
                )));
            }
            _ => return Err(ApiError::NotFound),
        };
        match outcome {
            QuoteOutcome::Done(_) => back(word),
            QuoteOutcome::Changed(_) => back("quoteChanged"),
        }
    };
    or_not_there(done.await)
}
