//! The columns the portal lists leads by (`lead_facet`), made when a record becomes searchable.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::Lead;
use shingle_domain::{AccountId, Timestamp};

use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::db::{Db, Tx, execute, fetch_all};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::origin::{LeadOrigin, counted_from};
use crate::leads::want::LeadWant;
use crate::{Store, StoreError};

/// The town of an address in one line: what precedes its state. `None` for a line that was typed in another way.
pub(crate) fn town_of(address: &str) -> Option<&str> {
    let (before, state) = address.rsplit_once(',')?;
    let (_, town) = before.rsplit_once(',')?;
    let is_state = state.trim_start().chars().take_while(char::is_ascii_uppercase).count() == 2;
    Some(town.trim()).filter(|town| is_state && !town.is_empty())
}

/// A row of `lead_facet`, as JSON.
#[derive(Serialize)]
pub(crate) struct NewFacet {
    pub lead_id: String,
    pub environment: String,
    pub created_at: i64,
    pub status: String,
    pub widget_id: String,
    price_cents: Option<i64>,
    town: Option<String>,
    origin: &'static str,
    visit: Option<String>,
    wants: i64,
    pub assignee_id: Option<String>,
    pub due_day: Option<String>,
    pub due_time: Option<String>,
    pub loss: Option<String>,
    pub tags: Option<String>,
    first_touch_at: Option<i64>,
    page: String,
    source: String,
    won_value_cents: Option<i64>,
    erased: bool,
}

/// The columns of one row that are not in its record.
pub(crate) struct FacetRow {
    pub lead_id: String,
    pub environment: String,
    pub created_at: i64,
    pub status: String,
    pub widget_id: String,
    pub assignee_id: Option<String>,
    pub due_day: Option<String>,
    pub due_time: Option<String>,
    pub loss: Option<String>,
    pub tags: Option<String>,
    pub won_value_cents: Option<i64>,
    /// No list has it.
    pub is_merged: bool,
}

/// Hashes and names of the towns that were met.
pub(crate) type Towns = BTreeMap<String, String>;

impl FacetRow {
    /// `None`: its record cannot be read. It is listed anyway, so that the person who opens it is told.
    /// `merged`: the leads that were merged into it. `is_booked`: calendars have an inspection of one of them all.
    pub fn with(
        self,
        store: &Store,
        account: AccountId,
        lead: Option<&Lead>,
        (merged, is_booked): (&[Lead], bool),
        towns: &mut Towns,
    ) -> NewFacet {
        let town = lead.and_then(|lead| town_of(&lead.address)).map(|town| {
            let hash = store.hashes.town(account, &town.to_lowercase());
            towns.entry(hash.clone()).or_insert_with(|| town.to_owned());
            hash
        });
        let from = lead.map(|lead| counted_from(&lead.source)).unwrap_or_default();
        NewFacet {
            lead_id: self.lead_id,
            environment: self.environment,
            created_at: self.created_at,
            status: self.status,
            widget_id: self.widget_id,
            price_cents: lead.and_then(Lead::shown_price).map(|price| price.cost.cents()),
            town,
            origin: lead.map_or(LeadOrigin::Site, LeadOrigin::of).as_str(),
            wants: lead.map_or(0, LeadWant::bits_of),
            visit: visit(lead, merged, is_booked).map(|state| state.as_str().to_owned()),
            assignee_id: self.assignee_id,
            due_day: self.due_day,
            due_time: self.due_time,
            loss: self.loss,
            tags: self.tags,
            first_touch_at: lead
                .into_iter()
                .chain(merged)
                .filter_map(|lead| lead.first_touch_at)
                .min()
                .map(Timestamp::micros),
            page: from.page().to_owned(),
            source: from.source().to_owned(),
            won_value_cents: self.won_value_cents,
            erased: self.is_merged,
        }
    }
}

/// How far the inspection is: of leads that are merged, one that waits for an answer comes first, then the lead's own. Nobody
/// waits while another one is booked.
fn visit(lead: Option<&Lead>, merged: &[Lead], is_booked: bool) -> Option<InspectionState> {
    let states = lead.into_iter().chain(merged).filter_map(|lead| lead.inspection.as_ref()).map(|visit| visit.state);
    let states: Vec<_> = states.collect();
    if is_booked {
        return Some(InspectionState::Confirmed);
    }
    states.iter().find(|state| **state == InspectionState::Asked).or(states.first()).copied()
}

