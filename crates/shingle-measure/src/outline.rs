//! The outlines of roofs, as GeoJSON has them.

use serde_json::Value;

use crate::error::MeasureError;

/// More points than any building has.
const MAX_POINTS: usize = 20_000;

/// One roof to measure. Rings are closed without repeating the first point; the first of a part is its outer ring.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    pub id: String,
    pub parts: Vec<Vec<Vec<(f64, f64)>>>,
}

/// Outlines, and the coordinate system that their file names.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlines {
    pub outlines: Vec<Outline>,
    /// An EPSG number. `None`: the file says nothing, which GeoJSON takes for degrees.
    pub code: Option<u32>,
    /// The file says that it is in degrees.
    pub says_degrees: bool,
}

impl Outlines {
    /// In longitude and latitude.
    pub fn in_degrees(outlines: Vec<Outline>) -> Self {
        Self { outlines, code: Some(4326), says_degrees: true }
    }

    /// A `FeatureCollection`, a `Feature`, a geometry, or one of them a line.
    pub fn from_geojson(text: &str) -> Result<Self, MeasureError> {
        let mut all = Self { outlines: Vec::new(), code: None, says_degrees: false };
        let text = text.trim_start_matches('\u{feff}');
        let values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        for value in values {
            let value = value.map_err(|e| MeasureError::Outlines(e.to_string()))?;
            let name = value.pointer("/crs/properties/name").and_then(Value::as_str);
            if let Some(name) = name {
                let last = name.rsplit([':', '/']).next().unwrap_or(name);
                all.code = last.parse().ok();
                all.says_degrees = last.starts_with("CRS8") || matches!(all.code, Some(4326 | 4269));
            }
            all.take(&value)?;
        }
        if all.outlines.is_empty() {
            return Err(MeasureError::Outlines("there is no polygon in the file".to_owned()));
        }
        Ok(all)
    }

    fn take(&mut self, value: &Value) -> Result<(), MeasureError> {
        match value.get("type").and_then(Value::as_str) {
            Some("FeatureCollection") => {
                for feature in value.get("features").and_then(Value::as_array).into_iter().flatten() {
                    self.take(feature)?;
                }
                Ok(())
            }
            Some("Feature") => {
                let id = ["/properties/id", "/id"].iter().find_map(|path| value.pointer(path)).and_then(text_of);
                match value.get("geometry") {
                    Some(geometry) if !geometry.is_null() => self.geometry(geometry, id),
                    _ => Ok(()),
                }
            }
            Some(_) => self.geometry(value, None),
            None => Err(MeasureError::Outlines("it is JSON, but not GeoJSON".to_owned())),
        }
    }

    fn geometry(&mut self, geometry: &Value, id: Option<String>) -> Result<(), MeasureError> {
        let id = id.unwrap_or_else(|| (self.outlines.len() + 1).to_string());
        let bad = |what: &str| MeasureError::Outlines(format!("outline {id}: {what}"));
        let coordinates = geometry.get("coordinates").and_then(Value::as_array);
        let parts = match (geometry.get("type").and_then(Value::as_str), coordinates) {
            (Some("Polygon"), Some(rings)) => vec![part(rings).ok_or_else(|| bad("a coordinate is no number"))?],
            (Some("MultiPolygon"), Some(parts)) => {
                let part = |rings: &Value| part(rings.as_array()?);
                parts.iter().map(part).collect::<Option<_>>().ok_or_else(|| bad("a coordinate is no number"))?
            }
            // Points and lines beside the polygons are not roofs.
            _ => return Ok(()),
        };
        if parts.iter().flatten().map(Vec::len).sum::<usize>() > MAX_POINTS {
            return Err(bad("it has more points than a building"));
        }
        self.outlines.push(Outline { id, parts });
        Ok(())
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn part(rings: &[Value]) -> Option<Vec<Vec<(f64, f64)>>> {
    let ring = |ring: &Value| {
        let point = |point: &Value| {
            let at = |index: usize| point.get(index).and_then(Value::as_f64).filter(|n| n.is_finite());
            Some((at(0)?, at(1)?))
        };
        let mut ring: Vec<_> = ring.as_array()?.iter().map(point).collect::<Option<_>>()?;
        ring.dedup();
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        Some(ring)
    };
    let rings: Vec<_> = rings.iter().map(ring).collect::<Option<_>>()?;
    Some(rings.into_iter().filter(|ring| ring.len() >= 3).collect())
}
