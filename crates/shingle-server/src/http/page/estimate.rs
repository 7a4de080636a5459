//! `/w/{id}/estimate` and `/thanks`: what a lead's sender sees of it, for a day.

use axum::response::Response;
use shingle_domain::LeadId;
use shingle_domain::lead::Lead;
use shingle_domain::public::{AddressChoice, EstimateSheet, RoofFound};
use shingle_domain::roof::RoofMaterial;
use shingle_estimate::roof::{PriceTerms, estimate_summary, roof_found};
use shingle_store::HomeownerChange;
use shingle_widget::ssr::page::{Estimate, Thanks, estimate_page, thanks_page};

use super::Turn;
use super::guest::Guest;
use crate::ground::{Chosen, choose as choose_place};
use crate::http::error::{Answer, Failure};
use crate::http::intake::reference;
use crate::http::limits::Deed;

pub(in crate::http) async fn show(guest: Guest) -> Response {
    guest.answer(priced(&guest).await, None)
}

/// Another material: the contractor hears of it, and the page shows its price.
pub(in crate::http) async fn choose(guest: Guest) -> Response {
    guest.answer(change(&guest).await, None)
}

pub(in crate::http) async fn thanks(guest: Guest) -> Response {
    guest.answer(thanked(&guest).await, None)
}

async fn priced(guest: &Guest) -> Answer<Turn> {
    let (lead, step) = (lead(guest).await?, guest.step());
    let Some(measured) = measured(guest, &lead)? else { return Ok(Turn::To(step.href("thanks", &passed(guest)))) };
    Ok(Turn::page(estimate_page(
        &step,
        &Estimate {
            sheet: &measured.sheet,
            roof: measured.roof.as_ref(),
            building: measured.building,
            material: lead.roof_material,
            passed: &passed(guest),
        },
    )))
}

async fn change(guest: &Guest) -> Answer<Turn> {
    let id = held(guest)?;
    let material: RoofMaterial =
        guest.text("material").parse().map_err(|_| Failure::refused("material names no covering"))?;
    let Guest { app, visit, .. } = guest;
    app.gate.visit(Deed::Lead, visit.ip, visit.id())?;
    let change = HomeownerChange { roof_material: Some(material), ..HomeownerChange::default() };
    app.store.change_lead_as_homeowner(&visit.tenant, id, &change).await?;
    Ok(Turn::To(guest.step().href("estimate", &passed(guest))))
}

async fn thanked(guest: &Guest) -> Answer<Turn> {
    let lead = lead(guest).await?;
    let measured = measured(guest, &lead)?;
    let roof = measured.as_ref().and_then(|m| Some((m.roof.as_ref()?, m.building)));
    Ok(Turn::page(thanks_page(
        &guest.step(),
        &Thanks {
            first: &lead.first_name,
            email: lead.email.as_str(),
            reference: &reference(lead.id),
            may_call: lead.consent.given && lead.phone.is_some(),
            roof,
            passed: &passed(guest),
        },
    )))
}

/// What the addresses of a lead's pages hold.
fn passed(guest: &Guest) -> [(&'static str, &str); 4] {
    ["lead", "token", "key", "building"].map(|name| (name, guest.text(name)))
}

/// The lead that this visitor holds the token of.
fn held(guest: &Guest) -> Answer<LeadId> {
    let Guest { app, visit, .. } = guest;
    let id: LeadId = guest.text("lead").parse().map_err(|_| Failure::NotFound)?;
    let holds = app.tokens.is_lead(guest.text("token"), visit.id(), id, app.clock.now());
    if holds { Ok(id) } else { Err(Failure::NoSession) }
}

async fn lead(guest: &Guest) -> Answer<Lead> {
    let id = held(guest)?;
    guest.app.store.find_lead(&guest.visit.tenant, id).await?.ok_or(Failure::NotFound)
}

/// A roof and its price as the lead was told.
struct Measured {
    sheet: EstimateSheet,
    roof: Option<RoofFound>,
    building: usize,
}

/// `None` when no price was told, or the roof is not that of the lead any more.
fn measured(guest: &Guest, lead: &Lead) -> Answer<Option<Measured>> {
    let Guest { app, visit, .. } = guest;
    let Some(told) = &lead.estimate else { return Ok(None) };
    app.gate.visit(Deed::Roof, visit.ip, visit.id())?;
    let choice = AddressChoice::Key(guest.text("key").to_owned());
    let index = app.ground.of(visit.tenant.environment);
    let Chosen::Place { key, evidence } = choose_place(index, &choice).map_err(Failure::internal)? else {
        return Ok(None);
    };
    if evidence.place.address.to_string() != lead.address {
        return Ok(None);
    }
    let building = guest.text("building").parse().unwrap_or(0);
    let terms = PriceTerms { table: app.prices(), asphalt_override: visit.widget.installed_price };
    let roof = roof_found(&key.to_string(), &evidence);
    // Prices may have changed since; what was told stands.
    let sheet = estimate_summary(&evidence, building, &terms)
        .map(|sheet| EstimateSheet { prices: told.prices.clone(), ..sheet });
    Ok(sheet.filter(|s| !s.prices.is_empty()).map(|sheet| Measured { sheet, roof, building }))
}
