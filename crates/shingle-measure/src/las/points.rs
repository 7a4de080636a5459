//! The points of one file.

use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::bytes::{f64_at, i32_at};
use super::chunks::ChunkReader;
use super::header::Header;
use crate::error::MeasureError;

/// In the units of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub z: f64,
    pub class: u8,
    /// The survey's own mark of points that are not to be used.
    pub is_withheld: bool,
    /// The last return of its pulse: nothing below it was hit.
    pub is_last: bool,
    pub gps_time: f64,
}

/// Whether all points of a file could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    Whole,
    /// The file is cut off or damaged after so many points. Those before are good.
    Early {
        points: u64,
        why: String,
    },
}

pub struct PointFile<R> {
    pub header: Header,
    source: R,
}

impl<R: Read + Seek + Send + Sync> PointFile<R> {
    pub fn open(mut source: R) -> Result<Self, MeasureError> {
        let header = Header::read(&mut source)?;
        Ok(Self { header, source })
    }

    /// Hands every point to `each`, as they are in the file.
    pub fn for_each(self, each: impl FnMut(Point)) -> Result<Ended, MeasureError> {
        self.for_each_in(&|_, _| true, each)
    }

    /// Hands points to `each`: of a COPC file those of the nodes that may have some where `needs` says so of a box, of
    /// others all.
    pub fn for_each_in(
        self,
        needs: &dyn Fn([f64; 2], [f64; 2]) -> bool,
        mut each: impl FnMut(Point),
    ) -> Result<Ended, MeasureError> {
        let Self { header, mut source } = self;
        if header.points == 0 {
            return Ok(Ended::Whole);
        }
        let record = usize::from(header.record);
        let mut bytes = vec![0; record];
        let mut read = 0;
        let ended = match &header.laz {
            None => {
                source.seek(SeekFrom::Start(header.points_at))?;
                loop {
                    if read == header.points {
                        break Ok(());
                    }
                    if let Err(e) = source.read_exact(&mut bytes) {
                        break Err(e);
                    }
                    each(point(&bytes, &header));
                    read += 1;
                }
            }
            Some(laz) => {
                // Where the hierarchy is damaged, the chunks are read one after the other, as those of any file.
                let copc = header.copc.as_ref();
                let nodes =
                    copc.and_then(|copc| copc.nodes(&mut source, header.file_length, header.points, needs).ok());
                // The decoder indexes tables by what it reads: a damaged file can make it panic.
                let result = catch_unwind(AssertUnwindSafe(|| {
                    let (mut chunks, wanted) = match &nodes {
                        Some(nodes) => {
                            let wanted = nodes.iter().map(|node| node.points).sum();
                            (ChunkReader::of(source, laz, nodes, header.file_length), wanted)
                        }
                        None => {
                            let chunks = ChunkReader::open(source, laz, header.points_at, header.file_length)?;
                            (chunks, header.points)
                        }
                    };
                    while read < wanted {
                        if !chunks.next(&mut bytes)? {
                            return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
                        }
                        each(point(&bytes, &header));
                        read += 1;
                    }
                    Ok(())
                }));
                result.unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::InvalidData, "the compression is damaged")))
            }
        };
        match ended {
            Ok(()) => Ok(Ended::Whole),
            Err(e) if read == 0 => Err(MeasureError::Compression(reason(&e))),
            Err(e) => Ok(Ended::Early { points: read, why: reason(&e) }),
        }
    }
}

fn reason(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::UnexpectedEof => "the file ends before its points do".to_owned(),
        _ => e.to_string(),
    }
}

fn point(bytes: &[u8], header: &Header) -> Point {
    let axis = |axis: usize| f64::from(i32_at(bytes, 4 * axis)) * header.scale[axis] + header.offset[axis];
    let has_wide_flags = header.format >= 6;
    let (returns, class, is_withheld, time_at) = match has_wide_flags {
        true => ((bytes[14] & 15, bytes[14] >> 4), bytes[16], bytes[15] & 4 != 0, 22),
        false => ((bytes[14] & 7, bytes[14] >> 3 & 7), bytes[15] & 31, bytes[15] & 128 != 0, 20),
    };
    let has_time = has_wide_flags || matches!(header.format, 1 | 3);
    Point {
        x: axis(0),
        y: axis(1),
        z: axis(2),
        class,
        is_withheld,
        is_last: returns.0 >= returns.1,
        gps_time: if has_time { f64_at(bytes, time_at) } else { f64::NAN },
    }
}
