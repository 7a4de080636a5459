//! What the company's people do about a lead: whose it is, what comes next, what was noted and changed by whom. It is the
//! company's own: no event carries it.

use core::str::FromStr;
use std::collections::HashMap;

use shingle_domain::inspection::VisitDate;
use shingle_domain::lead::LeadStatus;
use shingle_domain::next_step::{Due, DueTime};
use shingle_domain::notice::TimeOfDay;
use shingle_domain::{AccountId, EntryId, LeadId, Tenant, Timestamp, UserId};

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::seen::is_seen;
use crate::people::user::User;
use crate::store::{columns, given_ids, parse_id};

/// Whose lead it is, and what comes next.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LeadWork {
    /// With the name as it is now.
    pub assignee: Option<(UserId, String)>,
    pub next_step: Option<String>,
    pub due: Option<Due>,
}

/// What comes next, as it is planned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlannedStep<'s> {
    /// Empty: nothing.
    pub step: &'s str,
    pub due: Option<Due>,
    /// A moment that has passed reminds nobody.
    pub remind_at: Option<Timestamp>,
}

impl<'s> PlannedStep<'s> {
    pub fn of(step: &'s str, due: Option<Due>) -> Self {
        Self { step, due, remind_at: None }
    }
}

/// What an entry says was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// Its text is what was written.
    Note,
    /// Its text is the new status.
    Status,
    /// Its text is a name; empty: nobody's.
    Assigned,
    /// Its text is the step; empty: nothing is planned.
    NextStep,
    /// Its text is the step that is done.
    StepDone,
    /// Somebody is on it.
    Taken,
    /// Its text is what it was worth, in cents; empty: nothing is said.
    Worth,
    /// Its text is the time and who goes, as that of the next ones: `2026-11-23 13:00 Tomas Okafor`.
    Booked,
    Moved,
    /// Behind the time: why.
    Canceled,
    /// The homeowner agrees to the time.
    Agreed,
    /// Its text is a day and its part: `2026-11-24 morning`. The homeowner asks for it.
    OtherTime,
    TookPlace,
    NobodyHome,
    NotGone,
    /// A colleague says that the homeowner was told of the time by text.
    Texted,
    /// Somebody of the company added the lead.
    Added,
    /// Somebody of the company brought the lead in with a file. Its text is the file's name.
    Imported,
    /// Its text is the tag.
    Tagged,
    Untagged,
    /// Its text is `email` or `text`, the subject, and the message, a line each. Nobody has said that it was sent.
    ReplyPrepared,
    /// As that, and its author says that it was sent.
    Replied,
    /// Its text is the id of the event that sends it with a hash of the address, the subject, and the message, a line each.
    EmailSent,
    /// An email of the homeowner. Its text is its id, who it is from, the subject, the names of its attachments, and the
    /// message, a line each.
    Answered,
    /// As that, written by a machine: somebody is away.
    AnsweredByMachine,
    /// An email came back. Its text is the id of the entry of the email, and why on a second line.
    Bounced,
    /// The homeowner wants no more emails.
    EmailsStopped,
    /// The homeowner wants emails again.
    EmailsResumed,
    NoteEdited,
    /// What was a note; its text is gone.
    NoteDeleted,
    /// Its text is the reason and, on a second line, more.
    Lost,
    /// Its text is the field, what was in it, and what is in it now, a line each.
    Edited,
    /// Its text is the name of the file.
    FileAdded,
    FileDeleted,
    /// Its text is the name of who got the new lead, and on a second line the place for which a rule gave it.
    GivenByRule,
    /// Its text is the id of the lead that was merged into this one.
    Merged,
    /// Its text is the id of the lead that this one was merged into.
    MergedAway,
    /// Its text is the id of the other lead.
    Unmerged,
    /// Its text is the number of the quote, as of the next ones.
    QuoteSent,
    QuoteWithdrawn,
    /// Behind the number: the choice, and its price in cents, a line each. Without an author: the homeowner.
    QuoteAccepted,
    /// Behind the number: why.
    QuoteDeclined,
}

