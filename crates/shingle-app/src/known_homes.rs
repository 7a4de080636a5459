//! Which homes an installation knows, and some of them to try.
//!
//! # Decision
//!
//! Examples are homes that were looked up by their address just now and got a price, so what is offered works. While
//! nothing is imported, they are of the demo town and say so. Turned down: a fixed address, which no index may know.

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, Environment, State, Usd};
use shingle_estimate::roof::{PriceTerms, estimate_summary};
use shingle_property::{Lookup, PropertyError, PropertyIndex, TownsOfState, sample_town};

use crate::property_indexes::PropertyIndexes;

const EXAMPLES: usize = 3;
/// Look-ups that finding them may take.
const MAX_TRIED: usize = 60;
/// Counting the towns of a state reads much of its index once.
const MAX_COUNTED_STATES: usize = 3;

/// The homes that somebody may try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownHomes {
    /// Those of the demo town while nothing is imported.
    pub environment: Environment,
    pub homes: u64,
    /// `None`: too many states to count.
    pub towns: Option<usize>,
    /// Of different towns where there are some; the first is the best to show.
    pub examples: Vec<ExampleHome>,
}

/// A home that gets a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExampleHome {
    /// On one line.
    pub address: String,
    /// Square feet along the slope.
    pub roof_area: u32,
    pub price: Usd,
}

impl KnownHomes {
    pub fn are_demo(&self) -> bool {
        self.environment == Environment::Sandbox
    }

    /// `near`: the state whose homes are shown first. `terms`: the prices that they are shown with.
    ///
    /// # Errors
    /// A damaged index.
    pub fn find(indexes: &PropertyIndexes, near: Option<State>, terms: PriceTerms<'_>) -> Result<Self, PropertyError> {
        if indexes.production.is_empty() {
            let demo = towns_of(&indexes.sample, near)?;
            let first = sample_town::showpiece().into_iter().collect();
            return Ok(Self {
                environment: Environment::Sandbox,
                homes: demo.homes,
                towns: demo.towns,
                examples: examples(&indexes.sample, first, &demo.shown, &terms)?,
            });
        }
        let known = towns_of(&indexes.production, near)?;
        Ok(Self {
            environment: Environment::Production,
            homes: known.homes,
            towns: known.towns,
            examples: examples(&indexes.production, Vec::new(), &known.shown, &terms)?,
        })
    }
}

struct Counted {
    homes: u64,
    towns: Option<usize>,
    shown: std::sync::Arc<TownsOfState>,
}

fn towns_of(index: &PropertyIndex, near: Option<State>) -> Result<Counted, PropertyError> {
    let imported = index.imported()?;
    let mut states: Vec<State> = imported.iter().flat_map(|data| data.states.iter().copied()).collect();
    states.cold_sort();
    states.dedup();
    let homes_in = |state: &State| -> u64 {
        imported.iter().filter(|data| data.states.contains(state)).map(|data| data.homes).sum()
    };
    let largest = states.iter().max_by_key(|state| homes_in(state)).copied();
    let shown = match near.filter(|near| states.contains(near)).or(largest) {
        Some(state) => index.towns(state)?,
        None => std::sync::Arc::default(),
    };
    if states.len() > MAX_COUNTED_STATES {
        return Ok(Counted { homes: imported.iter().map(|data| data.homes).sum(), towns: None, shown });
    }
    let (mut homes, mut towns) = (0, 0);
    for state in states {
        let of_state = index.towns(state)?;
        homes += of_state.towns.iter().map(|town| town.homes).sum::<u64>();
        towns += of_state.towns.len();
    }
    Ok(Counted { homes, towns: Some(towns), shown })
}

/// One of each town, then another of each.
fn examples(
    index: &PropertyIndex,
    first: Vec<Address>,
    towns: &TownsOfState,
    terms: &PriceTerms<'_>,
) -> Result<Vec<ExampleHome>, PropertyError> {
    let longest = towns.towns.iter().map(|town| town.examples.len()).max().unwrap_or_default();
    let of_towns = (0..longest).flat_map(|n| towns.towns.iter().filter_map(move |town| town.examples.get(n).cloned()));
    let mut found: Vec<ExampleHome> = Vec::new();
    for address in first.into_iter().chain(of_towns).take(MAX_TRIED) {
        if found.len() == EXAMPLES {
            break;
        }
        let Some(home) = example(index, address, terms)? else { continue };
        if found.iter().all(|known| known.address != home.address) {
            found.push(home);
        }
    }
    Ok(found)
}

fn example(
    index: &PropertyIndex,
    address: Address,
    terms: &PriceTerms<'_>,
) -> Result<Option<ExampleHome>, PropertyError> {
    let Lookup::Found { evidence, .. } = index.lookup(&AddressInput::Parts(address))? else { return Ok(None) };
    let Ok(shown) = estimate_summary(&evidence, BuildingSet::FIRST, terms) else { return Ok(None) };
    let price = shown.prices.first().map(|price| price.cost);
    Ok(price.map(|price| ExampleHome { address: evidence.address_line(), roof_area: shown.roof_area, price }))
}
