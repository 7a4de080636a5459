//! Column chunks as they come from a server: which rows lie in the area, and those rows written into a file of ours.
//!
//! # Decision
//!
//! Parquet's own column readers and writers, without Arrow: values go from one to the other as they are, lists and
//! groups too, and nothing here knows what a column means. Turned down: the Arrow reader, twelve more crates for a row
//! filter; whole row groups copied byte for byte, which keeps many times the rows of the area.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use bytes::{Buf, Bytes};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::column::writer::ColumnWriterImpl;
use parquet::data_type::{DataType, DoubleType, FloatType};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::file::writer::SerializedColumnWriter;

use crate::area::{Area, BoundingBox};
use crate::pages::{PageProblem, check_pages};

/// Rows that are held between reading and writing.
const BATCH: usize = 4_096;

#[derive(Debug)]
pub enum CopyFault {
    Page(PageProblem),
    Read(ParquetError),
    Write(ParquetError),
}

/// Bytes of a file from one place on.
struct Piece {
    start: u64,
    bytes: Bytes,
}

impl Length for Piece {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

impl Piece {
    fn rest_from(&self, start: u64) -> ParquetResult<Bytes> {
        let at = start.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        match at.filter(|at| *at <= self.bytes.len()) {
            Some(at) => Ok(self.bytes.slice(at..)),
            None => Err(ParquetError::EOF(format!("byte {start} is not in this chunk"))),
        }
    }
}

impl ChunkReader for Piece {
    type T = Box<dyn Read + Send>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(Box::new(self.rest_from(start)?.reader()))
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let bytes = self.rest_from(start)?;
        match length <= bytes.len() {
            true => Ok(bytes.slice(..length)),
            false => Err(ParquetError::EOF(format!("{length} bytes from {start} on are not in this chunk"))),
        }
    }
}

/// The reader of a leaf whose chunk, which begins at `start`, has these bytes.
fn reader(group: &RowGroupMetaData, leaf: usize, start: u64, bytes: Bytes) -> Result<ColumnReader, CopyFault> {
    let chunk = group.column(leaf);
    check_pages(&bytes, chunk.compression()).map_err(CopyFault::Page)?;
    let rows = usize::try_from(group.num_rows()).unwrap_or_default();
    let pages = SerializedPageReader::new(Arc::new(Piece { start, bytes }), chunk, rows, None);
    Ok(get_column_reader(chunk.column_descr_ptr(), Box::new(pages.map_err(CopyFault::Read)?)))
}

/// The rows of a group whose middle lies in the area, as ranges. `corners` are the leaves with their bytes.
pub fn rows_within(
    group: &RowGroupMetaData,
    corners: [(usize, u64, Bytes); 4],
    area: &Area,
) -> Result<Vec<Range<usize>>, CopyFault> {
    let rows = usize::try_from(group.num_rows()).unwrap_or_default();
    let mut degrees = Vec::with_capacity(4);
    for (leaf, start, bytes) in corners {
        degrees.push(numbers(reader(group, leaf, start, bytes)?, rows)?);
    }
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let [west, south, east, north] = degrees.as_slice() else { return Ok(Vec::new()) };
    let boxes = west.iter().zip(south).zip(east.iter().zip(north));
    for (row, ((&west, &south), (&east, &north))) in boxes.enumerate() {
        let covers = BoundingBox { west, south, east, north };
        // A row without a box compares with nothing.
        if !(west.is_finite() && east.is_finite() && south <= north && area.holds(covers.middle())) {
            continue;
        }
        match ranges.last_mut() {
            Some(last) if last.end == row => last.end += 1,
            _ => ranges.push(row..row + 1),
        }
    }
    Ok(ranges)
}

/// The values of a column of numbers, not a number where there is none.
fn numbers(reader: ColumnReader, rows: usize) -> Result<Vec<f64>, CopyFault> {
    match reader {
        ColumnReader::FloatColumnReader(column) => all::<FloatType>(column, rows, f64::from),
        ColumnReader::DoubleColumnReader(column) => all::<DoubleType>(column, rows, |v| v),
        _ => Err(CopyFault::Read(ParquetError::General("a corner of a box is no number".into()))),
    }
}

