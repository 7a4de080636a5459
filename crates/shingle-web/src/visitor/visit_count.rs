//! Counts how far visitors get: sums only, added up in memory (`shingle-store/src/widgets/visit_buffer.rs`).

use axum::http::{HeaderMap, header};
use shingle_domain::lead::{LeadChannel, LeadSource};
use shingle_domain::visit::{SentFrom, VisitFrom, VisitStep};
use shingle_store::{StoredWidget, counted_from, other_host};

use crate::state::Web;
use crate::visitor::public::widget_request::WidgetRequest;

/// A step that a flow in a browser reports.
pub fn count_sent(web: &Web, request: &WidgetRequest, step: VisitStep, (via, page, utm, referrer): &SentFrom) {
    let via = match via.as_str() {
        "hosted" => LeadChannel::Hosted,
        "link" => LeadChannel::Link,
        "qr" => LeadChannel::Qr,
        _ => LeadChannel::Embed,
    };
    count(web, &request.stored, step, VisitFrom::new(via, page, utm, other_host(referrer, &request.host)));
}

/// A step of a lead, or of a visitor without scripts, whose source is known in full.
pub fn count_from(web: &Web, stored: &StoredWidget, step: VisitStep, source: &LeadSource) {
    count(web, stored, step, counted_from(source));
}

/// A town that was asked for and is not imported.
pub fn count_town(web: &Web, request: &WidgetRequest, town: &str) {
    if !request.stored.is_preview {
        web.store.widgets().count_town(request.stored.tenant, request.stored.widget.reference_id, town);
    }
}

/// A viewer of a preview is not a visitor.
fn count(web: &Web, stored: &StoredWidget, step: VisitStep, from: VisitFrom) {
    if stored.is_preview {
        return;
    }
    web.store.widgets().count_step(stored.tenant, stored.widget.reference_id, step, from);
}

/// The page before the hosted one, as its request names it.
pub fn referrer(headers: &HeaderMap) -> Option<String> {
    headers.get(header::REFERER).and_then(|value| value.to_str().ok()).map(str::to_owned)
}
