//! Compressed points, one after the other. What `laz` would believe of a damaged file, sizes of tables and layers, is
//! compared with the length of the file first.

use std::io::{self, Read, Seek, SeekFrom};

use laz::LazItemType;
use laz::LazVlr;
use laz::las::selective::DecompressionSelection;
use laz::laszip::ChunkTable;
use laz::record::{LayeredPointRecordDecompressor, RecordDecompressor, SequentialPointRecordDecompressor};

use super::bytes::{u32_at, u64_at};
use super::copc::Node;
use super::point10::Point10;

/// More layers than any format has, extra bytes apart.
const MAX_LAYERS: usize = 4_096;

/// Where chunks begin, and how many points each has.
enum Chunks {
    Table(Vec<Chunk>),
    /// No table: as many points in each as stated, one chunk after the other.
    Each(u64),
}

#[derive(Clone, Copy)]
struct Chunk {
    at: u64,
    points: u64,
}

enum Decoder<'a, R: Read + Seek> {
    Sequential(SequentialPointRecordDecompressor<'a, R>),
    Layered(LayeredPointRecordDecompressor<'a, R>),
}

impl<R: Read + Seek> Decoder<'_, R> {
    fn source(&mut self) -> &mut R {
        match self {
            Self::Sequential(d) => d.get_mut(),
            Self::Layered(d) => d.get_mut(),
        }
    }

    fn reset(&mut self, laz: &LazVlr) -> io::Result<()> {
        let fields = match self {
            Self::Sequential(d) => {
                d.reset();
                laz.items().iter().try_for_each(|item| match (item.item_type(), item.version()) {
                    (LazItemType::Point10, 2) => {
                        d.add_field_decompressor(Point10::new());
                        Ok(())
                    }
                    _ => d.set_fields_from(&vec![*item]),
                })
            }
            Self::Layered(d) => {
                d.reset();
                let set = d.set_fields_from(laz.items());
                d.set_selection(needed());
                set
            }
        };
        fields.map_err(io::Error::other)
    }

    fn next(&mut self, out: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Sequential(d) => d.decompress_next(out),
            Self::Layered(d) => d.decompress_next(out),
        }
    }
}

/// Colors and the like stay compressed.
fn needed() -> DecompressionSelection {
    DecompressionSelection::xy_returns_channel()
        .decompress_z()
        .decompress_classification()
        .decompress_flags()
        .decompress_gps_time()
}

pub struct ChunkReader<'a, R: Read + Seek> {
    decoder: Decoder<'a, R>,
    laz: LazVlr,
    chunks: Chunks,
    next_chunk: usize,
    left: u64,
    file_length: u64,
}

impl<'a, R: Read + Seek + Send + Sync + 'a> ChunkReader<'a, R> {
    pub fn open(mut source: R, laz: &LazVlr, points_at: u64, file_length: u64) -> io::Result<Self> {
        let chunks = chunks(&mut source, laz, points_at, file_length)?;
        source.seek(SeekFrom::Start(points_at + 8))?;
        Ok(Self { decoder: decoder(source, laz), laz: laz.clone(), chunks, next_chunk: 0, left: 0, file_length })
    }

    /// Only some of the chunks, at places that somebody else knows.
    pub fn of(source: R, laz: &LazVlr, nodes: &[Node], file_length: u64) -> Self {
        let chunks = nodes.iter().map(|node| Chunk { at: node.at, points: node.points }).collect();
        Self {
            decoder: decoder(source, laz),
            laz: laz.clone(),
            chunks: Chunks::Table(chunks),
            next_chunk: 0,
            left: 0,
            file_length,
        }
    }

    /// `false` at the end.
    pub fn next(&mut self, out: &mut [u8]) -> io::Result<bool> {
        while self.left == 0 {
            match &self.chunks {
                Chunks::Table(table) => {
                    let Some(&Chunk { at, points }) = table.get(self.next_chunk) else { return Ok(false) };
                    self.decoder.source().seek(SeekFrom::Start(at))?;
                    self.left = points;
                }
                Chunks::Each(points) => self.left = *points,
            }
            self.next_chunk += 1;
            if self.left > 0 {
                self.begin_chunk()?;
            }
        }
        self.decoder.next(out)?;
        self.left -= 1;
        Ok(true)
    }

    fn begin_chunk(&mut self) -> io::Result<()> {
        self.decoder.reset(&self.laz)?;
        if !matches!(self.decoder, Decoder::Layered(_)) {
            return Ok(());
        }
        let layers: usize = self.laz.items().iter().map(|item| layers(item.item_type())).sum();
        let point = usize::try_from(self.laz.items_size()).unwrap_or(usize::MAX);
        if layers > MAX_LAYERS {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "too many layers"));
        }
        let file_length = self.file_length;
        let source = self.decoder.source();
        let at = source.stream_position()?;
        let mut head = vec![0; point.min(usize::from(u16::MAX)) + 4 + 4 * layers];
        source.read_exact(&mut head)?;
        let sizes = (0..layers).map(|layer| u64::from(u32_at(&head, point + 4 + 4 * layer))).sum::<u64>();
        if at + head.len() as u64 + sizes > file_length {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "a chunk is longer than the file"));
        }
        source.seek(SeekFrom::Start(at))?;
        let in_chunk = u64::from(u32_at(&head, point));
        if matches!(self.chunks, Chunks::Each(_)) && in_chunk > 0 {
            self.left = in_chunk;
        }
        self.left = self.left.min(in_chunk.max(1));
        Ok(())
    }
}

