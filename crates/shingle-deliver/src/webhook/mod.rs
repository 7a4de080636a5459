//! Webhooks: events posted to a URL, as the Standard Webhooks specification says.

mod config;
mod exchange_log;
mod transport;

pub use config::{ROTATION_OVERLAP, WebhookConfig, WebhookSecrets};
pub use exchange_log::{ExchangeLog, RequestLog, ResponseLog};
pub use transport::{WebhookKeys, WebhookTransport};
