//! The delivery engine: claims what is due, sends it, stores what came of it. Any number of nodes run one each over the
//! same database.

mod lanes;
mod metrics;
mod random;
mod recorder;
mod results;
mod settings;
mod worker;

pub use metrics::DeliveryMetrics;
pub use settings::EngineSettings;
pub use worker::Engine;
