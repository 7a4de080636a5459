//! By which of its names a request came to this server, and whether a page of this server sent it.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, header};
use shingle_domain::AccountId;
use url::{Host, Origin, Url};

use crate::state::Web;

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Of a header or an address, as browsers write it.
fn tuple(text: &str) -> Option<Origin> {
    Url::parse(text).ok().map(|url| url.origin()).filter(Origin::is_tuple)
}

/// The name that the browser asked for, in lower case and without a port.
pub(crate) fn asked_host(headers: &HeaderMap) -> Option<String> {
    let asked: Authority = text(headers, header::HOST)?.parse().ok()?;
    Some(asked.host().trim_end_matches('.').to_ascii_lowercase())
}

/// The company's own domain at which this was asked; empty at the installation's names.
pub(crate) fn asked_domain(web: &Web, headers: &HeaderMap) -> String {
    asked_host(headers).filter(|host| web.own_domains.account_of(host).is_some()).unwrap_or_default()
}

/// The company at whose own domain this was asked.
pub(crate) fn asked_company(web: &Web, headers: &HeaderMap) -> Option<AccountId> {
    web.own_domains.account_of(&asked_host(headers)?)
}

/// The address by which the browser reaches this server: a company's own domain, or the installation's.
pub(crate) fn asked_base(web: &Web, headers: &HeaderMap) -> String {
    match asked_host(headers).filter(|host| web.own_domains.account_of(host).is_some()) {
        Some(host) => web.own_domains.url(&host),
        None => web.base_url.clone(),
    }
}

pub(crate) fn is_own_origin(web: &Web, headers: &HeaderMap) -> bool {
    let Some(sent) = text(headers, header::ORIGIN).and_then(tuple) else { return false };
    // A company's domain may lead elsewhere tomorrow: its pages send forms to itself alone.
    Some(&sent) == tuple(&asked_base(web, headers)).as_ref()
        || Some(&sent) == tuple(&web.base_url).as_ref()
        || is_this_machine(&sent, text(headers, header::HOST).unwrap_or_default())
}

/// A page of this server that was opened on its own machine by another of its names, such as localhost.
fn is_this_machine(sent: &Origin, host: &str) -> bool {
    let Origin::Tuple(_, name, _) = sent else { return false };
    let is_here = match name {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(ip) => ip.is_loopback() || ip.is_unspecified(),
        Host::Ipv6(ip) => ip.is_loopback() || ip.is_unspecified(),
    };
    is_here && *sent == Url::parse(&format!("http://{host}")).map_or(Origin::new_opaque(), |url| url.origin())
}
