//! A connector an account has set up: a destination whose address is the connector's name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shingle_deliver::connector::{ConnectorKind, ConnectorSettings, ConnectorTemplate, SettingMistake, find};
use shingle_domain::event::EventKind;
use shingle_domain::series::Series;
use shingle_domain::{WidgetId, messages};
use shingle_store::{Destination, DestinationDraft, DestinationKind};

/// A connector with settings that fit it.
pub struct Connection {
    pub template: &'static ConnectorTemplate,
    pub settings: ConnectorSettings,
    given: BTreeMap<String, String>,
}

messages! {
    #[derive(Debug)]
    pub enum ConnectionError {
        Unknown { name: String } => "there is no connector named {name}: `shingle connector list` shows them",
        Hook { name: String } => "{name} subscribes by itself: `shingle connector show {name}` says how",
        Settings { mistakes: Series<SettingMistake> } => "the connector's settings are not right: {mistakes}",
        /// Stored settings that are not JSON.
        Stored => "the stored settings cannot be read",
    }
}

/// What the destination keeps encrypted: every setting, as it was given.
#[derive(Serialize, Deserialize)]
struct StoredSettings {
    settings: BTreeMap<String, String>,
}

impl From<serde_json::Error> for ConnectionError {
    fn from(_: serde_json::Error) -> Self {
        Self::Stored
    }
}

impl Connection {
    pub fn parse(name: &str, given: BTreeMap<String, String>) -> Result<Self, ConnectionError> {
        let template = find(name).ok_or_else(|| ConnectionError::Unknown { name: name.to_owned() })?;
        if template.kind == ConnectorKind::Hook {
            return Err(ConnectionError::Hook { name: name.to_owned() });
        }
        let settings = ConnectorSettings::parse(&template.settings, &given)
            .map_err(|mistakes| ConnectionError::Settings { mistakes: Series(mistakes) })?;
        Ok(Self { template, settings, given })
    }

    pub fn of(destination: &Destination) -> Result<Self, ConnectionError> {
        let stored: StoredSettings = serde_json::from_str(destination.draft.secrets.as_deref().unwrap_or_default())?;
        Self::parse(&destination.draft.address, stored.settings)
    }

    /// A setting as it was given.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.given.get(name).map(String::as_str)
    }

    /// As given before, with some changed; an empty text removes one.
    pub fn with(&self, changed: BTreeMap<String, String>) -> Result<Self, ConnectionError> {
        let mut given = self.given.clone();
        given.extend(changed);
        given.retain(|_, value| !value.is_empty());
        Self::parse(&self.template.name, given)
    }

    /// The destination that keeps it. Nobody but leads is written into other systems.
    pub fn draft(
        &self,
        name: Option<String>,
        widgets: Vec<WidgetId>,
        active: bool,
    ) -> Result<DestinationDraft, ConnectionError> {
        let requests = u64::try_from(self.template.requests().max(1)).unwrap_or(1);
        let seconds = self.template.limits.timeout.as_secs().saturating_mul(requests);
        Ok(DestinationDraft {
            kind: DestinationKind::Connector,
            name: name.unwrap_or_else(|| self.template.title.clone()),
            address: self.template.name.clone(),
            events: vec![EventKind::LeadCreated],
            widgets,
            active,
            ordered: false,
            timeout_seconds: u8::try_from(seconds).unwrap_or(u8::MAX),
            config: "{}".to_owned(),
            secrets: Some(self.secrets()?),
        })
    }

    pub fn secrets(&self) -> Result<String, ConnectionError> {
        Ok(serde_json::to_string(&StoredSettings { settings: self.given.clone() })?)
    }
}
