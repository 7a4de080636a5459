//! Areas: what a national source knows of the homes around a ZIP, a town or in a county, loaded into the index and kept
//! up to date.
//!
//! # Decision
//!
//! An area is a folder of the data folder: a record that is replaced in one step, and the rows of each release that it
//! uses as files, which the importer reads like any other. The index is switched by that import, and the one before is
//! kept, as are its files. One process works on an area at a time: a lock on a file, since files and index are on one
//! machine. Turned down: a table of the database with a lease, which would say that two machines share an index.

mod egress_ranges;
mod load;
mod load_watch;
mod loading;
mod map;
mod messages;
mod monthly;
mod monthly_work;
mod photo_fetch;
mod photo_load;
mod photo_plan;
mod places;
mod record;
mod store;
mod survey_fetch;
mod survey_load;
mod survey_plan;

pub(crate) use egress_ranges::RangeFault;

pub use load::{AreaPlan, EXTRAS_PATIENCE, LoadOptions, PlannedLayer};
pub use load_watch::{LoadWatch, Phase};
pub use loading::{
    AreaLoads, AreaOrder, AreaTrouble, Loading, NewestRelease, PhotoFigures, PlanFigures, RunningLoad, SOURCE,
    SurveyFigures,
};
pub use map::{AreaMap, Cover, MapCell, MapName};
pub use messages::{AreaError, AreaFix, AreaRefusal};
pub use photo_plan::{PhotoFault, PhotoOutlook, PhotoPlan};
pub use places::{AreaRequest, FoundArea, find_area, zip_of_line};
pub use record::{
    AreaCheck, AreaExtras, AreaLoad, AreaPhotos, AreaRecord, AreaRows, AreaStage, AreaSurvey, HeldRelease, HeldWhy,
    LayerChanges,
};
pub use store::Areas;
pub use survey_plan::{SurveyFault, SurveyOutlook, SurveyPlan};
