//! EPT: an octree as a folder, with a page or more of JSON that say which nodes there are and a file of points for each.
//!
//! [`Octree`] is what the description says, and [`Walk`] the way to the nodes of some places. Both take bytes and read
//! nothing, so the folder may be on this machine (`folder`) or on a server that the caller asks.
//!
//! Names of files are made of the numbers of nodes, never taken from the pages.

mod folder;
mod near;
mod octree;
mod walk;

pub use folder::{Ept, Folder};
pub use near::Near;
pub use octree::Octree;
pub use walk::Walk;
