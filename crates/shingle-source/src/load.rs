//! The rows of an area into files of a folder, one for each file of the release that has any.
//!
//! A file is written beside its place and moved there when it is whole, with a note of what it was made from. So a load
//! that was stopped or killed goes on where it was: files that are whole and whose source has not changed stay.

use shingle_domain::cold_sort::ColdSort as _;
use std::fs::{self, File};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::ByteArrayType;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use serde::{Deserialize, Serialize};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::area::Area;
use crate::client::{Client, FileState};
use crate::columns::{CopyFault, copy_rows, rows_within};
use crate::description::Source;
use crate::error::{LargePart, SourceError};
use crate::footer::OpenFile;
use crate::pages::PageProblem;
use crate::plan::{Plan, PlannedFile};
use crate::release::gone;

/// Raised with every change of what is kept of a row.
const FORMAT: u32 = 1;
/// Kilobytes of column chunks that wait to be written. One that is larger waits alone.
const WAITING_KB: usize = 64 << 10;
/// Requests for column chunks at one time, and for boxes.
const CHUNKS_AT_ONCE: usize = 6;
const BOXES_AT_ONCE: usize = 3;
/// Chunks side by side are one request, up to so many bytes.
const MOST_TOGETHER: u64 = 8 << 20;
/// A chunk of a column that is larger is no honest one: it would not fit into memory.
const MOST_BYTES_OF_CHUNK: u64 = 192 << 20;
/// How often a file that changes while it is read is begun again.
const RESTARTS: u32 = 3;

/// How far a load is, read while it goes on.
#[derive(Debug, Default)]
pub struct LoadProgress {
    files: AtomicU64,
    rows: AtomicU64,
    homes: AtomicU64,
}

impl LoadProgress {
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    pub fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Rows of the first layer, which is that of the addresses.
    pub fn homes(&self) -> u64 {
        self.homes.load(Ordering::Relaxed)
    }
}

/// What a file was made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileNote {
    format: u32,
    url: String,
    size: u64,
    tag: Option<String>,
    area: Area,
    columns: Vec<String>,
    rows: u64,
    bytes: u64,
}

/// What an area has of a release.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Loaded {
    /// Of each layer, in their order.
    pub rows: Vec<u64>,
    /// On disk.
    pub bytes: u64,
    /// Files that were there already.
    pub kept: u64,
    /// In the order of the layers.
    pub files: Vec<PathBuf>,
}

/// Loads what is planned into the folder, which holds nothing else.
pub async fn load(
    source: &Source,
    client: &Client,
    plan: &Plan,
    folder: &Path,
    progress: &LoadProgress,
) -> Result<Loaded, SourceError> {
    fs::create_dir_all(folder).map_err(SourceError::write(folder))?;
    let mut loaded = Loaded { rows: vec![0; source.layers.len()], ..Loaded::default() };
    let mut names = Vec::new();
    for planned in &plan.files {
        let layer = &source.layers[planned.layer];
        let number = names.iter().filter(|(of, _)| *of == planned.layer).count();
        let name = format!("{}-{number:05}.parquet", layer.name);
        let path = folder.join(&name);
        names.push((planned.layer, name));
        let area = plan.area.grown(layer.margin_miles);
        let note = match kept(&path, planned, &area) {
            Some(note) => {
                loaded.kept += 1;
                note
            }
            None => load_file(source, client, plan, planned, &area, &path).await.map_err(|e| gone(e, &plan.release))?,
        };
        progress.files.fetch_add(1, Ordering::Relaxed);
        progress.rows.fetch_add(note.rows, Ordering::Relaxed);
        if planned.layer == 0 {
            progress.homes.fetch_add(note.rows, Ordering::Relaxed);
        }
        loaded.rows[planned.layer] += note.rows;
        loaded.bytes += note.bytes;
        if note.rows > 0 {
            loaded.files.push(path);
        }
    }
    tidy(folder, &names)?;
    Ok(loaded)
}

/// Removes what is left of a load of other files.
fn tidy(folder: &Path, names: &[(usize, String)]) -> Result<(), SourceError> {
    for entry in fs::read_dir(folder).map_err(SourceError::write(folder))?.flatten() {
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| {
            names.iter().any(|(_, ours)| ours == name || name.strip_suffix(".json") == Some(ours.as_str()))
        });
        if !is_ours {
            fs::remove_file(entry.path()).map_err(SourceError::write(&entry.path()))?;
        }
    }
    Ok(())
}

