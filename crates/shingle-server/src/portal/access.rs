//! Who may use which route of the portal.

use axum::http::Method;
use shingle_domain::Role;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody: the way in.
    Open,
    /// Whoever has at least this role, in a company of their own.
    Company(Role),
    /// Operators of the installation, with a company or without.
    Installation,
}

const OPEN: Access = Access::Open;
const MEMBER: Access = Access::Company(Role::Member);
const OWNER: Access = Access::Company(Role::Owner);
const OPERATOR: Access = Access::Installation;

/// What an operator who looks at a company may do there beside reading pages: help with its widgets. Whatever is not in it is
/// refused, so a route that shows a secret, sends, erases or closes has to be put here to be open to them.
const FORMS_FOR_VISITS: &[&str] = &["/portal/widgets", "/portal/widgets/{id}"];

/// Copies, which outlive the visit.
const FILES_NOT_FOR_VISITS: &[&str] = &["/portal/leads.csv", "/portal/leads/{id}/consent"];

/// Whether an operator who looks at a company may use this route of its people.
pub fn is_for_visits(method: &Method, route: &str) -> bool {
    match *method {
        Method::GET => !FILES_NOT_FOR_VISITS.contains(&route) && !route.contains("export"),
        _ => FORMS_FOR_VISITS.contains(&route),
    }
}

/// Every route of the portal. One that is not in it answers nobody.
pub static ROUTES: &[(Method, &str, Access)] = &[
    // The way in
    (Method::GET, "/setup", OPEN),
    (Method::POST, "/setup", OPEN),
    (Method::GET, "/portal", OPEN),
    (Method::GET, "/portal/portal.css", OPEN),
    (Method::GET, "/portal/portal.js", OPEN),
    (Method::GET, "/portal/icon.svg", OPEN),
    (Method::GET, "/portal/icon-192.png", OPEN),
    (Method::GET, "/portal/icon-512.png", OPEN),
    (Method::GET, "/portal/manifest.webmanifest", OPEN),
    (Method::GET, "/portal/worker.js", OPEN),
    (Method::GET, "/portal/offline", OPEN),
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
    // Menu
    (Method::GET, "/portal/more", MEMBER),
    // Leads
    (Method::GET, "/portal/leads", MEMBER),
    (Method::GET, "/portal/leads.csv", MEMBER),
    (Method::GET, "/portal/leads/news", MEMBER),
    (Method::GET, "/portal/leads/live", MEMBER),
    (Method::GET, "/portal/leads/count", MEMBER),
    (Method::GET, "/portal/leads/filters", MEMBER),
    (Method::GET, "/portal/leads/board", MEMBER),
    (Method::GET, "/portal/leads/{id}/photos/{photo}", MEMBER),
    (Method::POST, "/portal/leads/views", MEMBER),
    (Method::POST, "/portal/leads/views/{id}/delete", MEMBER),
    (Method::GET, "/portal/leads/{id}/drawing.png", MEMBER),
    (Method::POST, "/portal/leads/bulk", MEMBER),
    (Method::GET, "/portal/leads/{id}", MEMBER),
    (Method::GET, "/portal/leads/{id}/consent", MEMBER),
    (Method::POST, "/portal/leads/{id}/{action}", MEMBER),
    // Settings
    (Method::GET, "/portal/settings", MEMBER),
    (Method::POST, "/portal/settings/name", MEMBER),
    (Method::POST, "/portal/settings/recovery-codes", MEMBER),
    (Method::POST, "/portal/settings/sessions/{id}/end", MEMBER),
    (Method::POST, "/portal/settings/sessions/end-others", MEMBER),
    // Widgets
    (Method::GET, "/portal/widgets", OWNER),
    (Method::POST, "/portal/widgets", OWNER),
    (Method::GET, "/portal/widgets/new", OWNER),
    (Method::GET, "/portal/widgets/{id}", OWNER),
    (Method::POST, "/portal/widgets/{id}", OWNER),
    // Usage
    (Method::GET, "/portal/usage", OWNER),
    (Method::GET, "/portal/usage.csv", OWNER),
    // People
    (Method::GET, "/portal/people", OWNER),
    (Method::POST, "/portal/people/invites", OWNER),
    (Method::POST, "/portal/people/invites/{id}/end", OWNER),
    (Method::POST, "/portal/people/{id}/remove", OWNER),
    // Audit log
    (Method::GET, "/portal/audit", OWNER),
    (Method::GET, "/portal/audit.csv", OWNER),
    // Operator
    (Method::GET, "/portal/operator", OPERATOR),
    (Method::POST, "/portal/operator/leave", OPERATOR),
    (Method::GET, "/portal/operator/accounts/new", OPERATOR),
    (Method::POST, "/portal/operator/accounts", OPERATOR),
    (Method::GET, "/portal/operator/accounts/{id}", OPERATOR),
    (Method::POST, "/portal/operator/accounts/{id}/{action}", OPERATOR),
    (Method::GET, "/portal/operator/health", OPERATOR),
    (Method::POST, "/portal/operator/health", OPERATOR),
    (Method::GET, "/portal/operator/audit", OPERATOR),
    (Method::GET, "/portal/operator/audit.csv", OPERATOR),
];
