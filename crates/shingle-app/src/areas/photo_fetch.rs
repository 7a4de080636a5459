//! The pictures of the homes of an area, as GeoTIFF files in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use shingle_domain::aerial::PhotoDate;
use shingle_domain::message::{Message, ToMessage};
use shingle_imagery::{ImageryError, geotiff_of_jpeg, look_at_jpeg};
use shingle_source::{BoundingBox, Client, Footprint, ReadFault, Shown, SourceError, Tile};
use url::Url;

use super::photo_plan::{PhotoFault, PhotoPlan};
use super::survey_fetch::NotFetched;

/// Requests at a time: a service draws each picture.
const AT_ONCE: usize = 4;
/// For each picture, and some time beside it.
const SECONDS_EACH: u64 = 4;
const AT_LEAST: Duration = Duration::from_secs(600);
/// Of one picture: three of each pixel's bytes are more than any JPEG has.
const MOST_OF_PIXEL: usize = 3;
const MOST_BESIDE: usize = 64 << 10;
/// Pictures that may fail before the service is given up, where most did.
const MOST_FAILED: u64 = 5;
const SYSTEM: u16 = 3857;

/// What was loaded.
#[derive(Debug, Default)]
pub(super) struct FetchedPhotos {
    /// By the date of what they show.
    pub files: BTreeMap<PhotoDate, Vec<PathBuf>>,
    pub bytes: u64,
    /// They show nothing.
    pub blank: u64,
    /// They did not come.
    pub missing: u64,
    /// No photograph shows all of them with one date.
    pub undated: u64,
    /// Beyond the megabytes of an area.
    pub beyond: u64,
}

enum Picture {
    File(PathBuf),
    Blank,
    Missing(Message),
    Beyond,
}

/// What is known while pictures come.
#[derive(Default)]
struct Counts {
    bytes: AtomicU64,
    ended: AtomicU64,
    missing: AtomicU64,
}

impl From<PhotoFault> for NotFetched {
    fn from(fault: PhotoFault) -> Self {
        Self::Failed(fault.into())
    }
}

impl PhotoPlan {
    /// Loads what shows these buildings. `time` in place of the usual limit.
    pub(super) async fn fetch(
        &self,
        client: &Client,
        boxes: Vec<BoundingBox>,
        folder: &Path,
        time: Option<Duration>,
    ) -> Result<FetchedPhotos, NotFetched> {
        let tiles = self.grid.tiles(boxes.into_iter().map(|of| [of.west, of.south, of.east, of.north]));
        let usual = || AT_LEAST + Duration::from_secs(tiles.len() as u64 * SECONDS_EACH);
        let time = time.unwrap_or_else(usual);
        match tokio::time::timeout(time, self.fetch_all(client, tiles, folder)).await {
            Ok(fetched) => fetched,
            Err(_) => Err(PhotoFault::TooSlow { minutes: time.as_secs() / 60 }.into()),
        }
    }

    async fn fetch_all(&self, client: &Client, tiles: Vec<Tile>, folder: &Path) -> Result<FetchedPhotos, NotFetched> {
        if tiles.is_empty() {
            return Err(PhotoFault::NoHomes.into());
        }
        fs::create_dir_all(folder).map_err(not_written)?;
        let all = tiles.len() as u64;
        let shown = |tile: Tile| Footprint::newest_of(&self.footprints, &tile).map(|shown| (tile, shown));
        let dated: Vec<(Tile, Shown)> = tiles.into_iter().filter_map(shown).collect();
        let asked = dated.len() as u64;
        if asked == 0 {
            return Err(PhotoFault::NoneOfOneDate.into());
        }
        let counts = Counts::default();
        let pictures: Vec<(PhotoDate, Picture)> = stream::iter(dated)
            .map(|(tile, shown)| {
                let counts = &counts;
                async move {
                    let picture = self.fetch_one(client, tile, &shown, folder, counts).await?;
                    Ok::<_, NotFetched>((shown.taken, picture))
                }
            })
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        let mut fetched = FetchedPhotos { undated: all - asked, ..FetchedPhotos::default() };
        let mut last_missing = None;
        for (taken, picture) in pictures {
            match picture {
                Picture::File(path) => fetched.files.entry(taken).or_default().push(path),
                Picture::Blank => fetched.blank += 1,
                Picture::Beyond => fetched.beyond += 1,
                Picture::Missing(why) => {
                    fetched.missing += 1;
                    last_missing = Some(why);
                }
            }
        }
        fetched.bytes = counts.bytes.load(Ordering::Relaxed);
        match last_missing {
            Some(why) if fetched.missing * 10 > asked || fetched.files.is_empty() => Err(NotFetched::Failed(why)),
            _ if fetched.files.is_empty() && fetched.blank > 0 => Err(PhotoFault::OnlyBlank.into()),
            _ if fetched.files.is_empty() => Err(PhotoFault::NothingAllowed.into()),
            _ => Ok(fetched),
        }
    }

