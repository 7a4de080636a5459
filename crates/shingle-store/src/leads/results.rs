//! The outcome of a period's leads, summed for a company's results from the index in memory, without opening a
//! record.

use std::collections::HashMap;

use shingle_domain::lead::LeadStatus;
use shingle_domain::visit::VisitFrom;
use shingle_domain::{Tenant, Timestamp, Usd, WidgetId};

use crate::StoreError;
use crate::engine::db::fetch_all;
use crate::leads::Leads;
use crate::leads::index::{Facets, LeadIndex};
use crate::store::parse_id;

/// Which leads: all that are not taken for spam, as far as nothing else is said.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutcomeFilter {
    pub from: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub widget: Option<WidgetId>,
    pub page: Option<String>,
    pub source: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeadOutcome {
    pub created_at: Timestamp,
    pub first_touch_at: Option<Timestamp>,
    pub status: LeadStatus,
    pub from: VisitFrom,
    /// Its reference id.
    pub widget: Option<WidgetId>,
    /// What somebody said it was worth, else the estimate for the material that was chosen.
    pub price: Option<Usd>,
}

impl Leads<'_> {
    /// Oldest first.
    pub async fn outcomes(self, tenant: &Tenant, filter: &OutcomeFilter) -> Result<Vec<LeadOutcome>, StoreError> {
        let widgets = match filter.widget {
            Some(widget) => Some(self.widget_rows(tenant, widget).await?),
            None => None,
        };
        let seen = self.seen_rows(tenant).await?;
        let names = self.widget_names(tenant).await?;
        let index = self.index(tenant, None).await?;
        // A widget, page or source that no lead has matches none.
        let [widgets, seen] = [widgets, seen].map(|ids| ids.map(|ids| index.numbers(&ids)));
        let number = |text: &Option<String>| text.as_deref().map(|text| index.number(text));
        let (page, source) = (number(&filter.page), number(&filter.source));
        let begin = filter.from.map_or(0, |from| index.rows.partition_point(|row| row.created_at < from.micros()));
        let wanted = index.rows[begin..]
            .iter()
            .take_while(|row| filter.until.is_none_or(|until| row.created_at < until.micros()))
            .filter(|row| row.alive && row.status != LeadStatus::Spam)
            .filter(|row| widgets.as_ref().is_none_or(|widgets| widgets.contains(&row.widget)))
            .filter(|row| seen.as_ref().is_none_or(|seen| seen.contains(&row.widget)))
            .filter(|row| page.is_none_or(|page| page == Some(row.page)))
            .filter(|row| source.is_none_or(|source| source == Some(row.source)));
        Ok(wanted.map(|row| outcome(&index, row, &names)).collect())
    }

    /// Reference ids by the ids of rows, in both environments: a test lead of a live widget is in the sandbox.
    async fn widget_names(self, tenant: &Tenant) -> Result<HashMap<String, WidgetId>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, String),
            "SELECT id, reference_id FROM widget WHERE account_id = $1",
            tenant.account.to_string()
        )?;
        rows.into_iter().map(|(id, reference)| Ok((id, parse_id("widget", &reference)?))).collect()
    }
}

fn outcome(index: &LeadIndex, row: &Facets, names: &HashMap<String, WidgetId>) -> LeadOutcome {
    let told = |cents: i64| (cents >= 0).then(|| Usd::from_cents(cents));
    LeadOutcome {
        created_at: Timestamp::from_micros(row.created_at),
        first_touch_at: (row.first_touch_at >= 0).then(|| Timestamp::from_micros(row.first_touch_at)),
        status: row.status,
        from: VisitFrom::counted(index.name(row.page).to_owned(), index.name(row.source).to_owned()),
        widget: names.get(index.name(row.widget)).copied(),
        price: told(row.won_cents).or_else(|| told(row.price_cents)),
    }
}
