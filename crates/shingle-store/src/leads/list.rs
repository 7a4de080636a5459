//! Leads as the portal lists them: filters that combine, words, orders, pages in both directions, and counts.
//!
//! # Decision
//!
//! A list is sorted by what is held in memory in plain: moments, prices, days, states and people. Names and streets are
//! encrypted, so there is no order by them: it would open every record of the company for each page.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use serde::Serialize;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::loss::LossReason;
use shingle_domain::{LeadId, Tenant, Timestamp, Usd, UserId, WidgetId};
use uuid::Uuid;

use crate::StoreError;
use crate::audit::actor::seen_now;
use crate::encryption::data_key::Field;
use crate::engine::db::{Db, fetch_all, fetch_optional};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::index::{Facets, LeadIndex};
use crate::leads::lead::LeadRow;
use crate::leads::list_cursor::{ListCursor, ListPlace};
use crate::leads::origin::LeadOrigin;
use crate::leads::search_token;
use crate::leads::want::LeadWant;
use crate::leads::work::Assignee;
use crate::store::{columns, given_ids, parse_id};

/// A word that more leads have is no way to find some: the newest leads are looked through instead.
const MAX_OF_WORD: i64 = 1_000;
/// How often it is asked whether one of them has one of the words: 2,000 leads for two words, 1,000 for four.
const MAX_PROBED: usize = 4_000;
const PROBED_TOGETHER: usize = 500;
/// Towns and tags that are offered: those with the most leads.
const MAX_OFFERED: usize = 24;

/// What narrows the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadQuery {
    /// Empty: every status but spam.
    pub statuses: Vec<LeadStatus>,
    pub widget: Option<WidgetId>,
    /// Created at this moment or later.
    pub from: Option<Timestamp>,
    /// Created before this moment.
    pub until: Option<Timestamp>,
    pub assignee: Option<Assignee>,
    pub price_from: Option<Usd>,
    pub price_to: Option<Usd>,
    /// As [`LeadCounts::towns`] names them.
    pub towns: Vec<String>,
    /// Hashes: leads that have any of these.
    pub tags: Vec<String>,
    /// Lost for any of these.
    pub losses: Vec<LossReason>,
    pub origins: Vec<LeadOrigin>,
    /// Any of these was answered.
    pub wants: Vec<LeadWant>,
    /// Those that this user has not opened.
    pub unread_by: Option<UserId>,
    /// A visit was asked for, and nobody has answered.
    pub asked: bool,
    /// Nobody has responded to it, and it is not finished.
    pub waiting: bool,
    /// Words that each lead has.
    pub search: String,
    pub sort: LeadSort,
}

/// Each order in both directions. Leads without what is sorted by come last in both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LeadSort {
    #[default]
    Newest,
    Oldest,
    /// The highest price first.
    Price,
    PriceLow,
    /// The next step that is due first.
    Due,
    DueLast,
    /// In the order of [`LeadStatus::ALL`].
    Status,
    StatusLast,
    /// By the names of teammates.
    Assignee,
    AssigneeLast,
    /// A leak first, then what is wanted now, then damage.
    Urgent,
    UrgentLast,
}

impl LeadSort {
    pub const ALL: [Self; 12] = [
        Self::Newest,
        Self::Oldest,
        Self::Price,
        Self::PriceLow,
        Self::Due,
        Self::DueLast,
        Self::Status,
        Self::StatusLast,
        Self::Assignee,
        Self::AssigneeLast,
        Self::Urgent,
        Self::UrgentLast,
    ];
}

#[derive(Debug, Clone, PartialEq)]
pub struct LeadList {
    pub leads: Vec<Lead>,
    /// How many match. `None`: the words are too common to count them.
    pub total: Option<usize>,
    pub after: Option<ListCursor>,
    pub before: Option<ListCursor>,
}

/// How many leads there are, by what they are listed by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeadCounts {
    /// In the order of [`LeadStatus::ALL`].
    pub statuses: [usize; LeadStatus::ALL.len()],
    pub mine: usize,
    pub asked: usize,
    pub waiting: usize,
    pub unread: usize,
    /// Hash, name and number, the most first.
    pub towns: Vec<(String, String, usize)>,
    /// As towns.
    pub tags: Vec<(String, String, usize)>,
    /// In the order of [`LossReason::ALL`].
    pub losses: [usize; LossReason::ALL.len()],
    /// In the order of [`LeadOrigin::ALL`].
    pub origins: [usize; LeadOrigin::ALL.len()],
    /// In the order of [`LeadWant::ALL`].
    pub wants: [usize; LeadWant::ALL.len()],
}

