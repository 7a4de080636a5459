//! `/portal/settings/replies`: ready-made replies of the company.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::Response;
use shingle_domain::reply::{ReplyField, ReplyText};
use shingle_domain::{ReplyId, Timestamp};
use shingle_portal::{Notice, TypedFields, phrase, replies_page, reply_field, reply_problem};
use shingle_store::ReplyChange;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page_with, to};
use crate::portal::settings::page::{frame, said};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

const PAGE: &str = "/portal/settings/replies";

async fn page(
    web: &Web,
    signed: &Signed,
    status: StatusCode,
    (open, typed): (Option<&str>, &TypedFields),
    notice: Option<Notice>,
) -> ApiResult<Response> {
    let templates = web.store.accounts().reply_templates(signed.account).await?;
    // One that is gone is not open.
    let open = open.filter(|open| open.is_empty() || templates.iter().any(|template| template.id.to_string() == *open));
    Ok(page_with(status, replies_page(&frame(signed, notice), &templates, open, typed)))
}

pub async fn show(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    RawQuery(query): RawQuery,
) -> ApiResult<Response> {
    let query = PortalForm::of_query(query.as_deref());
    let open = Some(query.text("open")).filter(|open| !open.is_empty());
    page(&web, &signed, StatusCode::OK, (open, &TypedFields::default()), said(&query)).await
}

pub async fn create(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>, body: Bytes) -> Response {
    or_not_there(saved(&web, &signed, None, &PortalForm::parse(&body)).await)
}

pub async fn change(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let changed = async {
        let id: ReplyId = id.parse().map_err(|_| ApiError::NotFound)?;
        saved(&web, &signed, Some(id), &PortalForm::parse(&body)).await
    };
    or_not_there(changed.await)
}

pub async fn delete(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let deleted = async {
        let id: ReplyId = id.parse().map_err(|_| ApiError::NotFound)?;
        web.store.accounts().delete_reply_template(signed.account, id).await?;
        Ok(to(&format!("{PAGE}?said=replyDeleted")))
    };
    or_not_there(deleted.await)
}

async fn saved(web: &Web, signed: &Signed, id: Option<ReplyId>, form: &PortalForm) -> ApiResult<Response> {
    let read = |field| form.text(reply_field(field));
    let mut typed = TypedFields::default();
    for field in [ReplyField::Name, ReplyField::Subject, ReplyField::Body] {
        typed.set(reply_field(field), read(field).replace("\r\n", "\n"));
    }
    let open = id.map(|id| id.to_string()).unwrap_or_default();
    let parsed = ReplyText::parse(read(ReplyField::Name), read(ReplyField::Subject), read(ReplyField::Body));
    let text = match parsed {
        Ok(text) => text,
        Err(wrong) => {
            for (field, problem) in wrong {
                typed.refuse(reply_field(field), reply_problem(signed.language, &problem));
            }
            return page(web, signed, StatusCode::UNPROCESSABLE_ENTITY, (Some(&open), &typed), None).await;
        }
    };
    let seen = Timestamp::from_micros(form.text("seen").parse().unwrap_or_default());
    let old = id.map(|id| (id, seen));
    Ok(match web.store.accounts().save_reply_template(signed.account, old, &text).await? {
        ReplyChange::Done => to(&format!("{PAGE}?said=saved")),
        ReplyChange::TooMany => {
            typed.refuse(reply_field(ReplyField::Name), "You have 50 replies already. Delete one first.");
            page(web, signed, StatusCode::UNPROCESSABLE_ENTITY, (Some(&open), &typed), None).await?
        }
        ReplyChange::Outdated(now) => {
            let said =
                "Someone changed this reply after you opened it. It now says: “{text}”. Save again to replace that.";
            let said = phrase(signed.language, said, &[("text", &now.text.body)]);
            typed.refuse(reply_field(ReplyField::Body), said);
            page(web, signed, StatusCode::CONFLICT, (Some(&open), &typed), None).await?
        }
    })
}
