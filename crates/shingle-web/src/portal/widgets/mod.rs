//! Widgets: the list, a new one, the designer with its preview, sharing, the check of a site.

pub(crate) mod designer;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod new_widget;
pub(crate) mod preview;
pub(crate) mod share;
pub(crate) mod sightings;
pub(crate) mod site_check;
pub(crate) mod titles;
pub(crate) mod widget_editor;
