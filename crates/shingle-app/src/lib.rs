//! What Shingle does, below HTTP and the command line: leads, widgets, destinations, look-ups, notices, imports, checks
//! and maintenance. No axum, no clap.
//!
//! Settings come from built-in values, a file, environment variables and flags:
//!
//! ```
//! use std::path::Path;
//!
//! use shingle_app::config::Settings;
//!
//! let settings = Settings { data: "/srv/shingle".into(), ..Settings::default() };
//! assert_eq!(settings.property(), Path::new("/srv/shingle/property"));
//! assert_eq!(settings.base_url(settings.listen), "http://localhost:8080");
//! assert!(!settings.trusts("192.0.2.1".parse().unwrap()), "no proxy is trusted unless it is named");
//! ```

pub mod aerial;
pub mod answers;
pub mod app;
pub mod appointments;
pub mod areas;
pub mod backup;
mod bounded_image;
pub mod bucket;
pub mod calendar_feeds;
pub mod calibration_file;
pub mod checks;
pub mod chores;
pub mod clock;
pub mod company_site;
pub mod config;
pub mod connectors;
pub mod consent_page;
pub mod domain_checks;
mod erasure;
pub mod failure;
pub mod file_owner;
pub mod health_board;
pub mod heavy_work;
pub mod https;
pub mod image_failure;
pub mod imports;
pub mod installation;
pub mod installation_proof;
pub mod known_homes;
pub mod lead_csv;
pub mod lead_files;
pub mod lead_import;
pub mod lead_materials;
pub mod lead_pages;
pub mod lead_reference;
pub mod lead_results;
pub mod leads;
pub mod log_span;
pub mod logo;
pub mod look_ups;
pub mod mail_failure;
pub mod metrics;
pub mod monthly_report;
pub mod nodes;
pub mod notice_settings;
pub mod notices;
pub mod object_address;
pub mod open_files;
pub mod operator_error;
pub mod own_domains;
pub mod own_health;
pub mod photo;
pub mod photos;
pub mod property_indexes;
pub mod quotes;
pub mod refusal;
pub mod runtime;
pub mod secret_text;
pub mod self_booking;
pub mod self_booking_words;
mod setting_values;
pub mod shared_homes;
pub mod sightings;
pub mod site_check;
pub mod site_connection;
pub mod site_failure;
pub mod stop_watch;
pub mod tokens;
pub mod usage_report;
mod vector_logo;
pub mod visit_count;
pub mod visits;
pub mod webhook_record;
pub mod webhooks;

pub use operator_error::OperatorError;

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] = &[
    areas::AreaRefusal::SENTENCES,
    areas::AreaFix::SENTENCES,
    areas::RangeFault::SENTENCES,
    areas::HeldWhy::SENTENCES,
    areas::SurveyFault::SENTENCES,
    areas::PhotoFault::SENTENCES,
    site_failure::SiteFailure::SENTENCES,
    connectors::ConnectionError::SENTENCES,
    connectors::NoSubject::SENTENCES,
    connectors::NotSent::SENTENCES,
    notices::NoNotice::SENTENCES,
    notices::PushFailure::SENTENCES,
    backup::BackupFault::SENTENCES,
    backup::BackupFix::SENTENCES,
    bucket::BucketFault::SENTENCES,
    bucket::BucketFix::SENTENCES,
    aerial::HideFault::SENTENCES,
    aerial::LoadFault::SENTENCES,
    shared_homes::SharedHomesFault::SENTENCES,
    shared_homes::SharedHomesFix::SENTENCES,
    nodes::NodeFault::SENTENCES,
    nodes::NodeFix::SENTENCES,
    nodes::NodeDifference::SENTENCES,
    object_address::AddressFault::SENTENCES,
    config::BucketSettingFault::SENTENCES,
    config::BucketSettingFix::SENTENCES,
    own_health::HealthFault::SENTENCES,
    checks::Finding::SENTENCES,
    checks::DataSetSize::SENTENCES,
    checks::AreaTold::SENTENCES,
    checks::Scheme::SENTENCES,
    checks::ClockOwner::SENTENCES,
    checks::Fault::SENTENCES,
    checks::Fix::SENTENCES,
    config::SettingsFault::SENTENCES,
    config::SettingsFix::SENTENCES,
    https::CertificateState::SENTENCES,
    https::CertificateFix::SENTENCES,
    installation::FolderFault::SENTENCES,
    mail_failure::MailFault::SENTENCES,
    mail_failure::MailFix::SENTENCES,
    operator_error::StoreFault::SENTENCES,
    operator_error::StoreFix::SENTENCES,
    imports::CellProblem::SENTENCES,
    imports::ImportEnd::SENTENCES,
    imports::UploadError::SENTENCES,
    refusal::Refusal::SENTENCES,
    logo::LogoError::SENTENCES,
    photo::PhotoError::SENTENCES,
    bounded_image::DecodeError::SENTENCES,
];
