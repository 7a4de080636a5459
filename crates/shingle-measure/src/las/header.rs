//! The public header and the records that say where the points are. Nothing is allocated by a number that only the
//! file states.

use std::io::{Read, Seek, SeekFrom};

use laz::LazVlr;

use super::bytes::{f64_at, u16_at, u32_at, u64_at};
use super::copc::Info;
use crate::error::MeasureError;

/// Of the header of version 1.4.
const LONGEST: usize = 375;
const SHORTEST: usize = 227;
const VLR_HEADER: u64 = 54;
const EVLR_HEADER: u64 = 60;
/// A record that says where points are is at most this long.
const MAX_RECORD: u64 = 1 << 20;
/// Files with more records than this are damaged; the rest of them is not looked at.
const MAX_RECORDS: u64 = 10_000;

/// Bytes of a point of each format.
const SIZES: [u16; 11] = [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67];

/// The texts and keys that name the coordinate system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CrsRecords {
    pub wkt: Option<String>,
    pub keys: Vec<u8>,
    pub doubles: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct Header {
    pub format: u8,
    pub is_compressed: bool,
    /// Bytes of a point.
    pub record: u16,
    pub points: u64,
    pub points_at: u64,
    pub scale: [f64; 3],
    pub offset: [f64; 3],
    /// As the header says, in the units of the file; `None` where it says nothing usable.
    pub bounds: Option<[[f64; 3]; 2]>,
    pub crs: CrsRecords,
    /// GPS times are seconds since 1980 less a billion, rather than seconds of an unnamed week.
    pub has_standard_time: bool,
    /// Year the file was written, where one is stated.
    pub written: Option<u16>,
    pub(super) laz: Option<LazVlr>,
    /// Of a COPC file.
    pub(super) copc: Option<Info>,
    pub(super) file_length: u64,
}

impl Header {
    pub fn read<R: Read + Seek>(source: &mut R) -> Result<Self, MeasureError> {
        let file_length = source.seek(SeekFrom::End(0))?;
        source.seek(SeekFrom::Start(0))?;
        let mut bytes = Vec::with_capacity(LONGEST);
        source.by_ref().take(LONGEST as u64).read_to_end(&mut bytes)?;
        if !bytes.starts_with(b"LASF") {
            return Err(MeasureError::NotLas);
        }
        if bytes.len() < SHORTEST {
            return Err(MeasureError::ShortHeader);
        }
        let (major, minor) = (bytes[24], bytes[25]);
        if major != 1 || minor > 4 {
            return Err(MeasureError::Version { major, minor });
        }
        let format = bytes[104] & 0x3f;
        let is_compressed = bytes[104] & 0xc0 != 0;
        let Some(&size) = SIZES.get(usize::from(format)) else {
            return Err(MeasureError::PointFormat(format));
        };
        if matches!(format, 4 | 5 | 9 | 10) {
            return Err(MeasureError::Waveform(format));
        }
        let record = u16_at(&bytes, 105);
        if record < size {
            return Err(MeasureError::Header("its points are shorter than their format needs"));
        }
        let points_at = u64::from(u32_at(&bytes, 96));
        if points_at < SHORTEST as u64 || points_at > file_length {
            return Err(MeasureError::Header("its points begin outside of the file"));
        }
        let triple = |at: usize| [f64_at(&bytes, at), f64_at(&bytes, at + 8), f64_at(&bytes, at + 16)];
        let (scale, offset) = (triple(131), triple(155));
        if scale.iter().any(|s| !s.is_normal() || s.abs() > 1e4) || offset.iter().any(|o| !o.is_finite()) {
            return Err(MeasureError::Header("its scale or offset is no number"));
        }
        let has_long_counts = minor == 4 && bytes.len() >= LONGEST;
        let long_count = if has_long_counts { u64_at(&bytes, 247) } else { 0 };
        let points = if long_count > 0 { long_count } else { u64::from(u32_at(&bytes, 107)) };
        let header_length = u64::from(u16_at(&bytes, 94));
        let mut header = Self {
            format,
            is_compressed,
            record,
            points,
            points_at,
            scale,
            offset,
            bounds: bounds(&bytes),
            crs: CrsRecords::default(),
            // Bytes without a meaning before 1.2.
            has_standard_time: minor >= 2 && bytes[6] & 1 != 0,
            written: Some(u16_at(&bytes, 92)).filter(|year| (1990..=2100).contains(year)),
            laz: None,
            copc: None,
            file_length,
        };
        let count = u64::from(u32_at(&bytes, 100));
        header.read_records(source, header_length.max(SHORTEST as u64), count, points_at, VLR_HEADER)?;
        if has_long_counts {
            let (at, count) = (u64_at(&bytes, 235), u64::from(u32_at(&bytes, 243)));
            if count > 0 && at >= points_at {
                header.read_records(source, at, count, file_length, EVLR_HEADER)?;
            }
        }
        if is_compressed && header.laz.is_none() {
            return Err(MeasureError::Compression("the record that describes the compression is missing".to_owned()));
        }
        Ok(header)
    }