impl LeadCounts {
    /// Without spam.
    pub fn all(&self) -> usize {
        self.statuses.iter().sum::<usize>() - self.of(LeadStatus::Spam)
    }

    pub fn of(&self, status: LeadStatus) -> usize {
        self.statuses[status as usize]
    }
}

/// The query in numbers of the index.
struct Filter<'q> {
    query: &'q LeadQuery,
    widgets: Option<Vec<u32>>,
    seen: Option<Vec<u32>>,
    assignee: Option<Option<u32>>,
    towns: Vec<Option<u32>>,
    tags: Vec<u32>,
    opened: Option<&'q HashSet<Uuid>>,
    wants: i64,
}

/// Nobody has responded to it, and it is not finished.
fn is_waiting(row: &Facets) -> bool {
    let is_open = matches!(row.status, LeadStatus::New | LeadStatus::Contacted | LeadStatus::Qualified);
    row.first_touch_at < 0 && is_open
}

impl<'q> Filter<'q> {
    fn new(query: &'q LeadQuery, index: &'q LeadIndex, widgets: Option<&[String]>, seen: Option<&[String]>) -> Self {
        Self {
            widgets: widgets.map(|ids| index.numbers(ids)),
            seen: seen.map(|ids| index.numbers(ids)),
            assignee: query.assignee.map(|assignee| index.number(&assignee.column())),
            towns: query.towns.iter().map(|town| index.number(town)).collect(),
            tags: query.tags.iter().filter_map(|tag| index.number(tag)).collect(),
            wants: LeadWant::bits(query.wants.iter().copied()),
            opened: query.unread_by.and_then(|user| index.opened_by(user)),
            query,
        }
    }

    fn takes(&self, row: &Facets) -> bool {
        let query = self.query;
        let status = if query.statuses.is_empty() {
            row.status != LeadStatus::Spam
        } else {
            query.statuses.contains(&row.status)
        };
        status
            && row.alive
            && query.from.is_none_or(|from| row.created_at >= from.micros())
            && query.until.is_none_or(|until| row.created_at < until.micros())
            && self.widgets.as_ref().is_none_or(|widgets| widgets.contains(&row.widget))
            && self.seen.as_ref().is_none_or(|seen| seen.contains(&row.widget))
            && self.assignee.is_none_or(|assignee| assignee == Some(row.assignee))
            && query.price_from.is_none_or(|least| row.price_cents >= least.cents().max(0))
            && query.price_to.is_none_or(|most| (0..=most.cents()).contains(&row.price_cents))
            && (self.towns.is_empty() || self.towns.contains(&Some(row.town)))
            && (query.tags.is_empty() || self.tags.iter().any(|tag| row.tags.contains(tag)))
            && (query.losses.is_empty() || row.loss.is_some_and(|reason| query.losses.contains(&reason)))
            && (query.origins.is_empty() || query.origins.contains(&row.origin))
            && (self.wants == 0 || self.wants & row.wants != 0)
            && (!query.asked || row.visit == Some(InspectionState::Asked))
            && (!query.waiting || is_waiting(row))
            && self.opened.is_none_or(|opened| !opened.contains(&row.id))
    }
}

/// An order, and what it needs to know of people.
pub(crate) struct Order {
    sort: LeadSort,
    /// Of the people in the index: their places by name, counted from 1.
    ranks: HashMap<u32, i64>,
}

impl Order {
    /// `names`: ids of people in the order of their names.
    fn new(sort: LeadSort, names: &[String], index: &LeadIndex) -> Self {
        let ranks = (1..).zip(names).filter_map(|(rank, id)| Some((index.number(id)?, rank))).collect();
        Self { sort, ranks }
    }

