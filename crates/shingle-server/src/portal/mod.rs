//! The portal's routes: who may use each is one table, which the gate in front of all of them reads.

mod files;
mod form;
mod gate;
mod invite;
mod lead;
mod leads;
mod limits;
mod mail;
mod page;
mod people;
mod settings;
mod sign_in;
mod usage;

use std::sync::Arc;

use axum::Router;
use axum::http::Method;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use shingle_domain::Role;

use crate::app::App;

pub use limits::PortalLimits;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody: the way in.
    Open,
    /// Whoever has at least this role, in a company of their own.
    Company(Role),
}

const OPEN: Access = Access::Open;
const MEMBER: Access = Access::Company(Role::Member);
const OWNER: Access = Access::Company(Role::Owner);

/// Every route of the portal. One that is not in it answers nobody.
pub const ROUTES: [(Method, &str, Access); 34] = [
    (Method::GET, "/setup", OPEN),
    (Method::POST, "/setup", OPEN),
    (Method::GET, "/portal", OPEN),
    (Method::GET, "/portal/portal.css", OPEN),
    (Method::GET, "/portal/portal.js", OPEN),
    (Method::GET, "/portal/icon.svg", OPEN),
    (Method::GET, "/portal/sign-in", OPEN),
    (Method::POST, "/portal/sign-in", OPEN),
    (Method::GET, "/portal/sign-in/code", OPEN),
    (Method::POST, "/portal/sign-in/code", OPEN),
    (Method::GET, "/portal/sign-in/link", OPEN),
    (Method::POST, "/portal/sign-in/link", OPEN),
    (Method::GET, "/portal/sign-in/recovery", OPEN),
    (Method::POST, "/portal/sign-in/recovery", OPEN),
    (Method::GET, "/portal/invite", OPEN),
    (Method::POST, "/portal/invite", OPEN),
    (Method::POST, "/portal/sign-out", OPEN),
    (Method::GET, "/portal/leads", MEMBER),
    (Method::GET, "/portal/leads.csv", MEMBER),
    (Method::POST, "/portal/leads/status", MEMBER),
    (Method::GET, "/portal/leads/{id}", MEMBER),
    (Method::GET, "/portal/leads/{id}/consent", MEMBER),
    (Method::POST, "/portal/leads/{id}/{action}", MEMBER),
    (Method::GET, "/portal/settings", MEMBER),
    (Method::POST, "/portal/settings/name", MEMBER),
    (Method::POST, "/portal/settings/recovery-codes", MEMBER),
    (Method::POST, "/portal/settings/sessions/{id}/end", MEMBER),
    (Method::POST, "/portal/settings/sessions/end-others", MEMBER),
    (Method::GET, "/portal/usage", OWNER),
    (Method::GET, "/portal/usage.csv", OWNER),
    (Method::GET, "/portal/people", OWNER),
    (Method::POST, "/portal/people/invites", OWNER),
    (Method::POST, "/portal/people/invites/{id}/end", OWNER),
    (Method::POST, "/portal/people/{id}/remove", OWNER),
];

pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    Router::new()
        .route("/setup", get(invite::show_setup).post(invite::claim))
        .route("/portal", get(sign_in::front))
        .route("/portal/portal.css", get(files::style))
        .route("/portal/portal.js", get(files::script))
        .route("/portal/icon.svg", get(files::icon))
        .route("/portal/sign-in", get(sign_in::show).post(sign_in::ask))
        .route("/portal/sign-in/code", get(sign_in::show_code).post(sign_in::check_code))
        .route("/portal/sign-in/link", get(sign_in::show_link).post(sign_in::use_link))
        .route("/portal/sign-in/recovery", get(sign_in::show_recovery).post(sign_in::use_recovery))
        .route("/portal/invite", get(invite::show).post(invite::accept))
        .route("/portal/sign-out", post(sign_in::sign_out))
        .route("/portal/leads", get(leads::show))
        .route("/portal/leads.csv", get(leads::download))
        .route("/portal/leads/status", post(leads::set_status))
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
        .layer(from_fn_with_state(app.clone(), gate::gate))
}
