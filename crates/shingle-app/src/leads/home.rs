//! The home of a lead: its address as the index writes it, its roof, and the prices of the widget.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lead::ShownEstimate;
use shingle_domain::public::{AddressChoice, ShownStep};
use shingle_domain::roof::{RoofDrawing, RoofMaterial};
use shingle_domain::{Environment, Rule, Violations};
use shingle_estimate::roof::{
    HomeRoof, PriceTerms, chosen_drawing, estimate_summary, home_roof, measure_chosen, shown_estimate,
};
use shingle_store::StoredWidget;

use crate::aerial::AerialView;
use crate::app::App;
use crate::failure::Failure;
use crate::property_indexes::{ChosenAddress, find_chosen, with_surroundings};

/// What a lead keeps of a home. Without a roof or a price, only the address.
pub struct LeadHome {
    pub address: String,
    /// The first that is offered.
    pub roof_material: Option<RoofMaterial>,
    pub estimate: Option<ShownEstimate>,
    pub drawing: Option<RoofDrawing>,
    pub shown: Option<ShownStep>,
}

/// The prices that visitors of a widget are shown.
pub fn price_terms<'a>(app: &'a App, stored: &StoredWidget) -> PriceTerms<'a> {
    let (asphalt_override, own) = (stored.widget.installed_price, stored.settings.prices);
    PriceTerms { table: app.prices(), asphalt_override, own }
}

/// `homes`: whose homes it may be. `buildings`: which of them answer, `0,2`; empty: the first; `none`: the address is theirs
/// and the roof is not, so it has neither price nor drawing. An address that is not known stays as it was typed. It reads the index: call it as heavy work.
pub fn lead_home(
    app: &App,
    stored: &StoredWidget,
    homes: Environment,
    photos: Option<&AerialView>,
    choice: &AddressChoice,
    buildings: &str,
) -> Result<LeadHome, Failure> {
    let index = app.indexes.of(homes);
    let (address, priced, confidence, drawing) = match find_chosen(index, choice).map_err(Failure::fault)? {
        ChosenAddress::Found { evidence, .. } if buildings == BuildingSet::NOT_MINE => {
            (evidence.address_line(), None, 50, None)
        }
        ChosenAddress::Found { evidence, .. } => {
            let terms = price_terms(app, stored);
            let names_none = || Violations::one("buildings", Rule::NamesNoBuilding);
            let chosen: BuildingSet = match buildings {
                "" => BuildingSet::FIRST,
                listed => listed.parse().map_err(|_| names_none())?,
            };
            let roof = match home_roof("", &evidence) {
                HomeRoof::Priced(found) => Some(found),
                HomeRoof::OnSite(_, found) => found,
            };
            let roof = roof.map(|found| with_surroundings(index, photos, &evidence, found));
            let roof = roof.transpose().map_err(Failure::fault)?;
            let count = roof.as_ref().map_or(0, |found| found.buildings.len());
            if chosen != BuildingSet::FIRST && chosen.indices().any(|index| index >= count) {
                return Err(names_none().into());
            }
            let confidence = measure_chosen(&evidence, chosen).map_or(50, |m| m.confidence);
            let drawing = roof.as_ref().and_then(|found| chosen_drawing(found, chosen));
            let priced =
                estimate_summary(&evidence, chosen, &terms).ok().map(|sheet| ShownStep { sheet, roof, chosen });
            (evidence.address_line(), priced, confidence, drawing)
        }
        ChosenAddress::NotFound { .. } if matches!(choice, AddressChoice::Key(_)) => {
            return Err(Violations::one("address.key", Rule::NamesNoAddress).into());
        }
        ChosenAddress::NotFound { typed, .. } => (typed, None, 50, None),
    };
    Ok(LeadHome {
        address,
        roof_material: priced.as_ref().and_then(|p| p.sheet.prices.first()).map(|p| p.material),
        estimate: priced.as_ref().map(|p| shown_estimate(&p.sheet, confidence)),
        drawing,
        shown: priced,
    })
}
