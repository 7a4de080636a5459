//! What somebody who is not signed in sees on top of a page.

use std::sync::Arc;

use axum::http::HeaderMap;
use shingle_domain::Language;
use shingle_portal::Guest;
use shingle_store::Brand;

use crate::state::Web;
use crate::web::error::ApiResult;
use crate::web::own_origin::asked_company;

#[derive(Debug, Clone)]
pub struct Door {
    pub language: Language,
    /// Of the company at whose own domain the page was asked for.
    pub brand: Option<Arc<Brand>>,
}

impl Door {
    pub async fn of(web: &Web, headers: &HeaderMap, language: Language) -> ApiResult<Self> {
        let brand = match asked_company(web, headers) {
            Some(account) => Some(Arc::new(web.store.accounts().brand(account).await?)),
            None => None,
        };
        Ok(Self { language, brand })
    }

    pub fn guest(&self) -> Guest<'_> {
        Guest { language: self.language, brand: self.brand.as_deref() }
    }
}