    pub fn place(&self, row: &Facets) -> ListCursor {
        let known = |value: Option<i64>| value.unwrap_or(i64::MIN);
        let price = Some(row.price_cents).filter(|price| *price >= 0);
        let due = Some(i64::from(row.due)).filter(|due| *due != 0);
        let status = row.status as i64;
        let rank = self.ranks.get(&row.assignee).copied();
        let key = match self.sort {
            LeadSort::Newest => 0,
            LeadSort::Oldest => -row.created_at,
            LeadSort::Price => known(price),
            LeadSort::PriceLow => known(price.map(|price| -price)),
            LeadSort::Due => known(due.map(|due| -due)),
            LeadSort::DueLast => known(due),
            LeadSort::Status => -status,
            LeadSort::StatusLast => status,
            LeadSort::Assignee => known(rank.map(|rank| -rank)),
            LeadSort::AssigneeLast => known(rank),
            LeadSort::Urgent => LeadWant::urgency(row.wants),
            LeadSort::UrgentLast => -LeadWant::urgency(row.wants),
        };
        ListCursor { key, created_at: row.created_at, id: row.id }
    }
}

/// Leads of which it is asked whether they have words.
#[derive(Serialize)]
struct Probed {
    id: Uuid,
    created_at: i64,
}

macro_rules! select_with_words {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT given.id FROM given CROSS JOIN lead_facet AS facet
              WHERE facet.lead_id = given.id
                AND EXISTS (SELECT 1 FROM lead_token AS t
                             WHERE t.token = $2 AND t.created_at = given.created_at AND t.lead = facet.number)
                AND ($3 IS NULL OR EXISTS (SELECT 1 FROM lead_token AS t
                             WHERE t.token = $3 AND t.created_at = given.created_at AND t.lead = facet.number))
                AND ($4 IS NULL OR EXISTS (SELECT 1 FROM lead_token AS t
                             WHERE t.token = $4 AND t.created_at = given.created_at AND t.lead = facet.number))
                AND ($5 IS NULL OR EXISTS (SELECT 1 FROM lead_token AS t
                             WHERE t.token = $5 AND t.created_at = given.created_at AND t.lead = facet.number))"
        )
    };
}

macro_rules! select_records {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead.id, lead.record FROM given JOIN lead ON lead.id = given.id
              WHERE account_id = $2 AND environment = $3 AND record IS NOT NULL"
        )
    };
}

macro_rules! select_towns {
    ($given:expr) => {
        concat!($given, "SELECT town, name FROM lead_town JOIN given ON given.id = town WHERE account_id = $2")
    };
}

/// What matches, in the order of the list.
pub(crate) struct Matched {
    pub places: Vec<ListCursor>,
    /// Otherwise there may be more.
    pub is_whole: bool,
    /// Where looking through ended, where it did not reach the end.
    looked_until: Option<ListCursor>,
}

/// Names with their numbers, the greatest first.
fn most(counts: &HashMap<u32, usize>, index: &LeadIndex) -> Vec<(String, usize)> {
    let mut most: Vec<_> = counts.iter().map(|(number, count)| (index.name(*number).to_owned(), *count)).collect();
    most.cold_sort_by_key(|(name, count)| (Reverse(*count), name.clone()));
    most.truncate(MAX_OFFERED);
    most
}

/// The greatest first. Of the top of a long list, no more is sorted than is looked at.
fn sort_for(places: &mut [ListCursor], place: ListPlace, limit: usize) {
    let descending = |one: &ListCursor, other: &ListCursor| other.cmp(one);
    let head = MAX_PROBED.max(limit + 1);
    let looked_at = match place {
        ListPlace::Top if places.len() > head => {
            places.select_nth_unstable_by(head, descending);
            &mut places[..head]
        }
        _ => places,
    };
    looked_at.sort_unstable_by(descending);
}

