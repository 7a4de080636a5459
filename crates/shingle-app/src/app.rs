//! What all use cases share, built once at startup.

use std::net::SocketAddr;
use std::sync::Arc;

use shingle_deliver::mail::Mailer;
use shingle_deliver::push::VapidKey;
use shingle_deliver::webhook::{WebhookKeys, WebhookTransport};
use shingle_deliver::{Egress, Engine, EngineSettings, Transport, Transports};
use shingle_domain::public::RoofFound;
use shingle_domain::roof::PriceTable;
use shingle_domain::settings::WidgetSettings;
use shingle_domain::widget::{StoredImage, Widget, WidgetLinks, WidgetRecord};
use shingle_domain::{AccountId, Usd};
use shingle_estimate::calibration::Calibration;
use shingle_store::{Blobs, Clock, Secret, Store, StoreError};

use crate::aerial::{self, Aerial, AerialView};
use crate::areas::{AreaLoads, Areas};
use crate::bucket::StoragePlace;
use crate::config::Settings;
use crate::connectors::ConnectorTransport;
use crate::health_board::HealthBoard;
use crate::heavy_work::HeavyWork;
use crate::image_failure::ImageFailure;
use crate::imports::Imports;
use crate::installation_proof::InstallationProof;
use crate::logo::{self, Logo};
use crate::look_ups::Models;
use crate::metrics::Metrics;
use crate::nodes::Node;
use crate::notices::{CompanyLinks, MailTransport, PushTransport};
use crate::own_domains::OwnDomains;
use crate::photo::{self, EncodedPhoto};
use crate::property_indexes::PropertyIndexes;
use crate::sightings::Sightings;
use crate::tokens::Tokens;

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
    /// Pushes to browsers what no event says. `None`: as for `push_key`.
    pub pusher: Option<Arc<PushTransport>>,
    /// With which browsers subscribe to what is pushed.
    pub push_key: Option<String>,
    /// The fit of the buyer scores to the operator's own outcomes, if there is one.
    pub calibration: Option<Calibration>,
    pub clock: Arc<dyn Clock>,
    pub settings: Settings,
    pub tokens: Tokens,
    pub sightings: Sightings,
    /// This server among others of the installation.
    pub node: Arc<Node>,
    pub metrics: Metrics,
    /// Those that an operator begins in the portal.
    pub imports: Arc<Imports>,
    /// The homes that come from national sources.
    pub areas: Arc<Areas>,
    /// The area that is being loaded for a page.
    pub area_loads: Arc<AreaLoads>,
    /// Photographs from the air.
    pub aerial: Arc<Aerial>,
    pub own_domains: Arc<OwnDomains>,
    /// By which this installation is known.
    pub proof: InstallationProof,
    /// What an operator is told about this server.
    pub health: HealthBoard,
    /// The URL by which browsers reach this server, without a slash at the end.
    pub base_url: String,
    storage_url: String,
    /// Geometry, drawing and compression.
    pub heavy_work: HeavyWork,
    decoders: HeavyWork,
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
    pub clock: Arc<dyn Clock>,
    pub node: Node,
    pub settings: Settings,
    pub secret: Secret,
    pub listening: SocketAddr,
}

