//! Whether a page of this server sent a request, by its `Origin`.

use axum::http::{HeaderMap, header};
use url::{Host, Origin, Url};

use crate::state::Web;

pub(crate) fn is_own_origin(web: &Web, headers: &HeaderMap) -> bool {
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = |text: &str| Url::parse(text).ok().map(|url| url.origin()).filter(Origin::is_tuple);
    let Some(sent) = text(header::ORIGIN).and_then(origin) else { return false };
    Some(&sent) == origin(&web.base_url).as_ref() || is_this_machine(&sent, text(header::HOST).unwrap_or_default())
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
