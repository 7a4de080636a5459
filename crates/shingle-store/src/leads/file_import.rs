//! Files of leads that a company brings in: kept until they are worked through, row by row, by one server at a time.
//!
//! # Decision
//!
//! The file is sealed in the database, not put on a disk: every node can go on with it, and a backup holds it. Its rows go
//! when it is done; only those that were left out stay for a week. Turned down: the whole file until nobody needs it, in
//! which a homeowner who was erased would still be.

use std::collections::HashMap;
use std::time::Duration;

use serde::Serialize;
use shingle_domain::{Email, LeadId, LeadImportId, Phone, Tenant, Timestamp, UserId};

use crate::StoreError;
use crate::audit::change::Change;
use crate::encryption::data_key::Field;
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::draft::FromFile;
use crate::leads::work::EntryKind;
use crate::store::{columns, parse_id, require_row};

/// A company's latest, on a page.
const MAX_LISTED: i64 = 20;

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportStage {
    /// Nothing of it is a lead yet.
    Open,
    Running,
    /// A person has stopped it, and its server still stores some rows.
    Stopping,
    /// It can go on.
    Stopped,
    Done,
    /// Its leads are being erased again.
    Undoing,
    Undone,
}

impl ImportStage {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Open, "open"),
        (Self::Running, "running"),
        (Self::Stopping, "stopping"),
        (Self::Stopped, "stopped"),
        (Self::Done, "done"),
        (Self::Undoing, "undoing"),
        (Self::Undone, "undone"),
    ];

    fn as_str(self) -> &'static str {
        Self::ALL.into_iter().find(|(stage, _)| *stage == self).map_or("open", |(_, word)| word)
    }

    fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, word)| *word == text).map(|(stage, _)| stage)
    }

    /// A server works on it.
    pub fn is_working(self) -> bool {
        matches!(self, Self::Running | Self::Stopping | Self::Undoing)
    }
}

/// Rows, by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImportProgress {
    /// All that were worked on.
    pub done: u64,
    pub created: u64,
    /// Leads that were here and had blanks.
    pub filled: u64,
    pub skipped: u64,
    pub left_out: u64,
    /// New leads with a roof and a price.
    pub priced: u64,
}

#[derive(Clone, PartialEq, Eq)]
pub struct LeadImport {
    pub id: LeadImportId,
    pub stage: ImportStage,
    /// As the caller wrote it.
    pub record: String,
    pub rows: u64,
    pub progress: ImportProgress,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

row! {
    struct ImportRow {
        id: String,
        stage: String,
        record: String,
        row_count: i64,
        done: i64,
        created: i64,
        filled: i64,
        skipped: i64,
        left_out: i64,
        priced: i64,
        created_at: i64,
        updated_at: i64,
    }
}

macro_rules! select_imports {
    ($rest:literal) => {
        concat!(
            "SELECT id, stage, record, row_count, done, created, filled, skipped, left_out, priced, created_at, updated_at
               FROM lead_import WHERE account_id = $1 AND environment = $2 ",
            $rest
        )
    };
}

macro_rules! select_people {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT DISTINCT CAST(number AS BIGINT), id FROM (
                SELECT number, COALESCE(merged_into, lead.id) AS id FROM given CROSS JOIN lead
                 WHERE account_id = $2 AND environment = $3 AND email_hash = given.email AND record IS NOT NULL AND status <> 'spam'
                UNION ALL
                SELECT number, COALESCE(merged_into, lead.id) AS id FROM given CROSS JOIN lead
                 WHERE account_id = $2 AND environment = $3 AND phone_hash = given.phone AND record IS NOT NULL AND status <> 'spam')
                 AS found
              ORDER BY id DESC LIMIT 20000"
        )
    };
}

/// A person to find, as JSON.
#[derive(Serialize)]
struct Wanted {
    number: usize,
    email: Option<String>,
    phone: Option<String>,
}