impl App {
    pub fn new(parts: AppParts) -> Arc<Self> {
        let AppParts {
            store,
            blobs,
            indexes,
            egress,
            mailer,
            engine,
            connector_base,
            calibration,
            clock,
            node,
            settings,
            secret,
            listening,
        } = parts;
        let base_url = settings.base_url(listening);
        let storage_url = format!("{base_url}/storage");
        let is_bucket = StoragePlace::of(&settings).is_ok_and(|place| place.folder().is_none());
        let aerial = Arc::new(Aerial::new(
            aerial::folder(&settings.data),
            secret.derive("shingle 2026-11 names of photographs"),
            &storage_url,
            is_bucket.then(|| blobs.clone()),
        ));
        let egress = Arc::new(egress);
        let webhook_keys = WebhookKeys::new(&secret);
        let webhook = WebhookTransport { egress: egress.clone(), keys: webhook_keys.clone(), clock: clock.clone() };
        let tokens = Tokens::of(&secret);
        let own_domains = Arc::new(OwnDomains::new(&base_url));
        let links = CompanyLinks { tokens: tokens.clone(), domains: own_domains.clone() };
        let connector = ConnectorTransport {
            egress: egress.clone(),
            store: store.clone(),
            clock: clock.clone(),
            links: links.clone(),
            instead: connector_base.clone(),
        };
        let mail = mailer
            .map(|mailer| MailTransport::new(mailer, store.clone(), clock.clone(), links, aerial.clone(), &settings))
            .map(Arc::new);
        let mailing = mail.clone().map(|mail| mail as Arc<dyn Transport>);
        let push_key = VapidKey::new(&secret);
        let pushing = |key: VapidKey| PushTransport {
            egress: egress.clone(),
            store: store.clone(),
            clock: clock.clone(),
            key,
            base_url: base_url.clone(),
        };
        let pusher = push_key.clone().map(|key| Arc::new(pushing(key)));
        let transports = Transports {
            webhook: Arc::new(webhook),
            mail: mailing,
            connector: Some(Arc::new(connector)),
            push: pusher.clone().map(|pusher| pusher as Arc<dyn Transport>),
        };
        let engine = Engine::new(store.clone(), transports, engine);
        let areas = Arc::new(Areas::new(&settings, indexes.reference.clone(), egress.clone()));
        Arc::new(Self {
            area_loads: Arc::new(AreaLoads::new(areas.clone(), store.clone(), clock.clone())),
            metrics: Metrics::new(engine.metrics()),
            imports: Arc::new(Imports::open(&settings.data, settings.property())),
            areas,
            own_domains,
            proof: InstallationProof::new(&secret),
            health: HealthBoard::new(clock.now()),
            tokens,
            sightings: Sightings::default(),
            node: Arc::new(node),
            storage_url,
            aerial,
            base_url,
            heavy_work: HeavyWork::for_processors(),
            decoders: HeavyWork::new(MAX_CONCURRENT_DECODERS),
            mail,
            engine,
            connector_base,
            webhook_keys,
            pusher,
            push_key: push_key.map(|key| key.public().to_owned()),
            store,
            blobs,
            indexes,
            egress,
            calibration,
            clock,
            settings,
        })
    }

    /// Of the installation, whose pages are there whatever becomes of a company's own domain.
    pub fn own_links(&self) -> WidgetLinks<'_> {
        WidgetLinks { base_url: &self.base_url, pages_url: (&*self.base_url).into(), storage_url: &self.storage_url }
    }

    pub fn links(&self, account: AccountId) -> WidgetLinks<'_> {
        let pages_url = self.own_domains.base_of(account).to_string().into();
        WidgetLinks { base_url: &self.base_url, pages_url, storage_url: &self.storage_url }
    }

    pub fn record(&self, account: AccountId, widget: &Widget) -> WidgetRecord {
        widget.record(&self.links(account), self.asphalt())
    }

    /// What the estimates need, as of now.
    pub fn models(&self) -> Models<'_> {
        Models { reference: &self.indexes.reference, calibration: self.calibration.as_ref(), now: self.clock.now() }
    }

    /// The photographs from the air that a widget shows.
    pub async fn photos(&self, of: &WidgetSettings) -> Result<Option<AerialView>, StoreError> {
        self.aerial.view(&self.store, of.aerial_photos, self.clock.now()).await
    }

    /// Gives a roof that was shown earlier the photograph that is the best now; none where none can be shown any more.
    pub async fn renew_photo(&self, of: &WidgetSettings, roof: &mut RoofFound) -> Result<(), StoreError> {
        let earlier = roof.photo.take();
        if let (Some(earlier), Some(photos)) = (earlier, self.photos(of).await?) {
            roof.photo = photos.again(&earlier);
            photos.ready(&self.store, &mut roof.photo).await?;
        }
        Ok(())
    }

    /// Installed prices by material, from the reference table.
    pub fn prices(&self) -> &PriceTable {
        self.indexes.reference.roof_prices()
    }

    /// USD per square of asphalt shingle, from the reference table.
    pub fn asphalt(&self) -> Usd {
        self.prices().price(shingle_domain::roof::RoofMaterial::AsphaltShingle)
    }

    /// Re-encodes a homeowner's photograph.
    pub async fn encode_photo(&self, bytes: Vec<u8>) -> Result<EncodedPhoto, ImageFailure> {
        Ok(self.decoders.run(move || photo::reencode(&bytes)).await??)
    }

    /// Re-encodes an uploaded logo and stores it. The same logo is stored only once.
    pub async fn store_logo(&self, bytes: Vec<u8>, kind: Logo) -> Result<StoredImage, ImageFailure> {
        let encoded = self.decoders.run(move || logo::reencode(&bytes, kind)).await?;
        let encoded = encoded.map_err(|why| ImageFailure::Logo { kind, why })?;
        let path = self.blobs.put_hashed("logos", encoded.extension, encoded.bytes.clone()).await?;
        Ok(encoded.stored(path))
    }
}
