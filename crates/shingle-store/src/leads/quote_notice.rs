//! Emails and notices about quotes: to the homeowner when one is sent or answered, to the company when it is answered. Each
//! names the quote alone, and is composed when it is sent.

use serde::{Deserialize, Serialize};
use shingle_domain::event::EventKind;
use shingle_domain::lead::Lead;
use shingle_domain::{LeadId, QuoteId, Tenant};

use crate::StoreError;
use crate::destinations::destination::Destination;
use crate::destinations::kind::DestinationKind;
use crate::engine::db::{Tx, fetch_optional};
use crate::leads::Leads;
use crate::leads::lead::subject;
use crate::leads::step_reminder::NEXT_STEPS;

/// The address of the destination of all homeowners who get quotes.
pub const QUOTES_OF_HOMEOWNERS: &str = "quotes";

/// `data` of the events about a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QuoteNotice {
    pub quote: QuoteId,
}

/// Who gets an email about an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QuoteTelling {
    /// The homeowner, with what was accepted.
    pub homeowner: bool,
    /// The assignee, beside those that are notified of leads.
    pub assignee: bool,
}

impl Leads<'_> {
    pub(crate) async fn tell_homeowner_of_quote(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: &Lead,
        kind: EventKind,
        quote: QuoteId,
    ) -> Result<(), StoreError> {
        let to = self.team_mailbox(tx, tenant, (QUOTES_OF_HOMEOWNERS, "Quotes, to homeowners")).await?;
        let about = subject(kind, lead);
        let deliveries = self.store.deliveries();
        let event = deliveries.write_event(tx, tenant, about, &serde_json::to_value(QuoteNotice { quote })?).await?;
        deliveries.write_delivery(tx, &to, about, &event, 0).await?;
        Ok(())
    }

    /// `root`: the lead that stays, whose assignee is told.
    pub(crate) async fn tell_of_answer(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        (lead, root): (&Lead, LeadId),
        quote: QuoteId,
        telling: QuoteTelling,
    ) -> Result<(), StoreError> {
        let about = subject(EventKind::QuoteAnswered, lead);
        let deliveries = self.store.deliveries();
        let mut destinations = deliveries.destinations_of(tx, tenant, about).await?;
        let assignee = self.work_in(tx, tenant, root).await?.assignee.filter(|_| telling.assignee);
        if let Some((user, _)) = assignee {
            let sql = "SELECT email FROM portal_user WHERE id = $1";
            let email = fetch_optional!(tx, (String,), sql, user.to_string())?;
            let has_it = email.is_none_or(|(email,)| {
                let is_theirs = |of: &Destination| of.draft.address.eq_ignore_ascii_case(&email);
                destinations.iter().any(|of| of.draft.kind == DestinationKind::Mail && is_theirs(of))
            });
            if !has_it {
                destinations.push(self.team_mailbox(tx, tenant, (NEXT_STEPS, "Next steps, to the team")).await?);
            }
        }
        if telling.homeowner {
            let homeowners = self.team_mailbox(tx, tenant, (QUOTES_OF_HOMEOWNERS, "Quotes, to homeowners")).await?;
            destinations.push(homeowners);
        }
        if destinations.is_empty() {
            return Ok(());
        }
        let event = deliveries.write_event(tx, tenant, about, &serde_json::to_value(QuoteNotice { quote })?).await?;
        for destination in &destinations {
            deliveries.write_delivery(tx, destination, about, &event, 0).await?;
        }
        Ok(())
    }
}
