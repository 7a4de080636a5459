//! The transactional store: accounts, keys, usage, widgets, leads, idempotency keys and events in SQLite or
//! PostgreSQL, with one SQL text for both; and blobs (logos, QR codes) beside them.
//!
//! - Every function on tenant data takes `&Tenant` first. An id of another tenant is not found.
//! - The caller passes the time as a [`Clock`]; nothing here reads the system clock.
//! - What a function has returned is committed. A lead, its consent and its event are one transaction.
//! - Errors are one enum, [`StoreError`], which knows nothing of HTTP.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//!
//! use shingle_domain::{Environment, Timestamp};
//! use shingle_store::{Clock, Secret, Store};
//!
//! struct Noon;
//!
//! impl Clock for Noon {
//!     fn now(&self) -> Timestamp {
//!         Timestamp::from_micros(1_773_144_000_000_000)
//!     }
//!
//!     fn elapsed(&self) -> Duration {
//!         Duration::ZERO
//!     }
//! }
//!
//! # tokio::runtime::Runtime::new()?.block_on(async {
//! let folder = tempfile::tempdir()?;
//! let address = format!("sqlite://{}", folder.path().join("shingle.db").display());
//! let store = Store::open(&address, Arc::new(Noon), &Secret::generate()?).await?;
//!
//! let account = store.create_account("Acme Roofing").await?;
//! let key = store.issue_key(account.id, Environment::Sandbox).await?;
//! let caller = store.authenticate(&key.secret, [192, 0, 2, 1].into()).await?;
//! assert_eq!(caller.map(|caller| caller.tenant), Some(key.tenant));
//! store.close().await?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[macro_use]
mod row;

mod account;
mod account_keys;
mod account_overview;
mod actor;
mod api_request;
mod audit;
mod blob;
mod caches;
mod change;
mod cipher;
mod circuit;
mod clock;
mod closing;
mod company;
mod connect;
mod consent;
mod consent_chain;
mod consent_check;
mod consent_texts;
mod cursor;
mod data_key;
mod db;
mod delivery;
mod delivery_log;
mod delivery_result;
mod destination;
mod destination_kind;
mod dialect;
mod email_change;
mod error;
mod event;
mod fan_out;
mod former_name;
mod group;
mod held_leads;
mod homeowner_change;
mod installation_keys;
mod invite;
mod key;
mod key_terms;
mod keyed_hash;
mod known_before;
mod lead;
mod lead_beside;
mod lead_draft;
mod lead_facets;
mod lead_index;
mod lead_link;
mod lead_list;
mod lead_origin;
mod lead_photo;
mod lead_refresh;
mod lead_results;
mod lead_search;
mod lead_view;
mod lead_won;
mod lead_work;
mod list_cursor;
mod mailbox;
mod metering;
mod notice;
mod packing;
mod passkey;
mod passkey_ceremony;
mod patience;
mod person;
mod portal_token;
mod portal_visit;
mod push_device;
mod record_cache;
mod recovery_code;
mod redact;
mod reencryption;
mod repeated_address;
mod retention;
mod rotation;
mod same_person;
mod saved_view;
mod search_token;
mod secret;
mod sign_in;
mod store;
mod stored_widget;
mod submission;
mod submission_group;
mod submission_queue;
mod submission_rows;
mod usage_buffer;
mod usage_report;
mod usage_sum;
mod user;
mod user_session;
mod visit_buffer;
mod visit_counts;
mod widget;
mod widget_draft;
mod widget_preview;
mod widget_sighting;
mod widget_version;

pub use account::Account;
pub use account_overview::AccountOverview;
pub use actor::{Actor, act_as, acting, acting_now};
pub use api_request::RequestKey;
pub use audit::{AUDIT_KEPT, AuditEntry, AuditFilter};
pub use blob::{Blob, Blobs};
pub use change::Change;
pub use circuit::FAILURES_TO_OPEN;
pub use clock::Clock;
pub use closing::{Closing, REOPENABLE};
pub use company::Company;
pub use consent_check::ConsentCheck;
pub use consent_texts::ConsentText;
pub use cursor::Cursor;
pub use delivery::{Attempt, ClaimedDelivery, ClaimedEvent, DestinationHealth, FinishReport, FinishedDelivery, Next};
pub use delivery_log::{Delivery, DeliveryBacklog, DeliveryFilter, DeliveryPage, DeliveryState};
pub use destination::{Destination, DestinationDraft};
pub use destination_kind::DestinationKind;
pub use email_change::{EMAIL_CHANGE_LIFETIME, EmailChange};
pub use error::{OpenFault, Refusal, StoreError};
pub use event::{Event, EventId};
pub use former_name::FormerName;
pub use homeowner_change::HomeownerChange;
pub use invite::{CLAIM_LIFETIME, INVITE_LIFETIME, Invite, InviteDraft};
pub use key::{ApiKey, Caller, IssuedKey, KeyState};
pub use key_terms::{KeyTerms, Network};
pub use lead::{LeadFilter, LeadPage, OwnerChange};
pub use lead_beside::Beside;
pub use lead_draft::{AcceptedLead, ConsentDraft, LeadDraft, SpamReason, SubmissionOutcome};
pub use lead_link::FIRST_LINK_VERSION;
pub use lead_list::{LeadCounts, LeadList, LeadQuery, LeadSort};
pub use lead_origin::{LeadOrigin, counted_from, other_host};
pub use lead_photo::ReservedPhoto;
pub use lead_results::{LeadOutcome, OutcomeFilter};
pub use lead_work::{Assignee, EntryKind, LeadEntry, LeadWork};
pub use list_cursor::{ListCursor, ListPlace};
pub use mailbox::MailConfig;
pub use metering::Admission;
pub use passkey::{FirstPasskey, MAX_PASSKEY_NAME, MAX_PASSKEYS, NewPasskey, Passkey};
pub use passkey_ceremony::{BegunCeremony, CEREMONY_LIFETIME, CeremonyKind, TakenCeremony};
pub use patience::promptly;
pub use person::{Person, PersonRecord, Recipient};
pub use portal_visit::{VISIT_LIFETIME, Visit};
pub use push_device::{PushDevice, PushOwner, PushReader, PushSubscription};
pub use recovery_code::RECOVERY_CODES;
pub use redact::redact_password;
pub use reencryption::Reencryption;
pub use repeated_address::RepeatedAddress;
pub use retention::{DueForErasure, Retention};
pub use rotation::Rotation;
pub use saved_view::SavedView;
pub use secret::Secret;
pub use sign_in::{CodeCheck, LinkState, SIGN_IN_LIFETIME, SignInMail, SignInRequest};
pub use store::Store;
pub use stored_widget::StoredWidget;
pub use usage_report::UsageLine;
pub use usage_sum::UsageSum;
pub use user::User;
pub use user_session::{SESSION_IDLE, SESSION_LIFETIME, Session, SessionOrigin, SignInWay};
pub use visit_buffer::StepCounts;
pub use visit_counts::{VisitFilter, VisitsBy};
pub use widget_draft::{SavedDraft, SeenWidget};
pub use widget_sighting::CheckedPage;
pub use widget_version::WidgetVersion;
