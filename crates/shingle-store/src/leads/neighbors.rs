//! A lead's place in a list, and its neighbors there.

use shingle_domain::{LeadId, Tenant};

use crate::StoreError;
use crate::leads::Leads;
use crate::leads::list::{LeadQuery, Matched};
use crate::leads::list_cursor::{ListCursor, ListPlace};

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beside {
    /// Counted from 1. `None`: it is not in the list any more, as one that was new and is called, or nobody counted.
    pub number: Option<usize>,
    /// `None`: the words are too common to count what they find.
    pub total: Option<usize>,
    pub before: Option<LeadId>,
    pub after: Option<LeadId>,
}

impl Beside {
    fn of_whole(places: &[ListCursor], own: ListCursor) -> Self {
        let earlier = places.partition_point(|at| *at > own);
        let is_in = places.get(earlier) == Some(&own);
        let next = earlier + usize::from(is_in);
        Self {
            number: is_in.then_some(earlier + 1),
            total: Some(places.len()),
            before: earlier.checked_sub(1).map(|at| LeadId(places[at].id)),
            after: places.get(next).map(|at| LeadId(at.id)),
        }
    }
}

impl Leads<'_> {
    /// A lead that left the list keeps its place in the order, so that the next one is still the next one.
    pub async fn beside(self, tenant: &Tenant, query: &LeadQuery, lead: LeadId) -> Result<Beside, StoreError> {
        let Some(own) = self.place_of(tenant, query.sort, lead).await? else { return Ok(Beside::default()) };
        let Matched { places, is_whole, .. } = self.matched(tenant, query, ListPlace::Before(own), 1).await?;
        if is_whole {
            return Ok(Beside::of_whole(&places, own));
        }
        let before = places.last().map(|at| LeadId(at.id));
        let later = self.matched(tenant, query, ListPlace::After(own), 1).await?;
        let after = later.places.first().map(|at| LeadId(at.id));
        Ok(Beside { before, after, ..Beside::default() })
    }
}
