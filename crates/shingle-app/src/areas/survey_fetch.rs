//! The nodes of a survey's octree that have points near buildings, as an octree of their own in a folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use shingle_domain::message::{Message, ToMessage};
use shingle_measure::{NodeKey, Octree, Walk};
use shingle_source::{BoundingBox, Client, SourceError};

use super::survey_plan::{AT_ONCE, MOST_NODE, SurveyFault, SurveyPlan};

/// About an outline, for the ground around the house. The measuring looks at four meters.
const MARGIN_METERS: f64 = 5.0;
/// A line of two megabits, and some time beside it.
const SLOWEST: u64 = 250_000;
const AT_LEAST: Duration = Duration::from_secs(600);

/// What was loaded.
#[derive(Debug)]
pub(super) struct FetchedSurvey {
    pub folder: PathBuf,
    /// Files that the survey lists and does not have.
    pub missing: u64,
}

/// Why it was not.
#[derive(Debug)]
pub(super) enum NotFetched {
    /// A person stopped the whole.
    Stopped,
    Failed(Message),
}

impl From<SurveyFault> for NotFetched {
    fn from(fault: SurveyFault) -> Self {
        Self::Failed(fault.into())
    }
}

impl SurveyPlan {
    /// A folder of its own for what is loaded, so that a load that was stopped goes on with what is there.
    pub(super) fn folder_name(&self) -> String {
        let what = [&*self.description, self.name.as_bytes(), &[self.deepest]].concat();
        format!("survey-{}", &blake3::hash(&what).to_hex()[..8])
    }

    /// Loads what is near these boxes. `time` in place of the usual limit.
    pub(super) async fn fetch(
        &self,
        client: &Client,
        boxes: Vec<BoundingBox>,
        folder: PathBuf,
        time: Option<Duration>,
    ) -> Result<FetchedSurvey, NotFetched> {
        let time = time.unwrap_or_else(|| AT_LEAST + Duration::from_secs(self.bytes / SLOWEST));
        match tokio::time::timeout(time, self.fetch_all(client, boxes, folder)).await {
            Ok(fetched) => fetched,
            Err(_) => Err(SurveyFault::TooSlow { name: self.name.clone(), minutes: time.as_secs() / 60 }.into()),
        }
    }

    async fn fetch_all(
        &self,
        client: &Client,
        boxes: Vec<BoundingBox>,
        folder: PathBuf,
    ) -> Result<FetchedSurvey, NotFetched> {
        let nodes = self.nodes(client, boxes).await?;
        fs::create_dir_all(folder.join("ept-data")).map_err(not_written)?;
        fs::create_dir_all(folder.join("ept-hierarchy")).map_err(not_written)?;
        let files = nodes.len() as u64;
        let loaded = AtomicU64::new(0);
        let found: Vec<Option<(NodeKey, u64)>> = stream::iter(nodes)
            .map(|(key, points)| {
                let (folder, loaded) = (&folder, &loaded);
                async move {
                    let is_there = self.fetch_node(client, key, folder, loaded).await?;
                    Ok::<_, NotFetched>(is_there.then_some((key, points)))
                }
            })
            .buffer_unordered(AT_ONCE)
            .try_collect()
            .await?;
        let nodes: BTreeMap<NodeKey, u64> = found.into_iter().flatten().collect();
        let missing = files - nodes.len() as u64;
        // A few holes are thinner places: every level has points of every place.
        if missing * 10 > files {
            return Err(SurveyFault::ManyMissing { name: self.name.clone(), missing, files }.into());
        }
        let page = Octree::page_of(&nodes);
        fs::write(folder.join(Octree::page_at(NodeKey::ROOT)), page).map_err(not_written)?;
        fs::write(folder.join(Octree::DESCRIPTION), &self.description).map_err(not_written)?;
        Ok(FetchedSurvey { folder, missing })
    }

    async fn nodes(&self, client: &Client, boxes: Vec<BoundingBox>) -> Result<BTreeMap<NodeKey, u64>, NotFetched> {
        let near = self.octree.near(boxes.iter().map(BoundingBox::corners), MARGIN_METERS);
        let near = near.map_err(|e| self.failed(&e.to_string()))?;
        let mut walk = Walk::new(&self.octree);
        walk.end_at(self.deepest);
        loop {
            match self.files.read_pages(client, &mut walk, &near).await {
                Ok(0) => return Ok(walk.into_nodes()),
                Ok(_) => {}
                Err(_) if client.traffic().is_stopping() => return Err(NotFetched::Stopped),
                Err(e) => return Err(self.failed(&e)),
            }
        }
    }

    /// Whether the node is there now.
    async fn fetch_node(
        &self,
        client: &Client,
        key: NodeKey,
        folder: &Path,
        loaded: &AtomicU64,
    ) -> Result<bool, NotFetched> {
        let name = Octree::data_of(key);
        let path = folder.join(&name);
        // Files get their names when they are whole.
        if let Some(known) = path.metadata().ok().filter(|known| known.len() > 0) {
            loaded.fetch_add(known.len(), Ordering::Relaxed);
            return Ok(true);
        }
        let bytes = match key == NodeKey::ROOT {
            true => self.first.clone(),
            false => match self.files.get(client, &name, MOST_NODE).await {
                Ok(bytes) => bytes,
                // Buckets that nobody may list refuse what they do not have.
                Err(SourceError::NotThere { .. } | SourceError::Refused { .. }) => return Ok(false),
                Err(SourceError::Stopped) => return Err(NotFetched::Stopped),
                Err(e) => return Err(self.failed(&e)),
            },
        };
        let before = loaded.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if before + bytes.len() as u64 > self.most + self.most / 4 {
            let most = self.most / 1_000_000;
            return Err(SurveyFault::TooLarge { name: self.name.clone(), most }.into());
        }
        let written = tokio::task::spawn_blocking(move || {
            let part = path.with_extension("part");
            fs::write(&part, &bytes)?;
            fs::rename(part, path)
        });
        match written.await {
            Ok(written) => written.map_err(not_written)?,
            Err(e) => return Err(SurveyFault::NotWritten { why: e.to_string() }.into()),
        }
        Ok(true)
    }

    fn failed(&self, why: &(impl ToMessage + ?Sized)) -> NotFetched {
        SurveyFault::Unusable { name: self.name.clone(), why: why.to_message() }.into()
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it stands at the end of a call")]
fn not_written(e: std::io::Error) -> NotFetched {
    SurveyFault::NotWritten { why: e.to_string() }.into()
}
