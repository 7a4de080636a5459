//! What is known of properties: the immutable index, written and read, suggestions, reference tables, the sample
//! town, and the geometry of outlines.
//!
//! ```
//! use shingle_domain::lookup::AddressInput;
//! use shingle_property::{Lookup, PropertyIndex, Reference, sample_town};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = tempfile::tempdir()?;
//! sample_town::build(folder.path())?;
//! let index = PropertyIndex::open(folder.path(), Reference::built_in())?;
//! let typed = AddressInput::Line("14 alder ct, harrow falls me".to_owned());
//! let Lookup::Found { evidence, .. } = index.lookup(&typed)? else { return Err("not found".into()) };
//! assert_eq!(evidence.place.assessor.year_built.map(|fact| fact.value), Some(1987));
//! # Ok(())
//! # }
//! ```

pub mod error;
pub mod external_sort;
pub mod geometry;
pub mod index;
mod packed_table;
mod post_town;
mod property_index;
pub mod reference;
pub mod sample_town;
mod suggest;

pub use error::{FileFault, MESSAGES, PropertyError};
pub use index::{
    DatasetVersions, Imported, IndexBuilder, IndexFiles, IndexStatus, IndexSummary, NotAPlaceKey, OfferedIndex,
    PlaceKey, TakenIndex, Town, TownsOfState, dataset_versions, fingerprint, generation, offer_index, open_files,
    places, remove_dataset, take_index, undo_import,
};
pub use post_town::{post_town, town_named, zips_of_town};
pub use property_index::{Lookup, PropertyIndex};
pub use reference::Reference;
