//! Counts how far visitors come: sums alone, added up in memory (`shingle-store/src/visit_buffer.rs`).

use axum::http::{HeaderMap, header};
use shingle_domain::lead::{LeadChannel, LeadSource};
use shingle_domain::visit::{SentFrom, VisitFrom, VisitStep};
use shingle_store::StoredWidget;
use url::Url;

use super::public::widget_request::WidgetRequest;
use crate::app::App;

/// A step that a flow in a browser tells of.
pub fn count_sent(app: &App, request: &WidgetRequest, step: VisitStep, (via, page, utm, referrer): &SentFrom) {
    let via = match via.as_str() {
        "hosted" => LeadChannel::Hosted,
        "link" => LeadChannel::Link,
        "qr" => LeadChannel::Qr,
        _ => LeadChannel::Embed,
    };
    count(app, &request.stored, step, VisitFrom::new(via, page, utm, other_host(referrer, &request.host)));
}

/// A step of a lead, or of a visitor without scripts, whose source is told in full.
pub fn count_from(app: &App, stored: &StoredWidget, step: VisitStep, source: &LeadSource) {
    count(app, stored, step, visit_from(source));
}

/// A town that was asked for and is not imported.
pub fn count_town(app: &App, request: &WidgetRequest, town: &str) {
    if !request.stored.is_preview {
        app.store.count_town(request.stored.tenant, request.stored.widget.reference_id, town);
    }
}

/// Whoever looks at a preview is no visitor.
fn count(app: &App, stored: &StoredWidget, step: VisitStep, from: VisitFrom) {
    if stored.is_preview {
        return;
    }
    app.store.count_step(stored.tenant, stored.widget.reference_id, step, from);
}

/// What of a lead's source is counted.
pub fn visit_from(source: &LeadSource) -> VisitFrom {
    let url = |text: &Option<String>| text.as_deref().and_then(|text| Url::parse(text).ok());
    let (page, referrer) = (url(&source.page_url), url(&source.referrer));
    let host = |url: &Option<Url>| url.as_ref().and_then(Url::host_str).unwrap_or_default().to_owned();
    let utm = source.utm_source.as_deref().unwrap_or_default();
    let path = page.as_ref().map_or("", Url::path);
    VisitFrom::new(source.via, path, utm, other_host(&host(&referrer), &host(&page)))
}

/// Whoever comes from a page of the same site comes from nowhere else.
fn other_host<'h>(referrer: &'h str, own: &str) -> &'h str {
    let same = referrer.strip_prefix("www.").unwrap_or(referrer) == own.strip_prefix("www.").unwrap_or(own);
    if same { "" } else { referrer }
}

/// The page before the hosted one, as its request names it.
pub fn referrer(headers: &HeaderMap) -> Option<String> {
    headers.get(header::REFERER).and_then(|value| value.to_str().ok()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_counted_where_its_visit_was() {
        let from = |page: &str, source: &str| VisitFrom::counted(page.to_owned(), source.to_owned());
        let lead = LeadSource {
            page_url: Some("https://www.oak.example.com/roofs/?gclid=a1#top".to_owned()),
            referrer: Some("https://oak.example.com/".to_owned()),
            ..LeadSource::default()
        };
        assert_eq!(visit_from(&lead), from("/roofs", "direct"));
        let found = LeadSource { referrer: Some("https://www.search.example/?q=roof".to_owned()), ..lead.clone() };
        assert_eq!(visit_from(&found), from("/roofs", "site:search.example"));
        let odd = LeadSource { page_url: Some("no address".to_owned()), ..lead };
        assert_eq!(visit_from(&odd).page(), "");
    }
}
