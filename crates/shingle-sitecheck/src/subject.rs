//! What a check looks for on a page: one widget of one server.

use shingle_domain::widget::{ElementType, Widget};
use shingle_domain::{LinkId, host};
use url::Url;

use crate::error::SiteCheckError;

/// The widget whose script the check looks for, and the server that sends the script.
#[derive(Debug, Clone)]
pub struct Subject {
    pub id: LinkId,
    pub active: bool,
    pub element: ElementType,
    /// Pages that may run the script.
    pub hosts: Vec<String>,
    pub base: Url,
}

impl Subject {
    pub fn of(widget: &Widget, base_url: &str) -> Result<Self, SiteCheckError> {
        Ok(Self {
            id: widget.link_id(),
            active: widget.is_active(),
            element: widget.element_type(),
            hosts: widget.allowed_hosts(),
            base: Url::parse(base_url).map_err(|_| SiteCheckError::BaseUrl(base_url.to_owned()))?,
        })
    }

    pub fn allows(&self, url: &Url) -> bool {
        let page = url.host_str().unwrap_or_default();
        self.hosts.iter().any(|pattern| host::host_matches(pattern, page))
    }

    /// A URL of this server.
    pub(crate) fn address(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url
    }

    pub(crate) fn loader(&self) -> Url {
        self.address(&format!("/w/{}.js", self.id))
    }

    /// The tag that the page should contain.
    pub(crate) fn tag(&self) -> String {
        format!("<script async src=\"{}\"></script>", self.loader())
    }
}

/// Browsers trust their own machine without HTTPS.
pub(crate) fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}
