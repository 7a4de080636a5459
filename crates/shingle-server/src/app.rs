//! The state all requests share, built once at startup.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use shingle_deliver::mail::Mailer;
use shingle_deliver::push::VapidKey;
use shingle_deliver::webhook::{WebhookKeys, WebhookTransport};
use shingle_deliver::{Egress, Engine, EngineSettings, Transport, Transports};
use shingle_domain::Usd;
use shingle_domain::roof::PriceTable;
use shingle_domain::widget::{StoredImage, Widget, WidgetLinks, WidgetRecord};
use shingle_estimate::calibration::Calibration;
use shingle_store::{Blobs, Clock, Secret, Store};

use crate::config::Settings;
use crate::connectors::ConnectorTransport;
use crate::health_board::HealthBoard;
use crate::heavy_work::HeavyWork;
use crate::http::error::{ApiError, ApiResult};
use crate::http::rate_limits::RateLimits;
use crate::http::render_cache::{DescriptionCache, RenderCache};
use crate::imports::Imports;
use crate::installation_proof::InstallationProof;
use crate::logo::{self, Logo};
use crate::metrics::Metrics;
use crate::notices::{MailTransport, NoticeLinks, PushTransport};
use crate::photo::{self, EncodedPhoto};
use crate::portal::{LiveLeads, PortalLimits, RelyingParty, RunningExports};
use crate::preview_image::{MAX_PREVIEW_IMAGES, PreviewImages};
use crate::products::Models;
use crate::proof_of_work::ProofOfWork;
use crate::property_indexes::PropertyIndexes;
use crate::qr_code::{MAX_QR_CODES, QrCodes};
use crate::readiness::Readiness;
use crate::sightings::Sightings;
use crate::telemetry::Telemetry;
use crate::tokens::{Tokens, hex};

/// A photograph may take 160 MiB.
const MAX_CONCURRENT_DECODERS: usize = 2;

pub struct App {
    pub store: Store,
    pub blobs: Blobs,
    pub indexes: PropertyIndexes,
    /// For requests to other servers.
    pub egress: Arc<Egress>,
    /// `None`: this installation sends no mail.
    pub mail: Option<Arc<MailTransport>>,
    /// Carries events to their destinations, once it runs.
    pub engine: Engine,
    pub webhook_keys: WebhookKeys,
    /// A server in place of every connector's target, for tests.
    pub connector_base: Option<url::Url>,
    /// With which browsers subscribe to what is pushed.
    pub push_key: Option<String>,
    /// The fit of the buyer scores to the operator's own outcomes, if there is one.
    pub calibration: Option<Calibration>,
    pub clock: Arc<dyn Clock>,
    pub settings: Settings,
    pub tokens: Tokens,
    pub rate_limits: RateLimits,
    pub portal_limits: PortalLimits,
    pub running_exports: RunningExports,
    /// `None`: devices make no passkeys for a server that is reached like this one.
    pub passkeys: Option<RelyingParty>,
    /// Streams of the portal's lists.
    pub live_leads: LiveLeads,
    pub readiness: Readiness,
    pub sightings: Sightings,
    /// `None`: nothing is traced.
    pub telemetry: Option<Telemetry>,
    pub proof: InstallationProof,
    pub metrics: Metrics,
    /// Those that an operator begins in the portal.
    pub imports: Arc<Imports>,
    /// What an operator is told about this server.
    pub health: HealthBoard,
    pub render_cache: RenderCache,
    pub description: DescriptionCache,
    pub preview_images: PreviewImages,
    /// The URL by which browsers reach this server, without a slash at the end.
    pub base_url: String,
    storage_url: String,
    /// Codes that were drawn.
    pub qr_codes: QrCodes,
    /// Geometry, drawing and compression.
    pub heavy_work: HeavyWork,
    decoders: HeavyWork,
    instance: String,
    requests: AtomicU64,
}

/// The parts of an [`App`].
pub struct AppParts {
    pub store: Store,
    pub blobs: Blobs,
    pub indexes: PropertyIndexes,
    pub egress: Egress,
    /// `None`: this installation sends no mail.
    pub mailer: Option<Arc<Mailer>>,
    pub engine: EngineSettings,
    /// A server in place of every connector's target, for tests.
    pub connector_base: Option<url::Url>,
    /// The fit of the buyer scores to the operator's own outcomes, if there is one.
    pub calibration: Option<Calibration>,
    pub telemetry: Option<Telemetry>,
    pub clock: Arc<dyn Clock>,
    pub settings: Settings,
    pub secret: Secret,
    pub listening: SocketAddr,
}

