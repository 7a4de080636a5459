//! One account, for operators.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_app::domain_checks;
use shingle_app::own_domains::HostProblem;
use shingle_domain::lookup::Product;
use shingle_domain::usage::UsagePeriod;
use shingle_domain::{AccountId, Environment, KeyId, Tenant, Usd};
use shingle_portal::{AccountView, Hours, Notice, OwnDomainView, account_page};
use shingle_store::{Account, AuditFilter, StoreError};

use crate::portal::form::PortalForm;
use crate::portal::gate::Operating;
use crate::portal::operator::company::{ADDRESS, NAME, company, invite_owner};
use crate::portal::operator::layout::{ZONE, frame, said};
use crate::portal::records::services::with_services;
use crate::portal::responses::{or_not_there, page_with, to, too_many};
use crate::portal::settings::closing::is_typed;
use crate::portal::sign_in::session;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

const LAST_CHANGES: u32 = 10;
const LIMIT: &str = "Please type a whole number, or leave it blank for no limit.";
const AMOUNT: &str = "Please type an amount in dollars, like 100 or -12.50.";
const HOST: &str = "Please type a host name, like leads.agency.com, without a port or path.";
const OWN_HOST: &str = "That is this installation’s own name.";
const TAKEN_HOST: &str = "Another company has this name.";
const TOO_MUCH: &str = "The balance would fall below zero, or pass a trillion dollars.";

/// A field with what is wrong and what was typed.
type Wrong<'w> = (&'static str, &'static str, &'w str);

pub async fn page_of(
    web: &Web,
    operating: &Operating,
    id: AccountId,
    status: StatusCode,
    link: Option<(&str, bool)>,
    wrong: Option<Wrong<'_>>,
    notice: Option<Notice>,
) -> ApiResult<Response> {
    let account = web.store.accounts().find(id).await?.ok_or(ApiError::NotFound)?;
    let now = web.clock.now();
    let tenant = Tenant { account: id, environment: Environment::Production };
    let month = UsagePeriod::new(Some(now.month_start().date()), Some(now.date()), now)
        .map_err(|rule| ApiError::bad_request(rule.to_string()))?;
    let domain = web.store.accounts().own_domain(id).await?;
    let view = AccountView {
        account: &account,
        users: &web.store.people().list_users(id).await?,
        invites: &web.store.people().list_invites(id).await?,
        keys: &web.store.accounts().list_keys(id).await?,
        usage: &web.store.usage().report(&tenant, month).await?,
        log: &with_services(web.store.audit().log(id, &AuditFilter::default(), LAST_CHANGES).await?),
        hours: &Hours::new(ZONE, now, operating.language),
        now,
        link,
        domain: OwnDomainView { domain: domain.as_ref(), server: web.own_domains.server() },
        wrong,
    };
    Ok(page_with(status, account_page(&frame(operating, notice), &view)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        let id: AccountId = id.parse().map_err(|_| ApiError::NotFound)?;
        let notice = said(&PortalForm::of_query(query.as_deref()));
        page_of(&web, &operating, id, StatusCode::OK, None, None, notice).await
    };
    or_not_there(shown.await)
}

/// Dollars as people type them, in cents.
fn amount(text: &str) -> Option<Usd> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let plain = digits.trim_start_matches('$').replace(',', "");
    Usd::parse_price(&plain).map(|amount| Usd::from_cents(sign * amount.cents()))
}

pub async fn change(
    State(web): State<Arc<Web>>,
    Extension(operating): Extension<Arc<Operating>>,
    Path((id, action)): Path<(String, String)>,
    body: Bytes,
) -> Response {
    let changed = async {
        let id: AccountId = id.parse().map_err(|_| ApiError::NotFound)?;
        let account = web.store.accounts().find(id).await?.ok_or(ApiError::NotFound)?;
        let form = PortalForm::parse(&body);
        match done(&web, &operating, &account, &action, &form).await? {
            Done::Said(said) => Ok(to(&format!("/portal/operator/accounts/{id}?said={said}"))),
            Done::Opened => Ok(to("/portal/leads")),
            Done::TooMany(wait) => Ok(too_many(wait)),
            Done::Link { link, mailed } => {
                page_of(&web, &operating, id, StatusCode::OK, Some((&link, mailed)), None, None).await
            }
            Done::Wrong(field, wrong) => {
                let wrong = (field, wrong, form.text(field));
                let notice =
                    (field == "closing").then(|| Notice { text: "The account is not closed.".into(), is_wrong: true });
                page_of(&web, &operating, id, StatusCode::UNPROCESSABLE_ENTITY, None, Some(wrong), notice).await
            }
        }
    };
    or_not_there(changed.await)
}

