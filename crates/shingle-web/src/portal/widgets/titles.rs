//! The display names of a company's widgets.

use shingle_domain::Tenant;

use crate::state::Web;
use crate::web::error::ApiResult;

/// Ids and titles.
pub async fn widget_titles(web: &Web, tenant: &Tenant) -> ApiResult<Vec<(String, String)>> {
    let widgets = web.store.widgets().list(tenant).await?.into_iter().map(|stored| stored.widget);
    Ok(widgets.map(|widget| (widget.reference_id.to_string(), widget.first_page_title)).collect())
}
