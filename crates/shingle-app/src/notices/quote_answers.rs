//! A quote that was answered, as notices tell of it, and where the company that tells is.

use serde::Deserialize;
use shingle_deliver::Job;
use shingle_domain::lead::Lead;
use shingle_domain::quote::{Quote, QuoteState};
use shingle_domain::{Environment, LeadId, Tenant};
use shingle_notice::{Language, QuoteAnswered};
use shingle_store::{QuoteNotice, Store, StoreError};

use super::messages::NoNotice;

#[derive(Deserialize)]
struct Body {
    data: QuoteNotice,
}

/// Where the company is: the portal has one zone for real leads and test data.
pub async fn company_zone(store: &Store, tenant: &Tenant) -> Result<String, StoreError> {
    let live = Tenant { environment: Environment::Production, ..*tenant };
    Ok(store.destinations().notice_settings(&live).await?.unwrap_or_default().time_zone)
}

/// A quote that was answered, with its lead.
pub(super) struct Answered {
    pub lead: Lead,
    pub quote: Quote,
}

/// Why nobody is told any more.
pub(super) async fn answered(store: &Store, job: &Job) -> Result<Result<Answered, NoNotice>, StoreError> {
    let Some((lead, quote)) = of_job(store, job).await? else { return Ok(Err(NoNotice::Erased)) };
    Ok(match quote.state {
        QuoteState::Accepted | QuoteState::Declined => Ok(Answered { lead, quote }),
        _ => Err(NoNotice::NewerQuote),
    })
}

/// The lead and the quote that an event is about; `None`: erased.
pub(super) async fn of_job(store: &Store, job: &Job) -> Result<Option<(Lead, Quote)>, StoreError> {
    let (tenant, event) = (&job.destination.tenant, &job.delivery.event);
    let Some(payload) = &event.payload else { return Ok(None) };
    let notice = serde_json::from_str::<Body>(payload).map_err(StoreError::Json)?.data;
    let Some(lead) = store.leads().find(tenant, LeadId(event.resource)).await? else { return Ok(None) };
    Ok(store.leads().quote(tenant, notice.quote).await?.map(|quote| (lead, quote)))
}

impl Answered {
    pub fn notice<'a>(
        &'a self,
        reference: &'a str,
        link: &'a str,
        (to, language): (&'a str, Language),
        time_zone: &'a str,
        environment: Environment,
    ) -> QuoteAnswered<'a> {
        QuoteAnswered {
            quote: &self.quote,
            lead: &self.lead,
            reference,
            link,
            to,
            sandbox: environment == Environment::Sandbox,
            language,
            time_zone,
        }
    }
}
