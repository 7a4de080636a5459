//! An event's destinations: their deliveries are written in the event's own transaction.

use std::time::Duration;

use serde::Serialize;
use shingle_domain::event::EventKind;
use shingle_domain::notice::NoticeSettings;
use shingle_domain::widget::Widget;
use shingle_domain::{DeliveryId, DestinationId, Tenant, WidgetId};
use uuid::Uuid;

use crate::StoreError;
use crate::deliveries::Deliveries;
use crate::deliveries::circuit::Skip;
use crate::deliveries::event::{EventId, EventSubject, RecordedEvent};
use crate::destinations::destination::{Destination, DestinationDraft};
use crate::destinations::kind::DestinationKind;
use crate::destinations::mailbox::{MAIL_TIMEOUT_SECONDS, MailConfig, follows_company_email};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional};
use crate::engine::dialect;
use crate::engine::stored_message::to_stored;
use crate::leads::draft::AddedBy;
use crate::store::{columns, from_json};

/// A row of `delivery`, as JSON.
#[derive(Serialize)]
pub(crate) struct DeliveryRow {
    id: DeliveryId,
    account_id: String,
    environment: &'static str,
    event_id: EventId,
    destination_id: String,
    kind: &'static str,
    resource_id: String,
    sequence: i64,
    step: i64,
    state: &'static str,
    reason: Option<String>,
    due_at: i64,
    created_at: i64,
    completed_at: Option<i64>,
}

macro_rules! insert_deliveries {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO delivery (id, account_id, environment, event_id, destination_id, kind, resource_id, sequence,
                                   step, state, reason, attempts, due_at, claim, created_at, completed_at)
             SELECT id, account_id, environment, event_id, destination_id, kind, resource_id, sequence,
                    step, state, reason, 0, due_at, '', created_at, completed_at FROM given"
        )
    };
}

