//! `GET /w/{id}/measure`: from an address to its roof.

use axum::response::Response;
use shingle_domain::public::{AddressChoice, RoofAnswer};
use shingle_domain::text::is_clean;
use shingle_widget::ssr::page::{TypedAddress, address_page, not_found_page, parts_page, roof_page};

use super::Turn;
use super::guest::Guest;
use crate::http::error::{Answer, Failure};
use crate::http::public::roof::{MAX_TYPED, SUGGESTIONS};

pub(in crate::http) async fn show(guest: Guest) -> Response {
    guest.answer(turn(&guest), Some(&guest.here))
}

fn turn(guest: &Guest) -> Answer<Turn> {
    let step = guest.step();
    if guest.has("edit") {
        return Ok(Turn::page(address_page(&step, guest.text("edit"), "")));
    }
    if guest.has("key") {
        return look(guest, &AddressChoice::Key(guest.text("key").to_owned()));
    }
    if guest.has("parts") {
        let typed = parts(guest);
        return match typed.choice() {
            Some(choice) => look(guest, &choice),
            None if guest.has(TypedAddress::NAMES[0]) => Ok(Turn::wrong(parts_page(&step, &typed, true))),
            None => Ok(Turn::page(parts_page(&step, &typed, false))),
        };
    }
    let typed = guest.text("address").trim();
    if typed.is_empty() {
        return Ok(Turn::wrong(address_page(&step, "", &step.language.page_words().address_empty)));
    }
    if !is_fit(typed) {
        return Ok(Turn::wrong(address_page(&step, typed, &step.language.page_words().address_unfit)));
    }
    look(guest, &AddressChoice::Line(typed.to_owned()))
}

/// Whether a typed line can be looked up and kept.
pub(super) fn is_fit(typed: &str) -> bool {
    !typed.is_empty() && is_clean(typed) && typed.chars().count() <= MAX_TYPED
}

fn parts(guest: &Guest) -> TypedAddress {
    let [number, street, city, state, zip] = TypedAddress::NAMES.map(|name| guest.text(name).to_owned());
    TypedAddress { number, street, city, state, zip }
}

fn look(guest: &Guest, choice: &AddressChoice) -> Answer<Turn> {
    let step = guest.step();
    Ok(match guest.roof(choice)? {
        RoofAnswer::Roof(found) => {
            let building = building(guest, found.buildings.len());
            Turn::page(roof_page(&step, &found, building))
        }
        RoofAnswer::NoRoof { key: Some(key), .. } => Turn::To(step.href("contact", &[("key", &key)])),
        RoofAnswer::NoRoof { key: None, street, .. } => Turn::To(step.href("contact", &[("address", &street)])),
        // A key of another version of the index.
        RoofAnswer::NotFound { .. } if matches!(choice, AddressChoice::Key(_)) => Turn::To(step.home()),
        RoofAnswer::NotFound { typed, close } if close.is_empty() => {
            // Nobody suggested anything while this was typed.
            let index = guest.app.ground.of(guest.visit.tenant.environment);
            let close = index.suggest(&typed, SUGGESTIONS).map_err(Failure::internal)?;
            Turn::page(not_found_page(&step, &typed, &close))
        }
        RoofAnswer::NotFound { typed, close } => Turn::page(not_found_page(&step, &typed, &close)),
    })
}

/// Which of several buildings; the largest unless another was picked.
pub(super) fn building(guest: &Guest, of: usize) -> usize {
    guest.text("building").parse().ok().filter(|at| *at < of).unwrap_or(0)
}
