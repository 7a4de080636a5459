//! Homes that were found lately: a homeowner's suggestion, roof and lead ask for one home within minutes, and a customer's
//! look-ups ask for it product by product.

use std::sync::Arc;

use moka::sync::Cache;
use shingle_domain::Evidence;
use shingle_domain::lookup::AddressInput;

use super::{Lookup, PlaceKey};
use crate::error::PropertyError;

/// Of some kilobytes each.
const MAX_HOMES: u64 = 500;

/// Of one version of the index: an import begins with none. What was not found is not kept, so nobody can fill it with
/// inventions.
#[derive(Clone)]
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

    pub fn of_input(
        &self,
        input: &AddressInput,
        find: impl FnOnce() -> Result<Lookup, PropertyError>,
    ) -> Result<Lookup, PropertyError> {
        let asked = Asked::Input(input.clone());
        if let Some(home) = self.0.get(&asked) {
            let (key, evidence) = (*home).clone();
            return Ok(Lookup::Found { key, evidence });
        }
        let answer = find()?;
        if let Lookup::Found { key, evidence } = &answer {
            self.0.insert(asked, Arc::new((*key, evidence.clone())));
        }
        Ok(answer)
    }

    pub fn of_key(
        &self,
        key: PlaceKey,
        find: impl FnOnce() -> Result<Option<Evidence>, PropertyError>,
    ) -> Result<Option<Evidence>, PropertyError> {
        if let Some(home) = self.0.get(&Asked::Key(key)) {
            return Ok(Some(home.1.clone()));
        }
        let found = find()?;
        if let Some(evidence) = &found {
            self.0.insert(Asked::Key(key), Arc::new((key, evidence.clone())));
        }
        Ok(found)
    }
}
