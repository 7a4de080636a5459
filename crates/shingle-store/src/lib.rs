//! The transactional store: accounts, keys, usage, widgets, leads, idempotency keys and events in SQLite or
//! PostgreSQL, with one SQL text for both; and blobs (logos, QR codes) beside them.
//!
//! - Every function on tenant data takes `&Tenant` first. An id of another tenant is not found.
//! - The caller passes the time as a [`Clock`]; nothing here reads the system clock.
//! - What a function has returned is committed. A lead, its consent and its event are one transaction.
//! - Errors are one enum, [`StoreError`], which knows nothing of HTTP.
//!
//! One folder for each subject: `accounts`, `people`, `widgets`, `leads`, `consents`, `usage`, `destinations`,
//! `deliveries`, `audit` and `nodes`. Each has a facet of the store with its methods: `store.leads().accept(…)`. `encryption` seals
//! personal data; `engine` is what all of them stand on. The tables are in `migrations/0001_initial.sql`.
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
//! let account = store.accounts().create("Acme Roofing").await?;
//! let key = store.accounts().issue_key(account.id, Environment::Sandbox).await?;
//! let caller = store.accounts().authenticate(&key.secret, [192, 0, 2, 1].into()).await?;
//! assert_eq!(caller.map(|caller| caller.tenant), Some(key.tenant));
//! store.close().await?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[macro_use]
mod engine;

mod accounts;
mod audit;
mod blob;
mod clock;
mod consents;
mod deliveries;
mod destinations;
mod encryption;
mod error;
mod hidden_homes;
mod leads;
mod nodes;
mod people;
mod store;
mod usage;
mod widgets;

