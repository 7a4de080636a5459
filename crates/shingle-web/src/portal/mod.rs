//! The portal's routes. Who may use each is in `access.rs`, which the gate in front of all of them reads.

pub(crate) mod access;
pub(crate) mod compressed;
pub(crate) mod connections;
pub(crate) mod devices;
pub(crate) mod files;
pub(crate) mod form;
pub(crate) mod gate;
pub(crate) mod leads;
pub(crate) mod limits;
pub(crate) mod mail;
pub(crate) mod more;
pub(crate) mod notices;
pub(crate) mod operator;
pub(crate) mod people;
pub(crate) mod records;
pub(crate) mod responses;
pub(crate) mod settings;
pub(crate) mod sign_in;
pub(crate) mod start;
pub(crate) mod usage;
pub(crate) mod widgets;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get, post};

use crate::api::widget_form::MAX_FORM_BYTES;
use crate::state::Web;
use crate::web::error::ApiError;

pub use access::{Access, ROUTES, is_for_visits};
pub use leads::live_streams::LiveLeads;
pub use limits::PortalLimits;
pub use operator::UPLOADS;
pub use settings::running_exports::RunningExports;
pub use sign_in::relying_party::RelyingParty;

/// No route has it, so the gate answers: with a page to a browser.
async fn nothing() -> ApiError {
    ApiError::NotFound
}

