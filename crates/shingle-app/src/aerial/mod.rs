//! Photographs from the air: which there are, and the part of one that lies under a home's drawing.
//!
//! # Decisions
//!
//! - A photograph is named when a roof is looked up, and cut when a browser asks for it: the drawing never waits. What
//!   turned out to show nothing (clouds, no data) is remembered, so that the next best is named.
//! - Cuts lie in a folder of bounded size, or in the bucket where several servers share one. Turned down: cutting all homes
//!   at the import, which takes hours for a county and mostly for homes nobody asks for.
//! - A hidden home gets no photograph, and is painted over in those of its neighbors.

mod catalog;
mod cut;
mod ground;
mod hide;
mod load;
mod name;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::SystemTime;

use shingle_domain::Timestamp;
use shingle_domain::aerial::AerialPhoto;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::evidence::Position;
use shingle_domain::public::{RoofFound, ShownStep};
use shingle_domain::settings::AerialPhotos;
use shingle_estimate::roof::chosen_corner;
use shingle_notice::PhotoUnder;
use shingle_store::{Blobs, HiddenHome, Store, StoreError};

pub use catalog::{Catalog, Fit, PhotoSet, Picture};
pub use cut::cuts_folder;
pub use ground::Ground;
pub use hide::{HideFault, hide, unhide};
pub use load::{Examined, LoadFault, PhotoFiles, PhotoLoad, examine, load, remove, remove_sets};
use name::PhotoName;

use crate::heavy_work::HeavyWork;

/// Cuts that are made at once.
const AT_ONCE: usize = 2;
/// Names of photographs that show nothing, at most: then they are tried again.
const MOST_NOTHING: usize = 10_000;

/// The folder of an installation's photographs.
pub fn folder(data: &Path) -> PathBuf {
    data.join("aerial")
}

pub struct Aerial {
    folder: PathBuf,
    key: [u8; 32],
    /// The URL below which the photographs are.
    base: String,
    /// For all servers that share it.
    bucket: Option<Blobs>,
    catalog: RwLock<Held<Option<(SystemTime, u64)>, Catalog>>,
    hidden: RwLock<Held<String, Vec<HiddenHome>>>,
    nothing: Mutex<HashSet<String>>,
    cutters: HeavyWork,
}

/// What was read, and what tells whether it is still current.
struct Held<S, T> {
    stamp: S,
    value: Arc<T>,
}

impl Aerial {
    pub fn new(folder: PathBuf, key: [u8; 32], storage_url: &str, bucket: Option<Blobs>) -> Self {
        Self {
            folder,
            key,
            base: format!("{storage_url}/aerial/"),
            bucket,
            catalog: RwLock::new(Held { stamp: None, value: Arc::default() }),
            hidden: RwLock::new(Held { stamp: String::new(), value: Arc::default() }),
            nothing: Mutex::default(),
            cutters: HeavyWork::new(AT_ONCE),
        }
    }

    /// As it is on disk now: another process may have loaded photographs.
    fn catalog(&self) -> Arc<Catalog> {
        let stamp = Catalog::stamp(&self.folder);
        let held = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        if held.stamp == stamp {
            return held.value.clone();
        }
        drop(held);
        let value = Catalog::read(&self.folder).unwrap_or_else(|error| {
            tracing::error!(%error, "the list of photographs from the air cannot be read, so none is shown");
            Catalog::default()
        });
        let value = Arc::new(value);
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = Held { stamp, value: value.clone() };
        value
    }

    async fn hidden(&self, store: &Store) -> Result<Arc<Vec<HiddenHome>>, StoreError> {
        let stamp = store.hidden_homes().version().await?;
        {
            let held = self.hidden.read().unwrap_or_else(PoisonError::into_inner);
            if held.stamp == stamp {
                return Ok(held.value.clone());
            }
        }
        let value = Arc::new(store.hidden_homes().all().await?.into_iter().map(|(_, home)| home).collect::<Vec<_>>());
        *self.hidden.write().unwrap_or_else(PoisonError::into_inner) = Held { stamp, value: value.clone() };
        Ok(value)
    }