impl App {
    pub fn new(parts: AppParts) -> Result<Arc<Self>, getrandom::Error> {
        let AppParts {
            store,
            blobs,
            indexes,
            egress,
            mailer,
            engine,
            connector_base,
            calibration,
            telemetry,
            clock,
            settings,
            secret,
            listening,
        } = parts;
        let mut instance = [0; 4];
        getrandom::fill(&mut instance)?;
        let base_url = settings.base_url(listening);
        let passkeys = RelyingParty::of(&base_url);
        let egress = Arc::new(egress);
        let webhook_keys = WebhookKeys::new(&secret);
        let webhook = WebhookTransport { egress: egress.clone(), keys: webhook_keys.clone(), clock: clock.clone() };
        let work = ProofOfWork::new(&secret.derive("shingle 2026-11 proof of work"));
        let tokens = Tokens::new(secret.derive("shingle 2026-11 visitor tokens"));
        let links = NoticeLinks { tokens: tokens.clone(), base_url: base_url.clone() };
        let connector = ConnectorTransport {
            egress: egress.clone(),
            store: store.clone(),
            clock: clock.clone(),
            links: links.clone(),
            instead: connector_base.clone(),
        };
        let mail = mailer.map(|mailer| Arc::new(MailTransport::new(mailer, store.clone(), clock.clone(), links)));
        let mailing = mail.clone().map(|mail| mail as Arc<dyn Transport>);
        let push_key = VapidKey::new(&secret);
        let pushing = |key: VapidKey| PushTransport {
            egress: egress.clone(),
            store: store.clone(),
            clock: clock.clone(),
            key,
            base_url: base_url.clone(),
        };
        let transports = Transports {
            webhook: Arc::new(webhook),
            mail: mailing,
            connector: Some(Arc::new(connector)),
            push: push_key.clone().map(|key| Arc::new(pushing(key)) as Arc<dyn Transport>),
        };
        let engine = Engine::new(store.clone(), transports, engine);
        Ok(Arc::new(Self {
            metrics: Metrics::new(engine.metrics()),
            imports: Arc::new(Imports::open(&settings.data, settings.property())),
            health: HealthBoard::new(clock.now()),
            tokens,
            rate_limits: RateLimits::new(&settings.limits, work, &clock),
            readiness: Readiness::default(),
            sightings: Sightings::default(),
            proof: InstallationProof::new(&secret),
            render_cache: RenderCache::default(),
            description: DescriptionCache::default(),
            preview_images: PreviewImages::new(MAX_PREVIEW_IMAGES),
            storage_url: format!("{base_url}/storage"),
            base_url,
            qr_codes: QrCodes::new(MAX_QR_CODES),
            heavy_work: HeavyWork::for_processors(),
            decoders: HeavyWork::new(MAX_CONCURRENT_DECODERS),
            instance: hex(&instance),
            mail,
            portal_limits: PortalLimits::new(&clock),
            running_exports: RunningExports::default(),
            passkeys,
            live_leads: LiveLeads::default(),
            requests: AtomicU64::new(0),
            engine,
            connector_base,
            webhook_keys,
            push_key: push_key.map(|key| key.public().to_owned()),
            store,
            blobs,
            indexes,
            egress,
            calibration,
            telemetry,
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

    /// What the estimates need, as of now.
    pub fn models(&self) -> Models<'_> {
        Models { reference: &self.indexes.reference, calibration: self.calibration.as_ref(), now: self.clock.now() }
    }

    /// Installed prices by material, from the reference table.
    pub fn prices(&self) -> &PriceTable {
        self.indexes.reference.roof_prices()
    }

    /// USD per square of asphalt shingle, from the reference table.
    pub fn asphalt(&self) -> Usd {
        self.prices().price(shingle_domain::roof::RoofMaterial::AsphaltShingle)
    }

    /// Names one request in the log and in its response.
    pub(crate) fn request_id(&self) -> String {
        format!("{}-{:x}", self.instance, self.requests.fetch_add(1, Ordering::Relaxed))
    }

    /// Re-encodes a homeowner's photograph.
    pub async fn encode_photo(&self, bytes: Vec<u8>) -> ApiResult<EncodedPhoto> {
        let encoded = self.decoders.run(move || photo::reencode(&bytes)).await?;
        encoded.map_err(|error| ApiError::BadRequest(format!("photo {error}")))
    }

    /// Re-encodes an uploaded logo and stores it. The same logo is stored only once.
    pub async fn store_logo(&self, bytes: Vec<u8>, kind: Logo) -> ApiResult<StoredImage> {
        let encoded = self.decoders.run(move || logo::reencode(&bytes, kind)).await?;
        let encoded = encoded.map_err(|error| ApiError::BadRequest(format!("{} {error}", kind.field())))?;
        let path = self.blobs.put_hashed("logos", encoded.extension, encoded.bytes.clone()).await?;
        Ok(encoded.stored(path))
    }
}