impl EntryKind {
    const ALL: [(Self, &'static str); 42] = [
        (Self::Note, "note"),
        (Self::Status, "status"),
        (Self::Assigned, "assigned"),
        (Self::NextStep, "nextStep"),
        (Self::StepDone, "stepDone"),
        (Self::Taken, "taken"),
        (Self::Worth, "worth"),
        (Self::Booked, "booked"),
        (Self::Moved, "moved"),
        (Self::Canceled, "canceled"),
        (Self::Agreed, "agreed"),
        (Self::OtherTime, "otherTime"),
        (Self::TookPlace, "tookPlace"),
        (Self::NobodyHome, "nobodyHome"),
        (Self::NotGone, "notGone"),
        (Self::Texted, "texted"),
        (Self::Added, "added"),
        (Self::Imported, "imported"),
        (Self::Tagged, "tagged"),
        (Self::Untagged, "untagged"),
        (Self::ReplyPrepared, "replyPrepared"),
        (Self::Replied, "replied"),
        (Self::EmailSent, "emailSent"),
        (Self::Answered, "answered"),
        (Self::AnsweredByMachine, "answeredByMachine"),
        (Self::Bounced, "bounced"),
        (Self::EmailsStopped, "emailsStopped"),
        (Self::EmailsResumed, "emailsResumed"),
        (Self::NoteEdited, "noteEdited"),
        (Self::NoteDeleted, "noteDeleted"),
        (Self::Lost, "lost"),
        (Self::Edited, "edited"),
        (Self::FileAdded, "fileAdded"),
        (Self::FileDeleted, "fileDeleted"),
        (Self::GivenByRule, "givenByRule"),
        (Self::Merged, "merged"),
        (Self::MergedAway, "mergedAway"),
        (Self::Unmerged, "unmerged"),
        (Self::QuoteSent, "quoteSent"),
        (Self::QuoteWithdrawn, "quoteWithdrawn"),
        (Self::QuoteAccepted, "quoteAccepted"),
        (Self::QuoteDeclined, "quoteDeclined"),
    ];

    pub(crate) fn as_str(self) -> &'static str {
        Self::ALL.into_iter().find(|(kind, _)| *kind == self).map_or("note", |(_, word)| word)
    }
}

impl FromStr for EntryKind {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|(_, word)| *word == text).map(|(kind, _)| kind).ok_or("unknown")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadEntry {
    pub id: EntryId,
    pub kind: EntryKind,
    /// Who it was, by the name of then. Empty: the homeowner.
    pub author: String,
    /// `None`: the homeowner.
    pub author_id: Option<UserId>,
    pub text: String,
    pub at: Timestamp,
    /// When a note was last edited, or deleted.
    pub changed_at: Option<Timestamp>,
}

/// Whose leads to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assignee {
    Nobody,
    User(UserId),
}

impl Assignee {
    /// As the statements take it: no user has an empty id.
    pub(crate) fn column(self) -> String {
        match self {
            Self::Nobody => String::new(),
            Self::User(id) => id.to_string(),
        }
    }
}

row! {
    struct WorkRow {
        assignee_id: Option<String>,
        name: Option<String>,
        next_step: Option<String>,
        due_day: Option<String>,
        due_time: Option<String>,
        due_at: Option<i64>,
    }
}

row! {
    struct WorkOfRow {
        lead_id: String,
        assignee_id: Option<String>,
        name: Option<String>,
        next_step: Option<String>,
        due_day: Option<String>,
        due_time: Option<String>,
        due_at: Option<i64>,
    }
}

fn due_time(time: Option<&str>, at: Option<i64>) -> Option<DueTime> {
    Some(DueTime { of_day: TimeOfDay::parse(time?)?, at: Timestamp::from_micros(at?) })
}

