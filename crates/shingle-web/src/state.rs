//! The state all routes share: the app, and what only routes use, grouped by family of routes.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::Cache;
use shingle_app::app::App;
use shingle_app::tokens::hex;
use shingle_store::Secret;

use crate::portal::{LiveLeads, PortalLimits, RelyingParty, RunningExports};
use crate::telemetry::Traces;
use crate::visitor::preview_image::{MAX_PREVIEW_IMAGES, PreviewImages};
use crate::visitor::qr_code::{MAX_QR_CODES, QrCodes};
use crate::web::proof_of_work::ProofOfWork;
use crate::web::rate_limits::RateLimits;
use crate::web::readiness::Readiness;
use crate::web::render_cache::{DescriptionCache, RenderCache};

pub struct Web {
    app: Arc<App>,
    /// Rate limits of visitors, widgets and API keys.
    pub limits: RateLimits,
    pub pages: PageCaches,
    pub portal: PortalState,
    pub probes: Probes,
    /// `None`: nothing is traced.
    pub traces: Option<Arc<dyn Traces>>,
    request_ids: RequestIds,
}

/// Rendered parts of visitors' pages, ready to send.
pub struct PageCaches {
    pub rendered: RenderCache,
    pub description: DescriptionCache,
    pub preview_images: PreviewImages,
    pub qr_codes: QrCodes,
}

/// What the portal keeps in memory.
pub struct PortalState {
    pub limits: PortalLimits,
    pub running_exports: RunningExports,
    /// `None`: devices make no passkeys for a server that is reached like this one.
    pub passkeys: Option<Arc<RelyingParty>>,
    /// Streams of the portal's lists.
    pub live_leads: LiveLeads,
}

/// Answers for monitoring.
pub struct Probes {
    pub readiness: Readiness,
}

/// Request ids that are unique to this process.
struct RequestIds {
    instance: String,
    count: AtomicU64,
}

impl Web {
    pub fn new(app: Arc<App>, secret: &Secret, traces: Option<Arc<dyn Traces>>) -> Result<Arc<Self>, getrandom::Error> {
        let mut instance = [0; 4];
        getrandom::fill(&mut instance)?;
        let work = ProofOfWork::new(&secret.derive("shingle 2026-11 proof of work"));
        Ok(Arc::new(Self {
            limits: RateLimits::new(&app.settings.limits, work, &app.clock).among_nodes(&app.store),
            pages: PageCaches {
                rendered: RenderCache::default(),
                description: DescriptionCache::default(),
                preview_images: Arc::new(Cache::new(MAX_PREVIEW_IMAGES)),
                qr_codes: Arc::new(Cache::new(MAX_QR_CODES)),
            },
            portal: PortalState {
                limits: PortalLimits::new(&app.clock),
                running_exports: RunningExports::default(),
                passkeys: RelyingParty::of(&app.base_url).map(Arc::new),
                live_leads: LiveLeads::default(),
            },
            probes: Probes { readiness: Readiness::default() },
            traces,
            request_ids: RequestIds { instance: hex(&instance), count: AtomicU64::new(0) },
            app,
        }))
    }

    /// The app alone, for work that needs no routes.
    pub fn app(&self) -> &Arc<App> {
        &self.app
    }

    /// Names one request in the log and in its response.
    pub(crate) fn request_id(&self) -> String {
        format!("{}-{:x}", self.request_ids.instance, self.request_ids.count.fetch_add(1, Ordering::Relaxed))
    }

    /// Drops the counters of callers that have been idle. Once a minute.
    pub fn evict_idle(&self) {
        self.limits.evict_idle();
        self.portal.limits.evict_idle();
    }
}

/// Handlers use the app's fields directly.
impl Deref for Web {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}
