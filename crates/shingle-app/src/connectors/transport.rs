//! Sends one lead to another system.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use shingle_deliver::connector::{ConnectorContext, ConnectorInput, ConnectorKind, ConnectorProgress, ConnectorRun};
use shingle_deliver::{Egress, Job, Outcome, OutcomeFuture, Transport, Verdict};
use shingle_domain::event::EventKind;
use shingle_domain::{LeadId, messages};
use shingle_store::{Clock, Store};
use url::Url;

use super::connection::Connection;
use super::subject::{Subject, SubjectError};
use crate::notices::CompanyLinks;

/// A record in another system is written once. Where a widget asks something after the estimate, it waits so long that the
/// answers are in it.
const TIME_TO_ANSWER: Duration = Duration::from_secs(120);

messages! {
    /// Why a connector sends nothing.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum NotSent {
        TestOfConversion =>
            "a test would be counted as a conversion: `shingle connector try` shows what is sent",
    }
}

pub struct ConnectorTransport {
    pub egress: Arc<Egress>,
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    pub links: CompanyLinks,
    /// A server in place of every target's, for tests.
    pub instead: Option<Url>,
}

impl Transport for ConnectorTransport {
    fn deliver<'a>(&'a self, job: &'a Job) -> OutcomeFuture<'a> {
        Box::pin(self.write(job))
    }
}

impl ConnectorTransport {
    async fn write(&self, job: &Job) -> Outcome {
        let connection = match Connection::of(&job.destination) {
            Ok(connection) => connection,
            Err(error) => return Outcome::refused(error),
        };
        if job.delivery.event.kind == EventKind::Ping && connection.template.kind == ConnectorKind::Conversion {
            return Outcome::skipped(NotSent::TestOfConversion);
        }
        let context = match self.context(job).await {
            Ok(context) => context,
            Err(SubjectError::Store(error)) => return Outcome::try_again(error),
            Err(SubjectError::Nothing(reason)) => return Outcome::skipped(reason),
            Err(SubjectError::Early(until)) => return Outcome::new(Verdict::Postponed(until)),
        };
        let progress: ConnectorProgress =
            job.delivery.progress.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let run = ConnectorRun {
            template: connection.template,
            settings: &connection.settings,
            context: &context,
            now: self.clock.now(),
            instead: self.instead.clone(),
        };
        run.run(&self.egress, progress).await.into_outcome(&connection.template.name, self.clock.now())
    }

    async fn context(&self, job: &Job) -> Result<ConnectorContext, SubjectError> {
        let (delivery, event) = (&job.delivery, &job.delivery.event);
        let about = json!({
            "id": event.id, "type": event.kind, "timestamp": event.created_at, "sequence": event.sequence,
        });
        if event.kind == EventKind::Ping {
            return Ok(sample_lead(about));
        }
        let subject = Subject::find(&self.store, &delivery.tenant, LeadId(event.resource)).await?;
        let lead = &subject.lead;
        let answered = lead.created_at + TIME_TO_ANSWER;
        if subject.asks && self.clock.now() < answered {
            return Err(SubjectError::Early(answered));
        }
        let links = self.links.of(delivery.tenant.account);
        let on_it = links.on_it(subject.widget.link_id(), lead.id, delivery.destination, self.clock.now()).ok();
        subject.context(about, on_it)
    }
}

/// The lead of a test event. Nobody can take it for a real one.
pub fn sample_lead(event: serde_json::Value) -> ConnectorContext {
    ConnectorContext::new(ConnectorInput {
        event,
        lead: json!({
            "id": "00000000-0000-0000-0000-000000000000", "widgetId": "00000000-0000-0000-0000-000000000000",
            "status": "new", "address": "1 Test Street, Portland, ME 04101",
            "firstName": "Test", "lastName": "Lead", "email": "test@example.com", "phone": null,
            "preferredContactTime": null, "roofMaterial": null,
            "message": "This is a test of your connection. No homeowner has asked for anything.",
            "estimate": null,
            "source": { "via": "embed", "language": "en", "pageUrl": null, "referrer": null, "utmSource": null, "utmMedium": null,
                        "utmCampaign": null, "utmTerm": null, "utmContent": null, "clickId": null, "clickIds": {} },
            "consent": { "given": true, "text": "Test", "textHash": "", "at": "2026-01-01T00:00:00.000Z",
                         "pageUrl": null, "ip": null, "userAgent": null },
            "firstTouchAt": null, "takenBy": null, "emailProblem": null, "records": [], "earlierLead": null,
            "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z",
            "addressParts": { "street": "1 Test Street", "city": "Portland", "state": "ME", "zip": "04101" },
        }),
        company: json!({ "name": "Test", "phone": "(207) 555-0100", "email": "test@example.com",
                         "url": "https://example.com/", "address": "" }),
        reference: Some("TEST".to_owned()),
        links: json!({}),
    })
}
