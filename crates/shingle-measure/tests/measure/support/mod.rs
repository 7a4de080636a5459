//! Files and houses for tests.

pub mod las;
pub mod made;
pub mod octree;
