//! Homes that were found lately: a homeowner's suggestion, roof and lead ask for one home within minutes, and a customer's
//! look-ups ask for it product by product.

use std::sync::Arc;

use moka::sync::Cache;
use shingle_domain::Evidence;
use shingle_domain::lookup::AddressInput;

use super::key::PlaceKey;

/// Of some kilobytes each.
const MAX_HOMES: u64 = 500;

/// Of one version of the index: an import begins with none. What was not found is not kept, so nobody can fill it with
/// inventions.
pub(crate) struct FoundHomes(Cache<Asked, Arc<(PlaceKey, Evidence)>>);

#[derive(PartialEq, Eq, Hash)]
enum Asked {
    Input(AddressInput),
    Key(PlaceKey),
}

impl FoundHomes {
    pub fn new() -> Self {
        Self(Cache::new(MAX_HOMES))
    }

    pub fn of_input(&self, input: &AddressInput) -> Option<(PlaceKey, Evidence)> {
        self.0.get(&Asked::Input(input.clone())).map(|home| (*home).clone())
    }

    pub fn keep_for_input(&self, input: &AddressInput, key: PlaceKey, evidence: &Evidence) {
        self.0.insert(Asked::Input(input.clone()), Arc::new((key, evidence.clone())));
    }

    pub fn of_key(&self, key: PlaceKey) -> Option<Evidence> {
        self.0.get(&Asked::Key(key)).map(|home| home.1.clone())
    }

    pub fn keep_for_key(&self, key: PlaceKey, evidence: &Evidence) {
        self.0.insert(Asked::Key(key), Arc::new((key, evidence.clone())));
    }
}