pub use accounts::Accounts;
pub use accounts::account::Account;
pub use accounts::api_request::RequestKey;
pub use accounts::calendar_link::CalendarOwner;
pub use accounts::closing::{Closing, REOPENABLE};
pub use accounts::company::{Brand, Company};
pub use accounts::key::{ApiKey, Caller, IssuedKey, KeyState};
pub use accounts::key_terms::{KeyTerms, Network};
pub use accounts::overview::AccountOverview;
pub use accounts::own_domain::{DomainFault, OwnDomain};
pub use accounts::reply_template::{ReplyChange, ReplyTemplate};
pub use accounts::retention::{DueForErasure, Retention};
pub use accounts::sender::Sender;
pub use audit::Audit;
pub use audit::actor::{Actor, ActorContext, act_as, acting, see_only, spawn_acting};
pub use audit::change::Change;
pub use audit::log::{AUDIT_KEPT, AuditEntry, AuditFilter};
pub use blob::{Blob, Blobs};
pub use clock::Clock;
pub use consents::Consents;
pub use consents::check::ConsentCheck;
pub use consents::texts::ConsentText;
pub use deliveries::Deliveries;
pub use deliveries::circuit::FAILURES_TO_OPEN;
pub use deliveries::delivery::{
    Attempt, ClaimedDelivery, ClaimedEvent, DestinationHealth, FinishReport, FinishedDelivery, Next,
};
pub use deliveries::event::{Event, EventId};
pub use deliveries::log::{Delivery, DeliveryBacklog, DeliveryFilter, DeliveryPage, DeliveryState};
pub use destinations::Destinations;
pub use destinations::destination::{Destination, DestinationDraft};
pub use destinations::kind::DestinationKind;
pub use destinations::mailbox::MailConfig;
pub use destinations::push_device::{PushDevice, PushOwner, PushReader, PushSubscription};
pub use encryption::Encryption;
pub use encryption::reencryption::Reencryption;
pub use encryption::rotation::Rotation;
pub use encryption::secret::Secret;
pub use engine::changes::newest_schema;
pub use engine::copying::{DatabaseCopy, Engine, copy_database, engine_of, is_vacant};
pub use engine::cursor::Cursor;
pub use engine::patience::promptly;
pub use engine::redact::redact_password;
pub use engine::snapshot::restore_postgres;
pub use error::{OpenFault, Refusal, StoreError, StoreMessage};
pub use hidden_homes::{HiddenHome, HiddenHomes};
pub use leads::Leads;
pub use leads::answer::{Answer, AnswerKind, AnswerOutcome, AnsweredEmail, MAX_ANSWERS_A_DAY, ReplyAnswer};
pub use leads::appointment::{Booked, BookingOrder, Canceler};
pub use leads::appointment_notice::{APPOINTMENTS_OF_HOMEOWNERS, Addressee, AppointmentNotice, Telling};
pub use leads::contact_stop::Contact;
pub use leads::draft::{AcceptedLead, AddedBy, ConsentDraft, FromFile, LeadDraft, SpamReason, SubmissionOutcome};
pub use leads::edit::{ContactEdit, EditOutcome, EditedHome, SeenContact};
pub use leads::estimate_link::FIRST_LINK_VERSION;
pub use leads::file::{FileDraft, FileKind, LeadFile, MAX_FILES, ReservedFile};
pub use leads::file_import::{ImportProgress, ImportStage, LeadImport};
pub use leads::homeowner_change::HomeownerChange;
pub use leads::lead::{LeadFilter, LeadPage, OwnerChange};
pub use leads::lead_rules::{LeadRules, PlaceProblem, PlaceRule, StoredLeadRules};
pub use leads::list::{LeadCounts, LeadList, LeadQuery, LeadSort};
pub use leads::list_cursor::{ListCursor, ListPlace};
pub use leads::merge::{MergeOutcome, MergedLead};
pub use leads::merge_choice::MergeChoice;
pub use leads::neighbors::Beside;
pub use leads::note::NoteChange;
pub use leads::origin::{LeadOrigin, counted_from, other_host};
pub use leads::person_data::{Person, PersonFile, PersonQuote, PersonRecord, Recipient};
pub use leads::photo::ReservedPhoto;
pub use leads::quote::{MAX_QUOTES, QuoteOutcome, QuoteReply, QuoteSending};
pub use leads::quote_notice::{QUOTES_OF_HOMEOWNERS, QuoteNotice, QuoteTelling};
pub use leads::reference::reference;
pub use leads::repeated_address::RepeatedAddress;
pub use leads::reply::{REPLIES, ReplyNotice};
pub use leads::results::{LeadOutcome, OutcomeFilter};
pub use leads::saved_view::SavedView;
pub use leads::self_booking::PickedTime;
pub use leads::step_reminder::{DueStep, NEXT_STEPS, StepReminder};
pub use leads::tag::{KnownTag, TagChange};
pub use leads::want::LeadWant;
pub use leads::work::{Assignee, EntryKind, LeadEntry, LeadWork, PlannedStep};
pub use nodes::Nodes;
pub use nodes::homes_place::{HomesPlace, HomesQuestion};
pub use nodes::limit_use::LimitUse;
pub use nodes::node::{NodeFacts, OtherNode};
pub use people::People;
pub use people::company::{JoinFault, OwnCompany};
pub use people::email_change::{EMAIL_CHANGE_LIFETIME, EmailChange};
pub use people::impersonation::{VISIT_LIFETIME, Visit};
pub use people::invite::{CLAIM_LIFETIME, INVITE_LIFETIME, Invite, InviteDraft};
pub use people::passkey::{FirstPasskey, MAX_PASSKEY_NAME, MAX_PASSKEYS, NewPasskey, Passkey};
pub use people::passkey_ceremony::{BegunCeremony, CEREMONY_LIFETIME, CeremonyKind, TakenCeremony};
pub use people::recovery_code::RECOVERY_CODES;
pub use people::session::{SESSION_IDLE, SESSION_LIFETIME, Session, SessionOrigin, SignInWay};
pub use people::sign_in::{CodeCheck, LinkState, SIGN_IN_LIFETIME, SignInMail, SignInRequest};
pub use people::user::User;
pub use store::Store;
pub use usage::Usage;
pub use usage::metering::Admission;
pub use usage::report::UsageLine;
pub use usage::sum::UsageSum;
pub use widgets::Widgets;
pub use widgets::draft::{SavedDraft, SeenWidget};
pub use widgets::former_name::FormerName;
pub use widgets::sighting::CheckedPage;
pub use widgets::stored::StoredWidget;
pub use widgets::version::WidgetVersion;
pub use widgets::visit_buffer::StepCounts;
pub use widgets::visit_counts::{VisitFilter, VisitsBy};

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] = &[
    deliveries::circuit::SwitchOff::SENTENCES,
    deliveries::circuit::Skip::SENTENCES,
    Refusal::SENTENCES,
    StoreMessage::SENTENCES,
    error::OpenProblem::SENTENCES,
];
