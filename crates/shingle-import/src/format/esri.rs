//! Features as ArcGIS servers write them in JSON of their own: `attributes`, and a geometry of `rings` or of `x` and `y`.

use serde::Deserialize;
use serde_json::Value;

use crate::format::geojson_geometry::XY;
use crate::format::source::{DeclaredCrs, Shape};
use crate::format::unread_row::UnreadRow;

#[derive(Deserialize)]
struct EsriGeometry {
    rings: Option<Vec<Vec<XY>>>,
    x: Option<Value>,
    y: Option<Value>,
    #[serde(rename = "curveRings")]
    curve_rings: Option<Value>,
    paths: Option<Value>,
    points: Option<Value>,
}

/// What is drawn.
pub(crate) fn shape(geometry: &str) -> Result<Shape, UnreadRow> {
    let geometry: EsriGeometry =
        serde_json::from_str(geometry).map_err(|e| UnreadRow::Coordinates { e: e.to_string() })?;
    if let Some(rings) = geometry.rings {
        let rings: Vec<Vec<(f64, f64)>> =
            rings.into_iter().map(|ring| ring.into_iter().map(|XY(x, y)| (x, y)).collect()).collect();
        return Ok(if rings.is_empty() { Shape::None } else { Shape::Rings(rings) });
    }
    if let (Some(x), Some(y)) =
        (geometry.x.as_ref().and_then(Value::as_f64), geometry.y.as_ref().and_then(Value::as_f64))
    {
        return Ok(Shape::Point(x, y));
    }
    match (geometry.curve_rings, geometry.paths, geometry.points) {
        (Some(_), _, _) => Err(UnreadRow::Curve),
        (_, Some(_), _) => Err(UnreadRow::Line),
        (_, _, Some(_)) => Err(UnreadRow::Cloud),
        // `NaN` stands for no point.
        _ => Ok(Shape::None),
    }
}

/// The `spatialReference` of a collection or of a geometry.
pub(crate) fn declared(json: &[u8]) -> Option<DeclaredCrs> {
    let reference: Value = serde_json::from_slice(json).ok()?;
    let number =
        |key: &str| reference.get(key).and_then(Value::as_u64).map(|code| DeclaredCrs::Name(format!("EPSG:{code}")));
    let text = || reference.get("wkt").and_then(Value::as_str).map(|wkt| DeclaredCrs::Wkt(wkt.to_owned()));
    number("latestWkid").or_else(|| number("wkid")).or_else(text)
}