#[derive(Serialize)]
struct NewTown<'t> {
    town: &'t str,
    name: String,
}

macro_rules! insert_facets {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO lead_facet (lead_id, account_id, environment, created_at, touched_at, status, widget_id, price_cents,
                                     town, origin, visit, wants, assignee_id, due_day, due_time, loss, tags,
                                     first_touch_at, page, source, won_value_cents, erased)
             SELECT lead_id, $2, environment, created_at, $3, status, widget_id, price_cents, town, origin, visit, wants,
                    assignee_id, due_day, due_time, loss, tags, first_touch_at, page, source, won_value_cents, erased
               FROM given WHERE true
                 ON CONFLICT (lead_id) DO UPDATE SET touched_at = excluded.touched_at, status = excluded.status,
                    widget_id = excluded.widget_id, price_cents = excluded.price_cents, town = excluded.town,
                    origin = excluded.origin, visit = excluded.visit, wants = excluded.wants, assignee_id = excluded.assignee_id,
                    due_day = excluded.due_day, due_time = excluded.due_time, loss = excluded.loss, tags = excluded.tags,
                    first_touch_at = excluded.first_touch_at, page = excluded.page,
                    source = excluded.source, won_value_cents = excluded.won_value_cents, erased = excluded.erased
             RETURNING lead_id, number"
        )
    };
}

macro_rules! insert_towns {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO lead_town (account_id, town, name) SELECT $2, town, name FROM given WHERE true ON CONFLICT DO NOTHING"
        )
    };
}

macro_rules! statements {
    ($engine:ident) => {
        [
            insert_facets!(dialect::given_rows!($engine: lead_id text, environment text, created_at bigint, status text,
                widget_id text, price_cents bigint, town text, origin text, visit text, wants bigint, assignee_id text,
                due_day text, due_time text, loss text, tags text,
                first_touch_at bigint, page text, source text, won_value_cents bigint, erased boolean)),
            insert_towns!(dialect::given_rows!($engine: town text, name text)),
        ]
    };
}

impl Leads<'_> {
    /// Returns the numbers of the leads.
    pub(crate) async fn write_facets(
        self,
        tx: &mut Tx<'_>,
        account: AccountId,
        keys: &DataKeys,
        facets: &[NewFacet],
        towns: &Towns,
    ) -> Result<HashMap<String, i64>, StoreError> {
        let [insert_facets, insert_towns] = match self.store.db {
            Db::Sqlite { .. } => statements!(sqlite),
            Db::Postgres(_) => statements!(postgres),
        };
        let (account, now) = (account.to_string(), self.store.now().micros());
        let numbers = fetch_all!(tx, (String, i64), insert_facets, serde_json::to_string(facets)?, &account, now)?;
        if !towns.is_empty() {
            let towns =
                towns.iter().map(|(town, name)| Ok(NewTown { town, name: keys.seal(Field::TownName, town, name)? }));
            let towns = towns.collect::<Result<Vec<_>, StoreError>>()?;
            execute!(tx, insert_towns, serde_json::to_string(&towns)?, &account)?;
        }
        Ok(numbers.into_iter().collect())
    }
}

/// The row stays, so that what is held of it in memory is taken out.
pub(crate) async fn erase_facets(tx: &mut Tx<'_>, lead: &str, now: Timestamp) -> Result<(), StoreError> {
    execute!(
        tx,
        "UPDATE lead_facet SET erased = TRUE, touched_at = $2, price_cents = NULL, town = NULL, visit = NULL, wants = 0,
                               assignee_id = NULL, due_day = NULL, due_time = NULL, loss = NULL, tags = NULL, page = NULL, source = NULL WHERE lead_id = $1",
        lead,
        now.micros()
    )?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::town_of;

    #[test]
    fn the_town_stands_before_the_state() {
        for (address, town) in [
            ("14 Alder Court, Portland, ME 04103", Some("Portland")),
            ("14 Alder Court, Unit 3, Cape Elizabeth, ME", Some("Cape Elizabeth")),
            ("14 Alder Court Portland ME", None),
            ("Portland, ME 04103", None),
            ("14 Alder Court, , ME 04103", None),
            ("14 Alder Court, Portland, Maine", None),
            ("", None),
        ] {
            assert_eq!(town_of(address), town, "{address}");
        }
    }
}
