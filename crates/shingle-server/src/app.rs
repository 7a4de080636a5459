//! Everything a request may need, put together once at start.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shingle_deliver::Egress;
use shingle_domain::Usd;
use shingle_domain::roof::PriceTable;
use shingle_domain::widget::{StoredImage, Widget, WidgetLinks, WidgetRecord};
use shingle_estimate::calibration::Calibration;
use shingle_store::{Blobs, Clock, Secret, Store};
use tokio::sync::Semaphore;

use crate::config::Settings;
use crate::ground::Ground;
use crate::http::{Answer, Failure, Gate, PREVIEWS_KEPT, Previews, Shelf};
use crate::images::{self, Logo};
use crate::products::Models;
use crate::session::{Tokens, hex};

/// Pictures decoded at the same time: each may take 64 MiB.
const PICTURES_AT_ONCE: usize = 2;

pub struct App {
    pub store: Store,
    pub blobs: Blobs,
    pub ground: Ground,
    /// For our own requests to other people's servers.
    pub egress: Egress,
    /// The operator's own outcomes, where they have been fitted.
    pub calibration: Option<Calibration>,
    pub clock: Arc<dyn Clock>,
    pub settings: Settings,
    pub tokens: Tokens,
    pub gate: Gate,
    pub shelf: Shelf,
    pub previews: Previews,
    /// What browsers reach this server by, without a slash at the end.
    pub base_url: String,
    storage_url: String,
    pictures: Semaphore,
    boot: String,
    requests: AtomicU64,
}

/// What an [`App`] is made of.
pub struct Parts {
    pub store: Store,
    pub blobs: Blobs,
    pub ground: Ground,
    pub egress: Egress,
    /// The operator's own outcomes, where they have been fitted.
    pub calibration: Option<Calibration>,
    pub clock: Arc<dyn Clock>,
    pub settings: Settings,
    pub secret: Secret,
    pub listening: SocketAddr,
}

impl App {
    pub fn new(parts: Parts) -> Result<Arc<Self>, getrandom::Error> {
        let Parts { store, blobs, ground, egress, calibration, clock, settings, secret, listening } = parts;
        let mut boot = [0; 4];
        getrandom::fill(&mut boot)?;
        let base_url = settings.base_url(listening);
        Ok(Arc::new(Self {
            tokens: Tokens::new(secret.derive("shingle 2026-11 visitor tokens")),
            gate: Gate::new(&settings.limits, &clock),
            shelf: Shelf::default(),
            previews: Previews::new(PREVIEWS_KEPT),
            storage_url: format!("{base_url}/storage"),
            base_url,
            pictures: Semaphore::new(PICTURES_AT_ONCE),
            boot: hex(&boot),
            requests: AtomicU64::new(0),
            store,
            blobs,
            ground,
            egress,
            calibration,
            clock,
            settings,
        }))
    }

    pub fn links(&self) -> WidgetLinks<'_> {
        WidgetLinks { base_url: &self.base_url, storage_url: &self.storage_url }
    }

    pub fn record(&self, widget: &Widget) -> WidgetRecord {
        widget.record(&self.links(), self.asphalt())
    }

    /// The sums, as of now.
    pub fn models(&self) -> Models<'_> {
        Models { reference: &self.ground.reference, calibration: self.calibration.as_ref(), now: self.clock.now() }
    }

    /// Installed prices by material, from the reference table.
    pub fn prices(&self) -> &PriceTable {
        self.ground.reference.roof_prices()
    }

    /// USD per square of asphalt shingle, from the reference table.
    pub fn asphalt(&self) -> Usd {
        self.prices().price(shingle_domain::roof::RoofMaterial::AsphaltShingle)
    }

    /// A name for one request in log and answer.
    pub(crate) fn request_id(&self) -> String {
        format!("{}-{:x}", self.boot, self.requests.fetch_add(1, Ordering::Relaxed))
    }

    /// Draws an uploaded logo anew and stores it. Stored twice it is still one file.
    pub async fn keep_logo(&self, bytes: Vec<u8>, logo: Logo) -> Answer<StoredImage> {
        let turn = self.pictures.acquire().await.map_err(Failure::internal)?;
        let drawn =
            tokio::task::spawn_blocking(move || images::redraw(&bytes, logo)).await.map_err(Failure::internal)?;
        drop(turn);
        let drawn = drawn.map_err(|unusable| Failure::Refused(format!("{} {unusable}", logo.field())))?;
        let path = self.blobs.put_hashed("logos", drawn.ending, drawn.bytes).await?;
        Ok(StoredImage { path, width: drawn.width, height: drawn.height })
    }
}
