//! Checks from the designer whether a page of the company shows the widget.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Extension, Path, State};
use axum::response::Response;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::responses::or_not_there;
use crate::portal::widgets::list::{Shown, designer};
use crate::portal::widgets::sightings::Look;
use crate::portal::widgets::widget_editor::Opened;
use crate::state::Web;
use crate::web::connection::Visitor;

pub async fn check(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let checked = async {
        let opened = Opened::find(&web, &signed, &id).await?;
        let typed = PortalForm::parse(&body).text("address").to_owned();
        let look = Look::at(&web, &signed, visitor, &opened.stored, typed).await?;
        designer(&web, &signed, &opened, Shown { status: look.status, look: Some(look), ..Shown::default() }).await
    };
    or_not_there(checked.await)
}
