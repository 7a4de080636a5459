//! Towns that lie far from their ZIP: one of the two is wrong, and the home stands in the wrong town or is not found.

use foldhash::HashMap;
use serde::{Deserialize, Serialize};
use shingle_address::tables::{state_of_zip, zip_fits_state};
use shingle_domain::{Address, State, Zip};
use shingle_property::geometry::kilometres;
use shingle_property::{Reference, post_town, zips_of_town};

use crate::row::finding::Finding;

/// A town has homes in the ZIPs of its neighbors. The middles of those lie nearer than this to one of its own: of ZIPs
/// of 600 square miles, as the West has them, some 45 km.
const FAR_KM: f64 = 60.0;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FarTowns {
    rows: u64,
    /// The first: its ZIP, whose that is, and the town.
    example: Option<(Zip, String, String)>,
    #[serde(skip)]
    known: HashMap<(Zip, State), KnownZip>,
}

/// What was found of a ZIP: most rows of a table have the same few.
#[derive(Debug, Clone, PartialEq)]
struct KnownZip {
    fits_state: bool,
    /// Its towns, and whether each is far.
    towns: Vec<(String, bool)>,
}

impl FarTowns {
    /// Counts an address whose town is far. `false` where the ZIP is another state's: its town says nothing then.
    pub fn look(&mut self, address: &Address) -> bool {
        let known = self.known.entry((address.zip, address.state)).or_insert_with(|| KnownZip {
            fits_state: zip_fits_state(address.zip.as_str(), address.state.as_str()),
            towns: Vec::new(),
        });
        if !known.fits_state {
            return false;
        }
        let is_far = match known.towns.iter().find(|(town, _)| *town == address.city) {
            Some((_, is_far)) => *is_far,
            None => {
                let is_far = is_far(address);
                known.towns.push((address.city.clone(), is_far));
                is_far
            }
        };
        if is_far {
            self.rows += 1;
            let own = post_town(&address.zip).unwrap_or("?");
            self.example.get_or_insert_with(|| (address.zip, own.to_owned(), address.city.clone()));
        }
        true
    }

    pub fn told(&self) -> Option<Finding> {
        let (zip, own, town) = self.example.as_ref()?;
        let (zip, own, town) = (zip.as_str().to_owned(), own.clone(), town.clone());
        Some(Finding::FarZips { rows: self.rows, zip, own, town })
    }
}

/// Of a town that no ZIP of the state is addressed to nothing is known.
fn is_far(address: &Address) -> bool {
    let own = zips_of_town(&address.city).iter().filter(|zip| state_of_zip(zip) == Some(address.state.as_str()));
    let own: Vec<Zip> = own.filter_map(|zip| Zip::parse(zip)).collect();
    // Asked last: the table of centers is read at its first use, and most files never need it.
    if own.is_empty() || own.contains(&address.zip) {
        return false;
    }
    let reference = Reference::built_in();
    let Some(here) = reference.zip_centre(&address.zip) else { return false };
    let centres = own.iter().filter_map(|zip| reference.zip_centre(zip));
    centres.map(|centre| kilometres(centre, here)).min_by(f64::total_cmp).is_some_and(|km| km > FAR_KM)
}