fn note_of(path: &Path) -> PathBuf {
    path.with_extension("parquet.json")
}

fn note(planned: &PlannedFile, area: &Area, rows: u64, bytes: u64) -> FileNote {
    let FileState { size, tag } = planned.open.state.clone();
    let columns = planned.open.schema.get_fields().iter().map(|f| f.name().to_owned()).collect();
    FileNote { format: FORMAT, url: planned.open.url.to_string(), size, tag, area: area.clone(), columns, rows, bytes }
}

/// What was loaded before, where it is whole and still what the source has.
fn kept(path: &Path, planned: &PlannedFile, area: &Area) -> Option<FileNote> {
    let found: FileNote = serde_json::from_slice(&fs::read(note_of(path)).ok()?).ok()?;
    let is_whole = found.rows == 0 || fs::metadata(path).is_ok_and(|about| about.len() == found.bytes);
    (is_whole && found == note(planned, area, found.rows, found.bytes)).then_some(found)
}

async fn load_file(
    source: &Source,
    client: &Client,
    plan: &Plan,
    planned: &PlannedFile,
    area: &Area,
    path: &Path,
) -> Result<FileNote, SourceError> {
    let mut now = planned.clone();
    for _ in 0..RESTARTS {
        let written = path.with_extension("part");
        match write_file(client, &now, area, &written).await {
            Ok(Some(rows)) => return placed(&now, area, rows, &written, path),
            // Another file has the name now: from its beginning.
            Ok(None) => now = now.again(source, client, &plan.area).await?,
            Err(e) => {
                // What cannot be removed is overwritten by the next load.
                let _: std::io::Result<()> = fs::remove_file(&written);
                return Err(e);
            }
        }
    }
    Err(SourceError::Changed { url: planned.open.url.to_string() })
}

/// Moves a whole file to its place, then says what it is.
fn placed(planned: &PlannedFile, area: &Area, rows: u64, written: &Path, path: &Path) -> Result<FileNote, SourceError> {
    let bytes = match rows {
        0 => {
            fs::remove_file(written).map_err(SourceError::write(written))?;
            0
        }
        _ => {
            let bytes = fs::metadata(written).map_err(SourceError::write(written))?.len();
            fs::rename(written, path).map_err(SourceError::write(path))?;
            bytes
        }
    };
    let note = note(planned, area, rows, bytes);
    let (text, at) = (serde_json::to_vec(&note).unwrap_or_default(), note_of(path));
    let new = at.with_extension("new");
    let write = || {
        let mut file = File::create(&new)?;
        file.write_all(&text)?;
        file.sync_data()?;
        fs::rename(&new, &at)
    };
    write().map_err(SourceError::write(&at))?;
    Ok(note)
}

/// Rows of one group.
struct Selection {
    group: usize,
    rows: Vec<Range<usize>>,
}

/// Column chunks that lie side by side.
struct Request {
    selection: Arc<Selection>,
    /// Each leaf with the bytes of its chunk in the file.
    chunks: Vec<(usize, Range<u64>)>,
}

impl Request {
    fn range(&self) -> Range<u64> {
        let first = self.chunks.first().map_or(0, |(_, range)| range.start);
        first..self.chunks.last().map_or(first, |(_, range)| range.end)
    }
}

struct Fetched {
    selection: Arc<Selection>,
    /// Each leaf with where its chunk begins, and its bytes.
    chunks: Vec<(usize, u64, Bytes)>,
    _waiting: OwnedSemaphorePermit,
}

enum Interrupted {
    /// The file is another one now.
    Changed,
    Failed(SourceError),
}

impl From<SourceError> for Interrupted {
    fn from(error: SourceError) -> Self {
        Self::Failed(error)
    }
}

/// The rows of the area in a file of their own. `None`: the file changed meanwhile.
async fn write_file(
    client: &Client,
    planned: &PlannedFile,
    area: &Area,
    to: &Path,
) -> Result<Option<u64>, SourceError> {
    let (tell, told) = mpsc::channel::<Fetched>(1);
    let writing = {
        let (open, to) = (planned.open.clone(), to.to_owned());
        tokio::task::spawn_blocking(move || write_groups(&open, &to, told))
    };
    let fetched = fetch_groups(client, planned, area, tell).await;
    let written = writing.await;
    match fetched {
        Err(Interrupted::Changed) => return Ok(None),
        Err(Interrupted::Failed(e)) => return Err(e),
        Ok(()) => {}
    }
    match written {
        Ok(Ok(rows)) => Ok(Some(rows)),
        Ok(Err(e)) => Err(e),
        // The reader broke over the file.
        Err(_) => Err(SourceError::damaged(planned.open.url.as_str(), "its columns")),
    }
}

