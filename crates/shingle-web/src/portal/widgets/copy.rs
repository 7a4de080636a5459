//! A widget made from another one, and parts of one written over several others.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::response::Response;
use shingle_domain::widget::{Widget, WidgetStatus};
use shingle_domain::widget_copy::CopiedPart;
use shingle_domain::{Environment, WidgetId};
use shingle_portal::phrase;
use shingle_store::StoreError;

use crate::portal::form::{PortalForm, request_key};
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, to};
use crate::portal::widgets::widget_editor::Opened;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// Characters of a title.
const MAX_TITLE: usize = 100;

/// Everything as visitors see it now, under another id. It is off, so that nobody gets leads of a half-made copy.
pub async fn duplicate(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let form = PortalForm::parse(&body);
    let made = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let reference: WidgetId = web.store.new_id()?.to_string().parse().map_err(|_| ApiError::NotFound)?;
        let old = &opened.stored.widget;
        let title = phrase(signed.language, "{title} (copy)", &[("title", &old.first_page_title)]);
        let fits = title.chars().count() <= MAX_TITLE;
        let widget = Widget {
            reference_id: reference,
            link_id: None,
            status: WidgetStatus::Inactive,
            first_page_title: if fits { title } else { old.first_page_title.clone() },
            ..old.clone()
        };
        let request = request_key(form.text("once"), &["duplicate", &id]);
        let (tenant, by) = (signed.tenant(Environment::Production), signed.user.name.as_str());
        let with = (&widget, &opened.stored.settings);
        let made = web
            .store
            .widgets()
            .create_with(by, &tenant, with, |widget| web.record(signed.account, widget), request.as_ref())
            .await?;
        Ok(to(&format!("/portal/widgets/{}?said=duplicated", made.widget.reference_id)))
    };
    or_not_there(made.await)
}

/// Parts of one widget written over those that are ticked, at once.
pub async fn copy(State(web): State<Arc<Web>>, Extension(signed): Extension<Arc<Signed>>, body: Bytes) -> Response {
    or_not_there(copied(&web, &signed, &PortalForm::parse(&body)).await)
}

async fn copied(web: &Web, signed: &Signed, form: &PortalForm) -> ApiResult<Response> {
    let from = Opened::find(web, signed, form.text("from")).await?;
    let parts: Vec<CopiedPart> = form.all("part").filter_map(|part| part.parse().ok()).collect();
    let named: Vec<WidgetId> = form.all("to").filter_map(|id| id.parse().ok()).collect();
    let tenant = signed.tenant(Environment::Production);
    let all = web.store.widgets().list(&tenant).await?;
    let is_meant = |id: WidgetId| named.contains(&id) && id != from.id();
    let targets: Vec<_> = all.into_iter().filter(|stored| is_meant(stored.widget.reference_id)).collect();
    if parts.is_empty() || targets.is_empty() {
        return Ok(to("/portal/widgets?said=none"));
    }
    let (mut done, mut left) = (0, 0);
    for old in targets {
        let (mut widget, mut settings) = (old.widget.clone(), old.settings.clone());
        for part in &parts {
            part.copy((&from.stored.widget, &from.stored.settings), (&mut widget, &mut settings));
        }
        if widget == old.widget && settings == old.settings {
            done += 1;
            continue;
        }
        let by = signed.user.name.as_str();
        match web
            .store
            .widgets()
            .publish_change(&old, by, (widget, &settings), |widget| web.record(signed.account, widget))
            .await
        {
            Ok(_) => done += 1,
            // Somebody works on it: their draft would undo the copy without a word.
            Err(StoreError::Changed) => left += 1,
            Err(other) => return Err(other.into()),
        }
    }
    Ok(to(&format!("/portal/widgets?said=copied&count={done}&left={left}")))
}
