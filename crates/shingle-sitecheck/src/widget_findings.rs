//! Findings about the widget and the server, and whether both fit the page's domain.

use shingle_domain::check::{Finding, Level, Topic};
use url::Url;

use crate::subject::{Subject, is_local};

pub fn findings(subject: &Subject, url: &Url) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.push(if subject.active {
        Finding::new(Topic::Widget, Level::Fine, "The widget is active")
    } else {
        Finding::new(Topic::Widget, Level::Stops, "The widget is switched off")
            .text("Its script answers, and shows nothing.")
            .todo("Set the widget’s status to active.")
    });
    findings.extend(reachability(subject, url));
    let page = url.host_str().unwrap_or_default();
    findings.push(if subject.allows(url) {
        Finding::new(Topic::Domain, Level::Fine, format!("{page} is on the widget’s list of domains"))
    } else {
        let list = subject.hosts.join(", ");
        Finding::new(Topic::Domain, Level::Stops, format!("{page} is not on the widget’s list of domains"))
            .text(format!("The list: {list}. On other pages the script does nothing."))
            .todo(format!("Add {page} to the widget’s domains, and keep the others that you need."))
    });
    findings
}

/// Whether visitors of that page can reach this server at all.
fn reachability(subject: &Subject, page: &Url) -> Option<Finding> {
    if is_local(page) {
        return None;
    }
    let base = subject.base.as_str().trim_end_matches('/');
    if is_local(&subject.base) {
        return Some(
            Finding::new(Topic::Widget, Level::Stops, "Visitors cannot reach this server")
                .text(format!("Its address is {base}. On a visitor’s machine that means the visitor’s own machine."))
                .todo("Start the server with its address on the internet, SHINGLE_BASE_URL=https://…, and copy the tag again."),
        );
    }
    (subject.base.scheme() == "http").then(|| {
        Finding::new(Topic::Widget, Level::Stops, "This server is not reached over HTTPS")
            .text(format!("Its address is {base}. Pages over HTTPS load nothing from plain HTTP."))
            .todo("Give the server a certificate, or a proxy that has one, and set SHINGLE_BASE_URL=https://….")
    })
}
