//! Findings about the widget and the server, and whether both fit the page's domain.

use shingle_domain::check::{Finding, Level, Topic};
use url::Url;

use crate::messages::SiteMessage;
use crate::subject::{Subject, is_local};

pub fn findings(subject: &Subject, url: &Url) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.push(if subject.active {
        Finding::new(Topic::Widget, Level::Fine, SiteMessage::Active)
    } else {
        Finding::new(Topic::Widget, Level::Stops, SiteMessage::SwitchedOff)
            .text(SiteMessage::SwitchedOffText)
            .todo(SiteMessage::SwitchOn)
    });
    findings.extend(reachability(subject, url));
    let page = url.host_str().unwrap_or_default().to_owned();
    findings.push(if subject.allows(url) {
        Finding::new(Topic::Domain, Level::Fine, SiteMessage::Listed { page })
    } else {
        Finding::new(Topic::Domain, Level::Stops, SiteMessage::NotListed { page: page.clone() })
            .text(SiteMessage::List { list: subject.hosts.clone() })
            .todo(SiteMessage::AddToList { page })
    });
    findings
}

/// Whether visitors of that page can reach this server at all.
fn reachability(subject: &Subject, page: &Url) -> Option<Finding> {
    if is_local(page) {
        return None;
    }
    let base = subject.base.as_str().trim_end_matches('/').to_owned();
    if is_local(&subject.base) {
        return Some(
            Finding::new(Topic::Widget, Level::Stops, SiteMessage::LocalServer)
                .text(SiteMessage::LocalAddress { base })
                .todo_of_operator(SiteMessage::StartOnInternet),
        );
    }
    (subject.base.scheme() == "http").then(|| {
        Finding::new(Topic::Widget, Level::Stops, SiteMessage::NoHttps)
            .text(SiteMessage::PlainAddress { base })
            .todo_of_operator(SiteMessage::GiveCertificate)
    })
}