async fn fetch_groups(
    client: &Client,
    planned: &PlannedFile,
    area: &Area,
    tell: mpsc::Sender<Fetched>,
) -> Result<(), Interrupted> {
    let open = &planned.open;
    let waiting = Arc::new(Semaphore::new(WAITING_KB));
    let selected = stream::iter(planned.groups.clone()).map(|group| selection(client, open, group, area));
    let requests = selected.buffered(BOXES_AT_ONCE).map_ok(|selection| {
        let requests = if selection.rows.is_empty() { Ok(Vec::new()) } else { requests(open, selection) };
        stream::iter(requests.map_or_else(|e| vec![Err(e)], |list| list.into_iter().map(Ok).collect()))
    });
    let fetches = requests.try_flatten().map_ok(|request| fetch(client, open, waiting.clone(), request));
    let mut fetched = std::pin::pin!(fetches.try_buffered(CHUNKS_AT_ONCE));
    while let Some(fetched) = fetched.try_next().await? {
        if tell.send(fetched).await.is_err() {
            // The writer has ended, and says why.
            break;
        }
    }
    Ok(())
}

/// The rows of a group that lie in the area: its boxes are read before anything else of it.
async fn selection(
    client: &Client,
    open: &Arc<OpenFile>,
    group: usize,
    area: &Area,
) -> Result<Arc<Selection>, Interrupted> {
    let about = open.meta.row_group(group);
    let mut chunks = Vec::with_capacity(4);
    for leaf in open.corners {
        chunks.push((leaf, open.chunk(about, leaf)?));
    }
    chunks.cold_sort_by_key(|(_, range)| range.start);
    let mut found: Vec<(usize, u64, Bytes)> = Vec::with_capacity(4);
    for together in side_by_side(chunks) {
        let range = together[0].1.start..together[together.len() - 1].1.end;
        let bytes = client.range(&open.url, &open.state, range).await?.ok_or(Interrupted::Changed)?;
        found.extend(cut(&together, &bytes));
    }
    let (open, area) = (open.clone(), area.clone());
    let url = open.url.to_string();
    let selecting = tokio::task::spawn_blocking(move || {
        let of = |leaf: usize| found.iter().find(|(of, _, _)| *of == leaf).cloned();
        let [west, south, east, north] = open.corners.map(of);
        let (Some(west), Some(south), Some(east), Some(north)) = (west, south, east, north) else {
            return Ok(Vec::new());
        };
        rows_within(open.meta.row_group(group), [west, south, east, north], &area)
    });
    match selecting.await {
        Ok(Ok(rows)) => Ok(Arc::new(Selection { group, rows })),
        Ok(Err(fault)) => Err(read_fault(&url, fault).into()),
        Err(_) => Err(SourceError::damaged(&url, "its boxes").into()),
    }
}

/// Chunks whose bytes touch, as long as they are not too many at once.
fn side_by_side(chunks: Vec<(usize, Range<u64>)>) -> Vec<Vec<(usize, Range<u64>)>> {
    let mut together: Vec<Vec<(usize, Range<u64>)>> = Vec::new();
    for (leaf, range) in chunks {
        if let Some(last) = together.last_mut()
            && let Some(first) = last.first().map(|(_, range)| range.start)
            && last.last().is_some_and(|(_, before)| before.end == range.start)
            && range.end - first <= MOST_TOGETHER
        {
            last.push((leaf, range));
        } else {
            together.push(vec![(leaf, range)]);
        }
    }
    together
}

fn cut(chunks: &[(usize, Range<u64>)], bytes: &Bytes) -> Vec<(usize, u64, Bytes)> {
    let first = chunks.first().map_or(0, |(_, range)| range.start);
    let part = |range: &Range<u64>| bytes.slice((range.start - first) as usize..(range.end - first) as usize);
    chunks.iter().map(|(leaf, range)| (*leaf, range.start, part(range))).collect()
}

