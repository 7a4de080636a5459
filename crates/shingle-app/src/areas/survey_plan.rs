//! Which laser survey measures the roofs of an area, and how many megabytes of its points that takes.
//!
//! # Decision
//!
//! An octree has half the distance between points at each level, so an area is read down to the level that measures
//! roofs well, and less deep where that would be too much to load. Turned down: refusing every area whose points do not fit, and
//! loading all levels of surveys that are denser than roofs need.

use std::collections::BTreeMap;
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;
use shingle_measure::{MeasureError, Near, NodeKey, Octree, Walk};
use shingle_source::{Area, Client, SourceError, Survey, SurveySource};
use url::Url;

messages! {
    /// Why an area has no roofs from a survey.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum SurveyFault {
        NoSurvey => "no public laser survey covers this area",
        NotHere { name: String } => "the survey {name} has no points here",
        Unusable { name: String, why: Message } => "the survey {name} could not be read: {why}",
        TooLarge { name: String, most: u64 } =>
            "the survey {name} has more than {most} MB of points in this area; choose fewer miles",
        Slow { seconds: u64 } => "the survey did not answer within {seconds} {seconds|second|seconds}",
        TooSlow { name: String, minutes: u64 } =>
            "the points of the survey {name} did not come within {minutes} {minutes|minute|minutes}",
        ManyMissing { name: String, missing: u64, files: u64 } =>
            "too many files of the survey {name} are missing here: {missing} of {files}",
        LittleRoom { needed: u64, free: u64 } =>
            "the points of the survey need about {needed} MB of free disk and {free} MB are free",
        NotWritten { why: String } => "the points of the survey could not be written: {why}",
    }
}

/// Of each file of an octree.
const MOST_DESCRIPTION: usize = 4 << 20;
const MOST_PAGE: usize = 8 << 20;
pub(super) const MOST_NODE: usize = 16 << 20;
/// Pages that are read for an area.
const MOST_PAGES: usize = 2_000;
/// Requests at a time.
pub(super) const AT_ONCE: usize = 8;
/// Surveys of an area that are tried.
const MOST_TRIED: usize = 3;
/// Meters between points: closer ones do not measure better, and wider ones do not measure at all.
const CLOSE: f64 = 0.3;
const WIDE: f64 = 0.6;

/// The points of a survey that an area takes.
#[derive(Debug)]
pub struct SurveyPlan {
    pub name: String,
    /// Of the flight.
    pub year: Option<u16>,
    /// With who publishes it.
    pub title: String,
    pub licence: String,
    /// About so many, at most.
    pub bytes: u64,
    pub(super) octree: Octree,
    pub(super) files: SurveyFiles,
    /// The level that is the last to be read.
    pub(super) deepest: u8,
    pub(super) description: Bytes,
    pub(super) first: Bytes,
    /// Bytes of the points that are loaded, at most.
    pub(super) most: u64,
}

/// A person's switch: `None` is off.
pub type SurveyOutlook = Option<Result<SurveyPlan, Message>>;

/// Where the files of an octree are.
#[derive(Debug, Clone)]
pub(super) struct SurveyFiles {
    folder: Url,
}

impl SurveyFiles {
    pub async fn get(&self, client: &Client, name: &str, most: usize) -> Result<Bytes, SourceError> {
        let url = self.folder.join(name);
        let url = url.map_err(|_| SourceError::NotThere { url: format!("{}{name}", self.folder) })?;
        client.whole(&url, most).await
    }

    /// Reads so many pages that wait, and says whether there were any.
    pub async fn read_pages(&self, client: &Client, walk: &mut Walk<'_>, near: &Near) -> Result<usize, PageFault> {
        let wanted = walk.next_pages(8 * AT_ONCE);
        let count = wanted.len();
        let texts: Vec<(NodeKey, Bytes)> = stream::iter(wanted)
            .map(|page| async move {
                let text = self.get(client, &Octree::page_at(page), MOST_PAGE).await?;
                Ok::<_, SourceError>((page, text))
            })
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        for (page, text) in texts {
            walk.take(page, &text, &|min, max| near.touch(min, max))?;
        }
        Ok(count)
    }
}

/// Why the hierarchy of an octree could not be read.
#[derive(Debug)]
pub(super) enum PageFault {
    Source(SourceError),
    Octree(MeasureError),
}

impl From<SourceError> for PageFault {
    fn from(e: SourceError) -> Self {
        Self::Source(e)
    }
}

impl From<MeasureError> for PageFault {
    fn from(e: MeasureError) -> Self {
        Self::Octree(e)
    }
}

