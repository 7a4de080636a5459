//! The list of homes that no photograph shows.

use shingle_domain::Evidence;
use shingle_domain::evidence::{Point, Position};
use shingle_domain::lookup::AddressInput;
use shingle_domain::messages;
use shingle_property::geometry::LocalPlane;
use shingle_property::{Lookup, PropertyIndex};
use shingle_store::{HiddenHome, Store};

use crate::operator_error::OperatorError;

/// Meters around the outlines that are painted over too.
const MARGIN: f64 = 2.0;
/// Meters around a home without an outline.
const AROUND_A_POINT: f64 = 15.0;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum HideFault {
        NoHome { address: String } => "No home is known at {address}",
        NotPlaced { address: String } => "The index does not say where {address} is on the map, so no photo can leave it out",
        NotHidden { address: String } => "{address} is not on the list",
        Type => "Type the address with its town, as people write it.",
        List => "List them with `shingle photo hidden`.",
    }
}

/// Puts the home at an address on the list. The home, and whether it was not there yet.
pub async fn hide(store: &Store, index: &PropertyIndex, address: &str) -> Result<(HiddenHome, bool), OperatorError> {
    let found = index.lookup(&AddressInput::Line(address.to_owned()))?;
    let Lookup::Found { evidence, .. } = found else {
        return Err(OperatorError::new(HideFault::NoHome { address: address.to_owned() }).fix(HideFault::Type));
    };
    let home = hidden_home(&evidence)
        .ok_or_else(|| OperatorError::new(HideFault::NotPlaced { address: evidence.address_line() }))?;
    let is_new = store.hidden_homes().add(&home).await?;
    Ok((home, is_new))
}

/// Takes the home at an address off the list.
pub async fn unhide(store: &Store, index: &PropertyIndex, address: &str) -> Result<String, OperatorError> {
    // As the index writes it; a home that the index has lost is named as the list has it.
    let line = match index.lookup(&AddressInput::Line(address.to_owned()))? {
        Lookup::Found { evidence, .. } => evidence.address_line(),
        _ => address.to_owned(),
    };
    if !store.hidden_homes().remove(&line).await? && !store.hidden_homes().remove(address).await? {
        return Err(OperatorError::new(HideFault::NotHidden { address: line }).fix(HideFault::List));
    }
    Ok(line)
}

fn hidden_home(of: &Evidence) -> Option<HiddenHome> {
    let origin: Position = of.place.origin?;
    let outlines = of.place.buildings.iter().flat_map(|building| &building.outline.parts);
    let corners = outlines.flat_map(|part| &part.exterior).map(|at| [at.x, at.y, at.x, at.y]);
    let [left, bottom, right, top] = corners
        .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
        .map(|[left, bottom, right, top]| [left - MARGIN, bottom - MARGIN, right + MARGIN, top + MARGIN])
        .unwrap_or([-AROUND_A_POINT, -AROUND_A_POINT, AROUND_A_POINT, AROUND_A_POINT]);
    let plane = LocalPlane::at(origin);
    let [a, b] = [(left, bottom), (right, top)].map(|(x, y)| plane.position(Point { x, y }));
    let bounds = [a.longitude, a.latitude, b.longitude, b.latitude].map(|degrees| (degrees * 1e7).round() as i32);
    Some(HiddenHome { address: of.address_line(), bounds })
}
