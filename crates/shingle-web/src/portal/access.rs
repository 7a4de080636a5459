//! Who may use which route of the portal.
//!
//! # Decision
//!
//! An address that only accepts forms redirects to the nearest page above it (`page_above`), so a reload or bookmark
//! of an answer finds its form. Turned down: a redirect after each refusal, which loses what was typed.

use axum::http::Method;
use shingle_domain::Role;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody: the way in.
    Open,
    /// Users with at least this role, in a company of their own.
    Company(Role),
    /// Operators of the installation, with a company or without.
    Installation,
}

const OPEN: Access = Access::Open;
const MEMBER: Access = Access::Company(Role::Member);
const OWNER: Access = Access::Company(Role::Owner);
const OPERATOR: Access = Access::Installation;

/// What an operator who looks at a company may do there: read pages, help with its widgets. Whatever is not in it is refused,
/// so a route that shows a secret, copies, sends, erases or closes has to be put here to be open to them.
const FOR_VISITS: &[(Method, &str)] = &[
    (Method::GET, "/portal/more"),
    (Method::GET, "/portal/leads"),
    (Method::GET, "/portal/leads/news"),
    (Method::GET, "/portal/leads/live"),
    (Method::GET, "/portal/leads/count"),
    (Method::GET, "/portal/leads/filters"),
    (Method::GET, "/portal/leads/board"),
    (Method::GET, "/portal/leads/{id}"),
    (Method::GET, "/portal/leads/{id}/photos/{photo}"),
    (Method::GET, "/portal/leads/{id}/drawing.png"),
    (Method::GET, "/portal/settings"),
    (Method::GET, "/portal/start"),
    (Method::GET, "/portal/widgets"),
    (Method::POST, "/portal/widgets"),
    (Method::GET, "/portal/widgets/new"),
    (Method::GET, "/portal/widgets/{id}"),
    (Method::POST, "/portal/widgets/{id}"),
    (Method::GET, "/portal/widgets/{id}/stage"),
    (Method::GET, "/portal/widgets/{id}/publish"),
    (Method::GET, "/portal/widgets/{id}/versions"),
    (Method::GET, "/portal/widgets/{id}/sheet"),
    (Method::GET, "/portal/towns"),
    (Method::GET, "/portal/results"),
    (Method::GET, "/portal/usage"),
    (Method::GET, "/portal/usage/statement"),
    (Method::GET, "/portal/consents"),
    (Method::GET, "/portal/keys"),
    (Method::GET, "/portal/connections"),
    (Method::GET, "/portal/connections/{id}"),
    (Method::GET, "/portal/deliveries/{id}"),
    (Method::GET, "/portal/notices"),
    (Method::GET, "/portal/people"),
    (Method::GET, "/portal/audit"),
];

/// What owners of a closed company may do there.
const WHEN_CLOSED: &[(Method, &str)] =
    &[(Method::GET, "/portal/closed"), (Method::POST, "/portal/closed/reopen"), (Method::GET, "/portal/export")];

pub fn is_for_closed(method: &Method, route: &str) -> bool {
    WHEN_CLOSED.iter().any(|(allowed, known)| allowed == method && *known == route)
}

/// Whether an operator who looks at a company may use this route of its people.
pub fn is_for_visits(method: &Method, route: &str) -> bool {
    FOR_VISITS.iter().any(|(allowed, known)| allowed == method && *known == route)
}

/// Whether a path is of this route.
fn is_of(path: &str, route: &str) -> bool {
    let (mut parts, mut pattern) = (path.split('/'), route.split('/'));
    loop {
        match (parts.next(), pattern.next()) {
            (None, None) => return true,
            (Some(part), Some(of)) if part == of || of.starts_with('{') => {}
            _ => return false,
        }
    }
}

fn visitors_may(method: Method, path: &str) -> bool {
    // `leads/filters` is of `leads/{id}` too: the one without a name in it is meant.
    let found = ROUTES.iter().filter(|(of, route, _)| *of == method && is_of(path, route));
    let found = found.min_by_key(|(_, route, _)| route.matches('{').count());
    found.is_some_and(|(_, route, access)| !matches!(access, Access::Company(_)) || is_for_visits(&method, route))
}

