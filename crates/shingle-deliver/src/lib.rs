//! Deliveries: events carried to webhooks, mailboxes and connectors. [`Engine`] claims what is due from the store and
//! hands it to a [`Transport`]; [`Egress`] is the only HTTP client of the program: it connects to public addresses and to
//! no others, however the address is spelled and no matter who provides it.
//!
//! ```
//! use shingle_deliver::{Egress, EgressError, EgressPolicy};
//!
//! let egress = Egress::new(EgressPolicy::default(), "Shingle")?;
//! assert!(egress.target("https://www.example.com/").is_ok());
//!
//! let metadata = egress.target("https://169.254.169.254/latest/meta-data/");
//! assert!(matches!(metadata, Err(EgressError::NotPublic { .. })));
//! # Ok::<(), EgressError>(())
//! ```

pub mod connector;
mod egress;
mod engine;
mod error;
mod exchange;
mod failure;
pub mod mail;
mod nat64;
mod policy;
mod policy_resolver;
pub mod push;
mod resolver;
mod schedule;
mod sign;
mod target;
mod transport;
pub mod webhook;

pub use egress::{Egress, FetchLimits, FetchOutcome, FetchedPage, Redirect};
pub use engine::{DeliveryMetrics, Engine, EngineSettings};
pub use error::{CertificateFault, EgressError};
pub use exchange::{ExchangeLimits, IncomingResponse, OutgoingRequest};
pub use policy::{AddressScope, EgressPolicy};
pub use reqwest::{Method, header};
pub use resolver::{ResolveFuture, Resolver, SystemResolver};
pub use schedule::{RetrySchedule, parse_retry_after};
pub use sign::{SigningKey, SigningSecret};
pub use target::Target;
pub use transport::{Job, Outcome, OutcomeFuture, Transport, Transports, Verdict};

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] = &[
    CertificateFault::SENTENCES,
    EgressError::SENTENCES,
    failure::DeliveryFailure::SENTENCES,
    connector::RunMessage::SENTENCES,
    connector::LeftOut::SENTENCES,
    connector::SettingProblem::SENTENCES,
    connector::ExpressionProblem::SENTENCES,
    connector::RequestProblem::SENTENCES,
    connector::PLACED,
    mail::MailError::SENTENCES,
    mail::SmtpUrlProblem::SENTENCES,
    mail::DkimKeyProblem::SENTENCES,
    mail::MailProblem::SENTENCES,
    mail::ServerFault::SENTENCES,
    mail::Unusable::SENTENCES,
    mail::MailAnswer::SENTENCES,
    mail::Encrypted::SENTENCES,
    mail::LoggedIn::SENTENCES,
];
