//! The portal's routes. Who may use each stands in `access.rs`, which the gate in front of all of them reads.

mod access;
mod audit;
mod bulk;
mod files;
mod form;
mod gate;
mod installed;
mod invite;
mod lead;
mod lead_query;
mod leads;
mod limits;
mod live;
mod live_streams;
mod mail;
mod more;
mod new_widget;
mod operator;
mod page;
mod people;
mod settings;
mod sign_in;
mod site;
mod usage;
mod views;
mod widgets;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};

use crate::app::App;
use crate::http::widget_form::MAX_FORM_BYTES;

pub use access::{Access, ROUTES, is_for_visits};
pub use limits::PortalLimits;
pub use live_streams::LiveLeads;

pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let forms_with_files = Router::new()
        .route("/portal/widgets", get(widgets::list).post(new_widget::create))
        .route("/portal/widgets/{id}", get(widgets::show).post(widgets::change))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES));
    Router::new()
        .merge(forms_with_files)
        .route("/portal/widgets/new", get(new_widget::show))
        .route("/setup", get(invite::show_setup).post(invite::claim))
        .route("/portal", get(sign_in::front))
        .route("/portal/portal.css", get(files::style))
        .route("/portal/portal.js", get(files::script))
        .route("/portal/icon.svg", get(files::icon))
        .route("/portal/icon-192.png", get(installed::icon_192))
        .route("/portal/icon-512.png", get(installed::icon_512))
        .route("/portal/manifest.webmanifest", get(installed::manifest))
        .route("/portal/worker.js", get(installed::worker))
        .route("/portal/offline", get(installed::offline))
        .route("/portal/sign-in", get(sign_in::show).post(sign_in::ask))
        .route("/portal/sign-in/code", get(sign_in::show_code).post(sign_in::check_code))
        .route("/portal/sign-in/link", get(sign_in::show_link).post(sign_in::use_link))
        .route("/portal/sign-in/recovery", get(sign_in::show_recovery).post(sign_in::use_recovery))
        .route("/portal/invite", get(invite::show).post(invite::accept))
        .route("/portal/sign-out", post(sign_in::sign_out))
        .route("/portal/more", get(more::show))
        .route("/portal/leads", get(leads::show))
        .route("/portal/leads.csv", get(leads::download))
        .route("/portal/leads/news", get(leads::news))
        .route("/portal/leads/live", get(live::show))
        .route("/portal/leads/count", get(leads::count))
        .route("/portal/leads/filters", get(leads::filters))
        .route("/portal/leads/board", get(leads::board))
        .route("/portal/leads/{id}/photos/{photo}", get(lead::photo))
        .route("/portal/leads/views", post(views::save))
        .route("/portal/leads/views/{id}/delete", post(views::delete))
        .route("/portal/leads/{id}/drawing.png", get(lead::drawing))
        .route("/portal/leads/bulk", post(bulk::change))
        .route("/portal/leads/{id}", get(lead::show))
        .route("/portal/leads/{id}/consent", get(lead::consent))
        .route("/portal/leads/{id}/{action}", post(lead::change))
        .route("/portal/settings", get(settings::show))
        .route("/portal/settings/name", post(settings::rename))
        .route("/portal/settings/recovery-codes", post(settings::make_codes))
        .route("/portal/settings/sessions/{id}/end", post(settings::end_session))
        .route("/portal/settings/sessions/end-others", post(settings::end_others))
        .route("/portal/usage", get(usage::show))
        .route("/portal/usage.csv", get(usage::download))
        .route("/portal/people", get(people::show))
        .route("/portal/people/invites", post(people::invite))
        .route("/portal/people/invites/{id}/end", post(people::end_invite))
        .route("/portal/people/{id}/remove", post(people::remove))
        .route("/portal/audit", get(audit::show))
        .route("/portal/audit.csv", get(audit::download))
        .merge(operator::routes())
        .layer(from_fn_with_state(app.clone(), gate::gate))
}
