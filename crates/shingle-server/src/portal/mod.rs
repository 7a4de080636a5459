//! The portal's routes. Who may use each is in `access.rs`, which the gate in front of all of them reads.

mod access;
mod audit;
mod bulk;
mod closing;
mod compressed;
mod connection;
mod connection_form;
mod connection_page;
mod connections;
mod consent_texts;
mod delivery;
mod designer;
mod edit;
mod export;
mod files;
mod form;
mod gate;
mod installed;
mod invite;
mod keys;
mod lead;
mod lead_query;
mod leads;
mod limits;
mod live;
mod live_streams;
mod mail;
mod missing_towns;
mod more;
mod new_widget;
mod notices;
mod opened;
mod operator;
mod page;
mod passkeys;
mod people;
mod phone;
mod preview;
mod profile;
mod relying_party;
mod results;
mod running_exports;
mod settings;
mod share;
mod sign_in;
mod site;
mod site_check;
mod site_looks;
mod start;
mod test_lead;
mod towns;
mod trial;
mod usage;
mod views;
mod widget_titles;
mod widgets;
mod wished;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{any, get, post};

use crate::app::App;
use crate::http::error::ApiError;
use crate::http::widget_form::MAX_FORM_BYTES;

pub use access::{Access, ROUTES, is_for_visits};
pub use limits::PortalLimits;
pub use live_streams::LiveLeads;
pub use operator::UPLOADS;
pub use relying_party::RelyingParty;
pub use running_exports::RunningExports;

/// No route has it, so the gate answers: with a page to a browser.
async fn nothing() -> ApiError {
    ApiError::NotFound
}

pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let forms_with_files = Router::new()
        .route("/portal/widgets", get(widgets::list).post(new_widget::create))
        .route("/portal/widgets/{id}", get(widgets::show).post(designer::save))
        .route("/portal/widgets/{id}/preview", post(preview::look))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES));
    Router::new()
        .merge(forms_with_files)
        .route("/portal/widgets/new", get(new_widget::show))
        .route("/portal/widgets/{id}/publish", get(designer::review).post(designer::publish))
        .route("/portal/widgets/{id}/discard", post(designer::discard))
        .route("/portal/widgets/{id}/versions", get(designer::versions))
        .route("/portal/widgets/{id}/versions/{version}/restore", post(designer::restore))
        .route("/portal/widgets/{id}/stage", get(preview::stage))
        .route("/portal/widgets/{id}/check", post(site_check::check))
        .route("/portal/widgets/{id}/sheet", get(share::sheet))
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
        .route("/setup/passkey", post(invite::setup_passkey))
        .route("/portal/invite/passkey", post(invite::invite_passkey))
        .route("/portal/sign-in/passkey", post(passkeys::sign_in))
        .route("/portal/sign-in/passkey/options", post(passkeys::sign_in_options))
        .route("/portal/settings/language", post(profile::set_language))
        .route("/portal/settings/email", post(profile::ask_email))
        .route("/portal/settings/email/code", post(profile::confirm_email))
        .route("/portal/settings/company", post(profile::set_company))
        .route("/portal/settings/retention", post(profile::set_retention))
        .route("/portal/settings/close", post(closing::close))
        .route("/portal/closed", get(closing::show))
        .route("/portal/closed/reopen", post(closing::reopen))
        .route("/portal/export", get(export::download))
        .route("/portal/settings/passkeys", post(passkeys::add))
        .route("/portal/settings/passkeys/options", post(passkeys::add_options))
        .route("/portal/settings/passkeys/{id}", post(passkeys::rename))
        .route("/portal/settings/passkeys/{id}/remove", post(passkeys::remove))
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
        .route("/portal/phone", get(phone::show))
        .route("/portal/phone/push", post(phone::subscribe))
        .route("/portal/phone/push/{id}/{action}", post(phone::act))
        .route("/portal/settings", get(settings::show))
        .route("/portal/settings/name", post(settings::rename))
        .route("/portal/settings/recovery-codes", post(settings::make_codes))
        .route("/portal/settings/sessions/{id}/end", post(settings::end_session))
        .route("/portal/settings/sessions/end-others", post(settings::end_others))
        .route("/portal/start", get(start::show))
        .route("/portal/start/site", post(start::read))
        .route("/portal/start/check", post(start::check))
        .route("/portal/start/widget", post(start::make))
        .route("/portal/start/test-lead", post(start::send_test_lead))
        .route("/portal/towns", get(towns::show))
        .route("/portal/towns.csv", get(towns::download))
        .route("/portal/results", get(results::show))
        .route("/portal/results.csv", get(results::download))
        .route("/portal/usage", get(usage::show))
        .route("/portal/usage.csv", get(usage::download))
        .route("/portal/usage/statement", get(usage::statement))
        .route("/portal/consents", get(consent_texts::show))
        .route("/portal/keys", get(keys::show).post(keys::create))
        .route("/portal/keys/{id}/{action}", post(keys::act))
        .route("/portal/connections", get(connections::list))
        .route("/portal/connections/new", get(connections::show_new).post(connections::create))
        .route("/portal/connections/{id}", get(connection::show).post(connection::change))
        .route("/portal/connections/{id}/{action}", post(connection::act))
        .route("/portal/deliveries/{id}", get(delivery::show))
        .route("/portal/deliveries/{id}/again", post(delivery::again))
        .route("/portal/notices", get(notices::show).post(notices::save))
        .route("/portal/notices/{id}/{action}", post(notices::act))
        .route("/portal/people", get(people::show))
        .route("/portal/people/invites", post(people::invite))
        .route("/portal/people/invites/{id}/end", post(people::end_invite))
        .route("/portal/people/{id}/remove", post(people::remove))
        .route("/portal/audit", get(audit::show))
        .route("/portal/audit.csv", get(audit::download))
        .merge(operator::routes())
        .route("/portal/{*nothing}", any(nothing))
        .method_not_allowed_fallback(nothing)
        .layer(from_fn_with_state(app.clone(), gate::gate))
        .layer(from_fn(compressed::compress))
}
