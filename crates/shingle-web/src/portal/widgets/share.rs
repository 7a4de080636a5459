//! A widget's links and codes, and a test on the live site.

use std::sync::Arc;

use axum::extract::{Extension, Path, State};
use axum::response::Response;
use shingle_notice::shows_name;
use shingle_portal::{ShareView, sheet_page};
use shingle_store::StoredWidget;
use url::Url;

use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page};
use crate::portal::widgets::edit::logo_paths;
use crate::portal::widgets::widget_editor::Opened;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::tokens::TEST_PARAMETER;

fn codes(stored: &StoredWidget) -> [String; 2] {
    [stored.widget.widget_qr_path(), stored.widget.hosted_qr_path()].map(|path| format!("/storage/{path}"))
}

pub fn share_view(web: &Web, stored: &StoredWidget) -> ApiResult<ShareView> {
    let (widget, links) = (&stored.widget, web.links(stored.tenant.account));
    let id = widget.link_id();
    let key = web.tokens.test(id, web.clock.now())?;
    let mut site = Url::parse(widget.site(&links).as_str()).map_err(ApiError::internal)?;
    site.query_pairs_mut().append_pair("roof-estimate", &id.to_string()).append_pair(TEST_PARAMETER, &key);
    let hosted = links.hosted_page(id);
    Ok(ShareView {
        tests: [site.to_string(), format!("{hosted}?{TEST_PARAMETER}={key}")],
        redirect: links.redirect(id),
        hosted,
        codes: codes(stored),
        prints_name: shows_name(&widget.company_name).map_err(ApiError::internal)?,
    })
}

pub async fn sheet(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
) -> Response {
    let shown = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let record = web.record(signed.account, &opened.stored.widget);
        let [logo, _] = logo_paths(&opened.stored.widget);
        let language = signed.language;
        let path = format!("/portal/widgets/{}", record.reference_id);
        Ok(page(sheet_page(language, &path, &record, &codes(&opened.stored), &logo.unwrap_or_default())))
    };
    or_not_there(shown.await)
}