    /// Records from `at` to `end`, as many as there are. A record that does not fit ends them: what follows cannot be
    /// found.
    fn read_records<R: Read + Seek>(
        &mut self,
        source: &mut R,
        mut at: u64,
        count: u64,
        end: u64,
        header: u64,
    ) -> Result<(), MeasureError> {
        let mut head = [0_u8; EVLR_HEADER as usize];
        for _ in 0..count.min(MAX_RECORDS) {
            if at.checked_add(header).is_none_or(|body| body > end) {
                break;
            }
            source.seek(SeekFrom::Start(at))?;
            let head = &mut head[..usize::try_from(header).unwrap_or_default()];
            if source.read_exact(head).is_err() {
                break;
            }
            let length = if header == VLR_HEADER { u64::from(u16_at(head, 20)) } else { u64_at(head, 20) };
            at += header;
            let Some(next) = at.checked_add(length).filter(|next| *next <= end) else { break };
            let user = head[2..18].split(|b| *b == 0).next().unwrap_or_default();
            let id = u16_at(head, 18);
            if is_wanted(user, id) && length <= MAX_RECORD {
                let mut body = Vec::new();
                source.by_ref().take(length).read_to_end(&mut body)?;
                self.take(user, id, body)?;
            }
            at = next;
        }
        Ok(())
    }

    fn take(&mut self, user: &[u8], id: u16, body: Vec<u8>) -> Result<(), MeasureError> {
        match (user, id) {
            (b"laszip encoded", _) => {
                let laz = LazVlr::from_buffer(&body).map_err(|e| MeasureError::Compression(e.to_string()))?;
                let size: u64 = laz.items().iter().map(|item| u64::from(item.size())).sum();
                if laz.items().is_empty() || size != u64::from(self.record) {
                    return Err(MeasureError::Header("its compressed points have another length than it says"));
                }
                self.laz = Some(laz);
            }
            (b"copc", _) => self.copc = Info::parse(&body),
            (_, 34735) => self.crs.keys = body,
            (_, 34736) => self.crs.doubles = body,
            _ => {
                let text = String::from_utf8_lossy(&body);
                let text = text.trim_matches(|c: char| c == '\0' || c.is_whitespace());
                // The first that says something; a file may have an empty one beside it.
                if text.contains('[') && self.crs.wkt.is_none() {
                    self.crs.wkt = Some(text.to_owned());
                }
            }
        }
        Ok(())
    }
}

fn is_wanted(user: &[u8], id: u16) -> bool {
    match user {
        b"laszip encoded" => id == LazVlr::RECORD_ID,
        b"copc" => id == 1,
        b"LASF_Projection" => matches!(id, 2111 | 2112 | 4224 | 34735 | 34736),
        b"liblas" | b"PDAL" => matches!(id, 2112 | 4224),
        _ => false,
    }
}

/// Minimum and maximum. The header has them as maximum and minimum, axis by axis.
fn bounds(bytes: &[u8]) -> Option<[[f64; 3]; 2]> {
    let at = |index: usize| f64_at(bytes, 179 + 8 * index);
    let (max, min) = ([at(0), at(2), at(4)], [at(1), at(3), at(5)]);
    let is_usable = (0..3).all(|axis| min[axis].is_finite() && max[axis].is_finite() && min[axis] <= max[axis]);
    is_usable.then_some([min, max])
}