    /// The photographs as of now. `None` where the installation has none, or this widget shows none.
    pub async fn view(
        self: &Arc<Self>,
        store: &Store,
        of: AerialPhotos,
        now: Timestamp,
    ) -> Result<Option<AerialView>, StoreError> {
        let catalog = self.catalog();
        if catalog.sets.is_empty() || !of.show {
            return Ok(None);
        }
        let hidden = self.hidden(store).await?;
        let this_year = u16::try_from(now.date().year()).unwrap_or_default();
        let oldest = of.oldest_years.map(|years| this_year.saturating_sub(years));
        Ok(Some(AerialView { aerial: self.clone(), catalog, hidden, this_year, oldest }))
    }

    /// The image of this name. `None` unless it is one of ours and current.
    pub async fn image(self: &Arc<Self>, store: &Store, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(named) = PhotoName::read(name, &self.key) else { return Ok(None) };
        let catalog = self.catalog();
        let Some(set) = catalog.sets.iter().find(|set| set.id() == named.set).cloned() else { return Ok(None) };
        let hidden = over(&self.hidden(store).await?, &named.ground);
        if hidden.as_ref().map(|homes| mark(homes)) != Some(named.hidden) {
            return Ok(None);
        }
        if let Some(bytes) = self.kept(name).await? {
            return Ok(Some(bytes));
        }
        let (aerial, own) = (self.clone(), name.to_owned());
        let cut = self.cutters.run(move || {
            // Of several that ask at once, the first cuts it.
            if let Some(bytes) = cut::read(&aerial.folder, &own) {
                return Some(bytes);
            }
            let bytes = cut::cut(&aerial.folder, &set, &named.ground, &hidden.unwrap_or_default())?;
            cut::keep(&aerial.folder, &own, &bytes);
            Some(bytes)
        });
        let bytes = cut.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a photograph could not be cut");
            None
        });
        match (&bytes, &self.bucket) {
            (None, _) => self.shows_nothing(name),
            (Some(bytes), Some(bucket)) => bucket.put(&path_of(name), bytes.clone()).await?,
            (Some(_), None) => {}
        }
        Ok(bytes)
    }

    async fn kept(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        if let Some(bytes) = cut::read(&self.folder, name) {
            return Ok(Some(bytes));
        }
        match &self.bucket {
            Some(bucket) => Ok(bucket.get(&path_of(name)).await?.map(|blob| blob.bytes)),
            None => Ok(None),
        }
    }

    fn shows_nothing(&self, name: &str) {
        let mut nothing = self.nothing.lock().unwrap_or_else(PoisonError::into_inner);
        if nothing.len() >= MOST_NOTHING {
            nothing.clear();
        }
        nothing.insert(name.to_owned());
    }
}

/// In a bucket, where logos lie too.
fn path_of(name: &str) -> String {
    format!("aerial/{name}.webp")
}

/// The photographs that a widget shows, at one moment.
#[derive(Clone)]
pub struct AerialView {
    aerial: Arc<Aerial>,
    catalog: Arc<Catalog>,
    hidden: Arc<Vec<HiddenHome>>,
    this_year: u16,
    oldest: Option<u16>,
}

impl AerialView {
    /// The photograph of a home; it is not cut yet.
    pub fn of_home(&self, origin: Option<Position>, roof: &RoofFound) -> Option<AerialPhoto> {
        let (ground, frame) = Ground::of_home(origin?, roof)?;
        self.of_ground(&ground, frame)
    }

    /// The photograph of a home and of those near it that can be chosen instead.
    pub fn of_homes(&self, origin: Option<Position>, roof: &RoofFound) -> Option<AerialPhoto> {
        let (ground, frame) = Ground::of_homes(origin?, roof)?;
        self.of_ground(&ground, frame)
    }

    /// The photograph that is the best now for what an earlier one showed.
    pub fn again(&self, earlier: &AerialPhoto) -> Option<AerialPhoto> {
        let name = name_of(&earlier.url)?;
        self.of_ground(&PhotoName::read(name, &self.aerial.key)?.ground, earlier.frame)
    }