/// Whether an operator who looks at a company may open this path.
pub fn visitors_may_open(path: &str) -> bool {
    visitors_may(Method::GET, path)
}

/// Whether they may send a form to it.
pub fn visitors_may_send(path: &str) -> bool {
    visitors_may(Method::POST, path)
}

/// The page that the form of a route stands in, or one above it: the nearest that can be opened. `path` is of `route`, which
/// takes forms alone. So an address that a form has left in the browser leads somewhere.
pub fn page_above(route: &str, path: &str) -> Option<String> {
    ROUTES.iter().find(|(of, known, _)| *of == Method::POST && *known == route)?;
    let mut above = route;
    while let Some((shorter, _)) = above.rsplit_once('/').filter(|(shorter, _)| !shorter.is_empty()) {
        above = shorter;
        if ROUTES.iter().any(|(of, known, _)| *of == Method::GET && *known == above) {
            let parts: Vec<&str> = path.split('/').take(above.split('/').count()).collect();
            return Some(parts.join("/"));
        }
    }
    None
}

/// Every route of the portal. One that is not in it answers nobody.
pub static ROUTES: &[(Method, &str, Access)] = &[
    // The way in
    (Method::GET, "/setup", OPEN),
    (Method::POST, "/setup", OPEN),
    (Method::POST, "/setup/passkey", OPEN),
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
    (Method::POST, "/portal/sign-in/passkey", OPEN),
    (Method::POST, "/portal/sign-in/passkey/options", OPEN),
    (Method::GET, "/portal/invite", OPEN),
    (Method::POST, "/portal/invite/passkey", OPEN),
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
    // The phone
    (Method::GET, "/portal/phone", MEMBER),
    (Method::POST, "/portal/phone/push", MEMBER),
    (Method::POST, "/portal/phone/push/{id}/{action}", MEMBER),
    // Settings
    (Method::GET, "/portal/settings", MEMBER),
    (Method::POST, "/portal/settings/name", MEMBER),
    (Method::POST, "/portal/settings/language", MEMBER),
    (Method::POST, "/portal/settings/email", MEMBER),
    (Method::POST, "/portal/settings/email/code", MEMBER),
    (Method::POST, "/portal/settings/company", OWNER),
    (Method::POST, "/portal/settings/retention", OWNER),
    (Method::GET, "/portal/export", OWNER),
    (Method::POST, "/portal/settings/close", OWNER),
    (Method::GET, "/portal/closed", OWNER),
    (Method::POST, "/portal/closed/reopen", OWNER),
    (Method::POST, "/portal/settings/passkeys", MEMBER),
    (Method::POST, "/portal/settings/passkeys/options", MEMBER),
    (Method::POST, "/portal/settings/passkeys/{id}", MEMBER),
    (Method::POST, "/portal/settings/passkeys/{id}/remove", MEMBER),
    (Method::POST, "/portal/settings/recovery-codes", MEMBER),
    (Method::POST, "/portal/settings/sessions/{id}/end", MEMBER),
    (Method::POST, "/portal/settings/sessions/end-others", MEMBER),
    // The first ten minutes
    (Method::GET, "/portal/start", OWNER),
    (Method::POST, "/portal/start/site", OWNER),
    (Method::POST, "/portal/start/widget", OWNER),
    (Method::POST, "/portal/start/check", OWNER),
    (Method::POST, "/portal/start/test-lead", OWNER),
    // Widgets
    (Method::GET, "/portal/widgets", OWNER),
    (Method::POST, "/portal/widgets", OWNER),
    (Method::GET, "/portal/widgets/new", OWNER),
    (Method::GET, "/portal/widgets/{id}", OWNER),
    (Method::POST, "/portal/widgets/{id}", OWNER),
    (Method::POST, "/portal/widgets/{id}/preview", OWNER),
    (Method::GET, "/portal/widgets/{id}/stage", OWNER),
    (Method::GET, "/portal/widgets/{id}/publish", OWNER),
    (Method::POST, "/portal/widgets/{id}/publish", OWNER),
    (Method::POST, "/portal/widgets/{id}/discard", OWNER),
    (Method::GET, "/portal/widgets/{id}/versions", OWNER),
    (Method::POST, "/portal/widgets/{id}/versions/{version}/restore", OWNER),
    (Method::POST, "/portal/widgets/{id}/check", OWNER),
    (Method::GET, "/portal/widgets/{id}/sheet", OWNER),
    // Results and towns
    (Method::GET, "/portal/towns", OWNER),
    (Method::GET, "/portal/towns.csv", OWNER),
    (Method::GET, "/portal/results", OWNER),
    (Method::GET, "/portal/results.csv", OWNER),
    // Usage
    (Method::GET, "/portal/usage", OWNER),
    (Method::GET, "/portal/usage.csv", OWNER),
    (Method::GET, "/portal/usage/statement", OWNER),
    // Consents
    (Method::GET, "/portal/consents", OWNER),
    // Keys
    (Method::GET, "/portal/keys", OWNER),
    (Method::POST, "/portal/keys", OWNER),
    (Method::POST, "/portal/keys/{id}/{action}", OWNER),
    // Connections
    (Method::GET, "/portal/connections", OWNER),
    (Method::GET, "/portal/connections/new", OWNER),
    (Method::POST, "/portal/connections/new", OWNER),
    (Method::GET, "/portal/connections/{id}", OWNER),
    (Method::POST, "/portal/connections/{id}", OWNER),
    (Method::POST, "/portal/connections/{id}/{action}", OWNER),
    (Method::GET, "/portal/deliveries/{id}", OWNER),
    (Method::POST, "/portal/deliveries/{id}/again", OWNER),
    // Notices
    (Method::GET, "/portal/notices", OWNER),
    (Method::POST, "/portal/notices", OWNER),
    (Method::POST, "/portal/notices/{id}/{action}", OWNER),
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
    (Method::GET, "/portal/operator/imports", OPERATOR),
    (Method::POST, "/portal/operator/imports", OPERATOR),
    (Method::GET, "/portal/operator/imports/{id}", OPERATOR),
    (Method::GET, "/portal/operator/imports/{id}/progress", OPERATOR),
    (Method::GET, "/portal/operator/imports/{id}/rejects.csv", OPERATOR),
    (Method::POST, "/portal/operator/imports/{id}/{action}", OPERATOR),
    (Method::GET, "/portal/operator/health", OPERATOR),
    (Method::POST, "/portal/operator/health", OPERATOR),
    (Method::GET, "/portal/operator/audit", OPERATOR),
    (Method::GET, "/portal/operator/audit.csv", OPERATOR),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_forms_alone_leads_to_a_page_above() {
        let opens = |path: &str| ROUTES.iter().any(|(of, route, _)| *of == Method::GET && is_of(path, route));
        for (_, route, _) in ROUTES.iter().filter(|(method, route, _)| {
            *method == Method::POST && !ROUTES.iter().any(|(of, known, _)| *of == Method::GET && known == route)
        }) {
            let above = page_above(route, &route.replace("{id}", "7").replace("{action}", "take"));
            assert!(above.as_deref().is_some_and(opens), "{route}: {above:?}");
        }
        assert_eq!(
            page_above("/portal/leads/{id}/{action}", "/portal/leads/7/note").as_deref(),
            Some("/portal/leads/7")
        );
        assert_eq!(page_above("/portal/leads/bulk", "/portal/leads/bulk").as_deref(), Some("/portal/leads"));
        assert_eq!(page_above("/portal/secrets", "/portal/secrets"), None);
    }

    #[test]
    fn a_path_is_judged_by_its_own_route() {
        assert!(visitors_may_open("/portal/leads/filters") && visitors_may_open("/portal/leads/7"));
        assert!(visitors_may_open("/portal/operator") && visitors_may_send("/portal/operator/leave"));
        assert!(visitors_may_send("/portal/widgets/7") && visitors_may_send("/portal/sign-out"));
        for closed in ["/portal/leads/7/note", "/portal/leads/bulk", "/portal/widgets/7/publish", "/portal/notices"] {
            assert!(!visitors_may_send(closed), "{closed}");
        }
        for closed in ["/portal/phone", "/portal/leads.csv", "/portal/leads/7/consent", "/portal/connections/new"] {
            assert!(!visitors_may_open(closed), "{closed}");
        }
    }
}