    async fn fetch_one(
        &self,
        client: &Client,
        tile: Tile,
        shown: &Shown,
        folder: &Path,
        counts: &Counts,
    ) -> Result<Picture, NotFetched> {
        if counts.bytes.load(Ordering::Relaxed) >= self.source.most_bytes {
            return Ok(Picture::Beyond);
        }
        let url = self.source.picture_url(&tile, &shown.photographs).map_err(|e| NotFetched::Failed(self.failed(e)))?;
        // What was asked for names the file, so that a load that was stopped goes on with what is there.
        let path = folder.join(format!("{}.tif", &blake3::hash(url.as_str().as_bytes()).to_hex()[..32]));
        if let Ok(known) = path.metadata() {
            counts.bytes.fetch_add(known.len(), Ordering::Relaxed);
            return Ok(if known.len() == 0 { Picture::Blank } else { Picture::File(path) });
        }
        let file = match self.picture(client, &url, tile).await {
            Ok(file) => file,
            Err(SourceError::Stopped) => return Err(NotFetched::Stopped),
            Err(e) => return self.missing(e, counts),
        };
        counts.ended.fetch_add(1, Ordering::Relaxed);
        counts.bytes.fetch_add(file.len() as u64, Ordering::Relaxed);
        let is_blank = file.is_empty();
        let to = path.clone();
        let written = tokio::task::spawn_blocking(move || {
            let part = to.with_extension("part");
            fs::write(&part, &file)?;
            fs::rename(part, to)
        });
        match written.await {
            Ok(written) => written.map_err(not_written)?,
            Err(e) => return Err(PhotoFault::NotWritten { why: e.to_string() }.into()),
        }
        Ok(if is_blank { Picture::Blank } else { Picture::File(path) })
    }

    /// A GeoTIFF; without a byte where the picture shows nothing.
    async fn picture(&self, client: &Client, url: &Url, tile: Tile) -> Result<Vec<u8>, SourceError> {
        let most = tile.wide() as usize * tile.high() as usize * MOST_OF_PIXEL + MOST_BESIDE;
        self.source.picture(client, url, most, |jpeg| geotiff(jpeg, &tile)).await
    }

    /// A hole is no harm. A service that fails again and again is given up.
    fn missing(&self, error: SourceError, counts: &Counts) -> Result<Picture, NotFetched> {
        let ended = counts.ended.fetch_add(1, Ordering::Relaxed) + 1;
        let missing = counts.missing.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::debug!(%error, "a photo from the air did not come");
        let why = self.failed(error);
        match missing > MOST_FAILED && missing * 2 > ended {
            true => Err(NotFetched::Failed(why)),
            false => Ok(Picture::Missing(why)),
        }
    }
}

fn geotiff(jpeg: &Bytes, tile: &Tile) -> Result<Vec<u8>, ReadFault> {
    let lasting = |fault: PhotoFault| ReadFault::Lasting { why: fault.to_message() };
    if !jpeg.starts_with(&[0xff, 0xd8]) {
        return Err(lasting(PhotoFault::NotAPicture));
    }
    // The next answer may be whole.
    let cut = |error: ImageryError| match error {
        ImageryError::LargeBlock { .. } => lasting(PhotoFault::NotAPicture),
        _ => ReadFault::Passing { why: PhotoFault::NotWhole.to_message(), after: None },
    };
    let look = look_at_jpeg(jpeg).map_err(cut)?;
    if (look.wide, look.high) != (tile.wide(), tile.high()) {
        return Err(lasting(PhotoFault::OtherSize { wide: look.wide, high: look.high }));
    }
    match look.one_color {
        true => Ok(Vec::new()),
        false => geotiff_of_jpeg(jpeg, tile.bounds(), SYSTEM).map_err(|_| lasting(PhotoFault::NotAPicture)),
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it stands at the end of a call")]
fn not_written(e: std::io::Error) -> NotFetched {
    PhotoFault::NotWritten { why: e.to_string() }.into()
}
