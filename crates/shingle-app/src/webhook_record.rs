//! A webhook's destination as the contract's record.

use serde::Serialize;
use shingle_deliver::webhook::{WebhookConfig, WebhookSecrets};
use shingle_domain::webhook::{Webhook, WebhookOptions};
use shingle_store::{Destination, DestinationDraft};

/// What we stored is not what we store: a fault of ours.
#[derive(Debug, thiserror::Error)]
#[error("a stored webhook cannot be read: {0}")]
pub struct UnreadableConfig(#[from] serde_json::Error);

pub fn webhook_record(of: &Destination) -> Result<Webhook, UnreadableConfig> {
    let config = read_config(&of.draft.config)?;
    let secrets = read_secrets(&of.draft)?;
    Ok(Webhook {
        id: of.id,
        name: of.draft.name.clone(),
        url: of.draft.address.clone(),
        events: of.draft.events.clone(),
        active: of.draft.active,
        failure_count: of.failure_count,
        success_count: of.success_count,
        last_failure_at: of.last_failure_at,
        last_success_at: of.last_success_at,
        timeout_seconds: of.draft.timeout_seconds,
        created_at: of.created_at,
        updated_at: of.updated_at,
        inactive_reason: of.inactive_reason.as_ref().map(ToString::to_string),
        options: WebhookOptions {
            headers: secrets.headers.into_iter().map(|(name, _)| name).collect(),
            widgets: of.draft.widgets.clone(),
            payload: config.payload,
            ordered: of.draft.ordered,
        },
        secret: None,
    })
}

pub fn read_config(text: &str) -> Result<WebhookConfig, UnreadableConfig> {
    Ok(serde_json::from_str(text)?)
}

pub fn read_secrets(of: &DestinationDraft) -> Result<WebhookSecrets, UnreadableConfig> {
    Ok(serde_json::from_str(of.secrets.as_deref().unwrap_or_default())?)
}

pub fn to_json(value: &impl Serialize) -> Result<String, UnreadableConfig> {
    Ok(serde_json::to_string(value)?)
}
