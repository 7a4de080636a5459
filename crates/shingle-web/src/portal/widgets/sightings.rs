//! Where a widget was seen: by visitors, by earlier site checks, and by one just requested.

use axum::http::StatusCode;
use shingle_domain::check::{SiteCheck, Verdict};
use shingle_domain::{Environment, Timestamp};
use shingle_portal::{Counted, Hours, SiteCheckView, counted, say};
use shingle_store::StoredWidget;

use crate::portal::gate::Signed;
use crate::state::Web;
use crate::visitor::check::check_site;
use crate::web::connection::Visitor;
use crate::web::error::{ApiError, ApiResult};

/// The address that somebody wants looked at, and what came of it.
pub struct Look {
    pub status: StatusCode,
    pub address: String,
    pub outcome: Result<SiteCheck, String>,
}

impl Look {
    /// Looks at a page as a visitor's browser would, and keeps what was found.
    pub async fn at(
        web: &Web,
        signed: &Signed,
        visitor: Visitor,
        stored: &StoredWidget,
        address: String,
    ) -> ApiResult<Self> {
        let (status, outcome) = match check_site(web, &stored.widget, visitor, &address).await {
            Ok(found) => {
                let verdict = serde_json::to_value(found.verdict).map_err(ApiError::internal)?;
                let (tenant, verdict) = (signed.tenant(Environment::Production), verdict.as_str().unwrap_or_default());
                web.store.widgets().note_site_check(&tenant, stored.widget.reference_id, &found.url, verdict).await?;
                (StatusCode::OK, Ok(found))
            }
            Err(ApiError::BadRequest(said)) => (StatusCode::UNPROCESSABLE_ENTITY, Err(say(signed.language, &said))),
            Err(ApiError::RateLimited { retry_after, .. }) => {
                let seconds = i64::try_from(retry_after).unwrap_or(i64::MAX);
                let said = counted(signed.language, Counted::CHECKS_IN_A_ROW, seconds);
                (StatusCode::TOO_MANY_REQUESTS, Err(said))
            }
            Err(other) => return Err(other),
        };
        Ok(Self { status, address, outcome })
    }
}

pub struct SiteLooks {
    seen: Vec<(String, Timestamp)>,
    earlier: Vec<(Timestamp, String, Verdict)>,
}

impl SiteLooks {
    pub async fn find(web: &Web, signed: &Signed, stored: &StoredWidget) -> ApiResult<Self> {
        let (tenant, id) = (signed.tenant(Environment::Production), stored.widget.reference_id);
        web.store.widgets().note_sightings(&web.sightings.take()).await?;
        let earlier = web.store.widgets().site_checks(&tenant, id).await?;
        let verdict = |text: &str| serde_json::from_value::<Verdict>(text.into()).ok();
        Ok(Self {
            seen: web.store.widgets().sightings(&tenant, id).await?,
            earlier: earlier
                .into_iter()
                .filter_map(|look| Some((look.at, look.page, verdict(&look.verdict)?)))
                .collect(),
        })
    }

    /// `own_page` is what is asked about first.
    pub fn view<'v>(&'v self, own_page: &'v str, look: Option<&'v Look>, hours: &'v Hours) -> SiteCheckView<'v> {
        SiteCheckView {
            address: look.map_or(own_page, |look| &look.address),
            outcome: look.map(|look| look.outcome.as_ref().map_err(String::as_str)),
            seen: &self.seen,
            looks: &self.earlier,
            hours,
        }
    }
}