fn decoder<'a, R: Read + Seek + Send + Sync + 'a>(source: R, laz: &LazVlr) -> Decoder<'a, R> {
    match laz.items().first().is_some_and(|item| item.version() >= 3) {
        true => Decoder::Layered(LayeredPointRecordDecompressor::new(source)),
        false => Decoder::Sequential(SequentialPointRecordDecompressor::new(source)),
    }
}

fn layers(item: LazItemType) -> usize {
    match item {
        LazItemType::Point14 => 9,
        LazItemType::RGBNIR14 => 2,
        LazItemType::Byte14(count) => usize::from(count),
        _ => 1,
    }
}

fn chunks<R: Read + Seek>(source: &mut R, laz: &LazVlr, points_at: u64, file_length: u64) -> io::Result<Chunks> {
    let table = match table_at(source, points_at, file_length)? {
        Some(_) => {
            source.seek(SeekFrom::Start(points_at))?;
            ChunkTable::read_from(&mut *source, laz).ok()
        }
        None => None,
    };
    let is_variable = laz.uses_variable_size_chunks();
    let Some(table) = table.filter(|table| !table.as_ref().is_empty()) else {
        let is_layered = laz.items().first().is_some_and(|item| item.version() >= 3);
        if is_variable && !is_layered {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the table of its chunks is missing"));
        }
        return Ok(Chunks::Each(u64::from(laz.chunk_size())));
    };
    let mut at = points_at + 8;
    let mut chunks = Vec::new();
    for entry in table.as_ref() {
        if at >= file_length {
            break;
        }
        chunks.push(Chunk { at, points: entry.point_count });
        let Some(next) = at.checked_add(entry.byte_count) else { break };
        at = next;
    }
    Ok(Chunks::Table(chunks))
}

/// Where the table is, if it is in the file and no longer than it.
fn table_at<R: Read + Seek>(source: &mut R, points_at: u64, file_length: u64) -> io::Result<Option<u64>> {
    let mut bytes = [0; 8];
    let begins = points_at + 8;
    let mut stated = |source: &mut R, at: u64| -> io::Result<u64> {
        source.seek(SeekFrom::Start(at))?;
        source.read_exact(&mut bytes)?;
        Ok(u64_at(&bytes, 0))
    };
    if begins > file_length {
        return Ok(None);
    }
    let is_place = |at: u64| at >= begins && at.checked_add(8).is_some_and(|end| end <= file_length);
    let mut at = stated(source, points_at)?;
    if at.cast_signed() <= points_at.cast_signed() {
        at = stated(source, file_length - 8)?;
    }
    if !is_place(at) {
        return Ok(None);
    }
    // A chunk of a compressed file has more bytes than its entry has bits.
    let count = stated(source, at)? >> 32;
    Ok((count <= file_length / 16 + 16).then_some(at))
}
