//! Writes LAS and LAZ files for tests.

use std::io::{Cursor, Seek, SeekFrom, Write};

use laz::{LasZipCompressor, LazItemRecordBuilder, LazVlr, LazVlrBuilder};

/// What a test file is like.
#[derive(Debug, Clone)]
pub struct Kind {
    pub minor: u8,
    pub format: u8,
    pub scale: f64,
    pub offset: [f64; 3],
    pub wkt: Option<String>,
    pub keys: Vec<[u16; 4]>,
    /// Points of a chunk, 0 for chunks of different sizes; `None` does not compress.
    pub chunk: Option<u32>,
    /// Bytes of each point beyond those of its format.
    pub extra: u16,
}

impl Kind {
    pub fn plain() -> Self {
        Self { minor: 2, format: 0, scale: 0.001, offset: [0.0; 3], wkt: None, keys: Vec::new(), chunk: None, extra: 0 }
    }
}

/// Place and class.
pub type TestPoint = ([f64; 3], u8);

const SIZES: [u16; 9] = [20, 28, 26, 34, 57, 63, 30, 36, 38];

pub fn file(kind: &Kind, points: &[TestPoint]) -> Vec<u8> {
    // Chunks of different sizes.
    let chunks: Vec<Vec<TestPoint>> = match kind.chunk {
        Some(0) => points.chunks(37).map(<[TestPoint]>::to_vec).collect(),
        _ => vec![points.to_vec()],
    };
    file_of_chunks(kind, &chunks, &[])
}

/// With records of its own before the others.
pub fn file_of_chunks(kind: &Kind, chunks: &[Vec<TestPoint>], first: &[Vec<u8>]) -> Vec<u8> {
    let points = chunks.concat();
    let size = SIZES[usize::from(kind.format)] + kind.extra;
    let mut records = first.to_vec();
    if let Some(wkt) = &kind.wkt {
        records.push(record(b"LASF_Projection", 2112, wkt.as_bytes()));
    }
    if !kind.keys.is_empty() {
        let head = [1, 1, 0, u16::try_from(kind.keys.len()).unwrap()];
        let body: Vec<u8> = std::iter::once(&head).chain(&kind.keys).flatten().flat_map(|n| n.to_le_bytes()).collect();
        records.push(record(b"LASF_Projection", 34735, &body));
    }
    let laz = kind.chunk.map(|chunk| {
        let items = LazItemRecordBuilder::default_for_point_format_id(kind.format, kind.extra).unwrap();
        let builder = LazVlrBuilder::new(items);
        if chunk == 0 { builder.with_variable_chunk_size() } else { builder.with_fixed_chunk_size(chunk) }.build()
    });
    if let Some(laz) = &laz {
        let mut body = Vec::new();
        laz.write_to(&mut body).unwrap();
        records.push(record(LazVlr::USER_ID.as_bytes(), LazVlr::RECORD_ID, &body));
    }
    let header_length: u16 = if kind.minor == 4 { 375 } else { 227 };
    let points_at = u32::from(header_length) + records.iter().map(|r| u32::try_from(r.len()).unwrap()).sum::<u32>();
    let mut out = Cursor::new(vec![0_u8; usize::from(header_length)]);
    {
        let head = out.get_mut();
        let mut put = |at: usize, bytes: &[u8]| head[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, b"LASF");
        put(24, &[1, kind.minor]);
        put(94, &header_length.to_le_bytes());
        put(96, &points_at.to_le_bytes());
        put(100, &u32::try_from(records.len()).unwrap().to_le_bytes());
        put(104, &[kind.format | if laz.is_some() { 128 } else { 0 }]);
        put(105, &size.to_le_bytes());
        let count = u32::try_from(points.len()).unwrap();
        if kind.minor == 4 {
            put(247, &u64::from(count).to_le_bytes());
        } else {
            put(107, &count.to_le_bytes());
        }
        for axis in 0..3 {
            put(131 + 8 * axis, &kind.scale.to_le_bytes());
            put(155 + 8 * axis, &kind.offset[axis].to_le_bytes());
            let of = |f: fn(f64, f64) -> f64, start: f64| points.iter().map(|(p, _)| p[axis]).fold(start, f);
            put(179 + 16 * axis, &of(f64::max, f64::NEG_INFINITY).to_le_bytes());
            put(187 + 16 * axis, &of(f64::min, f64::INFINITY).to_le_bytes());
        }
    }
    out.seek(SeekFrom::End(0)).unwrap();
    for record in &records {
        out.write_all(record).unwrap();
    }
    let bytes = |(place, class): &TestPoint| {
        let mut bytes = vec![0_u8; usize::from(size)];
        for axis in 0..3 {
            #[allow(clippy::cast_possible_truncation, reason = "tests stay in range")]
            let number = ((place[axis] - kind.offset[axis]) / kind.scale).round() as i32;
            bytes[4 * axis..4 * axis + 4].copy_from_slice(&number.to_le_bytes());
        }
        let wide = kind.format >= 6;
        bytes[14] = if wide { 0x11 } else { 0x09 };
        bytes[if wide { 16 } else { 15 }] = *class;
        bytes
    };
    match laz {
        None => {
            for point in &points {
                out.write_all(&bytes(point)).unwrap();
            }
        }
        Some(laz) => {
            let is_variable = laz.uses_variable_size_chunks();
            let mut compressor = LasZipCompressor::new(&mut out, laz).unwrap();
            for (index, chunk) in chunks.iter().enumerate() {
                for point in chunk {
                    compressor.compress_one(&bytes(point)).unwrap();
                }
                if is_variable && index + 1 < chunks.len() {
                    compressor.finish_current_chunk().unwrap();
                }
            }
            compressor.done().unwrap();
        }
    }
    out.into_inner()
}

pub fn record(user: &[u8], id: u16, body: &[u8]) -> Vec<u8> {
    let mut out = vec![0_u8; 54];
    out[2..2 + user.len()].copy_from_slice(user);
    out[18..20].copy_from_slice(&id.to_le_bytes());
    out[20..22].copy_from_slice(&u16::try_from(body.len()).unwrap().to_le_bytes());
    out.extend_from_slice(body);
    out
}
