//! Widgets: published versions, drafts and previews, where they were seen, and how far their visitors came.

pub(crate) mod draft;
pub(crate) mod former_name;
pub(crate) mod preview;
pub(crate) mod sighting;
pub(crate) mod stored;
pub(crate) mod version;
pub(crate) mod visit_buffer;
pub(crate) mod visit_counts;
pub(crate) mod widget;

use crate::Store;

/// Widgets: published versions, drafts and previews, where they were seen, and how far their visitors came.
#[derive(Clone, Copy)]
pub struct Widgets<'a> {
    pub(crate) store: &'a Store,
}

impl Store {
    pub fn widgets(&self) -> Widgets<'_> {
        Widgets { store: self }
    }
}
