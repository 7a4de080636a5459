//! Counts how far visitors get: sums only, added up in memory (`shingle-store/src/widgets/visit_buffer.rs`).

use shingle_domain::home_roof::NoPrice;
use shingle_domain::lead::{LeadChannel, LeadSource};
use shingle_domain::public::RoofResponse;
use shingle_domain::visit::{SentFrom, VisitFrom, VisitStep};
use shingle_store::{StoredWidget, counted_from, other_host};

use crate::app::App;
use crate::leads::widget_request::WidgetRequest;

/// A step that a flow in a browser reports.
pub fn count_sent(app: &App, request: &WidgetRequest, step: VisitStep, (via, page, utm, referrer): &SentFrom) {
    let via = match via.as_str() {
        "hosted" => LeadChannel::Hosted,
        "link" => LeadChannel::Link,
        "qr" => LeadChannel::Qr,
        _ => LeadChannel::Embed,
    };
    count(app, &request.stored, step, VisitFrom::new(via, page, utm, other_host(referrer, &request.host)));
}

/// A step of a lead, or of a visitor without scripts, whose source is known in full.
pub fn count_from(app: &App, stored: &StoredWidget, step: VisitStep, source: &LeadSource) {
    count(app, stored, step, counted_from(source));
}

/// A town that was asked for and is not covered.
pub fn count_uncovered(app: &App, request: &WidgetRequest, answer: &RoofResponse) {
    if let RoofResponse::NoRoof { reason: Some(NoPrice::Uncovered { town }), .. } = answer
        && !request.stored.is_preview
    {
        app.store.widgets().count_town(request.stored.tenant, request.stored.widget.reference_id, town);
    }
}

/// A viewer of a preview is not a visitor.
fn count(app: &App, stored: &StoredWidget, step: VisitStep, from: VisitFrom) {
    if stored.is_preview {
        return;
    }
    app.store.widgets().count_step(stored.tenant, stored.widget.reference_id, step, from);
}
