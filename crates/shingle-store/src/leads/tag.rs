//! Tags: free words on leads, the same for everybody of the company.
//!
//! # Decision
//!
//! A tag is known by a keyed hash of its word, and the word is sealed once for the account: leads are found by a tag without
//! reading any. Turned down: the words in the lead's record, which every search would have to open.

use std::collections::HashMap;

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::tag::Tag;
use shingle_domain::{AccountId, LeadId, Tenant};

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::work::{EntryKind, mark_changed};
use crate::people::user::User;
use crate::store::{given_ids, parse_id};

/// Words that are suggested.
const MAX_SUGGESTED: i64 = 500;

/// A tag with the name that addresses have for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTag {
    /// A keyed hash.
    pub hash: String,
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagChange {
    Done,
    /// The lead has as many as it can have.
    TooMany,
}

row! {
    struct TagRow {
        tag: String,
        name: String,
    }
}

row! {
    struct TagOfRow {
        lead_id: String,
        tag: String,
        name: String,
    }
}

macro_rules! select_tags_of {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead_id, lead_tag.tag AS tag, name FROM lead_tag JOIN given ON given.id = lead_id
               JOIN tag ON tag.tag = lead_tag.tag WHERE tag.account_id = $2"
        )
    };
}

macro_rules! select_names {
    ($given:expr) => {
        concat!($given, "SELECT tag, name FROM tag JOIN given ON given.id = tag WHERE account_id = $2")
    };
}

