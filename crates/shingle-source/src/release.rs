//! Which release there is, and which of its files may hold rows of an area.
//!
//! # Decision
//!
//! The catalog names the newest release, and `collections.parquet` has the box of each file, so the ends of a few
//! files are read instead of hundreds. Of a file that the catalog names only the path within the release is taken: its
//! server is the one of the description, so a catalog cannot send us anywhere else. Turned down: reading each item's
//! JSON, one request for each file.

use std::fmt;
use std::path::Path;

use bytes::Bytes;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use quick_xml::events::Event;
use serde::{Deserialize, Serialize};
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::messages;
use url::Url;

use crate::area::{Area, BoundingBox};
use crate::client::Client;
use crate::description::{Layer, Source};
use crate::error::SourceError;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum CatalogFault {
        NotJson { why: String } => "it is not JSON: {why}",
        NoLatest => "it names no newest release",
        ReleaseName => "it gives its newest release no name that can be used",
        NotParquet { why: String } => "it is not Parquet: {why}",
        NoColumn { column: &'static str } => "it has no column `{column}`",
        NotXml { why: String } => "it is not XML: {why}",
        TooMany => "it lists more files than any release has",
    }
}

/// The name of a release, such as `2026-11-18.0`: also the name of a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Release(String);

impl Release {
    pub fn parse(text: &str) -> Option<Self> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
        let is_name = (1..=64).contains(&text.len()) && text.bytes().all(fits) && !text.starts_with('.');
        is_name.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The day it speaks of, where its name begins with one.
    pub fn day(&self) -> Option<&str> {
        let day = self.0.get(..10)?;
        let fits = |(at, b): (usize, u8)| if matches!(at, 4 | 7) { b == b'-' } else { b.is_ascii_digit() };
        day.bytes().enumerate().all(fits).then_some(day)
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Release {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("no name of a release"))
    }
}

/// A file of a release.
#[derive(Debug, Clone, PartialEq)]
pub struct RemoteFile {
    pub layer: usize,
    pub url: Url,
}

/// What a release has for an area.
#[derive(Debug, Clone, PartialEq)]
pub struct ReleaseFiles {
    pub release: Release,
    pub files: Vec<RemoteFile>,
    /// There is no catalog: which files meet the area is known only once the end of each was read.
    pub is_listed: bool,
}

const CATALOG_BYTES: usize = 4 << 20;
/// The catalog of a release has some kilobytes for each of its files.
const COLLECTIONS_BYTES: usize = 64 << 20;
const LISTING_BYTES: usize = 8 << 20;
/// A release has some hundred files.
const MOST_FILES: usize = 20_000;

#[derive(Deserialize)]
struct RootCatalog {
    latest: Option<serde_json::Value>,
}

impl Source {
    /// The newest release.
    pub async fn newest(&self, client: &Client) -> Result<Release, SourceError> {
        let Some(catalog) = &self.catalog else { return self.newest_listed(client).await };
        let bytes = client.whole(catalog, CATALOG_BYTES).await?;
        let wrong = |fault: CatalogFault| SourceError::catalog(catalog.as_str(), fault);
        let root: RootCatalog =
            serde_json::from_slice(&bytes).map_err(|e| wrong(CatalogFault::NotJson { why: e.to_string() }))?;
        let latest = root.latest.ok_or_else(|| wrong(CatalogFault::NoLatest))?;
        latest.as_str().and_then(Release::parse).ok_or_else(|| wrong(CatalogFault::ReleaseName))
    }

    /// The files of a release that may hold rows of the area.
    pub async fn files(&self, client: &Client, release: &Release, area: &Area) -> Result<ReleaseFiles, SourceError> {
        let (files, is_listed) = match &self.catalog {
            Some(catalog) => (self.files_of_catalog(client, catalog, release, area).await?, false),
            None => (self.listed_files(client, release).await?, true),
        };
        Ok(ReleaseFiles { release: release.clone(), files, is_listed })
    }

    async fn files_of_catalog(
        &self,
        client: &Client,
        catalog: &Url,
        release: &Release,
        area: &Area,
    ) -> Result<Vec<RemoteFile>, SourceError> {
        let url = joined(catalog, &format!("{release}/collections.parquet"))?;
        let bytes = client.whole(&url, COLLECTIONS_BYTES).await.map_err(|e| gone(e, release))?;
        let mut files = Vec::new();
        for item in items(url.as_str(), bytes)? {
            let Some(layer) = self.layers.iter().position(|l| l.collection == item.collection) else { continue };
            if area.grown(self.layers[layer].margin_miles).meets(&item.covers) {
                files.push(RemoteFile { layer, url: self.url_of(&item.href, release, &self.layers[layer])? });
            }
        }
        files.cold_sort_by(|a, b| (a.layer, a.url.as_str()).cmp(&(b.layer, b.url.as_str())));
        files.dedup();
        Ok(files)
    }

    fn folder(&self, release: &Release, layer: &Layer) -> String {
        format!("{}{release}/{}", self.releases, layer.folder)
    }

