//! Connectors write a lead into other people's systems: a CRM, a chat, an advertiser's conversions, a sheet.
//!
//! A connector is a reviewed file of `assets/connectors`; no code of customers runs. It declares settings and one to
//! four requests. Texts of a request may hold expressions in `{{ }}`, which read `event`, `lead`, `company`,
//! `settings`, `reference`, `links`, `summary` and what earlier requests captured (`steps.NAME.CAPTURE`); after the
//! response, also `response.status`, `.headers`, `.json` and `.text`.
//!
//! - A JSON text that is one expression keeps the type of its value. What is `null` is left out, and so is an object
//!   whose `$when` is false.
//! - The host of a request is its `base`, or a setting of the kind `url`; every value in a path is percent-encoded.
//! - A field that is not there is an error that names it, unless `default` is given.
//!
//! ```
//! use std::collections::BTreeMap;
//! use shingle_deliver::connector::{ConnectorContext, ConnectorInput, ConnectorRun, ConnectorSettings, Plan, find};
//!
//! let template = find("slack").expect("a connector of this name");
//! let given = BTreeMap::from([("webhook_url".to_owned(), "https://hooks.slack.com/services/T/B/X".to_owned())]);
//! let settings = ConnectorSettings::parse(&template.settings, &given)?;
//! let lead = serde_json::json!({ "id": "lead_1", "firstName": "Dana", "lastName": "Whitfield",
//!     "email": "dana@example.com", "phone": null, "message": null, "address": "14 Alder Court, Portland, ME 04103" });
//! let context = ConnectorContext::new(ConnectorInput { lead, ..ConnectorInput::default() });
//! let now = shingle_domain::Timestamp::from_micros(1_795_371_120_000_000);
//! let run = ConnectorRun { template, settings: &settings, context: &context, now, instead: None };
//! let first = &run.plan()[0];
//! assert!(matches!(&first.plan, Plan::Send(request) if request.body.contains("Whitfield")), "{first:?}");
//! # Ok::<(), Vec<shingle_deliver::connector::SettingMistake>>(())
//! ```
//!
//! # Decisions
//!
//! - A connector is a reviewed file of expressions without statements: no loops or assignments, a value changes
//!   neither the host nor the shape of a request, and unknown names are found when the file is read. Turned down:
//!   customers' JavaScript, which needs a sandbox; full templates, whose loops and assignments exceed what a step
//!   limit can bound.
//! - What a connector has done is returned and passed in again, request by request, so a retry repeats nothing.
//!   Turned down: starting over, which makes a second contact where a target has no search.

mod built_in;
mod context;
mod delivery;
mod error;
mod escape;
mod expression;
mod file;
mod filters;
mod messages;
mod report;
mod request;
mod response;
mod run;
mod scope;
mod settings;
mod summary;
mod template;
mod tree;

pub use built_in::{built_in, find};
pub use context::{ConnectorContext, ConnectorInput};
pub(crate) use error::PLACED;
pub use error::{Mistake, SettingMistake, SettingProblem};
pub use file::{ConnectorKind, Rate, Tried};
pub use messages::{ExpressionProblem, LeftOut, RequestProblem, RunMessage};
pub use report::{
    ConnectorOutcome, ConnectorProgress, ConnectorRecord, ConnectorReport, ShownRequest, ShownResponse, StepReport,
};
pub use run::{ConnectorRun, Plan, PlannedRequest};
pub use settings::{ConnectorSettings, SettingDeclaration, SettingKind};
pub use template::ConnectorTemplate;
