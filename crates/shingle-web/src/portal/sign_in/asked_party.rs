//! Who asks devices for passkeys: the name that the browser asked for.

use std::sync::Arc;

use axum::http::HeaderMap;

use crate::portal::sign_in::relying_party::RelyingParty;
use crate::state::Web;
use crate::web::own_origin::{asked_base, asked_company};

/// At the name that the browser asked for: devices make passkeys for a name.
pub fn relying_party(web: &Web, headers: &HeaderMap) -> Option<Arc<RelyingParty>> {
    match asked_company(web, headers) {
        Some(_) => RelyingParty::of(&asked_base(web, headers)).map(Arc::new),
        None => web.portal.passkeys.clone(),
    }
}
