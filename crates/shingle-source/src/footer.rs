//! The end of a file: which columns it has, and where its rows lie, group by group.

use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::statistics::Statistics;
use parquet::schema::types::Type;
use url::Url;

use crate::area::BoundingBox;
use crate::client::{Client, FileState};
use crate::description::Layer;
use crate::error::{LargePart, SourceError};

/// Of files with few row groups the end is shorter than this. More would be read in vain for a small area.
const FIRST_READ: u64 = 32 << 10;
const MOST_BYTES: usize = 64 << 20;

/// The columns that say where a row lies.
pub const BOX: &str = "bbox";

/// A file whose end was read.
#[derive(Debug, Clone)]
pub struct OpenFile {
    pub url: Url,
    pub state: FileState,
    pub meta: Arc<ParquetMetaData>,
    /// What is kept of each row.
    pub schema: Arc<Type>,
    /// The leaves of those columns, in order.
    pub kept: Vec<usize>,
    /// Columns behind them that only some releases have and this one has not: kept without a value, for the mapping.
    pub lacking: usize,
    /// The leaves `xmin`, `ymin`, `xmax`, `ymax`, in whatever order the file has them.
    pub corners: [usize; 4],
    /// The metadata that says what the coordinates are.
    pub geo: Option<String>,
}

impl OpenFile {
    pub async fn open(client: &Client, url: &Url, layer: &Layer) -> Result<Self, SourceError> {
        let mut wanted = FIRST_READ;
        // The first read says how long the end is, the second has it.
        for _ in 0..3 {
            let end = client.last(url, wanted).await?;
            let state = FileState { size: end.size, tag: end.tag.clone() };
            match parsed(url, end.bytes, end.size).await? {
                Parsed::Whole(meta) => return Self::of(url, state, meta, layer),
                Parsed::Longer(needed) if needed > MOST_BYTES => {
                    return Err(SourceError::TooLarge { url: url.to_string(), what: LargePart::End });
                }
                Parsed::Longer(needed) => wanted = needed as u64,
            }
        }
        Err(SourceError::Changed { url: url.to_string() })
    }

    fn of(url: &Url, state: FileState, meta: Arc<ParquetMetaData>, layer: &Layer) -> Result<Self, SourceError> {
        let file = meta.file_metadata();
        let fields = file.schema().get_fields();
        if let Some(column) = layer.columns.iter().find(|name| !fields.iter().any(|f| f.name() == *name)) {
            return Err(SourceError::NoColumn { url: url.to_string(), column: column.clone() });
        }
        let is_kept =
            |name: &str| name != BOX && layer.columns.iter().chain(&layer.optional).any(|wanted| wanted == name);
        let leaves = file.schema_descr().columns();
        let first = |at: usize| leaves[at].path().parts().first().map_or("", String::as_str);
        let kept: Vec<usize> = (0..leaves.len()).filter(|at| is_kept(first(*at))).collect();
        let corner = |name: &str| {
            let parts = [BOX, name];
            leaves.iter().position(|leaf| leaf.path().parts().iter().map(String::as_str).eq(parts))
        };
        let corners = (|| Some([corner("xmin")?, corner("ymin")?, corner("xmax")?, corner("ymax")?]))();
        let corners = corners.ok_or_else(|| SourceError::NoBoxes { url: url.to_string() })?;
        let wrong = |e: ParquetError| SourceError::damaged(url.as_str(), e.to_string());
        let lacking: Vec<&String> =
            layer.optional.iter().filter(|name| !fields.iter().any(|f| f.name() == *name)).collect();
        let mut fields: Vec<Arc<Type>> = fields.iter().filter(|f| is_kept(f.name())).cloned().collect();
        for name in &lacking {
            let text = Type::primitive_type_builder(name, PhysicalType::BYTE_ARRAY)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(Some(LogicalType::String));
            fields.push(Arc::new(text.build().map_err(wrong)?));
        }
        let schema = Type::group_type_builder(file.schema().name()).with_fields(fields).build();
        let schema = schema.map_err(wrong)?;
        let geo = file.key_value_metadata().into_iter().flatten().find(|kv| kv.key == "geo");
        let geo = geo.and_then(|kv| without_boxes(kv.value.as_deref()?));
        let open = Self {
            url: url.clone(),
            state,
            schema: Arc::new(schema),
            kept,
            lacking: lacking.len(),
            corners,
            geo,
            meta: meta.clone(),
        };
        for group in meta.row_groups() {
            for leaf in open.corners.iter().chain(&open.kept) {
                open.chunk(group, *leaf)?;
            }
        }
        Ok(open)
    }