impl Deliveries<'_> {
    pub(crate) async fn fan_out(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        subject: EventSubject,
        event: &RecordedEvent,
    ) -> Result<(), StoreError> {
        let destinations = self.destinations_of(tx, tenant, subject).await?;
        let rows = self.delivery_rows(tx, &destinations, subject, event).await?;
        self.insert_deliveries(tx, &rows).await
    }

    /// Who is notified of it.
    pub(crate) async fn destinations_of(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        subject: EventSubject,
    ) -> Result<Vec<Destination>, StoreError> {
        let mut destinations = self.store.destinations().destinations_in(tx, tenant).await?;
        if let Some(widget) = subject.widget
            && matches!(
                subject.kind,
                EventKind::LeadCreated | EventKind::WidgetUpdated | EventKind::Digest | EventKind::StepReminder
            )
            && !subject.spam
        {
            self.keep_company_mailbox(tx, tenant, (widget, subject.kind), &mut destinations).await?;
        }
        destinations.retain(|destination| accepts(destination, subject));
        Ok(destinations)
    }

    /// Those that do not notify this person, who knows already.
    pub(crate) async fn without_person(
        self,
        tx: &mut Tx<'_>,
        destinations: &[Destination],
        person: &AddedBy,
    ) -> Result<Vec<Destination>, StoreError> {
        let devices = fetch_all!(
            tx,
            (String, String),
            "SELECT production_id, sandbox_id FROM push_device WHERE user_id = $1",
            person.id.to_string()
        )?;
        let is_theirs = |destination: &Destination| match destination.draft.kind {
            DestinationKind::Mail => destination.draft.address.eq_ignore_ascii_case(person.email.as_str()),
            DestinationKind::Push => {
                let id = destination.id.to_string();
                devices.iter().any(|(production, sandbox)| *production == id || *sandbox == id)
            }
            _ => false,
        };
        Ok(destinations.iter().filter(|destination| !is_theirs(destination)).cloned().collect())
    }

    /// The deliveries of an event, which the caller inserts.
    pub(crate) async fn delivery_rows(
        self,
        tx: &mut Tx<'_>,
        destinations: &[Destination],
        subject: EventSubject,
        event: &RecordedEvent,
    ) -> Result<Vec<DeliveryRow>, StoreError> {
        let mut rows = Vec::new();
        for destination in destinations {
            for step in steps(destination, subject.kind) {
                rows.push(self.delivery_row(tx, destination, subject, event, step).await?);
            }
        }
        Ok(rows)
    }

    /// One delivery, `step` minutes after now.
    pub(crate) async fn write_delivery(
        self,
        tx: &mut Tx<'_>,
        destination: &Destination,
        subject: EventSubject,
        event: &RecordedEvent,
        step: u32,
    ) -> Result<DeliveryId, StoreError> {
        let row = self.delivery_row(tx, destination, subject, event, step).await?;
        let id = row.id;
        self.insert_deliveries(tx, &[row]).await?;
        Ok(id)
    }

    async fn delivery_row(
        self,
        tx: &mut Tx<'_>,
        destination: &Destination,
        subject: EventSubject,
        event: &RecordedEvent,
        step: u32,
    ) -> Result<DeliveryRow, StoreError> {
        let now = self.store.now();
        // A new lead has no earlier event.
        let may_wait = destination.draft.ordered && subject.kind != EventKind::LeadCreated;
        let (state, reason) = if !destination.draft.active {
            ("skipped", Some(to_stored(&Skip::SwitchedOff)))
        } else if may_wait && self.has_earlier(tx, destination.id, subject.resource).await? {
            ("waiting", None)
        } else {
            ("pending", None)
        };
        let due = (now + Duration::from_secs(u64::from(step) * 60)).max(destination.blocked_until);
        Ok(DeliveryRow {
            id: DeliveryId(self.store.new_id()?),
            account_id: destination.tenant.account.to_string(),
            environment: destination.tenant.environment.as_str(),
            event_id: event.id.clone(),
            destination_id: destination.id.to_string(),
            kind: subject.kind.as_str(),
            resource_id: subject.resource.to_string(),
            sequence: event.sequence,
            step: i64::from(step),
            state,
            reason,
            due_at: due.micros(),
            created_at: now.micros(),
            completed_at: (state == "skipped").then_some(now.micros()),
        })
    }

    pub(crate) async fn insert_deliveries(self, tx: &mut Tx<'_>, rows: &[DeliveryRow]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let sql = match self.store.db {
            Db::Sqlite { .. } => {
                insert_deliveries!(dialect::given_rows!(sqlite: id text, account_id text, environment text,
                event_id text, destination_id text, kind text, resource_id text, sequence bigint, step bigint,
                state text, reason text, due_at bigint, created_at bigint, completed_at bigint))
            }
            Db::Postgres(_) => {
                insert_deliveries!(dialect::given_rows!(postgres: id text, account_id text, environment text,
                event_id text, destination_id text, kind text, resource_id text, sequence bigint, step bigint,
                state text, reason text, due_at bigint, created_at bigint, completed_at bigint))
            }
        };
        execute!(tx, sql, serde_json::to_string(rows)?)?;
        Ok(())
    }

    /// Whether an event of the same resource is still on its way there. The destination is locked first: its worker
    /// locks it too before it lets the next one go.
    async fn has_earlier(self, tx: &mut Tx<'_>, id: DestinationId, resource: Uuid) -> Result<bool, StoreError> {
        let id = id.to_string();
        let still_ordered =
            execute!(tx, "UPDATE destination SET ordered = ordered WHERE id = $1 AND ordered = $2", &id, true)?;
        if still_ordered == 0 {
            return Ok(false);
        }
        let earlier = fetch_optional!(
            tx,
            (i64,),
            "SELECT COUNT(*) FROM delivery
              WHERE destination_id = $1 AND resource_id = $2 AND state IN ('pending', 'waiting')",
            &id,
            resource.to_string()
        )?;
        Ok(earlier.is_some_and(|(n,)| n > 0))
    }

    /// Where an account names no recipients, its widget's `companyEmail` is notified: from the first lead on, and
    /// wherever it moves.
    async fn keep_company_mailbox(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        (id, kind): (WidgetId, EventKind),
        destinations: &mut Vec<Destination>,
    ) -> Result<(), StoreError> {
        let settings = self.store.destinations().notice_settings_in(tx, tenant).await?.unwrap_or_default();
        if !settings.recipients.is_empty() {
            return Ok(());
        }
        let (account, environment) = columns(tenant);
        let row = fetch_optional!(
            tx,
            (String,),
            // A test lead of a live widget is test data, and the widget is not.
            "SELECT config FROM widget
              WHERE reference_id = $1 AND account_id = $2 AND (environment = $3 OR $3 = 'sandbox')
              ORDER BY CASE WHEN environment = $3 THEN 0 ELSE 1 END LIMIT 1",
            id.to_string(),
            &account,
            environment
        )?;
        let Some((config,)) = row else { return Ok(()) };
        let widget: Widget = from_json("widget", &id.to_string(), &config)?;
        let mut draft = company_mailbox(&settings, &widget)?;
        match destinations.iter_mut().find(|d| follows_company_email(d) && d.draft.widgets == [id]) {
            Some(known) => {
                let refused = known.inactive_reason.is_some() && known.updated_at + REFUSED_FOR > self.store.now();
                draft.active = known.draft.active || !refused || known.draft.address != draft.address;
                if known.draft != draft {
                    let was_active = std::mem::replace(&mut known.draft, draft).active;
                    self.store.destinations().update(tx, known, was_active).await?;
                }
            }
            None if matches!(kind, EventKind::LeadCreated | EventKind::Digest) => {
                let made =
                    self.store.destinations().insert(tx, tenant, DestinationId(self.store.new_id()?), &draft).await?;
                destinations.push(made);
            }
            None => {}
        }
        Ok(())
    }
}

