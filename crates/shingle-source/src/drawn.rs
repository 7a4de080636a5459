//! Where the buildings of loaded files are.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use parquet::schema::types::Type;

use crate::area::BoundingBox;
use crate::error::SourceError;

/// The column with what is drawn, as WKB.
const COLUMN: &str = "geometry";

/// The boxes of all rows that are more than a point. Rows that cannot be read are the import's to refuse.
pub fn drawn_boxes(files: &[PathBuf]) -> Result<Vec<BoundingBox>, SourceError> {
    let mut boxes = Vec::new();
    for path in files {
        boxes_of(path, &mut boxes)?;
    }
    Ok(boxes)
}

fn boxes_of(path: &Path, boxes: &mut Vec<BoundingBox>) -> Result<(), SourceError> {
    let name = path.display().to_string();
    let damaged = |e: parquet::errors::ParquetError| SourceError::damaged(&name, e.to_string());
    let file = File::open(path).map_err(|e| SourceError::damaged(&name, e))?;
    let reader = SerializedFileReader::new(file).map_err(damaged)?;
    let schema = reader.metadata().file_metadata().schema();
    let column = schema.get_fields().iter().find(|field| field.name() == COLUMN);
    let column = column.ok_or_else(|| SourceError::NoColumn { url: name.clone(), column: COLUMN.to_owned() })?;
    let only =
        Type::group_type_builder(schema.name()).with_fields(vec![Arc::clone(column)]).build().map_err(damaged)?;
    for row in reader.get_row_iter(Some(only)).map_err(damaged)? {
        if let Some((_, Field::Bytes(bytes))) = row.map_err(damaged)?.get_column_iter().next() {
            boxes.extend(box_of(bytes.data()));
        }
    }
    Ok(())
}

fn box_of(wkb: &[u8]) -> Option<BoundingBox> {
    let mut found = BoundingBox { west: f64::MAX, east: f64::MIN, south: f64::MAX, north: f64::MIN };
    Wkb { rest: wkb, little: true }.polygons(&mut found, 0)?;
    (found.east > found.west && found.north > found.south).then_some(found)
}

/// The rest of a geometry.
struct Wkb<'a> {
    rest: &'a [u8],
    little: bool,
}

impl Wkb<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*bytes)
    }

    fn count(&mut self) -> Option<u32> {
        let bytes = self.take()?;
        Some(if self.little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) })
    }

    fn number(&mut self) -> Option<f64> {
        let bytes = self.take()?;
        let value = if self.little { f64::from_le_bytes(bytes) } else { f64::from_be_bytes(bytes) };
        value.is_finite().then_some(value)
    }

    /// Polygons and collections of them; lines and points are not buildings.
    fn polygons(&mut self, found: &mut BoundingBox, depth: u8) -> Option<()> {
        self.little = self.take::<1>()? == [1];
        let kind = self.count()?;
        // Heights and measures are flags, or thousands.
        let base = (kind & 0x0fff_ffff) % 1_000;
        let more = u32::from(kind & 0x8000_0000 != 0)
            + u32::from(kind & 0x4000_0000 != 0)
            + [0, 1, 1, 2].get((kind & 0x0fff_ffff) as usize / 1_000)?;
        match base {
            3 => {
                for _ in 0..self.count()? {
                    for _ in 0..self.count()? {
                        let (x, y) = (self.number()?, self.number()?);
                        for _ in 0..more {
                            self.take::<8>()?;
                        }
                        found.west = found.west.min(x);
                        found.east = found.east.max(x);
                        found.south = found.south.min(y);
                        found.north = found.north.max(y);
                    }
                }
                Some(())
            }
            6 | 7 if depth < 4 => {
                for _ in 0..self.count()? {
                    self.polygons(found, depth + 1)?;
                }
                Some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(corners: &[[f64; 2]], little: bool) -> Vec<u8> {
        let count = |n: u32| if little { n.to_le_bytes() } else { n.to_be_bytes() };
        let mut bytes = vec![u8::from(little)];
        [3, 1, u32::try_from(corners.len()).unwrap()].into_iter().for_each(|n| bytes.extend(count(n)));
        for v in corners.iter().flatten() {
            bytes.extend(if little { v.to_le_bytes() } else { v.to_be_bytes() });
        }
        bytes
    }

    #[test]
    fn polygons_in_either_order_of_bytes_have_boxes_and_points_have_none() {
        let corners = [[1.0, 2.0], [3.0, 2.0], [3.0, 5.0], [1.0, 2.0]];
        let expected = BoundingBox { west: 1.0, east: 3.0, south: 2.0, north: 5.0 };
        let (little, big) = (polygon(&corners, true), polygon(&corners, false));
        assert_eq!((box_of(&little), box_of(&big)), (Some(expected), Some(expected)));
        let several =
            [vec![1], 6_u32.to_le_bytes().to_vec(), 2_u32.to_le_bytes().to_vec(), little.clone(), big].concat();
        assert_eq!(box_of(&several), Some(expected));
        let point = [vec![1], 1_u32.to_le_bytes().to_vec(), 1.0_f64.to_le_bytes().repeat(2)].concat();
        assert_eq!(box_of(&point), None);
        for cut in 0..little.len() {
            assert_eq!(box_of(&little[..cut]), None, "{cut}");
        }
    }

    #[test]
    fn collections_in_collections_end() {
        let nested = [vec![1], 7_u32.to_le_bytes().to_vec(), u32::MAX.to_le_bytes().to_vec()].concat();
        assert_eq!(box_of(&nested.repeat(1_000)), None);
    }
}
