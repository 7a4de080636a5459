//! The photographs of a load: fetched beside its rows, shown once its homes are imported. Homes are loaded whatever becomes of
//! the photographs, and those of an earlier load stay where new ones could not be had.

use std::path::PathBuf;

use shingle_domain::message::{Message, ToMessage};
use shingle_property::PropertyIndex;
use shingle_source::{Client, Loaded, SourceError, drawn_boxes};

use super::messages::AreaError;
use super::photo_fetch::FetchedPhotos;
use super::photo_plan::{PhotoFault, PhotoPlan};
use super::record::AreaPhotos;
use super::store::{AreaLock, Areas};
use super::survey_fetch::NotFetched;
use super::survey_load::{free_disk, remove_points};
use crate::aerial::{self, Fit, PhotoFiles};

/// Beside the rows, for what is being fetched.
const FOLDER: &str = "photos";

/// Pictures that wait for the homes; without any, the record says why.
pub(super) struct LoadedPhotos {
    pub said: AreaPhotos,
    waiting: Option<Waiting>,
    folder: PathBuf,
}

struct Waiting {
    credit: String,
    fetched: FetchedPhotos,
}

impl LoadedPhotos {
    fn failed(why: Message, folder: PathBuf) -> Self {
        Self { said: AreaPhotos { failed: Some(why), ..AreaPhotos::default() }, waiting: None, folder }
    }

    pub fn remove_files(&self) {
        remove_points(&self.folder);
    }

    /// What the record says until the photographs are shown.
    pub fn not_shown_yet(&self) -> AreaPhotos {
        let failed = self.said.failed.clone().unwrap_or_else(|| PhotoFault::Broke.to_message());
        AreaPhotos { failed: Some(failed), ..AreaPhotos::default() }
    }
}

impl Areas {
    /// Only a person's stop is an error.
    pub(super) async fn load_photos(
        &self,
        planned: Result<PhotoPlan, Message>,
        client: &Client,
        loaded: &Loaded,
        lock: &AreaLock,
    ) -> Result<LoadedPhotos, AreaError> {
        let folder = lock.folder.join(FOLDER);
        let plan = match planned {
            Ok(plan) => plan,
            Err(why) => return Ok(LoadedPhotos::failed(why, folder)),
        };
        match self.fetch_photos(&plan, client, loaded, &folder).await {
            Ok(fetched) => {
                let said = AreaPhotos {
                    bytes: fetched.bytes,
                    blank: fetched.blank,
                    missing: fetched.missing,
                    undated: fetched.undated,
                    beyond: fetched.beyond,
                    ..AreaPhotos::default()
                };
                Ok(LoadedPhotos { said, waiting: Some(Waiting { credit: plan.source.credit, fetched }), folder })
            }
            // What came is kept, and the next load goes on with it.
            Err(NotFetched::Stopped) => Err(SourceError::Stopped.into()),
            Err(NotFetched::Failed(why)) => {
                tracing::warn!(%why, "an area is loaded without photos from the air");
                remove_points(&folder);
                Ok(LoadedPhotos::failed(why, folder))
            }
        }
    }

    async fn fetch_photos(
        &self,
        plan: &PhotoPlan,
        client: &Client,
        loaded: &Loaded,
        folder: &std::path::Path,
    ) -> Result<FetchedPhotos, NotFetched> {
        let free = folder.parent().map_or(Ok(u64::MAX), free_disk);
        let free = free.map_err(|e| PhotoFault::NotWritten { why: e.to_string() })?;
        // They are copied.
        if plan.bytes.saturating_mul(2) > free {
            return Err(PhotoFault::LittleRoom { needed: plan.bytes.saturating_mul(2) >> 20, free: free >> 20 }.into());
        }
        let files = loaded.files.clone();
        let boxes = tokio::task::spawn_blocking(move || drawn_boxes(&files)).await;
        let boxes = boxes.map_err(|e| NotFetched::Failed(e.to_string().to_message()))?;
        let boxes = boxes.map_err(|e| NotFetched::Failed(e.to_message()))?;
        plan.fetch(client, boxes, folder, self.photo_time).await
    }

    /// Brings the pictures to the outlines of the homes that are there now. From then on they are shown.
    pub(super) async fn show_photos(&self, name: &str, loaded: LoadedPhotos) -> AreaPhotos {
        let LoadedPhotos { said, waiting, folder } = loaded;
        let Some(waiting) = waiting else { return said };
        let work = Showing {
            name: name.to_owned(),
            aerial: self.aerial.clone(),
            index: self.index.clone(),
            reference: self.reference_shared(),
        };
        let before = said.clone();
        let shown = match tokio::task::spawn_blocking(move || work.run(waiting, said)).await {
            Ok(shown) => shown,
            Err(e) => Err(e.to_string().to_message()),
        };
        remove_points(&folder);
        shown.unwrap_or_else(|why| {
            tracing::warn!(%why, "the photos of an area could not be loaded");
            AreaPhotos { failed: Some(PhotoFault::NotShown { why }.into()), ..before }
        })
    }

    /// Removes what was loaded for an area.
    pub(super) fn remove_photos(&self, name: &str) -> Result<(), AreaError> {
        aerial::remove_sets(&self.aerial, &|set| is_of(name, set)).map_err(|e| AreaError::Photos(*e.what))
    }
}

/// What takes processor time.
struct Showing {
    name: String,
    aerial: PathBuf,
    index: PathBuf,
    reference: std::sync::Arc<shingle_property::Reference>,
}

impl Showing {
    fn run(self, waiting: Waiting, said: AreaPhotos) -> Result<AreaPhotos, Message> {
        let index = PropertyIndex::open(&self.index, self.reference.clone()).map_err(|e| e.to_message())?;
        let mut said = said;
        let mut names = Vec::new();
        // The newest has the name of the area.
        for (taken, files) in waiting.fetched.files.into_iter().rev() {
            let name = set_name(&self.name, names.len());
            let of = PhotoFiles { files, name: name.clone(), taken, credit: waiting.credit.clone(), system: None };
            let shown = aerial::load(&self.aerial, &of, &index).map_err(|e| *e.what)?;
            said.pictures += shown.pictures.len() as u64;
            said.too_far +=
                shown.pictures.iter().filter(|picture| matches!(picture.fit, Fit::TooFar { .. })).count() as u64;
            said.taken.push(taken);
            names.push(name);
        }
        // An earlier load had more dates.
        let is_older = |set: &str| is_of(&self.name, set) && !names.iter().any(|name| name == set);
        aerial::remove_sets(&self.aerial, &is_older).map_err(|e| *e.what)?;
        Ok(said)
    }
}

/// One set for each date: `area-80302`, `area-80302 2`, …
fn set_name(area: &str, number: usize) -> String {
    match number {
        0 => area.to_owned(),
        number => format!("{area} {}", number + 1),
    }
}

fn is_of(area: &str, set: &str) -> bool {
    let rest = set.strip_prefix(area);
    rest.is_some_and(|rest| rest.is_empty() || rest.strip_prefix(' ').is_some_and(|n| n.parse::<u32>().is_ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_an_area_are_told_from_those_of_others() {
        for number in [0, 1, 11] {
            assert!(is_of("area-80302", &set_name("area-80302", number)), "{number}");
        }
        for other in ["area-80302-80303", "area-803020", "area-80302 north", "area-8030", "ortho", "area-80302 "] {
            assert!(!is_of("area-80302", other), "{other}");
        }
    }
}
