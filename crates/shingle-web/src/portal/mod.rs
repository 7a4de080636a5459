//! The portal: a folder for each feature with its routes, forms and handlers. A route is its handler and who may use it;
//! the gate in front of all of them reads the same list.

pub(crate) mod access;
pub(crate) mod areas;
pub(crate) mod companies;
pub(crate) mod compressed;
pub(crate) mod connect_site;
pub(crate) mod connections;
pub(crate) mod devices;
pub(crate) mod door;
pub(crate) mod files;
pub(crate) mod form;
pub(crate) mod gate;
pub(crate) mod given_lead;
pub(crate) mod homes_places;
pub(crate) mod homes_relay;
pub(crate) mod leads;
pub(crate) mod limits;
pub(crate) mod mail;
pub(crate) mod more;
pub(crate) mod notices;
pub(crate) mod operator;
pub(crate) mod people;
pub(crate) mod records;
pub(crate) mod responses;
pub(crate) mod route;
pub(crate) mod settings;
pub(crate) mod sign_in;
pub(crate) mod start;
pub(crate) mod usage;
pub(crate) mod widgets;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::any;

use crate::portal::access::AccessTable;
use crate::portal::gate::Gate;
use crate::portal::route::Page;
use crate::state::Web;
use crate::web::error::ApiError;

pub use access::Access;
pub use leads::live_streams::LiveLeads;
pub use limits::PortalLimits;
pub use operator::UPLOADS;
pub use settings::running_exports::RunningExports;
pub use sign_in::relying_party::RelyingParty;

/// No route has it, so the gate answers: with a page to a browser.
async fn nothing() -> ApiError {
    ApiError::NotFound
}

/// Every route of the portal.
fn pages() -> Vec<Page> {
    let features = [
        sign_in::pages(),
        more::pages(),
        companies::pages(),
        leads::pages(),
        devices::pages(),
        settings::pages(),
        start::pages(),
        widgets::pages(),
        usage::pages(),
        records::pages(),
        connections::pages(),
        connect_site::pages(),
        notices::pages(),
        people::pages(),
        operator::pages(),
        areas::pages(),
    ];
    features.into_iter().flatten().collect()
}

/// Who may use which route.
pub fn access_table() -> AccessTable {
    AccessTable::new(pages().into_iter().map(|page| page.access).collect())
}

pub fn routes(web: &Arc<Web>) -> Router<Arc<Web>> {
    let (mut router, mut accesses) = (Router::new(), Vec::new());
    for Page { access, handler } in pages() {
        router = router.route(access.path, handler);
        accesses.push(access);
    }
    let gate = Gate { web: web.clone(), table: Arc::new(AccessTable::new(accesses)) };
    router
        .route("/portal/{*nothing}", any(nothing))
        .method_not_allowed_fallback(nothing)
        .layer(from_fn_with_state(gate, gate::gate))
        .layer(from_fn(compressed::compress))
}

#[cfg(test)]
mod tests {
    use axum::http::Method;
    use shingle_portal::Reach as _;

    use super::*;

    #[test]
    fn what_takes_forms_alone_leads_to_a_page_above() {
        let table = access_table();
        let takes_forms_alone =
            |page: &&access::PageAccess| page.method == Method::POST && table.find(&Method::GET, page.path).is_none();
        let forms: Vec<_> = table.pages().iter().filter(takes_forms_alone).collect();
        assert!(forms.len() > 20, "{}", forms.len());
        for page in forms {
            let route = page.path;
            let above = table.page_above(route, &route.replace("{id}", "7").replace("{action}", "take"));
            let opens =
                |path: &str| table.pages().iter().any(|p| p.method == Method::GET && access::is_of(path, p.path));
            assert!(above.as_deref().is_some_and(opens), "{route}: {above:?}");
        }
        assert_eq!(
            table.page_above("/portal/leads/{id}/{action}", "/portal/leads/7/note").as_deref(),
            Some("/portal/leads/7")
        );
        assert_eq!(table.page_above("/portal/leads/bulk", "/portal/leads/bulk").as_deref(), Some("/portal/leads"));
        assert_eq!(table.page_above("/portal/secrets", "/portal/secrets"), None);
    }

    #[test]
    fn a_path_is_judged_by_its_own_route() {
        let table = access_table();
        assert!(table.may_open("/portal/leads/filters") && table.may_open("/portal/leads/7"));
        assert!(table.may_open("/portal/operator") && table.may_send("/portal/operator/leave"));
        assert!(table.may_send("/portal/widgets/7") && table.may_send("/portal/sign-out"));
        for closed in ["/portal/leads/7/note", "/portal/leads/bulk", "/portal/widgets/7/publish", "/portal/notices"] {
            assert!(!table.may_send(closed), "{closed}");
        }
        for closed in ["/portal/phone", "/portal/leads.csv", "/portal/leads/7/consent", "/portal/connections/new"] {
            assert!(!table.may_open(closed), "{closed}");
        }
    }
}
