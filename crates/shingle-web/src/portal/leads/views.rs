//! `/portal/leads/views`: saved lists of leads.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::response::Response;
use shingle_domain::text::is_clean;
use shingle_store::StoreError;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::to;
use crate::state::Web;
use crate::web::error::ApiResult;

const MAX_NAME: usize = 40;
const MAX_QUERY: usize = 1_000;

pub async fn save(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    body: Bytes,
) -> ApiResult<Response> {
    let form = PortalForm::parse(&body);
    let (name, query) = (form.text("name"), form.text("query"));
    let join = if query.is_empty() { "" } else { "&" };
    let back = |said: &str| to(&format!("/portal/leads?{query}{join}said={said}"));
    // It goes into an address of ours.
    let is_query =
        query.len() <= MAX_QUERY && query.bytes().all(|b| b.is_ascii_alphanumeric() || b"%&=+-._*".contains(&b));
    if !is_query {
        return Ok(to("/portal/leads?said=unknown"));
    }
    if name.is_empty() || name.chars().count() > MAX_NAME || !is_clean(name) {
        return Ok(back("unknown"));
    }
    match web.store.leads().save_view(signed.account, &signed.user, name, query).await {
        Ok(()) => Ok(back("kept")),
        Err(StoreError::TooMany { .. }) => Ok(back("many")),
        Err(other) => Err(other.into()),
    }
}

pub async fn delete(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> ApiResult<Response> {
    web.store.leads().delete_view(&signed.user, &id).await?;
    Ok(to("/portal/leads?said=saved"))
}
