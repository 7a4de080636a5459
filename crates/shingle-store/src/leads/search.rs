//! Leads by what is known of the person: name, street, e-mail address, phone number. The records are encrypted, so
//! their words are found by keyed hashes, which are made after a lead has come in and before the next search.

use std::collections::BTreeMap;

use serde::Serialize;
use shingle_consent::Evidence;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{AccountId, Tenant, Timestamp};

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::consents::consent::read_evidence;
use crate::engine::cursor::Cursor;
use crate::engine::db::{Db, Tx, execute, fetch_all, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::facets::{FacetRow, Towns};
use crate::leads::lead::{LeadFilter, LeadPage, LeadRow, page_of};
use crate::leads::search_token;
use crate::leads::seen::is_seen;
use crate::leads::work::Assignee;
use crate::store::{columns, given_ids, parse_id};

/// Leads whose words are written in one transaction.
const MAX_TOGETHER: i64 = 200;

row! {
    struct UnsearchedRow {
        id: String,
        environment: String,
        created_at: i64,
        status: String,
        widget_id: String,
        won_value_cents: Option<i64>,
        merged_into: Option<String>,
        record: String,
    }
}

row! {
    struct MergedRow {
        merged_into: String,
        id: String,
        record: String,
    }
}

row! {
    struct WorkRow {
        lead_id: String,
        assignee_id: Option<String>,
        due_day: Option<String>,
        due_time: Option<String>,
        loss: Option<String>,
    }
}

/// A row of `lead_token`, as JSON.
#[derive(Serialize)]
struct NewToken {
    token: i64,
    created_at: i64,
    lead: i64,
}

/// A lead by its number, as JSON.
#[derive(Serialize)]
struct Numbered {
    lead: i64,
}

macro_rules! insert_tokens {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO lead_token (token, created_at, lead)
             SELECT token, created_at, lead FROM given WHERE true ON CONFLICT DO NOTHING"
        )
    };
}

macro_rules! delete_tokens {
    ($given:expr) => {
        concat!($given, "DELETE FROM lead_token WHERE lead IN (SELECT lead FROM given)")
    };
}

/// Leads that were merged into others.
macro_rules! select_merged {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT merged_into, lead.id AS id, record FROM given JOIN lead ON merged_into = given.id
              WHERE account_id = $2 AND record IS NOT NULL"
        )
    };
}

macro_rules! index_again {
    ($given:expr) => {
        concat!($given, "UPDATE lead SET tokens_at = NULL WHERE id IN (SELECT id FROM given)")
    };
}

/// Of leads that have several: the first one says what the lead says, unless it was changed.
macro_rules! select_consents {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT id, lead_id, evidence FROM consent
              WHERE evidence IS NOT NULL AND lead_id IN (SELECT id FROM given)
                AND EXISTS (SELECT 1 FROM consent AS other
                             WHERE other.lead_id = consent.lead_id AND other.id <> consent.id)"
        )
    };
}

macro_rules! select_work {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead_id, assignee_id, due_day, due_time, loss FROM lead_work WHERE lead_id IN (SELECT id FROM given)"
        )
    };
}

/// The statements in the language of one engine.
macro_rules! statements {
    ($engine:ident) => {
        [
            delete_tokens!(dialect::given_rows!($engine: lead bigint)),
            insert_tokens!(dialect::given_rows!($engine: token bigint, created_at bigint, lead bigint)),
            select_consents!(dialect::given_rows!($engine: id text)),
            select_work!(dialect::given_rows!($engine: id text)),
            select_merged!(dialect::given_rows!($engine: id text)),
            index_again!(dialect::given_rows!($engine: id text)),
        ]
    };
}

