//! Where the buildings of loaded files are.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

use crate::area::BoundingBox;
use crate::error::SourceError;

/// The column with the box of each row.
const COLUMN: &str = "bbox";

/// The boxes of all rows that are more than a point.
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
    let column = schema.get_fields().iter().find(|field| field.name() == COLUMN).cloned();
    let column = column.ok_or_else(|| SourceError::NoBoxes { url: name.clone() })?;
    let only =
        Type::group_type_builder(schema.name()).with_fields(vec![Arc::clone(&column)]).build().map_err(damaged)?;
    for row in reader.get_row_iter(Some(only)).map_err(damaged)? {
        boxes.extend(box_of(&row.map_err(damaged)?));
    }
    Ok(())
}

fn box_of(row: &Row) -> Option<BoundingBox> {
    let (_, Field::Group(corners)) = row.get_column_iter().next()? else { return None };
    let corner = |name: &str| {
        let (_, field) = corners.get_column_iter().find(|(column, _)| *column == name)?;
        match field {
            Field::Float(value) => Some(f64::from(*value)),
            Field::Double(value) => Some(*value),
            _ => None,
        }
    };
    let found =
        BoundingBox { west: corner("xmin")?, east: corner("xmax")?, south: corner("ymin")?, north: corner("ymax")? };
    (found.east > found.west && found.north > found.south).then_some(found)
}
