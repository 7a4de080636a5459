//! Checks from the designer whether a page of the company shows the widget.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::response::Response;

use super::form::PortalForm;
use super::gate::Signed;
use super::opened::Opened;
use super::page::or_not_there;
use super::site_looks::Look;
use super::widgets::{Shown, designer};
use crate::app::App;
use crate::http::connection::Visitor;

pub async fn check(
    State(app): State<Arc<App>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let checked = async {
        let opened = Opened::find(&app, &signed, &id).await?;
        let typed = PortalForm::parse(&body).text("address").to_owned();
        let look = Look::at(&app, &signed, visitor, &opened.stored, typed).await?;
        designer(&app, &signed, &opened, Shown { status: look.status, look: Some(look), ..Shown::default() }).await
    };
    or_not_there(checked.await)
}