/// A `companyEmail` whose mail was refused gets none for so long; then the next lead tries it again, since nobody else is
/// told.
const REFUSED_FOR: Duration = Duration::from_secs(24 * 3_600);

fn company_mailbox(settings: &NoticeSettings, widget: &Widget) -> Result<DestinationDraft, StoreError> {
    let config = MailConfig { steps: settings.steps(0), company_email: true, ..MailConfig::default() };
    Ok(DestinationDraft {
        kind: DestinationKind::Mail,
        name: widget.company_name.clone(),
        address: widget.company_email.to_string(),
        events: vec![EventKind::LeadCreated, EventKind::DestinationOff, EventKind::MailRefused],
        widgets: vec![widget.reference_id],
        active: true,
        ordered: false,
        timeout_seconds: MAIL_TIMEOUT_SECONDS,
        config: serde_json::to_string(&config)?,
        secrets: None,
    })
}

fn accepts(destination: &Destination, subject: EventSubject) -> bool {
    let draft = &destination.draft;
    // A recipient who is no longer notified has nothing to replay either.
    let removed = !draft.active
        && match draft.kind {
            // Its push service knows it no more, or has failed for days.
            DestinationKind::Push => true,
            kind => kind.is_mailbox() && destination.inactive_reason.is_none(),
        };
    let wanted = match subject.kind {
        // People notified of leads are notified of their visits.
        EventKind::InspectionAsked => {
            draft.kind == DestinationKind::Mail && draft.events.contains(&EventKind::LeadCreated)
        }
        // And of what the homeowner answers, also to quotes and emails, and of next steps of leads that are nobody's.
        EventKind::LeadAnswered | EventKind::StepReminder | EventKind::QuoteAnswered | EventKind::ReplyAnswered => {
            matches!(draft.kind, DestinationKind::Mail | DestinationKind::Push)
                && draft.events.contains(&EventKind::LeadCreated)
        }
        // For a held lead, the people who would have been notified of it.
        EventKind::Digest if subject.widget.is_some() => follows_company_email(destination),
        kind => draft.events.contains(&kind),
    };
    !removed
        && wanted
        && (draft.widgets.is_empty() || subject.widget.is_none_or(|id| draft.widgets.contains(&id)))
        && !(subject.spam && draft.kind.is_notice())
}

/// Minutes after the event at which this destination is notified.
fn steps(destination: &Destination, kind: EventKind) -> Vec<u32> {
    if kind == EventKind::LeadAnswered {
        return vec![1];
    }
    if destination.draft.kind != DestinationKind::Mail || kind != EventKind::LeadCreated {
        return vec![0];
    }
    // Damaged settings notify at once: they must not keep a lead from being stored.
    serde_json::from_str::<MailConfig>(&destination.draft.config).unwrap_or_default().steps
}
