//! The check of a site: does a page run a widget's script, and if not, what stops it? Fetching is the egress's
//! work; everything here reads and judges what came, and is tried without a network.

mod answer;
mod page;
mod policy;
mod script;
mod security;
mod source;
mod tag;
#[cfg(test)]
mod tests;

use shingle_deliver::FetchOutcome;
use shingle_domain::check::{Finding, Level, SiteCheck, Topic, Verdict};
use shingle_domain::widget::{ElementType, Widget};
use shingle_domain::{WidgetId, host};
use url::Url;

use answer::Seen;
use page::Page;

/// The widget whose script is looked for, and the server it comes from.
#[derive(Debug, Clone)]
pub struct Subject {
    pub id: WidgetId,
    pub active: bool,
    pub element: ElementType,
    /// Pages that may run the script.
    pub hosts: Vec<String>,
    pub base: Url,
}

impl Subject {
    pub fn of(widget: &Widget, base_url: &str) -> Option<Self> {
        Some(Self {
            id: widget.reference_id,
            active: widget.is_active(),
            element: widget.element_type(),
            hosts: widget.allowed_hosts(),
            base: Url::parse(base_url).ok()?,
        })
    }

    pub fn allows(&self, url: &Url) -> bool {
        let page = url.host_str().unwrap_or_default();
        self.hosts.iter().any(|pattern| host::host_matches(pattern, page))
    }

    /// An address of this server.
    fn address(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url
    }

    fn loader(&self) -> Url {
        self.address(&format!("/w/{}.js", self.id))
    }

    /// The tag as it should stand on the page.
    fn tag(&self) -> String {
        format!("<script async src=\"{}\"></script>", self.loader())
    }

    fn noun(&self) -> &'static str {
        match self.element {
            ElementType::Banner => "the estimate banner",
            ElementType::Button => "the estimate button",
            ElementType::Custom => "the estimate",
        }
    }
}

/// What is to be said of a page that was asked for.
pub fn judge(subject: &Subject, outcome: &FetchOutcome) -> SiteCheck {
    let mut findings = standing(subject, &outcome.final_url);
    findings.extend(answer::way(outcome));
    match Seen::of(outcome) {
        Ok(seen) => findings.extend(read(subject, &seen)),
        Err(trouble) => findings.extend(trouble),
    }
    finished(subject, &outcome.final_url, findings)
}

/// What is to be said without asking for the page: its host is not on the list.
pub fn barred(subject: &Subject, url: &Url) -> SiteCheck {
    let mut findings = standing(subject, url);
    findings.retain(|finding| finding.level != Level::Fine);
    finished(subject, url, findings)
}

fn read(subject: &Subject, seen: &Seen) -> Vec<Finding> {
    let page = Page::read(&seen.body, &subject.id.to_string());
    let base = page.base.as_deref().and_then(|href| seen.url.join(href).ok()).unwrap_or_else(|| seen.url.clone());
    let loader = subject.loader();
    let id = subject.id.to_string();
    let tags = tag::find(&page, &base, tag::Wanted { id: &id, loader: &loader });
    let mut findings = script::findings(subject, seen, &page, &tags);
    findings.extend(security::findings(subject, seen, &page, tags.first()));
    findings
}

/// The widget, the server, and whether the two fit the page's domain.
fn standing(subject: &Subject, url: &Url) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.push(if subject.active {
        Finding::new(Topic::Widget, Level::Fine, "The widget is active")
    } else {
        Finding::new(Topic::Widget, Level::Stops, "The widget is switched off")
            .text("Its script answers, and shows nothing.")
            .todo("Set the widget’s status to active.")
    });
    if let Some(finding) = reach(subject, url) {
        findings.push(finding);
    }
    let page = url.host_str().unwrap_or_default();
    findings.push(if subject.allows(url) {
        Finding::new(Topic::Domain, Level::Fine, format!("{page} is on the widget’s list of domains"))
    } else {
        Finding::new(Topic::Domain, Level::Stops, format!("{page} is not on the widget’s list of domains"))
            .text(format!("The list: {}. On other pages the script does nothing.", subject.hosts.join(", ")))
            .todo(format!("Add {page} to the widget’s domains, and keep those that are to stay."))
    });
    findings
}

/// Whether visitors of that page get to this server at all.
fn reach(subject: &Subject, page: &Url) -> Option<Finding> {
    if is_local(page) {
        return None;
    }
    let base = subject.base.as_str().trim_end_matches('/');
    if is_local(&subject.base) {
        return Some(
            Finding::new(Topic::Widget, Level::Stops, "Visitors cannot reach this server")
                .text(format!("It calls itself {base}, which on a visitor’s machine is that very machine."))
                .todo("Start the server with the address it has on the internet: SHINGLE_BASE_URL=https://…, then copy the tag anew."),
        );
    }
    (subject.base.scheme() == "http").then(|| {
        Finding::new(Topic::Widget, Level::Stops, "This server is not reached over HTTPS")
            .text(format!("It calls itself {base}. Pages over HTTPS load nothing from plain HTTP."))
            .todo("Give the server a certificate, or a proxy that has one, and set SHINGLE_BASE_URL=https://….")
    })
}

/// Browsers trust this machine without HTTPS.
fn is_local(url: &Url) -> bool {
    match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => false,
    }
}

fn finished(subject: &Subject, url: &Url, findings: Vec<Finding>) -> SiteCheck {
    let worst = findings.iter().map(|finding| finding.level).max().unwrap_or(Level::Fine);
    let verdict = match worst {
        Level::Fine | Level::Note => Verdict::Shown,
        Level::Limits => Verdict::Limited,
        Level::Unclear => Verdict::Unclear,
        Level::Stops => Verdict::Hidden,
    };
    let noun = subject.noun();
    let custom = subject.element == ElementType::Custom;
    let does = if custom { "can open" } else { "shows" };
    let sentence = match verdict {
        Verdict::Shown => format!("Your site {does} {noun}"),
        Verdict::Limited => format!("Your site {does} {noun}, with limits"),
        Verdict::Unclear => {
            format!("We cannot tell whether your site {} {noun}", if custom { "opens" } else { "shows" })
        }
        Verdict::Hidden => format!("Your site {} {noun}", if custom { "cannot open" } else { "does not show" }),
    };
    let why = findings.iter().find(|finding| verdict != Verdict::Shown && finding.level == worst);
    let summary = match why {
        Some(finding) => format!("{sentence}: {}.", within_sentence(&finding.title)),
        None => format!("{sentence}."),
    };
    SiteCheck { widget_id: subject.id, url: url.to_string(), verdict, summary, findings }
}

/// A title after a colon: the article loses its capital, a name keeps it.
fn within_sentence(title: &str) -> String {
    let articles = ["The ", "A ", "This ", "Visitors ", "There ", "No ", "Something "];
    match articles.iter().find(|article| title.starts_with(**article)) {
        Some(_) => title[..1].to_ascii_lowercase() + &title[1..],
        None => title.to_owned(),
    }
}
