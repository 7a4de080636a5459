//! What an area takes, before any of it is loaded.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};

use crate::area::Area;
use crate::client::Client;
use crate::description::Source;
use crate::error::SourceError;
use crate::footer::OpenFile;
use crate::release::{Release, RemoteFile, gone};

/// Ends of files that are read at one time.
const AT_ONCE: usize = 8;

#[derive(Debug, Clone)]
pub struct Plan {
    pub release: Release,
    pub area: Area,
    pub files: Vec<PlannedFile>,
    /// Files whose ends were read.
    pub files_looked_at: u64,
    /// There is no catalog: the end of every file was read.
    pub is_listed: bool,
}

#[derive(Debug, Clone)]
pub struct PlannedFile {
    pub layer: usize,
    pub open: Arc<OpenFile>,
    /// The row groups that may hold rows of the area.
    pub groups: Vec<usize>,
    /// Bytes that are loaded, at most.
    pub bytes: u64,
    pub rows_about: u64,
    /// Bytes of the rows that are kept.
    pub kept_about: u64,
}

impl Plan {
    pub async fn make(source: &Source, client: &Client, release: Release, area: &Area) -> Result<Self, SourceError> {
        let found = source.files(client, &release, area).await?;
        let files_looked_at = found.files.len() as u64;
        let planned = stream::iter(found.files).map(|file| PlannedFile::make(source, client, file, area));
        let planned: Vec<PlannedFile> = planned.buffered(AT_ONCE).try_collect().await.map_err(|e| gone(e, &release))?;
        let files = planned.into_iter().filter(|file| !file.groups.is_empty()).collect();
        Ok(Self { release, area: area.clone(), files, files_looked_at, is_listed: found.is_listed })
    }

    /// Bytes that are loaded, at most.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }

    pub fn kept_about(&self) -> u64 {
        self.files.iter().map(|file| file.kept_about).sum()
    }

    pub fn rows_about(&self, layer: usize) -> u64 {
        self.files.iter().filter(|file| file.layer == layer).map(|file| file.rows_about).sum()
    }

    pub fn groups(&self) -> u64 {
        self.files.iter().map(|file| file.groups.len() as u64).sum()
    }
}

impl PlannedFile {
    pub async fn make(source: &Source, client: &Client, file: RemoteFile, area: &Area) -> Result<Self, SourceError> {
        let layer = &source.layers[file.layer];
        let open = OpenFile::open(client, &file.url, layer).await?;
        let area = area.grown(layer.margin_miles);
        let mut planned = Self {
            layer: file.layer,
            open: Arc::new(open),
            groups: Vec::new(),
            bytes: 0,
            rows_about: 0,
            kept_about: 0,
        };
        let open = planned.open.clone();
        for (number, group) in open.meta.row_groups().iter().enumerate() {
            let share = open.covers(group).map_or(1.0, |covers| area.share_of(&covers));
            let meets = open.covers(group).is_none_or(|covers| area.meets(&covers));
            if !meets {
                continue;
            }
            let bytes = open.bytes_of(group);
            let part = |whole: u64| (whole as f64 * share).round() as u64;
            planned.groups.push(number);
            planned.bytes += bytes;
            planned.kept_about += part(bytes);
            planned.rows_about += part(u64::try_from(group.num_rows()).unwrap_or_default());
        }
        Ok(planned)
    }

    /// The same file as it is now.
    pub async fn again(&self, source: &Source, client: &Client, area: &Area) -> Result<Self, SourceError> {
        let file = RemoteFile { layer: self.layer, url: self.open.url.clone() };
        Self::make(source, client, file, area).await
    }
}
