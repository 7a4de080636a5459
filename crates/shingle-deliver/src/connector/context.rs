//! What expressions read: the event, the lead, the company, the settings, and derived values.

use serde_json::{Map, Value, json};

use crate::connector::settings::ConnectorSettings;
use crate::connector::summary::summary;

/// What the caller knows about an event.
#[derive(Debug, Clone, Default)]
pub struct ConnectorInput {
    /// `id`, `type`, `timestamp`, `sequence`.
    pub event: Value,
    /// The lead record of the API, with `addressParts` (`street`, `city`, `state`, `zip`) where they are known.
    pub lead: Value,
    /// `name`, `phone`, `email`, `url`.
    pub company: Value,
    /// A short name of the lead for people.
    pub reference: Option<String>,
    /// `onIt`, `portal` …
    pub links: Value,
}

/// What expressions read, as JSON. `summary` is worked out here.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectorContext(Map<String, Value>);

impl ConnectorContext {
    pub fn new(input: ConnectorInput) -> Self {
        let ConnectorInput { event, mut lead, company, reference, links } = input;
        add_address(&mut lead);
        let summary = summary(&lead, &links);
        let object = |value: Value| if value.is_object() { value } else { json!({}) };
        let mut all = Map::new();
        all.insert("event".to_owned(), object(event));
        all.insert("lead".to_owned(), object(lead));
        all.insert("company".to_owned(), object(company));
        all.insert("reference".to_owned(), reference.map_or(Value::Null, Value::from));
        all.insert("links".to_owned(), object(links));
        all.insert("summary".to_owned(), summary);
        Self(all)
    }

    /// With the settings and with what earlier requests have captured.
    pub(crate) fn with(&self, settings: &ConnectorSettings, steps: Value) -> minijinja::Value {
        let mut all = self.0.clone();
        all.insert("settings".to_owned(), settings.to_json());
        all.insert("steps".to_owned(), steps);
        minijinja::Value::from(minijinja::value::Serde(&all))
    }

    /// With a response, too.
    pub(crate) fn with_response(
        &self,
        settings: &ConnectorSettings,
        steps: Value,
        response: &Value,
    ) -> minijinja::Value {
        let mut all = self.0.clone();
        all.insert("settings".to_owned(), settings.to_json());
        all.insert("steps".to_owned(), steps);
        all.insert("response".to_owned(), response.clone());
        minijinja::Value::from(minijinja::value::Serde(&all))
    }
}

/// Where the parts of the address are not known, the one line is the street.
fn add_address(lead: &mut Value) {
    let Some(lead) = lead.as_object_mut() else { return };
    let whole = lead.get("address").cloned().unwrap_or(Value::Null);
    let known = lead.remove("addressParts").unwrap_or(Value::Null);
    let mut parts = json!({ "street": whole, "city": null, "state": null, "zip": null });
    for name in ["street", "city", "state", "zip"] {
        if let Some(text) = known[name].as_str() {
            parts[name] = Value::from(text);
        }
    }
    lead.insert("addressParts".to_owned(), parts);
}