impl Leads<'_> {
    /// Leads that have every word of `text`, or words that begin with it; one page, newest first.
    pub async fn search(
        self,
        tenant: &Tenant,
        filter: &LeadFilter,
        text: &str,
        after: Option<Cursor>,
        limit: u32,
    ) -> Result<LeadPage, StoreError> {
        let words = search_token::of_question(text);
        let Some(first) = words.first() else { return Ok(LeadPage { leads: Vec::new(), next: None }) };
        self.index_leads_of(tenant.account).await?;
        let hash = |word: &String| self.store.hashes.word(tenant.account, tenant.environment.as_str(), word);
        let (account, environment) = columns(tenant);
        let (before, before_id) = after.map_or((i64::MAX, String::new()), |c| (c.created_at, c.id.to_string()));
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            LeadRow,
            concat!("SELECT lead.id, lead.record FROM lead_token AS found CROSS JOIN lead_facet AS facet CROSS JOIN lead
              WHERE found.token = $10 AND facet.number = found.lead AND lead.id = facet.lead_id
                AND lead.account_id = $1 AND lead.environment = $2
                AND found.created_at <= $3 AND (found.created_at < $3 OR lead.id < $4)
                AND found.created_at >= $5 AND found.created_at < $6
                AND ($7 IS NULL OR lead.widget_id IN (SELECT id FROM widget WHERE reference_id = $7 AND account_id = $1
                                                                         AND environment = $2))
                AND ($8 IS NULL OR lead.status = $8) AND record IS NOT NULL
                AND ", is_seen!("lead.widget_id", "$1", "$15"), "
                AND ($14 IS NULL OR COALESCE((SELECT assignee_id FROM lead_work WHERE lead_work.lead_id = lead.id), '') = $14)
                AND ($11 IS NULL OR EXISTS (SELECT 1 FROM lead_token AS also
                      WHERE also.token = $11 AND also.created_at = found.created_at AND also.lead = found.lead))
                AND ($12 IS NULL OR EXISTS (SELECT 1 FROM lead_token AS also
                      WHERE also.token = $12 AND also.created_at = found.created_at AND also.lead = found.lead))
                AND ($13 IS NULL OR EXISTS (SELECT 1 FROM lead_token AS also
                      WHERE also.token = $13 AND also.created_at = found.created_at AND also.lead = found.lead))
              ORDER BY found.created_at DESC, lead.id DESC LIMIT $9"),
            &account,
            environment,
            before,
            before_id,
            filter.from.map_or(i64::MIN, Timestamp::micros),
            filter.until.map_or(i64::MAX, Timestamp::micros),
            filter.widget.map(|id| id.to_string()),
            filter.status.map(LeadStatus::as_str),
            LeadPage::rows_for(limit),
            hash(first),
            words.get(1).map(hash),
            words.get(2).map(hash),
            words.get(3).map(hash),
            filter.assignee.map(Assignee::column),
            seen_now().text()
        )?;
        page_of(rows, &keys, limit)
    }

    /// Makes the words of leads that have none yet, of all accounts. Returns of how many.
    pub async fn index_leads(self) -> Result<u64, StoreError> {
        let mut reader = self.store.db.read().await?;
        let accounts = fetch_all!(
            reader,
            (String,),
            "SELECT DISTINCT account_id FROM lead WHERE tokens_at IS NULL AND record IS NOT NULL LIMIT 100"
        )?;
        drop(reader);
        let mut indexed = 0;
        for (account,) in accounts {
            indexed += self.index_leads_of(parse_id("account", &account)?).await?;
        }
        Ok(indexed)
    }

    pub(crate) async fn index_leads_of(self, account: AccountId) -> Result<u64, StoreError> {
        let mut indexed = 0;
        while self.has_unsearched(account).await? {
            indexed += self.index_some(account).await?;
        }
        Ok(indexed)
    }

    async fn has_unsearched(self, account: AccountId) -> Result<bool, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT id FROM lead WHERE account_id = $1 AND tokens_at IS NULL AND record IS NOT NULL LIMIT 1",
            account.to_string()
        )?;
        Ok(!rows.is_empty())
    }

    /// Whether calendars have an inspection of one of the leads that are merged.
    async fn is_family_booked(
        self,
        tx: &mut Tx<'_>,
        account: AccountId,
        environment: &str,
        (lead, others): (Option<&Lead>, &[Lead]),
    ) -> Result<bool, StoreError> {
        if others.is_empty() {
            return Ok(false);
        }
        let tenant = Tenant { account, environment: parse_id("environment", environment)? };
        for one in lead.into_iter().chain(others).filter(|one| one.inspection.is_some()) {
            if self.appointment_in(tx, &tenant, one.id).await?.is_some_and(|now| now.state.stands()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn index_some(self, account: AccountId) -> Result<u64, StoreError> {
        let now = self.store.now();
        let [delete, insert, select, select_work, select_merged, index_again] = match self.store.db {
            Db::Sqlite { .. } => statements!(sqlite),
            Db::Postgres(_) => statements!(postgres),
        };
        transact!(self.store.db, |tx| {
            // Locked: what is changed meanwhile waits, and is indexed again.
            let rows = fetch_all!(
                tx,
                UnsearchedRow,
                "UPDATE lead SET tokens_at = $2
                  WHERE id IN (SELECT id FROM lead WHERE account_id = $1 AND tokens_at IS NULL AND record IS NOT NULL
                                ORDER BY id LIMIT $3) AND record IS NOT NULL
                 RETURNING id, environment, created_at, status, widget_id, won_value_cents, merged_into, record",
                account.to_string(),
                now.micros(),
                MAX_TOGETHER
            )?;
            let keys = self.store.encryption().data_keys_in(tx, account).await?;
            let ids: Vec<_> = rows.iter().map(|row| &row.id).collect();
            let ids = given_ids(&ids)?;
            // A lead is found by the words of those that were merged into it, too.
            let mut merged: BTreeMap<String, Vec<Lead>> = BTreeMap::new();
            let mut all: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
            for MergedRow { merged_into, id, record } in
                fetch_all!(tx, MergedRow, select_merged, &ids, account.to_string())?
            {
                all.push(id.clone());
                let Ok(lead) = LeadRow::new(id, record).read(&keys) else { continue };
                merged.entry(merged_into).or_default().push(lead);
            }
            let all = given_ids(&all)?;
            let mut consents: BTreeMap<String, Vec<Evidence>> = BTreeMap::new();
            for (id, lead, sealed) in fetch_all!(tx, (String, String, String), select, &all)? {
                // As with the lead.
                let Ok(recorded) = read_evidence(&id, sealed, &keys) else { continue };
                consents.entry(lead).or_default().push(recorded.evidence);
            }
            let tags = self.tags_in(tx, account, &keys, &ids).await?;
            let work = fetch_all!(tx, WorkRow, select_work, &ids)?;
            let mut work: BTreeMap<String, WorkRow> = work.into_iter().map(|row| (row.lead_id.clone(), row)).collect();
            let (mut tokens, mut facets, mut towns) = (Vec::new(), Vec::new(), Towns::new());
            for UnsearchedRow {
                id,
                environment,
                created_at,
                status,
                widget_id,
                won_value_cents,
                merged_into,
                record,
            } in &rows
            {
                let lead = (LeadRow::new(id.clone(), record.clone())).read(&keys);
                let own = work.remove(id);
                let row = FacetRow {
                    lead_id: id.clone(),
                    environment: environment.clone(),
                    created_at: *created_at,
                    status: status.clone(),
                    widget_id: widget_id.clone(),
                    assignee_id: own.as_ref().and_then(|own| own.assignee_id.clone()),
                    due_day: own.as_ref().and_then(|own| own.due_day.clone()),
                    due_time: own.as_ref().and_then(|own| own.due_time.clone()),
                    loss: own.and_then(|own| own.loss),
                    tags: tags
                        .get(id)
                        .map(|tags| tags.iter().map(|tag| tag.hash.as_str()).collect::<Vec<_>>().join(" ")),
                    won_value_cents: *won_value_cents,
                    is_merged: merged_into.is_some(),
                };
                let others = merged.get(id).map_or(&[][..], Vec::as_slice);
                let is_booked = self.is_family_booked(tx, account, environment, (lead.as_ref().ok(), others)).await?;
                facets.push(row.with(self.store, account, lead.as_ref().ok(), (others, is_booked), &mut towns));
                if merged_into.is_some() {
                    continue;
                }
                // One that cannot be read is not found; a list reports it.
                let Ok(lead) = lead else { continue };
                let evidence = |lead: &Lead| consents.get(&lead.id.to_string()).map_or(&[][..], Vec::as_slice);
                let mut words = search_token::of_lead(&lead, evidence(&lead));
                let names = tags.get(id).into_iter().flatten().map(|tag| tag.name.as_str());
                words.extend(search_token::of_tags(names));
                words.extend(others.iter().flat_map(|other| search_token::of_lead(other, evidence(other))));
                let words: Vec<_> =
                    words.iter().map(|word| self.store.hashes.word(account, environment, word)).collect();
                tokens.push((id, *created_at, words));
            }
            let numbers = self.write_facets(tx, account, &keys, &facets, &towns).await?;
            let mut rows_of_tokens = Vec::new();
            for (id, created_at, words) in tokens {
                let Some(&lead) = numbers.get(id) else { continue };
                rows_of_tokens.extend(words.into_iter().map(|token| NewToken { token, created_at, lead }));
            }
            let numbers: Vec<_> = numbers.values().map(|lead| Numbered { lead: *lead }).collect();
            execute!(tx, delete, serde_json::to_string(&numbers)?)?;
            execute!(tx, insert, serde_json::to_string(&rows_of_tokens)?)?;
            let stay = rows.iter().filter_map(|row| row.merged_into.as_ref());
            let stay: Vec<_> = stay.filter(|id| !rows.iter().any(|row| row.id == **id)).collect();
            if !stay.is_empty() {
                execute!(tx, index_again, given_ids(&stay)?)?;
            }
            Ok(rows.len() as u64)
        })
    }
}