    /// The file of our own server that has the path of this one.
    fn url_of(&self, href: &str, release: &Release, layer: &Layer) -> Result<Url, SourceError> {
        let other = || SourceError::OtherPlace { href: href.chars().take(200).collect() };
        let folder = self.folder(release, layer);
        // `=` and others may be written as they are or with percent signs.
        let plain = href.replace("%3D", "=").replace("%3d", "=");
        let (_, name) = plain.split_once(&folder).ok_or_else(other)?;
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
        if name.is_empty() || name.starts_with('.') || !name.bytes().all(fits) {
            return Err(other());
        }
        joined(&self.data, &format!("{folder}{name}"))
    }

    async fn newest_listed(&self, client: &Client) -> Result<Release, SourceError> {
        let names = self.listing(client, &self.releases, true).await?;
        let newest = names.iter().filter_map(|name| Release::parse(name.trim_end_matches('/'))).max();
        newest.ok_or_else(|| SourceError::NoRelease { url: format!("{}{}", self.data, self.releases) })
    }

    async fn listed_files(&self, client: &Client, release: &Release) -> Result<Vec<RemoteFile>, SourceError> {
        let mut files = Vec::new();
        for (number, layer) in self.layers.iter().enumerate() {
            let folder = self.folder(release, layer);
            let names = self.listing(client, &folder, false).await?;
            if names.is_empty() {
                return Err(SourceError::ReleaseGone { release: release.to_string() });
            }
            for name in names.iter().filter(|name| name.ends_with(".parquet")) {
                files.push(RemoteFile { layer: number, url: self.url_of(&format!("{folder}{name}"), release, layer)? });
            }
        }
        Ok(files)
    }

    /// What is in a folder: its files, or its folders.
    async fn listing(&self, client: &Client, folder: &str, of_folders: bool) -> Result<Vec<String>, SourceError> {
        if self.data.scheme() == "file" {
            let url = joined(&self.data, folder)?;
            let path = url.to_file_path().map_err(|()| SourceError::NotThere { url: url.to_string() })?;
            return Ok(folder_names(&path, of_folders));
        }
        let (mut names, mut next) = (Vec::new(), None::<String>);
        loop {
            let mut url = self.data.clone();
            {
                let mut query = url.query_pairs_mut();
                query.append_pair("list-type", "2").append_pair("prefix", folder).append_pair("delimiter", "/");
                if let Some(next) = &next {
                    query.append_pair("continuation-token", next);
                }
            }
            let text = client.whole(&url, LISTING_BYTES).await?;
            let page = ListingPage::read(&text)
                .map_err(|e| SourceError::catalog(url.as_str(), CatalogFault::NotXml { why: e.to_string() }))?;
            let found = if of_folders { page.folders } else { page.keys };
            names.extend(found.iter().filter_map(|key| key.strip_prefix(folder)).map(str::to_owned));
            if names.len() > MOST_FILES {
                return Err(SourceError::catalog(url.as_str(), CatalogFault::TooMany));
            }
            if page.next.is_none() || page.next == next {
                return Ok(names);
            }
            next = page.next;
        }
    }
}

fn folder_names(folder: &Path, of_folders: bool) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries
        .filter(|entry| entry.path().is_dir() == of_folders)
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.cold_sort();
    names
}

/// Of a list of objects as S3 writes it.
#[derive(Debug, Default, PartialEq)]
struct ListingPage {
    keys: Vec<String>,
    folders: Vec<String>,
    next: Option<String>,
}

impl ListingPage {
    fn read(text: &[u8]) -> Result<Self, quick_xml::Error> {
        let mut reader = quick_xml::Reader::from_reader(text);
        let (mut page, mut path, mut value) = (Self::default(), Vec::<String>::new(), String::new());
        loop {
            match reader.read_event()? {
                Event::Start(start) => {
                    path.push(start.local_name().as_ref().to_owned());
                    value.clear();
                }
                Event::Text(text) => value.push_str(&text),
                Event::End(_) => {
                    let of = |names: [&str; 2]| {
                        path.len() >= 2 && path[path.len() - 2..].iter().map(String::as_str).eq(names)
                    };
                    if of(["Contents", "Key"]) {
                        page.keys.push(std::mem::take(&mut value));
                    } else if of(["CommonPrefixes", "Prefix"]) {
                        page.folders.push(std::mem::take(&mut value));
                    } else if of(["ListBucketResult", "NextContinuationToken"]) {
                        page.next = Some(std::mem::take(&mut value));
                    }
                    path.pop();
                }
                Event::Eof => return Ok(page),
                _ => {}
            }
        }
    }
}

/// A release that the catalog names and whose files are not there.
pub(crate) fn gone(error: SourceError, release: &Release) -> SourceError {
    match error {
        // A bucket that nobody may list says so of what is not in it.
        SourceError::NotThere { .. } | SourceError::Refused { .. } => {
            SourceError::ReleaseGone { release: release.to_string() }
        }
        other => other,
    }
}

