//! What would happen to each row of a file, before anything does.

use std::collections::HashMap;
use std::sync::Arc;

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::lead::Lead;
use shingle_domain::public::AddressChoice;
use shingle_domain::{Email, Environment, LeadId, Phone, Tenant};

use super::around::Around;
use super::row::{Missing, RowLead, house_number};
use super::stored::Import;
use crate::app::App;
use crate::failure::Failure;
use crate::property_indexes::{ChosenAddress, find_chosen};

/// People that one statement looks for.
const TOGETHER: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    New,
    /// The person is a lead already.
    Known(LeadId),
    /// The person is in an earlier row too: its number.
    Twice(usize),
    LeftOut(Missing),
}

pub struct PlannedRow {
    /// In the file.
    pub number: usize,
    pub fate: Fate,
    /// `None` for one that is left out.
    pub lead: Option<RowLead>,
}

#[derive(Default)]
pub struct Plan {
    pub rows: Vec<PlannedRow>,
    pub new: usize,
    pub known: usize,
    pub left_out: usize,
    /// New ones whose home has a record here.
    pub in_area: usize,
    pub agreed: usize,
}

pub async fn plan(app: &Arc<App>, tenant: &Tenant, import: &Import) -> Result<Plan, Failure> {
    let Some(table) = import.table.clone() else { return Ok(Plan::default()) };
    let (around, choices) = (Around::read(app, tenant).await?, import.record.choices.clone());
    let read = app.heavy_work.run(move || {
        let reader = around.reader(&table, &choices);
        table.rows.iter().map(|(number, cells)| (*number, reader.read(cells))).collect::<Vec<_>>()
    });
    let read = read.await?;
    let mut known: HashMap<usize, Vec<Lead>> = HashMap::new();
    for (nth, part) in read.chunks(TOGETHER).enumerate() {
        let people: Vec<_> = part
            .iter()
            .map(|(_, lead)| lead.as_ref().map_or((None, None), |lead| (lead.email.clone(), lead.phone.clone())))
            .collect();
        let found = known_leads(app, tenant, &people).await?;
        known.extend(found.into_iter().map(|(n, leads)| (nth * TOGETHER + n, leads)));
    }
    let mut plan = Plan::default();
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (n, (number, lead)) in read.into_iter().enumerate() {
        let (fate, lead) = match lead {
            Err(missing) => (Fate::LeftOut(missing), None),
            Ok(lead) => {
                let contacts = contacts(&lead);
                let earlier = contacts.iter().find_map(|contact| seen.get(contact)).copied();
                contacts.into_iter().for_each(|contact| {
                    seen.entry(contact).or_insert(number);
                });
                let here = known.get(&n).and_then(|leads| leads.iter().find(|known| lead.is_at(&known.address)));
                let fate = match (here, earlier) {
                    (Some(known), _) => Fate::Known(known.id),
                    (None, Some(row)) => Fate::Twice(row),
                    (None, None) => Fate::New,
                };
                (fate, Some(lead))
            }
        };
        match fate {
            Fate::New => plan.new += 1,
            Fate::Known(_) | Fate::Twice(_) => plan.known += 1,
            Fate::LeftOut(_) => plan.left_out += 1,
        }
        let agreed = lead.as_ref().and_then(|lead| lead.consent.as_ref()).is_some_and(|said| said.given);
        plan.agreed += usize::from(agreed && fate == Fate::New);
        plan.rows.push(PlannedRow { number, fate, lead });
    }
    plan.in_area = in_area(app, tenant, &plan).await?;
    Ok(plan)
}

/// The leads of these people.
pub(super) async fn known_leads(
    app: &App,
    tenant: &Tenant,
    people: &[(Option<Email>, Option<Phone>)],
) -> Result<HashMap<usize, Vec<Lead>>, Failure> {
    let found = app.store.leads().known_people(tenant, people).await?;
    let mut ids: Vec<LeadId> = found.values().flatten().copied().collect();
    ids.cold_sort();
    ids.dedup();
    let leads = app.store.leads().by_id(tenant, &ids).await?;
    let by_id: HashMap<LeadId, Lead> = leads.into_iter().map(|lead| (lead.id, lead)).collect();
    let all = found.into_iter().map(|(n, ids)| (n, ids.iter().filter_map(|id| by_id.get(id).cloned()).collect()));
    Ok(all.collect())
}

/// By which a person at a home is found again.
pub(super) fn contacts(lead: &RowLead) -> Vec<String> {
    let home = house_number(lead.line()).unwrap_or_default();
    let email = lead.email.as_ref().map(|email| format!("{} {home}", email.as_str().to_lowercase()));
    let phone = lead.phone.as_ref().map(|phone| format!("{} {home}", phone.as_str()));
    email.into_iter().chain(phone).collect()
}

async fn in_area(app: &Arc<App>, tenant: &Tenant, plan: &Plan) -> Result<usize, Failure> {
    let new = plan.rows.iter().filter(|row| row.fate == Fate::New).filter_map(|row| row.lead.as_ref());
    let addresses: Vec<AddressChoice> = new.map(|lead| lead.address.clone()).collect();
    let homes = match tenant.environment {
        Environment::Sandbox if app.indexes.production.is_empty() => Environment::Sandbox,
        Environment::Sandbox => tenant.environment,
        Environment::Production => Environment::Production,
    };
    let context = app.clone();
    let count = app.heavy_work.run(move || {
        let index = context.indexes.of(homes);
        addresses.iter().try_fold(0, |count, address| {
            let is_here = matches!(find_chosen(index, address)?, ChosenAddress::Found { .. });
            Ok(count + usize::from(is_here))
        })
    });
    count.await?.map_err(|error: shingle_property::PropertyError| Failure::fault(error))
}
