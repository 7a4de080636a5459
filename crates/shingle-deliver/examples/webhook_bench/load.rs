//! Accounts with webhooks, and widgets whose making is their event.

use std::net::SocketAddr;
use std::time::Duration;

use shingle_deliver::webhook::WebhookSecrets;
use shingle_domain::event::EventKind;
use shingle_domain::widget::{Widget, WidgetRecord};
use shingle_domain::{Environment, Tenant, WidgetId};
use shingle_store::{DestinationDraft, DestinationKind, Store};
use shingle_store_fixture::sample_widget;
use tokio::time::MissedTickBehavior;

pub struct Load {
    store: Store,
    tenants: Vec<Tenant>,
    webhooks: u32,
}

impl Load {
    /// So many accounts with so many webhooks each; the first account's webhook of this number goes to a receiver that
    /// hangs.
    pub async fn of(store: &Store, accounts: u32, webhooks: u32, at: SocketAddr, dead: Option<u32>) -> Self {
        let mut tenants = Vec::new();
        for account in 0..accounts {
            let id = store.accounts().create("Bench Roofing").await.unwrap().id;
            let tenant = Tenant { account: id, environment: Environment::Production };
            for number in 0..webhooks {
                let hangs = account == 0 && dead == Some(number);
                let kind = if hangs { "dead" } else { "ok" };
                let draft = DestinationDraft {
                    kind: DestinationKind::Webhook,
                    name: format!("webhook {number}"),
                    address: format!("http://{at}/{kind}/{number}"),
                    events: vec![EventKind::WidgetCreated],
                    widgets: Vec::new(),
                    active: true,
                    ordered: false,
                    timeout_seconds: 15,
                    config: "{}".to_owned(),
                    secrets: Some(serde_json::to_string(&WebhookSecrets::generate().unwrap()).unwrap()),
                };
                store.destinations().create(&tenant, &draft, None).await.unwrap();
            }
            tenants.push(tenant);
        }
        Self { store: store.clone(), tenants, webhooks }
    }

    /// So many events at this rate, whatever becomes of those before.
    pub async fn widgets(&self, count: u32, per_second: u32) {
        let mut tick = tokio::time::interval(Duration::from_secs(1) / per_second);
        tick.set_missed_tick_behavior(MissedTickBehavior::Burst);
        let mut made = tokio::task::JoinSet::new();
        for number in 0..count {
            tick.tick().await;
            let tenant = self.tenants[number as usize % self.tenants.len()];
            let store = self.store.clone();
            made.spawn(async move { make(&store, &tenant).await });
        }
        while let Some(one) = made.join_next().await {
            one.unwrap();
        }
    }

    /// So many widgets, as fast as it goes; the number of deliveries.
    pub async fn backlog(&self, count: u32) -> u32 {
        for number in 0..count {
            make(&self.store, &self.tenants[number as usize % self.tenants.len()]).await;
        }
        count * self.webhooks
    }

    /// What the database says of all webhooks.
    pub async fn delivered(&self) -> u64 {
        let mut delivered = 0;
        for tenant in &self.tenants {
            let webhooks = self.store.destinations().list(tenant, DestinationKind::Webhook).await.unwrap();
            delivered += webhooks.iter().map(|webhook| webhook.success_count).sum::<u64>();
        }
        delivered
    }
}

async fn make(store: &Store, tenant: &Tenant) {
    let (widget, record) = widget();
    store.widgets().create(tenant, &widget, |_| record.clone(), None).await.unwrap();
}

/// As long as an event's body.
pub fn sample_body() -> String {
    let body = serde_json::json!({
        "id": "evt_0192f4c17d3e7a2b8c4d1f2e3d4c5b6a", "type": "widget.created",
        "timestamp": "2026-03-10T12:00:00.000Z", "apiVersion": "1.0.0", "sequence": 1, "data": widget().1,
    });
    body.to_string()
}

fn widget() -> (Widget, WidgetRecord) {
    let mut id = [0; 16];
    getrandom::fill(&mut id).unwrap();
    sample_widget(WidgetId(uuid::Builder::from_random_bytes(id).into_uuid()))
}