impl Leads<'_> {
    /// One page. `limit` is held between 1 and 500.
    pub async fn list_by(
        self,
        tenant: &Tenant,
        query: &LeadQuery,
        place: ListPlace,
        limit: usize,
    ) -> Result<LeadList, StoreError> {
        let limit = limit.clamp(1, 500);
        let Matched { places, is_whole, looked_until } = self.matched(tenant, query, place, limit).await?;
        // Descending: what is greater comes earlier.
        let (from, to) = match place {
            ListPlace::Top => (0, limit),
            ListPlace::After(cursor) => {
                let from = places.partition_point(|at| *at >= cursor);
                (from, from + limit)
            }
            ListPlace::Before(cursor) => {
                let to = places.partition_point(|at| *at > cursor);
                (to.saturating_sub(limit), to)
            }
        };
        let to = to.min(places.len());
        let page = places.get(from..to).unwrap_or_default();
        let ids: Vec<LeadId> = page.iter().map(|at| LeadId(at.id)).collect();
        let more = page.last().filter(|_| to < places.len()).copied();
        let begins_later = from > 0 || (!is_whole && place != ListPlace::Top);
        Ok(LeadList {
            leads: self.by_id(tenant, &ids).await?,
            total: is_whole.then_some(places.len()),
            after: more.or(looked_until),
            before: page.first().filter(|_| begins_later).copied(),
        })
    }

    /// Ids of the first of a list, and how many it has, where that is known.
    pub async fn list_ids(
        self,
        tenant: &Tenant,
        query: &LeadQuery,
        most: usize,
    ) -> Result<(Vec<LeadId>, Option<usize>), StoreError> {
        let matched = self.matched(tenant, query, ListPlace::Top, most).await?;
        let total = matched.is_whole.then_some(matched.places.len());
        Ok((matched.places.iter().take(most).map(|at| LeadId(at.id)).collect(), total))
    }

    pub async fn counts(self, tenant: &Tenant, user: UserId) -> Result<LeadCounts, StoreError> {
        let mut counts = LeadCounts::default();
        let (mut towns, mut tags): (HashMap<u32, usize>, HashMap<u32, usize>) = Default::default();
        let seen = self.seen_rows(tenant).await?;
        let index = self.index(tenant, Some(user)).await?;
        let seen = seen.map(|ids| index.numbers(&ids));
        let is_seen = |row: &&Facets| seen.as_ref().is_none_or(|seen| seen.contains(&row.widget));
        let own = index.number(&user.to_string());
        let opened = index.opened_by(user);
        for row in index.rows.iter().filter(|row| row.alive).filter(is_seen) {
            counts.statuses[row.status as usize] += 1;
            if row.status == LeadStatus::Spam {
                continue;
            }
            counts.mine += usize::from(own == Some(row.assignee));
            counts.asked += usize::from(row.visit == Some(InspectionState::Asked));
            counts.waiting += usize::from(is_waiting(row));
            counts.unread += usize::from(opened.is_some_and(|opened| !opened.contains(&row.id)));
            counts.origins[row.origin as usize] += 1;
            for want in LeadWant::ALL {
                counts.wants[want as usize] += usize::from(LeadWant::bits([want]) & row.wants != 0);
            }
            if row.town != 0 {
                *towns.entry(row.town).or_default() += 1;
            }
            row.tags.iter().for_each(|tag| *tags.entry(*tag).or_default() += 1);
            if let Some(reason) = row.loss {
                counts.losses[reason as usize] += 1;
            }
        }
        let (towns, tags) = (most(&towns, &index), most(&tags, &index));
        drop(index);
        let names = self.town_names(tenant, &towns.iter().map(|(town, _)| town.clone()).collect::<Vec<_>>()).await?;
        let named = |(town, count): (String, usize)| Some((town.clone(), names.get(&town)?.clone(), count));
        counts.towns = towns.into_iter().filter_map(named).collect();
        let names = self.tag_names(tenant, &tags.iter().map(|(tag, _)| tag.clone()).collect::<Vec<_>>()).await?;
        let named = |(tag, count): (String, usize)| Some((tag.clone(), names.get(&tag)?.clone(), count));
        counts.tags = tags.into_iter().filter_map(named).collect();
        Ok(counts)
    }

    /// Names of towns by their hashes.
    pub async fn town_names(self, tenant: &Tenant, towns: &[String]) -> Result<HashMap<String, String>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let select = match self.store.db {
            Db::Sqlite { .. } => select_towns!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_towns!(dialect::given_rows!(postgres: id text)),
        };
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, (String, String), select, given_ids(towns)?, tenant.account.to_string())?;
        rows.into_iter()
            .map(|(town, name)| {
                let name = keys.open(Field::TownName, &town, name)?;
                Ok((town, name))
            })
            .collect()
    }

    /// In the order of `ids`; those that are gone are left out.
    pub async fn by_id(self, tenant: &Tenant, ids: &[LeadId]) -> Result<Vec<Lead>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_records!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_records!(dialect::given_rows!(postgres: id text)),
        };
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, LeadRow, select, given_ids(ids)?, &account, environment)?;
        let leads = rows.into_iter().map(|row| row.read(&keys)).collect::<Result<Vec<_>, _>>()?;
        let seen = seen_now();
        let leads = leads.into_iter().filter(|lead| seen.sees(lead.widget_id));
        let mut leads: HashMap<LeadId, Lead> = leads.map(|lead| (lead.id, lead)).collect();
        Ok(ids.iter().filter_map(|id| leads.remove(id)).collect())
    }

    /// How many leads each of these finds. `None`: its words are too common to count them.
    pub async fn count_each(self, tenant: &Tenant, queries: &[LeadQuery]) -> Result<Vec<Option<usize>>, StoreError> {
        let mut counts = Vec::with_capacity(queries.len());
        for query in queries {
            counts.push(self.list_ids(tenant, query, 1).await?.1);
        }
        Ok(counts)
    }

    /// Ids of the company's people by their names, where the order asks for them.
    async fn names_in_order(self, tenant: &Tenant, sort: LeadSort) -> Result<Vec<String>, StoreError> {
        if !matches!(sort, LeadSort::Assignee | LeadSort::AssigneeLast) {
            return Ok(Vec::new());
        }
        let mut users = self.store.people().list_users(tenant.account).await?;
        users.cold_sort_by_key(|user| (user.name.as_str().to_lowercase(), user.id.to_string()));
        Ok(users.into_iter().map(|user| user.id.to_string()).collect())
    }

    /// A lead's place in the order of a list.
    pub(crate) async fn place_of(
        self,
        tenant: &Tenant,
        sort: LeadSort,
        lead: LeadId,
    ) -> Result<Option<ListCursor>, StoreError> {
        let names = self.names_in_order(tenant, sort).await?;
        let index = self.index(tenant, None).await?;
        let order = Order::new(sort, &names, &index);
        Ok(index.find(lead.0).map(|row| order.place(row)))
    }

    pub(crate) async fn matched(
        self,
        tenant: &Tenant,
        query: &LeadQuery,
        place: ListPlace,
        limit: usize,
    ) -> Result<Matched, StoreError> {
        let widgets = match query.widget {
            Some(widget) => Some(self.widget_rows(tenant, widget).await?),
            None => None,
        };
        let seen = self.seen_rows(tenant).await?;
        let words = search_token::of_question(&query.search);
        let environment = tenant.environment.as_str();
        let tokens: Vec<i64> =
            words.iter().map(|word| self.store.hashes.word(tenant.account, environment, word)).collect();
        let names = self.names_in_order(tenant, query.sort).await?;
        let index = self.index(tenant, query.unread_by).await?;
        let order = Order::new(query.sort, &names, &index);
        if tokens.is_empty() && !query.search.trim().is_empty() {
            return Ok(Matched { places: Vec::new(), is_whole: true, looked_until: None });
        }
        // The rarest word says the most.
        let mut counted = Vec::new();
        for token in tokens {
            let (count, since) = self.count_of_word(token).await?;
            counted.push((count, since, token));
        }
        counted.cold_sort();
        let rare = counted.first().is_some_and(|(count, ..)| *count <= MAX_OF_WORD);
        let having = if rare { self.leads_of_word(tenant, counted[0].2).await? } else { Vec::new() };
        let filter = Filter::new(query, &index, widgets.as_deref(), seen.as_deref());
        let mut places: Vec<ListCursor> = if rare {
            let known = having.iter().filter_map(|id| index.find(*id));
            known.filter(|row| filter.takes(row)).map(|row| order.place(row)).collect()
        } else {
            index.rows.iter().rev().filter(|row| filter.takes(row)).map(|row| order.place(row)).collect()
        };
        drop(index);
        if rare || query.sort != LeadSort::Newest {
            sort_for(&mut places, place, limit);
        }
        let probed = if rare { &counted[1..] } else { &counted[..] };
        let probed: Vec<i64> = probed.iter().map(|(.., token)| *token).collect();
        if probed.is_empty() {
            return Ok(Matched { places, is_whole: true, looked_until: None });
        }
        if rare {
            let places = self.with_words(&probed, &places).await?;
            return Ok(Matched { places, is_whole: true, looked_until: None });
        }
        self.look_through(&probed, places, place, limit).await
    }

    /// Words that so many leads have that they are not worth a list: leads are looked through from the place on, until a page
    /// is full or many were seen.
    async fn look_through(
        self,
        words: &[i64],
        mut places: Vec<ListCursor>,
        place: ListPlace,
        limit: usize,
    ) -> Result<Matched, StoreError> {
        let backwards = matches!(place, ListPlace::Before(_));
        match place {
            ListPlace::Top => {}
            ListPlace::After(cursor) => drop(places.drain(..places.partition_point(|at| *at >= cursor))),
            ListPlace::Before(cursor) => {
                places.truncate(places.partition_point(|at| *at > cursor));
                places.reverse();
            }
        }
        let mut found = Vec::new();
        let mut seen = 0;
        let most = MAX_PROBED / words.len().max(2);
        for some in places.chunks(PROBED_TOGETHER) {
            if found.len() > limit || seen >= most {
                break;
            }
            seen += some.len();
            found.extend(self.with_words(words, some).await?);
        }
        let looked_until = places.get(seen.wrapping_sub(1)).filter(|_| seen < places.len()).copied();
        if backwards {
            found.reverse();
        }
        Ok(Matched { places: found, is_whole: false, looked_until: looked_until.filter(|_| !backwards) })
    }

    /// Those of the tenant's leads that have all of its words.
    async fn with_words(self, words: &[i64], places: &[ListCursor]) -> Result<Vec<ListCursor>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_with_words!(dialect::given_rows!(sqlite: id text, created_at bigint)),
            Db::Postgres(_) => select_with_words!(dialect::given_rows!(postgres: id text, created_at bigint)),
        };
        let asked: Vec<Probed> = places.iter().map(|at| Probed { id: at.id, created_at: at.created_at }).collect();
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            select,
            serde_json::to_string(&asked)?,
            words.first(),
            words.get(1),
            words.get(2),
            words.get(3)
        )?;
        let having: HashSet<Uuid> = rows.iter().map(|(id,)| parse_id("lead", id)).collect::<Result<_, _>>()?;
        Ok(places.iter().filter(|at| having.contains(&at.id)).copied().collect())
    }

    /// Up to one more than makes it common, and since when: of two common words, the rarer one needs more time for as many.
    async fn count_of_word(self, token: i64) -> Result<(i64, i64), StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64, Option<i64>),
            "SELECT COUNT(*), MIN(created_at)
               FROM (SELECT created_at FROM lead_token WHERE token = $1 ORDER BY created_at DESC LIMIT $2) AS found",
            token,
            MAX_OF_WORD + 1
        )?;
        Ok(row.map_or((0, 0), |(count, since)| (count, since.unwrap_or_default())))
    }

    async fn leads_of_word(self, tenant: &Tenant, token: i64) -> Result<Vec<Uuid>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT facet.lead_id FROM lead_token AS found CROSS JOIN lead_facet AS facet
              WHERE found.token = $3 AND facet.number = found.lead AND facet.account_id = $1 AND facet.environment = $2
              LIMIT $4",
            &account,
            environment,
            token,
            MAX_OF_WORD + 1
        )?;
        rows.iter().map(|(id,)| parse_id("lead", id)).collect()
    }

    pub(crate) async fn widget_rows(self, tenant: &Tenant, widget: WidgetId) -> Result<Vec<String>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT id FROM widget WHERE reference_id = $1 AND account_id = $2 AND environment = $3",
            widget.to_string(),
            &account,
            environment
        )?;
        Ok(rows.into_iter().map(|(id,)| id).collect())
    }
    /// Rows of the widgets that are seen now, in both environments: a test lead of a live widget is in the sandbox.
    pub(crate) async fn seen_rows(self, tenant: &Tenant) -> Result<Option<Vec<String>>, StoreError> {
        let Some(seen) = seen_now().text() else { return Ok(None) };
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT id FROM widget WHERE account_id = $1 AND $2 LIKE '%' || reference_id || '%'",
            tenant.account.to_string(),
            seen
        )?;
        Ok(Some(rows.into_iter().map(|(id,)| id).collect()))
    }
}