impl Leads<'_> {
    /// `record`: what its company chose; `content`: its rows.
    pub async fn add_import(
        self,
        tenant: &Tenant,
        (record, content): (&str, &str),
        rows: u64,
    ) -> Result<LeadImportId, StoreError> {
        if record.contains('\0') || content.contains('\0') {
            return Err(StoreError::Nul);
        }
        let id = LeadImportId(self.store.new_id()?);
        let (account, environment) = columns(tenant);
        let (row, now) = (id.to_string(), self.store.now().micros());
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let record = keys.seal(Field::ImportRecord, &row, record)?;
        let content = keys.seal(Field::ImportContent, &row, content)?;
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO lead_import (id, account_id, environment, stage, record, content, row_count, done, created, filled,
                                          skipped, left_out, priced, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, 0, 0, 0, 0, 0, 0, $8, $8)",
                &row,
                &account,
                environment,
                ImportStage::Open.as_str(),
                &record,
                &content,
                i64::try_from(rows).unwrap_or(i64::MAX),
                now
            )?;
            Ok(())
        })?;
        Ok(id)
    }

    pub async fn find_import(self, tenant: &Tenant, id: LeadImportId) -> Result<Option<LeadImport>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let row =
            fetch_optional!(reader, ImportRow, select_imports!("AND id = $3"), &account, environment, id.to_string())?;
        row.map(|row| read(row, &keys)).transpose()
    }

    /// The newest first.
    pub async fn imports(self, tenant: &Tenant) -> Result<Vec<LeadImport>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            ImportRow,
            select_imports!("ORDER BY created_at DESC, id DESC LIMIT $3"),
            &account,
            environment,
            MAX_LISTED
        )?;
        rows.into_iter().map(|row| read(row, &keys)).collect()
    }

    /// `None`: its rows are gone.
    pub async fn import_content(self, tenant: &Tenant, id: LeadImportId) -> Result<Option<String>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (Option<String>,),
            "SELECT content FROM lead_import WHERE id = $1 AND account_id = $2 AND environment = $3",
            id.to_string(),
            &account,
            environment
        )?;
        keys.open_some(Field::ImportContent, &id.to_string(), row.and_then(|(content,)| content))
    }

    /// What its company chose, while nothing of it is a lead.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] once it runs.
    pub async fn choose_for_import(self, tenant: &Tenant, id: LeadImportId, record: &str) -> Result<(), StoreError> {
        if record.contains('\0') {
            return Err(StoreError::Nul);
        }
        let (account, environment) = columns(tenant);
        let row = id.to_string();
        let sealed =
            self.store.encryption().data_keys(tenant.account).await?.seal(Field::ImportRecord, &row, record)?;
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                "UPDATE lead_import SET record = $4, updated_at = $5
                  WHERE id = $1 AND account_id = $2 AND environment = $3 AND stage = 'open'",
                &row,
                &account,
                environment,
                &sealed,
                now
            )?)
        })
    }

    /// Whether it was in one of the stages `from`.
    pub async fn move_import(
        self,
        tenant: &Tenant,
        id: LeadImportId,
        from: &[ImportStage],
        to: ImportStage,
    ) -> Result<bool, StoreError> {
        let (account, environment) = columns(tenant);
        let words: Vec<&str> = from.iter().map(|stage| stage.as_str()).collect();
        // Words of ours: none is part of another.
        let (words, now) = (words.join(" "), self.store.now().micros());
        let sql = match self.store.db {
            Db::Sqlite { .. } => {
                "UPDATE lead_import SET stage = $5, updated_at = MAX($6, updated_at + 1),
                        finished_at = CASE WHEN $5 = 'stopped' THEN $6 ELSE finished_at END
                  WHERE id = $1 AND account_id = $2 AND environment = $3 AND instr(' ' || $4 || ' ', ' ' || stage || ' ') > 0"
            }
            Db::Postgres(_) => {
                "UPDATE lead_import SET stage = $5, updated_at = GREATEST($6, updated_at + 1),
                        finished_at = CASE WHEN $5 = 'stopped' THEN $6 ELSE finished_at END
                  WHERE id = $1 AND account_id = $2 AND environment = $3 AND strpos(' ' || $4 || ' ', ' ' || stage || ' ') > 0"
            }
        };
        transact!(self.store.db, |tx| {
            let moved = execute!(tx, sql, id.to_string(), &account, environment, &words, to.as_str(), now)?;
            let change = match to {
                ImportStage::Running => Change::LeadsImported,
                ImportStage::Undoing => Change::LeadsImportUndone,
                _ => return Ok(moved == 1),
            };
            if moved == 1 {
                self.store.audit().note_change(tx, tenant.account, change, &id.to_string(), "").await?;
            }
            Ok(moved == 1)
        })
    }

    /// What some more rows came to, after `before` rows. Returns the stage: a person may have stopped it. `None`: it is gone, or
    /// another server works on it.
    pub async fn note_import(
        self,
        tenant: &Tenant,
        id: LeadImportId,
        before: u64,
        more: ImportProgress,
    ) -> Result<Option<ImportStage>, StoreError> {
        let (account, environment) = columns(tenant);
        let figure = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            let row = fetch_optional!(
                tx,
                (String,),
                "UPDATE lead_import SET done = done + $4, created = created + $5, filled = filled + $6, skipped = skipped + $7,
                                        left_out = left_out + $8, priced = priced + $9,
                                        updated_at = CASE WHEN updated_at < $10 THEN $10 ELSE updated_at + 1 END
                  WHERE id = $1 AND account_id = $2 AND environment = $3 AND done = $11
                    AND stage IN ('running', 'stopping', 'undoing')
                 RETURNING stage",
                id.to_string(),
                &account,
                environment,
                figure(more.done),
                figure(more.created),
                figure(more.filled),
                figure(more.skipped),
                figure(more.left_out),
                figure(more.priced),
                now,
                figure(before)
            )?;
            Ok(row.and_then(|(stage,)| ImportStage::parse(&stage)))
        })
    }

    /// It is done: of its rows, these stay for a while.
    pub async fn finish_import(
        self,
        tenant: &Tenant,
        id: LeadImportId,
        (from, to): (ImportStage, ImportStage),
        left_out: Option<&str>,
    ) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        let row = id.to_string();
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let content = keys.seal_some(Field::ImportContent, &row, left_out)?;
        let now = self.store.now().micros();
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "UPDATE lead_import SET stage = $4, content = $5, updated_at = $6, finished_at = $6
                  WHERE id = $1 AND account_id = $2 AND environment = $3 AND stage = $7",
                &row,
                &account,
                environment,
                to.as_str(),
                &content,
                now,
                from.as_str()
            )?;
            Ok(())
        })
    }

    /// Imports whose server gave no sign of life for so long. This one takes them over; no other does.
    pub async fn take_over_imports(
        self,
        silence: Duration,
    ) -> Result<Vec<(Tenant, LeadImportId, ImportStage)>, StoreError> {
        let now = self.store.now();
        let rows = transact!(self.store.db, |tx| {
            Ok(fetch_all!(
                tx,
                (String, String, String, String),
                "UPDATE lead_import SET updated_at = $2 WHERE stage IN ('running', 'stopping', 'undoing') AND updated_at < $1
                 RETURNING id, account_id, environment, stage",
                (now - silence).micros(),
                now.micros()
            )?)
        })?;
        rows.into_iter()
            .map(|(id, account, environment, stage)| {
                let tenant = Tenant {
                    account: parse_id("account", &account)?,
                    environment: parse_id("environment", &environment)?,
                };
                Ok((tenant, parse_id("import", &id)?, ImportStage::parse(&stage).unwrap_or(ImportStage::Running)))
            })
            .collect()
    }

    /// Only one that nothing came of, or whose leads are all here to stay.
    pub async fn delete_import(self, tenant: &Tenant, id: LeadImportId) -> Result<bool, StoreError> {
        let (account, environment) = columns(tenant);
        transact!(self.store.db, |tx| {
            let deleted = execute!(
                tx,
                "DELETE FROM lead_import WHERE id = $1 AND account_id = $2 AND environment = $3 AND stage = 'open'",
                id.to_string(),
                &account,
                environment
            )?;
            Ok(deleted == 1)
        })
    }

    /// Nobody has touched them for so long: their rows, and what is needed to undo them. One that nothing came of goes after
    /// `open`. Returns how many.
    pub async fn delete_old_imports(self, age: Duration, open: Duration) -> Result<u64, StoreError> {
        let before = (self.store.now() - age).micros();
        let open_before = (self.store.now() - open).micros();
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "DELETE FROM lead_import_lead WHERE import_id IN
                    (SELECT id FROM lead_import WHERE updated_at < $1 AND stage NOT IN ('running', 'stopping', 'undoing'))",
                before
            )?;
            Ok(execute!(
                tx,
                "DELETE FROM lead_import
                  WHERE updated_at < $1 AND stage NOT IN ('running', 'stopping', 'undoing') OR updated_at < $2 AND stage = 'open'",
                before,
                open_before
            )?)
        })
    }

    /// The leads of an import that nobody has worked on, in the order of their ids, after one of them.
    pub async fn untouched_of_import(
        self,
        tenant: &Tenant,
        id: LeadImportId,
        after: Option<LeadId>,
        most: u32,
    ) -> Result<Vec<LeadId>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT lead.id FROM lead_import_lead JOIN lead ON lead.id = lead_import_lead.lead_id
              WHERE import_id = $1 AND lead.account_id = $2 AND lead.environment = $3 AND record IS NOT NULL AND lead.id > $4
                AND inspection_at IS NULL AND merged_into IS NULL AND lead.updated_at <= (SELECT finished_at FROM lead_import WHERE id = $1)
                AND NOT EXISTS (SELECT 1 FROM lead_entry WHERE lead_entry.lead_id = lead.id AND
                    (lead_entry.created_at > (SELECT finished_at FROM lead_import WHERE id = $1)
                     OR author_id IS DISTINCT FROM (SELECT author_id FROM lead_entry AS first
                         WHERE first.lead_id = lead.id AND first.kind = 'imported')))
              ORDER BY lead.id LIMIT $5",
            id.to_string(),
            &account,
            environment,
            after.map(|id| id.to_string()).unwrap_or_default(),
            i64::from(most)
        )?;
        rows.into_iter().map(|(id,)| parse_id("lead", &id)).collect()
    }

    /// The leads of each of these people, by email or phone, the newest first; spam is left out. One statement for all.
    pub async fn known_people(
        self,
        tenant: &Tenant,
        people: &[(Option<Email>, Option<Phone>)],
    ) -> Result<HashMap<usize, Vec<LeadId>>, StoreError> {
        let wanted: Vec<Wanted> = people
            .iter()
            .enumerate()
            .map(|(number, (email, phone))| Wanted {
                number,
                email: email.as_ref().map(|email| self.store.hashes.email(email)),
                phone: phone.as_ref().map(|phone| self.store.hashes.phone(phone)),
            })
            .collect();
        let select = match self.store.db {
            Db::Sqlite { .. } => select_people!(dialect::given_rows!(sqlite: number bigint, email text, phone text)),
            Db::Postgres(_) => select_people!(dialect::given_rows!(postgres: number bigint, email text, phone text)),
        };
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, (i64, String), select, serde_json::to_string(&wanted)?, &account, environment)?;
        let mut found: HashMap<usize, Vec<LeadId>> = HashMap::new();
        for (number, id) in rows {
            found.entry(usize::try_from(number).unwrap_or(usize::MAX)).or_default().push(parse_id("lead", &id)?);
        }
        Ok(found)
    }

    /// Erasing a person takes the files along in which they may be: those that wait, and rows that were left out.
    pub(crate) async fn forget_files(self, tenant: &Tenant) -> Result<(), StoreError> {
        let (account, environment) = columns(tenant);
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "DELETE FROM lead_import WHERE account_id = $1 AND environment = $2 AND stage = 'open'",
                &account,
                environment
            )?;
            execute!(
                tx,
                "UPDATE lead_import SET content = NULL
                  WHERE account_id = $1 AND environment = $2 AND stage IN ('stopped', 'done', 'undone')",
                &account,
                environment
            )?;
            Ok(())
        })
    }

    /// What the row of a new lead says beside its record. Its tags follow the lead's own row.
    pub(crate) async fn note_from_file(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        author: (&str, Option<UserId>),
        file: &FromFile,
    ) -> Result<(), StoreError> {
        // The newest entry is the import: what comes later is a person's work.
        if let Some(note) = &file.note {
            self.write_entry(tx, tenant, lead, author, EntryKind::Note, note).await?;
        }
        self.write_entry(tx, tenant, lead, author, EntryKind::Imported, &file.file_name).await?;
        if let Some(to) = file.assignee {
            execute!(
                tx,
                "INSERT INTO lead_work (lead_id, account_id, assignee_id)
                 SELECT $1, $2, id FROM portal_user WHERE id = $3 AND account_id = $2 AND disabled_at IS NULL",
                lead.to_string(),
                tenant.account.to_string(),
                to.to_string()
            )?;
        }
        execute!(
            tx,
            "INSERT INTO lead_import_lead (lead_id, import_id) VALUES ($1, $2)",
            lead.to_string(),
            file.import.to_string()
        )?;
        Ok(())
    }

    pub(crate) async fn tag_from_file(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        file: &FromFile,
    ) -> Result<(), StoreError> {
        for tag in &file.tags {
            self.put_tag(tx, tenant, lead, tag).await?;
        }
        Ok(())
    }
}

fn read(row: ImportRow, keys: &crate::encryption::data_key::DataKeys) -> Result<LeadImport, StoreError> {
    let unreadable =
        || StoreError::Unreadable { what: "import", id: row.id.clone(), reason: "an unknown stage".to_owned() };
    let count = |figure: i64| u64::try_from(figure).unwrap_or_default();
    Ok(LeadImport {
        id: parse_id("import", &row.id)?,
        stage: ImportStage::parse(&row.stage).ok_or_else(unreadable)?,
        record: keys.open(Field::ImportRecord, &row.id, row.record)?,
        rows: count(row.row_count),
        progress: ImportProgress {
            done: count(row.done),
            created: count(row.created),
            filled: count(row.filled),
            skipped: count(row.skipped),
            left_out: count(row.left_out),
            priced: count(row.priced),
        },
        created_at: Timestamp::from_micros(row.created_at),
        updated_at: Timestamp::from_micros(row.updated_at),
    })
}