impl ToMessage for PageFault {
    fn to_message(&self) -> Message {
        match self {
            Self::Source(e) => e.to_message(),
            Self::Octree(e) => e.to_string().to_message(),
        }
    }
}

impl SurveyPlan {
    /// The best survey of an area that can be read. A source that is slow is not waited for.
    pub(super) async fn make(
        source: &SurveySource,
        client: &Client,
        area: &Area,
        patience: Duration,
    ) -> Result<Self, Message> {
        match tokio::time::timeout(patience, Self::of_area(source, client, area)).await {
            Ok(planned) => planned,
            Err(_) => Err(SurveyFault::Slow { seconds: patience.as_secs() }.into()),
        }
    }

    async fn of_area(source: &SurveySource, client: &Client, area: &Area) -> Result<Self, Message> {
        let surveys = source.surveys(client, area).await.map_err(|e| e.to_message())?;
        let mut best_failed = None;
        for survey in surveys.into_iter().take(MOST_TRIED) {
            let name = survey.name.clone();
            match Self::of_survey(source, client, area, survey).await {
                Ok(planned) => return Ok(planned),
                Err(why) => {
                    tracing::warn!(survey = name, %why, "a laser survey is passed over");
                    best_failed.get_or_insert(why);
                }
            }
        }
        Err(best_failed.unwrap_or_else(|| SurveyFault::NoSurvey.into()))
    }

    async fn of_survey(source: &SurveySource, client: &Client, area: &Area, survey: Survey) -> Result<Self, Message> {
        let name = survey.name;
        let unusable =
            |why: PageFault| Message::from(SurveyFault::Unusable { name: name.clone(), why: why.to_message() });
        let files = SurveyFiles { folder: survey.folder };
        let description = files.get(client, Octree::DESCRIPTION, MOST_DESCRIPTION).await;
        let description = description.map_err(|e| unusable(e.into()))?;
        let octree = Octree::parse(&description).map_err(|e| unusable(e.into()))?;
        let near = octree.near(area.corners(), 0.0).map_err(|e| unusable(e.into()))?;
        let mut walk = Walk::new(&octree);
        let (mut pages, mut depth) = (0, Depth::default());
        loop {
            let read = files.read_pages(client, &mut walk, &near).await.map_err(unusable)?;
            pages += read;
            if read == 0 {
                break;
            }
            depth = Depth::of(&octree, &near, walk.nodes(), source.most_bytes / BYTES_OF_POINT);
            walk.end_at(depth.deepest);
            if pages > MOST_PAGES || depth.spacing > WIDE {
                return Err(SurveyFault::TooLarge { name, most: source.most_bytes / 1_000_000 }.into());
            }
        }
        let nodes = walk.into_nodes();
        let Some(of_first) = nodes.get(&NodeKey::ROOT) else {
            return Err(SurveyFault::NotHere { name }.into());
        };
        let first = files.get(client, &Octree::data_of(NodeKey::ROOT), MOST_NODE).await;
        let first = first.map_err(|e| unusable(e.into()))?;
        let points: u64 = nodes.values().sum();
        let bytes = first.len() as f64 / (*of_first).max(1) as f64 * points as f64;
        Ok(Self {
            year: survey.year,
            title: format!("{}, {name}", source.title),
            licence: source.license.clone(),
            bytes: bytes as u64,
            files,
            deepest: depth.deepest,
            description,
            first,
            most: source.most_bytes,
            octree,
            name,
        })
    }
}

/// What a point takes where it is compressed, rather more than less.
const BYTES_OF_POINT: u64 = 8;

/// How deep an octree is read.
#[derive(Debug, Clone, Copy)]
struct Depth {
    deepest: u8,
    /// Meters between the points, where deeper levels were left out because they are too much; else 0.
    spacing: f64,
}

impl Default for Depth {
    fn default() -> Self {
        Self { deepest: u8::MAX, spacing: 0.0 }
    }
}

impl Depth {
    fn of(octree: &Octree, near: &Near, nodes: &BTreeMap<NodeKey, u64>, most_points: u64) -> Self {
        let mut levels: BTreeMap<u8, u64> = BTreeMap::new();
        for (key, points) in nodes {
            *levels.entry(key.level).or_default() += points;
        }
        let close = (0..31).find(|level| octree.spacing(*level, near) <= CLOSE).unwrap_or(31);
        let mut points = 0;
        for (level, more) in levels {
            points += more;
            if level > close {
                break;
            }
            if points > most_points {
                let deepest = level.saturating_sub(1);
                return Self { deepest, spacing: octree.spacing(deepest, near) };
            }
        }
        Self { deepest: close, spacing: 0.0 }
    }
}