fn requests(open: &OpenFile, selection: Arc<Selection>) -> Result<Vec<Request>, Interrupted> {
    let about = open.meta.row_group(selection.group);
    let mut chunks = Vec::with_capacity(open.kept.len());
    for leaf in &open.kept {
        let range = open.chunk(about, *leaf)?;
        if range.end - range.start > MOST_BYTES_OF_CHUNK {
            return Err(SourceError::TooLarge { url: open.url.to_string(), what: LargePart::Column }.into());
        }
        chunks.push((*leaf, range));
    }
    let together = side_by_side(chunks).into_iter();
    Ok(together.map(|chunks| Request { selection: selection.clone(), chunks }).collect())
}

async fn fetch(
    client: &Client,
    open: &OpenFile,
    waiting: Arc<Semaphore>,
    request: Request,
) -> Result<Fetched, Interrupted> {
    let range = request.range();
    let kilobytes = ((range.end - range.start).div_ceil(1_024) as usize).clamp(1, WAITING_KB);
    // In the order of the requests, so that the first one never waits for a later one.
    let permit = waiting.acquire_many_owned(kilobytes as u32).await;
    let permit = permit.map_err(|_| SourceError::Stopped)?;
    let bytes = client.range(&open.url, &open.state, range).await?.ok_or(Interrupted::Changed)?;
    Ok(Fetched { selection: request.selection, chunks: cut(&request.chunks, &bytes), _waiting: permit })
}

fn read_fault(url: &str, fault: CopyFault) -> SourceError {
    match fault {
        CopyFault::Page(PageProblem::TooLarge) => SourceError::TooLarge { url: url.to_owned(), what: LargePart::Page },
        CopyFault::Page(PageProblem::Damaged) => SourceError::damaged(url, "a page has no head"),
        CopyFault::Page(PageProblem::Packing) => SourceError::damaged(url, "its packing (LZ4) is out of use"),
        CopyFault::Read(e) | CopyFault::Write(e) => SourceError::damaged(url, e.to_string()),
    }
}

fn write_fault(path: &Path, fault: ParquetError) -> SourceError {
    match fault {
        ParquetError::External(e) => match e.downcast::<std::io::Error>() {
            Ok(e) => SourceError::write(path)(*e),
            Err(e) => SourceError::Write { path: path.display().to_string(), why: e.to_string() },
        },
        e => SourceError::Write { path: path.display().to_string(), why: e.to_string() },
    }
}

/// Writes each group as its chunks come. Gives the rows.
fn write_groups(open: &OpenFile, to: &Path, mut told: mpsc::Receiver<Fetched>) -> Result<u64, SourceError> {
    let wrong = |e: ParquetError| write_fault(to, e);
    let geo = open.geo.iter().map(|geo| KeyValue::new("geo".to_owned(), geo.clone())).collect();
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_key_value_metadata(Some(geo))
        .build();
    let file = File::create(to).map_err(SourceError::write(to))?;
    let mut writer = SerializedFileWriter::new(file, open.schema.clone(), Arc::new(properties)).map_err(wrong)?;
    let mut rows = 0;
    let mut next = told.blocking_recv();
    while let Some(mut fetched) = next {
        let selection = fetched.selection.clone();
        let about = open.meta.row_group(selection.group);
        let mut group = writer.next_row_group().map_err(wrong)?;
        let mut left = open.kept.len();
        loop {
            for (leaf, start, bytes) in std::mem::take(&mut fetched.chunks) {
                let Some(mut column) = group.next_column().map_err(wrong)? else { break };
                copy_rows(about, leaf, start, bytes, &selection.rows, &mut column).map_err(|fault| match fault {
                    CopyFault::Write(e) => write_fault(to, e),
                    fault => read_fault(open.url.as_str(), fault),
                })?;
                column.close().map_err(wrong)?;
                left -= 1;
            }
            if left == 0 {
                break;
            }
            // Without the rest of a group the one who fetches it has failed, and says why.
            match told.blocking_recv() {
                Some(more) => fetched = more,
                None => return Err(SourceError::Stopped),
            }
        }
        let of_group = selection.rows.iter().map(ExactSizeIterator::len).sum::<usize>();
        for _ in 0..open.lacking {
            let Some(mut column) = group.next_column().map_err(wrong)? else { break };
            let nothing = vec![0; of_group];
            column.typed::<ByteArrayType>().write_batch(&[], Some(&nothing), None).map_err(wrong)?;
            column.close().map_err(wrong)?;
        }
        group.close().map_err(wrong)?;
        rows += of_group as u64;
        next = told.blocking_recv();
    }
    let file = writer.into_inner().map_err(wrong)?;
    file.sync_all().map_err(SourceError::write(to))?;
    Ok(rows)
}