    fn of_ground(&self, ground: &Ground, frame: [i32; 4]) -> Option<AerialPhoto> {
        let homes = over(&self.hidden, ground)?;
        let nothing = self.aerial.nothing.lock().unwrap_or_else(PoisonError::into_inner);
        self.catalog.sets_of(ground, self.this_year, self.oldest).into_iter().find_map(|set| {
            let name = PhotoName { ground: *ground, set: set.id(), hidden: mark(&homes) }.write(&self.aerial.key);
            if nothing.contains(&name) {
                return None;
            }
            let (east, north) = set.pictures_of(ground).first().and_then(|picture| picture.shift())?;
            Some(AerialPhoto {
                url: format!("{}{name}.webp", self.aerial.base),
                frame,
                taken: set.taken,
                credit: set.credit.clone(),
                moved: [east, north].map(|meters| (meters * 10.0).round() as i16),
            })
        })
    }

    /// The same where it is cut and shows something: for pages and mails that cannot try.
    pub async fn ready(&self, store: &Store, photo: &mut Option<AerialPhoto>) -> Result<Option<Vec<u8>>, StoreError> {
        while let Some(tried) = photo.take() {
            let Some(name) = name_of(&tried.url) else { break };
            if let Some(bytes) = self.aerial.image(store, name).await? {
                *photo = Some(tried);
                return Ok(Some(bytes));
            }
            // The next best.
            *photo = self.again(&tried).filter(|next| next.url != tried.url);
        }
        Ok(None)
    }

    /// The photograph of what a lead was shown, as it is the best now, and where it lies on the lead's drawing.
    pub async fn under(
        &self,
        store: &Store,
        shown: Option<&ShownStep>,
    ) -> Result<Option<(AerialPhoto, PhotoUnder)>, StoreError> {
        let Some((mut roof, chosen)) = shown.and_then(|shown| Some((shown.roof.clone()?, shown.chosen))) else {
            return Ok(None);
        };
        roof.photo = roof.photo.as_ref().and_then(|photo| self.again(photo));
        let Some(bytes) = self.ready(store, &mut roof.photo).await? else { return Ok(None) };
        let corner = chosen_corner(&roof, chosen);
        Ok(roof.photo.zip(corner).and_then(|(photo, [x, y])| {
            let [left, top, wide, high] = photo.frame;
            let under = PhotoUnder::new(&bytes, [left - x, top - y, wide, high])?;
            Some((photo, under))
        }))
    }
}

/// The name in the URL of a photograph.
fn name_of(url: &str) -> Option<&str> {
    url.rsplit_once('/')?.1.strip_suffix(".webp")
}

/// The hidden homes on this ground. `None`: the ground is of a hidden home itself.
fn over(hidden: &[HiddenHome], ground: &Ground) -> Option<Vec<HiddenHome>> {
    let [west, south, east, north] = ground.bounds().map(|degrees| (degrees * 1e7).round() as i32);
    let touches = |home: &&HiddenHome| {
        home.bounds[0] <= east && home.bounds[2] >= west && home.bounds[1] <= north && home.bounds[3] >= south
    };
    let homes: Vec<_> = hidden.iter().filter(touches).cloned().collect();
    let is_own = |home: &HiddenHome| {
        (home.bounds[0]..=home.bounds[2]).contains(&ground.longitude)
            && (home.bounds[1]..=home.bounds[3]).contains(&ground.latitude)
    };
    (!homes.iter().any(is_own)).then_some(homes)
}

/// Another number for other ground that is painted over.
fn mark(homes: &[HiddenHome]) -> [u8; 4] {
    if homes.is_empty() {
        return [0; 4];
    }
    let mut bounds: Vec<_> = homes.iter().map(|home| home.bounds).collect();
    bounds.cold_sort();
    let mut hasher = blake3::Hasher::new();
    for edge in bounds.into_iter().flatten() {
        hasher.update(&edge.to_be_bytes());
    }
    let mut mark = [0; 4];
    mark.copy_from_slice(&hasher.finalize().as_bytes()[..4]);
    mark
}