pub fn routes(web: &Arc<Web>) -> Router<Arc<Web>> {
    let forms_with_files = Router::new()
        .route("/portal/widgets", get(widgets::list::list).post(widgets::new_widget::create))
        .route("/portal/widgets/{id}", get(widgets::list::show).post(widgets::designer::save))
        .route("/portal/widgets/{id}/preview", post(widgets::preview::look))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES));
    Router::new()
        .merge(forms_with_files)
        .route("/portal/widgets/new", get(widgets::new_widget::show))
        .route("/portal/widgets/{id}/publish", get(widgets::designer::review).post(widgets::designer::publish))
        .route("/portal/widgets/{id}/discard", post(widgets::designer::discard))
        .route("/portal/widgets/{id}/versions", get(widgets::designer::versions))
        .route("/portal/widgets/{id}/versions/{version}/restore", post(widgets::designer::restore))
        .route("/portal/widgets/{id}/stage", get(widgets::preview::stage))
        .route("/portal/widgets/{id}/check", post(widgets::site_check::check))
        .route("/portal/widgets/{id}/sheet", get(widgets::share::sheet))
        .route("/setup", get(sign_in::invite::show_setup).post(sign_in::invite::claim))
        .route("/portal", get(sign_in::session::front))
        .route("/portal/portal.css", get(files::style))
        .route("/portal/portal.js", get(files::script))
        .route("/portal/icon.svg", get(files::icon))
        .route("/portal/icon-192.png", get(devices::installed::icon_192))
        .route("/portal/icon-512.png", get(devices::installed::icon_512))
        .route("/portal/manifest.webmanifest", get(devices::installed::manifest))
        .route("/portal/worker.js", get(devices::installed::worker))
        .route("/portal/offline", get(devices::installed::offline))
        .route("/portal/sign-in", get(sign_in::session::show).post(sign_in::session::ask))
        .route("/portal/sign-in/code", get(sign_in::session::show_code).post(sign_in::session::check_code))
        .route("/portal/sign-in/link", get(sign_in::session::show_link).post(sign_in::session::use_link))
        .route("/portal/sign-in/recovery", get(sign_in::session::show_recovery).post(sign_in::session::use_recovery))
        .route("/portal/invite", get(sign_in::invite::show).post(sign_in::invite::accept))
        .route("/setup/passkey", post(sign_in::invite::setup_passkey))
        .route("/portal/invite/passkey", post(sign_in::invite::invite_passkey))
        .route("/portal/sign-in/passkey", post(sign_in::passkeys::sign_in))
        .route("/portal/sign-in/passkey/options", post(sign_in::passkeys::sign_in_options))
        .route("/portal/settings/language", post(settings::profile::set_language))
        .route("/portal/settings/email", post(settings::profile::ask_email))
        .route("/portal/settings/email/code", post(settings::profile::confirm_email))
        .route("/portal/settings/company", post(settings::profile::set_company))
        .route("/portal/settings/retention", post(settings::profile::set_retention))
        .route("/portal/settings/close", post(settings::closing::close))
        .route("/portal/closed", get(settings::closing::show))
        .route("/portal/closed/reopen", post(settings::closing::reopen))
        .route("/portal/export", get(settings::export::download))
        .route("/portal/settings/passkeys", post(sign_in::passkeys::add))
        .route("/portal/settings/passkeys/options", post(sign_in::passkeys::add_options))
        .route("/portal/settings/passkeys/{id}", post(sign_in::passkeys::rename))
        .route("/portal/settings/passkeys/{id}/remove", post(sign_in::passkeys::remove))
        .route("/portal/sign-out", post(sign_in::session::sign_out))
        .route("/portal/more", get(more::show))
        .route("/portal/leads", get(leads::list::show))
        .route("/portal/leads.csv", get(leads::list::download))
        .route("/portal/leads/news", get(leads::list::news))
        .route("/portal/leads/live", get(leads::live::show))
        .route("/portal/leads/count", get(leads::list::count))
        .route("/portal/leads/filters", get(leads::list::filters))
        .route("/portal/leads/board", get(leads::list::board))
        .route("/portal/leads/{id}/photos/{photo}", get(leads::lead::photo))
        .route("/portal/leads/views", post(leads::views::save))
        .route("/portal/leads/views/{id}/delete", post(leads::views::delete))
        .route("/portal/leads/{id}/drawing.png", get(leads::lead::drawing))
        .route("/portal/leads/bulk", post(leads::bulk::change))
        .route("/portal/leads/{id}", get(leads::lead::show))
        .route("/portal/leads/{id}/consent", get(leads::lead::consent))
        .route("/portal/leads/{id}/{action}", post(leads::lead::change))
        .route("/portal/phone", get(devices::phone::show))
        .route("/portal/phone/push", post(devices::phone::subscribe))
        .route("/portal/phone/push/{id}/{action}", post(devices::phone::act))
        .route("/portal/settings", get(settings::page::show))
        .route("/portal/settings/name", post(settings::page::rename))
        .route("/portal/settings/recovery-codes", post(settings::page::make_codes))
        .route("/portal/settings/sessions/{id}/end", post(settings::page::end_session))
        .route("/portal/settings/sessions/end-others", post(settings::page::end_others))
        .route("/portal/start", get(start::pages::show))
        .route("/portal/start/site", post(start::pages::read))
        .route("/portal/start/check", post(start::pages::check))
        .route("/portal/start/widget", post(start::pages::make))
        .route("/portal/start/test-lead", post(start::pages::send_test_lead))
        .route("/portal/towns", get(usage::towns::show))
        .route("/portal/towns.csv", get(usage::towns::download))
        .route("/portal/results", get(usage::results::show))
        .route("/portal/results.csv", get(usage::results::download))
        .route("/portal/usage", get(usage::look_ups::show))
        .route("/portal/usage.csv", get(usage::look_ups::download))
        .route("/portal/usage/statement", get(usage::look_ups::statement))
        .route("/portal/consents", get(records::consent_texts::show))
        .route("/portal/keys", get(settings::keys::show).post(settings::keys::create))
        .route("/portal/keys/{id}/{action}", post(settings::keys::act))
        .route("/portal/connections", get(connections::list::list))
        .route("/portal/connections/new", get(connections::list::show_new).post(connections::list::create))
        .route("/portal/connections/{id}", get(connections::connection::show).post(connections::connection::change))
        .route("/portal/connections/{id}/{action}", post(connections::connection::act))
        .route("/portal/deliveries/{id}", get(connections::delivery::show))
        .route("/portal/deliveries/{id}/again", post(connections::delivery::again))
        .route("/portal/notices", get(notices::show).post(notices::save))
        .route("/portal/notices/{id}/{action}", post(notices::act))
        .route("/portal/people", get(people::show))
        .route("/portal/people/invites", post(people::invite))
        .route("/portal/people/invites/{id}/end", post(people::end_invite))
        .route("/portal/people/{id}/remove", post(people::remove))
        .route("/portal/audit", get(records::audit::show))
        .route("/portal/audit.csv", get(records::audit::download))
        .merge(operator::routes())
        .route("/portal/{*nothing}", any(nothing))
        .method_not_allowed_fallback(nothing)
        .layer(from_fn_with_state(web.clone(), gate::gate))
        .layer(from_fn(compressed::compress))
}
