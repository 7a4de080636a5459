//! The designer's preview: the visitor's own pages, for a widget whose address only its owner has.
//!
//! # Decision
//!
//! The designer's preview is a widget at its own address (`widget_preview`, 122 random bits, two hours, one per
//! person) that the public routes serve like any other, so visitors download no code for it. Only our pages may frame
//! it, no cache keeps it, and its leads are test data. While somebody types, the server updates it and the frame
//! reloads. Turned down: messages to the frame, for which every visitor would download the listener.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Extension, Path, RawQuery, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shingle_domain::widget::Widget;
use shingle_domain::{Environment, LinkId, WidgetSettings};
use shingle_portal::{shades, stage_page};

use crate::api::widget_form::WidgetForm;
use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::{or_not_there, page};
use crate::portal::widgets::edit::{self, logo_paths};
use crate::portal::widgets::widget_editor::{Opened, sums};
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::logo::Logo;

/// Of the page with the launcher, which loads the visitor's script and module. The designer alone frames it.
const STAGE_POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
                            connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'";

/// Where the preview is.
pub struct Live {
    pub page: String,
    pub stage: String,
    /// Another one whenever it shows something else.
    pub mark: i64,
}

pub async fn preview(
    web: &Web,
    signed: &Signed,
    opened: &Opened,
    shown: (&Widget, &WidgetSettings),
) -> ApiResult<Live> {
    let tenant = signed.tenant(Environment::Production);
    let (link, mark) = web.store.widgets().set_preview(&tenant, opened.id(), signed.user.id, shown).await?;
    Ok(Live { page: format!("/w/{link}"), stage: format!("{}/stage?of={link}", opened.path()), mark })
}

/// What the script of the designer is told.
#[derive(Serialize)]
struct Look<'l> {
    mark: i64,
    page: String,
    stage: String,
    shades: BTreeMap<&'static str, String>,
    logos: BTreeMap<&'static str, Option<String>>,
    sums: Vec<[String; 2]>,
    wrong: Vec<&'l str>,
}

/// Puts a form that is being filled in into the preview. It saves nothing and publishes nothing.
pub async fn look(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    request: Request,
) -> ApiResult<Response> {
    let opened = Opened::find(&web, &signed, &id).await?;
    let form = WidgetForm::read(request).await?;
    let edited = edit::read(&web, signed.language, opened.current(), form).await?;
    let current = opened.current();
    let (widget, settings) = edited.made.as_ref().map_or(current, |(widget, settings)| (widget, settings));
    let Live { page, stage, mark } = preview(&web, &signed, &opened, (widget, settings)).await?;
    let sums = sums(&web, widget, settings.prices).into_iter().map(|(_, square, sum)| [square, sum]).collect();
    let logos = Logo::BOTH.map(Logo::field).into_iter().zip(logo_paths(widget)).collect();
    let shades = shades(widget, signed.language).into_iter().collect();
    let wrong = edited.values.refused().map(|(_, said)| said).collect();
    Ok(Json(Look { mark, page, stage, shades, logos, sums, wrong }).into_response())
}

/// A site of nobody with the launcher on it.
pub async fn stage(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let shown = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let query = PortalForm::of_query(query.as_deref());
        let link: LinkId = query.text("of").parse().map_err(|_| ApiError::NotFound)?;
        let html = stage_page(signed.language, &format!("/w/{link}.js"), &opened.current().0.company_name);
        Ok(([(header::CONTENT_SECURITY_POLICY, STAGE_POLICY)], page(html)).into_response())
    };
    or_not_there(shown.await)
}
