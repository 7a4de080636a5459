//! The display names of a company's widgets.

use shingle_domain::Tenant;
use shingle_portal::widget_names;

use crate::state::Web;
use crate::web::error::ApiResult;

/// Ids and names.
pub async fn widget_titles(web: &Web, tenant: &Tenant) -> ApiResult<Vec<(String, String)>> {
    let widgets = web.store.widgets().list(tenant).await?;
    let names = widget_names(widgets.iter().map(|stored| stored.widget.first_page_title.as_str()));
    Ok(widgets.iter().map(|stored| stored.widget.reference_id.to_string()).zip(names).collect())
}
