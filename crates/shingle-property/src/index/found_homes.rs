//! Homes that were found lately: a homeowner's suggestion, roof and lead ask for one home within minutes, and a customer's
//! look-ups ask for it product by product.
//!
//! # Decision
//!
//! The last 500 homes found stay in memory per index version, with their surroundings: a visitor's suggestion, roof
//! and lead, or a customer's six look-ups, ask for the same home within minutes. Misses are not kept; invented
//! addresses would push the homes out. Turned down: caching responses, which depend on prices and settings.

use std::sync::Arc;

use quick_cache::sync::Cache;
use shingle_domain::evidence::Place;
use shingle_domain::lookup::AddressInput;
use shingle_domain::surroundings::Surroundings;
use shingle_domain::{Address, Evidence};

use super::key::PlaceKey;

/// Of some kilobytes each.
const MAX_HOMES: usize = 500;

/// Of one version of the index: an import begins with none. What was not found is not kept, so nobody can fill it with
/// inventions.
pub(crate) struct FoundHomes {
    homes: Cache<Asked, Arc<(PlaceKey, Evidence)>>,
    /// What stands around the place of an address, whose roof and lead ask for it both.
    around: Cache<Address, Arc<(Place, Surroundings)>>,
}

#[derive(PartialEq, Eq, Hash)]
enum Asked {
    Input(AddressInput),
    Key(PlaceKey),
}

impl FoundHomes {
    pub fn new() -> Self {
        Self { homes: Cache::new(MAX_HOMES), around: Cache::new(MAX_HOMES) }
    }

    pub fn of_input(&self, input: &AddressInput) -> Option<(PlaceKey, Evidence)> {
        self.homes.get(&Asked::Input(input.clone())).map(|home| (*home).clone())
    }

    pub fn keep_for_input(&self, input: &AddressInput, key: PlaceKey, evidence: &Evidence) {
        self.homes.insert(Asked::Input(input.clone()), Arc::new((key, evidence.clone())));
    }

    pub fn of_key(&self, key: PlaceKey) -> Option<Evidence> {
        self.homes.get(&Asked::Key(key)).map(|home| home.1.clone())
    }

    pub fn keep_for_key(&self, key: PlaceKey, evidence: &Evidence) {
        self.homes.insert(Asked::Key(key), Arc::new((key, evidence.clone())));
    }

    pub fn around(&self, place: &Place) -> Option<Surroundings> {
        // Homes of several units may share an address.
        self.around.get(&place.address).filter(|known| known.0 == *place).map(|known| known.1.clone())
    }

    pub fn keep_around(&self, place: &Place, around: &Surroundings) {
        self.around.insert(place.address.clone(), Arc::new((place.clone(), around.clone())));
    }
}
