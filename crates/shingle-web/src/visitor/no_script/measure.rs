//! `GET /w/{id}/measure`: finds the roof of an address.

use axum::response::Response;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::{AddressChoice, RoofResponse};
use shingle_domain::text::is_clean;
use shingle_domain::visit::VisitStep;
use shingle_widget::ssr::page::{
    PageWords, TypedAddress, address_page, choose_page, not_found_page, not_mine_page, parts_page, roof_page,
};

use crate::visitor::no_script::no_script_request::NoScriptRequest;
use crate::visitor::no_script::page_response::{PageResponse, respond};
use crate::visitor::public::roof::{MAX_ADDRESS_CHARS, MAX_SUGGESTIONS};
use crate::web::error::{ApiError, ApiResult};

pub(crate) async fn show(request: NoScriptRequest) -> Response {
    respond(&request, address_step(&request).await, Some(&request.path_and_query))
}

async fn address_step(request: &NoScriptRequest) -> ApiResult<PageResponse> {
    let step = request.step();
    if request.has("edit") {
        return Ok(PageResponse::page(address_page(&step, request.text("edit"), "")));
    }
    if request.has("key") {
        return show_roof(request, &AddressChoice::Key(request.text("key").to_owned())).await;
    }
    if request.has("parts") {
        let typed = parts(request);
        return match typed.choice() {
            Some(choice) => show_roof(request, &choice).await,
            None if request.has(TypedAddress::NAMES[0]) => Ok(PageResponse::invalid(parts_page(&step, &typed, true))),
            None => Ok(PageResponse::page(parts_page(&step, &typed, false))),
        };
    }
    let typed = request.text("address").trim();
    if typed.is_empty() {
        return Ok(PageResponse::invalid(address_page(&step, "", &PageWords::of(step.language).address_empty)));
    }
    if !is_valid_address(typed) {
        return Ok(PageResponse::invalid(address_page(&step, typed, &PageWords::of(step.language).address_unfit)));
    }
    show_roof(request, &AddressChoice::Line(typed.to_owned())).await
}

/// Whether a typed address can be looked up and stored.
pub(crate) fn is_valid_address(typed: &str) -> bool {
    !typed.is_empty() && is_clean(typed) && typed.chars().count() <= MAX_ADDRESS_CHARS
}

fn parts(request: &NoScriptRequest) -> TypedAddress {
    let [number, street, city, state, zip] = TypedAddress::NAMES.map(|name| request.text(name).to_owned());
    TypedAddress { number, street, city, state, zip }
}

async fn show_roof(request: &NoScriptRequest, choice: &AddressChoice) -> ApiResult<PageResponse> {
    let step = request.step();
    if !["building", "choose", "none"].iter().any(|name| request.has(name)) {
        // The sender of the form had it on screen. The same page once more, with other buildings, is no further step, and
        // neither is a look at the homes near it.
        request.count(&[VisitStep::Opened, VisitStep::Address]);
    }
    Ok(match request.find_roof(choice).await? {
        RoofResponse::Roof(found) if request.has("none") => PageResponse::page(not_mine_page(&step, &found)),
        RoofResponse::Roof(found) if request.has("choose") => PageResponse::page(choose_page(&step, &found)),
        RoofResponse::Roof(found) => {
            let picked = picked_buildings(request, found.buildings.len()).unwrap_or(BuildingSet::FIRST);
            PageResponse::page(roof_page(&step, &found, Some(picked)))
        }
        RoofResponse::NoRoof { key: Some(key), .. } => PageResponse::Redirect(step.href("contact", &[("key", &key)])),
        RoofResponse::NoRoof { key: None, street, .. } => {
            PageResponse::Redirect(step.href("contact", &[("address", &street)]))
        }
        // The key belongs to another version of the index.
        RoofResponse::NotFound { .. } if matches!(choice, AddressChoice::Key(_)) => PageResponse::Redirect(step.home()),
        RoofResponse::NotFound { typed, close } if close.is_empty() => {
            // Without scripts there were no suggestions during typing.
            let index = request.web.indexes.of(request.widget_request.homes);
            let close = index.suggest(&typed, MAX_SUGGESTIONS).map_err(ApiError::internal)?;
            PageResponse::page(not_found_page(&step, &typed, &close))
        }
        RoofResponse::NotFound { typed, close } => PageResponse::page(not_found_page(&step, &typed, &close)),
    })
}

/// The buildings whose boxes are ticked, of those that there are.
pub(crate) fn picked_buildings(request: &NoScriptRequest, count: usize) -> Option<BuildingSet> {
    let listed = request.texts("building").filter_map(|listed| listed.parse::<BuildingSet>().ok());
    let there = listed.flat_map(BuildingSet::indices).filter(|at| *at < count).filter_map(BuildingSet::only);
    there.reduce(BuildingSet::with)
}