enum Done {
    Said(&'static str),
    Opened,
    Link { link: String, mailed: bool },
    TooMany(u64),
    Wrong(&'static str, &'static str),
}

async fn done(
    web: &Arc<Web>,
    operating: &Operating,
    account: &Account,
    action: &str,
    form: &PortalForm,
) -> ApiResult<Done> {
    let (store, id) = (&web.store, account.id);
    Ok(match action {
        "open" => {
            store.people().begin_visit(operating.session.id, id).await?;
            Done::Opened
        }
        "pause" => {
            store.accounts().pause(id).await?;
            Done::Said("paused")
        }
        "resume" => {
            store.accounts().resume(id).await?;
            Done::Said("resumed")
        }
        "close" if is_typed(form, &account.name) => {
            store.accounts().close(id).await?;
            Done::Said("closed")
        }
        "close" => Done::Wrong("closing", "That is not the name of the company."),
        "reopen" => Done::Said(if store.accounts().reopen(id).await? { "reopened" } else { "late" }),
        "rename" => match company(form.text("name")) {
            Some(name) => {
                store.accounts().rename(id, name).await?;
                Done::Said("renamed")
            }
            None => Done::Wrong("name", NAME),
        },
        "limit" => match form.text("limit").replace(',', "") {
            none if none.is_empty() => {
                store.accounts().set_limit(id, None).await?;
                Done::Said("limited")
            }
            text => match text.parse::<u32>() {
                Ok(limit) => {
                    store.accounts().set_limit(id, Some(u64::from(limit))).await?;
                    Done::Said("limited")
                }
                Err(_) => Done::Wrong("limit", LIMIT),
            },
        },
        "credit" => match amount(form.text("credit")) {
            Some(amount) => match store.accounts().credit_once(id, amount, form.request_key().as_ref()).await {
                Ok(_) | Err(StoreError::MadeBefore) => Done::Said("credited"),
                Err(StoreError::Amount) => Done::Wrong("credit", TOO_MUCH),
                Err(other) => return Err(other.into()),
            },
            None => Done::Wrong("credit", AMOUNT),
        },
        "domain" => {
            let host = match form.text("domain") {
                "" => None,
                typed => match web.own_domains.host(typed) {
                    Ok(host) => Some(host),
                    Err(HostProblem::NotAName) => return Ok(Done::Wrong("domain", HOST)),
                    Err(HostProblem::Own) => return Ok(Done::Wrong("domain", OWN_HOST)),
                },
            };
            match store.accounts().set_own_domain(id, host.as_deref()).await {
                Ok(()) => {}
                Err(StoreError::AlreadyExists) => return Ok(Done::Wrong("domain", TAKEN_HOST)),
                Err(other) => return Err(other.into()),
            }
            domain_checks::check(web, id).await?;
            Done::Said(if host.is_some() { "domain" } else { "noDomain" })
        }
        "products" => {
            let wanted: Vec<_> = form.all("product").filter_map(Product::parse).collect();
            for product in Product::ALL {
                let on = wanted.contains(&product);
                if on != account.products.contains(&product) {
                    store.accounts().set_product(id, product, on).await?;
                }
            }
            Done::Said("products")
        }
        "revoke" => {
            let key = KeyId(form.text("key").to_owned());
            // Of this account, whatever the form says.
            let known = store.accounts().list_keys(id).await?.iter().any(|of| of.id == key);
            if !known {
                return Err(ApiError::NotFound);
            }
            store.accounts().revoke_key(&key).await?;
            Done::Said("revoked")
        }
        "invite" => {
            let address = match form.text("email") {
                "" => None,
                typed => match session::address(typed) {
                    Some(address) => Some(address),
                    None => return Ok(Done::Wrong("email", ADDRESS)),
                },
            };
            if let Some(address) = &address {
                if store.people().find_user_in(id, address).await?.is_some() {
                    return Ok(Done::Wrong("email", "They’re already in this company."));
                }
                if let Err(wait) = web.portal.limits.may_mail(address) {
                    return Ok(Done::TooMany(wait));
                }
            }
            let mailed = address.is_some() && web.mail.is_some();
            let link = invite_owner(web, operating, id, &account.name, address).await?;
            Done::Link { link, mailed }
        }
        _ => return Err(ApiError::NotFound),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_dollars_as_people_type_them() {
        for (text, cents) in [("100", 10_000), ("$1,250.50", 125_050), ("-12.5", -1_250), ("-$3", -300)] {
            assert_eq!(amount(text).map(Usd::cents), Some(cents), "{text}");
        }
        for none in ["", "0", "-", "1e9", "--5", "5.123", "ten", "99999999999999", "NaN", "5 5"] {
            assert_eq!(amount(none), None, "{none}");
        }
    }
}