    /// Where the values of a leaf are.
    pub fn chunk(&self, group: &RowGroupMetaData, leaf: usize) -> Result<Range<u64>, SourceError> {
        let range = group.columns().get(leaf).and_then(range_of).filter(|range| range.end <= self.state.size);
        range.ok_or_else(|| SourceError::damaged(self.url.as_str(), "its end names bytes that it does not have"))
    }

    /// Where the rows of a group lie. `None`: the file does not say, so they may lie anywhere.
    pub fn covers(&self, group: &RowGroupMetaData) -> Option<BoundingBox> {
        let [west, south, east, north] = self.corners.map(|leaf| group.columns().get(leaf)?.statistics());
        let covers =
            BoundingBox { west: least(west?)?, south: least(south?)?, east: most(east?)?, north: most(north?)? };
        // No width of the antimeridian: a group has rows on one side of it, mostly.
        let is_one = covers.south <= covers.north && covers.west.is_finite() && covers.east.is_finite();
        is_one.then_some(covers)
    }

    /// What has to be read of a group, at most.
    pub fn bytes_of(&self, group: &RowGroupMetaData) -> u64 {
        let leaves = self.corners.iter().chain(&self.kept);
        leaves.filter_map(|leaf| self.chunk(group, *leaf).ok()).map(|range| range.end - range.start).sum()
    }
}

fn range_of(chunk: &ColumnChunkMetaData) -> Option<Range<u64>> {
    let start = chunk.dictionary_page_offset().unwrap_or_else(|| chunk.data_page_offset());
    let start = u64::try_from(start).ok()?;
    let end = start.checked_add(u64::try_from(chunk.compressed_size()).ok()?)?;
    Some(start..end)
}

fn least(statistics: &Statistics) -> Option<f64> {
    match statistics {
        Statistics::Float(s) => s.min_opt().copied().map(f64::from),
        Statistics::Double(s) => s.min_opt().copied(),
        _ => None,
    }
}

fn most(statistics: &Statistics) -> Option<f64> {
    match statistics {
        Statistics::Float(s) => s.max_opt().copied().map(f64::from),
        Statistics::Double(s) => s.max_opt().copied(),
        _ => None,
    }
}

/// Without what names the columns of boxes, which are not kept.
fn without_boxes(geo: &str) -> Option<String> {
    let mut geo: serde_json::Value = serde_json::from_str(geo).ok()?;
    for column in geo.get_mut("columns")?.as_object_mut()?.values_mut() {
        let column = column.as_object_mut()?;
        column.remove("covering");
        column.remove("bbox");
    }
    Some(geo.to_string())
}

enum Parsed {
    Whole(Arc<ParquetMetaData>),
    Longer(usize),
}

async fn parsed(url: &Url, end: Bytes, size: u64) -> Result<Parsed, SourceError> {
    // On a thread of its own: the reader may panic over a damaged file, which is the file's fault.
    let parsing = tokio::task::spawn_blocking(move || {
        let mut reader = ParquetMetaDataReader::new();
        match reader.try_parse_sized(&end, size) {
            Ok(()) => reader.finish().map(|meta| Parsed::Whole(Arc::new(meta))),
            Err(ParquetError::NeedMoreData(needed)) => Ok(Parsed::Longer(needed)),
            Err(e) => Err(e),
        }
    });
    match parsing.await {
        Ok(Ok(parsed)) => Ok(parsed),
        Ok(Err(e)) => Err(SourceError::damaged(url.as_str(), e.to_string())),
        Err(_) => Err(SourceError::damaged(url.as_str(), "its end")),
    }
}
