//! A lead as connectors see it.

use serde_json::{Map, Value, json};
use shingle_address::parse_line;
use shingle_deliver::connector::{ConnectorContext, ConnectorInput};
use shingle_domain::lead::{Lead, LeadSource};
use shingle_domain::widget::Widget;
use shingle_domain::{LeadId, Tenant, Timestamp, messages};
use shingle_store::{Store, StoreError};

use crate::lead_reference::reference;

/// A lead and the widget that it came through.
pub struct Subject {
    pub lead: Lead,
    pub widget: Widget,
    /// Whether its widget asks something after the estimate.
    pub asks: bool,
}

/// Why there is nothing to send.
#[derive(Debug, thiserror::Error)]
pub enum SubjectError {
    #[error(transparent)]
    Nothing(NoSubject),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The homeowner may still be answering.
    #[error("not before {0}")]
    Early(Timestamp),
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NoSubject {
        Erased => "erased",
        NoWidget => "its widget is gone",
        Json { why: String } => "the lead cannot be written as JSON: {why}",
    }
}

impl From<serde_json::Error> for SubjectError {
    fn from(error: serde_json::Error) -> Self {
        Self::Nothing(NoSubject::Json { why: error.to_string() })
    }
}

impl Subject {
    pub async fn find(store: &Store, tenant: &Tenant, id: LeadId) -> Result<Self, SubjectError> {
        let lead = store.leads().find(tenant, id).await?.ok_or(SubjectError::Nothing(NoSubject::Erased))?;
        let widget = store.widgets().find_of_lead(tenant, lead.widget_id).await?;
        let widget = widget.ok_or(SubjectError::Nothing(NoSubject::NoWidget))?;
        Ok(Self { lead, widget: widget.widget.clone(), asks: !widget.settings.questions.is_empty() })
    }

    /// `event`: `id`, `type`, `timestamp`, `sequence`. `on_it`: the link that takes the lead.
    pub fn context(&self, event: Value, on_it: Option<String>) -> Result<ConnectorContext, SubjectError> {
        let mut lead = serde_json::to_value(&self.lead)?;
        if let Some(fields) = lead.as_object_mut() {
            fields.insert("addressParts".to_owned(), address_parts(&self.lead.address));
        }
        if let Some(source) = lead.get_mut("source").and_then(Value::as_object_mut) {
            source.insert("clickIds".to_owned(), click_ids(&self.lead.source));
        }
        let widget = &self.widget;
        let site = if widget.has_site() { widget.company_url.as_str() } else { "" };
        Ok(ConnectorContext::new(ConnectorInput {
            event,
            lead,
            company: json!({
                "name": widget.company_name, "phone": widget.company_phone, "email": widget.company_email,
                "url": site, "address": widget.company_address,
            }),
            reference: Some(reference(self.lead.id)),
            links: on_it.map_or_else(|| json!({}), |link| json!({ "onIt": link })),
        }))
    }
}

/// The street as it was written, and the rest in the usual form. What cannot be told apart stays in the street.
fn address_parts(line: &str) -> Value {
    let Some(address) = parse_line(line).address() else { return json!({ "street": line }) };
    let written = line.split(',').next().unwrap_or(line).trim();
    json!({ "street": written, "city": address.city, "state": address.state, "zip": address.zip })
}

/// The ids of an advertiser's click, by the names that connectors use. `_ga`, `_ga_STREAM`, `_fbp` and `_fbc` are the
/// cookies that Google and Meta have set on the company's own site.
fn click_ids(source: &LeadSource) -> Value {
    let mut found = Map::new();
    for (name, value) in source.click_ids() {
        let (name, value) = match name.as_str() {
            "_ga" => ("clientId", last_two_parts(&value)),
            "_fbp" => ("fbp", Some(value)),
            "_fbc" => ("fbc", Some(value)),
            name if name.starts_with("_ga_") => ("sessionId", session_of(&value)),
            name => (name, Some(value)),
        };
        if let Some(value) = value {
            found.insert(name.to_owned(), Value::from(value));
        }
    }
    Value::Object(found)
}

/// `GA1.1.1234567890.1700000000` is the client `1234567890.1700000000`.
fn last_two_parts(cookie: &str) -> Option<String> {
    let mut parts = cookie.rsplit('.');
    let (second, first) = (parts.next()?, parts.next()?);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (digits(first) && digits(second)).then(|| format!("{first}.{second}"))
}

/// `GS1.1.1700000000.3.1.…` and `GS2.1.s1700000000$o3$…` are the session `1700000000`.
fn session_of(cookie: &str) -> Option<String> {
    let part = cookie.split('.').nth(2)?;
    let digits: String = part.trim_start_matches('s').chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart_where_that_can_be_told() {
        assert_eq!(
            address_parts("14 Alder Court, Portland, ME 04103"),
            json!({ "street": "14 Alder Court", "city": "Portland", "state": "ME", "zip": "04103" })
        );
        assert_eq!(address_parts("the blue house"), json!({ "street": "the blue house" }));
    }

    #[test]
    fn click_ids_are_read_by_name() {
        let click_ids =
            |text: Option<&str>| click_ids(&LeadSource { click_id: text.map(str::to_owned), ..LeadSource::default() });
        assert_eq!(click_ids(Some("gclid=a=1&_fbp=fb.1.2.3")), json!({ "gclid": "a=1", "fbp": "fb.1.2.3" }));
        assert_eq!(
            click_ids(Some("_ga=GA1.1.1234567890.1700000000&_ga_AB12=GS1.1.1700000001.3.1.0")),
            json!({ "clientId": "1234567890.1700000000", "sessionId": "1700000001" })
        );
        assert_eq!(click_ids(Some("_ga_AB12=GS2.1.s1700000002$o3$g1")), json!({ "sessionId": "1700000002" }));
        assert_eq!(click_ids(Some("_ga=nonsense&_ga_x=&x")), json!({}));
        assert_eq!(click_ids(None), json!({}));
    }
}