impl WorkRow {
    fn read(self, keys: &DataKeys, lead: &str) -> Result<LeadWork, StoreError> {
        Ok(LeadWork {
            assignee: match (self.assignee_id, self.name) {
                (Some(id), Some(name)) => Some((parse_id("user", &id)?, name)),
                _ => None,
            },
            next_step: self.next_step.map(|text| keys.open(Field::LeadNextStep, lead, text)).transpose()?,
            due: self
                .due_day
                .as_deref()
                .and_then(VisitDate::parse)
                .map(|day| Due { day, time: due_time(self.due_time.as_deref(), self.due_at) }),
        })
    }
}

row! {
    pub(crate) struct EntryRow {
        id: String,
        author: String,
        author_id: Option<String>,
        kind: String,
        text: String,
        created_at: i64,
        changed_at: Option<i64>,
    }
}

row! {
    struct NoteRow {
        lead_id: String,
        id: String,
        author: String,
        author_id: Option<String>,
        kind: String,
        text: String,
        created_at: i64,
        changed_at: Option<i64>,
    }
}

impl EntryRow {
    pub(crate) fn read(self, keys: &DataKeys) -> Result<LeadEntry, StoreError> {
        let unreadable =
            |reason: &str| StoreError::Unreadable { what: "entry", id: self.id.clone(), reason: reason.to_owned() };
        Ok(LeadEntry {
            id: parse_id("entry", &self.id)?,
            kind: self.kind.parse().map_err(unreadable)?,
            text: keys.open(Field::LeadEntry, &self.id, self.text.clone())?,
            author: self.author,
            author_id: self.author_id.map(|id| parse_id("user", &id)).transpose()?,
            at: Timestamp::from_micros(self.created_at),
            changed_at: self.changed_at.map(Timestamp::from_micros),
        })
    }
}

macro_rules! select_work {
    () => {
        "SELECT assignee_id, name, next_step, due_day, due_time, due_at FROM lead_work
           LEFT JOIN portal_user ON portal_user.id = assignee_id
          WHERE lead_id = $1 AND lead_work.account_id = $2"
    };
}

macro_rules! select_notes {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead_id, lead_entry.id, author, author_id, kind, text, created_at, changed_at
               FROM lead_entry JOIN given ON given.id = lead_id
              WHERE account_id = $2 AND kind = 'note' ORDER BY lead_entry.id DESC"
        )
    };
}

macro_rules! select_works {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead_id, assignee_id, portal_user.name, next_step, due_day, due_time, due_at
               FROM lead_work JOIN given ON given.id = lead_id LEFT JOIN portal_user ON portal_user.id = assignee_id WHERE lead_work.account_id = $2"
        )
    };
}

/// Entries that are shown of one lead: the newest.
const MAX_ENTRIES: i64 = 500;

