//! `/portal/settings/sender`: who emails to homeowners are from.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::Email;
use shingle_domain::text::is_clean;
use shingle_portal::{MAX_SENDER_NAME, Notice, SenderForm, sender_page};
use shingle_store::{EmailChange, Sender};

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::mail;
use crate::portal::responses::{page_with, to, too_many};
use crate::portal::settings::page::{frame, said};
use crate::portal::sign_in::session;
use crate::state::Web;
use crate::web::error::ApiResult;

const PAGE: &str = "/portal/settings/sender";

async fn page(
    web: &Web,
    signed: &Signed,
    (status, notice): (StatusCode, Option<Notice>),
    refused: SenderForm<'_>,
) -> ApiResult<Response> {
    let own = web.settings.own_sender().filter(|_| web.mail.is_some());
    let sender = web.store.accounts().sender(signed.account).await?;
    let asked = web.store.accounts().asked_sender(signed.account).await?;
    let view = SenderForm {
        own: own.as_ref().map(Email::as_str),
        may_send: sender.as_ref().is_some_and(|sender| web.settings.may_send_as(&sender.email)),
        sender: sender.as_ref(),
        asked: asked.as_ref(),
        ..refused
    };
    Ok(page_with(status, sender_page(&frame(signed, notice), &view)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let notice = said(&PortalForm::of_query(query.as_deref()));
    page(&web, &signed, (StatusCode::OK, notice), SenderForm::default()).await
}

pub async fn save(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    // The page says why nothing is changed here.
    if web.mail.is_none() {
        return Ok(to(PAGE));
    }
    let form = PortalForm::parse(&body);
    let (name, address) = (form.text("senderName"), form.text("senderEmail"));
    let refused = SenderForm { typed: Some((name, address)), ..SenderForm::default() };
    let answer = (StatusCode::UNPROCESSABLE_ENTITY, None);
    if name.chars().count() > MAX_SENDER_NAME {
        let wrong_name = Some("That’s too long. Please shorten it.");
        return page(&web, &signed, answer, SenderForm { wrong_name, ..refused }).await;
    }
    if !is_clean(name) {
        let wrong_name = Some("It contains an invisible character. Please remove it.");
        return page(&web, &signed, answer, SenderForm { wrong_name, ..refused }).await;
    }
    let Some(email) = session::address(address) else {
        let wrong_email = Some("Please type an email address, like maya@example.com.");
        return page(&web, &signed, answer, SenderForm { wrong_email, ..refused }).await;
    };
    let now = web.store.accounts().sender(signed.account).await?;
    if now.is_some_and(|now| now.email.as_str().eq_ignore_ascii_case(email.as_str())) {
        web.store.accounts().rename_sender(signed.account, name).await?;
        return Ok(to(&format!("{PAGE}?said=saved")));
    }
    if let Err(wait) = web.portal.limits.may_invite(signed.account, &email) {
        return Ok(too_many(wait));
    }
    let sender = Sender { name: name.to_owned(), email };
    let code = web.store.accounts().ask_for_sender(signed.account, &sender).await?;
    mail::sender_code(&web, signed.language, sender.email, (&signed.company, &signed.brand.name), &code);
    Ok(to(&format!("{PAGE}?said=emailCode")))
}

pub async fn confirm(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let said = match web.store.accounts().confirm_sender(signed.account, form.text("code")).await? {
        EmailChange::Done => "senderSet",
        EmailChange::Wrong => "emailWrong",
        EmailChange::Ended | EmailChange::Taken => "emailEnded",
    };
    Ok(to(&format!("{PAGE}?said={said}")))
}

pub async fn remove(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>) -> ApiResult<Response> {
    web.store.accounts().remove_sender(signed.account).await?;
    Ok(to(&format!("{PAGE}?said=saved")))
}