fn all<T: DataType>(
    mut column: ColumnReaderImpl<T>,
    rows: usize,
    number: impl Fn(T::T) -> f64,
) -> Result<Vec<f64>, CopyFault> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (records, found, _) =
        column.read_records(rows, Some(&mut levels), None, &mut values).map_err(CopyFault::Read)?;
    if records != rows {
        return Err(CopyFault::Read(ParquetError::EOF(format!("{records} of {rows} rows"))));
    }
    // Without levels every row has its value.
    if levels.is_empty() && found == rows {
        return Ok(values.into_iter().map(number).collect());
    }
    let most = levels.iter().copied().max().unwrap_or_default();
    // Every row without a value leaves all levels at less than the most.
    if found == 0 {
        return Ok(vec![f64::NAN; rows]);
    }
    let mut values = values.into_iter();
    Ok(levels.into_iter().map(|l| if l == most { values.next().map_or(f64::NAN, &number) } else { f64::NAN }).collect())
}

/// Writes those rows of a leaf, and gives how many.
pub fn copy_rows(
    group: &RowGroupMetaData,
    leaf: usize,
    start: u64,
    bytes: Bytes,
    rows: &[Range<usize>],
    into: &mut SerializedColumnWriter<'_>,
) -> Result<(), CopyFault> {
    match reader(group, leaf, start, bytes)? {
        ColumnReader::BoolColumnReader(from) => copy(from, into.typed(), rows),
        ColumnReader::Int32ColumnReader(from) => copy(from, into.typed(), rows),
        ColumnReader::Int64ColumnReader(from) => copy(from, into.typed(), rows),
        ColumnReader::Int96ColumnReader(from) => copy(from, into.typed(), rows),
        ColumnReader::FloatColumnReader(from) => copy(from, into.typed(), rows),
        ColumnReader::DoubleColumnReader(from) => copy(from, into.typed(), rows),
        ColumnReader::ByteArrayColumnReader(from) => copy(from, into.typed(), rows),
        ColumnReader::FixedLenByteArrayColumnReader(from) => copy(from, into.typed(), rows),
    }
}

fn copy<T: DataType>(
    mut from: ColumnReaderImpl<T>,
    into: &mut ColumnWriterImpl<'_, T>,
    rows: &[Range<usize>],
) -> Result<(), CopyFault> {
    let (mut values, mut defined, mut repeated) = (Vec::new(), Vec::new(), Vec::new());
    let descr = into.get_descriptor();
    let (has_levels, has_lists) = (descr.max_def_level() > 0, descr.max_rep_level() > 0);
    let short = || CopyFault::Read(ParquetError::EOF("the column has fewer rows than its file".into()));
    let (mut at, mut held) = (0, 0);
    for range in rows {
        let skip = range.start - at;
        if from.skip_records(skip).map_err(CopyFault::Read)? != skip {
            return Err(short());
        }
        let mut left = range.len();
        while left > 0 {
            let wanted = left.min(BATCH - held);
            let read = from.read_records(wanted, Some(&mut defined), Some(&mut repeated), &mut values);
            let (records, _, _) = read.map_err(CopyFault::Read)?;
            if records == 0 {
                return Err(short());
            }
            (left, held) = (left - records, held + records);
            if held == BATCH {
                write(into, &mut values, (has_levels, &mut defined), (has_lists, &mut repeated))?;
                held = 0;
            }
        }
        at = range.end;
    }
    if held > 0 {
        write(into, &mut values, (has_levels, &mut defined), (has_lists, &mut repeated))?;
    }
    Ok(())
}

type Levels<'l> = (bool, &'l mut Vec<i16>);

fn write<T: DataType>(
    into: &mut ColumnWriterImpl<'_, T>,
    values: &mut Vec<T::T>,
    defined: Levels<'_>,
    repeated: Levels<'_>,
) -> Result<(), CopyFault> {
    let levels = |levels: &(bool, &mut Vec<i16>)| levels.0.then(|| levels.1.as_slice().to_vec());
    let (def, rep) = (levels(&defined), levels(&repeated));
    into.write_batch(values, def.as_deref(), rep.as_deref()).map_err(CopyFault::Write)?;
    values.clear();
    defined.1.clear();
    repeated.1.clear();
    Ok(())
}