impl Leads<'_> {
    pub async fn work(self, tenant: &Tenant, lead: LeadId) -> Result<LeadWork, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, WorkRow, select_work!(), lead.to_string(), tenant.account.to_string())?;
        row.map_or_else(|| Ok(LeadWork::default()), |row| row.read(&keys, &lead.to_string()))
    }

    pub(crate) async fn work_in(self, tx: &mut Tx<'_>, tenant: &Tenant, lead: LeadId) -> Result<LeadWork, StoreError> {
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let row = fetch_optional!(tx, WorkRow, select_work!(), lead.to_string(), tenant.account.to_string())?;
        row.map_or_else(|| Ok(LeadWork::default()), |row| row.read(&keys, &lead.to_string()))
    }

    /// With those of the leads that were merged into it, the newest first.
    pub async fn entries(self, tenant: &Tenant, lead: LeadId) -> Result<Vec<LeadEntry>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            EntryRow,
            concat!(
                "SELECT id, author, author_id, kind, text, created_at, changed_at FROM lead_entry
              WHERE lead_id IN (SELECT CAST($1 AS TEXT) UNION ALL
                                SELECT id FROM lead WHERE merged_into = $1 AND account_id = $2
                                   AND ",
                is_seen!("widget_id", "$2", "$4"),
                ")
                AND account_id = $2 ORDER BY id DESC LIMIT $3"
            ),
            lead.to_string(),
            tenant.account.to_string(),
            MAX_ENTRIES,
            seen_now().text()
        )?;
        rows.into_iter().map(|row| row.read(&keys)).collect()
    }

    /// What is done about these leads; those that nobody has touched are left out.
    pub async fn works(self, tenant: &Tenant, leads: &[LeadId]) -> Result<HashMap<LeadId, LeadWork>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_works!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_works!(dialect::given_rows!(postgres: id text)),
        };
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, WorkOfRow, select, given_ids(leads)?, tenant.account.to_string())?;
        rows.into_iter()
            .map(|WorkOfRow { lead_id, assignee_id, name, next_step, due_day, due_time, due_at }| {
                let row = WorkRow { assignee_id, name, next_step, due_day, due_time, due_at };
                Ok((parse_id("lead", &lead_id)?, row.read(&keys, &lead_id)?))
            })
            .collect()
    }

    /// The notes on these leads and on those that were merged into them, the newest first.
    pub async fn notes(self, tenant: &Tenant, leads: &[LeadId]) -> Result<HashMap<LeadId, Vec<LeadEntry>>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_notes!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_notes!(dialect::given_rows!(postgres: id text)),
        };
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let merged = self.merged_of(tenant, leads).await?;
        let all: Vec<LeadId> = leads.iter().chain(merged.keys()).copied().collect();
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, NoteRow, select, given_ids(&all)?, tenant.account.to_string())?;
        let mut notes: HashMap<LeadId, Vec<LeadEntry>> = HashMap::new();
        for NoteRow { lead_id, id, author, author_id, kind, text, created_at, changed_at } in rows {
            let entry = EntryRow { id, author, author_id, kind, text, created_at, changed_at }.read(&keys)?;
            let lead = parse_id("lead", &lead_id)?;
            notes.entry(merged.get(&lead).copied().unwrap_or(lead)).or_default().push(entry);
        }
        Ok(notes)
    }

    /// # Errors
    /// [`StoreError::NotFound`] also for somebody who is not of the company or does not see the widget; [`StoreError::Outdated`] where it is not the one of
    /// `seen` any more (an id, or empty).
    pub async fn assign(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        to: Option<UserId>,
        seen: Option<&str>,
    ) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let widget = self.lock_open(tx, tenant, lead).await?.widget_id;
            let name = match to {
                None => String::new(),
                Some(to) => {
                    let people = self.store.people().seeing(tx, tenant.account, widget).await?;
                    people.into_iter().find(|(id, _)| *id == to).ok_or(StoreError::NotFound)?.1
                }
            };
            let (account, to) = (tenant.account.to_string(), to.map(|id| id.to_string()));
            let now = self.work_in(tx, tenant, lead).await?.assignee.map(|(id, _)| id.to_string());
            if now != to && seen.is_some_and(|seen| seen != now.as_deref().unwrap_or_default()) {
                return Err(StoreError::Outdated);
            }
            let changed = execute!(
                tx,
                "INSERT INTO lead_work (lead_id, account_id, assignee_id) VALUES ($1, $2, $3)
                     ON CONFLICT (lead_id) DO UPDATE SET assignee_id = excluded.assignee_id
                       WHERE lead_work.assignee_id IS DISTINCT FROM excluded.assignee_id",
                lead.to_string(),
                &account,
                &to
            )?;
            if changed == 0 {
                return Ok(());
            }
            mark_changed(tx, lead).await?;
            self.add_entry(tx, tenant, lead, by, EntryKind::Assigned, &name).await
        })
    }

    /// Where it is nobody's. The timeline tells already who took it.
    pub(crate) async fn give_to_taker(self, lead: LeadId, account: AccountId, to: UserId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| { self.give_in(tx, lead, account, to).await })
    }

    /// As [`Leads::give_to_taker`], in a transaction. Of a lead that was merged, the one that stays is given.
    pub(crate) async fn give_in(
        self,
        tx: &mut Tx<'_>,
        lead: LeadId,
        account: AccountId,
        to: UserId,
    ) -> Result<(), StoreError> {
        let lead = self.root_in(tx, account, lead).await?;
        let given = execute!(
            tx,
            "INSERT INTO lead_work (lead_id, account_id, assignee_id) VALUES ($1, $2, $3)
                 ON CONFLICT (lead_id) DO UPDATE SET assignee_id = excluded.assignee_id
                   WHERE lead_work.assignee_id IS NULL",
            lead.to_string(),
            account.to_string(),
            to.to_string()
        )?;
        if given == 1 { mark_changed(tx, lead).await } else { Ok(()) }
    }

    /// An empty step plans nothing. `seen`: step and when it is due as they were shown.
    ///
    /// # Errors
    /// [`StoreError::Outdated`] where they are not that any more.
    pub async fn plan(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        planned: PlannedStep<'_>,
        seen: Option<(&str, &str)>,
    ) -> Result<(), StoreError> {
        self.set_step(tenant, lead, by, planned, seen, EntryKind::NextStep).await
    }

    /// The step is done, and nothing is planned.
    pub async fn finish_step(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        seen: Option<(&str, &str)>,
    ) -> Result<(), StoreError> {
        self.set_step(tenant, lead, by, PlannedStep::default(), seen, EntryKind::StepDone).await
    }

    async fn set_step(
        self,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        PlannedStep { step, due, remind_at }: PlannedStep<'_>,
        seen: Option<(&str, &str)>,
        kind: EntryKind,
    ) -> Result<(), StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let sealed = match step {
            "" => None,
            step => Some(keys.seal(Field::LeadNextStep, &lead.to_string(), step)?),
        };
        let due = due.filter(|_| !step.is_empty());
        let remind_at = remind_at.filter(|at| due.is_some() && *at > self.store.now());
        let told = match due {
            Some(due) => format!("{step}, {due}"),
            None => step.to_owned(),
        };
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            let now = self.work_in(tx, tenant, lead).await?;
            let (now_step, now_due) = (now.next_step.unwrap_or_default(), now.due);
            let shown = now_due.map(|due| due.to_string()).unwrap_or_default();
            let is_same = now_step == step && now_due == due;
            if is_same {
                return Ok(());
            }
            if seen.is_some_and(|seen| seen != (now_step.as_str(), shown.as_str())) {
                return Err(StoreError::Outdated);
            }
            execute!(
                tx,
                "INSERT INTO lead_work (lead_id, account_id, next_step, due_day, due_time, due_at, remind_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)
                     ON CONFLICT (lead_id) DO UPDATE SET next_step = excluded.next_step, due_day = excluded.due_day,
                        due_time = excluded.due_time, due_at = excluded.due_at, remind_at = excluded.remind_at",
                lead.to_string(),
                tenant.account.to_string(),
                &sealed,
                due.map(|due| due.day.to_string()),
                due.and_then(|due| due.time).map(|time| time.of_day.to_string()),
                due.and_then(|due| due.time).map(|time| time.at.micros()),
                remind_at.map(Timestamp::micros)
            )?;
            mark_changed(tx, lead).await?;
            let told = if kind == EntryKind::StepDone { &now_step } else { &told };
            self.add_entry(tx, tenant, lead, by, kind, told).await
        })
    }

    /// In the transaction of the change it records.
    pub(crate) async fn add_entry(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        by: &User,
        kind: EntryKind,
        text: &str,
    ) -> Result<(), StoreError> {
        self.write_entry(tx, tenant, lead, (by.name.as_str(), Some(by.id)), kind, text).await
    }

    /// `author`: empty for the homeowner.
    pub(crate) async fn add_entry_of(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        author: &str,
        kind: EntryKind,
        text: &str,
    ) -> Result<(), StoreError> {
        self.write_entry(tx, tenant, lead, (author, None), kind, text).await
    }

    pub(crate) async fn write_entry(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        (author, author_id): (&str, Option<UserId>),
        kind: EntryKind,
        text: &str,
    ) -> Result<(), StoreError> {
        let made = (EntryId(self.store.new_id()?), self.store.now());
        self.write_entry_as(tx, tenant, lead, made, (author, author_id), kind, text).await
    }

    #[allow(clippy::too_many_arguments, reason = "the columns of an entry")]
    pub(crate) async fn write_entry_as(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        (id, at): (EntryId, Timestamp),
        (author, author_id): (&str, Option<UserId>),
        kind: EntryKind,
        text: &str,
    ) -> Result<(), StoreError> {
        let id = id.to_string();
        let sealed =
            self.store.encryption().data_keys_in(tx, tenant.account).await?.seal(Field::LeadEntry, &id, text)?;
        execute!(
            tx,
            "INSERT INTO lead_entry (id, lead_id, account_id, author, kind, text, created_at, author_id)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            &id,
            lead.to_string(),
            tenant.account.to_string(),
            author,
            kind.as_str(),
            sealed,
            at.micros(),
            author_id.map(|id| id.to_string())
        )?;
        Ok(())
    }

    /// How many leads came in at this moment or later, up to 100.
    pub async fn count_since(self, tenant: &Tenant, since: Timestamp) -> Result<u64, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64,),
            concat!("SELECT COUNT(*) FROM (SELECT 1 FROM lead WHERE account_id = $1 AND environment = $2 AND created_at >= $3
                                      AND record IS NOT NULL AND merged_into IS NULL AND status <> $4
                                      AND ", is_seen!("widget_id", "$1", "$5"), "
                                    LIMIT 100) AS found"),
            &account,
            environment,
            since.micros(),
            LeadStatus::Spam.as_str(),
            seen_now().text()
        )?;
        Ok(row.map_or(0, |(count,)| u64::try_from(count).unwrap_or_default()))
    }

    /// Leads whose status is `new`, counted to 100. An index holds those alone, so that it costs the same however many there are.
    pub async fn count_new(self, tenant: &Tenant) -> Result<u64, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64,),
            concat!(
                "SELECT COUNT(*) FROM (SELECT 1 FROM lead WHERE account_id = $1 AND environment = $2
                                      AND status = 'new' AND record IS NOT NULL AND merged_into IS NULL
                                      AND ",
                is_seen!("widget_id", "$1", "$3"),
                "
                                    LIMIT 100) AS found"
            ),
            &account,
            environment,
            seen_now().text()
        )?;
        Ok(row.map_or(0, |(count,)| u64::try_from(count).unwrap_or_default()))
    }
}

/// It is listed by what was changed: its facets are made again before the next list.
pub(crate) async fn mark_changed(tx: &mut Tx<'_>, lead: LeadId) -> Result<(), StoreError> {
    execute!(tx, "UPDATE lead SET tokens_at = NULL WHERE id = $1", lead.to_string())?;
    Ok(())
}

pub(crate) async fn erase_work(tx: &mut Tx<'_>, lead: &str) -> Result<(), StoreError> {
    execute!(tx, "DELETE FROM lead_entry WHERE lead_id = $1", lead)?;
    execute!(tx, "DELETE FROM lead_answer WHERE lead_id = $1", lead)?;
    execute!(tx, "DELETE FROM lead_work WHERE lead_id = $1", lead)?;
    execute!(tx, "DELETE FROM lead_appointment WHERE lead_id = $1", lead)?;
    // Of quotes that were sent, numbers, states and amounts stay.
    execute!(tx, "DELETE FROM quote WHERE lead_id = $1 AND state = 'draft'", lead)?;
    execute!(tx, "UPDATE quote SET record = NULL, answer = NULL, author = '' WHERE lead_id = $1", lead)?;
    Ok(())
}