fn joined(base: &Url, path: &str) -> Result<Url, SourceError> {
    base.join(path).map_err(|e| SourceError::catalog(base.as_str(), e.to_string()))
}

/// What the catalog says of a file.
struct Item {
    collection: String,
    covers: BoundingBox,
    href: String,
}

fn items(url: &str, bytes: Bytes) -> Result<Vec<Item>, SourceError> {
    let wrong = |why: String| SourceError::catalog(url, CatalogFault::NotParquet { why });
    let reader = SerializedFileReader::new(bytes).map_err(|e| wrong(e.to_string()))?;
    let meta = reader.metadata().file_metadata();
    if usize::try_from(meta.num_rows()).unwrap_or(usize::MAX) > MOST_FILES {
        return Err(SourceError::catalog(url, CatalogFault::TooMany));
    }
    let schema = meta.schema();
    let mut fields = Vec::new();
    for name in ["collection", "bbox", "assets"] {
        let field = schema.get_fields().iter().find(|f| f.name() == name);
        fields.push(field.ok_or_else(|| SourceError::catalog(url, CatalogFault::NoColumn { column: name }))?.clone());
    }
    let wanted = Type::group_type_builder(schema.name()).with_fields(fields).build();
    let wanted = wanted.map_err(|e| wrong(e.to_string()))?;
    let mut items = Vec::new();
    for row in reader.get_row_iter(Some(wanted)).map_err(|e| wrong(e.to_string()))? {
        let row = row.map_err(|e| wrong(e.to_string()))?;
        items.extend(item(&row));
    }
    Ok(items)
}

/// `None`: the row is not of a file but, for example, of a collection.
fn item(row: &Row) -> Option<Item> {
    let column = |name: &str| row.get_column_iter().find(|(n, _)| *n == name).map(|(_, field)| field);
    let Field::Str(collection) = column("collection")? else { return None };
    let degrees = |name: &str| number(inner(column("bbox")?, name)?);
    let covers = BoundingBox {
        west: degrees("xmin")?,
        south: degrees("ymin")?,
        east: degrees("xmax")?,
        north: degrees("ymax")?,
    };
    let asset = inner(column("assets")?, "aws")?;
    let Field::Str(href) = inner(asset, "href")? else { return None };
    Some(Item { collection: collection.clone(), covers, href: href.clone() })
}

fn inner<'r>(field: &'r Field, name: &str) -> Option<&'r Field> {
    let Field::Group(group) = field else { return None };
    group.get_column_iter().find(|(n, _)| *n == name).map(|(_, field)| field)
}

fn number(field: &Field) -> Option<f64> {
    match field {
        Field::Float(n) => Some(f64::from(*n)),
        Field::Double(n) => Some(*n),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_a_name_and_no_path() {
        for wrong in ["", ".", "..", "../2026", "2026/1", "a b", ".hidden", "https://a"] {
            assert_eq!(Release::parse(wrong), None, "{wrong}");
        }
        let release = Release::parse("2026-11-18.0").unwrap();
        assert_eq!((release.day(), Release::parse("beta-2026").unwrap().day()), (Some("2026-11-18"), None));
        assert!(release > Release::parse("2026-10-21.1").unwrap());
    }

    #[test]
    fn of_a_file_only_the_path_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let source = Source::open("overture", folder.path()).unwrap();
        let release = Release::parse("2026-11-18.0").unwrap();
        let at = |href: &str| source.url_of(href, &release, &source.layers[0]);
        let path = "release/2026-11-18.0/theme=addresses/type=address/part-0.zstd.parquet";
        let ours = format!("{}{path}", source.data);
        for href in [
            ours.clone(),
            format!("http://169.254.169.254/{path}"),
            format!("s3://elsewhere/{}", path.replace('=', "%3D")),
        ] {
            assert_eq!(at(&href).unwrap().as_str(), ours, "{href}");
        }
        for href in [
            "http://169.254.169.254/latest/meta-data".to_owned(),
            path.replace("2026-11-18.0", "2026-10-21.0"),
            path.replace("part-0", "../part-0"),
            path.replace("part-0", "part?0"),
            path.replace("addresses", "buildings"),
        ] {
            assert!(matches!(at(&href), Err(SourceError::OtherPlace { .. })), "{href}");
        }
    }

    #[test]
    fn a_listing_of_a_bucket_has_its_keys_folders_and_next_page() {
        let text = r#"<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>b</Name>
            <Prefix>release/</Prefix><NextContinuationToken>abc=</NextContinuationToken>
            <Contents><Key>release/a.parquet</Key><Size>5</Size></Contents>
            <CommonPrefixes><Prefix>release/2026-11-18.0/</Prefix></CommonPrefixes></ListBucketResult>"#;
        let page = ListingPage::read(text.as_bytes()).unwrap();
        assert_eq!(
            (page.keys, page.folders),
            (vec!["release/a.parquet".to_owned()], vec!["release/2026-11-18.0/".to_owned()])
        );
        assert_eq!(page.next.as_deref(), Some("abc="));
        assert!(ListingPage::read(b"<a><b></a>").is_err());
    }
}