impl Leads<'_> {
    /// Those that are in use, for suggestions and filters, by their names.
    pub async fn tags(self, tenant: &Tenant) -> Result<Vec<KnownTag>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            TagRow,
            "SELECT tag, name FROM tag WHERE account_id = $1
                AND ($3 IS NULL OR EXISTS (SELECT 1 FROM lead_tag JOIN lead ON lead.id = lead_tag.lead_id
                                             JOIN widget ON widget.id = lead.widget_id
                                            WHERE lead_tag.tag = tag.tag AND $3 LIKE '%' || reference_id || '%'))
              ORDER BY tag LIMIT $2",
            tenant.account.to_string(),
            MAX_SUGGESTED,
            seen_now().text()
        )?;
        let read =
            |TagRow { tag, name }: TagRow| Ok(KnownTag { name: keys.open(Field::TagName, &tag, name)?, hash: tag });
        let mut tags = rows.into_iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
        tags.cold_sort_by_key(|tag| tag.name.to_lowercase());
        Ok(tags)
    }

    /// The tags of these leads, by their names. Leads without tags are left out.
    pub async fn tags_of(
        self,
        tenant: &Tenant,
        leads: &[LeadId],
    ) -> Result<HashMap<LeadId, Vec<KnownTag>>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_tags_of!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_tags_of!(dialect::given_rows!(postgres: id text)),
        };
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, TagOfRow, select, given_ids(leads)?, tenant.account.to_string())?;
        let mut all: HashMap<LeadId, Vec<KnownTag>> = HashMap::new();
        for TagOfRow { lead_id, tag, name } in rows {
            let known = KnownTag { name: keys.open(Field::TagName, &tag, name)?, hash: tag };
            all.entry(parse_id("lead", &lead_id)?).or_default().push(known);
        }
        all.values_mut().for_each(|tags| tags.cold_sort_by_key(|tag| tag.name.to_lowercase()));
        Ok(all)
    }

    /// Names of tags by their hashes.
    pub async fn tag_names(self, tenant: &Tenant, tags: &[String]) -> Result<HashMap<String, String>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_names!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_names!(dialect::given_rows!(postgres: id text)),
        };
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, TagRow, select, given_ids(tags)?, tenant.account.to_string())?;
        rows.into_iter()
            .map(|TagRow { tag, name }| {
                let name = keys.open(Field::TagName, &tag, name)?;
                Ok((tag, name))
            })
            .collect()
    }

    /// As [`Leads::tags_of`], in a transaction. `leads`: their ids, as JSON.
    pub(crate) async fn tags_in(
        self,
        tx: &mut Tx<'_>,
        account: AccountId,
        keys: &DataKeys,
        leads: &str,
    ) -> Result<HashMap<String, Vec<KnownTag>>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_tags_of!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_tags_of!(dialect::given_rows!(postgres: id text)),
        };
        let mut all: HashMap<String, Vec<KnownTag>> = HashMap::new();
        for TagOfRow { lead_id, tag, name } in fetch_all!(tx, TagOfRow, select, leads, account.to_string())? {
            let known = KnownTag { name: keys.open(Field::TagName, &tag, name)?, hash: tag };
            all.entry(lead_id).or_default().push(known);
        }
        Ok(all)
    }

    /// A tag that the lead has already is written as it was first.
    pub async fn add_tag(self, tenant: &Tenant, lead: LeadId, by: &User, tag: &Tag) -> Result<TagChange, StoreError> {
        let hash = self.store.hashes.tag(tenant.account, &tag.folded());
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            let row = fetch_optional!(
                tx,
                (i64, i64),
                "SELECT COUNT(*), COALESCE(SUM(CASE WHEN tag = $2 THEN 1 ELSE 0 END), 0) FROM lead_tag WHERE lead_id = $1",
                lead.to_string(),
                &hash
            )?;
            let (count, has) = row.unwrap_or_default();
            if has > 0 {
                return Ok(TagChange::Done);
            }
            if usize::try_from(count).is_ok_and(|count| count >= Tag::MAX_OF_LEAD) {
                return Ok(TagChange::TooMany);
            }
            self.put_tag(tx, tenant, lead, tag).await?;
            self.add_entry(tx, tenant, lead, by, EntryKind::Tagged, tag.as_str()).await?;
            Ok(TagChange::Done)
        })
    }

    /// Without an entry.
    pub(crate) async fn put_tag(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        tag: &Tag,
    ) -> Result<(), StoreError> {
        let (hash, account) = (self.store.hashes.tag(tenant.account, &tag.folded()), tenant.account.to_string());
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let sealed = keys.seal(Field::TagName, &hash, tag.as_str())?;
        execute!(
            tx,
            "INSERT INTO tag (tag, account_id, name) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            &hash,
            &account,
            &sealed
        )?;
        execute!(
            tx,
            "INSERT INTO lead_tag (lead_id, tag, account_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
            lead.to_string(),
            &hash,
            &account
        )?;
        mark_changed(tx, lead).await
    }

    /// One that it does not have any more changes nothing.
    pub async fn remove_tag(self, tenant: &Tenant, lead: LeadId, by: &User, hash: &str) -> Result<(), StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        transact!(self.store.db, |tx| {
            self.lock_open(tx, tenant, lead).await?;
            let row = fetch_optional!(
                tx,
                TagRow,
                "SELECT tag.tag AS tag, name FROM lead_tag JOIN tag ON tag.tag = lead_tag.tag
                  WHERE lead_tag.lead_id = $1 AND lead_tag.tag = $2 AND tag.account_id = $3",
                lead.to_string(),
                hash,
                tenant.account.to_string()
            )?;
            let Some(TagRow { tag, name }) = row else { return Ok(()) };
            let name = keys.open(Field::TagName, &tag, name)?;
            forget_words(tx, &lead.to_string(), Some(&tag)).await?;
            execute!(tx, "DELETE FROM lead_tag WHERE lead_id = $1 AND tag = $2", lead.to_string(), &tag)?;
            mark_changed(tx, lead).await?;
            self.add_entry(tx, tenant, lead, by, EntryKind::Untagged, &name).await
        })
    }
}

/// Words that no other lead has: of one tag of a lead, or of all.
async fn forget_words(tx: &mut Tx<'_>, lead: &str, only: Option<&str>) -> Result<(), StoreError> {
    execute!(
        tx,
        "DELETE FROM tag
          WHERE tag IN (SELECT tag FROM lead_tag WHERE lead_id = $1 AND ($2 IS NULL OR tag = $2))
            AND NOT EXISTS (SELECT 1 FROM lead_tag AS other WHERE other.tag = tag.tag AND other.lead_id <> $1)",
        lead,
        only
    )?;
    Ok(())
}

pub(crate) async fn erase_tags(tx: &mut Tx<'_>, lead: &str) -> Result<(), StoreError> {
    forget_words(tx, lead, None).await?;
    execute!(tx, "DELETE FROM lead_tag WHERE lead_id = $1", lead)?;
    Ok(())
}
