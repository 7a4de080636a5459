//! From what is known of a property to what it means: details, lead integrity, roof, utility bill, solar index and
//! buyer scores, each with the reasons for its figures.
//!
//! Everything here is pure and deterministic: no I/O, no clock, and the same figures on every platform, because every
//! step is either exact in IEEE 754 or uses `libm`'s own code instead of the system's. (Clippy refuses the others. One
//! library, which computes the skeletons of drawings, uses the system's functions; its points are rounded to a
//! nanometre.)
//!
//! ```
//! use shingle_domain::Evidence;
//! use shingle_domain::public::MeasureMethod;
//! use shingle_estimate::roof::measure;
//!
//! // Of this house only the assessor's record is known.
//! let evidence: Evidence = serde_json::from_value(serde_json::json!({
//!     "matched": { "level": "exact" },
//!     "place": {
//!         "address": {
//!             "streetNumber": "14", "streetAddress": "Alder Court", "city": "Portland", "state": "ME", "zip": "04103"
//!         },
//!         "buildings": [], "permits": [], "conflicts": [], "sources": [],
//!         "assessor": {
//!             "living_area_sqft": { "value": 1800.0, "source": 0 },
//!             "storeys": { "value": 2.0, "source": 0 }
//!         }
//!     }
//! }))?;
//!
//! let roof = measure(&evidence, None).ok_or("the record gives no area")?;
//! assert_eq!(roof.method, MeasureMethod::Records);
//! assert!((1_000..2_000).contains(&roof.area_sqft));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Decision
//!
//! Figures are the same on every platform: each step is exact in IEEE 754 or comes from `libm`, and Clippy refuses
//! standard functions whose last digit depends on the platform. Turned down: rounding the differences away in tests.

mod apartments;
mod building_use;
pub mod buyer;
pub mod calibration;
mod confirmation;
pub mod details;
mod figures;
mod household;
pub mod integrity;
mod no_home;
pub mod owner;
pub mod roof;
pub mod solar;
pub mod surname;
pub mod utility;

pub use confirmation::Confirmation;
